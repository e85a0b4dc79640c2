//! Reads the grids of a column of texts into cell values, a byte each.

use gridmill::format::Alphabet;
use gridmill::puzzle::Size;

/// The size of the grids of a column, and the symbols they are written in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grids {
    alphabet: Alphabet,
    content: Content,
}

/// The kind of the grids of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Some cells may be blank.
    Puzzles,
    /// No cell is blank.
    Solutions,
}

impl Grids {
    /// The common size of some grids and the alphabet that fits them all. Where several fit, it is the one that gridmill
    /// prints. Texts that are no grid are passed over; without any grid, the size is 9x9.
    ///
    /// # Errors
    ///
    /// If the grids have several sizes.
    pub(crate) fn detect<'a>(texts: impl Iterator<Item = &'a str>, content: Content) -> Result<Grids, String> {
        let mut first = None;
        let mut alphabets: Vec<Alphabet> = Vec::new();
        for text in texts {
            let Some(size) = Size::from_cells(text.len()) else { continue };
            match first {
                None => {
                    first = Some(size);
                    alphabets = Alphabet::for_size(size).collect();
                }
                Some(first) if first == size => {}
                Some(first) => return Err(format!("the column has grids of {first} and of {size}")),
            }
            if alphabets.len() > 1 {
                let kept: Vec<Alphabet> =
                    alphabets.iter().copied().filter(|&alphabet| fits(alphabet, text, content)).collect();
                // A text that fits no alphabet is not a grid.
                if !kept.is_empty() {
                    alphabets = kept;
                }
            }
        }
        Ok(Grids { alphabet: printed(first.unwrap_or(Size::Nine), &alphabets), content })
    }

    /// The number of cells of a grid.
    pub(crate) fn cells(self) -> usize {
        self.alphabet.size().cells()
    }

    /// Writes the values of the cells: 0 for a blank, and for all cells if the text is not a grid.
    pub(crate) fn read(self, text: &str, cells: &mut [u8]) {
        let fits = text.len() == cells.len() && {
            let blank = blank_of(self.alphabet, text, self.content);
            let mut is_wrong = false;
            // No exit from this loop, so that it is turned into vector code.
            for (cell, symbol) in cells.iter_mut().zip(text.bytes()) {
                *cell = self.alphabet.value(symbol);
                is_wrong |= *cell == 0 && Some(symbol) != blank;
            }
            !is_wrong
        };
        if !fits {
            cells.fill(0);
        }
    }
}

/// Whether all symbols are of an alphabet, or one symbol for a blank.
fn fits(alphabet: Alphabet, text: &str, content: Content) -> bool {
    let blank = blank_of(alphabet, text, content);
    text.bytes().all(|symbol| alphabet.value(symbol) > 0 || Some(symbol) == blank)
}

/// The first symbol for a blank; where `0` is a digit, `.` is one. Solutions have none.
fn blank_of(alphabet: Alphabet, text: &str, content: Content) -> Option<u8> {
    let first = text.bytes().find(|&symbol| alphabet.value(symbol) == 0)?;
    (content == Content::Puzzles && alphabet.is_blank(first)).then_some(first)
}

/// The alphabet that gridmill prints, if it is among these, or the first of them.
fn printed(size: Size, alphabets: &[Alphabet]) -> Alphabet {
    let usual = gridmill::format::Alphabets::from_iter([]).for_printing(size);
    if alphabets.is_empty() || alphabets.contains(&usual) { usual } else { alphabets[0] }
}

//! Cells as text: one symbol a cell, with nothing between them.
//!
//! What remains of a puzzle once a format has found where its cells stand. One puzzle has one blank symbol: that
//! catches grids whose `0` is a value, and lines that were glued together from two sources.

use super::alphabet::{Alphabet, Alphabets, BLANKS, NINE};
use super::malformed::{Malformed, Symbol, SymbolPosition};
use super::{Order, ParsedPuzzle, Puzzles};

/// Adds the puzzle whose cells are the bytes of `text`, which has the length of its size, to `puzzles`.
///
/// `position` gives the position of the byte with an index in `text`, for the error.
#[inline]
pub(super) fn parse(
    text: &[u8],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
    position: impl Fn(usize) -> SymbolPosition,
) -> Result<ParsedPuzzle, Malformed> {
    // Nearly all puzzles are 9x9. Their cells are written where they stay: a copy would wait until they are stored.
    if let Ok(nine) = text.try_into()
        && let Some(puzzle) = puzzles.push_nine_with(|cells| read_nine(nine, cells))
    {
        return Ok(puzzle);
    }
    parse_any_size(text, alphabets, puzzles, &position)
}

/// Parses a puzzle that [`parse`] did not.
#[inline(never)]
fn parse_any_size(
    text: &[u8],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
    position: &dyn Fn(usize) -> SymbolPosition,
) -> Result<ParsedPuzzle, Malformed> {
    let order = Order::from_cells(text.len()).ok_or(match text.len() {
        729 => Malformed::Pencilmarks,
        cells => Malformed::Length { cells },
    })?;
    let cells = &mut [0; Order::MAX_CELLS][..text.len()];
    let blank = match alphabets.get(order) {
        Some(alphabet) => read_in(alphabet, text, cells).map_err(|fault| fault.at(text, alphabet, position))?,
        None => read_blanks(text).ok_or(Malformed::UnknownAlphabet { order })?,
    };
    puzzles.push(order, cells);
    Ok(ParsedPuzzle { order, blank, clues: clues(cells), after_blank_line: true })
}

/// How many clues a puzzle has.
pub(super) fn clues(cells: &[u8]) -> u16 {
    cells.iter().map(|&value| u16::from(value != 0)).sum()
}

/// Reads the cells of a 9x9 puzzle, if the text is one: nearly all are, and an alphabet and a length that the compiler
/// knows make this several times as fast.
#[inline]
fn read_nine(text: &[u8; NINE], cells: &mut [u8; NINE]) -> Option<ParsedPuzzle> {
    // Nearly all have dots or zeros: to look for the blank would take longer than to read a puzzle twice.
    read_with(b'.', text, cells).or_else(|| read_with(b'0', text, cells)).or_else(|| {
        let blank = *text.iter().find(|&&byte| ALPHABET_OF_NINE.is_blank(byte))?;
        read_with(blank, text, cells)
    })
}

/// The only alphabet of 9x9 puzzles.
const ALPHABET_OF_NINE: Alphabet = Alphabet::ALL[1];

/// Reads the cells of a 9x9 puzzle with a known blank; `None` if something else is among them.
#[inline]
fn read_with(blank: u8, text: &[u8; NINE], cells: &mut [u8; NINE]) -> Option<ParsedPuzzle> {
    let (mut wrong, mut clues) = (false, 0_u8);
    // No exit from this loop, so that it is turned into vector code.
    for (cell, &byte) in cells.iter_mut().zip(text) {
        *cell = ALPHABET_OF_NINE.value(byte);
        wrong |= *cell == 0 && byte != blank;
        clues += u8::from(*cell != 0);
    }
    (!wrong).then_some(ParsedPuzzle { order: Order::Three, blank, clues: clues.into(), after_blank_line: true })
}

/// The byte with this index is neither a symbol of the alphabet nor the puzzle's blank, which follows.
struct CellFault {
    index: usize,
    blank: u8,
}

impl CellFault {
    fn at(self, text: &[u8], alphabet: Alphabet, position: impl Fn(usize) -> SymbolPosition) -> Malformed {
        let CellFault { index, blank } = self;
        let position = position(index);
        if alphabet.is_blank(text[index]) {
            Malformed::SecondBlank { position, first: blank, second: text[index] }
        } else {
            Malformed::Symbol { position, symbol: Symbol::first_of(&text[index..]), alphabet }
        }
    }
}

/// Reads cells in a known alphabet and answers the blank symbol.
fn read_in(alphabet: Alphabet, text: &[u8], cells: &mut [u8]) -> Result<u8, CellFault> {
    for (cell, &byte) in cells.iter_mut().zip(text) {
        *cell = alphabet.value(byte);
    }
    let mut others = text.iter().enumerate().filter(|&(_, &byte)| alphabet.value(byte) == 0);
    let Some((first, &blank)) = others.next() else { return Ok(b'.') };
    if !alphabet.is_blank(blank) {
        return Err(CellFault { index: first, blank });
    }
    match others.find(|&(_, &byte)| byte != blank) {
        Some((index, _)) => Err(CellFault { index, blank }),
        None => Ok(blank),
    }
}

/// The blank symbol of cells that are all blank, in whatever alphabet.
fn read_blanks(text: &[u8]) -> Option<u8> {
    let blank = text[0];
    (BLANKS.contains(&blank) && text.iter().all(|&byte| byte == blank)).then_some(blank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_text(alphabets: &Alphabets, text: &[u8]) -> Result<(Vec<u8>, u8), String> {
        let mut puzzles = Puzzles::new();
        match parse(text, alphabets, &mut puzzles, |index| SymbolPosition::Column(index + 1)) {
            Ok(puzzle) => {
                let cells = puzzles.last(puzzle.order);
                assert_eq!(cells.iter().filter(|&&value| value > 0).count(), usize::from(puzzle.clues));
                Ok((cells.to_vec(), puzzle.blank))
            }
            Err(reason) => {
                assert!(Order::ALL.iter().all(|&order| puzzles.batch(order).is_empty()));
                Err(reason.to_string())
            }
        }
    }

    #[test]
    fn one_puzzle_has_one_blank_symbol() {
        let read = |text: &str| read_text(&Alphabets::default(), text.as_bytes());
        let values = vec![1, 2, 3, 4, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0];
        for blank in BLANKS.iter().copied() {
            let text = "1234....4321....".replace('.', &char::from(blank).to_string());
            assert_eq!(read(&text), Ok((values.clone(), blank)));
        }
        assert_eq!(read("1234123412341234").unwrap().1, b'.');
        for (text, reason) in [
            ("1234...04321....", "column 8: blank '0' after blank '.'; one puzzle has one blank symbol"),
            ("1234xxxX4321xxxx", "column 8: blank 'X' after blank 'x'; one puzzle has one blank symbol"),
            ("1234...54321....", "column 8: '5' is no digit from 1 to 4"),
            ("?234....4321....", "column 1: '?' is no digit from 1 to 4"),
            ("1234..é.4321...", "column 7: 'é' is no digit from 1 to 4"),
            ("1234.\0..4321....", "column 6: byte 0x00 is no digit from 1 to 4"),
            ("1234", "4 cells; a puzzle has 16, 81, 256 or 625"),
            ("", "0 cells; a puzzle has 16, 81, 256 or 625"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
        let pencilmarks = "729 cells; pencilmarks are not read, a puzzle has 16, 81, 256 or 625";
        assert_eq!(read(&".".repeat(729)), Err(pencilmarks.to_owned()));
    }

    #[test]
    fn a_large_puzzle_without_clues_needs_no_alphabet() {
        for cells in [256, 625] {
            for blank in [".", "0", "-", "x"] {
                assert_eq!(
                    read_text(&Alphabets::default(), blank.repeat(cells).as_bytes()),
                    Ok((vec![0; cells], blank.as_bytes()[0]))
                );
            }
        }
        let reason = read_text(&Alphabets::default(), format!("{:.<256}", "A").as_bytes()).unwrap_err();
        assert_eq!(reason, "16x16 in an alphabet that is not known; give it with --alphabet (A-P, 0-F or 1-G)");
    }

    proptest! {
        /// Against the rule read aloud: symbols of the alphabet, and the rest of one blank symbol.
        #[test]
        fn cells_are_read_by_the_rule(
            which in 0..Alphabet::ALL.len(),
            picks in proptest::collection::vec((0..40_usize, any::<u8>()), 625),
            blank in 0..BLANKS.len(),
            noise in 0..3,
        ) {
            let alphabet = Alphabet::ALL[which];
            let mut alphabets = Alphabets::default();
            alphabets.set(alphabet);
            let text: Vec<u8> = picks[..alphabet.order().cells()].iter().map(|&(pick, byte)| match pick {
                0 if noise == 0 => byte,
                1 if noise == 1 => BLANKS[byte as usize % BLANKS.len()],
                pick if pick < 25 => alphabet.symbol(byte % alphabet.order().side() as u8 + 1),
                _ => BLANKS[blank],
            }).collect();
            let mut others: Vec<u8> = text.iter().copied().filter(|&byte| alphabet.value(byte) == 0).collect();
            others.dedup();
            let good = others.iter().all(|&byte| alphabet.is_blank(byte)) && others.len() <= 1;
            let result = read_text(&alphabets, &text);
            prop_assert_eq!(result.is_ok(), good, "{:?}", result);
            if let Ok((cells, blank)) = result {
                prop_assert_eq!(blank, others.first().copied().unwrap_or(b'.'));
                let values: Vec<u8> = text.iter().map(|&byte| alphabet.value(byte)).collect();
                prop_assert_eq!(cells, values);
            }
        }
    }
}

//! Pencilmark puzzles: 9x9 puzzles with candidates in place of clues.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

use super::{Geometry, Grid, Size};
use crate::options::ParseError;

/// A pencilmark puzzle: for each cell of a 9x9 grid, the digits that it may have. Other programs call it a Sukaku.
///
/// As text it has 729 symbols, nine for each cell, row by row: each candidate at its place, and `.` or `0` in the
/// remaining places. [`Display`] prints `.`.
///
/// Each puzzle has the same solutions as its [candidates](Pencilmarks::from). The reverse is not true: clues may not be
/// able to leave the candidates of a pencilmark puzzle. A cell may have no candidates; then there is no solution.
///
/// ```
/// use gridmill::puzzle::Pencilmarks;
///
/// let text = format!("12......{}", "123456789".repeat(81)).chars().take(729).collect::<String>();
/// assert_eq!(text.parse::<Pencilmarks>().unwrap_err().to_string(), "column 9: '1' is not 9, '.' or '0'");
/// let text = format!("12.......{}", "123456789".repeat(80));
/// let puzzle: Pencilmarks = text.parse()?;
/// assert_eq!(puzzle.digits(0), 0b11);
/// assert_eq!(puzzle.to_string(), text);
/// # Ok::<(), gridmill::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pencilmarks([u16; 81]);

impl Pencilmarks {
    /// The number of symbols of a pencilmark puzzle in text: nine for each cell.
    pub const SYMBOLS: usize = 729;

    /// The bits of all digits.
    const ALL: u16 = 0x1ff;

    /// The digits that a cell may have: bit 0 is the digit 1.
    ///
    /// # Panics
    ///
    /// If the cell is not below 81.
    pub fn digits(&self, cell: usize) -> u16 {
        self.0[cell]
    }
}

/// The candidates of a puzzle: each clue itself, and for each blank the digits that do not occur among its peers.
impl From<&Grid> for Pencilmarks {
    fn from(puzzle: &Grid) -> Pencilmarks {
        let geometry = Geometry::of(Size::Nine);
        let bit = |value: u8| 1 << value >> 1;
        Pencilmarks(std::array::from_fn(|cell| match puzzle[cell] {
            0 => {
                let peers = geometry.peers(cell).iter();
                Pencilmarks::ALL & !peers.fold(0, |taken, &peer| taken | bit(puzzle[usize::from(peer)]))
            }
            clue => bit(clue),
        }))
    }
}

impl FromStr for Pencilmarks {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Pencilmarks, ParseError> {
        let symbols = text.chars().count();
        if symbols != Pencilmarks::SYMBOLS {
            return Err(ParseError::new(format!("{symbols} symbols; a pencilmark puzzle has 729")));
        }
        let mut digits = [0; 81];
        for (index, symbol) in text.chars().enumerate() {
            match symbol {
                '.' | '0' => {}
                _ if symbol.to_digit(10) == Some(index as u32 % 9 + 1) => digits[index / 9] |= 1 << (index % 9),
                _ => {
                    let (column, digit) = (index + 1, index % 9 + 1);
                    return Err(ParseError::new(format!("column {column}: '{symbol}' is not {digit}, '.' or '0'")));
                }
            }
        }
        Ok(Pencilmarks(digits))
    }
}

impl Display for Pencilmarks {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let symbol = |index: usize| match self.0[index / 9] >> (index % 9) & 1 {
            0 => '.',
            _ => char::from(b'1' + (index % 9) as u8),
        };
        f.pad(&(0..Pencilmarks::SYMBOLS).map(symbol).collect::<String>())
    }
}

impl Debug for Pencilmarks {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Pencilmarks({self})")
    }
}

//! Parses a record into a puzzle.

use super::{Malformed, Puzzles, Size};

/// Parses records. Each thread has its own, with scratch memory.
pub trait Parser: Send {
    /// Adds the puzzle of `record` to `puzzles`: 0 for a blank, 1 to the side for a clue.
    ///
    /// # Errors
    ///
    /// If the record is no puzzle. Then nothing is added.
    fn parse(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed>;

    /// The 729 symbols of a record for which [`parse`](Parser::parse) returns [`Malformed::Pencilmarks`].
    fn pencilmarks<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        self.puzzle_text(record).trim_ascii()
    }

    /// The text to print for a malformed record: the record, or its field that should hold a puzzle.
    fn puzzle_text<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        self.field(record).unwrap_or(record)
    }

    /// The part of the record that should hold a puzzle; `None` if the record has no such field.
    fn field<'a>(&'a mut self, record: &'a [u8]) -> Option<&'a [u8]> {
        Some(record)
    }
}

/// Properties of a parsed puzzle, beside its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedPuzzle {
    /// The size.
    pub size: Size,
    /// The symbol for a blank, so that the puzzle is printed as it was written; `.` if it has no blank.
    pub blank: u8,
    /// The number of clues.
    pub clues: u16,
    /// Whether a blank line comes before it where solutions are written as grids: for `grids` input, if there is one in
    /// the input; for other input, always.
    pub after_blank_line: bool,
}

impl ParsedPuzzle {
    /// Those of a pencilmark puzzle, which has no clues.
    pub const PENCILMARKS: ParsedPuzzle =
        ParsedPuzzle { size: Size::Nine, blank: b'.', clues: 0, after_blank_line: true };
}

//! Text formats: how puzzles are written down, read and printed again.
//!
//! A format is one small file that cuts a stream into records ([`Splitter`]) and a record into cells ([`Parser`]).
//! Cutting is serial and therefore cheap: it finds where records end. Parsing happens in the workers.

mod alphabet;
mod cells;
mod csv;
mod csv_fields;
mod csv_header;
mod detect;
mod grid_parser;
mod grid_scanner;
mod grids;
mod guess;
mod input_format;
mod input_options;
mod ints;
mod layout;
mod lines;
mod malformed;
mod position;
mod puzzle;
mod sample;
mod splitter;
#[cfg(test)]
mod testing;
mod unsupported;

pub use alphabet::{Alphabet, Alphabets, UnknownAlphabet};
pub use csv::PassThrough;
pub(crate) use csv_fields::CsvFields;
pub use detect::{DetectError, detect};
pub use input_format::{InputFormat, UnknownFormat};
pub use input_options::{AnswerColumn, InputOptions};
pub use layout::Layout;
pub use malformed::{Malformed, Symbol, SymbolPosition};
pub use position::Preamble;
pub use puzzle::ParsePuzzleError;
pub use sample::UnclearAlphabet;
pub use splitter::{BatchEnd, BatchLimits, Consumed, MAX_RECORD, Splitter};

use crate::puzzle::{Order, Puzzles};

/// Parses records. Each thread has its own, with its scratch memory.
pub trait Parser: Send {
    /// Adds the puzzle of `record` to `puzzles`: 0 for a blank, 1 to the side for a clue.
    ///
    /// # Errors
    ///
    /// If the record is no puzzle. Then nothing is added.
    fn parse(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed>;

    /// The text to print for a malformed record: the record, or the field that should hold a puzzle.
    fn puzzle_text<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        record
    }
}

/// What a parsed puzzle looks like beside its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedPuzzle {
    /// Its size.
    pub order: Order,
    /// The symbol that it has for a blank, so that it is printed as it was written; `.` if it has none.
    pub blank: u8,
    /// How many clues it has.
    pub clues: u16,
    /// Whether a blank line comes before it where solutions are written as grids: in `grids`, if one comes before it in
    /// the input; in all other formats.
    pub after_blank_line: bool,
}

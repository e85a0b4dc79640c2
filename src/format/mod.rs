//! Text formats: how puzzles are written down, read and printed again.
//!
//! A format is one small file that cuts a stream into records ([`Splitter`]) and a record into cells ([`Parser`]).
//! Cutting is serial and therefore cheap: it finds where records end. Parsing happens in the workers.

use std::ops::Range;

mod alphabet;
mod cells;
mod csv;
mod detect;
mod grid_scanner;
mod grids;
mod ints;
mod layout;
mod lines;
mod malformed;
mod position;
mod puzzle;
mod sample;
#[cfg(test)]
mod testing;

pub use alphabet::{Alphabet, Alphabets, UnknownAlphabet};
pub(crate) use csv::CsvFields;
pub use csv::PassThrough;
pub use detect::{AnswerColumn, DetectError, Wanted, detect};
pub use layout::{InputFormat, Layout, UnknownFormat};
pub use malformed::{Malformed, Symbol, SymbolPosition};
pub use position::Preamble;
pub use puzzle::ParsePuzzleError;
pub use sample::UnclearAlphabet;

use crate::puzzle::Order;

/// Where a record is cut off, in bytes. What is as long as this, line end included, is no puzzle of any format: the rest
/// of it is passed over, and it becomes one malformed row. It bounds the memory that hostile input can ask for.
///
/// A record's text has this length if it was cut off, and is shorter otherwise; so a parser knows.
pub const MAX_RECORD: usize = 1 << 20;

/// Cuts a stream into records, as far as the stream has been read.
pub trait Splitter: Send {
    /// Finds the next record in `text`, which starts where the last answer's `next` said and may end anywhere.
    ///
    /// `last` says that the stream ends where `text` ends. Every record comes exactly once, wherever the stream was
    /// split into texts; with `last`, or with [`MAX_RECORD`] bytes or more of text, the answer is never
    /// [`Cut::More`] with `next: 0` and records left.
    fn cut(&mut self, text: &[u8], last: bool) -> Cut;

    /// Finds record after record, as [`cut`](Splitter::cut) does, and says of each where it lies and on which line.
    ///
    /// It ends when there are `most`, or when they have passed `enough` bytes.
    fn cut_some(
        &mut self,
        text: &[u8],
        last: bool,
        most: usize,
        enough: usize,
        record: &mut dyn FnMut(Range<usize>, u64),
    ) -> Passed {
        let (mut passed, mut most) = (0, most);
        loop {
            (passed, most) = self.cut_plain(text, passed, most, enough, record);
            if most == 0 || passed >= enough {
                return Passed { records: passed, bytes: passed, left: Left::Text };
            }
            match self.cut(&text[passed..], last) {
                Cut::Record { text: Range { start, end }, line, next } => {
                    record(passed + start..passed + end, line);
                    passed += next;
                    most -= 1;
                }
                Cut::More { next } => return Passed { records: passed, bytes: passed + next, left: Left::Torn },
                Cut::End => return Passed { records: passed, bytes: passed, left: Left::Nothing },
            }
        }
    }

    /// Finds records from `passed` on, as [`cut_some`](Splitter::cut_some) does, as long as they are quickly told; says
    /// where the last one has its end, and how many may still follow.
    fn cut_plain(
        &mut self,
        _text: &[u8],
        passed: usize,
        most: usize,
        _enough: usize,
        _record: &mut dyn FnMut(Range<usize>, u64),
    ) -> (usize, usize) {
        (passed, most)
    }
}

/// How far a [`Splitter`] has come in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Where the last record has its end.
    pub records: usize,
    /// Where the following call's text has to start: there, or behind what is no record.
    pub bytes: usize,
    /// What is there behind it.
    pub left: Left,
}

/// What a [`Splitter`] has left of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Text that it was not asked to cut.
    Text,
    /// No whole record: call again with more.
    Torn,
    /// Nothing: the input is over.
    Nothing,
}

/// What a [`Splitter`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A whole record.
    Record {
        /// Where the record's text lies, without the line end after it; a record of several lines has them inside.
        text: Range<usize>,
        /// The line of the stream on which it starts, from 1.
        line: u64,
        /// Where the following call's text has to start.
        next: usize,
    },
    /// No whole record before the end of the text: call again with more. What lies before `next` is done with.
    More {
        /// Where the following call's text has to start.
        next: usize,
    },
    /// The input is over, by its own word or because the stream is.
    End,
}

/// Reads the cells of one record. Owned by one thread, with its scratch memory.
pub trait Parser: Send {
    /// Puts the cells of `record` into `cells`, which is emptied first: 0 for a blank, 1 to the side for a clue.
    ///
    /// # Errors
    ///
    /// If the record is no puzzle: why, and where.
    fn parse(&mut self, record: &[u8], cells: &mut Vec<u8>) -> Result<ParsedPuzzle, Malformed>;

    /// Writes the cells of a 9x9 puzzle where they are to be, if the record is one and no more need be looked at; if not,
    /// it remains to be [parsed](Parser::parse), and what is in `cells` is of no use.
    fn parse_nine(&mut self, _record: &[u8], _cells: &mut [u8; Order::Three.cells()]) -> Option<ParsedPuzzle> {
        None
    }

    /// The text that stands for the puzzle when it is malformed: the record, or the field that should hold a puzzle.
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
    /// Whether an empty line stands before it in `grids`; puzzles of other formats always stand apart.
    pub apart: bool,
}

//! The definition of a text format: it implements [`Format`], and [`TextLayout`] for its findings in an input. The
//! [table of formats](super::formats) has a row for each.

use std::fmt::Debug;

use super::alphabet::{Alphabets, listed};
use super::columns::{Table, WantedColumns};
use super::error::DetectError;
#[cfg(feature = "corpus")]
use super::fields::PassThrough;
use super::stream::Preamble;
use super::{MAX_RECORD, Malformed, Puzzles, Size, Splitter};
use crate::puzzle::SizeWithBoxes;

/// The recognition of texts in a format.
pub(super) trait Format: Sync {
    /// Whether a text is likely to be in this format.
    fn is_likely(&self, start: Start<'_>) -> bool;

    /// The layout of a text in this format.
    ///
    /// # Errors
    ///
    /// If it cannot be in this format, or lacks the requested columns.
    fn layout(&self, start: Start<'_>, wanted: WantedColumns<'_>) -> Result<FoundLayout, DetectError>;
}

/// The layout of a text in some format.
pub(super) struct FoundLayout {
    pub(super) text: Box<dyn TextLayout>,
    /// The columns of a table.
    pub(super) table: Option<Table>,
    /// The length of the preamble, from the start of the input.
    pub(super) preamble: usize,
}

/// A format whose inputs all have the same layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainFormat {
    pub(super) is_likely: fn(Start<'_>) -> bool,
    /// The length of the preamble, from the start of the input.
    pub(super) preamble: fn(Start<'_>) -> usize,
    pub(super) splitter: fn(Preamble) -> Box<dyn Splitter>,
    pub(super) parser: fn(Alphabets) -> Box<dyn Parser>,
    pub(super) has_symbols: bool,
    pub(super) describe: fn(&[Size]) -> String,
}

impl Format for PlainFormat {
    fn is_likely(&self, start: Start<'_>) -> bool {
        (self.is_likely)(start)
    }

    fn layout(&self, start: Start<'_>, _: WantedColumns<'_>) -> Result<FoundLayout, DetectError> {
        Ok(FoundLayout { text: Box::new(*self), table: None, preamble: (self.preamble)(start) })
    }
}

impl TextLayout for PlainFormat {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        (self.splitter)(preamble)
    }

    fn parser(&self, alphabets: Alphabets, _column: usize) -> Box<dyn Parser> {
        (self.parser)(alphabets)
    }

    fn has_symbols(&self) -> bool {
        self.has_symbols
    }

    fn describe(&self, sizes: &[Size], _columns: &str) -> String {
        (self.describe)(sizes)
    }
}

/// The start of an input, for detecting its format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<'a> {
    /// The first bytes of the input.
    pub(super) sample: &'a [u8],
    /// The length of the byte order mark.
    pub(super) mark: usize,
    /// The length of the byte order mark, and of the comments and empty lines at the start.
    pub(super) comments: usize,
    /// Whether the sample is the complete input.
    pub(super) is_complete: bool,
    /// Whether the format was guessed, not named by the user.
    pub(super) is_guessed: bool,
}

impl<'a> Start<'a> {
    /// The text after the first comments and empty lines.
    pub(super) fn text(self) -> &'a [u8] {
        &self.sample[self.comments..]
    }
}

/// The findings of a format in an input. Makes the splitter and the parsers.
pub(super) trait TextLayout: Debug + Send + Sync {
    /// Makes a splitter for the input, from its first byte.
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter>;

    /// Makes a parser for a column of the records. Without a table, there is one column, except that lines have answers
    /// in a second one.
    fn parser(&self, alphabets: Alphabets, column: usize) -> Box<dyn Parser>;

    /// The number of columns to search for answers.
    fn columns(&self) -> usize {
        1
    }

    /// A phrase for a column of a table: `column 2 'question'`.
    fn column(&self, _index: usize, _name: &str) -> String {
        String::new()
    }

    /// Whether cells are symbols, which need an alphabet, rather than numbers.
    fn has_symbols(&self) -> bool {
        true
    }

    /// The header of a table, line end included; empty if the input has none.
    fn header(&self) -> &[u8] {
        &[]
    }

    /// The delimiter between the fields of a table, if it is CSV.
    #[cfg(feature = "cli")]
    fn delimiter(&self) -> Option<u8> {
        None
    }

    /// Whether records are parts of a document, so that a copy of one has no line end.
    #[cfg(feature = "corpus")]
    fn is_document(&self) -> bool {
        false
    }

    /// Makes a reader of some columns.
    #[cfg(feature = "corpus")]
    fn pass_through(&self, _columns: &[usize]) -> PassThrough {
        PassThrough::default()
    }

    /// A phrase: `grids of 16x16`. The sample has puzzles of these sizes, in these `columns` of a table.
    fn describe(&self, sizes: &[Size], columns: &str) -> String;
}

/// Parses records. Each thread has its own, with scratch memory.
pub trait Parser: Send {
    /// Adds the puzzle of `record` to `puzzles`: 0 for a blank, 1 to the side for a clue.
    ///
    /// # Errors
    ///
    /// If the record is not a puzzle. Nothing is added then.
    fn parse(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        if record.len() < MAX_RECORD { self.read(record, puzzles) } else { Err(Malformed::TooLong) }
    }

    /// Adds the puzzle of a record of permitted length, for [`parse`](Parser::parse).
    ///
    /// # Errors
    ///
    /// As [`parse`](Parser::parse).
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed>;

    /// The 729 symbols of a record, after [`parse`](Parser::parse) returned [`Malformed::Pencilmarks`].
    fn pencilmarks<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        self.puzzle_text(record).trim_ascii()
    }

    /// The text to print for a malformed record: the record, or its field for the puzzle.
    fn puzzle_text<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        self.field(record).unwrap_or(record)
    }

    /// The part of the record for the puzzle; `None` if the record has no such field.
    fn field<'a>(&'a mut self, record: &'a [u8]) -> Option<&'a [u8]> {
        Some(record)
    }
}

/// Properties of a parsed puzzle, apart from its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedPuzzle {
    /// The size.
    pub size: Size,
    /// The symbol for a blank, for printing the puzzle as it was written; `.` if it has no blank.
    pub blank: u8,
    /// The number of clues.
    pub clues: u16,
    /// Whether an empty line precedes its solution in the output format `grids`. For `grids` input, the same as in the
    /// input; for all other input, always true.
    pub after_blank_line: bool,
}

impl ParsedPuzzle {
    /// The properties of a pencilmark puzzle, which has no clues.
    pub const PENCILMARKS: ParsedPuzzle =
        ParsedPuzzle { size: Size::Nine, blank: b'.', clues: 0, after_blank_line: true };

    /// Whether it has no blank.
    pub(crate) fn is_full(self) -> bool {
        usize::from(self.clues) == self.size.cells()
    }
}

/// `lines of 6x6 (boxes of 2x3) and 9x9`: a name with the sizes of the puzzles.
pub(super) fn with_sizes(name: &str, sizes: &[Size]) -> String {
    if sizes.is_empty() {
        name.to_owned()
    } else {
        format!("{name} of {}", listed(sizes.iter().map(SizeWithBoxes), "and"))
    }
}

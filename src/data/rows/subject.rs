//! The facts that rows have about every record: its content, its status, and its solutions.

use std::borrow::Cow;

use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use crate::format::Alphabet;

/// The number of bytes of a malformed record that are printed: enough to recognise it.
const MAX_TEXT: usize = 1000;

/// The result for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// A puzzle with exactly one solution.
    Unique,
    /// A puzzle with two solutions or more.
    Multiple,
    /// A puzzle with no solution.
    None,
    /// A puzzle whose search gave up: the number of its solutions is unknown.
    Undecided,
    /// Not a puzzle.
    Malformed,
}

impl Status {
    /// The names of all statuses, in their order.
    pub(crate) const NAMES: &[&str] = <Status as VariantNames>::VARIANTS;

    /// The status of a puzzle by its number of solutions, counted up to two or more.
    pub const fn from_solutions(solutions: u64) -> Status {
        match solutions {
            0 => Status::None,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }

    /// The status of a puzzle by its number of solutions, if known.
    pub const fn from_known(solutions: Option<u64>) -> Status {
        match solutions {
            Some(solutions) => Status::from_solutions(solutions),
            None => Status::Undecided,
        }
    }
}

/// The content of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject<'a> {
    /// A puzzle.
    Puzzle {
        /// The cell values; 0 is a blank.
        cells: &'a [u8],
        /// The symbols of the puzzle and its solutions.
        alphabet: &'a Alphabet,
        /// The symbol for a blank.
        blank: u8,
    },
    /// The 729 symbols of a pencilmark puzzle, with `.` or `0` where a digit is not a candidate.
    Pencilmarks(&'a [u8]),
    /// The text of a malformed record.
    Text(&'a [u8]),
}

impl<'a> Subject<'a> {
    /// The grids in `cells`, one after another.
    #[inline]
    pub(crate) fn grids(self, mut cells: &'a [u8]) -> impl Iterator<Item = PrintedGrid<'a>> {
        let (alphabet, blank, size) = match self {
            Subject::Puzzle { cells, alphabet, blank } => (alphabet, blank, cells.len()),
            Subject::Pencilmarks(_) => (&Alphabet::OF_NINE, b'.', Alphabet::OF_NINE.size().cells()),
            Subject::Text(_) => (&Alphabet::ALL[0], b'.', usize::MAX),
        };
        // `chunks_exact` would divide.
        std::iter::from_fn(move || {
            let (grid, others) = cells.split_at_checked(size)?;
            cells = others;
            if grid.is_empty() { None } else { Some(PrintedGrid { cells: grid, alphabet, blank }) }
        })
    }
}

impl Subject<'_> {
    /// The value of the column for puzzles.
    pub(crate) fn to_text(self) -> String {
        let mut text = vec![];
        self.write(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Appends the value of the column for puzzles, without quotes.
    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        match *self {
            Subject::Puzzle { cells, alphabet, blank } => alphabet.write(cells, blank, output),
            Subject::Pencilmarks(text) => output.extend_from_slice(text),
            Subject::Text(text) => output.extend_from_slice(printable(text).as_bytes()),
        }
    }
}

/// A grid, and the symbols to print it in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedGrid<'a> {
    pub(crate) cells: &'a [u8],
    pub(crate) alphabet: &'a Alphabet,
    pub(crate) blank: u8,
}

impl<'a> PrintedGrid<'a> {
    /// The cell values of each row of the grid.
    pub(crate) fn rows(self) -> impl Iterator<Item = &'a [u8]> {
        self.cells.chunks_exact(self.side())
    }

    pub(crate) fn side(self) -> usize {
        self.alphabet.size().side()
    }

    /// Appends the symbols of some cells.
    pub(crate) fn push(self, cells: &[u8], output: &mut Vec<u8>) {
        self.alphabet.write(cells, self.blank, output);
    }
}

/// The start of the text of a malformed record, with U+FFFD for invalid UTF-8.
pub(super) fn printable(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&text[..text.len().min(MAX_TEXT)])
}

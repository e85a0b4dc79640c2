//! One row of output: all fields of one record, in no format yet.

use csv::ByteRecord;

use crate::format::Alphabet;

/// The `detail` of a puzzle that has more solutions than were listed.
pub(crate) const MORE_SOLUTIONS: &str = "there are more";

/// The result for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// A puzzle with exactly one solution.
    Unique,
    /// A puzzle with two solutions or more.
    Multiple,
    /// A puzzle with no solution.
    None,
    /// A puzzle whose search gave up: it is not known how many solutions it has.
    Undecided,
    /// Not a puzzle.
    Malformed,
}

impl Status {
    /// Every status, in the order of summaries.
    pub const ALL: [Status; 5] = [Status::Unique, Status::Multiple, Status::None, Status::Undecided, Status::Malformed];

    /// The names of all statuses, in the same order.
    pub(crate) const NAMES: [&str; 5] = [
        Status::ALL[0].name(),
        Status::ALL[1].name(),
        Status::ALL[2].name(),
        Status::ALL[3].name(),
        Status::ALL[4].name(),
    ];

    /// The status of a puzzle by its number of solutions, which must be known up to two at least.
    pub const fn from_solutions(solutions: u64) -> Status {
        match solutions {
            0 => Status::None,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }

    /// The status of a puzzle by its number of solutions, if that is known.
    pub const fn from_known(solutions: Option<u64>) -> Status {
        match solutions {
            Some(solutions) => Status::from_solutions(solutions),
            None => Status::Undecided,
        }
    }

    /// The name of the status in rows and summaries.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::None => "none",
            Status::Undecided => "undecided",
            Status::Malformed => "malformed",
        }
    }
}

/// All fields of one record.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The name of the input that the record is from.
    pub file: &'a str,
    /// The line of the input on which the record starts, from 1.
    pub line: u64,
    /// The content of the record.
    pub subject: Subject<'a>,
    /// The result.
    pub status: Status,
    /// The number of solutions, counted up to the limit; `None` if that is not known.
    pub solutions: Option<u64>,
    /// The cell values of the solutions to print, one grid after the other: all, one or none of them.
    pub printed: &'a [u8],
    /// The number of guesses of the search; `None` if it was not complete.
    pub branches: Option<u64>,
    /// The time for solving, in nanoseconds.
    pub nanos: u64,
    /// The reason for the status; empty if there is none to give.
    pub detail: &'a str,
    /// The fields that are carried over from the input.
    pub kept: &'a ByteRecord,
    /// Whether a blank line stands before the record; [`OutputFormat::Grids`](super::OutputFormat::Grids) then prints one.
    pub after_blank_line: bool,
}

/// The content of a record.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A puzzle.
    Puzzle {
        /// The cell values; 0 is a blank.
        cells: &'a [u8],
        /// The symbols of the puzzle and its solutions.
        alphabet: &'a Alphabet,
        /// The symbol for a blank.
        blank: u8,
    },
    /// The 729 symbols of a pencilmark puzzle, with `.` or `0` for what is no candidate.
    Pencilmarks(&'a [u8]),
    /// The text of a malformed record.
    Text(&'a [u8]),
}

impl<'a> Row<'a> {
    /// The solutions to print.
    #[inline]
    pub(super) fn grids(&self) -> impl Iterator<Item = PrintedGrid<'a>> {
        let (mut printed, alphabet, size) = match self.subject {
            Subject::Puzzle { cells, alphabet, .. } => (self.printed, alphabet, cells.len()),
            Subject::Pencilmarks(_) => (self.printed, &Alphabet::OF_NINE, Alphabet::OF_NINE.order().cells()),
            Subject::Text(_) => (&[][..], &Alphabet::ALL[0], 0),
        };
        // Not `chunks_exact`, which divides.
        std::iter::from_fn(move || {
            let (cells, others) = printed.split_at_checked(size).filter(|_| !printed.is_empty())?;
            printed = others;
            Some(PrintedGrid { cells, alphabet })
        })
    }
}

/// A solution, and the symbols to print it in.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrintedGrid<'a> {
    pub(super) cells: &'a [u8],
    pub(super) alphabet: &'a Alphabet,
}

impl<'a> PrintedGrid<'a> {
    /// The cell values of each row of the grid.
    pub(super) fn rows(self) -> impl Iterator<Item = &'a [u8]> {
        self.cells.chunks_exact(self.side())
    }

    pub(super) fn side(self) -> usize {
        self.alphabet.order().side()
    }

    /// Appends the symbols of some cells.
    pub(super) fn push(self, cells: &[u8], output: &mut Vec<u8>) {
        self.alphabet.write(cells, b'.', output);
    }
}

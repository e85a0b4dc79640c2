//! One row of output: everything that there is to say about one record, before any format gives it a shape.

use csv::ByteRecord;

use crate::format::Alphabet;

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A puzzle with exactly one solution.
    Unique,
    /// A puzzle with two solutions or more.
    Multiple,
    /// A puzzle without a solution.
    None,
    /// No puzzle at all.
    Malformed,
}

impl Status {
    /// Every status, in the order in which summaries list them.
    pub const ALL: [Status; 4] = [Status::Unique, Status::Multiple, Status::None, Status::Malformed];

    /// The status of a puzzle with so many solutions, counted to two at least.
    pub const fn of(solutions: u64) -> Status {
        match solutions {
            0 => Status::None,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }

    /// The word for it in rows and summaries.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::None => "none",
            Status::Malformed => "malformed",
        }
    }
}

/// Everything that there is to say about one record.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The name of the input that the record is from.
    pub file: &'a str,
    /// The line of the input on which the record starts, from 1.
    pub line: u64,
    /// What the record holds.
    pub subject: Subject<'a>,
    /// What became of it.
    pub status: Status,
    /// How many solutions were counted, up to the limit.
    pub solutions: u64,
    /// The solutions to print, cell values end to end: all, one or none of them.
    pub printed: &'a [u8],
    /// How often the search guessed.
    pub branches: u64,
    /// What solving took, in nanoseconds.
    pub nanos: u64,
    /// Why, where there is a why; otherwise empty.
    pub detail: &'a str,
    /// The columns carried over from the input.
    pub kept: &'a ByteRecord,
    /// Whether an empty line comes before it where grids are printed.
    pub apart: bool,
}

/// What a record holds.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A puzzle.
    Puzzle {
        /// Its cell values.
        cells: &'a [u8],
        /// The symbols that it and its solutions are printed in.
        alphabet: &'a Alphabet,
        /// The symbol for a blank.
        blank: u8,
    },
    /// Text that is no puzzle.
    Text(&'a [u8]),
}

impl<'a> Row<'a> {
    /// Each solution to print.
    #[inline]
    pub(super) fn grids(&self) -> impl Iterator<Item = PrintedGrid<'a>> {
        let (mut printed, alphabet, size) = match self.subject {
            Subject::Puzzle { cells, alphabet, .. } => (self.printed, alphabet, cells.len()),
            Subject::Text(_) => (&[][..], &Alphabet::ALL[0], 0),
        };
        // By hand, as `chunks_exact` divides.
        std::iter::from_fn(move || {
            let (cells, others) = printed.split_at_checked(size).filter(|_| !printed.is_empty())?;
            printed = others;
            Some(PrintedGrid { cells, alphabet })
        })
    }
}

/// A solution with what it takes to print it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrintedGrid<'a> {
    pub(super) cells: &'a [u8],
    pub(super) alphabet: &'a Alphabet,
}

impl<'a> PrintedGrid<'a> {
    /// The rows of the grid, `side` cell values each.
    pub(super) fn rows(self) -> impl Iterator<Item = &'a [u8]> {
        self.cells.chunks_exact(self.side())
    }

    pub(super) fn side(self) -> usize {
        self.alphabet.order().side()
    }

    /// Appends the symbols of some of the grid's cells.
    pub(super) fn push(self, cells: &[u8], output: &mut Vec<u8>) {
        self.alphabet.write(cells, b'.', output);
    }
}

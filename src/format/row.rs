//! One row of output: everything that there is to say about one record, before any format gives it a shape.

use csv::ByteRecord;

use crate::geometry::Order;

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
        /// Its size.
        order: Order,
        /// Its cell values.
        cells: &'a [u8],
        /// The symbol for each cell value, the blank first.
        symbols: &'a [u8],
    },
    /// Text that is no puzzle.
    Text(&'a [u8]),
}

impl<'a> Row<'a> {
    /// The size and the symbols of the row's grids, if it is about a puzzle.
    pub(super) fn notation(&self) -> Option<(Order, &'a [u8])> {
        match self.subject {
            Subject::Puzzle { order, symbols, .. } => Some((order, symbols)),
            Subject::Text(_) => None,
        }
    }

    /// Each solution to print, with the size and the symbols for it.
    pub(super) fn grids(&self) -> impl Iterator<Item = Grid<'a>> {
        let printed = self.printed;
        self.notation().into_iter().flat_map(move |(order, symbols)| {
            printed.chunks_exact(order.cells()).map(move |cells| Grid { order, cells, symbols })
        })
    }
}

/// A solution with what it takes to print it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid<'a> {
    pub(super) order: Order,
    pub(super) cells: &'a [u8],
    symbols: &'a [u8],
}

impl Grid<'_> {
    /// Appends the symbols of some of the grid's cells.
    pub(super) fn push(&self, cells: &[u8], output: &mut Vec<u8>) {
        push_symbols(cells, self.symbols, output);
    }
}

/// Appends the symbol of each cell value.
pub(super) fn push_symbols(cells: &[u8], symbols: &[u8], output: &mut Vec<u8>) {
    output.extend(cells.iter().map(|&value| symbols[usize::from(value)]));
}

/// Appends a number in decimal digits.
pub(super) fn push_number(number: u64, output: &mut Vec<u8>) {
    output.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

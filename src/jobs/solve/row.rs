//! The rows of `solve`: their columns, and their solutions for formats without columns.

use crate::rows::{Column, Field, GridsRow, Kind, Row, Status, column};

/// The row of a record.
#[derive(Clone, Copy)]
pub(crate) struct SolveRow<'a> {
    /// The name of the input.
    pub(crate) file: &'a str,
    pub(crate) status: Status,
    /// The facts that formats without columns print, too: line, puzzle, count, detail, and all, one or none of the
    /// solutions.
    pub(crate) solved: GridsRow<'a>,
    /// Whether the row has a list of solutions, or at most one solution.
    pub(crate) lists: bool,
    /// The number of guesses of the search; `None` if it was not complete.
    pub(crate) branches: Option<u64>,
    /// The time for solving, in nanoseconds.
    pub(crate) nanos: u64,
}

impl Row for SolveRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed"),
        column!("solutions", Kind::Number, "the number of solutions, counted up to the limit; none if it is not known")
            .nullable(),
        column!("solution", Kind::Text, "the solution in one line; with --all, a list of all of them").nullable(),
        column!("branches", Kind::Number, "the number of guesses of the search; none if it was not complete")
            .nullable(),
        column!("nanos", Kind::Number, "the time for solving, in nanoseconds"),
        column!("detail", Kind::Text, "the reason for the status, where there is one to give").nullable(),
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        match column {
            0 => field.text(self.file),
            1 => field.number(self.solved.line),
            2 => field.subject(self.solved.subject),
            3 => field.name(Status::NAMES, self.status as usize),
            4 => field.number_if_known(self.solved.solutions),
            5 => self.solution(field),
            6 => field.number_if_known(self.branches),
            7 => field.number(self.nanos),
            _ => field.text_if_any(self.solved.detail),
        }
    }

    fn grids(&self) -> &GridsRow<'_> {
        &self.solved
    }
}

impl SolveRow<'_> {
    #[inline(always)]
    fn solution<F: Field>(&self, field: F) {
        if self.lists {
            return field.grids(self.solved.grids());
        }
        match self.solved.grids().next() {
            Some(grid) => field.symbols(grid.alphabet, grid.cells, b'0'),
            None => field.null(),
        }
    }
}

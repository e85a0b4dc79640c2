//! The rows of `solve`: their columns, and their solutions for formats without columns.

use crate::rows::{Column, Field, GridsRow, Kind, Row, Status, column, row};

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
    row! {
        |self, field|

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.solved.line);
        Column::PUZZLE => field.subject(self.solved.subject);
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed") =>
            field.name(Status::NAMES, self.status as usize);
        column!("solutions", Kind::Number, "the number of solutions, counted up to the limit; none if it is not known")
            .nullable() => field.number_if_known(self.solved.solutions);
        column!("solution", Kind::Text, "the solution in one line; with `all`, a list of all of them").nullable() =>
            self.solution(field);
        column!("branches", Kind::Number, "the number of guesses of the search; none if it was not complete")
            .nullable() => field.number_if_known(self.branches);
        column!("nanos", Kind::Number, "the time for solving, in nanoseconds") => field.number(self.nanos);
        column!("detail", Kind::Text, "the reason for the status, where there is one to give").nullable() =>
            field.text_if_any(self.solved.detail);
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

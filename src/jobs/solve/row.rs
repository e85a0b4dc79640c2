//! The rows of `solve`.
#![expect(clippy::inline_always, reason = "as for all rows")]

use super::text;
use crate::rows::{Column, Field, Kind, OutputFormat, Row, Status, Subject, column};

/// The row of a record.
#[derive(Clone, Copy)]
pub(crate) struct SolveRow<'a> {
    /// The name of the input.
    pub(crate) file: &'a str,
    /// The line of the input on which the record starts, from 1.
    pub(crate) line: u64,
    pub(crate) subject: Subject<'a>,
    pub(crate) status: Status,
    /// The number of solutions, counted up to the limit; `None` if that is not known.
    pub(crate) solutions: Option<u64>,
    /// The cell values of the solutions to print, one grid after the other: all, one or none of them.
    pub(crate) printed: &'a [u8],
    /// Whether the row has a list of solutions, or at most one.
    pub(crate) lists: bool,
    /// The number of guesses of the search; `None` if it was not complete.
    pub(crate) branches: Option<u64>,
    /// The time for solving, in nanoseconds.
    pub(crate) nanos: u64,
    /// The reason for the status; empty if there is none to give.
    pub(crate) detail: &'a str,
    /// Whether a blank line stands before the record, which grids keep.
    pub(crate) after_blank_line: bool,
}

impl Row for SolveRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("status", Kind::Name(&Status::NAMES), "unique, multiple, none, undecided or malformed"),
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
            1 => field.number(self.line),
            2 => field.subject(self.subject),
            3 => field.name(&Status::NAMES, self.status as usize),
            4 => field.number_if_known(self.solutions),
            5 => self.solution(field),
            6 => field.number_if_known(self.branches),
            7 => field.number(self.nanos),
            _ => field.text_if_any(self.detail),
        }
    }

    fn text(&self, format: OutputFormat, output: &mut Vec<u8>) {
        match format {
            OutputFormat::Grids => text::push_grids(self, output),
            OutputFormat::Listing => text::push_listing(self, output),
            OutputFormat::Lines | OutputFormat::Csv | OutputFormat::Jsonl => text::push_lines(self, output),
        }
    }
}

impl<'a> SolveRow<'a> {
    #[inline(always)]
    fn solution<F: Field>(&self, field: F) {
        if self.lists {
            return field.grids(self.subject.grids(self.printed));
        }
        match self.subject.grids(self.printed).next() {
            Some(grid) => field.symbols(grid.alphabet, grid.cells, b'0'),
            None => field.null(),
        }
    }
}

//! The rows of `solve`: their columns, and solutions as plain text, which a resumed run reads back.
//!
//! In the formats `lines` and `grids`, a record without a solution still has a line: a comment, which input formats
//! skip.

use std::io::Write;

use crate::rows::{Column, Field, Kind, OutputFormat, PrintedGrid, Row, Status, Subject, column, push_cells};

/// The row of a record.
#[derive(Clone, Copy)]
pub(crate) struct SolveRow<'a> {
    /// The name of the input.
    pub(crate) file: &'a str,
    /// The number of the record's first line in the input, from 1.
    pub(crate) line: u64,
    pub(crate) subject: Subject<'a>,
    pub(crate) status: Status,
    /// The number of solutions, counted up to the limit; `None` if unknown.
    pub(crate) solutions: Option<u64>,
    /// The cell values of the solutions to print, one grid after another: all solutions, one, or none.
    pub(crate) printed: &'a [u8],
    /// Whether the row has a list of solutions, or at most one solution.
    pub(crate) lists: bool,
    /// The number of guesses of the search; `None` if it was not complete.
    pub(crate) branches: Option<u64>,
    /// The time for solving, in nanoseconds.
    pub(crate) nanos: u64,
    /// The reason for the status; empty if there is none.
    pub(crate) detail: &'a str,
    /// Whether a blank line precedes the record. Grids keep it.
    pub(crate) after_blank_line: bool,
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
            1 => field.number(self.line),
            2 => field.subject(self.subject),
            3 => field.name(Status::NAMES, self.status as usize),
            4 => field.number_if_known(self.solutions),
            5 => self.solution(field),
            6 => field.number_if_known(self.branches),
            7 => field.number(self.nanos),
            _ => field.text_if_any(self.detail),
        }
    }

    fn text(&self, format: OutputFormat, output: &mut Vec<u8>) {
        match format {
            OutputFormat::Grids => push_grids(self, output),
            OutputFormat::Listing => push_listing(self, output),
            OutputFormat::Npy => match self.subject {
                // Without a solution, the row still has the size of the puzzle.
                Subject::Puzzle { cells, .. } if self.printed.is_empty() => push_cells(&vec![0; cells.len()], output),
                _ => push_cells(self.printed, output),
            },
            _ => push_lines(self, output),
        }
    }
}

impl SolveRow<'_> {
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

/// Appends the solutions, one on each line.
fn push_lines(row: &SolveRow<'_>, output: &mut Vec<u8>) {
    for grid in row.subject.grids(row.printed) {
        grid.push(grid.cells, output);
        output.push(b'\n');
    }
    if row.printed.is_empty() {
        push_comment(row, output);
    }
}

/// Appends solutions as grids of symbols, separated by a blank line where the input has one.
fn push_grids(row: &SolveRow<'_>, output: &mut Vec<u8>) {
    if row.after_blank_line {
        output.push(b'\n');
    }
    for (index, grid) in row.subject.grids(row.printed).enumerate() {
        if index > 0 {
            output.push(b'\n');
        }
        for cells in grid.rows() {
            grid.push(cells, output);
            output.push(b'\n');
        }
    }
    if row.printed.is_empty() {
        push_comment(row, output);
    }
}

/// Appends solutions as grids of numbers, each under a line of `=`, and their count.
fn push_listing(row: &SolveRow<'_>, output: &mut Vec<u8>) {
    for grid in row.subject.grids(row.printed) {
        output.resize(output.len() + 2 * grid.side(), b'=');
        output.push(b'\n');
        push_numbers(grid, output);
    }

    match row.status {
        Status::Malformed => push(output, format_args!("MALFORMED : line {}: {}\n", row.line, row.detail)),
        Status::Undecided => push(output, format_args!("UNDECIDED : line {}: {}\n", row.line, row.detail)),
        Status::None => output.extend_from_slice(b"NO SOLUTION\n"),
        Status::Unique | Status::Multiple => {
            push(output, format_args!("TOTAL SOLUTION : {}", row.solutions.unwrap_or_default()));
            if !row.detail.is_empty() {
                push(output, format_args!(" ({})", row.detail));
            }
            output.push(b'\n');
        }
    }
}

/// Appends the rows of a grid as numbers with a space after each.
fn push_numbers(grid: PrintedGrid<'_>, output: &mut Vec<u8>) {
    // No value has more than two digits. The output is filled with spaces for all, and the unused ones are removed.
    let start = output.len();
    output.resize(start + 3 * grid.cells.len() + grid.side(), b' ');
    let (text, mut length) = (&mut output[start..], 0);
    for cells in grid.rows() {
        for &cell in cells {
            if cell > 9 {
                text[length] = b'0' + cell / 10;
                length += 1;
            }
            text[length] = b'0' + cell % 10;
            length += 2;
        }
        text[length] = b'\n';
        length += 1;
    }
    output.truncate(start + length);
}

/// Appends a comment line with the reason why there is no solution.
fn push_comment(row: &SolveRow<'_>, output: &mut Vec<u8>) {
    push(output, format_args!("# line {}: {}", row.line, row.status));
    if !row.detail.is_empty() {
        push(output, format_args!(": {}", row.detail));
    }
    if row.status == Status::Multiple {
        push(output, format_args!(" ({} solutions or more)", row.solutions.unwrap_or_default()));
    }
    output.push(b'\n');
}

fn push(output: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    output.write_fmt(text).expect("a vector takes any text");
}

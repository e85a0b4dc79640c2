//! Writes solutions as plain text: as lines, as grids, and as a listing in numbers; reads lines back.
//!
//! A record with no solution to print still has a line: in lines and grids a comment, which input formats skip.

use std::io::Write;

use super::row::SolveRow;
use crate::rows::{ReadRow, Row, RowReader, Status, number_of, parse_number};

/// The number of the columns that a line shows.
const LINE: usize = number_of(SolveRow::COLUMNS, "line");
const STATUS: usize = number_of(SolveRow::COLUMNS, "status");

/// Appends one solution a line.
pub(super) fn push_lines(row: &SolveRow<'_>, output: &mut Vec<u8>) {
    for grid in row.subject.grids(row.printed) {
        grid.push(grid.cells, output);
        output.push(b'\n');
    }
    if row.printed.is_empty() {
        push_comment(row, output);
    }
}

/// Appends solutions as grids of symbols, with a blank line between them where the input has one.
pub(super) fn push_grids(row: &SolveRow<'_>, output: &mut Vec<u8>) {
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

/// Appends solutions as grids of numbers, each under a line of `=`, then their count.
pub(super) fn push_listing(row: &SolveRow<'_>, output: &mut Vec<u8>) {
    for grid in row.subject.grids(row.printed) {
        output.resize(output.len() + 2 * grid.side(), b'=');
        output.push(b'\n');
        for cells in grid.rows() {
            for cell in cells {
                push(output, format_args!("{cell} "));
            }
            output.push(b'\n');
        }
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

/// Appends a comment line with the reason why there is no solution to print.
fn push_comment(row: &SolveRow<'_>, output: &mut Vec<u8>) {
    push(output, format_args!("# line {}: {}", row.line, row.status.name()));
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

/// Reads lines of solutions, and comments such as `# line 2: multiple ...`.
pub(super) struct LinesReader {
    /// The status of a puzzle whose row is a solution; `None` if that depends on the puzzle.
    pub(super) printed: Option<Status>,
}

impl RowReader for LinesReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<ReadRow<'a>> {
        let mut read = ReadRow::default();
        let text = row.strip_suffix(b"\n")?;
        let Some(comment) = text.strip_prefix(b"# line ") else {
            if text.is_empty() || !text.iter().all(u8::is_ascii_alphanumeric) {
                return None;
            }
            if let Some(status) = self.printed {
                read.set(STATUS, status.name().as_bytes());
            }
            return Some(read);
        };

        let (line, rest) = comment.split_at(comment.iter().position(|&byte| byte == b':')?);
        let status = rest.strip_prefix(b": ")?.split(|byte| matches!(byte, b':' | b' ')).next()?;
        let is_status = Status::NAMES.iter().any(|name| name.as_bytes() == status);
        if parse_number(line).is_none() || !is_status {
            return None;
        }
        read.set(LINE, line);
        read.set(STATUS, status);
        Some(read)
    }
}

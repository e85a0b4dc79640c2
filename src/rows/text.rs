//! Writes solutions as plain text: as lines, as grids, and as a listing in numbers.
//!
//! A record with no solution to print still has a line: in lines and grids a comment, which input formats skip.

use std::io::Write;

use super::RowWriter;
use super::row::{Row, Status};

/// One solution a line.
#[derive(Debug)]
pub(super) struct LinesWriter;

impl RowWriter for LinesWriter {
    fn header(&self, _output: &mut Vec<u8>) {}

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        for grid in row.grids() {
            grid.push(grid.cells, output);
            output.push(b'\n');
        }
        if row.printed.is_empty() {
            push_comment(row, output);
        }
    }
}

/// Solutions as grids of symbols, with a blank line between them where the input has one.
#[derive(Debug)]
pub(super) struct GridsWriter;

impl RowWriter for GridsWriter {
    fn header(&self, _output: &mut Vec<u8>) {}

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        if row.after_blank_line {
            output.push(b'\n');
        }
        for (index, grid) in row.grids().enumerate() {
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
}

/// Solutions as grids of numbers, each under a line of `=`, then their count.
#[derive(Debug)]
pub(super) struct ListingWriter;

impl RowWriter for ListingWriter {
    fn header(&self, _output: &mut Vec<u8>) {}

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        for grid in row.grids() {
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
}

/// Appends a comment line with the reason why there is no solution to print.
fn push_comment(row: &Row<'_>, output: &mut Vec<u8>) {
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

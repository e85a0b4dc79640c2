//! A listing: solutions as grids of numbers, each under a line of `=`, then their count.

use std::io::Write;

use super::{GridsRow, OutputFacts, PLAIN, Writer};
use crate::rows::Status;
use crate::rows::subject::PrintedGrid;

pub(super) const FORMAT: OutputFacts = OutputFacts {
    description: "every solution in numbers under a rule, then how many there are",
    example: "========\n1 2 3 4 \n4 3 2 1 \n2 1 4 3 \n3 4 1 2 \nTOTAL SOLUTION : 1\nNO SOLUTION",
    writer: Writer::Grids(write),
    ..PLAIN
};

fn write(row: &GridsRow<'_>, output: &mut Vec<u8>) {
    for grid in row.grids() {
        output.resize(output.len() + 2 * grid.side(), b'=');
        output.push(b'\n');
        push_numbers(grid, output);
    }

    let (line, detail, solutions) = (row.line, row.detail, row.solutions.unwrap_or_default());
    let written = match row.status {
        Some(Status::Malformed) => writeln!(output, "MALFORMED : line {line}: {detail}"),
        Some(Status::Undecided) => writeln!(output, "UNDECIDED : line {line}: {detail}"),
        Some(Status::None) => writeln!(output, "NO SOLUTION"),
        _ if detail.is_empty() => writeln!(output, "TOTAL SOLUTION : {solutions}"),
        _ => writeln!(output, "TOTAL SOLUTION : {solutions} ({detail})"),
    };
    written.expect("memory takes any text");
}

/// Appends the rows of a grid as numbers with a space after each.
fn push_numbers(grid: PrintedGrid<'_>, output: &mut Vec<u8>) {
    // No value has more than two digits. The output gets spaces for all, and what is left of them is removed.
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

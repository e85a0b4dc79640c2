//! Grids of symbols, with an empty line between them where the input has one; the files of SadMan Sudoku.

use super::{GridsRow, OutputFacts, PLAIN, Writer};

pub(super) const FORMAT: OutputFacts = OutputFacts {
    description: "solutions, or of convert puzzles, as lines of symbols",
    example: "1234\n4321\n2143\n3412",
    writer: Writer::Grids(|row, output| write(row, b"", output)),
    ..PLAIN
};

pub(super) const OF_SADMAN: OutputFacts = OutputFacts {
    description: "puzzles for SadMan Sudoku and SudoCue, which open the first of a file; only from convert",
    example: "[Puzzle]\n1.3.\n....\n....\n.4.2",
    files: (&["sdk"], "a file of SadMan Sudoku"),
    writer: Writer::Grids(|row, output| write(row, b"[Puzzle]\n", output)),
    ..PLAIN
};

fn write(row: &GridsRow<'_>, title: &[u8], output: &mut Vec<u8>) {
    if row.after_gap {
        output.push(b'\n');
    }
    for (index, grid) in row.grids().enumerate() {
        if index > 0 {
            output.push(b'\n');
        }
        output.extend_from_slice(title);
        for cells in grid.rows() {
            grid.push(cells, output);
            output.push(b'\n');
        }
    }
    row.push_comment(output);
}

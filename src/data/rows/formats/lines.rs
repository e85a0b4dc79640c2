//! Lines: one grid on each, or a comment.

use super::{GridsRow, OutputFacts, PLAIN, Writer};

pub(super) const FORMAT: OutputFacts = OutputFacts {
    description: "solutions, or of convert and generate puzzles, one a line; a comment where there is none to print",
    example: "1234432121433412\n# line 2: none: two 1s in row 1: r1c1, r1c2",
    writer: Writer::Grids(write),
    ..PLAIN
};

fn write(row: &GridsRow<'_>, output: &mut Vec<u8>) {
    for grid in row.grids() {
        grid.push(grid.cells, output);
        output.push(b'\n');
    }
    row.push_comment(output);
}

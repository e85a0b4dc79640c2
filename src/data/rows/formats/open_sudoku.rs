//! The XML of OpenSudoku, which shows the name as a folder.

use std::io::Write;

use super::{GridsRow, OutputFacts, PLAIN, Writer};
use crate::format::Alphabet;
use crate::puzzle::Size;

pub(super) const FORMAT: OutputFacts = OutputFacts {
    description: "XML that OpenSudoku imports, for 9x9 puzzles; only from convert",
    example: "<opensudoku>\n  \
              <game data=\"400000805030000000000700000020000060000080400000010000000603070500200000104000000\"/>\n\
              </opensudoku>",
    files: (&["opensudoku"], "a file of OpenSudoku"),
    writer: Writer::Grids(write),
    ends: ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n  <name>gridmill</name>\n", "</opensudoku>\n"),
    obstacle: |size| (size != Size::Nine).then_some("not 9x9: OpenSudoku has no other size"),
    ..PLAIN
};

fn write(row: &GridsRow<'_>, output: &mut Vec<u8>) {
    for grid in row.grids() {
        output.extend_from_slice(b"  <game data=\"");
        Alphabet::OF_NINE.write(grid.cells, b'0', output);
        output.extend_from_slice(b"\"/>\n");
    }
    if row.printed.is_empty() {
        let mut comment = Vec::new();
        row.comment(&mut comment);
        // Two dashes would end a comment of XML.
        let comment = String::from_utf8_lossy(&comment).replace("--", "- -");
        writeln!(output, "  <!-- {comment} -->").expect("memory takes any text");
    }
}

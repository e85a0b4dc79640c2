//! The rows of `convert`: their columns, and puzzles in formats without columns.

use std::io::Write;

use crate::format::Alphabet;
use crate::puzzle::Size;
use crate::rows::{Column, Field, Kind, OutputFormat, Row, Subject, column, push_cells};

/// The row of a record.
pub(crate) struct ConvertRow<'a> {
    pub(crate) file: &'a str,
    /// The number of the record's first line in the input, from 1.
    pub(crate) line: u64,
    pub(crate) subject: Subject<'a>,
    /// The number of clues; `None` for a malformed record.
    pub(crate) clues: Option<u64>,
    /// The reason why there is no puzzle; empty if there is one.
    pub(crate) detail: &'a str,
    /// Whether an empty line precedes the record where puzzles are written as grids.
    pub(crate) after_gap: bool,
}

impl Row for ConvertRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("clues", Kind::Number, "the number of clues; none for a malformed record").nullable(),
        column!("detail", Kind::Text, "why the record is malformed").nullable(),
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        match column {
            0 => field.text(self.file),
            1 => field.number(self.line),
            2 => field.subject(self.subject),
            3 => field.number_if_known(self.clues),
            _ => field.text_if_any(self.detail),
        }
    }

    fn text(&self, format: OutputFormat, output: &mut Vec<u8>) {
        if self.after_gap && matches!(format, OutputFormat::Grids | OutputFormat::Sdk) {
            output.push(b'\n');
        }
        match self.subject {
            Subject::Puzzle { cells, .. } if format == OutputFormat::Npy => push_cells(cells, output),
            _ if format == OutputFormat::Npy => push_cells(&[], output),
            _ if !self.detail.is_empty() => push_comment(self, format, output),
            Subject::Puzzle { cells, alphabet, blank } if matches!(format, OutputFormat::Grids | OutputFormat::Sdk) => {
                if format == OutputFormat::Sdk {
                    output.extend_from_slice(b"[Puzzle]\n");
                }
                for row in cells.chunks(alphabet.size().side()) {
                    alphabet.write(row, blank, output);
                    output.push(b'\n');
                }
            }
            Subject::Puzzle { cells, .. } if format == OutputFormat::OpenSudoku => {
                output.extend_from_slice(b"  <game data=\"");
                Alphabet::OF_NINE.write(cells, b'0', output);
                output.extend_from_slice(b"\"/>\n");
            }
            subject => {
                subject.write(output);
                output.push(b'\n');
            }
        }
    }
}

/// The reason why a format cannot represent a puzzle; `None` if it can.
pub(super) fn obstacle(format: OutputFormat, subject: Subject<'_>) -> Option<&'static str> {
    match subject {
        Subject::Puzzle { alphabet, .. } if format == OutputFormat::OpenSudoku && alphabet.size() != Size::Nine => {
            Some("not 9x9: OpenSudoku has no other size")
        }
        _ => None,
    }
}

/// Appends a comment with the reason why there is no puzzle.
fn push_comment(row: &ConvertRow<'_>, format: OutputFormat, output: &mut Vec<u8>) {
    // Two dashes would end a comment of XML.
    let (line, detail) = (row.line, row.detail.replace("--", "- -"));
    let malformed = if row.clues.is_none() { "malformed: " } else { "" };
    let written = match format {
        OutputFormat::OpenSudoku => writeln!(output, "  <!-- line {line}: {malformed}{detail} -->"),
        _ => writeln!(output, "# line {line}: {malformed}{detail}"),
    };
    written.expect("memory takes any text");
}

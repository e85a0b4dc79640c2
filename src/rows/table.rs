//! Rows as CSV and as JSON lines: the formats with columns.
//!
//! A row is mostly symbols and numbers, which are appended as they are; texts from outside go through [`Fields`] and
//! `serde_json`.

use super::RowWriter;
use super::columns::{Column, Columns};
use super::fields::{Fields, FileColumn, push_number, shown};
use super::row::{Row, Subject};

/// CSV with a header.
pub(super) struct Csv {
    columns: Columns,
    fields: Fields,
}

impl Csv {
    pub(super) fn new(columns: Columns) -> Csv {
        Csv { columns, fields: Fields::new(FileColumn::Left) }
    }

    fn push_field(&self, column: Column, row: &Row<'_>, output: &mut Vec<u8>) {
        match column {
            Column::File => self.fields.text(row.file.as_bytes(), output),
            Column::Line => push_number(row.line, output),
            Column::Puzzle => self.fields.puzzle(row.subject, output),
            Column::Status => output.extend_from_slice(row.status.name().as_bytes()),
            Column::Solutions => push_number(row.solutions, output),
            Column::Solution => {
                for (index, grid) in row.grids().enumerate() {
                    if index > 0 {
                        output.push(b' ');
                    }
                    grid.push(grid.cells, output);
                }
            }
            Column::Branches => push_number(row.branches, output),
            Column::Nanos => push_number(row.nanos, output),
            Column::Detail => self.fields.text(row.detail.as_bytes(), output),
        }
    }

    /// Ends a line; one that would be empty gets an empty field in quotes, since readers pass over empty lines.
    fn end_line(start: usize, output: &mut Vec<u8>) {
        if output.len() == start {
            output.extend_from_slice(b"\"\"");
        }
        output.push(b'\n');
    }
}

impl RowWriter for Csv {
    fn header(&self, output: &mut Vec<u8>) {
        let start = output.len();
        for (index, header) in self.columns.headers().enumerate() {
            if index > 0 {
                output.push(b',');
            }
            self.fields.text(header.as_bytes(), output);
        }
        Self::end_line(start, output);
    }

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        let start = output.len();
        for (index, &column) in self.columns.own.iter().enumerate() {
            if index > 0 {
                output.push(b',');
            }
            self.push_field(column, row, output);
        }
        for index in 0..self.columns.kept.len() {
            if index > 0 || !self.columns.own.is_empty() {
                output.push(b',');
            }
            self.fields.text(row.kept.get(index).unwrap_or_default(), output);
        }
        Self::end_line(start, output);
    }
}

/// One JSON object a line; what is empty is `null`.
pub(super) struct Jsonl {
    columns: Columns,
    listing: Listing,
}

/// Whether rows hold one solution or a list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// The solution of a unique puzzle, or the first.
    One,
    /// Every solution, up to the cap.
    All,
}

impl Jsonl {
    pub(super) fn new(columns: Columns, listing: Listing) -> Jsonl {
        Jsonl { columns, listing }
    }

    fn push_value(&self, column: Column, row: &Row<'_>, output: &mut Vec<u8>) {
        match column {
            Column::File => push_string(row.file, output),
            Column::Line => push_number(row.line, output),
            Column::Puzzle => match row.subject {
                Subject::Puzzle { cells, alphabet, blank } => {
                    output.push(b'"');
                    alphabet.write(cells, blank, output);
                    output.push(b'"');
                }
                Subject::Text(text) => push_string(&shown(text), output),
            },
            Column::Status => push_string(row.status.name(), output),
            Column::Solutions => push_number(row.solutions, output),
            Column::Solution => self.push_solutions(row, output),
            Column::Branches => push_number(row.branches, output),
            Column::Nanos => push_number(row.nanos, output),
            Column::Detail if row.detail.is_empty() => output.extend_from_slice(b"null"),
            Column::Detail => push_string(row.detail, output),
        }
    }

    fn push_solutions(&self, row: &Row<'_>, output: &mut Vec<u8>) {
        if self.listing == Listing::One && row.printed.is_empty() {
            output.extend_from_slice(b"null");
            return;
        }
        if self.listing == Listing::All {
            output.push(b'[');
        }
        for (index, grid) in row.grids().enumerate() {
            output.extend_from_slice(if index > 0 { b",\"" } else { b"\"" });
            grid.push(grid.cells, output);
            output.push(b'"');
        }
        if self.listing == Listing::All {
            output.push(b']');
        }
    }
}

impl RowWriter for Jsonl {
    fn header(&self, _output: &mut Vec<u8>) {}

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        output.push(b'{');
        for (index, header) in self.columns.headers().enumerate() {
            if index > 0 {
                output.push(b',');
            }
            push_string(header, output);
            output.push(b':');
            match self.columns.own.get(index) {
                Some(&column) => self.push_value(column, row, output),
                None => match row.kept.get(index - self.columns.own.len()) {
                    Some(kept) => push_string(&String::from_utf8_lossy(kept), output),
                    None => output.extend_from_slice(b"null"),
                },
            }
        }
        output.extend_from_slice(b"}\n");
    }
}

/// Appends a JSON string.
fn push_string(text: &str, output: &mut Vec<u8>) {
    serde_json::to_writer(output, text).expect("a string becomes JSON, and a vector takes it");
}

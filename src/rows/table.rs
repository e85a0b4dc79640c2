//! Rows as CSV and as JSON lines: the formats with columns.
//!
//! A row is mostly symbols and numbers, which never need a quote; they are appended as they are. Texts from outside
//! (file names, details, kept columns, records that are no puzzle) go through `csv-core` and `serde_json`. Sending
//! every field through a `csv::Writer` takes about three times as long, whatever its quoting style.

use std::borrow::Cow;

use super::RowWriter;
use super::columns::{Column, Columns};
use super::row::{Row, Subject, push_number};

/// How much of a record that is no puzzle is printed, in bytes: enough to recognise it.
const TEXT_SHOWN: usize = 1000;

/// CSV with a header.
pub(super) struct Csv {
    columns: Columns,
    quoting: csv_core::Writer,
}

impl Csv {
    pub(super) fn new(columns: Columns) -> Csv {
        Csv { columns, quoting: csv_core::Writer::new() }
    }

    /// Appends any text as a field, in quotes if it needs them.
    fn push_text(&self, text: &[u8], output: &mut Vec<u8>) {
        if !self.quoting.should_quote(text) {
            output.extend_from_slice(text);
            return;
        }
        output.push(b'"');
        let start = output.len();
        output.resize(start + 2 * text.len(), 0);
        let (_, _, written) = csv_core::quote(text, &mut output[start..], b'"', b'"', true);
        output.truncate(start + written);
        output.push(b'"');
    }

    fn push_field(&self, column: Column, row: &Row<'_>, output: &mut Vec<u8>) {
        match column {
            Column::File => self.push_text(row.file.as_bytes(), output),
            Column::Line => push_number(row.line, output),
            Column::Puzzle => match row.subject {
                Subject::Puzzle { cells, alphabet, blank } => alphabet.write(cells, blank, output),
                Subject::Text(text) => self.push_text(shown(text).as_bytes(), output),
            },
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
            Column::Detail => self.push_text(row.detail.as_bytes(), output),
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
            self.push_text(header.as_bytes(), output);
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
            self.push_text(row.kept.get(index).unwrap_or_default(), output);
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

/// What is printed of a record that is no puzzle: its start, with a mark for each byte that is no text.
fn shown(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&text[..text.len().min(TEXT_SHOWN)])
}

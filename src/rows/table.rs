//! Writes rows as CSV and as JSON lines, the formats with columns.
//!
//! Symbols and numbers, most of a row, are appended as they are. Other texts are quoted by [`RowFields`] and `serde_json`.
#![expect(clippy::inline_always, reason = "as for RowText")]

use serde_json::json;

use super::RowWriter;
use super::columns::{Column, Columns};
use super::fields::{FileColumn, RowFields, RowText, printable};
use super::row::{Row, Status, Subject};

/// CSV with a header.
#[derive(Debug)]
pub(super) struct Csv {
    columns: Columns,
    /// The number of own columns before the last ones that are in the order of [`USUAL`].
    before_usual: usize,
    /// Which of the [`USUAL`] columns these last ones are; the first is the lowest bit.
    usual: u8,
    fields: RowFields,
}

impl Csv {
    pub(super) fn new(columns: Columns) -> Csv {
        let (mut before_usual, mut usual) = (columns.own.len(), 0_u8);
        for column in columns.own.iter().rev() {
            let Some(place) = USUAL.iter().position(|other| other == column) else { break };
            if place as u32 >= usual.trailing_zeros() {
                break;
            }
            usual |= 1 << place;
            before_usual -= 1;
        }
        Csv { columns, before_usual, usual, fields: RowFields::new(FileColumn::Absent) }
    }
}

impl RowWriter for Csv {
    fn header(&self, output: &mut Vec<u8>) {
        let start = output.len();
        let mut text = self.fields.row(output);
        for (index, header) in self.columns.headers().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            text.quoted(header.as_bytes());
        }
        end_line(start, text);
    }

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        let start = output.len();
        let mut text = self.fields.row(output);
        for (index, &column) in self.columns.own[..self.before_usual].iter().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            push_field(column, row, &mut text);
        }
        push_usual(self.usual, self.before_usual == 0, row, &mut text);
        for index in 0..self.columns.kept.len() {
            if index > 0 || !self.columns.own.is_empty() {
                text.push(b',');
            }
            text.quoted(row.kept.get(index).unwrap_or_default());
        }
        end_line(start, text);
    }
}

/// Nearly all tables end with some of these columns, in this order.
const USUAL: [Column; 8] = Column::OF_ONE_INPUT;

/// Appends those of the [`USUAL`] columns that are in `columns`. The compiler knows what each of them is, which saves a
/// fifth of a row's time.
#[inline(always)]
fn push_usual(columns: u8, mut is_first: bool, row: &Row<'_>, text: &mut RowText<'_>) {
    push_usual_field::<0>(columns, &mut is_first, row, text);
    push_usual_field::<1>(columns, &mut is_first, row, text);
    push_usual_field::<2>(columns, &mut is_first, row, text);
    push_usual_field::<3>(columns, &mut is_first, row, text);
    push_usual_field::<4>(columns, &mut is_first, row, text);
    push_usual_field::<5>(columns, &mut is_first, row, text);
    push_usual_field::<6>(columns, &mut is_first, row, text);
    push_usual_field::<7>(columns, &mut is_first, row, text);
}

#[inline(always)]
fn push_usual_field<const INDEX: usize>(columns: u8, is_first: &mut bool, row: &Row<'_>, text: &mut RowText<'_>) {
    if columns >> INDEX & 1 == 0 {
        return;
    }
    if !std::mem::replace(is_first, false) {
        text.push(b',');
    }
    push_field(const { USUAL[INDEX] }, row, text);
}

#[inline(always)]
fn push_field(column: Column, row: &Row<'_>, text: &mut RowText<'_>) {
    match column {
        Column::File => text.quoted(row.file.as_bytes()),
        Column::Line => text.number(row.line),
        Column::Puzzle => text.puzzle(row.subject),
        // Nearly every row has this status, and a copy of known length takes no call.
        Column::Status if row.status == Status::Unique => text.append(Status::Unique.name().as_bytes()),
        Column::Status => text.append(row.status.name().as_bytes()),
        Column::Solutions => push_number(row.solutions, b"", text),
        Column::Solution => {
            for (index, grid) in row.grids().enumerate() {
                if index > 0 {
                    text.push(b' ');
                }
                text.grid(grid);
            }
        }
        Column::Branches => push_number(row.branches, b"", text),
        Column::Nanos => text.number(row.nanos),
        Column::Detail => text.quoted(row.detail.as_bytes()),
    }
}

/// Appends a number, or other text in place of one that is not known.
#[inline(always)]
fn push_number(number: Option<u64>, unknown: &[u8], text: &mut RowText<'_>) {
    match number {
        Some(number) => text.number(number),
        None => text.append(unknown),
    }
}

/// Ends a line of CSV. An empty one gets an empty field in quotes, since readers skip empty lines.
#[inline(always)]
fn end_line(start: usize, mut text: RowText<'_>) {
    if text.output_len() == start {
        text.append(b"\"\"");
    }
    text.push(b'\n');
    text.end();
}

/// One JSON object a line, with `null` for empty fields.
#[derive(Debug)]
pub(super) struct Jsonl {
    columns: Columns,
    /// The text before each value: `{"line":`, `,"puzzle":` and so on.
    keys: Vec<Vec<u8>>,
    /// The own columns.
    own: OwnColumns,
    fields: RowFields,
    listing: Listing,
}

/// Whether the own columns of a table are the [`USUAL`] ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OwnColumns {
    /// They are: the compiler knows each key and column, which saves a third of a row's time.
    Usual,
    /// They are others.
    Chosen,
}

/// The texts before the values of the [`USUAL`] columns.
const USUAL_KEYS: [&[u8]; USUAL.len()] = [
    b"{\"line\":",
    b",\"puzzle\":",
    b",\"status\":",
    b",\"solutions\":",
    b",\"solution\":",
    b",\"branches\":",
    b",\"nanos\":",
    b",\"detail\":",
];

/// Whether a row has one solution or a list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// The solution of a unique puzzle, or the first.
    One,
    /// Every solution, up to the limit.
    All,
}

impl Jsonl {
    pub(super) fn new(columns: Columns, listing: Listing) -> Jsonl {
        let key = |(index, header)| format!("{}{}:", if index == 0 { '{' } else { ',' }, json!(header)).into_bytes();
        let keys: Vec<Vec<u8>> = columns.headers().enumerate().map(key).collect();
        let own = if columns.own == USUAL { OwnColumns::Usual } else { OwnColumns::Chosen };
        Jsonl { columns, keys, own, fields: RowFields::new(FileColumn::Absent), listing }
    }
}

impl RowWriter for Jsonl {
    fn header(&self, _output: &mut Vec<u8>) {}

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        let mut text = self.fields.row(output);
        if self.keys.is_empty() {
            text.push(b'{');
        }
        let (own, kept) = self.keys.split_at(self.columns.own.len());
        match self.own {
            OwnColumns::Usual => {
                push_usual_value::<0>(row, self.listing, &mut text);
                push_usual_value::<1>(row, self.listing, &mut text);
                push_usual_value::<2>(row, self.listing, &mut text);
                push_usual_value::<3>(row, self.listing, &mut text);
                push_usual_value::<4>(row, self.listing, &mut text);
                push_usual_value::<5>(row, self.listing, &mut text);
                push_usual_value::<6>(row, self.listing, &mut text);
                push_usual_value::<7>(row, self.listing, &mut text);
            }
            OwnColumns::Chosen => {
                for (key, &column) in own.iter().zip(&self.columns.own) {
                    text.append(key);
                    push_value(column, row, self.listing, &mut text);
                }
            }
        }
        for (index, key) in kept.iter().enumerate() {
            text.append(key);
            match row.kept.get(index) {
                Some(kept) => push_string(&String::from_utf8_lossy(kept), &mut text),
                None => text.append(b"null"),
            }
        }
        text.append(b"}\n");
        text.end();
    }
}

#[inline(always)]
fn push_usual_value<const INDEX: usize>(row: &Row<'_>, listing: Listing, text: &mut RowText<'_>) {
    text.append(const { USUAL_KEYS[INDEX] });
    push_value(const { USUAL[INDEX] }, row, listing, text);
}

#[inline(always)]
fn push_value(column: Column, row: &Row<'_>, listing: Listing, text: &mut RowText<'_>) {
    match column {
        Column::File => push_string(row.file, text),
        Column::Line => text.number(row.line),
        Column::Puzzle => match row.subject {
            Subject::Puzzle { .. } | Subject::Pencilmarks(_) => {
                text.push(b'"');
                text.puzzle(row.subject);
                text.push(b'"');
            }
            Subject::Text(puzzle) => push_string(&printable(puzzle), text),
        },
        // Nearly every row has this status, and a copy of known length takes no call.
        Column::Status if row.status == Status::Unique => text.append(b"\"unique\""),
        Column::Status => push_string(row.status.name(), text),
        Column::Solutions => push_number(row.solutions, b"null", text),
        Column::Solution => push_solutions(row, listing, text),
        Column::Branches => push_number(row.branches, b"null", text),
        Column::Nanos => text.number(row.nanos),
        Column::Detail if row.detail.is_empty() => text.append(b"null"),
        Column::Detail => push_string(row.detail, text),
    }
}

#[inline(always)]
fn push_solutions(row: &Row<'_>, listing: Listing, text: &mut RowText<'_>) {
    if listing == Listing::One && row.printed.is_empty() {
        return text.append(b"null");
    }
    if listing == Listing::All {
        text.push(b'[');
    }
    for (index, grid) in row.grids().enumerate() {
        text.append(if index > 0 { b",\"" } else { b"\"" });
        text.grid(grid);
        text.push(b'"');
    }
    if listing == Listing::All {
        text.push(b']');
    }
}

/// Appends a JSON string.
fn push_string(string: &str, text: &mut RowText<'_>) {
    serde_json::to_writer(text, string).expect("a string becomes JSON, and memory takes it");
}

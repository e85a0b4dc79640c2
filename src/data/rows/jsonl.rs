//! Writes rows as JSON: an object for each row, with `null` for missing values; as lines, or as items of an array.

use std::io::Write;

use csv::ByteRecord;
use serde_json::json;

use super::fields::{DeferredFields, RowFields, RowText};
use super::row::{Decimal, Field, NamedCounts, Row, each_column};
use super::subject::{PrintedGrid, Subject, printable};
use super::{Column, Table};
use crate::format::Alphabet;

/// Writes rows as JSON. Each worker has its own.
#[derive(Debug)]
pub(super) struct JsonRows {
    /// The text before each row. Without one, each row is a line.
    separator: &'static str,
    /// The chosen columns, in ascending sets.
    sets: Vec<u64>,
    /// The text before the value of each copied column.
    kept_keys: Vec<Vec<u8>>,
    fields: RowFields,
}

impl JsonRows {
    pub(super) fn new(separator: &'static str, table: &Table) -> JsonRows {
        JsonRows {
            separator,
            sets: table.sets(),
            kept_keys: table.kept.iter().map(|name| format!(",{}:", json!(name)).into_bytes()).collect(),
            fields: RowFields::new(b','),
        }
    }

    /// Appends a row without its deferred values.
    pub(super) fn row<R: Row>(&self, row: &R, kept: &ByteRecord, deferred: &mut DeferredFields, output: &mut Vec<u8>) {
        let mut text = self.fields.row(output);
        text.append(self.separator.as_bytes());
        let start = text.output_len();

        each_column!(&self.sets, row: R, NUMBER => {
            text.append(const { key(R::COLUMNS, NUMBER) });
            push::<R>(NUMBER, row, deferred, &mut text);
        });
        for (index, key) in self.kept_keys.iter().enumerate() {
            text.append(key);
            match kept.get(index) {
                Some(field) => push_string(&String::from_utf8_lossy(field), &mut text),
                None => text.append(b"null"),
            }
        }

        // Each key starts with a comma. The first one becomes the brace.
        if text.output_len() == start {
            text.push(b'{');
        } else {
            text.replace(start, b'{');
        }
        text.append(if self.separator.is_empty() { b"}\n" } else { b"}" });
        text.end();
    }

    /// Appends the deferred value of a column, as it appears in a row.
    pub(super) fn deferred_field<R: Row>(&self, number: usize, row: &R, output: &mut Vec<u8>) {
        let mut text = self.fields.row(output);
        row.field(number, JsonField(&mut text));
        text.end();
    }
}

/// The text before the value of a column. Defined for every number, since a constant is evaluated even in a branch that
/// is never taken.
const fn key(columns: &'static [Column], number: usize) -> &'static [u8] {
    if number < columns.len() { columns[number].key.as_bytes() } else { b"" }
}

#[inline(always)]
fn push<R: Row>(number: usize, row: &R, deferred: &mut DeferredFields, text: &mut RowText<'_>) {
    if R::COLUMNS[number].late && deferred.are_late {
        deferred.places.push(text.output_len());
    } else {
        row.field(number, JsonField(text));
    }
}

/// The value of one column.
struct JsonField<'t, 'a>(&'t mut RowText<'a>);

impl Field for JsonField<'_, '_> {
    #[inline(always)]
    fn null(self) {
        self.0.append(b"null");
    }

    #[inline(always)]
    fn number(self, number: u64) {
        self.0.number(number);
    }

    #[inline(always)]
    fn decimal(self, number: Decimal) {
        print(self.0, format_args!("{number}"));
    }

    #[inline(always)]
    fn above(self, bound: Decimal) {
        print(self.0, format_args!("\">{bound}\""));
    }

    #[inline(always)]
    fn text(self, text: &str) {
        push_string(text, self.0);
    }

    #[inline(always)]
    fn plain(self, text: &[u8]) {
        self.0.push(b'"');
        self.0.append(text);
        self.0.push(b'"');
    }

    #[inline(always)]
    fn subject(self, subject: Subject<'_>) {
        match subject {
            Subject::Text(record) => push_string(&printable(record), self.0),
            Subject::Puzzle { .. } | Subject::Pencilmarks(_) => {
                self.0.push(b'"');
                self.0.puzzle(subject);
                self.0.push(b'"');
            }
        }
    }

    #[inline(always)]
    fn symbols(self, alphabet: &Alphabet, cells: &[u8], blank: u8) {
        self.0.push(b'"');
        self.0.symbols(alphabet, cells, blank);
        self.0.push(b'"');
    }

    #[inline(always)]
    fn name(self, names: &'static [&'static str], index: usize) {
        // Nearly every row has the first name, as in CSV.
        if index == 0 {
            JsonField(self.0).plain(names[0].as_bytes());
        } else {
            JsonField(self.0).plain(names[index].as_bytes());
        }
    }

    #[inline(always)]
    fn grids<'a>(self, grids: impl Iterator<Item = PrintedGrid<'a>>) {
        self.0.push(b'[');
        for (index, grid) in grids.enumerate() {
            self.0.append(if index > 0 { b",\"" } else { b"\"" });
            self.0.grid(grid);
            self.0.push(b'"');
        }
        self.0.push(b']');
    }

    #[inline(always)]
    fn texts<T: AsRef<str>>(self, texts: impl Iterator<Item = T>) {
        self.0.push(b'[');
        for (index, text) in texts.enumerate() {
            if index > 0 {
                self.0.push(b',');
            }
            push_string(text.as_ref(), self.0);
        }
        self.0.push(b']');
    }

    #[inline(always)]
    fn numbers(self, numbers: impl Iterator<Item = Option<u64>>) {
        self.0.push(b'[');
        for (index, number) in numbers.enumerate() {
            if index > 0 {
                self.0.push(b',');
            }
            match number {
                Some(number) => self.0.number(number),
                None => self.0.append(b"null"),
            }
        }
        self.0.push(b']');
    }

    #[inline(always)]
    fn counts(self, counts: &dyn NamedCounts) {
        let text = self.0;
        text.push(b'{');
        let mut is_first = true;
        counts.for_each(&mut |name, count| {
            if !std::mem::take(&mut is_first) {
                text.push(b',');
            }
            push_string(&name.to_string(), text);
            text.push(b':');
            text.number(count);
        });
        text.push(b'}');
    }
}

/// Appends a JSON string.
fn push_string(string: &str, text: &mut RowText<'_>) {
    serde_json::to_writer(text, string).expect("a string becomes JSON, and memory takes it");
}

/// Appends a number.
fn print(text: &mut RowText<'_>, value: std::fmt::Arguments<'_>) {
    text.write_fmt(value).expect("memory takes any text");
}

//! Writes rows as CSV.

use std::io::Write;

use csv::ByteRecord;

use super::Table;
use super::fields::{DeferredFields, RowFields, RowText};
use super::row::{CountsText, Decimal, Field, NamedCounts, Row, each_column};
use super::subject::{PrintedGrid, Subject};
use crate::format::Alphabet;

/// The line of a row whose only field is empty.
const EMPTY_LINE: &[u8] = b"\"\"";

/// A style of CSV.
#[derive(Clone, Copy, Debug)]
pub(super) struct CsvStyle {
    pub(super) delimiter: u8,
    /// Whether it is for spreadsheets where numbers have decimal commas.
    pub(super) is_sheet: bool,
}

/// Writes rows as CSV. Each worker has its own.
#[derive(Debug)]
pub(super) struct CsvRows {
    style: CsvStyle,
    table: Table,
    /// The chosen columns, in ascending sets.
    sets: Vec<u64>,
    has_one_column: bool,
    fields: RowFields,
}

impl CsvRows {
    pub(super) fn new(style: CsvStyle, table: Table) -> CsvRows {
        let (sets, has_one_column) = (table.sets(), table.headers().count() == 1);
        CsvRows { style, table, sets, has_one_column, fields: RowFields::new(style.delimiter) }
    }

    /// The header, with a line end.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut output = vec![];
        let mut text = self.fields.row(&mut output);
        for header in self.table.headers() {
            text.quoted(header.as_bytes());
            text.push(self.style.delimiter);
        }
        end_line(0, text);
        output
    }

    /// Appends a row without its deferred fields.
    pub(super) fn row<R: Row>(&self, row: &R, kept: &ByteRecord, deferred: &mut DeferredFields, output: &mut Vec<u8>) {
        let start = output.len();
        let mut text = self.fields.row(output);

        each_column!(&self.sets, row: R, NUMBER => {
            let start = text.output_len();
            push::<R>(NUMBER, row, deferred, &mut text);
            self.protect(start, &mut text);
            text.push(self.style.delimiter);
        });
        for index in 0..self.table.kept.len() {
            let start = text.output_len();
            text.quoted(kept.get(index).unwrap_or_default());
            self.protect(start, &mut text);
            text.push(self.style.delimiter);
        }

        if self.has_one_column && deferred.are_late && self.table.own.iter().any(|column| column.late) {
            // The line is known to be empty or not only after its single field is filled in.
            replace_delimiter(text);
        } else {
            end_line(start, text);
        }
    }

    /// Keeps a spreadsheet from changing the field since a position of the output, if the rows are for one.
    #[inline(always)]
    fn protect(&self, start: usize, text: &mut RowText<'_>) {
        if self.style.is_sheet {
            text.protect_since(start);
        }
    }

    /// Appends the deferred field of a column, as it appears in a row.
    pub(super) fn deferred_field<R: Row>(&self, number: usize, row: &R, output: &mut Vec<u8>) {
        let start = output.len();
        let mut text = self.fields.row(output);
        row.field(number, CsvField(&mut text));
        self.protect(start, &mut text);
        if self.has_one_column && text.output_len() == start {
            text.append(EMPTY_LINE);
        }
        text.end();
    }
}

/// Appends a field, unless it is deferred.
#[inline(always)]
fn push<R: Row>(number: usize, row: &R, deferred: &mut DeferredFields, text: &mut RowText<'_>) {
    if R::COLUMNS[number].late && deferred.are_late {
        deferred.places.push(text.output_len());
    } else {
        row.field(number, CsvField(text));
    }
}

/// Ends a line whose fields are all followed by a delimiter. An empty line becomes an empty field in quotes, since readers
/// skip empty lines.
#[inline(always)]
fn end_line(start: usize, mut text: RowText<'_>) {
    match text.output_len() - start {
        0 => text.append(EMPTY_LINE),
        1 => {
            text.replace_last(b'"');
            text.push(b'"');
        }
        _ => return replace_delimiter(text),
    }
    text.push(b'\n');
    text.end();
}

/// Ends a line whose last byte is a delimiter.
#[inline(always)]
fn replace_delimiter(mut text: RowText<'_>) {
    text.replace_last(b'\n');
    text.end();
}

/// One field of a row.
struct CsvField<'t, 'a>(&'t mut RowText<'a>);

impl Field for CsvField<'_, '_> {
    #[inline(always)]
    fn null(self) {}

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
        print(self.0, format_args!(">{bound}"));
    }

    #[inline(always)]
    fn text(self, text: &str) {
        self.0.quoted(text.as_bytes());
    }

    #[inline(always)]
    fn plain(self, text: &[u8]) {
        self.0.append(text);
    }

    #[inline(always)]
    fn subject(self, subject: Subject<'_>) {
        self.0.puzzle(subject);
    }

    #[inline(always)]
    fn symbols(self, alphabet: &Alphabet, cells: &[u8], blank: u8) {
        self.0.symbols(alphabet, cells, blank);
    }

    #[inline(always)]
    fn name(self, names: &'static [&'static str], index: usize) {
        // Nearly every row has the first name, and a copy of known length needs no call.
        if index == 0 {
            self.0.append(names[0].as_bytes());
        } else {
            self.0.append(names[index].as_bytes());
        }
    }

    #[inline(always)]
    fn grids<'a>(self, grids: impl Iterator<Item = PrintedGrid<'a>>) {
        for (index, grid) in grids.enumerate() {
            if index > 0 {
                self.0.push(b' ');
            }
            self.0.grid(grid);
        }
    }

    #[inline(always)]
    fn texts<T: AsRef<str>>(self, texts: impl Iterator<Item = T>) {
        let start = self.0.output_len();
        for (index, text) in texts.enumerate() {
            if index > 0 {
                self.0.push(b';');
            }
            self.0.append(text.as_ref().as_bytes());
        }
        self.0.quote_since(start);
    }

    #[inline(always)]
    fn numbers(self, numbers: impl Iterator<Item = Option<u64>>) {
        let start = self.0.output_len();
        for (index, number) in numbers.enumerate() {
            if index > 0 {
                self.0.push(b';');
            }
            if let Some(number) = number {
                self.0.number(number);
            }
        }
        self.0.quote_since(start);
    }

    #[inline(always)]
    fn counts(self, counts: &dyn NamedCounts) {
        let start = self.0.output_len();
        print(self.0, format_args!("{}", CountsText(counts)));
        self.0.quote_since(start);
    }
}

/// Appends a text without quotes.
fn print(text: &mut RowText<'_>, value: std::fmt::Arguments<'_>) {
    text.write_fmt(value).expect("memory takes any text");
}

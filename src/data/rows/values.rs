//! Returns rows as values in memory, for processing one record at a time, and for templates.

use serde::Serialize;

use super::row::{Decimal, Field, NamedCounts, Row};
use super::subject::{PrintedGrid, Subject};
use super::{Kind, Table};
use crate::format::Alphabet;

/// The value of a column in a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Value {
    /// A non-negative integer.
    Number(u64),
    /// A decimal number.
    Decimal(f64),
    /// A text, or a name.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// A list of numbers, where entries may be missing.
    Numbers(Vec<Option<u64>>),
    /// Counts by name, in order.
    Counts(Vec<(String, u64)>),
    /// A missing value.
    None,
}

/// The values of all columns of a row, by their names.
pub(crate) fn values_by_name<R: Row>(row: &R) -> impl Iterator<Item = (&'static str, Value)> {
    let mut values = Vec::with_capacity(R::COLUMNS.len());
    for (number, column) in R::COLUMNS.iter().enumerate() {
        row.field(number, ValueField { kind: column.kind, values: &mut values });
    }
    R::COLUMNS.iter().map(|column| column.name).zip(values)
}

/// Rows as values, one after another.
pub(super) struct ValueRows {
    /// The numbers of the chosen columns, and the kinds of their values.
    columns: Vec<(usize, Kind)>,
    values: Vec<Value>,
}

impl ValueRows {
    pub(super) fn new(table: &Table) -> ValueRows {
        let kinds = table.own.iter().map(|column| column.kind);
        ValueRows { columns: table.numbers.iter().copied().zip(kinds).collect(), values: vec![] }
    }

    /// Adds a row.
    pub(super) fn row<R: Row>(&mut self, row: &R) {
        self.values.reserve(self.columns.len());
        for &(number, kind) in &self.columns {
            row.field(number, ValueField { kind, values: &mut self.values });
        }
    }

    /// The values of the rows of the chunk.
    pub(super) fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.values)
    }
}

/// The value of one column.
struct ValueField<'a> {
    kind: Kind,
    values: &'a mut Vec<Value>,
}

impl ValueField<'_> {
    /// Adds a text that `write` writes. It must be UTF-8.
    #[inline(always)]
    fn text_with(self, write: impl FnOnce(&mut Vec<u8>)) {
        self.values.push(Value::Text(written(write)));
    }
}

/// The text that `write` writes. It must be UTF-8.
fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut text = vec![];
    write(&mut text);
    String::from_utf8(text).expect("rows are text")
}

impl Field for ValueField<'_> {
    #[inline(always)]
    fn null(self) {
        self.values.push(match self.kind {
            Kind::Texts => Value::Texts(vec![]),
            Kind::Numbers => Value::Numbers(vec![]),
            Kind::Counts => Value::Counts(vec![]),
            _ => Value::None,
        });
    }

    #[inline(always)]
    fn number(self, number: u64) {
        self.values.push(Value::Number(number));
    }

    #[inline(always)]
    fn decimal(self, number: Decimal) {
        self.values.push(Value::Decimal(number.value()));
    }

    #[inline(always)]
    fn above(self, _bound: Decimal) {
        self.null();
    }

    #[inline(always)]
    fn text(self, text: &str) {
        self.values.push(Value::Text(text.to_owned()));
    }

    #[inline(always)]
    fn plain(self, text: &[u8]) {
        self.text_with(|output| output.extend_from_slice(text));
    }

    #[inline(always)]
    fn subject(self, subject: Subject<'_>) {
        self.text_with(|text| subject.write(text));
    }

    #[inline(always)]
    fn symbols(self, alphabet: &Alphabet, cells: &[u8], blank: u8) {
        self.text_with(|text| alphabet.write(cells, blank, text));
    }

    #[inline(always)]
    fn name(self, names: &'static [&'static str], index: usize) {
        self.text(names[index]);
    }

    #[inline(always)]
    fn grids<'a>(self, grids: impl Iterator<Item = PrintedGrid<'a>>) {
        let texts = grids.map(|grid| written(|text| grid.push(grid.cells, text)));
        self.values.push(Value::Texts(texts.collect()));
    }

    #[inline(always)]
    fn texts<T: AsRef<str>>(self, texts: impl Iterator<Item = T>) {
        self.values.push(Value::Texts(texts.map(|text| text.as_ref().to_owned()).collect()));
    }

    #[inline(always)]
    fn numbers(self, numbers: impl Iterator<Item = Option<u64>>) {
        self.values.push(Value::Numbers(numbers.collect()));
    }

    #[inline(always)]
    fn counts(self, counts: &dyn NamedCounts) {
        let mut found = vec![];
        counts.for_each(&mut |name, count| found.push((name.to_string(), count)));
        self.values.push(Value::Counts(found));
    }
}

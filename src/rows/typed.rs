//! Rows as typed columns of Arrow.

use super::columns::{Column, Columns};
use super::fields::printable;
use super::row::{Row, Status, Subject};
use super::table::Listing;
use crate::arrow::columns::{ColumnBuilder, ColumnType, RowColumns, Values, schema};
use crate::arrow::{ArrowError, Field, RecordBatch, SchemaRef};

/// Appends rows to typed columns. Each worker has its own.
#[derive(Debug)]
pub(crate) struct TypedRows {
    own: Vec<Column>,
    listing: Listing,
    columns: RowColumns,
}

/// The types of the columns of rows, of which the last are `kept`.
pub(crate) fn typed_schema(columns: &Columns, listing: Listing, kept: Vec<Field>) -> SchemaRef {
    let own: Vec<_> = columns.own.iter().map(|&column| typed(column, listing)).collect();
    schema(&own, kept)
}

/// The name and the type of a column, and whether it may have nulls.
fn typed(column: Column, listing: Listing) -> (&'static str, ColumnType, Values) {
    let (column_type, values) = match column {
        Column::Line | Column::Nanos => (ColumnType::Number, Values::Required),
        Column::Solutions | Column::Branches => (ColumnType::Number, Values::Optional),
        Column::File | Column::Puzzle => (ColumnType::Text, Values::Required),
        Column::Status => (ColumnType::Name(&Status::NAMES), Values::Required),
        Column::Solution if listing == Listing::All => (ColumnType::Texts, Values::Required),
        Column::Solution | Column::Detail => (ColumnType::Text, Values::Optional),
    };
    (column.name(), column_type, values)
}

impl TypedRows {
    /// No rows, with these columns and their [types](typed_schema).
    pub(crate) fn new(columns: &Columns, listing: Listing, schema: SchemaRef) -> TypedRows {
        let types: Vec<ColumnType> = columns.own.iter().map(|&column| typed(column, listing).1).collect();
        TypedRows { own: columns.own.clone(), listing, columns: RowColumns::new(schema, &types) }
    }

    /// Appends one row.
    pub(crate) fn row(&mut self, row: &Row<'_>) {
        let (own, kept) = self.columns.columns().split_at_mut(self.own.len());
        for (&column, builder) in self.own.iter().zip(own) {
            match column {
                Column::File => builder.text(Some(row.file.as_bytes())),
                Column::Line => builder.number(Some(row.line)),
                Column::Puzzle => push_subject(row.subject, builder),
                Column::Status => builder.name(Some(row.status as usize)),
                Column::Solutions => builder.number(row.solutions),
                Column::Solution if self.listing == Listing::All => {
                    builder.texts(row.grids().map(|grid| move |text: &mut Vec<u8>| grid.push(grid.cells, text)));
                }
                Column::Solution => match row.grids().next() {
                    Some(grid) => builder.text_with(|text| grid.push(grid.cells, text)),
                    None => builder.text(None),
                },
                Column::Branches => builder.number(row.branches),
                Column::Nanos => builder.number(Some(row.nanos)),
                Column::Detail => builder.text(Some(row.detail.as_bytes()).filter(|detail| !detail.is_empty())),
            }
        }
        for (builder, field) in kept.iter_mut().zip(row.kept) {
            builder.text(Some(String::from_utf8_lossy(field).as_bytes()));
        }
    }

    /// The rows so far. `kept` are the columns that are kept, if no row had them as texts.
    pub(crate) fn finish(&mut self, kept: Option<&RecordBatch>) -> Result<RecordBatch, ArrowError> {
        self.columns.finish(kept)
    }
}

/// Appends the puzzle of a record, or the text of a malformed one.
pub(crate) fn push_subject(subject: Subject<'_>, column: &mut ColumnBuilder) {
    match subject {
        Subject::Puzzle { cells, alphabet, blank } => column.text_with(|text| alphabet.write(cells, blank, text)),
        Subject::Pencilmarks(text) => column.text(Some(text)),
        Subject::Text(text) => column.text(Some(printable(text).as_bytes())),
    }
}

//! Writes rows as record batches of Arrow.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{ArrowError, Field as SchemaField, Schema, SchemaRef};
use arrow_select::take::{take, take_record_batch};
use csv::ByteRecord;

use super::builders::ColumnBuilder;
use super::row::{CountsText, Decimal, Field, NamedCounts, Row, each_column};
use super::subject::{PrintedGrid, Subject, printable};
use super::{Column, Kind, Table};
use crate::arrow::cast_column;
use crate::arrow::records::TypedRecords;
use crate::format::Alphabet;

/// The maximum number of rows in a batch. It keeps the batch's texts below 2 GiB.
const MAX_ROWS: usize = 1 << 16;

/// The schema of a table; `kept` has the copied columns.
pub(crate) fn schema(table: &Table, kept: Vec<SchemaField>) -> SchemaRef {
    let own = table
        .own
        .iter()
        .map(|column| SchemaField::new(column.name, ColumnBuilder::data_type(column.kind), column.nullable));
    let kept = kept.into_iter().zip(&table.kept).map(|(field, name)| field.with_name(name).with_nullable(true));
    Arc::new(Schema::new(own.chain(kept).collect::<Vec<_>>()))
}

/// Rows as typed columns. Each worker has its own.
pub(super) struct TypedRows {
    schema: SchemaRef,
    /// The chosen columns, in ascending sets.
    sets: Vec<u64>,
    /// The position of the column for puzzles, if it is chosen.
    puzzle: Option<usize>,
    /// The columns of the job, and the columns that are copied as texts.
    builders: Vec<ColumnBuilder>,
    /// Whether each column of the job is filled in the serial stage.
    is_deferred: Vec<bool>,
    /// The typed columns of the chunk that are copied.
    kept: Option<RecordBatch>,
    /// The record of each row, by its index in the chunk.
    records: Vec<u32>,
    batches: Vec<Result<PartialBatch, ArrowError>>,
}

/// A batch that may lack some columns.
#[derive(Debug)]
pub(super) struct PartialBatch {
    schema: SchemaRef,
    columns: Vec<Option<ArrayRef>>,
    rows: usize,
}

impl TypedRows {
    pub(super) fn new(table: &Table, schema: &SchemaRef, defers_late: bool) -> TypedRows {
        let kinds = table.own.iter().map(|column| column.kind).chain(table.kept.iter().map(|_| Kind::Text));
        TypedRows {
            schema: Arc::clone(schema),
            sets: table.sets(),
            puzzle: table.own.iter().position(|column| column.name == Column::PUZZLE.name),
            builders: kinds.map(ColumnBuilder::new).collect(),
            is_deferred: table.own.iter().map(|column| column.late && defers_late).collect(),
            kept: None,
            records: vec![],
            batches: vec![],
        }
    }

    /// Starts a chunk with these records, if they are typed. Returns whether the copied columns are texts.
    pub(super) fn start(&mut self, records: Option<&TypedRecords>) -> bool {
        self.kept = records.map(TypedRecords::kept).filter(|kept| kept.num_columns() > 0).cloned();
        if let Some(position) = self.puzzle {
            self.builders[position].expect_texts(records.and_then(TypedRecords::puzzles_as_written));
        }
        self.kept.is_none()
    }

    /// Adds a row of the record at an index of the chunk.
    pub(super) fn row<R: Row>(&mut self, record: usize, row: &R, kept: &ByteRecord) {
        let mut position = 0;
        each_column!(&self.sets, row: R, NUMBER => {
            if !self.is_deferred[position] {
                row.field(NUMBER, ArrowField(&mut self.builders[position]));
            }
            position += 1;
        });
        if self.kept.is_none() {
            for (index, builder) in self.builders[position..].iter_mut().enumerate() {
                match kept.get(index) {
                    Some(field) => builder.text(String::from_utf8_lossy(field).as_bytes()),
                    None => builder.null(),
                }
            }
        }

        self.records.push(record as u32);
        if self.records.len() == MAX_ROWS {
            self.end_batch();
        }
    }

    /// The rows of the chunk.
    pub(super) fn take_batches(&mut self) -> Vec<Result<PartialBatch, ArrowError>> {
        if !self.records.is_empty() {
            self.end_batch();
        }
        std::mem::take(&mut self.batches)
    }

    fn end_batch(&mut self) {
        let batch = self.batch();
        self.batches.push(batch);
        self.records.clear();
    }

    fn batch(&mut self) -> Result<PartialBatch, ArrowError> {
        let own = self.is_deferred.len();
        let mut columns = Vec::with_capacity(self.builders.len());
        for (builder, &is_deferred) in self.builders.iter_mut().zip(&self.is_deferred) {
            columns.push(if is_deferred { None } else { Some(builder.finish()?) });
        }

        match &self.kept {
            Some(kept) => columns.extend(self.kept_rows(kept)?.columns().iter().cloned().map(Some)),
            None => {
                for builder in &mut self.builders[own..] {
                    columns.push(Some(builder.finish()?));
                }
            }
        }

        // The inputs of a corpus may have different types for a column.
        for (column, field) in columns.iter_mut().zip(self.schema.fields()) {
            if let Some(array) = column
                && array.data_type() != field.data_type()
            {
                *array = cast_column(array, field)?;
            }
        }
        Ok(PartialBatch { schema: Arc::clone(&self.schema), columns, rows: self.records.len() })
    }

    /// The copied typed columns, with a row for each row of the batch.
    fn kept_rows(&self, kept: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let is_same =
            kept.num_rows() == self.records.len() && self.records.iter().zip(0..).all(|(&row, index)| row == index);
        if is_same { Ok(kept.clone()) } else { take_record_batch(kept, &UInt32Array::from(self.records.clone())) }
    }
}

impl PartialBatch {
    /// Removes the rows where `is_kept` is false.
    pub(super) fn retain(&mut self, is_kept: &[bool]) -> Result<(), ArrowError> {
        let kept: UInt32Array = (0..).zip(is_kept).filter(|(_, is_kept)| **is_kept).map(|(row, _)| row).collect();
        for column in self.columns.iter_mut().flatten() {
            *column = take(column, &kept, None)?;
        }
        self.rows = kept.len();
        Ok(())
    }

    /// The batch, once all columns are filled.
    pub(super) fn complete(self) -> Result<RecordBatch, ArrowError> {
        let columns = self.columns.into_iter().map(|column| column.expect("late columns are filled")).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        RecordBatch::try_new_with_options(self.schema, columns, &options)
    }
}

/// The late columns of the rows of a chunk.
pub(super) struct LateColumns {
    /// The number and the position of each, and its values so far.
    columns: Vec<(usize, usize, ColumnBuilder)>,
}

impl LateColumns {
    pub(super) fn new(table: &Table, schema: &SchemaRef) -> LateColumns {
        debug_assert!(schema.fields().len() >= table.own.len());
        let own = table.own.iter().zip(&table.numbers).enumerate();
        let late = own.filter(|(_, (column, _))| column.late);
        let columns = late.map(|(position, (column, &number))| (number, position, ColumnBuilder::new(column.kind)));
        LateColumns { columns: columns.collect() }
    }

    /// Appends the value of a column.
    pub(super) fn field<R: Row>(&mut self, number: usize, row: &R) {
        let column = self.columns.iter_mut().find(|(other, ..)| *other == number);
        let (.., builder) = column.expect("the column is late");
        row.field(number, ArrowField(builder));
    }

    /// Fills in the columns of a chunk. It has one row for each record, and therefore at most one batch.
    pub(super) fn fill(&mut self, batches: &mut [Result<PartialBatch, ArrowError>]) {
        debug_assert!(batches.len() <= 1);
        for batch in batches {
            let Ok(partial) = batch else { continue };
            for (_, position, builder) in &mut self.columns {
                match builder.finish() {
                    Ok(column) => partial.columns[*position] = Some(column),
                    Err(error) => {
                        *batch = Err(error);
                        break;
                    }
                }
            }
        }
    }
}

/// The value of one column.
struct ArrowField<'a>(&'a mut ColumnBuilder);

impl Field for ArrowField<'_> {
    #[inline(always)]
    fn null(self) {
        self.0.null();
    }

    #[inline(always)]
    fn number(self, number: u64) {
        self.0.number(number);
    }

    #[inline(always)]
    fn decimal(self, number: Decimal) {
        self.0.decimal(number.value());
    }

    #[inline(always)]
    fn above(self, _bound: Decimal) {
        self.0.null();
    }

    #[inline(always)]
    fn text(self, text: &str) {
        self.0.text(text.as_bytes());
    }

    #[inline(always)]
    fn plain(self, text: &[u8]) {
        self.0.text(text);
    }

    #[inline(always)]
    fn subject(self, subject: Subject<'_>) {
        match subject {
            Subject::Puzzle { cells, alphabet, blank } => self.symbols(alphabet, cells, blank),
            Subject::Pencilmarks(text) => self.0.text(text),
            Subject::Text(text) => self.0.text(printable(text).as_bytes()),
        }
    }

    #[inline(always)]
    fn symbols(self, alphabet: &Alphabet, cells: &[u8], blank: u8) {
        self.0.text_with(|text| alphabet.write(cells, blank, text));
    }

    #[inline(always)]
    fn name(self, _names: &'static [&'static str], index: usize) {
        self.0.name(index);
    }

    #[inline(always)]
    fn grids<'a>(self, grids: impl Iterator<Item = PrintedGrid<'a>>) {
        self.0.texts(grids.map(|grid| move |text: &mut Vec<u8>| grid.push(grid.cells, text)));
    }

    #[inline(always)]
    fn texts<T: AsRef<str>>(self, texts: impl Iterator<Item = T>) {
        self.0.texts(texts.map(|item| move |text: &mut Vec<u8>| text.extend_from_slice(item.as_ref().as_bytes())));
    }

    #[inline(always)]
    fn numbers(self, numbers: impl Iterator<Item = Option<u64>>) {
        self.0.numbers(numbers);
    }

    #[inline(always)]
    fn counts(self, counts: &dyn NamedCounts) {
        use std::io::Write;

        self.0.text_with(|text| write!(text, "{}", CountsText(counts)).expect("memory takes any text"));
    }
}

//! Writes the records of record batches as lines of CSV: the puzzle, the answer, and the columns that are kept.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use memchr::{memchr, memchr3};

use super::cells::{CellColumn, can_hold_puzzles};
use crate::format::{Alphabets, ColumnChoice, DetectError, InputOptions, choose_columns};
use crate::pipeline::Record;

/// The columns of a schema that a run reads.
#[derive(Clone, Debug)]
pub(crate) struct RecordColumns {
    schema: SchemaRef,
    /// The index of each column in the schema: puzzle, answer, then those that are kept.
    indices: Vec<usize>,
    has_answer: bool,
}

impl RecordColumns {
    /// Chooses the columns that the options name.
    pub(crate) fn choose(schema: SchemaRef, options: &InputOptions) -> Result<RecordColumns, DetectError> {
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        let ColumnChoice { puzzle, answer, keep } = choose_columns(names, options)?;
        for field in [Some(puzzle), answer].into_iter().flatten().map(|index| schema.field(index)) {
            if !can_hold_puzzles(field.data_type()) {
                let (name, of_type) = (field.name().clone(), field.data_type().to_string());
                return Err(DetectError::ColumnType { name, of_type });
            }
        }
        let indices = [puzzle].into_iter().chain(answer).chain(keep).collect();
        Ok(RecordColumns { schema, indices, has_answer: answer.is_some() })
    }

    /// The indices of the columns in the schema, ascending.
    #[cfg(feature = "parquet")]
    pub(crate) fn projection(&self) -> Vec<usize> {
        let mut indices = self.indices.clone();
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// The columns of batches that have only the columns of the [projection](RecordColumns::projection).
    #[cfg(feature = "parquet")]
    pub(crate) fn projected(&self, schema: SchemaRef) -> RecordColumns {
        let projection = self.projection();
        let position = |index| projection.iter().position(|&other| other == index).expect("it has all columns");
        let indices = self.indices.iter().map(|&index| position(index)).collect();
        RecordColumns { schema, indices, has_answer: self.has_answer }
    }

    /// The names of the fields of a record.
    pub(crate) fn names(&self) -> Vec<String> {
        self.indices.iter().map(|&index| self.schema.field(index).name().clone()).collect()
    }

    /// The indices of the fields of a record.
    pub(crate) fn fields(&self) -> ColumnChoice {
        let answer = self.has_answer.then_some(1);
        ColumnChoice { puzzle: 0, answer, keep: (1 + usize::from(self.has_answer)..self.indices.len()).collect() }
    }

    /// The line of the names, as a header of the records.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        for (index, name) in self.names().iter().enumerate() {
            push_field(index, name, &mut header);
        }
        header.push(b'\n');
        header
    }

    /// The types of the columns that are kept.
    pub(crate) fn kept(&self) -> Vec<Field> {
        self.kept_indices().iter().map(|&index| self.schema.field(index).clone()).collect()
    }

    /// Opens a batch.
    pub(crate) fn open(&self, batch: &RecordBatch) -> Result<RecordTexts, ArrowError> {
        let cells = |&index: &usize| CellColumn::new(batch.column(index));
        let (cell_indices, kept) = self.indices.split_at(1 + usize::from(self.has_answer));
        Ok(RecordTexts {
            cells: cell_indices.iter().map(cells).collect::<Result<_, _>>()?,
            kept: batch.project(kept)?,
            next: 0,
        })
    }

    fn kept_indices(&self) -> &[usize] {
        &self.indices[1 + usize::from(self.has_answer)..]
    }
}

/// The records of a batch that were not read so far.
pub(crate) struct RecordTexts {
    /// The columns with the puzzles and the answers.
    cells: Vec<CellColumn>,
    kept: RecordBatch,
    /// The next row.
    next: usize,
}

impl RecordTexts {
    /// How many records are left.
    pub(crate) fn left(&self) -> usize {
        self.kept.num_rows() - self.next
    }

    /// Skips some records.
    pub(crate) fn skip(&mut self, records: usize) {
        self.next += records;
    }

    /// Goes back by some records, which will be read again.
    pub(crate) fn unread(&mut self, records: usize) {
        self.next -= records;
    }

    /// Appends up to `records` records to `text`, each with a line end, until that has `bytes` bytes. `line` is that of
    /// the first. Returns the columns that are kept.
    pub(crate) fn read(
        &mut self,
        alphabets: &Alphabets,
        line: u64,
        (records, bytes): (usize, usize),
        text: &mut Vec<u8>,
        found: &mut Vec<Record>,
    ) -> Result<RecordBatch, ArrowError> {
        let options = FormatOptions::new().with_display_error(true);
        let formatter = |column| ArrayFormatter::try_new(column, &options);
        let (first, mut buffer) = (self.next, String::new());
        let end = self.kept.num_rows().min(first.saturating_add(records));
        // Only these rows: a batch may have millions, and is read in many calls.
        let kept = self.kept.slice(first, end - first);
        let readable = kept.columns().iter().map(in_utc).collect::<Result<Vec<_>, _>>()?;
        let formatters = readable.iter().map(|column| formatter(column.as_ref())).collect::<Result<Vec<_>, _>>()?;
        while self.next < end && (text.len() < bytes || self.next == first) {
            let start = text.len();
            for (index, column) in self.cells.iter().enumerate() {
                push_field(index, column.text(self.next, alphabets, &mut buffer), text);
            }
            for (index, (column, formatter)) in kept.columns().iter().zip(&formatters).enumerate() {
                buffer.clear();
                let row = self.next - first;
                if column.is_valid(row) {
                    write!(buffer, "{}", formatter.value(row)).expect("a string takes any text");
                }
                push_field(self.cells.len() + index, &buffer, text);
            }
            found.push(Record { text: start..text.len(), line: line + (self.next - first) as u64 });
            text.push(b'\n');
            self.next += 1;
        }
        Ok(kept.slice(0, self.next - first))
    }
}

/// Points in time, if that is what a column has, in UTC: those of other time zones can only be written with a database
/// of all time zones.
fn in_utc(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Timestamp(unit, Some(_)) => cast(column, &DataType::Timestamp(*unit, Some("+00:00".into()))),
        _ => Ok(Arc::clone(column)),
    }
}

/// Appends a field, in quotes if needed, after a comma if it is not the first.
fn push_field(index: usize, field: &str, text: &mut Vec<u8>) {
    if index > 0 {
        text.push(b',');
    }
    let field = field.as_bytes();
    if memchr3(b'"', b',', b'\n', field).or_else(|| memchr(b'\r', field)).is_none() {
        text.extend_from_slice(field);
        return;
    }
    text.push(b'"');
    for &byte in field {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}

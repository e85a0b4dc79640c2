//! Collects the rows of a worker in the format of the run, and completes rows whose last fields are known later.
//!
//! ```text
//!   worker:        RowSink::row   1,53..7....,|,|,|,30,1     <- places of the fields that are deferred
//!   serial stage:  DeferredRows   1,53..7....,sound,,,30,1   <- filled, in the order of the input
//! ```

use csv::ByteRecord;

use super::csv::CsvRows;
use super::fields::DeferredFields;
use super::formats::{OutputFacts, Writer};
use super::jsonl::JsonRows;
use super::row::{GridsRow, MAX_COLUMNS, Row};
use super::typed::TypedRows;
use super::values::{Value, ValueRows};
use super::{Column, OutputFormat, Table};
use crate::arrow::records::TypedRecords;
use crate::arrow::{ArrowError, RecordBatch, SchemaRef};

/// The style of a run's rows.
#[derive(Clone, Debug)]
pub(crate) struct RowStyle {
    pub(crate) table: Table,
    pub(crate) container: RowContainer,
    /// Whether workers defer the values of late columns.
    pub(crate) defers_late: bool,
}

/// The container of rows.
#[derive(Clone, Debug)]
pub(crate) enum RowContainer {
    /// Text.
    Text(OutputFormat),
    /// Record batches.
    Batches(SchemaRef),
    /// Values in memory. No columns are copied from the input, and no fields are deferred.
    Values,
}

/// Collects the rows of a worker. Each worker has its own sink.
pub(crate) struct RowSink {
    rows: Rows,
    /// Whether columns are copied from the input.
    keeps: bool,
    deferred: DeferredFields,
}

enum Rows {
    Csv(CsvRows),
    Json(JsonRows),
    Grids(fn(&GridsRow<'_>, &mut Vec<u8>)),
    Words,
    Numbers,
    Typed(TypedRows),
    Values(ValueRows),
}

/// The parts of a chunk's rows that are not text.
#[derive(Debug, Default)]
pub(crate) struct RowParts {
    /// The positions of the deferred fields in the text.
    places: Vec<usize>,
    /// The typed columns, without the deferred ones.
    batches: Vec<Result<super::typed::PartialBatch, ArrowError>>,
    /// The values of all rows, one row after another.
    pub(crate) values: Vec<Value>,
}

impl RowStyle {
    /// The text before the first row. In CSV, it has the names of the columns; if they are not to be written, there is no
    /// such text.
    pub(crate) fn header(&self, has_names: bool) -> Vec<u8> {
        let RowContainer::Text(format) = self.container else { return vec![] };
        let OutputFacts { writer, ends: (start, _), .. } = format.facts();
        match writer {
            Writer::Csv(style) if has_names => {
                [start.as_bytes(), &CsvRows::new(style, self.table.clone()).header()].concat()
            }
            Writer::Csv(_) => vec![],
            _ => start.into(),
        }
    }

    /// The text before each row, which the first row must not have.
    pub(crate) fn separator(&self) -> &'static [u8] {
        if let RowContainer::Text(format) = self.container { format.facts().separator.as_bytes() } else { b"" }
    }

    /// The text after the last row.
    pub(crate) fn footer(&self) -> &'static [u8] {
        if let RowContainer::Text(format) = self.container { format.facts().ends.1.as_bytes() } else { b"" }
    }

    /// A sink for the rows of one worker.
    pub(crate) fn sink(&self) -> RowSink {
        let rows = match &self.container {
            RowContainer::Text(format) => match format.facts().writer {
                Writer::Csv(style) => Rows::Csv(CsvRows::new(style, self.table.clone())),
                Writer::Json => Rows::Json(JsonRows::new(format.facts().separator, &self.table)),
                Writer::Grids(write) => Rows::Grids(write),
                Writer::Words => Rows::Words,
                Writer::Numbers => Rows::Numbers,
            },
            RowContainer::Batches(schema) => Rows::Typed(TypedRows::new(&self.table, schema, self.defers_late)),
            RowContainer::Values => Rows::Values(ValueRows::new(&self.table)),
        };
        let keeps = !self.table.kept.is_empty();
        RowSink { rows, keeps, deferred: DeferredFields { are_late: self.defers_late, places: vec![] } }
    }

    /// Completes the rows in the serial stage; `None` if no fields are deferred.
    pub(crate) fn deferred_rows(&self) -> Option<DeferredRows> {
        let late = |(&number, column): (&usize, &Column)| column.late.then_some(number);
        let late: Vec<usize> = self.table.numbers.iter().zip(&self.table.own).filter_map(late).collect();
        if !self.defers_late || late.is_empty() {
            return None;
        }
        let rows = match &self.container {
            RowContainer::Text(format) => match format.facts().writer {
                Writer::Csv(style) => LateRows::Csv(CsvRows::new(style, self.table.clone())),
                _ => LateRows::Json(JsonRows::new("", &self.table)),
            },
            RowContainer::Batches(schema) => LateRows::Typed(super::typed::LateColumns::new(&self.table, schema)),
            RowContainer::Values => return None,
        };
        Some(DeferredRows { rows, late, text: vec![], taken: 0, next: 0 })
    }
}

impl RowSink {
    /// A sink for workers that write no rows.
    pub(crate) fn none() -> RowSink {
        RowSink { rows: Rows::Words, keeps: false, deferred: DeferredFields::default() }
    }

    /// Starts a chunk with these records, if they are typed. Returns whether rows need the copied fields as texts.
    pub(crate) fn start(&mut self, records: Option<&TypedRecords>) -> bool {
        match &mut self.rows {
            Rows::Csv(_) | Rows::Json(_) => self.keeps,
            Rows::Typed(rows) => rows.start(records),
            Rows::Grids(_) | Rows::Words | Rows::Numbers | Rows::Values(_) => false,
        }
    }

    /// Adds a row of the record at an index of the chunk. Rows of text are appended to `output`.
    #[inline]
    pub(crate) fn row<R: Row>(&mut self, record: usize, row: &R, kept: &ByteRecord, output: &mut Vec<u8>) {
        const { assert!(R::COLUMNS.len() <= MAX_COLUMNS) };
        match &mut self.rows {
            Rows::Csv(rows) => rows.row(row, kept, &mut self.deferred, output),
            Rows::Json(rows) => rows.row(row, kept, &mut self.deferred, output),
            Rows::Grids(write) => write(row.grids(), output),
            Rows::Words => output.extend_from_slice(row.words().as_bytes()),
            Rows::Numbers => row.push_numbers(output),
            Rows::Typed(rows) => rows.row(record, row, kept),
            Rows::Values(rows) => rows.row(row),
        }
    }

    /// Ends a chunk.
    pub(crate) fn end(&mut self) -> RowParts {
        RowParts {
            places: std::mem::take(&mut self.deferred.places),
            batches: if let Rows::Typed(rows) = &mut self.rows { rows.take_batches() } else { vec![] },
            values: if let Rows::Values(rows) = &mut self.rows { rows.take() } else { vec![] },
        }
    }
}

impl RowParts {
    /// Removes the typed rows where `is_kept` is false; the chunk has at most one batch.
    pub(crate) fn retain_rows(&mut self, is_kept: &[bool]) {
        if is_kept.contains(&false) {
            for batch in &mut self.batches {
                if let Ok(rows) = batch
                    && let Err(error) = rows.retain(is_kept)
                {
                    *batch = Err(error);
                }
            }
            if !is_kept.contains(&true) {
                self.batches.clear();
            }
        }
    }

    /// The typed rows, if no fields are deferred.
    pub(crate) fn into_batches(self) -> impl Iterator<Item = Result<RecordBatch, ArrowError>> {
        self.batches.into_iter().map(|batch| batch.and_then(super::typed::PartialBatch::complete))
    }
}

/// Completes rows one after another, in the order of the input.
pub(crate) struct DeferredRows {
    rows: LateRows,
    /// The numbers of the late columns, in the order of the table.
    late: Vec<usize>,
    /// The completed rows of the chunk, if they are text.
    text: Vec<u8>,
    /// The length of the worker's text that is already in `text`.
    taken: usize,
    /// The number of positions that were filled in.
    next: usize,
}

enum LateRows {
    Csv(CsvRows),
    Json(JsonRows),
    Typed(super::typed::LateColumns),
}

impl DeferredRows {
    /// Completes the next row of a chunk; `text` and `parts` are the worker's output for the chunk.
    pub(crate) fn complete<R: Row>(&mut self, row: &R, text: &[u8], parts: &RowParts) {
        for &number in &self.late {
            if let LateRows::Typed(columns) = &mut self.rows {
                columns.field(number, row);
                continue;
            }
            let place = parts.places[self.next];
            self.text.extend_from_slice(&text[self.taken..place]);
            match &self.rows {
                LateRows::Csv(rows) => rows.deferred_field(number, row, &mut self.text),
                LateRows::Json(rows) => rows.deferred_field(number, row, &mut self.text),
                LateRows::Typed(_) => {}
            }
            (self.taken, self.next) = (place, self.next + 1);
        }
    }

    /// Ends a chunk: replaces the worker's text and typed columns by the completed ones.
    pub(crate) fn end(&mut self, text: &mut Vec<u8>, parts: &mut RowParts) {
        self.text.extend_from_slice(&text[self.taken..]);
        std::mem::swap(&mut self.text, text);
        self.text.clear();
        (self.taken, self.next) = (0, 0);
        parts.places.clear();
        if let LateRows::Typed(columns) = &mut self.rows {
            columns.fill(&mut parts.batches);
        }
    }
}

//! Reads an input with typed columns: a Parquet file, arrays of `NumPy`, or record batches in memory.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Field, SchemaRef};

use super::error::{CorpusError, ReadProgress};
use super::input::{ChunkInput, ChunkText, Input, InputReader};
use super::text_input::MAX_CHUNK_TEXT;
use crate::arrow::into_io;
use crate::arrow::records::{RecordColumns, TypedRecords};
use crate::format::{InputOptions, TypedOrigin, typed_layout};
use crate::pipeline::Record;

/// The number of records for detecting the alphabets.
const SAMPLE: usize = 500;

/// The batches of an input.
pub(super) type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// One open input with typed columns.
pub(super) struct TypedReader {
    input: Arc<Input>,
    columns: RecordColumns,
    batches: Batches,
    /// The unread rest of the last batch, if any.
    batch: Option<TypedRecords>,
    /// The number of records that were read.
    records: u64,
    size: StoredSize,
}

/// The stored size of an input. Each record gets an equal share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredSize {
    pub(super) bytes: u64,
    pub(super) records: u64,
}

impl StoredSize {
    /// The share of the first `records` records.
    fn of_first(self, records: u64) -> u64 {
        // In 128 bits, as a product of two large numbers; the shares of all records add up to the size.
        let bytes = u128::from(self.bytes) * u128::from(records);
        bytes.checked_div(u128::from(self.records)).unwrap_or_default() as u64
    }
}

impl TypedReader {
    /// Reads batches with these columns.
    pub(super) fn new(
        name: String,
        origin: TypedOrigin,
        columns: RecordColumns,
        mut batches: Batches,
        size: StoredSize,
        options: &InputOptions,
    ) -> Result<TypedReader, CorpusError> {
        let failed = |source| read_error(&name, 0, source);
        let mut batch = None;
        // The first batches may be empty, but the alphabets are found in puzzles.
        while batch.as_ref().is_none_or(|batch: &TypedRecords| batch.len() == 0) {
            let Some(next) = batches.next() else { break };
            let opened = next.and_then(|batch| columns.open(&batch, options.alphabets.iter().copied().collect()));
            batch = Some(opened.map_err(failed)?);
        }

        let sample = batch.as_ref().map(|batch| batch.puzzle_texts(SAMPLE, MAX_CHUNK_TEXT)).unwrap_or_default();
        let layout = typed_layout(origin, &columns.header(), &columns.table, &sample, options)
            .map_err(|source| CorpusError::Detect { name: name.clone(), source })?;
        if let Some(batch) = &mut batch {
            batch.alphabets = *layout.alphabets();
        }
        let input = Arc::new(Input { name, compression: None, layout });
        Ok(TypedReader { input, columns, batches, batch, records: 0, size })
    }

    /// The rest of the current batch, or the next batch; `None` if there are no more records.
    fn rest_of_batch(&mut self) -> Result<Option<&mut TypedRecords>, CorpusError> {
        while self.batch.as_ref().is_none_or(|batch| batch.len() == 0) {
            let Some(next) = self.batches.next() else { return Ok(None) };
            let opened = next.and_then(|batch| self.columns.open(&batch, *self.input.layout.alphabets()));
            self.batch = Some(opened.map_err(|source| read_error(&self.input.name, self.records, source))?);
        }
        Ok(self.batch.as_mut())
    }

    /// Counts records; returns their size, as stored.
    fn advance(&mut self, records: u64) -> u64 {
        let before = self.size.of_first(self.records);
        self.records += records;
        self.size.of_first(self.records) - before
    }
}

impl InputReader for TypedReader {
    fn input(&self) -> &Arc<Input> {
        &self.input
    }

    fn is_in_memory(&self) -> bool {
        // A vector of batches knows how many more it has; a stream does not.
        let (least, most) = self.batches.size_hint();
        most == Some(least)
    }

    fn schema(&self) -> Option<&SchemaRef> {
        Some(&self.columns.schema)
    }

    fn kept(&self) -> Option<Vec<Field>> {
        Some(self.columns.kept())
    }

    fn fill(&mut self, chunk: ChunkText<'_>, records: usize) -> Result<(), CorpusError> {
        if let Some(batch) = self.rest_of_batch()? {
            let typed = batch.take(batch.within(records, MAX_CHUNK_TEXT));
            // Rows have no lines, so their numbers stand for them.
            let (line, number) = (self.records + 1, typed.len() as u64);
            chunk.records.extend((line..line + number).map(|line| Record { text: 0..0, line }));
            *chunk.input = Some(ChunkInput { typed: Some(typed), ..ChunkInput::of_text(&self.input, line) });
            *chunk.input_bytes += self.advance(number);
        }
        Ok(())
    }

    fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError> {
        let mut skipped = 0;
        while skipped < records
            && let Some(batch) = self.rest_of_batch()?
        {
            let some = usize::try_from(records - skipped).unwrap_or(usize::MAX);
            let some = batch.take(some).len() as u64;
            skipped += some;
            *bytes += self.advance(some);
        }
        Ok(skipped)
    }

    fn peek(&mut self, _bytes: &mut u64) -> Result<bool, CorpusError> {
        Ok(self.rest_of_batch()?.is_some())
    }
}

/// The error for an input that fails after `records` records.
fn read_error(name: &str, records: u64, source: ArrowError) -> CorpusError {
    let progress = ReadProgress { records, line: records };
    CorpusError::Batch { name: name.to_owned(), progress, source: into_io(source) }
}

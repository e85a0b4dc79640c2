//! Reads an input with typed columns: a Parquet file, or record batches in memory. Its records become text.

use std::io;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Field};

use super::error::{CorpusError, ReadProgress};
use super::input::{ChunkInput, Input, RecordView};
use super::reader::{ChunkText, InputReader};
use super::text_input::MAX_CHUNK_TEXT;
use crate::arrow::records::{RecordColumns, RecordTexts};
use crate::format::{Alphabets, InputOptions, typed_layout};

/// How many records are used to detect the alphabets.
const SAMPLE: usize = 500;

/// The batches of an input.
pub(super) type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// One open input with typed columns.
pub(super) struct TypedReader {
    input: Arc<Input>,
    columns: RecordColumns,
    batches: Batches,
    /// The batch that is read, if there is one.
    batch: Option<RecordTexts>,
    /// The number of records that were read.
    records: u64,
    /// The text of the next record, if it was peeked at and not consumed yet.
    peeked: Option<Vec<u8>>,
    size: StoredSize,
}

/// The size of an input as it is stored, of which each record takes its share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredSize {
    pub(super) bytes: u64,
    pub(super) records: u64,
}

impl StoredSize {
    /// The share of the first `records` records.
    fn of_first(self, records: u64) -> u64 {
        if self.records == 0 {
            0
        } else {
            (u128::from(self.bytes) * u128::from(records) / u128::from(self.records)) as u64
        }
    }
}

impl TypedReader {
    /// Reads batches with these columns.
    pub(super) fn new(
        name: String,
        columns: RecordColumns,
        mut batches: Batches,
        size: StoredSize,
        options: &InputOptions,
    ) -> Result<TypedReader, CorpusError> {
        let failed = |source| read_error(&name, 0, source);
        let mut batch = None;
        while batch.as_ref().is_none_or(|batch: &RecordTexts| batch.left() == 0) {
            match batches.next() {
                Some(next) => batch = Some(columns.open(&next.map_err(failed)?).map_err(failed)?),
                None => break,
            }
        }
        let alphabets: Alphabets = options.alphabets.iter().copied().collect();
        let (mut sample, mut found) = (Vec::new(), Vec::new());
        if let Some(batch) = &mut batch {
            batch.read(&alphabets, 1, (SAMPLE, usize::MAX), &mut sample, &mut found).map_err(failed)?;
            batch.unread(found.len());
        }
        let is_complete = batch.as_ref().is_none_or(|batch| batch.left() == found.len());
        let layout = typed_layout(columns.header(), columns.names(), columns.fields(), &sample, is_complete, options);
        let layout = layout.map_err(|source| CorpusError::Detect { name: name.clone(), source })?;
        let input = Arc::new(Input { name, compression: None, layout });
        Ok(TypedReader { input, columns, batches, batch, records: 0, peeked: None, size })
    }

    /// Opens the next batch if the current one is over; returns whether there are records.
    fn open_batch(&mut self) -> Result<bool, CorpusError> {
        while self.batch.as_ref().is_none_or(|batch| batch.left() == 0) {
            let Some(next) = self.batches.next() else { return Ok(false) };
            let opened = next.and_then(|batch| self.columns.open(&batch));
            self.batch = Some(opened.map_err(|source| read_error(&self.input.name, self.records, source))?);
        }
        Ok(true)
    }

    /// Counts records; returns their size as it is stored.
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

    fn kept(&self) -> Option<Vec<Field>> {
        Some(self.columns.kept())
    }

    fn fill(&mut self, chunk: ChunkText<'_>, records: usize) -> Result<(), CorpusError> {
        self.peeked = None;
        if self.open_batch()?
            && let Some(batch) = &mut self.batch
        {
            let (line, alphabets) = (self.records + 1, self.input.layout.alphabets());
            let limits = (records, MAX_CHUNK_TEXT);
            let kept = batch.read(alphabets, line, limits, chunk.text, chunk.records);
            let kept = Some(kept.map_err(|source| read_error(&self.input.name, self.records, source))?);
            *chunk.input = Some(ChunkInput { input: Arc::clone(&self.input), kept });
            *chunk.input_bytes += self.advance(chunk.records.len() as u64);
        }
        Ok(())
    }

    fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError> {
        self.peeked = None;
        let mut skipped = 0;
        while skipped < records && self.open_batch()? {
            let Some(batch) = &mut self.batch else { break };
            let some = usize::try_from(records - skipped).unwrap_or(usize::MAX).min(batch.left());
            batch.skip(some);
            skipped += some as u64;
            *bytes += self.advance(some as u64);
        }
        Ok(skipped)
    }

    fn peek(&mut self, _bytes: &mut u64) -> Result<bool, CorpusError> {
        if self.peeked.is_none()
            && self.open_batch()?
            && let Some(batch) = &mut self.batch
        {
            let (mut text, alphabets) = (Vec::new(), self.input.layout.alphabets());
            let read = batch.read(alphabets, 0, (1, usize::MAX), &mut text, &mut Vec::new());
            read.map_err(|source| read_error(&self.input.name, self.records, source))?;
            batch.unread(1);
            self.peeked = Some(text);
        }
        Ok(self.peeked.is_some())
    }

    fn peeked(&self) -> Option<RecordView<'_>> {
        let (text, line_end) = self.peeked.as_ref()?.split_at(self.peeked.as_ref()?.len() - 1);
        Some(RecordView { input: &self.input, line: self.records + 1, text, line_end })
    }

    fn consume(&mut self, bytes: &mut u64) -> bool {
        let was_peeked = self.peeked.take().is_some();
        if was_peeked && let Some(batch) = &mut self.batch {
            batch.skip(1);
            *bytes += self.advance(1);
        }
        was_peeked
    }
}

fn read_error(name: &str, records: u64, source: ArrowError) -> CorpusError {
    let progress = ReadProgress { records, line: records };
    CorpusError::Batch { name: name.to_owned(), progress, source: io::Error::other(source) }
}

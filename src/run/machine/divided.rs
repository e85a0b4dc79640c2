//! Divides chunks whose records have many rows, so that the rows of a chunk take bounded memory.
//!
//! ```text
//!   Corpus -> chunk: 3 records -> DividedCorpus -> records 1 and 2, all rows
//!                                                  record 3, rows 0..16384
//!                                                  record 3, rows 16384..32768, ...
//! ```
//!
//! So several threads can make the rows of one record. The number of rows may be unknown until the record is parsed:
//! the first worker that reaches the end [reports it](RowRange::end), and the record is not passed on again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::corpus::{ChunkInput, Corpus, CorpusError, RecordContent, RowRange};
use crate::pipeline::{Chunk, Filled, Record, Source};

/// The maximum number of rows of a chunk.
const MAX_ROWS: u64 = 1 << 14;

/// The maximum number of bytes of a chunk's rows, estimating each row at the length of its record. A single row may
/// exceed it.
const MAX_BYTES: u64 = 8 << 20;

/// A corpus whose records have up to `rows` rows each.
pub(crate) struct DividedCorpus {
    corpus: Corpus,
    /// The maximum number of rows of a record.
    rows: u64,
    /// The chunk that is being divided.
    chunk: Chunk<ChunkInput>,
    /// The index of the next record, and its first row that was not passed on.
    next: usize,
    row: u64,
    /// Whether that record has no more rows.
    over: Arc<AtomicBool>,
}

impl DividedCorpus {
    pub(crate) fn new(corpus: Corpus, rows: u64) -> DividedCorpus {
        DividedCorpus { corpus, rows, chunk: Chunk::new(), next: 0, row: 0, over: Arc::default() }
    }

    /// The maximum number of rows of a record in one chunk.
    fn most_rows(&self, record: usize) -> u64 {
        let size = ChunkInput::contents(&self.chunk).nth(record).map_or(1, |content| content.size().max(1));
        (MAX_BYTES / size as u64).clamp(1, MAX_ROWS)
    }

    /// The number of next records whose rows all fit into one chunk.
    fn complete_records(&self) -> usize {
        let (mut bytes, mut rows) = (0, 0);
        let is_within = |content: &RecordContent<'_>| {
            bytes += self.rows.saturating_mul(content.size() as u64);
            rows += self.rows;
            bytes <= MAX_BYTES && rows <= MAX_ROWS
        };
        ChunkInput::contents(&self.chunk).skip(self.next).take_while(is_within).count()
    }

    /// Moves the next rows to `part`: all rows of some records, or some rows of one record.
    fn take_part(&mut self, part: &mut Chunk<ChunkInput>) {
        let (first, complete) = (self.next, if self.row == 0 { self.complete_records() } else { 0 });
        let rows = if complete > 0 {
            self.next += complete;
            RowRange::ALL
        } else {
            if self.row == 0 {
                // A new flag, because workers may still have the flag of the record before.
                self.over = Arc::default();
            }
            let end = self.rows.min(self.row.saturating_add(self.most_rows(first)));
            let rows = RowRange::new(self.row..end, &self.over);
            self.row = end;
            if end == self.rows {
                (self.next, self.row) = (first + 1, 0);
            }
            rows
        };

        // One record at least, even if its rows do not fit.
        let records = &self.chunk.records[first..first + complete.max(1)];
        let (start, end) = (records[0].text.start, records[records.len() - 1].text.end);
        part.text.extend_from_slice(&self.chunk.text[start..end]);
        let moved = |&Record { ref text, line }: &Record| Record { text: text.start - start..text.end - start, line };
        part.records.extend(records.iter().map(moved));
        part.input = self.chunk.input.as_ref().map(|input| input.part(first..first + records.len(), rows));
        // The first part has the bytes of the complete chunk, so that they count once.
        part.input_bytes = std::mem::take(&mut self.chunk.input_bytes);
    }
}

impl Source for DividedCorpus {
    type Input = ChunkInput;
    type Error = CorpusError;

    fn fill(&mut self, chunk: &mut Chunk<ChunkInput>, records: usize) -> Result<Filled, CorpusError> {
        // Without division, the text of the records is not copied.
        if self.rows <= 1 {
            return self.corpus.fill(chunk, records);
        }
        // If the flag is seen late, some parts have no rows, which is slower but not wrong.
        if self.row > 0 && self.over.load(Ordering::Relaxed) {
            (self.next, self.row) = (self.next + 1, 0);
        }
        if self.next == self.chunk.records.len() {
            self.chunk.clear();
            self.next = 0;
            if self.corpus.fill(&mut self.chunk, records)? == Filled::Nothing {
                return Ok(Filled::Nothing);
            }
        }
        if self.chunk.records.is_empty() {
            // The rest of a record that was cut off.
            chunk.text.extend_from_slice(&self.chunk.text);
            (chunk.input, chunk.input_bytes) = (self.chunk.input.take(), self.chunk.input_bytes);
        } else {
            self.take_part(chunk);
        }
        Ok(Filled::Records)
    }

    fn is_in_memory(&self) -> bool {
        self.corpus.is_in_memory()
    }
}

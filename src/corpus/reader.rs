//! What a corpus asks of one open input. Text and typed columns have a reader each.

use std::sync::Arc;

#[cfg(feature = "arrow")]
use arrow_schema::Field;

use super::error::CorpusError;
use super::input::{ChunkInput, Input, RecordView};
use crate::pipeline::{Chunk, Record};

/// Reads the records of one input, in order.
pub(super) trait InputReader: Send {
    /// The input.
    fn input(&self) -> &Arc<Input>;

    /// Whether the next text belongs to the last record, which was cut off.
    fn is_within_record(&self) -> bool {
        false
    }

    /// Moves records into an empty chunk until it has `records` of them or enough text, or the input ends; sets its input
    /// if it got any. The rest of a record that was cut off comes next, in chunks of its own.
    fn fill(&mut self, chunk: ChunkText<'_>, records: usize) -> Result<(), CorpusError>;

    /// Skips up to `records` records; returns how many there were. Adds their size, as stored, to `bytes`.
    fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError>;

    /// Finds the next record for [`peeked`](InputReader::peeked); returns whether there is one. Adds the stored bytes
    /// before it to `bytes`.
    fn peek(&mut self, bytes: &mut u64) -> Result<bool, CorpusError>;

    /// The record that was peeked at, if it was not consumed yet.
    fn peeked(&self) -> Option<RecordView<'_>>;

    /// Consumes the record that was peeked at; returns whether there was one. Adds its size, as stored, to `bytes`.
    fn consume(&mut self, bytes: &mut u64) -> bool;

    /// Calls `each` with the rest of the last record, piece by piece, if it was cut off.
    fn consume_rest(&mut self, _bytes: &mut u64, _each: &mut dyn FnMut(&[u8])) -> Result<(), CorpusError> {
        Ok(())
    }

    /// The types of the columns that are copied to the output, if the input has typed columns.
    #[cfg(feature = "arrow")]
    fn kept(&self) -> Option<Vec<Field>> {
        None
    }
}

/// What a reader fills of a chunk.
pub(super) struct ChunkText<'a> {
    pub(super) input: &'a mut Option<ChunkInput>,
    pub(super) text: &'a mut Vec<u8>,
    pub(super) records: &'a mut Vec<Record>,
    /// How many bytes of the stored input were consumed for this chunk.
    pub(super) input_bytes: &'a mut u64,
}

impl<'a> ChunkText<'a> {
    pub(super) fn new<N>(chunk: &'a mut Chunk<ChunkInput, N>) -> ChunkText<'a> {
        let Chunk { input, text, records, input_bytes, .. } = chunk;
        ChunkText { input, text, records, input_bytes }
    }
}

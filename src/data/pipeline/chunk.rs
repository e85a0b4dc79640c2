//! A chunk: a number, the text of some records, and their output. Also the number of records for the next chunk.
//!
//! Large chunks keep every lane of an engine busy and cost little for each record. Small ones spread a short input over
//! all threads and keep progress smooth where a single puzzle takes long. So chunks start small, grow at most fourfold
//! from one to the next, and should take a worker no longer than [`TARGET_TIME`].

use std::any::Any;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The position of one record in the text of its chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The range of its bytes in the text.
    pub text: Range<usize>,
    /// The number of the record's first line in the input, from 1.
    pub line: u64,
}

/// Some records on their way from the source through a worker to the output.
///
/// A chunk is reused: its buffers are cleared but keep their memory. `I` is the type of the source's
/// [`Input`](super::Source::Input). The type of the results is not part of the chunk's: the stages and channels of a run
/// would be compiled once for each job.
#[derive(Debug)]
pub struct Chunk<I> {
    number: u64,
    /// The input that all records of the chunk are from; set by the source if the chunk has records.
    pub input: Option<I>,
    /// The text of the records and between them, up to the line end of the last. Without records, it is more text of
    /// the last record of the chunk before, which was cut off.
    pub text: Vec<u8>,
    /// The records, in the order of the input.
    pub records: Vec<Record>,
    /// The number of bytes of the stored input that were consumed for this chunk, for progress.
    pub input_bytes: u64,
    /// The output of the worker.
    pub output: Vec<u8>,
    /// See [`Chunk::results`].
    results: Box<dyn Any + Send>,
}

impl<I> Chunk<I> {
    pub(crate) fn new() -> Chunk<I> {
        let (text, records, output, results) = (vec![], vec![], vec![], Box::new(()));
        Chunk { number: 0, input: None, text, records, input_bytes: 0, output, results }
    }

    pub(super) fn set_number(&mut self, number: u64) {
        self.number = number;
    }

    pub(crate) fn clear(&mut self) {
        self.input = None;
        self.text.clear();
        self.records.clear();
        self.input_bytes = 0;
        self.output.clear();
    }

    /// The position of the chunk in the input, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The results of the worker for the `finish` function of the run, apart from the output. The next worker gets them
    /// as they are, and clears them without giving up their memory. All workers of a run have results of one type.
    pub fn results<R: Default + Send + 'static>(&mut self) -> &mut R {
        if !self.results.is::<R>() {
            self.results = Box::<R>::default();
        }
        self.results.downcast_mut().expect("the type was looked at")
    }

    /// The line and the text of each record.
    pub fn texts(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.records.iter().map(|record| (record.line, &self.text[record.text.clone()]))
    }
}

/// The number of records in a chunk. The output does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkSize {
    /// The number that keeps a worker busy for about 30 ms.
    Adaptive {
        /// The number of records in the first chunks.
        first: NonZeroUsize,
        /// The maximum number of records in a chunk.
        most: NonZeroUsize,
    },
    /// Always this many.
    Fixed(NonZeroUsize),
}

/// The longest time that a worker should need for a chunk.
const TARGET_TIME: Duration = Duration::from_millis(30);

/// The number of records for the next chunk, shared by the reader and all workers.
#[derive(Clone, Debug)]
pub(super) struct ChunkSizer {
    records: Arc<AtomicUsize>,
    size: ChunkSize,
}

impl ChunkSizer {
    pub(super) fn new(size: ChunkSize) -> ChunkSizer {
        let first = match size {
            ChunkSize::Fixed(records) => records.get(),
            ChunkSize::Adaptive { first, most } => most.min(first).get(),
        };
        ChunkSizer { records: Arc::new(AtomicUsize::new(first)), size }
    }

    pub(super) fn records(&self) -> usize {
        self.records.load(Ordering::Relaxed)
    }

    /// Calls `work`, which processes a chunk of `records` records, and adapts the size to the time that it takes.
    pub(super) fn time(&self, records: usize, work: impl FnOnce()) {
        let start = Instant::now();
        work();
        if let ChunkSize::Adaptive { most, .. } = self.size {
            self.records.store(next_size(records, start.elapsed(), most), Ordering::Relaxed);
        }
    }
}

/// The size after a chunk of `records` records that took `elapsed`: the number that takes [`TARGET_TIME`], but at most
/// four times the number before.
fn next_size(records: usize, elapsed: Duration, most: NonZeroUsize) -> usize {
    let in_target_time = TARGET_TIME.as_nanos() * records as u128 / elapsed.as_nanos().max(1);
    usize::try_from(in_target_time).unwrap_or(usize::MAX).min(4 * records.max(1)).clamp(1, most.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunk_sizes_follow_the_time_that_chunks_take() {
        let most = NonZeroUsize::new(1000).unwrap();
        assert_eq!(next_size(64, Duration::from_micros(10), most), 256);
        assert_eq!(next_size(800, Duration::from_micros(10), most), 1000);
        assert_eq!(next_size(64, TARGET_TIME * 4, most), 16);
        assert_eq!(next_size(1, Duration::from_secs(9), most), 1);
        assert_eq!(next_size(0, Duration::ZERO, most), 1);
    }
}

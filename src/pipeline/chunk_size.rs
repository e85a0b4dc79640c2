//! How many records the next chunk should hold.
//!
//! Large chunks keep every lane of an engine busy and cost little a record; small ones spread a short input over all
//! threads and keep progress smooth where a single puzzle takes long. So chunks start small, grow fourfold, and stay as
//! short as [`TARGET_TIME`].

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::ChunkSize;

/// How many records the first chunks hold.
const FIRST: usize = 64;

/// How long a worker should be busy with a chunk at the most.
const TARGET_TIME: Duration = Duration::from_millis(30);

/// The number of records wanted in the next chunk, known to the reader and to all workers.
#[derive(Clone, Debug)]
pub(super) struct ChunkSizer {
    records: Arc<AtomicUsize>,
    size: ChunkSize,
}

impl ChunkSizer {
    pub(super) fn new(size: ChunkSize) -> ChunkSizer {
        let first = match size {
            ChunkSize::Fixed(records) => records.get(),
            ChunkSize::Adaptive { most } => most.get().min(FIRST),
        };
        ChunkSizer { records: Arc::new(AtomicUsize::new(first)), size }
    }

    pub(super) fn records(&self) -> usize {
        self.records.load(Ordering::Relaxed)
    }

    /// Does the work on a chunk of so many records, and learns from how long it takes.
    pub(super) fn time(&self, records: usize, work: impl FnOnce()) {
        let start = Instant::now();
        work();
        if let ChunkSize::Adaptive { most } = self.size {
            self.records.store(next(records, start.elapsed(), most), Ordering::Relaxed);
        }
    }
}

/// The size to follow a chunk of `records` that took `elapsed`: at most four times as large, and no longer than a moment.
fn next(records: usize, elapsed: Duration, most: NonZeroUsize) -> usize {
    let in_a_moment = TARGET_TIME.as_nanos() * records as u128 / elapsed.as_nanos().max(1);
    usize::try_from(in_a_moment).unwrap_or(usize::MAX).min(4 * records.max(1)).clamp(1, most.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_chunks_grow_and_slow_ones_shrink() {
        let most = NonZeroUsize::new(1000).unwrap();
        assert_eq!(next(64, Duration::from_micros(10), most), 256);
        assert_eq!(next(800, Duration::from_micros(10), most), 1000);
        assert_eq!(next(64, TARGET_TIME * 4, most), 16);
        assert_eq!(next(1, Duration::from_secs(9), most), 1);
        assert_eq!(next(0, Duration::ZERO, most), 1);
    }
}

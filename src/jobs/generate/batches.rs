//! Batches of puzzles, which a thread makes ahead of their use.
//!
//! ```text
//!   PuzzleBatches: a thread with a Generator -> bounded channel -> PuzzleBatch, ...
//! ```

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::{Generate, GenerateError, Generator};
use crate::pipeline::{PipelineError, Stop};
use crate::run::JobError;

/// The maximum number of finished batches that wait.
const AHEAD: usize = 4;

/// The maximum number of puzzles made in one call.
const MOST_AT_ONCE: usize = 2048;

/// If some batches took less time than this, more are made in the next call, which is faster.
const SHORT: Duration = Duration::from_millis(20);

/// The numbers of the batches to make: the first one, and every `step`-th after it. Batch `b` has the puzzles from
/// number `b * size` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchNumbers {
    /// The number of the first batch, from 0.
    pub first: u64,
    /// The distance between batches.
    pub step: NonZeroU64,
    /// The number of puzzles of a batch.
    pub size: NonZeroUsize,
}

/// Puzzles and their solutions, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleBatch {
    /// The cells of the puzzles.
    pub puzzles: Vec<u8>,
    /// The cells of the solutions.
    pub solutions: Vec<u8>,
}

/// Batches from a thread, which works until this is dropped. They end after a failure, or after all puzzles of the
/// seed.
#[derive(Debug)]
pub struct PuzzleBatches {
    made: Receiver<Result<PuzzleBatch, GenerateError>>,
    is_dropped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Generate {
    /// Starts a thread that makes batches of the puzzles. It has no end and keeps isomorphs, so the count, the format
    /// and the options for distinct puzzles have no effect.
    ///
    /// ```
    /// use std::num::{NonZeroU64, NonZeroUsize};
    ///
    /// use gridmill::jobs::Generate;
    /// use gridmill::jobs::generate::BatchNumbers;
    ///
    /// let (step, size) = (NonZeroU64::MIN, NonZeroUsize::new(16).unwrap());
    /// let mut batches = Generate::new(0).seed(1).batches(BatchNumbers { first: 0, step, size })?;
    /// assert_eq!(batches.next().unwrap()?.puzzles.len(), 16 * 81);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there can be no such puzzle, the engine cannot be built, or the thread cannot be started.
    pub fn batches(&self, numbers: BatchNumbers) -> Result<PuzzleBatches, JobError> {
        let is_dropped = Arc::new(AtomicBool::new(false));
        let stop = Stop::with({
            let is_dropped = Arc::clone(&is_dropped);
            move || is_dropped.load(Ordering::Relaxed)
        });
        let mut maker = Maker { generator: self.generator()?.stop(stop), skip: self.job.skip, numbers };
        let (sender, made) = bounded(AHEAD);
        let run = move || {
            if let Err(error) = maker.make(&sender) {
                // A failure to send does not matter: nobody is waiting any more.
                let _ = sender.send(Err(error));
            }
        };
        let thread = thread::Builder::new().name("gridmill".to_owned()).spawn(run).map_err(PipelineError::Threads)?;
        Ok(PuzzleBatches { made, is_dropped, thread: Some(thread) })
    }
}

impl PuzzleBatches {
    /// The next batch, if it is ready within this time; `Some(None)` if there are no more.
    ///
    /// # Panics
    ///
    /// If the thread panicked, because of a bug.
    pub fn next_within(&mut self, time: Duration) -> Option<Option<Result<PuzzleBatch, GenerateError>>> {
        match self.made.recv_timeout(time) {
            Ok(batch) => Some(Some(batch)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.thread.take().map_or(Ok(()), JoinHandle::join).unwrap_or_else(|panic| resume_unwind(panic));
                Some(None)
            }
        }
    }
}

impl Iterator for PuzzleBatches {
    type Item = Result<PuzzleBatch, GenerateError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = self.next_within(Duration::MAX) {
                return next;
            }
        }
    }
}

impl Drop for PuzzleBatches {
    /// Ends the thread, and waits until it has ended.
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
        // Drops the channel, because the thread may wait until there is room in it.
        self.made = crossbeam_channel::never();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread is ignored, because nobody takes batches any more.
            let _ = thread.join();
        }
    }
}

/// Makes batches, one after the other.
struct Maker {
    generator: Generator,
    /// The number of the first puzzle of the first batch.
    skip: u64,
    numbers: BatchNumbers,
}

impl Maker {
    /// Makes batches until nobody takes them, or all numbers are used.
    ///
    /// # Errors
    ///
    /// If there is no further puzzle.
    fn make(&mut self, made: &Sender<Result<PuzzleBatch, GenerateError>>) -> Result<(), GenerateError> {
        let (size, cells) = (self.numbers.size.get(), self.generator.size().cells());
        let mut at_once = 1;
        loop {
            let starts: Vec<u64> = self.starts().take(at_once).collect();
            if starts.is_empty() {
                return Ok(());
            }

            let before = Instant::now();
            let mut grids = [(); 2].map(|()| vec![0; starts.len() * size * cells]);
            let [puzzles, solutions] = &mut grids;
            let number = |index: usize| starts[index / size] + (index % size) as u64;
            match self.generator.work(number, puzzles, solutions, |_| ControlFlow::Continue(())) {
                Ok(ControlFlow::Continue(_)) => {}
                Ok(ControlFlow::Break(())) => return Ok(()),
                // The batches before the failing one still have to be made, no matter how many are made in one call.
                Err(_) if starts.len() > 1 => {
                    at_once = 1;
                    continue;
                }
                Err(error) => return Err(error),
            }
            self.numbers.first += starts.len() as u64 * self.numbers.step.get();
            if before.elapsed() < SHORT && 2 * at_once * size <= MOST_AT_ONCE {
                at_once *= 2;
            }

            for (puzzles, solutions) in puzzles.chunks(size * cells).zip(solutions.chunks(size * cells)) {
                let batch = PuzzleBatch { puzzles: puzzles.to_vec(), solutions: solutions.to_vec() };
                if made.send(Ok(batch)).is_err() {
                    return Ok(());
                }
            }
        }
    }

    /// The numbers of the first puzzles of the next batches.
    fn starts(&self) -> impl Iterator<Item = u64> {
        let BatchNumbers { first, step, size } = self.numbers;
        let (skip, size) = (self.skip, size.get() as u64);
        let batches = std::iter::successors(Some(first), move |batch| batch.checked_add(step.get()));
        batches.map_while(move |batch| {
            let start = batch.checked_mul(size)?.checked_add(skip)?;
            start.checked_add(size).map(|_| start)
        })
    }
}

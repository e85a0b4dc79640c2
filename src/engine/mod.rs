//! Engines: a batch of puzzles in, a batch of verdicts out.
//!
//! An engine knows Sudoku, and nothing of threads, files or text. Each thread owns one; its scratch memory is reused
//! from puzzle to puzzle and from batch to batch.

pub mod bitmask;
mod choice;
pub mod dlx;
#[expect(clippy::inline_always, reason = "only what is inlined is compiled with the instructions of a vector type")]
#[expect(clippy::needless_range_loop, reason = "the indices are coordinates, of several arrays at once")]
pub mod lanes;
mod list;
mod matching;
pub mod solver;
mod verdict;

use std::num::NonZeroU64;

pub use self::choice::{EngineKind, UnknownEngine};
pub use self::list::{ListOutcome, Lister};
pub use self::verdict::{Cost, Count, Verdict, Verdicts};
use crate::puzzle::Batch;

/// Solves batches of puzzles.
///
/// The call is once for some thousand puzzles, so engines of all kinds stand behind `dyn Engine` at no cost.
pub trait Engine: Send {
    /// Solves every puzzle of `batch`, counting solutions up to `limit`; one verdict a puzzle, in order.
    ///
    /// `verdicts` is made to fit the batch; what it held before is gone. Any values of a [`Batch`] are fine: a puzzle
    /// whose clues contradict each other has no solution.
    fn solve(&mut self, batch: &Batch, limit: Limit, verdicts: &mut Verdicts);
}

/// How far solutions are counted before a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(NonZeroU64);

impl Limit {
    /// Stop at the first solution.
    pub const FIRST: Limit = Limit(NonZeroU64::MIN);

    /// Stop at the second: enough to know whether a puzzle is unique.
    pub const UNIQUE: Limit = Limit(NonZeroU64::MIN.saturating_add(1));

    /// Stop at solution number `count`.
    pub const fn new(count: NonZeroU64) -> Limit {
        Limit(count)
    }

    /// The number of solutions to stop at, at least 1.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

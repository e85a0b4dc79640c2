//! Engines, which solve batches of puzzles and return a verdict on each.
//!
//! An engine knows the rules of Sudoku, but nothing about threads, files or text. Each thread owns one; its scratch
//! memory is reused for the next puzzle and the next batch.

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

use std::fmt;
use std::num::NonZeroU64;

pub use self::choice::{EngineKind, UnknownEngine};
pub use self::list::{ListOutcome, Lister};
use self::verdict::SolutionCount;
pub use self::verdict::{Cost, Verdict, Verdicts};
use crate::puzzle::Batch;

/// Solves batches of puzzles.
///
/// An engine is called once for some thousand puzzles, so calls through `dyn Engine` cost nothing.
pub trait Engine: fmt::Debug + Send {
    /// Solves every puzzle of `batch`, counting solutions up to `limit`, and replaces `verdicts` by a verdict on each, in
    /// the same order.
    ///
    /// A puzzle whose clues contradict each other has no solution.
    fn solve(&mut self, batch: &Batch, limit: Limit, verdicts: &mut Verdicts);
}

/// The number of solutions at which a search stops, at least 1.
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

//! Engines, which solve batches of puzzles and return a verdict on each.
//!
//! An engine knows the rules of Sudoku, but nothing about threads, files or text. Each thread owns one engine and
//! reuses its scratch memory for all batches.

#[doc(hidden)]
pub mod bitmask;
mod bounds;
mod choice;
#[doc(hidden)]
pub mod dlx;
mod first;
// Only inlined code is compiled with the instructions of a vector type, so the loops cannot be closures.
#[doc(hidden)]
#[expect(clippy::needless_range_loop, reason = "the indices are coordinates, of several arrays at once")]
pub mod lanes;
mod list;
mod matching;
mod question;
#[doc(hidden)]
pub mod solver;
mod verdict;

use std::fmt;
use std::ops::ControlFlow;

pub use self::bounds::{Bounds, Limit, MaxBranches};
pub use self::choice::EngineKind;
#[doc(hidden)]
pub use self::first::FirstSolutions;
pub use self::lanes::{Simd, SimdError};
#[doc(hidden)]
pub use self::list::{ListOutcome, Lister};
#[doc(hidden)]
pub use self::question::Question;
pub use self::verdict::{Cost, SearchEnd, Verdict, Verdicts};
use self::verdict::{SolutionCells, SolutionCount};
use crate::clock::Instant;
use crate::puzzle::Batch;
pub use crate::stop::Stop;

/// Solves batches of puzzles.
///
/// An engine is called once for some thousand puzzles, so the cost of calls through `dyn Engine` does not matter.
pub trait Engine: fmt::Debug + Send {
    /// Solves every puzzle of `batch` within the bounds, and replaces `verdicts` by the verdicts on them, in the same
    /// order.
    ///
    /// A puzzle whose clues contradict each other has no solution. After a [stop](Bounds::stop), the verdicts are
    /// meaningless.
    fn solve(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts);

    /// Solves a batch as [`solve`](Engine::solve) does, but finds the solutions of each puzzle in lexicographic order.
    /// Returns false, and does nothing, if the engine cannot do that for puzzles of this size.
    ///
    /// Set a bound on branches: for puzzles with few clues this can take very many.
    fn solve_in_order(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) -> bool {
        let _ = (batch, bounds, verdicts);
        false
    }
}

/// Counts the solutions of one puzzle of a batch.
struct SolutionCounter<'a> {
    verdicts: &'a mut Verdicts,
    /// The number of the puzzle.
    index: usize,
    bounds: Bounds<'a>,
}

impl SolutionCounter<'_> {
    /// Counts one more solution, and breaks once there are as many as the limit.
    fn count(&mut self, solution: &[u8]) -> ControlFlow<SearchEnd> {
        self.bounds.after_solution(self.verdicts.count_solution(self.index, solution))
    }
}

/// Solves a batch one puzzle at a time, until the bounds stop it: the loop shared by all searches that do not solve
/// several puzzles at once.
///
/// `search` gets the cells of a puzzle and a counter for its solutions. It returns how the search ended, and its
/// branches.
fn solve_each(
    batch: &Batch,
    bounds: Bounds<'_>,
    verdicts: &mut Verdicts,
    mut search: impl FnMut(&[u8], &mut SolutionCounter<'_>) -> (SearchEnd, u64),
) {
    verdicts.reset(batch);

    // Each puzzle starts when the one before ends, so one reading of the clock for each is enough.
    let mut before = Instant::now();
    for (index, puzzle) in batch.puzzles().enumerate() {
        if bounds.is_stopped() {
            return;
        }
        let (end, branches) = search(puzzle, &mut SolutionCounter { verdicts, index, bounds });

        let now = Instant::now();
        verdicts.finish(index, end, branches, (now - before).as_nanos() as u64);
        before = now;
    }
}

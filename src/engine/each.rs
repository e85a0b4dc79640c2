//! Solves the puzzles of a batch one after another: the loop of all engines and searches that take one puzzle at a time.

use std::ops::ControlFlow;
use crate::clock::Instant;

use super::{Bounds, SearchEnd, Verdicts};
use crate::puzzle::Batch;

/// Counts the solutions of one puzzle of a batch.
pub(super) struct SolutionCounter<'a> {
    verdicts: &'a mut Verdicts,
    /// The number of the puzzle.
    index: usize,
    bounds: Bounds<'a>,
}

impl SolutionCounter<'_> {
    /// Counts one more solution. Breaks if the search has as many as its limit.
    pub(super) fn count(&mut self, solution: &[u8]) -> ControlFlow<SearchEnd> {
        self.bounds.after_solution(self.verdicts.count_solution(self.index, solution))
    }
}

/// Replaces `verdicts` by those of a batch, until the bounds stop it.
///
/// `search` gets the cells of a puzzle and counts its solutions. It returns how the search ended, and its branches.
pub(super) fn solve_each(
    batch: &Batch,
    bounds: Bounds<'_>,
    verdicts: &mut Verdicts,
    mut search: impl FnMut(&[u8], &mut SolutionCounter<'_>) -> (SearchEnd, u64),
) {
    verdicts.reset(batch);

    // The end of a puzzle is the start of the next: one look at the clock for each.
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

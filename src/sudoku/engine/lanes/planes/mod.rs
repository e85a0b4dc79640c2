//! The search for 16x16 and 25x25 in vectors: one puzzle at a time, with one digit in each lane.
//!
//! The state is the set of columns that each digit may be in, in each row ([layout]); the same row of all digits is one
//! vector or a few. A [sweep] applies singles and locked candidates to all houses at once, without branches, and is
//! repeated until singles eliminate nothing: some four times for each node. A node of a 16x16 puzzle has 512 bytes, so
//! the search backtracks to copies. The [choice] of a guess looks at all [constraints](constraint) at once as well.
//!
//! Nothing depends on the width of the vectors: digits in different lanes meet only in sums and minima over all lanes.

mod choice;
mod constraint;
mod layout;
mod search;
mod sweep;

use self::search::{PlaneSearch, PlaneTask};
use super::vector::Vector;
use crate::engine::{Bounds, Verdicts, solve_each};
use crate::puzzle::{Batch, Size};

/// The scratch memory of searches.
pub(super) struct Planes {
    four: Box<PlaneSearch<4, 8, 16>>,
    five: Box<PlaneSearch<5, 25, 32>>,
}

impl Planes {
    pub(super) fn new() -> Planes {
        Planes { four: Box::new(PlaneSearch::new()), five: Box::new(PlaneSearch::new()) }
    }

    /// Whether there is a search for a size.
    pub(super) fn can_solve(size: Size) -> bool {
        matches!(size, Size::Sixteen | Size::TwentyFive)
    }

    /// Solves a batch of a size that [can be solved](Planes::can_solve).
    pub(super) fn solve<V: Vector>(&mut self, proof: V, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        match batch.size() {
            Size::Sixteen => solve_all(proof, &mut self.four, batch, bounds, verdicts),
            Size::TwentyFive => solve_all(proof, &mut self.five, batch, bounds, verdicts),
            other => unreachable!("{other} has other searches"),
        }
    }
}

fn solve_all<V: Vector, const ORDER: usize, const WORDS: usize, const DIGITS: usize>(
    proof: V,
    search: &mut PlaneSearch<ORDER, WORDS, DIGITS>,
    batch: &Batch,
    bounds: Bounds<'_>,
    verdicts: &mut Verdicts,
) {
    solve_each(batch, bounds, verdicts, |puzzle, counter| {
        search.load(puzzle);
        let found = |solution: &[u8]| counter.count(solution);
        let end = proof.call(PlaneTask { proof, search: &mut *search, bounds, found });
        (end, search.branches())
    });
}

//! The search for 16x16 and 25x25 in vectors: one puzzle at a time, its digits side by side in the lanes.
//!
//! The state is a word for each row and digit, with the columns that the digit may be in; the same row of all digits is
//! one vector or a few. A [sweep] applies singles and locked candidates to all houses at once, without branches, and is
//! repeated until nothing changes: some four times for each node. A node of a 16x16 puzzle is 1 kB, so a copy of it is
//! kept to backtrack to. The [choice] of a guess looks at all constraints at once as well.
//!
//! Nothing depends on the width of the vectors: digits in different lanes meet only in sums and minima over all lanes.

mod choice;
mod search;
mod sweep;

use std::ops::ControlFlow;
use std::time::Instant;

use self::search::{Run, Search};
use super::vector::Vector;
use crate::engine::{Bounds, SearchEnd, Verdicts};
use crate::puzzle::{Batch, Geometry, Order};

/// The scratch memory of searches.
pub(super) struct Planes {
    four: Box<Search<4, 16, 16>>,
    five: Box<Search<5, 25, 32>>,
}

impl Planes {
    pub(super) fn new() -> Planes {
        Planes { four: Box::new(Search::new()), five: Box::new(Search::new()) }
    }

    /// Solves a batch of 16x16 or 25x25.
    pub(super) fn solve<V: Vector>(&mut self, proof: V, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        verdicts.reset(batch);
        if batch.order() == Order::Four {
            solve_all(proof, &mut self.four, batch, bounds, verdicts);
        } else {
            solve_all(proof, &mut self.five, batch, bounds, verdicts);
        }
    }
}

fn solve_all<V: Vector, const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    proof: V,
    search: &mut Search<ORDER, SIDE, DIGITS>,
    batch: &Batch,
    bounds: Bounds<'_>,
    verdicts: &mut Verdicts,
) {
    let geometry = Geometry::of(batch.order());
    let mut before = Instant::now();
    for (index, puzzle) in batch.puzzles().enumerate() {
        if bounds.is_stopped() {
            return;
        }
        let (mut end, mut branches) = (SearchEnd::Complete, 0);
        if !has_conflict(geometry, puzzle) {
            search.load(puzzle);
            let found = |solution: &[u8]| {
                if verdicts.count_solution(index, solution) >= bounds.solutions.get() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            end = proof.call(Run { proof, search: &mut *search, bounds, found });
            branches = search.branches();
        }
        let now = Instant::now();
        verdicts.finish(index, end, branches, (now - before).as_nanos() as u64);
        before = now;
    }
}

/// Whether a house has two equal clues.
fn has_conflict(geometry: &Geometry, puzzle: &[u8]) -> bool {
    let mut taken = [[0_u32; Order::MAX_SIDE]; 3];
    puzzle.iter().enumerate().filter(|&(_, &clue)| clue != 0).any(|(cell, &clue)| {
        let houses = [geometry.row(cell), geometry.column(cell), geometry.box_of(cell)];
        taken.iter_mut().zip(houses).any(|(taken, house)| {
            let again = taken[house] >> clue & 1 != 0;
            taken[house] |= 1 << clue;
            again
        })
    })
}

/// For each row and digit, the columns that the digit may be in.
type Rows<const SIDE: usize, const DIGITS: usize> = [[u32; DIGITS]; SIDE];

/// The first column of each box.
const fn box_ends<const ORDER: usize>() -> u32 {
    let (mut ends, mut i) = (0, 0);
    while i < ORDER {
        ends |= 1 << (i * ORDER);
        i += 1;
    }
    ends
}

/// All bits of the lanes with a digit.
const fn is_digit<const SIDE: usize, const DIGITS: usize>() -> [u32; DIGITS] {
    let (mut lanes, mut digit) = ([0; DIGITS], 0);
    while digit < SIDE {
        lanes[digit] = u32::MAX;
        digit += 1;
    }
    lanes
}

/// The boxes with any of these columns, as their first columns.
#[inline(always)]
fn boxes_with_any<V: Vector, const ORDER: usize>(proof: V, columns: V) -> V {
    let any = columns | columns.shr::<1>();
    let any = any | any.shr::<2>();
    let any = if ORDER == 5 { any | columns.shr::<4>() } else { any };
    any & proof.splat(box_ends::<ORDER>())
}

/// All columns of the boxes whose first columns are set.
#[inline(always)]
fn spread<V: Vector, const ORDER: usize>(boxes: V) -> V {
    let next = if ORDER == 4 { boxes.shl::<4>() } else { boxes.shl::<5>() };
    next.minus(boxes)
}

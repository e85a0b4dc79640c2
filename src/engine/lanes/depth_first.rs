//! One stack for each lane: the frontier of searches that each go depth first, in a fixed order.
//!
//! A lane keeps to its puzzle until that is done. So what is found before a search is cut off at its limit depends on
//! the puzzle alone, not on the puzzles beside it or on the width of the vectors. Nodes are moved word by word, which
//! makes it half as fast as the common [`Stack`](super::stack::Stack).

use super::frontier::Frontier;
use super::group::{Group, NOBODY};
use super::layout::{WORDS, triad, word};
use super::roots::Roots;
use super::vector::{LaneSet, Vector};

/// For each lane of each group the nodes that it has left for later.
pub(super) struct DepthFirst {
    lanes: usize,
    stacks: Vec<Vec<[u32; WORDS]>>,
}

impl DepthFirst {
    /// Empty stacks for `groups` groups of `lanes` lanes.
    pub(super) fn new(groups: usize, lanes: usize) -> DepthFirst {
        DepthFirst { lanes, stacks: vec![vec![]; groups * lanes] }
    }
}

impl<V: Vector> Frontier<V> for DepthFirst {
    #[inline(always)]
    fn exchange(
        &mut self,
        group: &mut Group<V>,
        number: usize,
        free: LaneSet,
        branching: LaneSet,
        roots: &mut Roots<V, impl Iterator<Item = u32>>,
    ) {
        let stacks = &mut self.stacks[number * self.lanes..][..self.lanes];
        if !branching.is_empty() {
            let mut second = group.candidates;
            for (i, j, d0) in WORD_PLACES {
                let candidates = &mut group.candidates[word(i, j, d0)];
                (*candidates, second[word(i, j, d0)]) = group.split.children(*candidates, i, j, d0);
            }
            for lane in branching.iter() {
                stacks[lane].push(second.each_ref().map(|word| word.lane(lane)));
            }
        }
        for lane in free.iter() {
            group.rounds.set_lane(lane, 0);
            let candidates = if let Some(candidates) = stacks[lane].pop() {
                candidates
            } else if let Some(root) = roots.take() {
                group.puzzle.set_lane(lane, roots.puzzles.lane(root));
                roots.candidates.each_ref().map(|word| word.lane(root))
            } else {
                group.puzzle.set_lane(lane, NOBODY);
                continue;
            };
            for (word, new) in group.candidates.iter_mut().zip(candidates) {
                word.set_lane(lane, new);
            }
        }
        group.triads = [[group.puzzle.splat(0); 9]; 2];
        for (i, j, d0) in WORD_PLACES {
            let candidates = group.candidates[word(i, j, d0)];
            for (kind, triad) in [triad(i, d0), triad(j, d0)].into_iter().enumerate() {
                group.triads[kind][triad] = group.triads[kind][triad] | candidates;
            }
        }
    }

    fn forget(&mut self, _puzzle: u32, number: usize, lane: usize) -> usize {
        let stack = &mut self.stacks[number * self.lanes + lane];
        let forgotten = stack.len();
        stack.clear();
        forgotten
    }
}

/// The `(i, j, d0)` of each word.
const WORD_PLACES: [(usize, usize, usize); WORDS] = {
    let mut places = [(0, 0, 0); WORDS];
    let mut n = 0;
    while n < WORDS {
        places[n] = (n / 9, n / 3 % 3, n % 3);
        n += 1;
    }
    places
};

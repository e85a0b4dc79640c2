//! One stack for each block of four lanes: the frontier of searches that do not influence each other.
//!
//! A block works on one puzzle until its search is complete. So what is found before a search stops at its limit depends
//! on the puzzle alone, not on the puzzles beside it or on the width of the vectors, all of which consist of such blocks.
//! Nodes are moved word by word and easy puzzles leave lanes idle, so it takes twice as long as with the common
//! [`Stack`](super::stack::Stack).
//!
//! Why not a lane for each puzzle? Grids with few clues have very many solutions, but here and there a large part of the
//! tree with none. A depth-first search with one node at a time can spend seconds in such a part; of four nodes that
//! start apart, one soon finds solutions.

use std::collections::VecDeque;

use super::frontier::Frontier;
use super::group::{Group, NO_PUZZLE};
use super::layout::{WORDS, word};
use super::vector::{LaneSet, Vector};

/// The number of lanes that work together on a puzzle. No vector has fewer.
const BLOCK: usize = 4;

/// The stacks of all groups.
pub(super) struct PuzzleStacks {
    per_group: usize,
    stacks: Vec<PuzzleStack>,
    /// Puzzles that wait for a block of lanes, and their nodes.
    roots: VecDeque<(u32, [u32; WORDS])>,
}

/// The puzzle of a block of lanes and its nodes that have no lane.
#[derive(Clone)]
struct PuzzleStack {
    puzzle: u32,
    waiting: Vec<[u32; WORDS]>,
}

impl PuzzleStacks {
    /// The stacks of `groups` groups of `lanes` lanes, without a puzzle.
    pub(super) fn new(groups: usize, lanes: usize) -> PuzzleStacks {
        let per_group = lanes / BLOCK;
        let stacks = vec![PuzzleStack { puzzle: NO_PUZZLE, waiting: vec![] }; groups * per_group];
        PuzzleStacks { per_group, stacks, roots: VecDeque::new() }
    }
}

impl<V: Vector> Frontier<V> for PuzzleStacks {
    #[inline(always)]
    fn wants_roots(&self, free: usize) -> bool {
        self.roots.len() < free / BLOCK
    }

    #[inline(always)]
    fn push_roots(&mut self, group: &Group<V>, lanes: LaneSet) {
        for lane in lanes.iter() {
            let candidates = group.candidates.each_ref().map(|word| word.lane(lane));
            self.roots.push_back((group.puzzle.lane(lane), candidates));
        }
    }

    #[inline(always)]
    fn refill(&mut self, group: &mut Group<V>, number: usize, free: LaneSet, branching: LaneSet) {
        let stacks = &mut self.stacks[number * self.per_group..][..self.per_group];
        if !branching.is_empty() {
            let mut second = group.candidates;
            for (i, j, d0) in WORD_PLACES {
                let candidates = &mut group.candidates[word(i, j, d0)];
                (*candidates, second[word(i, j, d0)]) = group.split.children(*candidates, i, j, d0);
            }
            for lane in branching.iter() {
                stacks[lane / BLOCK].waiting.push(second.each_ref().map(|word| word.lane(lane)));
            }
        }
        for (n, stack) in stacks.iter_mut().enumerate() {
            let lanes = LaneSet::first(BLOCK) << (n * BLOCK);
            let mut is_done = (lanes & !free).is_empty() && stack.waiting.is_empty();
            for lane in (free & lanes).iter() {
                group.rounds.set_lane(lane, 0);
                let candidates = if let Some(candidates) = stack.waiting.pop() {
                    candidates
                } else if is_done && let Some((puzzle, candidates)) = self.roots.pop_front() {
                    stack.puzzle = puzzle;
                    is_done = false;
                    candidates
                } else {
                    group.puzzle.set_lane(lane, NO_PUZZLE);
                    continue;
                };
                group.puzzle.set_lane(lane, stack.puzzle);
                for (word, new) in group.candidates.iter_mut().zip(candidates) {
                    word.set_lane(lane, new);
                }
            }
        }
        group.gather_triads();
    }

    fn remove(&mut self, puzzle: u32) -> usize {
        let stack = self.stacks.iter_mut().find(|stack| stack.puzzle == puzzle);
        stack.map_or(0, |stack| stack.waiting.drain(..).len())
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

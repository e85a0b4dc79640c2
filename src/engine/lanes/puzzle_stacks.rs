//! One stack for each team of four lanes: the frontier of searches that each go their way alone.
//!
//! A team keeps to its puzzle until that is done. So what is found before a search is cut off at its limit depends on
//! the puzzle alone, not on the puzzles beside it or on the width of the vectors, all of which hold whole stacks. Nodes
//! are moved word by word and easy puzzles leave lanes idle, so it takes twice as long as with the common
//! [`Stack`](super::stack::Stack).
//!
//! Why not a lane for each puzzle? Grids with few clues have very many solutions, but here and there a large part of the
//! tree with none. A search that goes depth first with one node at a time can get lost there for seconds; of four that
//! start apart, one gets through.

use std::collections::VecDeque;

use super::frontier::Frontier;
use super::group::{Group, NOBODY};
use super::layout::{WORDS, word};
use super::vector::{LaneSet, Vector};

/// How many lanes work together on a puzzle: no vector has fewer.
const TEAM: usize = 4;

/// The stacks of all groups.
pub(super) struct PuzzleStacks {
    per_group: usize,
    all: Vec<Team>,
    /// Puzzles that wait for a team, and their nodes.
    roots: VecDeque<(u32, [u32; WORDS])>,
}

/// A puzzle and its nodes that have no lane.
#[derive(Clone)]
struct Team {
    puzzle: u32,
    waiting: Vec<[u32; WORDS]>,
}

impl PuzzleStacks {
    /// The stacks of `groups` groups of `lanes` lanes, without a puzzle.
    pub(super) fn new(groups: usize, lanes: usize) -> PuzzleStacks {
        let per_group = lanes / TEAM;
        let all = vec![Team { puzzle: NOBODY, waiting: vec![] }; groups * per_group];
        PuzzleStacks { per_group, all, roots: VecDeque::new() }
    }
}

impl<V: Vector> Frontier<V> for PuzzleStacks {
    #[inline(always)]
    fn wants_roots(&self, free: usize) -> bool {
        self.roots.len() < free / TEAM
    }

    #[inline(always)]
    fn push_roots(&mut self, group: &Group<V>, lanes: LaneSet) {
        for lane in lanes.iter() {
            let candidates = group.candidates.each_ref().map(|word| word.lane(lane));
            self.roots.push_back((group.puzzle.lane(lane), candidates));
        }
    }

    #[inline(always)]
    fn exchange(&mut self, group: &mut Group<V>, number: usize, free: LaneSet, branching: LaneSet) {
        let puzzle_stacks = &mut self.all[number * self.per_group..][..self.per_group];
        if !branching.is_empty() {
            let mut second = group.candidates;
            for (i, j, d0) in WORD_PLACES {
                let candidates = &mut group.candidates[word(i, j, d0)];
                (*candidates, second[word(i, j, d0)]) = group.split.children(*candidates, i, j, d0);
            }
            for lane in branching.iter() {
                puzzle_stacks[lane / TEAM].waiting.push(second.each_ref().map(|word| word.lane(lane)));
            }
        }
        for (n, team) in puzzle_stacks.iter_mut().enumerate() {
            let lanes = LaneSet::first(TEAM) << (n * TEAM);
            let mut is_done = (lanes & !free).is_empty() && team.waiting.is_empty();
            for lane in (free & lanes).iter() {
                group.rounds.set_lane(lane, 0);
                let candidates = if let Some(candidates) = team.waiting.pop() {
                    candidates
                } else if is_done && let Some((puzzle, candidates)) = self.roots.pop_front() {
                    team.puzzle = puzzle;
                    is_done = false;
                    candidates
                } else {
                    group.puzzle.set_lane(lane, NOBODY);
                    continue;
                };
                group.puzzle.set_lane(lane, team.puzzle);
                for (word, new) in group.candidates.iter_mut().zip(candidates) {
                    word.set_lane(lane, new);
                }
            }
        }
        group.gather_triads();
    }

    fn forget(&mut self, puzzle: u32) -> usize {
        let team = self.all.iter_mut().find(|team| team.puzzle == puzzle);
        team.map_or(0, |team| team.waiting.drain(..).len())
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

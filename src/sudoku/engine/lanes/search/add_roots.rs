//! Makes nodes from the puzzles of a batch: propagates roots, in one stage or two, before they go to the stack.

use super::{FinishedLanes, GROUPS, LaneSearch};
use crate::engine::lanes::cells::{CellVector, LaneWords};
use crate::engine::lanes::group::{LaneGroup, Splits};
use crate::engine::lanes::propagate;
use crate::engine::lanes::vector::{LaneSet, MAX_LANES, Task};

/// How roots are propagated before they go to the stack. In the end, each root gets the same repetitions either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::engine::lanes) enum RootStages {
    /// All repetitions at once.
    One,
    /// A few first; then other roots replace the finished ones. That is 1.6 times as fast if all roots contradict
    /// themselves, but takes 1.1 times as long on easy puzzles.
    Two,
}

/// Propagates roots, in groups of their own, until enough unfinished ones are found for the free lanes.
pub(super) struct AddRoots<'s, 'a, V, S> {
    pub(super) search: &'s mut LaneSearch<'a, V, S>,
    pub(super) groups: &'s mut [LaneGroup<V>; GROUPS],
    pub(super) gathered: &'s mut [LaneWords; MAX_LANES],
    pub(super) free: usize,
}

impl<V: CellVector, S: Splits<V>> Task for AddRoots<'_, '_, V, S> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        while !self.search.stack.has(self.free) {
            let (made, repetitions) = match self.search.stages {
                RootStages::One => (self.search.roots.make(self.groups), propagate::ROOT_REPETITIONS),
                RootStages::Two => (self.take_started(), propagate::ROOT_REPETITIONS - FIRST_REPETITIONS),
            };
            if made == 0 {
                self.search.is_drained = true;
                break;
            }

            for (number, left) in self.propagate(made, repetitions).into_iter().enumerate() {
                self.search.stack.push(&self.groups[number], left);
            }
        }
    }
}

/// The repetitions of the first of [two stages](RootStages::Two). Of puzzles with random clues, 61 % contradict themselves
/// in the first repetition, 70 % in two and 72 % in six. One or two are equally fast.
const FIRST_REPETITIONS: u64 = 2;

impl<V: CellVector, S: Splits<V>> AddRoots<'_, '_, V, S> {
    /// Takes roots for the second stage into the groups, after enough roots to fill all lanes have passed the first
    /// stage. Returns the number of groups with nodes.
    #[inline(always)]
    fn take_started(&mut self) -> usize {
        while !self.search.started.has(GROUPS * V::LANES) {
            let made = self.search.roots.make(self.groups);
            if made == 0 {
                break;
            }
            for (number, left) in self.propagate(made, FIRST_REPETITIONS).into_iter().enumerate() {
                self.search.started.push(&self.groups[number], left);
            }
        }

        let none = LaneSet::first(0);
        for (number, group) in self.groups.iter_mut().enumerate() {
            if !self.search.started.has(1) {
                return number;
            }
            self.search.started.refill(group, &self.search.splits[number], LaneSet::first(V::LANES), None, none);
        }
        GROUPS
    }

    /// Propagates the roots in the first `made` groups, and returns the lanes that are not finished after it.
    #[inline(always)]
    fn propagate(&mut self, made: usize, repetitions: u64) -> [LaneSet; GROUPS] {
        propagate::propagate_roots(self.search.proof, &mut self.groups[..made], repetitions);
        let mut left = [LaneSet::first(0); GROUPS];
        for number in 0..made {
            let finished = FinishedLanes::of(&self.groups[number]);
            self.search.finish_nodes(self.groups, number, &finished, self.gathered);
            left[number] = self.groups[number].busy() & !finished.all;
        }
        left
    }
}

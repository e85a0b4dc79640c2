//! The search: rounds of propagation, and between them a look at what has become of each lane.

use super::branch::find_splits;
use super::frontier::Frontier;
use super::group::{Group, NOBODY};
use super::layout::FULL;
use super::load::CELLS;
use super::propagate;
use super::roots::Roots;
use super::vector::{LaneSet, Task, Vector};
use crate::engine::{Limit, Verdicts};

/// How many groups of lanes are propagated by turns. One leaves a CPU waiting for results half of the time.
pub(super) const GROUPS: usize = 2;

/// What the search for one puzzle has taken so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Effort {
    /// The rounds that lanes spent on it.
    pub(super) rounds: u64,
    /// The nodes that came to an end without a split. A tree has one leaf more than it has splits in two.
    pub(super) leaves: u64,
}

/// What a search does with a puzzle that has reached the limit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtLimit {
    /// Gives it up and says so, for it to be searched again in an order that depends on nothing else.
    SetAside,
    /// Has its verdict.
    Conclude,
}

/// The search of some puzzles of a batch. As a task: runs it to the end.
pub(super) struct Search<'a, V, F, I> {
    pub(super) proof: V,
    pub(super) frontier: &'a mut F,
    pub(super) roots: Roots<'a, V, I>,
    pub(super) limit: Limit,
    pub(super) at_limit: AtLimit,
    pub(super) verdicts: &'a mut Verdicts,
    pub(super) efforts: &'a mut [Effort],
    /// The puzzles that were given up.
    pub(super) set_aside: &'a mut Vec<u32>,
}

impl<V: Vector, F: Frontier<V>, I: Iterator<Item = u32>> Task for Search<'_, V, F, I> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let proof = self.proof;
        let mut groups = [Group::new(proof), Group::new(proof)];
        loop {
            // Each step for both groups, as in a round: one waits for results while the other works.
            let outcomes = [proof.call(Judge(&mut groups[0])), proof.call(Judge(&mut groups[1]))];
            for (number, outcome) in outcomes.iter().enumerate() {
                for lane in outcome.ended.iter() {
                    self.end_node(&mut groups, number, lane, outcome);
                }
            }
            for (number, outcome) in outcomes.iter().enumerate() {
                let group = &mut groups[number];
                let free = (outcome.ended | !group.busy()) & LaneSet::first(V::LANES);
                let branching = outcome.branching & !free;
                if !(free | branching).is_empty() {
                    proof.call(Exchange { search: &mut self, group, number, free, branching });
                }
            }
            // Few nodes all fit into the first group: one puzzle alone does not pay for two groups.
            let running = groups.iter().rposition(|group| !group.busy().is_empty()).map_or(0, |last| last + 1);
            if running == 0 {
                break;
            }
            propagate::round(proof, &mut groups[..running]);
        }
    }
}

/// Says what a round has made of the nodes of a group.
struct Judge<'a, V>(&'a mut Group<V>);

/// What a round has made of the nodes of a group.
struct Outcome {
    /// The lanes whose node has come to an end.
    ended: LaneSet,
    /// Those of them that have found a solution.
    solved: LaneSet,
    /// The lanes whose node is stuck and splits in two.
    branching: LaneSet,
}

impl<V: Vector> Task for Judge<'_, V> {
    type Output = Outcome;

    #[inline(always)]
    fn run(self) -> Outcome {
        let group = self.0;
        group.rounds = group.rounds.plus(group.rounds.splat(1));
        let busy = group.busy();
        let faulty = (group.fault & group.fault.splat(FULL)).lanes_with_any();
        let open = (group.twice[0] | group.twice[1] | group.twice[2]).lanes_with_any();
        // Each digit once in each box, and one digit in each cell.
        let filled = busy & !faulty & !open;
        let solved = if filled.is_empty() { filled } else { filled & !propagate::clashes(group).lanes_with_any() };
        let ended = filled | (busy & faulty);
        let moved = (group.twice[0] ^ group.twice_before[0])
            | (group.twice[1] ^ group.twice_before[1])
            | (group.twice[2] ^ group.twice_before[2]);
        let stuck = busy & !ended & !moved.lanes_with_any();
        let branching = if stuck.is_empty() { stuck } else { stuck & find_splits(group, moved) };
        Outcome { ended, solved, branching }
    }
}

/// Gives the free lanes of a group work, and splits nodes.
struct Exchange<'s, 'a, V, F, I> {
    search: &'s mut Search<'a, V, F, I>,
    group: &'s mut Group<V>,
    number: usize,
    free: LaneSet,
    branching: LaneSet,
}

impl<V: Vector, F: Frontier<V>, I: Iterator<Item = u32>> Task for Exchange<'_, '_, V, F, I> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Exchange { search, group, number, free, branching } = self;
        search.frontier.exchange(group, number, free, branching, &mut search.roots);
    }
}

impl<V: Vector, F: Frontier<V>, I: Iterator<Item = u32>> Search<'_, V, F, I> {
    /// Notes the end of the node in a lane, a solution or a dead end. The lanes that ended are taken in ascending order.
    #[inline(always)]
    fn end_node(&mut self, groups: &mut [Group<V>; GROUPS], number: usize, lane: usize, outcome: &Outcome) {
        let group = &groups[number];
        let puzzle = group.puzzle.lane(lane);
        if puzzle == NOBODY {
            return; // Set aside when another lane was looked at.
        }
        let effort = &mut self.efforts[puzzle as usize];
        effort.rounds += u64::from(group.rounds.lane(lane));
        effort.leaves += 1;
        if outcome.solved.contains(lane) {
            let solutions = self.verdicts.count(puzzle as usize);
            let kept = self.verdicts.solution_mut(puzzle as usize).as_mut_array().expect("81 cells");
            if solutions == 1 {
                V::write_solution(&group.candidates, lane, kept);
            } else {
                let mut cells = [0; CELLS];
                V::write_solution(&group.candidates, lane, &mut cells);
                *kept = cells.min(*kept);
            }
            if solutions == self.limit.get() {
                self.stop(groups, puzzle, number, lane, outcome.ended);
            }
        }
    }

    /// Ends the search for a puzzle that has reached the limit, in a lane of those that have `ended`.
    #[inline(never)]
    fn stop(&mut self, groups: &mut [Group<V>; GROUPS], puzzle: u32, number: usize, lane: usize, ended: LaneSet) {
        let mut left = self.frontier.forget(puzzle, number, lane);
        let seen = ended & LaneSet::first(lane + 1);
        for (n, group) in groups.iter_mut().enumerate() {
            for lane in 0..V::LANES {
                if group.puzzle.lane(lane) == puzzle {
                    left += usize::from(n != number || !seen.contains(lane));
                    group.puzzle.set_lane(lane, NOBODY);
                }
            }
        }
        let effort = &mut self.efforts[puzzle as usize];
        match self.at_limit {
            // As many leaves as if each node that was left had been one.
            AtLimit::Conclude => effort.leaves += left as u64,
            AtLimit::SetAside => {
                effort.leaves = 0;
                self.verdicts.forget_solutions(puzzle as usize);
                self.set_aside.push(puzzle);
            }
        }
    }
}

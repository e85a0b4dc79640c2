//! The search: rounds of propagation, and between them a look at what has become of each lane.

use super::branch::find_splits;
use super::frontier::Frontier;
use super::group::{Group, NOBODY};
use super::layout::FULL;
use super::load::CELLS;
use super::propagate;
use super::roots::Roots;
use super::vector::{LaneSet, LaneWords, MOST_LANES, Task, Vector};
use crate::engine::Limit;

/// How many groups of lanes are propagated by turns. One leaves a CPU waiting for results half of the time.
pub(super) const GROUPS: usize = 2;

/// What the search for one puzzle has taken and found so far.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// The rounds that lanes spent on it.
    pub(super) rounds: u64,
    /// The nodes that came to an end without a split. A tree has one leaf more than it has splits in two.
    pub(super) leaves: u64,
    /// The solutions that were found.
    pub(super) solutions: u64,
}

impl Effort {
    /// What it has taken when the puzzle's root is looked at.
    pub(super) const BEGUN: Effort = Effort { rounds: propagate::ROUNDS_TO_BEGIN, leaves: 0, solutions: 0 };
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
pub(super) struct Search<'a, V, F> {
    pub(super) proof: V,
    pub(super) frontier: &'a mut F,
    pub(super) roots: Roots<'a>,
    pub(super) limit: Limit,
    pub(super) at_limit: AtLimit,
    pub(super) efforts: &'a mut [Effort],
    /// For each puzzle of the batch the smallest solution so far.
    pub(super) solutions: &'a mut [[u8; CELLS]],
    /// The puzzles that were given up.
    pub(super) set_aside: &'a mut Vec<u32>,
}

impl<V: Vector, F: Frontier<V>> Task for Search<'_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let proof = self.proof;
        let mut groups = [Group::new(proof), Group::new(proof)];
        let mut roots = [Group::new(proof), Group::new(proof)];
        let gathered = &mut [LaneWords::ZERO; MOST_LANES];
        loop {
            // Each step for both groups, as in a round: one waits for results while the other works.
            let outcomes = [proof.call(Judge(&mut groups[0])), proof.call(Judge(&mut groups[1]))];
            for (number, outcome) in outcomes.iter().enumerate() {
                self.end_nodes(&mut groups, number, &outcome.ends, gathered);
            }
            for (number, outcome) in outcomes.iter().enumerate() {
                let group = &mut groups[number];
                let free = (outcome.ends.all | !group.busy()) & LaneSet::first(V::LANES);
                let branching = outcome.branching & !free;
                if (free | branching).is_empty() {
                    continue;
                }
                if self.frontier.wants_roots(free.len()) {
                    proof.call(Begin { search: &mut self, groups: &mut roots, gathered, free: free.len() });
                }
                proof.call(Exchange { frontier: self.frontier, group, number, free, branching });
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
struct NodeOutcome {
    ends: Ends,
    /// The lanes whose node is stuck and splits in two.
    branching: LaneSet,
}

/// The lanes whose node has come to an end, and those of them that have found a solution.
struct Ends {
    all: LaneSet,
    solved: LaneSet,
}

impl Ends {
    #[inline(always)]
    fn of<V: Vector>(group: &Group<V>) -> Ends {
        let busy = group.busy();
        let faulty = (group.fault & group.fault.splat(FULL)).lanes_with_any();
        let open = (group.twice[0] | group.twice[1] | group.twice[2]).lanes_with_any();
        // Each digit once in each box, and one digit in each cell.
        let filled = busy & !faulty & !open;
        let solved = if filled.is_empty() { filled } else { filled & !propagate::clashes(group).lanes_with_any() };
        Ends { all: filled | (busy & faulty), solved }
    }
}

impl<V: Vector> Task for Judge<'_, V> {
    type Output = NodeOutcome;

    #[inline(always)]
    fn run(self) -> NodeOutcome {
        let group = self.0;
        group.rounds = group.rounds.plus(group.rounds.splat(1));
        let ends = Ends::of(group);
        let moved = (group.twice[0] ^ group.twice_before[0])
            | (group.twice[1] ^ group.twice_before[1])
            | (group.twice[2] ^ group.twice_before[2]);
        let stuck = group.busy() & !ends.all & !moved.lanes_with_any();
        let branching = if stuck.is_empty() { stuck } else { stuck & find_splits(group, moved) };
        NodeOutcome { ends, branching }
    }
}

/// Begins searches, in groups of their own, until enough of them have not come to an end to feed the free lanes.
struct Begin<'s, 'a, V, F> {
    search: &'s mut Search<'a, V, F>,
    groups: &'s mut [Group<V>; GROUPS],
    gathered: &'s mut [LaneWords; MOST_LANES],
    free: usize,
}

impl<V: Vector, F: Frontier<V>> Task for Begin<'_, '_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Begin { search, groups, gathered, free } = self;
        while search.frontier.wants_roots(free) {
            let made = search.roots.make(&mut groups[..]);
            if made == 0 {
                break;
            }
            propagate::begin(search.proof, &mut groups[..made]);
            for number in 0..made {
                let ends = Ends::of(&groups[number]);
                search.end_nodes(groups, number, &ends, gathered);
                let group = &groups[number];
                search.frontier.push_roots(group, group.busy() & !ends.all);
            }
        }
    }
}

/// Gives the free lanes of a group work, and splits nodes.
struct Exchange<'s, V, F> {
    frontier: &'s mut F,
    group: &'s mut Group<V>,
    number: usize,
    free: LaneSet,
    branching: LaneSet,
}

impl<V: Vector, F: Frontier<V>> Task for Exchange<'_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Exchange { frontier, group, number, free, branching } = self;
        frontier.exchange(group, number, free, branching);
    }
}

impl<V: Vector, F: Frontier<V>> Search<'_, V, F> {
    /// Notes the ends of nodes, in ascending order of the lanes: at solutions, for which `gathered` has room, or not.
    #[inline(always)]
    fn end_nodes(
        &mut self,
        groups: &mut [Group<V>; GROUPS],
        number: usize,
        ends: &Ends,
        gathered: &mut [LaneWords; MOST_LANES],
    ) {
        if !ends.solved.is_empty() {
            V::gather(&groups[number].candidates, ends.solved, gathered);
        }
        let mut gathered = gathered.iter();
        for lane in ends.all.iter() {
            let solution = if ends.solved.contains(lane) { gathered.next() } else { None };
            let puzzle = groups[number].puzzle.lane(lane);
            if puzzle == NOBODY {
                continue; // Set aside when another lane was looked at.
            }
            let effort = &mut self.efforts[puzzle as usize];
            effort.rounds += u64::from(groups[number].rounds.lane(lane));
            effort.leaves += 1;
            if let Some(solution) = solution {
                effort.solutions += 1;
                let solutions = effort.solutions;
                self.keep(puzzle, solutions, solution);
                if solutions == self.limit.get() {
                    self.stop(groups, puzzle, number, ends.all & LaneSet::first(lane + 1));
                }
            }
        }
    }

    /// Keeps a solution, which is number `solutions`, if it is the smallest so far.
    #[inline(always)]
    fn keep(&mut self, puzzle: u32, solutions: u64, solution: &LaneWords) {
        let kept = &mut self.solutions[puzzle as usize];
        if solutions == 1 {
            self.proof.write_solution(solution, kept);
        } else {
            let mut cells = [0; CELLS];
            self.proof.write_solution(solution, &mut cells);
            *kept = cells.min(*kept);
        }
    }

    /// Ends the search for a puzzle that has reached the limit, when the ends in some lanes of a group have been `seen`.
    #[inline(never)]
    fn stop(&mut self, groups: &mut [Group<V>; GROUPS], puzzle: u32, number: usize, seen: LaneSet) {
        let mut left = self.frontier.forget(puzzle);
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
                (effort.leaves, effort.solutions) = (0, 0);
                self.set_aside.push(puzzle);
            }
        }
    }
}

//! The search: rounds of propagation, and after each round a step that finishes, splits and replaces nodes.

use super::branch::find_splits;
use super::cells::{CellVector, LaneWords};
use super::frontier::Frontier;
use super::group::{Group, NO_PUZZLE};
use super::layout::{CELLS, FULL};
use super::propagate;
use super::roots::Roots;
use super::vector::{LaneSet, MAX_LANES, Task, Vector};
use crate::engine::Limit;

/// The number of groups of lanes, which are propagated alternately. With one, a CPU waits for results half of the time.
pub(super) const GROUPS: usize = 2;

/// The work and the results of the search for one puzzle so far.
#[derive(Clone, Copy)]
pub(super) struct SearchStats {
    /// The rounds that lanes spent on it.
    pub(super) rounds: u64,
    /// The nodes that were finished without a split. A tree has one leaf more than it has splits in two.
    pub(super) leaves: u64,
    /// The solutions that were found.
    pub(super) solutions: u64,
}

impl SearchStats {
    /// The statistics when the puzzle's root has been propagated.
    pub(super) const AT_ROOT: SearchStats = SearchStats { rounds: propagate::ROOT_ROUNDS, leaves: 0, solutions: 0 };
}

/// The treatment of a puzzle that has reached the limit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtLimit {
    /// Sets it aside for another search, whose order does not depend on other puzzles.
    SetAside,
    /// Concludes it: its verdict is final.
    Conclude,
}

/// The search of some puzzles of a batch. As a task: runs it to the end.
pub(super) struct Search<'a, V, F> {
    pub(super) proof: V,
    pub(super) frontier: &'a mut F,
    pub(super) roots: Roots<'a>,
    pub(super) limit: Limit,
    pub(super) at_limit: AtLimit,
    /// For each puzzle of the batch.
    pub(super) stats: &'a mut [SearchStats],
    /// For each puzzle of the batch, the smallest solution so far.
    pub(super) solutions: &'a mut [[u8; CELLS]],
    /// The puzzles that were set aside.
    pub(super) set_aside: &'a mut Vec<u32>,
}

impl<V: CellVector, F: Frontier<V>> Task for Search<'_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let proof = self.proof;
        let mut groups = [Group::new(proof), Group::new(proof)];
        let mut roots = [Group::new(proof), Group::new(proof)];
        let gathered = &mut [LaneWords::ZERO; MAX_LANES];
        loop {
            // Each step for both groups, as in a round: one waits for results while the other works.
            let outcomes = [proof.call(Classify(&mut groups[0])), proof.call(Classify(&mut groups[1]))];
            for (number, outcome) in outcomes.iter().enumerate() {
                self.finish_nodes(&mut groups, number, &outcome.finished, gathered);
            }
            for (number, outcome) in outcomes.iter().enumerate() {
                let group = &mut groups[number];
                let free = (outcome.finished.all | !group.busy()) & LaneSet::first(V::LANES);
                let branching = outcome.branching & !free;
                if (free | branching).is_empty() {
                    continue;
                }
                if self.frontier.wants_roots(free.len()) {
                    proof.call(AddRoots { search: &mut self, groups: &mut roots, gathered, free: free.len() });
                }
                proof.call(Refill { frontier: self.frontier, group, number, free, branching });
            }
            // Few nodes all fit into the first group: a single puzzle is not worth two groups.
            let running = groups.iter().rposition(|group| !group.busy().is_empty()).map_or(0, |last| last + 1);
            if running == 0 {
                break;
            }
            propagate::round(proof, &mut groups[..running]);
        }
    }
}

/// Classifies the nodes of a group after a round.
struct Classify<'a, V>(&'a mut Group<V>);

/// The nodes of a group after a round.
struct NodeOutcome {
    finished: FinishedLanes,
    /// The lanes whose node makes no progress and splits in two.
    branching: LaneSet,
}

/// The lanes whose node is solved or contradicts itself, and those of them that are solved.
struct FinishedLanes {
    all: LaneSet,
    solved: LaneSet,
}

impl FinishedLanes {
    #[inline(always)]
    fn of<V: Vector>(group: &Group<V>) -> FinishedLanes {
        let busy = group.busy();
        let contradictory = (group.contradiction & group.contradiction.splat(FULL)).lanes_with_any();
        let open = (group.two_or_more[0] | group.two_or_more[1] | group.two_or_more[2]).lanes_with_any();
        // Each digit once in each box, and one digit in each cell.
        let filled = busy & !contradictory & !open;
        let solved = if filled.is_empty() { filled } else { filled & !propagate::conflicts(group).lanes_with_any() };
        FinishedLanes { all: filled | (busy & contradictory), solved }
    }
}

impl<V: Vector> Task for Classify<'_, V> {
    type Output = NodeOutcome;

    #[inline(always)]
    fn run(self) -> NodeOutcome {
        let group = self.0;
        group.rounds = group.rounds.plus(group.rounds.splat(1));
        let finished = FinishedLanes::of(group);
        let moved = (group.two_or_more[0] ^ group.two_or_more_before[0])
            | (group.two_or_more[1] ^ group.two_or_more_before[1])
            | (group.two_or_more[2] ^ group.two_or_more_before[2]);
        let stuck = group.busy() & !finished.all & !moved.lanes_with_any();
        let branching = if stuck.is_empty() { stuck } else { stuck & find_splits(group, moved) };
        NodeOutcome { finished, branching }
    }
}

/// Propagates roots, in groups of their own, and adds those that are not finished to the frontier, until it has enough
/// of them for the free lanes.
struct AddRoots<'s, 'a, V, F> {
    search: &'s mut Search<'a, V, F>,
    groups: &'s mut [Group<V>; GROUPS],
    gathered: &'s mut [LaneWords; MAX_LANES],
    free: usize,
}

impl<V: CellVector, F: Frontier<V>> Task for AddRoots<'_, '_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let AddRoots { search, groups, gathered, free } = self;
        while search.frontier.wants_roots(free) {
            let made = search.roots.make(&mut groups[..]);
            if made == 0 {
                break;
            }
            propagate::propagate_roots(search.proof, &mut groups[..made]);
            for number in 0..made {
                let finished = FinishedLanes::of(&groups[number]);
                search.finish_nodes(groups, number, &finished, gathered);
                let group = &groups[number];
                search.frontier.push_roots(group, group.busy() & !finished.all);
            }
        }
    }
}

/// Splits nodes of a group and [refills](Frontier::refill) its free lanes.
struct Refill<'s, V, F> {
    frontier: &'s mut F,
    group: &'s mut Group<V>,
    number: usize,
    free: LaneSet,
    branching: LaneSet,
}

impl<V: Vector, F: Frontier<V>> Task for Refill<'_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Refill { frontier, group, number, free, branching } = self;
        frontier.refill(group, number, free, branching);
    }
}

impl<V: CellVector, F: Frontier<V>> Search<'_, V, F> {
    /// Records the finished nodes of group `number`, in ascending order of the lanes. `gathered` is scratch space for
    /// solutions.
    #[inline(always)]
    fn finish_nodes(
        &mut self,
        groups: &mut [Group<V>; GROUPS],
        number: usize,
        finished: &FinishedLanes,
        gathered: &mut [LaneWords; MAX_LANES],
    ) {
        if !finished.solved.is_empty() {
            V::gather(&groups[number].candidates, finished.solved, gathered);
        }
        let mut gathered = gathered.iter();
        for lane in finished.all.iter() {
            let solution = if finished.solved.contains(lane) { gathered.next() } else { None };
            let puzzle = groups[number].puzzle.lane(lane);
            if puzzle == NO_PUZZLE {
                continue; // An earlier lane has stopped the search for its puzzle.
            }
            let stats = &mut self.stats[puzzle as usize];
            stats.rounds += u64::from(groups[number].rounds.lane(lane));
            stats.leaves += 1;
            if let Some(solution) = solution {
                stats.solutions += 1;
                let solutions = stats.solutions;
                self.keep_smallest(puzzle, solutions, solution);
                if solutions == self.limit.get() {
                    self.stop(groups, puzzle, number, finished.all & LaneSet::first(lane + 1));
                }
            }
        }
    }

    /// Keeps a solution, which is number `solutions`, if it is the smallest so far.
    #[inline(always)]
    fn keep_smallest(&mut self, puzzle: u32, solutions: u64, solution: &LaneWords) {
        let kept = &mut self.solutions[puzzle as usize];
        if solutions == 1 {
            self.proof.write_solution(solution, kept);
        } else {
            let mut cells = [0; CELLS];
            self.proof.write_solution(solution, &mut cells);
            *kept = cells.min(*kept);
        }
    }

    /// Stops the search for a puzzle that has reached the limit. The finished nodes in the `recorded` lanes of group
    /// `number` are in the statistics already.
    #[inline(never)]
    fn stop(&mut self, groups: &mut [Group<V>; GROUPS], puzzle: u32, number: usize, recorded: LaneSet) {
        let mut left = self.frontier.remove(puzzle);
        for (n, group) in groups.iter_mut().enumerate() {
            for lane in 0..V::LANES {
                if group.puzzle.lane(lane) == puzzle {
                    left += usize::from(n != number || !recorded.contains(lane));
                    group.puzzle.set_lane(lane, NO_PUZZLE);
                }
            }
        }
        let stats = &mut self.stats[puzzle as usize];
        match self.at_limit {
            // Each node that is left counts as one leaf.
            AtLimit::Conclude => stats.leaves += left as u64,
            AtLimit::SetAside => {
                (stats.leaves, stats.solutions) = (0, 0);
                self.set_aside.push(puzzle);
            }
        }
    }
}

//! The search: rounds of propagation, and after each round a step that finishes, splits and replaces nodes.
//!
//! [`Sharing`] chooses, for each search, where the second child of a split goes. From the common stack any free lane
//! takes it: no lane is idle while there is work, a hard puzzle spreads over all lanes, and moving a node is cheap. If
//! it waits for the lane that made the split, that lane searches the puzzle depth first, and a search that stops at its
//! limit has visited fewer nodes.

mod add_roots;

use self::add_roots::AddRoots;
pub(super) use self::add_roots::RootStages;
use super::cells::{CellVector, LaneWords};
use super::group::{LaneGroup, NO_PUZZLE, Splits};
use super::layout::{CELLS, FULL};
use super::propagate;
use super::roots::Roots;
use super::stack::Stack;
use super::vector::{LaneSet, MAX_LANES, Task, Vector};
use super::waiting::Waiting;
use crate::engine::{Bounds, SearchEnd};

/// The number of groups of lanes, which are propagated alternately. With only one, the CPU waits for results half of
/// the time.
pub(super) const GROUPS: usize = 2;

/// Which lanes may search a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Any lane. The fastest if most searches are complete: they visit the same nodes in any order, and a node on the
    /// stack costs a quarter of a node that waits for its lane.
    Always,
    /// One lane, until the puzzle has [`LONG`] leaves or a lane is idle; then any lane. 1.8 times as fast if all
    /// searches stop at two solutions, but takes 1.15 times as long if none does.
    IfLong,
    /// One lane, so that the nodes visited before a search stops depend only on the puzzle.
    Never,
    /// One lane, strictly depth first: the first children before the second children.
    InOrder,
}

/// The number of leaves from which a search is long. Grids with few clues have very many solutions, but their trees
/// also have large parts without any, where a depth-first search can spend seconds. Nodes from different parts of the
/// tree soon find a solution. So other lanes take nodes of a long search, or its only lane takes its oldest node each
/// time.
const LONG: u64 = 8;

/// The work and the results of the search for one puzzle so far.
#[derive(Clone, Copy)]
pub(super) struct SearchStats {
    /// The rounds that lanes spent on it.
    pub(super) rounds: u64,
    /// The nodes that were finished without a split. A tree has one leaf more than it has splits in two.
    pub(super) leaves: u64,
    /// The solutions that were found.
    pub(super) solutions: u64,
    /// How the search ended, once it did.
    pub(super) end: SearchEnd,
}

impl SearchStats {
    /// The statistics when the puzzle's root has been propagated.
    pub(super) const AT_ROOT: SearchStats =
        SearchStats { rounds: propagate::ROOT_ROUNDS, leaves: 0, solutions: 0, end: SearchEnd::Complete };
}

/// The search of the puzzles in a batch. As a task, it runs to the end.
pub(super) struct LaneSearch<'a, V, S> {
    pub(super) proof: V,
    /// The splits of the nodes of each group.
    pub(super) splits: [S; GROUPS],
    pub(super) roots: Roots<'a>,
    pub(super) stages: RootStages,
    /// Roots after the first of two stages.
    pub(super) started: &'a mut Stack,
    pub(super) stack: &'a mut Stack,
    pub(super) waiting: Waiting<V>,
    /// Whether a lane has found neither a node on the stack nor a root.
    pub(super) is_drained: bool,
    pub(super) sharing: Sharing,
    pub(super) bounds: Bounds<'a>,
    /// For each puzzle of the batch.
    pub(super) stats: &'a mut [SearchStats],
    /// For each puzzle of the batch, the first solution that was found.
    pub(super) solutions: &'a mut [[u8; CELLS]],
    /// All solutions, if they are kept.
    pub(super) all_solutions: Option<&'a mut Vec<u8>>,
}

impl<V: CellVector, S: Splits<V>> Task for LaneSearch<'_, V, S> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let proof = self.proof;
        let mut groups = [LaneGroup::new(proof), LaneGroup::new(proof)];
        let mut roots = [LaneGroup::new(proof), LaneGroup::new(proof)];
        let gathered = &mut [LaneWords::ZERO; MAX_LANES];

        loop {
            // Alternate between the groups in each step, as in a round: one waits for results while the other works.
            let [splits, other_splits] = &mut self.splits;
            let [group, other_group] = &mut groups;
            let outcomes = [
                proof.call(Classify { group, splits }),
                proof.call(Classify { group: other_group, splits: other_splits }),
            ];

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

                // A free lane takes its newest waiting node if it has one, otherwise a node of the stack; roots fill up
                // the stack.
                let returning = free & group.with_waiting();
                let free = free & !returning;
                if !self.stack.has(free.len()) {
                    proof.call(AddRoots { search: &mut self, groups: &mut roots, gathered, free: free.len() });
                }
                let group = &mut groups[number];
                if self.sharing == Sharing::Always {
                    proof.call(Refill::<V, S, false> { search: &mut self, group, number, returning, free, branching });
                } else {
                    proof.call(Refill::<V, S, true> { search: &mut self, group, number, returning, free, branching });
                }
            }

            // Run only the first group if it has all nodes: a single puzzle is not worth two groups.
            let running = groups.iter().rposition(|group| !group.busy().is_empty()).map_or(0, |last| last + 1);
            if running == 0 || self.bounds.is_stopped() {
                break;
            }
            propagate::round(proof, &mut groups[..running]);
        }
    }
}

/// Classifies the nodes of a group after a round.
struct Classify<'a, V, S> {
    group: &'a mut LaneGroup<V>,
    splits: &'a mut S,
}

/// The nodes of a group after a round.
struct NodeOutcome {
    finished: FinishedLanes,
    /// The lanes whose node makes no progress and splits in two.
    branching: LaneSet,
}

/// The lanes whose node is solved or contradicts itself, and the solved ones among them.
struct FinishedLanes {
    all: LaneSet,
    solved: LaneSet,
}

impl FinishedLanes {
    #[inline(always)]
    fn of<V: Vector>(group: &LaneGroup<V>) -> FinishedLanes {
        let busy = group.busy();
        let contradictory = (group.contradiction & group.contradiction.splat(FULL)).lanes_with_any();
        let open = (group.two_or_more[0] | group.two_or_more[1] | group.two_or_more[2]).lanes_with_any();
        // Solved candidates have each digit once in each box, and one digit in each cell.
        let filled = busy & !contradictory & !open;
        let solved = if filled.is_empty() { filled } else { filled & !propagate::conflicts(group).lanes_with_any() };
        FinishedLanes { all: filled | (busy & contradictory), solved }
    }
}

impl<V: Vector, S: Splits<V>> Task for Classify<'_, V, S> {
    type Output = NodeOutcome;

    #[inline(always)]
    fn run(self) -> NodeOutcome {
        let Classify { group, splits } = self;
        group.rounds = group.rounds.plus(group.rounds.splat(1));
        let finished = FinishedLanes::of(group);
        let moved = (group.two_or_more[0] ^ group.two_or_more_before[0])
            | (group.two_or_more[1] ^ group.two_or_more_before[1])
            | (group.two_or_more[2] ^ group.two_or_more_before[2]);
        let stuck = group.busy() & !finished.all & !moved.lanes_with_any();
        let branching = if stuck.is_empty() { stuck } else { stuck & splits.find(group, moved) };
        NodeOutcome { finished, branching }
    }
}

/// Replaces and splits nodes of a group, and computes the triads of all its nodes. Without `WAITING`, no node of the
/// search waits for its lane.
struct Refill<'s, 'a, V, S, const WAITING: bool> {
    search: &'s mut LaneSearch<'a, V, S>,
    group: &'s mut LaneGroup<V>,
    /// The number of the group.
    number: usize,
    /// The lanes that take their newest waiting node.
    returning: LaneSet,
    /// The lanes that take a node from the stack.
    free: LaneSet,
    /// The lanes whose node is split: the first child stays in the lane.
    branching: LaneSet,
}

impl<V: Vector, S: Splits<V>, const WAITING: bool> Task for Refill<'_, '_, V, S, WAITING> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Refill { search, group, number, returning, free, branching } = self;
        if !WAITING {
            search.stack.refill(group, &search.splits[number], free, None, branching);
            return;
        }

        if !returning.is_empty() {
            group.rounds = group.rounds & !search.proof.in_lanes(returning);
            let mut newest = returning;
            if search.sharing == Sharing::Never {
                for lane in returning.iter() {
                    if search.stats[group.puzzle.lane(lane) as usize].leaves.is_multiple_of(LONG) {
                        search.waiting.pop_oldest(group, &mut search.splits[number], lane);
                        newest = newest & !LaneSet::one(lane);
                    }
                }
            }
            search.waiting.pop(group, &mut search.splits[number], newest);
        }

        let keeping = search.keeping(group, branching);
        let kept = if keeping.is_empty() { None } else { Some(search.waiting.add(group, keeping)) };
        search.stack.refill(group, &search.splits[number], free, kept, branching & !keeping);
    }
}

impl<V: Vector, S> LaneSearch<'_, V, S> {
    /// The branching lanes whose second children wait for them.
    #[inline(always)]
    fn keeping(&self, group: &LaneGroup<V>, branching: LaneSet) -> LaneSet {
        let mut kept = LaneSet::first(0);
        for lane in branching.iter().filter(|&lane| !self.is_shared(group.puzzle.lane(lane))) {
            kept = kept | LaneSet::one(lane);
        }
        kept
    }

    /// Whether nodes of a puzzle go to the stack.
    #[inline(always)]
    fn is_shared(&self, puzzle: u32) -> bool {
        match self.sharing {
            Sharing::Always => true,
            Sharing::IfLong => self.is_drained || self.stats[puzzle as usize].leaves >= LONG,
            Sharing::Never | Sharing::InOrder => false,
        }
    }
}

impl<V: CellVector, S: Splits<V>> LaneSearch<'_, V, S> {
    /// Records the finished nodes of group `number`, in ascending order of the lanes. `gathered` is scratch space for
    /// solutions.
    #[inline(always)]
    fn finish_nodes(
        &mut self,
        groups: &mut [LaneGroup<V>; GROUPS],
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
                let cells = &mut self.solutions[puzzle as usize];
                if stats.solutions == 1 {
                    self.proof.write_solution(solution, cells);
                }
                if let Some(all) = &mut self.all_solutions {
                    let mut cells = [0; CELLS];
                    self.proof.write_solution(solution, &mut cells);
                    all.extend_from_slice(&cells);
                }
                if stats.solutions == self.bounds.solutions.get() {
                    stats.end = SearchEnd::AtLimit;
                    self.proof.call(StopPuzzle { search: self, groups, number, lane });
                    continue;
                }
            }

            // A tree has one leaf more than branches. If another node waits, there are at least as many branches as
            // leaves so far.
            if self.bounds.is_exceeded_by(stats.leaves) && groups[number].with_waiting().contains(lane) {
                stats.end = SearchEnd::GaveUp;
                self.proof.call(StopPuzzle { search: self, groups, number, lane });
            }
        }
    }
}

/// Stops the search for the puzzle of a lane, which has reached a bound.
struct StopPuzzle<'s, 'a, V, S> {
    search: &'s mut LaneSearch<'a, V, S>,
    groups: &'s mut [LaneGroup<V>; GROUPS],
    /// The number of the lane's group.
    number: usize,
    lane: usize,
}

impl<V: Vector, S> Task for StopPuzzle<'_, '_, V, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let StopPuzzle { search, groups, number, lane } = self;
        let puzzle = groups[number].puzzle.lane(lane);
        if !search.is_shared(puzzle) {
            return search.free(&mut groups[number], LaneSet::one(lane));
        }

        search.stack.remove(puzzle);
        for group in groups {
            let lanes = group.busy() & !(group.puzzle ^ search.proof.splat(puzzle)).lanes_with_any();
            if !lanes.is_empty() {
                search.free(group, lanes);
            }
        }
    }
}

impl<V: Vector, S> LaneSearch<'_, V, S> {
    /// Removes the puzzle of these lanes, and all nodes that wait for them.
    #[inline(always)]
    fn free(&mut self, group: &mut LaneGroup<V>, lanes: LaneSet) {
        self.waiting.remove_all(group, lanes);
        // All bits set: [`NO_PUZZLE`].
        group.puzzle = group.puzzle | self.proof.in_lanes(lanes);
    }
}

//! One attempt: derives a puzzle that meets the spec from one random grid, as a sequence of solver queries.
//!
//! ```text
//!   anywhere, or a symmetry:  random grid -> Reduction -------------------.
//!   a pattern:                random grid -> HillClimbing ----------------+-> puzzle
//!                                              each clue by itself, if    |
//!                                              all have to be needed <----'
//!   a known probability:      random grid -> Trials ------------------------> puzzle
//! ```
//!
//! An attempt does not call the engine itself. It gives its next query, waits, and gets the answer, so that the queries
//! of many attempts are solved in one batch.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::RandomGrids;
use super::hill_climbing::HillClimbing;
use super::reduction::{Reduction, Uniqueness};
use super::spec::{PuzzleSpec, Shape};
use super::trial::Trials;
use crate::engine::{Limit, SearchEnd, Verdict};
use crate::puzzle::Orbits;
use crate::puzzle::random::below;

/// A spec with the tables that attempts need; all attempts of a generator share it.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) spec: PuzzleSpec,
    /// The cells that lose their clues together.
    orbits: Arc<Orbits>,
    /// Each cell by itself.
    single: Arc<Orbits>,
    /// Target clue counts; one is drawn for each grid.
    floors: Vec<usize>,
}

impl Plan {
    pub(super) fn new(spec: PuzzleSpec) -> Plan {
        let (orbits, single) = (Arc::new(spec.orbits()), Arc::new(Orbits::new(spec.size, None)));
        Plan { floors: spec.floors(), orbits, single, spec }
    }

    /// The number of solutions at which the engine stops counting.
    pub(super) fn limit(&self) -> Limit {
        if matches!(self.spec.shape, Shape::Pattern(_)) { HillClimbing::limit() } else { Limit::UNIQUE }
    }

    /// Whether all clues are left.
    fn wants_grids(&self) -> bool {
        self.floors == [self.spec.size.cells()]
    }

    /// Whether single clues must be checked after the reduction or the hill climbing.
    fn checks_clues(&self) -> bool {
        self.spec.is_minimal() && self.spec.shape != Shape::Any
    }
}

/// An attempt; its memory is used for one grid after another.
#[derive(Debug)]
pub(super) struct Attempt {
    reduction: Reduction,
    climbing: Option<HillClimbing>,
    trials: Option<Trials>,
    phase: Phase,
    /// The number of clues to reduce to.
    floor: usize,
}

/// The purpose of the current query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Reducing,
    Climbing,
    Trying,
    /// Checking whether each clue is needed, with the number of clues.
    CheckingClues(usize),
    /// Whether there is a puzzle.
    Ended(bool),
}

impl Attempt {
    pub(super) fn new(plan: &Plan) -> Attempt {
        let climbing =
            if let Shape::Pattern(pattern) = &plan.spec.shape { Some(HillClimbing::new(pattern)) } else { None };
        Attempt {
            reduction: Reduction::new(plan.spec.size, &plan.orbits),
            climbing,
            trials: Trials::new(plan.spec.target),
            phase: Phase::Ended(false),
            floor: 0,
        }
    }

    /// Starts with a random grid.
    pub(super) fn start(&mut self, plan: &Plan, grids: &mut RandomGrids, mut rng: Xoshiro256PlusPlus) {
        if let Some(trials) = &mut self.trials {
            trials.start(grids, rng);
            self.phase = Phase::Trying;
            return;
        }

        grids.fill(&mut rng, &mut self.reduction.solution);
        if plan.wants_grids() {
            self.reduction.puzzle.copy_from_slice(&self.reduction.solution);
            self.phase = Phase::Ended(true);
            return;
        }

        if let Some(climbing) = &mut self.climbing {
            climbing.start(&self.reduction.solution, rng);
            self.phase = Phase::Climbing;
            return;
        }

        self.reduction.start(plan.spec.size, &plan.orbits, &mut rng);
        // A single target takes no random number: the puzzles of a seed depend on how many are drawn.
        self.floor = match *plan.floors {
            [floor] => floor,
            ref floors => floors[below(&mut rng, floors.len())],
        };
        self.phase = Phase::Reducing;
    }

    /// The next puzzle that the engine must solve; `None` if the attempt has ended.
    pub(super) fn query(&mut self, plan: &Plan) -> Option<&[u8]> {
        while !self.prepare_query(plan) {
            self.phase = match self.phase {
                Phase::Reducing => self.phase_after(plan, plan.spec.clues().contains(self.reduction.clues())),
                Phase::Climbing => self.phase_after(plan, self.climbing.as_ref().is_some_and(HillClimbing::is_unique)),
                Phase::Trying => Phase::Ended(self.finish_trials()),
                Phase::CheckingClues(clues) => Phase::Ended(self.reduction.clues() == clues),
                Phase::Ended(_) => return None,
            };
        }

        match (&self.climbing, &self.trials) {
            (Some(climbing), _) if self.phase == Phase::Climbing => Some(&climbing.puzzle),
            (_, Some(trials)) if self.phase == Phase::Trying => Some(&trials.puzzle),
            _ => Some(&self.reduction.puzzle),
        }
    }

    /// Prepares the next query of this phase, if there is one.
    fn prepare_query(&mut self, plan: &Plan) -> bool {
        match (self.phase, &mut self.climbing) {
            (Phase::Reducing, _) => self.reduction.prepare_query(self.floor),
            (Phase::Climbing, Some(climbing)) => climbing.prepare_query(plan.spec.size),
            // One clue that is not needed is enough to know that the puzzle is not minimal.
            (Phase::CheckingClues(clues), _) => self.reduction.clues() == clues && self.reduction.prepare_query(0),
            (Phase::Trying, _) => self.trials.as_mut().is_some_and(Trials::prepare_query),
            (Phase::Climbing | Phase::Ended(_), _) => false,
        }
    }

    /// The phase after the reduction or the hill climbing, which has given a puzzle or not.
    fn phase_after(&mut self, plan: &Plan, is_puzzle: bool) -> Phase {
        if !is_puzzle || !plan.checks_clues() {
            return Phase::Ended(is_puzzle);
        }
        self.reduction.start_with_clues(plan.spec.size, &plan.single);
        Phase::CheckingClues(self.reduction.clues())
    }

    /// Takes the puzzle of all trials of a grid, if there is one.
    fn finish_trials(&mut self) -> bool {
        let Reduction { puzzle, solution, .. } = &mut self.reduction;
        self.trials.as_mut().is_some_and(|trials| trials.finish(puzzle, solution))
    }

    /// Takes the answer of the engine to the last query.
    pub(super) fn answer(&mut self, verdict: &Verdict<'_>) {
        if let (Phase::Climbing, Some(climbing)) = (self.phase, &mut self.climbing) {
            climbing.answer((verdict.end != SearchEnd::GaveUp).then_some(verdict.solutions));

            // The clues may be checked next, which is done by the reduction.
            if let (true, Some(solution)) = (climbing.is_unique(), verdict.solution) {
                self.reduction.puzzle.copy_from_slice(&climbing.puzzle);
                self.reduction.solution.copy_from_slice(solution);
            }
            return;
        }

        if let (Phase::Trying, Some(trials)) = (self.phase, &mut self.trials) {
            return trials.answer(verdict.solutions == 1, verdict.solution);
        }

        self.reduction.answer(match (verdict.solutions, verdict.end, verdict.solution) {
            (2.., _, Some(solution)) => Uniqueness::Several(solution),
            (_, SearchEnd::Complete, _) => Uniqueness::Unique,
            _ => Uniqueness::Unknown,
        });
    }

    /// The puzzle of an attempt that has ended, its solution, and the number of clues that may not be needed.
    pub(super) fn puzzle(&self) -> Option<(&[u8], &[u8], u32)> {
        let reduction = &self.reduction;
        (self.phase == Phase::Ended(true)).then_some((&reduction.puzzle, &reduction.solution, reduction.undecided()))
    }

    /// The weight of that puzzle, if it is known, with [`WEIGHT_DIGITS`](super::trial::WEIGHT_DIGITS).
    pub(super) fn weight(&self) -> Option<u64> {
        self.trials.as_ref().and_then(Trials::weight)
    }

    /// The number of trials of each grid.
    pub(super) fn trials(&self) -> u64 {
        self.trials.as_ref().map_or(1, Trials::of_each_grid)
    }
}

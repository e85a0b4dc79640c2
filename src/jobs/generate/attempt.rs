//! A try for a puzzle of the wished kind from one random grid, one question to an engine after another.
//!
//! ```text
//!   anywhere, or a symmetry:  random grid -> Reduction -------------------.
//!   a pattern:                random grid -> Climb -----------------------+-> puzzle
//!                                              clues of both singly, if   |
//!                                              all have to be needed <----'
//! ```

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::climb::Climb;
use super::grid::Grids;
use super::reduction::{Answer, Reduction};
use super::wish::{Shape, Wish};
use crate::engine::{Limit, SearchEnd, Verdict};
use crate::puzzle::Orbits;
use crate::puzzle::random::below;

/// A wish in the form in which the tries need it; they share it.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) wish: Wish,
    /// The cells that lose their clues together.
    orbits: Arc<Orbits>,
    single: Arc<Orbits>,
    /// The numbers of clues to reduce to, of which one is drawn for each grid.
    floors: Vec<usize>,
}

impl Plan {
    pub(super) fn new(wish: Wish) -> Plan {
        let (orbits, single) = (Arc::new(wish.orbits()), Arc::new(Orbits::new(wish.order, None)));
        Plan { floors: wish.floors(), orbits, single, wish }
    }

    /// How far the engine counts solutions.
    pub(super) fn limit(&self) -> Limit {
        if matches!(self.wish.shape, Shape::Pattern(_)) { Climb::limit() } else { Limit::UNIQUE }
    }

    /// Whether single clues of a puzzle must be checked after the reduction or the climb.
    fn checks_clues(&self) -> bool {
        self.wish.is_minimal() && self.wish.shape != Shape::Any
    }
}

/// A try for a puzzle; it is used for one grid after another.
#[derive(Debug)]
pub(super) struct Attempt {
    reduction: Reduction,
    climb: Option<Climb>,
    stage: Stage,
    /// The number of clues to reduce to.
    floor: usize,
}

/// What the current question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Reducing,
    Climbing,
    /// Whether any of this number of clues can be spared.
    Checking(usize),
    /// Whether there is a puzzle.
    Ended(bool),
}

impl Attempt {
    pub(super) fn new(plan: &Plan) -> Attempt {
        let climb = if let Shape::Pattern(pattern) = &plan.wish.shape { Some(Climb::new(pattern)) } else { None };
        Attempt {
            reduction: Reduction::new(plan.wish.order, &plan.orbits),
            climb,
            stage: Stage::Ended(false),
            floor: 0,
        }
    }

    /// Starts with a random grid.
    pub(super) fn start(&mut self, plan: &Plan, grids: &mut Grids, mut rng: Xoshiro256PlusPlus) {
        grids.fill(&mut rng, &mut self.reduction.solution);
        if let Some(climb) = &mut self.climb {
            climb.start(&self.reduction.solution, rng);
            self.stage = Stage::Climbing;
            return;
        }
        self.reduction.start(plan.wish.order, &plan.orbits, &mut rng);
        self.floor = match *plan.floors {
            [floor] => floor,
            ref floors => floors[below(&mut rng, floors.len())],
        };
        self.stage = Stage::Reducing;
    }

    /// The next puzzle that the engine must solve; `None` if the try has ended.
    pub(super) fn question(&mut self, plan: &Plan) -> Option<&[u8]> {
        while !self.ask(plan) {
            self.stage = match self.stage {
                Stage::Reducing => self.after(plan, plan.wish.clues().contains(self.reduction.clues())),
                Stage::Climbing => self.after(plan, self.climb.as_ref().is_some_and(Climb::is_unique)),
                Stage::Checking(clues) => Stage::Ended(self.reduction.clues() == clues),
                Stage::Ended(_) => return None,
            };
        }
        match &self.climb {
            Some(climb) if self.stage == Stage::Climbing => Some(&climb.puzzle),
            _ => Some(&self.reduction.puzzle),
        }
    }

    /// Makes the next question of this stage, if there is one.
    fn ask(&mut self, plan: &Plan) -> bool {
        match (self.stage, &mut self.climb) {
            (Stage::Reducing, _) => self.reduction.ask(self.floor),
            (Stage::Climbing, Some(climb)) => climb.ask(plan.wish.order),
            (Stage::Checking(clues), _) => self.reduction.clues() == clues && self.reduction.ask(0),
            (Stage::Climbing | Stage::Ended(_), _) => false,
        }
    }

    /// The stage after the reduction or the climb, which has given a puzzle or not.
    fn after(&mut self, plan: &Plan, is_puzzle: bool) -> Stage {
        if !is_puzzle || !plan.checks_clues() {
            return Stage::Ended(is_puzzle);
        }
        self.reduction.start_with_clues(plan.wish.order, &plan.single);
        Stage::Checking(self.reduction.clues())
    }

    /// Takes the answer of the engine to the last question.
    pub(super) fn answer(&mut self, verdict: &Verdict<'_>) {
        if let (Stage::Climbing, Some(climb)) = (self.stage, &mut self.climb) {
            climb.answer((verdict.end != SearchEnd::GaveUp).then_some(verdict.solutions));
            if let (true, Some(solution)) = (climb.is_unique(), verdict.solution) {
                self.reduction.puzzle.copy_from_slice(&climb.puzzle);
                self.reduction.solution.copy_from_slice(solution);
            }
            return;
        }
        self.reduction.answer(match (verdict.solutions, verdict.end, verdict.solution) {
            (2.., _, Some(solution)) => Answer::Several(solution),
            (_, SearchEnd::Complete, _) => Answer::Unique,
            _ => Answer::Unknown,
        });
    }

    /// The puzzle of a try that has ended, its solution, and how many of its clues may not be needed.
    pub(super) fn puzzle(&self) -> Option<(&[u8], &[u8], u32)> {
        let reduction = &self.reduction;
        (self.stage == Stage::Ended(true)).then_some((&reduction.puzzle, &reduction.solution, reduction.undecided()))
    }
}

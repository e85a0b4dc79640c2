//! Rates puzzles: how hard they are for a person.
//!
//! The measure is that of Sudoku Explainer 1.2.1, the field's yardstick. Again and again, the rater takes the first step
//! in a fixed order of [techniques](Technique), from the easiest to the hardest, until the puzzle is solved. The
//! hardest of these steps is the rating.

mod candidates;
mod chains;
mod finder;
mod houses;
mod level;
mod rules;
mod sets;
mod step;
mod technique;

use self::finder::{Finder, NextStep};
use crate::puzzle::Grid;

pub use self::candidates::Candidates;
pub use self::level::{Level, UnknownLevel};
pub use self::sets::{CellMembers, CellSet, DigitMembers, DigitSet};
pub use self::step::{Difficulty, Elimination, ParseDifficultyError, Placement, Step};
pub use self::technique::{Nesting, Technique, UniquenessKind};

/// The rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The difficulty of the hardest step: ER. If the rating ended above a bound, the bound.
    pub er: Difficulty,
    /// The difficulty so far when the first digit is placed, which is called the pearl: EP; 0 if it is not known.
    pub ep: Difficulty,
    /// The difficulty of the first step, which is called the diamond: ED; 0 if it is not known.
    pub ed: Difficulty,
    /// Where the rating ended.
    pub end: RatingEnd,
}

/// Where a rating ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingEnd {
    /// The puzzle is solved.
    Solved,
    /// The next step is harder than the [bound](RatingOptions::max_er).
    AboveBound,
    /// No technique finds a step. ER is 20.0.
    Unsolved,
}

/// What is to be found out about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RatingGoal {
    /// ER, EP, ED and every step.
    #[default]
    Steps,
    /// ER alone. EP and ED may stay 0, and steps may be skipped, which is faster.
    Er,
}

/// What a [`Rater`] finds out, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RatingOptions {
    /// What is to be found out.
    pub goal: RatingGoal,
    /// A rating ends at the first step that is harder.
    pub max_er: Option<Difficulty>,
}

impl Rating {
    /// The rating of a puzzle that no technique solves.
    pub const UNSOLVED: Difficulty = Difficulty::from_tenths(200);
}

/// Rates puzzles, one after another, with memory that is allocated once.
#[derive(Debug, Default)]
pub struct Rater {
    options: RatingOptions,
    finder: Finder,
}

impl Rater {
    /// A rater that finds every step, however hard.
    pub fn new() -> Rater {
        Rater::default()
    }

    /// A rater with options.
    pub fn with_options(options: RatingOptions) -> Rater {
        Rater { options, ..Rater::default() }
    }

    /// Rates a puzzle, or a grid of candidates, that has exactly one solution, and gives each step to `each` before it
    /// is applied. With [`RatingGoal::Er`], `each` may get only some of them.
    pub fn rate(&mut self, candidates: Candidates, mut each: impl FnMut(&Candidates, &Step)) -> Rating {
        let mut grid = candidates;
        let [mut er, mut ep, mut ed] = [Difficulty::default(); 3];
        let mut end = RatingEnd::Solved;
        while !grid.is_solved() {
            match self.finder.find(&grid, self.options.max_er) {
                NextStep::Found => {}
                NextStep::AboveBound => {
                    // The step is harder than the bound, or nobody looked for it.
                    (er, end) = (self.options.max_er.unwrap_or(er), RatingEnd::AboveBound);
                    break;
                }
                NextStep::None => {
                    (er, end) = (Rating::UNSOLVED, RatingEnd::Unsolved);
                    break;
                }
            }
            let step = &self.finder.step;
            er = er.max(step.difficulty);
            if ed == Difficulty::default() {
                ed = er;
            }
            if ep == Difficulty::default() && step.placement.is_some() {
                ep = er;
            }
            each(&grid, step);
            step.apply(&mut grid);
        }
        Rating { er, ep, ed, end }
    }
}

/// The candidates of a 9x9 puzzle.
impl From<&Grid> for Candidates {
    fn from(puzzle: &Grid) -> Candidates {
        Candidates::of(puzzle)
    }
}

//! Rates puzzles: how hard they are for a person.
//!
//! The measure is that of Sudoku Explainer 1.2.1, the field's yardstick. Again and again, the rater takes the first step
//! in a fixed order of [techniques](Technique), from the easiest to the hardest, until the puzzle is solved. The
//! hardest of these steps is the rating.

mod candidates;
mod chains;
mod houses;
mod rules;
mod sets;
mod step;
mod technique;

use crate::puzzle::Grid;

pub use self::candidates::Candidates;
pub use self::sets::{CellMembers, CellSet, DigitMembers, DigitSet};
pub use self::step::{Difficulty, Elimination, Placement, Step};
pub use self::technique::{Nesting, Technique, UniquenessKind};

/// The rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The difficulty of the hardest step: ER.
    pub er: Difficulty,
    /// The difficulty so far when the first digit is placed, which is called the pearl: EP.
    pub ep: Difficulty,
    /// The difficulty of the first step, which is called the diamond: ED.
    pub ed: Difficulty,
}

impl Rating {
    /// The rating of a puzzle that no technique solves.
    pub const UNSOLVED: Difficulty = Difficulty::from_tenths(200);
}

/// Rates puzzles, one after another, with memory that is allocated once.
#[derive(Debug, Default)]
pub struct Rater {
    step: Step,
}

impl Rater {
    /// A rater.
    pub fn new() -> Rater {
        Rater::default()
    }

    /// Rates a puzzle, or a grid of candidates, that has exactly one solution, and gives each step to `each` before it
    /// is applied.
    pub fn rate(&mut self, candidates: Candidates, mut each: impl FnMut(&Candidates, &Step)) -> Rating {
        let mut grid = candidates;
        let [mut er, mut ep, mut ed] = [Difficulty::default(); 3];
        while !grid.is_solved() {
            if !self.find(&grid) {
                er = Rating::UNSOLVED;
                break;
            }
            er = er.max(self.step.difficulty);
            if ed == Difficulty::default() {
                ed = er;
            }
            if ep == Difficulty::default() && self.step.placement.is_some() {
                ep = er;
            }
            each(&grid, &self.step);
            self.step.apply(&mut grid);
        }
        Rating { er, ep, ed }
    }

    /// Finds the first step in the yardstick's order.
    fn find(&mut self, _grid: &Candidates) -> bool {
        false
    }
}

/// The candidates of a 9x9 puzzle.
impl From<&Grid> for Candidates {
    fn from(puzzle: &Grid) -> Candidates {
        Candidates::of(puzzle)
    }
}

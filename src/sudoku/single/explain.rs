//! Explains how a person solves 9x9 puzzles, step by step: the text of `gridmill explain`.

use super::{AsPuzzle, RateError, SolveError, rate_with_steps};
use crate::puzzle::Pencilmarks;
use crate::rating::{Candidates, Explanation, Paint, Rater, RatingGoal, RatingOptions, StepGrids};

/// Writes the steps of a person who solves a puzzle, in words and with grids of candidates.
///
/// They are the same steps as in [`rate_with_steps`]. A grid marks the pattern of a step with `*`, the candidates that
/// it removes with `-`, and the digit that it places with `+`.
///
/// ```
/// use gridmill::Explain;
/// use gridmill::rating::StepGrids;
///
/// let puzzle = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
/// let steps = Explain::new().grids(StepGrids::None).puzzle(puzzle)?;
/// assert!(steps.starts_with("1. Hidden Single (1.2): {9} in r1c3 of box 1: r1c3=9\n"), "{steps}");
/// assert!(steps.ends_with("Solved in 55 steps: ER 1.5, EP 1.2, ED 1.2, easy\n"));
/// # Ok::<(), gridmill::RateError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Explain {
    grids: StepGrids,
    paint: Paint,
}

impl Explain {
    /// By default, steps that remove candidates get a grid.
    pub fn new() -> Explain {
        Explain { grids: StepGrids::default(), paint: |_, text| text }
    }

    /// The steps of a puzzle.
    ///
    /// # Errors
    ///
    /// If the text is not a puzzle, or the puzzle is not 9x9, or does not have exactly one solution.
    pub fn puzzle(&self, puzzle: &(impl AsPuzzle + ?Sized)) -> Result<String, RateError> {
        let mut explanation = Explanation::new(self.grids, self.paint);
        let rating = rate_with_steps(puzzle, |candidates, step| explanation.step(candidates, step))?;
        Ok(explanation.end(rating))
    }

    /// The steps of a pencilmark puzzle.
    ///
    /// # Errors
    ///
    /// If the puzzle does not have exactly one solution.
    pub fn pencilmarks(&self, puzzle: &Pencilmarks) -> Result<String, SolveError> {
        puzzle.solve()?;
        let mut explanation = Explanation::new(self.grids, self.paint);
        let each = |candidates: &Candidates, step: &_| explanation.step(candidates, step);
        let options = RatingOptions { goal: RatingGoal::Implications, max_er: None };
        let rating = Rater::with_options(options).rate_candidates(Candidates::from(puzzle), each);
        Ok(explanation.end(rating))
    }
}

setters!(Explain {
    /// Sets the steps that get a grid of candidates.
    grids(grids: StepGrids) => grids = grids;

    /// Sets the colours of the marks in a grid, by default none.
    paint(paint: Paint) => paint = paint;
});

impl Default for Explain {
    fn default() -> Explain {
        Explain::new()
    }
}

//! How a graded answer becomes one number.

use strum::{Display, IntoStaticStr, VariantArray};

use super::row::{Grade, GridCounts};
use crate::format::ParsedPuzzle;
use crate::rows::Decimal;
use crate::scoring::Assessment;

/// The formula for the score of an answer: a number from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum ScoreFormula {
    /// 1 for a solution, 0 for all else.
    Exact,
    /// The blanks that are filled as in the nearest solution, divided by all blanks; 0 if a clue is changed. If there are
    /// no blanks, as [`Exact`](ScoreFormula::Exact).
    #[default]
    Blanks,
    /// The cells that are as in the nearest solution, clues included, divided by all cells.
    Cells,
}

/// The digits after the point of a score.
pub(super) const DIGITS: u32 = 6;

/// The score 1, in units of the last digit.
pub(super) const ONE: u64 = 10_u64.pow(DIGITS);

impl ScoreFormula {
    /// The score of an answer without a grid: 0 if it has one.
    pub(super) fn without_grid(grade: Grade) -> Option<Decimal> {
        (!matches!(grade, Grade::None | Grade::Malformed)).then_some(Decimal { units: 0, digits: DIGITS })
    }

    /// The score of an answer to a puzzle; `None` if it is not known, or the puzzle has no solution. No grid is worth 0.
    pub(super) fn score(self, grade: Grade, puzzle: ParsedPuzzle, counts: Option<GridCounts>) -> Option<Decimal> {
        let share = |part: usize, of: usize| {
            // Rounded down, so that only a solution has a score of 1.
            let units = part as u64 * ONE / of as u64;
            Some(Decimal { units, digits: DIGITS })
        };
        let exact = || share(usize::from(grade == Grade::Solved), 1);
        let (GridCounts { assessment: Assessment { blanks, changed, .. }, right, .. }, clues) = match (grade, counts) {
            (Grade::None, _) | (_, None) => return ScoreFormula::without_grid(grade),
            (_, Some(counts)) => (counts, usize::from(puzzle.clues)),
        };

        match self {
            ScoreFormula::Exact => exact(),
            ScoreFormula::Blanks if blanks == 0 => exact(),
            ScoreFormula::Blanks if changed > 0 => share(0, 1),
            ScoreFormula::Blanks => share(right?, blanks),
            ScoreFormula::Cells => share(right? + clues - changed, clues + blanks),
        }
    }
}

//! The rows of `score`: their columns, the grade of an answer, and the formulas for its score.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use crate::format::{Alphabet, ParsedPuzzle};
use crate::rows::{Column, Decimal, Field, Kind, Row, Subject, column, row};
use crate::scoring::{Assessment, Place};
use crate::stats::Category;

/// The grade of an answer to a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Grade {
    /// A solution: full, within the rules, with every clue. A puzzle with several solutions accepts each of them.
    Solved,
    /// A full grid with every clue that breaks a rule.
    Wrong,
    /// A grid that lacks clues, or changes them.
    Changed,
    /// A grid with every clue and with blanks.
    Incomplete,
    /// The answer has no grid of the puzzle's size, or the record is too long to be read.
    NoGrid,
    /// The puzzle has no solution, so the answer is worth nothing.
    None,
    /// The puzzle is malformed, or the answer is a chat that cannot be read.
    Malformed,
}

impl Grade {
    /// The names of all grades, in their order.
    pub(crate) const NAMES: &[&str] = <Grade as VariantNames>::VARIANTS;
}

impl Category for Grade {
    fn index(self) -> usize {
        self as usize
    }
}

/// The row of a record.
pub(crate) struct ScoreRow<'a> {
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    pub(super) grade: Grade,
    pub(super) score: Option<Decimal>,
    /// The place of the grid, or the reason why it is not in the answer.
    pub(super) found: Option<Place>,
    /// The grid that was found, and the symbols of its puzzle.
    pub(super) grid: Option<FoundAnswer<'a>>,
    pub(super) detail: &'a str,
}

/// A grid that was found in an answer.
#[derive(Clone, Copy)]
pub(super) struct FoundAnswer<'a> {
    pub(super) facts: GridFacts,
    pub(super) cells: &'a [u8],
    pub(super) alphabet: &'a Alphabet,
}

/// The properties of a grid in an answer.
#[derive(Clone, Copy)]
pub(super) struct GridFacts {
    pub(super) place: Place,
    pub(super) start: usize,
    /// The number of different grids in the same place.
    pub(super) grids: usize,
    /// Whether another grid in the answer is a solution; `None` if this grid is one.
    pub(super) is_another_right: Option<bool>,
    pub(super) counts: GridCounts,
}

/// The counts of a grid's cells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GridCounts {
    pub(super) assessment: Assessment,
    /// The number of blanks that are filled as in the nearest solution; `None` if that solution is unknown.
    pub(super) right: Option<usize>,
    /// Whether a grid with blanks can be completed; `None` if that is unknown, or the grid has no blanks.
    pub(super) is_solvable: Option<bool>,
}

impl Row for ScoreRow<'_> {
    row! {
        |self, field| {
            let facts = self.grid.map(|grid| grid.facts);
            let count = |of: fn(&Assessment) -> usize| facts.map(|facts| of(&facts.counts.assessment) as u64);
        }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!(
            "verdict",
            Kind::Name(Grade::NAMES),
            "solved, wrong, changed, incomplete or no-grid; none or malformed if the puzzle is that"
        ) => field.name(Grade::NAMES, self.grade as usize);
        column!("score", Kind::Decimal, "what the answer is worth, from 0 to 1, by `formula`").nullable() =>
            field.decimal_if_known(self.score);
        column!("grid", Kind::Text, "the grid in the answer, in one line").nullable() => match self.grid {
            Some(grid) => field.symbols(grid.alphabet, grid.cells, b'.'),
            None => field.null(),
        };
        column!(
            "found",
            Kind::Name(Place::VARIANTS),
            "where it was found: answer, boxed or text; of no-grid, answer if a tag without a grid is the answer, or \
             thoughts"
        )
        .nullable() => field.name_if_known(Place::VARIANTS, self.found.map(|place| place as usize));
        column!("start", Kind::Number, "the byte of the answer at which it starts, from 0").nullable() =>
            field.number_if_known(facts.map(|facts| facts.start as u64));
        column!("grids", Kind::Number, "the different grids in that place").nullable() =>
            field.number_if_known(facts.map(|facts| facts.grids as u64));
        column!(
            "another",
            Kind::Name(&YES_NO),
            "whether another grid in the answer is a solution; none if this one is"
        )
        .nullable() => yes_or_no(field, facts.and_then(|facts| facts.is_another_right));
        column!("blanks", Kind::Number, "the blanks of the puzzle").nullable() =>
            field.number_if_known(count(|counts| counts.blanks));
        column!("filled", Kind::Number, "those of them that the grid fills").nullable() =>
            field.number_if_known(count(|counts| counts.filled));
        column!("right", Kind::Number, "those that it fills as the nearest solution does; none if it is not known")
            .nullable() => field.number_if_known(facts.and_then(|facts| facts.counts.right).map(|right| right as u64));
        column!("conflicts", Kind::Number, "the cells of the grid whose digit occurs again in a house").nullable() =>
            field.number_if_known(count(|counts| counts.conflicts));
        column!("changed", Kind::Number, "the clues that the grid lacks or has changed").nullable() =>
            field.number_if_known(count(|counts| counts.changed));
        column!("solvable", Kind::Name(&YES_NO), "whether a grid with blanks has a solution: yes or no").nullable() =>
            yes_or_no(field, facts.and_then(|facts| facts.counts.is_solvable));
        column!("detail", Kind::Text, "the reason for the verdict, where there is one to give").nullable() =>
            field.text_if_any(self.detail);
    }
}

/// The names in the columns `another` and `solvable`.
const YES_NO: [&str; 2] = ["yes", "no"];

/// Writes one of these names, if known.
#[inline(always)]
fn yes_or_no<F: Field>(field: F, answer: Option<bool>) {
    field.name_if_known(&YES_NO, answer.map(|answer| usize::from(!answer)));
}

/// The formula for the score of an answer: a number from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, IntoStaticStr, VariantArray, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum ScoreFormula {
    /// 1 for a solution, 0 for everything else.
    Exact,
    /// The number of blanks that are filled as in the nearest solution, divided by the number of all blanks; 0 if a
    /// clue is changed. Without blanks, the same as [`Exact`](ScoreFormula::Exact).
    #[default]
    Blanks,
    /// The number of cells that are the same as in the nearest solution, clues included, divided by the number of all
    /// cells.
    Cells,
}

/// The number of decimal places of a score.
pub(super) const DIGITS: u32 = 6;

/// The score 1, in units of the last decimal place.
pub(super) const ONE: u64 = 10_u64.pow(DIGITS);

impl ScoreFormula {
    /// The score of an answer without a grid. A damaged record counts too, so that no answer can drop out of the mean
    /// by damaging its record.
    pub(super) fn without_grid(grade: Grade) -> Option<Decimal> {
        (grade != Grade::None).then_some(Decimal { units: 0, digits: DIGITS })
    }

    /// The score of an answer to a puzzle; `None` if it is unknown, or the puzzle has no solution. An answer without a
    /// grid has score 0.
    pub(super) fn score(self, grade: Grade, puzzle: ParsedPuzzle, counts: Option<GridCounts>) -> Option<Decimal> {
        let share = |part: usize, of: usize| {
            // Round down, so that only a solution has score 1.
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

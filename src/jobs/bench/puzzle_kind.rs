//! The kinds of puzzles that are made to compare solvers.

use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

/// How a puzzle is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum PuzzleKind {
    /// Without clues.
    Empty,
    /// Few clues, which are cells of a grid: many solutions.
    FewClues,
    /// A minimal puzzle without one to three of its clues: several solutions.
    Several,
    /// A minimal puzzle with some more clues: one solution.
    Unique,
    /// One solution, and none without any of the clues; above 9x9 as far as short searches show.
    Minimal,
    /// A grid without one to five cells.
    NearlyFull,
    /// A grid.
    Full,
    /// A puzzle with one solution in which the digit of a clue is another one; no two clues clash. Mostly no solution.
    ChangedClue,
    /// Random digits in random cells, no two of which clash. No solution or several.
    RandomClues,
    /// A puzzle with the same digit twice in a house: no solution.
    Clash,
    /// A grid with the same digit twice in a house.
    FullClash,
}

impl PuzzleKind {
    /// The names of all kinds, in their order.
    pub(super) const NAMES: &[&str] = <PuzzleKind as VariantNames>::VARIANTS;
}

//! One step of a solution: the pattern that a technique found, and its conclusions.

use super::candidates::Candidates;
use super::difficulty::Difficulty;
use super::implications::Implication;
use super::sets::{CellSet, DigitSet};
use super::technique::Technique;
use crate::puzzle::House;

/// A digit that a step puts into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The cell, 0 to 80.
    pub cell: usize,
    /// The digit, 0 to 8.
    pub digit: usize,
}

/// Candidates that a step removes from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Elimination {
    /// The cell, 0 to 80.
    pub cell: usize,
    /// The digits that are removed.
    pub digits: DigitSet,
}

/// A step that a technique found in a grid of candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The technique.
    pub technique: Technique,
    /// The difficulty of the step.
    pub difficulty: Difficulty,
    /// The placement, if the step has one.
    pub placement: Option<Placement>,
    /// The candidates that it removes, at most one entry for a cell, in ascending order of cells.
    pub eliminations: Vec<Elimination>,
    /// The cells of the pattern: the cells that a person has to look at to understand the step.
    pub cells: CellSet,
    /// The digits of the pattern.
    pub digits: DigitSet,
    /// The houses of the pattern; empty if the pattern is not bound to houses.
    pub houses: Vec<House>,
    /// The implications of a chain, if they were [requested](super::RatingGoal::Implications); empty for other
    /// techniques.
    pub implications: Vec<Implication>,
}

impl Default for Step {
    fn default() -> Step {
        Step {
            technique: Technique::HiddenSingle,
            difficulty: Difficulty::default(),
            placement: None,
            eliminations: Vec::new(),
            cells: CellSet::EMPTY,
            digits: DigitSet::EMPTY,
            houses: Vec::new(),
            implications: Vec::new(),
        }
    }
}

impl Step {
    /// Starts a new step with the least difficulty of the technique. Reuses the memory of the last step.
    pub(super) fn begin(&mut self, technique: Technique) {
        self.begin_with(technique, technique.least_tenths());
    }

    /// Starts a new step with another difficulty.
    pub(super) fn begin_with(&mut self, technique: Technique, tenths: u16) {
        self.technique = technique;
        self.difficulty = Difficulty::from_tenths(tenths);
        self.placement = None;
        self.eliminations.clear();
        self.cells = CellSet::EMPTY;
        self.digits = DigitSet::EMPTY;
        self.houses.clear();
        self.implications.clear();
    }

    /// Adds the removal of a digit from cells.
    pub(super) fn eliminate(&mut self, cells: CellSet, digit: usize) {
        for cell in cells {
            self.eliminate_digits(cell, DigitSet::of(digit));
        }
    }

    /// Adds the removal of digits from a cell, unless `digits` is empty.
    pub(super) fn eliminate_digits(&mut self, cell: usize, digits: DigitSet) {
        if digits.is_empty() {
            return;
        }
        // Patterns remove digits cell by cell or digit by digit, so the cell may have an entry already.
        match self.eliminations.binary_search_by_key(&cell, |elimination| elimination.cell) {
            Ok(index) => self.eliminations[index].digits = self.eliminations[index].digits.or(digits),
            Err(index) => self.eliminations.insert(index, Elimination { cell, digits }),
        }
    }

    /// Applies the step to a grid.
    pub(super) fn apply(&self, candidates: &mut Candidates) {
        for elimination in &self.eliminations {
            candidates.remove_all(elimination.cell, elimination.digits);
        }
        if let Some(Placement { cell, digit }) = self.placement {
            candidates.place(cell, digit);
        }
    }
}

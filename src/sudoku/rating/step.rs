//! One step of a solution: the pattern that a technique found, and its conclusions.

use std::fmt;
use std::str::FromStr;

use super::candidates::Candidates;
use super::implications::Implication;
use super::sets::{CellSet, DigitSet};
use super::technique::Technique;
use crate::options::ParseError;
use crate::puzzle::House;

/// How hard a step or a puzzle is, in tenths: 7.1 is 71. As JSON it is a text: `"7.1"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Difficulty(u16);

impl Difficulty {
    /// A difficulty in tenths.
    pub const fn from_tenths(tenths: u16) -> Difficulty {
        Difficulty(tenths)
    }

    /// The difficulty in tenths.
    pub const fn tenths(self) -> u16 {
        self.0
    }
}

/// Prints one digit after the point: `7.1`.
impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// As printed: `7.1`.
impl fmt::Debug for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads a number with one digit after the point that counts: `3`, `7.1`, `7.10`.
impl FromStr for Difficulty {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Difficulty, ParseError> {
        let (ones, tenth) = text.split_once('.').unwrap_or((text, "0"));
        // Zeros at the end change nothing, as in 7.10, but a point needs a digit after it.
        let tenth = match tenth.trim_end_matches('0') {
            "" if !tenth.is_empty() => "0",
            digits => digits,
        };
        let is_number = |digits: &str, most: usize| {
            (1..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let tenths = (is_number(ones, 2) && is_number(tenth, 1))
            .then(|| format!("{ones}{tenth}").parse().ok().filter(|&tenths| tenths <= 200));
        tenths.flatten().map(Difficulty).ok_or_else(|| {
            ParseError::new(format!("'{text}' is not a difficulty: expected a number up to 20.0, such as 7.1"))
        })
    }
}

as_text!(Difficulty);

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
        self.difficulty = Difficulty(tenths);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difficulties_are_read_back() {
        for tenths in 0..=200 {
            let difficulty = Difficulty::from_tenths(tenths);
            assert_eq!(difficulty.to_string().parse(), Ok(difficulty));
            assert_eq!(format!("{difficulty:?}"), difficulty.to_string());
        }
        for text in ["3", "3.0", "3.00", "03"] {
            assert_eq!(text.parse(), Ok(Difficulty::from_tenths(30)));
        }
        assert_eq!("7.100".parse(), Ok(Difficulty::from_tenths(71)));
        for text in ["", ".", "3.", ".5", "1.25", "-1", "+1", "20.1", "200", "1,5", "7.1 "] {
            assert!(text.parse::<Difficulty>().is_err(), "{text}");
        }
    }
}

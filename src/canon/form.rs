//! The canonical form of a puzzle of any size whose solutions were counted, or why it has none.

use super::{Canonical, Canonicaliser, Class, Form, OutOfBoundError};
use crate::puzzle::Size;

/// The canonical form of a puzzle, or why there is none.
#[derive(Clone, Debug)]
pub(crate) enum CanonicalForm {
    /// The puzzle has one solution.
    Unique(Canonical),
    /// It has none or several: the form of the clues.
    Clues(Form),
    /// It is not known how many solutions it has.
    Undecided,
    /// The form of the clues takes too much work.
    OutOfBound(OutOfBoundError),
    /// Its size has no forms.
    OtherSize,
}

impl CanonicalForm {
    /// Finds the form of a puzzle.
    ///
    /// `solutions` were counted up to two at least; `None` if their number is not known. If there is one, `solution` has
    /// its cells, and otherwise it is not read.
    pub(crate) fn find(
        puzzle: &[u8],
        solutions: Option<u64>,
        solution: &[u8],
        canonicaliser: &mut Canonicaliser,
    ) -> CanonicalForm {
        if !Size::from_cells(puzzle.len()).is_some_and(Canonicaliser::has_forms) {
            return CanonicalForm::OtherSize;
        }
        match solutions {
            None => CanonicalForm::Undecided,
            Some(1) => CanonicalForm::Unique(canonicaliser.of_unique(puzzle, &solution[..puzzle.len()])),
            Some(_) => match canonicaliser.of_clues(puzzle, Canonicaliser::BOUND) {
                Ok(form) => CanonicalForm::Clues(form),
                Err(out_of_bound) => CanonicalForm::OutOfBound(out_of_bound),
            },
        }
    }

    /// The form as a puzzle.
    pub(crate) fn puzzle(&self) -> Option<&Form> {
        match self {
            CanonicalForm::Unique(canonical) => Some(&canonical.puzzle),
            CanonicalForm::Clues(form) => Some(form),
            CanonicalForm::Undecided | CanonicalForm::OutOfBound(_) | CanonicalForm::OtherSize => None,
        }
    }

    /// The form with its solution, if there is one.
    pub(crate) fn unique(&self) -> Option<&Canonical> {
        if let CanonicalForm::Unique(canonical) = self { Some(canonical) } else { None }
    }

    /// The class of the puzzle.
    pub(crate) fn class(&self) -> Option<Class> {
        self.puzzle().map(|form| Class::of(form))
    }

    /// The class of its solution, if it has one.
    pub(crate) fn solution_class(&self) -> Option<Class> {
        self.unique().map(|canonical| Class::of(&canonical.solution))
    }
}

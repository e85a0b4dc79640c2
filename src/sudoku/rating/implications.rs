//! The implications of a chain: its assumptions, and each statement that follows, with the earlier statements that
//! imply it.

use super::technique::Technique;

/// A candidate, and whether it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// The cell, 0 to 80.
    pub cell: usize,
    /// The digit, 0 to 8.
    pub digit: usize,
    /// Whether the cell has the digit.
    pub is_true: bool,
}

/// A statement of a chain, and the reason for it.
///
/// Implications are numbered from 0, and each rests only on earlier ones. Some are assumptions; a statement that rests
/// on an assumption is true only if the assumption is. [`Because::Contradiction`] and [`Because::Cases`] discharge the
/// assumptions that they name, so the conclusions of a chain, which come last, rest on no assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implication {
    /// The statement.
    pub statement: Statement,
    /// The reason.
    pub because: Because,
}

/// The reason for a statement of a chain. Numbers refer to earlier implications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// It is assumed.
    Assumed,
    /// The reason for a true statement: the other candidates of its cell, or the other places of its digit in a house,
    /// are all false. The reason for a false statement: another candidate of its cell, or another place of its digit in
    /// a house, is true.
    Linked(Vec<usize>),
    /// A technique excludes the candidate if these candidates are false.
    Technique(Technique, Vec<usize>),
    /// An assumption leads to a statement and to its opposite, so it is wrong.
    Contradiction {
        /// The assumption.
        assumption: usize,
        /// The statement and its opposite.
        ends: [usize; 2],
    },
    /// At least one of several assumptions is true, and all of them lead to the statement: a candidate is true or
    /// false, or one of the candidates of a cell, or of the places of a digit in a house, is true.
    Cases {
        /// Each assumption, and the statement that rests on it.
        cases: Vec<[usize; 2]>,
        /// The other candidates of the cell or the other places in the house, which are false.
        others: Vec<usize>,
    },
}

impl Statement {
    /// The negation of the statement.
    #[must_use]
    pub const fn opposite(self) -> Statement {
        Statement { is_true: !self.is_true, ..self }
    }
}

impl Because {
    /// Visits all numbers that it contains.
    pub(super) fn each_number(&mut self, visit: impl FnMut(&mut usize)) {
        match self {
            Because::Assumed => {}
            Because::Linked(causes) | Because::Technique(_, causes) => causes.iter_mut().for_each(visit),
            Because::Contradiction { assumption, ends } => {
                std::iter::once(assumption).chain(ends).for_each(visit);
            }
            Because::Cases { cases, others } => cases.iter_mut().flatten().chain(others).for_each(visit),
        }
    }
}

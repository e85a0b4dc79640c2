//! The implications of a chain: what follows from its assumptions, and from which of the statements before.

use super::technique::Technique;

/// A candidate, and whether it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// The cell, 0 to 80.
    pub cell: usize,
    /// The digit, 0 to 8.
    pub digit: usize,
    /// Whether the cell has the digit, or does not have it.
    pub is_true: bool,
}

/// A statement of a chain, and why it is so.
///
/// Implications are numbered from 0, and each rests only on implications before it. Some are assumptions, and what rests
/// on an assumption is true only if the assumption is. [`Because::Contradiction`] and [`Because::Cases`] are free of the
/// assumptions that they name, so the conclusions of a chain, which come last, rest on no assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implication {
    /// The statement.
    pub statement: Statement,
    /// Why it is so.
    pub because: Because,
}

/// Why a statement of a chain is so. Numbers are those of implications before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// It is assumed.
    Assumed,
    /// Of a true statement, these are the other candidates of its cell, or the other places of its digit in a house, and
    /// all of them are false. Of a false one, this is a candidate of its cell, or a place of its digit in a house, and it is
    /// true.
    Linked(Vec<usize>),
    /// The technique excludes it if these candidates are false.
    Technique(Technique, Vec<usize>),
    /// An assumption leads to a statement and to its opposite, so it is wrong.
    Contradiction {
        /// The assumption.
        assumption: usize,
        /// The statement and its opposite.
        ends: [usize; 2],
    },
    /// One of some assumptions is true, and all of them lead to the statement: a candidate is true or false, or one of
    /// the candidates of a cell, or of the places of a digit in a house, is true.
    Cases {
        /// Each assumption, and the statement that rests on it.
        cases: Vec<[usize; 2]>,
        /// The other candidates of the cell or the other places in the house, which are false.
        others: Vec<usize>,
    },
}

impl Statement {
    /// That the statement is wrong.
    #[must_use]
    pub const fn opposite(self) -> Statement {
        Statement { is_true: !self.is_true, ..self }
    }
}

impl Because {
    /// Visits the numbers of all implications that it names.
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

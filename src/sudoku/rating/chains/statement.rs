//! The statements of a run: a candidate is true or false, and the direct cause of that.

use super::links::{CandidateGroup, CandidateIndex};

/// The number of a chain: a chain that is found again keeps its number.
pub(super) type ChainId = u32;

/// A candidate, and whether it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Literal {
    pub(super) candidate: u16,
    pub(super) on: bool,
}

impl Literal {
    pub(super) const fn new(candidate: CandidateIndex, on: bool) -> Literal {
        Literal { candidate: candidate as u16, on }
    }

    pub(super) const fn index(self) -> CandidateIndex {
        self.candidate as usize
    }
}

/// The number of a statement: its place in the list of its side, true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId {
    pub(super) at: u16,
    pub(super) on: bool,
}

impl NodeId {
    /// The place in the list of its side.
    pub(super) const fn place(self) -> u16 {
        self.at
    }
}

/// The direct cause of a statement. `from` is a place in the list of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It is the assumption.
    Assumed,
    /// False, because another candidate of a cell or house is true.
    Weak { from: u16 },
    /// True, because it is the last candidate of a group. `from` is the statement that was followed.
    Last { from: u16, group: CandidateGroup },
    /// False, because another technique excludes it: an index into the run's `rules`.
    Rule(u16),
}

/// A statement of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) candidate: u16,
    /// A lower bound for the number of statements that it rests on, including itself; exact in a static run.
    pub(super) least: u16,
    pub(super) cause: Cause,
}

/// The reason why another technique excludes a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleCause {
    /// The range of its parents in the run's `rule_parents`.
    pub(super) parents: [u32; 2],
    /// The chain, if the technique is a chain.
    pub(super) chain: Option<ChainId>,
    /// The number of the derivation, if derivations are recorded.
    pub(super) reason: u32,
}

//! The proofs by chains from several assumptions, and the selection of the proofs to keep.

use crate::rating::chains::links::{CandidateGroup, CandidateIndex, Links};
use crate::rating::chains::statement::Literal;

/// A proof by chains from several assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating::chains) enum Proof {
    /// The opposite of the assumption follows.
    Contradiction { assumption: Literal },
    /// Both values of a candidate lead to the conclusion.
    Double { source: CandidateIndex, target: Literal },
    /// All candidates of a cell, or all places of a digit in a house, lead to the conclusion.
    Group { group: CandidateGroup, target: Literal },
}

impl Proof {
    /// The conclusion.
    pub(in crate::sudoku::rating::chains) fn target(self) -> Literal {
        match self {
            Proof::Contradiction { assumption } => Literal { on: !assumption.on, ..assumption },
            Proof::Double { target, .. } | Proof::Group { target, .. } => target,
        }
    }

    /// The rank among proofs of the same complexity: double, cell, region, contradiction.
    pub(super) fn kind(self) -> u8 {
        match self {
            Proof::Double { .. } => 1,
            Proof::Group { group, .. } => 5 + u8::from(group.house().is_some()),
            Proof::Contradiction { .. } => 7,
        }
    }
}

/// A proof with its rank in the reference order: the simplest first, then by kind, then in the order of the search.
#[derive(Clone, Copy, Debug)]
pub(in crate::sudoku::rating::chains) struct Ranked {
    pub(in crate::sudoku::rating::chains) complexity: u32,
    pub(super) kind: u8,
    pub(super) found: u64,
    pub(in crate::sudoku::rating::chains) proof: Proof,
}

impl Ranked {
    pub(in crate::sudoku::rating::chains) fn rank(&self) -> (u32, u8, u64) {
        (self.complexity, self.kind, self.found)
    }
}

/// Receives the proofs of a search.
pub(in crate::sudoku::rating::chains) trait Proofs {
    /// Whether a proof of at least this complexity may be useful.
    fn wants(&self, target: Literal, complexity: u32) -> bool;

    /// The maximum number of statements that one end of a proof may rest on: each other end needs at least one.
    fn limit(&self) -> u32;

    fn take(&mut self, ranked: Ranked);
}

/// Keeps the first proof in the reference order.
#[derive(Debug, Default)]
pub(in crate::sudoku::rating::chains) struct First(pub(in crate::sudoku::rating::chains) Option<Ranked>);

impl Proofs for First {
    fn wants(&self, _: Literal, complexity: u32) -> bool {
        self.0.is_none_or(|first| complexity <= first.complexity)
    }

    fn limit(&self) -> u32 {
        self.0.map_or(u32::MAX, |first| first.complexity - 1)
    }

    fn take(&mut self, ranked: Ranked) {
        if self.0.is_none_or(|first| ranked.rank() < first.rank()) {
            self.0 = Some(ranked);
        }
    }
}

/// Keeps the first proof of each set of eliminations.
#[derive(Clone, Debug, Default)]
pub(in crate::sudoku::rating::chains) struct FirstOfEach(Vec<Option<Ranked>>);

impl FirstOfEach {
    pub(in crate::sudoku::rating::chains) fn begin(&mut self, links: &Links) {
        self.0.clear();
        self.0.resize(2 * links.len(), None);
    }

    /// The proofs in the reference order.
    pub(in crate::sudoku::rating::chains) fn sorted(&self) -> Vec<Ranked> {
        let mut proofs: Vec<Ranked> = self.0.iter().flatten().copied().collect();
        proofs.sort_unstable_by_key(Ranked::rank);
        proofs
    }

    /// The first proof so far with the same eliminations.
    fn first(&self, links: &Links, target: Literal) -> Option<Ranked> {
        self.0[slot(links, target)]
    }

    fn take(&mut self, links: &Links, ranked: Ranked) {
        let slot = slot(links, ranked.proof.target());
        if self.0[slot].is_none_or(|first| ranked.rank() < first.rank()) {
            self.0[slot] = Some(ranked);
        }
    }
}

/// The index of a set of eliminations.
fn slot(links: &Links, target: Literal) -> usize {
    // Placing a digit in a cell with two candidates removes the other one.
    let cell = CandidateGroup::of_cell(links.cell(target.index()));
    let members = links.members[cell.index()];
    match target.on {
        true if members.len() == 2 => 2 * usize::from(members.other(target.index())),
        true => 2 * target.index() + 1,
        false => 2 * target.index(),
    }
}

/// [`FirstOfEach`] for the candidates of a state.
pub(in crate::sudoku::rating::chains) struct ForState<'a>(
    pub(in crate::sudoku::rating::chains) &'a mut FirstOfEach,
    pub(in crate::sudoku::rating::chains) &'a Links,
);

impl Proofs for ForState<'_> {
    fn wants(&self, target: Literal, complexity: u32) -> bool {
        self.0.first(self.1, target).is_none_or(|first| complexity <= first.complexity)
    }

    fn limit(&self) -> u32 {
        // A run serves many targets, and each has a best proof. A limit for one would cut the proofs of another.
        u32::MAX
    }

    fn take(&mut self, ranked: Ranked) {
        self.0.take(self.1, ranked);
    }
}

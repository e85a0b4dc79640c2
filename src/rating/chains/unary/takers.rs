//! Which chains and cycles a search keeps.

use super::UnaryChain;
use crate::rating::chains::bits::{Bits, has, members};
use crate::rating::chains::links::{CandidateGroup, CandidateIndex, Links};
use crate::rating::chains::run::Literal;

/// Takes the chains of a search.
pub(super) trait Chains {
    /// Whether a chain of this difficulty and complexity may be of use. Of chains that are alike in both, the first in
    /// the reference order is found first.
    fn want(&self, difficulty: f64, complexity: u32) -> bool;

    /// Whether the chain from an assumption to its opposite may be of use, too.
    fn want_opposite(&self, _assumption: Literal, _difficulty: f64, _complexity: u32) -> bool {
        true
    }

    fn take(&mut self, chain: UnaryChain);
}

/// Keeps the first chain in the reference order.
pub(super) struct FirstChain(pub(super) Option<UnaryChain>);

impl Chains for FirstChain {
    fn want(&self, difficulty: f64, complexity: u32) -> bool {
        self.0.as_ref().is_none_or(|first| (difficulty, complexity) < (first.difficulty, first.complexity))
    }

    fn take(&mut self, chain: UnaryChain) {
        if self.0.as_ref().is_none_or(|first| chain.compare(first).is_lt()) {
            self.0 = Some(chain);
        }
    }
}

/// Keeps all chains.
pub(super) struct AllChains(pub(super) Vec<UnaryChain>);

impl Chains for AllChains {
    fn want(&self, _: f64, _: u32) -> bool {
        true
    }

    fn take(&mut self, chain: UnaryChain) {
        self.0.push(chain);
    }
}

/// Keeps chains, except those that exclude nothing more than simpler ones.
pub(super) struct ChainOfEach<'a, const W: usize> {
    links: &'a Links,
    /// The difficulty and complexity of the first chain so far that excludes each candidate.
    first: Vec<Option<(f64, u32)>>,
    excluded: Bits<W>,
    pub(super) all: Vec<UnaryChain>,
}

impl<const W: usize> ChainOfEach<'_, W> {
    pub(super) fn new(links: &Links, excluded: Bits<W>) -> ChainOfEach<'_, W> {
        ChainOfEach { links, first: vec![None; links.len()], excluded, all: Vec::new() }
    }

    /// Whether a chain that excludes a candidate may be the first.
    fn is_open(&self, candidate: CandidateIndex, difficulty: f64, complexity: u32) -> bool {
        self.first[candidate].is_none_or(|first| (difficulty, complexity) <= first)
    }
}

impl<const W: usize> Chains for ChainOfEach<'_, W> {
    fn want(&self, difficulty: f64, complexity: u32) -> bool {
        members(&self.excluded).any(|candidate| self.is_open(candidate, difficulty, complexity))
    }

    fn want_opposite(&self, assumption: Literal, difficulty: f64, complexity: u32) -> bool {
        let is_open = |candidate: CandidateIndex| {
            has(&self.excluded, candidate) && self.is_open(candidate, difficulty, complexity)
        };
        if assumption.on {
            return is_open(assumption.index());
        }
        let cell = CandidateGroup::of_cell(self.links.cell(assumption.index()));
        self.links.members(cell).any(|other| other != assumption.index() && is_open(other))
    }

    fn take(&mut self, chain: UnaryChain) {
        let rank = (chain.difficulty, chain.complexity);
        for (digit, cells) in chain.removed(self.links).iter().enumerate() {
            for cell in *cells {
                let first = &mut self.first[self.links.index(cell, digit)];
                if first.is_none_or(|first| rank < first) {
                    *first = Some(rank);
                }
            }
        }
        self.all.push(chain);
    }
}

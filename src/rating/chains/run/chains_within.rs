//! The chains that the statements of a run rest on.
//!
//! Few runs with chains are part of a proof that is not too complex already by the complexities of its chains. So a chain
//! is traced, to tell what it rests on, when a proof needs it.

use super::exclusions::Rules;
use super::statement::{Cause, ChainId};
use super::{ImplicationRun, Literal, NodeId};
use crate::rating::chains::bits::{Bits, has, insert};
use crate::rating::chains::links::{CandidateGroup, Links};
use crate::rating::chains::starts::CandidateSet;
use crate::rating::chains::unary::UnaryChain;

/// A set of chains of a run. Chains beyond the last bit are left out, so that bounds by sets stay lower bounds.
pub(super) type ChainSet = u128;

/// The chains of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct ChainsWithin {
    chains: Vec<ChainWithin>,
    /// What was false when chains were found that are not traced.
    states: Vec<CandidateSet>,
    /// The chains that each statement of the run rests on, if there are any.
    pub(super) on: Vec<ChainSet>,
    pub(super) off: Vec<ChainSet>,
}

#[derive(Clone, Debug)]
struct ChainWithin {
    complexity: u32,
    /// Its number, if it is known.
    id: Option<ChainId>,
    /// The chain and the place of its state, if it is not traced.
    untraced: Option<(UnaryChain, usize)>,
}

impl ChainsWithin {
    pub(super) fn clear(&mut self) {
        self.chains.clear();
        self.states.clear();
        self.on.clear();
        self.off.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chains.is_empty()
    }

    /// Adds a chain with its number, unless it is there; returns its place.
    pub(super) fn add_traced(&mut self, id: ChainId, complexity: u32) -> u16 {
        let known = self.chains.iter().rposition(|chain| chain.id == Some(id));
        known.unwrap_or_else(|| {
            self.chains.push(ChainWithin { complexity, id: Some(id), untraced: None });
            self.chains.len() - 1
        }) as u16
    }

    /// Adds chains that are not traced; returns the place of the first.
    pub(super) fn add_untraced(&mut self, chains: impl Iterator<Item = UnaryChain>, removed: &CandidateSet) -> u16 {
        let first = self.chains.len() as u16;
        let state = self.states.len();
        let chain =
            |chain: UnaryChain| ChainWithin { complexity: chain.complexity, id: None, untraced: Some((chain, state)) };
        self.chains.extend(chains.map(chain));
        self.states.push(*removed);
        first
    }

    /// The number of a chain that is traced.
    pub(super) fn number(&self, place: u16) -> ChainId {
        self.chains[usize::from(place)].id.expect("the chain is traced")
    }

    /// The chain alone.
    pub(super) fn set(place: u16) -> ChainSet {
        1_u128.checked_shl(u32::from(place)).unwrap_or(0)
    }

    /// The sum of the complexities of chains.
    pub(super) fn complexity(&self, mut set: ChainSet) -> u32 {
        let mut sum = 0;
        while set != 0 {
            sum += self.chains[set.trailing_zeros() as usize].complexity;
            set &= set - 1;
        }
        sum
    }
}

impl<const W: usize> ImplicationRun<W> {
    /// A lower bound of the complexities of the chains that statements rest on.
    pub(in crate::rating::chains) fn least_of_chains(&self, ids: impl Iterator<Item = NodeId>) -> u32 {
        if self.chains.is_empty() { 0 } else { self.chains.complexity(ids.fold(0, |all, id| all | self.chains_of(id))) }
    }

    /// The chains that a statement rests on. There are chains in the run.
    fn chains_of(&self, id: NodeId) -> ChainSet {
        if id.on { self.chains.on[usize::from(id.at)] } else { self.chains.off[usize::from(id.at)] }
    }

    /// The chains of a statement that is true because all other candidates of a group are false.
    pub(super) fn chains_of_last(&self, links: &Links, group: CandidateGroup, last: u16) -> ChainSet {
        let others = links.members(group).filter(|&other| other != usize::from(last));
        others.fold(0, |all, other| all | self.chains.off[usize::from(self.off_at[other])])
    }

    /// Adds the chains that a statement rests on, which was just entered, if there are chains in the run.
    #[inline]
    pub(super) fn enter_chains<R: Rules>(&mut self, on: bool, set: impl FnOnce(&Self) -> ChainSet) {
        if R::EXIST && !self.chains.is_empty() {
            let set = set(self);
            let side = if on { &mut self.chains.on } else { &mut self.chains.off };
            side.push(set);
        }
    }

    /// Whether there are chains that are not traced.
    pub(in crate::rating::chains) fn has_untraced(&self) -> bool {
        self.chains.chains.iter().any(|chain| chain.untraced.is_some())
    }

    /// How many statements and chains a statement of an outline may rest on. Chains count for as many statements as they
    /// have on average.
    pub(in crate::rating::chains) fn estimate(&self, links: &Links, id: NodeId) -> u32 {
        const CHAIN: u32 = 12;
        let is_unexplained = |&id: &NodeId| match self.node(id).cause {
            Cause::Rule(rule) => self.rules[usize::from(rule)].parents[0] == self.rules[usize::from(rule)].parents[1],
            Cause::Assumed | Cause::Weak { .. } | Cause::Last { .. } => false,
        };
        let chain = self.chain(links, id);
        chain.len() as u32 + CHAIN * chain.iter().copied().filter(|id| is_unexplained(id)).count() as u32
    }

    /// The same for what a statement says, which is 1 if only the statements of the run are known.
    pub(in crate::rating::chains) fn estimate_of(&self, links: &Links, literal: Literal) -> u32 {
        if self.has_causes() { self.estimate(links, self.node_of(literal)) } else { 1 }
    }

    /// A lower bound of the number of statements that a statement rests on.
    pub(in crate::rating::chains) fn least_of(&self, literal: Literal) -> u32 {
        if self.has_causes() { self.least(self.node_of(literal)) } else { 1 }
    }

    /// Whether more is known than only which statements there are.
    fn has_causes(&self) -> bool {
        !self.ons.is_empty() || !self.offs.is_empty()
    }

    /// Traces all chains that a statement rests on.
    pub(in crate::rating::chains) fn trace_chains(&mut self, links: &Links, id: NodeId, rules: &mut impl Rules) {
        if !self.has_untraced() {
            return;
        }
        let mut seen: [Bits<W>; 2] = [[0; W]; 2];
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            if let Some(place) = self.chain_of(id) {
                self.trace(links, place, rules);
            }
            self.each_parent(links, id, |parent| {
                let side: &mut Bits<W> = &mut seen[usize::from(parent.on)];
                if !has(side, usize::from(parent.at)) {
                    insert(side, usize::from(parent.at));
                    left.push(parent);
                }
            });
        }
    }

    /// Traces a chain, unless it is.
    fn trace(&mut self, links: &Links, place: u16, rules: &mut impl Rules) {
        let chain = &mut self.chains.chains[usize::from(place)];
        let Some((untraced, state)) = chain.untraced.take() else { return };
        let mut parents = Vec::new();
        chain.id = Some(rules.trace(links, &self.chains.states[state], &untraced, &mut parents));

        let start = self.rule_parents.len() as u32;
        self.rule_parents.extend(parents.into_iter().map(|parent| self.off_at[parent]));
        let parents = [start, self.rule_parents.len() as u32];
        for rule in self.rules.iter_mut().filter(|rule| rule.chain == Some(place)) {
            rule.parents = parents;
        }
    }
}

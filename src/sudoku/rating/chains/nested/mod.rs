//! The other techniques that a dynamic chain may use, chains among them.
//!
//! When nothing more follows from an assumption by singles, the false candidates are removed from the grid, and other
//! techniques are tried on it, one after another, until one finds something. Its eliminations rest on those removed
//! candidates whose absence the pattern, or the chain, requires.

mod exclusions;
mod static_chains;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use self::exclusions::FoundChain;
use self::static_chains::{Closures, StaticChains};
use super::Searches;
use super::bits::members;
use super::derivation::Derivation;
use super::links::{CandidateIndex, CandidateSet, GroupSet, Links, MAX_CANDIDATES};
use super::multiple::FirstOfEach;
use super::run::{ChainKind, Detail, Exclusions, ImplicationRun, NoRules, Rules};
use super::statement::{ChainId, NodeId};
use crate::rating::candidates::Candidates;
use crate::rating::sets::CellSet;
use crate::rating::technique::Nesting;
use crate::stop::{InterruptedError, Stop};

/// The techniques that the dynamic chains of one nesting may use.
#[derive(Debug)]
pub(super) struct NestedRules {
    nesting: Nesting,
    /// The state that the dynamic chains start from.
    before: Candidates,
    /// The same without the candidates that are false in the current run.
    grid: Candidates,
    /// The detail of chains that the current run keeps.
    detail: Detail,
    /// The number of removed candidates, and the set of them.
    removed: usize,
    removed_bits: CandidateSet,
    /// The complexity of each chain so far.
    complexities: Vec<u32>,
    /// The numbers of chains by their statements.
    chains: HashMap<Vec<u16>, ChainId>,
    /// The chains that the current search has found.
    found: Vec<FoundChain>,
    /// Interrupts the searches for chains.
    stop: Stop,
    inner: Option<Box<InnerSearch>>,
    record: Option<KeptDerivations>,
}

/// The derivations of the eliminations.
#[derive(Debug)]
struct KeptDerivations {
    /// Their premises: the state before any chain.
    state: Candidates,
    derivations: Vec<Derivation>,
}

impl KeptDerivations {
    /// Keeps a derivation; returns its number.
    fn keep(&mut self, derive: impl FnOnce(&Candidates) -> Derivation) -> u32 {
        self.derivations.push(derive(&self.state));
        self.derivations.len() as u32 - 1
    }
}

/// The memory of searches for chains in the grid of a run.
#[derive(Debug, Default)]
struct InnerSearch {
    closures: Closures,
    links: Links,
    narrow: Searches<2>,
    middle: Searches<4>,
    wide: Searches<12>,
    proofs: FirstOfEach,
    rules: Option<Box<NestedRules>>,
    /// The chains of each grid, and whether they are [complete](Exclusions::are_complete): two of five searches meet a
    /// grid of an earlier one, since assumptions that imply each other leave the same candidates, and since a step
    /// removes a candidate that is false in many runs.
    known: HashMap<[CellSet; 9], (Vec<FoundChain>, bool)>,
}

/// The number of grids whose chains are kept.
const MAX_KNOWN: usize = 1 << 10;

impl NestedRules {
    pub(super) fn new(nesting: Nesting, stop: &Stop) -> NestedRules {
        let empty = Candidates::of(&[0; 81]);
        let inner = (nesting > Nesting::Simple).then(|| {
            // No nesting is deeper than this: dynamic chains in dynamic chains, with forcing chains in those.
            let rules = (nesting == Nesting::DynamicForcingChainsPlus)
                .then(|| Box::new(NestedRules::new(Nesting::ForcingChains, stop)));
            Box::new(InnerSearch { rules, ..InnerSearch::default() })
        });

        NestedRules {
            nesting,
            before: empty.clone(),
            grid: empty,
            detail: Detail::Exact,
            removed: 0,
            removed_bits: [0; MAX_CANDIDATES.div_ceil(64)],
            complexities: Vec::new(),
            chains: HashMap::new(),
            found: Vec::new(),
            stop: stop.clone(),
            inner,
            record: None,
        }
    }

    /// Sets the state that the dynamic chains start from.
    pub(super) fn set_state(&mut self, grid: &Candidates) {
        self.before.clone_from(grid);
        if let Some(inner) = &mut self.inner {
            inner.closures.is_ready = false;
        }
        self.complexities.clear();
        self.chains.clear();
        self.record = None;
    }

    /// Tries the chains of the nesting, the easiest first, until some exclude something.
    fn nested(&mut self, links: &Links, excluded: &mut Exclusions) -> Result<(), InterruptedError> {
        // Taken out, as the searches also change the numbers of chains and the records in `self`.
        let Some(mut inner) = self.inner.take() else { return Ok(()) };
        let (grid, removed) = (&self.grid, &self.removed_bits);

        // Choose the searches that can find something.
        let statics;
        let searches: &[NestedSearch] = match self.nesting {
            Nesting::None | Nesting::Simple => &[],
            Nesting::ForcingChains | Nesting::MultipleForcingChains => {
                let with_groups = self.nesting == Nesting::MultipleForcingChains;
                match (self.detail, inner.closures.static_chains(links, grid, removed, with_groups)) {
                    (_, StaticChains::None) => &[],
                    // An outline needs only the eliminations of the chains.
                    (Detail::Outline, StaticChains::Unary(Some(known)) | StaticChains::Groups(_, known)) => {
                        excluded.add_unexplained(members(&known));
                        &[]
                    }
                    (_, StaticChains::Unary(_)) if with_groups => {
                        // The closure does not tell the groups of a state that has forcing chains.
                        &[NestedSearch::Unary, NestedSearch::Static(GroupSet::ALL)]
                    }
                    (_, StaticChains::Unary(_)) => &[NestedSearch::Unary],
                    (_, StaticChains::Groups(groups, _)) => {
                        statics = [NestedSearch::Static(groups)];
                        &statics
                    }
                }
            }
            Nesting::DynamicForcingChains => &[NestedSearch::Dynamic],
            Nesting::DynamicForcingChainsPlus => &[NestedSearch::Dynamic, NestedSearch::Nested],
        };

        let mut outcome = Ok(());
        let key = std::array::from_fn(|digit| grid.cells(digit));
        if let Some((chains, are_complete)) = inner.known.get(&key).filter(|_| self.record.is_none())
            && !searches.is_empty()
        {
            excluded.are_complete = *are_complete;
            for chain in chains {
                self.exclude_by(links, chain, 0, excluded);
            }
        } else if !searches.is_empty() {
            let InnerSearch { links: inner_links, narrow, middle, wide, proofs, rules, .. } = &mut *inner;
            inner_links.build(&self.grid);
            outcome = match inner_links.len() {
                0..=128 => self.search_all(links, inner_links, searches, narrow, proofs, rules, excluded),
                129..=256 => self.search_all(links, inner_links, searches, middle, proofs, rules, excluded),
                _ => self.search_all(links, inner_links, searches, wide, proofs, rules, excluded),
            };

            if inner.known.len() == MAX_KNOWN {
                inner.known.clear();
            }
            let found = std::mem::take(&mut self.found);
            if outcome.is_ok() {
                inner.known.insert(key, (found, excluded.are_complete));
            }
        }
        self.inner = Some(inner);
        outcome
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an inner search")]
    fn search_all<const W: usize>(
        &mut self,
        links: &Links,
        inner_links: &Links,
        searches: &[NestedSearch],
        memory: &mut Searches<W>,
        proofs: &mut FirstOfEach,
        rules: &mut Option<Box<NestedRules>>,
        excluded: &mut Exclusions,
    ) -> Result<(), InterruptedError> {
        let (kind, all) = (ChainKind::Dynamic, &GroupSet::ALL);
        for search in searches {
            if excluded.is_empty() {
                // A search that finds everything that its nesting allows is complete, unless its chains rest on inner
                // chains: the parents of such a chain lack the parents of its inner chains.
                excluded.are_complete = match (search, self.nesting) {
                    (NestedSearch::Unary, nesting) => nesting == Nesting::ForcingChains,
                    (NestedSearch::Static(_), _) => true,
                    (NestedSearch::Dynamic, nesting) => nesting == Nesting::DynamicForcingChains,
                    (NestedSearch::Nested, _) => false,
                };

                let multiple = &mut memory.multiple;
                match search {
                    NestedSearch::Unary => {
                        let chains = memory.all_unary(inner_links, &self.grid);
                        self.unary(links, inner_links, chains, excluded);
                    }
                    NestedSearch::Static(groups) => {
                        let kind = ChainKind::Static;
                        self.multiple(links, inner_links, multiple, proofs, kind, groups, &mut NoRules, excluded)?;
                    }
                    NestedSearch::Dynamic => {
                        self.multiple(links, inner_links, multiple, proofs, kind, all, &mut NoRules, excluded)?;
                    }
                    NestedSearch::Nested => {
                        let rules = rules.as_mut().expect("the nesting has inner rules");
                        rules.set_state(&self.grid);
                        if let Some(record) = &self.record {
                            rules.record(&record.state);
                        }
                        self.multiple(links, inner_links, multiple, proofs, kind, all, &mut **rules, excluded)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A search for chains in the grid of a run.
#[derive(Clone, Copy, Debug)]
enum NestedSearch {
    /// Forcing chains and cycles.
    Unary,
    /// Multiple forcing chains from these groups.
    Static(GroupSet),
    Dynamic,
    /// Dynamic chains that may use forcing chains.
    Nested,
}

impl Rules for NestedRules {
    const EXIST: bool = true;

    fn begin(&mut self, detail: Detail) {
        self.detail = detail;
        self.grid.clone_from(&self.before);
        self.removed = 0;
        self.removed_bits = [0; MAX_CANDIDATES.div_ceil(64)];
    }

    fn exclude(
        &mut self,
        links: &Links,
        off: &mut dyn Iterator<Item = CandidateIndex>,
        excluded: &mut Exclusions,
    ) -> Result<(), InterruptedError> {
        self.stop.check()?;

        // The list of false candidates only grows, so the first ones are removed already.
        for candidate in off.skip(self.removed) {
            self.grid.remove(links.cell(candidate), links.digit(candidate));
            self.removed_bits[candidate / 64] |= 1 << (candidate % 64);
            self.removed += 1;
        }

        self.simple(links, excluded);
        if excluded.is_empty() {
            self.nested(links, excluded)?;
        }
        Ok(())
    }

    fn nested_complexity<'a, const W: usize>(
        &self,
        links: &Links,
        ends: impl Iterator<Item = (&'a ImplicationRun<W>, NodeId)>,
    ) -> u32 {
        let mut chains = Vec::new();
        for (run, end) in ends {
            run.collect_chains(links, end, &mut chains);
        }
        chains.into_iter().map(|chain| self.complexities[chain as usize]).sum()
    }

    fn record(&mut self, state: &Candidates) {
        self.record = Some(KeptDerivations { state: state.clone(), derivations: Vec::new() });
    }

    fn recorded(&self) -> &[Derivation] {
        self.record.as_ref().map_or(&[], |record| &record.derivations)
    }
}

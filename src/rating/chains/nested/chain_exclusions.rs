//! What chains in the grid of a run exclude, and which removed candidates they rest on.
//!
//! The grid of a run is the state without the candidates that are false in the run. It has links of its own, with other
//! numbers for the candidates.

use super::NestedRules;
use crate::rating::chains::bits::{has, insert};
use crate::rating::chains::derivation::{of_multiple, of_unary};
use crate::rating::chains::links::{CandidateGroup, CandidateIndex, GroupSet, Links, MAX_CANDIDATES};
use crate::rating::chains::multiple::{FirstOfEach, ForState, Multiple, Proof};
use crate::rating::chains::run::{ChainId, ChainKind, Exclusions, Literal, NestedChain, Rules};
use crate::rating::chains::starts::CandidateSet;
use crate::rating::chains::unary::{Conclusion, UnaryChain, strong_group, trace, weak_group};
use crate::rating::sets::{CellSet, DigitSet};
use crate::stop::InterruptedError;

impl NestedRules {
    /// Adds what forcing chains and cycles exclude.
    pub(super) fn unary(
        &mut self,
        links: &Links,
        inner_links: &Links,
        chains: Vec<UnaryChain>,
        excluded: &mut Exclusions,
    ) {
        let mut seen: Vec<[CellSet; 9]> = Vec::new();
        for chain in chains {
            let removed = chain.removed(inner_links);
            if seen.contains(&removed) {
                continue;
            }
            seen.push(removed);

            let candidates =
                removed.iter().enumerate().flat_map(|(digit, cells)| cells.into_iter().map(move |cell| (cell, digit)));
            let mut candidates: Vec<(usize, usize)> = candidates.collect();
            candidates.sort_unstable();
            let candidates = candidates.into_iter().map(|(cell, digit)| links.index(cell, digit));
            // A chain that excludes nothing new is no part of the run: a candidate is excluded by the first one.
            if candidates.clone().all(|candidate| excluded.contains(candidate)) {
                continue;
            }
            match &mut self.record {
                None => excluded.add_untraced(candidates, chain, &self.removed_bits),
                Some(record) => {
                    let reason = record.keep(|state| of_unary(inner_links, state, &chain));
                    let mut parents = Vec::new();
                    let id = self.trace_unary(links, inner_links, &self.removed_bits.clone(), &chain, &mut parents);
                    let chain = NestedChain { id, complexity: chain.complexity };
                    excluded.add(candidates, parents.into_iter(), Some(chain), reason);
                }
            }
        }
    }

    /// Adds the candidates of the state of a run that a forcing chain or cycle rests on to `parents`, given which are
    /// removed; returns the number of the chain.
    pub(super) fn trace_unary(
        &mut self,
        links: &Links,
        inner_links: &Links,
        removed: &CandidateSet,
        chain: &UnaryChain,
        parents: &mut Vec<CandidateIndex>,
    ) -> ChainId {
        // The statements, which tell chains apart, and the links by which candidates are true.
        let link_kinds = chain.link_kinds;
        let mut shape = Vec::new();
        let mut groups = Vec::new();
        match &chain.conclusion {
            Conclusion::Opposite { assumption } => {
                let path = trace(inner_links, link_kinds, *assumption);
                shape.extend(path.iter().map(|&literal| code(inner_links, literal)));
                for pair in path.windows(2).filter(|pair| pair[0].on) {
                    let [on, off] = [pair[0].index(), pair[1].index()];
                    groups.push(strong_group(inner_links, link_kinds, off, on));
                }
            }
            Conclusion::Cycle { path, .. } => {
                shape.extend(path.iter().map(|&literal| code(inner_links, literal)));
                for pair in path.chunks_exact(2) {
                    let [on, off] = [pair[0].index(), pair[1].index()];
                    groups.push(strong_group(inner_links, link_kinds, off, on));
                }
                // The cycle in the other direction: what was false is true, because of the weak link.
                for (place, off) in path.iter().enumerate().rev().filter(|(_, literal)| !literal.on) {
                    let before = path.get(place + 1).unwrap_or(&path[0]);
                    groups.push(weak_group(inner_links, before.index(), off.index()));
                }
                shape.push(u16::MAX);
            }
        }
        parents.extend(lost(links, removed, groups));
        self.chain(shape, chain.complexity).id
    }

    /// Adds what chains from several assumptions exclude.
    #[expect(clippy::too_many_arguments, reason = "the parts of an inner search")]
    pub(super) fn multiple<const W: usize, R: Rules>(
        &mut self,
        links: &Links,
        inner_links: &Links,
        multiple: &mut Multiple<W>,
        proofs: &mut FirstOfEach,
        kind: ChainKind,
        groups: &GroupSet,
        rules: &mut R,
        excluded: &mut Exclusions,
    ) -> Result<(), InterruptedError> {
        proofs.begin(inner_links);
        multiple.search(inner_links, kind, groups, rules, &mut ForState(proofs, inner_links), &self.stop)?;
        for ranked in proofs.sorted() {
            let target = ranked.proof.target();
            let (cell, digit) = (inner_links.cell(target.index()), inner_links.digit(target.index()));
            let target_digit = DigitSet::of(digit);
            let digits = if target.on { self.grid.digits(cell).without(target_digit) } else { target_digit };
            let candidates = digits.into_iter().map(|digit| links.index(cell, digit));
            // Without inner chains, a chain has one complexity, and one that excludes nothing new is no part of the run.
            if !R::EXIST && candidates.clone().all(|candidate| excluded.contains(candidate)) {
                continue;
            }

            let mut shape = Vec::new();
            let mut groups = Vec::new();
            let ends = multiple.ends(inner_links, kind, ranked.proof, rules)?;
            for &(run, end) in &ends {
                for id in run.chain(inner_links, end) {
                    let literal = run.literal(id);
                    shape.push(code(inner_links, literal));
                    // An assumption has a group if all members of it are assumed in turn.
                    let group = match ranked.proof {
                        Proof::Group { group, .. } if run.is_assumed(id) => Some(group),
                        _ => run.group(id),
                    };
                    groups.extend(group);
                }
                shape.push(u16::MAX);
            }
            let reason = self.record.as_mut().map_or(0, |record| {
                record.keep(|state| of_multiple(inner_links, state, ranked.proof, &ends, rules.recorded()))
            });

            let parents = lost(links, &self.removed_bits, groups);
            let chain = self.chain(shape, ranked.complexity);
            excluded.add(candidates, parents.into_iter(), Some(chain), reason);
        }
        Ok(())
    }

    /// The number of a chain with these statements: a new one, unless it was found before.
    fn chain(&mut self, shape: Vec<u16>, complexity: u32) -> NestedChain {
        let next = self.complexities.len() as ChainId;
        let id = *self.chains.entry(shape).or_insert(next);
        if id == next {
            self.complexities.push(complexity);
        }
        NestedChain { id, complexity: self.complexities[id as usize] }
    }
}

/// The candidates that the run has removed from the groups by which others are true, each once, as candidates of the
/// state of the run.
fn lost(links: &Links, removed: &CandidateSet, groups: Vec<CandidateGroup>) -> Vec<CandidateIndex> {
    let mut lost = Vec::new();
    let mut seen: CandidateSet = [0; MAX_CANDIDATES.div_ceil(64)];
    for group in groups {
        for member in links.members(group).filter(|&member| has(removed, member)) {
            if !has(&seen, member) {
                insert(&mut seen, member);
                lost.push(member);
            }
        }
    }
    lost
}

/// A statement as a number that is the same in all states.
fn code(links: &Links, literal: Literal) -> u16 {
    ((links.cell(literal.index()) * 9 + links.digit(literal.index())) * 2) as u16 + u16::from(literal.on)
}

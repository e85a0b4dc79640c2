//! The eliminations by simple techniques and chains in the grid of a run, and the removed candidates that they require.
//!
//! The grid of a run is the state without the candidates that are false in the run. It has its own links, which number
//! the candidates differently.

use std::ops::ControlFlow;

use super::{KeptDerivations, NestedRules};
use crate::rating::candidates::Candidates;
use crate::rating::chains::bits::{has, insert};
use crate::rating::chains::derive::{of_multiple, of_pattern, of_unary};
use crate::rating::chains::links::{CandidateGroup, CandidateIndex, CandidateSet, GroupSet, Links, MAX_CANDIDATES};
use crate::rating::chains::multiple::{FirstOfEach, ForState, Multiple, Proof};
use crate::rating::chains::run::{ChainKind, Exclusions, NestedChain, Rules};
use crate::rating::chains::statement::{ChainId, Literal};
use crate::rating::chains::unary::{Conclusion, UnaryChain, strong_group, trace, weak_group};
use crate::rating::rules::{ChainPattern, Degree, fish, house_set, locking};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::Elimination;
use crate::stop::InterruptedError;

impl NestedRules {
    /// Tries the simple techniques, one after another, until one of them excludes something.
    pub(super) fn simple(&mut self, links: &Links, excluded: &mut Exclusions) {
        let grid = &self.grid;
        let mut target = Collector { links, before: &self.before, grid, excluded, record: self.record.as_mut() };
        let _ = locking::each(grid, |pattern| target.add(&pattern));
        if target.excluded.is_empty() {
            let _ = house_set::each_hidden(grid, Degree::Pair, |pattern| target.add(&pattern));
        }
        if target.excluded.is_empty() {
            let _ = house_set::each_naked(grid, Degree::Pair, |pattern| target.add(&pattern));
        }
        if target.excluded.is_empty() {
            let _ = fish::each_x_wing(grid, |pattern| target.add(&pattern));
        }
    }
}

/// Collects the eliminations of patterns.
struct Collector<'a> {
    links: &'a Links,
    before: &'a Candidates,
    grid: &'a Candidates,
    excluded: &'a mut Exclusions,
    record: Option<&'a mut KeptDerivations>,
}

impl Collector<'_> {
    /// Adds the eliminations of a pattern.
    fn add(&mut self, pattern: &impl ChainPattern) -> ControlFlow<()> {
        let Collector { links, before, grid, .. } = *self;
        let candidates = |elimination: Elimination| {
            elimination.digits.into_iter().map(move |digit| links.index(elimination.cell, digit))
        };
        let reason = self.record.as_mut().map_or(0, |record| record.keep(|state| of_pattern(pattern, state, grid)));
        self.excluded.add(
            pattern.eliminations(grid).flat_map(candidates),
            pattern.parents(before, grid).flat_map(candidates),
            None,
            reason,
        );
        ControlFlow::Continue(())
    }
}

impl NestedRules {
    /// Adds the eliminations of forcing chains and cycles.
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
            // The order in the reference program depends on memory addresses of the Java machine; here it is the order
            // of cells.
            candidates.sort_unstable();
            // Skip a chain that excludes nothing new: each candidate is excluded by the first chain that does so.
            if candidates.iter().all(|&(cell, digit)| excluded.contains(links.index(cell, digit))) {
                continue;
            }
            let reason =
                self.record.as_mut().map_or(0, |record| record.keep(|state| of_unary(inner_links, state, &chain)));

            let (shape, groups) = shape_of(inner_links, &chain);
            let found = FoundChain { removed: candidates, shape, groups, complexity: chain.complexity };
            self.add_chain(links, found, reason, excluded);
        }
    }

    /// Adds the eliminations of chains from several assumptions.
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
            // Without inner chains, a chain has only one complexity, so skip a chain that excludes nothing new.
            if !R::EXIST && digits.into_iter().all(|digit| excluded.contains(links.index(cell, digit))) {
                continue;
            }

            let mut shape = Vec::new();
            let mut groups = Vec::new();
            let ends = multiple.ends(inner_links, kind, ranked.proof, rules)?;
            for &(run, end) in &ends {
                for id in run.chain(inner_links, end) {
                    let literal = run.literal(id);
                    shape.push(code(inner_links, literal));
                    // An assumption has a group if all members of the group are assumed in turn.
                    let group = match ranked.proof {
                        Proof::Group { group, .. } if run.is_assumed(id) => Some(group),
                        _ => run.group(id),
                    };
                    groups.extend(group);
                }
                // Marks the end of a run.
                shape.push(u16::MAX);
            }
            let reason = self.record.as_mut().map_or(0, |record| {
                record.keep(|state| of_multiple(inner_links, state, ranked.proof, &ends, rules.recorded()))
            });

            let removed = digits.into_iter().map(|digit| (cell, digit)).collect();
            let found = FoundChain { removed, shape, groups, complexity: ranked.complexity };
            self.add_chain(links, found, reason, excluded);
        }
        Ok(())
    }

    /// Adds the eliminations of a chain, and keeps it for other runs.
    fn add_chain(&mut self, links: &Links, found: FoundChain, reason: u32, excluded: &mut Exclusions) {
        self.exclude_by(links, &found, reason, excluded);
        self.found.push(found);
    }

    /// Adds the eliminations of a chain.
    pub(super) fn exclude_by(&mut self, links: &Links, found: &FoundChain, reason: u32, excluded: &mut Exclusions) {
        let next = self.complexities.len() as ChainId;
        // Equal statements are one chain, which counts once for a proof, even if several of its runs have found it.
        let id = *self.chains.entry(found.shape.clone()).or_insert(next);
        if id == next {
            self.complexities.push(found.complexity);
        }
        let chain = NestedChain { id, complexity: self.complexities[id as usize] };

        let removed = found.removed.iter().map(|&(cell, digit)| links.index(cell, digit));
        excluded.add(removed, lost(links, &self.removed_bits, &found.groups).into_iter(), Some(chain), reason);
    }
}

/// A chain in the grid of a run: all that does not depend on the state before the run.
#[derive(Debug)]
pub(super) struct FoundChain {
    /// The candidates that it excludes, as cells with digits.
    removed: Vec<(usize, usize)>,
    /// Its statements, as its identity.
    shape: Vec<u16>,
    /// The groups that make candidates true.
    groups: Vec<CandidateGroup>,
    complexity: u32,
}

/// The statements of a forcing chain or cycle, as its identity, and the groups that make candidates true.
fn shape_of(links: &Links, chain: &UnaryChain) -> (Vec<u16>, Vec<CandidateGroup>) {
    let link_kinds = chain.link_kinds;
    let mut shape = Vec::new();
    let mut groups = Vec::new();
    match &chain.conclusion {
        Conclusion::Opposite { assumption } => {
            let path = trace(links, link_kinds, *assumption);
            shape.extend(path.iter().map(|&literal| code(links, literal)));
            for pair in path.windows(2).filter(|pair| pair[0].on) {
                let [on, off] = [pair[0].index(), pair[1].index()];
                groups.push(strong_group(links, link_kinds, off, on));
            }
        }
        Conclusion::Cycle { path, .. } => {
            shape.extend(path.iter().map(|&literal| code(links, literal)));
            for pair in path.chunks_exact(2) {
                let [on, off] = [pair[0].index(), pair[1].index()];
                groups.push(strong_group(links, link_kinds, off, on));
            }
            // The cycle in the other direction: false statements become true, because of the weak links.
            for (place, off) in path.iter().enumerate().rev().filter(|(_, literal)| !literal.on) {
                let before = path.get(place + 1).unwrap_or(&path[0]);
                groups.push(weak_group(links, before.index(), off.index()));
            }
            // A forcing chain of the same statements must have another shape.
            shape.push(u16::MAX);
        }
    }
    (shape, groups)
}

/// The members of `groups` that the run has removed, each only once, as candidates of the state of the run.
fn lost(links: &Links, removed: &CandidateSet, groups: &[CandidateGroup]) -> Vec<CandidateIndex> {
    let mut lost = Vec::new();
    let mut seen: CandidateSet = [0; MAX_CANDIDATES.div_ceil(64)];
    for &group in groups {
        for member in links.members(group).filter(|&member| has(removed, member)) {
            if !has(&seen, member) {
                insert(&mut seen, member);
                lost.push(member);
            }
        }
    }
    lost
}

/// A number for a statement that is the same in all states.
fn code(links: &Links, literal: Literal) -> u16 {
    ((links.cell(literal.index()) * 9 + links.digit(literal.index())) * 2) as u16 + u16::from(literal.on)
}

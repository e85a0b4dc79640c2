//! The rules of other techniques that a dynamic chain may use, chains among them.
//!
//! When nothing more follows from an assumption by singles, the candidates that are false are removed from the grid, and
//! other techniques are tried on it, one after another, until one finds something. What they exclude rests on those
//! removed candidates without which the pattern, or the chain, would not be there.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::Searches;
use super::bits::{Bits, has, insert};
use super::closure::{CandidateSet, Closure, UnarySources};
use super::links::{Candidate, Group, GroupSet, Links, MOST};
use super::multiple::{FirstOfEach, ForState, Multiple, Proof};
use super::run::{ChainId, Exclusions, Kind, Literal, NestedChain, NoRules, NodeId, Rules, Run};
use super::unary::{Conclusion, Unary, UnaryChain, strong_group, trace, weak_group};
use crate::rating::candidates::Candidates;
use crate::rating::rules::{Degree, Pattern, fish, hidden_set, locking, naked_set};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::technique::Nesting;

/// The rules that the dynamic chains of one nesting may use.
#[derive(Debug)]
pub(super) struct NestedRules {
    nesting: Nesting,
    /// The state in which the dynamic chains are searched for, and the same without what is false in the present run.
    before: Candidates,
    grid: Candidates,
    /// The number of candidates that are removed, and which.
    removed: usize,
    removed_bits: CandidateSet,
    /// The complexity of each chain that was found.
    complexities: Vec<u32>,
    /// The chains by their statements: a chain that was found again is the same chain.
    chains: HashMap<Vec<u16>, ChainId>,
    inner: Option<Box<InnerSearch>>,
}

/// The searches for chains in the grid without what is false.
#[derive(Debug, Default)]
struct InnerSearch {
    closures: Closures,
    links: Links,
    narrow: Searches<2>,
    middle: Searches<4>,
    wide: Searches<12>,
    proofs: FirstOfEach,
    rules: Option<Box<NestedRules>>,
}

/// What follows from the candidates of the state by links, for each number of candidates.
#[derive(Debug, Default)]
struct Closures {
    narrow: Closure<2>,
    middle: Closure<4>,
    wide: Closure<12>,
    /// Whether they belong to the state.
    is_ready: bool,
}

/// The static chains that there are in the grid without what is false.
enum StaticChains {
    None,
    /// Forcing chains or cycles, and perhaps others.
    Unary(UnarySources),
    /// Only chains from these groups.
    Groups(GroupSet),
}

impl Closures {
    fn static_chains(
        &mut self,
        links: &Links,
        grid: &Candidates,
        removed: &CandidateSet,
        with_groups: bool,
    ) -> StaticChains {
        fn ask<const W: usize>(
            closure: &mut Closure<W>,
            is_ready: bool,
            links: &Links,
            grid: &Candidates,
            removed: &CandidateSet,
            with_groups: bool,
        ) -> StaticChains {
            if !is_ready {
                closure.begin(links);
            }
            if let Some(sources) = closure.unary(links, grid, removed) {
                return StaticChains::Unary(sources);
            }
            let groups = if with_groups { closure.groups(links, grid, removed) } else { GroupSet::EMPTY };
            if groups == GroupSet::EMPTY { StaticChains::None } else { StaticChains::Groups(groups) }
        }
        let is_ready = std::mem::replace(&mut self.is_ready, true);
        match links.len() {
            0..=128 => ask(&mut self.narrow, is_ready, links, grid, removed, with_groups),
            129..=256 => ask(&mut self.middle, is_ready, links, grid, removed, with_groups),
            _ => ask(&mut self.wide, is_ready, links, grid, removed, with_groups),
        }
    }
}

impl NestedRules {
    pub(super) fn new(nesting: Nesting) -> NestedRules {
        let empty = Candidates::of(&[0; 81]);
        let inner = (nesting > Nesting::Simple).then(|| {
            let rules = (nesting == Nesting::DynamicForcingChainsPlus)
                .then(|| Box::new(NestedRules::new(Nesting::ForcingChains)));
            Box::new(InnerSearch { rules, ..InnerSearch::default() })
        });
        NestedRules {
            nesting,
            before: empty.clone(),
            grid: empty,
            removed: 0,
            removed_bits: [0; MOST.div_ceil(64)],
            complexities: Vec::new(),
            chains: HashMap::new(),
            inner,
        }
    }

    /// Takes up a state.
    pub(super) fn set_state(&mut self, grid: &Candidates) {
        self.before.clone_from(grid);
        if let Some(inner) = &mut self.inner {
            inner.closures.is_ready = false;
        }
        self.complexities.clear();
        self.chains.clear();
    }

    /// Tries the simple techniques, one after another, until one of them excludes something.
    fn simple(&self, links: &Links, excluded: &mut Exclusions) {
        let (before, grid) = (&self.before, &self.grid);
        let _ = locking::each(grid, |pattern| add(links, &pattern, before, grid, excluded));
        if excluded.is_empty() {
            let _ = hidden_set::each(grid, Degree::Pair, |pattern| add(links, &pattern, before, grid, excluded));
        }
        if excluded.is_empty() {
            let _ = naked_set::each(grid, Degree::Pair, |pattern| add(links, &pattern, before, grid, excluded));
        }
        if excluded.is_empty() {
            let _ = fish::each_x_wing(grid, |pattern| add(links, &pattern, before, grid, excluded));
        }
    }

    /// Tries the chains of the nesting.
    fn nested(&mut self, links: &Links, excluded: &mut Exclusions) {
        let Some(mut inner) = self.inner.take() else { return };
        let (grid, removed) = (&self.grid, &self.removed_bits);
        let (both, statics);
        let searches: &[Search] = match self.nesting {
            Nesting::None | Nesting::Simple => &[],
            Nesting::ForcingChains | Nesting::MultipleForcingChains => {
                let with_groups = self.nesting == Nesting::MultipleForcingChains;
                match inner.closures.static_chains(links, grid, removed, with_groups) {
                    StaticChains::None => &[],
                    StaticChains::Unary(sources) => {
                        both = [Search::Unary(sources), Search::Static(GroupSet::ALL)];
                        &both[..=usize::from(with_groups)]
                    }
                    StaticChains::Groups(groups) => {
                        statics = [Search::Static(groups)];
                        &statics
                    }
                }
            }
            Nesting::DynamicForcingChains => &[Search::Dynamic],
            Nesting::DynamicForcingChainsPlus => &[Search::Dynamic, Search::Nested],
        };
        if !searches.is_empty() {
            let InnerSearch { links: own, narrow, middle, wide, proofs, rules, .. } = &mut *inner;
            own.build(&self.grid);
            match own.len() {
                0..=128 => self.search_all(links, own, searches, narrow, proofs, rules, excluded),
                129..=256 => self.search_all(links, own, searches, middle, proofs, rules, excluded),
                _ => self.search_all(links, own, searches, wide, proofs, rules, excluded),
            }
        }
        self.inner = Some(inner);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an inner search")]
    fn search_all<const W: usize>(
        &mut self,
        links: &Links,
        own: &Links,
        searches: &[Search],
        memory: &mut Searches<W>,
        proofs: &mut FirstOfEach,
        rules: &mut Option<Box<NestedRules>>,
        excluded: &mut Exclusions,
    ) {
        let Searches { unary, multiple, .. } = memory;
        for search in searches {
            if excluded.is_empty() {
                // The parents of a chain that rests on inner chains leave out theirs.
                excluded.are_complete = match (search, self.nesting) {
                    (Search::Unary(_), nesting) => nesting == Nesting::ForcingChains,
                    (Search::Static(_), _) => true,
                    (Search::Dynamic, nesting) => nesting == Nesting::DynamicForcingChains,
                    (Search::Nested, _) => false,
                };
                match search {
                    Search::Unary(sources) => self.unary(links, own, unary, sources, excluded),
                    Search::Static(groups) => {
                        self.multiple(links, own, multiple, proofs, Kind::Static, groups, &mut NoRules, excluded);
                    }
                    Search::Dynamic => {
                        let all = &GroupSet::ALL;
                        self.multiple(links, own, multiple, proofs, Kind::Dynamic, all, &mut NoRules, excluded);
                    }
                    Search::Nested => {
                        let rules = rules.as_mut().expect("the nesting has inner rules");
                        rules.set_state(&self.grid);
                        let all = &GroupSet::ALL;
                        self.multiple(links, own, multiple, proofs, Kind::Dynamic, all, &mut **rules, excluded);
                    }
                }
            }
        }
    }

    fn unary<const W: usize>(
        &mut self,
        links: &Links,
        own: &Links,
        unary: &mut Unary<W>,
        sources: &UnarySources,
        excluded: &mut Exclusions,
    ) {
        let mut seen: Vec<[CellSet; 9]> = Vec::new();
        for chain in unary.all(&self.grid, own, &starts(links, own, sources)) {
            let removed = removed_by(own, &chain);
            if seen.contains(&removed) {
                continue;
            }
            seen.push(removed);
            let UnaryChain { alphabet, complexity, .. } = chain;
            let mut shape = Vec::new();
            let mut reasons = Vec::new();
            match chain.conclusion {
                Conclusion::Opposite { assumption } => {
                    let path = trace(own, alphabet, assumption);
                    shape.extend(path.iter().map(|&literal| code(own, literal)));
                    for pair in path.windows(2).filter(|pair| pair[0].on) {
                        let [on, off] = [pair[0].index(), pair[1].index()];
                        reasons.push((on, strong_group(own, alphabet, off, on)));
                    }
                }
                Conclusion::Cycle { path, .. } => {
                    shape.extend(path.iter().map(|&literal| code(own, literal)));
                    for pair in path.chunks_exact(2) {
                        let [on, off] = [pair[0].index(), pair[1].index()];
                        reasons.push((on, strong_group(own, alphabet, off, on)));
                    }
                    // The cycle in the other direction: what was false is true, because of the weak link.
                    for (place, off) in path.iter().enumerate().rev().filter(|(_, literal)| !literal.on) {
                        let before = path.get(place + 1).unwrap_or(&path[0]);
                        reasons.push((off.index(), weak_group(own, before.index(), off.index())));
                    }
                    shape.push(u16::MAX);
                }
            }
            let parents = self.lost(links, own, reasons);
            let candidates =
                removed.iter().enumerate().flat_map(|(digit, cells)| cells.into_iter().map(move |cell| (cell, digit)));
            let mut candidates: Vec<(usize, usize)> = candidates.collect();
            candidates.sort_unstable();
            let chain = self.chain(shape, complexity);
            excluded.add(candidates.into_iter().map(|(c, d)| links.index(c, d)), parents.into_iter(), Some(chain));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an inner search")]
    fn multiple<const W: usize, R: Rules>(
        &mut self,
        links: &Links,
        own: &Links,
        multiple: &mut Multiple<W>,
        proofs: &mut FirstOfEach,
        kind: Kind,
        groups: &GroupSet,
        rules: &mut R,
        excluded: &mut Exclusions,
    ) {
        proofs.begin(own);
        multiple.search(own, kind, groups, rules, &mut ForState(proofs, own));
        for ranked in proofs.sorted() {
            let mut shape = Vec::new();
            let mut reasons = Vec::new();
            for (run, end) in multiple.ends(own, kind, ranked.proof, rules) {
                for id in run.chain(own, end) {
                    let literal = run.literal(id);
                    shape.push(code(own, literal));
                    // An assumption has a group if all members of it are assumed in turn.
                    let group = match ranked.proof {
                        Proof::Group { group, .. } if run.is_assumed(id) => Some(group),
                        _ => run.group(id),
                    };
                    reasons.extend(group.map(|group| (literal.index(), group)));
                }
                shape.push(u16::MAX);
            }
            let parents = self.lost(links, own, reasons);
            let target = ranked.proof.target();
            let (cell, digit) = (own.cell(target.index()), own.digit(target.index()));
            let target_digit = DigitSet::of(digit);
            let digits = if target.on { self.grid.digits(cell).without(target_digit) } else { target_digit };
            let chain = self.chain(shape, ranked.complexity);
            excluded.add(digits.into_iter().map(|digit| links.index(cell, digit)), parents.into_iter(), Some(chain));
        }
    }

    /// The number of a chain with these statements.
    fn chain(&mut self, shape: Vec<u16>, complexity: u32) -> NestedChain {
        let next = self.complexities.len() as ChainId;
        let id = *self.chains.entry(shape).or_insert(next);
        if id == next {
            self.complexities.push(complexity);
        }
        NestedChain { id, complexity: self.complexities[id as usize] }
    }

    /// The candidates that the run has removed from the groups by which others are true, each once, as candidates of the
    /// state of the run.
    fn lost(&self, links: &Links, own: &Links, reasons: Vec<(Candidate, Group)>) -> Vec<Candidate> {
        let mut lost = Vec::new();
        let mut seen = [0u64; 12];
        for (candidate, group) in reasons {
            let (cell, digit) = (own.cell(candidate), own.digit(candidate));
            let mut add = |cell: usize, digit: usize| {
                let candidate = links.index(cell, digit);
                if seen[candidate / 64] >> (candidate % 64) & 1 == 0 {
                    seen[candidate / 64] |= 1 << (candidate % 64);
                    lost.push(candidate);
                }
            };
            match group.house() {
                None => {
                    for digit in self.before.digits(cell).without(self.grid.digits(cell)) {
                        add(cell, digit);
                    }
                }
                Some(house) => {
                    let places = self.before.places(house, digit).without(self.grid.places(house, digit));
                    for place in places {
                        add(usize::from(crate::rating::houses::CELLS[house][place]), digit);
                    }
                }
            }
        }
        lost
    }
}

/// The kinds of chains that are searched for.
#[derive(Clone, Copy, Debug)]
enum Search {
    /// From these sources.
    Unary(UnarySources),
    /// From these groups.
    Static(GroupSet),
    Dynamic,
    /// Dynamic chains that use forcing chains.
    Nested,
}

/// A statement as a number that does not depend on the other candidates of its state.
fn code(links: &Links, literal: Literal) -> u16 {
    ((links.cell(literal.index()) * 9 + links.digit(literal.index())) * 2) as u16 + u16::from(literal.on)
}

/// The candidates of the grid without what is false that chains may start from, if they are true, and if they are false:
/// then all others of the cell are removed.
fn starts<const W: usize>(links: &Links, own: &Links, sources: &UnarySources) -> [Bits<W>; 2] {
    let mut starts = [[0; W]; 2];
    let mut candidate = 0;
    while candidate < own.len() {
        let group = Group::of_cell(own.cell(candidate));
        let of_cell = candidate..candidate + usize::from(own.counts[group.index()]);
        candidate = of_cell.end;
        let in_state = |candidate| links.index(own.cell(candidate), own.digit(candidate));
        let stay = |candidate: &Candidate| !has(&sources.removed, in_state(*candidate));
        let staying = of_cell.clone().filter(stay).count();
        for candidate in of_cell {
            if has(&sources.sources, in_state(candidate)) {
                insert(&mut starts[0], candidate);
            }
            if staying == usize::from(stay(&candidate)) {
                insert(&mut starts[1], candidate);
            }
        }
    }
    starts
}

/// For each digit, the cells that a chain removes it from.
fn removed_by(links: &Links, chain: &UnaryChain) -> [CellSet; 9] {
    match &chain.conclusion {
        Conclusion::Cycle { removed, .. } => *removed,
        Conclusion::Opposite { assumption } => {
            let mut removed = [CellSet::EMPTY; 9];
            let cell = links.cell(assumption.index());
            for member in links.members(Group::of_cell(cell)) {
                if assumption.on == (member == assumption.index()) {
                    removed[links.digit(member)].insert(cell);
                }
            }
            removed
        }
    }
}

/// Adds what a pattern excludes.
fn add(
    links: &Links,
    pattern: &impl Pattern,
    before: &Candidates,
    grid: &Candidates,
    excluded: &mut Exclusions,
) -> ControlFlow<()> {
    let candidates = |elimination: crate::rating::step::Elimination| {
        elimination.digits.into_iter().map(move |digit| links.index(elimination.cell, digit))
    };
    excluded.add(
        pattern.eliminations(grid).flat_map(candidates),
        pattern.parents(before, grid).flat_map(candidates),
        None,
    );
    ControlFlow::Continue(())
}

impl Rules for NestedRules {
    const EXIST: bool = true;

    fn begin(&mut self) {
        self.grid.clone_from(&self.before);
        self.removed = 0;
        self.removed_bits = [0; MOST.div_ceil(64)];
    }

    fn exclude(&mut self, links: &Links, off: &mut dyn Iterator<Item = Candidate>, excluded: &mut Exclusions) {
        for candidate in off.skip(self.removed) {
            self.grid.remove(links.cell(candidate), links.digit(candidate));
            self.removed_bits[candidate / 64] |= 1 << (candidate % 64);
            self.removed += 1;
        }
        self.simple(links, excluded);
        if excluded.is_empty() {
            self.nested(links, excluded);
        }
    }

    fn nested_complexity<'a, const W: usize>(
        &self,
        links: &Links,
        ends: impl Iterator<Item = (&'a Run<W>, NodeId)>,
    ) -> u32 {
        let mut chains = Vec::new();
        for (run, end) in ends {
            run.collect_chains(links, end, &mut chains);
        }
        chains.into_iter().map(|chain| self.complexities[chain as usize]).sum()
    }
}

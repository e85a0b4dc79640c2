//! Finds chains from one assumption: forcing chains and bidirectional cycles.
//!
//! A forcing chain leads from an assumption to its opposite. A cycle leads from a true candidate back to itself through
//! weak and strong links in turn; either all its strong ends or all its weak ends are true, so a candidate that sees
//! both is false.
//!
//! ```text
//! weak link     a true  -> b false   same cell, or same digit in a house
//! strong link   b false -> c true    the other one of two candidates of a cell, or of two places of a house
//! ```
//!
//! A chain of weak and strong links in turn is a path between true candidates. For each candidate, a row of bits has
//! the candidates that one weak and one strong link reach. Uniting rows finds all chains of a length at once, and the
//! difficulty of a forcing chain depends only on its length. The eliminations of a cycle depend on its path, so if the
//! rows allow a cycle, it is searched for again, step by step, in the reference order.

mod cycles;
mod rows;
mod trace;

use self::cycles::{Cycles, removed_by};
use self::rows::Rows;
pub(super) use self::trace::{strong_group, trace, weak_group};
use super::super::candidates::Candidates;
use super::super::sets::CellSet;
use super::super::technique::Technique;
use super::bits::{Bits, and, has, insert, is_empty, members, or_into};
use super::closure::Starts;
use super::difficulty;
use super::links::{CandidateGroup, CandidateIndex, LinkKinds, Links};
use super::statement::Literal;

/// A proof by a chain from one assumption.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Conclusion {
    /// The assumption is wrong.
    Opposite { assumption: Literal },
    /// Candidates that see both ends of a strong link are false.
    Cycle { path: Vec<Literal>, removed: [CellSet; 9] },
}

/// A chain or cycle, with its rank in the reference order.
#[derive(Clone, Debug)]
pub(super) struct UnaryChain {
    pub(super) difficulty: f64,
    pub(super) complexity: u32,
    pub(super) link_kinds: LinkKinds,
    /// The candidate that it starts from, and its rank among the chains from there.
    found: (usize, usize),
    pub(super) conclusion: Conclusion,
}

impl UnaryChain {
    pub(super) fn compare(&self, other: &UnaryChain) -> std::cmp::Ordering {
        self.difficulty
            .total_cmp(&other.difficulty)
            .then(self.complexity.cmp(&other.complexity))
            .then(self.link_kinds.cmp(&other.link_kinds))
            .then(self.found.cmp(&other.found))
    }

    /// For each digit, the cells that the chain removes it from.
    pub(super) fn removed(&self, links: &Links) -> [CellSet; 9] {
        match &self.conclusion {
            Conclusion::Cycle { removed, .. } => *removed,
            Conclusion::Opposite { assumption } => {
                let mut removed = [CellSet::EMPTY; 9];
                let cell = links.cell(assumption.index());
                for member in links.members(CandidateGroup::of_cell(cell)) {
                    if assumption.on == (member == assumption.index()) {
                        removed[links.digit(member)].insert(cell);
                    }
                }
                removed
            }
        }
    }
}

/// The search for chains from a candidate, true or false.
#[derive(Clone, Copy, Debug)]
struct Reach<const W: usize> {
    /// The candidates that were reached (they are true), and those reached last.
    seen: Bits<W>,
    last: Bits<W>,
    /// Whether the opposite of the assumption may still be reached.
    seeks_opposite: bool,
}

/// The memory of a search for chains from one assumption.
#[derive(Clone, Debug, Default)]
pub(super) struct Unary<const W: usize> {
    rows: Rows<W>,
    cycles: Cycles<W>,
    /// For each source, the candidates that it reaches if it is true, and if it is false.
    reaches: Vec<(CandidateIndex, [Reach<W>; 2])>,
}

/// The rank of forcing chains among the chains from a candidate: after the cycles.
const AFTER_CYCLES: usize = usize::MAX / 2;

impl<const W: usize> Unary<W> {
    /// The first chain or cycle in the reference order. `starts` returns the starts of chains with some kinds of links,
    /// or `None` if there are no such chains.
    pub(super) fn first(
        &mut self,
        grid: &Candidates,
        links: &Links,
        starts: impl FnMut(LinkKinds) -> Option<Starts<W>>,
    ) -> Option<UnaryChain> {
        let mut best = FirstChain(None);
        self.search(grid, links, starts, &mut best);
        best.0
    }

    /// All chains and cycles in the reference order.
    pub(super) fn all(
        &mut self,
        grid: &Candidates,
        links: &Links,
        starts: impl FnMut(LinkKinds) -> Option<Starts<W>>,
    ) -> Vec<UnaryChain> {
        let mut all = AllChains(Vec::new());
        self.search(grid, links, starts, &mut all);
        all.0.sort_by(UnaryChain::compare);
        all.0
    }

    /// Finds the chains for all kinds of links that the caller wants.
    fn search(
        &mut self,
        grid: &Candidates,
        links: &Links,
        mut starts: impl FnMut(LinkKinds) -> Option<Starts<W>>,
        chains: &mut impl Chains,
    ) {
        self.rows.set_state(links);
        for link_kinds in [LinkKinds::X, LinkKinds::Y, LinkKinds::Xy] {
            // The shortest chains have four statements, and cycles are at most as hard as forcing chains.
            if chains.want(cycle_base(link_kinds), 4)
                && let Some(starts) = starts(link_kinds)
            {
                self.search_kind(grid, links, link_kinds, &starts, chains);
            }
        }
    }

    /// Finds the chains for some kinds of links, the shortest first.
    fn search_kind(
        &mut self,
        grid: &Candidates,
        links: &Links,
        link_kinds: LinkKinds,
        starts: &Starts<W>,
        chains: &mut impl Chains,
    ) {
        let cycle_base = cycle_base(link_kinds);
        // The reference program has no forcing chains with only strong links in cells.
        let chain_base = match link_kinds {
            LinkKinds::X => Technique::XChain.least_difficulty(),
            LinkKinds::Y => f64::INFINITY,
            LinkKinds::Xy => Technique::ForcingChain.least_difficulty(),
        };

        // Go layer by layer for all sources at once, so that the search ends at the length of the best chain.
        self.begin(links, link_kinds, starts);
        for layer in 1.. {
            let complexity = 2 * layer;
            let cycle = difficulty(cycle_base, complexity);
            let chain = difficulty(chain_base, complexity);
            if self.reaches.is_empty() {
                return;
            }

            let mut kept = 0;
            for index in 0..self.reaches.len() {
                if !chains.want(cycle.min(chain), complexity) {
                    return;
                }
                let (source, [mut from_true, mut from_false]) = self.reaches[index];
                // A chain from a true candidate ends with a weak link, so it reaches its end from the layer before.
                let opposite = from_true.seeks_opposite
                    && !is_empty(&and(&from_true.last, &self.rows.weak(links, link_kinds, source)));
                let next = self.advance(links, link_kinds, &mut from_true);

                // The rows allow a cycle; its eliminations depend on its path.
                if layer >= 2 && has(&next, source) && has(&starts.cycles, source) && chains.want(cycle, complexity) {
                    let cycles = self.cycles.through(links, link_kinds, &self.rows, source, layer as usize);
                    for (place, path) in cycles.into_iter().enumerate() {
                        let removed = removed_by(grid, links, &path);
                        if removed.iter().any(|cells| !cells.is_empty()) {
                            let conclusion = Conclusion::Cycle { path, removed };
                            let found = (source, place);
                            chains.take(UnaryChain { difficulty: cycle, complexity, link_kinds, found, conclusion });
                        }
                    }
                }

                // A chain of the same length that is found later also ranks later.
                if link_kinds != LinkKinds::Y && chains.want(chain, complexity) {
                    let mut take = |on| {
                        let conclusion = Conclusion::Opposite { assumption: Literal::new(source, on) };
                        let found = (source, AFTER_CYCLES + usize::from(!on));
                        chains.take(UnaryChain { difficulty: chain, complexity, link_kinds, found, conclusion });
                    };
                    if opposite {
                        from_true.seeks_opposite = false;
                        // Without cycles, there is nothing else to find from here.
                        if !has(&starts.cycles, source) {
                            from_true.last = [0; W];
                        }
                        take(true);
                    }
                    // The first layer of a false candidate is its strong links, which `begin` has entered.
                    if layer >= 2 {
                        let next = self.advance(links, link_kinds, &mut from_false);
                        if has(&next, source) {
                            from_false.last = [0; W];
                            take(false);
                        }
                    }
                }

                // Drop the sources that reached nothing new.
                if !is_empty(&from_true.last) || !is_empty(&from_false.last) {
                    self.reaches[kept] = (source, [from_true, from_false]);
                    kept += 1;
                }
            }
            self.reaches.truncate(kept);
        }
    }

    /// Follows one weak and one strong link; returns all candidates that this makes true.
    fn advance(&mut self, links: &Links, link_kinds: LinkKinds, reach: &mut Reach<W>) -> Bits<W> {
        let mut next = [0; W];
        for candidate in members(&reach.last) {
            or_into(&mut next, self.rows.next(links, link_kinds, candidate));
        }
        for ((last, seen), next) in reach.last.iter_mut().zip(&mut reach.seen).zip(&next) {
            *last = next & !*seen;
            *seen |= next;
        }
        next
    }

    /// Makes the rows for some kinds of links, and the sources.
    fn begin(&mut self, links: &Links, link_kinds: LinkKinds, starts: &Starts<W>) {
        self.rows.begin(links, link_kinds, &starts.within);
        self.cycles.begin(links);
        self.reaches.clear();

        let Starts { cycles, on, off, .. } = starts;
        let any: Bits<W> = std::array::from_fn(|word| cycles[word] | on[word] | off[word]);
        for candidate in members(&any) {
            let count = links.members[CandidateGroup::of_cell(links.cell(candidate)).index()].len();
            // Links in cells need two candidates. Chains with other links may start in larger cells, too.
            if count == 2 || count > 2 && link_kinds != LinkKinds::Y {
                let mut alone = [0; W];
                insert(&mut alone, candidate);
                let from_true = has(cycles, candidate) || has(on, candidate);
                let from_true = from_true && !is_empty(self.rows.next(links, link_kinds, candidate));
                let from_false = has(off, candidate) && link_kinds != LinkKinds::Y;
                let reach = |seen, is_of_use| Reach {
                    seen,
                    last: if is_of_use { seen } else { [0; W] },
                    seeks_opposite: is_of_use && has(on, candidate),
                };
                let reaches = [reach(alone, from_true), reach(*self.rows.strong(candidate), from_false)];
                if reaches.iter().any(|reach| !is_empty(&reach.last)) {
                    self.reaches.push((candidate, reaches));
                }
            }
        }
    }
}

/// The least difficulty of a cycle.
fn cycle_base(link_kinds: LinkKinds) -> f64 {
    match link_kinds {
        LinkKinds::X => Technique::XCycle,
        LinkKinds::Y => Technique::YCycle,
        LinkKinds::Xy => Technique::Cycle,
    }
    .least_difficulty()
}

/// Receives the chains of a search.
trait Chains {
    /// Whether a chain of this difficulty and complexity may be useful. If chains are equal in both, the first one
    /// found is the first in the reference order.
    fn want(&self, difficulty: f64, complexity: u32) -> bool;

    fn take(&mut self, chain: UnaryChain);
}

/// Keeps the first chain in the reference order.
struct FirstChain(Option<UnaryChain>);

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
struct AllChains(Vec<UnaryChain>);

impl Chains for AllChains {
    fn want(&self, _: f64, _: u32) -> bool {
        true
    }

    fn take(&mut self, chain: UnaryChain) {
        self.0.push(chain);
    }
}

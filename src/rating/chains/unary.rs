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
//! A chain of weak and strong links in turn is a path from true candidates to true candidates. For each candidate, one
//! row of bits has those that are reached by one weak and one strong link. All chains of a length are found at once by
//! uniting rows; the length of a forcing chain is all that its difficulty depends on. What a cycle removes depends on
//! its path, so a cycle that is possible by the rows is searched for again, step by step, in the reference order.

use super::super::candidates::Candidates;
use super::super::houses::PEERS;
use super::super::sets::CellSet;
use super::super::technique::Technique;
use super::bits::{Bits, and, has, insert, is_empty, members, or_into};
use super::length;
use super::links::{CandidateGroup, CandidateIndex, Links, MAX_CANDIDATES};
use super::run::Literal;

/// The kinds of links that a chain may use, in the order in which the reference program searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkKinds {
    /// Links of one digit.
    X,
    /// Strong links in cells.
    Y,
    /// All links.
    Xy,
}

/// What a chain from one assumption proves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Conclusion {
    /// The assumption is wrong.
    Opposite { assumption: Literal },
    /// Candidates that see both ends of a strong link are false.
    Cycle { path: Vec<Literal>, removed: [CellSet; 9] },
}

/// A chain or cycle, with its place in the reference order.
#[derive(Clone, Debug)]
pub(super) struct UnaryChain {
    pub(super) difficulty: f64,
    pub(super) complexity: u32,
    pub(super) link_kinds: LinkKinds,
    /// The candidate that it starts from, and its place among the chains from there.
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
}

/// What is known about the chains from a candidate, true or false.
#[derive(Clone, Copy, Debug)]
struct Reach<const W: usize> {
    /// The candidates that are true, and those of them that were reached last.
    seen: Bits<W>,
    last: Bits<W>,
    /// Whether the opposite of the assumption has been reached.
    opposite: bool,
}

/// The memory of a search for chains from one assumption.
#[derive(Clone, Debug, Default)]
pub(super) struct Unary<const W: usize> {
    /// For each candidate, those that are false if it is true.
    weak: Vec<Bits<W>>,
    /// For each candidate, those that are true if it is false.
    strong: Vec<Bits<W>>,
    /// Whether there are any.
    has_strong: Vec<bool>,
    /// A weak and a strong link from candidates: a candidate that is false, and one that is true; where those of each
    /// candidate are.
    links: Vec<[u16; 2]>,
    parts: Vec<[u32; 2]>,
    /// For each candidate, those that are true by a weak and a strong link if it is true.
    next: Vec<Bits<W>>,
    /// For each source, what is reached if it is true, and if it is false.
    reaches: Vec<(CandidateIndex, [Reach<W>; 2])>,
    tree: Vec<TrueNode>,
}

/// A true candidate in the tree of a search for cycles.
#[derive(Clone, Copy, Debug)]
struct TrueNode {
    candidate: u16,
    /// The false candidate that it follows from, and the node before it.
    via: u16,
    parent: u16,
}

/// The part of a candidate whose links are not listed yet.
const UNLISTED: [u32; 2] = [u32::MAX; 2];

/// The parent of the root.
const ROOT: u16 = u16::MAX;

/// The place of forcing chains among the chains from a candidate: after the cycles.
const AFTER_CYCLES: usize = usize::MAX / 2;

impl<const W: usize> Unary<W> {
    /// The first chain or cycle in the reference order.
    pub(super) fn first(&mut self, grid: &Candidates, links: &Links) -> Option<UnaryChain> {
        let mut best = FirstChain(None);
        for link_kinds in [LinkKinds::X, LinkKinds::Y, LinkKinds::Xy] {
            self.search(grid, links, link_kinds, &[[u64::MAX; W]; 2], &mut best);
        }
        best.0
    }

    /// All chains and cycles in the reference order from some candidates, if they are true, and if they are false.
    pub(super) fn all(&mut self, grid: &Candidates, links: &Links, starts: &[Bits<W>; 2]) -> Vec<UnaryChain> {
        let mut all = AllChains(Vec::new());
        for link_kinds in [LinkKinds::X, LinkKinds::Y, LinkKinds::Xy] {
            self.search(grid, links, link_kinds, starts, &mut all);
        }
        all.0.sort_by(UnaryChain::compare);
        all.0
    }

    /// Finds the chains of some kinds of links, the shortest first.
    fn search(
        &mut self,
        grid: &Candidates,
        links: &Links,
        link_kinds: LinkKinds,
        starts: &[Bits<W>; 2],
        chains: &mut impl Chains,
    ) {
        let (cycle_base, chain_base) = match link_kinds {
            LinkKinds::X => (Technique::XCycle.least_difficulty(), Technique::XChain.least_difficulty()),
            LinkKinds::Y => (Technique::YCycle.least_difficulty(), f64::INFINITY),
            LinkKinds::Xy => (Technique::Cycle.least_difficulty(), Technique::ForcingChain.least_difficulty()),
        };
        if !chains.want(cycle_base, 4) {
            return;
        }

        // Layer by layer for all sources at once, so that the search ends at the length of the best chain.
        self.begin(links, link_kinds, starts);
        for layer in 1.. {
            let complexity = 2 * layer;
            let cycle = length::difficulty(cycle_base, complexity);
            let chain = length::difficulty(chain_base, complexity);
            if self.reaches.is_empty() || !chains.want(cycle.min(chain), complexity) {
                return;
            }

            let mut kept = 0;
            for index in 0..self.reaches.len() {
                let (source, [mut from_true, mut from_false]) = self.reaches[index];
                let opposite = !from_true.opposite && !is_empty(&and(&from_true.last, &self.weak[source]));
                let next = self.advance(&mut from_true);

                // The rows say that there may be a cycle; which candidates it removes depends on its path.
                if layer >= 2 && has(&next, source) && chains.want(cycle, complexity) {
                    for (place, path) in self.cycles(links, link_kinds, source, layer as usize).into_iter().enumerate()
                    {
                        let removed = removed_by(grid, links, &path);
                        if removed.iter().any(|cells| !cells.is_empty()) {
                            let conclusion = Conclusion::Cycle { path, removed };
                            let found = (source, place);
                            chains.take(UnaryChain { difficulty: cycle, complexity, link_kinds, found, conclusion });
                        }
                    }
                }

                let mut take = |on| {
                    let conclusion = Conclusion::Opposite { assumption: Literal::new(source, on) };
                    let found = (source, AFTER_CYCLES + usize::from(!on));
                    chains.take(UnaryChain { difficulty: chain, complexity, link_kinds, found, conclusion });
                };

                // The reference program has no forcing chains by strong links in cells alone.
                if link_kinds != LinkKinds::Y {
                    if opposite {
                        from_true.opposite = true;
                        take(true);
                    }
                    if layer >= 2 {
                        let next = self.advance(&mut from_false);
                        if !from_false.opposite && has(&next, source) {
                            from_false.opposite = true;
                            take(false);
                        }
                    }
                }

                // Sources from which nothing new was reached are left out from now on.
                if !is_empty(&from_true.last) || !is_empty(&from_false.last) {
                    self.reaches[kept] = (source, [from_true, from_false]);
                    kept += 1;
                }
            }
            self.reaches.truncate(kept);
        }
    }

    /// Follows one weak and one strong link; returns all candidates that are true by them.
    fn advance(&self, reach: &mut Reach<W>) -> Bits<W> {
        let mut next = [0; W];
        for candidate in members(&reach.last) {
            or_into(&mut next, &self.next[candidate]);
        }
        for ((last, seen), next) in reach.last.iter_mut().zip(&mut reach.seen).zip(&next) {
            *last = next & !*seen;
            *seen |= next;
        }
        next
    }

    /// Makes the rows for some kinds of links.
    fn begin(&mut self, links: &Links, link_kinds: LinkKinds, starts: &[Bits<W>; 2]) {
        self.weak.clear();
        self.strong.clear();
        self.has_strong.clear();
        self.next.clear();
        self.reaches.clear();
        self.links.clear();
        self.parts.clear();
        self.parts.resize(links.len(), UNLISTED);

        for candidate in 0..links.len() {
            let mut strong = [0; W];
            for on in strong_links(links, link_kinds, candidate) {
                if usize::from(on) < MAX_CANDIDATES {
                    insert(&mut strong, usize::from(on));
                }
            }
            self.has_strong.push(!is_empty(&strong));
            self.strong.push(strong);
        }

        for candidate in 0..links.len() {
            let [mut weak, mut next] = [[0; W]; 2];
            for &off in weak_links(links, link_kinds, candidate) {
                insert(&mut weak, usize::from(off));
                if self.has_strong[usize::from(off)] {
                    or_into(&mut next, &self.strong[usize::from(off)]);
                }
            }
            self.weak.push(weak);
            self.next.push(next);

            let count = links.counts[CandidateGroup::of_cell(links.cell(candidate)).index()];
            if count == 2 || count > 2 && link_kinds != LinkKinds::Y {
                let (mut alone, none) = ([0; W], [0; W]);
                insert(&mut alone, candidate);
                let reach =
                    |seen, is_of_use| Reach { seen, last: if is_of_use { seen } else { none }, opposite: false };
                let from_true = reach(alone, has(&starts[0], candidate) && !is_empty(&next));
                let from_false =
                    reach(self.strong[candidate], has(&starts[1], candidate) && link_kinds != LinkKinds::Y);
                if !is_empty(&from_true.last) || !is_empty(&from_false.last) {
                    self.reaches.push((candidate, [from_true, from_false]));
                }
            }
        }
    }

    /// The cycles of `2 * layers` statements through a candidate, in the reference order; each begins with the
    /// candidate and goes back along the chain.
    fn cycles(
        &mut self,
        links: &Links,
        link_kinds: LinkKinds,
        source: CandidateIndex,
        layers: usize,
    ) -> Vec<Vec<Literal>> {
        let mut cycles = Vec::new();
        let mut visited: Bits<W> = [0; W];
        insert(&mut visited, source);
        self.tree.clear();
        self.tree.push(TrueNode { candidate: source as u16, via: ROOT, parent: ROOT });

        let mut layer_start = 0;
        for layer in 1..=layers {
            let layer_end = self.tree.len();
            for parent in layer_start..layer_end {
                let candidate = usize::from(self.tree[parent].candidate);
                let [start, end] = self.links_of(links, link_kinds, candidate);
                for index in start..end {
                    let [via, on] = self.links[index];
                    let closes = usize::from(on) == source && layer == layers;
                    let is_new = layer < layers && !has(&visited, usize::from(on));
                    if (closes || is_new) && !self.is_on_path(parent, via) {
                        if closes {
                            cycles.push(self.path(source, usize::from(via), parent));
                        } else {
                            insert(&mut visited, usize::from(on));
                            self.tree.push(TrueNode { candidate: on, via, parent: parent as u16 });
                        }
                    }
                }
            }
            layer_start = layer_end;
        }
        cycles
    }

    /// Where the links from a candidate are. They are listed when they are needed for the first time.
    fn links_of(&mut self, links: &Links, link_kinds: LinkKinds, candidate: CandidateIndex) -> [usize; 2] {
        if self.parts[candidate] == UNLISTED {
            let start = self.links.len();
            for &off in weak_links(links, link_kinds, candidate) {
                if self.has_strong[usize::from(off)] {
                    let strong = strong_links(links, link_kinds, usize::from(off)).into_iter();
                    self.links.extend(strong.filter(|&on| usize::from(on) < MAX_CANDIDATES).map(|on| [off, on]));
                }
            }
            self.parts[candidate] = [start as u32, self.links.len() as u32];
        }
        self.parts[candidate].map(|at| at as usize)
    }

    /// Whether the chain to a node contains the statement that `candidate` is false.
    fn is_on_path(&self, mut node: usize, candidate: u16) -> bool {
        loop {
            let TrueNode { via, parent, .. } = self.tree[node];
            if via == candidate {
                return true;
            }
            if parent == ROOT {
                return false;
            }
            node = usize::from(parent);
        }
    }

    /// The statements of a cycle, from its end back to its start, which is the same statement and not repeated.
    fn path(&self, source: CandidateIndex, via: CandidateIndex, mut node: usize) -> Vec<Literal> {
        let mut path = vec![Literal::new(source, true), Literal::new(via, false)];
        while self.tree[node].parent != ROOT {
            let TrueNode { candidate, via, parent } = self.tree[node];
            path.push(Literal { candidate, on: true });
            path.push(Literal { candidate: via, on: false });
            node = usize::from(parent);
        }
        path
    }
}

/// The statements of the shortest chain from an assumption to its opposite, from its end back to its start.
///
/// # Panics
///
/// If there is no such chain.
pub(super) fn trace(links: &Links, link_kinds: LinkKinds, assumption: Literal) -> Vec<Literal> {
    let mut seen = [[0; MAX_CANDIDATES.div_ceil(64)]; 2];
    insert(&mut seen[usize::from(!assumption.on)], assumption.index());
    let mut statements = vec![(assumption, usize::MAX)];
    let mut next = 0;
    loop {
        let from = statements[next].0;

        let mut follow = |to: Literal| {
            let is_new = !has(&seen[usize::from(!to.on)], to.index());
            if is_new {
                insert(&mut seen[usize::from(!to.on)], to.index());
                statements.push((to, next));
            }
            to.candidate == assumption.candidate && is_new
        };

        let arrived = if from.on {
            weak_links(links, link_kinds, from.index()).iter().any(|&to| follow(Literal { candidate: to, on: false }))
        } else {
            let strong = strong_links(links, link_kinds, from.index());
            strong.into_iter().any(|to| usize::from(to) < MAX_CANDIDATES && follow(Literal { candidate: to, on: true }))
        };

        if arrived {
            let mut path = Vec::new();
            let mut at = statements.len() - 1;
            while at != usize::MAX {
                path.push(statements[at].0);
                at = statements[at].1;
            }
            return path;
        }
        next += 1;
    }
}

/// Takes the chains of a search.
trait Chains {
    /// Whether a chain of this difficulty and complexity may be of use.
    fn want(&self, difficulty: f64, complexity: u32) -> bool;

    fn take(&mut self, chain: UnaryChain);
}

/// Keeps the first chain in the reference order.
struct FirstChain(Option<UnaryChain>);

impl Chains for FirstChain {
    fn want(&self, difficulty: f64, complexity: u32) -> bool {
        self.0.as_ref().is_none_or(|first| (difficulty, complexity) <= (first.difficulty, first.complexity))
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

/// The weak links of these kinds, in the reference order.
fn weak_links(links: &Links, link_kinds: LinkKinds, candidate: CandidateIndex) -> &[u16] {
    if link_kinds == LinkKinds::X { links.weak_of_digit(candidate) } else { links.weak(candidate) }
}

/// The candidates that are true if one is false, each once, in the reference order: by the cell, the box, the row, the
/// column.
fn strong_links(links: &Links, link_kinds: LinkKinds, candidate: CandidateIndex) -> [u16; 4] {
    const NONE: u16 = MAX_CANDIDATES as u16;
    let [in_cell, in_box, in_row, in_column] = links.strong(candidate);
    let in_cell = if link_kinds == LinkKinds::X { NONE } else { in_cell };
    if link_kinds == LinkKinds::Y {
        return [in_cell, NONE, NONE, NONE];
    }
    // Links in a cell lead to another digit than links in houses.
    let in_row = if in_row == in_box { NONE } else { in_row };
    let in_column = if in_column == in_box { NONE } else { in_column };
    [in_cell, in_box, in_row, in_column]
}

/// The group by which a candidate is true if another one is false.
pub(super) fn strong_group(
    links: &Links,
    link_kinds: LinkKinds,
    off: CandidateIndex,
    on: CandidateIndex,
) -> CandidateGroup {
    let place = strong_links(links, link_kinds, off).iter().position(|&other| usize::from(other) == on);
    links.groups(off)[place.expect("the candidates have a strong link")]
}

/// The group by which a candidate is false if another one is true.
pub(super) fn weak_group(links: &Links, on: CandidateIndex, off: CandidateIndex) -> CandidateGroup {
    let of_off = links.groups(off);
    let shared = links.groups(on).into_iter().find(|group| of_off.contains(group));
    shared.expect("the candidates have a weak link")
}

/// For each digit, the cells that a cycle removes it from: they are not part of the cycle, and see a statement that the
/// digit is true and one that it is false.
fn removed_by(grid: &Candidates, links: &Links, path: &[Literal]) -> [CellSet; 9] {
    let mut seen_by = [[CellSet::EMPTY; 2]; 9];
    let mut cells = CellSet::EMPTY;
    for literal in path {
        let (cell, digit) = (links.cell(literal.index()), links.digit(literal.index()));
        cells.insert(cell);
        let seen = &mut seen_by[digit][usize::from(literal.on)];
        *seen = seen.or(PEERS[cell]);
    }
    std::array::from_fn(|digit| seen_by[digit][0].and(seen_by[digit][1]).and(grid.cells(digit)).without(cells))
}

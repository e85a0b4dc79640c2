//! Follows an assumption: everything that must be true or false if a candidate is true, or false.
//!
//! ```text
//! true   ->  false: the other candidates of the cell, the digit in the other cells of the houses
//! false  ->  true:  the last candidate of a cell, the last place of a digit in a house
//! ```
//!
//! Statements that something is true are followed first, those that something is false one at a time. The order
//! decides which chain is found, so it is the reference order. The search ends at the first contradiction.
//!
//! In a static run, a cell or house counts as having two candidates only if it has two in the grid. In a dynamic run,
//! candidates that are false are taken out of the grid one after another; then the last candidate of a group follows
//! from all others being false, and has as many parents.
//!
//! A run notes only why a statement holds. Most statements are of no use for a proof, so what a statement rests on is
//! counted when somebody asks, and a lower bound answers most questions before.

use super::bits::{Bits, has, insert};
use super::links::{Candidate, GROUPS, Group, Links, MOST};

/// A candidate, and whether it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Literal {
    pub(super) candidate: u16,
    pub(super) on: bool,
}

impl Literal {
    pub(super) const fn new(candidate: Candidate, on: bool) -> Literal {
        Literal { candidate: candidate as u16, on }
    }

    pub(super) const fn index(self) -> Candidate {
        self.candidate as usize
    }
}

/// Which implications a run follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Groups that have two candidates in the grid.
    Static,
    /// Groups of which two candidates are left, but only those of one digit in a house.
    Nishio,
    /// Groups of which two candidates are left.
    Dynamic,
}

/// A statement of a run: its place among those of its side, and whether it says that a candidate is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId {
    at: u16,
    on: bool,
}

impl NodeId {
    /// The place among the statements of the same side.
    pub(super) const fn place(self) -> u16 {
        self.at
    }
}

/// Why a statement holds. `from` is a place among the statements of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// It is the assumption.
    Assumed,
    /// False, because another candidate of a cell or house is true.
    Weak { from: u16 },
    /// True, because it is the last candidate of a group. `from` is the statement that was followed.
    Last { from: u16, group: Group },
    /// False, because a rule of another technique excludes it: an index into `rules`.
    Rule(u16),
}

/// A statement of a run.
#[derive(Clone, Copy, Debug)]
struct Node {
    candidate: u16,
    /// It rests on this many statements at least, itself included; in a static run, on exactly as many.
    least: u16,
    cause: Cause,
}

/// Why a rule of another technique excludes a candidate.
#[derive(Clone, Copy, Debug)]
struct RuleCause {
    /// A part of `rule_parents`.
    parents: [u32; 2],
    chain: Option<ChainId>,
}

/// What a run knows about a candidate, a bit each.
mod known {
    pub(super) const ON: u8 = 1;
    pub(super) const OFF: u8 = 2;
    /// It is false, and that has been followed.
    pub(super) const REMOVED: u8 = 4;
}

/// What follows from an assumption.
#[derive(Clone, Debug)]
pub(super) struct Run<const W: usize> {
    /// The statements that a candidate is true, and those that it is false, in the order in which they are followed. A
    /// contradiction adds a last one that is not entered below.
    ///
    /// No statement rests on another one of the same literal: if a rule excludes a candidate that is true, nothing
    /// rests on that before the contradiction.
    ons: Vec<Node>,
    offs: Vec<Node>,
    /// Statements that rest on more than this many are of no use.
    limit: u16,
    /// The number of statements that are not followed yet and may lead to some of use.
    useful: u32,
    /// The candidates that are true, and those that are false, and where in the lists.
    pub(super) on: Bits<W>,
    pub(super) off: Bits<W>,
    on_at: Vec<u16>,
    off_at: Vec<u16>,
    known: Vec<u8>,
    /// The statements that a candidate is true and that it is false, if the run ends in a contradiction.
    pub(super) contradiction: Option<[NodeId; 2]>,
    rules: Vec<RuleCause>,
    /// Places of statements that something is false.
    rule_parents: Vec<u16>,
    /// Whether any statement rests on a chain.
    pub(super) rests_on_chains: bool,
    dynamic: bool,
    excluded: Exclusions,
}

impl<const W: usize> Default for Run<W> {
    fn default() -> Run<W> {
        Run {
            ons: Vec::new(),
            offs: Vec::new(),
            limit: u16::MAX,
            useful: 0,
            on: [0; W],
            off: [0; W],
            on_at: Vec::new(),
            off_at: Vec::new(),
            known: Vec::new(),
            contradiction: None,
            rules: Vec::new(),
            rule_parents: Vec::new(),
            rests_on_chains: false,
            dynamic: false,
            excluded: Exclusions::default(),
        }
    }
}

/// A chain that a statement rests on.
#[derive(Clone, Copy, Debug)]
pub(super) struct NestedChain {
    pub(super) id: ChainId,
    pub(super) complexity: u32,
}

/// The number of a chain: one that was found again has the same.
pub(super) type ChainId = u32;

/// Candidates that rules of other techniques exclude, given what is false so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusions {
    items: Vec<Exclusion>,
    parents: Vec<u16>,
    /// Whether all rules found what they can: the next pattern rests on one of these exclusions.
    pub(super) are_complete: bool,
}

#[derive(Clone, Copy, Debug)]
struct Exclusion {
    candidate: u16,
    /// Where its parents are.
    parents: [u32; 2],
    chain: Option<NestedChain>,
}

impl Exclusions {
    /// Adds candidates that are excluded because others are false. Nothing is added if there are no others: the rule
    /// then applies without the run.
    pub(super) fn add(
        &mut self,
        candidates: impl Iterator<Item = Candidate>,
        parents: impl Iterator<Item = Candidate>,
        chain: Option<NestedChain>,
    ) {
        let start = self.parents.len();
        self.parents.extend(parents.map(|parent| parent as u16));
        let parents = [start as u32, self.parents.len() as u32];
        if parents[0] < parents[1] {
            self.items.extend(candidates.map(|candidate| Exclusion { candidate: candidate as u16, parents, chain }));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn clear(&mut self) {
        self.items.clear();
        self.parents.clear();
        self.are_complete = false;
    }
}

/// Finds candidates that rules of other techniques exclude when a dynamic run has come to an end.
pub(super) trait Rules {
    /// Whether there are any rules.
    const EXIST: bool;

    /// Begins a run: nothing is false yet.
    fn begin(&mut self);

    /// Writes what is excluded if the candidates in `off`, in this order, are false.
    fn exclude(&mut self, links: &Links, off: &mut dyn Iterator<Item = Candidate>, excluded: &mut Exclusions);

    /// The complexity of the different chains in [`Cause::Rule`] that statements rest on.
    fn nested_complexity<'a, const W: usize>(
        &self,
        links: &Links,
        ends: impl Iterator<Item = (&'a Run<W>, NodeId)>,
    ) -> u32;
}

/// No rules of other techniques.
pub(super) struct NoRules;

impl Rules for NoRules {
    const EXIST: bool = false;

    fn begin(&mut self) {}

    fn exclude(&mut self, _: &Links, _: &mut dyn Iterator<Item = Candidate>, _: &mut Exclusions) {}

    fn nested_complexity<'a, const W: usize>(&self, _: &Links, _: impl Iterator<Item = (&'a Run<W>, NodeId)>) -> u32 {
        0
    }
}

impl<const W: usize> Run<W> {
    /// The statement that a candidate is true, or false. It is one of the run.
    pub(super) fn node_of(&self, literal: Literal) -> NodeId {
        let at = if literal.on { self.on_at[literal.index()] } else { self.off_at[literal.index()] };
        NodeId { at, on: literal.on }
    }

    fn node(&self, id: NodeId) -> &Node {
        if id.on { &self.ons[usize::from(id.at)] } else { &self.offs[usize::from(id.at)] }
    }

    /// What a statement says.
    pub(super) fn literal(&self, id: NodeId) -> Literal {
        Literal { candidate: self.node(id).candidate, on: id.on }
    }

    /// Whether a statement is the assumption.
    pub(super) fn is_assumed(&self, id: NodeId) -> bool {
        self.node(id).cause == Cause::Assumed
    }

    /// The group of which a statement's candidate is the last one.
    pub(super) fn group(&self, id: NodeId) -> Option<Group> {
        match self.node(id).cause {
            Cause::Last { group, .. } => Some(group),
            Cause::Assumed | Cause::Weak { .. } | Cause::Rule(_) => None,
        }
    }

    /// The chain by which a statement's candidate is excluded.
    fn nested_chain(&self, id: NodeId) -> Option<ChainId> {
        match self.node(id).cause {
            Cause::Rule(rule) => self.rules[usize::from(rule)].chain,
            Cause::Assumed | Cause::Weak { .. } | Cause::Last { .. } => None,
        }
    }

    /// The statements that follow from an assumption. Some that rest on more than `limit` statements may be missing:
    /// the search ends when all that comes would.
    pub(super) fn follow<R: Rules>(
        &mut self,
        links: &Links,
        kind: Kind,
        assumption: Literal,
        limit: u32,
        rules: &mut R,
    ) {
        self.limit = u16::try_from(limit).unwrap_or(u16::MAX);
        self.useful = 0;
        self.ons.clear();
        self.offs.clear();
        self.rules.clear();
        self.rule_parents.clear();
        self.on = [0; W];
        self.off = [0; W];
        self.on_at.resize(links.len(), 0);
        self.off_at.resize(links.len(), 0);
        self.known.clear();
        self.known.resize(links.len(), 0);
        self.dynamic = kind != Kind::Static;
        self.rests_on_chains = false;
        rules.begin();
        if assumption.on {
            self.enter_on(assumption.candidate, 1, Cause::Assumed);
        } else {
            self.enter_off(assumption.candidate, 1, Cause::Assumed);
        }
        self.contradiction = match kind {
            Kind::Static => self.propagate(links, kind, &mut Unchanged, rules),
            Kind::Nishio | Kind::Dynamic => {
                self.propagate(links, kind, &mut Left { counts: links.counts, sums: links.sums }, rules)
            }
        };
    }

    fn propagate<R: Rules>(
        &mut self,
        links: &Links,
        kind: Kind,
        left: &mut impl StrongLinks,
        rules: &mut R,
    ) -> Option<[NodeId; 2]> {
        let (mut next_on, mut next_off) = (0, 0);
        loop {
            while next_on < self.ons.len() {
                let Node { candidate, least, .. } = self.ons[next_on];
                let cause = Cause::Weak { from: next_on as u16 };
                next_on += 1;
                self.useful -= u32::from(least < self.limit);
                let candidate = usize::from(candidate);
                let weak = if kind == Kind::Nishio { links.weak_of_digit(candidate) } else { links.weak(candidate) };
                for &other in weak {
                    let known = self.known[usize::from(other)];
                    if known == 0 {
                        self.enter_off(other, least + 1, cause);
                    } else if known & (known::ON | known::REMOVED) == known::ON {
                        let off = NodeId { at: self.offs.len() as u16, on: false };
                        self.offs.push(Node { candidate: other, least: least + 1, cause });
                        return Some([self.node_of(Literal { candidate: other, on: true }), off]);
                    }
                }
            }
            // With rules, patterns of statements that are of use may appear at the end.
            if self.useful == 0 && !R::EXIST {
                return None;
            }
            if next_off == self.offs.len() {
                self.exclude(links, rules);
                if next_off == self.offs.len() {
                    return None;
                }
            }
            let Node { candidate, least, .. } = self.offs[next_off];
            let from = next_off as u16;
            next_off += 1;
            self.useful -= u32::from(least < self.limit);
            let mut others = left.remove(links, usize::from(candidate));
            if kind == Kind::Nishio {
                others[0] = NONE;
            }
            if kind != Kind::Static {
                self.known[usize::from(candidate)] |= known::REMOVED;
            }
            let groups = links.groups(usize::from(candidate));
            for place in 0..4 {
                let other = others[place];
                if other == NONE {
                    continue;
                }
                let known = self.known[usize::from(other)];
                let cause = Cause::Last { from, group: groups[place] };
                if known & known::OFF != 0 {
                    let on = NodeId { at: self.ons.len() as u16, on: true };
                    self.ons.push(Node { candidate: other, least: least + 1, cause });
                    return Some([on, self.node_of(Literal { candidate: other, on: false })]);
                }
                if known & known::ON == 0 {
                    self.enter_on(other, least + 1, cause);
                }
            }
        }
    }

    /// Tries other techniques.
    fn exclude(&mut self, links: &Links, rules: &mut impl Rules) {
        let mut excluded = std::mem::take(&mut self.excluded);
        excluded.clear();
        let mut off = self.offs.iter().map(|node| usize::from(node.candidate));
        rules.exclude(links, &mut off, &mut excluded);
        // All that follows rests on these exclusions, and on the chains that they come from.
        let is_useful = |exclusion: &Exclusion| {
            let [start, end] = exclusion.parents.map(|at| at as usize);
            let parents = excluded.parents[start..end].iter();
            let least = parents.map(|&parent| self.offs[usize::from(self.off_at[usize::from(parent)])].least).max();
            let complexity = exclusion.chain.map_or(0, |chain| chain.complexity);
            u32::from(least.unwrap_or(0)) + complexity < u32::from(self.limit)
        };
        if excluded.are_complete && self.limit < u16::MAX && !excluded.items.iter().any(is_useful) {
            excluded.clear();
        }
        for exclusion in &excluded.items {
            if self.known[usize::from(exclusion.candidate)] & known::OFF == 0 {
                let [start, end] = exclusion.parents.map(|at| at as usize);
                let because_off = &excluded.parents[start..end];
                let start = self.rule_parents.len() as u32;
                self.rule_parents.extend(because_off.iter().map(|&parent| self.off_at[usize::from(parent)]));
                let parents = [start, self.rule_parents.len() as u32];
                let least =
                    because_off.iter().map(|&parent| self.offs[usize::from(self.off_at[usize::from(parent)])].least);
                let least = least.max().unwrap_or(0) + 1;
                let rule = Cause::Rule(self.rules.len() as u16);
                self.rules.push(RuleCause { parents, chain: exclusion.chain.map(|chain| chain.id) });
                self.rests_on_chains |= exclusion.chain.is_some();
                self.enter_off(exclusion.candidate, least, rule);
            }
        }
        self.excluded = excluded;
    }

    #[inline]
    fn enter_on(&mut self, candidate: u16, least: u16, cause: Cause) {
        let index = usize::from(candidate);
        self.known[index] |= known::ON;
        self.useful += u32::from(least < self.limit);
        insert(&mut self.on, index);
        self.on_at[index] = self.ons.len() as u16;
        self.ons.push(Node { candidate, least, cause });
    }

    #[inline]
    fn enter_off(&mut self, candidate: u16, least: u16, cause: Cause) {
        let index = usize::from(candidate);
        self.known[index] |= known::OFF;
        self.useful += u32::from(least < self.limit);
        insert(&mut self.off, index);
        self.off_at[index] = self.offs.len() as u16;
        self.offs.push(Node { candidate, least, cause });
    }

    /// A lower bound of [`Run::count`].
    pub(super) fn least(&self, id: NodeId) -> u32 {
        u32::from(self.node(id).least)
    }

    /// The number of statements that a statement of the run rests on, itself included.
    pub(super) fn count(&self, links: &Links, id: NodeId) -> u32 {
        if !self.dynamic {
            return self.least(id);
        }
        // By places.
        let mut seen: [Bits<W>; 2] = [[0; W]; 2];
        let mut left = seen;
        let mut count = 1;
        let mut end = id;
        loop {
            self.each_parent(links, end, |parent| {
                let (side, place) = (usize::from(parent.on), usize::from(parent.at));
                if !has(&seen[side], place) {
                    insert(&mut seen[side], place);
                    insert(&mut left[side], place);
                    count += 1;
                }
            });
            let next = [false, true].into_iter().find_map(|on| {
                let side = &mut left[usize::from(on)];
                let word = side.iter().position(|&word| word != 0)?;
                let at = word * 64 + side[word].trailing_zeros() as usize;
                side[word] &= side[word] - 1;
                Some(NodeId { at: at as u16, on })
            });
            match next {
                Some(next) => end = next,
                None => return count,
            }
        }
    }

    /// Visits the parents of a statement, in the reference order.
    fn each_parent(&self, links: &Links, id: NodeId, mut visit: impl FnMut(NodeId)) {
        let off = |at| NodeId { at, on: false };
        let node = self.node(id);
        match node.cause {
            Cause::Assumed => {}
            Cause::Weak { from } => visit(NodeId { at: from, on: true }),
            Cause::Last { from, group } => {
                visit(off(from));
                if self.dynamic {
                    for member in links.members(group) {
                        let at = self.off_at[member];
                        if at != from && member != usize::from(node.candidate) {
                            visit(off(at));
                        }
                    }
                }
            }
            Cause::Rule(rule) => {
                let [start, end] = self.rules[usize::from(rule)].parents.map(|at| at as usize);
                self.rule_parents[start..end].iter().for_each(|&at| visit(off(at)));
            }
        }
    }

    /// A statement and all that it rests on, breadth first; of statements about the same candidate, the first.
    pub(super) fn chain(&self, links: &Links, id: NodeId) -> Vec<NodeId> {
        let mut seen = [[0; W]; 2];
        let mut chain = Vec::with_capacity(64);
        chain.push(id);
        insert(&mut seen[usize::from(id.on)], usize::from(self.node(id).candidate));
        let mut next = 0;
        while next < chain.len() {
            self.each_parent(links, chain[next], |parent| {
                let side: &mut Bits<W> = &mut seen[usize::from(parent.on)];
                let candidate = usize::from(self.node(parent).candidate);
                if !has(side, candidate) {
                    insert(side, candidate);
                    chain.push(parent);
                }
            });
            next += 1;
        }
        chain
    }

    /// The different chains that a statement rests on are added to `chains`.
    pub(super) fn collect_chains(&self, links: &Links, id: NodeId, chains: &mut Vec<ChainId>) {
        if self.rests_on_chains {
            for id in self.chain(links, id) {
                if let Some(chain) = self.nested_chain(id)
                    && !chains.contains(&chain)
                {
                    chains.push(chain);
                }
            }
        }
    }
}

/// No candidate.
const NONE: u16 = MOST as u16;

/// The strong links of a run.
trait StrongLinks {
    /// The candidates that are true because a candidate is false: for each of its groups, the other one of two, each
    /// candidate once.
    fn remove(&mut self, links: &Links, candidate: Candidate) -> [u16; 4];
}

/// Those of the state.
struct Unchanged;

impl StrongLinks for Unchanged {
    fn remove(&mut self, links: &Links, candidate: Candidate) -> [u16; 4] {
        once(links.strong(candidate))
    }
}

/// Those among the candidates that are left: their number in each group, and the sum of their indices.
struct Left {
    counts: [u8; GROUPS],
    sums: [u16; GROUPS],
}

impl StrongLinks for Left {
    #[inline]
    fn remove(&mut self, links: &Links, candidate: Candidate) -> [u16; 4] {
        let mut others = [NONE; 4];
        for (other, group) in others.iter_mut().zip(links.groups(candidate)) {
            let count = &mut self.counts[group.index()];
            let sum = &mut self.sums[group.index()];
            *sum -= candidate as u16;
            *count -= 1;
            if *count == 1 {
                *other = *sum;
            }
        }
        once(others)
    }
}

/// The candidates without repetitions, which are possible among those of one digit.
fn once([in_cell, in_box, in_row, in_column]: [u16; 4]) -> [u16; 4] {
    let in_row = if in_row == in_box { NONE } else { in_row };
    let in_column = if in_column == in_box { NONE } else { in_column };
    [in_cell, in_box, in_row, in_column]
}

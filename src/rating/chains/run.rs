//! Follows an assumption: everything that must be true or false if a candidate is true, or false.
//!
//! ```text
//! true   ->  false: the other candidates of the cell, the digit in the other cells of the houses
//! false  ->  true:  the last candidate of a cell, the last place of a digit in a house
//! ```
//!
//! Statements that something is true are followed first, those that something is false one at a time. The order
//! decides which chain is found, so it is the yardstick's. The search ends at the first contradiction.
//!
//! In a static run, a cell or house counts as having two candidates only if it has two in the grid. In a dynamic run,
//! candidates that are false are taken out of the grid one after another; then the last candidate of a group follows
//! from all others being false, and has as many parents.

use super::bits::{Bits, has, insert, len, or_into};
use super::links::{Candidate, GROUPS, Group, Links};

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

/// The index of a statement of a run.
pub(super) type NodeId = u16;

/// No statement.
pub(super) const NO_NODE: NodeId = NodeId::MAX;

/// Why a statement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It is the assumption.
    Assumed,
    /// False, because another candidate of a cell or house is true.
    Weak { from: NodeId },
    /// True, because it is the last candidate of a group. `from` is the statement that was followed.
    Last { from: NodeId, group: Group },
    /// False, because a rule of another technique excludes it. Its parents are a part of [`Run::rule_parents`].
    Rule { parents: [u32; 2], chain: Option<ChainId> },
}

/// A statement of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) literal: Literal,
    pub(super) cause: Cause,
    /// The number of statements that it rests on, itself included.
    pub(super) count: u16,
    /// Where the statements that it rests on are; a statement that something is false because of one true candidate
    /// shares them with that one, and does not contain itself.
    ancestors: u16,
}

/// What follows from an assumption.
#[derive(Clone, Debug)]
pub(super) struct Run<const W: usize> {
    pub(super) nodes: Vec<Node>,
    /// The candidates that are true, and those that are false.
    pub(super) on: Bits<W>,
    pub(super) off: Bits<W>,
    on_nodes: Vec<NodeId>,
    off_nodes: Vec<NodeId>,
    /// The two statements about one candidate that exclude each other: that it is true, that it is false.
    pub(super) contradiction: Option<[NodeId; 2]>,
    rule_parents: Vec<NodeId>,
    ancestors: Vec<[Bits<W>; 2]>,
    /// Whether a statement of the run rests on a chain of another technique.
    pub(super) rests_on_chains: bool,
    dynamic: bool,
    excluded: Exclusions,
    // The queues.
    ons: Vec<NodeId>,
    offs: Vec<NodeId>,
}

impl<const W: usize> Default for Run<W> {
    fn default() -> Run<W> {
        Run {
            nodes: Vec::new(),
            on: [0; W],
            off: [0; W],
            on_nodes: Vec::new(),
            off_nodes: Vec::new(),
            contradiction: None,
            rule_parents: Vec::new(),
            ancestors: Vec::new(),
            rests_on_chains: false,
            dynamic: false,
            excluded: Exclusions::default(),
            ons: Vec::new(),
            offs: Vec::new(),
        }
    }
}

/// A chain that a statement rests on.
pub(super) type ChainId = u32;

/// Candidates that rules of other techniques exclude, given what is false so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusions {
    items: Vec<Exclusion>,
    parents: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Exclusion {
    candidate: u16,
    /// Where its parents are.
    parents: [u32; 2],
    chain: Option<ChainId>,
}

impl Exclusions {
    /// Adds candidates that are excluded because others are false. Nothing is added if there are no others: the rule then
    /// applies without the run.
    pub(super) fn add(
        &mut self,
        candidates: impl Iterator<Item = Candidate>,
        parents: impl Iterator<Item = Candidate>,
        chain: Option<ChainId>,
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
    }
}

/// Finds candidates that rules of other techniques exclude when a dynamic run has come to an end.
pub(super) trait Rules {
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
    fn begin(&mut self) {}

    fn exclude(&mut self, _: &Links, _: &mut dyn Iterator<Item = Candidate>, _: &mut Exclusions) {}

    fn nested_complexity<'a, const W: usize>(&self, _: &Links, _: impl Iterator<Item = (&'a Run<W>, NodeId)>) -> u32 {
        0
    }
}

impl<const W: usize> Run<W> {
    /// The statement that a candidate is true, or false. It is one of the run.
    pub(super) fn node_of(&self, literal: Literal) -> NodeId {
        if literal.on { self.on_nodes[literal.index()] } else { self.off_nodes[literal.index()] }
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[usize::from(id)]
    }

    /// The number of statements that a statement of the run rests on, itself included.
    pub(super) fn count(&self, literal: Literal) -> u32 {
        u32::from(self.node(self.node_of(literal)).count)
    }

    /// The statements that follow from an assumption.
    pub(super) fn follow(&mut self, links: &Links, kind: Kind, assumption: Literal, rules: &mut impl Rules) {
        self.nodes.clear();
        self.ancestors.clear();
        self.rule_parents.clear();
        self.ons.clear();
        self.offs.clear();
        self.on = [0; W];
        self.off = [0; W];
        self.on_nodes.resize(links.len(), NO_NODE);
        self.off_nodes.resize(links.len(), NO_NODE);
        self.dynamic = kind != Kind::Static;
        self.rests_on_chains = false;
        self.contradiction = self.propagate(links, kind, assumption, rules);
    }

    fn propagate(
        &mut self,
        links: &Links,
        kind: Kind,
        assumption: Literal,
        rules: &mut impl Rules,
    ) -> Option<[NodeId; 2]> {
        let mut counts: [u8; GROUPS] = links.counts;
        let mut sums: [u16; GROUPS] = links.sums;
        let mut removed: Bits<W> = [0; W];
        rules.begin();
        let first = self.push(links, assumption, Cause::Assumed, [[0; W]; 2]);
        self.enter(first);
        let (mut next_on, mut next_off) = (0, 0);
        loop {
            while next_on < self.ons.len() {
                let from = self.ons[next_on];
                next_on += 1;
                let candidate = self.node(from).literal.index();
                let weak = if kind == Kind::Nishio { links.weak_of_digit(candidate) } else { links.weak(candidate) };
                for &other in weak {
                    let other = usize::from(other);
                    if has(&self.on, other) {
                        if has(&removed, other) {
                            continue;
                        }
                        let off = self.push_weak(links, other, from);
                        return Some([self.on_nodes[other], off]);
                    }
                    if !has(&self.off, other) {
                        let off = self.push_weak(links, other, from);
                        self.enter(off);
                    }
                }
            }
            if next_off == self.offs.len() {
                let done = self.offs.len();
                let nodes = &self.nodes;
                let mut off = self.offs[..done].iter().map(|&id| nodes[usize::from(id)].literal.index());
                let mut excluded = std::mem::take(&mut self.excluded);
                excluded.clear();
                rules.exclude(links, &mut off, &mut excluded);
                for exclusion in &excluded.items {
                    if !has(&self.off, usize::from(exclusion.candidate)) {
                        let [start, end] = exclusion.parents.map(|at| at as usize);
                        let off = self.push_rule(links, exclusion, &excluded.parents[start..end]);
                        self.enter(off);
                    }
                }
                self.excluded = excluded;
                if self.offs.len() == done {
                    return None;
                }
            }
            let from = self.offs[next_off];
            next_off += 1;
            let candidate = self.node(from).literal.index();
            let groups = links.groups(candidate);
            let mut found = [(0, Group(0)); 4];
            let mut length = 0;
            for (place, &group) in groups.iter().enumerate() {
                if counts[group.index()] == 2 && (place > 0 || kind != Kind::Nishio) {
                    let other = usize::from(sums[group.index()]) - candidate;
                    if found[..length].iter().all(|&(found, _)| found != other) {
                        found[length] = (other, group);
                        length += 1;
                    }
                }
                if kind != Kind::Static {
                    counts[group.index()] -= 1;
                    sums[group.index()] -= candidate as u16;
                }
            }
            if kind != Kind::Static {
                insert(&mut removed, candidate);
            }
            for &(other, group) in &found[..length] {
                if has(&self.off, other) {
                    let on = self.push_last(links, other, from, group);
                    return Some([on, self.off_nodes[other]]);
                }
                if !has(&self.on, other) {
                    let on = self.push_last(links, other, from, group);
                    self.enter(on);
                }
            }
        }
    }

    /// Makes a statement one of those that hold, and queues it.
    fn enter(&mut self, id: NodeId) {
        let literal = self.node(id).literal;
        if literal.on {
            insert(&mut self.on, literal.index());
            self.on_nodes[literal.index()] = id;
            self.ons.push(id);
        } else {
            insert(&mut self.off, literal.index());
            self.off_nodes[literal.index()] = id;
            self.offs.push(id);
        }
    }

    /// A statement with ancestors of its own, which `ancestors` lists but for itself.
    fn push(&mut self, links: &Links, literal: Literal, cause: Cause, mut ancestors: [Bits<W>; 2]) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let side = &mut ancestors[usize::from(!literal.on)];
        let repeated = has(side, literal.index());
        insert(side, literal.index());
        let count = (len(&ancestors[0]) + len(&ancestors[1])) as u16;
        self.nodes.push(Node { literal, cause, count, ancestors: self.ancestors.len() as u16 });
        self.ancestors.push(ancestors);
        if repeated {
            self.count_again(links, id);
        }
        id
    }

    /// The statement that `candidate` is false because that of `from` is true.
    fn push_weak(&mut self, links: &Links, candidate: Candidate, from: NodeId) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let parent = *self.node(from);
        let literal = Literal::new(candidate, false);
        self.nodes.push(Node { literal, cause: Cause::Weak { from }, count: parent.count + 1, ..parent });
        if has(&self.ancestors[usize::from(parent.ancestors)][1], candidate) {
            self.count_again(links, id);
        }
        id
    }

    /// The statement that `candidate` is true because all others of the group are false.
    fn push_last(&mut self, links: &Links, candidate: Candidate, from: NodeId, group: Group) -> NodeId {
        let mut ancestors = [[0; W]; 2];
        if self.dynamic {
            for member in links.members(group) {
                if member != candidate {
                    self.inherit(&mut ancestors, self.off_nodes[member]);
                }
            }
        } else {
            self.inherit(&mut ancestors, from);
        }
        self.push(links, Literal::new(candidate, true), Cause::Last { from, group }, ancestors)
    }

    fn push_rule(&mut self, links: &Links, exclusion: &Exclusion, because_off: &[u16]) -> NodeId {
        let mut ancestors = [[0; W]; 2];
        let start = self.rule_parents.len() as u32;
        for &parent in because_off {
            let id = self.off_nodes[usize::from(parent)];
            self.rule_parents.push(id);
            self.inherit(&mut ancestors, id);
        }
        let parents = [start, self.rule_parents.len() as u32];
        let literal = Literal { candidate: exclusion.candidate, on: false };
        self.rests_on_chains |= exclusion.chain.is_some();
        self.push(links, literal, Cause::Rule { parents, chain: exclusion.chain }, ancestors)
    }

    /// Counts what a statement rests on if that contains another statement with the same literal, whose own ancestors
    /// do not count.
    #[cold]
    fn count_again(&mut self, links: &Links, id: NodeId) {
        self.nodes[usize::from(id)].count = self.chain(links, id).len() as u16;
    }

    /// Adds a statement and what it rests on.
    fn inherit(&self, ancestors: &mut [Bits<W>; 2], parent: NodeId) {
        let parent = self.node(parent);
        let inherited = &self.ancestors[usize::from(parent.ancestors)];
        or_into(&mut ancestors[0], &inherited[0]);
        or_into(&mut ancestors[1], &inherited[1]);
        insert(&mut ancestors[usize::from(!parent.literal.on)], parent.literal.index());
    }

    /// The parents of a statement, in the yardstick's order.
    pub(super) fn parents(&self, links: &Links, id: NodeId, parents: &mut Vec<NodeId>) {
        let node = self.node(id);
        match node.cause {
            Cause::Assumed => {}
            Cause::Weak { from } => parents.push(from),
            Cause::Last { from, group } => {
                parents.push(from);
                if self.dynamic {
                    let first = self.node(from).literal.index();
                    let others = links.members(group).filter(|&m| m != first && m != node.literal.index());
                    parents.extend(others.map(|member| self.off_nodes[member]));
                }
            }
            Cause::Rule { parents: [start, end], .. } => {
                parents.extend(&self.rule_parents[start as usize..end as usize]);
            }
        }
    }

    /// A statement and all that it rests on, breadth first; of statements about the same candidate, the first.
    pub(super) fn chain(&self, links: &Links, id: NodeId) -> Vec<NodeId> {
        let mut seen = [[0; W]; 2];
        let mut chain = Vec::new();
        let (mut layer, mut next) = (vec![id], Vec::new());
        while !layer.is_empty() {
            for id in layer.drain(..) {
                let literal = self.node(id).literal;
                let side: &mut Bits<W> = &mut seen[usize::from(!literal.on)];
                if !has(side, literal.index()) {
                    insert(side, literal.index());
                    chain.push(id);
                    self.parents(links, id, &mut next);
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        chain
    }
}

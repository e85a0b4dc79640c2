//! Follows an assumption: everything that must be true or false if a candidate is true or false.
//!
//! ```text
//! true   ->  false: the other candidates of the cell, the digit in the other cells of the houses
//! false  ->  true:  the last candidate of a cell, the last place of a digit in a house
//! ```
//!
//! True candidates are followed first, false ones one at a time. The order decides which chain is found, so it follows
//! the reference program. The search ends at the first contradiction.
//!
//! In a static run, a cell or house counts as having two candidates only if it has two in the grid. In a dynamic run,
//! false candidates are removed from the grid one after another; the last candidate of a group then follows from all
//! its false members, which are its parents.
//!
//! A run stores only the direct cause of each statement. Few statements end up in a proof, so the sizes of proofs are
//! computed on demand, and a lower bound usually makes that unnecessary.

mod ancestors;
mod derived;
mod exclusions;

pub(super) use self::derived::DerivedRun;
pub(super) use self::exclusions::{Detail, Exclusions, NestedChain, NoRules, Rules};
use super::bits::{Bits, insert};
use super::links::{CandidateGroup, CandidateIndex, GROUPS, Links, MAX_CANDIDATES, Members};
use super::statement::{Cause, Literal, Node, NodeId, RuleCause};
use crate::stop::InterruptedError;

/// The implications that a run follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChainKind {
    /// Through groups that have two candidates in the grid.
    Static,
    /// Through groups that have two candidates left, but only the groups of a digit in a house.
    Nishio,
    /// Through groups that have two candidates left.
    Dynamic,
}

/// The state of a candidate in a run, as bits.
mod known {
    /// The candidate is true.
    pub(super) const ON: u8 = 1;
    /// The candidate is false.
    pub(super) const OFF: u8 = 2;
    /// The candidate is false, and its consequences were followed.
    pub(super) const REMOVED: u8 = 4;
}

/// The consequences of an assumption.
#[derive(Clone, Debug)]
pub(super) struct ImplicationRun<const W: usize> {
    /// The true statements and the false ones, in the order in which they are followed. A contradiction adds a last one
    /// that is not entered below.
    ///
    /// No statement rests on another one of the same literal: if a rule excludes a candidate that is true, nothing
    /// rests on that before the contradiction.
    ons: Vec<Node>,
    offs: Vec<Node>,
    /// Statements that rest on more statements than this are useless.
    limit: u16,
    /// The number of statements that are not followed yet and may lead to useful ones.
    useful: u32,
    /// The candidates that are true, the candidates that are false, and their places in the lists.
    pub(super) on: Bits<W>,
    pub(super) off: Bits<W>,
    on_at: Vec<u16>,
    off_at: Vec<u16>,
    known: Vec<u8>,
    /// The true and the false statement about a candidate that contradict each other, if the run ends so.
    pub(super) contradiction: Option<[NodeId; 2]>,
    rules: Vec<RuleCause>,
    /// Places in the list of false statements.
    rule_parents: Vec<u16>,
    /// Whether the reasons of some statements are left out: see [`Detail::Outline`].
    pub(super) is_outline: bool,
    /// Whether the run ended because of its limit.
    pub(super) is_cut: bool,
    dynamic: bool,
    excluded: Exclusions,
}

impl<const W: usize> Default for ImplicationRun<W> {
    fn default() -> ImplicationRun<W> {
        ImplicationRun {
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
            is_outline: false,
            is_cut: false,
            dynamic: false,
            excluded: Exclusions::default(),
        }
    }
}

impl<const W: usize> ImplicationRun<W> {
    /// The statement of a literal that is in the run.
    pub(super) fn node_of(&self, literal: Literal) -> NodeId {
        let at = if literal.on { self.on_at[literal.index()] } else { self.off_at[literal.index()] };
        NodeId { at, on: literal.on }
    }

    fn node(&self, id: NodeId) -> &Node {
        if id.on { &self.ons[usize::from(id.at)] } else { &self.offs[usize::from(id.at)] }
    }

    /// The literal of a statement.
    pub(super) fn literal(&self, id: NodeId) -> Literal {
        Literal { candidate: self.node(id).candidate, on: id.on }
    }

    /// Whether a statement is the assumption.
    pub(super) fn is_assumed(&self, id: NodeId) -> bool {
        self.node(id).cause == Cause::Assumed
    }

    /// The group, if the statement follows because its candidate is the last of a group.
    pub(super) fn group(&self, id: NodeId) -> Option<CandidateGroup> {
        match self.node(id).cause {
            Cause::Last { group, .. } => Some(group),
            Cause::Assumed | Cause::Weak { .. } | Cause::Rule(_) => None,
        }
    }

    /// Follows an assumption. The run ends when all remaining statements would rest on more than `limit` statements,
    /// because a proof by them is not simpler than the best so far.
    ///
    /// # Errors
    ///
    /// If it is interrupted in a search of `rules`; the content of the run is then undefined.
    pub(super) fn follow<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        assumption: Literal,
        limit: u32,
        rules: &mut R,
        detail: Detail,
    ) -> Result<(), InterruptedError> {
        // A limit that does not fit cuts nothing, which is only slower.
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
        self.dynamic = kind != ChainKind::Static;
        self.is_outline = false;
        self.is_cut = false;
        rules.begin(detail);

        if assumption.on {
            self.enter_on(assumption.candidate, 1, Cause::Assumed);
        } else {
            self.enter_off(assumption.candidate, 1, Cause::Assumed);
        }

        self.contradiction = match kind {
            ChainKind::Static => self.propagate(links, kind, &mut Unchanged, rules),
            ChainKind::Nishio | ChainKind::Dynamic => self.propagate(links, kind, &mut Left(links.members), rules),
        }?;
        Ok(())
    }

    /// Enters all consequences, up to the first contradiction, and returns that.
    fn propagate<R: Rules>(
        &mut self,
        links: &Links,
        kind: ChainKind,
        left: &mut impl StrongLinks,
        rules: &mut R,
    ) -> Result<Option<[NodeId; 2]>, InterruptedError> {
        let (mut next_on, mut next_off) = (0, 0);
        loop {
            // A true candidate makes its peers false.
            while next_on < self.ons.len() {
                let Node { candidate, least, .. } = self.ons[next_on];
                let cause = Cause::Weak { from: next_on as u16 };
                next_on += 1;
                self.useful -= u32::from(least < self.limit);

                let candidate = usize::from(candidate);
                let weak =
                    if kind == ChainKind::Nishio { links.weak_of_digit(candidate) } else { links.weak(candidate) };
                for &other in weak {
                    let known = self.known[usize::from(other)];
                    if known == 0 {
                        self.enter_off(other, least + 1, cause);
                    // The reference program looks for peers in the grid, where a removed candidate is missing.
                    } else if known & (known::ON | known::REMOVED) == known::ON {
                        let off = NodeId { at: self.offs.len() as u16, on: false };
                        self.offs.push(Node { candidate: other, least: least + 1, cause });
                        return Ok(Some([self.node_of(Literal { candidate: other, on: true }), off]));
                    }
                }
            }

            // The rest would be too complex. But with other techniques, patterns of simpler statements may still
            // appear.
            if self.useful == 0 && !R::EXIST {
                self.is_cut = self.limit < u16::MAX;
                return Ok(None);
            }
            if next_off == self.offs.len() {
                self.exclude(links, rules)?;
                if next_off == self.offs.len() {
                    return Ok(None);
                }
            }

            // A false candidate may leave a group with a single member, which is true.
            let Node { candidate, least, .. } = self.offs[next_off];
            let from = next_off as u16;
            next_off += 1;
            self.useful -= u32::from(least < self.limit);

            let mut others = left.remove(links, usize::from(candidate));
            // Nishio chains stay within one digit, so the last candidate of a cell does not follow.
            if kind == ChainKind::Nishio {
                others[0] = NONE;
            }
            if kind != ChainKind::Static {
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
                    return Ok(Some([on, self.node_of(Literal { candidate: other, on: false })]));
                }
                if known & known::ON == 0 {
                    self.enter_on(other, least + 1, cause);
                }
            }
        }
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
}

/// The index of no candidate.
const NONE: u16 = MAX_CANDIDATES as u16;

/// The strong links of a run.
trait StrongLinks {
    /// Removes a false candidate from its groups. Returns the candidates that are then true: for each group with two
    /// members, the other one, each candidate only once.
    fn remove(&mut self, links: &Links, candidate: CandidateIndex) -> [u16; 4];
}

/// The strong links of the state.
struct Unchanged;

impl StrongLinks for Unchanged {
    fn remove(&mut self, links: &Links, candidate: CandidateIndex) -> [u16; 4] {
        once(links.strong(candidate))
    }
}

/// The strong links among the candidates that are left in each group.
// A copy for each run, as the run removes members: 648 bytes.
struct Left([Members; GROUPS]);

impl StrongLinks for Left {
    // A call would slow down the rating of hard puzzles by a tenth.
    #[inline(always)]
    fn remove(&mut self, links: &Links, candidate: CandidateIndex) -> [u16; 4] {
        let mut others = [NONE; 4];
        for (other, group) in others.iter_mut().zip(links.groups(candidate)) {
            let members = &mut self.0[group.index()];
            members.remove(candidate);
            *other = members.only();
        }
        once(others)
    }
}

/// The candidates without repetition: two cells of a box may also share a row or a column.
fn once([in_cell, in_box, in_row, in_column]: [u16; 4]) -> [u16; 4] {
    let in_row = if in_row == in_box { NONE } else { in_row };
    let in_column = if in_column == in_box { NONE } else { in_column };
    [in_cell, in_box, in_row, in_column]
}

//! Finds the statements that a statement of a run rests on. Their number is the complexity of a proof.
//!
//! Few statements of a run are part of a proof, so everything here is computed on demand. Compared with storing the
//! ancestors of each statement, rating hard puzzles is 1.25 times as fast.

use super::ImplicationRun;
use crate::rating::chains::bits::{Bits, has, insert};
use crate::rating::chains::links::Links;
use crate::rating::chains::statement::{Cause, ChainId, NodeId};

impl<const W: usize> ImplicationRun<W> {
    /// A lower bound for [`ImplicationRun::count`].
    pub(in crate::sudoku::rating::chains) fn least(&self, id: NodeId) -> u32 {
        u32::from(self.node(id).least)
    }

    /// The number of statements that a statement of the run rests on, including itself.
    pub(in crate::sudoku::rating::chains) fn count(&self, links: &Links, id: NodeId) -> u32 {
        // Each statement of a static run has one parent, so the bound is exact.
        if !self.dynamic {
            return self.least(id);
        }

        // Sets of places on each side. For counting, the order does not matter, so no list is needed.
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
                // A group of a static run has two members, so the one that was followed is the only parent.
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

    /// A statement and all statements that it rests on, breadth first. If several are about the same candidate, only
    /// the first.
    pub(in crate::sudoku::rating::chains) fn chain(&self, links: &Links, id: NodeId) -> Vec<NodeId> {
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

    /// Adds the chains that a statement rests on to `chains`, each once.
    pub(in crate::sudoku::rating::chains) fn collect_chains(
        &self,
        links: &Links,
        id: NodeId,
        chains: &mut Vec<ChainId>,
    ) {
        if self.rules.iter().any(|rule| rule.chain.is_some()) {
            for id in self.chain(links, id) {
                if let Some(chain) = self.nested_chain(id)
                    && !chains.contains(&chain)
                {
                    chains.push(chain);
                }
            }
        }
    }

    /// The chain that excludes a statement's candidate.
    fn nested_chain(&self, id: NodeId) -> Option<ChainId> {
        match self.node(id).cause {
            Cause::Rule(rule) => self.rules[usize::from(rule)].chain,
            Cause::Assumed | Cause::Weak { .. } | Cause::Last { .. } => None,
        }
    }
}

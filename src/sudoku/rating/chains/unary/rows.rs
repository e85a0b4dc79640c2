//! The links of some kinds as rows of bits.

use crate::rating::chains::bits::{Bits, and, has, insert, members, or_into};
use crate::rating::chains::links::{CandidateIndex, GroupRows, LinkKinds, Links, MAX_CANDIDATES};

/// The links of a state that chains may use, as far as they were needed.
#[derive(Clone, Debug)]
pub(super) struct Rows<const W: usize> {
    groups: GroupRows<W>,
    /// The candidates that chains may contain, see [`Starts`](super::super::closure::Starts).
    pub(super) within: Bits<W>,
    /// The candidates with strong links to `within`. `strong` has, for each, the candidates that are true if it is
    /// false.
    pub(super) ends: Bits<W>,
    strong: Vec<Bits<W>>,
    /// For each candidate in `made`, the candidates that a weak and a strong link make true if it is true.
    next: Vec<Bits<W>>,
    made: Bits<W>,
}

impl<const W: usize> Default for Rows<W> {
    fn default() -> Rows<W> {
        Rows {
            groups: GroupRows::default(),
            within: [0; W],
            ends: [0; W],
            strong: Vec::new(),
            next: Vec::new(),
            made: [0; W],
        }
    }
}

impl<const W: usize> Rows<W> {
    /// Sets the state.
    pub(super) fn set_state(&mut self, links: &Links) {
        self.groups.build(links);
    }

    /// Begins a search with other kinds of links.
    pub(super) fn begin(&mut self, links: &Links, link_kinds: LinkKinds, within: &Bits<W>) {
        self.within = *within;
        self.ends = [0; W];
        self.made = [0; W];
        self.strong.clear();
        self.strong.resize(links.len(), [0; W]);
        self.next.resize(links.len(), [0; W]);
        for candidate in 0..links.len() {
            for on in link_kinds.strong(links, candidate).map(usize::from) {
                if on < MAX_CANDIDATES && has(within, on) {
                    insert(&mut self.strong[candidate], on);
                    insert(&mut self.ends, candidate);
                }
            }
        }
    }

    /// The candidates that are false if this one is true.
    pub(super) fn weak(&self, links: &Links, link_kinds: LinkKinds, candidate: CandidateIndex) -> Bits<W> {
        self.groups.weak(links, link_kinds, candidate)
    }

    /// The candidates that are true if this one is false.
    pub(super) fn strong(&self, candidate: CandidateIndex) -> &Bits<W> {
        &self.strong[candidate]
    }

    /// The candidates that a weak and a strong link make true if this one is true.
    pub(super) fn next(&mut self, links: &Links, link_kinds: LinkKinds, candidate: CandidateIndex) -> &Bits<W> {
        // Made on first use, as chains reach only some of the candidates.
        if !has(&self.made, candidate) {
            insert(&mut self.made, candidate);
            let mut next = [0; W];
            let weak = and(&self.weak(links, link_kinds, candidate), &self.within);
            for off in members(&and(&weak, &self.ends)) {
                or_into(&mut next, &self.strong[off]);
            }
            self.next[candidate] = next;
        }
        &self.next[candidate]
    }
}

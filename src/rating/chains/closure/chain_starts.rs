//! Where forcing chains and cycles may start, as the closure tells.

use super::{Closure, Ends};
use crate::rating::chains::bits::{Bits, and, has, insert, is_empty, members, or_into, without};
use crate::rating::chains::link_kinds::LinkKinds;
use crate::rating::chains::links::{CandidateIndex, Links, MAX_CANDIDATES};
use crate::rating::chains::starts::{CandidateSet, Starts};

impl<const W: usize> Closure<W> {
    /// Where forcing chains and cycles may start in what is left without the removed candidates, of which `reduced` has
    /// the links; `None` if there are no such chains. [`Closure::excluded_by_unary`] is called before, and has found
    /// that they exclude the candidates in `excluded`.
    ///
    /// These are the candidates that lead to their opposites. What follows from a false candidate that has a strong link
    /// in `reduced`, too, is what follows from the old links, and from the new ones then: the proof in
    /// [`closure`](super) holds for it, except that the candidate f may be the start. Then f is true in the run, and has
    /// no links any more.
    pub(in crate::rating::chains) fn starts_after(
        &self,
        reduced: &Links,
        removed: &CandidateSet,
        excluded: &Bits<W>,
    ) -> Option<Starts<W>> {
        if is_empty(excluded) {
            return None;
        }

        let mut starts = Starts { within: [0; W], cycles: [0; W], on: *excluded, off: [0; W] };
        for candidate in members(excluded) {
            or_into(&mut starts.within, &self.new.closed(&self.rows[candidate]));
        }
        starts.within = without(&starts.within, removed);

        let mut ends = Ends::default();
        ends.clear(reduced.len());
        for candidate in 0..reduced.len() {
            if self.link_kinds.strong(reduced, candidate) != [MAX_CANDIDATES as u16; 4] {
                if has(&self.before.set, candidate) {
                    ends.add(candidate, &self.before.follow[candidate]);
                }
                if has(&self.new.set, candidate) {
                    ends.add(candidate, &self.new.follow[candidate]);
                }
                ends.follow[candidate] = self.new.closed(&ends.follow[candidate]);
            }
        }
        self.complete(reduced, &ends, &mut starts);
        Some(starts)
    }

    /// Adds the starts of cycles, and of chains from false candidates.
    pub(super) fn complete(&self, links: &Links, ends: &Ends<W>, starts: &mut Starts<W>) {
        starts.cycles = self.cycles(links, ends, &starts.on);

        // If a candidate leads from false to true, what it has strong links with leads from true to false.
        for candidate in members(&ends.set) {
            let strong = self.link_kinds.strong(links, candidate).map(usize::from);
            if strong.iter().all(|&other| other == MAX_CANDIDATES || has(&starts.on, other)) {
                insert(&mut starts.off, candidate);
            }
        }
    }

    /// The candidates of cycles that may remove one of some candidates. The true statements of a cycle are equivalent, and
    /// so are the false ones; the two members of a strong link are opposites. What a cycle removes has the digit in common
    /// with a true and with a false candidate that it sees.
    fn cycles(&self, links: &Links, ends: &Ends<W>, removed: &Bits<W>) -> Bits<W> {
        let mut cycles = [0; W];
        let mut done = [0; W];
        for end in members(&ends.set) {
            if has(&done, end) {
                continue;
            }
            let strong = self.link_kinds.strong(links, end).map(usize::from);
            let opposite = strong.into_iter().find(|&other| other < MAX_CANDIDATES).expect("an end has a strong link");
            let sides = [end, opposite].map(|end| ends.equivalent(end));
            let removes = members(removed).any(|candidate| {
                let seen = self.groups.weak(links, LinkKinds::X, candidate);
                sides.iter().all(|side| !is_empty(&and(&seen, side)))
            });
            for side in &sides {
                or_into(&mut done, side);
                if removes {
                    or_into(&mut cycles, side);
                }
            }
        }
        cycles
    }
}

impl<const W: usize> Ends<W> {
    /// The candidates with strong links that are true if and only if this one is.
    fn equivalent(&self, end: CandidateIndex) -> Bits<W> {
        let mut equivalent = [0; W];
        insert(&mut equivalent, end);
        for other in members(&and(&self.follow[end], &self.set)) {
            if has(&self.follow[other], end) {
                insert(&mut equivalent, other);
            }
        }
        equivalent
    }
}

//! The members of each group as rows of bits, from which the weak links of a candidate are made.

use super::bits::{Bits, insert, or_into, remove};
use super::link_kinds::LinkKinds;
use super::links::{CandidateIndex, GROUPS, Links};

/// For each group of a state, its members.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupRows<const W: usize>(Vec<Bits<W>>);

impl<const W: usize> GroupRows<W> {
    pub(super) fn build(&mut self, links: &Links) {
        self.0.clear();
        self.0.resize(GROUPS, [0; W]);
        for candidate in 0..links.len() {
            for group in links.groups(candidate) {
                insert(&mut self.0[group.index()], candidate);
            }
        }
    }

    /// The candidates that are false if this one is true, by weak links of some kinds.
    pub(super) fn weak(&self, links: &Links, link_kinds: LinkKinds, candidate: CandidateIndex) -> Bits<W> {
        let [in_cell, in_box, in_row, in_column] = links.groups(candidate).map(|group| &self.0[group.index()]);
        let mut weak = std::array::from_fn(|word| in_box[word] | in_row[word] | in_column[word]);
        if link_kinds != LinkKinds::X {
            or_into(&mut weak, in_cell);
        }
        remove(&mut weak, candidate);
        weak
    }
}

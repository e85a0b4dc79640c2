//! Searches nine sets for two, three or four that have as many members together: what hidden sets, naked sets and fish
//! have in common.
//!
//! ```text
//! set   0   {1 4}
//! set   3   {1 4 7}     the union {1 4 7} of these three has three members
//! set   5   {4 7}
//! ```
//!
//! A set takes part only if it has two members at least: with a single one, a cheaper technique applies.

use std::ops::ControlFlow;

use crate::rating::sets::DigitSet;

/// The number of sets that are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rating) enum Degree {
    /// A pair, or an X-wing.
    Pair = 2,
    /// A triplet, or a swordfish.
    Triplet = 3,
    /// A quad, or a jellyfish.
    Quad = 4,
}

impl Degree {
    /// The number of sets.
    pub(super) const fn count(self) -> usize {
        self as usize
    }

    /// The one of three values that belongs to the degree.
    pub(super) const fn choose<T: Copy>(self, [pair, triplet, quad]: [T; 3]) -> T {
        match self {
            Degree::Pair => pair,
            Degree::Triplet => triplet,
            Degree::Quad => quad,
        }
    }
}

/// The number of members of each set: on processors for which no instruction counts bits, a table is faster.
const COUNT: [u8; 512] = {
    let mut counts = [0; 512];
    let mut bits = 0;
    while bits < 512 {
        counts[bits] = bits.count_ones() as u8;
        bits += 1;
    }
    counts
};

/// The number of members of a set.
pub(super) fn count(set: DigitSet) -> usize {
    usize::from(COUNT[usize::from(set.0 & DigitSet::ALL.0)])
}

/// Visits each tuple of `degree` sets that have two members or more each and `degree` members together, with the
/// indices of the sets and the union of them, in ascending order of the indices as a binary number.
pub(super) fn each_tuple(
    sets: &[DigitSet; 9],
    degree: Degree,
    mut visit: impl FnMut(DigitSet, DigitSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut eligible = DigitSet::EMPTY;
    for (index, &set) in sets.iter().enumerate() {
        let fits = (2..=degree.count()).contains(&count(set));
        eligible.0 |= u16::from(fits) << index;
    }
    if count(eligible) < degree.count() {
        return ControlFlow::Continue(());
    }
    extend(sets, eligible, degree.count(), degree.count(), [DigitSet::EMPTY; 2], &mut visit)
}

/// Adds `missing` sets to those that are chosen, each with a lower index than the one before.
fn extend(
    sets: &[DigitSet; 9],
    eligible: DigitSet,
    degree: usize,
    missing: usize,
    [chosen, union]: [DigitSet; 2],
    visit: &mut impl FnMut(DigitSet, DigitSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if missing == 0 {
        return if count(union) == degree { visit(chosen, union) } else { ControlFlow::Continue(()) };
    }
    for index in eligible {
        let union = union.or(sets[index]);
        if count(union) <= degree {
            let below = DigitSet(eligible.0 & ((1 << index) - 1));
            extend(sets, below, degree, missing - 1, [chosen.or(DigitSet::of(index)), union], visit)?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The tuples are those that a search of all combinations finds, in the order of the binary numbers.
        #[test]
        fn each_tuple_is_found_in_order(bits in prop::array::uniform9(0u16..512), degree in 2usize..5) {
            let sets = bits.map(|bits| DigitSet(bits & 0b1_0101_1011));
            let mut expected = Vec::new();
            for members in (0..512).map(DigitSet).filter(|members| members.len() == degree) {
                let union = members.into_iter().fold(DigitSet::EMPTY, |union, index| union.or(sets[index]));
                if union.len() == degree && members.into_iter().all(|index| sets[index].len() >= 2) {
                    expected.push((members, union));
                }
            }
            let mut found = Vec::new();
            let degree = [Degree::Pair, Degree::Triplet, Degree::Quad][degree - 2];
            let end = each_tuple(&sets, degree, |members, union| {
                found.push((members, union));
                ControlFlow::Continue(())
            });
            prop_assert_eq!(end, ControlFlow::Continue(()));
            prop_assert_eq!(found, expected);
        }
    }
}

//! Searches nine sets for two (three, four) whose union has only two (three, four) members. This finds hidden sets,
//! naked sets and fish.
//!
//! ```text
//! set   0   {1 4}
//! set   3   {1 4 7}     the union {1 4 7} of these three has three members
//! set   5   {4 7}
//! ```
//!
//! A set takes part only if it has at least two members: with a single one, an easier technique applies.

use std::ops::ControlFlow;

use crate::rating::sets::DigitSet;

/// The number of sets in a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) enum Degree {
    /// A pair, or an X-wing.
    Pair = 2,
    /// A triplet, or a swordfish.
    Triplet = 3,
    /// A quad, or a jellyfish.
    Quad = 4,
}

impl Degree {
    /// The degree with this number of sets: two, three or four.
    pub(super) const fn of_count(count: usize) -> Degree {
        match count {
            2 => Degree::Pair,
            3 => Degree::Triplet,
            _ => Degree::Quad,
        }
    }

    /// The number of sets.
    pub(super) const fn count(self) -> usize {
        self as usize
    }

    /// Selects one of three values by degree.
    pub(super) const fn choose<T: Copy>(self, [pair, triplet, quad]: [T; 3]) -> T {
        match self {
            Degree::Pair => pair,
            Degree::Triplet => triplet,
            Degree::Quad => quad,
        }
    }
}

/// The number of members of each set. A table is faster on processors without an instruction that counts bits.
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

/// The number of pairs of nine indices. A pair's rank is its place in ascending order of the binary numbers.
pub(super) const PAIRS: usize = 36;

/// The pairs of indices by rank, the lower index first.
pub(super) const PAIR: [[u8; 2]; PAIRS] = {
    let mut pairs = [[0; 2]; PAIRS];
    let mut rank = 0;
    let mut high = 1;
    while high < 9 {
        let mut low = 0;
        while low < high {
            pairs[rank] = [low as u8, high as u8];
            rank += 1;
            low += 1;
        }
        high += 1;
    }
    pairs
};

/// For each set of two members, a mask with the bit of the pair's rank; 0 for all other sets.
const PAIR_MASK: [u64; 512] = {
    let mut masks = [0; 512];
    let mut rank = 0;
    while rank < PAIRS {
        masks[1 << PAIR[rank][0] | 1 << PAIR[rank][1]] = 1 << rank;
        rank += 1;
    }
    masks
};

/// The mask of the rank of a set of two members, or 0.
pub(super) fn pair_mask(set: DigitSet) -> u64 {
    PAIR_MASK[usize::from(set.0 & DigitSet::ALL.0)]
}

/// A pair as a number that no other set in the same array has, or `other`, which is not a set, if `set` is not a pair.
///
/// Written without branches and tables, for vector instructions.
pub(super) const fn pair_or(set: DigitSet, other: u16) -> u16 {
    let rest = set.0 & set.0.wrapping_sub(1);
    let is_pair = rest != 0 && rest & rest.wrapping_sub(1) == 0;
    if is_pair { set.0 } else { other }
}

/// For each set, the sets of `size` members that contain it, a bit each; 0 if it has fewer than two members.
const fn supersets(size: u32) -> [u128; 512] {
    let mut table = [0; 512];
    let mut rank = 0;
    let mut superset: usize = 0;
    while superset < 512 {
        if superset.count_ones() == size {
            let mut set: usize = 0;
            while set < 512 {
                if set.count_ones() >= 2 && set & !superset == 0 {
                    table[set] |= 1 << rank;
                }
                set += 1;
            }
            rank += 1;
        }
        superset += 1;
    }
    table
}

static IN_TRIPLETS: [u128; 512] = supersets(3);
static IN_QUADS: [u128; 512] = supersets(4);

/// Whether `N` sets fit into one set of `N` members. They are a tuple unless they have fewer members in all: three
/// equal pairs also fit into a triplet.
fn may_have<const N: usize>(sets: &[DigitSet; 9], supersets: &[u128; 512]) -> bool {
    // The supersets of one set at least, of two, and so on.
    let mut times = [0; N];
    for set in sets {
        let mask = supersets[usize::from(set.0 & DigitSet::ALL.0)];
        // From the highest count down, so that a set does not count twice.
        for count in (1..N).rev() {
            times[count] |= times[count - 1] & mask;
        }
        times[0] |= mask;
    }
    times[N - 1] != 0
}

/// Visits each tuple: `degree` sets with two members or more each and `degree` members in all. Gives the indices of the
/// sets and their union, in ascending order of the indices as a binary number.
pub(super) fn each_tuple(
    sets: &[DigitSet; 9],
    degree: Degree,
    mut visit: impl FnMut(DigitSet, DigitSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let may_have = match degree {
        Degree::Pair => return each_pair(sets, visit),
        Degree::Triplet => may_have::<3>(sets, &IN_TRIPLETS),
        Degree::Quad => may_have::<4>(sets, &IN_QUADS),
    };
    // Most calls end here, before any combination is tried.
    if !may_have {
        return ControlFlow::Continue(());
    }

    let mut eligible = DigitSet::EMPTY;
    for (index, &set) in sets.iter().enumerate() {
        let fits = (2..=degree.count()).contains(&count(set));
        eligible.0 |= u16::from(fits) << index;
    }
    extend(sets, eligible, degree.count(), degree.count(), [DigitSet::EMPTY; 2], &mut visit)
}

/// Visits each pair of equal sets with two members, in the order of [`each_tuple`].
fn each_pair(sets: &[DigitSet; 9], mut visit: impl FnMut(DigitSet, DigitSet) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut seen = 0;
    for (high, &set) in sets.iter().enumerate() {
        let mask = pair_mask(set);
        if seen & mask != 0 {
            for low in (0..high).filter(|&low| sets[low] == set) {
                visit(DigitSet::of(low).or(DigitSet::of(high)), set)?;
            }
        }
        seen |= mask;
    }
    ControlFlow::Continue(())
}

/// Adds `missing` sets to the chosen ones, each with a lower index than the one before.
fn extend(
    sets: &[DigitSet; 9],
    eligible: DigitSet,
    degree: usize,
    missing: usize,
    [chosen, union]: [DigitSet; 2],
    visit: &mut impl FnMut(DigitSet, DigitSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if missing == 0 {
        // Fewer members than sets are a contradiction, not a tuple.
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
        /// The tuples are the same as in a search of all combinations, in the order of the binary numbers.
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

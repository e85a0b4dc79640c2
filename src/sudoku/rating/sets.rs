//! Sets of cells and of digits of a 9x9 grid, as bits.
//!
//! Cells are counted from 0, row by row. So are digits: the digit 1 of a puzzle is 0 here, and becomes 1 when a step
//! is printed.

use std::iter::FromIterator;

macro_rules! bit_set {
    ($(#[$docs:meta])* $name:ident, $bits:ty, $members:ident) => {
        $(#[$docs])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
        pub struct $name(pub(super) $bits);

        impl $name {
            /// The set without members.
            pub const EMPTY: $name = $name(0);

            /// The set with one member.
            pub const fn of(index: usize) -> $name {
                $name(1 << index)
            }

            /// Whether `index` is a member.
            pub const fn contains(self, index: usize) -> bool {
                self.0 >> index & 1 == 1
            }

            /// The number of members.
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether there is no member.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The smallest member; the number of bits of an empty set.
            pub const fn first(self) -> usize {
                self.0.trailing_zeros() as usize
            }

            /// The members of both sets.
            #[must_use]
            pub const fn and(self, other: $name) -> $name {
                $name(self.0 & other.0)
            }

            /// The members of either set.
            #[must_use]
            pub const fn or(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// The members that are not in the other set.
            #[must_use]
            pub const fn without(self, other: $name) -> $name {
                $name(self.0 & !other.0)
            }

            /// Adds a member.
            pub fn insert(&mut self, index: usize) {
                self.0 |= 1 << index;
            }

            /// Removes a member.
            pub fn remove(&mut self, index: usize) {
                self.0 &= !(1 << index);
            }
        }

        /// The members in ascending order.
        impl IntoIterator for $name {
            type Item = usize;
            type IntoIter = $members;

            fn into_iter(self) -> $members {
                $members(self.0)
            }
        }

        impl FromIterator<usize> for $name {
            fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> $name {
                members.into_iter().fold($name::EMPTY, |set, index| set.or($name::of(index)))
            }
        }

        /// Iterates over the members of a set in ascending order.
        #[derive(Clone, Debug)]
        pub struct $members($bits);

        impl Iterator for $members {
            type Item = usize;

            fn next(&mut self) -> Option<usize> {
                if self.0 == 0 {
                    return None;
                }
                let index = self.0.trailing_zeros() as usize;
                self.0 &= self.0 - 1;
                Some(index)
            }
        }
    };
}

bit_set!(
    /// A set of the 81 cells, counted from 0, row by row.
    CellSet, u128, CellMembers
);
bit_set!(
    /// A set of digits, counted from 0: bit 0 is the digit 1. Also a set of places in a house.
    DigitSet, u16, DigitMembers
);

impl DigitSet {
    /// All nine digits.
    pub const ALL: DigitSet = DigitSet(0x1ff);
}

/// The subsets with `size` members, in ascending order of their bits.
pub(super) fn subsets(set: DigitSet, size: usize) -> impl Iterator<Item = DigitSet> {
    // The carry-rippler trick: subtracting the set adds 1 to the subset, counted in only the bits of the set.
    let next =
        move |subset: &DigitSet| Some(subset.0.wrapping_sub(set.0) & set.0).filter(|&bits| bits != 0).map(DigitSet);
    std::iter::successors(Some(DigitSet::EMPTY), next).filter(move |subset| subset.len() == size)
}

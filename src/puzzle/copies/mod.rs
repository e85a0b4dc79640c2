//! All different isomorphs of a puzzle, in a random order, of which each can be made by itself.
//!
//! Isomorphisms that make the same grid of a puzzle are counted once. They are numbered so that a number stands for a
//! grid: digits that the puzzle does not have get no names, and where automorphisms (isomorphisms that do not change the
//! puzzle) exchange lines, one of these is taken for all. So no grid has to be remembered to know the next one, and the
//! number of isomorphs is known before the first.
//!
//! ```text
//!   number of a copy -> Permutation -> names of the digits, an arrangement of lines -> Isomorph
//! ```

mod arrangement;
mod colours;
mod form;
mod namings;
mod permutation;
#[cfg(test)]
mod tests;

use std::array;

use self::arrangement::take_digit;
pub(crate) use self::form::Arrangements;
pub(crate) use self::namings::Namings;
pub(crate) use self::permutation::{Permutation, mix};
use super::{Isomorph, IsomorphKind, Size};

/// The isomorphs of a puzzle that differ from it and from each other, without an order.
#[derive(Clone, Debug)]
pub(crate) struct Isomorphs {
    namings: Namings,
    pub(crate) arrangements: Arrangements,
}

impl Isomorphs {
    /// The isomorphs that the isomorphisms of these kinds make of a puzzle.
    ///
    /// # Panics
    ///
    /// If `puzzle` is not `size.cells()` values from 0 to the side.
    pub(crate) fn new(size: Size, puzzle: &[u8], kinds: &[IsomorphKind]) -> Isomorphs {
        let renames_digits = kinds.contains(&IsomorphKind::Digits);
        Isomorphs {
            namings: Namings::new(size, Namings::digits_of(puzzle), kinds),
            arrangements: Arrangements::new(size, puzzle, kinds, renames_digits),
        }
    }

    /// The isomorphs in the random order of a seed.
    pub(crate) fn copies(&self, seed: u64) -> Copies<'_> {
        Copies::new(&self.namings, &self.arrangements, seed)
    }
}

/// What makes a copy: the numbers of the names of its digits and of its arrangement. The puzzle itself has 0 and 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    naming: u128,
    arrangement: u128,
}

/// The isomorphs of a puzzle in a random order that depends on a seed.
#[derive(Clone, Debug)]
pub(crate) struct Copies<'a> {
    namings: &'a Namings,
    arrangements: &'a Arrangements,
    permutation: Permutation,
    seed: u64,
}

impl<'a> Copies<'a> {
    /// Those that these namings and arrangements make.
    pub(crate) fn new(namings: &'a Namings, arrangements: &'a Arrangements, seed: u64) -> Copies<'a> {
        let bound = namings.number.saturating_mul(arrangements.number()).min(Permutation::MAX_BOUND);
        Copies { namings, arrangements, permutation: Permutation::new(bound, seed), seed }
    }

    /// The number of copies, or [`u64::MAX`] if there are more.
    pub(crate) fn number(&self) -> u64 {
        (self.namings.number.saturating_mul(self.arrangements.number()) - 1).try_into().unwrap_or(u64::MAX)
    }

    /// The isomorphism that makes the copy with this number. If there are no copies, it changes nothing.
    pub(crate) fn isomorph(&self, number: u64) -> Isomorph {
        let [choice] = Copies::choose_each([self], [number]);
        self.make(choice)
    }

    /// Chooses a copy of each of some puzzles, by its number: in half the time of one after another.
    pub(crate) fn choose_each<const N: usize>(each: [&Copies<'_>; N], numbers: [u64; N]) -> [Choice; N] {
        // The first position is free: what is there takes the position of the puzzle itself.
        let position = |index: usize| (u128::from(numbers[index]) + 1).min(each[index].permutation.last());
        let drawn = Permutation::get_each(each.map(|copies| &copies.permutation), array::from_fn(position));
        array::from_fn(|index| match each[index].choice(drawn[index]) {
            Choice { naming: 0, arrangement: 0 } => each[index].choice(each[index].permutation.get(0)),
            choice => choice,
        })
    }

    /// The isomorphism that makes a copy.
    pub(crate) fn make(&self, choice: Choice) -> Isomorph {
        let (is_reflected, [rows, columns]) = self.arrangements.get(choice.arrangement);
        Isomorph::new(self.namings.size, self.namings.names(choice.naming), rows, columns, is_reflected)
    }

    /// What a number of the permutation stands for.
    fn choice(&self, mut arrangement: u128) -> Choice {
        let naming = take_digit(&mut arrangement, self.namings.number);
        // Of a 25x25 puzzle, the permutation reaches a part of the arrangements only: another one for each naming.
        let bits = u128::from(mix(self.seed ^ mix(naming as u64)));
        let all = self.arrangements.number();
        let shift = (u128::BITS - all.leading_zeros()).saturating_sub(64);
        let start = (bits * (all >> shift)) >> 64 << shift;
        let sum = arrangement + start;
        Choice { naming, arrangement: if sum < all { sum } else { sum - all } }
    }
}

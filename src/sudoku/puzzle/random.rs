//! Random choices that use only 64-bit words from the generator: a seed gives the same results with every version of
//! the libraries.

use rand_xoshiro::rand_core::Rng;

/// Puts items into a random order, with the Fisher-Yates shuffle.
pub(crate) fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    shuffle_by(&mut |choices| below(rng, choices), items);
}

/// Puts items into a chosen order: `choose` gets a number of choices, and returns one of them, from 0.
// For a known length, the compiler can unroll the loop.
#[inline(always)]
pub(crate) fn shuffle_by<T>(choose: &mut impl FnMut(usize) -> usize, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(choose(last + 1), last);
    }
}

/// A random number below `bound`: each exactly as likely as the others.
pub(crate) fn below(rng: &mut impl Rng, bound: usize) -> usize {
    below_u64(rng, bound as u64) as usize
}

/// As [`below`], for bounds that may not fit into 32 bits.
pub(crate) fn below_u64(rng: &mut impl Rng, bound: u64) -> u64 {
    loop {
        let product = u128::from(rng.next_u64()) * u128::from(bound);
        // Of the words that lead to a number, the first few are left out, so that all numbers have equally many (Lemire,
        // "Fast Random Integer Generation in an Interval", 2019).
        let low = product as u64;
        if low >= bound || low >= bound.wrapping_neg() % bound {
            return (product >> 64) as u64;
        }
    }
}

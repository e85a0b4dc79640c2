//! Random choices from 64-bit words: what a seed gives stays the same whatever a library's way of shuffling becomes.

use rand_xoshiro::rand_core::Rng;

/// Puts items into a random order: Fisher and Yates's shuffle.
pub fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(below(rng, last + 1), last);
    }
}

/// A random number below a small bound, even to one part in 2^54.
pub fn below(rng: &mut impl Rng, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

//! A random order of the numbers below a bound, of which any number can be computed by itself.
//!
//! It takes the same memory for any bound: a Feistel network on two halves of about the same size permutes a few more
//! numbers than there are, and a number beyond the bound is permuted again until it is below.

use std::array;

/// How often each half is changed.
const ROUNDS: usize = 4;

/// A random order of the numbers below a bound.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    bound: u128,
    /// The number of bits of the lower half.
    shift: u32,
    /// The number of values of each half, the lower one first.
    sizes: [u64; 2],
    keys: [[u64; 2]; ROUNDS],
}

impl Permutation {
    /// The maximum bound: a size is at most 2^63, so that two numbers below it can be added.
    pub(crate) const MAX_BOUND: u128 = 1 << 126;

    /// A random order of the numbers below `bound`.
    ///
    /// # Panics
    ///
    /// If the bound is 0 or above [`Permutation::MAX_BOUND`].
    pub(crate) fn new(bound: u128, seed: u64) -> Permutation {
        assert!((1..=Permutation::MAX_BOUND).contains(&bound), "a bound of {bound}");
        let last = bound - 1;
        let shift = (u128::BITS - last.leading_zeros()).div_ceil(2);
        let sizes = [1 << shift, (last >> shift) as u64 + 1];
        let key = |number: usize| mix(mix(seed) ^ number as u64);
        let keys = array::from_fn(|round| [key(2 * round), key(2 * round + 1)]);
        Permutation { bound, shift, sizes, keys }
    }

    /// The last position.
    pub(crate) fn last(&self) -> u128 {
        self.bound - 1
    }

    /// The number at a position below the bound.
    pub(crate) fn get(&self, position: u128) -> u128 {
        let [number] = Permutation::get_each([self], [position]);
        number
    }

    /// The number at a position of each of some permutations, which takes half the time of one after another.
    pub(crate) fn get_each<const N: usize>(each: [&Permutation; N], positions: [u128; N]) -> [u128; N] {
        debug_assert!(each.iter().zip(positions).all(|(permutation, position)| position < permutation.bound));
        let mut numbers = Permutation::permute_each(each, positions);
        for (number, permutation) in numbers.iter_mut().zip(each) {
            while *number >= permutation.bound {
                [*number] = Permutation::permute_each([permutation], [*number]);
            }
        }
        numbers
    }

    /// Permutes numbers below the product of the sizes, each by another permutation.
    fn permute_each<const N: usize>(each: [&Permutation; N], numbers: [u128; N]) -> [u128; N] {
        let mut low: [u64; N] = array::from_fn(|index| numbers[index] as u64 & (each[index].sizes[0] - 1));
        let mut high: [u64; N] = array::from_fn(|index| (numbers[index] >> each[index].shift) as u64);
        for round in 0..ROUNDS {
            // A step of one number waits for the step before. So those of all numbers are side by side.
            for (low, (high, permutation)) in low.iter_mut().zip(high.iter().zip(each)) {
                let size = permutation.sizes[0];
                *low = add(*low, below(mix(permutation.keys[round][0] ^ high), size), size);
            }
            for (high, (low, permutation)) in high.iter_mut().zip(low.iter().zip(each)) {
                let size = permutation.sizes[1];
                *high = add(*high, below(mix(permutation.keys[round][1] ^ low), size), size);
            }
        }
        array::from_fn(|index| u128::from(high[index]) << each[index].shift | u128::from(low[index]))
    }
}

/// A number whose bits all depend on all bits of another: the output function of `SplitMix64`.
pub(crate) fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// A number below `size`, in proportion to random bits.
fn below(bits: u64, size: u64) -> u64 {
    ((u128::from(bits) * u128::from(size)) >> 64) as u64
}

/// The sum modulo `size` of two numbers below it.
fn add(a: u64, b: u64, size: u64) -> u64 {
    let sum = a + b;
    if sum < size { sum } else { sum - size }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_number_has_one_position() {
        for bound in (1..200).chain([4095, 4096, 4097, 100_000]) {
            let permutation = Permutation::new(bound, 7);
            let numbers: HashSet<u128> = (0..bound).map(|position| permutation.get(position)).collect();
            assert!(numbers.len() as u128 == bound && numbers.iter().all(|&number| number < bound), "{bound}");
        }
    }

    #[test]
    fn large_bounds_have_numbers_of_all_sizes() {
        for bound in [1 << 64, (1 << 64) + 1, 1_218_998_108_160, Permutation::MAX_BOUND] {
            let permutation = Permutation::new(bound, 1);
            let numbers: HashSet<u128> = (0..1000).map(|position| permutation.get(position)).collect();
            assert_eq!(numbers.len(), 1000);
            for quarter in 0..4 {
                let range = bound / 4 * quarter..bound / 4 * (quarter + 1);
                let share = numbers.iter().filter(|number| range.contains(number)).count();
                assert!((190..310).contains(&share), "{share} of {bound} in {range:?}");
            }
        }
    }

    /// Each number is about as often at each position.
    #[test]
    fn seeds_give_all_orders_alike() {
        const SEEDS: u64 = 20_000;
        for bound in [2, 3, 5, 6, 24] {
            let mut counts = vec![0; (bound * bound) as usize];
            for seed in 0..SEEDS {
                let permutation = Permutation::new(bound, seed);
                for position in 0..bound {
                    counts[(position * bound + permutation.get(position)) as usize] += 1;
                }
            }
            let expected = SEEDS as f64 / bound as f64;
            let far = |&&count: &&i32| (f64::from(count) - expected).abs() > 5.0 * expected.sqrt();
            assert_eq!(counts.iter().find(far), None, "of {bound}, where {expected} are expected");
        }
    }
}

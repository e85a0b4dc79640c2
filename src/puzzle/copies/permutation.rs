//! A random order of the numbers below a bound, of which any number can be computed by itself.
//!
//! It takes the same memory for any bound: a Feistel network on two halves of about the same size permutes a few more
//! numbers than there are, and a number beyond the bound is permuted again until it is below.

/// How often each half is changed.
const ROUNDS: usize = 4;

/// A random order of the numbers below a bound.
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    bound: u128,
    /// The number of bits of the lower half.
    shift: u32,
    /// The number of values of each half, the lower one first.
    sizes: [u64; 2],
    keys: [[u64; 2]; ROUNDS],
}

impl Permutation {
    /// The maximum bound: a size is at most 2^63, so that two numbers below it can be added.
    pub(super) const MAX_BOUND: u128 = 1 << 126;

    /// A random order of the numbers below `bound`.
    ///
    /// # Panics
    ///
    /// If the bound is 0 or above [`Permutation::MAX_BOUND`].
    pub(super) fn new(bound: u128, seed: u64) -> Permutation {
        assert!((1..=Permutation::MAX_BOUND).contains(&bound), "a bound of {bound}");
        let last = bound - 1;
        let shift = (u128::BITS - last.leading_zeros()).div_ceil(2);
        let sizes = [1 << shift, (last >> shift) as u64 + 1];
        let key = |number: usize| mix(mix(seed) ^ number as u64);
        let keys = std::array::from_fn(|round| [key(2 * round), key(2 * round + 1)]);
        Permutation { bound, shift, sizes, keys }
    }

    /// The number at a position below the bound.
    pub(super) fn get(&self, position: u128) -> u128 {
        debug_assert!(position < self.bound);
        let mut number = position;
        loop {
            number = self.permute(number);
            if number < self.bound {
                return number;
            }
        }
    }

    /// Permutes the numbers below the product of the sizes.
    fn permute(&self, number: u128) -> u128 {
        let [size, other] = self.sizes;
        let (mut low, mut high) = (number as u64 & (size - 1), (number >> self.shift) as u64);
        for [first, second] in self.keys {
            low = add(low, below(mix(first ^ high), size), size);
            high = add(high, below(mix(second ^ low), other), other);
        }
        u128::from(high) << self.shift | u128::from(low)
    }
}

/// A number whose bits all depend on all bits of another: the output function of `SplitMix64`.
pub(super) fn mix(number: u64) -> u64 {
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

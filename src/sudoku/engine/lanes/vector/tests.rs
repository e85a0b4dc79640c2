//! Compares each operation of each vector type that this machine supports with the same operation on single words.

use proptest::prelude::*;

use super::portable::Portable;
use super::{LaneSet, MAX_LANES, Vector};

/// Runs a generic test for every vector type that this machine supports.
macro_rules! each_width {
    ($test:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        {
            use crate::engine::lanes::vector::{avx2::Avx2, avx512::{Avx512, Avx512Bw}};
            Avx512::detect().map(|proof| $test(proof, $($argument),*)).transpose()?;
            Avx512Bw::detect().map(|proof| $test(proof, $($argument),*)).transpose()?;
            Avx2::detect().map(|proof| $test(proof, $($argument),*)).transpose()?;
        }
        $test(Portable::zero(), $($argument),*)?;
    }};
}
pub(crate) use each_width;

/// A word in each lane of the widest vector.
type Words = [u32; MAX_LANES];

proptest! {
    #[test]
    fn operations_agree_with_those_on_words(a: Words, b: Words, c: Words, counts in prop::array::uniform16(0u32..32)) {
        each_width!(operations(&a, &b, &c, &counts));
    }

    #[test]
    fn lanes_with_bits_are_found(bits in prop::array::uniform16(prop_oneof![Just(0), 0u32.., (0u32..32).prop_map(|n| 1 << n)])) {
        each_width!(zeros(&bits));
    }

    #[test]
    fn lanes_are_compressed_and_expanded(a: Words, b: Words, set: u16) {
        each_width!(moves(&a, &b, set));
    }
}

fn check<V: Vector>(result: V, expected: impl Fn(usize) -> u32) -> Result<(), TestCaseError> {
    for lane in 0..V::LANES {
        prop_assert_eq!(result.lane(lane), expected(lane), "lane {} of {}", lane, V::LANES);
    }
    Ok(())
}

#[expect(clippy::many_single_char_names, reason = "words of no meaning")]
fn operations<V: Vector>(proof: V, a: &Words, b: &Words, c: &Words, counts: &Words) -> Result<(), TestCaseError> {
    let [x, y, z, n] = [a, b, c, counts].map(|words| proof.load(words));
    check(x, |k| a[k])?;
    check(proof.splat(a[0]), |_| a[0])?;
    check(x & y, |k| a[k] & b[k])?;
    check(x | y, |k| a[k] | b[k])?;
    check(x ^ y, |k| a[k] ^ b[k])?;
    check(!x, |k| !a[k])?;
    check(x.shl::<9>(), |k| a[k] << 9)?;
    check(x.shr::<6>(), |k| a[k] >> 6)?;
    check(x.shl_each(n), |k| a[k] << counts[k])?;
    check(x.shr_each(n), |k| a[k] >> counts[k])?;
    check(x.plus(y), |k| a[k].wrapping_add(b[k]))?;
    check(x.minus(y), |k| a[k].wrapping_sub(b[k]))?;
    check(x.min(y), |k| a[k].min(b[k]))?;
    check(x.minus_halves(y), |k| halves(a[k], b[k], u16::wrapping_sub))?;
    check(x.min_halves(y), |k| halves(a[k], b[k], u16::min))?;
    check(x.min_halves(y & z), |k| halves(a[k], b[k] & c[k], u16::min))?;
    check(x.partial_counts().sum_of_counts(), |k| a[k].count_ones())?;
    let weighted = y.partial_counts().plus(z.partial_counts());
    let weighted = x.partial_counts().plus(weighted.plus(weighted));
    check(weighted.sum_of_counts(), |k| a[k].count_ones() + 2 * (b[k].count_ones() + c[k].count_ones()))?;
    check(x.majority(y, z), |k| (a[k] & b[k]) | (a[k] & c[k]) | (b[k] & c[k]))?;
    check(x.select(y, z), |k| (a[k] & b[k]) | (!a[k] & c[k]))?;
    let low = |word| word & 0o777_777_777;
    let word = |k: usize| u64::from(low(a[k]));
    let (next, after) = proof.load(&a.map(low)).rotate_27();
    let mask = proof.splat(0o777_777_777);
    check(next & mask, |k| low((word(k) >> 9 | word(k) << 18) as u32))?;
    check(after & mask, |k| low((word(k) >> 18 | word(k) << 9) as u32))
}

fn zeros<V: Vector>(proof: V, bits: &Words) -> Result<(), TestCaseError> {
    let x = proof.load(bits);
    let expected = (0..V::LANES).filter(|&lane| bits[lane] != 0).map(|lane| 1 << lane).sum();
    prop_assert_eq!(x.lanes_with_any(), LaneSet(expected));
    check(proof.splat(7).where_any(x), |k| if bits[k] == 0 { 0 } else { 7 })?;
    let seven = |seven: u16, half: u16| if half == 0 { 0 } else { seven };
    check(proof.splat(0x0007_0007).where_any_half(x), |k| halves(0x0007_0007, bits[k], seven))
}

/// The result of an operation on both halves of two words.
fn halves(a: u32, b: u32, operation: impl Fn(u16, u16) -> u16) -> u32 {
    let high = operation((a >> 16) as u16, (b >> 16) as u16);
    u32::from(high) << 16 | u32::from(operation(a as u16, b as u16))
}

fn moves<V: Vector>(proof: V, a: &Words, b: &Words, set: u16) -> Result<(), TestCaseError> {
    let set = LaneSet(u32::from(set)) & LaneSet::first(V::LANES);
    let x = proof.load(a);
    let packed = x.compress(proof.compress_indices(set));
    for (place, lane) in set.iter().enumerate() {
        prop_assert_eq!(packed.lane(place), a[lane]);
    }
    let mut next = b.iter();
    let mut expected = *a;
    set.iter().for_each(|lane| expected[lane] = *next.next().expect("enough words"));
    check(x.expand(set, proof.expand_indices(set), proof.load(b)), |k| expected[k])?;
    for distance in [1, 2, 4, 8].into_iter().filter(|&distance| distance < V::LANES) {
        check(x.exchange(distance), |k| a[k ^ distance])?;
    }
    check(proof.in_lanes(set), |k| if set.contains(k) { u32::MAX } else { 0 })?;
    let mut stored = [0; 16];
    x.store(&mut stored);
    prop_assert_eq!(&stored[..V::LANES], &a[..V::LANES]);
    let mut changed = x;
    changed.set_lane(V::LANES - 1, 5);
    check(changed, |k| if k == V::LANES - 1 { 5 } else { a[k] })
}

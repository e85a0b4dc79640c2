//! Rotations modulo 3 of one coordinate of the bits of a word: its stack, its band or its high digit.

use super::layout::{BAND, STACK};
use super::vector::Vector;

/// A coordinate with three values, each followed by the next and the last by the first.
pub(super) trait Rotation {
    /// Gives each bit the value of the next bit and, in the second word, the value of the bit after the next. Bits 27
    /// to 31 of the results are undefined.
    fn rotate<V: Vector>(x: V) -> (V, V);
}

/// The three stacks.
///
/// ```text
///     s     2 1 0      2 1 0      2 1 0
///     next  0 2 1      0 2 1      0 2 1
///     after 1 0 2      1 0 2      1 0 2
/// ```
pub(super) struct Stacks;

/// The three bands.
pub(super) struct Bands;

/// The three `d1`.
pub(super) struct Digits;

impl Rotation for Stacks {
    #[inline(always)]
    fn rotate<V: Vector>(x: V) -> (V, V) {
        let next = x.splat(STACK << 2).select(x.shl::<2>(), x.shr::<1>());
        let after = x.splat(STACK).select(x.shr::<2>(), x.shl::<1>());
        (next, after)
    }
}

impl Rotation for Bands {
    #[inline(always)]
    fn rotate<V: Vector>(x: V) -> (V, V) {
        let next = x.splat(BAND << 6).select(x.shl::<6>(), x.shr::<3>());
        let after = x.splat(BAND).select(x.shr::<6>(), x.shl::<3>());
        (next, after)
    }
}

impl Rotation for Digits {
    #[inline(always)]
    fn rotate<V: Vector>(x: V) -> (V, V) {
        x.rotate_27()
    }
}

//! Four lanes on any machine: the `wide` crate compiles them to SSE2, NEON or wasm vectors, or to four plain words.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use wide::u32x4;

use super::{LaneSet, Task, Vector};

/// Four words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Portable(u32x4);

impl Portable {
    /// The zero vector. Every machine has the type.
    pub(crate) fn zero() -> Portable {
        Portable(u32x4::splat(0))
    }

    /// All bits of the lanes whose word is 0.
    #[inline(always)]
    fn is_zero(self) -> u32x4 {
        self.0.simd_eq(u32x4::splat(0))
    }
}

impl Vector for Portable {
    const LANES: usize = 4;

    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Output {
        task.run()
    }

    #[inline(always)]
    fn splat(self, word: u32) -> Portable {
        Portable(u32x4::splat(word))
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> Portable {
        Portable(u32x4::new([words[0], words[1], words[2], words[3]]))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        words[..Self::LANES].copy_from_slice(self.0.as_array());
    }

    #[inline(always)]
    fn compress_indices(self, chosen: LaneSet) -> Portable {
        let mut sources = [0; Self::LANES];
        for (source, lane) in sources.iter_mut().zip(chosen.iter()) {
            *source = lane as u32;
        }
        Portable(u32x4::new(sources))
    }

    #[inline(always)]
    fn compress(self, indices: Portable) -> Portable {
        Portable(self.0.shuffle_wrapping(indices.0))
    }

    #[inline(always)]
    fn exchange(self, distance: usize) -> Portable {
        let [a, b, c, d] = self.0.to_array();
        Portable(u32x4::new(if distance == 1 { [b, a, d, c] } else { [c, d, a, b] }))
    }

    #[inline(always)]
    fn expand_indices(self, chosen: LaneSet) -> Portable {
        let mut sources = [0; Self::LANES];
        for (place, lane) in chosen.iter().enumerate() {
            sources[lane] = place as u32;
        }
        Portable(u32x4::new(sources))
    }

    #[inline(always)]
    fn expand(self, chosen: LaneSet, indices: Portable, packed: Portable) -> Portable {
        let bits = u32x4::splat(chosen.0) & u32x4::new([1, 2, 4, 8]);
        Portable(bits.simd_eq(u32x4::splat(0)).bitselect(self.0, packed.0.shuffle_wrapping(indices.0)))
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Portable {
        Portable(self.0 << N)
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Portable {
        Portable(self.0 >> N)
    }

    #[inline(always)]
    fn shl_each(self, counts: Portable) -> Portable {
        Portable(self.0 << counts.0)
    }

    #[inline(always)]
    fn shr_each(self, counts: Portable) -> Portable {
        Portable(self.0 >> counts.0)
    }

    #[inline(always)]
    fn plus(self, other: Portable) -> Portable {
        Portable(self.0 + other.0)
    }

    #[inline(always)]
    fn minus(self, other: Portable) -> Portable {
        Portable(self.0 - other.0)
    }

    #[inline(always)]
    fn min(self, other: Portable) -> Portable {
        Portable(self.0.min(other.0))
    }

    #[inline(always)]
    fn partial_counts(self) -> Portable {
        // The sums of 2, 4 and 8 neighbouring bits.
        let every = |mask| u32x4::splat(mask);
        let pairs = self.0 - ((self.0 >> 1) & every(0x5555_5555));
        let fours = (pairs & every(0x3333_3333)) + ((pairs >> 2) & every(0x3333_3333));
        Portable((fours + (fours >> 4)) & every(0x0F0F_0F0F))
    }

    #[inline(always)]
    fn where_any(self, test: Portable) -> Portable {
        Portable(self.0 & !test.is_zero())
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> u32 {
        self.0.as_array()[lane]
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, word: u32) {
        self.0.as_mut_array()[lane] = word;
    }

    #[inline(always)]
    fn lanes_with_any(self) -> LaneSet {
        !LaneSet(self.is_zero().to_bitmask()) & LaneSet::first(Self::LANES)
    }
}

operators! {
    Portable:
    BitAnd bitand(self, other) => Portable(self.0 & other.0);
    BitOr bitor(self, other) => Portable(self.0 | other.0);
    BitXor bitxor(self, other) => Portable(self.0 ^ other.0);
    Not not(self) => Portable(!self.0);
}

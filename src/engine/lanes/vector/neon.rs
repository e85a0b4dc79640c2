//! Four lanes: the 128-bit vectors that every 64-bit ARM CPU has.
#![expect(unsafe_code, reason = "intrinsics that take pointers")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::aarch64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{LaneSet, Task, Vector};

/// Four words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Neon(uint32x4_t);

operators! { Neon; and: vandq_u32; or: vorrq_u32; xor: veorq_u32; }

impl Neon {
    /// The zero vector. Rust compiles for no 64-bit ARM CPU without NEON, unless asked to.
    pub(crate) fn zero() -> Neon {
        // SAFETY: NEON is enabled for the complete program.
        Neon(unsafe { vdupq_n_u32(0) })
    }

    /// The bytes of the vector.
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        proven! { vreinterpretq_u8_u32(self.0) }
    }

    /// The vector with these bytes.
    #[inline(always)]
    fn from_bytes(bytes: uint8x16_t) -> Neon {
        Neon(proven! { vreinterpretq_u32_u8(bytes) })
    }

    /// All bits of the lanes whose word has a bit.
    #[inline(always)]
    fn has_any(self) -> uint32x4_t {
        proven! { vtstq_u32(self.0, self.0) }
    }
}

/// For each distance, by its logarithm: the byte that each byte comes from.
static EXCHANGE: [[u32; 4]; 2] = [
    [bytes_of_lane(1), bytes_of_lane(0), bytes_of_lane(3), bytes_of_lane(2)],
    [bytes_of_lane(2), bytes_of_lane(3), bytes_of_lane(0), bytes_of_lane(1)],
];

/// For each set of lanes: the byte that each byte of the compressed vector comes from. Bytes after the last come from
/// nowhere.
static COMPRESS: [[u32; 4]; 16] = {
    let mut table = [[u32::MAX; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut place) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                table[set][place] = bytes_of_lane(lane);
                place += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// For each set of lanes: the byte of the packed words that each byte of the expanded vector gets, or a number above all
/// bytes for those that keep what they have.
static EXPAND: [[u32; 4]; 16] = {
    let mut table = [[u32::MAX; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut place) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                table[set][lane] = bytes_of_lane(place);
                place += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// The numbers of the four bytes of a lane.
const fn bytes_of_lane(lane: usize) -> u32 {
    0x0302_0100 + 0x0404_0404 * lane as u32
}

impl Vector for Neon {
    const LANES: usize = 4;
    const MANY_REGISTERS: bool = true;

    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Output {
        task.run()
    }

    #[inline(always)]
    fn splat(self, word: u32) -> Neon {
        Neon(proven! { vdupq_n_u32(word) })
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> Neon {
        let words = &words[..Self::LANES];
        Neon(proven! { vld1q_u32(words.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words = &mut words[..Self::LANES];
        proven! { vst1q_u32(words.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn compress_indices(self, chosen: LaneSet) -> Neon {
        self.load(&COMPRESS[chosen.0 as usize])
    }

    #[inline(always)]
    fn compress(self, indices: Neon) -> Neon {
        Neon::from_bytes(proven! { vqtbl1q_u8(self.bytes(), indices.bytes()) })
    }

    #[inline(always)]
    fn exchange(self, distance: usize) -> Neon {
        self.compress(self.load(&EXCHANGE[distance.trailing_zeros() as usize]))
    }

    #[inline(always)]
    fn expand_indices(self, chosen: LaneSet) -> Neon {
        self.load(&EXPAND[chosen.0 as usize])
    }

    #[inline(always)]
    fn expand(self, _chosen: LaneSet, indices: Neon, packed: Neon) -> Neon {
        Neon::from_bytes(proven! { vqtbx1q_u8(self.bytes(), packed.bytes(), indices.bytes()) })
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Neon {
        Neon(proven! { vshlq_u32(self.0, vdupq_n_s32(N.cast_signed())) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Neon {
        Neon(proven! { vshlq_u32(self.0, vdupq_n_s32(-N.cast_signed())) })
    }

    #[inline(always)]
    fn shl_each(self, counts: Neon) -> Neon {
        Neon(proven! { vshlq_u32(self.0, vreinterpretq_s32_u32(counts.0)) })
    }

    #[inline(always)]
    fn shr_each(self, counts: Neon) -> Neon {
        // A shift by a negative number goes down.
        Neon(proven! { vshlq_u32(self.0, vnegq_s32(vreinterpretq_s32_u32(counts.0))) })
    }

    #[inline(always)]
    fn plus(self, other: Neon) -> Neon {
        Neon(proven! { vaddq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Neon) -> Neon {
        Neon(proven! { vsubq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Neon) -> Neon {
        Neon(proven! { vminq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn partial_counts(self) -> Neon {
        Neon::from_bytes(proven! { vcntq_u8(self.bytes()) })
    }

    #[inline(always)]
    fn sum_of_counts(self) -> Neon {
        // The parts are bytes.
        Neon(proven! { vpaddlq_u16(vpaddlq_u8(self.bytes())) })
    }

    #[inline(always)]
    fn where_any(self, test: Neon) -> Neon {
        Neon(proven! { vandq_u32(self.0, test.has_any()) })
    }

    #[inline(always)]
    fn lanes_with_any(self) -> LaneSet {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        LaneSet(proven! { vaddvq_u32(vandq_u32(self.has_any(), vld1q_u32(BITS.as_ptr()))) })
    }

    #[inline(always)]
    fn majority(self, b: Neon, c: Neon) -> Neon {
        // Where the first two differ, the third decides.
        (self ^ b).select(c, self)
    }

    #[inline(always)]
    fn select(self, yes: Neon, no: Neon) -> Neon {
        Neon(proven! { vbslq_u32(self.0, yes.0, no.0) })
    }

    #[inline(always)]
    fn rotate_27(self) -> (Neon, Neon) {
        proven! {
            let (next, after) = (vshrq_n_u32::<9>(self.0), vshrq_n_u32::<18>(self.0));
            (Neon(vsliq_n_u32::<18>(next, self.0)), Neon(vsliq_n_u32::<9>(after, self.0)))
        }
    }

    lane_methods!();
}

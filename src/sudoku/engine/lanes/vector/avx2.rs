//! Eight lanes: the 256-bit vectors of Intel CPUs from Haswell (2013) and AMD CPUs from Excavator (2015) on.
#![expect(unsafe_code, reason = "a value of the type is the proof that the CPU has the instructions")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{LaneSet, Task, Vector};

define_vector! {
    /// Eight words.
    Avx2(__m256i);
    features: ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"];
    zero: _mm256_setzero_si256;
    and: _mm256_and_si256;
    or: _mm256_or_si256;
    xor: _mm256_xor_si256;
}

impl Avx2 {
    /// The register, for further intrinsics.
    #[inline(always)]
    pub(crate) fn register(self) -> __m256i {
        self.0
    }

    /// All bits of the lanes whose word is 0.
    #[inline(always)]
    fn is_zero(self) -> Avx2 {
        Avx2(proven! { _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256()) })
    }
}

/// For each set of lanes, the source of each lane of the compressed vector. Lanes after the last are copies of lane 0.
static COMPRESS: [[u32; 8]; 256] = PACKED[0];

/// For each set of lanes, the packed word that goes to each lane of the expanded vector. Lanes outside of the set get
/// any word.
static EXPAND: [[u32; 8]; 256] = PACKED[1];

/// Both tables.
const PACKED: [[[u32; 8]; 256]; 2] = {
    let [mut compress, mut expand] = [[[0; 8]; 256]; 2];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                compress[set][place] = lane as u32;
                expand[set][lane] = place as u32;
                place += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    [compress, expand]
};

/// For each set of lanes: all bits of these lanes.
static IN_LANES: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut n = 0;
    while n < 8 * 256 {
        let (set, lane) = (n / 8, n % 8);
        table[set][lane] = if set >> lane & 1 == 1 { u32::MAX } else { 0 };
        n += 1;
    }
    table
};

impl Vector for Avx2 {
    const LANES: usize = 8;

    vector_methods! {
        splat: _mm256_set1_epi32;
        load: _mm256_loadu_si256;
        store: _mm256_storeu_si256;
        shl_each: _mm256_sllv_epi32;
        shr_each: _mm256_srlv_epi32;
        plus: _mm256_add_epi32;
        minus: _mm256_sub_epi32;
        min: _mm256_min_epu32;
        minus_halves: _mm256_sub_epi16;
        min_halves: _mm256_min_epu16;
    }

    #[inline(always)]
    fn compress_indices(self, chosen: LaneSet) -> Avx2 {
        self.load(&COMPRESS[chosen.0 as usize])
    }

    #[inline(always)]
    fn compress(self, indices: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_permutevar8x32_epi32(self.0, indices.0) })
    }

    #[inline(always)]
    fn expand_indices(self, chosen: LaneSet) -> Avx2 {
        self.load(&EXPAND[chosen.0 as usize])
    }

    #[inline(always)]
    fn expand(self, chosen: LaneSet, indices: Avx2, packed: Avx2) -> Avx2 {
        let spread = Avx2(proven! { _mm256_permutevar8x32_epi32(packed.0, indices.0) });
        self.in_lanes(chosen).select(spread, self)
    }

    #[inline(always)]
    fn in_lanes(self, lanes: LaneSet) -> Avx2 {
        // Loaded from a table on purpose: if LLVM knows the mask, it selects with the blend instruction, which makes
        // some CPUs lower their clock, as 512-bit vectors do.
        self.load(&IN_LANES[lanes.0 as usize])
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Avx2 {
        Avx2(proven! { _mm256_sllv_epi32(self.0, _mm256_set1_epi32(N.cast_signed())) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Avx2 {
        Avx2(proven! { _mm256_srlv_epi32(self.0, _mm256_set1_epi32(N.cast_signed())) })
    }

    #[inline(always)]
    fn partial_counts(self) -> Avx2 {
        // For each byte, the bits of both halves from a table.
        Avx2(proven! {
            let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let low_half = _mm256_set1_epi8(0x0F);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, low_half));
            let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), low_half));
            _mm256_add_epi8(low, high)
        })
    }

    #[inline(always)]
    fn where_any(self, test: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_andnot_si256(test.is_zero().0, self.0) })
    }

    #[inline(always)]
    fn where_any_half(self, test: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_andnot_si256(_mm256_cmpeq_epi16(test.0, _mm256_setzero_si256()), self.0) })
    }

    #[inline(always)]
    fn lanes_with_any(self) -> LaneSet {
        let zero = self.is_zero();
        LaneSet(!proven! { _mm256_movemask_ps(_mm256_castsi256_ps(zero.0)) } as u32 & 0xFF)
    }
}

//! Sixteen lanes: the 512-bit vectors of Intel CPUs from Ice Lake (2019) and AMD CPUs from Zen 4 (2022) on.
//!
//! Of the features, F does most of the work, BW and VBMI move bytes when puzzles are read and solutions written, GFNI
//! turns columns of bits into bytes, VBMI2 compresses and expands by lanes and shifts across two words, VPOPCNTDQ counts
//! bits.
#![expect(unsafe_code, reason = "a value of the type is the proof that the CPU has the instructions")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{LaneSet, Task, Vector};

define_vector! {
    /// Sixteen words.
    Avx512(__m512i);
    features: [
        "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "gfni"
        "bmi1" "bmi2" "lzcnt" "popcnt"
    ];
    zero: _mm512_setzero_si512;
    splat: _mm512_set1_epi32;
    and: _mm512_and_si512;
    or: _mm512_or_si512;
    xor: _mm512_xor_si512;
}

impl Avx512 {
    /// The register, for further intrinsics.
    #[inline(always)]
    pub(crate) fn register(self) -> __m512i {
        self.0
    }

    /// Replaces the register. There is no constructor from a register: a value has to come from another value.
    #[inline(always)]
    pub(crate) fn set_register(&mut self, register: __m512i) {
        self.0 = register;
    }
}

impl Vector for Avx512 {
    const LANES: usize = 16;
    const MANY_REGISTERS: bool = true;

    vector_methods! {
        splat: _mm512_set1_epi32;
        load: _mm512_loadu_epi32;
        store: _mm512_storeu_epi32;
        shl_each: _mm512_sllv_epi32;
        shr_each: _mm512_srlv_epi32;
        plus: _mm512_add_epi32;
        minus: _mm512_sub_epi32;
        min: _mm512_min_epu32;
    }

    #[inline(always)]
    fn compress_indices(self, chosen: LaneSet) -> Avx512 {
        Avx512(proven! { _mm512_maskz_compress_epi32(chosen.0 as u16, lane_numbers()) })
    }

    #[inline(always)]
    fn compress(self, indices: Avx512) -> Avx512 {
        // With a permutation made beforehand: that is twice as fast as compressing and expanding word by word.
        Avx512(proven! { _mm512_permutexvar_epi32(indices.0, self.0) })
    }

    #[inline(always)]
    fn expand_indices(self, chosen: LaneSet) -> Avx512 {
        Avx512(proven! { _mm512_maskz_expand_epi32(chosen.0 as u16, lane_numbers()) })
    }

    #[inline(always)]
    fn expand(self, chosen: LaneSet, indices: Avx512, packed: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_mask_permutexvar_epi32(self.0, chosen.0 as u16, indices.0, packed.0) })
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Avx512 {
        Avx512(proven! { _mm512_slli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Avx512 {
        Avx512(proven! { _mm512_srli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn count_ones(self) -> Avx512 {
        Avx512(proven! { _mm512_popcnt_epi32(self.0) })
    }

    #[inline(always)]
    fn where_any(self, test: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(test.0, test.0), self.0) })
    }

    #[inline(always)]
    fn in_lanes(self, lanes: LaneSet) -> Avx512 {
        Avx512(proven! { _mm512_maskz_set1_epi32(lanes.0 as u16, -1) })
    }

    #[inline(always)]
    fn lanes_with_any(self) -> LaneSet {
        LaneSet(proven! { _mm512_test_epi32_mask(self.0, self.0) }.into())
    }

    #[inline(always)]
    fn majority(self, b: Avx512, c: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_ternarylogic_epi32::<0b1110_1000>(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn select(self, yes: Avx512, no: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_ternarylogic_epi32::<0b1100_1010>(self.0, yes.0, no.0) })
    }

    #[inline(always)]
    fn rotate_27(self) -> (Avx512, Avx512) {
        // The word and a copy that starts 5 bits higher meet end to end: 27 bits, then the same 27 bits again.
        proven! {
            let again = _mm512_slli_epi32::<5>(self.0);
            (Avx512(_mm512_shldi_epi32::<18>(self.0, again)), Avx512(_mm512_shldi_epi32::<9>(self.0, again)))
        }
    }
}

/// 0 to 15.
///
/// # Safety
///
/// The CPU has AVX-512 F.
#[inline(always)]
unsafe fn lane_numbers() -> __m512i {
    // SAFETY: the caller promises the instruction.
    unsafe { _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }
}

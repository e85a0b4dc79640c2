//! Sixteen lanes: two types of the same 512-bit vectors, for newer and for older CPUs.
//!
//! Of the features of [`Avx512`], F does most of the work, BW and VBMI move bytes when puzzles are read and solutions
//! written, GFNI turns columns of bits into bytes, VBMI2 shifts across two words, and VPOPCNTDQ counts bits.
//! [`Avx512Bw`] does without VBMI, GFNI, VBMI2 and VPOPCNTDQ. Both compress and expand by permuting words, an
//! instruction of F.
#![expect(unsafe_code, reason = "a value of the type is the proof that the CPU has the instructions")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{LaneSet, Task, Vector};

define_vector! {
    /// Sixteen words, on Intel CPUs from Ice Lake (2019) and AMD CPUs from Zen 4 (2022) on.
    Avx512(__m512i);
    features: [
        "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "gfni"
        "bmi1" "bmi2" "lzcnt" "popcnt"
    ];
    zero: _mm512_setzero_si512;
    and: _mm512_and_si512;
    or: _mm512_or_si512;
    xor: _mm512_xor_si512;
}

define_vector! {
    /// Sixteen words, on Intel CPUs from Skylake-SP (2017) on.
    Avx512Bw(__m512i);
    features: ["avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "bmi1" "bmi2" "lzcnt" "popcnt"];
    zero: _mm512_setzero_si512;
    and: _mm512_and_si512;
    or: _mm512_or_si512;
    xor: _mm512_xor_si512;
}

/// A vector of sixteen lanes.
pub(crate) trait SixteenLanes: Vector {
    /// The register, for further intrinsics.
    fn register(self) -> __m512i;

    /// Replaces the register. There is no constructor from a register, because only another value proves that the CPU
    /// has the instructions.
    fn set_register(&mut self, register: __m512i);
}

macro_rules! sixteen_lanes {
    ($($name:ident)+) => {$(
        impl SixteenLanes for $name {
            #[inline(always)]
            fn register(self) -> __m512i {
                self.0
            }

            #[inline(always)]
            fn set_register(&mut self, register: __m512i) {
                self.0 = register;
            }
        }
    )+};
}

sixteen_lanes!(Avx512 Avx512Bw);

/// The methods that are the same for both types.
macro_rules! methods_of_sixteen_lanes {
    () => {
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
            minus_halves: _mm512_sub_epi16;
            min_halves: _mm512_min_epu16;
        }

        #[inline(always)]
        fn compress_indices(self, chosen: LaneSet) -> Self {
            Self(proven! { _mm512_maskz_compress_epi32(chosen.0 as u16, lane_numbers()) })
        }

        #[inline(always)]
        fn compress(self, indices: Self) -> Self {
            // A permutation by indices made in advance is twice as fast as compressing and expanding word by word.
            Self(proven! { _mm512_permutexvar_epi32(indices.0, self.0) })
        }

        #[inline(always)]
        fn expand_indices(self, chosen: LaneSet) -> Self {
            Self(proven! { _mm512_maskz_expand_epi32(chosen.0 as u16, lane_numbers()) })
        }

        #[inline(always)]
        fn expand(self, chosen: LaneSet, indices: Self, packed: Self) -> Self {
            Self(proven! { _mm512_mask_permutexvar_epi32(self.0, chosen.0 as u16, indices.0, packed.0) })
        }

        #[inline(always)]
        fn shl<const N: u32>(self) -> Self {
            Self(proven! { _mm512_slli_epi32::<N>(self.0) })
        }

        #[inline(always)]
        fn shr<const N: u32>(self) -> Self {
            Self(proven! { _mm512_srli_epi32::<N>(self.0) })
        }

        #[inline(always)]
        fn where_any(self, test: Self) -> Self {
            Self(proven! { _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(test.0, test.0), self.0) })
        }

        #[inline(always)]
        fn where_any_half(self, test: Self) -> Self {
            Self(proven! { _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(test.0, test.0), self.0) })
        }

        #[inline(always)]
        fn in_lanes(self, lanes: LaneSet) -> Self {
            Self(proven! { _mm512_maskz_set1_epi32(lanes.0 as u16, -1) })
        }

        #[inline(always)]
        fn lanes_with_any(self) -> LaneSet {
            LaneSet(proven! { _mm512_test_epi32_mask(self.0, self.0) }.into())
        }

        #[inline(always)]
        fn majority(self, b: Self, c: Self) -> Self {
            Self(proven! { _mm512_ternarylogic_epi32::<0b1110_1000>(self.0, b.0, c.0) })
        }

        #[inline(always)]
        fn select(self, yes: Self, no: Self) -> Self {
            Self(proven! { _mm512_ternarylogic_epi32::<0b1100_1010>(self.0, yes.0, no.0) })
        }
    };
}

impl Vector for Avx512 {
    methods_of_sixteen_lanes!();

    #[inline(always)]
    fn partial_counts(self) -> Avx512 {
        Avx512(proven! { _mm512_popcnt_epi32(self.0) })
    }

    #[inline(always)]
    fn sum_of_counts(self) -> Avx512 {
        // A word is one part.
        self
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

impl Vector for Avx512Bw {
    methods_of_sixteen_lanes!();

    #[inline(always)]
    fn partial_counts(self) -> Avx512Bw {
        // For each byte, the bits of both halves from a table.
        Avx512Bw(proven! {
            let table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let low_half = _mm512_set1_epi8(0x0F);
            let low = _mm512_shuffle_epi8(table, _mm512_and_si512(self.0, low_half));
            let high = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), low_half));
            _mm512_add_epi8(low, high)
        })
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

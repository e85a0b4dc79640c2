//! Sixteen lanes: the 512-bit vectors of Intel CPUs from Ice Lake (2019) and AMD CPUs from Zen 4 (2022) on.
//!
//! What the sets of instructions are for: F does most of it, BW and VBMI move bytes when puzzles are read and solutions
//! written, GFNI turns columns of bits into bytes, VBMI2 compresses and expands by lanes and shifts across two words,
//! VPOPCNTDQ counts bits.
#![expect(unsafe_code, reason = "a value of the type is the proof that the CPU has the instructions")]

mod cells;

#[allow(clippy::wildcard_imports, reason = "the names say where they come from")]
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::super::layout::WORDS;
use super::super::load::CELLS;
use super::{LaneSet, LaneWords, MOST_LANES, Task, Vector};

/// One or more intrinsics as a safe expression, for methods that have a value of the type at hand.
macro_rules! proven {
    ($($body:tt)*) => {{
        // SAFETY: a value of the type exists, so the CPU has the instructions; pointers come from slices whose length
        // was checked just before.
        unsafe { $($body)* }
    }};
}

/// Sixteen words. A value proves that the CPU has all that [`Avx512::detect`] asks for.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Avx512(__m512i);

impl Avx512 {
    /// The zero vector, if this CPU has what the type needs.
    pub(crate) fn detect() -> Option<Avx512> {
        let available = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        // SAFETY: the CPU was just found to have all of it.
        available.then(|| unsafe { Avx512::assume_available() })
    }

    /// The zero vector.
    ///
    /// # Safety
    ///
    /// The CPU has the instructions that [`Avx512::detect`] asks for.
    unsafe fn assume_available() -> Avx512 {
        // SAFETY: what the caller promises is all that is needed.
        Avx512(unsafe { _mm512_setzero_si512() })
    }
}

impl Vector for Avx512 {
    const LANES: usize = 16;
    const MANY_REGISTERS: bool = true;

    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni")]
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T: Task>(task: T) -> T::Output {
            task.run()
        }
        proven! { compiled(task) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> Avx512 {
        Avx512(proven! { _mm512_set1_epi32(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> Avx512 {
        let words = &words[..Self::LANES];
        Avx512(proven! { _mm512_loadu_epi32(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words = &mut words[..Self::LANES];
        proven! { _mm512_storeu_epi32(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn compressing(self, chosen: LaneSet) -> Avx512 {
        Avx512(proven! { _mm512_maskz_compress_epi32(chosen.0 as u16, lane_numbers()) })
    }

    #[inline(always)]
    fn compress(self, compressing: Avx512) -> Avx512 {
        // With a permutation made beforehand: that is twice as fast as compressing and expanding word by word.
        Avx512(proven! { _mm512_permutexvar_epi32(compressing.0, self.0) })
    }

    #[inline(always)]
    fn expanding(self, chosen: LaneSet) -> Avx512 {
        Avx512(proven! { _mm512_maskz_expand_epi32(chosen.0 as u16, lane_numbers()) })
    }

    #[inline(always)]
    fn expand(self, chosen: LaneSet, expanding: Avx512, packed: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_mask_permutexvar_epi32(self.0, chosen.0 as u16, expanding.0, packed.0) })
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
    fn shl_each(self, counts: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_sllv_epi32(self.0, counts.0) })
    }

    #[inline(always)]
    fn shr_each(self, counts: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_srlv_epi32(self.0, counts.0) })
    }

    #[inline(always)]
    fn plus(self, other: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_sub_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_min_epu32(self.0, other.0) })
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
    fn lane(&self, lane: usize) -> u32 {
        assert!(lane < Self::LANES);
        // SAFETY: a vector is that many words in memory, in the order of the lanes.
        unsafe { *(&raw const *self).cast::<u32>().add(lane) }
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, word: u32) {
        assert!(lane < Self::LANES);
        // SAFETY: a vector is that many words in memory, in the order of the lanes, and any word is fine.
        unsafe { *(&raw mut *self).cast::<u32>().add(lane) = word }
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
    fn turn(self) -> (Avx512, Avx512) {
        // The word and a copy that starts 5 bits higher meet end to end: 27 bits, then the same 27 bits again.
        proven! {
            let again = _mm512_slli_epi32::<5>(self.0);
            (Avx512(_mm512_shldi_epi32::<18>(self.0, again)), Avx512(_mm512_shldi_epi32::<9>(self.0, again)))
        }
    }

    #[inline(always)]
    fn words_of_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [Avx512; WORDS]) {
        proven! { cells::read_puzzles(puzzles, words) }
    }

    #[inline(always)]
    fn gather(words: &[Avx512; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MOST_LANES]) {
        proven! { cells::gather(words, lanes, gathered) }
    }

    #[inline(always)]
    fn write_solution(self, words: &LaneWords, cells: &mut [u8; CELLS]) {
        proven! { cells::write_solution(words, cells) }
    }
}

impl BitAnd for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn bitand(self, other: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn bitor(self, other: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_or_si512(self.0, other.0) })
    }
}

impl BitXor for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn bitxor(self, other: Avx512) -> Avx512 {
        Avx512(proven! { _mm512_xor_si512(self.0, other.0) })
    }
}

impl Not for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn not(self) -> Avx512 {
        Avx512(proven! { _mm512_xor_si512(self.0, _mm512_set1_epi32(-1)) })
    }
}

/// 0 to 15.
///
/// # Safety
///
/// The CPU has AVX-512 F.
#[inline(always)]
unsafe fn lane_numbers() -> __m512i {
    // SAFETY: as promised.
    unsafe { _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }
}

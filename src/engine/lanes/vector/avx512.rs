//! Sixteen lanes: the 512-bit vectors of Intel CPUs from Ice Lake (2019) and AMD CPUs from Zen 4 (2022) on.
//!
//! What the sets of instructions are for: F does most of it, BW and VBMI move bytes when puzzles are read and solutions
//! written, VBMI2 compresses and expands by lanes and shifts across two words, VPOPCNTDQ counts bits.
#![expect(unsafe_code, reason = "a value of the type is the proof that the CPU has the instructions")]

#[allow(clippy::wildcard_imports, reason = "the names say where they come from")]
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::super::layout::WORDS;
use super::super::load::CELLS;
use super::avx512_tables::{BYTE_OF_PLACE, CELL_ORDER, DIGIT_AT, LAST_PLACES, LAST_START, LEFT, PLACE_OF_CELL};
use super::{LaneSet, Task, Vector};

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

    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq")]
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
        // A row a puzzle, four cells in a word, becomes a vector for each four cells: three vectors a place.
        let mut fours = [self; 2 * Self::LANES];
        for (lane, puzzle) in puzzles.iter().enumerate() {
            proven! {
                // What will be read after the next vector of puzzles, if they lie in a row; if not, it does no harm.
                let ahead = puzzle.as_ptr().wrapping_add(2 * Self::LANES * CELLS);
                _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(CELLS - 1).cast());
                let (first, last) = (load_bytes(puzzle.as_ptr()), load_bytes(puzzle.as_ptr().add(LAST_START)));
                for half in 0..2 {
                    let order = load_bytes(CELL_ORDER[half].as_ptr());
                    fours[Self::LANES * half + lane].0 = _mm512_permutex2var_epi8(first, order, last);
                }
            }
        }
        for half in fours.as_chunks_mut().0 {
            proven! { transpose(half) }
        }
        for (triple, fours) in words.as_chunks_mut::<3>().0.iter_mut().zip(fours.as_chunks::<3>().0) {
            *triple = [self.splat(0); 3];
            for in_box in 0..9 {
                // Only the low four bits of a word matter as an index.
                let value = fours[in_box / 4].shr_each(self.splat(8 * (in_box as u32 % 4)));
                for d0 in 0..3 {
                    let left = self.load(&LEFT[in_box][d0]);
                    triple[d0] = triple[d0] | Avx512(proven! { _mm512_permutexvar_epi32(value.0, left.0) });
                }
            }
        }
    }

    #[inline(always)]
    fn write_solution(words: &[Avx512; WORDS], lane: usize, cells: &mut [u8; CELLS]) {
        proven! {
            let mut bytes = [_mm512_setzero_si512(); 5];
            for pair in 0..5 {
                for d0 in 0..3 {
                    let first = u64::from(words[6 * pair + d0].lane(lane));
                    let second = if pair < 4 { u64::from(words[6 * pair + 3 + d0].lane(lane)) } else { 0 };
                    let both = _mm512_kunpackd(second, first);
                    bytes[pair] = _mm512_mask_mov_epi8(bytes[pair], both, load_bytes(DIGIT_AT[d0].as_ptr()));
                }
            }
            // One byte a cell out of three, of which two are 0; then from four places in a box to all cells of it.
            let mut places = [_mm512_setzero_si512(); 3];
            for four in 0..3 {
                for d1 in 0..3 {
                    let index = load_bytes(BYTE_OF_PLACE[d1].as_ptr());
                    let second = bytes[if four < 2 { 2 * four + 1 } else { 4 }];
                    let picked = _mm512_permutex2var_epi8(bytes[2 * four], index, second);
                    places[four] = _mm512_or_si512(places[four], picked);
                }
            }
            for start in [0, LAST_START] {
                let index = load_bytes(PLACE_OF_CELL.as_ptr().add(start));
                let eight = _mm512_permutex2var_epi8(places[0], index, places[1]);
                let all = _mm512_mask_permutexvar_epi8(eight, (LAST_PLACES >> start) as u64, index, places[2]);
                _mm512_storeu_epi8(cells.as_mut_ptr().add(start).cast(), all);
            }
        }
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

/// Makes rows columns: first of each square of 4 by 4 words, then of the 4 by 4 squares.
///
/// # Safety
///
/// The CPU has AVX-512 F.
#[inline(always)]
unsafe fn transpose(square: &mut [Avx512; 16]) {
    // SAFETY: as promised.
    unsafe {
        for n in (0..16).step_by(4) {
            let [a, b, c, d] = [square[n].0, square[n + 1].0, square[n + 2].0, square[n + 3].0];
            let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
            square[n].0 = _mm512_unpacklo_epi64(ab, cd);
            square[n + 1].0 = _mm512_unpackhi_epi64(ab, cd);
            let (ab, cd) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
            square[n + 2].0 = _mm512_unpacklo_epi64(ab, cd);
            square[n + 3].0 = _mm512_unpackhi_epi64(ab, cd);
        }
        for n in 0..4 {
            let [a, b, c, d] = [square[n].0, square[n + 4].0, square[n + 8].0, square[n + 12].0];
            let (ab, cd) = (_mm512_shuffle_i32x4::<EVEN>(a, b), _mm512_shuffle_i32x4::<EVEN>(c, d));
            square[n].0 = _mm512_shuffle_i32x4::<EVEN>(ab, cd);
            square[n + 8].0 = _mm512_shuffle_i32x4::<ODD>(ab, cd);
            let (ab, cd) = (_mm512_shuffle_i32x4::<ODD>(a, b), _mm512_shuffle_i32x4::<ODD>(c, d));
            square[n + 4].0 = _mm512_shuffle_i32x4::<EVEN>(ab, cd);
            square[n + 12].0 = _mm512_shuffle_i32x4::<ODD>(ab, cd);
        }
    }
}

/// Quarters 0 and 2 of two vectors.
const EVEN: i32 = 0b10_00_10_00;

/// Quarters 1 and 3 of two vectors.
const ODD: i32 = 0b11_01_11_01;

/// # Safety
///
/// The CPU has AVX-512 BW, and 64 bytes can be read.
#[inline(always)]
unsafe fn load_bytes(bytes: *const u8) -> __m512i {
    // SAFETY: as promised.
    unsafe { _mm512_loadu_epi8(bytes.cast()) }
}

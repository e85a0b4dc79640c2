//! Eight lanes: the 256-bit vectors of Intel CPUs from Haswell (2013) and AMD CPUs from Excavator (2015) on.
#![expect(unsafe_code, reason = "a value of the type is the proof that the CPU has the instructions")]

#[allow(clippy::wildcard_imports, reason = "the names say where they come from")]
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::super::layout::WORDS;
use super::super::load::CELLS;
use super::{LaneSet, Task, Vector};

/// One or more intrinsics as a safe expression, for methods that have a value of the type at hand.
macro_rules! proven {
    ($($body:tt)*) => {{
        // SAFETY: a value of the type exists, so the CPU has the instructions; pointers come from slices whose length
        // was checked just before, or from tables that are long enough for every index.
        unsafe { $($body)* }
    }};
}

/// Eight words. A value proves that the CPU has all that [`Avx2::detect`] asks for.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Avx2(__m256i);

impl Avx2 {
    /// The zero vector, if this CPU has what the type needs.
    pub(crate) fn detect() -> Option<Avx2> {
        let available = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        // SAFETY: the CPU was just found to have all of it.
        available.then(|| unsafe { Avx2::assume_available() })
    }

    /// The zero vector.
    ///
    /// # Safety
    ///
    /// The CPU has the instructions that [`Avx2::detect`] asks for.
    unsafe fn assume_available() -> Avx2 {
        // SAFETY: what the caller promises is all that is needed.
        Avx2(unsafe { _mm256_setzero_si256() })
    }

    /// All bits of the lanes whose word is 0.
    #[inline(always)]
    fn is_zero(self) -> Avx2 {
        Avx2(proven! { _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256()) })
    }
}

/// For each set of lanes: where lane `n` of the compressed vector comes from. What is left over repeats lane 0.
static COMPRESS: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                table[set][place] = lane as u32;
                place += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// For each set of lanes: which word goes to lane `n` of the expanded vector. The highest bit marks a lane that is not in
/// the set: it is the bit that a blend looks at.
static EXPAND: [[u32; 8]; 256] = {
    let mut table = [[1 << 31; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                table[set][lane] = place;
                place += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

impl Vector for Avx2 {
    const LANES: usize = 8;

    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<T: Task>(task: T) -> T::Output {
            task.run()
        }
        proven! { compiled(task) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> Avx2 {
        Avx2(proven! { _mm256_set1_epi32(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> Avx2 {
        let words = &words[..Self::LANES];
        Avx2(proven! { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words = &mut words[..Self::LANES];
        proven! { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn compressing(self, chosen: LaneSet) -> Avx2 {
        self.load(&COMPRESS[chosen.0 as usize])
    }

    #[inline(always)]
    fn compress(self, compressing: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_permutevar8x32_epi32(self.0, compressing.0) })
    }

    #[inline(always)]
    fn expanding(self, chosen: LaneSet) -> Avx2 {
        self.load(&EXPAND[chosen.0 as usize])
    }

    #[inline(always)]
    fn expand(self, _chosen: LaneSet, expanding: Avx2, packed: Avx2) -> Avx2 {
        Avx2(proven! {
            let spread = _mm256_permutevar8x32_epi32(packed.0, expanding.0);
            let merged = _mm256_blendv_ps(
                _mm256_castsi256_ps(spread),
                _mm256_castsi256_ps(self.0),
                _mm256_castsi256_ps(expanding.0),
            );
            _mm256_castps_si256(merged)
        })
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
    fn shl_each(self, counts: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_sllv_epi32(self.0, counts.0) })
    }

    #[inline(always)]
    fn shr_each(self, counts: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_srlv_epi32(self.0, counts.0) })
    }

    #[inline(always)]
    fn plus(self, other: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_sub_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_min_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn count_ones(self) -> Avx2 {
        // The bits of each half byte from a table, then the sums of 2 and of 4 bytes.
        Avx2(proven! {
            let table = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let low_half = _mm256_set1_epi8(0x0F);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, low_half));
            let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), low_half));
            let bytes = _mm256_add_epi8(low, high);
            _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1))
        })
    }

    #[inline(always)]
    fn where_any(self, test: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_andnot_si256(test.is_zero().0, self.0) })
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
        let zero = self.is_zero();
        LaneSet(!proven! { _mm256_movemask_ps(_mm256_castsi256_ps(zero.0)) } as u32 & 0xFF)
    }

    #[inline(always)]
    fn words_of_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [Avx2; WORDS]) {
        for (lane, puzzle) in puzzles.iter().enumerate() {
            let mut padded = [0; PADDED];
            padded[..CELLS].copy_from_slice(&puzzle[..]);
            for place in 0..9 {
                let triple = proven! { words_of_place(&padded, place) };
                for d0 in 0..3 {
                    words[3 * place + d0].set_lane(lane, triple[d0]);
                }
            }
        }
    }
}

impl BitAnd for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn bitand(self, other: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_and_si256(self.0, other.0) })
    }
}

impl BitOr for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn bitor(self, other: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_or_si256(self.0, other.0) })
    }
}

impl BitXor for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn bitxor(self, other: Avx2) -> Avx2 {
        Avx2(proven! { _mm256_xor_si256(self.0, other.0) })
    }
}

impl Not for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn not(self) -> Avx2 {
        Avx2(proven! { _mm256_xor_si256(self.0, _mm256_set1_epi32(-1)) })
    }
}

/// So many cells that 16 can be read from any that is wanted.
const PADDED: usize = 96;

/// Makes the three words of a place in a box, 3 * i + j.
///
/// The cells at that place of the nine boxes are put side by side three times, a byte for each bit of a word: once for
/// each `d1`.
///
/// # Safety
///
/// The CPU has AVX2.
#[inline(always)]
unsafe fn words_of_place(puzzle: &[u8; PADDED], place: usize) -> [u32; 3] {
    let mut words = [0; 3];
    // SAFETY: the CPU has the instructions, and what is read is within the arrays.
    unsafe {
        let mut cells = _mm256_setzero_si256();
        for band in 0..3 {
            let from_first = &puzzle[27 * band + 9 * (place / 3) + place % 3..][..16];
            let from_first = _mm256_broadcastsi128_si256(_mm_loadu_si128(from_first.as_ptr().cast()));
            let index = load_bytes(&CELLS_OF_BAND[band]);
            cells = _mm256_or_si256(cells, _mm256_shuffle_epi8(from_first, index));
        }
        let blank = _mm256_cmpeq_epi8(cells, load_bytes(&BLANK));
        for d0 in 0..3 {
            let clue = _mm256_cmpeq_epi8(cells, load_bytes(&CLUE[d0]));
            words[d0] = _mm256_movemask_epi8(_mm256_or_si256(blank, clue)) as u32;
        }
    }
    words
}

/// # Safety
///
/// The CPU has AVX2.
#[inline(always)]
unsafe fn load_bytes(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: as promised, and the array is as long as the vector.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// For each band and each byte of a word: where its cell is after the first one at the same place of a box in the band,
/// if it is in the band.
static CELLS_OF_BAND: [[u8; 32]; 3] = {
    let mut table = [[1 << 7; 32]; 3];
    let mut bit = 0;
    while bit < 27 {
        table[bit % 9 / 3][bit] = 3 * (bit % 3) as u8;
        bit += 1;
    }
    table
};

/// What a blank is in each byte of a word; nothing is in those that stand for no bit.
static BLANK: [u8; 32] = {
    let mut table = [0xFF; 32];
    let mut bit = 0;
    while bit < 27 {
        table[bit] = 0;
        bit += 1;
    }
    table
};

/// For each `d0`: what a clue is that sets the bit of each byte.
static CLUE: [[u8; 32]; 3] = {
    let mut table = [[0xFF; 32]; 3];
    let mut n = 0;
    while n < 3 * 27 {
        let (d0, bit) = (n / 27, n % 27);
        table[d0][bit] = (3 * (bit / 9) + d0 + 1) as u8;
        n += 1;
    }
    table
};

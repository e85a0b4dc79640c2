//! Reads puzzles into AVX2 vectors: the three words of a place at once, each from 32 bytes, one for each bit.
#![expect(unsafe_code, reason = "a value of the vector type is the proof that the CPU has the instructions")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::super::layout::{CELLS, WORDS};
use super::super::vector::Vector;
use super::super::vector::avx2::Avx2;
use super::CellVector;

impl CellVector for Avx2 {
    #[inline(always)]
    fn read_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [Avx2; WORDS]) {
        for (lane, puzzle) in puzzles.iter().enumerate() {
            let mut padded = [0; PADDED];
            padded[..CELLS].copy_from_slice(&puzzle[..]);
            for place in 0..9 {
                // SAFETY: a value of the type exists, so the CPU has AVX2.
                let triple = unsafe { words_of_place(&padded, place) };
                for d0 in 0..3 {
                    words[3 * place + d0].set_lane(lane, triple[d0]);
                }
            }
        }
    }
}

/// The number of cells with padding, so that 16 can be read from every start that is needed.
const PADDED: usize = 96;

/// The three words of place `3 * i + j`.
///
/// The cells at that place of the nine boxes are put side by side three times, once for each `d1`: a byte for each bit of
/// a word.
///
/// # Safety
///
/// The CPU has AVX2.
#[inline(always)]
unsafe fn words_of_place(puzzle: &[u8; PADDED], place: usize) -> [u32; 3] {
    let mut words = [0; 3];
    // SAFETY: the CPU has the instructions, and all reads are within the arrays.
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

/// Loads 32 bytes.
///
/// # Safety
///
/// The CPU has AVX2.
#[inline(always)]
unsafe fn load_bytes(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the CPU has the instruction, and the array is as long as the vector.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// For each band and each bit of a word: the distance of its cell from the first cell at that place in the band, or a
/// byte with the highest bit, which selects 0, if the cell is in another band.
static CELLS_OF_BAND: [[u8; 32]; 3] = {
    let mut table = [[1 << 7; 32]; 3];
    let mut bit = 0;
    while bit < 27 {
        table[bit % 9 / 3][bit] = 3 * (bit % 3) as u8;
        bit += 1;
    }
    table
};

/// For each bit of a word, the value of a blank, 0. The five bytes that stand for no bit match no value.
static BLANK: [u8; 32] = {
    let mut table = [0xFF; 32];
    let mut bit = 0;
    while bit < 27 {
        table[bit] = 0;
        bit += 1;
    }
    table
};

/// For each `d0` and each bit of a word, the clue that sets the bit.
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

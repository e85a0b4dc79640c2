//! Reads puzzles into AVX2 vectors, the three words of a place at once, each from 32 bytes, one for each bit. Writes
//! solutions by expanding [bits of cells](super::x86_rows) to bytes.
#![expect(unsafe_code, reason = "a value of the vector type is the proof that the CPU has the instructions")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::super::layout::{CELLS, WORDS};
use super::super::vector::avx2::Avx2;
use super::super::vector::{LaneSet, MAX_LANES, Vector};
use super::x86_rows::{ROW_BITS, RowBits, WEIGHTS, solution_bits, store_row};
use super::{CellVector, LaneWords};

impl CellVector for Avx2 {
    #[inline(always)]
    fn read_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [Avx2; WORDS]) {
        for (lane, puzzle) in puzzles.iter().enumerate() {
            for place in 0..9 {
                // SAFETY: a value of the type exists, so the CPU has AVX2.
                let triple = unsafe { words_of_place(puzzle, place) };
                for d0 in 0..3 {
                    words[3 * place + d0].set_lane(lane, triple[d0]);
                }
            }
        }
    }

    #[inline(always)]
    fn gather(words: &[Avx2; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
        // SAFETY: values of the type exist, so the CPU has AVX2.
        unsafe { gather(words, lanes, gathered) }
    }

    #[inline(always)]
    fn write_solution(self, words: &LaneWords, cells: &mut [u8; CELLS]) {
        // SAFETY: a value of the type exists, so the CPU has AVX2.
        unsafe { write_solution(words, cells) }
    }
}

/// Gathers the bits of the solutions in some lanes, line after line.
#[inline]
#[target_feature(enable = "avx2")]
fn gather(words: &[Avx2; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
    for (n, [a, b, c, d]) in solution_bits(words).into_iter().enumerate() {
        // Both halves are transposed: vector `n` gets the four words of lane `n` and of lane `n + 4`.
        let (a, b, c, d) = (a.register(), b.register(), c.register(), d.register());
        let (low, other_low) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        let (high, other_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        let mut pairs = [[0; 8]; 4];
        store(&mut pairs[0], _mm256_unpacklo_epi64(low, other_low));
        store(&mut pairs[1], _mm256_unpackhi_epi64(low, other_low));
        store(&mut pairs[2], _mm256_unpacklo_epi64(high, other_high));
        store(&mut pairs[3], _mm256_unpackhi_epi64(high, other_high));
        for (lane, gathered) in lanes.iter().zip(&mut *gathered) {
            gathered.0[4 * n..][..4].copy_from_slice(&pairs[lane % 4][lane / 4 * 4..][..4]);
        }
    }
}

/// Writes the 81 digits of a solution, two rows at once.
#[inline]
#[target_feature(enable = "avx2")]
fn write_solution(words: &LaneWords, cells: &mut [u8; CELLS]) {
    // Lines 0 and 1, and line 2 twice.
    let (two_lines, last_line) = (load_words(&words.0[..8]), load_words_twice(&words.0[8..12]));
    // Two rows of each band, then the third row of the first two bands, then the third row of the last band.
    let mut digits = [_mm256_set1_epi8(1); 5];
    for (RowBits { byte, bit }, weight) in ROW_BITS.iter().zip(WEIGHTS) {
        for band in 0..3 {
            digits[band] = add_bit(digits[band], two_lines, twice(&byte[band]), twice(&bit[band]), weight);
        }
        let (two_bytes, two_bits) = (load_bytes(byte.as_flattened()), load_bytes(bit.as_flattened()));
        digits[3] = add_bit(digits[3], last_line, two_bytes, two_bits, weight);
        digits[4] = add_bit(digits[4], last_line, twice(&byte[2]), twice(&bit[2]), weight);
    }
    let last_rows = [
        _mm256_castsi256_si128(digits[3]),
        _mm256_extracti128_si256::<1>(digits[3]),
        _mm256_castsi256_si128(digits[4]),
    ];
    for band in 0..3 {
        store_row(cells, 3 * band, _mm256_castsi256_si128(digits[band]));
        store_row(cells, 3 * band + 1, _mm256_extracti128_si256::<1>(digits[band]));
        store_row(cells, 3 * band + 2, last_rows[band]);
    }
}

/// Adds a weight to the digits of the cells that have a bit in their byte.
#[inline]
#[target_feature(enable = "avx2")]
fn add_bit(digits: __m256i, lines: __m256i, byte: __m256i, bit: __m256i, weight: u8) -> __m256i {
    let set = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(lines, byte), bit), bit);
    _mm256_add_epi8(digits, _mm256_and_si256(set, _mm256_set1_epi8(weight.cast_signed())))
}

/// The three words of place `3 * i + j`.
///
/// The cells at that place of the nine boxes are repeated three times, once for each `d1`: a byte for each bit of a
/// word.
///
/// # Safety
///
/// The CPU has AVX2.
#[inline(always)]
unsafe fn words_of_place(puzzle: &[u8; CELLS], place: usize) -> [u32; 3] {
    let mut words = [0; 3];
    // SAFETY: the CPU has the instructions, and all reads are within the arrays.
    unsafe {
        let mut cells = _mm256_setzero_si256();
        for band in 0..3 {
            let eight = &puzzle[START_OF_BAND[band] + 9 * (place / 3) + place % 3..][..8];
            let eight = _mm256_broadcastq_epi64(_mm_loadl_epi64(eight.as_ptr().cast()));
            let index = load_bytes(&CELLS_OF_BAND[band]);
            cells = _mm256_or_si256(cells, _mm256_shuffle_epi8(eight, index));
        }
        let blank = _mm256_cmpeq_epi8(cells, load_bytes(&BLANK));
        for d0 in 0..3 {
            let clue = _mm256_cmpeq_epi8(cells, load_bytes(&CLUE[d0]));
            words[d0] = _mm256_movemask_epi8(_mm256_or_si256(blank, clue)) as u32;
        }
    }
    words
}

/// Loads 32 bytes of a slice.
#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(bytes: &[u8]) -> __m256i {
    let bytes = &bytes[..32];
    // SAFETY: 32 bytes can be read.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The same sixteen bytes in both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn twice(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: sixteen bytes can be read.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

/// Loads eight words of a slice.
#[inline]
#[target_feature(enable = "avx2")]
fn load_words(words: &[u32]) -> __m256i {
    let words = &words[..8];
    // SAFETY: eight words can be read.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// Loads four words of a slice into both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn load_words_twice(words: &[u32]) -> __m256i {
    let words = &words[..4];
    // SAFETY: four words can be read.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
}

/// Stores eight words.
#[inline]
#[target_feature(enable = "avx2")]
fn store(words: &mut [u32; 8], vector: __m256i) {
    // SAFETY: eight words can be written.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) }
}

/// Eight cells from here on, moved by a place, include the band's cells at that place. For the last band they start one
/// cell early, to end with the puzzle.
const START_OF_BAND: [usize; 3] = [0, 27, 54 - 1];

/// For each band and each bit of a word: the index of its cell among those eight, or a byte with the highest bit, which
/// selects 0, if the cell is in another band.
static CELLS_OF_BAND: [[u8; 32]; 3] = {
    let mut table = [[1 << 7; 32]; 3];
    let mut bit = 0;
    while bit < 27 {
        let band = bit % 9 / 3;
        table[band][bit] = (27 * band + 3 * (bit % 3) - START_OF_BAND[band]) as u8;
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

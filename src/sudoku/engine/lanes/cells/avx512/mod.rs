//! Reads sixteen puzzles at once into AVX-512 vectors, and writes solutions from them.
//!
//! To be read, a puzzle is packed into half bytes, one for each cell, in twelve words. The packed words of sixteen
//! puzzles are a square matrix. It is transposed, so that each cell is then looked up for all puzzles at once. The two
//! vector types pack a puzzle and write a solution in different ways: [`bw`] moves bytes within quarters of a register,
//! [`vbmi`] moves them anywhere.
#![expect(unsafe_code, reason = "a value of the vector type is the proof that the CPU has the instructions")]

mod bw;
mod vbmi;

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::super::layout::{BAND, CELLS, STACK, WORDS};
use super::super::vector::avx512::{Avx512, Avx512Bw, SixteenLanes};
use super::super::vector::{LaneSet, MAX_LANES};
use super::{CellVector, LaneWords};

macro_rules! cell_vector {
    ($($name:ident: $module:ident)+) => {$(
        impl CellVector for $name {
            #[inline(always)]
            fn read_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [$name; WORDS]) {
                // SAFETY: a value of the type exists, so the CPU has the instructions.
                unsafe {
                    let mut packed = [_mm512_setzero_si512(); 16];
                    for (packed, puzzle) in packed.iter_mut().zip(puzzles) {
                        prefetch_after(puzzle);
                        *packed = $module::pack(puzzle);
                    }
                    unpack(&mut packed, words);
                }
            }

            #[inline(always)]
            fn gather(words: &[$name; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
                // SAFETY: values of the type exist, so the CPU has the instructions.
                unsafe { $module::gather(words, lanes, gathered) }
            }

            #[inline(always)]
            fn write_solution(self, words: &LaneWords, cells: &mut [u8; CELLS]) {
                // SAFETY: a value of the type exists, so the CPU has the instructions.
                unsafe { $module::write_solution(words, cells) }
            }
        }
    )+};
}

cell_vector!(Avx512: vbmi Avx512Bw: bw);

/// The start of the last 64 of the 81 cells. Together with the first 64 they are all cells.
const LAST_START: usize = CELLS - 64;

/// Prefetches the puzzle two vectors of puzzles later. If puzzles are adjacent in memory, it is read soon; if not, the
/// prefetch does no harm.
#[inline]
#[target_feature(enable = "avx512f")]
fn prefetch_after(puzzle: &[u8; CELLS]) {
    let ahead = puzzle.as_ptr().wrapping_add(2 * 16 * CELLS);
    _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
    _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(CELLS - 1).cast());
}

/// The index of a cell's half byte in the sixteen words of a packed puzzle.
///
/// Each band has four words. A word `j` of the first three has the cells `(i, j)` of the three stacks: two half bytes
/// for the lines 0 and 1 of each stack, then two for line 2 of the first two stacks. Line 2 of the last stack is in the
/// fourth word, a byte for each `j`.
const fn half_byte(i: usize, j: usize, b: usize, s: usize) -> usize {
    match (i, s) {
        (0 | 1, _) => 8 * (4 * b + j) + 2 * s + i,
        (_, 2) => 8 * (4 * b + 3) + 2 * j,
        _ => 8 * (4 * b + j) + 6 + s,
    }
}

/// Sets each lane's words to the candidates of its packed puzzle.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn unpack<V: SixteenLanes>(packed: &mut [__m512i; 16], words: &mut [V; WORDS]) {
    transpose(packed);
    let candidates = [load_words(&CANDIDATES[0]), load_words(&CANDIDATES[1]), load_words(&CANDIDATES[2])];
    for (place, triple) in words.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        let mut bands = [_mm512_setzero_si512(); 3];
        for band in 0..3 {
            for s in 0..3 {
                let half_byte = half_byte(place / 3, place % 3, band, s);
                let shift = _mm512_set1_epi32((4 * (half_byte as u32 % 8)).cast_signed());
                let cells = _mm512_srlv_epi32(packed[half_byte / 8], shift);
                // The instruction ignores all but the low four bits of an index.
                bands[band] = _mm512_or_si512(bands[band], _mm512_permutexvar_epi32(cells, candidates[s]));
            }
        }
        for (word, joined) in triple.iter_mut().zip(words_of_bands(bands)) {
            word.set_register(joined);
        }
    }
}

/// For each stack and value, the candidates of a cell in a band, with `d0` at the place of the band in a word.
static CANDIDATES: [[u32; 16]; 3] = {
    let mut table = [[0; 16]; 3];
    let mut n = 0;
    while n < 3 * 10 {
        let (s, value) = (n / 10, n % 10);
        table[s][value] = if value == 0 { STACK << s } else { 1 << (3 * (value - 1) + s) };
        n += 1;
    }
    table
};

/// Converts candidates by `d1`, `d0` and stack, for each band, to candidates by `d1`, band and stack, for each `d0`.
///
/// ```text
///     bands[0]   d0 = 2 | d0 = 1 | d0 = 0          words[0]    b = 2 |  b = 1 |  b = 0
///     bands[1]   d0 = 2 | d0 = 1 | d0 = 0    ->    words[1]    b = 2 |  b = 1 |  b = 0
///     bands[2]   d0 = 2 | d0 = 1 | d0 = 0          words[2]    b = 2 |  b = 1 |  b = 0
/// ```
#[inline]
#[target_feature(enable = "avx512f")]
fn words_of_bands(bands: [__m512i; 3]) -> [__m512i; 3] {
    let [top, middle, bottom] = bands;
    [
        join_bands(top, _mm512_slli_epi32::<3>(middle), _mm512_slli_epi32::<6>(bottom)),
        join_bands(_mm512_srli_epi32::<3>(top), middle, _mm512_slli_epi32::<3>(bottom)),
        join_bands(_mm512_srli_epi32::<6>(top), _mm512_srli_epi32::<3>(middle), bottom),
    ]
}

/// Joins words: the result takes each band from another word.
#[inline]
#[target_feature(enable = "avx512f")]
fn join_bands(top: __m512i, middle: __m512i, bottom: __m512i) -> __m512i {
    // For each bit, the second operand if the first is 1, else the third.
    const SELECT: i32 = 0b1100_1010;
    let [is_middle, is_bottom] =
        [_mm512_set1_epi32((BAND << 3).cast_signed()), _mm512_set1_epi32((BAND << 6).cast_signed())];
    let two = _mm512_ternarylogic_epi32::<SELECT>(is_middle, middle, top);
    _mm512_ternarylogic_epi32::<SELECT>(is_bottom, bottom, two)
}

/// Loads 64 bytes of a slice.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_bytes(bytes: &[u8], start: usize) -> __m512i {
    let bytes = &bytes[start..start + 64];
    // SAFETY: 64 bytes can be read.
    unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
}

/// Stores 64 bytes to a slice.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_bytes(bytes: &mut [u8], start: usize, vector: __m512i) {
    let bytes = &mut bytes[start..start + 64];
    // SAFETY: 64 bytes can be written.
    unsafe { _mm512_storeu_epi8(bytes.as_mut_ptr().cast(), vector) }
}

/// Loads sixteen words of a slice.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_words(words: &[u32]) -> __m512i {
    let words = &words[..16];
    // SAFETY: sixteen words can be read.
    unsafe { _mm512_loadu_epi32(words.as_ptr().cast()) }
}

/// Stores sixteen words to a slice.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(words: &mut [u32], vector: __m512i) {
    let words = &mut words[..16];
    // SAFETY: sixteen words can be written.
    unsafe { _mm512_storeu_epi32(words.as_mut_ptr().cast(), vector) }
}

/// Transposes 16 by 16 words: first each square of 4 by 4 words, then the 4 by 4 squares.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose(square: &mut [__m512i; 16]) {
    for n in (0..16).step_by(4) {
        let [a, b, c, d] = [square[n], square[n + 1], square[n + 2], square[n + 3]];
        let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
        square[n] = _mm512_unpacklo_epi64(ab, cd);
        square[n + 1] = _mm512_unpackhi_epi64(ab, cd);
        let (ab, cd) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
        square[n + 2] = _mm512_unpacklo_epi64(ab, cd);
        square[n + 3] = _mm512_unpackhi_epi64(ab, cd);
    }
    for n in 0..4 {
        let quarters = transpose_quarters([square[n], square[n + 4], square[n + 8], square[n + 12]]);
        for m in 0..4 {
            square[n + 4 * m] = quarters[m];
        }
    }
}

/// Transposes 8 by 8 pairs of words.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_pairs(rows: &[__m512i; 8]) -> [__m512i; 8] {
    let mut columns = *rows;
    let [mut even, mut odd] = [[rows[0]; 4]; 2];
    for n in 0..4 {
        even[n] = _mm512_unpacklo_epi64(rows[2 * n], rows[2 * n + 1]);
        odd[n] = _mm512_unpackhi_epi64(rows[2 * n], rows[2 * n + 1]);
    }
    let [even, odd] = [transpose_quarters(even), transpose_quarters(odd)];
    for n in 0..4 {
        columns[2 * n] = even[n];
        columns[2 * n + 1] = odd[n];
    }
    columns
}

/// Transposes 4 by 4 quarters of vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_quarters(rows: [__m512i; 4]) -> [__m512i; 4] {
    // The quarters 0 and 2 of both operands, and the quarters 1 and 3.
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;
    let [a, b, c, d] = rows;
    let (even, other_even) = (_mm512_shuffle_i32x4::<EVEN>(a, b), _mm512_shuffle_i32x4::<EVEN>(c, d));
    let (odd, other_odd) = (_mm512_shuffle_i32x4::<ODD>(a, b), _mm512_shuffle_i32x4::<ODD>(c, d));
    [
        _mm512_shuffle_i32x4::<EVEN>(even, other_even),
        _mm512_shuffle_i32x4::<EVEN>(odd, other_odd),
        _mm512_shuffle_i32x4::<ODD>(even, other_even),
        _mm512_shuffle_i32x4::<ODD>(odd, other_odd),
    ]
}

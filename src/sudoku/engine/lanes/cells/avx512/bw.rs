//! Without VBMI and GFNI: bytes are moved only within quarters of a register, and each quarter has a row.

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::super::super::layout::{CELLS, WORDS};
use super::super::super::vector::avx512::{Avx512Bw, SixteenLanes};
use super::super::super::vector::{LaneSet, MAX_LANES};
use super::super::LaneWords;
use super::super::x86_rows::{ROW_BITS, WEIGHTS, load_row, row_start, solution_bits, store_row};
use super::{half_byte, load_bytes, load_words, store_words, transpose};

/// Packs the cells of a puzzle, four bits each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn pack(puzzle: &[u8; CELLS]) -> __m512i {
    let mut halves = [_mm512_setzero_si512(); 2];
    for i in 0..3 {
        let rows = _mm512_zextsi128_si512(load_row(puzzle, i));
        let rows = _mm512_inserti32x4::<1>(rows, load_row(puzzle, 3 + i));
        let rows = _mm512_inserti32x4::<2>(rows, load_row(puzzle, 6 + i));
        for (half, index) in halves.iter_mut().zip(&CELL_OF_HALF[i]) {
            *half = _mm512_or_si512(*half, _mm512_shuffle_epi8(rows, load_bytes(index, 0)));
        }
    }
    _mm512_or_si512(halves[0], _mm512_slli_epi16::<4>(halves[1]))
}

/// For each line `i` and for the low and the high half of each byte: the index of its cell among the bytes that are loaded
/// for the row, or a byte with the highest bit, which selects 0, if the half has a cell of another line.
static CELL_OF_HALF: [[[u8; 64]; 2]; 3] = {
    let mut table = [[[1 << 7; 64]; 2]; 3];
    let mut n = 0;
    while n < CELLS {
        let (row, column) = (n / 9, n % 9);
        let (b, i, s, j) = (row / 3, row % 3, column / 3, column % 3);
        let half = half_byte(i, j, b, s);
        table[i][half % 2][half / 2] = (n - row_start(row)) as u8;
        n += 1;
    }
    table
};

/// Gathers the bits of the solutions in some lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn gather(words: &[Avx512Bw; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
    let mut square = [_mm512_setzero_si512(); 16];
    for (n, line) in solution_bits(words).iter().enumerate() {
        for m in 0..4 {
            square[4 * n + m] = line[m].register();
        }
    }
    transpose(&mut square);
    for (lane, gathered) in lanes.iter().zip(gathered) {
        store_words(&mut gathered.0[..16], square[lane]);
    }
}

/// Writes the 81 digits of a solution, the three rows of a band at once.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn write_solution(words: &LaneWords, cells: &mut [u8; CELLS]) {
    let lines = load_words(&words.0[..16]);
    for band in 0..3 {
        let mut digits = _mm512_set1_epi8(1);
        for (bits, weight) in ROW_BITS.iter().zip(WEIGHTS) {
            let bytes = _mm512_shuffle_epi8(lines, in_each_quarter(&bits.byte[band]));
            let set = _mm512_test_epi8_mask(bytes, in_each_quarter(&bits.bit[band]));
            digits = _mm512_mask_add_epi8(digits, set, digits, _mm512_set1_epi8(weight.cast_signed()));
        }
        store_row(cells, 3 * band, _mm512_castsi512_si128(digits));
        store_row(cells, 3 * band + 1, _mm512_extracti32x4_epi32::<1>(digits));
        store_row(cells, 3 * band + 2, _mm512_extracti32x4_epi32::<2>(digits));
    }
}

/// The same sixteen bytes in each quarter.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_each_quarter(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: sixteen bytes can be read.
    _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

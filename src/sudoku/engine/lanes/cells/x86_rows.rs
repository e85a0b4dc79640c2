//! Rows of cells, for vector types of x86 that read a puzzle or write a solution row by row. The nine cells of a row
//! are bytes of an SSE register, which every x86-64 CPU has; a solution is given as bits of cells, which the types
//! expand to bytes.
//!
//! A digit is the sum `1 + d0 + 3 * d1`, given by four bits: `d0` is 1, `d0` is 2, `d1` is 1, `d1` is 2. The bits of a
//! solution fill twelve words, four for each line `i` of the boxes. Each place `(i, j)` has a word with a byte for each
//! bit of a digit, and the byte has a bit for each of the first eight boxes; the fourth word has the last box of all
//! three places. So the three rows with this line are written from only four words, sixteen bytes: [`ROW_BITS`] has the
//! place of each of their bits.
#![expect(unsafe_code, reason = "intrinsics that take pointers")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::super::layout::{CELLS, WORDS, word};
use super::super::vector::Vector;

/// The first of the sixteen bytes that are loaded for a row. They start with the row, except that the bytes of the last
/// row end with it.
pub(super) const fn row_start(row: usize) -> usize {
    if row == 8 { CELLS - 16 } else { 9 * row }
}

/// Loads a row, with other cells before or after it.
#[inline(always)]
pub(super) fn load_row(cells: &[u8; CELLS], row: usize) -> __m128i {
    let bytes = &cells[row_start(row)..][..16];
    // SAFETY: sixteen bytes can be read.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Stores the first nine bytes as a row. The bytes after them overwrite the start of the next row, if there is one.
#[inline(always)]
pub(super) fn store_row(cells: &mut [u8; CELLS], row: usize, digits: __m128i) {
    if row == 8 {
        let [bytes @ .., last] = &mut cells[9 * row..] else { unreachable!("nine cells") };
        let bytes = &mut bytes[..8];
        // SAFETY: eight bytes can be written.
        unsafe {
            _mm_storel_epi64(bytes.as_mut_ptr().cast(), digits);
            *last = _mm_extract_epi16::<4>(digits) as u8;
        }
    } else {
        let bytes = &mut cells[9 * row..][..16];
        // SAFETY: sixteen bytes can be written.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), digits) }
    }
}

/// The amount that each of the four bits adds to a digit.
pub(super) const WEIGHTS: [u8; 4] = [1, 2, 3, 6];

/// For each of the four bits: the number of its byte in the word of a place.
const BYTE: [usize; 4] = [0, 3, 1, 2];

/// For each of the four bits: the number of its bit in the word of the last box, for the first place.
const LAST_BOX: [usize; 4] = [8, 9, 17, 26];

/// For each row of a band, the place of one of the four bits of its digits, cell by cell.
pub(super) struct RowBits {
    /// The byte among the sixteen of the row's line. After the nine cells, an index out of range, which selects 0.
    pub(super) byte: [[u8; 16]; 3],
    /// The bit in it.
    pub(super) bit: [[u8; 16]; 3],
}

/// For each of the four bits.
pub(super) static ROW_BITS: [RowBits; 4] = {
    let mut table = [const { RowBits { byte: [[1 << 7; 16]; 3], bit: [[1; 16]; 3] } }; 4];
    let mut n = 0;
    while n < 4 * 27 {
        let (kind, b, s, j) = (n / 27, n / 9 % 3, n / 3 % 3, n % 3);
        let box_ = 3 * b + s;
        let place = if box_ < 8 { 8 * (4 * j + BYTE[kind]) + box_ } else { 8 * 12 + LAST_BOX[kind] + 2 * j };
        table[kind].byte[b][3 * s + j] = (place / 8) as u8;
        table[kind].bit[b][3 * s + j] = 1 << (place % 8);
        n += 1;
    }
    table
};

/// The bits of the solutions in all lanes, for each line. Lanes without a solution have arbitrary bits.
#[inline(always)]
pub(super) fn solution_bits<V: Vector>(words: &[V; WORDS]) -> [[V; 4]; 3] {
    let zero = words[0].splat(0);
    let mut lines = [[zero; 4]; 3];
    for (i, line) in lines.iter_mut().enumerate() {
        for j in 0..3 {
            let digits = [words[word(i, j, 0)], words[word(i, j, 1)], words[word(i, j, 2)]];
            let any = digits[0] | digits[1] | digits[2];
            let d0_is_1 = digits[1] | digits[1].shr::<9>() | digits[1].shr::<18>();
            let d0_is_2 = digits[2] | digits[2].shr::<9>() | digits[2].shr::<18>();
            let d1 = (any.shr::<1>() & zero.splat(0xFF00)) | (any.shr::<2>() & zero.splat(0xFF_0000));
            line[j] = (d0_is_1 & zero.splat(0xFF)) | d1 | d0_is_2.shl::<24>();
            let last_box = zero.splat(1 << 8);
            let of_last_box =
                (d0_is_1 & last_box) | (d0_is_2 & last_box).shl::<1>() | (any & zero.splat(1 << 17 | 1 << 26));
            line[3] = line[3] | of_last_box.shl_each(zero.splat(2 * j as u32));
        }
    }
    lines
}

//! How [`avx512`](super) reads puzzles and writes solutions.
//!
//! A puzzle is read by way of half bytes, one a cell: a word for each of the nine places (i, j) in the first eight
//! boxes, two more for the last box. Sixteen puzzles are a square of words, and once rows have become columns, cells are
//! looked up for all of them at once.
//!
//! A solution is written by way of squares of 8 by 8 bits: a place, with a row for each digit but 9 and a column for
//! each box but the last. Such a square is eight bytes. An instruction that takes bytes for vectors of bits, and eight of
//! them for a matrix, makes its columns bytes; then, with another matrix, each of these a digit.

#[allow(clippy::wildcard_imports, reason = "the names say where they come from")]
use std::arch::x86_64::*;

use super::super::super::layout::{BAND, STACK, WORDS};
use super::super::super::load::CELLS;
use super::super::{LaneSet, LaneWords, MOST_LANES};
use super::Avx512;

/// Where the last 64 of the 81 cells start: with the first 64 they are all.
const LAST_START: usize = CELLS - 64;

/// The number of a cell: that at place `3 * i + j` of a box.
const fn cell(place: usize, in_box: usize) -> usize {
    9 * (3 * (in_box / 3) + place / 3) + 3 * (in_box % 3) + place % 3
}

/// Makes words of at most sixteen puzzles, a puzzle a lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn read_puzzles(puzzles: &[&[u8; CELLS]], words: &mut [Avx512; WORDS]) {
    let mut packed = [_mm512_setzero_si512(); 16];
    for (packed, puzzle) in packed.iter_mut().zip(puzzles) {
        *packed = pack(puzzle);
    }
    transpose(&mut packed);
    let left = [load_words(&LEFT[0]), load_words(&LEFT[1]), load_words(&LEFT[2])];
    for (place, triple) in words.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        let mut cells = packed[place];
        let mut bands = [_mm512_setzero_si512(); 3];
        for band in 0..3 {
            for s in 0..3 {
                if (band, s) == (2, 2) {
                    cells = _mm512_srlv_epi32(
                        packed[9 + place / 8],
                        _mm512_set1_epi32((4 * (place as u32 % 8)).cast_signed()),
                    );
                }
                // Of an index only the low four bits matter.
                bands[band] = _mm512_or_si512(bands[band], _mm512_permutexvar_epi32(cells, left[s]));
                cells = _mm512_srli_epi32::<4>(cells);
            }
        }
        for (word, joined) in triple.iter_mut().zip(words_of_bands(bands)) {
            word.0 = joined;
        }
    }
}

/// The cells of a puzzle, four bits each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pack(puzzle: &[u8; CELLS]) -> __m512i {
    // What will be read after the next vectors of puzzles, if they lie in a row; if not, it does no harm.
    let ahead = puzzle.as_ptr().wrapping_add(2 * 16 * CELLS);
    _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
    _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(CELLS - 1).cast());
    let (first, last) = (load_bytes(puzzle, 0), load_bytes(puzzle, LAST_START));
    let low = _mm512_permutex2var_epi8(first, load_bytes(&CELL_OF_HALF[0], 0), last);
    let high = _mm512_permutex2var_epi8(first, load_bytes(&CELL_OF_HALF[1], 0), last);
    _mm512_or_si512(low, _mm512_slli_epi16::<4>(high))
}

/// For the low and the high half of each byte: which of the first 64 cells it is or, from 64 on, of the last.
static CELL_OF_HALF: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut n = 0;
    while n < CELLS {
        let (place, in_box) = (n / 9, n % 9);
        let half = if in_box < 8 { 8 * place + in_box } else { 8 * 9 + place };
        let cell = cell(place, in_box);
        table[half % 2][half / 2] = if cell < 64 { cell } else { cell - LAST_START + 64 } as u8;
        n += 1;
    }
    table
};

/// For each stack: the digits that each value leaves to the cell of a band, with `d0` where a word has the band.
static LEFT: [[u32; 16]; 3] = {
    let mut table = [[0; 16]; 3];
    let mut n = 0;
    while n < 3 * 10 {
        let (s, value) = (n / 10, n % 10);
        table[s][value] = if value == 0 { STACK << s } else { 1 << (3 * (value - 1) + s) };
        n += 1;
    }
    table
};

/// From candidates by `d1`, `d0` and stack for each band to those by `d1`, band and stack for each `d0`.
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

/// A word of which each part has the bits of one band.
#[inline]
#[target_feature(enable = "avx512f")]
fn join_bands(top: __m512i, middle: __m512i, bottom: __m512i) -> __m512i {
    const SELECT: i32 = 0b1100_1010;
    let [is_middle, is_bottom] =
        [_mm512_set1_epi32((BAND << 3).cast_signed()), _mm512_set1_epi32((BAND << 6).cast_signed())];
    let two = _mm512_ternarylogic_epi32::<SELECT>(is_middle, middle, top);
    _mm512_ternarylogic_epi32::<SELECT>(is_bottom, bottom, two)
}

/// Puts the words of some lanes side by side: those of the places but the last for `d0 = 0` and `d0 = 1` by turns, then
/// those for `d0 = 2` with the three of the last place in between.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn gather(words: &[Avx512; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MOST_LANES]) {
    let numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut chosen = _mm512_maskz_compress_epi32(lanes.0 as u16, numbers);
    let mut left = lanes.len();
    for eight in gathered.as_chunks_mut::<8>().0 {
        if left == 0 {
            break;
        }
        // Each lane in two words side by side: from one vector and from another.
        let twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        let pair = _mm512_or_si512(_mm512_permutexvar_epi32(twice, chosen), _mm512_set1_epi64(16 << 32));
        let [mut first, mut second] = [[numbers; 8]; 2];
        for place in 0..8 {
            let [d0_is_0, d0_is_1, d0_is_2] = [words[3 * place].0, words[3 * place + 1].0, words[3 * place + 2].0];
            first[place] = _mm512_permutex2var_epi32(d0_is_0, pair, d0_is_1);
            second[place] = _mm512_permutex2var_epi32(d0_is_2, pair, words[24 + place % 3].0);
        }
        let (first, second) = (transpose_pairs(&first), transpose_pairs(&second));
        for n in 0..8 {
            store_words(&mut eight[n].0[..16], first[n]);
            store_words(&mut eight[n].0[16..], second[n]);
        }
        chosen = _mm512_shuffle_i32x4::<0b11_10_11_10>(chosen, chosen);
        left = left.saturating_sub(8);
    }
}

/// Writes the 81 digits of a solution.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn write_solution(words: &LaneWords, cells: &mut [u8; CELLS]) {
    let (first, second) = (load_words(&words.0[..16]), load_words(&words.0[16..]));
    let columns = _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed());
    let places = _mm512_gf2p8affine_epi64_epi8::<0>(columns, rows(first, second, load_bytes(&FIELDS[0], 0)));
    // The last box is the first column of fields that start with it.
    let ninth = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi8(1), rows(first, second, load_bytes(&FIELDS[1], 0)));
    let first = _mm512_permutexvar_epi32(_mm512_set1_epi64(3 << 32 | 1), second);
    let second = _mm512_permutexvar_epi32(_mm512_set1_epi64(5), second);
    let last = _mm512_gf2p8affine_epi64_epi8::<0>(columns, rows(first, second, load_bytes(&FIELDS[2], 0)));
    let places = digits(places);
    let others = digits(_mm512_mask_mov_epi8(ninth, LAST_PLACE, last));
    for start in [0, LAST_START] {
        let order = load_bytes(&CELL_AT, start);
        store_bytes(cells, start, _mm512_permutex2var_epi8(places, order, others));
    }
}

/// The squares of eight places: eight bits of each digit but 9, from where `fields` start. The last two digits come from
/// `second`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn rows(first: __m512i, second: __m512i, fields: __m512i) -> __m512i {
    let six = _mm512_multishift_epi64_epi8(fields, first);
    _mm512_mask_multishift_epi64_epi8(six, 0xC0C0_C0C0_C0C0_C0C0, fields, second)
}

/// The digits that columns stand for: 9 where no other digit is, otherwise its difference to 9.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn digits(columns: __m512i) -> __m512i {
    const MATRIX: u64 = {
        let mut matrix = 0;
        let mut n = 0;
        while n < 8 * 4 {
            let (row, bit) = (n / 4, n % 4);
            let digit = 3 * (row % 3) + row / 3 + 1;
            // Of matrices the last byte comes first, and so does the last row of a column.
            matrix |= (((digit ^ 9) >> bit & 1) as u64) << (8 * (7 - bit) + 7 - row);
            n += 1;
        }
        matrix
    };
    _mm512_gf2p8affine_epi64_epi8::<9>(columns, _mm512_set1_epi64(MATRIX.cast_signed()))
}

/// Where fields of eight boxes start, in words side by side: the first eight boxes, the last box and what follows it, and
/// the last place, for which eight number 2 has the last box and the others have the rest.
static FIELDS: [[u8; 64]; 3] = {
    let mut table = [[0; 64]; 3];
    let mut n = 0;
    while n < 64 {
        let row = n % 8;
        let start = (9 * (row % 3) + 32 * (row / 3 % 2)) as u8;
        table[0][n] = start;
        table[1][n] = start + 8;
        table[2][n] = if n / 8 == 2 { start + 8 } else { start };
        n += 1;
    }
    table
};

/// The bytes that the last place has among those of the last box.
const LAST_PLACE: u64 = {
    let mut set = 0;
    let mut in_box = 0;
    while in_box < 9 {
        set |= 1 << byte_of_last_place(in_box);
        in_box += 1;
    }
    set
};

/// Where the cell at the last place of a box is: seven are columns of the first eight, two of the next two.
const fn byte_of_last_place(in_box: usize) -> usize {
    in_box + 8 * (in_box / 7)
}

/// For each cell: where it is in the bytes of the first eight boxes and places or, from 64 on, among the others.
static CELL_AT: [u8; CELLS] = {
    let mut table = [0; CELLS];
    let mut n = 0;
    while n < CELLS {
        let (place, in_box) = (n / 9, n % 9);
        let byte = if place == 8 {
            64 + byte_of_last_place(in_box)
        } else if in_box == 8 {
            // Any byte of the place's eight that the last place does not have.
            64 + 8 * place + if place == 0 { 7 } else { 1 }
        } else {
            8 * place + in_box
        };
        table[cell(place, in_box)] = byte as u8;
        n += 1;
    }
    table
};

/// Makes rows columns: first of each square of 4 by 4 words, then of the 4 by 4 squares.
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

/// Makes rows of eight pairs of words columns.
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

/// Makes rows of four quarters columns.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_quarters(rows: [__m512i; 4]) -> [__m512i; 4] {
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

/// 64 bytes of a slice.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_bytes(bytes: &[u8], start: usize) -> __m512i {
    let bytes = &bytes[start..start + 64];
    // SAFETY: 64 bytes can be read.
    unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
}

/// Sets 64 bytes of a slice.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_bytes(bytes: &mut [u8], start: usize, vector: __m512i) {
    let bytes = &mut bytes[start..start + 64];
    // SAFETY: 64 bytes can be written.
    unsafe { _mm512_storeu_epi8(bytes.as_mut_ptr().cast(), vector) }
}

/// Sixteen words of a slice.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_words(words: &[u32]) -> __m512i {
    let words = &words[..16];
    // SAFETY: sixteen words can be read.
    unsafe { _mm512_loadu_epi32(words.as_ptr().cast()) }
}

/// Sets sixteen words of a slice.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(words: &mut [u32], vector: __m512i) {
    let words = &mut words[..16];
    // SAFETY: sixteen words can be written.
    unsafe { _mm512_storeu_epi32(words.as_mut_ptr().cast(), vector) }
}

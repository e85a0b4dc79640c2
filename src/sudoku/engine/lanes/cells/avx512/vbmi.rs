//! With VBMI and GFNI: bytes are moved across a register, and squares of bits transposed.
//!
//! A solution is written from squares of 8 by 8 bits: one for each place, with a row for each digit but 9 and a column
//! for each box but the last. Such a square is eight bytes. The GFNI instruction for affine maps multiplies a matrix of
//! 8 by 8 bits by bytes: one such product turns the columns of the square into bytes, another turns each of these bytes
//! into a digit.

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::super::super::layout::{CELLS, WORDS};
use super::super::super::vector::avx512::{Avx512, SixteenLanes};
use super::super::super::vector::{LaneSet, MAX_LANES};
use super::super::LaneWords;
use super::{LAST_START, half_byte, load_bytes, load_words, store_bytes, store_words, transpose_pairs};

/// The cell at place `3 * i + j` of a box.
const fn cell(place: usize, box_: usize) -> usize {
    9 * (3 * (box_ / 3) + place / 3) + 3 * (box_ % 3) + place % 3
}

/// Packs the cells of a puzzle, four bits each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn pack(puzzle: &[u8; CELLS]) -> __m512i {
    let (first, last) = (load_bytes(puzzle, 0), load_bytes(puzzle, LAST_START));
    let low = _mm512_permutex2var_epi8(first, load_bytes(&CELL_OF_HALF[0], 0), last);
    let high = _mm512_permutex2var_epi8(first, load_bytes(&CELL_OF_HALF[1], 0), last);
    _mm512_or_si512(low, _mm512_slli_epi16::<4>(high))
}

/// For the low and the high half of each byte: the index of its cell among the first 64 or, from 64 on, the last 64.
static CELL_OF_HALF: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut n = 0;
    while n < CELLS {
        let (place, box_) = (n / 9, n % 9);
        let half = half_byte(place / 3, place % 3, box_ / 3, box_ % 3);
        let cell = cell(place, box_);
        table[half % 2][half / 2] = if cell < 64 { cell } else { cell - LAST_START + 64 } as u8;
        n += 1;
    }
    table
};

/// Gathers the words of some lanes. For all places but the last, first the words for `d0 = 0` and `d0 = 1`,
/// alternately, then the words for `d0 = 2`, alternately with the three words of the last place.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn gather(words: &[Avx512; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
    let numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut chosen = _mm512_maskz_compress_epi32(lanes.0 as u16, numbers);
    let mut left = lanes.len();
    for eight in gathered.as_chunks_mut::<8>().0 {
        if left == 0 {
            break;
        }
        // Each lane number twice, to take a word from one vector and a word from another.
        let twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        let pair = _mm512_or_si512(_mm512_permutexvar_epi32(twice, chosen), _mm512_set1_epi64(16 << 32));
        let [mut first, mut second] = [[numbers; 8]; 2];
        for place in 0..8 {
            let [d0_is_0, d0_is_1, d0_is_2] =
                [words[3 * place].register(), words[3 * place + 1].register(), words[3 * place + 2].register()];
            first[place] = _mm512_permutex2var_epi32(d0_is_0, pair, d0_is_1);
            second[place] = _mm512_permutex2var_epi32(d0_is_2, pair, words[24 + place % 3].register());
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
    // The last box is the first column of the fields that start with it.
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

/// The squares of eight places: for each digit but 9, the eight bits that start at its field. The bits of the last two
/// digits come from `second`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn rows(first: __m512i, second: __m512i, fields: __m512i) -> __m512i {
    let six = _mm512_multishift_epi64_epi8(fields, first);
    _mm512_mask_multishift_epi64_epi8(six, 0xC0C0_C0C0_C0C0_C0C0, fields, second)
}

/// The digits of the columns. A column without a bit is a 9; the bit of another digit adds the difference to 9.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn digits(columns: __m512i) -> __m512i {
    const MATRIX: u64 = {
        let mut matrix = 0;
        let mut n = 0;
        while n < 8 * 4 {
            let (row, bit) = (n / 4, n % 4);
            let digit = 3 * (row % 3) + row / 3 + 1;
            // The last byte of a matrix comes first, and so does the last row of a column.
            matrix |= (((digit ^ 9) >> bit & 1) as u64) << (8 * (7 - bit) + 7 - row);
            n += 1;
        }
        matrix
    };
    _mm512_gf2p8affine_epi64_epi8::<9>(columns, _mm512_set1_epi64(MATRIX.cast_signed()))
}

/// The starts of the fields of eight boxes in adjacent words: first the fields of the first eight boxes, then the
/// fields of the last box with the bits that follow it. The last table is for the last place: its third group of eight
/// has the last box, the rest have the first eight boxes.
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

/// The bytes of the last place among the bytes of the last box.
const LAST_PLACE: u64 = {
    let mut set = 0;
    let mut box_ = 0;
    while box_ < 9 {
        set |= 1 << byte_of_last_place(box_);
        box_ += 1;
    }
    set
};

/// The byte of the cell at the last place of a box: boxes 0 to 6 are in the first eight bytes, 7 and 8 in the next two
/// eights.
const fn byte_of_last_place(box_: usize) -> usize {
    box_ + 8 * (box_ / 7)
}

/// For each cell, the index of its byte: below 64 among the first eight boxes and places, from 64 on among the
/// remaining bytes.
static CELL_AT: [u8; CELLS] = {
    let mut table = [0; CELLS];
    let mut n = 0;
    while n < CELLS {
        let (place, box_) = (n / 9, n % 9);
        let byte = if place == 8 {
            64 + byte_of_last_place(box_)
        } else if box_ == 8 {
            // Any of the place's eight bytes that the last place does not use.
            64 + 8 * place + if place == 0 { 7 } else { 1 }
        } else {
            8 * place + box_
        };
        table[cell(place, box_)] = byte as u8;
        n += 1;
    }
    table
};

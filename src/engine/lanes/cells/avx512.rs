//! Reads sixteen puzzles at once into AVX-512 vectors, and writes solutions from them.
//!
//! To be read, a puzzle is packed into half bytes, one a cell: a word for each of the nine places (i, j) in the first
//! eight boxes, and two words for the last box. The packed words of sixteen puzzles are a square matrix. It is
//! transposed, and then each cell is looked up for all puzzles at once.
//!
//! A solution is written from squares of 8 by 8 bits: one for each place, with a row for each digit but 9 and a column
//! for each box but the last. Such a square is eight bytes. The GFNI instruction for affine maps multiplies a matrix of
//! 8 by 8 bits by bytes: one such product turns the columns of the square into bytes, another turns each of these bytes
//! into a digit.
#![expect(unsafe_code, reason = "a value of the vector type is the proof that the CPU has the instructions")]

mod transpose;

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use self::transpose::{transpose, transpose_pairs};
use super::super::layout::{BAND, CELLS, STACK, WORDS};
use super::super::vector::avx512::Avx512;
use super::super::vector::{LaneSet, MAX_LANES};
use super::{CellVector, LaneWords};

impl CellVector for Avx512 {
    #[inline(always)]
    fn read_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [Avx512; WORDS]) {
        // SAFETY: a value of the type exists, so the CPU has the instructions.
        unsafe { read_puzzles(puzzles, words) }
    }

    #[inline(always)]
    fn gather(words: &[Avx512; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
        // SAFETY: values of the type exist, so the CPU has the instructions.
        unsafe { gather(words, lanes, gathered) }
    }

    #[inline(always)]
    fn write_solution(self, words: &LaneWords, cells: &mut [u8; CELLS]) {
        // SAFETY: a value of the type exists, so the CPU has the instructions.
        unsafe { write_solution(words, cells) }
    }
}

/// The start of the last 64 of the 81 cells. The first 64 cells and these are all cells.
const LAST_START: usize = CELLS - 64;

/// The cell at place `3 * i + j` of a box.
const fn cell(place: usize, box_: usize) -> usize {
    9 * (3 * (box_ / 3) + place / 3) + 3 * (box_ % 3) + place % 3
}

/// Reads at most sixteen puzzles, one a lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn read_puzzles(puzzles: &[&[u8; CELLS]], words: &mut [Avx512; WORDS]) {
    let mut packed = [_mm512_setzero_si512(); 16];
    for (packed, puzzle) in packed.iter_mut().zip(puzzles) {
        *packed = pack(puzzle);
    }
    transpose(&mut packed);
    let candidates = [load_words(&CANDIDATES[0]), load_words(&CANDIDATES[1]), load_words(&CANDIDATES[2])];
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
                // The instruction ignores all but the low four bits of an index.
                bands[band] = _mm512_or_si512(bands[band], _mm512_permutexvar_epi32(cells, candidates[s]));
                cells = _mm512_srli_epi32::<4>(cells);
            }
        }
        for (word, joined) in triple.iter_mut().zip(words_of_bands(bands)) {
            word.set_register(joined);
        }
    }
}

/// Packs the cells of a puzzle, four bits each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pack(puzzle: &[u8; CELLS]) -> __m512i {
    // If puzzles are side by side in memory, this is read after the next vectors of puzzles; if not, it does no harm.
    let ahead = puzzle.as_ptr().wrapping_add(2 * 16 * CELLS);
    _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
    _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(CELLS - 1).cast());
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
        let half = if box_ < 8 { 8 * place + box_ } else { 8 * 9 + place };
        let cell = cell(place, box_);
        table[half % 2][half / 2] = if cell < 64 { cell } else { cell - LAST_START + 64 } as u8;
        n += 1;
    }
    table
};

/// For each stack and value: the candidates of a cell in a band, with `d0` in the place where a word has the band.
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

/// Joins words: the result has the bits of each band from another word.
#[inline]
#[target_feature(enable = "avx512f")]
fn join_bands(top: __m512i, middle: __m512i, bottom: __m512i) -> __m512i {
    const SELECT: i32 = 0b1100_1010;
    let [is_middle, is_bottom] =
        [_mm512_set1_epi32((BAND << 3).cast_signed()), _mm512_set1_epi32((BAND << 6).cast_signed())];
    let two = _mm512_ternarylogic_epi32::<SELECT>(is_middle, middle, top);
    _mm512_ternarylogic_epi32::<SELECT>(is_bottom, bottom, two)
}

/// Gathers the words of some lanes. Of all places but the last, first the words for `d0 = 0` and `d0 = 1`, alternately,
/// then those for `d0 = 2`, alternately with the three words of the last place.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn gather(words: &[Avx512; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
    let numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut chosen = _mm512_maskz_compress_epi32(lanes.0 as u16, numbers);
    let mut left = lanes.len();
    for eight in gathered.as_chunks_mut::<8>().0 {
        if left == 0 {
            break;
        }
        // Each lane number twice, side by side: to take a word from one vector and a word from another.
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
fn write_solution(words: &LaneWords, cells: &mut [u8; CELLS]) {
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

/// The squares of eight places: for each digit but 9 the eight bits that start at its field. The bits of the last two
/// digits come from `second`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn rows(first: __m512i, second: __m512i, fields: __m512i) -> __m512i {
    let six = _mm512_multishift_epi64_epi8(fields, first);
    _mm512_mask_multishift_epi64_epi8(six, 0xC0C0_C0C0_C0C0_C0C0, fields, second)
}

/// The digits that columns stand for: 9 for a column without a bit; the bit of another digit adds its difference to 9.
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

/// The starts of fields of eight boxes in words side by side. First those of the first eight boxes, then those of the
/// last box with the bits that follow it. In the last table, for the last place, eight number 2 has the last box and the
/// others have the first eight.
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

/// The bytes of the last place among those of the last box.
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

/// For each cell: the index of its byte among the first eight boxes and places or, from 64 on, among the others.
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

//! Transposes square matrices of words in AVX-512 registers.

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

/// Transposes 16 by 16 words: first each square of 4 by 4 words, then the 4 by 4 squares.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn transpose(square: &mut [__m512i; 16]) {
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
pub(super) fn transpose_pairs(rows: &[__m512i; 8]) -> [__m512i; 8] {
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

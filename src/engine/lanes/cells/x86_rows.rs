//! Moves rows of nine cells between memory and the sixteen bytes of an SSE register, which every x86-64 CPU has.
#![expect(unsafe_code, reason = "intrinsics that take pointers")]

#[allow(clippy::wildcard_imports, reason = "the names of intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::super::layout::CELLS;

/// The first of the sixteen bytes that are loaded for a row. Those of the last row end with it, the others start with the
/// row.
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

/// Stores the first nine bytes as a row. The start of the next row, if there is one, is overwritten with the others.
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

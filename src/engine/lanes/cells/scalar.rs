//! Converts one puzzle from cells to candidates, and one solution back to cells.

use wide::u32x4;

use super::super::layout::{BOX, CELLS, WORDS, word};

/// The candidates of a puzzle of 81 values from 0 to 9: all digits for a blank, one digit for a clue.
#[inline(always)]
pub(in super::super) fn read_puzzle(puzzle: &[u8; CELLS]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for i in 0..3 {
        for j in 0..3 {
            // The three words of a place, built from the last box to the first.
            let mut triple = u32x4::splat(0);
            for box_ in (0..9).rev() {
                let value = puzzle[9 * (3 * (box_ / 3) + i) + 3 * (box_ % 3) + j];
                triple = (triple << 1) | CANDIDATES[usize::from(value)];
            }
            words[word(i, j, 0)..][..3].copy_from_slice(&triple.as_array()[..3]);
        }
    }
    words
}

/// For each value, the candidates of a cell of the top left box, in three words.
static CANDIDATES: [u32x4; 10] = {
    let mut table = [u32x4::new([BOX, BOX, BOX, 0]); 10];
    let mut value = 1;
    while value < 10 {
        let mut words = [0; 4];
        words[(value - 1) % 3] = 1 << (9 * ((value - 1) / 3));
        table[value] = u32x4::new(words);
        value += 1;
    }
    table
};

/// Writes the 81 digits of a solution.
///
/// The nine cells at one place of their boxes are first put into one number, four bits a cell.
#[inline(always)]
pub(super) fn write_solution(words: &[u32; WORDS], cells: &mut [u8; CELLS]) {
    for i in 0..3 {
        for j in 0..3 {
            let digits = [words[word(i, j, 0)], words[word(i, j, 1)], words[word(i, j, 2)]];
            let any = digits[0] | digits[1] | digits[2];
            let [d0_is_1, d0_is_2] = [digits[1], digits[2]].map(|word| word | word >> 9 | word >> 18);
            let [d1_is_1, d1_is_2] = [any >> 9, any >> 18];
            let values =
                spread(0o777) + spread(d0_is_1) + 2 * spread(d0_is_2) + 3 * spread(d1_is_1) + 6 * spread(d1_is_2);
            for box_ in 0..9 {
                cells[9 * (3 * (box_ / 3) + i) + 3 * (box_ % 3) + j] = (values >> (4 * box_) & 0xF) as u8;
            }
        }
    }
}

/// Spreads the low nine bits to every fourth bit.
#[inline(always)]
fn spread(bits: u32) -> u64 {
    static SPREAD: [u64; 512] = {
        let mut table = [0; 512];
        let mut n = 0;
        while n < 512 * 9 {
            let (bits, bit) = (n / 9, n % 9);
            table[bits] |= (bits as u64 >> bit & 1) << (4 * bit);
            n += 1;
        }
        table
    };
    SPREAD[bits as usize & 0o777]
}

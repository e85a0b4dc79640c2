//! Reads puzzles into lanes and writes solutions from lanes: an extension of [`Vector`] for each vector type.
//!
//! The default methods work on one lane at a time. [`avx2`] and [`avx512`] override them wherever their CPUs have
//! faster instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod x86_rows;

use wide::u32x4;

use super::layout::{BOX, CELLS, WORDS, word};
use super::vector::portable::Portable;
use super::vector::{LaneSet, MAX_LANES, Vector};

/// Vectors that read puzzles and write solutions.
pub(super) trait CellVector: Vector {
    /// Sets each lane's words to the candidates of its puzzle: all digits for a blank, one digit for a clue. There are at
    /// most as many puzzles as lanes, each of 81 values from 0 to 9.
    #[inline(always)]
    fn read_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [Self; WORDS]) {
        for (lane, puzzle) in puzzles.iter().enumerate() {
            for (word, value) in words.iter_mut().zip(read_puzzle(puzzle)) {
                word.set_lane(lane, value);
            }
        }
    }

    /// Gathers the words that [`write_solution`](CellVector::write_solution) needs from each chosen lane, lane after
    /// lane.
    #[inline(always)]
    fn gather(words: &[Self; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
        for (lane, gathered) in lanes.iter().zip(gathered) {
            for (gathered, word) in gathered.0.iter_mut().zip(words) {
                *gathered = word.lane(lane);
            }
        }
    }

    /// Writes the 81 digits of a solution from the gathered words of its lane.
    #[inline(always)]
    fn write_solution(self, words: &LaneWords, cells: &mut [u8; CELLS]) {
        write_solution(words.0.first_chunk().expect("as many words as a puzzle has"), cells);
    }
}

impl CellVector for Portable {}

/// The source of a solution: the words of one lane, or words that the vector type makes of them.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct LaneWords([u32; 32]);

impl LaneWords {
    /// All words zero.
    pub(super) const ZERO: LaneWords = LaneWords([0; 32]);
}

/// The candidates of a puzzle of 81 values from 0 to 9: all digits for a blank, one digit for a clue.
#[inline(always)]
pub(super) fn read_puzzle(puzzle: &[u8; CELLS]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for i in 0..3 {
        for j in 0..3 {
            // The three words of a place in the box, built from the last box to the first.
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
fn write_solution(words: &[u32; WORDS], cells: &mut [u8; CELLS]) {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::vector::tests::each_width;
    use super::*;

    proptest! {
        #[test]
        fn puzzles_are_read(puzzles in prop::collection::vec(prop::array::uniform(0u8..=9), 1..=16)) {
            each_width!(reads(&puzzles));
        }

        #[test]
        fn solutions_are_written(solutions in prop::array::uniform16(prop::array::uniform(1u8..=9)), set: u16) {
            each_width!(writes(&solutions, set));
        }
    }

    fn reads<V: CellVector>(proof: V, puzzles: &[[u8; CELLS]]) -> Result<(), TestCaseError> {
        let slices: Vec<&[u8; CELLS]> = puzzles.iter().take(V::LANES).collect();
        let mut words = [proof; WORDS];
        proof.read_puzzles(&slices, &mut words);
        for (lane, puzzle) in slices.iter().enumerate() {
            prop_assert_eq!(words.each_ref().map(|word| word.lane(lane)), read_puzzle(puzzle));
        }
        Ok(())
    }

    fn writes<V: CellVector>(proof: V, solutions: &[[u8; CELLS]; 16], set: u16) -> Result<(), TestCaseError> {
        let mut words = [proof.splat(0); WORDS];
        for (lane, solution) in solutions.iter().take(V::LANES).enumerate() {
            for (word, value) in words.iter_mut().zip(read_puzzle(solution)) {
                word.set_lane(lane, value);
            }
        }
        let set = LaneSet(u32::from(set)) & LaneSet::first(V::LANES);
        let mut gathered = [LaneWords::ZERO; MAX_LANES];
        V::gather(&words, set, &mut gathered);
        for (lane, words) in set.iter().zip(&gathered) {
            let mut cells = [0; CELLS];
            proof.write_solution(words, &mut cells);
            prop_assert_eq!(&cells, &solutions[lane]);
        }
        Ok(())
    }
}

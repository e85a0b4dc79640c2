//! Reads puzzles into lanes and writes solutions from lanes: an extension of [`Vector`] for each vector type.
//!
//! The default methods work one lane at a time, by way of [`scalar`]. [`avx2`] and [`avx512`] replace those for which
//! their CPUs have something faster.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod solution_bits;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_rows;

pub(super) use self::scalar::read_puzzle;

use super::layout::{CELLS, WORDS};
use super::vector::portable::Portable;
use super::vector::{LaneSet, MAX_LANES, Vector};

/// Vectors that take puzzles in and give solutions out.
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

    /// Gathers what [`write_solution`](CellVector::write_solution) needs of each chosen lane, lane after lane.
    #[inline(always)]
    fn gather(words: &[Self; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MAX_LANES]) {
        for (lane, gathered) in lanes.iter().zip(gathered) {
            for (gathered, word) in gathered.0.iter_mut().zip(words) {
                *gathered = word.lane(lane);
            }
        }
    }

    /// Writes the 81 digits of a solution from what was gathered of its lane.
    #[inline(always)]
    fn write_solution(self, words: &LaneWords, cells: &mut [u8; CELLS]) {
        scalar::write_solution(words.0.first_chunk().expect("as many words as a puzzle has"), cells);
    }
}

impl CellVector for Portable {}

/// What a solution is written from: the words of one lane, or others that the vector type makes of them.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct LaneWords([u32; 32]);

impl LaneWords {
    /// All words zero.
    pub(super) const ZERO: LaneWords = LaneWords([0; 32]);
}

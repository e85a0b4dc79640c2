//! Vectors of 32-bit words, one word a lane: the few operations that the engine is written in.
//!
//! The engine knows no instruction set. It is generic over [`Vector`], and each file beside this one makes a vector
//! type out of what one kind of CPU has: sixteen lanes in [`avx512`], eight in [`avx2`], four in [`portable`].
//!
//! Having a value is the proof: the first value of a type comes from an `unsafe` constructor whose caller has asked the
//! CPU; every other value is made from that one, so all operations are safe. They are `#[inline(always)]` and carry no
//! `#[target_feature]`; [`Vector::call`] compiles a whole [`Task`] of them with the instructions switched on.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::layout::WORDS;
use super::load::{self, CELLS};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod lane_set;
pub(crate) mod portable;
#[cfg(test)]
mod tests;

pub(crate) use lane_set::LaneSet;

/// Some lanes of 32 bits, worked on all at once.
pub(crate) trait Vector:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// How many lanes there are.
    const LANES: usize;

    /// Whether two dozen vectors can be in registers all at once.
    const MANY_REGISTERS: bool = false;

    /// Runs `task` as a function of its own, compiled for the instructions of this vector type. To be marked
    /// `#[inline(never)]`: on the function with the instructions itself, which cannot be inlined into one without,
    /// rustc passes the mark over.
    fn call<T: Task>(self, task: T) -> T::Output;

    /// The same word in every lane.
    fn splat(self, word: u32) -> Self;

    /// The first words of a slice, one a lane. Panics if it is too short, as all that follow with a slice do.
    fn load(self, words: &[u32]) -> Self;

    /// Writes the lanes to the start of a slice.
    fn store(self, words: &mut [u32]);

    /// For [`compress`](Vector::compress): where each word comes from when the chosen lanes are put side by side.
    fn compressing(self, chosen: LaneSet) -> Self;

    /// Puts the chosen lanes side by side, from lane 0 on; what the lanes after them get is of no use.
    fn compress(self, compressing: Self) -> Self;

    /// For [`expand`](Vector::expand): where each word comes from when words side by side go to the chosen lanes.
    fn expanding(self, chosen: LaneSet) -> Self;

    /// Replaces the chosen lanes by the words of `packed`, from lane 0 on.
    fn expand(self, chosen: LaneSet, expanding: Self, packed: Self) -> Self;

    /// Each word moved `N` bits up.
    fn shl<const N: u32>(self) -> Self;

    /// Each word moved `N` bits down.
    fn shr<const N: u32>(self) -> Self;

    /// Each word moved up by the number of bits, less than 32, in the same lane of `counts`.
    fn shl_each(self, counts: Self) -> Self;

    /// Each word moved down by the number of bits, less than 32, in the same lane of `counts`.
    fn shr_each(self, counts: Self) -> Self;

    /// Each sum, wrapping.
    fn plus(self, other: Self) -> Self;

    /// Each difference, wrapping.
    fn minus(self, other: Self) -> Self;

    /// Each smaller one, unsigned.
    fn min(self, other: Self) -> Self;

    /// How many bits are set in each word.
    fn count_ones(self) -> Self;

    /// The words of the lanes in which `test` has a bit; 0 in the others.
    fn where_any(self, test: Self) -> Self;

    /// The lanes whose word has a bit.
    fn lanes_with_any(self) -> LaneSet;

    /// The bits that are set in at least two of three words.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self & b) | ((self ^ b) & c)
    }

    /// The bits of `yes` where `self` is set, of `no` where it is not.
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        ((yes ^ no) & self) ^ no
    }

    /// The low 27 bits of each word turned down by 9 and by 18 places. Bits 27 to 31 of the results can be anything.
    #[inline(always)]
    fn turn(self) -> (Self, Self) {
        (self.shl::<18>() | self.shr::<9>(), self.shl::<9>() | self.shr::<18>())
    }

    /// The word of one lane.
    fn lane(&self, lane: usize) -> u32;

    /// Changes the word of one lane.
    fn set_lane(&mut self, lane: usize, word: u32);

    /// The candidates that the 81 values, 0 to 9, of each puzzle leave to each cell alone; a puzzle a lane. There are
    /// at most as many puzzles as lanes.
    #[inline(always)]
    fn words_of_puzzles(self, puzzles: &[&[u8; CELLS]], words: &mut [Self; WORDS]) {
        for (lane, puzzle) in puzzles.iter().enumerate() {
            for (word, value) in words.iter_mut().zip(load::words_of_puzzle(puzzle)) {
                word.set_lane(lane, value);
            }
        }
    }

    /// Puts the words of each chosen lane side by side, lane after lane.
    #[inline(always)]
    fn gather(words: &[Self; WORDS], lanes: LaneSet, gathered: &mut [LaneWords; MOST_LANES]) {
        for (lane, gathered) in lanes.iter().zip(gathered) {
            for (gathered, word) in gathered.0.iter_mut().zip(words) {
                *gathered = word.lane(lane);
            }
        }
    }

    /// Writes the 81 digits of the solution that the gathered words of a lane are.
    #[inline(always)]
    fn write_solution(self, words: &LaneWords, cells: &mut [u8; CELLS]) {
        load::write_solution(words.0.first_chunk().expect("as many words as a puzzle has"), cells);
    }
}

/// The most lanes that a vector has.
pub(crate) const MOST_LANES: usize = 16;

/// The words of one lane, in an order that the vector type chooses.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct LaneWords([u32; 32]);

impl LaneWords {
    /// All words zero.
    pub(crate) const ZERO: LaneWords = LaneWords([0; 32]);
}

/// A piece of work that [`Vector::call`] compiles for an instruction set.
pub(crate) trait Task {
    /// What comes out of it.
    type Output;

    /// Does it. To be marked `#[inline(always)]`, and all that it calls as well: only what is inlined is compiled
    /// with the instruction set of the vector type. So no closures over vectors and no `map`: they are functions that
    /// cannot be marked.
    fn run(self) -> Self::Output;
}

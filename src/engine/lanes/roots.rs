//! The puzzles of a batch that wait for their search.

use super::group::NOBODY;
use super::layout::WORDS;
use super::load::CELLS;
use super::vector::Vector;
use crate::batch::Batch;

/// Puzzles of a batch, by number, not yet begun. They are made into nodes as many at a time as there are lanes.
pub(super) struct Roots<'a, V, I> {
    puzzles_of_batch: &'a [[u8; CELLS]],
    numbers: I,
    /// The nodes that were made last, one a lane, and their puzzles.
    pub(super) candidates: [V; WORDS],
    pub(super) puzzles: V,
    /// How many of them there are, and how many have been taken.
    made: usize,
    taken: usize,
}

impl<'a, V: Vector, I: Iterator<Item = u32>> Roots<'a, V, I> {
    pub(super) fn new(proof: V, batch: &'a Batch, numbers: I) -> Self {
        assert!(batch.len() < NOBODY as usize, "the lanes engine numbers the puzzles of a batch with 32 bits");
        let (puzzles_of_batch, _) = batch.cells().as_chunks();
        Roots { puzzles_of_batch, numbers, candidates: [proof; WORDS], puzzles: proof, made: 0, taken: 0 }
    }

    /// Makes the next nodes and says how many there are: as many as lanes, or what is left.
    #[inline(always)]
    pub(super) fn make(&mut self) -> usize {
        let mut puzzles = [&[0; CELLS]; MOST_LANES];
        self.made = 0;
        self.taken = 0;
        while self.made < V::LANES
            && let Some(number) = self.numbers.next()
        {
            puzzles[self.made] = &self.puzzles_of_batch[number as usize];
            self.puzzles.set_lane(self.made, number);
            self.made += 1;
        }
        self.puzzles.words_of_puzzles(&puzzles[..self.made], &mut self.candidates);
        strike_clues(&mut self.candidates);
        self.made
    }

    /// The lane, among the nodes made last, of the next node that was not taken; makes more if there is none.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<usize> {
        if self.taken == self.made {
            self.make();
        }
        (self.taken < self.made).then(|| {
            self.taken += 1;
            self.taken - 1
        })
    }
}

/// Takes the digits of the clues from the blank cells of their boxes: most of what a repetition would do with candidates
/// that come straight from a puzzle, at a fifth of the price.
#[inline(always)]
fn strike_clues<V: Vector>(candidates: &mut [V; WORDS]) {
    let (places, _) = candidates.as_chunks_mut::<3>();
    let all = places[0][0] | !places[0][0];
    let mut unsaid = [all; 3];
    for digits in &*places {
        // Two words of a clue cell have no bit in common, all words of a blank cell are the same.
        let blank = digits[0] & digits[1];
        for d0 in 0..3 {
            unsaid[d0] = unsaid[d0] & (!digits[d0] | blank);
        }
    }
    for digits in places {
        let blank = digits[0] & digits[1];
        for d0 in 0..3 {
            digits[d0] = digits[d0] & (unsaid[d0] | !blank);
        }
    }
}

/// The most lanes that a vector has.
const MOST_LANES: usize = 16;

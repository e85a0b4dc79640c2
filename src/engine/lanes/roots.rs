//! The puzzles of a batch that wait for their search.

use super::group::{Group, NOBODY};
use super::layout::WORDS;
use super::load::CELLS;
use super::vector::{MOST_LANES, Vector};
use crate::puzzle::Batch;

/// Puzzles of a batch, by number, not yet begun.
pub(super) struct Roots<'a> {
    puzzles_of_batch: &'a [[u8; CELLS]],
    /// Their numbers, and [`NOBODY`] as often as the widest vector has lanes: any vector of them can be loaded.
    numbers: &'a [u32],
}

impl<'a> Roots<'a> {
    /// The puzzles with these numbers, which it completes.
    pub(super) fn new(batch: &'a Batch, numbers: &'a mut Vec<u32>) -> Self {
        assert!(batch.len() < NOBODY as usize, "the lanes engine numbers the puzzles of a batch with 32 bits");
        let (puzzles_of_batch, _) = batch.cells().as_chunks();
        numbers.extend([NOBODY; MOST_LANES]);
        Roots { puzzles_of_batch, numbers }
    }

    /// Makes puzzles nodes, one a lane, until all lanes of the groups have one or no puzzle is left, and says how many
    /// groups have nodes now.
    #[inline(always)]
    pub(super) fn make<V: Vector>(&mut self, groups: &mut [Group<V>]) -> usize {
        for (n, group) in groups.iter_mut().enumerate() {
            let mut puzzles = [&[0; CELLS]; MOST_LANES];
            let mut made = 0;
            group.puzzle = group.puzzle.load(self.numbers);
            for &number in self.numbers[..V::LANES].iter().take_while(|&&number| number != NOBODY) {
                puzzles[made] = &self.puzzles_of_batch[number as usize];
                made += 1;
            }
            if made == 0 {
                return n;
            }
            self.numbers = &self.numbers[made..];
            group.puzzle.words_of_puzzles(&puzzles[..made], &mut group.candidates);
            strike_clues(&mut group.candidates);
            group.gather_triads();
        }
        groups.len()
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

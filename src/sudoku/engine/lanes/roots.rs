//! The puzzles of a batch whose search has not started, and how they become root nodes.

use super::cells::CellVector;
use super::group::{LaneGroup, NO_PUZZLE};
use super::layout::{CELLS, WORDS};
use super::vector::{MAX_LANES, Vector};
use crate::puzzle::Batch;

/// Puzzles of a batch, by number, that wait for their search.
pub(super) struct Roots<'a> {
    puzzles_of_batch: &'a [[u8; CELLS]],
    /// Their numbers, followed by one [`NO_PUZZLE`] for each lane of the widest vector: a vector can be loaded from any
    /// index.
    numbers: &'a [u32],
}

impl<'a> Roots<'a> {
    /// The puzzles with these numbers. Appends the [`NO_PUZZLE`]s to the numbers.
    pub(super) fn new(batch: &'a Batch, numbers: &'a mut Vec<u32>) -> Self {
        assert!(batch.len() < NO_PUZZLE as usize, "the lanes engine numbers the puzzles of a batch with 32 bits");
        let (puzzles_of_batch, _) = batch.cells().as_chunks();
        numbers.extend([NO_PUZZLE; MAX_LANES]);
        Roots { puzzles_of_batch, numbers }
    }

    /// Reads one puzzle into each lane of the groups, until all lanes have one or no puzzle is left. Returns the number
    /// of groups with nodes.
    #[inline(always)]
    pub(super) fn make<V: CellVector>(&mut self, groups: &mut [LaneGroup<V>]) -> usize {
        for (n, group) in groups.iter_mut().enumerate() {
            let mut puzzles = [&[0; CELLS]; MAX_LANES];
            let mut made = 0;
            group.puzzle = group.puzzle.load(self.numbers);
            for &number in self.numbers[..V::LANES].iter().take_while(|&&number| number != NO_PUZZLE) {
                puzzles[made] = &self.puzzles_of_batch[number as usize];
                made += 1;
            }
            if made == 0 {
                return n;
            }

            self.numbers = &self.numbers[made..];
            group.puzzle.read_puzzles(&puzzles[..made], &mut group.candidates);
            eliminate_clues(&mut group.candidates);
            group.gather_triads();
        }
        groups.len()
    }
}

/// Eliminates the digits of the clues from the blank cells of their boxes. On the candidates of an unsolved puzzle,
/// this does most of the work of another propagation in a fifth of the time.
#[inline(always)]
fn eliminate_clues<V: Vector>(candidates: &mut [V; WORDS]) {
    let (places, _) = candidates.as_chunks_mut::<3>();
    let all = places[0][0] | !places[0][0];
    let mut not_given = [all; 3];
    for digits in &*places {
        // Two words of a clue cell have no bit in common; all words of a blank cell are equal.
        let blank = digits[0] & digits[1];
        for d0 in 0..3 {
            not_given[d0] = not_given[d0] & (!digits[d0] | blank);
        }
    }

    for digits in places {
        let blank = digits[0] & digits[1];
        for d0 in 0..3 {
            digits[d0] = digits[d0] & (not_given[d0] | !blank);
        }
    }
}

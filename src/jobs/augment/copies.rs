//! Draws the copies of a puzzle.

use std::collections::HashSet;

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::Augment;
use crate::pipeline::Stop;
use crate::puzzle::{Isomorph, IsomorphKind, Order};

/// After so many isomorphs in a row that are not new, a puzzle is taken to have no others. Of one that has 2 others left
/// among 4, the last is missed once in 10^9 times.
const MOST_REPEATS: usize = 30;

/// Draws isomorphisms that make different copies of a puzzle.
pub(super) struct CopyMaker {
    /// The number of copies that are wanted.
    number: usize,
    seed: u64,
    kinds: Vec<IsomorphKind>,
    /// The puzzle and its copies so far.
    seen: HashSet<Vec<u8>>,
    stop: Stop,
    isomorphs: Vec<Isomorph>,
}

impl CopyMaker {
    pub(super) fn new(job: &Augment, stop: Stop) -> CopyMaker {
        CopyMaker {
            number: job.copies,
            seed: job.seed,
            kinds: job.kinds.clone(),
            seen: HashSet::new(),
            stop,
            isomorphs: vec![],
        }
    }

    /// The number of copies that are wanted.
    pub(super) fn wanted(&self) -> usize {
        self.number
    }

    /// The identity, and then isomorphisms that make copies of the puzzle on a line which differ from each other and from
    /// the puzzle: as many as wanted, or as there seem to be. `None` if a stop is overdue.
    pub(super) fn draw(&mut self, order: Order, puzzle: &[u8], line: u64) -> Option<&[Isomorph]> {
        let key = SplitMix64::seed_from_u64(self.seed).next_u64();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(key ^ line);
        self.isomorphs.clear();
        self.isomorphs.push(Isomorph::identity(order));
        self.seen.clear();
        self.seen.insert(puzzle.to_vec());
        let mut repeats = 0;
        let mut image = vec![0; order.cells()];
        while self.isomorphs.len() <= self.number && repeats < MOST_REPEATS {
            if self.stop.is_overdue() {
                return None;
            }
            let isomorph = Isomorph::random_of(order, &self.kinds, &mut rng);
            isomorph.apply_into(puzzle, &mut image);
            if self.seen.insert(image.clone()) {
                self.isomorphs.push(isomorph);
                repeats = 0;
            } else {
                repeats += 1;
            }
        }
        Some(&self.isomorphs)
    }
}

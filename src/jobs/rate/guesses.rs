//! Measures how many guesses a search needs for a puzzle, on average over isomorphs of it.
//!
//! One search may be lucky: the same puzzle with its rows in another order may take ten times as many guesses. The mean
//! over isomorphs is a property of the puzzle.

use std::num::NonZeroU32;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::engine::bitmask::Bitmask;
use crate::engine::{Bounds, Engine, Limit, Verdicts};
use crate::puzzle::{Batch, Grid, Isomorph, Size};
use crate::rows::Decimal;
use crate::stop::{InterruptedError, Stop};

/// The maximum number of isomorphs that the engine gets at a time, so that memory does not depend on how many there are.
const BATCH: u32 = 1024;

/// Counts the guesses for random isomorphs of puzzles, with the bitmask engine.
#[derive(Debug)]
pub(super) struct GuessCounter {
    isomorphs: NonZeroU32,
    seed: u64,
    stop: Stop,
    engine: Bitmask,
    /// Some of the isomorphs.
    batch: Batch,
    verdicts: Verdicts,
}

impl GuessCounter {
    /// Counts the guesses for so many isomorphs of each puzzle. `stop` interrupts it.
    pub(super) fn new(isomorphs: NonZeroU32, seed: u64, stop: Stop) -> GuessCounter {
        GuessCounter {
            isomorphs,
            seed,
            stop,
            engine: Bitmask::new(),
            batch: Batch::new(Size::Nine),
            verdicts: Verdicts::new(),
        }
    }

    /// The mean number of guesses, to two digits after the point. It depends on the puzzle and the seed alone, so that
    /// rows do not depend on the order of the puzzles.
    ///
    /// # Errors
    ///
    /// If the stop came.
    pub(super) fn mean(&mut self, puzzle: &Grid) -> Result<Decimal, InterruptedError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ fnv(puzzle));
        let bounds = Bounds::new(Limit::UNIQUE).stop(&self.stop);
        let (mut guesses, mut left) = (0, self.isomorphs.get());

        while left > 0 {
            let isomorphs = left.min(BATCH);
            left -= isomorphs;
            self.batch.clear();
            for _ in 0..isomorphs {
                self.batch.push(&Isomorph::random(Size::Nine, &mut rng).apply(puzzle));
            }

            self.engine.solve(&self.batch, bounds, &mut self.verdicts);
            self.stop.check()?;
            guesses += self.verdicts.iter().filter_map(|verdict| verdict.cost.branches).sum::<u64>();
        }

        let isomorphs = u64::from(self.isomorphs.get());
        Ok(Decimal { units: (100 * guesses + isomorphs / 2) / isomorphs, digits: 2 })
    }
}

/// The hash of Fowler, Noll and Vo of a puzzle's cells (FNV-1a).
fn fnv(puzzle: &Grid) -> u64 {
    let add = |hash: u64, &cell: &u8| (hash ^ u64::from(cell)).wrapping_mul(0x0100_0000_01b3);
    puzzle.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Grid {
        let cells: Vec<u8> = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
        cells.try_into().unwrap()
    }

    #[test]
    fn the_mean_depends_on_the_puzzle_and_the_seed_alone() {
        let easy = grid(".9.1...........59..24..51..478........2.9..8..192........5.83.....62.....35.....2");
        let hard = grid("5...81..2.......5.........4.2...89.3.8.3.......6.4.....7....16........9.39..572..");
        let counter = |isomorphs, seed| GuessCounter::new(NonZeroU32::new(isomorphs).unwrap(), seed, Stop::new());
        let mean = counter(20, 7).mean(&hard).unwrap();
        assert!(mean.units > 100 && mean.digits == 2, "{mean}");
        let mut again = counter(20, 7);
        again.mean(&easy).unwrap();
        assert_eq!(again.mean(&hard), Ok(mean));
        assert_ne!(counter(20, 8).mean(&hard), Ok(mean));
        // One isomorph has a whole number of guesses.
        assert_eq!(counter(1, 7).mean(&hard).unwrap().units % 100, 0);
    }
}

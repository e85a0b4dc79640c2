//! Puzzles out of nothing: seeded, with exactly one solution, the same ones on any machine.
//!
//! A full grid is begun with random boxes on the diagonal, which share no house, completed by an engine, and mapped to a
//! random isomorph. Then clues are taken out one after another, in random order, as long as one solution remains.
//! Neither the grids nor the puzzles are a uniform sample: the engine prefers some completions, and taking clues out
//! from the top favours puzzles with many clues.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use crate::batch::Batch;
use crate::engine::bitmask::Bitmask;
use crate::engine::{Engine, Limit, Verdicts};
use crate::geometry::Order;

/// When to stop taking clues out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// When so many are left.
    Clues(usize),
    /// When every one of them is needed.
    Minimal,
}

/// How many grids are tried for one puzzle with few clues.
const TRIES: u32 = 10_000;

/// Why a puzzle cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// No puzzle of this size has so few clues, or so many.
    #[error("a {order} puzzle has {fewest} to {most} clues, not {clues}")]
    OutOfRange {
        /// The size.
        order: Order,
        /// What was asked for.
        clues: usize,
        /// The fewest clues that any puzzle of this size can have, as far as that is known.
        fewest: usize,
        /// All cells.
        most: usize,
    },
    /// Such puzzles are too rare to be found by chance.
    #[error("no {order} puzzle with {clues} clues was found in {TRIES} tries; ask for more clues")]
    TooRare {
        /// The size.
        order: Order,
        /// What was asked for.
        clues: usize,
    },
}

/// Makes puzzles of one kind. Each thread owns one.
pub struct Generator {
    order: Order,
    seed: u64,
    target: Target,
    engine: Bitmask,
    batch: Batch,
    verdicts: Verdicts,
    /// All cells, in the order in which they are looked at.
    cells: Vec<usize>,
}

impl Generator {
    /// A generator of puzzles of a size; the seed and a puzzle's number determine the puzzle.
    ///
    /// # Errors
    ///
    /// If no puzzle can have so many clues.
    pub fn new(order: Order, seed: u64, target: Target) -> Result<Generator, GenerateError> {
        // 17 for 9x9: McGuire, Tugemann, Civario, "There is no 16-Clue Sudoku", 2012. Not known for the larger ones.
        let (fewest, most) = ([4, 17, 1, 1][order.index()], order.cells());
        if let Target::Clues(clues) = target
            && !(fewest..=most).contains(&clues)
        {
            return Err(GenerateError::OutOfRange { order, clues, fewest, most });
        }
        let cells = (0..order.cells()).collect();
        let (engine, batch, verdicts) = (Bitmask::new(), Batch::new(order), Verdicts::new());
        Ok(Generator { order, seed, target, engine, batch, verdicts, cells })
    }

    /// Makes puzzle number `index` and its solution, `order.cells()` cell values each.
    ///
    /// # Errors
    ///
    /// If no puzzle with so few clues is found in a bounded number of tries.
    ///
    /// # Panics
    ///
    /// If `puzzle` or `solution` has another length.
    pub fn make(&mut self, index: u64, puzzle: &mut [u8], solution: &mut [u8]) -> Result<(), GenerateError> {
        let stream = SplitMix64::seed_from_u64(self.seed).next_u64() ^ index;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(stream);
        for _ in 0..TRIES {
            self.fill(solution, &mut rng);
            puzzle.copy_from_slice(solution);
            let clues = self.take_out(puzzle, &mut rng);
            match self.target {
                Target::Clues(wanted) if clues > wanted => {}
                Target::Clues(_) | Target::Minimal => return Ok(()),
            }
        }
        let Target::Clues(clues) = self.target else { unreachable!("the first try gives a minimal puzzle") };
        Err(GenerateError::TooRare { order: self.order, clues })
    }

    /// Makes a random full grid.
    fn fill(&mut self, grid: &mut [u8], rng: &mut impl Rng) {
        let (n, side) = (self.order.get(), self.order.side());
        let mut digits: Vec<u8> = (1..=side as u8).collect();
        let full = loop {
            grid.fill(0);
            for corner in (0..n).map(|place| place * n * (side + 1)) {
                digits.shuffle(rng);
                for (row, digits) in digits.chunks_exact(n).enumerate() {
                    grid[corner + row * side..][..n].copy_from_slice(digits);
                }
            }
            // In 4x4 grids two boxes can be at odds through the others.
            if self.ask(grid, Limit::FIRST) == 1 {
                break self.verdicts.get(0).solution.expect("a solution was counted");
            }
        };
        digits.shuffle(rng);
        let (rows, columns, transpose) = (lines(self.order, rng), lines(self.order, rng), rng.random::<bool>());
        for (cell, digit) in grid.iter_mut().enumerate() {
            let (row, column) = (rows[cell / side], columns[cell % side]);
            let from = if transpose { column * side + row } else { row * side + column };
            *digit = digits[usize::from(full[from]) - 1];
        }
    }

    /// Takes clues out of a full grid until the target is met or every clue is needed, and says how many are left.
    fn take_out(&mut self, puzzle: &mut [u8], rng: &mut impl Rng) -> usize {
        let mut clues = puzzle.len();
        let mut cells = std::mem::take(&mut self.cells);
        cells.sort_unstable();
        cells.shuffle(rng);
        for &cell in &cells {
            if self.target == Target::Clues(clues) {
                break;
            }
            let digit = std::mem::take(&mut puzzle[cell]);
            if self.ask(puzzle, Limit::UNIQUE) == 1 {
                clues -= 1;
            } else {
                puzzle[cell] = digit;
            }
        }
        self.cells = cells;
        clues
    }

    /// How many solutions a puzzle has, up to a limit.
    fn ask(&mut self, puzzle: &[u8], limit: Limit) -> u64 {
        self.batch.clear();
        self.batch.push(puzzle);
        self.engine.solve(&self.batch, limit, &mut self.verdicts);
        self.verdicts.get(0).solutions
    }
}

/// A random order of rows, or of columns, that keeps bands together.
fn lines(order: Order, rng: &mut impl Rng) -> Vec<usize> {
    let n = order.get();
    let mut bands: Vec<usize> = (0..n).collect();
    bands.shuffle(rng);
    let shuffled = |band: usize| {
        let mut lines: Vec<usize> = (band * n..(band + 1) * n).collect();
        lines.shuffle(rng);
        lines
    };
    bands.into_iter().flat_map(shuffled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::dlx::Dlx;
    use crate::rules;

    fn make(order: Order, seed: u64, target: Target, index: u64) -> (Vec<u8>, Vec<u8>) {
        let (mut puzzle, mut solution) = (vec![0; order.cells()], vec![0; order.cells()]);
        Generator::new(order, seed, target).unwrap().make(index, &mut puzzle, &mut solution).unwrap();
        (puzzle, solution)
    }

    /// By the other engine.
    fn solutions(order: Order, puzzle: &[u8]) -> u64 {
        let (mut batch, mut verdicts) = (Batch::new(order), Verdicts::new());
        batch.push(puzzle);
        Dlx::new().solve(&batch, Limit::UNIQUE, &mut verdicts);
        verdicts.get(0).solutions
    }

    #[test]
    fn puzzles_are_what_was_asked_for() {
        for (order, target) in [
            (Order::Two, Target::Minimal),
            (Order::Two, Target::Clues(16)),
            (Order::Three, Target::Minimal),
            (Order::Three, Target::Clues(24)),
            (Order::Four, Target::Clues(130)),
            (Order::Five, Target::Clues(420)),
        ] {
            for index in 0..5 {
                let (mut puzzle, solution) = make(order, 42, target, index);
                assert!(rules::is_solution(order, &puzzle, &solution));
                assert_eq!(solutions(order, &puzzle), 1);
                if let Target::Clues(clues) = target {
                    assert_eq!(puzzle.iter().filter(|&&value| value != 0).count(), clues);
                    continue;
                }
                for cell in 0..order.cells() {
                    let digit = std::mem::take(&mut puzzle[cell]);
                    assert!(digit == 0 || solutions(order, &puzzle) > 1, "clue {cell} of {puzzle:?} is not needed");
                    puzzle[cell] = digit;
                }
            }
        }
    }

    #[test]
    fn a_puzzle_depends_on_seed_and_number_only() {
        let mut generator = Generator::new(Order::Three, 7, Target::Minimal).unwrap();
        let mut numbers: Vec<u64> = (0..40).collect();
        numbers.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(1));
        let mut seen = std::collections::HashSet::new();
        for index in numbers {
            let (mut puzzle, mut solution) = ([0; 81], [0; 81]);
            generator.make(index, &mut puzzle, &mut solution).unwrap();
            assert_eq!(make(Order::Three, 7, Target::Minimal, index), (puzzle.to_vec(), solution.to_vec()));
            assert!(seen.insert(puzzle));
        }
        assert!(!seen.contains(&*make(Order::Three, 8, Target::Minimal, 0).0));
    }

    /// Whoever changes this makes other corpora of the same seeds.
    #[test]
    fn the_first_puzzle_stays_what_it_is() {
        let (puzzle, _) = make(Order::Three, 0, Target::Minimal, 0);
        let text: String = puzzle.iter().map(|&value| char::from(b'0' + value)).collect();
        assert_eq!(text, "000005000485070030000320070006000045000567029001000700040096800100802006000000000");
    }

    #[test]
    fn impossible_numbers_of_clues_are_refused() {
        for (order, clues) in [(Order::Three, 16), (Order::Three, 82), (Order::Two, 3), (Order::Five, 626)] {
            let error = Generator::new(order, 0, Target::Clues(clues)).err().unwrap();
            assert!(matches!(error, GenerateError::OutOfRange { .. }), "{error}");
        }
    }
}

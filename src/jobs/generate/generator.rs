//! Puzzles by number: puzzle `index` of a seed is the same on any machine, in any order, from any number of threads.
//!
//! Each puzzle has a random generator of its own, derived from the seed and its index. It rests on the bitmask engine,
//! whose choice of one solution among several is part of the outcome.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use thiserror::Error;

use crate::engine::bitmask::Bitmask;
use crate::engine::{Bounds, Engine, Limit, MaxBranches, SearchEnd, Verdict, Verdicts};
use crate::puzzle::Batch;
use crate::puzzle::Isomorph;
use crate::puzzle::random::{below, shuffle};
use crate::puzzle::{Geometry, Order};

/// How far clues are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Until just so many are left.
    Clues(usize),
    /// Until none can be spared: without any one of them there are more solutions, as far as the search can tell.
    Minimal,
}

/// Why there is no such puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// No unique puzzle has so few clues, or none is known.
    #[error("no {order} puzzle with a single solution has {clues} clues; the fewest known are {fewest}")]
    TooFewClues {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
        /// The fewest that any puzzle has.
        fewest: usize,
    },
    /// There are more clues than cells.
    #[error("a {order} puzzle has no room for {clues} clues, only for {cells}", cells = order.cells())]
    TooManyClues {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
    },
    /// None came up.
    #[error("{tries} random grids gave no {order} puzzle with {clues} clues; ask for more clues")]
    OutOfReach {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
        /// How many grids were tried.
        tries: u32,
    },
}

/// Generates puzzles with a single solution; owned by a thread.
///
/// Grids are random, and every grid can come up, but not all equally often: the boxes on the diagonal and some cells
/// more are drawn evenly, the rest is the first completion that an engine finds, and a random symmetry (digits, rows,
/// columns, transposition) makes all that look alike equally likely. Clues are taken away in random order, which favours
/// puzzles with many clues among all minimal ones.
///
/// A minimal 9x9 puzzle takes a fraction of a millisecond and has 24 clues as a rule, hardly ever less than 21 or more
/// than 28. A minimal 16x16 puzzle takes some 50 ms and has about 94 clues; one in ten has 90 or fewer. A 25x25 puzzle with half
/// of its cells full takes some 50 ms as well, with 49 % some seconds; with less, and to the minimum, it takes for ever.
#[derive(Debug)]
pub struct Generator {
    order: Order,
    seed: u64,
    target: Target,
    max_branches: Option<u64>,
    engine: Bitmask,
    batch: Batch,
    verdicts: Verdicts,
    cells: Vec<u16>,
}

impl Generator {
    /// A generator of the puzzles of a seed.
    ///
    /// # Errors
    ///
    /// If there can be no puzzle with so many clues.
    pub fn new(order: Order, seed: u64, target: Target) -> Result<Generator, GenerateError> {
        if let Target::Clues(clues) = target {
            let fewest = fewest_clues(order);
            if clues < fewest {
                return Err(GenerateError::TooFewClues { order, clues, fewest });
            }
            if clues > order.cells() {
                return Err(GenerateError::TooManyClues { order, clues });
            }
        }
        Ok(Generator {
            order,
            seed,
            target,
            max_branches: MaxBranches::default().for_order(order),
            engine: Bitmask::new(),
            batch: Batch::new(order),
            verdicts: Verdicts::new(),
            cells: Vec::new(),
        })
    }

    /// Sets the most branches of a search. A clue stays if the search without it needs more.
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Generator {
        Generator { max_branches: max_branches.for_order(self.order), ..self }
    }

    /// Writes puzzle number `index` and its only solution.
    ///
    /// # Errors
    ///
    /// If none of many random grids gave a puzzle with so few clues.
    ///
    /// # Panics
    ///
    /// If `puzzle` or `solution` is not a grid of this size.
    pub fn puzzle(&mut self, index: u64, puzzle: &mut [u8], solution: &mut [u8]) -> Result<(), GenerateError> {
        let key = SplitMix64::seed_from_u64(self.seed).next_u64();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(key ^ index);
        let tries = tries(self.order);
        for _ in 0..tries {
            self.grid(&mut rng, solution);
            puzzle.copy_from_slice(solution);
            let clues = self.take_clues_away(&mut rng, puzzle);
            if self.target == Target::Minimal || self.target == Target::Clues(clues) {
                return Ok(());
            }
        }
        let Target::Clues(clues) = self.target else { unreachable!("any grid has a minimal puzzle") };
        Err(GenerateError::OutOfReach { order: self.order, clues, tries })
    }

    /// Takes clues away in random order, as long as the puzzle stays unique, down to the target. Says how many are left.
    fn take_clues_away(&mut self, rng: &mut impl Rng, puzzle: &mut [u8]) -> usize {
        let enough = if let Target::Clues(clues) = self.target { clues } else { 0 };
        let mut clues = puzzle.len();
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.extend(0..puzzle.len() as u16);
        shuffle(rng, &mut cells);
        // The first clues can be spared nearly always, so many are taken at once; whether a run of cells can go is the
        // same question as whether they can go one by one.
        let mut run = puzzle.len() / 4;
        let mut rest = &cells[..];
        while !rest.is_empty() && clues > enough {
            run = run.min(rest.len()).min(clues - enough);
            let mut taken = [0; Order::MAX_CELLS];
            for (&cell, digit) in rest[..run].iter().zip(&mut taken) {
                *digit = std::mem::take(&mut puzzle[usize::from(cell)]);
            }
            let bounds = Bounds { solutions: Limit::UNIQUE, max_branches: self.max_branches, stop: None };
            let verdict = self.ask(puzzle, bounds);
            if verdict.solutions == 1 && verdict.end == SearchEnd::Complete {
                clues -= run;
                rest = &rest[run..];
                continue;
            }
            for (&cell, &digit) in rest[..run].iter().zip(&taken) {
                puzzle[usize::from(cell)] = digit;
            }
            if run == 1 {
                rest = &rest[1..];
            } else {
                run /= 2;
            }
        }
        self.cells = cells;
        clues
    }

    /// Writes a random full grid.
    fn grid(&mut self, rng: &mut impl Rng, grid: &mut [u8]) {
        let isomorph = Isomorph::random(self.order, rng);
        loop {
            self.start_grid(rng, grid);
            // Another start is better than a search that takes long, whatever the bound for other searches.
            let max_branches = MaxBranches::default().for_order(self.order);
            let bounds = Bounds { solutions: Limit::FIRST, max_branches, stop: None };
            if let Some(solution) = self.ask(grid, bounds).solution {
                isomorph.apply_into(solution, grid);
                return;
            }
        }
    }

    /// Fills the boxes on the diagonal, and a few cells more with digits that clash with nothing so far.
    fn start_grid(&mut self, rng: &mut impl Rng, grid: &mut [u8]) {
        let geometry = Geometry::of(self.order);
        let (n, side) = (self.order.get(), self.order.side());
        let mut digits: Vec<u8> = (1..=side as u8).collect();
        grid.fill(0);
        for (_, cells) in geometry.houses().skip(2 * side).step_by(n + 1) {
            shuffle(rng, &mut digits);
            for (&cell, &digit) in cells.iter().zip(&digits) {
                grid[usize::from(cell)] = digit;
            }
        }
        for _ in 0..2 * n {
            let cell = below(rng, grid.len());
            let digit = digits[below(rng, side)];
            if grid[cell] == 0 && geometry.peers(cell).iter().all(|&peer| grid[usize::from(peer)] != digit) {
                grid[cell] = digit;
            }
        }
    }

    fn ask(&mut self, puzzle: &[u8], bounds: Bounds<'_>) -> Verdict<'_> {
        self.batch.clear();
        self.batch.push(puzzle);
        self.engine.solve(&self.batch, bounds, &mut self.verdicts);
        self.verdicts.get(0)
    }
}

/// The fewest clues of a unique puzzle: proved up to 9x9 ("There is no 16-Clue Sudoku", Experimental Mathematics 23,
/// 2014), the fewest known above.
fn fewest_clues(order: Order) -> usize {
    match order {
        Order::Two => 4,
        Order::Three => 17,
        Order::Four => 55,
        Order::Five => 151,
    }
}

/// How many grids are tried for a puzzle with few clues: some seconds' worth.
fn tries(order: Order) -> u32 {
    match order {
        Order::Two | Order::Three => 10_000,
        Order::Four => 40,
        Order::Five => 10,
    }
}

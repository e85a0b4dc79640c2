//! Draws grids of the other sizes, whose classes are not exactly equally likely.
//!
//! The boxes from the top left down, which share no house, are drawn first, all fillings with the same probability. Some more
//! random cells are filled, and the bitmask engine completes the grid.

use rand_xoshiro::rand_core::Rng;

use crate::engine::bitmask::Bitmask;
use crate::engine::{Bounds, Engine, Limit, MaxBranches, Verdicts};
use crate::puzzle::random::{below, shuffle};
use crate::puzzle::{Batch, Geometry, Size};

/// Draws grids, and has an engine complete them.
#[derive(Debug)]
pub(super) struct LargeGrids {
    size: Size,
    engine: Bitmask,
    batch: Batch,
    verdicts: Verdicts,
}

impl LargeGrids {
    pub(super) fn new(size: Size) -> LargeGrids {
        LargeGrids { size, engine: Bitmask::new(), batch: Batch::new(size), verdicts: Verdicts::new() }
    }

    /// Writes a random grid.
    pub(super) fn fill(&mut self, rng: &mut impl Rng, grid: &mut [u8]) {
        loop {
            self.fill_diagonal(rng, grid);
            if self.complete(rng, grid) {
                return;
            }
        }
    }

    /// Fills the boxes from the top left down, one in each band and stack.
    fn fill_diagonal(&self, rng: &mut impl Rng, grid: &mut [u8]) {
        let (side, stacks) = (self.size.side(), self.size.stacks());
        let mut digits = [0; Size::MAX_SIDE];
        let digits = &mut digits[..side];
        (1..).zip(digits.iter_mut()).for_each(|(value, digit)| *digit = value);
        grid.fill(0);
        for (_, cells) in Geometry::of(self.size).houses().skip(2 * side).step_by(stacks + 1).take(stacks) {
            shuffle(rng, digits);
            for (&cell, &digit) in cells.iter().zip(&*digits) {
                grid[usize::from(cell)] = digit;
            }
        }
    }

    /// Fills a few more cells with digits that do not clash, and has the engine complete the grid, if it can be
    /// completed.
    fn complete(&mut self, rng: &mut impl Rng, grid: &mut [u8]) -> bool {
        let geometry = Geometry::of(self.size);
        for _ in 0..2 * self.size.box_columns() {
            let cell = below(rng, grid.len());
            let digit = 1 + below(rng, self.size.side()) as u8;
            if grid[cell] == 0 && geometry.peers(cell).iter().all(|&peer| grid[usize::from(peer)] != digit) {
                grid[cell] = digit;
            }
        }

        self.batch.clear();
        self.batch.push(grid);
        // To start again is better than a long search, whatever the bound for other searches.
        let max_branches = MaxBranches::default().for_size(self.size);
        let bounds = Bounds { solutions: Limit::FIRST, max_branches, stop: None };
        self.engine.solve(&self.batch, bounds, &mut self.verdicts);

        let solution = self.verdicts.get(0).solution;
        if let Some(solution) = solution {
            grid.copy_from_slice(solution);
        }
        solution.is_some()
    }
}

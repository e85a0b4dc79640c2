//! Makes random full grids.
//!
//! The boxes from the top left down, which share no house, are drawn first, all fillings with the same probability. Up to 9x9,
//! a backtracking search with random choices completes them, in two microseconds (59 choices on average, for 54
//! blanks). Larger grids would take it too long, so some more random cells are filled, and the bitmask engine completes
//! them. Finally, a random isomorphism makes all isomorphs of a grid equally likely.

use rand_xoshiro::rand_core::Rng;

use crate::engine::bitmask::Bitmask;
use crate::engine::{Bounds, Engine, Limit, MaxBranches, Verdicts};
use crate::puzzle::random::{below, shuffle};
use crate::puzzle::{Batch, Geometry, Isomorph, Size};

/// Makes random full grids of one size.
#[derive(Debug)]
pub(crate) struct RandomGrids {
    size: Size,
    search: Completion,
    engine: Bitmask,
    batch: Batch,
    verdicts: Verdicts,
}

impl RandomGrids {
    pub(crate) fn new(size: Size) -> RandomGrids {
        RandomGrids {
            size,
            search: Completion::default(),
            engine: Bitmask::new(),
            batch: Batch::new(size),
            verdicts: Verdicts::new(),
        }
    }

    /// Writes a random full grid.
    pub(crate) fn fill(&mut self, rng: &mut impl Rng, grid: &mut [u8]) {
        let isomorph = Isomorph::random(self.size, rng);
        loop {
            self.fill_diagonal(rng, grid);
            let is_complete = if self.size <= Size::Nine {
                self.search.complete(self.size, rng, grid)
            } else {
                self.complete_large(rng, grid)
            };
            if is_complete {
                break;
            }
        }

        self.batch.clear();
        self.batch.push(grid);
        isomorph.apply_into(self.batch.puzzle(0), grid);
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
    fn complete_large(&mut self, rng: &mut impl Rng, grid: &mut [u8]) -> bool {
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

/// The number of digits in each set of nine. On processors without an instruction that counts bits, a table is faster.
static COUNTS: [u8; 1 << 9] = {
    let mut counts = [0; 1 << 9];
    let mut set = 1;
    while set < counts.len() {
        counts[set] = counts[set / 2] + (set % 2) as u8;
        set += 1;
    }
    counts
};

/// A backtracking search for a random completion of a grid.
#[derive(Debug, Default)]
struct Completion {
    /// The digits that each row, column and box still lacks; digit 1 is the lowest bit.
    missing: [[u16; 9]; 3],
    blanks: Vec<BlankCell>,
}

#[derive(Clone, Copy, Debug)]
struct BlankCell {
    cell: u8,
    /// The row, column and box.
    houses: [u8; 3],
}

impl Completion {
    /// Fills the blanks of a grid, if it can be completed.
    fn complete(&mut self, size: Size, rng: &mut impl Rng, grid: &mut [u8]) -> bool {
        let geometry = Geometry::of(size);
        self.missing = [[(1 << size.side()) - 1; 9]; 3];
        self.blanks.clear();

        for (cell, &digit) in grid.iter().enumerate() {
            let houses = [geometry.row(cell), geometry.column(cell), geometry.box_of(cell)].map(|house| house as u8);
            let blank = BlankCell { cell: cell as u8, houses };
            match digit {
                0 => self.blanks.push(blank),
                digit => self.flip(blank, 1 << (digit - 1)),
            }
        }
        self.search(rng, grid)
    }

    /// Fills the blanks; returns whether that is possible. Takes a blank with the fewest candidates first.
    fn search(&mut self, rng: &mut impl Rng, grid: &mut [u8]) -> bool {
        let Some(index) = self.fewest_candidates() else { return true };
        let blank = self.blanks.swap_remove(index);
        let mut candidates = self.candidates(blank);

        while candidates != 0 {
            // A random one of the candidates, which is the lowest bit of `choice` in the end.
            let mut choice = candidates;
            for _ in 0..below(rng, candidates.count_ones() as usize) {
                choice &= choice - 1;
            }
            let digit = choice & choice.wrapping_neg();
            candidates ^= digit;

            grid[usize::from(blank.cell)] = digit.trailing_zeros() as u8 + 1;
            self.flip(blank, digit);
            if self.search(rng, grid) {
                return true;
            }
            self.flip(blank, digit);
        }

        // Undoes the `swap_remove`, so that the blanks are in the same order as before.
        self.blanks.push(blank);
        let last = self.blanks.len() - 1;
        self.blanks.swap(index, last);
        false
    }

    /// A blank with the fewest candidates; any one that has at most one.
    fn fewest_candidates(&self) -> Option<usize> {
        let (mut fewest, mut best) = (u8::MAX, None);
        for (index, &blank) in self.blanks.iter().enumerate() {
            let count = COUNTS[usize::from(self.candidates(blank))];
            if count < fewest {
                (fewest, best) = (count, Some(index));
                if count <= 1 {
                    break;
                }
            }
        }
        best
    }

    fn candidates(&self, blank: BlankCell) -> u16 {
        let [row, column, box_] = blank.houses.map(usize::from);
        self.missing[0][row] & self.missing[1][column] & self.missing[2][box_]
    }

    /// Takes a digit from the houses of a cell, or gives it back to them.
    fn flip(&mut self, blank: BlankCell, digit: u16) {
        for (missing, house) in self.missing.iter_mut().zip(blank.houses) {
            missing[usize::from(house)] ^= digit;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::puzzle::rules;

    #[test]
    fn grids_obey_the_rules_and_differ() {
        let counts = [50, 200, 200, 200, 20, 10, 3, 2];
        for (size, count) in Size::ALL.into_iter().zip(counts) {
            let (mut grids, blank) = (RandomGrids::new(size), vec![0; size.cells()]);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut all: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let mut grid = blank.clone();
                    grids.fill(&mut rng, &mut grid);
                    assert!(rules::is_solution(size, &blank, &grid), "{size}");
                    grid
                })
                .collect();
            all.sort();
            all.dedup();
            // There are 288 grids of 4x4.
            assert!(all.len() == count || size == Size::Four && all.len() > 30, "{} of {size}", all.len());
        }
    }
}

//! A trial for a minimal puzzle whose probability is known.
//!
//! The cells of a uniform grid are put in a random order. Of the puzzles with the first cells as clues, the shortest with one
//! solution is taken if each of its clues is needed. So a minimal puzzle with `n` clues comes out of a trial with its
//! solution with the probability `1 / C(81, n)`, the chance that its clues come first. Its weight is the inverse.
//!
//! One trial in some 250,000 gives a puzzle. Nearly all of them have several solutions with [`FIRST`] clues, so this is asked
//! first, and only one in [`THINNING`] of these goes on; its puzzle, which has more clues, has a weight as many times larger.
//!
//! For a puzzle without bias, a trial is given up such that all puzzles of up to [`FIRST`] clues have the same probability.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::RandomGrids;
use super::spec::{Target, fewest_clues};
use crate::puzzle::random::below;
use crate::puzzle::{Isomorph, Size};

const CELLS: usize = Size::Nine.cells();

/// The number of clues of the first query.
const FIRST: usize = 32;

/// One in this number of trials with several solutions for the first clues goes on.
const THINNING: usize = 1000;

/// A grid and an order of its cells.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) puzzle: Vec<u8>,
    solution: Vec<u8>,
    /// The first cells are in random order.
    order: Vec<u8>,
    rng: Xoshiro256PlusPlus,
    plan: TrialPlan,
    /// The number of clues of the current query.
    clues: usize,
    /// Numbers of clues with several solutions and with one, as close as is known; equal if the trial was given up.
    several: usize,
    unique: usize,
}

/// The constants of trials of a size.
#[derive(Clone, Copy, Debug)]
struct TrialPlan {
    size: Size,
    is_unbiased: bool,
    first: usize,
    thinning: usize,
}

impl Trial {
    /// A trial if puzzles have a known probability; [`Trial::start`] fills it.
    pub(super) fn new(target: Target) -> Option<Trial> {
        let is_unbiased = target == Target::Unbiased;
        let plan = TrialPlan { size: Size::Nine, is_unbiased, first: FIRST, thinning: THINNING };
        matches!(target, Target::Weighted | Target::Unbiased).then(|| Trial::of(plan))
    }

    fn of(plan: TrialPlan) -> Trial {
        let cells = plan.size.cells();
        Trial {
            puzzle: vec![0; cells],
            solution: vec![0; cells],
            order: vec![],
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            plan,
            clues: 0,
            several: 0,
            unique: 0,
        }
    }

    pub(super) fn start(&mut self, grids: &mut RandomGrids, mut rng: Xoshiro256PlusPlus) {
        grids.draw(&mut rng, &mut self.solution);
        self.rng = rng;
        let cells = self.puzzle.len();
        (self.several, self.unique) = (fewest_clues(self.plan.size) - 1, cells);
        self.order.clear();
        self.order.extend(0..cells as u8);
        self.put_in_order(0, self.plan.first);
    }

    /// Draws the cells from one place to another.
    fn put_in_order(&mut self, first: usize, end: usize) {
        for place in first..end {
            let cell = place + below(&mut self.rng, self.order.len() - place);
            self.order.swap(place, cell);
        }
    }

    /// Prepares the next puzzle whose uniqueness must be known. Returns false if the shortest unique one is known, or the trial
    /// was given up.
    pub(super) fn prepare_query(&mut self) -> bool {
        if self.unique <= self.several + 1 {
            return false;
        }
        self.clues = if self.is_first_query() { self.plan.first } else { usize::midpoint(self.several, self.unique) };
        write_clues(&self.order[..self.clues], &self.solution, &mut self.puzzle);
        true
    }

    /// Takes the answer to the last query.
    pub(super) fn answer(&mut self, is_unique: bool) {
        let is_first_query = self.is_first_query();
        if is_unique {
            self.unique = self.clues;
            return;
        }
        self.several = self.clues;
        if is_first_query {
            if self.plan.is_unbiased || below(&mut self.rng, self.plan.thinning) > 0 {
                self.unique = self.several;
            } else {
                self.put_in_order(self.plan.first, self.order.len());
            }
        }
    }

    fn is_first_query(&self) -> bool {
        self.several < self.plan.first && self.unique == self.order.len()
    }

    /// Writes the shortest puzzle with one solution, unless the trial is given up. All clues but the last have to be checked.
    pub(super) fn finish(&mut self, puzzle: &mut [u8], solution: &mut [u8]) -> bool {
        let TrialPlan { is_unbiased, first, .. } = self.plan;
        let after = self.order.len() + 1;
        // A puzzle of one clue less is drawn more often, by the factor (82 - clues) / clues.
        let is_kept = self.unique > self.several
            && (!is_unbiased || (self.unique + 1..=first).all(|clues| below(&mut self.rng, after - clues) < clues));
        if is_kept {
            solution.copy_from_slice(&self.solution);
            write_clues(&self.order[..self.unique], solution, puzzle);
        }
        is_kept
    }

    /// Makes all isomorphs of a puzzle equally likely.
    pub(super) fn randomise(&mut self, puzzle: &mut [u8], solution: &mut [u8]) {
        let isomorph = Isomorph::random(self.plan.size, &mut self.rng);
        for grid in [puzzle, solution] {
            self.puzzle.copy_from_slice(grid);
            isomorph.apply_into(&self.puzzle, grid);
        }
    }
}

/// Writes the puzzle with these cells of a solution as clues.
fn write_clues(cells: &[u8], solution: &[u8], puzzle: &mut [u8]) {
    puzzle.fill(0);
    for &cell in cells {
        puzzle[usize::from(cell)] = solution[usize::from(cell)];
    }
}

/// The number of digits after the decimal point of a [`weight`].
pub(crate) const WEIGHT_DIGITS: u32 = 12;

/// The weight of a minimal puzzle in units of `C(81, 26)`, the weight of a puzzle of 26 clues, times 10<sup>12</sup>.
pub(crate) fn weight(clues: usize) -> u64 {
    let factor = |clues: usize| (CELLS + 1 - clues) as f64 / clues as f64;
    let more: f64 = (27..=clues).map(factor).product();
    let fewer: f64 = (clues + 1..=26).map(factor).product();
    let thinning = if clues > FIRST { THINNING as f64 } else { 1.0 };
    (more / fewer * thinning * 1e12).round() as u64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand_xoshiro::rand_core::Rng;

    use super::*;

    #[test]
    fn weights_are_ratios_of_binomial_coefficients() {
        let weights = [113_452_567, 464_285_714_286, 1_000_000_000_000, 2_037_037_037_037, 31_990_654_298_427];
        assert_eq!([17, 25, 26, 27, 32].map(weight), weights);
        assert_eq!(weight(33) / 1_000_000_000, 47_501_274);
    }

    /// The 4x4 grids that are drawn, and for each set of clues of one of them, as bits, whether the puzzle is unique.
    struct Small {
        grids: Vec<Vec<u8>>,
        is_unique: Vec<Vec<bool>>,
    }

    impl Small {
        fn new() -> Small {
            let (mut made, mut rng) = (RandomGrids::new(Size::Four), Xoshiro256PlusPlus::seed_from_u64(1));
            let (mut drawn, mut all) = (BTreeSet::new(), BTreeSet::new());
            let mut grid = vec![0; 16];
            while all.len() < 288 {
                made.draw(&mut rng, &mut grid);
                drawn.insert(grid.clone());
                made.fill(&mut rng, &mut grid);
                all.insert(grid.clone());
            }
            let is_unique = drawn.iter().map(|grid| Small::unique(grid, &all)).collect();
            let grids = drawn.into_iter().collect();
            Small { grids, is_unique }
        }

        /// A puzzle has another solution if its clues are where that grid agrees.
        fn unique(grid: &[u8], all: &BTreeSet<Vec<u8>>) -> Vec<bool> {
            let mut is_unique = vec![true; 1 << 16];
            for other in all.iter().filter(|other| other[..] != *grid) {
                let agrees = (0..16).filter(|&cell| grid[cell] == other[cell]);
                is_unique[agrees.fold(0, |set, cell| set | 1 << cell)] = false;
            }
            // Nor is a puzzle unique with fewer clues than one that is not.
            for set in (0..1_usize << 16).rev() {
                is_unique[set] &= (0..16).all(|cell| is_unique[set | 1 << cell] || set >> cell & 1 == 1);
            }
            is_unique
        }

        fn is_minimal(&self, grid: usize, set: usize) -> bool {
            let is_unique = &self.is_unique[grid];
            is_unique[set] && (0..16).all(|cell| set >> cell & 1 == 0 || !is_unique[set ^ 1 << cell])
        }

        /// The numbers of clues of all minimal puzzles of these grids.
        fn clues(&self) -> Vec<f64> {
            let mut clues = vec![0.0; 17];
            for grid in 0..self.grids.len() {
                for set in (0..1_usize << 16).filter(|&set| self.is_minimal(grid, set)) {
                    clues[set.count_ones() as usize] += 1.0;
                }
            }
            clues
        }

        /// The numbers of clues of the minimal puzzles of some trials.
        fn try_out(&self, plan: TrialPlan, trials: usize) -> Vec<f64> {
            let (mut grids, mut rng) = (RandomGrids::new(Size::Four), Xoshiro256PlusPlus::seed_from_u64(1));
            let mut trial = Trial::of(plan);
            let set = |puzzle: &[u8]| (0..16).filter(|&cell| puzzle[cell] > 0).fold(0, |set, cell| set | 1 << cell);
            let (mut clues, [mut puzzle, mut solution]) = (vec![0.0; 17], [vec![0; 16], vec![0; 16]]);
            for _ in 0..trials {
                trial.start(&mut grids, Xoshiro256PlusPlus::seed_from_u64(rng.next_u64()));
                let grid = self.grids.binary_search(&trial.solution).unwrap();
                while trial.prepare_query() {
                    trial.answer(self.is_unique[grid][set(&trial.puzzle)]);
                }
                if trial.finish(&mut puzzle, &mut solution) && self.is_minimal(grid, set(&puzzle)) {
                    clues[trial.unique] += 1.0;
                }
            }
            clues
        }
    }

    /// Compares the weighted numbers of puzzles by clues with the numbers of all minimal 4x4 puzzles; and the unweighted
    /// numbers of unbiased ones.
    #[test]
    fn weights_correct_the_bias() {
        const TRIALS: usize = 100_000;
        let small = Small::new();
        let all = small.clues();
        let choose = |clues: usize| (0..clues).map(|n| (16 - n) as f64 / (n + 1) as f64).product::<f64>();

        let plan = TrialPlan { size: Size::Four, is_unbiased: false, first: 5, thinning: 3 };
        let found = small.try_out(plan, TRIALS);
        for clues in 4..=6 {
            let thinning = if clues > 5 { 3.0 } else { 1.0 };
            let estimate = small.grids.len() as f64 * choose(clues) * thinning * found[clues] / TRIALS as f64;
            let error = estimate / found[clues].sqrt();
            assert!((estimate - all[clues]).abs() < 4.0 * error, "{clues}: {estimate} of {} +- {error}", all[clues]);
        }

        let found = small.try_out(TrialPlan { is_unbiased: true, first: 6, ..plan }, TRIALS);
        let (sum, of_all): (f64, f64) = (found[..=6].iter().sum(), all[..=6].iter().sum());
        for clues in 4..=6 {
            let expected = sum * all[clues] / of_all;
            assert!((found[clues] - expected).abs() < 4.0 * expected.sqrt(), "{clues}: {} of {expected}", found[clues]);
        }
    }
}

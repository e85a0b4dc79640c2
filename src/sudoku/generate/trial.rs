//! Trials for minimal puzzles whose probability is known.
//!
//! A trial puts the cells of a uniform grid in a random order. Of the puzzles with the first cells as clues, it takes the
//! shortest with one solution if each of its clues is needed. So a minimal puzzle with `n` clues comes out of a trial with its
//! solution with the probability `1 / C(81, n)`, the chance that its clues come first. Its weight is the inverse.
//!
//! One trial in some 250,000 gives a puzzle. Nearly all of them have several solutions with 30 clues, so this is asked first,
//! and only one in ten of these goes on; of those that have several solutions with 32 clues, only one in a hundred. A puzzle
//! with more clues has a weight as many times larger ([`STEPS`]).
//!
//! A grid has [`TRIALS`] trials, so that its unavoidable sets can be listed: the sets of two lines, and each difference from
//! another solution that an engine has found. Most queries miss a set of the list, and no engine has to answer them. If
//! several trials of a grid give a puzzle, one of these is drawn, and its weight is multiplied by their number. So the mean of
//! the weights for a trial stays the same.
//!
//! For a puzzle without bias, a puzzle is taken in proportion to its weight, up to the weight of a puzzle of 32 clues.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::RandomGrids;
use super::spec::{Target, fewest_clues};
use crate::puzzle::random::{below, below_u64};
use crate::puzzle::{CellSet, Isomorph, Size, find_two_line_sets};

/// The first queries of a trial.
const STEPS: &[Threshold] = &[Threshold { clues: 30, thinning: 10 }, Threshold { clues: 32, thinning: 100 }];

/// The number of trials of a grid.
const TRIALS: usize = 1024;

/// The number of digits of a weight after the decimal point.
pub(crate) const WEIGHT_DIGITS: u32 = 12;

/// A number of clues to ask about; of the trials with several solutions, one in some goes on.
#[derive(Clone, Copy, Debug)]
struct Threshold {
    clues: usize,
    thinning: usize,
}

/// Trials with orders of the cells of a grid, one after another.
#[derive(Debug)]
pub(super) struct Trials {
    /// The puzzle of the current query.
    pub(super) puzzle: Vec<u8>,
    solution: Vec<u8>,
    /// Unavoidable sets of the solution.
    sets: Vec<CellSet>,
    /// The order of the cells; the first ones are random.
    order: Vec<u8>,
    rng: Xoshiro256PlusPlus,
    plan: TrialPlan,
    /// The number of trials that have not started.
    left: usize,
    /// The number of minimal puzzles so far, and the clues of one of them.
    found: usize,
    minimal: CellSet,
    /// The number of the next step.
    step: usize,
    /// The number of clues of the current query.
    clues: usize,
    /// Numbers of clues with several solutions and with one, as close as is known; equal if the trial was given up.
    several: usize,
    unique: usize,
    /// Of the shortest unique puzzle, the clue that the current query leaves out, and clues that are known to be needed.
    left_out: CellSet,
    needed: CellSet,
}

/// The constants of trials of a size.
#[derive(Clone, Copy, Debug)]
struct TrialPlan {
    size: Size,
    is_unbiased: bool,
    steps: &'static [Threshold],
    trials: usize,
    /// The number of clues of a puzzle with the weight 1.
    unit: usize,
}

impl TrialPlan {
    const NINE: TrialPlan = TrialPlan { size: Size::Nine, is_unbiased: false, steps: STEPS, trials: TRIALS, unit: 26 };

    /// Trials for puzzles without bias end at the last step.
    const NINE_UNBIASED: TrialPlan = TrialPlan { is_unbiased: true, steps: STEPS.split_at(1).1, ..TrialPlan::NINE };

    /// The weight of a minimal puzzle in units of the weight of a puzzle of `unit` clues, times 10<sup>12</sup>.
    fn weight(&self, clues: usize) -> u64 {
        let factor = |clues: usize| (self.size.cells() + 1 - clues) as f64 / clues as f64;
        let more: f64 = (self.unit + 1..=clues).map(factor).product();
        let fewer: f64 = (clues + 1..=self.unit).map(factor).product();
        let thinned = self.steps.iter().filter(|step| clues > step.clues).map(|step| step.thinning as f64);
        (more / fewer * thinned.product::<f64>() * 1e12).round() as u64
    }
}

impl Trials {
    /// Trials if puzzles have a known probability; [`Trials::start`] fills in a grid.
    pub(super) fn new(target: Target) -> Option<Trials> {
        let plan = if target == Target::Unbiased { TrialPlan::NINE_UNBIASED } else { TrialPlan::NINE };
        target.has_known_probability().then(|| Trials::of(plan))
    }

    fn of(plan: TrialPlan) -> Trials {
        let cells = plan.size.cells();
        Trials {
            puzzle: vec![0; cells],
            solution: vec![0; cells],
            sets: vec![],
            order: (0..cells as u8).collect(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            plan,
            left: 0,
            found: 0,
            minimal: 0,
            step: 0,
            clues: 0,
            several: 0,
            unique: 0,
            left_out: 0,
            needed: 0,
        }
    }

    /// The number of trials of each grid.
    pub(super) fn of_each_grid(&self) -> u64 {
        self.plan.trials as u64
    }

    pub(super) fn start(&mut self, grids: &mut RandomGrids, mut rng: Xoshiro256PlusPlus) {
        grids.draw(&mut rng, &mut self.solution);
        find_two_line_sets(self.plan.size, &self.solution, &mut self.sets);
        self.rng = rng;
        // Results must not depend on earlier grids.
        self.order.sort_unstable();
        (self.left, self.found) = (self.plan.trials, 0);
        self.give_up();
    }

    /// Ends the current trial.
    fn give_up(&mut self) {
        self.unique = self.several;
    }

    /// Starts the next trial.
    fn next(&mut self) {
        self.left -= 1;
        (self.several, self.unique) = (fewest_clues(self.plan.size) - 1, self.order.len());
        (self.step, self.needed) = (0, 0);
        self.put_in_order(0, self.plan.steps[0].clues);
    }

    /// Draws the cells from one place to another.
    fn put_in_order(&mut self, first: usize, end: usize) {
        for place in first..end {
            let cell = place + below(&mut self.rng, self.order.len() - place);
            self.order.swap(place, cell);
        }
    }

    /// The step that is asked next; `None` once a puzzle is unique, or after all steps.
    fn next_step(&self) -> Option<Threshold> {
        self.plan.steps.get(self.step).copied().filter(|_| self.unique == self.order.len())
    }

    /// The first cells in the order.
    fn first_cells(&self, cells: usize) -> CellSet {
        self.order[..cells].iter().fold(0, |set, cell| set | 1 << cell)
    }

    /// Prepares the next puzzle whose uniqueness must be known. Returns false if all trials have ended.
    pub(super) fn prepare_query(&mut self) -> bool {
        loop {
            let query = match self.unique - self.several {
                0 if self.left == 0 => return false,
                0 => {
                    self.next();
                    continue;
                }
                1 => {
                    let shortest = self.first_cells(self.unique);
                    let in_doubt = shortest & !self.needed_of(shortest);
                    if in_doubt == 0 {
                        self.end_with(shortest);
                        continue;
                    }
                    self.left_out = in_doubt & in_doubt.wrapping_neg();
                    shortest ^ self.left_out
                }
                _ => {
                    let middle = usize::midpoint(self.several, self.unique);
                    self.clues = self.next_step().map_or(middle, |step| step.clues);
                    let query = self.first_cells(self.clues);
                    if self.sets.iter().any(|set| set & query == 0) {
                        self.take_answer(false);
                        continue;
                    }
                    query
                }
            };
            write_clues(query, &self.solution, &mut self.puzzle);
            return true;
        }
    }

    /// The clues of a puzzle that are known to be needed: the only ones in a set of the list.
    fn needed_of(&self, clues: CellSet) -> CellSet {
        let hit = self.sets.iter().map(|set| set & clues);
        hit.filter(|hit| hit & hit.wrapping_sub(1) == 0).fold(self.needed, |needed, hit| needed | hit)
    }

    /// Takes the answer to the last query, and a solution of the puzzle.
    pub(super) fn answer(&mut self, is_unique: bool, found: Option<&[u8]>) {
        let other = found.filter(|&found| found != self.solution);
        self.sets.extend(other.map(|other| {
            let differs = |&cell: &usize| self.solution[cell] != other[cell];
            (0..other.len()).filter(differs).fold(0, |cells, cell| cells | 1 << cell)
        }));

        match self.unique - self.several {
            // One clue that is not needed is enough to know that the puzzle is not minimal.
            1 if is_unique => self.give_up(),
            1 => self.needed |= self.left_out,
            _ => self.take_answer(is_unique),
        }
    }

    fn take_answer(&mut self, is_unique: bool) {
        let step = self.next_step();
        if is_unique {
            self.unique = self.clues;
            return;
        }

        self.several = self.clues;
        if let Some(Threshold { clues, thinning }) = step {
            if self.plan.is_unbiased || below(&mut self.rng, thinning) > 0 {
                return self.give_up();
            }
            self.step += 1;
            let end = self.plan.steps.get(self.step).map_or(self.order.len(), |step| step.clues);
            self.put_in_order(clues, end);
        }
    }

    /// Ends the trial with a minimal puzzle.
    fn end_with(&mut self, minimal: CellSet) {
        self.found += 1;
        if below(&mut self.rng, self.found) == 0 {
            self.minimal = minimal;
        }
        self.give_up();
    }

    /// Writes the puzzle of all trials, if there is one and it is taken: a random isomorph, because all are equally likely.
    pub(super) fn finish(&mut self, puzzle: &mut [u8], solution: &mut [u8]) -> bool {
        let is_taken = self.found > 0
            && (!self.plan.is_unbiased || {
                let most = self.plan.weight(self.plan.steps[0].clues);
                below_u64(&mut self.rng, most) < self.weight_of_all()
            });
        if is_taken {
            let isomorph = Isomorph::random(self.plan.size, &mut self.rng);
            write_clues(self.minimal, &self.solution, &mut self.puzzle);
            isomorph.apply_into(&self.puzzle, puzzle);
            isomorph.apply_into(&self.solution, solution);
        }
        is_taken
    }

    /// The weight of the puzzle; `None` if all puzzles are equally likely.
    pub(super) fn weight(&self) -> Option<u64> {
        (!self.plan.is_unbiased).then(|| self.weight_of_all())
    }

    fn weight_of_all(&self) -> u64 {
        self.plan.weight(self.minimal.count_ones() as usize) * self.found as u64
    }
}

/// Writes the puzzle with these cells of a solution as clues.
fn write_clues(cells: CellSet, solution: &[u8], puzzle: &mut [u8]) {
    for (cell, (clue, &digit)) in puzzle.iter_mut().zip(solution).enumerate() {
        *clue = if cells >> cell & 1 == 1 { digit } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand_xoshiro::rand_core::Rng;

    use super::*;
    use crate::engine::bitmask::Bitmask;
    use crate::engine::{Bounds, Engine, Limit, Verdicts};
    use crate::puzzle::Batch;

    #[test]
    fn weights_are_ratios_of_binomial_coefficients() {
        let weights = [113_452_567, 464_285_714_286, 1_000_000_000_000, 2_037_037_037_037, 12_444_991_789_819];
        assert_eq!([17, 25, 26, 27, 30].map(|clues| TrialPlan::NINE.weight(clues)), weights);
        assert_eq!(TrialPlan::NINE.weight(32), 319_906_542_984_268);
        assert_eq!(TrialPlan::NINE.weight(33) / 1_000_000_000, 47_501_274);
        assert_eq!(TrialPlan::NINE_UNBIASED.weight(32), 31_990_654_298_427);
    }

    /// By the number of clues, the sum of the weights of the puzzles of some grids, and the sum of the squares.
    fn try_out(plan: TrialPlan, grids: usize, mut is_unique: impl FnMut(&[u8], &[u8]) -> bool) -> Vec<[f64; 2]> {
        let (mut made, mut rng) = (RandomGrids::new(plan.size), Xoshiro256PlusPlus::seed_from_u64(1));
        let mut trials = Trials::of(plan);
        let cells = plan.size.cells();
        let (mut sums, [mut puzzle, mut solution]) = (vec![[0.0; 2]; cells + 1], [vec![0; cells], vec![0; cells]]);
        for _ in 0..grids {
            trials.start(&mut made, Xoshiro256PlusPlus::seed_from_u64(rng.next_u64()));
            while trials.prepare_query() {
                let is_unique = is_unique(&trials.puzzle, &trials.solution);
                trials.answer(is_unique, None);
            }
            if trials.finish(&mut puzzle, &mut solution) {
                let weight = trials.weight().map_or(1.0, |weight| weight as f64 / 1e12);
                let [sum, squares] = &mut sums[trials.minimal.count_ones() as usize];
                *sum += weight;
                *squares += weight * weight;
            }
        }
        sums
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

        fn has_one_solution(&self, puzzle: &[u8], solution: &[u8]) -> bool {
            let set = (0..16).filter(|&cell| puzzle[cell] > 0).fold(0, |set, cell| set | 1 << cell);
            self.is_unique[self.grids.binary_search(&solution.to_vec()).unwrap()][set]
        }

        /// The numbers of clues of all minimal puzzles of these grids.
        fn clues(&self) -> Vec<f64> {
            let mut clues = vec![0.0; 17];
            for is_unique in &self.is_unique {
                let is_minimal = |set: usize| {
                    is_unique[set] && (0..16).all(|cell| set >> cell & 1 == 0 || !is_unique[set ^ 1 << cell])
                };
                for set in (0..1_usize << 16).filter(|&set| is_minimal(set)) {
                    clues[set.count_ones() as usize] += 1.0;
                }
            }
            clues
        }
    }

    /// Compares the weights of puzzles by clues with the numbers of all minimal 4x4 puzzles; and the numbers of unbiased ones.
    #[test]
    fn weights_correct_the_bias() {
        const GRIDS: usize = 30_000;
        let small = Small::new();
        let all = small.clues();
        let unit = (0..5).map(|n| f64::from(16 - n) / f64::from(n + 1)).product::<f64>();

        let steps = &[Threshold { clues: 4, thinning: 2 }, Threshold { clues: 5, thinning: 3 }];
        let plan = TrialPlan { size: Size::Four, is_unbiased: false, steps, trials: 4, unit: 5 };
        let found = try_out(plan, GRIDS, |puzzle, solution| small.has_one_solution(puzzle, solution));
        for clues in 4..=6 {
            let scale = small.grids.len() as f64 * unit / (GRIDS * plan.trials) as f64;
            let [estimate, error] = [scale * found[clues][0], scale * found[clues][1].sqrt()];
            assert!((estimate - all[clues]).abs() < 4.0 * error, "{clues}: {estimate} of {} +- {error}", all[clues]);
        }

        let plan = TrialPlan { is_unbiased: true, steps: &[Threshold { clues: 6, thinning: 1 }], trials: 1, ..plan };
        let found = try_out(plan, 100_000, |puzzle, solution| small.has_one_solution(puzzle, solution));
        let of = |sums: &dyn Fn(usize) -> f64| (4..=6).map(sums).sum::<f64>();
        let (sum, of_all) = (of(&|clues| found[clues][0]), of(&|clues| all[clues]));
        for clues in 4..=6 {
            let (found, expected) = (found[clues][0], sum * all[clues] / of_all);
            assert!((found - expected).abs() < 4.0 * expected.sqrt(), "{clues}: {found} of {expected}");
        }
    }

    /// The weighted shares of minimal 6x6 puzzles by clues are the shares of unbiased ones.
    #[test]
    fn weighted_and_unbiased_puzzles_have_the_same_means() {
        let (mut engine, mut batch, mut verdicts) = (Bitmask::new(), Batch::new(Size::Six), Verdicts::new());
        let mut is_unique = |puzzle: &[u8], _: &[u8]| {
            batch.clear();
            batch.push(puzzle);
            engine.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
            verdicts.get(0).solutions == 1
        };
        let steps = &[Threshold { clues: 12, thinning: 2 }];
        let plan = TrialPlan { size: Size::Six, is_unbiased: false, steps, trials: 8, unit: 10 };
        let weighted = try_out(plan, 2_000, &mut is_unique);
        let unbiased = try_out(TrialPlan { is_unbiased: true, ..plan }, 10_000, &mut is_unique);
        let [of_weighted, of_unbiased] =
            [&weighted, &unbiased].map(|sums| sums[..=12].iter().map(|sum| sum[0]).sum::<f64>());
        assert!(of_unbiased > 50.0, "{of_unbiased}");
        for clues in 8..=12 {
            let (share, error) = (weighted[clues][0] / of_weighted, weighted[clues][1].sqrt() / of_weighted);
            let (other, other_error) = (unbiased[clues][0] / of_unbiased, unbiased[clues][1].sqrt() / of_unbiased);
            assert!((share - other).abs() <= 4.0 * f64::hypot(error, other_error), "{clues}: {share} and {other}");
        }
    }
}

//! What engines find out: one verdict a puzzle, as parallel arrays that are used again from batch to batch.

use std::ops::{Add, AddAssign};

use crate::batch::Batch;
use crate::geometry::Order;

/// What an engine found out about each puzzle of a batch, in the batch's order.
#[derive(Clone, Debug)]
pub struct Verdicts {
    order: Order,
    solutions: Vec<u64>,
    cells: Vec<u8>,
    costs: Vec<Cost>,
}

/// What an engine found out about one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// How many solutions were counted, at most the limit.
    pub solutions: u64,
    /// One of the solutions: the solution if there is only one; which of several is up to the engine.
    pub solution: Option<&'a [u8]>,
    /// What it took to find out.
    pub cost: Cost,
}

/// What it took to find something out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How often the search guessed: a cell (or a place) with `k` open candidates, all of them tried, is `k - 1`
    /// branches, so a puzzle that needs no guess has none. The same for the same puzzle and limit, whatever stands
    /// beside it in the batch; different from engine to engine.
    pub branches: u64,
    /// Time, in nanoseconds.
    pub nanos: u64,
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost { branches: self.branches + other.branches, nanos: self.nanos + other.nanos }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl Verdicts {
    /// No verdicts yet; an engine makes room for a batch.
    pub fn new() -> Verdicts {
        Verdicts { order: Order::Three, solutions: vec![], cells: vec![], costs: vec![] }
    }

    /// Makes room for a verdict on each puzzle of `batch`, every one of them "no solution, no branch, no time" for now.
    pub fn reset(&mut self, batch: &Batch) {
        self.order = batch.order();
        self.solutions.clear();
        self.solutions.resize(batch.len(), 0);
        self.costs.clear();
        self.costs.resize(batch.len(), Cost::default());
        // Cells are only read where a solution was counted, and whoever counts writes them: no need to wipe them.
        self.cells.resize(batch.len() * batch.order().cells(), 0);
    }

    /// How many verdicts there are.
    pub fn len(&self) -> usize {
        self.solutions.len()
    }

    /// Whether there is no verdict.
    pub fn is_empty(&self) -> bool {
        self.solutions.is_empty()
    }

    /// The verdict on puzzle number `index`.
    pub fn get(&self, index: usize) -> Verdict<'_> {
        let cells = self.order.cells();
        let solutions = self.solutions[index];
        Verdict {
            solutions,
            solution: (solutions > 0).then(|| &self.cells[index * cells..][..cells]),
            cost: self.costs[index],
        }
    }

    /// All verdicts, in the order of their puzzles.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Verdict<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Counts one more solution of puzzle number `index`, keeps the first, and says how many there are now.
    ///
    /// # Panics
    ///
    /// If `solution` does not have the length of the batch's puzzles.
    pub fn count_solution(&mut self, index: usize, solution: &[u8]) -> u64 {
        self.solutions[index] += 1;
        if self.solutions[index] == 1 {
            let cells = self.order.cells();
            self.cells[index * cells..][..cells].copy_from_slice(solution);
        }
        self.solutions[index]
    }

    /// Sets how many solutions of puzzle number `index` were counted, for an engine that counts by itself.
    pub fn set_count(&mut self, index: usize, solutions: u64) {
        self.solutions[index] = solutions;
    }

    /// The cells of the solutions that are kept, end to end, for an engine that writes them by itself: those of a puzzle
    /// can be anything as long as no solution is counted.
    pub fn solution_cells_mut(&mut self) -> &mut [u8] {
        &mut self.cells
    }

    /// Notes what the search for puzzle number `index` cost.
    pub fn set_cost(&mut self, index: usize, cost: Cost) {
        self.costs[index] = cost;
    }
}

impl Default for Verdicts {
    fn default() -> Verdicts {
        Verdicts::new()
    }
}

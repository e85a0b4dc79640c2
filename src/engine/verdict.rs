//! What engines find out: one verdict a puzzle, in flat arrays that are used again from batch to batch.

use std::ops::{Add, AddAssign};

use crate::puzzle::Batch;
use crate::puzzle::Order;

/// What an engine found out about each puzzle of a batch, in the batch's order.
#[derive(Clone, Debug)]
pub struct Verdicts {
    order: Order,
    counts: Vec<Count>,
    /// The cells of the solutions, end to end.
    cells: Vec<u8>,
}

/// How many solutions of a puzzle were counted, and what that took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many, at most the limit.
    pub solutions: u64,
    /// What it took.
    pub cost: Cost,
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
        Verdicts { order: Order::Three, counts: vec![], cells: vec![] }
    }

    /// Makes room for a verdict on each puzzle of `batch`, every one of them "no solution, no branch, no time" for now.
    pub fn reset(&mut self, batch: &Batch) {
        self.counts.clear();
        self.counts.resize(batch.len(), Count::default());
        self.make_room(batch);
    }

    /// Room for the solution of each puzzle of `batch`, cell values end to end, for an engine that writes them there by
    /// itself and then [counts](Verdicts::set_counts). What is in the room may be anything.
    pub fn make_room(&mut self, batch: &Batch) -> &mut [u8] {
        self.order = batch.order();
        // Cells are only read where a solution was counted, and whoever counts writes them: no need to wipe them.
        self.cells.resize(batch.len() * batch.order().cells(), 0);
        &mut self.cells
    }

    /// Sets what was counted of all puzzles of a batch, in order, by an engine that counts by itself.
    ///
    /// # Panics
    ///
    /// If there are not as many as there is [room](Verdicts::make_room) for.
    pub fn set_counts(&mut self, counts: impl ExactSizeIterator<Item = Count>) {
        assert_eq!(counts.len() * self.order.cells(), self.cells.len(), "a count for each puzzle");
        self.counts.clear();
        self.counts.extend(counts);
    }

    /// How many verdicts there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is no verdict.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The verdict on puzzle number `index`.
    pub fn get(&self, index: usize) -> Verdict<'_> {
        let cells = self.order.cells();
        let Count { solutions, cost } = self.counts[index];
        Verdict { solutions, solution: (solutions > 0).then(|| &self.cells[index * cells..][..cells]), cost }
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
        let solutions = &mut self.counts[index].solutions;
        *solutions += 1;
        if *solutions == 1 {
            let cells = self.order.cells();
            self.cells[index * cells..][..cells].copy_from_slice(solution);
        }
        *solutions
    }

    /// Notes what the search for puzzle number `index` cost.
    pub fn set_cost(&mut self, index: usize, cost: Cost) {
        self.counts[index].cost = cost;
    }
}

impl Default for Verdicts {
    fn default() -> Verdicts {
        Verdicts::new()
    }
}

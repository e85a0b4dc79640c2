//! Engines: a batch of puzzles in, a batch of verdicts out.
//!
//! An engine knows Sudoku, and nothing of threads, files or text. Each thread owns one; its scratch memory is reused
//! from puzzle to puzzle and from batch to batch.

use std::num::NonZeroU64;

use crate::batch::Batch;
use crate::geometry::Order;

/// Solves batches of puzzles.
///
/// The call is once for some thousand puzzles, so engines of all kinds stand behind `dyn Engine` at no cost.
pub trait Engine: Send {
    /// Solves every puzzle of `batch`, counting solutions up to `limit`; one verdict a puzzle, in order.
    ///
    /// `verdicts` is made to fit the batch; what it held before is gone. Any values of a [`Batch`] are fine: a puzzle
    /// whose clues contradict each other has no solution.
    fn solve(&mut self, batch: &Batch, limit: Limit, verdicts: &mut Verdicts);
}

/// How far solutions are counted before a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(NonZeroU64);

impl Limit {
    /// Stop at the first solution.
    pub const FIRST: Limit = Limit(NonZeroU64::MIN);

    /// Stop at the second: enough to know whether a puzzle is unique.
    pub const UNIQUE: Limit = Limit(NonZeroU64::MIN.saturating_add(1));

    /// Stop at solution number `count`.
    pub const fn new(count: NonZeroU64) -> Limit {
        Limit(count)
    }

    /// The number of solutions to stop at, at least 1.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

/// What an engine found out about each puzzle of a batch, in the batch's order.
#[derive(Clone, Debug)]
pub struct Verdicts {
    order: Order,
    solutions: Vec<u64>,
    cells: Vec<u8>,
    branches: Vec<u64>,
    nanos: Vec<u64>,
}

/// What an engine found out about one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// How many solutions were counted, at most the limit.
    pub solutions: u64,
    /// One of the solutions: the solution if there is only one; which of several is up to the engine.
    pub solution: Option<&'a [u8]>,
    /// How often the search guessed: a cell (or a place) with `k` open candidates, all of them tried, is `k - 1`
    /// branches, so a puzzle that needs no guess has none. The same for the same puzzle and limit, whatever stands
    /// beside it in the batch; different from engine to engine.
    pub branches: u64,
    /// What solving took, in nanoseconds.
    pub nanos: u64,
}

impl Verdicts {
    /// No verdicts yet; an engine makes room for a batch.
    pub fn new() -> Verdicts {
        Verdicts { order: Order::Three, solutions: vec![], cells: vec![], branches: vec![], nanos: vec![] }
    }

    /// Makes room for a verdict on each puzzle of `batch`, every one of them "no solution, no branch, no time" for now.
    pub fn reset(&mut self, batch: &Batch) {
        self.order = batch.order();
        for column in [&mut self.solutions, &mut self.branches, &mut self.nanos] {
            column.clear();
            column.resize(batch.len(), 0);
        }
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
            branches: self.branches[index],
            nanos: self.nanos[index],
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
        if self.solutions[index] == 0 {
            let cells = self.order.cells();
            self.cells[index * cells..][..cells].copy_from_slice(solution);
        }
        self.solutions[index] += 1;
        self.solutions[index]
    }

    /// Notes what the search for puzzle number `index` cost.
    pub fn set_cost(&mut self, index: usize, branches: u64, nanos: u64) {
        self.branches[index] = branches;
        self.nanos[index] = nanos;
    }
}

impl Default for Verdicts {
    fn default() -> Verdicts {
        Verdicts::new()
    }
}

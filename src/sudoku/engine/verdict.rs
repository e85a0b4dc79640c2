//! The results of engines: one verdict for each puzzle, in flat arrays that are reused for the next batch.

use std::ops::{Add, AddAssign};

use crate::puzzle::{Batch, Size};

/// The verdicts on the puzzles of a batch, in the order of the batch.
#[derive(Clone, Debug)]
pub struct Verdicts {
    size: Size,
    counts: Vec<SolutionCount>,
    /// The cell values of a solution of each puzzle, one solution after another.
    cells: Vec<u8>,
    /// The cell values of all solutions, if all are kept.
    all: Option<Vec<u8>>,
}

/// The memory for the solutions of an engine that counts them itself.
pub(super) struct SolutionCells<'a> {
    /// The cells of a solution of each puzzle in the batch. Their previous content is meaningless.
    pub(super) first: &'a mut [u8],
    /// Receives all solutions of the batch, if they are kept.
    pub(super) all: Option<&'a mut Vec<u8>>,
}

/// The number of solutions of a puzzle, and the cost of counting them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SolutionCount {
    /// The number of solutions, at most the limit.
    pub(super) solutions: u64,
    /// How the search ended.
    pub(super) end: SearchEnd,
    /// The cost of the search.
    pub(super) cost: Cost,
}

impl SolutionCount {
    /// The count of a search; its branches count only if it was complete.
    pub(super) fn new(solutions: u64, end: SearchEnd, branches: u64, nanos: u64) -> SolutionCount {
        let branches = (end == SearchEnd::Complete).then_some(branches);
        SolutionCount { solutions, end, cost: Cost { branches, nanos } }
    }
}

/// The verdict of an engine on one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// The number of solutions that were found, at most the limit.
    pub solutions: u64,
    /// How the search ended: whether there may be more solutions.
    pub end: SearchEnd,
    /// One of the solutions. If there are several, the engine chooses.
    pub solution: Option<&'a [u8]>,
    /// The cost of the search.
    pub cost: Cost,
}

/// How the search for the solutions of a puzzle ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchEnd {
    /// It was complete: all solutions were found.
    #[default]
    Complete,
    /// It had as many solutions as the [limit](super::Bounds::solutions).
    AtLimit,
    /// It needed more branches than [it may take](super::Bounds::max_branches): the puzzle is undecided.
    GaveUp,
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The number of guesses of a complete search: a cell (or a digit in a house) with `k` candidates counts as `k - 1`
    /// branches, so a puzzle that needs no guess has none. It depends on the engine and the puzzle, but not on the
    /// limit or the other puzzles of the batch.
    ///
    /// `None` if a part of the tree was not searched, because the search reached its limit or gave up: the size of the
    /// searched part depends on the order of the search.
    pub branches: Option<u64>,
    /// Time, in nanoseconds. An engine that searches several puzzles at once divides its time among them.
    pub nanos: u64,
}

/// The cost before any search: no branches, no time.
impl Default for Cost {
    fn default() -> Cost {
        Cost { branches: Some(0), nanos: 0 }
    }
}

/// The cost of two searches. The number of branches is known only if both searches have one.
impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        let branches = self.branches.zip(other.branches).map(|(one, two)| one + two);
        Cost { branches, nanos: self.nanos + other.nanos }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl Verdicts {
    /// An empty list, for an engine to fill.
    pub fn new() -> Verdicts {
        Verdicts { size: Size::Nine, counts: vec![], cells: vec![], all: None }
    }

    /// An empty list that keeps all solutions, not only one for each puzzle.
    pub fn keeping_all() -> Verdicts {
        Verdicts { all: Some(vec![]), ..Verdicts::new() }
    }

    /// Replaces the verdicts by one for each puzzle of `batch`, with no solution and no cost.
    pub fn reset(&mut self, batch: &Batch) {
        self.counts.clear();
        self.counts.resize(batch.len(), SolutionCount::default());
        self.solution_cells(batch);
    }

    /// The cells of solutions, for an engine that writes them itself and then [sets the counts](Verdicts::set_counts).
    pub(super) fn solution_cells(&mut self, batch: &Batch) -> SolutionCells<'_> {
        self.size = batch.size();
        // The cells need no reset: they are read only where a solution was counted, and counting overwrites them.
        self.cells.resize(batch.len() * batch.size().cells(), 0);
        if let Some(all) = &mut self.all {
            all.clear();
        }
        SolutionCells { first: &mut self.cells, all: self.all.as_mut() }
    }

    /// Sets the counts of all puzzles of a batch, in order, for an engine that counts itself.
    ///
    /// # Panics
    ///
    /// If the number of counts differs from the number of puzzles.
    pub(super) fn set_counts(&mut self, counts: impl ExactSizeIterator<Item = SolutionCount>) {
        assert_eq!(counts.len() * self.size.cells(), self.cells.len(), "a count for each puzzle");
        self.counts.clear();
        self.counts.extend(counts);
    }

    /// The number of verdicts.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no verdicts.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The verdict on puzzle `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Verdict<'_> {
        let cells = self.size.cells();
        let SolutionCount { solutions, end, cost } = self.counts[index];
        Verdict { solutions, end, solution: (solutions > 0).then(|| &self.cells[index * cells..][..cells]), cost }
    }

    /// All verdicts, in the order of their puzzles.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Verdict<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The cell values of all solutions of all puzzles, one solution after another, in the order in which the engine
    /// found them. Empty unless all solutions are [kept](Verdicts::keeping_all).
    pub fn all_solutions(&self) -> &[u8] {
        self.all.as_deref().unwrap_or_default()
    }

    /// Counts one more solution of puzzle `index`, keeps it if it is the first or all are kept, and returns the new
    /// number.
    ///
    /// # Panics
    ///
    /// If the length of `solution` is not the number of cells of the batch's puzzles.
    pub fn count_solution(&mut self, index: usize, solution: &[u8]) -> u64 {
        let solutions = &mut self.counts[index].solutions;
        *solutions += 1;
        if let Some(all) = &mut self.all {
            all.extend_from_slice(solution);
        }
        if *solutions == 1 {
            let cells = self.size.cells();
            self.cells[index * cells..][..cells].copy_from_slice(solution);
        }
        *solutions
    }

    /// Sets how the search for puzzle `index` ended, and its cost. Branches count only if the search was complete.
    pub fn finish(&mut self, index: usize, end: SearchEnd, branches: u64, nanos: u64) {
        let SolutionCount { solutions, .. } = self.counts[index];
        self.counts[index] = SolutionCount::new(solutions, end, branches, nanos);
    }
}

impl Default for Verdicts {
    fn default() -> Verdicts {
        Verdicts::new()
    }
}

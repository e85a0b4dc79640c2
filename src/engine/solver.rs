//! Questions about puzzles of any size, put to one engine.
//!
//! An engine takes batches of one size and counts. Here is what remains to do for a whole question: a batch for each
//! size, and lists of solutions in lexicographic order where they are asked for.

use std::ops::Range;

use crate::engine::{Cost, Engine, Limit, ListOutcome, Lister, Verdicts};
use crate::puzzle::Batch;
use crate::puzzle::Order;

/// What is asked of every puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether there is a solution.
    Any,
    /// How many solutions there are, up to a limit of two or more; the solution if there is only one.
    Count(Limit),
    /// The first solution in lexicographic order, and whether there are others.
    First,
    /// Every solution in lexicographic order, up to a cap.
    All(Limit),
}

impl Question {
    /// How far an engine counts. What is to be listed is listed only where that shows several solutions.
    pub fn limit(self) -> Limit {
        match self {
            Question::Any => Limit::FIRST,
            Question::Count(limit) => limit.max(Limit::UNIQUE),
            Question::First | Question::All(_) => Limit::UNIQUE,
        }
    }
}

/// The answer to a question about one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The puzzle.
    pub puzzle: &'a [u8],
    /// How many solutions were counted, or listed.
    pub solutions: u64,
    /// The solutions that were asked for, cell values end to end.
    pub grids: &'a [u8],
    /// Whether a list is not complete.
    pub more: bool,
    /// What the answer took.
    pub cost: Cost,
}

/// Puzzles of all sizes, and the answers to one question about each of them.
pub struct Solver {
    engine: Box<dyn Engine>,
    lister: Lister,
    sizes: [Size; Order::ALL.len()],
}

/// The puzzles of one size.
struct Size {
    batch: Batch,
    verdicts: Verdicts,
    /// One for each puzzle, or none at all if only a count was asked for.
    lists: Vec<Option<List>>,
    /// The listed solutions of all puzzles, cell values end to end.
    listed: Vec<u8>,
}

/// The listed solutions of a puzzle that has several.
struct List {
    grids: Range<usize>,
    more: bool,
    cost: Cost,
}

impl Solver {
    /// A solver without puzzles.
    pub fn new(engine: Box<dyn Engine>) -> Solver {
        let size = |order| Size { batch: Batch::new(order), verdicts: Verdicts::new(), lists: vec![], listed: vec![] };
        Solver { engine, lister: Lister::new(), sizes: Order::ALL.map(size) }
    }

    /// Takes all puzzles out and keeps the memory.
    pub fn clear(&mut self) {
        for size in &mut self.sizes {
            size.batch.clear();
        }
    }

    /// Adds a puzzle, and says which it is among those of its size.
    ///
    /// # Panics
    ///
    /// As [`Batch::push`].
    pub fn push(&mut self, order: Order, puzzle: &[u8]) -> usize {
        let batch = &mut self.sizes[order.index()].batch;
        batch.push(puzzle);
        batch.len() - 1
    }

    /// Adds a 9x9 puzzle that `fill` writes where it is to be, as [`Batch::push_with`] has it; says which it is among
    /// those of its size.
    #[inline]
    pub fn push_nine<T>(
        &mut self,
        fill: impl FnOnce(&mut [u8; Order::Three.cells()]) -> Option<T>,
    ) -> Option<(T, usize)> {
        let batch = &mut self.sizes[Order::Three.index()].batch;
        Some((batch.push_with(fill)?, batch.len() - 1))
    }

    /// Finds the answers for all puzzles.
    pub fn solve(&mut self, question: Question) {
        for size in self.sizes.iter_mut().filter(|size| !size.batch.is_empty()) {
            self.engine.solve(&size.batch, question.limit(), &mut size.verdicts);
            match question {
                Question::Any | Question::Count(_) => size.lists.clear(),
                Question::First => size.list(&mut *self.engine, &mut self.lister, None),
                Question::All(cap) => size.list(&mut *self.engine, &mut self.lister, Some(cap)),
            }
        }
    }

    /// The answer for puzzle number `index` of a size, as of the last call of [`Solver::solve`].
    #[expect(
        clippy::inline_always,
        reason = "a call would return it by way of memory, which takes as long as all the rest"
    )]
    #[inline(always)]
    pub fn answer(&self, order: Order, index: usize) -> Answer<'_> {
        let Size { batch, verdicts, lists, listed } = &self.sizes[order.index()];
        let verdict = verdicts.get(index);
        let puzzle = batch.puzzle(index);
        if let Some(Some(List { grids, more, cost })) = lists.get(index) {
            let grids = &listed[grids.clone()];
            // Of a puzzle with several solutions the first may be all that is listed.
            let solutions = verdict.solutions.max((grids.len() / order.cells()) as u64);
            return Answer { puzzle, solutions, grids, more: *more, cost: verdict.cost + *cost };
        }
        let grids = verdict.solution.filter(|_| verdict.solutions == 1).unwrap_or_default();
        Answer { puzzle, solutions: verdict.solutions, grids, more: false, cost: verdict.cost }
    }
}

impl Size {
    /// Lists the first solutions of the puzzles that have several, up to a cap, or the smallest only.
    fn list(&mut self, engine: &mut dyn Engine, lister: &mut Lister, cap: Option<Limit>) {
        let Size { batch, verdicts, lists, listed } = self;
        let order = batch.order();
        lists.clear();
        listed.clear();
        for (puzzle, verdict) in batch.puzzles().zip(verdicts.iter()) {
            let start = listed.len();
            let several = verdict.solution.filter(|_| verdict.solutions > 1);
            lists.push(several.map(|grid| {
                let ListOutcome { more, cost } = if let Some(cap) = cap {
                    lister.list(engine, order, puzzle, cap, listed)
                } else {
                    listed.extend_from_slice(grid);
                    let cost = lister.smallest(engine, order, puzzle, &mut listed[start..]);
                    ListOutcome { more: false, cost }
                };
                List { grids: start..listed.len(), more, cost }
            }));
        }
    }
}

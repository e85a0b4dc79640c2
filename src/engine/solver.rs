//! Questions about puzzles of any size, put to one engine.
//!
//! An engine takes batches of one size and counts. Here is what remains to do for a whole question: a batch for each
//! size, and lists of solutions in lexicographic order where they are asked for.

use std::ops::Range;

use crate::engine::{Cost, Engine, Limit, ListOutcome, Lister, Verdicts};
use crate::puzzle::{Batch, Order, Puzzles};

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
    puzzles: Puzzles,
    answers: [SizeAnswers; Order::ALL.len()],
}

/// The answers for the puzzles of one size.
#[derive(Default)]
struct SizeAnswers {
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
        Solver { engine, lister: Lister::new(), puzzles: Puzzles::new(), answers: Default::default() }
    }

    /// Takes all puzzles out and keeps the memory.
    pub fn clear(&mut self) {
        self.puzzles.clear();
    }

    /// Adds a puzzle, and says which it is among those of its size.
    ///
    /// # Panics
    ///
    /// As [`Batch::push`].
    pub fn push(&mut self, order: Order, puzzle: &[u8]) -> usize {
        self.puzzles.push(order, puzzle)
    }

    /// The puzzles that [`Solver::solve`] is going to solve, for parsers to add to.
    pub fn puzzles_mut(&mut self) -> &mut Puzzles {
        &mut self.puzzles
    }

    /// Finds the answers for all puzzles.
    pub fn solve(&mut self, question: Question) {
        for (order, answers) in Order::ALL.into_iter().zip(&mut self.answers) {
            let batch = self.puzzles.batch(order);
            if batch.is_empty() {
                continue;
            }
            self.engine.solve(batch, question.limit(), &mut answers.verdicts);
            match question {
                Question::Any | Question::Count(_) => answers.lists.clear(),
                Question::First => answers.list(batch, &mut *self.engine, &mut self.lister, None),
                Question::All(cap) => answers.list(batch, &mut *self.engine, &mut self.lister, Some(cap)),
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
        let SizeAnswers { verdicts, lists, listed } = &self.answers[order.index()];
        let verdict = verdicts.get(index);
        let puzzle = self.puzzles.batch(order).puzzle(index);
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

impl SizeAnswers {
    /// Lists the first solutions of the puzzles that have several, up to a cap, or the smallest only.
    fn list(&mut self, batch: &Batch, engine: &mut dyn Engine, lister: &mut Lister, cap: Option<Limit>) {
        let SizeAnswers { verdicts, lists, listed } = self;
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

//! Answers one question about puzzles of any size with one engine.
//!
//! An engine takes batches of one size and counts solutions. The solver calls it for each size and, if a question needs
//! them, lists solutions in lexicographic order.

use std::ops::Range;

use crate::engine::{Cost, Engine, Limit, ListOutcome, Lister, Verdicts};
use crate::puzzle::{Batch, Order, Puzzles};

/// A question about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether there is a solution.
    Any,
    /// The number of solutions, up to a limit of two or more, and the solution if there is only one.
    Count(Limit),
    /// The first solution in lexicographic order, and whether there are others.
    First,
    /// Every solution in lexicographic order, up to a cap.
    All(Limit),
}

impl Question {
    /// The limit for the engine. Solutions are listed only if it counts several.
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
    /// The number of solutions that were counted or listed.
    pub solutions: u64,
    /// The cell values of the solutions that were asked for, one solution after another.
    pub grids: &'a [u8],
    /// Whether there are more solutions than the list has.
    pub more: bool,
    /// The cost of the answer.
    pub cost: Cost,
}

/// Puzzles of all sizes, and the answers to one question about each of them.
#[derive(Debug)]
pub struct Solver {
    engine: Box<dyn Engine>,
    lister: Lister,
    puzzles: Puzzles,
    answers: [SizeAnswers; Order::ALL.len()],
}

/// The answers for the puzzles of one size.
#[derive(Debug, Default)]
struct SizeAnswers {
    verdicts: Verdicts,
    /// One entry for each puzzle, or none if only a count was asked for.
    lists: Vec<Option<List>>,
    /// The cell values of the listed solutions of all puzzles, one solution after another.
    listed: Vec<u8>,
}

/// The listed solutions of a puzzle that has several.
#[derive(Debug)]
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

    /// Removes all puzzles and keeps the memory.
    pub fn clear(&mut self) {
        self.puzzles.clear();
    }

    /// Adds a puzzle and returns its index among the puzzles of its size.
    ///
    /// # Panics
    ///
    /// As [`Batch::push`].
    pub fn push(&mut self, order: Order, puzzle: &[u8]) -> usize {
        self.puzzles.push(order, puzzle)
    }

    /// The puzzles for the next call of [`Solver::solve`]. Parsers add to them.
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

    /// The answer for puzzle `index` of a size, from the last call of [`Solver::solve`].
    #[expect(
        clippy::inline_always,
        reason = "a call would return it through memory, which takes as long as the rest of the function"
    )]
    #[inline(always)]
    pub fn answer(&self, order: Order, index: usize) -> Answer<'_> {
        let SizeAnswers { verdicts, lists, listed } = &self.answers[order.index()];
        let verdict = verdicts.get(index);
        let puzzle = self.puzzles.batch(order).puzzle(index);
        if let Some(Some(List { grids, more, cost })) = lists.get(index) {
            let grids = &listed[grids.clone()];
            // Only the first of several solutions may be listed.
            let solutions = verdict.solutions.max((grids.len() / order.cells()) as u64);
            return Answer { puzzle, solutions, grids, more: *more, cost: verdict.cost + *cost };
        }
        let grids = verdict.solution.filter(|_| verdict.solutions == 1).unwrap_or_default();
        Answer { puzzle, solutions: verdict.solutions, grids, more: false, cost: verdict.cost }
    }
}

impl SizeAnswers {
    /// Lists the first solutions, up to a cap, of the puzzles that have several. Without a cap, the smallest only.
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

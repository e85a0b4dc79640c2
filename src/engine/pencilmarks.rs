//! Answers one question about pencilmark puzzles, one puzzle at a time.
//!
//! Engines that solve batches in vectors do not take them, so the bitmask engine takes their place.

use std::ops::ControlFlow;

use super::bitmask::Bitmask;
use super::question::Question;
use super::{Bounds, Cost, Engine, Limit, SearchEnd};
use crate::clock::Instant;
use crate::puzzle::{Grid, Pencilmarks};

/// The maximum number of solutions that one search lists: 330 kB, which take little time to sort.
const MAX_AT_ONCE: u64 = 4096;

/// Pencilmark puzzles, and the answers to a question about each of them.
#[derive(Debug, Default)]
pub(super) struct PencilmarkSolver {
    puzzles: Vec<Pencilmarks>,
    answers: Vec<PencilmarkAnswer>,
    search: PencilmarkSearch,
}

/// The answer to a question about a pencilmark puzzle.
#[derive(Debug)]
pub(super) struct PencilmarkAnswer {
    /// The number of solutions that were counted or listed.
    pub(super) solutions: u64,
    /// Whether a search gave up.
    pub(super) end: SearchEnd,
    /// The solutions that were asked for.
    pub(super) grids: Vec<Grid>,
    /// Whether there are more solutions than the list has.
    pub(super) more: bool,
    pub(super) cost: Cost,
}

impl PencilmarkSolver {
    pub(super) fn clear(&mut self) {
        self.puzzles.clear();
        self.answers.clear();
    }

    pub(super) fn push(&mut self, puzzle: Pencilmarks) {
        self.puzzles.push(puzzle);
    }

    /// Finds the answers for all puzzles. After a stop they mean nothing.
    pub(super) fn solve(&mut self, engine: &mut dyn Engine, question: Question, bounds: Bounds<'_>) {
        self.answers.clear();
        for puzzle in &self.puzzles {
            if bounds.is_stopped() {
                return;
            }
            self.answers.push(self.search.answer(engine, question, bounds, puzzle));
        }
    }

    /// The puzzles and their answers, in the order in which they were added.
    pub(super) fn answers(&self) -> impl Iterator<Item = (&Pencilmarks, &PencilmarkAnswer)> {
        self.puzzles.iter().zip(&self.answers)
    }
}

/// Searches for solutions with any engine.
#[derive(Debug, Default)]
struct PencilmarkSearch {
    /// The engine for those that do not take pencilmark puzzles.
    substitute: Bitmask,
}

impl PencilmarkSearch {
    fn answer(
        &mut self,
        engine: &mut dyn Engine,
        question: Question,
        bounds: Bounds<'_>,
        puzzle: &Pencilmarks,
    ) -> PencilmarkAnswer {
        let start = Instant::now();
        let (mut solutions, mut grids) = (0, vec![]);
        let (end, branches) = self.run(engine, puzzle, bounds, &mut |grid| {
            solutions += 1;
            if grids.is_empty() {
                grids.push(*grid);
            }
        });

        let branches = (end == SearchEnd::Complete).then_some(branches);
        let mut answer =
            PencilmarkAnswer { solutions, end, grids, more: false, cost: Cost { branches, ..Cost::default() } };

        // The only solution is kept; of several, those that the question wants are listed.
        let cap = match question {
            Question::First => Some(1),
            Question::All(cap) => Some(cap.get()),
            Question::Any | Question::Count(_) => None,
        };
        if answer.solutions != 1 || end == SearchEnd::GaveUp {
            answer.grids.clear();
        }

        if let Some(cap) = cap.filter(|_| answer.solutions > 1) {
            let end = self.list(engine, puzzle, bounds, cap, &mut answer.grids);
            (answer.more, answer.end) = match end {
                // The first solution is known, whatever the rest of the search would have found.
                _ if question == Question::First && !answer.grids.is_empty() => (false, SearchEnd::Complete),
                ControlFlow::Continue(()) => (false, SearchEnd::Complete),
                ControlFlow::Break(end) => (end == SearchEnd::AtLimit, end),
            };
            answer.solutions = answer.solutions.max(answer.grids.len() as u64);
            if answer.end == SearchEnd::GaveUp {
                answer.grids.clear();
            }
        }

        answer.cost.nanos = start.elapsed().as_nanos() as u64;
        answer
    }

    /// Appends the first solutions in lexicographic order, up to `cap` in all. Breaks if there are more, or if a search
    /// gives up.
    ///
    /// If one search cannot list them all, the first cell that has several candidates gets each of them in turn.
    fn list(
        &mut self,
        engine: &mut dyn Engine,
        puzzle: &Pencilmarks,
        bounds: Bounds<'_>,
        cap: u64,
        listed: &mut Vec<Grid>,
    ) -> ControlFlow<SearchEnd> {
        let left = cap - listed.len() as u64;
        let limit = Limit::FIRST.saturating_add(left.min(MAX_AT_ONCE));
        let start = listed.len();

        let (end, _) = self.run(engine, puzzle, Bounds { solutions: limit, ..bounds }, &mut |grid| listed.push(*grid));

        match end {
            SearchEnd::Complete => {
                listed[start..].sort_unstable();
                return ControlFlow::Continue(());
            }
            SearchEnd::AtLimit => listed.truncate(start),
            SearchEnd::GaveUp => return ControlFlow::Break(end),
        }

        if left == 0 {
            return ControlFlow::Break(SearchEnd::AtLimit);
        }

        let cell = (0..81).find(|&cell| puzzle.digits(cell).count_ones() > 1).expect("there are several solutions");
        for digit in (0..9).map(|digit| 1 << digit).filter(|digit| puzzle.digits(cell) & digit != 0) {
            self.list(engine, &puzzle.with(cell, digit), bounds, cap, listed)?;
        }
        ControlFlow::Continue(())
    }

    /// Gives solutions to `found`, as far as the bounds allow. Returns how the search ended, and its branches.
    fn run(
        &mut self,
        engine: &mut dyn Engine,
        puzzle: &Pencilmarks,
        bounds: Bounds<'_>,
        found: &mut dyn FnMut(&Grid),
    ) -> (SearchEnd, u64) {
        match engine.solve_pencilmarks(puzzle, bounds, found) {
            Some(end) => end,
            None => self.substitute.solve_pencilmarks(puzzle, bounds, found).expect("this engine takes them"),
        }
    }
}

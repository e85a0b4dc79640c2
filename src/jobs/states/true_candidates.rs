//! Finds the true candidates of many grids at once: the digits that occur in a solution, for each cell.
//!
//! 1. Any solution of a grid shows one true candidate of each cell.
//! 2. A question is the grid with an open digit in a blank. If it has a solution, that again shows a true candidate of
//!    each cell; if not, the digit is not a candidate.
//! 3. The engine gets the questions about all grids together. A grid asks few questions in the first round, when one
//!    answer settles many digits, and then twice as many in each round.

use crate::engine::solver::{InterruptedError, Question, Solver};
use crate::puzzle::Size;
use crate::scoring::{digits, open_digits, set_of};

/// The questions of a grid in the first round.
const FIRST_QUESTIONS: usize = 4;

/// A grid, with the results about its candidates so far.
pub(super) struct CandidateSearch {
    size: Size,
    grid: Vec<u8>,
    /// The digits that occur in a solution.
    seen: Vec<u32>,
    /// The digits that are still undecided.
    open: Vec<u32>,
    /// Whether a search gave up, so that the candidates remain unknown.
    gave_up: bool,
    /// The questions of this round: the index among the questions of the size, the cell and the digit.
    asked: Vec<(usize, usize, u8)>,
}

impl CandidateSearch {
    /// A search for the candidates of a grid that has a solution.
    pub(super) fn new(size: Size, grid: &[u8]) -> CandidateSearch {
        let seen = grid.iter().map(|&digit| set_of(digit)).collect();
        let open = open_digits(size, grid);
        CandidateSearch { size, grid: grid.to_vec(), seen, open, gave_up: false, asked: vec![] }
    }

    /// The true candidates of each cell; `None` if a search gave up.
    pub(super) fn found(self) -> Option<Vec<u32>> {
        if self.gave_up { None } else { Some(self.seen) }
    }

    /// Notes a solution.
    fn add_solution(&mut self, solution: &[u8]) {
        for ((seen, open), &digit) in self.seen.iter_mut().zip(&mut self.open).zip(solution) {
            *seen |= set_of(digit);
            *open &= !*seen;
        }
    }

    /// Adds questions about open digits, in different cells where possible.
    fn ask(&mut self, questions: usize, solver: &mut Solver) {
        self.asked.clear();
        let mut left = self.open.clone();
        while self.asked.len() < questions && left.iter().any(|&set| set != 0) {
            for (cell, left) in left.iter_mut().enumerate() {
                let Some(digit) = digits(*left).next() else { continue };
                *left &= *left - 1;
                self.grid[cell] = digit;
                self.asked.push((solver.push(self.size, &self.grid), cell, digit));
                self.grid[cell] = 0;
                if self.asked.len() == questions {
                    break;
                }
            }
        }
    }

    /// Processes the answers to the questions.
    fn settle(&mut self, solver: &Solver) {
        for (question, cell, digit) in std::mem::take(&mut self.asked) {
            let answer = solver.answer(self.size, question);
            match answer.known_solutions() {
                None => self.gave_up = true,
                Some(0) => self.open[cell] &= !set_of(digit),
                Some(_) => self.add_solution(answer.grids),
            }
        }
    }

    fn is_done(&self) -> bool {
        self.gave_up || self.open.iter().all(|&open| open == 0)
    }
}

/// Finds the candidates of all grids.
pub(super) fn find_candidates(searches: &mut [CandidateSearch], solver: &mut Solver) -> Result<(), InterruptedError> {
    let mut questions = FIRST_QUESTIONS;
    let mut open: Vec<&mut CandidateSearch> = searches.iter_mut().collect();
    loop {
        open.retain(|search| !search.is_done());
        if open.is_empty() {
            return Ok(());
        }
        solver.clear();
        for search in &mut open {
            search.ask(questions, solver);
        }
        solver.solve(Question::Any)?;
        for search in &mut open {
            search.settle(solver);
        }
        questions *= 2;
    }
}

//! The search: sweeps, guesses, restarts.
//!
//! Guesses are two-way, with the same remedies against a heavy tail as the [bitmask engine](crate::engine::bitmask):
//! weights, restarts, and the last digit of a cell first.

use std::ops::ControlFlow;

use super::super::vector::{Task, Vector};
use super::choice::choose;
use super::constraint::{Constraint, PlaneCandidate, Weights, number_around};
use super::layout::{Rows, one_row, word_of};
use super::sweep::{SweepOutcome, sweep};
use crate::engine::{Bounds, SearchEnd};

/// A search for puzzles of one size, with scratch memory for the next one.
#[derive(Debug)]
pub(super) struct PlaneSearch<const ORDER: usize, const WORDS: usize, const DIGITS: usize> {
    rows: Rows<WORDS, DIGITS>,
    /// The puzzle without the candidates that were refuted at the top: where a restart begins.
    root: Rows<WORDS, DIGITS>,
    stack: Vec<Saved<WORDS, DIGITS>>,
    weights: Weights<DIGITS>,
    /// The constraint of the last guess that was refuted, if there was no guess after it.
    refuted: Option<Constraint>,
    /// The constraint whose options were all refuted, below a guess that was therefore refuted too.
    conflict: Option<Constraint>,
    /// For each row, the last digit that was guessed in each cell.
    last: Vec<[u32; DIGITS]>,
    branches: u64,
    grid: Vec<u8>,
}

/// A state to backtrack to.
#[derive(Debug)]
struct Saved<const WORDS: usize, const DIGITS: usize> {
    /// The state without the candidate that was guessed.
    rows: Rows<WORDS, DIGITS>,
    /// The constraint that has the guess as an option.
    constraint: Constraint,
}

/// The number of branches after which a search without a solution first restarts, and the divisor of its growth with
/// each restart.
///
/// On 2,000 minimal 16x16 puzzles, 100 takes 6 % more branches in the mean and 200 takes 2 % less; on 900 grids of
/// 25x25 with 280 to 300 clues, all three are within 15 % of each other.
const FIRST_RESTART: u64 = 150;
const RESTART_GROWTH: u64 = 10;

impl<const ORDER: usize, const WORDS: usize, const DIGITS: usize> PlaneSearch<ORDER, WORDS, DIGITS> {
    pub(super) fn new() -> Self {
        PlaneSearch {
            rows: [[0; DIGITS]; WORDS],
            root: [[0; DIGITS]; WORDS],
            stack: vec![],
            weights: Weights::new(),
            refuted: None,
            conflict: None,
            last: vec![],
            branches: 0,
            grid: vec![0; ORDER.pow(4)],
        }
    }

    /// Loads a puzzle.
    pub(super) fn load(&mut self, puzzle: &[u8]) {
        let side = ORDER * ORDER;
        self.branches = 0;
        self.stack.clear();
        self.last.clear();
        (self.refuted, self.conflict) = (None, None);
        self.rows = [[0; DIGITS]; WORDS];

        for (r, clues) in puzzle.chunks_exact(side).enumerate() {
            let (word, first) = word_of::<WORDS>(r);
            // By value, with 0 for a blank, because a branch on whether a cell has a clue would be hard to predict.
            let mut places = [0; 32];
            for (column, &value) in clues.iter().enumerate() {
                places[usize::from(value) % 32] |= 1 << (first + column);
            }
            for (digit, &clue) in self.rows[word].iter_mut().zip(&places[1..=side]) {
                *digit |= if clue == 0 { places[0] } else { clue };
            }
        }
    }

    /// The number of branches of the last search.
    pub(super) fn branches(&self) -> u64 {
        self.branches
    }

    /// Allocates the memory that only guesses need. Most dense puzzles are solved without a guess.
    fn prepare_to_guess(&mut self) {
        if self.last.is_empty() {
            self.last.resize(ORDER * ORDER, [u32::MAX; DIGITS]);
            self.weights.reset(ORDER);
        }
    }

    /// The constraint that made the last guess fail, if it still has several options.
    ///
    /// Branching on it first, before the next guesses, is what Lecoutre, Sais, Tabary and Vidal call reasoning from
    /// last conflicts (Artificial Intelligence 173, 2009). It finds a wrong guess far up in a few branches instead of
    /// thousands: on 2,200 grids of 16x16 with 90 clues, the maximum is 580 branches, and over 20,000 without.
    fn last_conflict(&mut self) -> Option<Constraint> {
        let constraint = self.conflict.take()?;
        self.options(constraint).nth(1).map(|_| constraint)
    }

    fn options(&self, constraint: Constraint) -> impl Iterator<Item = PlaneCandidate> {
        (0..ORDER * ORDER).map(move |i| constraint.option::<ORDER>(i)).filter(|option| option.is_in(&self.rows))
    }

    /// Backtracks to the last guess, and returns whether there is one.
    fn backtrack(&mut self) -> bool {
        let Some(saved) = self.stack.pop() else { return false };
        self.rows = saved.rows;
        self.conflict = self.refuted.replace(saved.constraint);
        true
    }

    /// Places an option of a constraint, and keeps the state without it to backtrack to.
    ///
    /// The option is the last digit that its cell had or, failing that, the option with the fewest candidates around
    /// it.
    fn guess(&mut self, constraint: Constraint) {
        let mut best: Option<(u32, PlaneCandidate)> = None;
        for option in self.options(constraint) {
            let is_last = self.last[option.row][option.column] == option.digit as u32;
            let around = if is_last { 0 } else { number_around::<ORDER, WORDS, DIGITS>(&self.rows, option) };
            if best.is_none_or(|(least, _)| around < least) {
                best = Some((around, option));
            }
        }

        let (_, PlaneCandidate { row, column, digit }) = best.expect("a constraint with several options");
        self.refuted = None;
        self.last[row][column] = digit as u32;

        // The state to backtrack to lacks this candidate; the next state has no other one in its cell and row.
        let (word, first) = word_of::<WORDS>(row);
        let place = 1 << (first + column);
        self.stack.push(Saved { rows: self.rows, constraint });
        self.stack.last_mut().expect("it was just pushed").rows[word][digit] &= !place;

        let digits = &mut self.rows[word];
        for columns in digits.iter_mut() {
            *columns &= !place;
        }
        digits[digit] = digits[digit] & !(one_row::<ORDER>() << first) | place;
    }

    /// Makes the constraint of the last guess heavier, and a constraint without options, if there is one.
    fn blame(&mut self) {
        if let Some(saved) = self.stack.last() {
            let empty = Constraint::first_empty::<ORDER, WORDS, DIGITS>(&self.rows);
            self.weights.blame::<ORDER>(empty.into_iter().chain([saved.constraint]));
        }
    }

    /// Writes the digits of a state with one candidate in each cell to `grid`.
    fn write_solution(&mut self) {
        for (r, cells) in self.grid.chunks_exact_mut(ORDER * ORDER).enumerate() {
            let (word, first) = word_of::<WORDS>(r);
            for (digit, columns) in self.rows[word][..ORDER * ORDER].iter().enumerate() {
                cells[(columns >> first).trailing_zeros() as usize] = digit as u8 + 1;
            }
        }
    }
}

/// A search to run with the instructions of a vector type.
pub(super) struct PlaneTask<'a, V, F, const ORDER: usize, const WORDS: usize, const DIGITS: usize> {
    pub proof: V,
    pub search: &'a mut PlaneSearch<ORDER, WORDS, DIGITS>,
    pub bounds: Bounds<'a>,
    pub found: F,
}

impl<V: Vector, F: FnMut(&[u8]) -> ControlFlow<SearchEnd>, const ORDER: usize, const WORDS: usize, const DIGITS: usize>
    Task for PlaneTask<'_, V, F, ORDER, WORDS, DIGITS>
{
    type Output = SearchEnd;

    #[inline(always)]
    fn run(self) -> SearchEnd {
        let PlaneTask { proof, search, bounds, mut found } = self;
        search.root = search.rows;
        let mut step = FIRST_RESTART;
        let mut restart_at = step;
        loop {
            match sweep::<V, ORDER, WORDS, DIGITS>(proof, &mut search.rows) {
                SweepOutcome::Changed => continue,
                SweepOutcome::Stable => {
                    search.prepare_to_guess();
                    let constraint = match search.last_conflict() {
                        Some(constraint) => constraint,
                        None => choose::<V, ORDER, WORDS, DIGITS>(proof, &search.rows, &search.weights),
                    };
                    search.guess(constraint);
                    continue;
                }
                SweepOutcome::Contradiction => search.blame(),
                SweepOutcome::Solved => {
                    // A restart would count this solution again.
                    restart_at = u64::MAX;
                    search.write_solution();
                    if let ControlFlow::Break(end) = found(&search.grid) {
                        return end;
                    }
                }
            }

            // A leaf of the tree: the search continues without the last guess.
            if !search.backtrack() {
                return SearchEnd::Complete;
            }
            search.branches += 1;
            if bounds.is_exceeded_by(search.branches) || bounds.is_stopped() {
                return SearchEnd::GaveUp;
            }

            // A guess that was refuted at the top stays refuted after a restart.
            if search.stack.is_empty() {
                search.root = search.rows;
            }
            if search.branches >= restart_at {
                step += step / RESTART_GROWTH;
                restart_at = search.branches + step;
                search.rows = search.root;
                search.stack.clear();
                (search.refuted, search.conflict) = (None, None);
            }
        }
    }
}

//! The search: sweeps, guesses, restarts.
//!
//! Guesses are two-way, and the remedies against a heavy tail are those of the [bitmask engine](crate::engine::bitmask):
//! weights, restarts, and the last digit of a cell first.

use std::ops::ControlFlow;

use super::super::vector::{Task, Vector};
use super::Rows;
use super::choice::{Candidate, Weights, blame, choose, excluded};
use super::sweep::{Outcome, sweep};
use crate::engine::{Bounds, SearchEnd};

/// A search for puzzles of one size, with scratch memory for the next one.
#[derive(Debug)]
pub(super) struct Search<const ORDER: usize, const SIDE: usize, const DIGITS: usize> {
    rows: Rows<SIDE, DIGITS>,
    /// The puzzle without the candidates that were refuted at the top: where a restart begins.
    root: Rows<SIDE, DIGITS>,
    /// The states to backtrack to.
    stack: Vec<Rows<SIDE, DIGITS>>,
    weights: Box<Weights<SIDE, DIGITS>>,
    /// The last digit that was guessed in each cell.
    last: Rows<SIDE, DIGITS>,
    options: Vec<Candidate>,
    branches: u64,
    grid: Vec<u8>,
}

/// The number of branches after which a search without a solution restarts, and the divisor of its growth each time.
const FIRST_RESTART: u64 = 100;
const RESTART_GROWTH: u64 = 10;

impl<const ORDER: usize, const SIDE: usize, const DIGITS: usize> Search<ORDER, SIDE, DIGITS> {
    pub(super) fn new() -> Self {
        Search {
            rows: [[0; DIGITS]; SIDE],
            root: [[0; DIGITS]; SIDE],
            stack: vec![],
            weights: Box::new([[[0; DIGITS]; SIDE]; 4]),
            last: [[0; DIGITS]; SIDE],
            options: vec![],
            branches: 0,
            grid: vec![0; SIDE * SIDE],
        }
    }

    /// Loads a puzzle without equal clues in a house.
    pub(super) fn load(&mut self, puzzle: &[u8]) {
        self.branches = 0;
        self.stack.clear();
        for (row, clues) in self.rows.iter_mut().zip(puzzle.chunks_exact(SIDE)) {
            let mut blank = 0;
            *row = [0; DIGITS];
            for (column, &clue) in clues.iter().enumerate() {
                match clue {
                    0 => blank |= 1 << column,
                    _ => row[usize::from(clue) - 1] = 1 << column,
                }
            }
            for digit in &mut row[..SIDE] {
                if *digit == 0 {
                    *digit = blank;
                }
            }
        }
        *self.weights = [[[u32::MAX - 1; DIGITS]; SIDE]; 4];
        self.last = [[u32::MAX; DIGITS]; SIDE];
    }

    /// The number of branches of the last search.
    pub(super) fn branches(&self) -> u64 {
        self.branches
    }

    /// Places the guess, and keeps the state without it to backtrack to.
    fn guess(&mut self) {
        let last = |c: &&Candidate| self.last[c.row][c.column] == c.digit as u32;
        let excluded = |c: &&Candidate| excluded::<ORDER, SIDE, DIGITS>(&self.rows, **c);
        let of_fewest = || self.options.iter().min_by_key(excluded);
        let guess = *self.options.iter().find(last).or_else(of_fewest).expect("a constraint with several options");
        self.last[guess.row][guess.column] = guess.digit as u32;
        let place = 1 << guess.column;
        self.stack.push(self.rows);
        self.stack.last_mut().expect("it was just pushed")[guess.row][guess.digit] &= !place;
        self.rows[guess.row].iter_mut().for_each(|columns| *columns &= !place);
        self.rows[guess.row][guess.digit] = place;
    }

    /// Writes the digits of a state with one candidate in each cell to `grid`.
    fn write_solution(&mut self) {
        for (cells, row) in self.grid.chunks_exact_mut(SIDE).zip(&self.rows) {
            for (digit, columns) in row[..SIDE].iter().enumerate() {
                cells[columns.trailing_zeros() as usize] = digit as u8 + 1;
            }
        }
    }
}

/// A search to run with the instructions of a vector type.
pub(super) struct Run<'a, V, F, const ORDER: usize, const SIDE: usize, const DIGITS: usize> {
    pub proof: V,
    pub search: &'a mut Search<ORDER, SIDE, DIGITS>,
    pub bounds: Bounds<'a>,
    pub found: F,
}

impl<V: Vector, F: FnMut(&[u8]) -> ControlFlow<()>, const ORDER: usize, const SIDE: usize, const DIGITS: usize> Task
    for Run<'_, V, F, ORDER, SIDE, DIGITS>
{
    type Output = SearchEnd;

    #[inline(always)]
    fn run(self) -> SearchEnd {
        let Run { proof, search, bounds, mut found } = self;
        search.root = search.rows;
        let mut step = FIRST_RESTART;
        let mut restart_at = step;
        loop {
            match sweep::<V, ORDER, SIDE, DIGITS>(proof, &mut search.rows) {
                Outcome::Changed => continue,
                Outcome::Stable => {
                    choose::<V, ORDER, SIDE, DIGITS>(proof, &search.rows, &search.weights, &mut search.options);
                    search.guess();
                    continue;
                }
                Outcome::Contradiction => blame::<ORDER, SIDE, DIGITS>(&search.rows, &mut search.weights),
                Outcome::Solved => {
                    // A restart would count this solution again.
                    restart_at = u64::MAX;
                    search.write_solution();
                    if found(&search.grid).is_break() {
                        return SearchEnd::AtLimit;
                    }
                }
            }
            let Some(rows) = search.stack.pop() else { return SearchEnd::Complete };
            search.rows = rows;
            search.branches += 1;
            if bounds.is_exceeded_by(search.branches) || bounds.is_stopped() {
                return SearchEnd::GaveUp;
            }
            if search.stack.is_empty() {
                search.root = search.rows;
            }
            if search.branches >= restart_at {
                step += step / RESTART_GROWTH;
                restart_at = search.branches + step;
                search.rows = search.root;
                search.stack.clear();
            }
        }
    }
}

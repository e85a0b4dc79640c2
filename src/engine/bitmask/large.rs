//! The search of the bitmask engine for 16x16 and 25x25, with a set of places for each digit of each house.
//!
//! A grid has four kinds of constraints: a cell has a digit; a row, a column and a box has each digit once. A constraint
//! is a word with the set of its options, one bit each: the digits of the cell, or the places of the digit in the house. A
//! candidate, a digit in a cell, is an option of four constraints. A constraint with one option left is a single, naked or
//! hidden, and one with none a contradiction; so no house is searched for singles, as the search for smaller grids does
//! in every round: in large grids an elimination changes few of very many constraints.
//!
//! The choice of a guess, restarts and weights are those of the [other search](super), with a weight for each constraint.

mod inference;

use std::ops::ControlFlow;

use super::{Contradiction, FIRST_RESTART, RESTART_GROWTH, Unwind};
use crate::engine::{Bounds, SearchEnd};
use crate::puzzle::Order;

/// The number of constraints, rounded up to a power of two: indices need no bounds checks.
const CONSTRAINTS: usize = (4 * Order::MAX_CELLS).next_power_of_two();

/// A search for the solutions of one puzzle, with scratch memory for the next one.
#[derive(Debug)]
pub(super) struct LargeSearch {
    /// The current state. By kind; then by cell, or by house and digit.
    constraints: Box<[Options; CONSTRAINTS]>,
    /// The states to backtrack to, one for each guess on the current path.
    saved: Vec<Options>,
    /// Constraints that have become singles.
    singles: Vec<u16>,
    /// A bit for each constraint of a house that has changed since it was last tested for locked candidates.
    changed: Box<[u64; CONSTRAINTS / 64]>,
    /// A weight for each constraint, which grows with every contradiction that it causes.
    weights: Box<[u32; CONSTRAINTS]>,
    /// The last digit that was guessed in each cell, as an index.
    last: Box<[u8; Order::MAX_CELLS]>,
    grid: [u8; Order::MAX_CELLS],
    branches: u64,
    /// The number of branches at which the search restarts.
    restart_at: u64,
}

/// The options of a constraint in the low bits, and their number in the highest five: a subtraction removes one.
#[derive(Clone, Copy, Debug, Default)]
struct Options(u32);

impl Options {
    const NUMBER: u32 = 27;

    fn new(set: u32) -> Options {
        Options(set | set.count_ones() << Options::NUMBER)
    }

    fn set(self) -> u32 {
        self.0 & ((1 << Options::NUMBER) - 1)
    }

    fn number(self) -> u32 {
        self.0 >> Options::NUMBER
    }

    /// The lowest option.
    fn first(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// Removes an option that is in the set.
    fn remove(&mut self, option: usize) {
        self.0 -= 1 << option | 1 << Options::NUMBER;
    }
}

/// A digit in a cell, all as indices.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    row: usize,
    column: usize,
    digit: usize,
}

impl Candidate {
    /// The candidate that is an option of a constraint.
    fn new<const ORDER: usize>(constraint: usize, option: usize) -> Candidate {
        let (side, cells) = (ORDER * ORDER, ORDER.pow(4));
        let (house, second) = (constraint % cells / side, constraint % side);
        match constraint / cells {
            0 => Candidate { row: house, column: second, digit: option },
            1 => Candidate { row: house, column: option, digit: second },
            2 => Candidate { row: option, column: house, digit: second },
            _ => Candidate::in_box::<ORDER>(house, option, second),
        }
    }

    /// A digit in the cell at some place of a box.
    fn in_box<const ORDER: usize>(box_: usize, place: usize, digit: usize) -> Candidate {
        let (row, column) = (box_ / ORDER * ORDER + place / ORDER, box_ % ORDER * ORDER + place % ORDER);
        Candidate { row, column, digit }
    }

    fn cell<const ORDER: usize>(self) -> usize {
        self.row * ORDER * ORDER + self.column
    }

    /// Its four constraints, and its option in each.
    #[inline]
    fn constraints<const ORDER: usize>(self) -> [(usize, usize); 4] {
        let (side, cells) = (ORDER * ORDER, ORDER.pow(4));
        let Candidate { row, column, digit } = self;
        let box_ = row / ORDER * ORDER + column / ORDER;
        [
            (row * side + column, digit),
            (cells + row * side + digit, column),
            (2 * cells + column * side + digit, row),
            (3 * cells + box_ * side + digit, row % ORDER * ORDER + column % ORDER),
        ]
    }
}

impl LargeSearch {
    pub(super) fn new() -> LargeSearch {
        LargeSearch {
            constraints: Box::new([Options::default(); CONSTRAINTS]),
            saved: vec![],
            singles: vec![],
            changed: Box::new([0; CONSTRAINTS / 64]),
            weights: Box::new([0; CONSTRAINTS]),
            last: Box::new([0; Order::MAX_CELLS]),
            grid: [0; Order::MAX_CELLS],
            branches: 0,
            restart_at: 0,
        }
    }

    /// The number of branches of the last search.
    pub(super) fn branches(&self) -> u64 {
        self.branches
    }

    /// Searches, with restarts, until all solutions of a puzzle are found, `found` breaks or a bound is reached.
    pub(super) fn count<const ORDER: usize>(
        &mut self,
        puzzle: &[u8],
        bounds: Bounds<'_>,
        found: &mut impl FnMut(&[u8]) -> ControlFlow<Unwind>,
    ) -> SearchEnd {
        self.branches = 0;
        if self.load::<ORDER>(puzzle).is_err() {
            return SearchEnd::Complete;
        }
        let mut branches = FIRST_RESTART;
        loop {
            self.restart_at = self.branches + branches;
            match self.search::<ORDER>(bounds, found) {
                ControlFlow::Continue(()) => return SearchEnd::Complete,
                ControlFlow::Break(Unwind::End(end)) => return end,
                ControlFlow::Break(Unwind::Restart) => branches += branches / RESTART_GROWTH,
            }
        }
    }

    fn load<const ORDER: usize>(&mut self, puzzle: &[u8]) -> Result<(), Contradiction> {
        let (side, cells) = (ORDER * ORDER, ORDER.pow(4));
        self.saved.clear();
        self.singles.clear();
        self.weights[..4 * cells].fill(1);
        self.last[..cells].fill(u8::MAX);
        self.changed.fill(0);
        let mut free = [[(1_u32 << side) - 1; Order::MAX_SIDE]; 3];
        let houses = |cell: usize| {
            let (row, column) = (cell / side, cell % side);
            [row, column, row / ORDER * ORDER + column / ORDER]
        };
        for (cell, &value) in puzzle.iter().enumerate().filter(|&(_, &value)| value != 0) {
            for (free, house) in free.iter_mut().zip(houses(cell)) {
                if free[house] >> (value - 1) & 1 == 0 {
                    return Err(Contradiction);
                }
                free[house] ^= 1 << (value - 1);
            }
        }
        // The constraints that clues fulfil have one option and are no singles to place.
        self.constraints[..4 * cells].fill(Options::new(1));
        for (kind, free) in free.iter().enumerate() {
            for (house, &free) in free.iter().enumerate().take(side) {
                for digit in bits(free) {
                    self.constraints[(1 + kind) * cells + house * side + digit] = Options(0);
                }
            }
        }
        for (cell, &value) in puzzle.iter().enumerate() {
            let [row, column, box_] = houses(cell);
            if value != 0 {
                self.constraints[cell] = Options::new(1 << (value - 1));
                continue;
            }
            let digits = free[0][row] & free[1][column] & free[2][box_];
            self.constraints[cell] = Options(0);
            for digit in bits(digits) {
                for (constraint, option) in (Candidate { row, column, digit }).constraints::<ORDER>() {
                    self.constraints[constraint].0 += 1 << option | 1 << Options::NUMBER;
                }
            }
            match self.constraints[cell].number() {
                0 => return Err(Contradiction),
                1 => self.singles.push(cell as u16),
                _ => {}
            }
        }
        for (kind, free) in free.iter().enumerate() {
            for (house, &free) in free.iter().enumerate().take(side) {
                for digit in bits(free) {
                    let constraint = (1 + kind) * cells + house * side + digit;
                    match self.constraints[constraint].number() {
                        0 => return Err(Contradiction),
                        1 => self.singles.push(constraint as u16),
                        _ => self.changed[constraint / 64] |= 1 << (constraint % 64),
                    }
                }
            }
        }
        Ok(())
    }

    /// Searches the tree below the current state.
    ///
    /// A restart unwinds to the top; guesses that were refuted there stay eliminated.
    fn search<const ORDER: usize>(
        &mut self,
        bounds: Bounds<'_>,
        found: &mut impl FnMut(&[u8]) -> ControlFlow<Unwind>,
    ) -> ControlFlow<Unwind> {
        let (cells, constraints) = (ORDER.pow(4), 4 * ORDER.pow(4));
        loop {
            if self.propagate::<ORDER>().is_err() {
                return ControlFlow::Continue(());
            }
            let Some(guess) = self.guess::<ORDER>() else {
                // A restart would count this solution again.
                self.restart_at = u64::MAX;
                for (value, options) in self.grid.iter_mut().zip(&self.constraints[..cells]) {
                    *value = options.first() as u8 + 1;
                }
                return found(&self.grid[..cells]);
            };
            self.saved.extend_from_slice(&self.constraints[..constraints]);
            self.last[guess.cell::<ORDER>()] = guess.digit as u8;
            let below = match self.place::<ORDER>(guess) {
                Ok(()) => self.search::<ORDER>(bounds, found),
                Err(Contradiction) => ControlFlow::Continue(()),
            };
            let start = self.saved.len() - constraints;
            self.constraints[..constraints].copy_from_slice(&self.saved[start..]);
            self.saved.truncate(start);
            self.singles.clear();
            self.changed.fill(0);
            below?;
            self.branches += 1;
            if bounds.is_exceeded_by(self.branches) || bounds.is_stopped() {
                return ControlFlow::Break(Unwind::End(SearchEnd::GaveUp));
            }
            if self.eliminate::<ORDER>(guess).is_err() {
                return ControlFlow::Continue(());
            }
            if self.branches >= self.restart_at {
                return ControlFlow::Break(Unwind::Restart);
            }
        }
    }

    /// Chooses a guess; `None` if every constraint has one option, so the grid is full.
    ///
    /// The constraint has the fewest options, and of those the largest weight. The option is the last digit that its cell
    /// had, or the one whose constraints have the fewest options, so that the fewest other candidates are lost.
    fn guess<const ORDER: usize>(&self) -> Option<Candidate> {
        /// How many constraints are looked at together, in vectors.
        const GROUP: usize = 4;
        let constraints = &self.constraints[..4 * ORDER.pow(4)];
        // Below two it wraps around.
        let beyond_two = |options: &Options| options.number().wrapping_sub(2);
        let least = constraints.iter().map(beyond_two).fold(u32::MAX, u32::min);
        if least > Order::MAX_SIDE as u32 {
            return None;
        }
        let (mut best, mut heaviest) = (0, 0);
        for (group, (options, weights)) in
            constraints.chunks_exact(GROUP).zip(self.weights.chunks_exact(GROUP)).enumerate()
        {
            if options.iter().any(|options| beyond_two(options) == least) {
                for index in 0..GROUP {
                    if beyond_two(&options[index]) == least && weights[index] > heaviest {
                        (best, heaviest) = (group * GROUP + index, weights[index]);
                    }
                }
            }
        }
        let candidates = || bits(constraints[best].set()).map(|option| Candidate::new::<ORDER>(best, option));
        let number = |candidate: &Candidate| -> u32 {
            let all = candidate.constraints::<ORDER>();
            all.iter().map(|&(constraint, _)| self.constraints[constraint % CONSTRAINTS].number()).sum()
        };
        candidates()
            .find(|candidate| usize::from(self.last[candidate.cell::<ORDER>()]) == candidate.digit)
            .or_else(|| candidates().min_by_key(number))
    }
}

/// The indices of the ones of a word, ascending.
#[inline]
fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (index < 32).then_some(index)
    })
}

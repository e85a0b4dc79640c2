//! The bitmask engine: backtracking on the digits that are free in each row, column and box.
//!
//! A set of digits is a word, bit 0 for digit 1. The candidates of a blank cell are the digits that are free in its row,
//! its column and its box, without those that locked candidates and refuted guesses have eliminated:
//!
//! ```text
//! free in row      1 1 0 1 0 0 1 0 1
//! free in column   1 0 0 1 1 0 1 0 0      lowest bit: the digit to try
//! free in box      0 1 0 1 0 1 1 0 0      no bit: contradiction; one bit: naked single
//! candidates       0 0 0 1 0 0 1 0 0      popcount: the number of ways to continue
//! ```
//!
//! Before every guess, naked singles, hidden singles and locked candidates are applied until nothing changes. Guesses are
//! two-way: a cell has a digit or it does not, and a refuted guess stays eliminated while the search continues. The time
//! for large sparse grids has a heavy tail: a few wrong guesses at the top can cost hours below. Three remedies known
//! from constraint and SAT solvers shorten it: houses that caused contradictions weigh more in the choice of a guess
//! (Boussemart, Hemery, Lecoutre, Sais: "Boosting systematic search by weighting constraints", ECAI 2004), a search that
//! has found nothing for long restarts with the weights that it has learned, and a cell first tries the last digit that
//! it had.

mod inference;

use std::ops::ControlFlow;

use super::{Bounds, Engine, SearchEnd, Verdicts, solve_each};
use crate::puzzle::{Batch, Geometry, Pencilmarks, Size, with_constant};

/// The bitmask engine, for all sizes. See the [module](self).
#[derive(Debug)]
pub struct Bitmask {
    /// The digits free in each house.
    free: ByHouse<u32>,
    /// The blank cells of the search, one run for each guess on the current path. The last run is the current state;
    /// the runs before it are the states to backtrack to.
    blanks: Vec<BlankCell>,
    /// The clues, and the last digit of each other cell.
    grid: [u8; Size::MAX_CELLS],
    /// A weight for each house, which grows with every contradiction that it causes.
    weights: ByHouse<u32>,
    branches: u64,
    /// The number of branches at which the search restarts.
    restart_at: u64,
    /// For each house, the digits that are candidates of at least one, two, three and four of its blank cells.
    seen: ByHouse<[u32; 4]>,
}

/// A value for each row, each column and each box. The length is such that indices need no bounds checks.
type ByHouse<T> = [[T; HOUSES]; 3];

/// The number of houses of a kind, rounded up to a power of two.
const HOUSES: usize = Size::MAX_SIDE.next_power_of_two();

/// A cell without a digit.
#[derive(Clone, Copy, Debug)]
struct BlankCell {
    /// The digits that were not eliminated. Some of them may not be free in a house.
    open: u32,
    cell: u16,
    /// Row, column and box.
    houses: [u8; 3],
}

impl BlankCell {
    fn houses(self) -> [usize; 3] {
        self.houses.map(|house| usize::from(house) % HOUSES)
    }
}

/// The error of a state without a solution.
struct Contradiction;

/// The reason why a search unwinds before it is complete.
enum Unwind {
    /// The search ended, or reached a bound.
    End(SearchEnd),
    /// The search took many branches without finding a solution, and starts again from the top.
    Restart,
}

/// The number of branches after which a search without a solution first restarts, and the divisor of its growth with
/// each restart.
///
/// Nearly all 9x9 puzzles are solved earlier. With slow growth, an unlucky search soon gets another chance; in return,
/// a search that has to visit the whole tree repeats more of it.
const FIRST_RESTART: u64 = 200;
const RESTART_GROWTH: u64 = 10;

impl Bitmask {
    /// An engine with its scratch memory.
    pub fn new() -> Bitmask {
        Bitmask {
            free: [[0; HOUSES]; 3],
            blanks: Vec::new(),
            grid: [0; Size::MAX_CELLS],
            weights: [[0; HOUSES]; 3],
            branches: 0,
            restart_at: 0,
            seen: [[[0; 4]; HOUSES]; 3],
        }
    }

    fn solve_all<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        batch: &Batch,
        bounds: Bounds<'_>,
        verdicts: &mut Verdicts,
    ) {
        let geometry = Geometry::of(batch.size());
        solve_each(batch, bounds, verdicts, |puzzle, counter| {
            self.branches = 0;
            if self.load::<ROWS, COLUMNS>(geometry, puzzle).is_err() {
                return (SearchEnd::Complete, 0);
            }
            let end =
                self.count::<ROWS, COLUMNS>(bounds, &mut |solution| counter.count(solution).map_break(Unwind::End));
            (end, self.branches)
        });
    }

    /// Solves every pencilmark puzzle, as far as the bounds allow, and replaces `verdicts` by a verdict on each, in the
    /// same order.
    pub fn solve_pencilmarks(&mut self, puzzles: &[Pencilmarks], bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        // The engine loads blank puzzles, and then leaves only the candidates of each pencilmark puzzle open.
        let mut blanks = Batch::new(Size::Nine);
        for _ in puzzles {
            blanks.push(&[0; Size::Nine.cells()]);
        }

        let mut puzzles = puzzles.iter();
        solve_each(&blanks, bounds, verdicts, |blank, counter| {
            self.branches = 0;
            let puzzle = puzzles.next().expect("there is a blank puzzle for each");
            self.load::<3, 3>(Geometry::of(Size::Nine), blank).unwrap_or_else(|_| unreachable!("there are no clues"));
            for blank in &mut self.blanks {
                blank.open = u32::from(puzzle.digits(usize::from(blank.cell)));
            }
            let end = self.count::<3, 3>(bounds, &mut |solution| counter.count(solution).map_break(Unwind::End));
            (end, self.branches)
        });
    }

    fn load<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        geometry: &Geometry,
        puzzle: &[u8],
    ) -> Result<(), Contradiction> {
        let all = (1 << (ROWS * COLUMNS)) - 1;
        self.free = [[all; HOUSES]; 3];
        // Weights start above the increment of a contradiction, so that the first few do not decide all guesses.
        self.weights = [[5; HOUSES]; 3];
        self.blanks.clear();
        self.grid[..puzzle.len()].copy_from_slice(puzzle);

        for (cell, &value) in puzzle.iter().enumerate() {
            let houses = [geometry.row(cell), geometry.column(cell), geometry.box_of(cell)].map(|house| house as u8);
            let blank = BlankCell { open: all, cell: cell as u16, houses };
            if value == 0 {
                self.blanks.push(blank);
                continue;
            }

            let digit = 1 << (value - 1);
            if self.candidates(blank) & digit == 0 {
                return Err(Contradiction);
            }
            self.take(blank, digit);
        }
        Ok(())
    }

    /// Searches, with restarts, until all solutions are found, `found` breaks or a bound is reached.
    fn count<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        bounds: Bounds<'_>,
        found: &mut impl FnMut(&[u8]) -> ControlFlow<Unwind>,
    ) -> SearchEnd {
        let mut branches = FIRST_RESTART;
        loop {
            self.restart_at = self.branches + branches;
            match self.search::<ROWS, COLUMNS>(0, bounds, found) {
                ControlFlow::Continue(()) => return SearchEnd::Complete,
                ControlFlow::Break(Unwind::End(end)) => return end,
                ControlFlow::Break(Unwind::Restart) => branches += branches / RESTART_GROWTH,
            }
        }
    }

    /// Searches the tree below the current state, which is the run of blank cells from `start`.
    ///
    /// A restart unwinds to the top; guesses that were refuted there stay eliminated.
    fn search<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        start: usize,
        bounds: Bounds<'_>,
        found: &mut impl FnMut(&[u8]) -> ControlFlow<Unwind>,
    ) -> ControlFlow<Unwind> {
        loop {
            if self.propagate::<ROWS, COLUMNS>(start).is_err() {
                return ControlFlow::Continue(());
            }
            let end = self.blanks.len();
            if end == start {
                // A restart would count this solution again.
                self.restart_at = u64::MAX;
                return found(&self.grid[..(ROWS * COLUMNS).pow(2)]);
            }

            // Left branch: the cell has the digit, on a copy of the state.
            let (index, digit) = self.guess::<ROWS, COLUMNS>(start);
            let free = self.free;
            self.blanks.extend_from_within(start..);
            self.place(index + (end - start), digit);
            let below = self.search::<ROWS, COLUMNS>(end, bounds, found);
            self.free = free;
            self.blanks.truncate(end);
            below?;

            // Right branch: the cell has another digit. The next round of the loop searches it.
            self.blanks[index].open &= !digit;
            self.branches += 1;
            if bounds.is_exceeded_by(self.branches) || bounds.is_stopped() {
                return ControlFlow::Break(Unwind::End(SearchEnd::GaveUp));
            }
            if self.branches >= self.restart_at {
                return ControlFlow::Break(Unwind::Restart);
            }
        }
    }

    /// Chooses a guess: the index of a blank cell and a digit for it.
    ///
    /// The cell has the fewest candidates in proportion to the weight of its houses; or the digit has two or three places
    /// in a house, if that is fewer in proportion to the house's weight.
    fn guess<const ROWS: usize, const COLUMNS: usize>(&mut self, start: usize) -> (usize, u32) {
        self.seen.iter_mut().for_each(|kind| kind[..ROWS * COLUMNS].fill([0; 4]));
        let (mut fewest, mut heaviest) = (u32::MAX, 1);
        let mut is_better = |count: u32, weight: u32| {
            let better = u64::from(count) * u64::from(heaviest) < u64::from(fewest) * u64::from(weight);
            if better {
                (fewest, heaviest) = (count, weight);
            }
            better
        };

        // Weigh the cells, and on the way collect the digits with up to four places in each house.
        let mut best = start;
        for index in start..self.blanks.len() {
            let blank = self.blanks[index];
            let candidates = self.candidates(blank);
            let mut weight = 0;
            for (kind, house) in blank.houses().into_iter().enumerate() {
                let [one, two, three, four] = &mut self.seen[kind][house];
                *four |= *three & candidates;
                *three |= *two & candidates;
                *two |= *one & candidates;
                *one |= candidates;
                weight += self.weights[kind][house];
            }
            // Without the CPU's own instruction, counting takes a dozen operations. A table of 512 counts and a build
            // with the instruction were both tried, from 17-clue puzzles to 25x25: most runs came out within 3 %, and
            // none of the three was clearly the fastest.
            if is_better(candidates.count_ones(), weight) {
                best = index;
            }
        }

        // Weigh the digits with two or three places in a house.
        let mut best_place = None;
        for kind in 0..3 {
            for house in 0..ROWS * COLUMNS {
                let [_, two, three, four] = self.seen[kind][house];
                for (places, digits) in [(2, two & !three), (3, three & !four)] {
                    // A cell has three houses, but a factor of 2 was measured to be better than 3.
                    if digits != 0 && is_better(places, 2 * self.weights[kind][house]) {
                        best_place = Some((kind, house, lowest(digits)));
                    }
                }
            }
        }

        match best_place {
            None => (best, self.digit_to_try(start, self.blanks[best])),
            Some((kind, house, digit)) => {
                let is_place =
                    |blank: &BlankCell| blank.houses()[kind] == house && self.candidates(*blank) & digit != 0;
                let index = self.blanks[start..].iter().position(is_place);
                (start + index.expect("the digit has a place in the house"), digit)
            }
        }
    }

    /// The last digit of the cell if it is a candidate; otherwise the candidate that the fewest other cells would lose.
    fn digit_to_try(&self, start: usize, blank: BlankCell) -> u32 {
        let candidates = self.candidates(blank);
        let last = (1 << self.grid[usize::from(blank.cell)]) >> 1;
        if candidates & last != 0 {
            return last;
        }
        let is_peer = |other: &&BlankCell| other.houses.iter().zip(blank.houses).any(|(&a, b)| a == b);
        let peers = self.blanks[start..].iter().filter(is_peer);
        digits(candidates)
            .min_by_key(|digit| peers.clone().filter(|&&other| self.candidates(other) & digit != 0).count())
            .expect("a cell to guess has candidates")
    }

    #[inline]
    fn candidates(&self, blank: BlankCell) -> u32 {
        let [row, column, box_] = blank.houses();
        self.free[0][row] & self.free[1][column] & self.free[2][box_] & blank.open
    }

    /// Marks a free digit as taken in the houses of a cell.
    #[inline]
    fn take(&mut self, blank: BlankCell, digit: u32) {
        // The digit is free in all three houses, so this removes it.
        (0..3).for_each(|kind| self.free[kind][blank.houses()[kind]] ^= digit);
    }

    /// Gives a blank cell one of its candidates. The last blank cell moves to its index.
    #[inline]
    fn place(&mut self, index: usize, digit: u32) {
        let blank = self.blanks.swap_remove(index);
        self.take(blank, digit);
        self.grid[usize::from(blank.cell)] = digit.trailing_zeros() as u8 + 1;
    }
}

impl Default for Bitmask {
    fn default() -> Bitmask {
        Bitmask::new()
    }
}

impl Engine for Bitmask {
    fn solve(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        with_constant!(batch.size(), SIZE => {
            self.solve_all::<{ SIZE.box_rows() }, { SIZE.box_columns() }>(batch, bounds, verdicts);
        });
    }
}

/// The lowest digit of a nonempty set.
fn lowest(set: u32) -> u32 {
    set & set.wrapping_neg()
}

/// The digits of a set, lowest first, each as a set.
fn digits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let digit = lowest(set);
        set ^= digit;
        (digit != 0).then_some(digit)
    })
}

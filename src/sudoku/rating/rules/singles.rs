//! Places all hidden singles of a grid at once, and finds the difficulty of the hardest one that is needed.
//!
//! The reference program places one hidden single at a time, always one of the lowest difficulty: 1.0 if it is the last
//! blank of a house, 1.2 in a box, 1.5 in a line. The result here is the same. The *closure at r* is the grid after all
//! hidden singles of difficulty up to r have been placed, until there are no more.
//!
//! 1. In a grid that has a solution, the only place of a digit in a house stays its only place until it is filled: a
//!    placement never adds a candidate, and the solution has the digit in this cell. The house only loses blanks, so
//!    the difficulty of the single does not rise. Hence the closure at r does not depend on the order.
//! 2. Placing one at a time, the reference program takes a single that is harder than r only when there is no easier
//!    one: at the closure at r. So it needs such a single if and only if the closure at r differs from the closure at
//!    1.5, and the hardest single that it needs is the smallest r where the two are equal.
//!
//! The candidates of a digit are three bands of 27 bits. All digits go through the same instructions, in loops that
//! compilers turn into vector instructions, and a round places all available singles:
//!
//! ```text
//! lane      0        1         2               9        10, 11
//! band 0    blanks   cells     cells    ...    cells    0          row 1: bits 0 .. 8, row 2: 9 .. 17, row 3: 18 .. 26
//! band 1    blanks   that      that            that     0
//! band 2    blanks   may be 1  may be 2        may be 9 0
//! ```
//!
//! No step examines a single cell, and an easy puzzle is rated without building [`Candidates`].

use crate::puzzle::Grid;
use crate::rating::candidates::Candidates;
use crate::rating::difficulty::Difficulty;
use crate::rating::rules::single::{IN_BOX, IN_LINE, LAST_BLANK};
use crate::rating::sets::CellSet;

/// The blanks and the nine digits, filled up to a multiple of four for vector instructions.
const LANES: usize = 12;
/// The cells of a band.
const BAND: u32 = (1 << 27) - 1;
/// The first cell of each row of a band.
const ROW_STARTS: u32 = 1 | 1 << 9 | 1 << 18;
/// The first cell of each box in the first row of a band.
const BOX_STARTS: u32 = 0b001_001_001;

/// The bits of a digit, or the blanks: three bands of 27 bits.
type DigitBands = [u32; 3];

/// The effect of placing hidden singles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) struct SinglesPlaced {
    /// The difficulty of the first single, the easiest one in the grid; 0.0 if there is none.
    pub(in crate::sudoku::rating) first: Difficulty,
    /// The difficulty of the hardest single that is needed; 0.0 if there is none.
    pub(in crate::sudoku::rating) hardest: Difficulty,
    /// The number of cells that were filled.
    pub(in crate::sudoku::rating) placed: usize,
}

/// A grid of candidates for placing hidden singles.
#[derive(Clone, Debug)]
pub(in crate::sudoku::rating) struct Singles {
    /// The blanks, and the candidates of each digit.
    left: [[u32; LANES]; 3],
    /// The cells that have each digit.
    values: [[u32; LANES]; 3],
}

/// The kinds of hidden singles to place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SinglesLimit {
    /// Last blanks: 1.0.
    LastBlanks,
    /// Also singles in boxes: 1.2.
    Boxes,
    /// Also singles in lines: 1.5.
    Lines,
}

impl Singles {
    /// The grid of a puzzle: each blank has the candidates that do not occur among its peers.
    pub(in crate::sudoku::rating) fn of(puzzle: &Grid) -> Singles {
        let mut values = [[0; LANES]; 3];
        for (band, cells) in values.iter_mut().zip(puzzle.chunks_exact(27)) {
            for (bit, &value) in cells.iter().enumerate() {
                band[usize::from(value)] |= 1 << bit;
            }
        }
        let mut left = [[0; LANES]; 3];
        for (left, values) in left.iter_mut().zip(&mut values) {
            left[..10].fill(BAND);
            // The blanks went to lane 0, which is not a digit to place.
            values[0] = 0;
        }
        let mut singles = Singles { left, values: [[0; LANES]; 3] };
        singles.place(&values);
        singles
    }

    /// A grid of candidates.
    pub(in crate::sudoku::rating) fn from_candidates(grid: &Candidates) -> Singles {
        let mut singles = Singles { left: [[0; LANES]; 3], values: [[0; LANES]; 3] };
        for lane in 0..10 {
            let cells = if lane == 0 { grid.blanks() } else { grid.cells(lane - 1) };
            for band in 0..3 {
                singles.left[band][lane] = (cells.0 >> (27 * band)) as u32 & BAND;
            }
        }
        for (cell, &value) in grid.values().iter().enumerate().filter(|&(_, &value)| value != 0) {
            singles.values[cell / 27][usize::from(value)] |= 1 << (cell % 27);
        }
        singles
    }

    /// Places hidden singles until there are no more within the bound. A grid without a solution gets an arbitrary fill.
    pub(in crate::sudoku::rating) fn solve(&mut self, bound: Option<Difficulty>) -> SinglesPlaced {
        let blanks = self.blanks();
        let [mut first, mut hardest] = [Difficulty::default(); 2];

        // Each limit includes the easier singles, so it starts from the closure below it, and the first single that is
        // found is the easiest one of the grid.
        for (limit, tenths) in
            [(SinglesLimit::LastBlanks, LAST_BLANK), (SinglesLimit::Boxes, IN_BOX), (SinglesLimit::Lines, IN_LINE)]
        {
            let difficulty = Difficulty::from_tenths(tenths);
            if self.blanks() == 0 || bound.is_some_and(|bound| bound < difficulty) {
                break;
            }
            while let Some(singles) = self.find(limit) {
                if first == Difficulty::default() {
                    first = difficulty;
                }
                hardest = difficulty;
                self.place(&singles);
            }
        }

        SinglesPlaced { first, hardest, placed: (blanks - self.blanks()) as usize }
    }

    /// The number of blanks.
    fn blanks(&self) -> u32 {
        self.left.iter().map(|band| band[0].count_ones()).sum()
    }

    /// The hidden singles of the grid, if there are any.
    fn find(&self, limit: SinglesLimit) -> Option<[[u32; LANES]; 3]> {
        match limit {
            // A function for each limit, so that each gets a loop that is compiled to vector instructions.
            SinglesLimit::LastBlanks => self.find_with(|_| [0; 3]),
            SinglesLimit::Boxes => self.find_with(box_singles),
            SinglesLimit::Lines => self.find_with(|bands| {
                let [boxes, rows, columns] = [box_singles(bands), row_singles(bands), column_singles(bands)];
                std::array::from_fn(|band| boxes[band] | rows[band] | columns[band])
            }),
        }
    }

    /// The last blanks, and the hidden singles that `singles_of` finds among the cells of a digit.
    #[inline]
    fn find_with(&self, singles_of: impl Fn(DigitBands) -> DigitBands) -> Option<[[u32; LANES]; 3]> {
        let blanks = [self.left[0][0], self.left[1][0], self.left[2][0]];
        let [boxes, rows, columns] = [box_singles(blanks), row_singles(blanks), column_singles(blanks)];
        let last: DigitBands = std::array::from_fn(|band| boxes[band] | rows[band] | columns[band]);

        let mut singles = [[0; LANES]; 3];
        let mut any = 0;
        #[expect(clippy::needless_range_loop, reason = "compilers turn this form into vector instructions")]
        for lane in 0..LANES {
            let bands = [self.left[0][lane], self.left[1][lane], self.left[2][lane]];
            let found = singles_of(bands);
            for band in 0..3 {
                // The last blank of a house takes the only digit that it may still have.
                let cells = if lane == 0 { 0 } else { found[band] | bands[band] & last[band] };
                singles[band][lane] = cells;
                any |= cells;
            }
        }
        (any != 0).then_some(singles)
    }

    /// Puts each digit into cells, and removes it from their peers.
    fn place(&mut self, cells: &[[u32; LANES]; 3]) {
        let filled: DigitBands = std::array::from_fn(|band| cells[band].iter().fold(0, |filled, cells| filled | cells));
        #[expect(clippy::needless_range_loop, reason = "compilers turn this form into vector instructions")]
        for lane in 0..LANES {
            let seen = seen_by([cells[0][lane], cells[1][lane], cells[2][lane]]);
            for band in 0..3 {
                self.left[band][lane] &= !(seen[band] | filled[band]);
                self.values[band][lane] |= cells[band][lane];
            }
        }
    }

    /// Whether no cell is blank.
    pub(in crate::sudoku::rating) fn is_filled(&self) -> bool {
        self.blanks() == 0
    }

    /// Whether each house has each digit exactly once.
    #[cfg(test)]
    fn is_solved(&self) -> bool {
        let mut all = BAND;
        let mut count = 0;
        for lane in 1..10 {
            let bands = [self.values[0][lane], self.values[1][lane], self.values[2][lane]];
            let [boxes, rows, columns] = [box_singles(bands), row_singles(bands), column_singles(bands)];
            for band in 0..3 {
                all &= boxes[band] & rows[band] & columns[band] | !bands[band];
                count += bands[band].count_ones();
            }
        }
        all & BAND == BAND && count == 81 && self.left.iter().all(|band| band[0] == 0)
    }

    /// Converts the grid to the layout of the other techniques.
    pub(in crate::sudoku::rating) fn candidates(&self) -> Candidates {
        let mut values = [0; 81];
        for lane in 1..10 {
            for cell in join(&self.values, lane) {
                values[cell] = lane as u8;
            }
        }
        Candidates::from_cells(&values, &std::array::from_fn(|digit| join(&self.left, digit + 1)))
    }
}

/// The cells of a lane.
fn join(bands: &[[u32; LANES]; 3], lane: usize) -> CellSet {
    CellSet((0..3).fold(0, |cells, band| cells | u128::from(bands[band][lane]) << (27 * band)))
}

/// The bits that are in at least one of three sets, and the bits that are in at least two.
#[inline]
const fn once_twice([a, b, c]: [u32; 3]) -> [u32; 2] {
    [a | b | c, a & b | (a | b) & c]
}

/// Adds up groups of three neighbours, `shift` bits apart: in at least one, in at least two.
#[inline]
const fn sum([once, twice]: [u32; 2], shift: u32) -> [u32; 2] {
    let [any, two] = once_twice([once, once >> shift, once >> (2 * shift)]);
    [any, two | twice | twice >> shift | twice >> (2 * shift)]
}

/// From the first cell of each box in a band, all cells of the box.
#[inline]
const fn spread_boxes(starts: u32) -> u32 {
    let places = (starts << 3) - starts;
    places | places << 9 | places << 18
}

/// From the first cell of each row in a band, all cells of the row.
#[inline]
const fn spread_rows(starts: u32) -> u32 {
    (starts << 9) - starts
}

/// The bits that are the only ones of their box.
#[inline]
fn box_singles(bands: DigitBands) -> DigitBands {
    bands.map(|bits| {
        let [once, twice] = sum(sum([bits, 0], 9), 1);
        bits & spread_boxes(once & !twice & BOX_STARTS)
    })
}

/// The bits that are the only ones of their row.
#[inline]
fn row_singles(bands: DigitBands) -> DigitBands {
    bands.map(|bits| {
        let [once, twice] = sum(sum([bits, 0], 1), 3);
        bits & spread_rows(once & !twice & ROW_STARTS)
    })
}

/// The bits that are the only ones of their column.
#[inline]
fn column_singles(bands: DigitBands) -> DigitBands {
    let [[a, aa], [b, bb], [c, cc]] = bands.map(|bits| sum([bits, 0], 9));
    let [once, twice] = once_twice([a, b, c]);
    let single = once & !(twice | aa | bb | cc) & 0x1ff;
    let columns = single | single << 9 | single << 18;
    bands.map(|bits| bits & columns)
}

/// The cells of all houses of some cells.
#[inline]
fn seen_by(bands: DigitBands) -> DigitBands {
    let columns = bands.iter().fold(0, |columns, bits| columns | bits | bits >> 9 | bits >> 18) & 0x1ff;
    let columns = columns | columns << 9 | columns << 18;
    bands.map(|bits| {
        let [in_box, _] = sum(sum([bits, 0], 9), 1);
        let [in_row, _] = sum(sum([bits, 0], 1), 3);
        columns | spread_boxes(in_box & BOX_STARTS) | spread_rows(in_row & ROW_STARTS)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rating::rules::single;
    use crate::rating::step::Step;

    /// Places hidden singles one at a time, as the reference program does.
    fn one_at_a_time(grid: &mut Candidates) -> SinglesPlaced {
        let mut step = Step::default();
        let [mut first, mut hardest] = [Difficulty::default(); 2];
        let mut placed = 0;
        while single::find_hidden(grid, &mut step) {
            if placed == 0 {
                first = step.difficulty;
            }
            hardest = hardest.max(step.difficulty);
            placed += 1;
            step.apply(grid);
        }
        SinglesPlaced { first, hardest, placed }
    }

    /// A solution: a cyclic pattern with its rows, columns and digits exchanged.
    fn solution() -> impl Strategy<Value = Grid> {
        let orders = || {
            let bands = Just([0, 1, 2]).prop_shuffle();
            let lines = Just([0, 1, 2]).prop_shuffle();
            (bands, [lines.clone(), lines.clone(), lines])
        };
        (orders(), orders(), Just([1, 2, 3, 4, 5, 6, 7, 8, 9]).prop_shuffle()).prop_map(|(rows, columns, digits)| {
            let line = |(bands, lines): &([usize; 3], [[usize; 3]; 3]), index: usize| {
                bands[index / 3] * 3 + lines[index / 3][index % 3]
            };
            std::array::from_fn(|cell| {
                let (row, column) = (line(&rows, cell / 9), line(&columns, cell % 9));
                digits[(row * 3 + row / 3 + column) % 9]
            })
        })
    }

    fn check(puzzle: &Grid) -> Result<(), TestCaseError> {
        let mut expected_grid = Candidates::of(puzzle);
        let mut from_candidates = Singles::from_candidates(&expected_grid);
        let expected = one_at_a_time(&mut expected_grid);
        let mut singles = Singles::of(puzzle);
        prop_assert_eq!(singles.solve(None), expected);
        prop_assert_eq!(singles.is_solved(), expected_grid.is_solved());
        prop_assert_eq!(singles.candidates(), expected_grid.clone());
        prop_assert_eq!(from_candidates.solve(None), expected);
        prop_assert_eq!(from_candidates.is_solved(), expected_grid.is_solved());
        prop_assert_eq!(from_candidates.candidates(), expected_grid);
        Ok(())
    }

    proptest! {
        /// Difficulty, number of cells and grid are the same as with single steps, for any subset of a solution.
        #[test]
        fn all_at_once_is_one_at_a_time(solution in solution(), shown in 20u32..81, order in any::<u64>()) {
            let mut state = order | 1;
            let mut puzzle = [0; 81];
            for (clue, value) in puzzle.iter_mut().zip(solution) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if ((state >> 33) % 81) < u64::from(shown) {
                    *clue = value;
                }
            }
            check(&puzzle)?;
        }

        /// A grid without a solution ends, and is not called solved.
        #[test]
        fn a_contradiction_ends(clues in prop::collection::vec((0usize..81, 1u8..10), 0..81)) {
            let mut puzzle = [0; 81];
            for (cell, value) in clues {
                puzzle[cell] = value;
            }
            let mut singles = Singles::of(&puzzle);
            singles.solve(None);
            if singles.is_solved() {
                prop_assert!(singles.candidates().is_solved());
                check(&puzzle)?;
            }
        }
    }

    fn is_solved_by_singles(grid: &Grid) -> bool {
        let mut singles = Singles::of(grid);
        singles.solve(None);
        singles.is_solved()
    }

    #[test]
    fn a_full_grid_is_solved_only_if_it_is_correct() {
        let mut grid: Grid = std::array::from_fn(|cell| ((cell / 9 * 3 + cell / 27 + cell % 9) % 9) as u8 + 1);
        assert!(is_solved_by_singles(&grid));
        grid.swap(0, 1);
        assert!(!is_solved_by_singles(&grid), "two columns have a digit twice");
        grid[1] = 0;
        assert!(!is_solved_by_singles(&grid), "the blank has no candidate");
    }
}

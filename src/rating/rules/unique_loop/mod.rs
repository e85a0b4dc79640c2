//! Unique rectangles and loops: cells of two digits that would have two solutions but for some extra candidates.
//!
//! ```text
//!    a b    .    .  |  a b    .    .       The cells lie in two rows, two columns and two boxes. If they held a and b
//!    a b    .    .  | a b c   .    .       only, a and b could be swapped. So the fourth cell is c: type 1.
//! ```
//!
//! A loop has two cells in each house that it visits, of different parity. What the extra candidates prove has four
//! types, see [`kinds`]. All loops are looked for; the easiest use of one is taken, then the one of the lowest type,
//! then the first that is found. Source: Sudoku Explainer 1.2.1.

mod kinds;
mod search;

use self::kinds::Uses;
use super::super::candidates::{Candidates, Sizes};
use super::super::houses::{HOUSE_CELLS, HOUSES_OF};
use super::super::sets::{CellSet, DigitSet};
use super::super::step::Step;

/// Finds the easiest use of a unique loop.
///
/// Nearly always there is none. So each pair of digits is tried first in any order; the search in the yardstick's order
/// is only for the pairs with a loop that is of use.
pub(in crate::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    let sizes = grid.sizes();
    let mut starts = CellSet::EMPTY;
    for first in 0..8 {
        let with_first = sizes.two.and(grid.cells(first));
        for second in first + 1..9 {
            let two = with_first.and(grid.cells(second));
            if two.is_empty() {
                continue;
            }
            let cells = Cells::of(grid, sizes, DigitSet::of(first).or(DigitSet::of(second)));
            if cells.are_enough() && (cells.any_rectangle(grid, step) || cells.any_long_loop(grid, step)) {
                starts = starts.or(two);
            }
        }
    }
    if starts.is_empty() {
        return false;
    }
    let mut uses = Uses::new(grid, step);
    for start in starts {
        let cells = Cells::of(grid, sizes, grid.digits(start));
        let longest = if cells.of_long_loops(grid).0.is_empty() { 4 } else { 18 };
        search::loops(grid, &cells, start, (core(cells.all), longest), |found| uses.of_loop(&cells, found));
    }
    uses.any()
}

/// The cells that have both digits of a pair.
struct Cells {
    pair: DigitSet,
    all: CellSet,
    /// Those that have no others.
    two: CellSet,
    /// Those that have one other.
    three: CellSet,
}

impl Cells {
    fn of(grid: &Candidates, sizes: Sizes, pair: DigitSet) -> Cells {
        let all = pair.into_iter().fold(CellSet((1 << 81) - 1), |cells, digit| cells.and(grid.cells(digit)));
        Cells { pair, all, two: all.and(sizes.two), three: all.and(sizes.three) }
    }

    /// Whether there are enough for a loop: two cells of it at most have extra candidates, or more if they all have the
    /// same.
    fn are_enough(&self) -> bool {
        self.all.len() >= 4 && (self.two.len() >= 2 || self.three.len() >= 3)
    }

    /// Whether a rectangle is of use.
    fn any_rectangle(&self, grid: &Candidates, step: &mut Step) -> bool {
        let mut uses = Uses::new(grid, step);
        for corner in self.two {
            let [nonet, column, row] = HOUSES_OF[corner].map(|house| HOUSE_CELLS[usize::from(house)]);
            let others = self.all.without(CellSet::of(corner));
            for in_row in others.and(row) {
                // One of the sides lies in a box, the other does not.
                let side = if nonet.contains(in_row) { column.without(nonet) } else { column.and(nonet) };
                for in_column in others.and(side) {
                    let opposite = in_row + in_column - corner;
                    if !self.all.contains(opposite) {
                        continue;
                    }
                    let rectangle: CellSet = [corner, in_row, in_column, opposite].into_iter().collect();
                    if self.may_be_extra(grid, rectangle.without(self.two)) {
                        uses.of_loop(self, rectangle);
                        if uses.any() {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// Whether cells of a loop may have the extra candidates that they have.
    fn may_be_extra(&self, grid: &Candidates, extra: CellSet) -> bool {
        let digits = extra.into_iter().fold(DigitSet::EMPTY, |digits, cell| digits.or(grid.digits(cell)));
        extra.len() <= 2 || digits.without(self.pair).len() == 1
    }

    /// Whether a loop of six and more cells is of use.
    fn any_long_loop(&self, grid: &Candidates, step: &mut Step) -> bool {
        let (cells, starts) = self.of_long_loops(grid);
        let mut uses = Uses::new(grid, step);
        starts.into_iter().any(|start| {
            search::loops(grid, self, start, (cells, 18), |found| uses.of_loop(self, found));
            uses.any()
        })
    }

    /// Cells that contain all loops of six and more cells, and some of them from which all such loops are found.
    fn of_long_loops(&self, grid: &Candidates) -> (CellSet, CellSet) {
        let [mut found, mut starts] = [CellSet::EMPTY; 2];
        // Two cells at most have extra candidates, so that four have none: all but three of these need not be tried.
        if self.two.len() >= 4 && self.all.len() >= 6 {
            let cells = core(self.all);
            let two = cells.and(self.two);
            if cells.len() >= 6 && two.len() >= 4 {
                found = cells;
                starts = two.into_iter().take(two.len() - 3).collect();
            }
        }
        // Or three and more cells have the same extra candidate. The search may find such a loop from one start only.
        if self.three.len() >= 3 && self.two.len() + self.three.len() >= 6 {
            for digit in DigitSet::ALL.without(self.pair) {
                let three = self.three.and(grid.cells(digit));
                if three.len() >= 3 && self.two.len() + three.len() >= 6 {
                    let cells = core(self.two.or(three));
                    if cells.len() >= 6 {
                        found = found.or(cells);
                        starts = starts.or(cells.and(self.two));
                    }
                }
            }
        }
        (found, starts)
    }
}

/// The cells that have another of them in each of their houses.
fn core(mut cells: CellSet) -> CellSet {
    loop {
        let before = cells;
        for cell in before {
            let others = cells.without(CellSet::of(cell));
            if HOUSES_OF[cell].iter().any(|&house| others.and(HOUSE_CELLS[usize::from(house)]).is_empty()) {
                cells = others;
            }
        }
        if cells == before {
            return cells;
        }
    }
}

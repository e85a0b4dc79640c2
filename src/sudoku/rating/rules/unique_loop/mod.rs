//! Finds unique rectangles and loops: cells with two digits that would have two solutions without some extra
//! candidates.
//!
//! ```text
//!    a b    .    .  |  a b    .    .       The cells lie in two rows, two columns and two boxes. If they held a and b
//!    a b    .    .  | a b c   .    .       only, a and b could be swapped. So the fourth cell is c: type 1.
//! ```
//!
//! A loop has two cells, of different parity, in each house that it visits. Extra candidates allow four types of
//! deductions, see [`kinds`]. The easiest step of all loops is taken; ties go to the lowest type, then to the first one
//! found. Source: Sudoku Explainer 1.2.1.

mod kinds;

use self::kinds::Uses;
use super::super::candidates::{Candidates, Sizes};
use super::super::houses::{BOX_ROW_COLUMN, HOUSE_BITS, HOUSE_CELLS, HOUSES_OF};
use super::super::sets::{CellSet, DigitSet};
use super::super::step::Step;

/// Finds the easiest use of a unique loop.
///
/// Grids with such a loop are rare. So each pair of digits is first tried in any order, and only pairs with a useful
/// loop are searched again in the reference order.
pub(in crate::sudoku::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    let sizes = grid.sizes();
    let mut starts = CellSet::EMPTY;

    for first in 0..8 {
        let with_first = sizes.two.and(grid.cells(first));
        for second in first + 1..9 {
            let two = with_first.and(grid.cells(second));
            if two.is_empty() {
                continue;
            }
            let cells = PairCells::of(grid, sizes, DigitSet::of(first).or(DigitSet::of(second)));
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
        let cells = PairCells::of(grid, sizes, grid.digits(start));
        // A loop has two cells in each row that it visits, so at most 18.
        let longest = if cells.of_long_loops(grid).0.is_empty() { 4 } else { 18 };
        loops(grid, &cells, start, (core(cells.all), longest), |found| uses.of_loop(&cells, found));
    }
    uses.any()
}

/// The cells that have both digits of a pair.
struct PairCells {
    pair: DigitSet,
    all: CellSet,
    /// The cells with no other candidate.
    two: CellSet,
    /// The cells with one other candidate.
    three: CellSet,
}

impl PairCells {
    fn of(grid: &Candidates, sizes: Sizes, pair: DigitSet) -> PairCells {
        let all = pair.into_iter().fold(CellSet((1 << 81) - 1), |cells, digit| cells.and(grid.cells(digit)));
        PairCells { pair, all, two: all.and(sizes.two), three: all.and(sizes.three) }
    }

    /// Whether there are enough cells for a loop: at most two of its cells have extra candidates, or more if all have
    /// the same extra candidate.
    fn are_enough(&self) -> bool {
        self.all.len() >= 4 && (self.two.len() >= 2 || self.three.len() >= 3)
    }

    /// Whether a rectangle is useful.
    fn any_rectangle(&self, grid: &Candidates, step: &mut Step) -> bool {
        let mut uses = Uses::new(grid, step);
        for corner in self.two {
            let [nonet, column, row] = HOUSES_OF[corner].map(|house| HOUSE_CELLS[usize::from(house)]);
            let others = self.all.without(CellSet::of(corner));
            for in_row in others.and(row) {
                // One of the sides lies in a box, the other does not.
                let side = if nonet.contains(in_row) { column.without(nonet) } else { column.and(nonet) };
                for in_column in others.and(side) {
                    // Cells are numbered row by row, so this is the row of one and the column of the other.
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

    /// Whether cells of a loop may have these extra candidates.
    fn may_be_extra(&self, grid: &Candidates, extra: CellSet) -> bool {
        let digits = extra.into_iter().fold(DigitSet::EMPTY, |digits, cell| digits.or(grid.digits(cell)));
        extra.len() <= 2 || digits.without(self.pair).len() == 1
    }

    /// Whether a loop of six or more cells is useful.
    fn any_long_loop(&self, grid: &Candidates, step: &mut Step) -> bool {
        let (cells, starts) = self.of_long_loops(grid);
        let mut uses = Uses::new(grid, step);
        starts.into_iter().any(|start| {
            loops(grid, self, start, (cells, 18), |found| uses.of_loop(self, found));
            uses.any()
        })
    }

    /// Cells that contain all loops of six or more cells, and enough starting cells to find all of them.
    fn of_long_loops(&self, grid: &Candidates) -> (CellSet, CellSet) {
        let [mut found, mut starts] = [CellSet::EMPTY; 2];

        // At most two cells have extra candidates, so at least four cells have none: all starts but three can be left
        // out.
        if self.two.len() >= 4 && self.all.len() >= 6 {
            let cells = core(self.all);
            let two = cells.and(self.two);
            if cells.len() >= 6 && two.len() >= 4 {
                found = cells;
                starts = two.into_iter().take(two.len() - 3).collect();
            }
        }

        // Or three or more cells have the same extra candidate. The search may find such a loop from only one start.
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

/// The cells that share each of their houses with another of the cells.
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

/// Gives each loop that starts at a cell with two digits to `each`, in the reference order; some come several times.
fn loops(
    grid: &Candidates,
    cells: &PairCells,
    start: usize,
    (possible, longest): (CellSet, usize),
    each: impl FnMut(CellSet),
) {
    let path = CellSet::of(start);
    let mut search =
        LoopSearch { grid, cells, possible, longest, start, path, length: 1, visited: [HOUSE_BITS[start], 0], each };
    search.extend(start, None, 2, DigitSet::EMPTY);
}

/// Searches for loops.
///
/// A path goes from cell to cell through a box, a row or a column, never twice in a row through the same kind of house.
/// Each house has one cell of even and one of odd parity, which prunes the search. Two cells may have extra candidates;
/// more than two only if all extra candidates so far are one digit. As in the reference program, extra candidates of
/// cells that the search has left again still count.
struct LoopSearch<'a, F> {
    grid: &'a Candidates,
    cells: &'a PairCells,
    /// The cells that may be part of a loop.
    possible: CellSet,
    /// The number of cells of the longest possible loop.
    longest: usize,
    start: usize,
    path: CellSet,
    length: usize,
    /// The houses of the cells of even and of odd parity.
    visited: [u32; 2],
    each: F,
}

impl<F: FnMut(CellSet)> LoopSearch<'_, F> {
    /// Extends the path from its last cell, reached through a house of kind `came`, by each possible cell.
    fn extend(&mut self, last: usize, came: Option<usize>, spare: i32, mut extra: DigitSet) {
        for kind in BOX_ROW_COLUMN {
            if came == Some(kind) {
                continue;
            }
            for next in self.cells.all.and(HOUSE_CELLS[usize::from(HOUSES_OF[last][kind])]) {
                if next == self.start && self.length >= 4 {
                    // Then each house of the loop has one cell of each parity.
                    if self.visited[0] == self.visited[1] {
                        (self.each)(self.path);
                    }
                    continue;
                }
                if self.path.contains(next) {
                    continue;
                }

                extra = extra.or(self.grid.digits(next).without(self.cells.pair));
                let parity = self.length % 2;
                let is_two = self.cells.two.contains(next);
                let is_possible = self.length < self.longest
                    && self.possible.contains(next)
                    && self.visited[parity] & HOUSE_BITS[next] == 0;

                if is_possible && (is_two || extra.len() == 1 || spare > 0) {
                    self.path.insert(next);
                    self.length += 1;
                    self.visited[parity] |= HOUSE_BITS[next];
                    self.extend(next, Some(kind), spare - i32::from(!is_two), extra);
                    self.visited[parity] &= !HOUSE_BITS[next];
                    self.length -= 1;
                    self.path.remove(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, position, with};
    use super::*;

    const ONE_CELL: &str = "
        17 8 9 15 3 157 4 6 2
        5 2 4 6 9 8 1 7 3
        6 3 17 2 17 4 8 9 5
        3 1 2 4 5 6 9 8 7
        9 6 78 3 178 17 5 2 4
        78 4 5 9 78 2 3 1 6
        18 5 18 7 6 3 2 4 9
        2 7 3 8 4 9 6 5 1
        4 9 6 15 2 15 7 3 8";

    const ONE_DIGIT: &str = "
        5 8 1 6 9 3 2 4 7
        4 2 7 8 1 5 3 9 6
        9 36 36 2 4 7 5 1 8
        2 1 5 3 6 9 7 8 4
        38 4 389 5 7 1 69 36 2
        7 369 369 4 2 8 1 5 39
        36 39 4 1 8 2 69 7 5
        16 7 2 9 5 4 8 36 13
        18 5 89 7 3 6 4 2 19";

    const NAKED_SET: &str = "
        9 25 34 8 35 1 246 7 46
        8 12 14 6 9 7 24 5 3
        35 6 7 2 35 4 9 1 8
        146 9 2 3 168 5 7 48 146
        16 7 8 4 16 2 3 9 5
        145 3 56 9 7 68 468 2 146
        7 45 9 1 68 68 45 3 2
        2 8 15 7 4 3 15 6 9
        36 14 36 5 2 9 18 48 7";

    const LOCKED: &str = "
        5 2 9 6 1 7 4 3 8
        7 4 3 5 2 8 1 9 6
        16 16 8 9 3 4 7 5 2
        349 8 5 34 6 2 39 1 7
        139 137 2 8 57 35 39 6 4
        34 37 6 347 9 1 2 8 5
        38 9 7 23 45 6 58 24 1
        2 35 4 1 8 35 6 7 9
        68 56 1 27 47 9 58 24 3";

    const LOOP: &str = "
        8 3 1 69 2 7 5 4 69
        4 69 5 689 68 3 7 1 2
        7 69 2 1 4 5 3 8 69
        1 48 468 46 3 2 9 5 7
        3 5 46 7 16 9 8 2 14
        9 2 7 5 18 48 6 3 14
        6 48 3 2 9 48 1 7 5
        2 7 9 3 5 1 4 6 8
        5 1 48 48 7 6 2 9 3";

    const HIDDEN_SET: &str = "
        24 2459 245 3 48 89 67 67 1
        7 13 13 6 5 2 8 9 4
        8 49 6 1 47 79 5 3 2
        3 7 8 4 6 5 2 1 9
        6 25 25 89 389 1 34 48 7
        9 14 14 78 2 378 36 68 5
        5 238 23 2789 3789 4 1 27 6
        24 6 7 5 1 38 9 24 38
        1 2348 9 278 378 6 47 5 38";

    /// Type 1: r1c4, r9c4 and r9c6 are 1 or 5, so r1c6 is 7. Without the 5, r1c6 does not belong to the rectangle.
    #[test]
    fn one_cell_has_extra_candidates() {
        assert_eq!(found(&position(ONE_CELL), find).as_deref(), Some("Unique Rectangle type 1|45|r1c6-15"));
        assert_eq!(found(&with(ONE_CELL, &[("r1c6", "17")]), find), None);
    }

    /// Type 2: r6c2 or r6c3 is 9. If r6c3 cannot be 6, there is no rectangle.
    #[test]
    fn the_extra_candidates_are_one_digit() {
        assert_eq!(found(&position(ONE_DIGIT), find).as_deref(), Some("Unique Rectangle type 2|45|r5c3-9,r6c9-9"));
        assert_eq!(found(&with(ONE_DIGIT, &[("r6c3", "39")]), find), None);
    }

    /// Type 3: r4c1 or r4c5 is 4 or 8, and so is r4c8. If r4c9 cannot be 4, the rule finds nothing.
    #[test]
    fn the_extra_candidates_make_a_naked_set() {
        assert_eq!(found(&position(NAKED_SET), find).as_deref(), Some("Unique Rectangle type 3|46|r4c9-4"));
        assert_eq!(found(&with(NAKED_SET, &[("r4c9", "16")]), find), None);
    }

    /// Type 4: r4c1 and r5c1 are the places of 9 in their box. If r5c1 cannot be 3, there is no rectangle.
    #[test]
    fn a_digit_of_the_loop_is_locked() {
        assert_eq!(found(&position(LOCKED), find).as_deref(), Some("Unique Rectangle type 4|45|r4c1-3,r5c1-3"));
        assert_eq!(found(&with(LOCKED, &[("r5c1", "19")]), find), None);
    }

    /// Type 1 with six cells: r2c4 is 8. If it cannot be 9, there is no loop.
    #[test]
    fn loops_may_be_longer() {
        assert_eq!(found(&position(LOOP), find).as_deref(), Some("Unique Loop type 1|46|r2c4-69"));
        assert_eq!(found(&with(LOOP, &[("r2c4", "68")]), find), None);
    }

    /// Type 3: r1c2 or r1c3 is neither 2 nor 5, so the other one and r1c1 have the 2 and the 5 of the box.
    #[test]
    fn the_loop_makes_a_hidden_set() {
        assert_eq!(found(&position(HIDDEN_SET), find).as_deref(), Some("Unique Rectangle type 3|45|r1c1-4"));
        assert_eq!(found(&with(HIDDEN_SET, &[("r1c3", "45")]), find), None);
    }
}

//! Searches for loops of cells that have the same two digits, in the reference order.
//!
//! A path goes from cell to cell by a box, a row or a column, never twice by the same kind of house. Each house of its
//! cells has one cell of even and one of odd parity, which prunes the search. Two cells may have extra candidates; more
//! than two only if all extra candidates that were met so far are one digit. Those of cells that were tried and left
//! again count as well, as in the reference program.

use super::super::super::candidates::Candidates;
use super::super::super::houses::{BOX_ROW_COLUMN, HOUSE_BITS, HOUSE_CELLS, HOUSES_OF};
use super::super::super::sets::{CellSet, DigitSet};
use super::PairCells;

/// Gives each loop that starts at a cell with two digits to `each`; some come several times.
pub(super) fn loops(
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

struct LoopSearch<'a, F> {
    grid: &'a Candidates,
    cells: &'a PairCells,
    /// The cells that may be part of a loop.
    possible: CellSet,
    /// The number of cells of the longest loop that is possible.
    longest: usize,
    start: usize,
    path: CellSet,
    length: usize,
    /// The houses of the cells of even and of odd parity.
    visited: [u32; 2],
    each: F,
}

impl<F: FnMut(CellSet)> LoopSearch<'_, F> {
    /// Extends the path from its last cell, which was reached by a house of kind `came`, by each cell that is possible.
    fn extend(&mut self, last: usize, came: Option<usize>, spare: i32, mut extra: DigitSet) {
        for kind in BOX_ROW_COLUMN {
            if came == Some(kind) {
                continue;
            }
            for next in self.cells.all.and(HOUSE_CELLS[usize::from(HOUSES_OF[last][kind])]) {
                if next == self.start && self.length >= 4 {
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

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
use super::super::candidates::Candidates;
use super::super::houses::{HOUSE_CELLS, HOUSES_OF};
use super::super::sets::{CellSet, DigitSet};
use super::super::step::Step;

/// Finds the easiest use of a unique loop.
pub(in crate::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    let two = grid.sizes().two;
    let mut starts = CellSet::EMPTY;
    for first in 0..8 {
        let with_first = two.and(grid.cells(first));
        for second in first + 1..9 {
            let pair = with_first.and(grid.cells(second));
            if !pair.is_empty() {
                starts = starts.or(pair.and(core(grid.cells(first).and(grid.cells(second)))));
            }
        }
    }
    if starts.is_empty() {
        return false;
    }
    let mut uses = Uses::new(grid, step);
    for start in starts {
        let pair = grid.digits(start);
        search::loops(grid, two, start, core(with_both(grid, pair)), |cells| {
            uses.of_loop(pair, cells, cells.without(two))
        });
    }
    uses.any()
}

/// The cells that have both digits of a pair.
fn with_both(grid: &Candidates, pair: DigitSet) -> CellSet {
    pair.into_iter().fold(CellSet((1 << 81) - 1), |cells, digit| cells.and(grid.cells(digit)))
}

/// The cells that have another of them in each of their houses: those of loops are among them.
fn core(mut cells: CellSet) -> CellSet {
    loop {
        if cells.len() < 4 {
            return CellSet::EMPTY;
        }
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

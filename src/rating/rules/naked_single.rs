//! Finds naked singles: a cell has one candidate left (2.3).
//!
//! ```text
//! 1 2 3  | . . .  | . . *      The star can only be 9: its row has 1 2 3, its column 4 5 6, its box 7 8.
//! . . .  | . . .  | 7 . 4
//! . . .  | . . .  | . 8 5
//! -------+--------+-------
//! . . .  | . . .  | . . 6
//! ```

use crate::rating::candidates::Candidates;
use crate::rating::sets::CellSet;
use crate::rating::step::{Placement, Step};
use crate::rating::technique::Technique;

/// Finds the first cell with one candidate, row by row.
pub(in crate::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    let [mut once, mut twice] = [CellSet::EMPTY; 2];
    for digit in 0..9 {
        twice = twice.or(once.and(grid.cells(digit)));
        once = once.or(grid.cells(digit));
    }
    let single = once.without(twice);
    if single.is_empty() {
        return false;
    }
    let cell = single.first();
    step.begin(Technique::NakedSingle);
    step.cells = CellSet::of(cell);
    step.digits = grid.digits(cell);
    step.placement = Some(Placement { cell, digit: step.digits.first() });
    true
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, read};
    use super::*;
    use crate::rating::sets::DigitSet;

    #[test]
    fn the_last_digit_of_a_cell_is_found() {
        // The drawing, with and without its 6.
        let mut step = Step::default();
        let drawing = format!("{:.<81}", "123............7.4.......85........6");
        assert!(find(&read(&drawing), &mut step));
        assert_eq!(step.placement, Some(Placement { cell: 8, digit: 8 }));
        assert!(!find(&read(&drawing.replace('6', ".")), &mut step));
    }

    #[test]
    fn a_cell_without_candidates_is_no_single() {
        let mut grid = all();
        grid.remove_all(40, DigitSet::ALL);
        assert!(!find(&grid, &mut Step::default()));
    }
}

//! Finds single steps: hidden singles, a digit that has one place left in a house, and naked singles, a cell that has one
//! candidate left (2.3).
//!
//! ```text
//! . 7 .  | . . .  | . . .      The 7s of rows 1 and 2 and of column 7 leave one place for the 7 of box 3: r3c9.
//! . . .  | . 7 .  | . . .
//! . . .  | . . .  | . 4 *
//! ```
//!
//! The reference program looks first for houses with one blank (1.0), then in boxes (1.2), then in columns and rows
//! (1.5).
//!
//! ```text
//! 1 2 3  | . . .  | . . *      The star can only be 9: its row has 1 2 3, its column 4 5 6, its box 7 8.
//! . . .  | . . .  | 7 . 4
//! . . .  | . . .  | . 8 5
//! -------+--------+-------
//! . . .  | . . .  | . . 6
//! ```

use crate::rating::candidates::Candidates;
use crate::rating::houses::{CELLS, COLUMNS, HOUSES, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Placement, Step};
use crate::rating::technique::Technique;

/// The difficulty of the last blank of a house, in tenths.
pub(super) const LAST_BLANK: u16 = Technique::HiddenSingle.least_tenths();
/// The difficulty of a hidden single in a box.
pub(super) const IN_BOX: u16 = LAST_BLANK + 2;
/// The difficulty of a hidden single in a row or a column.
pub(super) const IN_LINE: u16 = LAST_BLANK + 5;

/// Finds the first hidden single.
pub(in crate::sudoku::rating) fn find_hidden(grid: &Candidates, step: &mut Step) -> bool {
    find_in(grid, step, |blanks| blanks == 1) || find_in(grid, step, |blanks| blanks != 1)
}

/// Finds the first hidden single in the houses whose number of blanks passes the test.
fn find_in(grid: &Candidates, step: &mut Step, right: impl Fn(usize) -> bool) -> bool {
    for index in (0..HOUSES).filter(|&index| right(grid.blanks_of(index))) {
        for digit in 0..9 {
            let places = grid.places(index, digit);
            if places.0.is_power_of_two() {
                let cell = usize::from(CELLS[index][places.first()]);
                step.begin_with(
                    Technique::HiddenSingle,
                    match index {
                        _ if grid.blanks_of(index) == 1 => LAST_BLANK,
                        0..COLUMNS => IN_BOX,
                        _ => IN_LINE,
                    },
                );
                step.placement = Some(Placement { cell, digit });

                step.cells = CellSet::of(cell);
                step.digits = DigitSet::of(digit);
                step.houses.push(house(index));
                return true;
            }
        }
    }
    false
}

/// Finds the first cell with one candidate, row by row.
pub(in crate::sudoku::rating) fn find_naked(grid: &Candidates, step: &mut Step) -> bool {
    // The cells with one digit at least, and with two. All cells are counted at once.
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
    use super::super::testing::{all, keep_places, read};
    use super::*;
    use crate::rating::houses::ROWS;

    fn check(grid: &Candidates, expected: Option<(usize, usize, u16)>) {
        let mut step = Step::default();
        let found = find_hidden(grid, &mut step).then(|| {
            let Placement { cell, digit } = step.placement.unwrap();
            (cell, digit, step.difficulty.tenths())
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn the_last_place_of_a_digit_in_a_house_is_found() {
        check(&all(), None);
        for (house, tenths) in [(4, 12), (COLUMNS + 4, 15), (ROWS + 4, 15)] {
            let mut grid = all();
            keep_places(&mut grid, house, 7, &[2, 3]);
            check(&grid, None);
            keep_places(&mut grid, house, 7, &[3]);
            check(&grid, Some((usize::from(CELLS[house][3]), 7, tenths)));
        }
    }

    #[test]
    fn the_last_blank_of_a_line_comes_before_a_single_in_a_box() {
        let mut grid = read("1.3456789........................................................................");
        check(&grid, Some((1, 1, 10)));
        keep_places(&mut grid, 8, 4, &[5]);
        check(&grid, Some((1, 1, 10)));
    }

    #[test]
    fn the_last_digit_of_a_cell_is_found() {
        // The drawing, with and without its 6.
        let mut step = Step::default();
        let drawing = format!("{:.<81}", "123............7.4.......85........6");
        assert!(find_naked(&read(&drawing), &mut step));
        assert_eq!(step.placement, Some(Placement { cell: 8, digit: 8 }));
        assert!(!find_naked(&read(&drawing.replace('6', ".")), &mut step));
    }

    #[test]
    fn a_cell_without_candidates_is_no_single() {
        let mut grid = all();
        grid.remove_all(40, DigitSet::ALL);
        assert!(!find_naked(&grid, &mut Step::default()));
    }
}

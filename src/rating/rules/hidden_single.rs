//! Finds hidden singles: a digit has one place left in a house.
//!
//! ```text
//! . 7 .  | . . .  | . . .      The 7s of rows 1 and 2 and of column 7 leave one place for the 7 of box 3: r3c9.
//! . . .  | . 7 .  | . . .
//! . . .  | . . .  | . 4 *
//! ```
//!
//! The reference program looks first for houses with one blank (1.0), then in boxes (1.2), then in columns and rows
//! (1.5).

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
pub(in crate::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    find_in(grid, step, |blanks| blanks == 1) || find_in(grid, step, |blanks| blanks != 1)
}

/// Finds the first hidden single of the houses whose number of blanks is the right one.
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

#[cfg(test)]
mod tests {
    use super::super::testing::{all, keep_places, read};
    use super::*;
    use crate::rating::houses::ROWS;

    fn check(grid: &Candidates, expected: Option<(usize, usize, u16)>) {
        let mut step = Step::default();
        let found = find(grid, &mut step).then(|| {
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
}

//! Hidden singles: a digit has one place left in a house.
//!
//! ```text
//! . 7 .  | . . .  | . . .      The 7s of rows 1 and 2 and of column 7 leave one place for the 7 of box 3: r3c9.
//! . . .  | . 7 .  | . . .
//! . . .  | . . .  | . 4 *
//! ```
//!
//! The yardstick looks first for houses with one blank (1.0), then in boxes (1.2), then in columns and rows (1.5).

use crate::rating::candidates::Candidates;
use crate::rating::houses::{CELLS, COLUMNS, HOUSES, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Placement, Step};
use crate::rating::technique::Technique;

/// Finds the first hidden single.
pub(in crate::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    find_in(grid, step, |blanks| blanks == 1) || find_in(grid, step, |blanks| blanks != 1)
}

/// Finds the first hidden single of the houses whose number of blanks is the right one.
fn find_in(grid: &Candidates, step: &mut Step, right: impl Fn(usize) -> bool) -> bool {
    for index in (0..HOUSES).filter(|&index| right(grid.blanks_of(index))) {
        for digit in 0..9 {
            let places = grid.places(index, digit);
            if places.0 != 0 && places.0 & (places.0 - 1) == 0 {
                let cell = usize::from(CELLS[index][places.first()]);
                let tenths = match index {
                    _ if grid.blanks_of(index) == 1 => 10,
                    0..COLUMNS => 12,
                    _ => 15,
                };
                step.begin(Technique::HiddenSingle, tenths);
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

//! Hidden sets: two, three or four digits of a house have as many places together, so these cells have no other digit.
//!
//! ```text
//! 2 and 7 of a house have the places a and b only:
//!
//! | 1 2 4 7 | 1 4 | 1 5 | 2 5 7 |   becomes   | 2 7 | 1 4 | 1 5 | 2 7 |
//!      a                    b                    a                 b
//! ```
//!
//! It is a direct hidden set if a digit that loses places has a single one left in the house.

use std::ops::ControlFlow;

use super::tuples::{Degree, count, each_tuple};
use crate::rating::candidates::Candidates;
use crate::rating::houses::{CELLS, HOUSES, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Placement, Step};
use crate::rating::technique::Technique;

/// Finds the first hidden set that eliminates a candidate: 3.4, 4.0 or 5.4.
pub(in crate::rating) fn find(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    (0..HOUSES).filter(|&index| grid.blanks_of(index) > 2 * degree.count()).any(|index| {
        let technique = degree.choose([Technique::HiddenPair, Technique::HiddenTriplet, Technique::HiddenQuad]);
        each_tuple(grid.places_of(index), degree, |digits, places| {
            step.begin(technique, degree.choose([34, 40, 54]));
            for place in places {
                let cell = usize::from(CELLS[index][place]);
                step.eliminate_digits(cell, grid.digits(cell).without(digits));
            }
            if step.eliminations.is_empty() {
                return ControlFlow::Continue(());
            }
            write(index, [digits, places], step);
            ControlFlow::Break(())
        })
        .is_break()
    })
}

/// Finds the first hidden set that leaves a single place to another digit of the house: 2.0 or 2.5.
pub(in crate::rating) fn find_direct(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    (0..HOUSES).filter(|&index| grid.blanks_of(index) > degree.count()).any(|index| {
        let technique =
            degree.choose([Technique::DirectHiddenPair, Technique::DirectHiddenTriplet, Technique::HiddenQuad]);
        each_tuple(grid.places_of(index), degree, |digits, places| {
            let single = DigitSet::ALL.without(digits).into_iter().find(|&digit| {
                let before = grid.places(index, digit);
                count(before) > 1 && count(before.without(places)) == 1
            });
            let Some(digit) = single else { return ControlFlow::Continue(()) };
            step.begin(technique, degree.choose([20, 25, 54]));
            let place = grid.places(index, digit).without(places).first();
            step.placement = Some(Placement { cell: usize::from(CELLS[index][place]), digit });
            write(index, [digits, places], step);
            ControlFlow::Break(())
        })
        .is_break()
    })
}

/// Writes the pattern.
fn write(index: usize, [digits, places]: [DigitSet; 2], step: &mut Step) {
    step.cells = places.into_iter().map(|place| usize::from(CELLS[index][place])).collect::<CellSet>();
    step.digits = digits;
    step.houses.push(house(index));
}

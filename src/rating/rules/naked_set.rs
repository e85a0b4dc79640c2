//! Naked sets: two, three or four cells of a house have as many digits together, so no other cell of it has them.
//!
//! ```text
//! Cells a and b of a house have the digits 2 and 7 only:
//!
//! | 2 7 | 1 2 4 | 1 5 7 | 2 7 |   becomes   | 2 7 | 1 4 | 1 5 | 2 7 |
//!    a                      b                  a                 b
//! ```

use std::ops::ControlFlow;

use super::tuples::{Degree, each_tuple};
use crate::rating::candidates::Candidates;
use crate::rating::houses::{CELLS, HOUSES, house};
use crate::rating::sets::CellSet;
use crate::rating::step::Step;
use crate::rating::technique::Technique;

/// Finds the first naked set that eliminates a candidate: 3.0, 3.6 or 5.0.
pub(in crate::rating) fn find(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    (0..HOUSES).filter(|&index| grid.blanks_of(index) >= 2 * degree.count()).any(|index| {
        let technique = degree.choose([Technique::NakedPair, Technique::NakedTriplet, Technique::NakedQuad]);
        let sets = CELLS[index].map(|cell| grid.digits(usize::from(cell)));
        each_tuple(&sets, degree, |places, digits| {
            step.begin(technique, degree.choose([30, 36, 50]));
            for (place, &cell) in CELLS[index].iter().enumerate() {
                if !places.contains(place) {
                    step.eliminate_digits(usize::from(cell), sets[place].and(digits));
                }
            }
            if step.eliminations.is_empty() {
                return ControlFlow::Continue(());
            }
            step.cells = places.into_iter().map(|place| usize::from(CELLS[index][place])).collect::<CellSet>();
            step.digits = digits;
            step.houses.push(house(index));
            ControlFlow::Break(())
        })
        .is_break()
    })
}

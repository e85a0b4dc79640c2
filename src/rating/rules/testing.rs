//! Makes grids for the tests of the techniques.

use proptest::prelude::*;

use crate::puzzle::Grid;
use crate::rating::candidates::Candidates;
use crate::rating::houses::CELLS;
use crate::rating::sets::DigitSet;

/// A grid in which each cell may have any digit.
pub(super) fn all() -> Candidates {
    Candidates::of(&[0; 81])
}

/// The grid of a puzzle of 81 characters.
pub(super) fn read(puzzle: &str) -> Candidates {
    assert_eq!(puzzle.len(), 81);
    let puzzle: Grid = std::array::from_fn(|cell| puzzle.as_bytes()[cell].saturating_sub(b'0'));
    Candidates::of(&puzzle)
}

/// Removes a digit from a house, except from some places.
pub(super) fn keep_places(grid: &mut Candidates, house: usize, digit: usize, places: &[usize]) {
    for place in (0..9).filter(|place| !places.contains(place)) {
        grid.remove(usize::from(CELLS[house][place]), digit);
    }
}

/// Removes all digits of a cell except some.
pub(super) fn keep_digits(grid: &mut Candidates, cell: usize, digits: &[usize]) {
    grid.remove_all(cell, DigitSet::ALL.without(digits.iter().copied().collect()));
}

/// A grid that may be contradictory, and the same grid after it has lost some candidates.
pub(super) fn grids() -> impl Strategy<Value = [Candidates; 2]> {
    let masks = || prop::collection::vec(0u16..512, 81);
    (prop::collection::vec((0usize..81, 0usize..9), 0..60), masks(), masks(), masks()).prop_map(
        |(values, first, second, third)| {
            let mut before = all();
            for (cell, digit) in values {
                if before.digits(cell).contains(digit) {
                    before.place(cell, digit);
                }
            }
            for (cell, &digits) in first.iter().enumerate() {
                before.remove_all(cell, DigitSet(digits));
            }
            let mut grid = before.clone();
            for (cell, (second, third)) in second.iter().zip(third).enumerate() {
                grid.remove_all(cell, DigitSet(second & third));
            }
            [before, grid]
        },
    )
}

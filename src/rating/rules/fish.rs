//! Fish: two, three or four lines have a digit in as many places together, so the crossing lines at these places have
//! it nowhere else. They are called X-wing, swordfish and jellyfish.
//!
//! ```text
//!     c2      c7
//! r1  .   .   -   .      Columns 2 and 7 have a digit in rows 3 and 6 only,
//! r3  X - - - X - -      so it goes from the rest of rows 3 and 6.
//! r6  X - - - X - -
//! ```

use std::ops::ControlFlow;

use super::tuples::{Degree, each_tuple};
use crate::rating::candidates::Candidates;
use crate::rating::houses::{COLUMNS, HOUSE_CELLS, ROWS, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::Step;
use crate::rating::technique::Technique;

/// Lines that have a digit in as many places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fish {
    digit: usize,
    /// The first house of the kind of the lines, and of the lines that cross them.
    kinds: [usize; 2],
    lines: DigitSet,
    crossing: DigitSet,
}

impl Fish {
    /// The cells of the lines, and of the lines that cross them.
    fn cells(&self) -> [CellSet; 2] {
        let cells = |first: usize, lines: DigitSet| {
            lines.into_iter().fold(CellSet::EMPTY, |cells, line| cells.or(HOUSE_CELLS[first + line]))
        };
        [cells(self.kinds[0], self.lines), cells(self.kinds[1], self.crossing)]
    }

    fn eliminations(&self, grid: &Candidates) -> CellSet {
        let [lines, crossing] = self.cells();
        grid.cells(self.digit).and(crossing).without(lines)
    }
}

/// Finds the first fish that eliminates a candidate: 3.2, 3.8 or 5.2.
pub(in crate::rating) fn find(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    let Some(fish) = [[COLUMNS, ROWS], [ROWS, COLUMNS]].into_iter().find_map(|kinds| first(grid, degree, kinds)) else {
        return false;
    };
    step.begin(
        degree.choose([Technique::XWing, Technique::Swordfish, Technique::Jellyfish]),
        degree.choose([32, 38, 52]),
    );
    step.eliminate(fish.eliminations(grid), fish.digit);
    let [lines, crossing] = fish.cells();
    step.cells = grid.cells(fish.digit).and(lines).and(crossing);
    step.digits = DigitSet::of(fish.digit);
    for (line, crossing) in fish.lines.into_iter().zip(fish.crossing) {
        step.houses.extend([house(fish.kinds[0] + line), house(fish.kinds[1] + crossing)]);
    }
    true
}

/// The first fish of one kind of lines: the yardstick takes the lowest lines, and of these the lowest digit.
fn first(grid: &Candidates, degree: Degree, kinds: [usize; 2]) -> Option<Fish> {
    let mut first: Option<Fish> = None;
    for digit in (0..9).filter(|&digit| grid.missing(digit) >= 2 * degree.count()) {
        let sets: [DigitSet; 9] = std::array::from_fn(|line| grid.places(kinds[0] + line, digit));
        let _ = each_tuple(&sets, degree, |lines, crossing| {
            if first.is_some_and(|first| first.lines.0 <= lines.0) {
                return ControlFlow::Break(());
            }
            let fish = Fish { digit, kinds, lines, crossing };
            if fish.eliminations(grid).is_empty() {
                return ControlFlow::Continue(());
            }
            first = Some(fish);
            ControlFlow::Break(())
        });
    }
    first
}

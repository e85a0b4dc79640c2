//! Finds fish: all places of a digit in two (three, four) lines lie on two (three, four) crossing lines, so the rest of
//! the crossing lines cannot have the digit. The names are X-wing, swordfish and jellyfish.
//!
//! ```text
//!     c2      c7
//! r1  .   .   -   .      Columns 2 and 7 have a digit in rows 3 and 6 only,
//! r3  X - - - X - -      so it goes from the rest of rows 3 and 6.
//! r6  X - - - X - -
//! ```

use std::ops::ControlFlow;

use super::ChainPattern;
use super::tuples::{Degree, PAIR, PAIRS, each_tuple, pair_mask};
use crate::rating::candidates::Candidates;
use crate::rating::houses::{COLUMNS, HOUSE_CELLS, ROWS, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Elimination, Step};
use crate::rating::technique::Technique;

/// The first house of the kind of the lines, and of the kind that crosses them, in the reference order.
const KINDS: [[usize; 2]; 2] = [[COLUMNS, ROWS], [ROWS, COLUMNS]];

/// N lines whose places of a digit all lie on N crossing lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) struct Fish {
    /// The digit.
    pub(in crate::sudoku::rating) digit: usize,
    /// The first house of the kind of the lines, and of the kind that crosses them.
    pub(in crate::sudoku::rating) kinds: [usize; 2],
    /// The lines, counted from 0.
    pub(in crate::sudoku::rating) lines: DigitSet,
    /// The lines that cross them at these places.
    pub(in crate::sudoku::rating) crossing: DigitSet,
}

impl Fish {
    fn removed_from(&self, grid: &Candidates) -> CellSet {
        let [lines, crossing] = self.cells();
        grid.cells(self.digit).and(crossing).without(lines)
    }

    /// The cells of the lines, and of the lines that cross them.
    fn cells(&self) -> [CellSet; 2] {
        let cells = |first: usize, lines: DigitSet| {
            lines.into_iter().fold(CellSet::EMPTY, |cells, line| cells.or(HOUSE_CELLS[first + line]))
        };
        [cells(self.kinds[0], self.lines), cells(self.kinds[1], self.crossing)]
    }
}

impl ChainPattern for Fish {
    fn technique(&self) -> Technique {
        let degree = Degree::of_count(self.lines.len());
        degree.choose([Technique::XWing, Technique::Swordfish, Technique::Jellyfish])
    }

    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        let digits = DigitSet::of(self.digit);
        self.removed_from(grid).into_iter().map(move |cell| Elimination { cell, digits })
    }

    fn parents(&self, before: &Candidates, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        let lost = before.cells(self.digit).without(grid.cells(self.digit)).without(self.cells()[1]);
        let (first, digits) = (self.kinds[0], DigitSet::of(self.digit));
        let cells = self.lines.into_iter().flat_map(move |line| lost.and(HOUSE_CELLS[first + line]));
        cells.map(move |cell| Elimination { cell, digits })
    }
}

/// The places of a digit in the nine lines of a kind.
fn lines_of(grid: &Candidates, first: usize, digit: usize) -> &[DigitSet; 9] {
    grid.places_by_house(digit)[first..].first_chunk().expect("lines are not the last lanes")
}

/// Visits each X-wing that eliminates a candidate, in the reference order, until `visit` breaks.
pub(in crate::sudoku::rating) fn each_x_wing(
    grid: &Candidates,
    mut visit: impl FnMut(Fish) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for kinds in KINDS {
        // The reference program loops over pairs of lines outside and over digits inside, so collect the digits of the
        // X-wings of each pair of lines.
        let mut found = [DigitSet::EMPTY; PAIRS];
        let mut pairs = 0u64;
        // With fewer than four missing, an X-wing leaves a hidden single, which comes before.
        for digit in (0..9).filter(|&digit| grid.missing(digit) >= 4) {
            let _ = each_tuple(lines_of(grid, kinds[0], digit), Degree::Pair, |lines, crossing| {
                if !(Fish { digit, kinds, lines, crossing }).removed_from(grid).is_empty() {
                    let mask = pair_mask(lines);
                    pairs |= mask;
                    found[mask.trailing_zeros() as usize].insert(digit);
                }
                ControlFlow::Continue(())
            });
        }

        while pairs != 0 {
            let rank = pairs.trailing_zeros() as usize;
            pairs &= pairs - 1;
            let lines: DigitSet = PAIR[rank].into_iter().map(usize::from).collect();
            for digit in found[rank] {
                let crossing = grid.places(kinds[0] + lines.first(), digit);
                visit(Fish { digit, kinds, lines, crossing })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Finds the first fish that eliminates a candidate: 3.2, 3.8 or 5.2.
pub(in crate::sudoku::rating) fn find(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    let mut found = None;
    match degree {
        Degree::Pair => {
            let _ = each_x_wing(grid, |fish| {
                found = Some(fish);
                ControlFlow::Break(())
            });
        }
        Degree::Triplet | Degree::Quad => found = KINDS.into_iter().find_map(|kinds| first(grid, degree, kinds)),
    }

    let Some(fish) = found else { return false };
    step.begin(fish.technique());
    step.eliminations.extend(fish.eliminations(grid));

    let [lines, crossing] = fish.cells();
    step.cells = grid.cells(fish.digit).and(lines).and(crossing);
    step.digits = DigitSet::of(fish.digit);
    for (line, crossing) in fish.lines.into_iter().zip(fish.crossing) {
        step.houses.extend([house(fish.kinds[0] + line), house(fish.kinds[1] + crossing)]);
    }
    true
}

/// The first fish of one kind of lines. The reference program takes the lowest lines, and among their fish the lowest
/// digit.
fn first(grid: &Candidates, degree: Degree, kinds: [usize; 2]) -> Option<Fish> {
    let mut first: Option<Fish> = None;
    // With fewer missing, the crossing lines have a smaller fish. It has the same eliminations, and comes before.
    for digit in (0..9).filter(|&digit| grid.missing(digit) >= 2 * degree.count()) {
        let _ = each_tuple(lines_of(grid, kinds[0], digit), degree, |lines, crossing| {
            if first.is_some_and(|first| first.lines.0 <= lines.0) {
                return ControlFlow::Break(());
            }
            let fish = Fish { digit, kinds, lines, crossing };
            if fish.removed_from(grid).is_empty() {
                return ControlFlow::Continue(());
            }
            first = Some(fish);
            ControlFlow::Break(())
        });
    }
    first
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{all, grids, keep_places};
    use super::*;
    use crate::rating::houses::CELLS;

    #[test]
    fn lines_with_as_many_places_take_them_from_the_lines_that_cross() {
        let mut step = Step::default();
        for (degree, places) in
            [(Degree::Pair, &[1, 6][..]), (Degree::Triplet, &[1, 4, 6]), (Degree::Quad, &[1, 4, 5, 6])]
        {
            for first in [COLUMNS, ROWS] {
                let mut grid = all();
                for line in 1..degree.count() {
                    keep_places(&mut grid, first + 2 * line, 5, places);
                }
                keep_places(&mut grid, first, 5, &[places, &[8]].concat());
                assert!(!find(&grid, degree, &mut step), "one of the lines has a place more");
                grid.remove(usize::from(CELLS[first][8]), 5);
                assert!(find(&grid, degree, &mut step));
                assert_eq!(step.difficulty.tenths(), degree.choose([32, 38, 52]));
                assert_eq!(step.eliminations.len(), degree.count() * (9 - degree.count()));
                step.apply(&mut grid);
                assert!(!find(&grid, degree, &mut step), "nothing is left to remove");
            }
        }
    }

    #[test]
    fn a_fish_needs_enough_missing_digits() {
        let mut grid = all();
        // Place six 6s, so that three rows are left.
        for (row, column) in [(0, 0), (1, 3), (2, 6), (3, 1), (4, 4), (5, 7)] {
            grid.place(row * 9 + column, 5);
        }
        for row in [6, 7] {
            keep_places(&mut grid, ROWS + row, 5, &[2, 5]);
        }
        assert!(!find(&grid, Degree::Pair, &mut Step::default()));
    }

    proptest! {
        #[test]
        fn each_x_wing_is_visited_in_order([before, grid] in grids()) {
            let mut expected = Vec::new();
            for kinds in KINDS {
                for lines in (0..512).map(DigitSet).filter(|lines| lines.len() == 2) {
                    for digit in 0..9 {
                        let missing = 9 - grid.values().iter().filter(|&&value| usize::from(value) == digit + 1).count();
                        let [a, b] = [lines.first(), lines.into_iter().last().unwrap()].map(|line| grid.places(kinds[0] + line, digit));
                        let others = DigitSet::ALL.without(lines).into_iter().any(|line| !grid.places(kinds[0] + line, digit).and(a).is_empty());
                        if missing >= 4 && a == b && a.len() == 2 && others {
                            expected.push(Fish { digit, kinds, lines, crossing: a });
                        }
                    }
                }
            }
            let mut found = Vec::new();
            let _ = each_x_wing(&grid, |fish| {
                found.push(fish);
                ControlFlow::Continue(())
            });
            prop_assert_eq!(&found, &expected);
            for fish in found {
                // Line by line, the places that were there before.
                let mut expected = Vec::new();
                for line in fish.lines {
                    for place in DigitSet::ALL.without(fish.crossing) {
                        let cell = usize::from(CELLS[fish.kinds[0] + line][place]);
                        if before.digits(cell).contains(fish.digit) {
                            expected.push(Elimination { cell, digits: DigitSet::of(fish.digit) });
                        }
                    }
                }
                prop_assert_eq!(fish.parents(&before, &grid).collect::<Vec<_>>(), expected);
            }
        }
    }
}

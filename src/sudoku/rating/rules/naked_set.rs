//! Finds naked sets: two (three, four) cells of a house have only two (three, four) candidates in all, so no other cell
//! of the house has these digits.
//!
//! ```text
//! Cells a and b of a house have the digits 2 and 7 only:
//!
//! | 2 7 | 1 2 4 | 1 5 7 | 2 7 |   becomes   | 2 7 | 1 4 | 1 5 | 2 7 |
//!    a                      b                  a                 b
//! ```

use std::ops::ControlFlow;

use super::ChainPattern;
use super::tuples::{Degree, PAIRS, each_tuple, pair_mask};
use crate::puzzle::members;
use crate::rating::candidates::Candidates;
use crate::rating::houses::{CELLS, HOUSE_BITS, HOUSES, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Elimination, Step};
use crate::rating::technique::Technique;

/// N cells of a house with only N candidates in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) struct NakedSet {
    /// The house.
    pub(in crate::sudoku::rating) house: usize,
    /// The places of the cells in the house.
    pub(in crate::sudoku::rating) places: DigitSet,
    /// Their digits.
    pub(in crate::sudoku::rating) digits: DigitSet,
}

impl ChainPattern for NakedSet {
    fn technique(&self) -> Technique {
        let degree = Degree::of_count(self.places.len());
        degree.choose([Technique::NakedPair, Technique::NakedTriplet, Technique::NakedQuad])
    }

    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        let had = self.digits.into_iter().fold(DigitSet::EMPTY, |had, digit| had.or(grid.places(self.house, digit)));
        cells(self.house, had.without(self.places))
            .map(move |cell| Elimination { cell, digits: grid.digits(cell).and(self.digits) })
    }

    fn parents(&self, before: &Candidates, _: &Candidates) -> impl Iterator<Item = Elimination> {
        cells(self.house, self.places).filter_map(move |cell| {
            let digits = before.digits(cell).without(self.digits);
            (!digits.is_empty()).then_some(Elimination { cell, digits })
        })
    }
}

/// The cells at some places of a house, in ascending order.
fn cells(house: usize, places: DigitSet) -> impl Iterator<Item = usize> {
    places.into_iter().map(move |place| usize::from(CELLS[house][place]))
}

/// Visits each naked set that eliminates a candidate, in the reference order, until `visit` breaks.
pub(in crate::sudoku::rating) fn each(
    grid: &Candidates,
    degree: Degree,
    mut visit: impl FnMut(NakedSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let houses = match degree {
        Degree::Pair => houses_with_pairs(grid),
        Degree::Triplet | Degree::Quad => (1 << HOUSES) - 1,
    };
    // With fewer blanks, a naked set leaves a hidden set of fewer cells. It has the same eliminations, and comes
    // before.
    for house in members(houses).filter(|&house| grid.blanks_of(house) >= 2 * degree.count()) {
        let sets = CELLS[house].map(|cell| grid.digits(usize::from(cell)));
        each_tuple(&sets, degree, |places, digits| {
            let set = NakedSet { house, places, digits };
            if set.eliminations(grid).next().is_some() { visit(set) } else { ControlFlow::Continue(()) }
        })?;
    }
    ControlFlow::Continue(())
}

/// The houses that have two cells with the same two digits, a bit each.
fn houses_with_pairs(grid: &Candidates) -> u32 {
    // The cells with at least one digit, two digits, and three.
    let [mut once, mut twice, mut thrice] = [CellSet::EMPTY; 3];
    for digit in 0..9 {
        let cells = grid.cells(digit);
        thrice = thrice.or(twice.and(cells));
        twice = twice.or(once.and(cells));
        once = once.or(cells);
    }

    // For each pair of digits, the houses of the cells with this pair so far.
    let mut seen = [0; PAIRS];
    let mut houses = 0;
    for cell in twice.without(thrice) {
        let seen = &mut seen[pair_mask(grid.digits(cell)).trailing_zeros() as usize];
        houses |= *seen & HOUSE_BITS[cell];
        *seen |= HOUSE_BITS[cell];
    }
    houses
}

/// Finds the first naked set that eliminates a candidate: 3.0, 3.6 or 5.0.
pub(in crate::sudoku::rating) fn find(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    each(grid, degree, |set| {
        step.begin(set.technique());
        step.eliminations.extend(set.eliminations(grid));
        step.cells = cells(set.house, set.places).collect::<CellSet>();
        step.digits = set.digits;
        step.houses.push(house(set.house));
        ControlFlow::Break(())
    })
    .is_break()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{all, grids, keep_digits};
    use super::*;

    #[test]
    fn cells_with_as_many_digits_keep_them_for_themselves() {
        let mut step = Step::default();
        for (degree, digits) in
            [(Degree::Pair, &[1, 6][..]), (Degree::Triplet, &[1, 4, 6]), (Degree::Quad, &[1, 4, 5, 6])]
        {
            let mut grid = all();
            for cell in 1..degree.count() {
                keep_digits(&mut grid, cell * 2, digits);
            }
            keep_digits(&mut grid, 0, &[digits, &[8]].concat());
            assert!(!find(&grid, degree, &mut step), "one of the cells has a digit more");
            grid.remove(0, 8);
            assert!(find(&grid, degree, &mut step));
            assert_eq!(step.difficulty.tenths(), degree.choose([30, 36, 50]));
            assert_eq!(step.digits, digits.iter().copied().collect());
            assert_eq!(step.eliminations.len(), 9 - degree.count());
            assert!(step.eliminations.iter().all(|elimination| elimination.digits == step.digits));
        }
    }

    #[test]
    fn three_cells_with_the_same_two_digits_are_no_triplet() {
        let mut grid = all();
        for cell in 0..3 {
            keep_digits(&mut grid, cell, &[3, 4]);
        }
        assert!(!find(&grid, Degree::Triplet, &mut Step::default()));
    }

    proptest! {
        #[test]
        fn each_pair_is_visited_in_order([before, grid] in grids()) {
            let mut expected = Vec::new();
            for house in (0..HOUSES).filter(|&house| grid.blanks_of(house) >= 4) {
                for places in (0..512).map(DigitSet).filter(|places| places.len() == 2) {
                    let [a, b] = [places.first(), places.into_iter().last().unwrap()].map(|place| grid.digits(usize::from(CELLS[house][place])));
                    let others = cells(house, DigitSet::ALL.without(places));
                    if a == b && a.len() == 2 && others.into_iter().any(|cell| !grid.digits(cell).and(a).is_empty()) {
                        expected.push(NakedSet { house, places, digits: a });
                    }
                }
            }
            let mut found = Vec::new();
            let _ = each(&grid, Degree::Pair, |set| {
                found.push(set);
                ControlFlow::Continue(())
            });
            prop_assert_eq!(&found, &expected);
            for set in found {
                // The other digits, before, of the two cells.
                let expected: Vec<Elimination> = cells(set.house, set.places)
                    .map(|cell| Elimination { cell, digits: before.digits(cell).without(grid.digits(cell)) })
                    .filter(|lost| !lost.digits.is_empty()).collect();
                prop_assert_eq!(set.parents(&before, &grid).collect::<Vec<_>>(), expected);
                prop_assert_eq!(set.parents(&grid, &grid).count(), 0);
            }
        }
    }
}

//! Finds hidden sets: two (three, four) digits of a house share their only two (three, four) places, so the cells there
//! have no other digit.
//!
//! ```text
//! 2 and 7 of a house have the places a and b only:
//!
//! | 1 2 4 7 | 1 4 | 1 5 | 2 5 7 |   becomes   | 2 7 | 1 4 | 1 5 | 2 7 |
//!      a                    b                    a                 b
//! ```
//!
//! It is a direct hidden set if a digit that loses places has a single place left in the house.

use std::ops::ControlFlow;

use super::ChainPattern;
use super::tuples::{Degree, count, each_tuple, pair_or};
use crate::puzzle::members;
use crate::rating::candidates::{Candidates, LANES};
use crate::rating::houses::{CELLS, HOUSES, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Elimination, Placement, Step};
use crate::rating::technique::Technique;

/// N digits of a house that share their only N places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) struct HiddenSet {
    /// The house.
    pub(in crate::sudoku::rating) house: usize,
    /// The digits.
    pub(in crate::sudoku::rating) digits: DigitSet,
    /// Their places in the house.
    pub(in crate::sudoku::rating) places: DigitSet,
}

impl ChainPattern for HiddenSet {
    fn technique(&self) -> Technique {
        let degree = Degree::of_count(self.places.len());
        degree.choose([Technique::HiddenPair, Technique::HiddenTriplet, Technique::HiddenQuad])
    }

    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        cells(self.house, self.places).filter_map(move |cell| {
            let digits = grid.digits(cell).without(self.digits);
            (!digits.is_empty()).then_some(Elimination { cell, digits })
        })
    }

    fn parents(&self, before: &Candidates, _: &Candidates) -> impl Iterator<Item = Elimination> {
        let had = self.digits.into_iter().fold(DigitSet::EMPTY, |had, digit| had.or(before.places(self.house, digit)));
        cells(self.house, had.without(self.places))
            .map(move |cell| Elimination { cell, digits: before.digits(cell).and(self.digits) })
    }
}

/// The cells at some places of a house, in ascending order.
fn cells(house: usize, places: DigitSet) -> impl Iterator<Item = usize> {
    places.into_iter().map(move |place| usize::from(CELLS[house][place]))
}

/// The houses that have two digits with the same two places, a bit each. Vector instructions examine all houses at
/// once.
fn houses_with_pairs(grid: &Candidates) -> u32 {
    let mut pairs = [[0; LANES]; 9];
    for (digit, pairs) in pairs.iter_mut().enumerate() {
        for (pair, &places) in pairs.iter_mut().zip(grid.places_by_house(digit)) {
            // A digit without a pair gets a number that differs from all other numbers.
            *pair = pair_or(places, 1 << 15 | digit as u16);
        }
    }

    let mut equal = [0; LANES];
    for high in 1..9 {
        for low in 0..high {
            for (house, equal) in equal.iter_mut().enumerate() {
                *equal |= u16::from(pairs[high][house] == pairs[low][house]);
            }
        }
    }
    equal.iter().enumerate().fold(0, |houses, (house, &equal)| houses | u32::from(equal) << house)
}

/// The houses with enough blanks for a tuple, in the reference order.
fn houses(grid: &Candidates, degree: Degree, least_blanks: usize) -> impl Iterator<Item = usize> {
    let all = match degree {
        Degree::Pair => houses_with_pairs(grid),
        Degree::Triplet | Degree::Quad => (1 << HOUSES) - 1,
    };
    members(all).filter(move |&house| grid.blanks_of(house) >= least_blanks)
}

/// Visits each hidden set that eliminates a candidate, in the reference order, until `visit` breaks.
pub(in crate::sudoku::rating) fn each(
    grid: &Candidates,
    degree: Degree,
    mut visit: impl FnMut(HiddenSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // With fewer blanks, a hidden set leaves a naked set of at most as many cells. It has the same eliminations, and
    // comes before.
    for house in houses(grid, degree, 2 * degree.count() + 1) {
        each_tuple(&grid.places_of(house), degree, |digits, places| {
            let set = HiddenSet { house, digits, places };
            if set.eliminations(grid).next().is_some() { visit(set) } else { ControlFlow::Continue(()) }
        })?;
    }
    ControlFlow::Continue(())
}

/// Finds the first hidden set that eliminates a candidate: 3.4, 4.0 or 5.4.
pub(in crate::sudoku::rating) fn find(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    each(grid, degree, |set| {
        step.begin(set.technique());
        step.eliminations.extend(set.eliminations(grid));
        write(&set, step);
        ControlFlow::Break(())
    })
    .is_break()
}

/// Finds the first hidden set that leaves a single place to another digit of the house: 2.0 or 2.5.
pub(in crate::sudoku::rating) fn find_direct(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    houses(grid, degree, degree.count() + 1).any(|index| {
        let technique =
            degree.choose([Technique::DirectHiddenPair, Technique::DirectHiddenTriplet, Technique::HiddenQuad]);
        each_tuple(&grid.places_of(index), degree, |digits, places| {
            let single = DigitSet::ALL.without(digits).into_iter().find(|&digit| {
                // A digit with one place before is a hidden single, which is easier.
                let before = grid.places(index, digit);
                count(before) > 1 && count(before.without(places)) == 1
            });
            let Some(digit) = single else { return ControlFlow::Continue(()) };

            step.begin(technique);
            let place = grid.places(index, digit).without(places).first();
            step.placement = Some(Placement { cell: usize::from(CELLS[index][place]), digit });
            write(&HiddenSet { house: index, digits, places }, step);
            ControlFlow::Break(())
        })
        .is_break()
    })
}

/// Writes the pattern.
fn write(set: &HiddenSet, step: &mut Step) {
    step.cells = cells(set.house, set.places).collect::<CellSet>();
    step.digits = set.digits;
    step.houses.push(house(set.house));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{all, grids, keep_places, read};
    use super::*;
    use crate::rating::houses::ROWS;

    #[test]
    fn digits_with_as_many_places_keep_their_cells_for_themselves() {
        let mut step = Step::default();
        for (degree, places) in
            [(Degree::Pair, &[1, 6][..]), (Degree::Triplet, &[1, 4, 6]), (Degree::Quad, &[1, 4, 5, 6])]
        {
            let mut grid = all();
            for digit in 1..degree.count() {
                keep_places(&mut grid, ROWS, digit, places);
            }
            keep_places(&mut grid, ROWS, 0, &[places, &[8]].concat());
            assert!(!find(&grid, degree, &mut step), "one of the digits has a place more");
            grid.remove(8, 0);
            assert!(find(&grid, degree, &mut step));
            assert_eq!(step.difficulty.tenths(), degree.choose([34, 40, 54]));
            let cells: Vec<usize> = step.eliminations.iter().map(|elimination| elimination.cell).collect();
            assert_eq!(cells, places);
            assert!(
                step.eliminations.iter().all(|elimination| elimination.digits == DigitSet::ALL.without(step.digits))
            );
            step.apply(&mut grid);
            assert!(!find(&grid, degree, &mut step), "nothing is left to remove");
        }
    }

    #[test]
    fn a_direct_one_leaves_a_hidden_single() {
        let mut step = Step::default();
        let pair = read(".....74........7..47..1...5....915.4.487.629.3....46....3.7.84..2416..577....51.2");
        assert!(find_direct(&pair, Degree::Pair, &mut step));
        assert_eq!((step.technique, step.difficulty.tenths()), (Technique::DirectHiddenPair, 20));
        assert_eq!(step.placement, Some(Placement { cell: 29, digit: 6 }));
        let triplet = read("..9...751..7.4.836..85..9428.54.....273..6..49.4.....8.92.3......1...28.786.254.3");
        assert!(!find_direct(&triplet, Degree::Pair, &mut step));
        assert!(find_direct(&triplet, Degree::Triplet, &mut step));
        assert_eq!((step.technique, step.difficulty.tenths()), (Technique::DirectHiddenTriplet, 25));
        assert_eq!(step.placement, Some(Placement { cell: 19, digit: 2 }));
    }

    proptest! {
        #[test]
        fn each_pair_is_visited_in_order([before, grid] in grids()) {
            let pairs = |grid: &Candidates| {
                let mut found = Vec::new();
                for house in (0..HOUSES).filter(|&house| grid.blanks_of(house) > 4) {
                    for digits in (0..512).map(DigitSet).filter(|digits| digits.len() == 2) {
                        let [a, b] = [grid.places(house, digits.first()), grid.places(house, digits.into_iter().last().unwrap())];
                        let other = cells(house, a).any(|cell| !grid.digits(cell).without(digits).is_empty());
                        if a == b && a.len() == 2 && other {
                            found.push(HiddenSet { house, digits, places: a });
                        }
                    }
                }
                found
            };
            let mut found = Vec::new();
            let _ = each(&grid, Degree::Pair, |set| {
                found.push(set);
                ControlFlow::Continue(())
            });
            prop_assert_eq!(&found, &pairs(&grid));
            for set in found {
                // The digits, before, at the other places of the house, place by place.
                let expected: Vec<Elimination> = CELLS[set.house].iter().enumerate()
                    .filter(|&(place, _)| !set.places.contains(place))
                    .map(|(_, &cell)| Elimination { cell: usize::from(cell), digits: before.digits(usize::from(cell)).and(set.digits) })
                    .filter(|lost| !lost.digits.is_empty()).collect();
                prop_assert_eq!(set.parents(&before, &grid).collect::<Vec<_>>(), expected);
                prop_assert_eq!(set.parents(&grid, &grid).count(), 0);
            }
        }
    }
}

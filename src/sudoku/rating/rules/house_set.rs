//! Finds naked and hidden sets of a house.
//!
//! In a naked set, two (three, four) cells of a house have only two (three, four) candidates in all, so no other cell of
//! the house has these digits:
//!
//! ```text
//! Cells a and b of a house have the digits 2 and 7 only:
//!
//! | 2 7 | 1 2 4 | 1 5 7 | 2 7 |   becomes   | 2 7 | 1 4 | 1 5 | 2 7 |
//!    a                      b                  a                 b
//! ```
//!
//! In a hidden set, two (three, four) digits of a house share their only two (three, four) places, so the cells there
//! have no other digit:
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
use super::tuples::{Degree, PAIRS, count, each_tuple, pair_mask, pair_or};
use crate::puzzle::members;
use crate::rating::candidates::{Candidates, LANES};
use crate::rating::houses::{CELLS, HOUSE_BITS, HOUSES, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Elimination, Placement, Step};
use crate::rating::technique::Technique;

/// N places of a house and N digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HouseSet {
    house: usize,
    places: DigitSet,
    digits: DigitSet,
}

impl HouseSet {
    /// The technique of this number of places.
    fn technique(&self, techniques: [Technique; 3]) -> Technique {
        Degree::of_count(self.places.len()).choose(techniques)
    }

    /// The other candidates of the cells at the places.
    fn other_digits(self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        cells(self.house, self.places).filter_map(move |cell| {
            let digits = grid.digits(cell).without(self.digits);
            (!digits.is_empty()).then_some(Elimination { cell, digits })
        })
    }

    /// The candidates of the digits at other places of the house.
    fn other_places(self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        let had = self.digits.into_iter().fold(DigitSet::EMPTY, |had, digit| had.or(grid.places(self.house, digit)));
        cells(self.house, had.without(self.places))
            .map(move |cell| Elimination { cell, digits: grid.digits(cell).and(self.digits) })
    }

    /// Writes the pattern.
    fn write(self, step: &mut Step) {
        step.cells = cells(self.house, self.places).collect::<CellSet>();
        step.digits = self.digits;
        step.houses.push(house(self.house));
    }
}

/// The cells at some places of a house, in ascending order.
fn cells(house: usize, places: DigitSet) -> impl Iterator<Item = usize> {
    places.into_iter().map(move |place| usize::from(CELLS[house][place]))
}

/// N cells of a house with only N candidates in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) struct NakedSet(HouseSet);

impl ChainPattern for NakedSet {
    fn technique(&self) -> Technique {
        self.0.technique([Technique::NakedPair, Technique::NakedTriplet, Technique::NakedQuad])
    }

    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        self.0.other_places(grid)
    }

    fn parents(&self, before: &Candidates, _: &Candidates) -> impl Iterator<Item = Elimination> {
        self.0.other_digits(before)
    }
}

/// N digits of a house that share their only N places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) struct HiddenSet(HouseSet);

impl ChainPattern for HiddenSet {
    fn technique(&self) -> Technique {
        self.0.technique([Technique::HiddenPair, Technique::HiddenTriplet, Technique::HiddenQuad])
    }

    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        self.0.other_digits(grid)
    }

    fn parents(&self, before: &Candidates, _: &Candidates) -> impl Iterator<Item = Elimination> {
        self.0.other_places(before)
    }
}

/// Visits each naked set that eliminates a candidate, in the reference order, until `visit` breaks.
pub(in crate::sudoku::rating) fn each_naked(
    grid: &Candidates,
    degree: Degree,
    mut visit: impl FnMut(NakedSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // With fewer blanks, a naked set leaves a hidden set of fewer cells. It has the same eliminations, and is
    // found before.
    for house in with_blanks(grid, degree, houses_with_naked_pairs, 2 * degree.count()) {
        let sets = CELLS[house].map(|cell| grid.digits(usize::from(cell)));
        each_tuple(&sets, degree, |places, digits| {
            let set = NakedSet(HouseSet { house, places, digits });
            if set.eliminations(grid).next().is_some() { visit(set) } else { ControlFlow::Continue(()) }
        })?;
    }
    ControlFlow::Continue(())
}

/// Visits each hidden set that eliminates a candidate, in the reference order, until `visit` breaks.
pub(in crate::sudoku::rating) fn each_hidden(
    grid: &Candidates,
    degree: Degree,
    mut visit: impl FnMut(HiddenSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // With fewer blanks, a hidden set leaves a naked set of at most as many cells. It has the same eliminations, and
    // is found before.
    for house in with_blanks(grid, degree, houses_with_hidden_pairs, 2 * degree.count() + 1) {
        each_tuple(&grid.places_of(house), degree, |digits, places| {
            let set = HiddenSet(HouseSet { house, places, digits });
            if set.eliminations(grid).next().is_some() { visit(set) } else { ControlFlow::Continue(()) }
        })?;
    }
    ControlFlow::Continue(())
}

/// The houses with enough blanks for a tuple, in the reference order. `pairs` finds the houses with pairs.
fn with_blanks(
    grid: &Candidates,
    degree: Degree,
    pairs: fn(&Candidates) -> u32,
    least_blanks: usize,
) -> impl Iterator<Item = usize> {
    let all = match degree {
        Degree::Pair => pairs(grid),
        Degree::Triplet | Degree::Quad => (1 << HOUSES) - 1,
    };
    members(all).filter(move |&house| grid.blanks_of(house) >= least_blanks)
}

/// The houses that have two cells with the same two digits, a bit each.
fn houses_with_naked_pairs(grid: &Candidates) -> u32 {
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

/// The houses that have two digits with the same two places, a bit each. Vector instructions examine all houses at
/// once.
fn houses_with_hidden_pairs(grid: &Candidates) -> u32 {
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

/// Finds the first naked set that eliminates a candidate: 3.0, 3.6 or 5.0.
pub(in crate::sudoku::rating) fn find_naked(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    each_naked(grid, degree, |set| take(&set, set.0, grid, step)).is_break()
}

/// Finds the first hidden set that eliminates a candidate: 3.4, 4.0 or 5.4.
pub(in crate::sudoku::rating) fn find_hidden(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    each_hidden(grid, degree, |set| take(&set, set.0, grid, step)).is_break()
}

/// Makes a pattern the step.
fn take(pattern: &impl ChainPattern, set: HouseSet, grid: &Candidates, step: &mut Step) -> ControlFlow<()> {
    step.begin(pattern.technique());
    step.eliminations.extend(pattern.eliminations(grid));
    set.write(step);
    ControlFlow::Break(())
}

/// Finds the first hidden set that leaves a single place to another digit of the house: 2.0 or 2.5.
pub(in crate::sudoku::rating) fn find_direct(grid: &Candidates, degree: Degree, step: &mut Step) -> bool {
    with_blanks(grid, degree, houses_with_hidden_pairs, degree.count() + 1).any(|house| {
        let technique =
            degree.choose([Technique::DirectHiddenPair, Technique::DirectHiddenTriplet, Technique::HiddenQuad]);
        each_tuple(&grid.places_of(house), degree, |digits, places| {
            let single = DigitSet::ALL.without(digits).into_iter().find(|&digit| {
                // A digit with one place before is a hidden single, which is easier.
                let before = grid.places(house, digit);
                count(before) > 1 && count(before.without(places)) == 1
            });
            let Some(digit) = single else { return ControlFlow::Continue(()) };

            step.begin(technique);
            let place = grid.places(house, digit).without(places).first();
            step.placement = Some(Placement { cell: usize::from(CELLS[house][place]), digit });
            HouseSet { house, places, digits }.write(step);
            ControlFlow::Break(())
        })
        .is_break()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{all, grids, keep_digits, keep_places, read};
    use super::*;
    use crate::rating::houses::ROWS;

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
            assert!(!find_naked(&grid, degree, &mut step), "one of the cells has a digit more");
            grid.remove(0, 8);
            assert!(find_naked(&grid, degree, &mut step));
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
        assert!(!find_naked(&grid, Degree::Triplet, &mut Step::default()));
    }

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
            assert!(!find_hidden(&grid, degree, &mut step), "one of the digits has a place more");
            grid.remove(8, 0);
            assert!(find_hidden(&grid, degree, &mut step));
            assert_eq!(step.difficulty.tenths(), degree.choose([34, 40, 54]));
            let cells: Vec<usize> = step.eliminations.iter().map(|elimination| elimination.cell).collect();
            assert_eq!(cells, places);
            assert!(
                step.eliminations.iter().all(|elimination| elimination.digits == DigitSet::ALL.without(step.digits))
            );
            step.apply(&mut grid);
            assert!(!find_hidden(&grid, degree, &mut step), "nothing is left to remove");
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
        fn each_naked_pair_is_visited_in_order([before, grid] in grids()) {
            let mut expected = Vec::new();
            for house in (0..HOUSES).filter(|&house| grid.blanks_of(house) >= 4) {
                for places in (0..512).map(DigitSet).filter(|places| places.len() == 2) {
                    let [a, b] = [places.first(), places.into_iter().last().unwrap()].map(|place| grid.digits(usize::from(CELLS[house][place])));
                    let others = cells(house, DigitSet::ALL.without(places));
                    if a == b && a.len() == 2 && others.into_iter().any(|cell| !grid.digits(cell).and(a).is_empty()) {
                        expected.push(NakedSet(HouseSet { house, places, digits: a }));
                    }
                }
            }
            let mut found = Vec::new();
            let _ = each_naked(&grid, Degree::Pair, |set| {
                found.push(set);
                ControlFlow::Continue(())
            });
            prop_assert_eq!(&found, &expected);
            for set in found {
                // The other digits, before, of the two cells.
                let expected: Vec<Elimination> = cells(set.0.house, set.0.places)
                    .map(|cell| Elimination { cell, digits: before.digits(cell).without(grid.digits(cell)) })
                    .filter(|lost| !lost.digits.is_empty()).collect();
                prop_assert_eq!(set.parents(&before, &grid).collect::<Vec<_>>(), expected);
                prop_assert_eq!(set.parents(&grid, &grid).count(), 0);
            }
        }

        #[test]
        fn each_hidden_pair_is_visited_in_order([before, grid] in grids()) {
            let pairs = |grid: &Candidates| {
                let mut found = Vec::new();
                for house in (0..HOUSES).filter(|&house| grid.blanks_of(house) > 4) {
                    for digits in (0..512).map(DigitSet).filter(|digits| digits.len() == 2) {
                        let [a, b] = [grid.places(house, digits.first()), grid.places(house, digits.into_iter().last().unwrap())];
                        let other = cells(house, a).any(|cell| !grid.digits(cell).without(digits).is_empty());
                        if a == b && a.len() == 2 && other {
                            found.push(HiddenSet(HouseSet { house, places: a, digits }));
                        }
                    }
                }
                found
            };
            let mut found = Vec::new();
            let _ = each_hidden(&grid, Degree::Pair, |set| {
                found.push(set);
                ControlFlow::Continue(())
            });
            prop_assert_eq!(&found, &pairs(&grid));
            for set in found {
                // The digits, before, at the other places of the house, place by place.
                let expected: Vec<Elimination> = CELLS[set.0.house].iter().enumerate()
                    .filter(|&(place, _)| !set.0.places.contains(place))
                    .map(|(_, &cell)| Elimination { cell: usize::from(cell), digits: before.digits(usize::from(cell)).and(set.0.digits) })
                    .filter(|lost| !lost.digits.is_empty()).collect();
                prop_assert_eq!(set.parents(&before, &grid).collect::<Vec<_>>(), expected);
                prop_assert_eq!(set.parents(&grid, &grid).count(), 0);
            }
        }
    }
}

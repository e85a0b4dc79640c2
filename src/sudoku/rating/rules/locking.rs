//! Finds locked digits: all places of a digit in a house also lie in another house, so the rest of the other house
//! cannot have the digit. The literature calls this pointing (from a box to a line) and claiming (from a line to a
//! box).
//!
//! ```text
//! . 5 5  | - - -  | - - -      The 5 of box 1 is in row 1, so the rest of row 1 has no 5: pointing.
//! 1 2 3  | . . .  | . . .
//! 4 6 .  | . . .  | . . .
//! ```
//!
//! A digit's candidates in a band of three rows are condensed to nine bits: for each row and each box, whether one of
//! the three common cells is a candidate. Tables with 512 entries tell which of these nine are locked. In a grid
//! without locked digits, the search reads 162 lines and 54 bands.

use std::ops::ControlFlow;

use super::ChainPattern;
use super::tuples::count;
use crate::puzzle::members;
use crate::rating::candidates::Candidates;
use crate::rating::houses::{COLUMNS, HOUSE_CELLS, ROWS, house};
use crate::rating::sets::{CellSet, DigitSet};
use crate::rating::step::{Elimination, Placement, Step};
use crate::rating::technique::Technique;

/// A digit whose places in one house all lie in another house, where it has further places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) struct Locked {
    /// The digit.
    pub(in crate::sudoku::rating) digit: usize,
    /// The house whose places of the digit all lie in the other.
    pub(in crate::sudoku::rating) base: usize,
    /// The house that loses candidates.
    pub(in crate::sudoku::rating) cover: usize,
}

impl Locked {
    fn removed_from(&self, grid: &Candidates) -> CellSet {
        grid.cells(self.digit).and(HOUSE_CELLS[self.cover]).without(HOUSE_CELLS[self.base])
    }
}

impl ChainPattern for Locked {
    fn technique(&self) -> Technique {
        if self.base < COLUMNS { Technique::Pointing } else { Technique::Claiming }
    }

    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        let digits = DigitSet::of(self.digit);
        self.removed_from(grid).into_iter().map(move |cell| Elimination { cell, digits })
    }

    fn parents(&self, before: &Candidates, grid: &Candidates) -> impl Iterator<Item = Elimination> {
        let lost = before.cells(self.digit).without(grid.cells(self.digit));
        let outside = lost.and(HOUSE_CELLS[self.base]).without(HOUSE_CELLS[self.cover]);
        let digits = DigitSet::of(self.digit);
        outside.into_iter().map(move |cell| Elimination { cell, digits })
    }
}

/// Finds the first locked digit.
pub(in crate::sudoku::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    each(grid, |locked| {
        step.begin(locked.technique());
        write(grid, &locked, step);
        step.eliminate(locked.removed_from(grid), locked.digit);
        ControlFlow::Break(())
    })
    .is_break()
}

/// Finds the first locked digit that leaves a single place in a house of the same kind.
pub(in crate::sudoku::rating) fn find_direct(grid: &Candidates, step: &mut Step) -> bool {
    each(grid, |locked| {
        let Some(cell) = following_single(grid, &locked) else { return ControlFlow::Continue(()) };
        let is_pointing = locked.base < COLUMNS;
        step.begin(if is_pointing { Technique::DirectPointing } else { Technique::DirectClaiming });
        write(grid, &locked, step);
        step.placement = Some(Placement { cell, digit: locked.digit });
        ControlFlow::Break(())
    })
    .is_break()
}

/// Writes the common part of both kinds of steps.
fn write(grid: &Candidates, locked: &Locked, step: &mut Step) {
    step.cells = grid.cells(locked.digit).and(HOUSE_CELLS[locked.base]);
    step.digits = DigitSet::of(locked.digit);
    step.houses.extend([house(locked.base), house(locked.cover)]);
}

/// The only place that is left to the digit, after the eliminations, in a house that had several.
fn following_single(grid: &Candidates, locked: &Locked) -> Option<usize> {
    let first = locked.base / 9 * 9;
    let places = grid.cells(locked.digit);
    (first..first + 9).filter(|&other| other != locked.base).find_map(|other| {
        let here = places.and(HOUSE_CELLS[other]);
        let left = here.without(HOUSE_CELLS[locked.cover]);
        // If the house had a single place before, it has a hidden single, which is easier.
        (left != here && left.len() == 1).then(|| left.first())
    })
}

/// The four passes of the search, in the reference order. Each has 27 pairs of houses, a base and a cover.
const PASSES: [[(u8, u8); 27]; 4] = {
    let mut passes = [[(0, 0); 27]; 4];
    let mut index = 0;
    while index < 27 {
        let (base, part) = (index / 3, index % 3);
        passes[0][index] = (base as u8, (COLUMNS + base % 3 * 3 + part) as u8);
        passes[1][index] = (base as u8, (ROWS + base / 3 * 3 + part) as u8);
        passes[2][index] = ((COLUMNS + base) as u8, (part * 3 + base / 3) as u8);
        passes[3][index] = ((ROWS + base) as u8, (base / 3 * 3 + part) as u8);
        index += 1;
    }
    passes
};

/// For each set of places in a line, the boxes with at least one of them.
const BOXES: [u8; 512] = {
    let mut boxes = [0; 512];
    let mut places = 0;
    while places < 512 {
        boxes[places] = (places & 7 != 0) as u8 | ((places >> 3 & 7 != 0) as u8) << 1 | ((places >> 6 != 0) as u8) << 2;
        places += 1;
    }
    boxes
};

/// The index is a band, whose bit `3 * line + box` tells whether the line has a place in the box. The lower nine bits
/// of an entry are the pairs of a line and a box where the box is locked to the line; the next nine are the pairs where
/// the line is locked to the box. A pair counts only if the other house has more places.
const LOCKED: [u32; 512] = {
    let mut table = [0; 512];
    let mut band = 0;
    while band < 512 {
        let mut bit = 0;
        while bit < 9 {
            let line = 0b111 << (bit / 3 * 3) & band & !(1 << bit);
            let square = 0b001_001_001 << (bit % 3) & band & !(1 << bit);
            if band >> bit & 1 == 1 && square == 0 && line != 0 {
                table[band] |= 1 << bit;
            }
            if band >> bit & 1 == 1 && line == 0 && square != 0 {
                table[band] |= 1 << (9 + bit);
            }
            bit += 1;
        }
        band += 1;
    }
    table
};

/// Visits each digit that is locked and can be removed from a cell, in the reference order, until `visit` breaks.
pub(in crate::sudoku::rating) fn each(
    grid: &Candidates,
    mut visit: impl FnMut(Locked) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // For each pass and each pair of houses, the locked digits; and the pairs with locked digits.
    // Houses are examined digit by digit, but the reference order has the digits inside: collect first, then visit.
    let mut found = [[DigitSet::EMPTY; 27]; 4];
    let mut pairs = [0u32; 4];

    for digit in 0..9 {
        for is_row in [false, true] {
            let first = if is_row { ROWS } else { COLUMNS };
            for band in 0..3 {
                // The mask shows the compiler that each index is within the table.
                let boxes = |line: usize| {
                    usize::from(BOXES[usize::from(grid.places(first + band * 3 + line, digit).0 & 0x1ff)])
                };
                let locked = LOCKED[boxes(0) | boxes(1) << 3 | boxes(2) << 6];

                for bit in members(locked) {
                    let (line, part) = (bit % 9 / 3, bit % 3);
                    let square = if is_row { band * 3 + part } else { part * 3 + band };
                    let (pass, index) = match bit {
                        0..9 => (usize::from(is_row), square * 3 + line),
                        _ => (2 + usize::from(is_row), (band * 3 + line) * 3 + part),
                    };
                    found[pass][index].insert(digit);
                    pairs[pass] |= 1 << index;
                }
            }
        }
    }

    for pass in 0..4 {
        for index in members(pairs[pass]) {
            let (base, cover) = PASSES[pass][index];
            let (base, cover) = (usize::from(base), usize::from(cover));
            for digit in found[pass][index] {
                // A single place would be a hidden single of the base.
                if count(grid.places(base, digit)) > 1 {
                    visit(Locked { digit, base, cover })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{all, grids, keep_places, read};
    use super::*;
    use crate::rating::houses::CELLS;

    #[test]
    fn a_digit_of_a_box_that_is_in_one_row_leaves_the_rest_of_the_row() {
        let mut step = Step::default();
        let mut grid = all();
        keep_places(&mut grid, 0, 4, &[1, 2, 3]);
        assert!(!find(&grid, &mut step));
        grid.remove(9, 4);
        assert!(find(&grid, &mut step));
        assert_eq!((step.technique, step.difficulty.tenths()), (Technique::Pointing, 26));
        let cells: Vec<usize> = step.eliminations.iter().map(|elimination| elimination.cell).collect();
        assert_eq!(cells, [3, 4, 5, 6, 7, 8]);
        assert!(!find_direct(&grid, &mut step), "no other box has a single place left");
        step.apply(&mut grid);
        assert!(!find(&grid, &mut step), "there is nothing left to remove from row 1");
    }

    #[test]
    fn a_digit_of_a_column_that_is_in_one_box_leaves_the_rest_of_the_box() {
        let mut step = Step::default();
        let mut grid = all();
        keep_places(&mut grid, COLUMNS + 4, 8, &[3, 4, 5]);
        assert!(find(&grid, &mut step));
        assert_eq!((step.technique, step.difficulty.tenths()), (Technique::Claiming, 28));
        let cells: Vec<usize> = step.eliminations.iter().map(|elimination| elimination.cell).collect();
        assert_eq!(cells, [30, 32, 39, 41, 48, 50]);
    }

    #[test]
    fn a_direct_one_leaves_a_hidden_single() {
        let mut step = Step::default();
        let grid = read(".1.......642.15..39536..1..2745913863864.....591..6472.35248..7.6..5.2...29.6...5");
        assert!(find_direct(&grid, &mut step));
        assert_eq!(step.technique, Technique::DirectPointing);
        assert_eq!(step.placement, Some(Placement { cell: 15, digit: 6 }));
        let indirect = read(".81.23.7...2.873517.3.1928.174952.3.369.7.5428253461972.7.34.6...876.42343629.71.");
        assert!(!find_direct(&indirect, &mut step));
        assert!(find(&indirect, &mut step));
        assert_eq!(step.eliminations, [Elimination { cell: 57, digits: DigitSet::of(4) }]);
    }

    /// Visits each pair of houses that cross, and each digit, cell by cell.
    fn each_slowly(grid: &Candidates) -> Vec<Locked> {
        let mut found = Vec::new();
        for (bases, covers) in [(0..9, 9..18), (0..9, 18..27), (9..18, 0..9), (18..27, 0..9)] {
            for base in bases {
                for cover in covers.clone().filter(|&cover| !HOUSE_CELLS[base].and(HOUSE_CELLS[cover]).is_empty()) {
                    for digit in 0..9 {
                        let places = |house: usize| {
                            let cells = CELLS[house].map(usize::from).into_iter();
                            cells.filter(|&cell| grid.digits(cell).contains(digit)).collect::<CellSet>()
                        };
                        let (base_places, cover_places) = (places(base), places(cover));
                        if base_places.len() > 1
                            && base_places.without(cover_places).is_empty()
                            && base_places != cover_places
                        {
                            found.push(Locked { digit, base, cover });
                        }
                    }
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn each_locked_digit_is_visited_in_order([before, grid] in grids()) {
            let mut found = Vec::new();
            let _ = each(&grid, |locked| {
                found.push(locked);
                ControlFlow::Continue(())
            });
            prop_assert_eq!(&found, &each_slowly(&grid));
            let old = each_slowly(&before);
            for locked in found {
                let lost: Vec<Elimination> = locked.parents(&before, &grid).collect();
                // A pattern that was there before has no parents.
                prop_assert!(!old.contains(&locked) || lost.is_empty());
                for Elimination { cell, digits } in lost {
                    prop_assert!(before.digits(cell).contains(locked.digit) && digits == DigitSet::of(locked.digit));
                    prop_assert!(!grid.digits(cell).contains(locked.digit));
                    prop_assert!(HOUSE_CELLS[locked.base].without(HOUSE_CELLS[locked.cover]).contains(cell));
                }
            }
        }
    }
}

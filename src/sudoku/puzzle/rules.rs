//! The rules of Sudoku: finds conflicts among clues and checks solutions. Tests check engines against it.

use std::ops::{AddAssign, BitAnd, BitOr};

use super::{Geometry, House, Size, with_constant};

/// Two equal clues in one house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The digit, 1 to the side.
    pub digit: u8,
    /// The house that has it twice.
    pub house: House,
    /// The two cells, the smaller first.
    pub cells: [usize; 2],
}

/// The first conflict among the clues of a puzzle: rows come first, then columns, then boxes, and within a house the
/// conflict whose second cell comes first.
///
/// # Panics
///
/// If `puzzle` is not `size.cells()` values from 0 to the side.
pub fn conflict(size: Size, puzzle: &[u8]) -> Option<Conflict> {
    assert_eq!(puzzle.len(), size.cells(), "a {size} puzzle");
    if !has_conflict(size, puzzle) {
        return None;
    }
    Geometry::of(size).houses().find_map(|(house, cells)| {
        let cells = cells.iter().map(|&cell| usize::from(cell));
        let mut seen = 0_u32;
        let second = cells.clone().find(|&cell| {
            let (before, digit) = (seen, 1 << puzzle[cell] & !1);
            seen |= digit;
            before & digit != 0
        })?;
        let digit = puzzle[second];
        let first = cells.clone().find(|&cell| puzzle[cell] == digit)?;
        Some(Conflict { digit, house, cells: [first, second] })
    })
}

/// Whether a house has a digit twice. Nearly always, none has.
fn has_conflict(size: Size, puzzle: &[u8]) -> bool {
    with_constant!(size, SIZE => {
        const ROWS: usize = SIZE.box_rows();
        const COLUMNS: usize = SIZE.box_columns();
        if SIZE.side() <= <u64 as Counter>::DIGITS {
            some_house_has_conflict::<ROWS, COLUMNS, { SIZE.side() }, u64>(puzzle)
        } else {
            some_house_has_conflict::<ROWS, COLUMNS, { SIZE.side() }, u128>(puzzle)
        }
    })
}

/// Whether a house has a digit twice. Counts the digits of each house in one pass over the cells, which takes 30 ns for 81
/// cells, or 52 ns if it ends at the first house. A box has `ROWS` rows and `COLUMNS` columns.
fn some_house_has_conflict<const ROWS: usize, const COLUMNS: usize, const SIDE: usize, C: Counter>(
    puzzle: &[u8],
) -> bool {
    let (mut all, mut columns) = (C::default(), [C::default(); SIDE]);
    for band in puzzle.chunks_exact(ROWS * SIDE) {
        // A band has as many boxes as a box has rows.
        let mut boxes = [C::default(); ROWS];
        for row in band.chunks_exact(SIDE) {
            let mut in_row = C::default();
            for ((cells, columns), in_box) in
                row.chunks_exact(COLUMNS).zip(columns.chunks_exact_mut(COLUMNS)).zip(&mut boxes)
            {
                let mut in_both = C::default();
                for (&cell, in_column) in cells.iter().zip(columns) {
                    let one = C::ONE[usize::from(cell)];
                    in_both += one;
                    *in_column += one;
                }
                in_row += in_both;
                *in_box += in_both;
            }
            all = all | in_row;
        }
        all = boxes.into_iter().fold(all, C::bitor);
    }
    columns.into_iter().fold(all, C::bitor) & C::SEVERAL != C::default()
}

/// A number with some bits for each digit, which count cells.
trait Counter: Copy + Default + PartialEq + AddAssign + BitAnd<Output = Self> + BitOr<Output = Self> + 'static {
    /// The number of digits that it counts.
    const DIGITS: usize;
    /// The increment of a cell for each value; 0 for a blank.
    const ONE: &[Self; 1 << u8::BITS];
    /// The bits of counts above one.
    const SEVERAL: Self;
}

macro_rules! counter {
    ($number:ty, bits: $bits:literal, digits: $digits:literal) => {
        impl Counter for $number {
            const DIGITS: usize = $digits;
            const ONE: &[$number; 1 << u8::BITS] = &{
                let (mut one, mut digit) = ([0; 1 << u8::BITS], 0);
                while digit < $digits {
                    one[digit + 1] = 1 << ($bits * digit);
                    digit += 1;
                }
                one
            };
            const SEVERAL: $number = {
                let (mut ones, mut digit) = (0, 1);
                while digit <= $digits {
                    ones |= Self::ONE[digit];
                    digit += 1;
                }
                !ones
            };
        }
    };
}

counter!(u64, bits: 4, digits: 12);
counter!(u128, bits: 5, digits: 25);

/// Whether `grid` has every clue of `puzzle`.
pub(crate) fn keeps_clues(puzzle: &[u8], grid: &[u8]) -> bool {
    // Compare all cells, even after a difference, so that the loop becomes vector instructions.
    let is_changed = |(&clue, digit): (&u8, &u8)| u8::from(clue != 0 && clue != *digit);
    puzzle.iter().zip(grid).map(is_changed).fold(0, BitOr::bitor) == 0
}

/// Whether `grid` solves `puzzle`: it has every clue, and each house has each digit once.
///
/// # Panics
///
/// If `puzzle` or `grid` is not `size.cells()` values from 0 to the side.
pub fn is_solution(size: Size, puzzle: &[u8], grid: &[u8]) -> bool {
    assert_eq!((puzzle.len(), grid.len()), (size.cells(), size.cells()), "a {size} puzzle and a grid");
    // A full house without a repeated digit has each digit.
    let is_blank = |digit: &u8| u8::from(digit.wrapping_sub(1) >= size.side() as u8);
    let is_full = grid.iter().map(is_blank).fold(0, BitOr::bitor) == 0;
    is_full && keeps_clues(puzzle, grid) && !has_conflict(size, grid)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::puzzle::shifted_grid;

    #[test]
    fn a_conflict_has_its_house_and_cells() {
        type Case = (&'static [(usize, u8)], Option<Conflict>);
        let conflict_at = |digit, house, cells| Some(Conflict { digit, house, cells });
        let cases: [Case; 7] = [
            (&[], None),
            (&[(0, 1), (1, 2), (9, 3), (80, 1)], None),
            (&[(0, 7), (8, 7)], conflict_at(7, House::Row(0), [0, 8])),
            (&[(4, 9), (76, 9)], conflict_at(9, House::Column(4), [4, 76])),
            (&[(31, 7), (48, 7)], conflict_at(7, House::Box(4), [31, 48])),
            // A row comes before a column and a column before a box, even if its cells come later.
            (&[(0, 1), (10, 1), (7, 2), (79, 2), (72, 3), (80, 3)], conflict_at(3, House::Row(8), [72, 80])),
            (&[(0, 1), (10, 1), (7, 2), (79, 2)], conflict_at(2, House::Column(7), [7, 79])),
        ];
        for (clues, expected) in cases {
            let mut puzzle = [0; 81];
            for &(cell, digit) in clues {
                puzzle[cell] = digit;
            }
            assert_eq!(conflict(Size::Nine, &puzzle), expected, "{clues:?}");
        }
    }

    /// The first conflict by its definition: among all pairs of equal clues in a house, the pair whose second cell
    /// comes first.
    fn naive_conflict(size: Size, puzzle: &[u8]) -> Option<Conflict> {
        Geometry::of(size).houses().find_map(|(house, cells)| {
            let pairs = (0..cells.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
            let mut pairs = pairs.map(|pair| pair.map(|place| usize::from(cells[place])));
            let cells = pairs.find(|&[first, second]| puzzle[first] != 0 && puzzle[first] == puzzle[second])?;
            Some(Conflict { digit: puzzle[cells[0]], house, cells })
        })
    }

    proptest! {
        /// Some cells of a grid are blank, and some are changed.
        #[test]
        fn a_conflict_is_the_first_by_its_meaning(
            size in proptest::sample::select(&Size::ALL[..]),
            clues in 0..=100_u8,
            chances in proptest::collection::vec(0..100_u8, Size::MAX_CELLS),
            changed in proptest::collection::vec(any::<(usize, u8)>(), 0..4),
        ) {
            let mut puzzle = shifted_grid(size);
            for (cell, _) in puzzle.iter_mut().zip(&chances).filter(|&(_, &chance)| chance >= clues) {
                *cell = 0;
            }
            for (cell, value) in changed {
                puzzle[cell % size.cells()] = value % (size.side() as u8 + 1);
            }
            prop_assert_eq!(conflict(size, &puzzle), naive_conflict(size, &puzzle));
        }
    }

    #[test]
    fn a_house_full_of_one_digit_has_a_conflict() {
        for size in Size::ALL {
            let digits = 1..=size.side() as u8;
            for (index, digit) in (0..3 * size.side()).flat_map(|index| digits.clone().map(move |digit| (index, digit)))
            {
                let mut puzzle = vec![0; size.cells()];
                let (_, cells) = Geometry::of(size).house(index);
                for &cell in cells {
                    puzzle[usize::from(cell)] = digit;
                }
                assert_eq!(conflict(size, &puzzle), naive_conflict(size, &puzzle), "{size}");
            }
        }
    }

    #[test]
    fn a_solution_is_full_valid_and_keeps_the_clues() {
        for size in Size::ALL {
            let grid = shifted_grid(size);
            let blank = vec![0; size.cells()];
            assert!(is_solution(size, &blank, &grid));
            assert!(is_solution(size, &grid, &grid));

            let mut other = grid.clone();
            other.swap(0, 1);
            assert!(!is_solution(size, &blank, &other), "conflicts in columns");
            assert!(!is_solution(size, &blank, &blank), "not full");

            let mut clue = blank.clone();
            clue[3] = grid[3] % size.side() as u8 + 1;
            assert!(!is_solution(size, &clue, &grid), "a clue was changed");
        }
    }
}

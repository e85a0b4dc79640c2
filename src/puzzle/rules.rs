//! The rules of Sudoku: finds conflicts among clues and checks solutions. Tests check engines against it.

use super::{Geometry, House, Order};

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

/// The first conflict among the clues of a puzzle: in the first row that has one, then in columns, then in boxes, each
/// from its first cell on.
///
/// # Panics
///
/// If `puzzle` is not `order.cells()` values from 0 to the side.
pub fn conflict(order: Order, puzzle: &[u8]) -> Option<Conflict> {
    assert_eq!(puzzle.len(), order.cells(), "a {order} puzzle");
    Geometry::of(order).houses().find_map(|(house, cells)| {
        let mut seen = [None; Order::MAX_SIDE + 1];
        cells.iter().map(|&cell| usize::from(cell)).find_map(|cell| match puzzle[cell] {
            0 => None,
            digit => {
                let earlier = seen[usize::from(digit)].replace(cell)?;
                Some(Conflict { digit, house, cells: [earlier, cell] })
            }
        })
    })
}

/// Whether `grid` solves `puzzle`: it has every clue, and each house has each digit once.
///
/// # Panics
///
/// If `puzzle` or `grid` is not `order.cells()` values from 0 to the side.
pub fn is_solution(order: Order, puzzle: &[u8], grid: &[u8]) -> bool {
    assert_eq!((puzzle.len(), grid.len()), (order.cells(), order.cells()), "a {order} puzzle and a grid");
    let keeps_clues = puzzle.iter().zip(grid).all(|(&clue, &digit)| clue == 0 || clue == digit);

    // A house with as many cells as digits has each of them once if it has all of them.
    let all_digits = (2_u32 << order.side()) - 2;
    let digits = |cells: &[u16]| cells.iter().fold(0, |set, &cell| set | 1_u32 << grid[usize::from(cell)]);
    keeps_clues && Geometry::of(order).houses().all(|(_, cells)| digits(cells) == all_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A solved grid: each row is the one above, shifted.
    fn shifted(order: Order) -> Vec<u8> {
        let (n, side) = (order.get(), order.side());
        let digit = |row: usize, column: usize| (row % n * n + row / n + column) % side + 1;
        (0..order.cells()).map(|cell| digit(cell / side, cell % side) as u8).collect()
    }

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
            assert_eq!(conflict(Order::Three, &puzzle), expected, "{clues:?}");
        }
    }

    #[test]
    fn a_solution_is_full_valid_and_keeps_the_clues() {
        for order in Order::ALL {
            let grid = shifted(order);
            let blank = vec![0; order.cells()];
            assert!(is_solution(order, &blank, &grid));
            assert!(is_solution(order, &grid, &grid));

            let mut other = grid.clone();
            other.swap(0, 1);
            assert!(!is_solution(order, &blank, &other), "conflicts in columns");
            assert!(!is_solution(order, &blank, &blank), "not full");

            let mut clue = blank.clone();
            clue[3] = grid[3] % order.side() as u8 + 1;
            assert!(!is_solution(order, &clue, &grid), "a clue was changed");
        }
    }
}

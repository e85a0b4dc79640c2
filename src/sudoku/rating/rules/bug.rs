//! Finds BUGs (bivalue universal graves): apart from some extra candidates, each blank has two candidates, and each
//! digit two places in each house.
//!
//! ```text
//!    1 2   |  1 2 3  |   1 3          All other blanks have two candidates. Without the 3 of the middle cell, each
//!                                     digit would have two places in each house, and the puzzle none or two
//!                                     solutions. So the middle cell is 3.
//! ```
//!
//! Extra candidates are used as in a [unique loop](super::unique_loop): (1) one cell has them, and loses all its other
//! candidates; (2) all are one digit, which is removed from the cells that see them all; (3) they make a naked set with
//! cells of their house; (4) two cells have them and share one more digit: they lose the rest. Source: Sudoku Explainer
//! 1.2.1.

use super::super::candidates::Candidates;
use super::super::houses::{HOUSE_CELLS, HOUSES, PEERS, house, houses_of_all, peers_in_order};
use super::super::sets::{CellSet, DigitSet, subsets};
use super::super::step::Step;
use super::super::technique::{Technique, UniquenessKind};

/// The extra candidates.
struct Extra {
    /// The first cell with extra candidates, in the order of the search.
    first: usize,
    cells: CellSet,
    digits: DigitSet,
    /// The extra candidates of each of the cells.
    of: [DigitSet; 81],
    /// The cells that see all of the cells.
    common: CellSet,
}

/// Finds the first step by a BUG.
pub(in crate::sudoku::rating) fn find(grid: &Candidates, step: &mut Step) -> bool {
    let sizes = grid.sizes();
    let large = sizes.three.or(sizes.more);
    // A cell with one candidate, or with none, rules out the pattern.
    if large.is_empty() || large.or(sizes.two) != grid.blanks() {
        return false;
    }

    // All large cells have extra candidates. If there are several, they all see a common cell.
    let mut common = CellSet((1 << 81) - 1);
    for cell in large {
        common = common.and(PEERS[cell]);
        if common.is_empty() {
            return false;
        }
    }

    let Some(extra) = extra(grid, large, common) else { return false };
    if !is_bug(grid, &extra) {
        return false;
    }

    // The order of the types follows the reference program.
    let two_cells = extra.cells.len() == 2;
    if extra.cells.len() == 1 {
        one_cell(grid, &extra, step)
    } else if extra.digits.len() == 1 {
        one_digit(grid, &extra, step) || two_cells && locked(grid, &extra, step)
    } else {
        two_cells && locked(grid, &extra, step) || set(grid, &extra, step)
    }
}

/// Finds the extra candidates: if the number of places of a digit in a house is not two, the extra one is in the only
/// large cell among them. There is no BUG if an extra candidate would fall on a cell that cannot have one.
fn extra(grid: &Candidates, large: CellSet, common: CellSet) -> Option<Extra> {
    let mut extra =
        Extra { first: 81, cells: CellSet::EMPTY, digits: DigitSet::EMPTY, of: [DigitSet::EMPTY; 81], common };

    // Boxes, rows, columns.
    for index in (0..9).chain(18..27).chain(9..18) {
        for digit in 0..9 {
            let places = grid.places(index, digit);
            if matches!(places.len(), 0 | 2) {
                continue;
            }

            let cells = HOUSE_CELLS[index].and(grid.cells(digit)).and(large);
            match cells.len() {
                0 => return None,
                1 => {
                    let cell = cells.first();
                    if extra.cells.is_empty() {
                        extra.first = cell;
                    }
                    extra.cells.insert(cell);
                    extra.digits.insert(digit);
                    extra.of[cell].insert(digit);
                }
                // Any of these cells may have the extra candidate. Another house may show which.
                _ => {}
            }
        }
    }
    (extra.cells == large).then_some(extra)
}

/// Whether, without the extra candidates, each blank has two candidates and each digit two places, or none, in each
/// house.
fn is_bug(grid: &Candidates, extra: &Extra) -> bool {
    extra.cells.into_iter().all(|cell| grid.digits(cell).without(extra.of[cell]).len() == 2)
        && (0..9).all(|digit| {
            let with_extra: CellSet = extra.cells.into_iter().filter(|&cell| extra.of[cell].contains(digit)).collect();
            let cells = grid.cells(digit).without(with_extra);
            (0..HOUSES).all(|house| matches!(cells.and(HOUSE_CELLS[house]).len(), 0 | 2))
        })
}

/// Starts the step. `added` is its extra difficulty in tenths.
fn begin(grid: &Candidates, extra: &Extra, kind: UniquenessKind, added: u16, step: &mut Step) {
    step.begin_with(Technique::Bug(kind), Technique::Bug(kind).least_tenths() + added);
    step.cells = grid.blanks();
    step.digits = extra.digits;
}

/// One cell has extra candidates: it has one of them.
fn one_cell(grid: &Candidates, extra: &Extra, step: &mut Step) -> bool {
    begin(grid, extra, UniquenessKind::OneCell, 0, step);
    step.eliminate_digits(extra.first, grid.digits(extra.first).without(extra.digits));
    true
}

/// All extra candidates are one digit: one of the cells has it.
fn one_digit(grid: &Candidates, extra: &Extra, step: &mut Step) -> bool {
    let digit = extra.digits.first();
    let cells = extra.common.and(grid.cells(digit));
    if cells.is_empty() {
        return false;
    }
    begin(grid, extra, UniquenessKind::OneDigit, 1, step);
    step.eliminate(cells, digit);
    true
}

/// Two cells share one digit besides the extra candidates. One of them has an extra candidate, so the other has that
/// digit.
fn locked(grid: &Candidates, extra: &Extra, step: &mut Step) -> bool {
    let shared = extra.cells.into_iter().fold(DigitSet::ALL, |shared, cell| shared.and(grid.digits(cell)));
    let shared = shared.without(extra.digits);
    let Some(index) = houses_of_all(extra.cells).next() else { return false };
    if shared.len() != 1 {
        return false;
    }
    begin(grid, extra, UniquenessKind::Locked, 1, step);
    for cell in extra.cells {
        step.eliminate_digits(cell, grid.digits(cell).without(extra.of[cell]).without(shared));
    }
    step.houses.push(house(index));
    true
}

/// The extra candidates make a naked set with other cells of a house.
fn set(grid: &Candidates, extra: &Extra, step: &mut Step) -> bool {
    for index in houses_of_all(extra.cells) {
        let others: Vec<usize> =
            peers_in_order(extra.first, extra.common.and(HOUSE_CELLS[index]).and(grid.blanks())).collect();
        for size in 2..=6 {
            for subset in subsets(DigitSet((1 << others.len()) - 1), size - 1) {
                let naked: CellSet = subset.into_iter().map(|place| others[place]).collect();
                let digits = naked.into_iter().fold(DigitSet::EMPTY, |digits, cell| digits.or(grid.digits(cell)));
                if digits.len() != size || digits.or(extra.digits) != digits {
                    continue;
                }

                let rest = extra.common.and(HOUSE_CELLS[index]).without(naked);
                if rest.into_iter().all(|cell| grid.digits(cell).and(digits).is_empty()) {
                    continue;
                }

                begin(grid, extra, UniquenessKind::Set, size as u16, step);
                for cell in rest {
                    step.eliminate_digits(cell, grid.digits(cell).and(digits));
                }
                step.digits = digits;
                step.houses.push(house(index));
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, position, with};
    use super::*;

    const ONE_CELL: &str = "
        3 58 7 2 9 48 45 6 1
        2 58 9 48 6 1 3 7 45
        6 4 1 7 3 5 2 9 8
        1 3 8 5 2 7 6 4 9
        9 6 2 1 4 3 8 5 7
        5 7 4 6 8 9 1 2 3
        8 2 56 3 7 46 9 1 45
        7 9 56 48 1 468 45 3 2
        4 1 3 9 5 2 7 8 6";

    const ONE_DIGIT: &str = "
        4 1 89 78 3 79 5 6 2
        6 5 28 1 28 4 3 7 9
        7 3 29 6 5 29 8 4 1
        5 7 1 29 29 6 4 8 3
        9 8 4 5 7 3 2 1 6
        3 2 6 4 1 8 9 5 7
        18 69 5 3 89 17 167 2 4
        2 69 7 89 4 15 16 3 58
        18 4 3 27 6 125 17 9 58";

    const SET: &str = "
        8 7 1 5 6 9 23 23 4
        69 69 3 2 8 4 1 5 7
        4 2 5 7 3 1 8 9 6
        3 15 9 48 45 6 7 18 2
        67 148 46 3 12 278 9 18 5
        57 18 2 9 15 78 6 4 3
        59 59 8 6 24 3 24 7 1
        1 3 46 48 7 28 5 26 9
        2 46 7 1 9 5 34 36 8";

    const LOCKED: &str = "
        4 7 6 9 5 1 23 23 8
        3 2 9 47 8 6 1 45 57
        1 5 8 47 3 2 49 69 67
        7 9 1 5 2 8 6 34 34
        8 6 25 3 9 4 25 7 1
        25 3 4 1 6 7 8 25 9
        26 4 7 8 1 3 59 69 256
        56 8 35 2 4 9 7 1 36
        9 1 23 6 7 5 34 8 234";

    /// Type 1: without the 4 of r8c6, each digit would have two places. If this 4 is gone, the rule finds nothing.
    #[test]
    fn one_cell_has_extra_candidates() {
        assert_eq!(found(&position(ONE_CELL), find).as_deref(), Some("BUG type 1|56|r8c6-68"));
        assert_eq!(found(&with(ONE_CELL, &[("r8c6", "68")]), find), None);
    }

    /// Type 2: r7c7 or r9c6 is 1. With a third digit in another cell, the rule finds nothing.
    #[test]
    fn the_extra_candidates_are_one_digit() {
        assert_eq!(found(&position(ONE_DIGIT), find).as_deref(), Some("BUG type 2|57|r7c6-1,r9c7-1"));
        assert_eq!(found(&with(ONE_DIGIT, &[("r8c6", "159")]), find), None);
    }

    /// Type 3: r5c2 or r5c6 has an extra candidate, which makes a pair with a cell of row 5.
    #[test]
    fn the_extra_candidates_make_a_naked_set() {
        assert_eq!(found(&position(SET), find).as_deref(), Some("BUG type 3|58|r5c5-1"));
        assert_eq!(found(&with(SET, &[("r4c2", "145")]), find), None);
    }

    /// Type 4: r7c9 or r9c9 has an extra candidate, so the other one has the digit that they share.
    #[test]
    fn two_cells_share_a_digit() {
        assert_eq!(found(&position(LOCKED), find).as_deref(), Some("BUG type 4|57|r7c9-5,r9c9-4"));
        assert_eq!(found(&with(LOCKED, &[("r8c9", "356")]), find), None);
    }
}

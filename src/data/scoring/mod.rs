//! Judges a grid that was filled in: it is found in free text, and compared with its puzzle.
//!
//! ```text
//!   text -> chat.rs         the last message of the assistant
//!        -> answer.rs       without thoughts, and between the last closed tags
//!        -> grid_finder.rs  the grid
//!        -> this file       its cells, compared with the clues
//! ```

mod answer;
mod chat;
mod grid_finder;
mod open_digits;
mod tag;

pub(crate) use self::answer::AnswerRules;
pub use self::answer::Thoughts;
pub(crate) use self::grid_finder::{FoundGrid, GridFinder, NoGrid, Place};
pub(crate) use self::open_digits::{digits, open_digits, set_of, singles};
pub(crate) use self::tag::{is_tag_name, tag};
use crate::format::Alphabet;
use crate::puzzle::{Geometry, Size, rules};

/// The grids in running text that have a digit, in order: the index of the first byte of each, and its cells.
pub fn grids_in(alphabet: Alphabet, text: &str) -> Vec<(usize, Vec<u8>)> {
    GridFinder::default().all(alphabet, text.as_bytes())
}

/// The comparison of a grid with its puzzle. 0 is a blank in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Assessment {
    /// The number of blanks of the puzzle.
    pub(crate) blanks: usize,
    /// The number of these blanks that the grid fills.
    pub(crate) filled: usize,
    /// The number of clues that the grid lacks or changes.
    pub(crate) changed: usize,
    /// The first such clue.
    pub(crate) first_changed: Option<usize>,
    /// The number of cells of the grid whose digit occurs again in their row, column or box.
    pub(crate) conflicts: usize,
}

impl Assessment {
    /// Compares a grid with a puzzle of the same size.
    pub(crate) fn of(size: Size, puzzle: &[u8], grid: &[u8]) -> Assessment {
        let is_changed = |clue, value| clue != 0 && clue != value;
        let changed = count(puzzle, grid, is_changed);
        Assessment {
            blanks: count(puzzle, grid, |clue, _| clue == 0),
            filled: count(puzzle, grid, |clue, value| clue == 0 && value != 0),
            changed,
            first_changed: if changed == 0 {
                None
            } else {
                puzzle.iter().zip(grid).position(|(&clue, &value)| is_changed(clue, value))
            },
            conflicts: conflicting_cells(size, grid),
        }
    }

    /// Whether the grid is a solution of the puzzle.
    pub(crate) fn solves(&self) -> bool {
        self.may_become_solution() && self.is_full()
    }

    /// Whether the grid keeps the clues and breaks no rule, so it may have solutions.
    pub(crate) fn may_become_solution(&self) -> bool {
        self.changed == 0 && self.conflicts == 0
    }

    /// Whether no blank is left.
    pub(crate) fn is_full(&self) -> bool {
        self.filled == self.blanks
    }
}

/// The number of cells whose digit occurs again in their row, column or box.
fn conflicting_cells(size: Size, grid: &[u8]) -> usize {
    // Most grids have no conflict, which one pass finds out.
    if rules::conflict(size, grid).is_none() {
        return 0;
    }

    let mut is_in_conflict = [false; Size::MAX_CELLS];
    for (_, cells) in Geometry::of(size).houses() {
        let mut counts = [0_u8; Size::MAX_SIDE + 1];
        for &cell in cells {
            counts[usize::from(grid[usize::from(cell)])] += 1;
        }
        for cell in cells.iter().map(|&cell| usize::from(cell)) {
            is_in_conflict[cell] |= grid[cell] != 0 && counts[usize::from(grid[cell])] > 1;
        }
    }
    is_in_conflict.iter().filter(|&&is_in_conflict| is_in_conflict).count()
}

/// The number of blanks where a grid has the digit of a solution.
pub(crate) fn agreeing_blanks(puzzle: &[u8], grid: &[u8], solution: &[u8]) -> usize {
    // A solution has all clues, so subtract the unchanged ones.
    count(grid, solution, |value, right| value == right) - count(puzzle, grid, |clue, value| clue != 0 && clue == value)
}

/// The number of cells where `is` holds for the values of two grids.
fn count(one: &[u8], other: &[u8], is: impl Fn(u8, u8) -> bool) -> usize {
    // A count up to this fits into a byte, and a vector has many bytes.
    const CELLS: usize = 128;
    let in_chunk = |(one, other): (&[u8], &[u8])| {
        let counts = one.iter().zip(other).map(|(&one, &other)| u8::from(is(one, other)));
        usize::from(counts.sum::<u8>())
    };
    one.chunks(CELLS).zip(other.chunks(CELLS)).map(in_chunk).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_compared_cell_by_cell() {
        let puzzle = *b"\x01\0\x03\0\0\0\0\0\0\0\0\0\0\x04\0\x02";
        let solution = *b"\x01\x02\x03\x04\x04\x03\x02\x01\x02\x01\x04\x03\x03\x04\x01\x02";
        let assess = |grid: [u8; 16]| Assessment::of(Size::Four, &puzzle, &grid);
        let empty = Assessment { blanks: 12, ..Assessment::default() };
        assert_eq!(assess(puzzle), empty);
        assert!(assess(solution).solves());

        // Two 3s in the first row and in the first box.
        let mut grid = puzzle;
        grid[1] = 3;
        grid[4] = 3;
        assert_eq!(assess(grid), Assessment { filled: 2, conflicts: 3, ..empty });
        assert_eq!(agreeing_blanks(&puzzle, &grid, &solution), 0);

        grid = solution;
        grid[0] = 0;
        grid[13] = 3;
        assert_eq!(
            assess(grid),
            Assessment { blanks: 12, filled: 12, changed: 2, first_changed: Some(0), conflicts: 3 }
        );
        assert_eq!(agreeing_blanks(&puzzle, &grid, &solution), 12);
    }
}

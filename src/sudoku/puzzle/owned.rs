//! Owned puzzles and solutions, for the functions that take a single puzzle.
//!
//! Jobs on a corpus keep the cells of many puzzles in a [`Batch`](super::Batch) instead. [`format`](crate::format)
//! reads a [`Puzzle`] from text.

use super::rules::{self, Conflict};
use super::{ForEachSize, Geometry, Size};

/// A puzzle of any size: some clues, and blanks.
///
/// [`str::parse`] reads it from all usual notations: a line of symbols, a drawn grid, or numbers.
/// [`Display`](std::fmt::Display) prints it in one line, `.` for a blank.
///
/// The clues may [contradict each other](Puzzle::conflict): such a puzzle has no solution.
///
/// ```
/// use gridmill::puzzle::{Puzzle, Size};
///
/// let line: Puzzle = "1030000000000402".parse()?;
/// let grid: Puzzle = "1 . | 3 .\n. . | . .\n----+----\n. . | . .\n. 4 | . 2".parse()?;
/// assert_eq!(line, grid);
/// assert_eq!(line.to_string(), "1.3..........4.2");
/// assert_eq!((line.size(), line.clues()), (Size::Four, 4));
/// # Ok::<(), gridmill::format::ParsePuzzleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Puzzle {
    size: Size,
    cells: Box<[u8]>,
}

impl Puzzle {
    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The values of the cells, row by row: 0 for a blank, 1 to the side for a clue.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of clues.
    pub fn clues(&self) -> usize {
        self.cells.iter().filter(|&&value| value != 0).count()
    }

    /// The first conflict among the clues, as by [`rules::conflict`].
    ///
    /// ```
    /// use gridmill::Puzzle;
    ///
    /// let puzzle: Puzzle = "1.1.............".parse()?;
    /// let conflict = puzzle.conflict().expect("two equal clues in a row");
    /// assert_eq!((conflict.digit, conflict.house.to_string(), conflict.cells), (1, "row 1".to_owned(), [0, 2]));
    /// # Ok::<(), gridmill::ParsePuzzleError>(())
    /// ```
    pub fn conflict(&self) -> Option<Conflict> {
        rules::conflict(self.size, &self.cells)
    }
}

/// A puzzle from the values of its cells, row by row, 0 for a blank. The number of cells determines the size.
///
/// ```
/// use gridmill::puzzle::{CellsError, Puzzle};
///
/// let mut cells = [0; 81];
/// cells[4] = 7;
/// assert!(Puzzle::try_from(&cells[..])?.to_string().starts_with("....7...."));
/// cells[4] = 10;
/// assert_eq!(Puzzle::try_from(&cells[..]).unwrap_err().to_string(), "r1c5: 10 is above 9");
/// # Ok::<(), CellsError>(())
/// ```
impl TryFrom<&[u8]> for Puzzle {
    type Error = CellsError;

    fn try_from(cells: &[u8]) -> Result<Puzzle, CellsError> {
        let size = Size::from_cells(cells.len()).ok_or(CellsError::Count { cells: cells.len() })?;
        match cells.iter().position(|&value| usize::from(value) > size.side()) {
            Some(cell) => Err(CellsError::Value { size, cell, value: cells[cell] }),
            None => Ok(Puzzle { size, cells: cells.into() }),
        }
    }
}

/// The error for cell values that are not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CellsError {
    /// No size has this number of cells.
    #[error("{cells} cells; a puzzle has {}", ForEachSize(Size::cells))]
    Count {
        /// The number of cells.
        cells: usize,
    },
    /// A value is above the side.
    #[error("{}: {value} is above {}", Geometry::of(*.size).name(*.cell), .size.side())]
    Value {
        /// The size.
        size: Size,
        /// The index of the cell, row by row from 0.
        cell: usize,
        /// The value.
        value: u8,
    },
}

/// A solution of a [`Puzzle`]: a full grid that obeys the rules.
///
/// [`Display`](std::fmt::Display) prints it in one line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution {
    size: Size,
    cells: Box<[u8]>,
}

impl Solution {
    /// A solution that an engine has found.
    pub(crate) fn new(size: Size, cells: &[u8]) -> Solution {
        debug_assert_eq!(cells.len(), size.cells());
        Solution { size, cells: cells.into() }
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The digits of the cells, row by row: 1 to the side.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }
}

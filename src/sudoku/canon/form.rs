//! A canonical form as a grid of one of three sizes, and the facts about a puzzle with one solution.

use std::fmt;
use std::ops::Deref;

use crate::puzzle::{Grid, Size};

/// The cells of a canonical form, row by row: 0 is a blank. It is read as a slice of 16, 36 or 81 cells, and printed as that
/// many digits, `.` for a blank.
///
/// ```
/// use gridmill::canon::Canonicaliser;
///
/// let form = Canonicaliser::new().of_clues(&[0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0], 1000)?;
/// assert_eq!(form.to_string(), "...............1");
/// assert_eq!((form.len(), form[15]), (16, 1));
/// # Ok::<(), gridmill::canon::OutOfBoundError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    size: Size,
    /// The cells of a smaller grid come first; the rest are 0.
    cells: Grid,
}

impl Form {
    /// An empty grid.
    pub(super) fn new(size: Size) -> Form {
        Form { size, cells: [0; 81] }
    }

    /// The grid of these cells, each changed by `change`.
    pub(super) fn of<const CELLS: usize>(size: Size, cells: &[u8; CELLS], change: impl Fn(u8) -> u8) -> Form {
        let mut form = Form::new(size);
        for (to, &from) in form.cells.iter_mut().zip(cells) {
            *to = change(from);
        }
        form
    }

    /// The size of the grid.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rows, of as many cells as the side of the grid.
    pub(super) fn rows_mut<const SIDE: usize>(&mut self) -> impl Iterator<Item = &mut [u8; SIDE]> {
        self.cells.as_chunks_mut().0.iter_mut().take(SIDE)
    }
}

impl Deref for Form {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.cells[..self.size.cells()]
    }
}

/// Digits, and `.` for a blank.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|&value| if value == 0 { f.write_str(".") } else { write!(f, "{value}") })
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Form({self})")
    }
}

/// The canonical form of a puzzle with one solution, and properties of the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The canonical form of the puzzle.
    pub puzzle: Form,
    /// Its solution: the smallest isomorph of the puzzle's solution.
    pub solution: Form,
    /// The number of isomorphisms that do not change the solution, at least 1.
    pub automorphisms: u32,
    /// Among these, the number of isomorphisms that do not change the puzzle either, at least 1.
    pub puzzle_automorphisms: u32,
}

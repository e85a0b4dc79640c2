//! The sizes of grids: how many rows they have, and the shape of their boxes.

use std::fmt;

/// The size of a grid, by the number of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// 4x4 with boxes of 2x2.
    Four,
    /// 9x9 with boxes of 3x3: the usual Sudoku.
    Nine,
    /// 16x16 with boxes of 4x4.
    Sixteen,
    /// 25x25 with boxes of 5x5.
    TwentyFive,
}

impl Size {
    /// All sizes, smallest first.
    pub const ALL: [Size; 4] = [Size::Four, Size::Nine, Size::Sixteen, Size::TwentyFive];

    /// The side of the largest grid: no row, column, box or list of candidates is longer.
    pub const MAX_SIDE: usize = 25;

    /// The number of cells of the largest grid.
    pub const MAX_CELLS: usize = Self::MAX_SIDE * Self::MAX_SIDE;

    /// The order: the side of the boxes, 2 to 5.
    pub const fn get(self) -> usize {
        self as usize + 2
    }

    /// The number of rows, and of columns, boxes and digits.
    pub const fn side(self) -> usize {
        self.get() * self.get()
    }

    /// The number of cells.
    pub const fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// The index of this size in [`Size::ALL`], for tables with an entry for each size.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The size of this order, 2 to 5; `None` for other numbers.
    pub fn new(order: usize) -> Option<Size> {
        Self::ALL.into_iter().find(|size| size.get() == order)
    }

    /// The size of a grid with `side` rows, if there is one.
    pub fn from_side(side: usize) -> Option<Size> {
        Self::ALL.into_iter().find(|size| size.side() == side)
    }

    /// The size of a grid with `cells` cells, if there is one.
    pub fn from_cells(cells: usize) -> Option<Size> {
        Self::ALL.into_iter().find(|size| size.cells() == cells)
    }
}

/// Prints the rows and columns: `9x9`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.side())
    }
}

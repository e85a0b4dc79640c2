//! The sizes of grids: how many rows they have, and the shape of their boxes.

use std::fmt;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// The size of a grid: the number of its rows, and the shape of its boxes.
///
/// | size | rows and columns of a box | bands, stacks |
/// |---|---|---|
/// | 4x4, 9x9, 16x16, 25x25 | 2 x 2, 3 x 3, 4 x 4, 5 x 5 | 2, 3, 4, 5 of each |
/// | 6x6 | 2 x 3 | 3 bands, 2 stacks |
/// | 8x8 | 2 x 4 | 4 bands, 2 stacks |
/// | 10x10 | 2 x 5 | 5 bands, 2 stacks |
/// | 12x12 | 3 x 4 | 4 bands, 3 stacks |
///
/// ```
/// use gridmill::puzzle::Size;
///
/// let size = Size::from_cells(36).unwrap();
/// assert_eq!((size.to_string(), size.box_rows(), size.box_columns()), ("6x6".to_owned(), 2, 3));
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
pub enum Size {
    /// 4x4 with boxes of 2x2.
    #[strum(serialize = "4x4")]
    Four,
    /// 6x6 with boxes of two rows and three columns.
    #[strum(serialize = "6x6")]
    Six,
    /// 8x8 with boxes of two rows and four columns.
    #[strum(serialize = "8x8")]
    Eight,
    /// 9x9 with boxes of 3x3: the usual Sudoku.
    #[strum(serialize = "9x9")]
    Nine,
    /// 10x10 with boxes of two rows and five columns.
    #[strum(serialize = "10x10")]
    Ten,
    /// 12x12 with boxes of three rows and four columns.
    #[strum(serialize = "12x12")]
    Twelve,
    /// 16x16 with boxes of 4x4.
    #[strum(serialize = "16x16")]
    Sixteen,
    /// 25x25 with boxes of 5x5.
    #[strum(serialize = "25x25")]
    TwentyFive,
}

as_text!(Size);

/// Evaluates an expression with the size as a constant, so that the compiler knows the lengths of its loops.
///
/// `with_constant!(size, SIZE => solve::<{ SIZE.box_rows() }, { SIZE.box_columns() }>(puzzle))`
macro_rules! with_constant {
    ($size:expr, $constant:ident => $result:expr) => {
        $crate::puzzle::with_constant!(@ $size, $constant => $result, Four Six Eight Nine Ten Twelve Sixteen TwentyFive)
    };
    (@ $size:expr, $constant:ident => $result:expr, $($name:ident)*) => {
        match $size {
            $($crate::puzzle::Size::$name => {
                const $constant: $crate::puzzle::Size = $crate::puzzle::Size::$name;
                $result
            })*
        }
    };
}
pub(crate) use with_constant;

impl Size {
    /// All sizes, smallest first.
    pub const ALL: [Size; 8] =
        [Size::Four, Size::Six, Size::Eight, Size::Nine, Size::Ten, Size::Twelve, Size::Sixteen, Size::TwentyFive];

    /// The side of the largest grid: no row, column, box or list of candidates is longer.
    pub const MAX_SIDE: usize = Size::TwentyFive.side();

    /// The number of cells of the largest grid.
    pub const MAX_CELLS: usize = Size::TwentyFive.cells();

    /// The largest number of rows or columns of a box, and therefore of bands or stacks.
    pub const MAX_BOX_SIDE: usize = Size::TwentyFive.box_rows();

    /// The numbers of rows and columns of a box of each size. Each puzzle needs them several times, and a table is
    /// faster than a `match` with eight arms.
    const BOXES: [[usize; 2]; Size::ALL.len()] = [[2, 2], [2, 3], [2, 4], [3, 3], [2, 5], [3, 4], [4, 4], [5, 5]];

    /// The number of rows of a box.
    pub const fn box_rows(self) -> usize {
        Size::BOXES[self.index()][0]
    }

    /// The number of columns of a box.
    pub const fn box_columns(self) -> usize {
        Size::BOXES[self.index()][1]
    }

    /// The number of bands, which are rows of boxes.
    pub const fn bands(self) -> usize {
        self.box_columns()
    }

    /// The number of stacks, which are columns of boxes.
    pub const fn stacks(self) -> usize {
        self.box_rows()
    }

    /// Whether a box has as many rows as columns. Only then is a transposed grid a grid.
    pub const fn has_square_boxes(self) -> bool {
        self.box_rows() == self.box_columns()
    }

    /// The number of rows, and of columns, boxes and digits.
    #[inline]
    pub const fn side(self) -> usize {
        let [rows, columns] = Size::BOXES[self.index()];
        rows * columns
    }

    /// The number of cells.
    #[inline]
    pub const fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// The index of this size in [`Size::ALL`], for tables with an entry for each size.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
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

/// A number for each size, as a list in messages: `4, 6, 8 or 9`.
pub(crate) struct ForEachSize(pub(crate) fn(Size) -> usize);

impl fmt::Display for ForEachSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, others @ .., last] = Size::ALL.map(self.0);
        write!(f, "{first}")?;
        others.iter().try_for_each(|number| write!(f, ", {number}"))?;
        write!(f, " or {last}")
    }
}

/// Prints the shape of the boxes: `3`, or `2x3` if they are not square.
pub(crate) struct BoxShape(pub(crate) Size);

impl fmt::Display for BoxShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BoxShape(size) = *self;
        write!(f, "{}", size.box_rows())?;
        if size.has_square_boxes() { Ok(()) } else { write!(f, "x{}", size.box_columns()) }
    }
}

/// Prints a size, with the shape of its boxes if they are not square: `6x6 (boxes of 2x3)`.
pub(crate) struct SizeWithBoxes<'a>(pub(crate) &'a Size);

impl fmt::Display for SizeWithBoxes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SizeWithBoxes(size) = *self;
        write!(f, "{size}")?;
        if size.has_square_boxes() { Ok(()) } else { write!(f, " (boxes of {})", BoxShape(*size)) }
    }
}

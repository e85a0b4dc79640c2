//! The dancing links engine: Knuth's algorithm X on the exact cover matrix of Sudoku.
//!
//! After Donald E. Knuth, "Dancing Links", Millennial Perspectives in Computer Science, 2000, arXiv:cs/0011047. It
//! shares no code with the other engines, so that each can check the results of another.
//!
//! A row of the matrix stands for one digit in one cell. It covers four columns: the cell has a digit; its row, its
//! column and its box have that digit. A solution is a set of rows that covers each of the `4 * side * side` columns once:
//!
//! ```text
//!              cell      row, digit   column, digit   box, digit
//! r1c1 = 1   1 0 0 ...    1 0 0 ...      1 0 0 ...     1 0 0 ...
//! r1c1 = 2   1 0 0 ...    0 1 0 ...      0 1 0 ...     0 1 0 ...
//! r1c2 = 1   0 1 0 ...    1 0 0 ...      0 0 ... 1     1 0 0 ...
//! ```
//!
//! The rows of clues are chosen in advance: the columns that they cover, and the rows that conflict with them, are left
//! out when the matrix is built. The four ones of a row are adjacent in memory and start at a multiple of four, so a
//! row needs no links. Columns that shrink to one row while others are covered are recorded, so that the list of
//! columns is searched for the smallest only before a guess.

use std::ops::ControlFlow;

use super::{Bounds, Engine, SearchEnd, Verdicts, solve_each};
use crate::puzzle::{Batch, Geometry, Size};

/// The dancing links engine, for all sizes. See the [module](self).
#[derive(Debug)]
pub struct Dlx {
    /// First the headers of the columns, then the rows. The array has as many elements as an index has values: without
    /// bounds checks the search takes a tenth less time.
    nodes: Box<[DlxNode; 1 << 16]>,
    /// The header of each column. The first, number [`ROOT`], is the head of the list of open columns.
    headers: Box<[ColumnHeader; 1 << 12]>,
    /// The cell and the digit of each row of the matrix.
    rows: Vec<(u16, u8)>,
    /// All open columns with a single row, and some that have been covered since.
    forced: Vec<u16>,
    /// All open columns without a row, and some that have been covered since.
    empty: Vec<u16>,
    /// The clues, and the last digit of each other cell.
    grid: [u8; Size::MAX_CELLS],
    branches: u64,
}

/// A one in the matrix or, if its index is the number of a column, the head of the column's list of ones.
#[derive(Clone, Copy, Debug, Default)]
struct DlxNode {
    up: u16,
    down: u16,
    column: u16,
}

/// A column in the list of open columns.
#[derive(Clone, Copy, Debug, Default)]
struct ColumnHeader {
    left: u16,
    right: u16,
    /// The number of rows that are left.
    size: u16,
}

/// The root of the circular list of open columns.
const ROOT: u16 = 0;

// The largest size, 25x25, needs 1 + 4 * 625 headers, then 625 * 25 rows of 4 nodes.
const _: () = assert!(4 * (Size::MAX_CELLS + 1) + 4 * Size::MAX_CELLS * Size::MAX_SIDE <= 1 << 16);
const _: () = assert!(4 * Size::MAX_CELLS < 1 << 12);

impl Dlx {
    /// An engine with its scratch memory.
    pub fn new() -> Dlx {
        Dlx {
            nodes: arena(),
            headers: arena(),
            rows: Vec::new(),
            forced: Vec::new(),
            empty: Vec::new(),
            grid: [0; Size::MAX_CELLS],
            branches: 0,
        }
    }

    /// Builds the matrix of a puzzle. Returns false if the clues conflict or a column has no row.
    fn build(&mut self, geometry: &Geometry, puzzle: &[u8]) -> bool {
        let (side, cells) = (geometry.size().side(), geometry.size().cells());
        let houses = |cell| [geometry.row(cell), geometry.column(cell), geometry.box_of(cell)];

        let mut taken = [[0u32; Size::MAX_SIDE]; 3];
        for (cell, &value) in puzzle.iter().enumerate().filter(|&(_, &value)| value != 0) {
            for (kind, house) in houses(cell).into_iter().enumerate() {
                let digit = 1 << (value - 1);
                if taken[kind][house] & digit != 0 {
                    return false;
                }
                taken[kind][house] |= digit;
            }
        }

        // Open only the columns that no clue covers.
        self.headers[usize::from(ROOT)] = ColumnHeader::default();
        for (cell, _) in puzzle.iter().enumerate().filter(|&(_, &value)| value == 0) {
            self.open_column(1 + cell);
        }
        for (kind, house) in (0..3).flat_map(|kind| (0..side).map(move |house| (kind, house))) {
            for digit in (0..side).filter(|digit| taken[kind][house] >> digit & 1 == 0) {
                self.open_column(1 + (1 + kind) * cells + house * side + digit);
            }
        }

        // Add only the rows that no clue excludes.
        self.rows.clear();
        self.forced.clear();
        self.empty.clear();
        let first = 4 * (cells + 1);
        for (cell, _) in puzzle.iter().enumerate().filter(|&(_, &value)| value == 0) {
            let [row, column, box_] = houses(cell);
            let settled = taken[0][row] | taken[1][column] | taken[2][box_];
            for digit in (0..side).filter(|&digit| settled >> digit & 1 == 0) {
                let node = first + 4 * self.rows.len();
                self.rows.push((cell as u16, digit as u8 + 1));
                self.add_to_column(node, 1 + cell);
                for (kind, house) in houses(cell).into_iter().enumerate() {
                    self.add_to_column(node + 1 + kind, 1 + (1 + kind) * cells + house * side + digit);
                }
            }
        }

        let mut column = self.header(ROOT).right;
        while column != ROOT {
            self.record_size(column);
            column = self.header(column).right;
        }
        self.empty.is_empty()
    }

    /// Appends a column without rows to the list.
    fn open_column(&mut self, column: usize) {
        let (column, last) = (column as u16, self.header(ROOT).left);
        self.nodes[usize::from(column)] = DlxNode { up: column, down: column, column };
        *self.header(column) = ColumnHeader { left: last, right: ROOT, size: 0 };
        self.header(last).right = column;
        self.header(ROOT).left = column;
    }

    /// Appends a node to an open column.
    fn add_to_column(&mut self, node: usize, column: usize) {
        let (node, column) = (node as u16, column as u16);
        let last = self.node(column).up;
        self.nodes[usize::from(node)] = DlxNode { up: last, down: column, column };
        self.nodes[usize::from(last)].down = node;
        self.nodes[usize::from(column)].up = node;
        self.header(column).size += 1;
    }

    /// Searches the tree below the current state, until `found` breaks or a bound is reached.
    fn search(
        &mut self,
        cells: usize,
        bounds: Bounds<'_>,
        found: &mut impl FnMut(&[u8]) -> ControlFlow<SearchEnd>,
    ) -> ControlFlow<SearchEnd> {
        if self.header(ROOT).right == ROOT {
            return found(&self.grid[..cells]);
        }

        // Try every row of the column in turn.
        let column = self.smallest_column();
        self.cover(column);
        let mut node = self.node(column).down;
        loop {
            let (cell, digit) = self.rows[usize::from(node) / 4 - (cells + 1)];
            self.grid[usize::from(cell)] = digit;

            // A row starts at a multiple of four, so this visits its other three nodes.
            for other in 1..4 {
                self.cover(self.node(node ^ other).column);
            }

            if !self.is_dead() {
                self.search(cells, bounds, found)?;
            }

            // Uncovering is exact only in reverse order.
            for other in (1..4).rev() {
                self.uncover(self.node(node ^ other).column);
            }
            self.forced.clear();

            node = self.node(node).down;
            if node == column {
                break;
            }

            self.branches += 1;
            if bounds.is_exceeded_by(self.branches) || bounds.is_stopped() {
                return ControlFlow::Break(SearchEnd::GaveUp);
            }
        }

        self.uncover(column);
        ControlFlow::Continue(())
    }

    /// The open column with the fewest rows. There must be an open column, and each must have a row.
    fn smallest_column(&mut self) -> u16 {
        while let Some(column) = self.forced.pop() {
            if self.is_open(column) {
                return column;
            }
        }

        let mut best = self.header(ROOT).right;
        let mut column = best;
        // Two rows are the best that is left: columns of one row are in `forced`, and an empty column ends the branch.
        while column != ROOT && self.header(best).size > 2 {
            if self.header(column).size < self.header(best).size {
                best = column;
            }
            column = self.header(column).right;
        }
        best
    }

    /// Whether an open column has lost all its rows.
    fn is_dead(&mut self) -> bool {
        // Most of the empty columns are covered by the row that was just chosen.
        while let Some(column) = self.empty.pop() {
            if self.is_open(column) {
                self.empty.clear();
                return true;
            }
        }
        false
    }

    /// Whether a column is in the list: the neighbours of a removed column do not link to it.
    fn is_open(&mut self, column: u16) -> bool {
        let left = self.header(column).left;
        self.header(left).right == column
    }

    /// Records a column that has one row or none.
    fn record_size(&mut self, column: u16) {
        match self.header(column).size {
            0 => self.empty.push(column),
            1 => self.forced.push(column),
            _ => {}
        }
    }

    /// Removes a column from the list, and its rows from the other columns.
    fn cover(&mut self, column: u16) {
        let ColumnHeader { left, right, .. } = *self.header(column);
        self.header(left).right = right;
        self.header(right).left = left;
        let mut row = self.node(column).down;
        while row != column {
            for other in 1..4 {
                let DlxNode { up, down, column } = self.node(row ^ other);
                self.nodes[usize::from(up)].down = down;
                self.nodes[usize::from(down)].up = up;
                self.header(column).size -= 1;
                self.record_size(column);
            }
            row = self.node(row).down;
        }
    }

    /// Undoes [`Dlx::cover`], in reverse order.
    fn uncover(&mut self, column: u16) {
        let mut row = self.node(column).up;
        while row != column {
            for other in (1..4).rev() {
                let node = row ^ other;
                let DlxNode { up, down, column } = self.node(node);
                self.nodes[usize::from(up)].down = node;
                self.nodes[usize::from(down)].up = node;
                self.header(column).size += 1;
            }
            row = self.node(row).up;
        }
        let ColumnHeader { left, right, .. } = *self.header(column);
        self.header(left).right = column;
        self.header(right).left = column;
    }

    fn node(&self, index: u16) -> DlxNode {
        self.nodes[usize::from(index)]
    }

    fn header(&mut self, column: u16) -> &mut ColumnHeader {
        // Columns are below 4,096 for all sizes. The remainder saves the check of the index.
        &mut self.headers[usize::from(column) % (1 << 12)]
    }
}

impl Default for Dlx {
    fn default() -> Dlx {
        Dlx::new()
    }
}

impl Engine for Dlx {
    fn solve(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        let geometry = Geometry::of(batch.size());
        solve_each(batch, bounds, verdicts, |puzzle, counter| {
            self.branches = 0;
            self.grid[..puzzle.len()].copy_from_slice(puzzle);
            if !self.build(geometry, puzzle) {
                return (SearchEnd::Complete, 0);
            }
            let end = self.search(puzzle.len(), bounds, &mut |solution| counter.count(solution));
            (end.break_value().unwrap_or_default(), self.branches)
        });
    }
}

/// Allocates an array on the heap without a copy on the stack.
#[expect(clippy::unnecessary_box_returns, reason = "the array is too large for the stack")]
fn arena<T: Clone + Default, const LENGTH: usize>() -> Box<[T; LENGTH]> {
    vec![T::default(); LENGTH].into_boxed_slice().try_into().ok().expect("the length is the same")
}

//! Draws 4x4 and 6x6 grids, each with exactly the same probability, from a list.
//!
//! The list has all grids whose first row has the digits in order, whose bands but the first have their rows in the order of
//! their first digits, and are in that order as well: 6 of the 288 4x4 grids, 4,896 of the 28,200,960 6x6 grids. Renaming digits
//! and exchanging rows and bands makes equally many grids of each of them.

use std::sync::LazyLock;

use rand_xoshiro::rand_core::Rng;

use crate::puzzle::random::below;
use crate::puzzle::{Geometry, Size};

/// The grids that stand for all grids of a size.
#[derive(Debug)]
pub(super) struct SmallGrids {
    size: Size,
    /// One after another.
    cells: Vec<u8>,
}

impl SmallGrids {
    /// The grids of 4x4 or 6x6, listed by the first call.
    pub(super) fn get(size: Size) -> &'static SmallGrids {
        static FOUR: LazyLock<SmallGrids> = LazyLock::new(|| SmallGrids::list(Size::Four));
        static SIX: LazyLock<SmallGrids> = LazyLock::new(|| SmallGrids::list(Size::Six));
        if size == Size::Four { &FOUR } else { &SIX }
    }

    /// Writes one of the grids.
    pub(super) fn fill(&self, rng: &mut impl Rng, grid: &mut [u8]) {
        let cells = self.size.cells();
        grid.copy_from_slice(&self.cells[below(rng, self.cells.len() / cells) * cells..][..cells]);
    }

    #[cfg(test)]
    pub(super) fn grids(&self) -> impl Iterator<Item = &[u8]> {
        self.cells.chunks_exact(self.size.cells())
    }

    fn list(size: Size) -> SmallGrids {
        let mut grid = vec![0; size.cells()];
        (1..).zip(&mut grid[..size.side()]).for_each(|(digit, cell)| *cell = digit);
        let mut grids = SmallGrids { size, cells: vec![] };
        grids.add_completions(&mut grid, size.side());
        grids
    }

    /// Adds the completions of a grid that is filled up to a cell.
    fn add_completions(&mut self, grid: &mut [u8], cell: usize) {
        if cell == grid.len() {
            return self.cells.extend_from_slice(grid);
        }

        let (size, geometry) = (self.size, Geometry::of(self.size));
        let row = geometry.row(cell);
        let lines_before = if row % size.box_rows() > 0 { 1 } else { size.box_rows() };
        let is_ordered = cell.is_multiple_of(size.side()) && row > size.box_rows();
        let least = if is_ordered { grid[cell - lines_before * size.side()] } else { 0 };
        for digit in least + 1..=size.side() as u8 {
            if geometry.peers(cell).iter().all(|&peer| grid[usize::from(peer)] != digit) {
                grid[cell] = digit;
                self.add_completions(grid, cell + 1);
            }
        }
        grid[cell] = 0;
    }
}

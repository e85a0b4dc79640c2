//! Finds the smallest isomorph of a solved grid with two stacks, 4x4 or 6x6, and all isomorphisms that lead to it.
//!
//! Two rows are a band. Any row can become the first row of the isomorph (in 4x4 any column too, by transposition), and
//! either stack the first stack, with its columns in any order. The first row gives the digits their names. That
//! determines the order of the second stack: its upper row has the digits of the lower row in the first stack, so in
//! the smallest isomorph they ascend.
//!
//! ```text
//!     1 2 3 | 4 5 6     gives the digits their names
//!     4 5 6 | 2 3 1     the first half is the same in all candidates: 72 of 6x6, 32 of 4x4
//!     ------+------
//!     2 . . | . . .     the other rows are in the order of their first digits
//! ```
//!
//! The candidates are compared row by row. The remaining ones differ by automorphisms of the original, so there are as
//! many as automorphisms.

use std::array;

use super::line_isomorph::{LineIsomorph, keep_smallest};
use super::lines::orders;

/// The search for the smallest isomorph, with its scratch memory.
#[derive(Debug)]
pub(super) struct TwoStacks<const SIDE: usize> {
    ways: Vec<LineIsomorph<SIDE>>,
}

impl<const SIDE: usize> Default for TwoStacks<SIDE> {
    fn default() -> TwoStacks<SIDE> {
        TwoStacks { ways: Vec::new() }
    }
}

impl<const SIDE: usize> TwoStacks<SIDE> {
    /// The columns of a stack, and the number of bands.
    const HALF: usize = SIDE / 2;

    /// Whether boxes are square, so that a transposed grid is a grid.
    const IS_SQUARE: bool = Self::HALF == 2;

    /// Finds all isomorphisms that lead to the smallest isomorph of a solved grid.
    pub(super) fn search<const CELLS: usize>(&mut self, grid: &[u8; CELLS]) -> &[LineIsomorph<SIDE>] {
        self.ways.clear();
        let mut smallest = [u8::MAX; SIDE];
        let (by_row, by_column) = (array::from_fn(|row| (SIDE * row) as u8), array::from_fn(|column| column as u8));
        let reflected = Self::IS_SQUARE.then_some((by_column, by_row));
        for (rows, columns) in [(by_row, by_column)].into_iter().chain(reflected) {
            for first in 0..SIDE {
                // Two rows are a band, so the last bit of a row selects one of them.
                self.add_ways(grid, [rows[first], rows[first ^ 1]], rows, columns, &mut smallest);
            }
        }
        keep_smallest(&mut self.ways, grid, 2);
        &self.ways
    }

    /// Adds the isomorphisms that start with these two rows, unless their second row is larger than the smallest so
    /// far.
    fn add_ways<const CELLS: usize>(
        &mut self,
        grid: &[u8; CELLS],
        [upper, lower]: [u8; 2],
        rows: [u8; SIDE],
        columns: [u8; SIDE],
        smallest: &mut [u8; SIDE],
    ) {
        let digit = |row: u8, column: u8| usize::from(grid[usize::from(row + column)] & 15);
        let mut places = [0; 16];
        for column in columns {
            places[digit(upper, column)] = column;
        }

        for stack in [0, Self::HALF] {
            for order in orders(Self::HALF) {
                let mut ordered = [0; SIDE];
                for (place, column) in order.into_iter().take(Self::HALF).enumerate() {
                    ordered[place] = columns[stack + usize::from(column)];
                    ordered[Self::HALF + place] = places[digit(lower, ordered[place])];
                }

                let mut names = [0; 16];
                for (name, &column) in (1..).zip(&ordered) {
                    names[digit(upper, column)] = name;
                }
                let second = ordered.map(|column| names[digit(lower, column)]);
                if second > *smallest {
                    continue;
                }
                if second < *smallest {
                    *smallest = second;
                    self.ways.clear();
                }
                let rows = sorted_rows(rows, |row| names[digit(row, ordered[0])]);
                self.ways.push(LineIsomorph { rows, columns: ordered, names });
            }
        }
    }
}

/// The rows in the order of their first digits: within each band ascending, and the bands in the order of their first
/// rows.
fn sorted_rows<const SIDE: usize>(rows: [u8; SIDE], first: impl Fn(u8) -> u8) -> [u8; SIDE] {
    let mut keys = rows.map(|row| (first(row), row));
    let (bands, _) = keys.as_chunks_mut::<2>();
    for band in &mut *bands {
        band.sort_unstable();
    }
    bands.sort_unstable();
    keys.map(|(_, row)| row)
}

//! Finds the smallest isomorph of a solved grid, and all isomorphisms that lead to it.
//!
//! Any of the six bands and stacks can become the first band of the isomorph (a stack by reflection), any of its rows
//! the first row and any other the second: 36 pairs of rows. The first row becomes 123456789; a table in
//! [`pairs`](super::pairs) has the smallest second and third rows, and the orders of the columns that lead to them. Only
//! isomorphisms with the smallest band can lead to the smallest grid: a handful for most grids.
//!
//! The first row and the order of the columns determine the rest. The names of the digits follow from the first row, and
//! the other rows are in the order of their first digits: the rows of each band ascending, and the band that has the 2
//! there before the other. So the candidates are compared row by row.
//!
//! ```text
//!     1 2 3 | 4 5 6 | 7 8 9     gives the digits their names
//!     4 5 7 | 1 8 9 | 2 3 6     the smallest for its pair of rows: from a table
//!     6 8 9 | 2 3 7 | 1 5 4     the smallest after the second row: from a table
//!     ------+-------+------
//!     2 . . | . . . | . . .     isomorphisms with the smallest fourth row,
//!     3 . . | . . . | . . .     among them those with the smallest fifth row, and so on:
//!       ...                     mostly only one is left here
//! ```
//!
//! Isomorphisms that lead to the same smallest grid differ by an automorphism of the original, so there are as many of
//! them as automorphisms.

use std::array;

use super::lines::{PackedLine, PackedLines, line};
use super::pairs::{PairColumns, Pairs, Third, invert};
use crate::puzzle::Grid;

/// An isomorphism of 9x9 grids, in a form that is fast to apply row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineIsomorph {
    /// The value of row `r` and column `c` comes from cell `rows[r] + columns[c]`. One of the two is a multiple of 9: the
    /// column if the grid is reflected, otherwise the row.
    rows: [u8; 9],
    columns: [u8; 9],
    names: DigitNames,
}

/// The new name of each digit; a blank, 0, stays a blank.
type DigitNames = [u8; 10];

impl LineIsomorph {
    /// Row number `row` of the isomorph of a grid.
    pub(super) fn line(&self, grid: &Grid, row: usize) -> PackedLine {
        let cell = |column: u8| usize::from(self.rows[row] + column);
        line(self.columns.map(|column| self.names[usize::from(grid[cell(column)])]))
    }
}

/// The search for the smallest isomorph, with its scratch memory.
#[derive(Debug, Default)]
pub(super) struct Minlex {
    starts: Vec<StartRows>,
    ways: Vec<LineIsomorph>,
}

/// Rows of a band that can become the smallest first band.
#[derive(Clone, Copy, Debug)]
struct StartRows {
    reflected: bool,
    upper: usize,
    /// A column order that makes the second row the smallest, and then the smallest third row.
    order: PairColumns,
    third: Third,
}

impl Minlex {
    /// Finds the lines of the smallest isomorph of a solved grid and all isomorphisms that lead to it.
    pub(super) fn search(&mut self, grid: &Grid) -> (PackedLines, &[LineIsomorph]) {
        let pairs = Pairs::get();
        let views = GridView::both(grid);
        let rank = self.find_starts(pairs, &views);
        self.ways.clear();
        for start in &self.starts {
            let view = &views[usize::from(start.reflected)];
            let orders = pairs.ways(rank, &start.order, start.third);
            self.ways.extend(orders.map(|columns| view.isomorph(start.upper, columns)));
        }
        let lines = array::from_fn(|row| self.keep_smallest(grid, row));
        (lines, &self.ways)
    }

    /// Finds all rows that can become the smallest three, and returns the rank of the first two of them.
    fn find_starts(&mut self, pairs: &Pairs, views: &[GridView; 2]) -> u8 {
        // The pairs of rows of all bands, in one of two orders, and the third row of the band.
        const PAIRS: [[usize; 3]; 9] =
            [[0, 1, 2], [0, 2, 1], [1, 2, 0], [3, 4, 5], [3, 5, 4], [4, 5, 3], [6, 7, 8], [6, 8, 7], [7, 8, 6]];
        let ranks = views.each_ref().map(|view| {
            PAIRS.map(|[upper, lower, _]| {
                let rank = pairs.rank(view.step_index(pairs, upper, lower));
                [rank, pairs.inverse(rank)]
            })
        });
        let lowest = ranks.as_flattened().as_flattened().iter().fold(u8::MAX, |lowest, &rank| lowest.min(rank));

        self.starts.clear();
        let mut smallest = u8::MAX;
        for (view, ranks) in views.iter().zip(&ranks) {
            for (&[upper, lower, left], ranks) in PAIRS.iter().zip(ranks) {
                for (upper, lower, rank) in [(upper, lower, ranks[0]), (lower, upper, ranks[1])] {
                    if rank != lowest {
                        continue;
                    }
                    let order = *pairs.order(view.step_index(pairs, upper, lower));
                    let third = view.third(pairs, rank, &order, upper, left);
                    if third.smallest < smallest {
                        smallest = third.smallest;
                        self.starts.clear();
                    }
                    if third.smallest == smallest {
                        self.starts.push(StartRows { reflected: view.reflected, upper, order, third });
                    }
                }
            }
        }
        lowest
    }

    /// Keeps the isomorphisms that make row number `row` the smallest, and returns the row. The rows before it are equal.
    fn keep_smallest(&mut self, grid: &Grid, row: usize) -> PackedLine {
        if row < 3 || self.ways.len() == 1 {
            return self.ways[0].line(grid, row);
        }
        let mut smallest = PackedLine::MAX;
        let mut kept = 0;
        for n in 0..self.ways.len() {
            let line = self.ways[n].line(grid, row);
            if line < smallest {
                smallest = line;
                kept = 0;
            }
            if line == smallest {
                self.ways[kept] = self.ways[n];
                kept += 1;
            }
        }
        self.ways.truncate(kept);
        smallest
    }
}

/// A solved grid or its reflection.
struct GridView {
    reflected: bool,
    rows: [[u8; 9]; 9],
    /// The column of each digit in each row.
    places: [[u8; 10]; 9],
}

impl GridView {
    /// A grid and its reflection.
    fn both(grid: &Grid) -> [GridView; 2] {
        let mut views = [false, true].map(|reflected| GridView { reflected, rows: [[0; 9]; 9], places: [[0; 10]; 9] });
        for (row, digits) in grid.chunks_exact(9).enumerate() {
            for (column, &digit) in digits.iter().enumerate() {
                views[0].rows[row][column] = digit;
                views[0].places[row][usize::from(digit)] = column as u8;
                views[1].rows[column][row] = digit;
                views[1].places[column][usize::from(digit)] = row as u8;
            }
        }
        views
    }

    /// The index of the step of a pair of rows.
    fn step_index(&self, pairs: &Pairs, upper: usize, lower: usize) -> usize {
        let (lower, places) = (&self.rows[lower], &self.places[upper]);
        pairs.index(|column| places[usize::from(lower[column])].into())
    }

    /// The smallest third row that the row `left` can become after a column order.
    fn third(&self, pairs: &Pairs, rank: u8, order: &PairColumns, upper: usize, left: usize) -> Third {
        let new_places = invert(order);
        let (left, places) = (&self.rows[left], &self.places[upper]);
        pairs.third(rank, |column| {
            let digit = left[usize::from(order[column])];
            new_places[usize::from(places[usize::from(digit)])].into()
        })
    }

    /// The isomorphism with this first row and this order of the columns.
    fn isomorph(&self, first: usize, columns: PairColumns) -> LineIsomorph {
        let mut names = [0; 10];
        for (name, &column) in (1..).zip(&columns) {
            names[usize::from(self.rows[first][usize::from(column)])] = name;
        }
        let mut by_first_digit = [0; 9];
        for (row, digits) in self.rows.iter().enumerate() {
            by_first_digit[usize::from(names[usize::from(digits[usize::from(columns[0])])]) - 1] = row;
        }
        let (first, second) = (first / 3, by_first_digit[1] / 3);
        let mut next = [6; 3];
        next[first] = 0;
        next[second] = 3;
        let mut rows = [0; 9];
        for row in by_first_digit {
            rows[next[row / 3]] = row as u8;
            next[row / 3] += 1;
        }
        if self.reflected {
            LineIsomorph { rows, columns: columns.map(|column| 9 * column), names }
        } else {
            LineIsomorph { rows: rows.map(|row| 9 * row), columns, names }
        }
    }
}

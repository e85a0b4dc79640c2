//! The smallest isomorph of a solved grid, and all ways to get there.
//!
//! Any of the six bands and stacks can become the first band of the isomorph (a stack by reflection), any of its rows
//! the first row and any other the second: 36 pairs of rows. The first row will read 123456789; how small the second
//! and the third can get, and by which orders of the columns, is looked up in [`pairs`](super::pairs). Only what gives
//! the smallest band can lead to the smallest grid: a handful of ways for most grids.
//!
//! With the first row and the order of the columns known, nothing is left to choose. The names of the digits follow
//! from the first row, and the other rows stand in the order of their first digits: the rows of each band ascending,
//! and the band that has the 2 there before the other. So the ways are compared row by row.
//!
//! ```text
//!     1 2 3 | 4 5 6 | 7 8 9     gives the digits their names
//!     4 5 7 | 1 8 9 | 2 3 6     as small as its pair gets: by table
//!     6 8 9 | 2 3 7 | 1 5 4     as small as it gets under the second: by table
//!     ------+-------+------
//!     2 . . | . . . | . . .     the ways with the smallest fourth row,
//!     3 . . | . . . | . . .     among them those with the smallest fifth row, and so on:
//!       ...                     mostly there is only one left now
//! ```
//!
//! Ways that tie to the end differ by an automorphism of the grid, so there are as many ways as automorphisms.

use std::array;

use super::lines::{Line, Lines, line};
use super::pairs::{PairColumns, Pairs, Third, invert};
use crate::puzzle::Grid;

/// One way to make a grid, or a puzzle on it, into an isomorph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The cell that comes to row `r` and column `c` is `rows[r] + columns[c]`: one of them is a multiple of 9, the
    /// columns if the grid is reflected.
    rows: [u8; 9],
    columns: [u8; 9],
    names: DigitNames,
}

/// What each digit is called in the isomorph; a blank stays a blank.
type DigitNames = [u8; 10];

impl Way {
    /// A line of the isomorph of a grid.
    pub(super) fn line(&self, grid: &Grid, row: usize) -> Line {
        let cell = |column: u8| usize::from(self.rows[row] + column);
        line(self.columns.map(|column| self.names[usize::from(grid[cell(column)])]))
    }
}

/// The search for the smallest isomorph, with its scratch memory.
#[derive(Debug, Default)]
pub(super) struct Minlex {
    starts: Vec<StartRows>,
    ways: Vec<Way>,
}

/// Three rows that can make the smallest first band.
#[derive(Clone, Copy, Debug)]
struct StartRows {
    reflected: bool,
    upper: usize,
    /// A column order that makes the second row the smallest, and what can be done for the third after it.
    order: PairColumns,
    third: Third,
}

impl Minlex {
    /// Finds the lines of the smallest isomorph of a solved grid and all ways that lead to it.
    pub(super) fn search(&mut self, grid: &Grid) -> (Lines, &[Way]) {
        let pairs = Pairs::get();
        let views = GridView::both(grid);
        let rank = self.find_starts(pairs, &views);
        self.ways.clear();
        for start in &self.starts {
            let view = &views[usize::from(start.reflected)];
            let orders = pairs.ways(rank, &start.order, start.third);
            self.ways.extend(orders.map(|columns| view.way(start.upper, columns)));
        }
        let lines = array::from_fn(|row| self.keep_smallest(grid, row));
        (lines, &self.ways)
    }

    /// Finds all rows that can become the smallest first three, and returns the rank of the first two.
    fn find_starts(&mut self, pairs: &Pairs, views: &[GridView; 2]) -> u8 {
        // The pairs of rows of all bands, one way up, and the row of the band that each leaves.
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

    /// Keeps the ways that make a row the smallest, those before being equal, and returns the row.
    fn keep_smallest(&mut self, grid: &Grid, row: usize) -> Line {
        if row < 3 || self.ways.len() == 1 {
            return self.ways[0].line(grid, row);
        }
        let mut smallest = Line::MAX;
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
    /// In which column each row has each digit.
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

    /// What can be made of the row that is left of a band when the columns stand in an order.
    fn third(&self, pairs: &Pairs, rank: u8, order: &PairColumns, upper: usize, left: usize) -> Third {
        let new_places = invert(order);
        let (left, places) = (&self.rows[left], &self.places[upper]);
        pairs.third(rank, |column| {
            let digit = left[usize::from(order[column])];
            new_places[usize::from(places[usize::from(digit)])].into()
        })
    }

    /// The way with this first row and this order of the columns.
    fn way(&self, first: usize, columns: PairColumns) -> Way {
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
            Way { rows, columns: columns.map(|column| 9 * column), names }
        } else {
            Way { rows: rows.map(|row| 9 * row), columns, names }
        }
    }
}

//! Finds the smallest isomorph of a solved 9x9 grid, and all isomorphisms that lead to it.
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

use wide::u8x16;

use super::bands::{BAND_STARTS, band_steps, both_ways};
use super::line_isomorph::{LineIsomorph, PaddedCells, ROOM, keep_smallest};
use super::pairs::{PairColumns, Pairs, Reflection, StepIndex, Third};
use crate::puzzle::{Grid, members};

/// The search for the smallest isomorph, with its scratch memory.
#[derive(Debug)]
pub(super) struct Minlex {
    starts: [StartRows; STARTS],
    /// The columns of digits in two rows of a band, see [`band_steps`].
    places: [[u8; 256]; 2],
    ways: Vec<LineIsomorph<9>>,
}

/// Two rows of a band, and the possible third rows.
#[derive(Clone, Copy, Debug, Default)]
struct StartRows {
    band: u8,
    upper: u8,
    /// The step of the two rows.
    step: StepIndex,
    third: Third,
}

/// The bands of a grid and of its reflection.
const BANDS: usize = 6;

/// The largest number of starts: six for each band.
const STARTS: usize = 6 * BANDS;

impl Default for Minlex {
    fn default() -> Minlex {
        Minlex { starts: [StartRows::default(); STARTS], places: [[0; 256]; 2], ways: Vec::new() }
    }
}

impl Minlex {
    /// Finds all isomorphisms that lead to the smallest isomorph of a solved grid.
    pub(super) fn search(&mut self, grid: &Grid) -> &[LineIsomorph<9>] {
        let pairs = Pairs::get();
        let (rank, starts) = self.find_starts(pairs, grid);

        let cells = PaddedCells::new(grid);
        self.ways.clear();
        for start in members(starts) {
            let start = &self.starts[start % STARTS];
            let reflection = if start.band < 3 { Reflection::No } else { Reflection::Yes };
            let first = start.band % 3 * 3 + start.upper;
            let orders = pairs.ways(rank, start.step, start.third, reflection);
            self.ways.extend(orders.map(|columns| isomorph(&cells, reflection, first, columns)));
        }

        // All isomorphisms give the same first three rows: the remaining rows decide.
        keep_smallest(&mut self.ways, grid, 3);
        &self.ways
    }

    /// Finds all rows that can become the smallest three. Returns the rank of the first two of them, and the numbers of the
    /// starts, as bits.
    // Not inlined, like the other parts of the search: together they have more values than there are registers.
    #[inline(never)]
    fn find_starts(&mut self, pairs: &Pairs, grid: &Grid) -> (u8, u64) {
        let mut steps = [[0; 3]; BANDS];
        for band in 0..3 {
            steps[band] = band_steps::<9, 1>(pairs, &mut self.places, &grid[27 * band..]);
            steps[3 + band] = band_steps::<1, 9>(pairs, &mut self.places, &grid[3 * band..]);
        }

        // Only pairs of rows with the lowest rank can become the first two rows.
        let mut ranks = [u8::MAX; 32];
        for (rank, &step) in ranks.iter_mut().zip(steps.as_flattened()) {
            *rank = pairs.rank(step);
        }
        let lowest = ranks.iter().fold(u8::MAX, |lowest, &rank| lowest.min(rank));
        let found = equal(&ranks, lowest);

        // No branches on what is found: the processor could not predict them.
        let mut smallest = u8::MAX;
        let mut starts = 0;
        let mut count = 0;
        for n in members(found) {
            let band = n / 3 % BANDS;
            let steps = both_ways(pairs, steps[band]);
            for [upper, step, third] in BAND_STARTS[n % 3] {
                let step = steps[usize::from(step % 8)];
                let third = pairs.third(lowest, step, steps[usize::from(third % 8)]);
                self.starts[count % STARTS] = StartRows { band: band as u8, upper, step, third };
                starts = if third.smallest < smallest { 0 } else { starts };
                smallest = smallest.min(third.smallest);
                starts |= u64::from(third.smallest == smallest) << count;
                count += 1;
            }
        }
        (lowest, starts)
    }
}

/// The positions of a value, as bits.
fn equal(values: &[u8; 32], value: u8) -> u32 {
    let [low, high] = [0, 16].map(|start| {
        let values: [u8; 16] = array::from_fn(|n| values[start + n]);
        u8x16::from(values).simd_eq(u8x16::splat(value)).to_bitmask()
    });
    low | high << 16
}

/// The isomorphism with this first row and this order of the columns.
#[inline(never)]
fn isomorph(cells: &PaddedCells, reflection: Reflection, first: u8, columns: PairColumns) -> LineIsomorph<9> {
    const ROWS: [[u8; 9]; 2] = [[0, 9, 18, 27, 36, 45, 54, 63, 72], [0, 1, 2, 3, 4, 5, 6, 7, 8]];
    let rows = ROWS[reflection as usize];
    let mut names = [0; 16];
    let first = cells.after(rows[usize::from(first)]);
    for (name, &column) in (1..).zip(&columns) {
        names[usize::from(first[usize::from(column) % ROOM] & 15)] = name;
    }

    // The rows of each band in the order of their first digits, and the bands in the order of their first rows.
    let first_column = cells.after(columns[0]);
    let keys = rows.map(|row| {
        let name = names[usize::from(first_column[usize::from(row) % ROOM] & 15)];
        u64::from(name) << 8 | u64::from(row)
    });
    let bands = [0, 3, 6].map(|n| {
        let [first, second, third] = sorted([keys[n], keys[n + 1], keys[n + 2]]);
        first << 32 | second << 16 | third
    });
    let bands = sorted(bands);
    LineIsomorph { rows: array::from_fn(|row| (bands[row / 3] >> (32 - row % 3 * 16)) as u8), columns, names }
}

/// Three numbers in ascending order.
fn sorted([a, b, c]: [u64; 3]) -> [u64; 3] {
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}

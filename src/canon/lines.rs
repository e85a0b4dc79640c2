//! The rows and columns of a grid: rows packed into numbers that compare like the rows, and the orders in which nine rows
//! or columns can stand while bands and stacks stay together.

use std::array;

use crate::puzzle::Grid;

/// A row of nine cells, four bits each, the first cell in the highest bits: the smaller number is the smaller row.
pub(super) type PackedLine = u64;

/// The rows of a grid, from top to bottom. These arrays compare like the grids, row by row.
pub(super) type PackedLines = [PackedLine; 9];

/// Packs nine cells.
pub(super) fn line(cells: [u8; 9]) -> PackedLine {
    cells.into_iter().fold(0, |line, cell| line << 4 | PackedLine::from(cell))
}

/// Unpacks nine lines.
pub(super) fn grid(lines: &PackedLines) -> Grid {
    let mut grid = [0; 81];
    for (cells, line) in grid.chunks_exact_mut(9).zip(lines) {
        cells[0] = (line >> 32) as u8;
        cells[1..].copy_from_slice(&spread(*line as u32).to_be_bytes());
    }
    grid
}

/// Spreads groups of four bits to bytes.
fn spread(line: u32) -> u64 {
    let halves = (u64::from(line) | u64::from(line) << 16) & 0x0000_ffff_0000_ffff;
    let bytes = (halves | halves << 8) & 0x00ff_00ff_00ff_00ff;
    (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The number of orders: `6^4`, of the three bands and of the three lines in each.
pub(super) const LINE_ORDERS: usize = 6 * 6 * 6 * 6;

/// The orders of three things, the smallest first.
pub(super) const ORDERS_OF_THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Size number `index`, below [`LINE_ORDERS`], of nine rows or columns: the old line at each place.
///
/// The index is read as four digits of base 6: the order of the bands and the order within each.
pub(super) fn line_order(index: usize) -> [u8; 9] {
    let bands = ORDERS_OF_THREE[index / 216 % 6];
    let within = [index / 36, index / 6, index].map(|order| ORDERS_OF_THREE[order % 6]);
    array::from_fn(|place| 3 * bands[place / 3] + within[place / 3][place % 3])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn line_orders_are_all_different_and_keep_bands_together() {
        let orders: HashSet<[u8; 9]> = (0..LINE_ORDERS).map(line_order).collect();
        assert_eq!(orders.len(), LINE_ORDERS);
        assert_eq!(line_order(0), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        for order in orders {
            for band in order.chunks(3) {
                assert!(band.iter().all(|line| line / 3 == band[0] / 3), "{order:?}");
            }
        }
    }
}

//! The rows and columns of a grid: rows packed into numbers that compare like the rows, and the orders of nine rows or
//! columns that keep bands and stacks together.

use std::array;

use super::form::Form;
use crate::puzzle::Size;

/// A row of up to nine cells, four bits each, the last cell in the lowest bits: the smaller number is the smaller row.
pub(super) type PackedLine = u64;

/// The rows of a grid, from top to bottom. These arrays compare like the grids, row by row.
pub(super) type PackedLines<const SIDE: usize> = [PackedLine; SIDE];

/// Packs the cells of a row, nine at most.
pub(super) fn line<const SIDE: usize>(cells: [u8; SIDE]) -> PackedLine {
    cells.into_iter().fold(0, |line, cell| line << 4 | PackedLine::from(cell))
}

/// Unpacks the lines of a grid.
pub(super) fn form<const SIDE: usize>(size: Size, lines: &PackedLines<SIDE>) -> Form {
    let mut form = Form::new(size);
    for (cells, line) in form.rows_mut::<SIDE>().zip(lines) {
        let [upper, lower] = [(line >> 32) as u32, *line as u32].map(spread);
        let spread = (u128::from(upper) << 64 | u128::from(lower)).to_be_bytes();
        cells.copy_from_slice(&spread[16 - SIDE..]);
    }
    form
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

/// The orders of two or three things, the smallest first. With two things, the third place has a third.
pub(super) fn orders(things: usize) -> impl Iterator<Item = [u8; 3]> {
    let moves_only_things = move |order: &[u8; 3]| (things..3).all(|place| usize::from(order[place]) == place);
    ORDERS_OF_THREE.into_iter().filter(moves_only_things)
}

/// Order number `index`, below [`LINE_ORDERS`], of nine rows or columns: the old line at each place.
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
    fn lines_of_any_side_are_unpacked_as_they_were_packed() {
        fn check<const SIDE: usize>(size: Size) {
            let row = |row: usize| array::from_fn(|column| ((row + column) % (SIDE + 1)) as u8);
            let lines: PackedLines<SIDE> = array::from_fn(|number| line::<SIDE>(row(number)));
            let cells: Vec<u8> = (0..SIDE).flat_map(|number| row(number) as [u8; SIDE]).collect();
            assert_eq!(form(size, &lines)[..], cells);
        }
        check::<4>(Size::Four);
        check::<9>(Size::Nine);
    }

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

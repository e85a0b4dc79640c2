//! The orders in which nine rows or columns can stand while bands and stacks stay together.

use std::array;

/// The number of orders: `6^4`, of the three bands and of the three lines in each.
pub(super) const LINE_ORDERS: usize = 6 * 6 * 6 * 6;

/// The orders of three things, the smallest first.
pub(super) const ORDERS_OF_THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

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

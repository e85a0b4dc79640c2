//! The isomorphisms of 9x9 grids: what may be done to a puzzle without changing what it is.
//!
//! Rows may change places within their band, bands as wholes, columns within their stack, stacks as wholes; the grid
//! may be reflected about its main diagonal, and the digits may be renamed: `9! * 6^8 * 2` ways, a group. Canonical
//! forms are defined by it, and random isomorphs drawn from it.

use std::array;

use rand_xoshiro::rand_core::Rng;

use crate::puzzle::random::{below, shuffle};

/// A 9x9 grid, row by row: 0 is a blank, 1 to 9 are digits.
pub type Grid = [u8; 81];

/// One isomorphism: it takes a grid to another that is the same puzzle in another guise.
///
/// ```
/// use gridmill::puzzle::Transform;
/// use rand_xoshiro::Xoshiro256PlusPlus;
/// use rand_xoshiro::rand_core::SeedableRng;
///
/// let transform = Transform::random(&mut Xoshiro256PlusPlus::seed_from_u64(1));
/// let grid = std::array::from_fn(|cell| (cell % 10) as u8);
/// let isomorph = transform.apply(&grid);
/// assert_ne!(isomorph, grid);
/// assert_eq!(transform.inverse().apply(&isomorph), grid);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform {
    /// Where each cell of the result comes from.
    cells: [u8; 81],
    /// What each digit becomes; a blank stays a blank.
    digits: [u8; 10],
}

impl Transform {
    /// The transform that changes nothing.
    pub fn identity() -> Transform {
        Transform { cells: array::from_fn(|cell| cell as u8), digits: array::from_fn(|digit| digit as u8) }
    }

    /// A transform drawn from all of them, each as likely as any other.
    pub fn random(rng: &mut impl Rng) -> Transform {
        let rows = line_order(below(rng, LINE_ORDERS));
        let columns = line_order(below(rng, LINE_ORDERS));
        let reflected = below(rng, 2) == 1;
        let mut digits = Transform::identity().digits;
        shuffle(rng, &mut digits[1..]);
        let cells = array::from_fn(|cell| {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            if reflected { 9 * column + row } else { 9 * row + column }
        });
        Transform { cells, digits }
    }

    /// What the transform makes of a grid.
    ///
    /// # Panics
    ///
    /// If a value of the grid is above 9.
    pub fn apply(&self, grid: &Grid) -> Grid {
        self.cells.map(|source| self.digits[usize::from(grid[usize::from(source)])])
    }

    /// The transform that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Transform {
        let mut inverse = Transform::identity();
        for (target, &source) in self.cells.iter().enumerate() {
            inverse.cells[usize::from(source)] = target as u8;
        }
        for (digit, &name) in self.digits.iter().enumerate() {
            inverse.digits[usize::from(name)] = digit as u8;
        }
        inverse
    }

    /// The transform that does this one first, then `next`.
    #[must_use]
    pub fn then(&self, next: &Transform) -> Transform {
        Transform {
            cells: next.cells.map(|source| self.cells[usize::from(source)]),
            digits: self.digits.map(|name| next.digits[usize::from(name)]),
        }
    }
}

/// How many orders nine rows can stand in while bands stay together: `6^4`; the same for columns and stacks.
pub(crate) const LINE_ORDERS: usize = 6 * 6 * 6 * 6;

/// The orders of three things, the smallest first.
pub(crate) const ORDERS_OF_THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Order number `index` of nine rows or columns: which of the old lines stands at each place.
///
/// The index is read as four digits of base 6: the order of the bands and the order within each.
pub(crate) fn line_order(index: usize) -> [u8; 9] {
    let bands = ORDERS_OF_THREE[index / 216 % 6];
    let within = [index / 36, index / 6, index].map(|order| ORDERS_OF_THREE[order % 6]);
    array::from_fn(|place| 3 * bands[place / 3] + within[place / 3][place % 3])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::puzzle::{Geometry, Order};

    fn transforms() -> impl Strategy<Value = Transform> {
        any::<u64>().prop_map(|seed| Transform::random(&mut Xoshiro256PlusPlus::seed_from_u64(seed)))
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

    /// The first two cells come from any of the 81 with any of its four neighbours in the same row or column of a box.
    #[test]
    fn random_transforms_take_cells_and_digits_everywhere() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let drawn: Vec<Transform> = (0..5000).map(|_| Transform::random(&mut random)).collect();
        let cells: HashSet<[u8; 2]> = drawn.iter().map(|transform| [transform.cells[0], transform.cells[1]]).collect();
        let digits: HashSet<[u8; 2]> =
            drawn.iter().map(|transform| [transform.digits[1], transform.digits[2]]).collect();
        assert_eq!((cells.len(), digits.len()), (81 * 4, 9 * 8));
    }

    proptest! {
        #[test]
        fn houses_stay_houses(transform in transforms()) {
            let houses = |map: &dyn Fn(u16) -> u8| -> HashSet<Vec<u8>> {
                let sorted = |cells: &[u16]| {
                    let mut cells: Vec<u8> = cells.iter().map(|&cell| map(cell)).collect();
                    cells.sort_unstable();
                    cells
                };
                Geometry::of(Order::Three).houses().map(|(_, cells)| sorted(cells)).collect()
            };
            prop_assert_eq!(houses(&|cell| transform.cells[usize::from(cell)]), houses(&|cell| cell as u8));
        }

        #[test]
        fn transforms_are_a_group(
            a in transforms(), b in transforms(), c in transforms(), grid in prop::array::uniform32(0..10_u8),
        ) {
            let grid: Grid = array::from_fn(|cell| grid[cell * 7 % 32]);
            prop_assert_eq!(a.then(&b).apply(&grid), b.apply(&a.apply(&grid)));
            prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
            prop_assert_eq!(a.then(&a.inverse()), Transform::identity());
            prop_assert_eq!(a.inverse().then(&a), Transform::identity());
            prop_assert_eq!(a.then(&Transform::identity()), a);
        }
    }
}

//! Isomorphisms of grids of any size: the ways to rewrite a puzzle that keep it the same puzzle.
//!
//! Digits may be renamed, rows may change places within their band, bands may change places, the same holds for columns
//! and stacks, and the grid may be reflected about its main diagonal. The solutions of a puzzle are rewritten with it,
//! so an isomorph has as many solutions as the original and is as hard for a solver that knows only the rules. For 9x9
//! there are `9! * 6^8 * 2` isomorphisms. They form a group.

use rand_xoshiro::rand_core::Rng;

use super::Order;
use super::random::{below, shuffle};

/// A kind of isomorphism. Those of all kinds together generate the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IsomorphKind {
    /// Digits are renamed.
    Digits,
    /// Rows change places within their band.
    Rows,
    /// Columns change places within their stack.
    Columns,
    /// Bands change places.
    Bands,
    /// Stacks change places.
    Stacks,
    /// The grid is reflected about its main diagonal, or not.
    Transpose,
}

impl IsomorphKind {
    /// All of them.
    pub const ALL: [IsomorphKind; 6] = [
        IsomorphKind::Digits,
        IsomorphKind::Rows,
        IsomorphKind::Columns,
        IsomorphKind::Bands,
        IsomorphKind::Stacks,
        IsomorphKind::Transpose,
    ];

    /// The name: `digits`, `rows` and so on.
    pub fn name(self) -> &'static str {
        match self {
            IsomorphKind::Digits => "digits",
            IsomorphKind::Rows => "rows",
            IsomorphKind::Columns => "columns",
            IsomorphKind::Bands => "bands",
            IsomorphKind::Stacks => "stacks",
            IsomorphKind::Transpose => "transpose",
        }
    }
}

/// One isomorphism of the grids of one size.
///
/// ```
/// use gridmill::puzzle::{Isomorph, Order};
/// use rand_xoshiro::Xoshiro256PlusPlus;
/// use rand_xoshiro::rand_core::SeedableRng;
///
/// let isomorph = Isomorph::random(Order::Two, &mut Xoshiro256PlusPlus::seed_from_u64(1));
/// let puzzle = [1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2];
/// let other = isomorph.apply(&puzzle);
/// assert_ne!(other, puzzle);
/// assert_eq!(isomorph.inverse().apply(&other), puzzle);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isomorph {
    /// The new name of each digit; a blank, 0, stays a blank.
    digits: Vec<u8>,
    /// For each cell, the cell that its value comes from.
    sources: Vec<usize>,
}

impl Isomorph {
    /// The isomorphism that changes nothing.
    pub fn identity(order: Order) -> Isomorph {
        Isomorph { digits: (0..=order.side() as u8).collect(), sources: (0..order.cells()).collect() }
    }

    /// An isomorphism that names digits so, with 0 for a blank, and takes the values of cells from these cells.
    #[cfg(feature = "corpus")]
    pub(super) fn new(digits: Vec<u8>, sources: Vec<usize>) -> Isomorph {
        Isomorph { digits, sources }
    }

    /// Draws one of all isomorphisms of a size, each with the same probability.
    pub fn random(order: Order, rng: &mut impl Rng) -> Isomorph {
        let side = order.side();
        let mut isomorph = Isomorph::identity(order);
        shuffle(rng, &mut isomorph.digits[1..]);
        let rows = random_lines(order, rng);
        let columns = random_lines(order, rng);
        let is_reflected = below(rng, 2) == 1;
        for (cell, source) in isomorph.sources.iter_mut().enumerate() {
            let (row, column) = (rows[cell / side], columns[cell % side]);
            *source = if is_reflected { column * side + row } else { row * side + column };
        }
        isomorph
    }

    /// The isomorph of `grid`, a puzzle or a solution.
    ///
    /// # Panics
    ///
    /// If the grid has another size, or a value is above the side.
    pub fn apply<const CELLS: usize>(&self, grid: &[u8; CELLS]) -> [u8; CELLS] {
        let mut image = [0; CELLS];
        self.apply_into(grid, &mut image);
        image
    }

    /// Writes the isomorph of `grid`, a puzzle or a solution, to `image`.
    ///
    /// # Panics
    ///
    /// If one of them has another size, or a value is above the side.
    pub fn apply_into(&self, grid: &[u8], image: &mut [u8]) {
        assert_eq!((grid.len(), image.len()), (self.sources.len(), self.sources.len()));
        for (value, &source) in image.iter_mut().zip(&self.sources) {
            *value = self.digits[usize::from(grid[source])];
        }
    }

    /// The isomorphism that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Isomorph {
        let mut inverse = self.clone();
        for (cell, &source) in self.sources.iter().enumerate() {
            inverse.sources[source] = cell;
        }
        for (digit, &name) in (0..).zip(&self.digits) {
            inverse.digits[usize::from(name)] = digit;
        }
        inverse
    }

    /// The isomorphism that does this one first, then `next`.
    ///
    /// # Panics
    ///
    /// If the two are of different sizes.
    #[must_use]
    pub fn then(&self, next: &Isomorph) -> Isomorph {
        assert_eq!(self.sources.len(), next.sources.len());
        Isomorph {
            digits: self.digits.iter().map(|&name| next.digits[usize::from(name)]).collect(),
            sources: next.sources.iter().map(|&source| self.sources[source]).collect(),
        }
    }
}

/// A random order of the rows, or of the columns, that keeps bands together: of the bands, of the lines within them.
fn random_lines(order: Order, rng: &mut impl Rng) -> Vec<usize> {
    let n = order.get();
    let mut bands: Vec<usize> = (0..n).collect();
    shuffle(rng, &mut bands);
    let mut lines: Vec<usize> = bands.iter().flat_map(|band| band * n..(band + 1) * n).collect();
    lines.chunks_exact_mut(n).for_each(|band| shuffle(rng, band));
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::puzzle::{Geometry, rules};

    fn orders() -> impl Strategy<Value = Order> {
        proptest::sample::select(&Order::ALL[..])
    }

    fn random(order: Order, seed: u64) -> Isomorph {
        Isomorph::random(order, &mut Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn image(isomorph: &Isomorph, grid: &[u8]) -> Vec<u8> {
        let mut image = vec![0; grid.len()];
        isomorph.apply_into(grid, &mut image);
        image
    }

    #[test]
    fn solutions_stay_solutions_of_their_puzzles() {
        for order in Order::ALL {
            let (n, side) = (order.get(), order.side());
            let digit = |cell: usize| (cell / side % n * n + cell / side / n + cell % side) % side + 1;
            let solution: Vec<u8> = (0..order.cells()).map(|cell| digit(cell) as u8).collect();
            let puzzle: Vec<u8> = (0..).zip(&solution).map(|(i, &digit)| if i % 3 == 0 { digit } else { 0 }).collect();
            for seed in 0..20 {
                let isomorph = random(order, seed);
                let [other, solved] = [&puzzle, &solution].map(|grid| image(&isomorph, grid));
                assert!(rules::is_solution(order, &other, &solved), "{isomorph:?}");
                assert_ne!(other, puzzle);
            }
        }
    }

    /// The first two cells come from any cell and any of its neighbours in the same row or column of a box.
    #[test]
    fn random_isomorphisms_reach_every_cell_and_digit() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for order in [Order::Two, Order::Three] {
            let drawn: Vec<Isomorph> = (0..5000).map(|_| Isomorph::random(order, &mut rng)).collect();
            let sources: HashSet<&[usize]> = drawn.iter().map(|isomorph| &isomorph.sources[..2]).collect();
            let digits: HashSet<&[u8]> = drawn.iter().map(|isomorph| &isomorph.digits[1..3]).collect();
            assert_eq!(sources.len(), order.cells() * 2 * (order.get() - 1));
            assert_eq!(digits.len(), order.side() * (order.side() - 1));
        }
    }

    proptest! {
        #[test]
        fn houses_stay_houses(order in orders(), seed: u64) {
            let isomorph = random(order, seed);
            let houses = |source: &dyn Fn(usize) -> usize| -> HashSet<Vec<usize>> {
                let sorted = |cells: &[u16]| {
                    let mut cells: Vec<usize> = cells.iter().map(|&cell| source(cell.into())).collect();
                    cells.sort_unstable();
                    cells
                };
                Geometry::of(order).houses().map(|(_, cells)| sorted(cells)).collect()
            };
            prop_assert_eq!(houses(&|cell| isomorph.sources[cell]), houses(&|cell| cell));
        }

        #[test]
        fn isomorphisms_are_a_group(order in orders(), seeds: [u64; 3], values in prop::array::uniform32(0..=4_u8)) {
            let [a, b, c] = seeds.map(|seed| random(order, seed));
            let identity = Isomorph::identity(order);
            let grid: Vec<u8> = (0..order.cells()).map(|cell| values[cell * 7 % 32]).collect();
            prop_assert_eq!(image(&a.then(&b), &grid), image(&b, &image(&a, &grid)));
            prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
            prop_assert_eq!(&a.then(&a.inverse()), &identity);
            prop_assert_eq!(&a.inverse().then(&a), &identity);
            prop_assert_eq!(&a.then(&identity), &a);
        }
    }
}

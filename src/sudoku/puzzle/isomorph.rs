//! Isomorphisms of grids of any size: the transformations that keep a puzzle the same puzzle.
//!
//! Digits may be renamed, rows may be permuted within their band, bands may be permuted, the same for columns and
//! stacks, and a grid with square boxes may be transposed. The solutions of a puzzle are transformed with it, so an
//! isomorph has as many solutions as the original and is as hard for a solver that knows only the rules. For 9x9 there
//! are `9! * 6^8 * 2` isomorphisms. They form a group.

use std::array;

use rand_xoshiro::rand_core::Rng;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::random::{below, shuffle_by};
use super::{Size, with_constant};

/// A kind of isomorphism. Those of all kinds together generate the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum IsomorphKind {
    /// Digits are renamed.
    Digits,
    /// Rows are permuted within their band.
    Rows,
    /// Columns are permuted within their stack.
    Columns,
    /// Bands are permuted.
    Bands,
    /// Stacks are permuted.
    Stacks,
    /// The grid is transposed, or not. It never is if its boxes are not square.
    Transpose,
}

/// One isomorphism of the grids of one size.
///
/// ```
/// use gridmill::puzzle::{Isomorph, Size};
/// use rand_xoshiro::Xoshiro256PlusPlus;
/// use rand_xoshiro::rand_core::SeedableRng;
///
/// let isomorph = Isomorph::random(Size::Four, &mut Xoshiro256PlusPlus::seed_from_u64(1));
/// let puzzle = [1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2];
/// let other = isomorph.apply(&puzzle);
/// assert_ne!(other, puzzle);
/// assert_eq!(isomorph.inverse().apply(&other), puzzle);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isomorph {
    pub(super) size: Size,
    /// The new name of each digit; a blank, 0, stays a blank.
    pub(super) digits: [u8; Size::MAX_SIDE + 1],
    /// For each row, the row that its values come from, after the transposition.
    rows: LineOrder,
    /// The same for each column.
    columns: LineOrder,
    is_reflected: bool,
}

/// For each row or column, the one that moves to its place. Lines beyond the side of the grid stay in place.
type LineOrder = [u8; Size::MAX_SIDE];

impl Isomorph {
    /// The isomorphism that changes nothing.
    pub fn identity(size: Size) -> Isomorph {
        Isomorph { size, digits: identity(), rows: identity(), columns: identity(), is_reflected: false }
    }

    /// The isomorphism with these new names of the digits, and for each row and each column the one that its values come
    /// from, after the reflection. The slices have an item for each digit, row and column.
    pub(crate) fn of_lines(digits: &[u8], rows: &[u8], columns: &[u8], is_reflected: bool) -> Isomorph {
        let size = Size::from_cells(rows.len() * rows.len()).expect("there are as many rows as a size has");
        let mut isomorph = Isomorph { is_reflected, ..Isomorph::identity(size) };
        isomorph.digits[1..=digits.len()].copy_from_slice(digits);
        isomorph.rows[..rows.len()].copy_from_slice(rows);
        isomorph.columns[..columns.len()].copy_from_slice(columns);
        isomorph
    }

    /// The new name of each digit, from 1.
    pub fn digits(&self) -> &[u8] {
        &self.digits[1..=self.size.side()]
    }

    /// For each row, the one that its values come from, from 0; counted after the reflection, if there is one.
    pub fn rows(&self) -> &[u8] {
        &self.rows[..self.size.side()]
    }

    /// For each column, the one that its values come from, from 0; counted after the reflection, if there is one.
    pub fn columns(&self) -> &[u8] {
        &self.columns[..self.size.side()]
    }

    /// Whether the grid is reflected about its main diagonal, before rows and columns change places.
    pub fn is_reflected(&self) -> bool {
        self.is_reflected
    }

    /// Draws an isomorphism of a size uniformly.
    pub fn random(size: Size, rng: &mut impl Rng) -> Isomorph {
        Isomorph::chosen(size, [true; IsomorphKind::VARIANTS.len()], |choices| below(rng, choices))
    }

    /// The isomorphism by some kinds that `choose` chooses, step by step: it gets the number of choices, and returns
    /// one of them, from 0.
    // For a known size, the compiler can unroll the loops.
    #[inline(always)]
    pub(crate) fn chosen(
        size: Size,
        kinds: [bool; IsomorphKind::VARIANTS.len()],
        mut choose: impl FnMut(usize) -> usize,
    ) -> Isomorph {
        let [renames_digits, moves_rows, moves_columns, moves_bands, moves_stacks, reflects] = kinds;
        let mut digits = identity();
        if renames_digits {
            shuffle_by(&mut choose, &mut digits[1..=size.side()]);
        }
        let rows = chosen_lines(size.box_rows(), size.bands(), moves_rows, moves_bands, &mut choose);
        let columns = chosen_lines(size.box_columns(), size.stacks(), moves_columns, moves_stacks, &mut choose);
        let is_reflected = reflects && size.has_square_boxes() && choose(2) == 1;
        Isomorph { size, digits, rows, columns, is_reflected }
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
        with_constant!(self.size, SIZE => self.apply_to_side::<{ SIZE.side() }>(grid, image));
    }

    /// [`Isomorph::apply_into`] for a side that the compiler knows.
    fn apply_to_side<const SIDE: usize>(&self, grid: &[u8], image: &mut [u8]) {
        assert_eq!((grid.len(), image.len()), (SIDE * SIDE, SIDE * SIDE));
        let names = &self.digits[..=SIDE];
        self.arrange::<SIDE, _>(image, |cell| names[usize::from(grid[cell])]);
    }

    /// Fills each cell from the cell that moves to its place.
    // The loops must be unrolled for a known side.
    #[inline(always)]
    pub(super) fn arrange<const SIDE: usize, T>(&self, image: &mut [T], make: impl Fn(usize) -> T) {
        let (row_step, column_step) = if self.is_reflected { (1, SIDE) } else { (SIDE, 1) };
        let columns: [usize; SIDE] = array::from_fn(|column| usize::from(self.columns[column]) * column_step);
        for (values, &row) in image.chunks_exact_mut(SIDE).zip(&self.rows) {
            let start = usize::from(row) * row_step;
            for (value, column) in values.iter_mut().zip(columns) {
                *value = make(start + column);
            }
        }
    }

    /// The isomorphism that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Isomorph {
        let (rows, columns) = (inverse(&self.rows), inverse(&self.columns));
        let (rows, columns) = if self.is_reflected { (columns, rows) } else { (rows, columns) };
        Isomorph { digits: inverse(&self.digits), rows, columns, ..*self }
    }

    /// The composition of two isomorphisms: first this one, then `next`.
    ///
    /// # Panics
    ///
    /// If the two are of different sizes.
    #[must_use]
    pub fn then(&self, next: &Isomorph) -> Isomorph {
        assert_eq!(self.size, next.size);
        let (rows, columns) = if next.is_reflected { (&self.columns, &self.rows) } else { (&self.rows, &self.columns) };
        Isomorph {
            size: self.size,
            digits: chained(&next.digits, &self.digits),
            rows: chained(rows, &next.rows),
            columns: chained(columns, &next.columns),
            is_reflected: self.is_reflected != next.is_reflected,
        }
    }
}

/// The identity.
fn identity<const N: usize>() -> [u8; N] {
    array::from_fn(|index| index as u8)
}

fn inverse<const N: usize>(permutation: &[u8; N]) -> [u8; N] {
    let mut inverse = [0; N];
    (0..).zip(permutation).for_each(|(index, &image)| inverse[usize::from(image)] = index);
    inverse
}

/// The composition of two permutations: first `inner`, then `outer`.
fn chained<const N: usize>(outer: &[u8; N], inner: &[u8; N]) -> [u8; N] {
    inner.map(|image| outer[usize::from(image)])
}

/// A chosen order of the rows, or of the columns: `choose` orders the bands, and the lines within each band, if they
/// may move.
#[inline(always)]
fn chosen_lines(
    lines_of_band: usize,
    bands: usize,
    moves_lines: bool,
    moves_bands: bool,
    choose: &mut impl FnMut(usize) -> usize,
) -> LineOrder {
    let mut order: [u8; Size::MAX_BOX_SIDE] = identity();
    if moves_bands {
        shuffle_by(choose, &mut order[..bands]);
    }

    let mut lines: LineOrder = identity();
    for (own, band) in lines.chunks_exact_mut(lines_of_band).zip(&order[..bands]) {
        (band * lines_of_band as u8..).zip(&mut *own).for_each(|(number, line)| *line = number);
    }
    if moves_lines {
        lines.chunks_exact_mut(lines_of_band).take(bands).for_each(|band| shuffle_by(choose, band));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::puzzle::{Geometry, rules, shifted_grid};

    fn sizes() -> impl Strategy<Value = Size> {
        proptest::sample::select(&Size::ALL[..])
    }

    fn random(size: Size, seed: u64) -> Isomorph {
        Isomorph::random(size, &mut Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn image(isomorph: &Isomorph, grid: &[u8]) -> Vec<u8> {
        let mut image = vec![0; grid.len()];
        isomorph.apply_into(grid, &mut image);
        image
    }

    /// For each cell, the cell that its value comes from.
    fn sources(isomorph: &Isomorph) -> Vec<usize> {
        let (size, side) = (isomorph.size, isomorph.size.side());
        let kept = Isomorph { digits: identity(), ..isomorph.clone() };
        let [rows, columns] = [side, 1].map(|step| {
            let grid: Vec<u8> = (0..size.cells()).map(|cell| (cell / step % side) as u8).collect();
            image(&kept, &grid)
        });
        rows.iter().zip(columns).map(|(&row, column)| usize::from(row) * side + usize::from(column)).collect()
    }

    #[test]
    fn solutions_stay_solutions_of_their_puzzles() {
        for size in Size::ALL {
            let solution = shifted_grid(size);
            let puzzle: Vec<u8> = (0..).zip(&solution).map(|(i, &digit)| if i % 3 == 0 { digit } else { 0 }).collect();
            for seed in 0..20 {
                let isomorph = random(size, seed);
                let [other, solved] = [&puzzle, &solution].map(|grid| image(&isomorph, grid));
                assert!(rules::is_solution(size, &other, &solved), "{isomorph:?}");
                assert_ne!(other, puzzle);
            }
        }
    }

    /// The first two cells come from any pair of cells that are neighbours in the same row or column of a box.
    #[test]
    fn random_isomorphisms_reach_every_cell_and_digit() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for size in [Size::Four, Size::Six, Size::Nine] {
            let drawn: Vec<Isomorph> = (0..5000).map(|_| Isomorph::random(size, &mut rng)).collect();
            let places: HashSet<Vec<usize>> = drawn.iter().map(|isomorph| sources(isomorph)[..2].to_vec()).collect();
            let digits: HashSet<&[u8]> = drawn.iter().map(|isomorph| &isomorph.digits[1..3]).collect();
            // Reflected, the second cell was below the first, in the same box.
            let beside = size.box_columns() - 1;
            let neighbours = if size.has_square_boxes() { 2 * beside } else { beside };
            assert_eq!(places.len(), size.cells() * neighbours);
            assert_eq!(digits.len(), size.side() * (size.side() - 1));
        }
    }

    proptest! {
        #[test]
        fn houses_stay_houses(size in sizes(), seed: u64) {
            let sources = sources(&random(size, seed));
            let houses = |source: &dyn Fn(usize) -> usize| -> HashSet<Vec<usize>> {
                let sorted = |cells: &[u16]| {
                    let mut cells: Vec<usize> = cells.iter().map(|&cell| source(cell.into())).collect();
                    cells.sort_unstable();
                    cells
                };
                Geometry::of(size).houses().map(|(_, cells)| sorted(cells)).collect()
            };
            prop_assert_eq!(houses(&|cell| sources[cell]), houses(&|cell| cell));
        }

        #[test]
        fn isomorphisms_are_a_group(size in sizes(), seeds: [u64; 3], values in prop::array::uniform32(0..=4_u8)) {
            let [a, b, c] = seeds.map(|seed| random(size, seed));
            let identity = Isomorph::identity(size);
            let grid: Vec<u8> = (0..size.cells()).map(|cell| values[cell * 7 % 32]).collect();
            prop_assert_eq!(image(&a.then(&b), &grid), image(&b, &image(&a, &grid)));
            prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
            prop_assert_eq!(&a.then(&a.inverse()), &identity);
            prop_assert_eq!(&a.inverse().then(&a), &identity);
            prop_assert_eq!(&a.then(&identity), &a);
        }
    }
}

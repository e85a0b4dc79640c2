//! Symmetries of the pattern of clues, and the orbits of cells under them.
//!
//! ```text
//!   rot180    rot90     horizontal  vertical   diagonal  anti-diagonal  full
//!   a . .     a . a     a . .       a . a      . . a     a . .          a b a
//!   . . .     . . .     . . .       . . .      . . .     . . .          b . b
//!   . . a     a . a     a . .       . . .      a . .     . . a          a b a
//! ```

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use super::Size;

/// A symmetry of the pattern of clues: it maps cells with clues to cells with clues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Symmetry {
    /// A rotation by half a turn.
    Rot180,
    /// Rotations by a quarter of a turn.
    Rot90,
    /// A reflection about the horizontal axis: the lower half mirrors the upper one.
    Horizontal,
    /// A reflection about the vertical axis: the right half mirrors the left one.
    Vertical,
    /// A reflection about the diagonal from the top left.
    Diagonal,
    /// A reflection about the diagonal from the top right.
    AntiDiagonal,
    /// All rotations and reflections of a square.
    Full,
}

as_text!(Symmetry);

impl Symmetry {
    /// The images of a cell under rotations and reflections that generate the symmetry, in a grid of `side` rows.
    fn images(self, side: usize, cell: usize) -> [usize; 2] {
        let (row, column) = (cell / side, cell % side);
        let (below, right) = (side - 1 - row, side - 1 - column);
        let at = |row: usize, column: usize| row * side + column;
        match self {
            Symmetry::Rot180 => [at(below, right); 2],
            Symmetry::Rot90 => [at(column, below); 2],
            Symmetry::Horizontal => [at(below, column); 2],
            Symmetry::Vertical => [at(row, right); 2],
            Symmetry::Diagonal => [at(column, row); 2],
            Symmetry::AntiDiagonal => [at(right, below); 2],
            Symmetry::Full => [at(column, below), at(column, row)],
        }
    }
}

/// The orbits of cells under a symmetry, each of which has clues in all cells or in none. Without a symmetry, each cell
/// is an orbit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Orbits {
    /// The cells, one orbit after another. Orbits are in the order of their first cells.
    cells: Vec<u16>,
    orbits: Vec<Orbit>,
}

/// An orbit: a position among the cells of [`Orbits`], and the position after its last cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orbit {
    begin: u16,
    end: u16,
}

impl Orbit {
    /// The number of cells.
    pub(crate) fn len(self) -> usize {
        usize::from(self.end - self.begin)
    }
}

impl Orbits {
    /// The orbits of a symmetry; without one, each cell is an orbit.
    pub(crate) fn new(size: Size, symmetry: Option<Symmetry>) -> Orbits {
        let mut is_seen = vec![false; size.cells()];
        let mut orbits = Orbits { cells: Vec::with_capacity(size.cells()), orbits: vec![] };
        for first in 0..size.cells() {
            let begin = orbits.cells.len() as u16;
            let mut new = vec![first];
            while let Some(cell) = new.pop() {
                if std::mem::replace(&mut is_seen[cell], true) {
                    continue;
                }
                orbits.cells.push(cell as u16);
                new.extend(symmetry.into_iter().flat_map(|symmetry| symmetry.images(size.side(), cell)));
            }

            // Without new cells, `first` is in an earlier orbit.
            let end = orbits.cells.len() as u16;
            if begin < end {
                orbits.orbits.push(Orbit { begin, end });
            }
        }
        orbits
    }

    /// All orbits.
    pub(crate) fn all(&self) -> &[Orbit] {
        &self.orbits
    }

    /// The cells of an orbit.
    pub(crate) fn cells(&self, orbit: Orbit) -> &[u16] {
        &self.cells[orbit.begin.into()..orbit.end.into()]
    }

    /// For each number up to the number of cells, whether some orbits have exactly that many cells.
    pub(crate) fn sums(&self) -> Vec<bool> {
        let mut sums = vec![false; self.cells.len() + 1];
        sums[0] = true;
        for size in self.orbits.iter().map(|orbit| orbit.len()) {
            for sum in (size..sums.len()).rev() {
                sums[sum] |= sums[sum - size];
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reflection has fixed cells and pairs as orbits; rotations by a quarter have fours and the centre. By
    /// Burnside's lemma, all symmetries of a 9x9 square have (81 + 1 + 1 + 1 + 4 * 9) / 8 orbits.
    #[test]
    fn orbits_cover_the_grid_and_are_kept_by_the_symmetry() {
        let counts = [41, 21, 45, 45, 45, 45, 15];
        for size in Size::ALL {
            for (symmetry, count) in <Symmetry as VariantArray>::VARIANTS.iter().copied().zip(counts) {
                let orbits = Orbits::new(size, Some(symmetry));
                let mut orbit_of = vec![usize::MAX; size.cells()];
                for (number, &orbit) in orbits.all().iter().enumerate() {
                    for &cell in orbits.cells(orbit) {
                        assert_eq!(std::mem::replace(&mut orbit_of[usize::from(cell)], number), usize::MAX);
                    }
                }
                for cell in 0..size.cells() {
                    let images = symmetry.images(size.side(), cell);
                    assert!(images.iter().all(|&image| orbit_of[image] == orbit_of[cell]), "{size} {symmetry} {cell}");
                }
                assert!(size != Size::Nine || orbits.all().len() == count, "{symmetry}: {}", orbits.all().len());
            }
            let single = Orbits::new(size, None);
            assert!((0..).zip(single.all()).all(|(cell, &orbit)| single.cells(orbit) == [cell]));
            assert_eq!(single.all().len(), size.cells());
        }
    }

    #[test]
    fn sums_of_orbits_are_the_possible_numbers_of_clues() {
        let sums = |symmetry| Orbits::new(Size::Nine, Some(symmetry)).sums();
        assert!((0..=81).all(|clues| sums(Symmetry::Rot90)[clues] == (clues % 4 < 2)));
        assert!((0..=81).all(|clues| sums(Symmetry::Diagonal)[clues]));
        assert!(!Orbits::new(Size::Four, Some(Symmetry::Rot180)).sums()[7]);
    }
}

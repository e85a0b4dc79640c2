//! Which symmetries the patterns of clues have.

use strum::VariantArray;

use crate::puzzle::{Orbits, Size, Symmetry};

/// Tests patterns of one size for all symmetries.
#[derive(Clone, Debug)]
pub(super) struct SymmetryTest {
    orbits: Vec<Orbits>,
}

impl SymmetryTest {
    pub(super) fn new(size: Size) -> SymmetryTest {
        SymmetryTest { orbits: Symmetry::VARIANTS.iter().map(|&symmetry| Orbits::new(size, Some(symmetry))).collect() }
    }

    /// For each symmetry, whether the clues of a puzzle have it.
    pub(super) fn of(&self, puzzle: &[u8]) -> [bool; Symmetry::VARIANTS.len()] {
        let is_clue = |&cell: &u16| puzzle[usize::from(cell)] != 0;
        let is_kept = |orbits: &Orbits| {
            orbits.all().iter().all(|&orbit| {
                let cells = orbits.cells(orbit);
                cells.iter().all(|cell| is_clue(cell) == is_clue(&cells[0]))
            })
        };
        let mut found = [false; Symmetry::VARIANTS.len()];
        found.iter_mut().zip(&self.orbits).for_each(|(found, orbits)| *found = is_kept(orbits));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_found_in_its_own_patterns() {
        for size in Size::ALL {
            let test = SymmetryTest::new(size);
            assert_eq!(test.of(&vec![0; size.cells()]), [true; 7]);
            let corner: Vec<u8> = (0..size.cells()).map(|cell| u8::from(cell == 1)).collect();
            assert_eq!(test.of(&corner), [false; 7]);
            // All cells of one orbit.
            for (index, symmetry) in Symmetry::VARIANTS.iter().copied().enumerate() {
                let orbits = Orbits::new(size, Some(symmetry));
                let mut puzzle = vec![0; size.cells()];
                orbits.cells(orbits.all()[1]).iter().for_each(|&cell| puzzle[usize::from(cell)] = 1);
                assert!(test.of(&puzzle)[index], "{size} {symmetry}");
            }
        }
    }
}

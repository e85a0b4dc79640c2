//! A puzzle and its solution packed into one byte for each cell. Isomorphs of both are made in half the time.

use super::{Isomorph, with_constant};

/// The mark of a cell with a clue, added to its value.
const CLUE: u8 = 32;

/// Packs a puzzle and its solution. Each clue is the value of the solution.
pub(crate) fn pack(puzzle: &[u8], solution: &[u8]) -> impl Iterator<Item = u8> {
    let packed = |(&clue, &value): (&u8, &u8)| if clue > 0 { CLUE + value } else { value };
    puzzle.iter().zip(solution).map(packed)
}

impl Isomorph {
    /// Writes the isomorphs of a packed puzzle and its solution.
    ///
    /// # Panics
    ///
    /// If a grid has another size.
    pub(crate) fn apply_to_packed(&self, packed: &[u8], puzzle: &mut [u8], solution: &mut [u8]) {
        with_constant!(self.size, SIZE => {
            self.apply_to_packed_side::<{ SIZE.side() }, { SIZE.cells() }>(packed, puzzle, solution);
        });
    }

    /// The same for a side that the compiler knows.
    fn apply_to_packed_side<const SIDE: usize, const CELLS: usize>(
        &self,
        packed: &[u8],
        puzzle: &mut [u8],
        solution: &mut [u8],
    ) {
        let [puzzle, solution]: [&mut [u8; CELLS]; 2] =
            [puzzle, solution].map(|grid| grid.try_into().expect("it has this size"));
        let packed: &[u8; CELLS] = packed.try_into().expect("it has this size");

        // Look up each packed cell as two bytes: the value in the puzzle (low) and in the solution (high).
        let mut names = [0; 2 * CLUE as usize];
        for (digit, &name) in self.digits.iter().enumerate().take(SIDE + 1) {
            names[digit] = u16::from(name) << 8;
            names[usize::from(CLUE) + digit] = u16::from(name) << 8 | u16::from(name);
        }

        let mut both = [0; CELLS];
        self.arrange::<SIDE, u16>(&mut both, |cell| names[usize::from(packed[cell] % (2 * CLUE))]);
        for ((puzzle, solution), both) in puzzle.iter_mut().zip(solution).zip(both) {
            [*puzzle, *solution] = both.to_le_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::puzzle::Size;

    proptest! {
        #[test]
        fn packed_grids_become_the_same_isomorphs(
            size in proptest::sample::select(&Size::ALL[..]),
            seed: u64,
            values in prop::collection::vec((1..=4_u8, any::<bool>()), Size::MAX_CELLS),
        ) {
            let isomorph = Isomorph::random(size, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let values = &values[..size.cells()];
            let solution: Vec<u8> = values.iter().map(|(value, _)| *value).collect();
            let puzzle: Vec<u8> = values.iter().map(|&(value, is_clue)| value * u8::from(is_clue)).collect();
            let packed: Vec<u8> = pack(&puzzle, &solution).collect();

            let mut grids = [(); 4].map(|()| vec![0; size.cells()]);
            let [other, solved, expected, expected_solved] = &mut grids;
            isomorph.apply_to_packed(&packed, other, solved);
            isomorph.apply_into(&puzzle, expected);
            isomorph.apply_into(&solution, expected_solved);
            prop_assert_eq!((other, solved), (expected, expected_solved));
        }
    }
}

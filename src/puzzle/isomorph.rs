//! Isomorphs: the same puzzle with its digits, rows and columns in another order, perhaps turned over its diagonal.
//!
//! Solutions go with their puzzles, so an isomorph has as many as the original and is as hard for whoever knows the
//! rules; it is another puzzle only for a program that was made to fit one file.

use rand_xoshiro::rand_core::Rng;

use crate::puzzle::Order;
use crate::puzzle::random::{below, shuffle};

/// A way to write grids of one size differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isomorph {
    /// Which digit each digit becomes; a blank stays blank.
    digits: Vec<u8>,
    /// The cell whose digit each cell gets.
    from: Vec<usize>,
}

impl Isomorph {
    /// Any of the isomorphs of a size, each as likely as the others.
    pub fn random(order: Order, rng: &mut impl Rng) -> Isomorph {
        let side = order.side();
        let mut digits: Vec<u8> = (0..=side as u8).collect();
        shuffle(rng, &mut digits[1..]);
        let (rows, columns, transpose) = (lines(order, rng), lines(order, rng), below(rng, 2) == 1);
        let from = |cell: usize| {
            let (row, column) = (rows[cell / side], columns[cell % side]);
            if transpose { column * side + row } else { row * side + column }
        };
        Isomorph { digits, from: (0..order.cells()).map(from).collect() }
    }

    /// Writes `grid`, a puzzle or a solution, differently into `image`.
    ///
    /// # Panics
    ///
    /// If one of them has another size, or a value is above the side.
    pub fn apply(&self, grid: &[u8], image: &mut [u8]) {
        assert_eq!((grid.len(), image.len()), (self.from.len(), self.from.len()));
        for (value, &from) in image.iter_mut().zip(&self.from) {
            *value = self.digits[usize::from(grid[from])];
        }
    }
}

/// A random order of rows, or of columns, that keeps bands together.
fn lines(order: Order, rng: &mut impl Rng) -> Vec<usize> {
    let n = order.get();
    let mut bands: Vec<usize> = (0..n).collect();
    shuffle(rng, &mut bands);
    let mut lines: Vec<usize> = bands.iter().flat_map(|band| band * n..(band + 1) * n).collect();
    for band in lines.chunks_exact_mut(n) {
        shuffle(rng, band);
    }
    lines
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::puzzle::Geometry;
    use crate::puzzle::rules;

    #[test]
    fn solutions_stay_solutions_of_their_puzzles() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for order in Order::ALL {
            let (n, side) = (order.get(), order.side());
            let digit = |cell: usize| (cell / side % n * n + cell / side / n + cell % side) % side + 1;
            let solution: Vec<u8> = (0..order.cells()).map(|cell| digit(cell) as u8).collect();
            let puzzle: Vec<u8> = (0..).zip(&solution).map(|(i, &digit)| if i % 3 == 0 { digit } else { 0 }).collect();
            for _ in 0..20 {
                let isomorph = Isomorph::random(order, &mut rng);
                let (mut image, mut solved) = (vec![0; order.cells()], vec![0; order.cells()]);
                isomorph.apply(&puzzle, &mut image);
                isomorph.apply(&solution, &mut solved);
                assert!(rules::is_solution(order, &image, &solved), "{isomorph:?}");
                assert_ne!(image, puzzle);
            }
        }
    }

    /// Wherever a clue is, it can get anywhere and become anything.
    #[test]
    fn every_cell_and_digit_is_reached() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let order = Order::Two;
        let mut seen = vec![[false; 5]; order.cells()];
        let mut transposed = false;
        for _ in 0..2000 {
            let isomorph = Isomorph::random(order, &mut rng);
            let mut image = [0; 16];
            isomorph.apply(&[1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], &mut image);
            let clues: Vec<usize> = (0..16).filter(|&cell| image[cell] != 0).collect();
            for &cell in &clues {
                seen[cell][usize::from(image[cell])] = true;
            }
            transposed |= Geometry::of(order).column(clues[0]) == Geometry::of(order).column(clues[1]);
        }
        assert!(transposed && seen.iter().all(|digits| digits[1..].iter().all(|&seen| seen)));
    }
}

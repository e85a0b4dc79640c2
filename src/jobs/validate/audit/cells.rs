//! Blanks and digits by cell: whether all cells are blank equally often, and have each digit equally often.
//!
//! The effect size is Cramer's V, corrected for the size of the sample: 0 for a uniform corpus of any size, 1 if each
//! cell is either always or never blank, or always has the same digit. A significance test would find the smallest bias
//! in a large corpus.

use serde::Serialize;

use crate::puzzle::Size;
use crate::stats::merge_fields;

/// The number of puzzles by blank cells, and of grids by the digits of cells. The counts of several threads are added
/// up.
#[derive(Clone, Debug)]
pub(super) struct CellCounts {
    side: usize,
    pub(super) puzzles: u64,
    pub(super) grids: u64,
    /// For each cell, the number of puzzles where it is blank.
    pub(super) blanks: Vec<u64>,
    /// The number of grids with each digit in each cell, cell by cell.
    pub(super) digits: Vec<u64>,
}

merge_fields!(CellCounts: puzzles, grids, blanks, digits);

impl CellCounts {
    pub(super) fn new(size: Size) -> CellCounts {
        let (cells, side) = (size.cells(), size.side());
        CellCounts { side, puzzles: 0, grids: 0, blanks: vec![0; cells], digits: vec![0; cells * side] }
    }

    /// Counts a puzzle.
    pub(super) fn add_puzzle(&mut self, puzzle: &[u8]) {
        self.puzzles += 1;
        for (blanks, &digit) in self.blanks.iter_mut().zip(puzzle) {
            *blanks += u64::from(digit == 0);
        }
    }

    /// Counts a solved grid.
    pub(super) fn add_grid(&mut self, grid: &[u8]) {
        self.grids += 1;
        for (digits, &digit) in self.digits.chunks_exact_mut(self.side).zip(grid) {
            digits[usize::from(digit) - 1] += 1;
        }
    }

    /// The unevenness of blanks; `None` without puzzles, and if all cells of all puzzles are blank, or none.
    pub(super) fn uneven_blanks(&self) -> Option<Unevenness> {
        let shares: Vec<f64> = self.blanks.iter().map(|&blanks| blanks as f64 / self.puzzles as f64).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        let variance = mean * (1.0 - mean);
        // NaN without puzzles.
        if variance.is_nan() || variance <= 0.0 {
            return None;
        }
        let squares = shares.iter().map(|share| (share - mean).powi(2) / variance);
        Some(Unevenness::new(self.puzzles, squares, 1, |cell| shares[cell]))
    }

    /// The unevenness of the digits of solved grids; `None` without grids.
    pub(super) fn uneven_digits(&self) -> Option<Unevenness> {
        if self.grids == 0 {
            return None;
        }
        let (grids, side) = (self.grids as f64, self.side as f64);
        let cells = || self.digits.chunks_exact(self.side);
        // The chi-square of a cell for each grid (less than the number of digits), as a fraction of its maximum.
        let square = |digits: &[u64]| {
            digits.iter().map(|&count| (count as f64 / grids * side - 1.0).powi(2) / side).sum::<f64>() / (side - 1.0)
        };
        let largest = |cell: usize| {
            cells().nth(cell).and_then(|digits| digits.iter().max()).map_or(0.0, |&count| count as f64 / grids)
        };
        Some(Unevenness::new(self.grids, cells().map(square), self.side as u64 - 1, largest))
    }
}

/// The deviation of counts by cell from uniform.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Unevenness {
    /// Pearson's chi-square: the sum of (observed - expected)^2 / expected over the table of cells.
    pub chi_square: f64,
    /// The degrees of freedom of that table, if cells were independent.
    pub degrees: u64,
    /// Cramer's V, corrected for the size of the sample: from 0, uniform, to 1.
    pub effect: f64,
    /// The index of the cell that deviates most.
    pub cell: usize,
    /// For that cell, the share of puzzles where it is blank, or the share of its most frequent digit.
    pub share: f64,
}

impl Unevenness {
    /// Computes the unevenness from the squared effect of each cell, among `count` puzzles, with `freedom` degrees of
    /// freedom for each cell.
    fn new(count: u64, squares: impl Iterator<Item = f64>, freedom: u64, share: impl Fn(usize) -> f64) -> Unevenness {
        let squares: Vec<f64> = squares.collect();
        let (cells, count) = (squares.len() as f64, count as f64);
        let sum: f64 = squares.iter().sum();
        let (cell, _) = squares.iter().enumerate().fold(
            (0, -1.0),
            |best, (cell, &square)| {
                if square > best.1 { (cell, square) } else { best }
            },
        );
        Unevenness {
            chi_square: sum * count * freedom as f64,
            degrees: squares.len() as u64 * freedom - u64::from(freedom == 1),
            // By chance, it is 1 / count.
            effect: (sum / cells - 1.0 / count).max(0.0).sqrt(),
            cell,
            share: share(cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Mergeable;

    #[test]
    fn uniform_counts_have_no_effect_and_fixed_cells_the_largest() {
        let size = Size::Four;
        let (mut fixed, mut even) = (CellCounts::new(size), CellCounts::new(size));
        assert!(fixed.uneven_blanks().is_none() && fixed.uneven_digits().is_none());
        for number in 0..400_usize {
            let puzzle: Vec<u8> = (0..16).map(|cell| u8::from(cell < 8)).collect();
            fixed.add_puzzle(&puzzle);
            fixed.add_grid(&[3; 16]);
            let puzzle: Vec<u8> = (0..16).map(|cell| u8::from((cell + number) % 2 == 0)).collect();
            even.add_puzzle(&puzzle);
            even.add_grid(&[1 + (number % 4) as u8; 16]);
        }
        for unevenness in [even.uneven_blanks().unwrap(), even.uneven_digits().unwrap()] {
            assert!(unevenness.effect < 1e-9 && unevenness.chi_square < 1e-9, "{unevenness:?}");
        }
        let blanks = fixed.uneven_blanks().unwrap();
        assert!((blanks.chi_square - 16.0 * 400.0).abs() < 1e-6 && blanks.effect > 0.99, "{blanks:?}");
        assert_eq!((blanks.cell, blanks.degrees), (0, 15));
        let digits = fixed.uneven_digits().unwrap();
        assert!((digits.chi_square - 16.0 * 3.0 * 400.0).abs() < 1e-6 && digits.effect > 0.99, "{digits:?}");
        assert!((digits.share - 1.0).abs() < 1e-9);

        let mut both = fixed.clone();
        both.merge(even);
        assert_eq!((both.puzzles, both.grids, both.blanks[0], both.digits[2]), (800, 800, 200, 500));
    }

    #[test]
    fn full_puzzles_have_no_blanks_to_compare() {
        let mut full = CellCounts::new(Size::Four);
        full.add_puzzle(&[1; 16]);
        assert_eq!(full.uneven_blanks(), None);
    }
}

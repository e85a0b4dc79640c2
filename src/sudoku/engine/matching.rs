//! Bipartite matching of the cells of a house with its digits: finds houses that cannot be filled.
//!
//! If five digits have four cells left in a house, a search that places one digit after another has to try nearly all
//! ways to fill the house: in a 25x25 grid that can cost millions of guesses. A house can be filled if its cells can be
//! matched with different digits (P. Hall, "On Representatives of Subsets", 1935). Augmenting paths (H. W. Kuhn, "The
//! Hungarian Method for the Assignment Problem", 1955) find a matching quickly.

use crate::puzzle::{Geometry, Size};

/// Whether each house of `cell` can be filled with the digits that the peers of its cells leave. A house with two equal
/// digits cannot. Each house is examined separately.
pub(super) fn can_fill_houses(size: Size, grid: &[u8], cell: usize) -> bool {
    let geometry = Geometry::of(size);
    geometry.houses_of(cell).all(|cells| {
        let mut candidates = [0; Size::MAX_SIDE];
        for (candidates, &cell) in candidates.iter_mut().zip(cells) {
            *candidates = candidates_of(geometry, grid, usize::from(cell));
        }
        Matching::exists(&candidates[..cells.len()])
    })
}

/// The candidates of a cell, bit `d - 1` for digit `d`: its own digit, or all digits that no peer has.
fn candidates_of(geometry: &Geometry, grid: &[u8], cell: usize) -> u32 {
    let bit = |digit: u8| 1 << digit >> 1;
    match grid[cell] {
        0 => {
            let all = bit(geometry.size().side() as u8 + 1) - 1;
            let taken = geometry.peers(cell).iter().fold(0, |taken, &peer| taken | bit(grid[usize::from(peer)]));
            all & !taken
        }
        digit => bit(digit),
    }
}

/// A matching of some cells of a house with different digits.
struct Matching<'a> {
    candidates: &'a [u32],
    /// For each digit, the cell that has it.
    owners: [Option<usize>; Size::MAX_SIDE],
}

impl Matching<'_> {
    /// Whether cells with these candidates can all have different digits.
    fn exists(candidates: &[u32]) -> bool {
        let mut matching = Matching { candidates, owners: [None; Size::MAX_SIDE] };
        (0..candidates.len()).all(|cell| matching.find_digit(cell, &mut 0))
    }

    /// Gives a cell a digit that was not tried yet. The digit is free, or its owner takes another one.
    fn find_digit(&mut self, cell: usize, tried: &mut u32) -> bool {
        loop {
            let open = self.candidates[cell] & !*tried;
            if open == 0 {
                return false;
            }
            let digit = open.trailing_zeros() as usize;
            *tried |= 1 << digit;
            if self.owners[digit].is_none_or(|owner| self.find_digit(owner, tried)) {
                self.owners[digit] = Some(cell);
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matching_exists_if_all_cells_can_have_different_digits() {
        assert!(Matching::exists(&[0b011, 0b001, 0b110]));
        assert!(Matching::exists(&[0b111, 0b111, 0b111]));
        assert!(!Matching::exists(&[0b011, 0b011, 0b011]));
        assert!(!Matching::exists(&[0b100, 0b010, 0b110]));
        assert!(!Matching::exists(&[0b1, 0]));
    }

    /// The last three cells of the first row need the digits 7, 8 and 9, and column 9 has two of them.
    #[test]
    fn a_house_that_cannot_be_filled_is_found() {
        let mut grid = [0; 81];
        grid[..6].copy_from_slice(&[1, 2, 3, 4, 5, 6]);
        assert!(can_fill_houses(Size::Nine, &grid, 8));
        grid[80] = 7;
        grid[71] = 8;
        assert!(can_fill_houses(Size::Nine, &grid, 8));
        grid[79] = 9;
        assert!(can_fill_houses(Size::Nine, &grid, 8));
        grid[70] = 8;
        grid[71] = 0;
        grid[61] = 7;
        assert!(!can_fill_houses(Size::Nine, &grid, 7), "no digit is left for r1c8");
        assert!(!can_fill_houses(Size::Nine, &grid, 0), "nor for its row");
        assert!(can_fill_houses(Size::Nine, &grid, 40));
        grid[8] = 1;
        assert!(!can_fill_houses(Size::Nine, &grid, 8), "two 1s in a row");
    }
}

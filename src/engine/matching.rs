//! Pigeonholes: houses in which some digits have too few cells left.
//!
//! A search that places one digit after another proves such a house empty only by trying nearly all ways to fill it:
//! five digits for four cells can cost millions of guesses in a 25x25 grid. Hall's theorem (P. Hall, "On
//! Representatives of Subsets", 1935) says when every cell can have a digit of its own, and augmenting paths (H. W.
//! Kuhn, "The Hungarian Method for the Assignment Problem", 1955) find out quickly.

use crate::puzzle::{Geometry, Order};

/// Whether every house of `cell` can be filled, each house for itself, with the digits that the peers of its cells
/// leave. Two equal digits in one of these houses cannot.
pub(super) fn has_room(order: Order, grid: &[u8], cell: usize) -> bool {
    let geometry = Geometry::of(order);
    geometry.houses_of(cell).all(|cells| {
        let mut candidates = [0; Order::MAX_SIDE];
        for (candidates, &cell) in candidates.iter_mut().zip(cells) {
            *candidates = candidates_of(geometry, grid, usize::from(cell));
        }
        Matching::exists(&candidates[..cells.len()])
    })
}

/// The digits that can stand in a cell, bit `d - 1` for digit `d`: its own, or those that no peer has.
fn candidates_of(geometry: &Geometry, grid: &[u8], cell: usize) -> u32 {
    let bit = |digit: u8| 1 << digit >> 1;
    match grid[cell] {
        0 => {
            let all = bit(geometry.order().side() as u8 + 1) - 1;
            let taken = geometry.peers(cell).iter().fold(0, |taken, &peer| taken | bit(grid[usize::from(peer)]));
            all & !taken
        }
        digit => bit(digit),
    }
}

/// Cells of a house, each with a digit of its own, as far as they have got one.
struct Matching<'a> {
    candidates: &'a [u32],
    /// The cell that has each digit.
    owners: [Option<usize>; Order::MAX_SIDE],
}

impl Matching<'_> {
    /// Whether each of some cells with these candidates can have one of its own.
    fn exists(candidates: &[u32]) -> bool {
        let mut matching = Matching { candidates, owners: [None; Order::MAX_SIDE] };
        (0..candidates.len()).all(|cell| matching.find_digit(cell, &mut 0))
    }

    /// Gives a cell a digit that was not tried yet, if need be one whose owner finds another.
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
    fn digits_need_cells_of_their_own() {
        assert!(Matching::exists(&[0b011, 0b001, 0b110]));
        assert!(Matching::exists(&[0b111, 0b111, 0b111]));
        assert!(!Matching::exists(&[0b011, 0b011, 0b011]));
        assert!(!Matching::exists(&[0b100, 0b010, 0b110]));
        assert!(!Matching::exists(&[0b1, 0]));
    }

    /// The last three cells of the first row have the digits 7, 8 and 9 to share, of which column 9 has two.
    #[test]
    fn a_house_without_room_is_seen() {
        let mut grid = [0; 81];
        grid[..6].copy_from_slice(&[1, 2, 3, 4, 5, 6]);
        assert!(has_room(Order::Three, &grid, 8));
        grid[80] = 7;
        grid[71] = 8;
        assert!(has_room(Order::Three, &grid, 8));
        grid[79] = 9;
        assert!(has_room(Order::Three, &grid, 8));
        grid[70] = 8;
        grid[71] = 0;
        grid[61] = 7;
        assert!(!has_room(Order::Three, &grid, 7), "no digit is left for r1c8");
        assert!(!has_room(Order::Three, &grid, 0), "nor for its row");
        assert!(has_room(Order::Three, &grid, 40));
        grid[8] = 1;
        assert!(!has_room(Order::Three, &grid, 8), "two 1s in a row");
    }
}

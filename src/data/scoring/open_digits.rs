//! The digits that the rules leave open in the blanks of a grid, and the singles among them.

use crate::puzzle::{Geometry, Size, members};

/// The set of one digit: bit `d - 1` for digit `d`; empty for 0.
pub(crate) fn set_of(digit: u8) -> u32 {
    1 << digit >> 1
}

/// For each blank, the digits that do not occur in its row, column or box; empty for a filled cell.
pub(crate) fn open_digits(size: Size, grid: &[u8]) -> Vec<u32> {
    let geometry = Geometry::of(size);
    let mut open = vec![0; grid.len()];
    for (_, cells) in geometry.houses() {
        let cells = || cells.iter().map(|&cell| usize::from(cell));
        let taken = cells().fold(0, |taken, cell| taken | set_of(grid[cell]));
        cells().for_each(|cell| open[cell] |= taken);
    }

    let all = (1_u32 << size.side()) - 1;
    for (open, &digit) in open.iter_mut().zip(grid) {
        *open = if digit == 0 { all & !*open } else { 0 };
    }
    open
}

/// The digits that blanks are forced to have: the only open digit of the blank (a naked single), or a digit that is
/// open in no other cell of a row, column or box (a hidden single). Several for one blank are a contradiction.
pub(crate) fn singles(size: Size, open: &[u32]) -> Vec<u32> {
    let mut singles: Vec<u32> = open.iter().map(|&open| if open.is_power_of_two() { open } else { 0 }).collect();
    for (_, cells) in Geometry::of(size).houses() {
        let cells = || cells.iter().map(|&cell| usize::from(cell));
        let (once, twice) = cells().fold((0, 0), |(once, twice), cell| (once | open[cell], twice | once & open[cell]));
        for cell in cells() {
            singles[cell] |= open[cell] & once & !twice;
        }
    }
    singles
}

/// The digits of a set, ascending.
pub(crate) fn digits(set: u32) -> impl Iterator<Item = u8> {
    members(set).map(|digit| digit as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singles_are_the_last_digit_of_a_blank_or_the_last_place_of_a_digit() {
        // In r1c4, only 4 is left. 2 has one place in rows 2 and 4, and 3 has one in column 4.
        let grid = *b"\x01\x02\x03\0\0\0\0\0\0\0\0\x02\0\0\0\0";
        let open = open_digits(Size::Four, &grid);
        assert_eq!((open[3], open[4], open[0]), (0b1000, 0b1100, 0));
        let singles = singles(Size::Four, &open);
        let forced: Vec<(usize, Vec<u8>)> = (0..16)
            .map(|cell| (cell, digits(singles[cell]).collect()))
            .filter(|(_, digits): &(_, Vec<u8>)| !digits.is_empty())
            .collect();
        assert_eq!(forced, [(3, vec![4]), (6, vec![2]), (12, vec![2]), (15, vec![3])]);
    }
}

//! The ways to name the digits of a puzzle, each of which can be made by its number.

use super::super::isomorph::identity;
use super::super::{IsomorphKind, Size, with_constant};
use super::arrangement::take_digit;

/// The ways to name the digits of a puzzle.
#[derive(Clone, Debug)]
pub(crate) struct Namings {
    pub(super) size: Size,
    /// The digits of the puzzle, and after them the others.
    digits: [u8; Size::MAX_SIDE],
    /// The number of ways. Digits that the puzzle does not have get no names.
    pub(super) number: u128,
}

/// For each digit its name, with 0 for a blank.
type Names = [u8; Size::MAX_SIDE + 1];

impl Namings {
    /// The ways for a puzzle with these digits, as bits.
    pub(crate) fn new(size: Size, own: u32, kinds: &[IsomorphKind]) -> Namings {
        let side = size.side();
        let mut digits = identity().map(|digit: u8| digit + 1);
        digits[..side].sort_by_key(|digit| own >> digit & 1 == 0);
        let others = side - (own >> 1).count_ones() as usize;
        let renames = kinds.contains(&IsomorphKind::Digits);
        let number = if renames { (others + 1..=side).map(|names| names as u128).product() } else { 1 };
        Namings { size, digits, number }
    }

    /// The digits of a puzzle, as bits, and 1 if it has blanks.
    pub(crate) fn digits_of(puzzle: &[u8]) -> u32 {
        puzzle.iter().fold(0, |set, digit| set | 1 << digit)
    }

    /// The names that a number stands for. In the first way, each digit keeps its name.
    pub(super) fn names(&self, mut number: u128) -> Names {
        with_constant!(self.size, SIZE => {
            // 12! is below 2^32.
            if SIZE.side() <= 12 {
                self.draw::<{ SIZE.side() }>(number as u32)
            } else {
                self.draw_by(SIZE.side(), |left| take_digit(&mut number, left as u128) as usize)
            }
        })
    }

    /// The names for a side that the compiler knows, so that nothing is divided.
    fn draw<const SIDE: usize>(&self, mut number: u32) -> Names {
        self.draw_by(SIDE, |left| {
            let digit = number as usize % left;
            number /= left as u32;
            digit
        })
    }

    /// Draws a name for each digit, of those that are left; `take` says which, by its index.
    #[expect(clippy::inline_always, reason = "the loop has to be unrolled for a known side")]
    #[inline(always)]
    fn draw_by(&self, side: usize, mut take: impl FnMut(usize) -> usize) -> Names {
        let (mut names, mut left) = (identity(), self.digits);
        for at in 0..side {
            left.swap(at, at + take(side - at));
            names[usize::from(self.digits[at])] = left[at];
        }
        names
    }
}

//! Where a candidate lives: 27 words of 27 bits for the 729 candidates of a 9x9 puzzle.
//!
//! Everything in a Sudoku of order 3 is counted in threes, so digit, row and column are written in base 3:
//!
//! ```text
//!     digit  = 3 * d1 + d0        d1, d0  0..3      (digits from 0 here)
//!     row    = 3 * b  + i         b  the band,  i  the line in it
//!     column = 3 * s  + j         s  the stack, j  the line in it
//! ```
//!
//! Of these six, `(i, j, d0)` choose the word and `(d1, b, s)` the bit in it:
//!
//! ```text
//!     bit 26                     18 17                      9  8                      0
//!         |         d1 = 2         |         d1 = 1         |         d1 = 0         |
//!         |  b = 2 | b = 1 | b = 0 |  b = 2 | b = 1 | b = 0 |  b = 2 | b = 1 | b = 0 |
//!         |  2 1 0 | 2 1 0 | 2 1 0 |  2 1 0 | 2 1 0 | 2 1 0 |  2 1 0 | 2 1 0 | 2 1 0 |  s
//! ```
//!
//! which is nine octal digits, one for each `(d1, b)`. In other words: word `(i, j, d0)` tells of the cell at place
//! `(i, j)` in each of the nine boxes at once, and of three digits. The 27 words of a box's nine places and three `d0`
//! cover everything, so what happens *inside* boxes needs no shift at all: the row triad `i` of a box is the `or` of
//! three words, the box is the `or` of nine. Only three things move bits, and each is a rotation in base 3:
//!
//! ```text
//!     the next stack      s -> s + 1      within each octal digit            rows run through the stacks
//!     the next band       b -> b + 1      three octal digits in a circle     columns run through the bands
//!     the next digits    d1 -> d1 + 1     nine octal digits in a circle      a cell has all digits
//! ```

use super::vector::Vector;

/// How many words a puzzle takes.
pub(super) const WORDS: usize = 27;

/// The 27 bits of a word.
pub(super) const FULL: u32 = 0o777_777_777;

/// The bits of the left stack, `s = 0`; those of the others are 1 and 2 places higher.
pub(super) const STACK: u32 = 0o111_111_111;

/// The bits of the top band, `b = 0`; those of the others are 3 and 6 places higher.
pub(super) const BAND: u32 = 0o007_007_007;

/// The bits of the top left box, one for each `d1`.
pub(super) const BOX: u32 = 0o001_001_001;

/// The number of the word `(i, j, d0)`.
pub(super) const fn word(i: usize, j: usize, d0: usize) -> usize {
    9 * i + 3 * j + d0
}

/// The number of the word of triads `(line, d0)`: bit `(d1, b, s)` tells of digit `(d1, d0)` in line `i` of the box
/// (then it is a row triad) or in line `j` (a column triad).
pub(super) const fn triad(line: usize, d0: usize) -> usize {
    3 * line + d0
}

/// Three things in a circle, such as the three boxes of a band.
pub(super) trait Circle {
    /// In the place of each what the next one has, and what the one after the next has. Bits 27 to 31 can be anything.
    fn turn<V: Vector>(x: V) -> (V, V);
}

/// The three stacks.
///
/// ```text
///     s     2 1 0      2 1 0      2 1 0
///     next  0 2 1      0 2 1      0 2 1
///     after 1 0 2      1 0 2      1 0 2
/// ```
pub(super) struct Stacks;

/// The three bands.
pub(super) struct Bands;

/// The three `d1`.
pub(super) struct Digits;

impl Circle for Stacks {
    #[inline(always)]
    fn turn<V: Vector>(x: V) -> (V, V) {
        let next = x.splat(STACK << 2).select(x.shl::<2>(), x.shr::<1>());
        let after = x.splat(STACK).select(x.shr::<2>(), x.shl::<1>());
        (next, after)
    }
}

impl Circle for Bands {
    #[inline(always)]
    fn turn<V: Vector>(x: V) -> (V, V) {
        let next = x.splat(BAND << 6).select(x.shl::<6>(), x.shr::<3>());
        let after = x.splat(BAND).select(x.shr::<6>(), x.shl::<3>());
        (next, after)
    }
}

impl Circle for Digits {
    #[inline(always)]
    fn turn<V: Vector>(x: V) -> (V, V) {
        x.turn()
    }
}

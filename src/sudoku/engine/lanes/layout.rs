//! The bit layout of a node: 27 words of 27 bits for the 729 candidates of a 9x9 puzzle.
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
//! which is nine octal digits, one for each `(d1, b)`. In other words: word `(i, j, d0)` holds three digits of the cell
//! at place `(i, j)` in each of the nine boxes. The 27 words of a box's nine places and three `d0` cover everything, so
//! what happens *inside* boxes needs no shift at all: the row triad `i` of a box is the `or` of three words, the box is
//! the `or` of nine. Only three steps move bits, and each is a [rotation modulo 3](super::rotate):
//!
//! ```text
//!     the next stack      s -> s + 1      within each octal digit            rows run through the stacks
//!     the next band       b -> b + 1      three octal digits                 columns run through the bands
//!     the next digits    d1 -> d1 + 1     nine octal digits                  a cell has all digits
//! ```

/// The number of cells of a puzzle.
pub(super) const CELLS: usize = 81;

/// The number of words of a node.
pub(super) const WORDS: usize = 27;

/// The 27 bits of a word.
pub(super) const FULL: u32 = 0o777_777_777;

/// The bits of the left stack, `s = 0`. The other stacks are 1 and 2 places higher.
pub(super) const STACK: u32 = 0o111_111_111;

/// The bits of the top band, `b = 0`. The other bands are 3 and 6 places higher.
pub(super) const BAND: u32 = 0o007_007_007;

/// The bits of the top left box, one for each `d1`.
pub(super) const BOX: u32 = 0o001_001_001;

/// The index of the word `(i, j, d0)`.
pub(super) const fn word(i: usize, j: usize, d0: usize) -> usize {
    9 * i + 3 * j + d0
}

/// The index of the word of triads `(line, d0)`: bit `(d1, b, s)` stands for digit `(d1, d0)` in line `i` of the box (for
/// row triads) or in line `j` (for column triads).
pub(super) const fn triad(line: usize, d0: usize) -> usize {
    3 * line + d0
}

//! Tables by which [`avx512`](super::avx512) reads puzzles and writes solutions.
//!
//! A solution is written by way of bytes that lie as the bits of its words: a byte for each bit, two words a vector, those
//! of the places (i, j) number 2 * pair and 2 * pair + 1:
//!
//! ```text
//!     byte 63      32 + 27  32 + 18   32 + 9        32      27        18         9         0
//!          |  unused  | d1 = 2 | d1 = 1 | d1 = 0     | unused | d1 = 2 | d1 = 1 | d1 = 0 |
//!          |               second place              |           first place             |
//! ```
//!
//! and in each nine bytes the cell at that place of the nine boxes.

use super::super::layout::BOX;
use super::super::load::CELLS;

/// Where the last 64 of the 81 cells start: with the first 64 they are all.
pub(super) const LAST_START: usize = CELLS - 64;

/// The order in which cells are read: place by place, nine boxes each and three bytes of no meaning; as where each is in
/// the first 64 cells or, from 64 on, in the last.
pub(super) static CELL_ORDER: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut n = 0;
    while n < CELLS {
        let (place, in_box) = (n / 9, n % 9);
        let (byte, cell) = (12 * place + in_box, cell(place, in_box));
        table[byte / 64][byte % 64] = if cell < 64 { cell } else { cell - LAST_START as u8 + 64 };
        n += 1;
    }
    table
};

/// For each box and each `d0`: the bits that each value of the box's cell leaves.
pub(super) static LEFT: [[[u32; 16]; 3]; 9] = {
    let mut table = [[[0; 16]; 3]; 9];
    let mut n = 0;
    while n < 9 * 3 * 10 {
        let (in_box, d0, value) = (n / 30, n / 10 % 3, n % 10);
        if value == 0 {
            table[in_box][d0][value] = BOX << in_box;
        } else if (value - 1) % 3 == d0 {
            table[in_box][d0][value] = 1 << (9 * ((value - 1) / 3) + in_box);
        }
        n += 1;
    }
    table
};

/// The cell at a place of a box, 3 * i + j, counted from 0 as the box is.
const fn cell(place: usize, in_box: usize) -> u8 {
    (9 * (3 * (in_box / 3) + place / 3) + 3 * (in_box % 3) + place % 3) as u8
}

/// For each `d0` and each byte: the digit that its bit stands for.
pub(super) static DIGIT_AT: [[u8; 64]; 3] = {
    let mut table = [[0; 64]; 3];
    let mut n = 0;
    while n < 3 * 64 {
        table[n / 64][n % 64] = (3 * (n % 32 / 9) + n / 64 + 1) as u8;
        n += 1;
    }
    table
};

/// For each `d1`: where in two vectors the bytes of four places are, nine boxes a place.
pub(super) static BYTE_OF_PLACE: [[u8; 64]; 3] = {
    let mut table = [[31; 64]; 3];
    let mut n = 0;
    while n < 3 * 36 {
        let (d1, place, in_box) = (n / 36, n % 36 / 9, n % 9);
        table[d1][n % 36] = (32 * place + 9 * d1 + in_box) as u8;
        n += 1;
    }
    table
};

/// For each cell: where it is in the first two of three vectors of four places each, or in the third.
pub(super) static PLACE_OF_CELL: [u8; CELLS] = {
    let mut table = [0; CELLS];
    let mut n = 0;
    while n < CELLS {
        let (place, in_box) = (n / 9, n % 9);
        table[cell(place, in_box) as usize] = (64 * (place / 4 % 2) + 9 * (place % 4) + in_box) as u8;
        n += 1;
    }
    table
};

/// The cells that are in the third of these vectors.
pub(super) const LAST_PLACES: u128 = {
    let mut set = 0;
    let mut in_box = 0;
    while in_box < 9 {
        set |= 1 << cell(8, in_box);
        in_box += 1;
    }
    set
};

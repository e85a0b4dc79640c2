//! The words of a state: for each digit, the columns that it may be in, one or two rows in a word.
//!
//! The words of all digits are adjacent, one in each lane. A row of a 16x16 puzzle has 16 bits, so a word has two rows:
//! row r in its low half, row r + 8 in its high half. A word of a 25x25 puzzle has one row.

use super::super::vector::Vector;

/// For each row and digit, the columns that the digit may be in.
///
/// There are `WORDS` words for each digit, and `DIGITS` lanes: the number of digits, rounded up to a multiple of any number
/// of lanes.
pub(super) type Rows<const WORDS: usize, const DIGITS: usize> = [[u32; DIGITS]; WORDS];

/// The number of bits of a row in a word with two.
pub(super) const HALF: usize = 16;

/// The number of rows in a word.
pub(super) const fn parts<const ORDER: usize>() -> usize {
    if ORDER == 4 { 2 } else { 1 }
}

/// The word of a row, and the place of its first column.
pub(super) const fn word_of<const WORDS: usize>(row: usize) -> (usize, usize) {
    (row % WORDS, row / WORDS * HALF)
}

/// The same columns in each row of a word.
pub(super) const fn in_each_part<const ORDER: usize>(columns: u32) -> u32 {
    if ORDER == 4 { columns | columns << HALF } else { columns }
}

/// All columns of one row.
pub(super) const fn one_row<const ORDER: usize>() -> u32 {
    (1 << (ORDER * ORDER)) - 1
}

/// The first column of each box, in each row of a word.
pub(super) const fn box_starts<const ORDER: usize>() -> u32 {
    let (mut starts, mut i) = (0, 0);
    while i < ORDER {
        starts |= 1 << (i * ORDER);
        i += 1;
    }
    in_each_part::<ORDER>(starts)
}

/// All bits of the lanes with a digit.
pub(super) const fn is_digit<const ORDER: usize, const DIGITS: usize>() -> [u32; DIGITS] {
    let (mut lanes, mut digit) = ([0; DIGITS], 0);
    while digit < ORDER * ORDER {
        lanes[digit] = u32::MAX;
        digit += 1;
    }
    lanes
}

/// The boxes with any of these columns, as their first columns.
#[inline(always)]
pub(super) fn boxes_with_any<V: Vector, const ORDER: usize>(proof: V, columns: V) -> V {
    let any = columns | columns.shr::<1>();
    let any = any | any.shr::<2>();
    let any = if ORDER == 5 { any | columns.shr::<4>() } else { any };
    any & proof.splat(box_starts::<ORDER>())
}

/// All columns of the boxes whose first columns are set.
#[inline(always)]
pub(super) fn spread<V: Vector, const ORDER: usize>(boxes: V) -> V {
    let next = if ORDER == 4 { boxes.shl::<4>() } else { boxes.shl::<5>() };
    next.minus(boxes)
}

/// The columns that are the only ones of their box in the set. Some are missed if a box has none.
#[inline(always)]
pub(super) fn only_in_box<V: Vector, const ORDER: usize>(proof: V, columns: V) -> V {
    let but_first = columns & columns.minus(proof.splat(box_starts::<ORDER>()));
    columns & !spread::<V, ORDER>(boxes_with_any::<V, ORDER>(proof, but_first))
}

/// The columns of each row but its first.
#[inline(always)]
pub(super) fn but_first<V: Vector, const ORDER: usize>(proof: V, columns: V) -> V {
    let one = proof.splat(in_each_part::<ORDER>(1));
    columns & if ORDER == 4 { columns.minus_halves(one) } else { columns.minus(one) }
}

/// The column of each row that has one.
#[inline(always)]
pub(super) fn only<V: Vector, const ORDER: usize>(proof: V, columns: V) -> V {
    columns ^ where_any::<V, ORDER>(columns, but_first::<V, ORDER>(proof, columns))
}

/// The rows in which `test` has a column; the remaining rows are empty.
#[inline(always)]
pub(super) fn where_any<V: Vector, const ORDER: usize>(columns: V, test: V) -> V {
    if ORDER == 4 { columns.where_any_half(test) } else { columns.where_any(test) }
}

/// The smaller number of each row.
#[inline(always)]
pub(super) fn min<V: Vector, const ORDER: usize>(a: V, b: V) -> V {
    if ORDER == 4 { a.min_halves(b) } else { a.min(b) }
}

/// Exchanges the two rows of a word. The result is empty if a word has one row.
#[inline(always)]
pub(super) fn other_part<V: Vector, const ORDER: usize>(proof: V, rows: V) -> V {
    if ORDER == 4 { rows.shl::<16>() | rows.shr::<16>() } else { proof.splat(0) }
}

//! Propagation: what follows from the candidates of a node without guessing, in four passes without a branch.
//!
//! A repetition is
//!
//! 1. [`Close`]: in which triads can a digit stand, when each row and column of a band has to get it once?
//! 2. [`FindNaked`]: which cells are down to one candidate?
//! 3. [`Apply`]: take away what the first two have found, and see how many places each digit has in each box.
//! 4. [`PlaceHidden`]: a digit with one place in a box takes it.
//!
//! Rows and columns are never looked at by the cell: that a digit stands once in a row is a matter of triads, and there
//! the first pass is complete. A round is three repetitions, after which the lanes are looked at one by one. Each pass
//! is a function of its own that takes one group: the whole loop, written out, would not stay in the CPU's cache of
//! decoded instructions, and two groups by turns let one pass begin while the last still waits for its results.

use super::group::Group;
use super::layout::{BAND, Bands, Circle, Digits, STACK, Stacks, triad, word};
use super::vector::{Task, Vector};

/// One round. What it notes about each lane is in `fault`, `twice` and `twice_before`.
#[inline(always)]
pub(super) fn round<V: Vector>(proof: V, groups: &mut [Group<V>]) {
    // Looking for hidden triads every time would cost more than it saves.
    repeat::<V, false, false>(proof, groups);
    repeat::<V, true, false>(proof, groups);
    repeat::<V, false, true>(proof, groups);
}

/// How many rounds it counts as to [`begin`].
pub(super) const ROUNDS_TO_BEGIN: u64 = 2;

/// The beginning of a search: as many repetitions as in two rounds. That solves two thirds of the easy puzzles before
/// they are moved about, and hidden triads are not worth looking for as yet.
#[inline(always)]
pub(super) fn begin<V: Vector>(proof: V, groups: &mut [Group<V>]) {
    for _ in 1..3 * ROUNDS_TO_BEGIN {
        repeat::<V, false, false>(proof, groups);
    }
    repeat::<V, false, true>(proof, groups);
}

/// One repetition, with or without hidden triads, the `LAST` in a round or not.
#[inline(always)]
fn repeat<V: Vector, const HIDDEN: bool, const LAST: bool>(proof: V, groups: &mut [Group<V>]) {
    for group in &mut *groups {
        proof.call(Close::<V, HIDDEN>(group));
    }
    for group in &mut *groups {
        proof.call(FindNaked::<V, LAST>(group));
    }
    for group in &mut *groups {
        proof.call(Apply::<V, LAST>(group));
    }
    for group in &mut *groups {
        proof.call(PlaceHidden::<V, LAST>(group));
    }
}

/// Finds the triads in which a digit can stand; with `HIDDEN`, also the triads that are full up.
///
/// A digit in a band of three rows and three boxes: each row takes it in one box and each box in one row, so its three
/// triads are the ones of a permutation matrix. A triad that could take it is worth keeping only if the other two rows
/// can still be matched with the other two boxes, one way or the other:
///
/// ```text
///             box s   s+1  s+2                  box s   s+1  s+2
///     row i     ?      .    .           row i     ?      .    .
///     row i1    .      A    .     or    row i1    .      .    B
///     row i2    .      .    A           row i2    .      B    .
/// ```
///
/// That is all there is to say about one digit in one band: it removes a digit from the rest of a row (or of a box)
/// when it is locked in a box (or in a row), from a row in which it stands, and finds its last place in a row. The same
/// with columns in a stack.
pub(super) struct Close<'a, V, const HIDDEN: bool>(pub(super) &'a mut Group<V>);

impl<V: Vector, const HIDDEN: bool> Task for Close<'_, V, HIDDEN> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        open_triads::<V, Stacks>(&group.triads[0], &mut group.open[0]);
        open_triads::<V, Bands>(&group.triads[1], &mut group.open[1]);
        if HIDDEN {
            fill_triads(&mut group.open[0]);
            fill_triads(&mut group.open[1]);
        }
    }
}

/// The triads that can be part of a permutation, where `C` is the circle of the three boxes of a band or a stack.
#[inline(always)]
fn open_triads<V: Vector, C: Circle>(triads: &[V; 9], open: &mut [V; 9]) {
    for d0 in 0..3 {
        let lines = [C::turn(triads[d0]), C::turn(triads[3 + d0]), C::turn(triads[6 + d0])];
        for line in 0..3 {
            let (next, after) = lines[(line + 1) % 3];
            let (other_next, other_after) = lines[(line + 2) % 3];
            open[triad(line, d0)] = (next & other_after) | (after & other_next);
        }
    }
}

/// Where three digits are locked in a triad, all its cells are theirs: closes it to the other digits.
///
/// A digit is locked in a triad if its box has no other open one for it. To see which triads have three of them, the
/// nine digits are counted bit by bit: for each `d1` the sum over the three words as a one and a two, then the sum over
/// the three `d1`, of which only "three or more" is wanted.
#[inline(always)]
fn fill_triads<V: Vector>(open: &mut [V; 9]) {
    let was_open = *open;
    for line in 0..3 {
        let mut locked = [was_open[triad(line, 0)], was_open[triad(line, 1)], was_open[triad(line, 2)]];
        for d0 in 0..3 {
            locked[d0] = locked[d0] & !(was_open[triad((line + 1) % 3, d0)] | was_open[triad((line + 2) % 3, d0)]);
        }
        let ones = locked[0] ^ locked[1] ^ locked[2];
        let twos = locked[0].majority(locked[1], locked[2]);
        let (ones_next, ones_after) = ones.turn();
        let (twos_next, twos_after) = twos.turn();
        let three_ones = ones & ones_next & ones_after;
        let two_and_one = (ones | ones_next | ones_after) & (twos | twos_next | twos_after);
        let full = three_ones | two_and_one | twos.majority(twos_next, twos_after);
        for d0 in 0..3 {
            let open = &mut open[triad(line, d0)];
            *open = *open & (locked[d0] | !full);
        }
    }
}

/// Finds the cells with one candidate, and the boxes in which a digit is alone in its cell. The `LAST` time
/// in a round also notes cells without a candidate.
pub(super) struct FindNaked<'a, V, const LAST: bool>(pub(super) &'a mut Group<V>);

impl<V: Vector, const LAST: bool> Task for FindNaked<'_, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let zero = group.puzzle.splat(0);
        let mut naked = [zero; 3];
        let mut empty = zero;
        for i in 0..3 {
            for j in 0..3 {
                let digits = candidates_in_open_triads(group, i, j);
                let one = digits[0] | digits[1] | digits[2];
                let two = digits[0].majority(digits[1], digits[2]);
                let (next, after) = Digits::turn(one);
                // One digit with this d1, and none with the others.
                let lonely = one & !two & !(next | after);
                group.lonely[3 * i + j] = lonely;
                for d0 in 0..3 {
                    naked[d0] = naked[d0] | (digits[d0] & lonely);
                }
                if LAST {
                    empty = empty | !(one | next | after);
                }
            }
        }
        group.naked = naked;
        if LAST {
            group.fault = empty;
        }
    }
}

/// The candidates of the cells at place `(i, j)` that lie in open triads, for each `d0`.
#[inline(always)]
fn candidates_in_open_triads<V: Vector>(group: &Group<V>, i: usize, j: usize) -> [V; 3] {
    let mut digits = group.digits(i, j);
    for d0 in 0..3 {
        digits[d0] = digits[d0] & group.open[0][triad(i, d0)] & group.open[1][triad(j, d0)];
    }
    digits
}

/// Takes away the candidates outside of open triads and the other candidates of a box for a digit that is alone in a cell; counts the places that each digit then has in each box: none, one, or two and more. The `LAST`
/// time in a round also notes digits without a place, and digits that are alone in two cells of a box.
pub(super) struct Apply<'a, V, const LAST: bool>(pub(super) &'a mut Group<V>);

impl<V: Vector, const LAST: bool> Task for Apply<'_, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        group.twice_before = group.twice;
        let mut fault = group.fault;
        for d0 in 0..3 {
            let (once, twice) = apply(group, d0);
            group.twice[d0] = twice;
            if LAST {
                fault = fault | !once | (twice & group.naked[d0]);
            }
        }
        group.fault = fault;
    }
}

/// Does it for one `d0`; gives the boxes in which a digit has a place, and those in which it has two or more.
#[inline(always)]
fn apply<V: Vector>(group: &mut Group<V>, d0: usize) -> (V, V) {
    let mut once = [group.fault; 3];
    let mut twice = [group.fault; 3];
    for i in 0..3 {
        let mut places = once;
        for j in 0..3 {
            let candidates = &mut group.candidates[word(i, j, d0)];
            let in_open_triads = *candidates & group.open[0][triad(i, d0)] & group.open[1][triad(j, d0)];
            *candidates = in_open_triads & (!group.naked[d0] | group.lonely[3 * i + j]);
            places[j] = *candidates;
        }
        once[i] = places[0] | places[1] | places[2];
        twice[i] = places[0].majority(places[1], places[2]);
    }
    (once[0] | once[1] | once[2], twice[0] | twice[1] | twice[2] | once[0].majority(once[1], once[2]))
}

/// Gives a digit that has one place in a box that place: the digits with more places leave the cell. Then gathers the
/// triads for the next repetition. The `LAST` time in a round also notes cells that two digits need.
pub(super) struct PlaceHidden<'a, V, const LAST: bool>(pub(super) &'a mut Group<V>);

impl<V: Vector, const LAST: bool> Task for PlaceHidden<'_, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let zero = group.puzzle.splat(0);
        let mut columns = [zero; 9];
        let mut fault = group.fault;
        for i in 0..3 {
            let mut row = [zero; 3];
            for j in 0..3 {
                let digits = group.digits(i, j);
                let single = [digits[0] & !group.twice[0], digits[1] & !group.twice[1], digits[2] & !group.twice[2]];
                let one = single[0] | single[1] | single[2];
                let (next, after) = Digits::turn(one);
                let taken = one | next | after;
                for d0 in 0..3 {
                    let left = digits[d0] & !(taken & group.twice[d0]);
                    group.candidates[word(i, j, d0)] = left;
                    row[d0] = row[d0] | left;
                    columns[triad(j, d0)] = columns[triad(j, d0)] | left;
                }
                if LAST {
                    let two = single[0].majority(single[1], single[2]);
                    fault = fault | two | (one & next);
                }
            }
            for d0 in 0..3 {
                group.triads[0][triad(i, d0)] = row[d0];
            }
        }
        group.triads[1] = columns;
        group.fault = fault;
    }
}

/// Where each digit has one place in each box and each cell one digit: has a bit if a row or a column lacks a digit.
///
/// That is all there is left to look at. The three triads of a digit in a band, one a box, are now shared out among its
/// three lines. If two of the lines have an odd number of them, each has one.
#[inline(always)]
pub(super) fn clashes<V: Vector>(group: &Group<V>) -> V {
    let [rows, columns] = &group.triads;
    let mut odd_rows = !group.puzzle.splat(0);
    let mut odd_columns = odd_rows;
    for n in 0..6 {
        odd_rows = odd_rows & (rows[n] ^ rows[n].shr::<1>() ^ rows[n].shr::<2>());
        odd_columns = odd_columns & (columns[n] ^ columns[n].shr::<3>() ^ columns[n].shr::<6>());
    }
    (odd_rows.splat(STACK) & !odd_rows) | (odd_columns.splat(BAND) & !odd_columns)
}

#[cfg(test)]
mod tests {
    use super::super::load::words_of_puzzle;
    use super::super::vector::portable::Portable;
    use super::*;

    /// Whether a full grid clashes.
    fn clash(cell: impl Fn(usize, usize) -> usize) -> bool {
        let cells = std::array::from_fn(|n| cell(n / 9, n % 9) as u8 + 1);
        let proof = Portable::zero();
        let mut group = Group::new(proof);
        group.candidates = words_of_puzzle(&cells).map(|word| proof.splat(word));
        for n in 0..27 {
            let (i, j, d0) = (n / 9, n / 3 % 3, n % 3);
            for (kind, line) in [i, j].into_iter().enumerate() {
                let triad = &mut group.triads[kind][triad(line, d0)];
                *triad = *triad | group.candidates[n];
            }
        }
        !clashes(&group).lanes_with_any().is_empty()
    }

    #[test]
    fn boxes_that_are_right_can_clash_in_rows_and_in_columns() {
        assert!(!clash(|row, column| (3 * row + row / 3 + column) % 9));
        assert!(clash(|row, column| (3 * row + column % 3) % 9), "rows and columns");
        assert!(clash(|row, column| (3 * (row + column / 3) + column % 3) % 9), "columns");
        assert!(clash(|row, column| (3 * (column + row / 3) + row % 3) % 9), "rows");
    }
}

//! Propagation: what follows from the candidates of a node without guessing, without a branch.
//!
//! A repetition is
//!
//! 1. [`close`]: in which triads can a digit stand, when each row and column of a band has to get it once?
//! 2. [`Strike`]: which cells are down to one candidate? Takes away what the triads and these cells rule out, and sees
//!    how many places each digit has in each box.
//! 3. [`place`]: a digit with one place in a box takes it.
//!
//! Rows and columns are never looked at by the cell: that a digit stands once in a row is a matter of triads, and there
//! the first pass is complete. A round is three repetitions, after which the lanes are looked at one by one.
//!
//! What costs most is to store vectors. So, where there are registers enough for the triads, the first pass goes with the
//! third of the repetition before it ([`PlaceAndClose`]). Still each function takes one group and does one or two
//! passes: the whole loop, written out, would not stay in the CPU's cache of decoded instructions, and two groups by
//! turns let one function begin while the last still waits for its results.

use super::group::{Group, digits};
use super::layout::{BAND, Bands, Circle, Digits, STACK, Stacks, WORDS, triad, word};
use super::vector::{Task, Vector};

/// One round. What it notes about each lane is in `fault`, `twice` and `twice_before`.
#[inline(always)]
pub(super) fn round<V: Vector>(proof: V, groups: &mut [Group<V>]) {
    close_each::<V, false>(proof, groups);
    // Looking for hidden triads every time would cost more than it saves.
    repeat::<V, true>(proof, groups);
    repeat::<V, false>(proof, groups);
    repeat_and_note(proof, groups);
}

/// How many rounds it counts as to [`begin`].
pub(super) const ROUNDS_TO_BEGIN: u64 = 2;

/// The beginning of a search: as many repetitions as in two rounds. That solves two thirds of the easy puzzles before
/// they are moved about, and hidden triads are not worth looking for as yet.
#[inline(always)]
pub(super) fn begin<V: Vector>(proof: V, groups: &mut [Group<V>]) {
    close_each::<V, false>(proof, groups);
    for _ in 1..3 * ROUNDS_TO_BEGIN {
        repeat::<V, false>(proof, groups);
    }
    repeat_and_note(proof, groups);
}

/// The first pass of a repetition, with or without hidden triads.
#[inline(always)]
fn close_each<V: Vector, const HIDDEN: bool>(proof: V, groups: &mut [Group<V>]) {
    for group in groups {
        proof.call(Close::<V, HIDDEN>(group));
    }
}

/// One repetition but for its first pass, and the first pass of the next, with or without hidden triads.
#[inline(always)]
fn repeat<V: Vector, const HIDDEN: bool>(proof: V, groups: &mut [Group<V>]) {
    for group in &mut *groups {
        proof.call(Strike::<V, false>(group));
    }
    if V::MANY_REGISTERS {
        for group in &mut *groups {
            proof.call(PlaceAndClose::<V, HIDDEN>(group));
        }
    } else {
        for group in &mut *groups {
            proof.call(PlaceDigits::<V, false>(group));
        }
        close_each::<V, HIDDEN>(proof, groups);
    }
}

/// The last repetition of a round but for its first pass; notes what has become of each lane.
#[inline(always)]
fn repeat_and_note<V: Vector>(proof: V, groups: &mut [Group<V>]) {
    for group in &mut *groups {
        proof.call(Strike::<V, true>(group));
    }
    for group in &mut *groups {
        proof.call(PlaceDigits::<V, true>(group));
    }
}

/// Finds the triads in which a digit can stand, among the row and the column triads that have a candidate for it; with
/// `HIDDEN`, also the triads that are full up.
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
#[inline(always)]
fn close<V: Vector, const HIDDEN: bool>(triads: &[[V; 9]; 2], open: &mut [[V; 9]; 2]) {
    open_triads::<V, Stacks>(&triads[0], &mut open[0]);
    open_triads::<V, Bands>(&triads[1], &mut open[1]);
    if HIDDEN {
        fill_triads(&mut open[0]);
        fill_triads(&mut open[1]);
    }
}

/// [Closes](close) the triads of a group.
struct Close<'a, V, const HIDDEN: bool>(&'a mut Group<V>);

impl<V: Vector, const HIDDEN: bool> Task for Close<'_, V, HIDDEN> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        close::<V, HIDDEN>(&group.triads, &mut group.open);
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

/// Takes away the candidates outside of open triads and, where a digit is the only candidate of a cell, its other
/// candidates in the box; counts the places that each digit then has in each box: none, one, or two and more. The `LAST`
/// time in a round also notes cells without a candidate, digits without a place, and digits that are alone in two cells
/// of a box.
struct Strike<'a, V, const LAST: bool>(&'a mut Group<V>);

impl<V: Vector, const LAST: bool> Task for Strike<'_, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let zero = group.puzzle.splat(0);
        // For each place in a box: the cells with one candidate, at its d1.
        let mut lonely = [zero; 9];
        // For each d0: the boxes in which a digit is the only candidate of a cell.
        let mut naked = [zero; 3];
        let mut fault = zero;
        for i in 0..3 {
            for j in 0..3 {
                let digits = candidates_in_open_triads(group, i, j);
                let one = digits[0] | digits[1] | digits[2];
                let two = digits[0].majority(digits[1], digits[2]);
                let (next, after) = Digits::turn(one);
                // One digit with this d1, and none with the others.
                lonely[3 * i + j] = one & !two & !(next | after);
                for d0 in 0..3 {
                    naked[d0] = naked[d0] | (digits[d0] & lonely[3 * i + j]);
                }
                if LAST {
                    fault = fault | !(one | next | after);
                }
            }
        }
        if LAST {
            group.twice_before = group.twice;
        }
        for d0 in 0..3 {
            let (once, twice) = strike(group, d0, naked[d0], &lonely);
            group.twice[d0] = twice;
            if LAST {
                fault = fault | !once | (twice & naked[d0]);
            }
        }
        if LAST {
            group.fault = fault;
        }
    }
}

/// The candidates of the cells at place `(i, j)` that lie in open triads, for each `d0`.
#[inline(always)]
fn candidates_in_open_triads<V: Vector>(group: &Group<V>, i: usize, j: usize) -> [V; 3] {
    let mut digits = digits(&group.candidates, i, j);
    for d0 in 0..3 {
        digits[d0] = digits[d0] & group.open[0][triad(i, d0)] & group.open[1][triad(j, d0)];
    }
    digits
}

/// Takes candidates away for one `d0`; gives the boxes in which a digit has a place, and those in which it has two or
/// more.
#[inline(always)]
fn strike<V: Vector>(group: &mut Group<V>, d0: usize, naked: V, lonely: &[V; 9]) -> (V, V) {
    let mut once = [naked; 3];
    let mut twice = [naked; 3];
    for i in 0..3 {
        let mut places = once;
        for j in 0..3 {
            let candidates = &mut group.candidates[word(i, j, d0)];
            let in_open_triads = *candidates & group.open[0][triad(i, d0)] & group.open[1][triad(j, d0)];
            *candidates = in_open_triads & (!naked | lonely[3 * i + j]);
            places[j] = *candidates;
        }
        once[i] = places[0] | places[1] | places[2];
        twice[i] = places[0].majority(places[1], places[2]);
    }
    (once[0] | once[1] | once[2], twice[0] | twice[1] | twice[2] | once[0].majority(once[1], once[2]))
}

/// [Places](place) digits.
struct PlaceDigits<'a, V, const LAST: bool>(&'a mut Group<V>);

impl<V: Vector, const LAST: bool> Task for PlaceDigits<'_, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let fault = place::<V, LAST>(&mut group.candidates, &group.twice, &mut group.triads);
        if LAST {
            group.fault = group.fault | fault;
        }
    }
}

/// [Places](place) digits, and [closes](close) triads for the next repetition without ever storing them.
struct PlaceAndClose<'a, V, const HIDDEN: bool>(&'a mut Group<V>);

impl<V: Vector, const HIDDEN: bool> Task for PlaceAndClose<'_, V, HIDDEN> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let mut triads = [[group.puzzle.splat(0); 9]; 2];
        place::<V, false>(&mut group.candidates, &group.twice, &mut triads);
        close::<V, HIDDEN>(&triads, &mut group.open);
    }
}

/// Gives a digit that has one place in a box that place: the digits with more places leave the cell. Gathers the triads
/// that have candidates then; the `LAST` time in a round also the cells that two digits need.
#[inline(always)]
fn place<V: Vector, const LAST: bool>(candidates: &mut [V; WORDS], twice: &[V; 3], triads: &mut [[V; 9]; 2]) -> V {
    let zero = twice[0].splat(0);
    let mut columns = [zero; 9];
    let mut fault = zero;
    for i in 0..3 {
        let mut row = [zero; 3];
        for j in 0..3 {
            let digits = digits(candidates, i, j);
            let single = [digits[0] & !twice[0], digits[1] & !twice[1], digits[2] & !twice[2]];
            let one = single[0] | single[1] | single[2];
            let (next, after) = Digits::turn(one);
            let taken = one | next | after;
            for d0 in 0..3 {
                let left = digits[d0] & !(taken & twice[d0]);
                candidates[word(i, j, d0)] = left;
                row[d0] = row[d0] | left;
                columns[triad(j, d0)] = columns[triad(j, d0)] | left;
            }
            if LAST {
                let two = single[0].majority(single[1], single[2]);
                fault = fault | two | (one & next);
            }
        }
        for d0 in 0..3 {
            triads[0][triad(i, d0)] = row[d0];
        }
    }
    triads[1] = columns;
    fault
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

//! Propagation: eliminates candidates of nodes that cannot be part of a solution, without guessing and without branches.
//!
//! A repetition has three passes:
//!
//! 1. [`close`] finds the triads that can have a digit, given that each row and column of a band has it once.
//! 2. [`Eliminate`] removes the candidates outside of these triads or excluded by naked singles, and counts the
//!    places of each digit in each box.
//! 3. [`place`] places the digits that have one place in a box.
//!
//! Rows and columns are never examined cell by cell: whether a row can have a digit exactly once depends only on its
//! triads, and the first pass makes all inferences from them. A round is three repetitions, after which the search
//! examines the lanes one by one.
//!
//! The most expensive operation is to store vectors. So, if there are registers enough for the triads, the first pass is
//! merged with the third of the repetition before it ([`PlaceAndClose`]). Each function takes one group and does only one
//! or two passes. The complete loop, written out, would not fit into the CPU's cache of decoded instructions. And since
//! two groups alternate, the function for one starts while that for the other still waits for its results.

use super::group::{LaneGroup, digits};
use super::layout::{BAND, STACK, WORDS, triad, word};
use super::rotate::{Bands, Digits, Rotation, Stacks};
use super::vector::{Task, Vector};

/// Runs one round. Its results for each lane are in `contradiction`, `two_or_more` and `two_or_more_before`.
#[inline(always)]
pub(super) fn round<V: Vector>(proof: V, groups: &mut [LaneGroup<V>]) {
    close_each::<V, false>(proof, groups);
    // Hidden triads are looked for once a round: in every repetition they would cost more than they save.
    repeat::<V, true>(proof, groups);
    repeat::<V, false>(proof, groups);
    repeat_last(proof, groups);
}

/// The number of rounds that the repetitions on root nodes count as.
pub(super) const ROOT_ROUNDS: u64 = 2;

/// The number of repetitions on root nodes. They solve two thirds of the easy puzzles before these are moved to other
/// lanes.
pub(super) const ROOT_REPETITIONS: u64 = 3 * ROOT_ROUNDS;

/// Runs repetitions on root nodes. There, hidden triads are not worth looking for.
#[inline(always)]
pub(super) fn propagate_roots<V: Vector>(proof: V, groups: &mut [LaneGroup<V>], repetitions: u64) {
    close_each::<V, false>(proof, groups);
    for _ in 1..repetitions {
        repeat::<V, false>(proof, groups);
    }
    repeat_last(proof, groups);
}

/// The first pass of a repetition, with or without hidden triads.
#[inline(always)]
fn close_each<V: Vector, const HIDDEN: bool>(proof: V, groups: &mut [LaneGroup<V>]) {
    for group in groups {
        proof.call(Close::<V, HIDDEN>(group));
    }
}

/// A repetition without its first pass, then the first pass of the next, with or without hidden triads.
#[inline(always)]
fn repeat<V: Vector, const HIDDEN: bool>(proof: V, groups: &mut [LaneGroup<V>]) {
    for group in &mut *groups {
        proof.call(Eliminate::<V, false>(group));
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

/// The last repetition of a round without its first pass; also computes the results for each lane.
#[inline(always)]
fn repeat_last<V: Vector>(proof: V, groups: &mut [LaneGroup<V>]) {
    for group in &mut *groups {
        proof.call(Eliminate::<V, true>(group));
    }
    for group in &mut *groups {
        proof.call(PlaceDigits::<V, true>(group));
    }
}

/// Finds the triads that can have a digit, among the row and column triads with a candidate for it. With `HIDDEN`, also
/// excludes the triads that three other digits fill.
///
/// In a band of three rows and three boxes, each row has a digit in one box and each box has it in one row, so the three
/// triads of the digit are the ones of a permutation matrix. A triad can have the digit only if the other two rows can
/// still be matched with the other two boxes, one way or the other:
///
/// ```text
///             box s   s+1  s+2                  box s   s+1  s+2
///     row i     ?      .    .           row i     ?      .    .
///     row i1    .      A    .     or    row i1    .      .    B
///     row i2    .      .    A           row i2    .      B    .
/// ```
///
/// That covers all inferences about one digit in one band: if the digit is locked in a box (or row), it is removed from
/// the rest of the row (or box); it is removed from the rest of a row that has it; and its last place in a row is
/// found. The same holds for columns in a stack.
#[inline(always)]
fn close<V: Vector, const HIDDEN: bool>(triads: &[[V; 9]; 2], open: &mut [[V; 9]; 2]) {
    open_triads::<V, Stacks>(&triads[0], &mut open[0]);
    open_triads::<V, Bands>(&triads[1], &mut open[1]);
    if HIDDEN {
        close_full_triads(&mut open[0]);
        close_full_triads(&mut open[1]);
    }
}

/// [Closes](close) the triads of a group.
struct Close<'a, V, const HIDDEN: bool>(&'a mut LaneGroup<V>);

impl<V: Vector, const HIDDEN: bool> Task for Close<'_, V, HIDDEN> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        close::<V, HIDDEN>(&group.triads, &mut group.open);
    }
}

/// Finds the triads that can be part of a permutation; `R` rotates through the three boxes of a band or a stack.
#[inline(always)]
fn open_triads<V: Vector, R: Rotation>(triads: &[V; 9], open: &mut [V; 9]) {
    for d0 in 0..3 {
        let lines = [R::rotate(triads[d0]), R::rotate(triads[3 + d0]), R::rotate(triads[6 + d0])];
        for line in 0..3 {
            let (next, after) = lines[(line + 1) % 3];
            let (other_next, other_after) = lines[(line + 2) % 3];
            open[triad(line, d0)] = (next & other_after) | (after & other_next);
        }
    }
}

/// Removes all other digits from each triad where three digits are locked: the three fill its cells.
///
/// A digit is locked in a triad if its box has no other open triad for it. To find the triads with three such digits, the
/// nine digits are counted bit by bit: for each `d1` the sum over the three words as a one and a two, then whether the
/// sum over the three `d1` is three or more.
#[inline(always)]
fn close_full_triads<V: Vector>(open: &mut [V; 9]) {
    let was_open = *open;
    for line in 0..3 {
        let mut locked = [was_open[triad(line, 0)], was_open[triad(line, 1)], was_open[triad(line, 2)]];
        for d0 in 0..3 {
            locked[d0] = locked[d0] & !(was_open[triad((line + 1) % 3, d0)] | was_open[triad((line + 2) % 3, d0)]);
        }

        let ones = locked[0] ^ locked[1] ^ locked[2];
        let twos = locked[0].majority(locked[1], locked[2]);
        let (ones_next, ones_after) = ones.rotate_27();
        let (twos_next, twos_after) = twos.rotate_27();
        let three_ones = ones & ones_next & ones_after;
        let two_and_one = (ones | ones_next | ones_after) & (twos | twos_next | twos_after);
        let full = three_ones | two_and_one | twos.majority(twos_next, twos_after);

        for d0 in 0..3 {
            let open = &mut open[triad(line, d0)];
            *open = *open & (locked[d0] | !full);
        }
    }
}

/// Eliminates the candidates outside of open triads and, where a digit is a naked single, its other candidates in the box;
/// counts the places that each digit then has in each box: none, one, or two or more. The `LAST` time in a round also
/// finds contradictions: cells without a candidate, digits without a place, and digits that are naked singles in two
/// cells of a box.
struct Eliminate<'a, V, const LAST: bool>(&'a mut LaneGroup<V>);

impl<V: Vector, const LAST: bool> Task for Eliminate<'_, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let zero = group.puzzle.splat(0);
        // For each place in a box: the cells with one candidate, at the bit of its d1.
        let mut single_cells = [zero; 9];
        // For each d0, the boxes where a digit is a naked single.
        let mut naked = [zero; 3];
        let mut contradiction = zero;

        for i in 0..3 {
            for j in 0..3 {
                let digits = candidates_in_open_triads(group, i, j);
                if !V::MANY_REGISTERS {
                    // Stored for `eliminate`. With ternary operations, computing them again takes less time.
                    for d0 in 0..3 {
                        group.candidates[word(i, j, d0)] = digits[d0];
                    }
                }

                let one = digits[0] | digits[1] | digits[2];
                let two = digits[0].majority(digits[1], digits[2]);
                let (next, after) = Digits::rotate(one);
                // The cell has exactly one digit with this d1, and no digit with another d1.
                single_cells[3 * i + j] = one & !two & !(next | after);
                for d0 in 0..3 {
                    naked[d0] = naked[d0] | (digits[d0] & single_cells[3 * i + j]);
                }
                if LAST {
                    contradiction = contradiction | !(one | next | after);
                }
            }
        }

        if LAST {
            group.two_or_more_before = group.two_or_more;
        }
        for d0 in 0..3 {
            let (one_or_more, two_or_more) = eliminate(group, d0, naked[d0], &single_cells);
            group.two_or_more[d0] = two_or_more;
            if LAST {
                contradiction = contradiction | !one_or_more | (two_or_more & naked[d0]);
            }
        }
        if LAST {
            group.contradiction = contradiction;
        }
    }
}

/// The candidates of the cells at place `(i, j)` that lie in open triads, for each `d0`.
#[inline(always)]
fn candidates_in_open_triads<V: Vector>(group: &LaneGroup<V>, i: usize, j: usize) -> [V; 3] {
    let mut digits = digits(&group.candidates, i, j);
    for d0 in 0..3 {
        digits[d0] = digits[d0] & group.open[0][triad(i, d0)] & group.open[1][triad(j, d0)];
    }
    digits
}

/// Eliminates candidates for one `d0`. Returns the boxes where a digit has one or more places, and the boxes where it
/// has two or more.
#[inline(always)]
fn eliminate<V: Vector>(group: &mut LaneGroup<V>, d0: usize, naked: V, single_cells: &[V; 9]) -> (V, V) {
    let mut one_or_more = [naked; 3];
    let mut two_or_more = [naked; 3];
    for i in 0..3 {
        let mut places = one_or_more;
        for j in 0..3 {
            let candidates = &mut group.candidates[word(i, j, d0)];
            let in_open_triads = if V::MANY_REGISTERS {
                *candidates & group.open[0][triad(i, d0)] & group.open[1][triad(j, d0)]
            } else {
                *candidates
            };
            // Where the digit is a naked single, only its cell keeps it.
            *candidates = in_open_triads & (!naked | single_cells[3 * i + j]);
            places[j] = *candidates;
        }
        one_or_more[i] = places[0] | places[1] | places[2];
        two_or_more[i] = places[0].majority(places[1], places[2]);
    }

    let in_two_rows = one_or_more[0].majority(one_or_more[1], one_or_more[2]);
    (one_or_more[0] | one_or_more[1] | one_or_more[2], two_or_more[0] | two_or_more[1] | two_or_more[2] | in_two_rows)
}

/// [Places](place) digits.
struct PlaceDigits<'a, V, const LAST: bool>(&'a mut LaneGroup<V>);

impl<V: Vector, const LAST: bool> Task for PlaceDigits<'_, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let contradiction = place::<V, LAST>(&mut group.candidates, &group.two_or_more, &mut group.triads);
        if LAST {
            group.contradiction = group.contradiction | contradiction;
        }
    }
}

/// [Places](place) digits, and [closes](close) triads for the next repetition without storing the triads in between.
struct PlaceAndClose<'a, V, const HIDDEN: bool>(&'a mut LaneGroup<V>);

impl<V: Vector, const HIDDEN: bool> Task for PlaceAndClose<'_, V, HIDDEN> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let group = self.0;
        let mut triads = [[group.puzzle.splat(0); 9]; 2];
        place::<V, false>(&mut group.candidates, &group.two_or_more, &mut triads);
        close::<V, HIDDEN>(&triads, &mut group.open);
    }
}

/// Places the digits that have one place in a box: the digits with more places leave its cell. Computes the triads of the
/// candidates that are left, and the `LAST` time in a round returns the cells that two digits need.
#[inline(always)]
fn place<V: Vector, const LAST: bool>(
    candidates: &mut [V; WORDS],
    two_or_more: &[V; 3],
    triads: &mut [[V; 9]; 2],
) -> V {
    let zero = two_or_more[0].splat(0);
    let mut columns = [zero; 9];
    let mut contradiction = zero;
    for i in 0..3 {
        let mut row = [zero; 3];
        for j in 0..3 {
            let digits = digits(candidates, i, j);
            let single = [digits[0] & !two_or_more[0], digits[1] & !two_or_more[1], digits[2] & !two_or_more[2]];
            let one = single[0] | single[1] | single[2];
            let (next, after) = Digits::rotate(one);
            let taken = one | next | after;

            for d0 in 0..3 {
                let left = digits[d0] & !(taken & two_or_more[d0]);
                candidates[word(i, j, d0)] = left;
                row[d0] = row[d0] | left;
                columns[triad(j, d0)] = columns[triad(j, d0)] | left;
            }

            if LAST {
                // Two digits have their only place in one cell: with the same d1, or with different ones.
                let two = single[0].majority(single[1], single[2]);
                contradiction = contradiction | two | (one & next);
            }
        }
        for d0 in 0..3 {
            triads[0][triad(i, d0)] = row[d0];
        }
    }
    triads[1] = columns;
    contradiction
}

/// Has a bit if a row or a column lacks a digit, given a node in which each digit has one place in each box and each
/// cell has one digit. Without a bit, the node is solved.
///
/// The three triads of a digit in a band, one in each box, are distributed over the three lines of the band. If two of
/// the lines have an odd number of them, each line has one.
#[inline(always)]
pub(super) fn conflicts<V: Vector>(group: &LaneGroup<V>) -> V {
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
    use super::super::cells::read_puzzle;
    use super::super::vector::portable::Portable;
    use super::*;

    /// Whether a full grid has conflicts.
    fn has_conflict(cell: impl Fn(usize, usize) -> usize) -> bool {
        let cells = std::array::from_fn(|n| cell(n / 9, n % 9) as u8 + 1);
        let proof = Portable::zero();
        let mut group = LaneGroup::new(proof);
        group.candidates = read_puzzle(&cells).map(|word| proof.splat(word));
        for n in 0..27 {
            let (i, j, d0) = (n / 9, n / 3 % 3, n % 3);
            for (kind, line) in [i, j].into_iter().enumerate() {
                let triad = &mut group.triads[kind][triad(line, d0)];
                *triad = *triad | group.candidates[n];
            }
        }
        !conflicts(&group).lanes_with_any().is_empty()
    }

    #[test]
    fn full_grids_with_valid_boxes_can_have_conflicts_in_rows_and_columns() {
        assert!(!has_conflict(|row, column| (3 * row + row / 3 + column) % 9));
        assert!(has_conflict(|row, column| (3 * row + column % 3) % 9), "rows and columns");
        assert!(has_conflict(|row, column| (3 * (row + column / 3) + column % 3) % 9), "columns");
        assert!(has_conflict(|row, column| (3 * (column + row / 3) + row % 3) % 9), "rows");
    }
}

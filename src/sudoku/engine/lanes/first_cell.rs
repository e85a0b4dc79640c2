//! Splits of the first open cell: the rule of a search in lexicographic order.
//!
//! The first cell, row by row, with more than one candidate is split: in the first child it has its smallest candidate,
//! in the second child any other. All cells before it are solved. So the solutions of the first child precede the
//! solutions of the second, and a depth-first search finds the first solution of all first.

use super::group::{LaneGroup, Splits, digits};
use super::layout::{BAND, FULL};
use super::vector::{LaneSet, Vector};

/// Splits of cells: a cell has a digit, or it does not.
pub(super) struct FirstCell<V> {
    /// For each place in a box, all bits of the lanes that split a cell at this place.
    place: [V; 9],
    /// For each `d0`, the bit of the digit and the box of the cell.
    digit: [V; 3],
}

/// The bits of `d1 = 0`.
const LOW_DIGITS: u32 = 0o777;

impl<V: Vector> Splits<V> for FirstCell<V> {
    #[inline(always)]
    fn none(proof: V) -> Self {
        let zero = proof.splat(0);
        FirstCell { place: [zero; 9], digit: [zero; 3] }
    }

    #[inline(always)]
    fn find(&mut self, group: &LaneGroup<V>, moved: V) -> LaneSet {
        let proof = group.puzzle;
        let zero = proof.splat(0);
        let all = proof.splat(u32::MAX);

        // For each place, the boxes (bits 3 * b + s) whose cell at this place has two or more candidates.
        let mut open = [zero; 9];
        let mut any = zero;
        for i in 0..3 {
            for j in 0..3 {
                let [a, b, c] = digits(&group.candidates, i, j);
                let one = a | b | c;
                let (next, after) = one.rotate_27();
                let two = a.majority(b, c) | (one & (next | after));
                let boxes = (two | two.shr::<9>() | two.shr::<18>()) & proof.splat(LOW_DIGITS);
                open[3 * i + j] = boxes;
                any = any | boxes;
            }
        }

        // The first of these cells: the first band b, in it the first line i, then the first stack s, then the first
        // column j.
        let [top, middle] = [BAND & LOW_DIGITS, (BAND << 3) & LOW_DIGITS].map(|band| proof.splat(band));
        let is_top = all.where_any(any & top);
        let is_middle = !is_top & all.where_any(any & middle);
        let band = (is_top & top) | (is_middle & middle) | (!(is_top | is_middle) & proof.splat(BAND << 6));
        let mut to_find = !all.where_any(moved);
        let mut cell = zero;
        for i in 0..3 {
            let line = (open[3 * i] | open[3 * i + 1] | open[3 * i + 2]) & band & to_find;
            let first = line & zero.minus(line);
            let mut in_line = all.where_any(first);
            to_find = to_find & !in_line;
            cell = cell | first;
            for j in 0..3 {
                let here = in_line & all.where_any(open[3 * i + j] & first);
                self.place[3 * i + j] = here;
                in_line = in_line & !here;
            }
        }

        // The smallest candidate of the cell: the first d1, then the first d0.
        let bits = cell | cell.shl::<9>() | cell.shl::<18>();
        let mut candidates = [zero; 3];
        for i in 0..3 {
            for j in 0..3 {
                let here = self.place[3 * i + j] & bits;
                let digits = digits(&group.candidates, i, j);
                for d0 in 0..3 {
                    candidates[d0] = candidates[d0] | (digits[d0] & here);
                }
            }
        }
        let any = candidates[0] | candidates[1] | candidates[2];
        let mut bit = any & zero.minus(any) & proof.splat(FULL);
        for d0 in 0..3 {
            self.digit[d0] = candidates[d0] & bit;
            bit = bit & !candidates[d0];
        }
        cell.lanes_with_any()
    }

    #[inline(always)]
    fn remove(&mut self, lanes: LaneSet) {
        let others = !self.digit[0].in_lanes(lanes);
        for d0 in 0..3 {
            self.digit[d0] = self.digit[d0] & others;
        }
    }

    /// First child: the digit is in the cell, so at no other place of the box. Second child: the cell has another
    /// digit.
    #[inline(always)]
    fn children(&self, candidates: V, i: usize, j: usize, d0: usize) -> (V, V) {
        let (place, digit) = (self.place[3 * i + j], self.digit[d0]);
        (candidates & (place | !digit), candidates & !(place & digit))
    }
}

//! Tables of the pairs of rows of a band: the smallest second and third rows that they can become, and how.
//!
//! Take two rows of one band and map each column to the column where the upper row has the digit that the lower row has
//! here. The result does not depend on the names of the digits. It is a permutation of the nine columns, the *step* of the
//! pair, and it maps no column into its own stack:
//!
//! ```text
//!     column   0 1 2   3 4 5   6 7 8
//!     upper    8 3 1 | 6 7 2 | 9 5 4
//!     lower    6 7 9 | 4 5 8 | 3 1 2
//!     step     3 4 6   8 7 0   1 2 5
//! ```
//!
//! If digits are renamed such that the upper row is 123456789, the step is the lower row minus one. Another order of the
//! columns conjugates the step by an element of the group of [`LINE_ORDERS`] column orders, so the smallest lower row
//! that a pair can get is the smallest step in its conjugacy class. There are 12,096 steps (56 ways to distribute the
//! digits over the boxes, `6^3` orders within them) in 15 classes. The *rank* of a class is its number in the order of
//! the smallest steps: a pair of lower rank makes a smaller grid. The table has, for each step, its rank and one column
//! order that takes it to the smallest step; for each class, its stabiliser: the column orders that do not change the
//! smallest step, at most 18. The products of the two are all column orders that lead to the smallest step.
//!
//! The digits of the third row in each box are known, only their order within boxes is free:
//!
//! ```text
//!     1 2 3 | 4 5 6 | 7 8 9
//!     4 5 7 | 1 8 9 | 2 3 6     the smallest lower row of rank 3,
//!     6 8 9 | 2 3 7 | 1 4 5     and the third row numbered 0 of 216
//! ```
//!
//! Applying a column order to the band moves the third row without looking at its digits: the order moves each box,
//! reorders its columns and renames its digits, which composes the order of the digits in the box with two further
//! orders. The table has these *turns* for each step. So all bands are compared only by numbers.
//!
//! For each rank and number, the table has the smallest number that the stabiliser can make from it, and the members
//! that do so. Rank and smallest number together distinguish the 416 classes of bands.

use std::array;
use std::sync::LazyLock;

use super::lines::{LINE_ORDERS, ORDERS_OF_THREE, line_order};
use crate::puzzle::members;

/// A permutation of columns: for a step, the column that each column maps to; for an order, the old column at each place.
pub(super) type PairColumns = [u8; 9];

/// The tables of ranks of pairs, of third rows, and of the column orders that make them the smallest.
pub(super) struct Pairs {
    /// For each box, the contribution of its three columns to the index of a step, by [code](Pairs::index).
    parts: [[u16; CODES]; 3],
    /// The rank of each step, by index.
    ranks: Vec<u8>,
    /// For each step, by index, a way to make it the smallest of its class.
    moves: Vec<StepReduction>,
    classes: Vec<PairClass>,
    /// All line orders, as distances of cells from the first in a row: in a grid, and in its reflection.
    distances: [[PairColumns; LINE_ORDERS]; 2],
    /// The contribution of turns to the number of a third row, see [`turns`].
    turns: [[u8; 8]; 128],
}

/// A way to make a step the smallest of its class, and the effect on the third row.
#[derive(Clone, Copy, Debug, Default)]
struct StepReduction {
    /// The index of the inverse step: of the same pair of rows with upper and lower exchanged.
    inverse: StepIndex,
    /// A column order that takes the step to the smallest of its class, as a number for [`line_order`].
    order: u16,
    /// For each box, the number of its turn.
    turns: [u8; 3],
}

/// Whether a grid is reflected: its columns become rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reflection {
    No,
    Yes,
}

/// The number of a step, below [`INDICES`].
pub(super) type StepIndex = u16;

/// A conjugacy class of steps.
struct PairClass {
    smallest: PairColumns,
    /// The column orders that do not change the smallest step.
    stabiliser: Vec<PairColumns>,
    /// For each third row, the smallest one that the stabiliser makes of it.
    thirds: [Third; THIRDS],
}

/// The smallest third row that another one can become while the two rows before it do not change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Third {
    /// The number of the smallest third row.
    pub(super) smallest: u8,
    /// The members of the stabiliser that make it the smallest, as bits.
    ways: u32,
}

/// The size of a table by code. Codes are below 729; an index that is masked to the size needs no check.
const CODES: usize = 1024;

/// The number of third rows for the same two rows before: `6^3` orders within boxes.
const THIRDS: usize = 216;

/// The values of the three digits of base 6 in the number of a third row: one digit for each box.
const PLACES: [u8; 3] = [36, 6, 1];

/// The number of values of an index: 20 choices of three columns for box 1 out of stacks 2 and 3, 3 choices of box 2 from
/// stack 1, and an order of three within each box. (If box 1 maps to one complete stack, there is only 1 choice for box 2,
/// not 3, so some values are never used.)
const INDICES: usize = 20 * 3 * THIRDS;

impl Pairs {
    /// The tables, built by the first call.
    pub(super) fn get() -> &'static Pairs {
        static PAIRS: LazyLock<Box<Pairs>> = LazyLock::new(|| Box::new(Pairs::build()));
        &PAIRS
    }

    /// The index of a step; steps have different indices. A step is given by a code for each box: its three columns as
    /// digits of base 9. Higher bits are ignored.
    pub(super) fn index(&self, first: u32, second: u32, third: u32) -> StepIndex {
        let part = |n: usize, code: u32| self.parts[n][code as usize % CODES];
        part(0, first) + part(1, second) + part(2, third)
    }

    /// The rank of a step, and of its inverse. The smaller the rank, the smaller the lower row can get.
    pub(super) fn rank(&self, step: StepIndex) -> u8 {
        self.ranks[usize::from(step)]
    }

    /// The inverse of a step.
    pub(super) fn inverse(&self, step: StepIndex) -> StepIndex {
        self.moves[usize::from(step)].inverse
    }

    /// The smallest third row after two rows with this step and rank; `third` is the step from the first to the third row.
    pub(super) fn third(&self, rank: u8, step: StepIndex, third: StepIndex) -> Third {
        let turns = self.moves[usize::from(step)].turns;
        self.classes[usize::from(rank)].thirds[self.turned(turns, usize::from(third) % THIRDS)]
    }

    /// The number of the third row after the turns of its boxes.
    fn turned(&self, [first, second, last]: [u8; 3], number: usize) -> usize {
        let turn = |turn: u8, order: usize| usize::from(self.turns[usize::from(turn) % 128][order % 8]);
        turn(first, number / 36) + turn(second, number / 6 % 6) + turn(last, number % 6)
    }

    /// All column orders that give the smallest third row after two rows with this step. Columns are given as distances
    /// from the first cell of a row to another.
    pub(super) fn ways(
        &self,
        rank: u8,
        step: StepIndex,
        third: Third,
        reflection: Reflection,
    ) -> impl Iterator<Item = PairColumns> {
        let order = &self.distances[reflection as usize][usize::from(self.moves[usize::from(step)].order)];
        let stabiliser = &self.classes[usize::from(rank)].stabiliser;
        members(third.ways).map(|n| stabiliser[n].map(|column| order[usize::from(column)]))
    }

    /// Bands of all classes, with the number of bands with the first row 123456789 that each stands for: those whose first
    /// two rows are a smallest pair.
    pub(super) fn bands(&self) -> impl Iterator<Item = ([u8; 27], u64)> {
        self.classes.iter().flat_map(|class| {
            let pairs = LINE_ORDERS / class.stabiliser.len();
            (0..THIRDS).map(move |third| {
                let mut band = [0; 27];
                let rows = [line_order(0), class.smallest, third_row(&class.smallest, third)];
                band.iter_mut().zip(rows.as_flattened()).for_each(|(digit, column)| *digit = column + 1);
                (band, pairs as u64)
            })
        })
    }

    fn build() -> Pairs {
        let mut pairs = Pairs {
            parts: index_parts(),
            ranks: vec![u8::MAX; INDICES],
            moves: vec![StepReduction::default(); INDICES],
            classes: Vec::new(),
            distances: [1, 9].map(|distance| array::from_fn(|n| line_order(n).map(|column| distance * column))),
            turns: turns(),
        };

        // The first step of a class in this order is its smallest, which maps column 0 to column 3. Conjugating it by all
        // orders gives the complete class.
        for smallest in steps(3) {
            if pairs.rank(pairs.index_of(&smallest)) != u8::MAX {
                continue;
            }
            let third = third_row(&smallest, 0);
            let (mut stabiliser, mut stabiliser_turns) = (Vec::new(), Vec::new());
            for (number, order) in pairs.distances[0].iter().enumerate() {
                let step = conjugate(&smallest, order);
                let index = usize::from(pairs.index_of(&step));
                let turns = turns_of(&third, order, number);
                pairs.ranks[index] = pairs.classes.len() as u8;
                pairs.moves[index] =
                    StepReduction { inverse: pairs.index_of(&invert(&step)), order: number as u16, turns };
                if step == smallest {
                    stabiliser.push(*order);
                    stabiliser_turns.push(turns);
                }
            }

            let thirds = array::from_fn(|number| pairs.best_third(number, &stabiliser_turns));
            pairs.classes.push(PairClass { smallest, stabiliser, thirds });
        }
        pairs
    }

    /// A column order that takes a step to the smallest of its class.
    #[cfg(test)]
    fn order(&self, step: StepIndex) -> &PairColumns {
        &self.distances[0][usize::from(self.moves[usize::from(step)].order)]
    }

    fn index_of(&self, step: &PairColumns) -> StepIndex {
        let code = |n: usize| step[n..n + 3].iter().fold(0, |code, &column| 9 * code + u32::from(column));
        self.index(code(0), code(3), code(6))
    }

    /// The smallest third row that the turns of a stabiliser make of the third row with this number.
    fn best_third(&self, number: usize, stabiliser_turns: &[[u8; 3]]) -> Third {
        let mut best = Third { smallest: u8::MAX, ways: 0 };
        for (n, &turns) in stabiliser_turns.iter().enumerate() {
            let number = self.turned(turns, number) as u8;
            if number < best.smallest {
                best = Third { smallest: number, ways: 0 };
            }
            if number == best.smallest {
                best.ways |= 1 << n;
            }
        }
        best
    }
}

/// Third row number `number` after the row of a step, as a step itself: the digits that are left in each box, in the order
/// given by three digits of base 6.
fn third_row(step: &PairColumns, number: usize) -> PairColumns {
    let mut third = [0; 9];
    for (n, place) in PLACES.into_iter().map(usize::from).enumerate() {
        let taken = step[3 * n..][..3].iter().fold(0o007 << (3 * n), |taken, column| taken | 1 << column);
        let mut left = members(0o777_u32 & !taken);
        let left = [(); 3].map(|()| left.next().expect("three of nine digits are left") as u8);
        for (i, rank) in ORDERS_OF_THREE[number / place % 6].into_iter().enumerate() {
            third[3 * n + i] = left[usize::from(rank)];
        }
    }
    third
}

/// The step that becomes `step` if the columns of its pair of rows are put in `order`.
fn conjugate(step: &PairColumns, order: &PairColumns) -> PairColumns {
    let mut conjugate = [0; 9];
    for (&from, &to) in order.iter().zip(step) {
        conjugate[usize::from(from)] = order[usize::from(to)];
    }
    conjugate
}

/// The inverse permutation.
fn invert<const N: usize>(columns: &[u8; N]) -> [u8; N] {
    let mut inverse = [0; N];
    for (place, &column) in columns.iter().enumerate() {
        inverse[usize::from(column)] = place as u8;
    }
    inverse
}

/// For each turn and each order of the digits of the third row in a box, the contribution to the number of the third row.
///
/// If columns are put in another order, the box at place `p` comes from some box of the third row. Its columns change
/// places, which is order `b` of three; its digits are renamed, and order `a` has the old rank for each new one. So an order
/// of the digits in that box is composed with these two. The turn has the number `36 p + 6 a + b`.
fn turns() -> [[u8; 8]; 128] {
    let mut turns = [[0; 8]; 128];
    for (number, turn) in turns.iter_mut().take(3 * 36).enumerate() {
        let [old, columns] = [number / 6 % 6, number % 6].map(|order| ORDERS_OF_THREE[order]);
        let renamed = invert(&old);
        for (contribution, order) in turn.iter_mut().zip(ORDERS_OF_THREE) {
            let turned = columns.map(|column| renamed[usize::from(order[usize::from(column)])]);
            *contribution = PLACES[number / 36] * number_of_order(turned) as u8;
        }
    }
    turns
}

/// The turn of each box of the third row after a step that the columns in this order take to the smallest of its class,
/// whose third row number 0 is `third`.
fn turns_of(third: &PairColumns, order: &PairColumns, order_number: usize) -> [u8; 3] {
    let mut turns = [0; 3];
    for place in 0..3 {
        let from = usize::from(order[3 * place] / 3);
        let old = [0, 1, 2].map(|n| order[usize::from(third[3 * place + n])]);
        let columns = order_number / usize::from(PLACES[place]) % 6;
        turns[from] = (36 * place + 6 * number_of_order(old) + columns) as u8;
    }
    turns
}

/// The index in [`ORDERS_OF_THREE`] of the order of three different columns.
fn number_of_order([first, second, third]: [u8; 3]) -> usize {
    2 * usize::from(first > second) + 2 * usize::from(first > third) + usize::from(second > third)
}

/// All steps that map column 0 to `first`, the smallest first.
fn steps(first: u8) -> Vec<PairColumns> {
    fn extend(step: &mut PairColumns, length: usize, left: u32, steps: &mut Vec<PairColumns>) {
        if length == 9 {
            return steps.push(*step);
        }
        for column in members(left & !(0o007 << (length / 3 * 3))) {
            step[length] = column as u8;
            extend(step, length + 1, left & !(1 << column), steps);
        }
    }
    let mut steps = Vec::new();
    extend(&mut [first; 9], 1, 0o777 & !(1 << first), &mut steps);
    steps
}

/// The parts of an index that each box contributes. Their sum is below [`INDICES`] and different for all steps.
///
/// The part of box 1 encodes the three columns of the other stacks that it maps to, the part of box 2 its columns of stack
/// 1; the columns of box 3 follow. All three parts encode the order of the columns.
fn index_parts() -> [[u16; CODES]; 3] {
    let mut parts = [[0; CODES]; 3];
    for (code, n) in (0..729).flat_map(|code| (0..3).map(move |n| (code, n))) {
        let step = [code / 81, code / 9 % 9, code % 9];
        let set = step.iter().fold(0_usize, |set, column| set | 1 << column);
        if set.count_ones() < 3 || set >> (3 * n) & 7 != 0 {
            continue;
        }

        let choice = match n {
            0 => 3 * rank_among_equals(set),
            1 => rank_among_equals(set & 7),
            _ => 0,
        };
        let order = number_of_order(step.map(|column| column as u8));
        parts[n][code] = (THIRDS * choice + usize::from(PLACES[n]) * order) as u16;
    }
    parts
}

/// The rank of a set of columns among the sets of its size: within stack 1, or within the other two stacks.
fn rank_among_equals(set: usize) -> usize {
    let universe = if set < 8 { 0o007 } else { 0o770 };
    (0..set).filter(|smaller| smaller & !universe == 0 && smaller.count_ones() == set.count_ones()).count()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_step_has_an_index_and_an_order_to_the_smallest_of_its_class() {
        let pairs = Pairs::get();
        let mut indices = HashSet::new();
        for step in (3..9).flat_map(steps) {
            let index = pairs.index_of(&step);
            let class = &pairs.classes[usize::from(pairs.rank(index))];
            assert!(indices.insert(index));
            assert!(class.smallest <= step);
            assert_eq!(conjugate(&class.smallest, pairs.order(index)), step);
            assert_eq!(pairs.inverse(index), pairs.index_of(&invert(&step)));
            assert_eq!(pairs.rank(pairs.inverse(index)), pairs.rank(index));
        }
        assert_eq!(indices.len(), 56 * 216);
    }

    /// By Burnside's lemma, the number of conjugacy classes is the mean number of steps that an order fixes.
    #[test]
    fn the_number_of_classes_agrees_with_burnsides_lemma() {
        let steps: Vec<PairColumns> = (3..9).flat_map(steps).collect();
        let fixes = |order: &PairColumns| steps.iter().filter(|step| conjugate(step, order) == **step).count();
        let sum: usize = Pairs::get().distances[0].iter().map(fixes).sum();
        assert_eq!(Pairs::get().classes.len() * LINE_ORDERS, sum);
        assert_eq!(Pairs::get().classes.len(), 15);
    }

    #[test]
    fn third_rows_are_numbered_in_ascending_order() {
        let pairs = Pairs::get();
        for class in &pairs.classes {
            let thirds: Vec<PairColumns> = (0..THIRDS).map(|number| third_row(&class.smallest, number)).collect();
            assert!(thirds.is_sorted_by(|a, b| a < b));
            assert!(
                thirds.iter().enumerate().all(|(number, third)| usize::from(pairs.index_of(third)) % THIRDS == number)
            );
        }
    }

    /// The order of a step, applied to every third row after it.
    #[test]
    fn third_rows_turn_as_their_columns_do() {
        let pairs = Pairs::get();
        for step in (3..9).flat_map(steps) {
            let index = pairs.index_of(&step);
            let new_places = invert(pairs.order(index));
            for number in (0..THIRDS).step_by(7) {
                let third = third_row(&step, number);
                let turned = pairs.index_of(&conjugate(&third, &new_places));
                assert_eq!(pairs.turned(pairs.moves[usize::from(index)].turns, number), usize::from(turned) % THIRDS);
            }
        }
    }
}

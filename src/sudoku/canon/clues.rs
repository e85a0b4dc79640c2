//! Finds the smallest isomorph of a puzzle's clues, for puzzles with no solution or several.
//!
//! The isomorph is built row by row. A [`ClueNode`] has the decisions that lead to its first rows. All nodes of a level
//! have the same rows, the smallest possible; each is extended by every row that can come next, and the extensions with
//! the smallest line form the next level. So no row is ever built after one that is not the smallest.
//!
//! Decisions are made as late as possible: columns of a stack that are equal in the rows so far share a *column class*,
//! and a new row splits it into blanks, digits with a name and digits without, in this order:
//!
//! ```text
//!     rows so far     . . . | . . . | . . 1        classes: [a b c] [d e f] [g h] [i]
//!     the next row    . 5 . | 8 . . | . 2 .        in the grid, 1 is the only digit with a name
//!     as built        . . 2 | . . 3 | . 4 .        classes: [a c] [b] [e f] [d] [g] [h] [i]
//! ```
//!
//! Several nodes arise only from digits without a name in columns of one class: one for each order of naming them. The
//! order of the stacks is decided at the start. Rows, bands and stacks that are copies of each other keep their order,
//! as exchanging them changes nothing; so blank rows and columns, which most puzzles with many automorphisms have, cost
//! nothing.
//!
//! The number of rows that are tried and the number of nodes that are kept on each level are the same for all isomorphs
//! of a puzzle. Their sum is the measure of work, so all isomorphs of a puzzle keep within a bound or none does.

use std::ops::Range;
use std::{array, mem};

use thiserror::Error;

use super::lines::{PackedLine, PackedLines, orders};
use crate::puzzle::Isomorph;

/// The canonical form of some clues takes more work than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the canonical form takes more than {bound} steps to find")]
pub struct OutOfBoundError {
    /// The bound that was set.
    pub bound: u64,
}

/// The search for the smallest isomorph of grids with this side and this number of rows in a box, with its scratch memory.
#[derive(Debug, Default)]
pub(super) struct ClueSearch<const SIDE: usize, const ROWS: usize> {
    level: SmallestNodes<SIDE, ROWS>,
    /// The nodes of the previous level, while this level is built.
    before: Vec<ClueNode<SIDE, ROWS>>,
}

/// The nodes with the smallest rows so far.
#[derive(Debug, Default)]
struct SmallestNodes<const SIDE: usize, const ROWS: usize> {
    /// Their last row.
    line: PackedLine,
    nodes: Vec<ClueNode<SIDE, ROWS>>,
}

/// The decisions that lead to the first rows of an isomorph.
#[derive(Clone, Copy, Debug)]
struct ClueNode<const SIDE: usize, const ROWS: usize> {
    /// Whether the grid is reflected: its columns become rows.
    reflected: bool,
    /// The column at each place. The order within a column class is not decided yet.
    columns: [u8; SIDE],
    /// The places at which a column class starts, as bits.
    starts: u16,
    /// The name of each digit; 0 for digits without a name, and for a blank.
    names: [u8; 10],
    /// The number of digits that have a name. The names are 1 up to this number.
    named: u8,
    /// The rows that have been used, as bits.
    rows: u16,
    /// The row at each place.
    order: [u8; SIDE],
}

impl<const SIDE: usize, const ROWS: usize> ClueSearch<SIDE, ROWS> {
    /// Finds an isomorphism that makes the smallest isomorph of a grid, or fails if that takes more work than `bound`.
    pub(super) fn isomorph<const CELLS: usize>(
        &mut self,
        grid: &[u8; CELLS],
        bound: u64,
    ) -> Result<Isomorph, OutOfBoundError> {
        self.search(grid, bound)?;
        let ClueNode { reflected, columns, mut names, mut named, order, .. } = self.level.nodes[0];
        // Digits that are not among the clues get the names that are left, in any order.
        for name in names[1..=SIDE].iter_mut().filter(|name| **name == 0) {
            named += 1;
            *name = named;
        }
        Ok(Isomorph::of_lines(&names[1..=SIDE], &order, &columns, reflected))
    }

    /// Finds the lines of the smallest isomorph of a grid, or fails if that takes more work than `bound`.
    pub(super) fn search<const CELLS: usize>(
        &mut self,
        grid: &[u8; CELLS],
        bound: u64,
    ) -> Result<PackedLines<SIDE>, OutOfBoundError> {
        let views = ClueView::<SIDE>::both::<CELLS, ROWS>(grid);
        let mut work = 0;

        // The first level: both views, and the orders of their stacks. If boxes are not square, no grid is transposed.
        self.level.nodes.clear();
        for reflected in [false, true].into_iter().take(if SIDE == ROWS * ROWS { 2 } else { 1 }) {
            // The stacks of a view are the bands of the other. There are as many as a box has rows.
            let copies = &views[usize::from(!reflected)].band_copies[..ROWS];
            let orders = orders(ROWS).filter(|&order| keeps_copies_in_order(order, copies));
            self.level.nodes.extend(orders.map(|stacks| ClueNode::new(reflected, stacks)));
        }

        let mut lines = [0; SIDE];
        for (place, line) in lines.iter_mut().enumerate() {
            mem::swap(&mut self.before, &mut self.level.nodes);
            self.level.nodes.clear();
            self.level.line = PackedLine::MAX;
            for node in &self.before {
                let view = &views[usize::from(node.reflected)];
                for row in (0..SIDE).filter(|&row| node.may_continue_with(row, view)) {
                    let mut next = ClueNode { rows: node.rows | 1 << row, ..*node };
                    next.order[place] = row as u8;
                    self.level.add_ways(next, &view.rows[row], 0, 0);
                    work += 1;
                }
            }

            work += self.level.nodes.len() as u64;
            if work > bound {
                return Err(OutOfBoundError { bound });
            }
            *line = self.level.line;
        }
        Ok(lines)
    }
}

impl<const SIDE: usize, const ROWS: usize> SmallestNodes<SIDE, ROWS> {
    /// Places the cells of a row from `place` on in all ways that can give the smallest line, and adds the nodes. `line` has
    /// the cells before `place`.
    fn add_ways(&mut self, node: ClueNode<SIDE, ROWS>, row: &[u8; SIDE], place: usize, line: PackedLine) {
        if line > self.line >> (4 * (SIDE - place)) {
            return;
        }
        if place == SIDE {
            return self.add(node, line);
        }

        let class = place..node.end_of_class(place);
        let mut digits = [0; 3];
        let digits = &mut digits[..class.len()];
        for (digit, &column) in digits.iter_mut().zip(&node.columns[class.clone()]) {
            *digit = row[usize::from(column)];
        }

        let value = digits.iter().fold(u8::MAX, |value, &digit| value.min(node.value(digit)));

        // Several digits have the smallest value if none of them has a name: each can be the next to get one.
        for (n, &digit) in digits.iter().enumerate() {
            if node.value(digit) == value && !digits[..n].contains(&digit) {
                let mut next = node;
                next.name(digit);
                let after = next.split(class.clone(), |column| row[usize::from(column)] == digit);
                let line = (place..after).fold(line, |line, _| line << 4 | PackedLine::from(value));
                self.add_ways(next, row, after, line);
            }
        }
    }

    /// Adds a node whose last row is `line`, which is not larger than the last row of the other nodes.
    fn add(&mut self, node: ClueNode<SIDE, ROWS>, line: PackedLine) {
        if line < self.line {
            self.line = line;
            self.nodes.clear();
        }
        self.nodes.push(node);
    }
}

impl<const SIDE: usize, const ROWS: usize> ClueNode<SIDE, ROWS> {
    /// The number of columns in a box.
    const COLUMNS: usize = SIDE / ROWS;

    /// The node before the first row: only the order of the stacks is decided.
    fn new(reflected: bool, stacks: [u8; 3]) -> ClueNode<SIDE, ROWS> {
        let column = |place| Self::COLUMNS * usize::from(stacks[place / Self::COLUMNS]) + place % Self::COLUMNS;
        ClueNode {
            reflected,
            columns: array::from_fn(|place| column(place) as u8),
            starts: (0..ROWS).fold(0, |starts, stack| starts | 1 << (Self::COLUMNS * stack)),
            names: [0; 10],
            named: 0,
            rows: 0,
            order: [0; SIDE],
        }
    }

    /// Whether a row can be the next one.
    fn may_continue_with(&self, row: usize, view: &ClueView<SIDE>) -> bool {
        let is_used = |row: usize| self.rows >> row & 1 == 1;
        let band = row / ROWS;
        let place = self.rows.count_ones() as usize;
        let in_turn = if place.is_multiple_of(ROWS) {
            view.band_copies[band].is_none_or(|copy| is_used(ROWS * copy))
        } else {
            band == usize::from(self.order[place - 1]) / ROWS
        };
        in_turn && !is_used(row) && view.row_copies[row].is_none_or(is_used)
    }

    /// The end of the column class that starts at `place`.
    fn end_of_class(&self, place: usize) -> usize {
        (place + 1..SIDE).find(|next| self.starts >> next & 1 == 1).unwrap_or(SIDE)
    }

    /// The name of a digit, or the name that it gets if it is the next.
    fn value(&self, digit: u8) -> u8 {
        match self.names[usize::from(digit)] {
            0 if digit != 0 => self.named + 1,
            name => name,
        }
    }

    /// Gives a digit the next name if it has none.
    fn name(&mut self, digit: u8) {
        let value = self.value(digit);
        self.names[usize::from(digit)] = value;
        self.named = self.named.max(value);
    }

    /// Splits the chosen columns of a class off as a new class in front of the rest, and returns the end of the new
    /// class.
    fn split(&mut self, class: Range<usize>, chosen: impl Fn(u8) -> bool) -> usize {
        let mut after = class.start;
        for at in class {
            if chosen(self.columns[at]) {
                self.columns.swap(after, at);
                after += 1;
            }
        }
        self.starts |= 1 << after;
        after
    }
}

/// A grid or its reflection, and the copies among its rows and bands.
struct ClueView<const SIDE: usize> {
    rows: [[u8; SIDE]; SIDE],
    /// For each row, the last equal row before it in its band.
    row_copies: [Option<usize>; SIDE],
    /// For each band, the last band before it that has the same rows, in any order. There are fewer bands than rows.
    band_copies: [Option<usize>; SIDE],
}

impl<const SIDE: usize> ClueView<SIDE> {
    /// A grid and its reflection, for this number of rows in a box.
    fn both<const CELLS: usize, const ROWS: usize>(grid: &[u8; CELLS]) -> [ClueView<SIDE>; 2] {
        let rows = array::from_fn(|row| array::from_fn(|column| grid[SIDE * row + column]));
        let columns = array::from_fn(|column| array::from_fn(|row| grid[SIDE * row + column]));
        [ClueView::new(rows, ROWS), ClueView::new(columns, SIDE / ROWS)]
    }

    /// A grid with this number of rows in a band.
    fn new(rows: [[u8; SIDE]; SIDE], band_rows: usize) -> ClueView<SIDE> {
        let mut sorted = rows;
        sorted.chunks_exact_mut(band_rows).for_each(<[_]>::sort_unstable);
        let is_copy = |band: usize, other: usize| {
            let [band, other] = [band, other].map(|band| &sorted[band * band_rows..][..band_rows]);
            band == other
        };
        let band_copy = |band| (0..band).rfind(|&other| is_copy(band, other));
        ClueView {
            rows,
            row_copies: array::from_fn(|row| {
                (row / band_rows * band_rows..row).rfind(|&other| rows[other] == rows[row])
            }),
            band_copies: array::from_fn(|band| if band < SIDE / band_rows { band_copy(band) } else { None }),
        }
    }
}

/// Whether every stack comes after the one that it is a copy of.
fn keeps_copies_in_order(stacks: [u8; 3], copies: &[Option<usize>]) -> bool {
    let place = |stack: usize| stacks.iter().position(|&s| usize::from(s) == stack);
    copies.iter().enumerate().all(|(stack, copy)| copy.is_none_or(|copy| place(copy) < place(stack)))
}

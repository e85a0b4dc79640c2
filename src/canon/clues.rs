//! The smallest isomorph of a puzzle's clues, for puzzles without a solution to go by.
//!
//! The isomorph is laid out row by row. A [`ClueNode`] is what has been decided to get the first rows, and all nodes of a
//! level show the same rows, the smallest there are; each is continued by every row that can come next, and those
//! that show the smallest line make the next level. So nothing is ever laid out below a row that is not the smallest.
//!
//! What need not be decided yet stays open: columns of a stack whose rows so far are alike share a *class*, and a
//! new row splits it into blanks, digits with a name and digits without, in this order:
//!
//! ```text
//!     rows so far     . . . | . . . | . . 1        classes: [a b c] [d e f] [g h] [i]
//!     the next row    . 5 . | 8 . . | . 2 .        in the grid, 1 is the only digit with a name
//!     laid out        . . 2 | . . 3 | . 4 .        classes: [a c] [b] [e f] [d] [g] [h] [i]
//! ```
//!
//! Only digits without a name in columns of one class make several nodes: one for each order to name them in. The order
//! of the stacks is decided at the start. Rows, bands and stacks that are copies of each other have their order
//! fixed, as exchanging them changes nothing; so blank rows and columns, which are in most puzzles with many
//! isomorphs of their own, cost nothing.
//!
//! How many rows are tried and how many nodes are kept on each level is the same for all isomorphs of a puzzle. Their
//! sum is the measure of the work, and so a bound on it is kept or broken by all of them alike.

use std::ops::Range;
use std::{array, mem};

use super::OutOfBound;
use super::line_order::ORDERS_OF_THREE;
use super::lines::{Line, Lines};
use crate::puzzle::Grid;

/// The search for the smallest isomorph, with its scratch memory.
#[derive(Debug, Default)]
pub(super) struct ClueSearch {
    level: Level,
    /// The nodes of the level before, while its nodes are made.
    before: Vec<ClueNode>,
}

/// The nodes that show the smallest rows so far.
#[derive(Debug, Default)]
struct Level {
    /// The last row that they show.
    line: Line,
    nodes: Vec<ClueNode>,
}

/// What has been decided to get the first rows of an isomorph.
#[derive(Clone, Copy, Debug)]
struct ClueNode {
    /// Whether the rows are the grid's columns.
    reflected: bool,
    /// Which column stands at each place; those of one class in any order.
    columns: [u8; 9],
    /// The places at which a class of columns begins, as bits.
    starts: u16,
    /// What each digit is called; 0 for those without a name, and for a blank.
    names: [u8; 10],
    /// How many digits have a name: 1 up to this one are taken.
    named: u8,
    /// The rows that have been laid out, as bits.
    rows: u16,
    /// The last of them.
    last: u8,
}

impl ClueSearch {
    /// Finds the lines of the smallest isomorph of a grid, unless it takes more work than `bound`.
    pub(super) fn search(&mut self, grid: &Grid, bound: u64) -> Result<Lines, OutOfBound> {
        let views = ClueView::both(grid);
        let mut work = 0;
        self.level.nodes.clear();
        for reflected in [false, true] {
            // The stacks of a view are the bands of the other.
            let copies = &views[usize::from(!reflected)].band_copies;
            let orders = ORDERS_OF_THREE.into_iter().filter(|&order| keeps_copies_in_order(order, copies));
            self.level.nodes.extend(orders.map(|stacks| ClueNode::new(reflected, stacks)));
        }
        let mut lines = [0; 9];
        for line in &mut lines {
            mem::swap(&mut self.before, &mut self.level.nodes);
            self.level.nodes.clear();
            self.level.line = Line::MAX;
            for node in &self.before {
                let view = &views[usize::from(node.reflected)];
                for row in (0..9).filter(|&row| node.may_continue_with(row, view)) {
                    let next = ClueNode { rows: node.rows | 1 << row, last: row as u8, ..*node };
                    self.level.lay_out(next, &view.rows[row], 0, 0);
                    work += 1;
                }
            }
            work += self.level.nodes.len() as u64;
            if work > bound {
                return Err(OutOfBound { bound });
            }
            *line = self.level.line;
        }
        Ok(lines)
    }
}

impl Level {
    /// Lays out a row from `place` on, in all ways that may show the smallest line; `line` is what stands before.
    fn lay_out(&mut self, node: ClueNode, row: &[u8; 9], place: usize, line: Line) {
        if line > self.line >> (4 * (9 - place)) {
            return;
        }
        if place == 9 {
            return self.add(node, line);
        }
        let class = place..node.end_of_class(place);
        let mut digits = [0; 3];
        let digits = &mut digits[..class.len()];
        for (digit, &column) in digits.iter_mut().zip(&node.columns[class.clone()]) {
            *digit = row[usize::from(column)];
        }
        let value = digits.iter().fold(u8::MAX, |value, &digit| value.min(node.value(digit)));
        // More than one digit has the smallest value if none has a name: each of them may be the first to get one.
        for (n, &digit) in digits.iter().enumerate() {
            if node.value(digit) == value && !digits[..n].contains(&digit) {
                let mut next = node;
                next.name(digit);
                let after = next.split(class.clone(), |column| row[usize::from(column)] == digit);
                let line = (place..after).fold(line, |line, _| line << 4 | Line::from(value));
                self.lay_out(next, row, after, line);
            }
        }
    }

    /// Takes in a node that shows `line`, which is not larger than those of the others.
    fn add(&mut self, node: ClueNode, line: Line) {
        if line < self.line {
            self.line = line;
            self.nodes.clear();
        }
        self.nodes.push(node);
    }
}

impl ClueNode {
    /// Nothing decided but the order of the stacks.
    fn new(reflected: bool, stacks: [u8; 3]) -> ClueNode {
        let columns = array::from_fn(|place| 3 * stacks[place / 3] + place as u8 % 3);
        ClueNode { reflected, columns, starts: 0b001_001_001, names: [0; 10], named: 0, rows: 0, last: 0 }
    }

    /// Whether a row can come next.
    fn may_continue_with(&self, row: usize, view: &ClueView) -> bool {
        let is_laid_out = |row: usize| self.rows >> row & 1 == 1;
        let band = row / 3;
        let in_turn = if self.rows.count_ones().is_multiple_of(3) {
            view.band_copies[band].is_none_or(|copy| is_laid_out(3 * copy))
        } else {
            band == usize::from(self.last / 3)
        };
        in_turn && !is_laid_out(row) && view.row_copies[row].is_none_or(is_laid_out)
    }

    /// Where the class of columns that begins at `place` ends.
    fn end_of_class(&self, place: usize) -> usize {
        (place + 1..9).find(|next| self.starts >> next & 1 == 1).unwrap_or(9)
    }

    /// What a digit is called, or will be if it is the next to get a name.
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

    /// Moves the chosen columns of a class to its front, makes them a class of their own, and returns where it ends.
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

/// A grid or its reflection, and what in it are copies.
struct ClueView {
    rows: [[u8; 9]; 9],
    /// For each row, the last one before it in the band that is equal to it.
    row_copies: [Option<usize>; 9],
    /// For each band, the last one before it that has the same rows, in any order.
    band_copies: [Option<usize>; 3],
}

impl ClueView {
    /// A grid and its reflection.
    fn both(grid: &Grid) -> [ClueView; 2] {
        let rows = array::from_fn(|row| array::from_fn(|column| grid[9 * row + column]));
        let columns = array::from_fn(|column| array::from_fn(|row| grid[9 * row + column]));
        [rows, columns].map(ClueView::new)
    }

    fn new(rows: [[u8; 9]; 9]) -> ClueView {
        let bands: [[[u8; 9]; 3]; 3] = array::from_fn(|band| {
            let mut rows = [rows[3 * band], rows[3 * band + 1], rows[3 * band + 2]];
            rows.sort_unstable();
            rows
        });
        ClueView {
            rows,
            row_copies: array::from_fn(|row| (row / 3 * 3..row).rfind(|&other| rows[other] == rows[row])),
            band_copies: array::from_fn(|band| (0..band).rfind(|&other| bands[other] == bands[band])),
        }
    }
}

/// Whether no stack comes before the one that it is a copy of.
fn keeps_copies_in_order(stacks: [u8; 3], copies: &[Option<usize>; 3]) -> bool {
    let place = |stack: usize| stacks.iter().position(|&s| usize::from(s) == stack);
    copies.iter().enumerate().all(|(stack, copy)| copy.is_none_or(|copy| place(copy) < place(stack)))
}

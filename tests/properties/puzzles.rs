//! Puzzles out of any bytes: so made that they are not all full of clashes, and not too hard for the weakest engine.

use arbitrary::Arbitrary;
use gridmill::format::Alphabets;
use gridmill::puzzle::{Geometry, Order};

use super::support::{isomorph, shifted_grid};

/// How many blanks a 16x16 puzzle has at the most: with more, a search may take for ever.
const BLANKS_OF_16X16: usize = 80;

/// A size that puzzles are drawn in.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub(super) enum Size {
    Four,
    Nine,
    Sixteen,
}

impl Size {
    pub(super) fn order(self) -> Order {
        match self {
            Size::Four => Order::Two,
            Size::Nine => Order::Three,
            Size::Sixteen => Order::Four,
        }
    }
}

/// How a puzzle comes about.
#[derive(Clone, Debug, Arbitrary)]
pub(super) enum Drawn {
    /// These values, whatever they come to.
    Values(Vec<u8>),
    /// Clues that do not clash: a cell and which of the digits that are left to it, one after another.
    Placed(Vec<[u8; 2]>),
    /// A full grid by its seed, of which some cells are taken out, and some get any value.
    Grid { seed: u16, blank: [u8; 11], edits: Vec<[u8; 2]> },
    /// A random isomorph of a minimal puzzle, of which some cells get any value.
    Minimal { number: u16, seed: u16, edits: Vec<[u8; 2]> },
}

impl Drawn {
    /// The cells of the puzzle, in one of the sizes.
    pub(super) fn puzzle(&self, order: Order) -> Vec<u8> {
        let (cells, side) = (order.cells(), order.side() as u8);
        let edit = |puzzle: &mut [u8], edits: &[[u8; 2]]| {
            for &[cell, value] in edits {
                puzzle[usize::from(cell) % cells] = value % (side + 1);
            }
        };
        let mut puzzle = vec![0; cells];
        match self {
            Drawn::Values(values) => {
                puzzle.iter_mut().zip(values).for_each(|(cell, value)| *cell = value % (side + 1));
            }
            Drawn::Placed(places) => {
                for &[cell, choice] in places {
                    let cell = usize::from(cell) % cells;
                    let peers = Geometry::of(order).peers(cell);
                    let is_left = |digit: &u8| peers.iter().all(|&peer| puzzle[usize::from(peer)] != *digit);
                    let left: Vec<u8> = (1..=side).filter(is_left).collect();
                    puzzle[cell] = left.get(usize::from(choice) % left.len().max(1)).copied().unwrap_or(0);
                }
            }
            Drawn::Grid { seed, blank, edits } => {
                puzzle = isomorph(order, &shifted_grid(order), u64::from(*seed));
                let is_blank = |cell: usize| blank[cell / 8 % 11] >> (cell % 8) & 1 == 1;
                (0..cells).filter(|&cell| is_blank(cell)).for_each(|cell| puzzle[cell] = 0);
                edit(&mut puzzle, edits);
            }
            Drawn::Minimal { number, seed, edits } => {
                let lines: Vec<&str> = known(order).lines().collect();
                let alphabet = Alphabets::default().for_printing(order);
                let line = lines[usize::from(*number) % lines.len()];
                let values: Vec<u8> = line.bytes().map(|byte| alphabet.value(byte)).collect();
                puzzle = isomorph(order, &values, u64::from(*seed));
                edit(&mut puzzle, edits);
            }
        }
        if order == Order::Four {
            fill_in(&mut puzzle);
        }
        puzzle
    }
}

/// Puzzles of a size, the smaller ones minimal, one a line.
fn known(order: Order) -> &'static str {
    match order {
        Order::Two => include_str!("../../data/4x4.txt"),
        Order::Three => include_str!("../../data/minimal.txt"),
        Order::Four => include_str!("../../data/16x16.txt"),
        Order::Five => include_str!("../../data/25x25.txt"),
    }
}

/// Fills the last blanks of a 16x16 puzzle, if there are too many, with the digits of some grid.
fn fill_in(puzzle: &mut [u8]) {
    let blanks: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0).collect();
    let digits = shifted_grid(Order::Four);
    for &cell in blanks.iter().skip(BLANKS_OF_16X16) {
        puzzle[cell] = digits[cell];
    }
}

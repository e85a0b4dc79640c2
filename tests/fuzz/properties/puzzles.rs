//! Puzzles out of any bytes: so made that they are not all full of clashes, and not too hard for the weakest engine.

use arbitrary::Arbitrary;
use gridmill::generate::{Generator, Target};
use gridmill::geometry::{Geometry, Order};

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
    /// A minimal puzzle by its seed, to which some digits of its solution are added, and some cells get any value.
    Minimal { seed: u16, more: u8, edits: Vec<[u8; 2]> },
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
        let (mut puzzle, mut solution) = (vec![0; cells], vec![0; cells]);
        let mut generate = |seed: u16, target| {
            let mut generator = Generator::new(order, 1, target).expect("there are such puzzles");
            generator.puzzle(seed.into(), &mut puzzle, &mut solution).expect("one is found");
        };
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
                generate(*seed, Target::Clues(cells));
                let is_blank = |cell: usize| blank[cell / 8 % 11] >> (cell % 8) & 1 == 1;
                (0..cells).filter(|&cell| is_blank(cell)).for_each(|cell| puzzle[cell] = 0);
                edit(&mut puzzle, edits);
            }
            // Of a 16x16 puzzle a minimal one takes too long to make.
            Drawn::Minimal { seed, more, edits } => {
                generate(*seed, if order == Order::Four { Target::Clues(cells) } else { Target::Minimal });
                (0..usize::from(*more)).map(|n| n * 7 % cells).for_each(|cell| puzzle[cell] = solution[cell]);
                edit(&mut puzzle, edits);
            }
        }
        if order == Order::Four {
            fill_in(&mut puzzle);
        }
        puzzle
    }
}

/// Fills the last blanks of a 16x16 puzzle, if there are too many, with the digits of some grid.
fn fill_in(puzzle: &mut [u8]) {
    let blanks: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0).collect();
    let digit = |cell: usize| (cell / 16 % 4 * 4 + cell / 64 + cell % 16) % 16 + 1;
    for &cell in blanks.iter().skip(BLANKS_OF_16X16) {
        puzzle[cell] = digit(cell) as u8;
    }
}

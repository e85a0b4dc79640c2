//! Decodes bytes into puzzles that have few conflicts and are not too hard for the slowest engine.

use arbitrary::{Arbitrary, Unstructured};
use gridmill::format::Alphabets;
use gridmill::puzzle::{Geometry, Size};

use super::support::{isomorph, shifted_grid};
use super::variant;

/// The largest number of blanks in a puzzle above 9x9: with more, a search could take for ever.
const BLANKS_OF_LARGE: usize = 80;

/// A size whose puzzles every engine solves fast.
#[derive(Clone, Copy, Debug)]
pub(super) enum QuickSize {
    Four,
    Nine,
    Sixteen,
    Six,
    Twelve,
}

impl<'a> Arbitrary<'a> for QuickSize {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<QuickSize> {
        Ok(match variant(bytes, 5)? {
            0 => QuickSize::Four,
            1 => QuickSize::Nine,
            2 => QuickSize::Sixteen,
            3 => QuickSize::Six,
            _ => QuickSize::Twelve,
        })
    }
}

impl QuickSize {
    pub(super) fn size(self) -> Size {
        match self {
            QuickSize::Four => Size::Four,
            QuickSize::Nine => Size::Nine,
            QuickSize::Sixteen => Size::Sixteen,
            QuickSize::Six => Size::Six,
            QuickSize::Twelve => Size::Twelve,
        }
    }
}

/// Instructions that make a puzzle.
#[derive(Clone, Debug)]
pub(super) enum PuzzleRecipe {
    /// These values, with or without conflicts.
    Values(Vec<u8>),
    /// Clues without conflicts, one after another: a cell, and the index of one of its candidates.
    Placed(Vec<[u8; 2]>),
    /// A random full grid, in which some cells are blanked and others get any value.
    Grid { seed: u16, blank: [u8; 11], edits: Vec<[u8; 2]> },
    /// A random isomorph of a minimal puzzle, in which some cells get any value.
    Minimal { number: u16, seed: u16, edits: Vec<[u8; 2]> },
}

impl<'a> Arbitrary<'a> for PuzzleRecipe {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<PuzzleRecipe> {
        Ok(match variant(bytes, 4)? {
            0 => PuzzleRecipe::Values(bytes.arbitrary()?),
            1 => PuzzleRecipe::Placed(bytes.arbitrary()?),
            2 => {
                let (seed, blank) = bytes.arbitrary()?;
                PuzzleRecipe::Grid { seed, blank, edits: bytes.arbitrary()? }
            }
            _ => {
                let (number, seed) = bytes.arbitrary()?;
                PuzzleRecipe::Minimal { number, seed, edits: bytes.arbitrary()? }
            }
        })
    }

    fn arbitrary_take_rest(mut bytes: Unstructured<'a>) -> arbitrary::Result<PuzzleRecipe> {
        Ok(match variant(&mut bytes, 4)? {
            0 => PuzzleRecipe::Values(Vec::arbitrary_take_rest(bytes)?),
            1 => PuzzleRecipe::Placed(Vec::arbitrary_take_rest(bytes)?),
            2 => {
                let (seed, blank) = bytes.arbitrary()?;
                PuzzleRecipe::Grid { seed, blank, edits: Vec::arbitrary_take_rest(bytes)? }
            }
            _ => {
                let (number, seed) = bytes.arbitrary()?;
                PuzzleRecipe::Minimal { number, seed, edits: Vec::arbitrary_take_rest(bytes)? }
            }
        })
    }
}

impl PuzzleRecipe {
    /// The cells of the puzzle in a size.
    pub(super) fn puzzle(&self, size: Size) -> Vec<u8> {
        let (cells, side) = (size.cells(), size.side() as u8);
        let edit = |puzzle: &mut [u8], edits: &[[u8; 2]]| {
            for &[cell, value] in edits {
                puzzle[usize::from(cell) % cells] = value % (side + 1);
            }
        };
        let mut puzzle = vec![0; cells];
        match self {
            PuzzleRecipe::Values(values) => {
                puzzle.iter_mut().zip(values).for_each(|(cell, value)| *cell = value % (side + 1));
            }
            PuzzleRecipe::Placed(places) => {
                for &[cell, choice] in places {
                    let cell = usize::from(cell) % cells;
                    let peers = Geometry::of(size).peers(cell);
                    let is_left = |digit: &u8| peers.iter().all(|&peer| puzzle[usize::from(peer)] != *digit);
                    let left: Vec<u8> = (1..=side).filter(is_left).collect();
                    puzzle[cell] = left.get(usize::from(choice) % left.len().max(1)).copied().unwrap_or(0);
                }
            }
            PuzzleRecipe::Grid { seed, blank, edits } => {
                puzzle = isomorph(size, &shifted_grid(size), u64::from(*seed));
                let is_blank = |cell: usize| blank[cell / 8 % 11] >> (cell % 8) & 1 == 1;
                (0..cells).filter(|&cell| is_blank(cell)).for_each(|cell| puzzle[cell] = 0);
                edit(&mut puzzle, edits);
            }
            PuzzleRecipe::Minimal { number, seed, edits } => {
                let lines: Vec<&str> = known(size).lines().collect();
                let alphabet = Alphabets::default().for_printing(size);
                let line = lines[usize::from(*number) % lines.len()];
                let values: Vec<u8> = line.bytes().map(|byte| alphabet.value(byte)).collect();
                puzzle = isomorph(size, &values, u64::from(*seed));
                edit(&mut puzzle, edits);
            }
        }
        if size > Size::Nine {
            fill_in(size, &mut puzzle);
        }
        puzzle
    }
}

/// Puzzles of a size, one per line. Those of the smaller sizes are minimal.
fn known(size: Size) -> &'static str {
    match size {
        Size::Four => include_str!("../../data/4x4.txt"),
        Size::Six => include_str!("../../data/6x6.txt"),
        Size::Nine => include_str!("../../data/minimal.txt"),
        Size::Twelve => include_str!("../../data/12x12.txt"),
        Size::Sixteen => include_str!("../../data/16x16.txt"),
        Size::TwentyFive => include_str!("../../data/25x25.txt"),
        other => unreachable!("{other} is no quick size"),
    }
}

/// Fills the last blanks of a puzzle with the digits of some grid if there are too many blanks.
fn fill_in(size: Size, puzzle: &mut [u8]) {
    let blanks: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0).collect();
    let digits = shifted_grid(size);
    for &cell in blanks.iter().skip(BLANKS_OF_LARGE) {
        puzzle[cell] = digits[cell];
    }
}

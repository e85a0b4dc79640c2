//! The copies of a puzzle: random isomorphs, without repetition.
//!
//! ```text
//!   seed, record, number of the copy, attempt -> random isomorphism -> copy -> its hash is new?
//!                                      ^ the next one, if it is not <----------------'
//! ```
//!
//! So the first attempt at any copy needs no other copy: streams of examples take that one.

use std::array;
use std::collections::HashSet;
use std::ops::ControlFlow;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng;
use strum::VariantArray;

use crate::pipeline::Stop;
use crate::puzzle::random::below;
use crate::puzzle::{Isomorph, IsomorphKind, Size, with_constant};

/// Draws isomorphisms of some kinds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomIsomorphs([bool; IsomorphKind::VARIANTS.len()]);

impl RandomIsomorphs {
    pub(super) fn new(kinds: &[IsomorphKind]) -> RandomIsomorphs {
        RandomIsomorphs(array::from_fn(|index| kinds.contains(&IsomorphKind::VARIANTS[index])))
    }

    /// The number of isomorphisms of a size, with the identity; 16x16 puzzles have 10^27, more than fit.
    fn number(self, size: Size) -> u64 {
        let mut number = 1_u64;
        Isomorph::chosen(size, self.0, |choices| {
            number = number.saturating_mul(choices as u64);
            0
        });
        number
    }

    /// The isomorphism of an attempt at copy number `number` of a record, from 0. `seed` is the seed of the record.
    pub(super) fn get(self, size: Size, seed: u64, number: u64, attempt: u64) -> Isomorph {
        let mut random = SplitMix64::seed_from_u64(mix(mix(mix(seed) ^ number) ^ attempt));
        with_constant!(size, SIZE => Isomorph::chosen(SIZE, self.0, |choices| below(&mut random, choices)))
    }
}

/// Makes the copies of one puzzle after another.
///
/// Takes up to 20 bytes of memory for each copy of a puzzle.
pub(super) struct Copies {
    isomorphs: RandomIsomorphs,
    size: Size,
    seed: u64,
    puzzle: Vec<u8>,
    /// The number of isomorphisms. An asymmetric puzzle has this number of isomorphs, counting itself.
    isomorphisms: u64,
    /// The hashes of the puzzle and of its copies so far.
    seen: HashSet<u64>,
    stop: Stop,
}

impl Copies {
    pub(super) fn new(kinds: &[IsomorphKind], stop: Stop) -> Copies {
        let (isomorphs, size) = (RandomIsomorphs::new(kinds), Size::Nine);
        let isomorphisms = isomorphs.number(size);
        Copies { isomorphs, size, seed: 0, puzzle: vec![], isomorphisms, seen: HashSet::new(), stop }
    }

    /// The number of copies so far.
    fn made(&self) -> u64 {
        (self.seen.len() as u64).saturating_sub(1)
    }

    /// Continues with copy number `first` of a puzzle. If it has fewer than `first` copies, returns their number. Breaks
    /// if a stop is overdue.
    pub(super) fn start(&mut self, size: Size, puzzle: &[u8], seed: u64, first: u64) -> ControlFlow<(), u64> {
        if self.size != size {
            (self.size, self.isomorphisms) = (size, self.isomorphs.number(size));
        }
        // Another chunk may have had earlier rows of the same record.
        if self.made() > first || self.seed != seed || self.puzzle != puzzle {
            self.seed = seed;
            self.puzzle.clear();
            self.puzzle.extend_from_slice(puzzle);
            self.seen.clear();
            self.seen.insert(hash(puzzle));
        }

        let mut copy = [0; Size::MAX_CELLS];
        while self.made() < first && self.next(&mut copy[..puzzle.len()])?.is_some() {}
        ControlFlow::Continue(self.made())
    }

    /// The next isomorphism, and its copy; `None` after the last copy. Breaks if a stop is overdue.
    pub(super) fn next(&mut self, copy: &mut [u8]) -> ControlFlow<(), Option<Isomorph>> {
        // A symmetric puzzle has fewer isomorphs than isomorphisms. All are equally likely, so the probability that one
        // was missed after so many attempts is e^-64 or, for kinds that transpose grids, e^-32.
        let number = self.made();
        let attempts = if number + 1 < self.isomorphisms { 64 * (number + 1) } else { 0 };
        for attempt in 0..attempts {
            if self.stop.is_overdue() {
                return ControlFlow::Break(());
            }
            let isomorph = self.isomorphs.get(self.size, self.seed, number, attempt);
            isomorph.apply_into(&self.puzzle, copy);
            if self.seen.insert(hash(copy)) {
                return ControlFlow::Continue(Some(isomorph));
            }
        }
        ControlFlow::Continue(None)
    }
}

/// Mixes a number so that all bits of the result depend on all its bits: the output function of `SplitMix64`, inline.
#[inline]
pub(super) fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

fn hash(grid: &[u8]) -> u64 {
    grid.chunks(8).fold(0, |hash, cells| mix(hash ^ cells.iter().fold(0, |word, &cell| word << 8 | u64::from(cell))))
}

#[cfg(test)]
mod tests {
    use super::IsomorphKind::{Bands, Columns, Digits, Rows, Stacks, Transpose};
    use super::*;
    use crate::puzzle::random::shuffle;
    use crate::puzzle::shifted_grid;

    /// The orders of some items after exchanging two neighbours in the same band.
    fn exchanges(items: usize, band: usize) -> impl Iterator<Item = Vec<usize>> {
        (1..items).filter(move |item| !item.is_multiple_of(band)).map(move |item| {
            let mut order: Vec<usize> = (0..items).collect();
            order.swap(item, item - 1);
            order
        })
    }

    fn transposed(size: Size, grid: &[u8]) -> Vec<u8> {
        let side = size.side();
        (0..size.cells()).map(|cell| grid[cell % side * side + cell / side]).collect()
    }

    /// The grids after exchanging two neighbours: digits, lines of a band, bands.
    fn neighbours(size: Size, grid: &[u8], kinds: &[IsomorphKind]) -> Vec<Vec<u8>> {
        let side = size.side();
        let with_rows = |grid: &[u8], order: &[usize]| -> Vec<u8> {
            order.iter().flat_map(|row| grid[row * side..][..side].to_vec()).collect()
        };
        let with_columns = |order: &[usize]| transposed(size, &with_rows(&transposed(size, grid), order));
        let lines_of = |bands: &[usize], height: usize| -> Vec<usize> {
            bands.iter().flat_map(|band| band * height..(band + 1) * height).collect()
        };

        let (height, width) = (size.box_rows(), size.box_columns());
        let mut found = vec![];
        for kind in kinds {
            match kind {
                Digits => found.extend(exchanges(side, side).map(|names| {
                    let name = |&digit: &u8| if digit == 0 { 0 } else { names[usize::from(digit) - 1] as u8 + 1 };
                    grid.iter().map(name).collect()
                })),
                Rows => found.extend(exchanges(side, height).map(|order| with_rows(grid, &order))),
                Columns => found.extend(exchanges(side, width).map(|order| with_columns(&order))),
                Bands => {
                    found.extend(exchanges(width, width).map(|bands| with_rows(grid, &lines_of(&bands, height))));
                }
                Stacks => {
                    found.extend(exchanges(height, height).map(|stacks| with_columns(&lines_of(&stacks, width))));
                }
                Transpose => {}
            }
        }
        found
    }

    /// All isomorphs by these kinds, generated by exchanges from the puzzle and its transpose.
    fn all_isomorphs(size: Size, puzzle: &[u8], kinds: &[IsomorphKind]) -> HashSet<Vec<u8>> {
        let mut found = HashSet::from([puzzle.to_vec()]);
        if kinds.contains(&Transpose) && size.has_square_boxes() {
            found.insert(transposed(size, puzzle));
        }
        let mut new: Vec<Vec<u8>> = found.iter().cloned().collect();
        while let Some(grid) = new.pop() {
            for next in neighbours(size, &grid, kinds) {
                if found.insert(next.clone()) {
                    new.push(next);
                }
            }
        }
        found
    }

    /// The copies from a number on.
    fn copies(copies: &mut Copies, size: Size, puzzle: &[u8], first: u64, wanted: u64) -> Vec<Vec<u8>> {
        assert!(copies.start(size, puzzle, 5, first).is_continue());
        let mut made = vec![];
        let mut copy = vec![0; size.cells()];
        while (made.len() as u64) < wanted && copies.next(&mut copy).continue_value().flatten().is_some() {
            made.push(copy.clone());
        }
        made
    }

    #[track_caller]
    fn has_all_copies(size: Size, puzzle: &[u8], kinds: &[IsomorphKind]) {
        let mut maker = Copies::new(kinds, Stop::new());
        let made = copies(&mut maker, size, puzzle, 0, u64::MAX);
        let mut expected = all_isomorphs(size, puzzle, kinds);
        expected.remove(puzzle);
        assert_eq!(made.len(), expected.len(), "{puzzle:?} {kinds:?}");
        assert_eq!(made.iter().cloned().collect::<HashSet<_>>(), expected, "{puzzle:?} {kinds:?}");

        // From a later start.
        for first in [made.len() / 2, made.len().saturating_sub(1)] {
            let one = copies(&mut maker, size, puzzle, first as u64, 1);
            assert_eq!(one.first(), made.get(first));
        }
    }

    fn subset(set: u32) -> Vec<IsomorphKind> {
        (0..).zip(IsomorphKind::VARIANTS).filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, &kind)| kind).collect()
    }

    fn cells(text: &str) -> Vec<u8> {
        text.bytes().map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' }).collect()
    }

    /// By all kinds and by each subset of them: puzzles with few clues, full grids, and grids that are not puzzles.
    #[test]
    fn all_isomorphs_of_4x4_puzzles_are_made_once() {
        let mut random = SplitMix64::seed_from_u64(1);
        let grids = ["1234341221434321", "1234341243212143"].map(cells);
        let mut puzzles = ["1.2..21.2..1.1.2", "................", "1111............"].map(cells).to_vec();
        puzzles.extend(grids.clone());
        for clues in (0..64).map(|number| number % 16) {
            let mut order: Vec<usize> = (0..16).collect();
            shuffle(&mut random, &mut order);
            let mut puzzle = vec![0; 16];
            order[..clues].iter().for_each(|&cell| puzzle[cell] = grids[clues % 2][cell]);
            puzzles.push(puzzle);
        }
        for (number, puzzle) in puzzles.iter().enumerate() {
            for set in 0..64 {
                if number < 5 || (set as usize + number).is_multiple_of(16) {
                    has_all_copies(Size::Four, puzzle, &subset(set));
                }
            }
        }
    }

    /// Boxes are not square.
    #[test]
    fn all_isomorphs_of_6x6_puzzles_are_made_once() {
        let grid = cells("123456456123231564564231312645645312");
        let with_clues = |clues: usize| {
            let mut puzzle = vec![0; 36];
            (0..clues).map(|clue| clue * 7 % 36).for_each(|cell| puzzle[cell] = grid[cell]);
            puzzle
        };
        for puzzle in [with_clues(0), with_clues(2), with_clues(5), with_clues(9), with_clues(36)] {
            for kinds in
                [&[Rows, Bands][..], &[Columns, Stacks, Transpose], &[Rows, Columns, Bands, Stacks], &[Transpose]]
            {
                has_all_copies(Size::Six, &puzzle, kinds);
            }
        }
        has_all_copies(Size::Six, &with_clues(2), IsomorphKind::VARIANTS);
        has_all_copies(Size::Six, &with_clues(4), &[Digits, Rows, Stacks]);
    }

    #[test]
    fn all_isomorphs_of_9x9_puzzles_are_made_once() {
        let puzzle = cells("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......");
        for kinds in [&[Rows][..], &[Bands, Stacks, Transpose], &[Rows, Transpose], &[Columns, Stacks]] {
            has_all_copies(Size::Nine, &puzzle, kinds);
            has_all_copies(Size::Nine, &shifted_grid(Size::Nine), kinds);
        }
        let clue = |clues: &[(usize, u8)]| {
            let mut puzzle = vec![0; 81];
            for &(cell, digit) in clues {
                puzzle[cell] = digit;
            }
            puzzle
        };
        has_all_copies(Size::Nine, &clue(&[]), IsomorphKind::VARIANTS);
        has_all_copies(Size::Nine, &clue(&[(40, 5)]), IsomorphKind::VARIANTS);
        has_all_copies(Size::Nine, &clue(&[(0, 1), (10, 2)]), &[Digits, Rows, Stacks, Transpose]);
        has_all_copies(Size::Nine, &clue(&[(0, 1), (40, 1), (80, 2)]), &[Rows, Columns, Bands]);
    }

    /// `9! * 6^8 * 2` isomorphisms of 9x9.
    #[test]
    fn copies_of_all_sizes_differ() {
        let mut random = SplitMix64::seed_from_u64(3);
        for size in Size::ALL {
            let mut puzzle = shifted_grid(size);
            for cell in &mut puzzle {
                *cell *= u8::from(below(&mut random, 3) == 0);
            }
            let number = RandomIsomorphs::new(IsomorphKind::VARIANTS).number(size);
            match size {
                Size::Nine => assert_eq!(number, 1_218_998_108_160),
                Size::Sixteen | Size::TwentyFive => assert_eq!(number, u64::MAX),
                _ => {}
            }
            let made = copies(&mut Copies::new(IsomorphKind::VARIANTS, Stop::new()), size, &puzzle, 0, 1000);
            assert_eq!(made.iter().collect::<HashSet<_>>().len(), made.len(), "{size}");
            assert!(made.len() == 1000 || number < 5000, "{size}");
        }
    }
}

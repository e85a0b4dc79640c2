//! The copies of a puzzle: its isomorphs, without repetition, in pseudorandom order.
//!
//! Isomorphisms are numbered, and a permutation determined by the seed and the record orders them. Nearly all puzzles
//! are asymmetric: each isomorphism makes a different grid, so any copy can be made independently of the copies before
//! it. For a symmetric puzzle, a set of hashes rejects grids that were made before.

use std::array;
use std::collections::HashSet;
use std::ops::ControlFlow;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng;
use strum::VariantArray;

use crate::pipeline::Stop;
use crate::puzzle::random::below;
use crate::puzzle::{Isomorph, IsomorphKind, Size, with_constant};

/// The isomorphisms of a size by some kinds, without the identity.
#[derive(Clone, Debug)]
pub(super) struct Isomorphisms {
    size: Size,
    kinds: [bool; IsomorphKind::VARIANTS.len()],
    /// Their number; `u64::MAX` if there are more. They are then drawn at random, as repetitions are too improbable to
    /// occur. 16x16 puzzles have `10^27`.
    number: u64,
    /// The number of the identity.
    identity: u64,
}

impl Isomorphisms {
    pub(super) fn new(size: Size, kinds: &[IsomorphKind]) -> Isomorphisms {
        let kinds = array::from_fn(|index| kinds.contains(&IsomorphKind::VARIANTS[index]));
        let mut number = Some(1_u64);
        let last = Isomorph::chosen(size, kinds, |choices| {
            number = number.and_then(|number| number.checked_mul(choices as u64));
            choices - 1
        });
        // The last choice keeps lines and digits in place, and the first choice is not to transpose the grid.
        let identity = number.map_or(u64::MAX, |all| if last == Isomorph::identity(size) { all } else { all / 2 } - 1);
        Isomorphisms { size, kinds, number: number.map_or(u64::MAX, |all| all - 1), identity }
    }

    /// The isomorphism at a position of the pseudorandom order for a seed. Positions are less than the number of
    /// isomorphisms.
    pub(super) fn at(&self, position: u64, seed: u64) -> Isomorph {
        let number = Permutation::new(self.number, seed).get(position);
        with_constant!(self.size, SIZE => {
            if self.number == u64::MAX {
                let mut random = SplitMix64::seed_from_u64(number);
                return Isomorph::chosen(SIZE, self.kinds, |choices| below(&mut random, choices));
            }
            let mut number = number + u64::from(number >= self.identity);
            Isomorph::chosen(SIZE, self.kinds, |choices| {
                let choice = number % choices as u64;
                number /= choices as u64;
                choice as usize
            })
        })
    }

    /// Copy number `number` of an asymmetric puzzle. After the last copy, they start again. A puzzle without copies
    /// stays unchanged.
    pub(super) fn copy_of_asymmetric(&self, number: u64, seed: u64) -> Isomorph {
        let position = number.checked_rem(self.number);
        position.map_or_else(|| Isomorph::identity(self.size), |position| self.at(position, seed))
    }
}

/// Makes the copies of one puzzle after another.
pub(super) struct Copies {
    kinds: Vec<IsomorphKind>,
    isomorphisms: Isomorphisms,
    seed: u64,
    puzzle: Vec<u8>,
    /// Whether no copy can repeat another one: each isomorphism makes a different grid, or only one copy is wanted.
    is_asymmetric: bool,
    /// The hashes of the copies of a symmetric puzzle.
    seen: HashSet<u64>,
    /// The position of the next isomorphism.
    position: u64,
    /// The number of copies so far.
    made: u64,
    stop: Stop,
}

impl Copies {
    pub(super) fn new(kinds: &[IsomorphKind], stop: Stop) -> Copies {
        Copies {
            kinds: kinds.to_vec(),
            isomorphisms: Isomorphisms::new(Size::Nine, kinds),
            seed: 0,
            puzzle: vec![],
            is_asymmetric: false,
            seen: HashSet::new(),
            position: 0,
            made: 0,
            stop,
        }
    }

    /// Continues with copy number `first` of a puzzle, which gets up to `wanted` copies in all. If it has fewer than
    /// `first` copies, returns their number. Breaks if a stop is overdue.
    pub(super) fn start(
        &mut self,
        size: Size,
        puzzle: &[u8],
        seed: u64,
        first: u64,
        wanted: u64,
    ) -> ControlFlow<(), u64> {
        if self.isomorphisms.size != size {
            self.isomorphisms = Isomorphisms::new(size, &self.kinds);
        }
        // Other rows of the same record may have been made before.
        if self.made > first || self.seed != seed || self.puzzle != puzzle {
            self.puzzle.clear();
            self.puzzle.extend_from_slice(puzzle);
            self.seed = seed;
            self.is_asymmetric = wanted <= 1 || is_asymmetric(size, puzzle);
            self.seen.clear();
            (self.position, self.made) = (0, 0);
        }
        if self.is_asymmetric {
            self.made = first.min(self.isomorphisms.number);
            self.position = self.made;
        }
        let mut image = [0; Size::MAX_CELLS];
        while self.made < first && self.next(&mut image[..puzzle.len()])?.is_some() {}
        ControlFlow::Continue(self.made)
    }

    /// The next isomorphism, and its copy; `None` after the last copy. Breaks if a stop is overdue.
    pub(super) fn next(&mut self, copy: &mut [u8]) -> ControlFlow<(), Option<Isomorph>> {
        // All copies are equally likely. So the probability that one was missed until then is e^-64 or, for kinds that
        // transpose grids, e^-32.
        let last = self.position.saturating_add(64 * (self.made + 1)).min(self.isomorphisms.number);
        while self.position < last {
            if self.stop.is_overdue() {
                return ControlFlow::Break(());
            }
            let isomorph = self.isomorphisms.at(self.position, self.seed);
            self.position += 1;
            isomorph.apply_into(&self.puzzle, copy);
            if *copy != *self.puzzle && (self.is_asymmetric || self.seen.insert(hash(copy))) {
                self.made += 1;
                return ControlFlow::Continue(Some(isomorph));
            }
        }
        ControlFlow::Continue(None)
    }

    /// The isomorphism for copy number `number` of a puzzle. After the last copy, they start again; a puzzle without
    /// copies stays unchanged.
    ///
    /// # Panics
    ///
    /// If a stop is overdue.
    pub(super) fn copy(&mut self, size: Size, puzzle: &[u8], seed: u64, number: u64) -> Isomorph {
        let mut copy = [0; Size::MAX_CELLS];
        let mut find = || match self.start(size, puzzle, seed, number, u64::MAX)? {
            made if made < number => ControlFlow::Continue(None),
            _ => self.next(&mut copy[..puzzle.len()]),
        };
        let found = find().continue_value().expect("the run goes on");
        match (found, self.made) {
            (Some(isomorph), _) => isomorph,
            (None, 0) => Isomorph::identity(size),
            (None, made) => self.copy(size, puzzle, seed, number % made),
        }
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

/// A pseudorandom permutation of the numbers below a bound, with random access.
///
/// A Feistel network changes the upper half of the bits by the lower half and vice versa, in turn. A number at or above
/// the bound is permuted again until it is below.
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    bound: u64,
    seed: u64,
}

impl Permutation {
    /// The number of times that each half of the bits is changed.
    const ROUNDS: u32 = 4;

    pub(super) fn new(bound: u64, seed: u64) -> Permutation {
        Permutation { bound, seed: mix(seed) }
    }

    /// The number at a position below the bound.
    pub(super) fn get(&self, position: u64) -> u64 {
        let bits = u64::BITS - (self.bound - 1).leading_zeros();
        let shift = bits.div_ceil(2);
        let [upper_bits, lower_bits] = [bits - shift, shift].map(|bits| (1 << bits) - 1);

        let mut number = position;
        loop {
            let (mut upper, mut lower) = (number >> shift, number & lower_bits);
            for round in 0..Self::ROUNDS {
                let key = self.seed.rotate_left(16 * round);
                lower ^= mix(key ^ upper) & lower_bits;
                upper ^= mix(!key ^ lower) & upper_bits;
            }
            number = upper << shift | lower;
            if number < self.bound {
                return number;
            }
        }
    }
}

/// Whether colours prove that every isomorphism makes a different grid of a puzzle.
///
/// Lines and digits get colours that depend on the colours of the lines and digits that they meet, and of the other
/// lines in their band. If an isomorphism exchanged two lines without changing the puzzle, they would have the same
/// colour.
pub(super) fn is_asymmetric(size: Size, puzzle: &[u8]) -> bool {
    const ROUNDS: usize = 4;

    // Missing digits can be exchanged.
    let own = puzzle.iter().fold(0, |set: u32, digit| set | 1 << digit) & !1;
    if (own.count_ones() as usize) < size.side() - 1 {
        return false;
    }

    // Columns come after rows. A blank has the colour 0, which adds nothing.
    let side = size.side();
    let mut lines = [1_u64; 2 * Size::MAX_SIDE];
    let mut digits = [1_u64; Size::MAX_SIDE + 1];
    digits[0] = 0;
    for _ in 0..ROUNDS {
        let mut met_by_line = [0_u64; 2 * Size::MAX_SIDE];
        let mut met_by_digit = [0_u64; Size::MAX_SIDE + 1];
        let add = |sum: &mut u64, a: u64, b: u64| *sum = sum.wrapping_add(a.wrapping_mul(b));
        for (row, cells) in puzzle.chunks(side).enumerate() {
            for (column, digit) in (side..).zip(cells).map(|(column, &digit)| (column, usize::from(digit))) {
                add(&mut met_by_line[row], lines[column], digits[digit]);
                add(&mut met_by_line[column], lines[row], digits[digit]);
                add(&mut met_by_digit[digit], lines[row], lines[column]);
            }
        }

        let (rows, columns) = lines[..2 * side].split_at_mut(side);
        let (of_rows, of_columns) = met_by_line[..2 * side].split_at(side);
        let bands = rows.chunks_mut(size.box_rows()).zip(of_rows.chunks(size.box_rows()));
        let stacks = columns.chunks_mut(size.box_columns()).zip(of_columns.chunks(size.box_columns()));
        for (band, met) in bands.chain(stacks) {
            let common = met.iter().fold(0_u64, |sum, &met| sum.wrapping_add(mix(met)));
            for (line, met) in band.iter_mut().zip(met) {
                *line = mix(mix(common ^ *line) ^ met);
            }
        }
        for (digit, met) in digits.iter_mut().zip(met_by_digit).skip(1) {
            *digit = mix(digit.wrapping_mul(3) ^ met);
        }
        let lines = &lines[..2 * side];
        if (1..lines.len()).all(|line| !lines[..line].contains(&lines[line])) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    /// The copies from a number on, and whether they are all copies.
    fn copies(copies: &mut Copies, size: Size, puzzle: &[u8], first: u64, wanted: u64) -> Vec<Vec<u8>> {
        assert!(copies.start(size, puzzle, 5, first, wanted).is_continue());
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

        // All copies, some from a later start, and one after the last.
        for first in [0, made.len() / 2, made.len().saturating_sub(1)] {
            let wanted = if first == 0 { 1 } else { u64::MAX };
            let some = copies(&mut Copies::new(kinds, Stop::new()), size, puzzle, first as u64, wanted);
            assert_eq!(some.first(), made.get(first));
            let mut again = vec![0; size.cells()];
            maker.copy(size, puzzle, 5, (first + made.len()) as u64).apply_into(puzzle, &mut again);
            assert_eq!(again, made.get(first).map_or(puzzle, |copy| &**copy));
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
        assert!(is_asymmetric(Size::Nine, &puzzle));
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
            let number = Isomorphisms::new(size, IsomorphKind::VARIANTS).number;
            match size {
                Size::Nine => assert_eq!(number, 1_218_998_108_160 - 1),
                Size::Sixteen | Size::TwentyFive => assert_eq!(number, u64::MAX),
                _ => {}
            }
            let made = copies(&mut Copies::new(IsomorphKind::VARIANTS, Stop::new()), size, &puzzle, 0, 1000);
            assert_eq!(made.iter().collect::<HashSet<_>>().len(), made.len(), "{size}");
            assert!(made.len() == 1000 || number < 5000, "{size}");
        }
    }

    /// Each number is about equally often at each position.
    #[test]
    fn seeds_give_all_orders_alike() {
        const SEEDS: u64 = 20_000;
        for bound in [2, 3, 5, 6, 24] {
            let mut counts = vec![0; (bound * bound) as usize];
            for seed in 0..SEEDS {
                let permutation = Permutation::new(bound, seed);
                for position in 0..bound {
                    counts[(position * bound + permutation.get(position)) as usize] += 1;
                }
            }
            let expected = SEEDS as f64 / bound as f64;
            let far = |&&count: &&i32| (f64::from(count) - expected).abs() > 5.0 * expected.sqrt();
            assert_eq!(counts.iter().find(far), None, "of {bound}, where {expected} are expected");
        }
    }

    #[test]
    fn large_bounds_have_numbers_of_all_sizes() {
        for bound in [1 << 32, (1 << 32) + 1, 1_218_998_108_160, u64::MAX] {
            let permutation = Permutation::new(bound, 1);
            let numbers: HashSet<u64> = (0..1000).map(|position| permutation.get(position)).collect();
            assert_eq!(numbers.len(), 1000);
            for quarter in 0..4 {
                let range = bound / 4 * quarter..bound / 4 * (quarter + 1);
                let share = numbers.iter().filter(|number| range.contains(number)).count();
                assert!((190..310).contains(&share), "{share} of {bound} in {range:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn each_number_has_one_position(bound in 1..3000_u64, seed: u64) {
            let permutation = Permutation::new(bound, seed);
            let numbers: HashSet<u64> = (0..bound).map(|position| permutation.get(position)).collect();
            prop_assert!(numbers.len() as u64 == bound && numbers.iter().all(|&number| number < bound));
        }
    }
}

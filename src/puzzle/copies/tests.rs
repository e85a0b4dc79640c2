//! Compares copies with all isomorphs that are found by exchanging two digits or lines at a time.

use std::collections::HashSet;

use super::*;
use crate::puzzle::random::below;
use crate::puzzle::shifted_grid;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use strum::VariantArray;

fn image(isomorph: &Isomorph, grid: &[u8]) -> Vec<u8> {
    let mut image = vec![0; grid.len()];
    isomorph.apply_into(grid, &mut image);
    image
}

/// A way to rewrite a grid.
#[derive(Clone)]
struct Step {
    rows: Vec<usize>,
    columns: Vec<usize>,
    digits: Vec<u8>,
}

impl Step {
    fn apply(&self, grid: &[u8]) -> Vec<u8> {
        let of_row = |&row: &usize| self.columns.iter().map(move |column| grid[row * self.columns.len() + column]);
        self.rows.iter().flat_map(of_row).map(|digit| self.digits[usize::from(digit)]).collect()
    }
}

/// The exchanges of two digits, lines or bands that kinds allow.
fn exchanges(size: Size, kinds: &[IsomorphKind]) -> Vec<Step> {
    let (rows, columns, side) = (size.box_rows(), size.box_columns(), size.side());
    let nothing = Step { rows: (0..side).collect(), columns: (0..side).collect(), digits: (0..=side as u8).collect() };
    let pairs = |end: usize| (0..end).flat_map(|a| (0..a).map(move |b| (a, b)));
    let mut steps = vec![];
    let mut add = |change: &dyn Fn(&mut Step)| {
        let mut step = nothing.clone();
        change(&mut step);
        steps.push(step);
    };
    for kind in kinds {
        match kind {
            IsomorphKind::Digits => pairs(side).for_each(|(a, b)| add(&|step| step.digits.swap(a + 1, b + 1))),
            IsomorphKind::Rows => {
                pairs(side).filter(|(a, b)| a / rows == b / rows).for_each(|(a, b)| add(&|step| step.rows.swap(a, b)));
            }
            IsomorphKind::Columns => {
                let are_in_one_stack = |&(a, b): &(usize, usize)| a / columns == b / columns;
                pairs(side).filter(are_in_one_stack).for_each(|(a, b)| add(&|step| step.columns.swap(a, b)));
            }
            IsomorphKind::Bands => pairs(size.bands()).for_each(|(a, b)| {
                add(&|step| (0..rows).for_each(|line| step.rows.swap(a * rows + line, b * rows + line)));
            }),
            IsomorphKind::Stacks => pairs(size.stacks()).for_each(|(a, b)| {
                let exchange = |step: &mut Step, line| step.columns.swap(a * columns + line, b * columns + line);
                add(&|step| (0..columns).for_each(|line| exchange(step, line)));
            }),
            IsomorphKind::Transpose => {}
        }
    }
    steps
}

/// All isomorphs by these kinds: what exchanges make of the puzzle and of its reflection.
fn all_isomorphs(size: Size, puzzle: &[u8], kinds: &[IsomorphKind]) -> HashSet<Vec<u8>> {
    let (side, steps) = (size.side(), exchanges(size, kinds));
    let mut found: HashSet<Vec<u8>> = HashSet::from([puzzle.to_vec()]);
    if kinds.contains(&IsomorphKind::Transpose) && size.has_square_boxes() {
        found.insert((0..size.cells()).map(|cell| puzzle[cell % side * side + cell / side]).collect());
    }
    let mut new: Vec<Vec<u8>> = found.iter().cloned().collect();
    while let Some(grid) = new.pop() {
        for next in steps.iter().map(|step| step.apply(&grid)) {
            if found.insert(next.clone()) {
                new.push(next);
            }
        }
    }
    found
}

#[track_caller]
fn has_all_copies(size: Size, puzzle: &[u8], kinds: &[IsomorphKind]) {
    let expected = all_isomorphs(size, puzzle, kinds);
    let isomorphs = Isomorphs::new(size, puzzle, kinds);
    let copies = isomorphs.copies(5);
    assert_eq!(copies.number(), expected.len() as u64 - 1, "{puzzle:?} {kinds:?}");
    let mut found: HashSet<Vec<u8>> =
        (0..copies.number()).map(|number| image(&copies.isomorph(number), puzzle)).collect();
    assert!(!found.contains(puzzle), "{puzzle:?} {kinds:?}");
    found.insert(puzzle.to_vec());
    assert_eq!(found, expected, "{puzzle:?} {kinds:?}");
}

/// Every subset of the kinds, on puzzles with few clues and on full grids, which have many automorphisms.
#[test]
fn all_isomorphs_of_4x4_puzzles_are_made_once() {
    let grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut puzzles: Vec<Vec<u8>> = vec![vec![0; 16], grid.to_vec()];
    for clues in [1, 2, 2, 3, 4, 4, 5, 6, 8, 12] {
        let mut puzzle = vec![0; 16];
        (0..clues).for_each(|_| {
            let cell = below(&mut rng, 16);
            puzzle[cell] = grid[cell];
        });
        puzzles.push(puzzle);
    }
    for set in 0..64_u32 {
        let kinds: Vec<IsomorphKind> = IsomorphKind::VARIANTS
            .iter()
            .copied()
            .enumerate()
            .filter(|(bit, _)| set >> bit & 1 == 1)
            .map(|(_, kind)| kind)
            .collect();
        let puzzles = if set == 63 || set % 5 == 0 { &puzzles[..] } else { &puzzles[..6] };
        for puzzle in puzzles {
            has_all_copies(Size::Four, puzzle, &kinds);
        }
    }
}

/// The kinds differ for rows and columns, and the reflection is none.
#[test]
fn all_isomorphs_of_6x6_puzzles_are_made_once() {
    use IsomorphKind::{Bands, Columns, Digits, Rows, Stacks, Transpose};
    let grid =
        [1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3, 2, 3, 1, 5, 6, 4, 5, 6, 4, 2, 3, 1, 3, 1, 2, 6, 4, 5, 6, 4, 5, 3, 1, 2];
    let with_clues = |clues: usize| {
        let mut puzzle = vec![0; 36];
        (0..clues).map(|clue| clue * 7 % 36).for_each(|cell| puzzle[cell] = grid[cell]);
        puzzle
    };
    for puzzle in [with_clues(0), with_clues(2), with_clues(5), with_clues(9), with_clues(36)] {
        for kinds in [&[Rows, Bands][..], &[Columns, Stacks, Transpose], &[Rows, Columns, Bands, Stacks], &[Transpose]]
        {
            has_all_copies(Size::Six, &puzzle, kinds);
        }
    }
    has_all_copies(Size::Six, &with_clues(2), IsomorphKind::VARIANTS);
    has_all_copies(Size::Six, &with_clues(4), &[Digits, Rows, Stacks]);
}

#[test]
fn all_isomorphs_of_9x9_puzzles_are_made_once() {
    use IsomorphKind::{Bands, Columns, Rows, Stacks, Transpose};
    let text = b"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    let puzzle: Vec<u8> = text.iter().map(|&symbol| if symbol == b'.' { 0 } else { symbol - b'0' }).collect();
    has_all_copies(Size::Nine, &puzzle, &[Rows]);
    has_all_copies(Size::Nine, &puzzle, &[Bands, Stacks, Transpose]);
    has_all_copies(Size::Nine, &puzzle, &[Rows, Transpose]);
    let clue = |cells: &[(usize, u8)]| {
        let mut puzzle = vec![0; 81];
        for &(cell, digit) in cells {
            puzzle[cell] = digit;
        }
        puzzle
    };
    has_all_copies(Size::Nine, &clue(&[]), IsomorphKind::VARIANTS);
    has_all_copies(Size::Nine, &clue(&[(40, 5)]), IsomorphKind::VARIANTS);
    has_all_copies(Size::Nine, &clue(&[(0, 1), (10, 2)]), IsomorphKind::VARIANTS);
    has_all_copies(Size::Nine, &clue(&[(0, 1), (40, 1), (80, 2)]), &[Rows, Columns, Bands]);
}

/// 9!/1! ways to name 8 of 9 digits, 3!^8 * 2 arrangements without automorphisms.
#[test]
fn isomorphs_of_all_sizes_are_counted() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for size in Size::ALL {
        let mut puzzle = shifted_grid(size);
        for cell in &mut puzzle {
            *cell *= u8::from(below(&mut rng, 3) == 0);
        }
        let isomorphs = Isomorphs::new(size, &puzzle, IsomorphKind::VARIANTS);
        let copies = isomorphs.copies(1);
        let expected = match size {
            Size::Nine => Some(1_218_998_108_160 - 1),
            Size::Sixteen | Size::TwentyFive => Some(u64::MAX),
            // Those of smaller puzzles depend on their automorphisms.
            _ => None,
        };
        assert!(expected.is_none_or(|expected| expected == copies.number()), "{size}: {}", copies.number());
        let number = copies.number().min(2000);
        let made: HashSet<Vec<u8>> = (0..number).map(|number| image(&copies.isomorph(number), &puzzle)).collect();
        assert_eq!(made.len() as u64, number, "{size}");
        // Each copy can be taken back.
        assert!((0..number.min(50)).all(|number| {
            let isomorph = copies.isomorph(number);
            image(&isomorph.inverse(), &image(&isomorph, &puzzle)) == puzzle
        }));
    }
}

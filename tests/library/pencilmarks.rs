//! Pencilmark puzzles: their text, and the engine that solves them, judged by a naive solver.

use std::collections::BTreeSet;

use gridmill::engine::bitmask::Bitmask;
use gridmill::engine::{Bounds, SearchEnd, Verdicts};
use gridmill::puzzle::{Geometry, Grid, Pencilmarks, Size};
use gridmill::rating::Candidates;
use gridmill::{SolveError, solve};
use proptest::prelude::*;

use crate::support::{isomorph, limit, naive, shifted_grid};

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

#[test]
fn the_candidates_of_a_puzzle_have_its_solution() {
    let puzzle: gridmill::Puzzle = PUZZLE.parse().unwrap();
    let pencilmarks = Pencilmarks::from(<&Grid>::try_from(puzzle.cells()).unwrap());
    assert_eq!(pencilmarks.solve(), solve(PUZZLE));
    assert_eq!(pencilmarks.to_string().parse(), Ok(pencilmarks.clone()));
    assert!(pencilmarks.to_string().starts_with("...4.....1....67.912...67.9"));
    let candidates = Candidates::from(&pencilmarks);
    for cell in 0..81 {
        let digits: u16 = candidates.digits(cell).into_iter().map(|digit| 1 << digit).sum();
        assert_eq!(digits, pencilmarks.digits(cell));
    }
}

#[test]
fn a_text_that_is_no_pencilmark_puzzle_has_a_reason() {
    let text = "123456789".repeat(81);
    let error = |text: &str| text.parse::<Pencilmarks>().unwrap_err().to_string();
    assert_eq!(error(PUZZLE), "81 symbols; a pencilmark puzzle has 729");
    assert_eq!(error(&text.replacen('2', "3", 1)), "column 2: '3' is not 2, '.' or '0'");
    assert_eq!(error(&text.replacen('9', "é", 1)), "column 9: 'é' is not 9, '.' or '0'");
    assert_eq!(text.replace('5', "0").parse(), text.replace('5', ".").parse::<Pencilmarks>());
}

#[test]
fn pencilmarks_may_have_no_solution_or_several() {
    let any: Pencilmarks = "123456789".repeat(81).parse().unwrap();
    assert_eq!(any.solve(), Err(SolveError::SeveralSolutions));
    assert_eq!(any.count_solutions(100), 100);
    let no_five: Pencilmarks = "1234.6789".repeat(81).parse().unwrap();
    assert_eq!(no_five.solve(), Err(SolveError::NoSolution));
    let no_digit: Pencilmarks = format!(".........{}", "123456789".repeat(80)).parse().unwrap();
    assert_eq!(no_digit.count_solutions(100), 0);
}

/// A grid and candidates that contain it, but for the cells in which a digit is taken away.
fn pencilmarks() -> impl Strategy<Value = Pencilmarks> {
    let more = prop::collection::vec((0..81usize, 0..9usize), 0..150);
    let fewer = prop_oneof![3 => Just(None), 1 => (0..81usize).prop_map(Some)];
    (any::<u64>(), more, fewer).prop_map(|(seed, more, fewer)| {
        let grid = isomorph(Size::Nine, &shifted_grid(Size::Nine), seed);
        let mut text = ".".repeat(729).into_bytes();
        for (cell, digit) in grid.iter().enumerate().map(|(cell, &digit)| (cell, usize::from(digit) - 1)).chain(more) {
            text[cell * 9 + digit] = b'1' + digit as u8;
        }
        if let Some(cell) = fewer {
            text[cell * 9 + usize::from(grid[cell]) - 1] = b'.';
        }
        String::from_utf8(text).expect("digits and dots").parse().expect("each digit is at its place")
    })
}

/// The solutions of pencilmarks, by trying each candidate of the cell that has the fewest.
fn naive_solutions(puzzle: &Pencilmarks, grid: &mut [u8], found: &mut BTreeSet<Vec<u8>>) {
    let geometry = Geometry::of(Size::Nine);
    let candidates = |cell: usize| -> Vec<u8> {
        let peers = geometry.peers(cell);
        let is_free = |digit: u8| peers.iter().all(|&peer| grid[usize::from(peer)] != digit);
        (1..=9).filter(|&digit| puzzle.digits(cell) >> (digit - 1) & 1 == 1 && is_free(digit)).collect()
    };
    let blanks = (0..81).filter(|&cell| grid[cell] == 0).map(|cell| (cell, candidates(cell)));
    let Some((cell, digits)) = blanks.min_by_key(|(_, digits)| digits.len()) else {
        found.insert(grid.to_vec());
        return;
    };
    for digit in digits {
        grid[cell] = digit;
        naive_solutions(puzzle, grid, found);
    }
    grid[cell] = 0;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_engine_finds_the_solutions_of_the_naive_solver(
        puzzles in prop::collection::vec(pencilmarks(), 1..4),
        few in 1..4u64,
    ) {
        let expected = puzzles.iter().map(|puzzle| {
            let mut solutions = BTreeSet::new();
            naive_solutions(puzzle, &mut [0; 81], &mut solutions);
            solutions
        });
        let expected: Vec<_> = expected.collect();
        let (mut engine, mut verdicts) = (Bitmask::new(), Verdicts::keeping_all());
        engine.solve_pencilmarks(&puzzles, Bounds::new(limit(10_000)), &mut verdicts);
        prop_assert_eq!(verdicts.len(), puzzles.len());

        let mut found = verdicts.all_solutions().chunks(81).map(<[u8]>::to_vec);
        for (verdict, expected) in verdicts.iter().zip(&expected) {
            prop_assert_eq!(verdict.end, SearchEnd::Complete);
            prop_assert_eq!(verdict.solutions, expected.len() as u64, "each solution is found once");
            prop_assert_eq!(verdict.solution.is_some_and(|grid| expected.contains(grid)), !expected.is_empty());
            prop_assert_eq!(&found.by_ref().take(expected.len()).collect::<BTreeSet<_>>(), expected);
        }

        engine.solve_pencilmarks(&puzzles, Bounds::new(limit(few)), &mut verdicts);
        for (verdict, expected) in verdicts.iter().zip(&expected) {
            prop_assert_eq!(verdict.solutions, few.min(expected.len() as u64));
            prop_assert_eq!(verdict.end == SearchEnd::AtLimit, verdict.solutions == few);
        }
    }

    #[test]
    fn the_candidates_of_any_puzzle_have_its_solutions(seed in any::<u64>(), blanks in prop::collection::vec(0..81usize, 0..90)) {
        let mut puzzle = isomorph(Size::Nine, &shifted_grid(Size::Nine), seed);
        for cell in blanks {
            puzzle[cell] = 0;
        }
        let expected = naive::count(Size::Nine, &puzzle, 50);
        let pencilmarks = Pencilmarks::from(<&Grid>::try_from(&puzzle[..]).unwrap());
        prop_assert_eq!(pencilmarks.count_solutions(50), expected);
    }
}

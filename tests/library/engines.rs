//! One suite for all engines: each engine in each width of vectors passes every case.
//!
//! Expected counts come from `tests/data/known-counts.txt`, from the naive solver, and from how a case was made (a grid
//! with some cells taken out, a clue that the only solution does not have).

use gridmill::engine::lanes::Lanes;
use gridmill::engine::{Bounds, EngineKind, SearchEnd};
use gridmill::puzzle::{Geometry, Size, rules};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::support::{
    self, EngineResult, build, engines, isomorph, known, naive, parse, shifted_grid, solve, solve_all, solve_within,
};

/// Every engine counts `expected` solutions, as far as each limit allows. The lanes engine gives the same answer in
/// every width.
fn check(name: &str, size: Size, puzzle: &[u8], expected: u64, limits: &[u64]) {
    let mut of_lanes: Option<Vec<EngineResult>> = None;
    for choice in engines() {
        let mut engine = build(choice);
        let answers = limits.iter().map(|&limit| {
            let answer = solve(&mut *engine, size, puzzle, limit);
            assert_eq!(answer.solutions, expected.min(limit), "{name}, {choice}, limit {limit}: {puzzle:?}");
            answer
        });
        let answers: Vec<EngineResult> = answers.collect();
        if matches!(choice, EngineKind::Lanes(_)) {
            assert_eq!(*of_lanes.get_or_insert_with(|| answers.clone()), answers, "{name}, {choice}: {puzzle:?}");
        }
    }
}

/// A random grid of a size with so many random cells taken out.
fn with_blanks(size: Size, blanks: usize, seed: u64) -> Vec<u8> {
    let mut puzzle = isomorph(size, &shifted_grid(size), seed);
    let mut cells: Vec<usize> = (0..size.cells()).collect();
    cells.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    cells[..blanks].iter().for_each(|&cell| puzzle[cell] = 0);
    puzzle
}

#[test]
fn known_solutions_are_counted_up_to_the_limit() {
    for known in known::puzzles() {
        let count = known.count;
        let mut limits = vec![1, 2, count.max(1)];
        if !known.more {
            limits.extend([count.max(2) - 1, count + 1, 1_000_000]);
        }
        limits.sort_unstable();
        limits.dedup();
        check(&format!("line {}", known.line), known.size, &known.puzzle, count, &limits);
        if let Some(solution) = known.solution {
            // It is the only one, so an engine that found a solution has found it.
            assert!(count == 1 && rules::is_solution(known.size, &known.puzzle, &solution), "line {}", known.line);
        }
    }
}

#[test]
fn known_counts_are_those_of_the_naive_solver() {
    // In nearly empty grids of 25x25, the naive solver would search for ever.
    let is_too_large = |known: &known::Known| known.size == Size::TwentyFive && known.more;
    for known in known::puzzles().filter(|known| !is_too_large(known)) {
        let limit = if known.more { known.count } else { known.count + 1 };
        assert_eq!(naive::count(known.size, &known.puzzle, limit), known.count, "line {}", known.line);
    }
}

#[test]
fn a_clue_against_the_only_solution_leaves_none() {
    for size in Size::ALL {
        for (puzzle, solution) in known::unique(size) {
            for cell in (0..size.cells()).filter(|&cell| puzzle[cell] == 0).step_by(size.side()) {
                for digit in (1..=size.side() as u8).filter(|&digit| digit != solution[cell]) {
                    let mut wrong = puzzle.clone();
                    wrong[cell] = digit;
                    if rules::conflict(size, &wrong).is_none() {
                        check("a wrong clue", size, &wrong, 0, &[1, 2]);
                    }
                }
            }
        }
    }
}

#[test]
fn two_equal_clues_in_a_house_leave_no_solution() {
    for size in Size::ALL {
        for (house, cells) in Geometry::of(size).houses() {
            let mut puzzle = vec![0; size.cells()];
            puzzle[usize::from(cells[0])] = 2;
            puzzle[usize::from(cells[size.side() - 1])] = 2;
            check(&house.to_string(), size, &puzzle, 0, &[1, 2]);
        }
    }
}

#[test]
fn a_puzzle_of_singles_takes_no_branch_and_two_solutions_take_one() {
    for size in Size::ALL {
        // Two grids differ in four cells at least.
        let puzzle = with_blanks(size, 3, 1);
        for choice in engines() {
            let answer = solve(&mut *build(choice), size, &puzzle, 2);
            assert_eq!((answer.solutions, answer.branches), (1, Some(0)), "{choice} {size}");
        }
    }
    let (size, puzzle) = parse("..343412..434321");
    for choice in engines() {
        let answer = solve(&mut *build(choice), size, &puzzle, 10);
        assert_eq!((answer.solutions, answer.branches), (2, Some(1)), "{choice}");
    }
}

#[test]
fn verdicts_do_not_depend_on_neighbours_or_on_earlier_batches() {
    for size in Size::ALL {
        let mut puzzles: Vec<Vec<u8>> = known::unique(size).map(|(puzzle, _)| puzzle).collect();
        puzzles.push(vec![0; size.cells()]);
        puzzles.push(vec![1; size.cells()]);
        puzzles.extend((1..6).map(|tenths| with_blanks(size, size.cells() * tenths / 10, 7)));
        let backwards: Vec<Vec<u8>> = puzzles.iter().rev().cloned().collect();
        for choice in engines() {
            let mut engine = build(choice);
            for limit in [1, 2, 50] {
                let alone = |puzzle: &Vec<u8>| solve(&mut *build(choice), size, puzzle, limit);
                let expected: Vec<EngineResult> = puzzles.iter().map(alone).collect();
                assert_eq!(solve_all(&mut *engine, size, &puzzles, limit), expected, "{choice} {size} {limit}");
                let mut answers = solve_all(&mut *engine, size, &backwards, limit);
                answers.reverse();
                assert_eq!(answers, expected, "{choice} {size} {limit}, backwards");
            }
        }
    }
}

/// A search is given just as many branches as it takes, then one less.
#[test]
fn a_search_gives_up_if_it_needs_more_branches_than_it_may_take() {
    for size in Size::ALL {
        let (unique, _) = known::unique(size).last().expect("there is one");
        let half = with_blanks(size, size.cells() / 2, 3);
        for choice in engines() {
            let ask = |puzzle: &Vec<u8>, limit: u64, max_branches: u64| {
                let puzzles = [puzzle.clone(), puzzle.clone()];
                let bounds = Bounds::new(support::limit(limit)).max_branches(max_branches);
                let [one, two] = &solve_within(&mut *build(choice), size, &puzzles, bounds)[..] else { panic!() };
                assert_eq!(one, two, "{choice} {size}");
                one.clone()
            };
            for puzzle in [&unique, &half] {
                let complete = solve(&mut *build(choice), size, puzzle, 1_000_000);
                let Some(branches) = complete.branches else { continue };
                assert_eq!(ask(puzzle, 1_000_000, branches), complete, "{choice} {size}");
                if branches > 0 {
                    let gave_up = ask(puzzle, 1_000_000, branches - 1);
                    assert_eq!((gave_up.end, gave_up.branches), (SearchEnd::GaveUp, None), "{choice} {size}");
                    assert!(gave_up.solutions <= complete.solutions);
                }
            }
            // In an empty grid the second solution is found at once, whatever it takes to find all.
            let blank = ask(&vec![0; size.cells()], 2, 1000);
            assert_eq!((blank.solutions, blank.end), (2, SearchEnd::AtLimit), "{choice} {size}");
            let none = ask(&vec![1; size.cells()], 2, 0);
            assert_eq!((none.solutions, none.end, none.branches), (0, SearchEnd::Complete, Some(0)), "{choice} {size}");
        }
    }
}

#[test]
fn an_engine_takes_sizes_in_turn_and_an_empty_batch() {
    let puzzles: Vec<_> = known::puzzles().filter(|known| known.solution.is_some()).collect();
    for choice in engines() {
        let mut engine = build(choice);
        for known in puzzles.iter().chain(puzzles.iter().rev()) {
            assert_eq!(solve(&mut *engine, known.size, &known.puzzle, 2).solutions, 1, "{choice}");
            assert_eq!(solve_all(&mut *engine, known.size, &[], 2), [], "{choice}");
        }
    }
}

#[test]
fn kinds_have_names() {
    for kind in EngineKind::ALL {
        assert_eq!(<&str>::from(kind).parse(), Ok(kind));
    }
    let message = "abacus".parse::<EngineKind>().unwrap_err().to_string();
    assert!(message.starts_with("no engine is called 'abacus'; there are auto, lanes, bitmask, dlx"), "{message}");
}

/// Some cells of a full 9x9 grid, from none to all, of which a few are then overwritten with anything.
fn partial_grid() -> impl Strategy<Value = Vec<u8>> {
    let kept = subsequence((0..81).collect::<Vec<usize>>(), 0..=81);
    let overwritten = prop::collection::vec((0..81usize, 0..=9u8), 0..3);
    (any::<u64>(), kept, overwritten).prop_map(|(seed, kept, overwritten)| {
        let grid = isomorph(Size::Nine, &shifted_grid(Size::Nine), seed);
        let mut cells = vec![0; 81];
        for cell in kept {
            cells[cell] = grid[cell];
        }
        for (cell, value) in overwritten {
            cells[cell] = value;
        }
        cells
    })
}

/// Any few clues in any place: mostly no solution, or very many.
fn random_clues() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec((0..81usize, 1..=9u8), 0..30).prop_map(|clues| {
        let mut cells = vec![0; 81];
        for (cell, value) in clues {
            cells[cell] = value;
        }
        cells
    })
}

/// A puzzle with one solution, or one that lacks a few of its clues and has a small number of solutions.
fn unique_or_relaxed() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<Vec<u8>> = known::unique(Size::Nine).map(|(puzzle, _)| puzzle).collect();
    let blanked = prop_oneof![Just(vec![]), prop::collection::vec(0..81usize, 1..12)];
    (select(known), any::<u64>(), blanked).prop_map(|(puzzle, seed, blanked)| {
        let mut cells = isomorph(Size::Nine, &puzzle, seed);
        for cell in blanked {
            cells[cell] = 0;
        }
        cells
    })
}

/// 9x9 puzzles of all kinds.
pub(super) fn any_9x9() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![partial_grid(), random_clues(), unique_or_relaxed(), unique_or_relaxed()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_4x4_is_as_the_naive_solver_says(
        puzzle in prop::collection::vec(prop_oneof![2 => Just(0), 1 => 1..=4u8], 16),
    ) {
        check("4x4", Size::Four, &puzzle, naive::count(Size::Four, &puzzle, 1000), &[1, 2, 1000]);
    }

    #[test]
    fn a_grid_with_some_blanks_is_as_the_naive_solver_says(
        seed in any::<u64>(),
        size in select(&Size::ALL[..]),
        blanks in 0..16usize,
        overwritten in prop_oneof![3 => Just(None), 1 => (0..10_000usize, 1..=25usize).prop_map(Some)],
    ) {
        let mut puzzle = with_blanks(size, blanks, seed);
        if let Some((cell, value)) = overwritten {
            puzzle[cell % size.cells()] = (value % size.side() + 1) as u8;
        }
        check("some blanks", size, &puzzle, naive::count(size, &puzzle, 20), &[1, 2, 20]);
    }

    #[test]
    fn isomorphs_have_as_many_solutions(
        seeds in any::<[u64; 2]>(),
        size in select(&Size::ALL[..]),
        blanks in 0..45usize,
    ) {
        let puzzle = with_blanks(size, size.cells() * blanks / 100, seeds[0]);
        let other = isomorph(size, &puzzle, seeds[1]);
        let count = solve(&mut Lanes::widest(), size, &puzzle, 30).solutions;
        for puzzle in [&puzzle, &other] {
            check("isomorphs", size, puzzle, count, &[30]);
        }
    }

    #[test]
    fn engines_agree_on_random_clues(seed in any::<u64>(), size in select(&Size::ALL[..]), clues in 0..22usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut puzzle = vec![0; size.cells()];
        for _ in 0..clues {
            puzzle[rng.random_range(0..size.cells())] = rng.random_range(1..=size.side() as u8);
        }
        let count = solve(&mut Lanes::widest(), size, &puzzle, 20).solutions;
        check("random clues", size, &puzzle, count, &[20]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_9x9_is_as_the_naive_solver_says(
        puzzle in any_9x9(),
        limit in prop_oneof![3 => Just(2), 1 => Just(1), 1 => Just(5), 1 => Just(1000)],
    ) {
        check("9x9", Size::Nine, &puzzle, naive::count(Size::Nine, &puzzle, limit), &[limit]);
    }
}

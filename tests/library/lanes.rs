//! The lanes engine where it differs from the others: batches, widths of vectors, and long searches.

use gridmill::engine::lanes::{Lanes, Simd};
use gridmill::engine::{Bounds, EngineKind, Limit, SearchEnd, Verdicts};
use gridmill::puzzle::{Batch, Size};
use proptest::prelude::*;
use strum::VariantArray;

use super::engines::any_9x9;
use super::support::{self, EngineResult, build, known, lanes, shifted_grid, solve, solve_all, solve_within};

const ORDER: Size = Size::Nine;

fn unique() -> Vec<Vec<u8>> {
    known::unique(ORDER).map(|(puzzle, _)| puzzle).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn neighbours_in_other_lanes_do_not_matter(
        puzzles in prop::collection::vec(any_9x9(), 1..=100),
        limit in prop_oneof![Just(1u64), Just(2), Just(5), Just(30)],
    ) {
        let mut alone: Option<Vec<EngineResult>> = None;
        for choice in lanes() {
            let mut engine = build(choice);
            let together = solve_all(&mut *engine, ORDER, &puzzles, limit);
            let alone = alone.get_or_insert_with(|| {
                puzzles.iter().map(|puzzle| solve(&mut *engine, ORDER, puzzle, limit)).collect()
            });
            for ((puzzle, together), alone) in puzzles.iter().zip(&together).zip(&*alone) {
                prop_assert_eq!(together, alone, "{:?} with {}", puzzle, choice);
            }
        }
    }
}

/// After a batch of such puzzles, other roots take the lanes of contradictory ones early.
#[test]
fn puzzles_among_many_contradictory_ones_have_the_same_verdicts() {
    let contradictory = unique().into_iter().map(|mut puzzle| {
        let [first, second] = puzzle.get_disjoint_mut([0, 8]).expect("a row has nine cells");
        (*first, *second) = (1, 1);
        puzzle
    });
    let others = known::puzzles().filter(|known| known.size == ORDER).map(|known| known.puzzle);
    let mut puzzles: Vec<Vec<u8>> = others.flat_map(|other| contradictory.clone().take(2).chain([other])).collect();
    puzzles.extend(contradictory);
    let alone = |limit| {
        let puzzles = puzzles.iter();
        puzzles.map(|puzzle| solve(&mut Lanes::widest(), ORDER, puzzle, limit)).collect::<Vec<_>>()
    };

    for limit in [1, 2, 30] {
        let alone = alone(limit);
        for choice in lanes() {
            let mut engine = build(choice);
            for len in [puzzles.len(), puzzles.len(), 70, 32, 5] {
                assert_eq!(solve_all(&mut *engine, ORDER, &puzzles[..len], limit), alone[..len], "{choice} {limit}");
            }
        }
    }
}

/// Depth first, one node at a time, the grids with very many solutions once took up to a million branches.
#[test]
fn no_known_puzzle_takes_long() {
    for known in known::puzzles().filter(|known| known.size == ORDER) {
        for limit in [1, 2, 30] {
            let bounds = Bounds::new(support::limit(limit)).max_branches(1000);
            let answer = &solve_within(&mut Lanes::widest(), ORDER, std::slice::from_ref(&known.puzzle), bounds)[0];
            assert_ne!(answer.end, SearchEnd::GaveUp, "line {} up to {limit}", known.line);
        }
    }
}

/// From easy to hard, with one solution, several or none; compared with an engine that has another search for them.
#[test]
fn large_grids_have_the_same_tree_in_all_vectors() {
    for (size, percentages) in [(Size::Sixteen, 38..70), (Size::TwentyFive, 48..70)] {
        let mut puzzles = vec![];
        for (seed, percentage) in (0..).zip(percentages) {
            let mut puzzle = support::isomorph(size, &shifted_grid(size), seed);
            // Cells that a generator of pseudorandom numbers picks.
            let mut state = seed;
            for value in &mut puzzle {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if state >> 33 & 127 >= percentage * 128 / 100 {
                    *value = 0;
                }
            }
            let mut wrong = puzzle.clone();
            let clue = wrong.iter().position(|&value| value != 0).expect("there are clues");
            wrong[clue] = wrong[clue] % size.side() as u8 + 1;
            puzzles.extend([puzzle, wrong]);
        }
        let bounds = Bounds::new(support::limit(5)).max_branches(1000);
        let expected = solve_within(&mut *build(EngineKind::Bitmask), size, &puzzles, bounds);
        let mut first: Option<Vec<EngineResult>> = None;
        for choice in lanes() {
            let answers = solve_within(&mut *build(choice), size, &puzzles, bounds);
            for (answer, expected) in answers.iter().zip(&expected) {
                let is_decided = answer.end != SearchEnd::GaveUp && expected.end != SearchEnd::GaveUp;
                assert!(!is_decided || answer.solutions == expected.solutions, "{choice}: {answer:?} {expected:?}");
            }
            let first = first.get_or_insert_with(|| answers.clone());
            for (answer, first) in answers.iter().zip(&*first) {
                let tree = |result: &EngineResult| (result.solutions, result.end, result.branches);
                assert_eq!((tree(answer), &answer.solution), (tree(first), &first.solution), "{choice}");
            }
        }
    }
}

#[test]
fn the_stack_grows_and_shrinks() {
    for choice in lanes() {
        // Each empty grid keeps all lanes and a few hundred waiting nodes busy, before and after a puzzle with one.
        let (empty, unique) = (vec![0; 81], unique());
        let puzzles = [empty.clone(), unique[5].clone(), empty.clone(), empty, unique[7].clone()];
        let answers = solve_all(&mut *build(choice), ORDER, &puzzles, 5000);
        let counts: Vec<u64> = answers.iter().map(|answer| answer.solutions).collect();
        assert_eq!(counts, [5000, 1, 5000, 5000, 1], "{choice}");
    }
}

#[test]
fn full_grids_and_equal_clues_need_no_branch() {
    let full = shifted_grid(ORDER);
    let none = EngineResult { solutions: 0, solution: None, end: SearchEnd::Complete, branches: Some(0) };
    for choice in lanes() {
        let mut engine = build(choice);
        let answer =
            EngineResult { solutions: 1, solution: Some(full.clone()), end: SearchEnd::Complete, branches: Some(0) };
        assert_eq!(solve(&mut *engine, ORDER, &full, 2), answer, "{choice}");
        for (first, second) in [(0, 8), (0, 72), (0, 10), (40, 41), (40, 31), (80, 60)] {
            let mut puzzle = vec![0; 81];
            (puzzle[first], puzzle[second]) = (5, 5);
            assert_eq!(solve(&mut *engine, ORDER, &puzzle, 2), none, "{choice}, cells {first} and {second}");
        }
        for digit in 1..=9 {
            assert_eq!(solve(&mut *engine, ORDER, &[digit; 81], 2), none, "{choice}, {digit}");
        }
    }
}

#[test]
fn every_puzzle_has_its_share_of_the_time() {
    for choice in lanes() {
        let mut batch = Batch::new(ORDER);
        for puzzle in &unique() {
            batch.push(puzzle);
        }
        let mut verdicts = Verdicts::new();
        build(choice).solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
        assert!(verdicts.iter().all(|verdict| verdict.cost.nanos > 0), "{choice}");
    }
}

#[test]
fn vectors_have_names() {
    for &simd in Simd::VARIANTS {
        assert_eq!(simd.to_string().parse(), Ok(simd));
    }
    assert_ne!(Simd::detect(), Simd::Auto);
    assert_eq!(Lanes::new(Simd::Auto).unwrap().simd(), Simd::detect());
    assert_eq!(
        "sse".parse::<Simd>().unwrap_err().to_string(),
        "no kind of vectors is called 'sse'; there are auto, avx512, avx512bw, avx2, portable"
    );
}

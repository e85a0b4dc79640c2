//! Generated puzzles have one solution and the requested number of clues, and depend on seed and index only.

use std::num::{NonZeroU32, NonZeroU64};

use gridmill::engine::lanes::Simd;
use gridmill::engine::{Bounds, EngineKind, Limit, Verdicts};
use gridmill::jobs::generate::{GenerateError, Generator, PuzzleSpec, Shape, Target};
use gridmill::puzzle::Batch;
use gridmill::puzzle::rules;
use gridmill::puzzle::{Size, Symmetry};

fn generate(generator: &mut Generator, size: Size, index: u64) -> (Vec<u8>, Vec<u8>) {
    let (mut puzzle, mut solution) = (vec![0; size.cells()], vec![0; size.cells()]);
    generator.puzzle(index, &mut puzzle, &mut solution).unwrap();
    (puzzle, solution)
}

/// The number of solutions of each puzzle, up to two, by another engine than the generator's.
fn counts(size: Size, puzzles: &[Vec<u8>]) -> Vec<u64> {
    let (mut batch, mut verdicts) = (Batch::new(size), Verdicts::new());
    for puzzle in puzzles {
        batch.push(puzzle);
    }
    EngineKind::Dlx.build().unwrap().solve(&batch, Bounds::new(Limit::new(NonZeroU64::new(2).unwrap())), &mut verdicts);
    verdicts.iter().map(|verdict| verdict.solutions).collect()
}

fn clues(puzzle: &[u8]) -> usize {
    puzzle.iter().filter(|&&value| value != 0).count()
}

/// The puzzles with one clue less.
fn without_each_clue(puzzle: &[u8]) -> Vec<Vec<u8>> {
    let without = |cell: usize| {
        let mut puzzle = puzzle.to_vec();
        puzzle[cell] = 0;
        puzzle
    };
    (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0).map(without).collect()
}

#[test]
fn puzzles_are_unique_and_have_the_clues_asked_for() {
    let cases = [
        (Size::Four, Target::Minimal, 50),
        (Size::Four, Target::Clues(4), 20),
        (Size::Four, Target::Clues(16), 5),
        (Size::Nine, Target::Minimal, 50),
        (Size::Nine, Target::Clues(23), 20),
        (Size::Nine, Target::Clues(40), 20),
        (Size::Nine, Target::Clues(81), 5),
        (Size::Sixteen, Target::Minimal, 1),
        (Size::Sixteen, Target::Clues(120), 5),
        (Size::TwentyFive, Target::Clues(360), 3),
    ];
    for (size, target, count) in cases {
        let mut generator = Generator::new(size, 42, target).unwrap();
        for (puzzle, solution) in (0..count).map(|index| generate(&mut generator, size, index)) {
            assert!(rules::is_solution(size, &puzzle, &solution), "{size} {target:?}");
            assert_eq!(counts(size, std::slice::from_ref(&puzzle)), [1], "{size} {target:?}");
            match target {
                Target::Clues(asked) => assert_eq!(clues(&puzzle), asked, "{size}"),
                Target::Minimal => {
                    assert!(
                        counts(size, &without_each_clue(&puzzle)).iter().all(|&count| count == 2),
                        "{size}: not minimal"
                    );
                }
                other => unreachable!("{other:?} is no case"),
            }
        }
    }
}

#[test]
fn the_order_of_the_calls_makes_no_difference() {
    for (size, target) in [(Size::Four, Target::Clues(5)), (Size::Nine, Target::Minimal)] {
        let mut generator = Generator::new(size, 7, target).unwrap();
        let forwards: Vec<_> = (0..20).map(|index| generate(&mut generator, size, index)).collect();
        let mut backwards: Vec<_> = (0..20).rev().map(|index| generate(&mut generator, size, index)).collect();
        backwards.reverse();
        assert_eq!(forwards, backwards);
        let fresh = |index| generate(&mut Generator::new(size, 7, target).unwrap(), size, index);
        assert_eq!(forwards, (0..20).map(fresh).collect::<Vec<_>>());
    }
}

/// Many at once or one by one, from any engine: also where most grids give no puzzle with so few clues.
#[test]
fn puzzles_do_not_depend_on_the_engine_or_on_the_others() {
    let cases = [
        (Size::Four, Target::Clues(4), 300),
        (Size::Nine, Target::Minimal, 300),
        (Size::Nine, Target::Clues(23), 40),
        (Size::Sixteen, Target::Clues(110), 2),
    ];
    for (size, target, count) in cases {
        let cells = size.cells();
        let make = |kind: EngineKind| {
            let mut generator = Generator::with_engine(size, 5, target, kind.build().unwrap()).unwrap();
            let (mut puzzles, mut solutions) = (vec![0; count * cells], vec![0; count * cells]);
            generator.puzzles(3, &mut puzzles, &mut solutions).unwrap();
            (puzzles, solutions)
        };
        let (puzzles, solutions) = make(EngineKind::Auto);
        for kind in [EngineKind::Lanes(Simd::Portable), EngineKind::Bitmask] {
            assert!((&puzzles, &solutions) == (&make(kind).0, &make(kind).1), "{size} {target:?} {kind}");
        }
        let mut generator = Generator::new(size, 5, target).unwrap();
        for number in [0, count - 1] {
            let (puzzle, solution) = generate(&mut generator, size, 3 + number as u64);
            assert_eq!(puzzle, puzzles[number * cells..][..cells], "{size} {target:?}");
            assert_eq!(solution, solutions[number * cells..][..cells]);
        }
    }
}

/// The same for symmetries and patterns.
#[test]
fn shaped_puzzles_do_not_depend_on_the_engine_or_on_the_others() {
    let size = Size::Nine;
    let pattern = "x.....x.x..x.x.....x..x..x....x...x.x...x...x.x...x....x..x..x.....x.x..x.x.....x".parse().unwrap();
    for (shape, target) in [
        (Shape::Symmetric(Symmetry::Rot90), Target::Minimal),
        (Shape::Symmetric(Symmetry::AntiDiagonal), Target::Clues(24)),
        (Shape::Pattern(pattern), Target::Fewest),
    ] {
        let spec = PuzzleSpec { shape, ..PuzzleSpec::new(size, target) };
        let make = |kind: EngineKind, first: u64, count: usize| {
            let mut generator = Generator::for_spec(spec.clone(), 5, kind.build().unwrap()).unwrap();
            let (mut puzzles, mut solutions) = (vec![0; count * 81], vec![0; count * 81]);
            generator.puzzles(first, &mut puzzles, &mut solutions).unwrap();
            (puzzles, solutions)
        };
        let (puzzles, solutions) = make(EngineKind::Auto, 0, 12);
        assert!((&puzzles, &solutions) == (&make(EngineKind::Bitmask, 0, 12).0, &make(EngineKind::Dlx, 0, 12).1));
        assert_eq!(puzzles[5 * 81..8 * 81], make(EngineKind::Auto, 5, 3).0);
        for (puzzle, solution) in puzzles.chunks(81).zip(solutions.chunks(81)) {
            assert!(rules::is_solution(size, puzzle, solution), "{spec}");
            assert_eq!(counts(size, &[puzzle.to_vec()]), [1], "{spec}");
        }
    }
}

#[test]
fn seeds_and_indices_give_different_puzzles() {
    let size = Size::Nine;
    let mut puzzles = Vec::new();
    for seed in [0, 1, 2, u64::MAX] {
        let mut generator = Generator::new(size, seed, Target::Minimal).unwrap();
        puzzles.extend([0, 1, 2, 3, u64::MAX].map(|index| generate(&mut generator, size, index)));
    }
    puzzles.sort();
    puzzles.dedup();
    assert_eq!(puzzles.len(), 20);
}

/// The puzzles of a seed must never change, because people publish puzzles by seed and number.
#[test]
fn the_puzzles_of_a_seed_never_change() {
    let text = |cells: &[u8]| -> String { cells.iter().map(|&value| char::from(b'0' + value)).collect() };
    let mut generator = Generator::new(Size::Nine, 1, Target::Minimal).unwrap();
    let (puzzle, solution) = generate(&mut generator, Size::Nine, 0);
    assert_eq!(text(&puzzle), "000000000002006003600541900004030000260000000000058609700400201018000000009080007");
    assert_eq!(text(&solution), "147329856952876413683541972894637125265914738371258649736495281518762394429183567");

    let hash = |(size, target)| {
        let (puzzle, solution) = generate(&mut Generator::new(size, 1, target).unwrap(), size, 1_000_000);
        // FNV-1a, 64 bits.
        let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        puzzle.iter().chain(&solution).fold(0xcbf2_9ce4_8422_2325, mix)
    };
    let cases = [
        (Size::Four, Target::Minimal),
        (Size::Nine, Target::Clues(30)),
        (Size::Sixteen, Target::Clues(120)),
        (Size::TwentyFive, Target::Clues(375)),
    ];
    assert_eq!(
        cases.map(hash),
        [0xa19c_88bd_a713_6185, 0x9de7_109d_740a_5aa0, 0xe7ac_bc54_9ab3_3672, 0xd9b3_26ee_43a2_d5b4]
    );
}

/// The probability is known of 9x9 puzzles with clues anywhere. Most grids give none.
#[test]
fn puzzles_with_a_known_probability_are_rare() {
    let size = Size::Nine;
    let (puzzle, solution) = generate(&mut Generator::new(size, 1, Target::Weighted).unwrap(), size, 0);
    let text: String = puzzle.iter().map(u8::to_string).collect();
    assert_eq!(text, "000708000005000476030000900300000298098460000000000000000900800070500031061300000");
    assert!(rules::is_solution(size, &puzzle, &solution));
    assert_eq!(counts(size, std::slice::from_ref(&puzzle)), [1]);
    assert!(counts(size, &without_each_clue(&puzzle)).iter().all(|&solutions| solutions == 2));

    for target in [Target::Weighted, Target::Unbiased] {
        assert!(matches!(Generator::new(Size::Six, 1, target), Err(GenerateError::NoProbability)));
        let mut generator = Generator::new(Size::Nine, 1, target).unwrap().max_tries(NonZeroU32::new(3).unwrap());
        let error = generator.puzzle(0, &mut [0; 81], &mut [0; 81]).unwrap_err();
        assert!(matches!(error, GenerateError::OutOfReach { tries: 3, .. }), "{error}");
    }
}

#[test]
fn impossible_numbers_of_clues_are_an_error() {
    let error = |size, clues| Generator::new(size, 1, Target::Clues(clues)).unwrap_err();
    assert_eq!(error(Size::Four, 3), GenerateError::TooFewClues { size: Size::Four, clues: 3, fewest: 4 });
    assert_eq!(error(Size::Nine, 82), GenerateError::TooManyClues { size: Size::Nine, clues: 82 });
    assert_eq!(
        error(Size::Nine, 16).to_string(),
        "no 9x9 puzzle with a single solution has 16 clues; the fewest known are 17"
    );
    assert_eq!(error(Size::Sixteen, 300).to_string(), "a 16x16 puzzle has no room for 300 clues, only for 256");
}

#[test]
fn too_few_clues_for_random_grids_are_an_error() {
    let size = Size::Sixteen;
    let tries = NonZeroU32::new(2).unwrap();
    let mut generator = Generator::new(size, 1, Target::Clues(55)).unwrap().max_tries(tries);
    let outcome = generator.puzzle(0, &mut [0; 256], &mut [0; 256]);
    let spec = Box::new(PuzzleSpec::new(size, Target::Clues(55)));
    assert_eq!(outcome, Err(GenerateError::OutOfReach { spec, tries: 2 }));
    let mut generator = Generator::new(Size::Nine, 1, Target::Clues(18)).unwrap().max_tries(tries);
    let outcome = generator.puzzles(0, &mut [0; 810], &mut [0; 810]);
    assert_eq!(outcome.unwrap_err().to_string(), "2 random grids gave no 9x9 puzzle with 18 clues");
}

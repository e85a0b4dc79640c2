//! Lists of solutions in lexicographic order, with every engine.

use gridmill::engine::bitmask::Bitmask;
use gridmill::engine::dlx::Dlx;
use gridmill::engine::lanes::Lanes;
use gridmill::engine::{Bounds, Engine, FirstSolutions, Limit, Lister, SearchEnd, Verdicts};
use gridmill::puzzle::{Batch, Size, rules};
use proptest::prelude::*;

use super::engines::any_9x9;
use super::support::{build, engines, known, lanes, limit, naive, parse, solve};

const BOUNDS: Bounds<'_> = Bounds::new(Limit::UNIQUE);

fn smallest(engine: &mut dyn Engine, size: Size, puzzle: &[u8]) -> Option<Vec<u8>> {
    let mut grid = solve(engine, size, puzzle, 1).solution?;
    let ends = FirstSolutions::new().find(engine, size, BOUNDS, puzzle, &mut grid);
    assert_eq!((ends.len(), ends[0].0), (1, SearchEnd::Complete));
    Some(grid)
}

/// The solutions up to a cap, and whether there are more.
fn list(engine: &mut dyn Engine, size: Size, puzzle: &[u8], cap: u64) -> (Vec<Vec<u8>>, bool) {
    let mut listed = Vec::new();
    let listing = Lister::new().list(engine, size, BOUNDS, puzzle, limit(cap), &mut listed);
    (listed.chunks_exact(size.cells()).map(<[u8]>::to_vec).collect(), listing.more)
}

/// The smallest grids of 4x4, 6x6 and 9x9 are known; of other sizes, all engines must find the same.
#[test]
fn the_smallest_grid_of_each_size() {
    for size in Size::ALL {
        let blank = vec![0; size.cells()];
        let mut expected = match size {
            Size::Four => Some(parse("1234341221434321").1),
            Size::Nine => {
                Some(parse("123456789456789123789123456214365897365897214897214365531642978642978531978531642").1)
            }
            Size::Six => Some(parse("123456456123214365365214531642642531").1),
            _ => None,
        };
        for choice in engines() {
            let grid = smallest(&mut *build(choice), size, &blank).unwrap();
            assert!(rules::is_solution(size, &blank, &grid), "{choice} {size}");
            assert_eq!(*expected.get_or_insert_with(|| grid.clone()), grid, "{choice} {size}");
        }
    }
}

#[test]
fn a_listing_is_ascending_and_starts_with_the_smallest() {
    for size in Size::ALL {
        let mut puzzle = vec![0; size.cells()];
        let first = smallest(&mut Lanes::widest(), size, &puzzle).unwrap();
        // Half of the solution is given: an empty 25x25 grid takes the slowest engines long.
        if size == Size::TwentyFive {
            let half = size.cells() / 2;
            puzzle[..half].copy_from_slice(&first[..half]);
        }
        let mut agreed = None;
        for choice in engines() {
            let (solutions, more) = list(&mut *build(choice), size, &puzzle, 12);
            assert_eq!((solutions.len(), &solutions[0], more), (12, &first, true), "{choice} {size}");
            assert!(solutions.is_sorted_by(|a, b| a < b), "{choice} {size}");
            assert_eq!(*agreed.get_or_insert_with(|| solutions.clone()), solutions, "{choice} {size}");
        }
    }
}

#[test]
fn a_list_says_whether_there_are_more() {
    let size = Size::Four;
    let blank = [0; 16];
    for choice in engines() {
        let mut engine = build(choice);
        let mut listing = |puzzle: &[u8], cap| {
            let (solutions, more) = list(&mut *engine, size, puzzle, cap);
            (solutions.len(), more)
        };
        assert_eq!(listing(&blank, 1), (1, true), "{choice}");
        assert_eq!(listing(&blank, 287), (287, true), "{choice}");
        assert_eq!(listing(&blank, 288), (288, false), "{choice}");
        assert_eq!(listing(&blank, u64::MAX), (288, false), "{choice}");
        assert_eq!(listing(&[1; 16], 1), (0, false), "{choice}");
    }
}

#[test]
fn grids_do_not_depend_on_earlier_puzzles() {
    let size = Size::Nine;
    let mut hard = vec![0; 81];
    hard[40] = 9;
    let mut engine = Dlx::new();
    let (mut lister, mut first) = (Lister::new(), FirstSolutions::new());
    let mut grids = Vec::new();
    for puzzle in [&hard, &vec![0; 81], &hard] {
        let mut grid = solve(&mut engine, size, puzzle, 1).solution.unwrap();
        first.find(&mut engine, size, BOUNDS, puzzle, &mut grid);
        let mut three = vec![];
        lister.list(&mut engine, size, BOUNDS, puzzle, limit(3), &mut three);
        assert!(three.starts_with(&grid) && three.len() == 3 * 81);
        grids.push(three);
    }
    assert_eq!(grids[0], grids[2]);
}

/// More solutions than are found in one search, listed with caps below, at and above their number.
#[test]
fn a_long_list_is_the_same_with_every_engine_and_cap() {
    let size = Size::Nine;
    let (_, mut puzzle) = known::unique(size).next().expect("a puzzle");
    puzzle[..27].fill(0);
    puzzle[66..].fill(0);
    let mut agreed = None;
    for choice in engines() {
        let mut engine = build(choice);
        let count = solve(&mut *engine, size, &puzzle, 1_000_000).solutions;
        assert!((5000..200_000).contains(&count), "{count}");
        let (solutions, more) = list(&mut *engine, size, &puzzle, count);
        assert_eq!((solutions.len() as u64, more), (count, false), "{choice}");
        assert!(solutions.is_sorted_by(|a, b| a < b), "{choice}");
        for cap in [1, 7, count - 1] {
            let (first, more) = list(&mut *engine, size, &puzzle, cap);
            assert!(more && first == solutions[..cap as usize], "{choice}, {cap}");
        }
        let mut lister = Lister::new();
        lister.start(&puzzle);
        for (n, solution) in solutions.iter().take(500).enumerate() {
            assert!(lister.next(&mut *engine, size) == Some(&**solution), "{choice}, {n}");
        }
        assert!(*agreed.get_or_insert_with(|| solutions.clone()) == solutions, "{choice}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_4x4_is_listed_as_the_naive_solver_lists_it(
        puzzle in prop::collection::vec(prop_oneof![3 => Just(0), 1 => 1..=4u8], 16),
        cap in 1..40u64,
    ) {
        let expected = naive::solutions(Size::Four, &puzzle, 1000);
        for choice in engines() {
            let mut engine = build(choice);
            prop_assert_eq!(&smallest(&mut *engine, Size::Four, &puzzle), &expected.first().cloned());
            let (solutions, more) = list(&mut *engine, Size::Four, &puzzle, 1000);
            prop_assert_eq!((&solutions, more), (&expected, false));
            let (solutions, more) = list(&mut *engine, Size::Four, &puzzle, cap);
            let listed = expected.len().min(cap as usize);
            prop_assert_eq!((&*solutions, more), (&expected[..listed], listed < expected.len()));
        }
    }

    #[test]
    fn a_search_in_order_finds_the_first_solution_first(puzzles in prop::collection::vec(any_9x9(), 1..40)) {
        let size = Size::Nine;
        let mut batch = Batch::new(size);
        for puzzle in &puzzles {
            batch.push(puzzle);
        }
        let expected: Vec<_> = puzzles.iter().map(|puzzle| list(&mut Bitmask::new(), size, puzzle, 1).0).collect();
        for choice in lanes() {
            let mut engine = build(choice);
            let mut verdicts = Verdicts::new();
            prop_assert!(engine.solve_in_order(&batch, Bounds::new(Limit::FIRST).max_branches(1000), &mut verdicts));
            for (verdict, expected) in verdicts.iter().zip(&expected) {
                prop_assert!(verdict.end == SearchEnd::GaveUp || verdict.solution == expected.first().map(|cells| &**cells));
            }
            for (puzzle, expected) in puzzles.iter().zip(&expected) {
                prop_assert_eq!(&smallest(&mut *engine, size, puzzle), &expected.first().cloned());
            }
        }
    }
}

//! Solutions in lexicographic order are the same from every engine, and the true ones.

use std::num::NonZeroU64;

use gridmill::engine::{Engine, EngineKind, Limit, Lister, Verdicts};
use gridmill::puzzle::Batch;
use gridmill::puzzle::Order;
use gridmill::puzzle::rules;
use proptest::prelude::*;

/// All solutions, smallest first, by trying every digit in the first blank cell.
fn naive(order: Order, puzzle: &mut Vec<u8>, solutions: &mut Vec<Vec<u8>>) {
    if rules::conflict(order, puzzle).is_some() {
        return;
    }
    let Some(cell) = puzzle.iter().position(|&value| value == 0) else {
        return solutions.push(puzzle.clone());
    };
    for digit in 1..=order.side() as u8 {
        puzzle[cell] = digit;
        naive(order, puzzle, solutions);
    }
    puzzle[cell] = 0;
}

fn first(engine: &mut dyn Engine, order: Order, puzzle: &[u8]) -> Option<Vec<u8>> {
    let (mut batch, mut verdicts) = (Batch::new(order), Verdicts::new());
    batch.push(puzzle);
    engine.solve(&batch, Limit::FIRST, &mut verdicts);
    verdicts.get(0).solution.map(<[u8]>::to_vec)
}

fn smallest(engine: &mut dyn Engine, order: Order, puzzle: &[u8]) -> Option<Vec<u8>> {
    let mut grid = first(engine, order, puzzle)?;
    Lister::new().smallest(engine, order, puzzle, &mut grid);
    Some(grid)
}

/// The solutions up to a cap, and whether there are more.
fn list(engine: &mut dyn Engine, order: Order, puzzle: &[u8], cap: u64) -> (Vec<Vec<u8>>, bool) {
    let cap = Limit::new(NonZeroU64::new(cap).unwrap());
    let mut listed = Vec::new();
    let listing = Lister::new().list(engine, order, puzzle, cap, &mut listed);
    (listed.chunks_exact(order.cells()).map(<[u8]>::to_vec).collect(), listing.more)
}

/// The smallest grid of each size: by hand for 9x9 and below, and what independent engines agree on above.
#[test]
fn the_smallest_grid_of_each_size() {
    for order in Order::ALL {
        let blank = vec![0; order.cells()];
        let mut grids = EngineKind::ALL.map(|kind| smallest(&mut *kind.build(), order, &blank).unwrap());
        grids.sort();
        grids.windows(2).for_each(|pair| assert_eq!(pair[0], pair[1], "{order}"));
        assert!(rules::is_solution(order, &blank, &grids[0]));
        let expected = match order {
            Order::Two => "1234341221434321",
            Order::Three => "123456789456789123789123456214365897365897214897214365531642978642978531978531642",
            Order::Four | Order::Five => continue,
        };
        assert_eq!(grids[0], expected.bytes().map(|c| c - b'0').collect::<Vec<u8>>());
    }
}

#[test]
fn a_listing_is_ascending_and_starts_with_the_smallest() {
    for order in Order::ALL {
        let blank = vec![0; order.cells()];
        let mut listings = EngineKind::ALL.map(|kind| list(&mut *kind.build(), order, &blank, 40));
        let (solutions, more) = &listings[0];
        assert_eq!((solutions.len(), *more), (40, true));
        assert!(solutions.is_sorted_by(|a, b| a < b), "{order}");
        assert_eq!(smallest(&mut *EngineKind::Auto.build(), order, &blank).as_ref(), solutions.first());
        listings.sort_by_key(|(solutions, _)| solutions.clone());
        listings.windows(2).for_each(|pair| assert_eq!(pair[0], pair[1], "{order}"));
    }
}

#[test]
fn the_cap_is_told_from_the_end() {
    let order = Order::Two;
    let blank = [0; 16];
    for kind in EngineKind::ALL {
        let mut engine = kind.build();
        let mut listing = |puzzle: &[u8], cap| {
            let (solutions, more) = list(&mut *engine, order, puzzle, cap);
            (solutions.len(), more)
        };
        assert_eq!(listing(&blank, 1), (1, true), "{kind}");
        assert_eq!(listing(&blank, 287), (287, true), "{kind}");
        assert_eq!(listing(&blank, 288), (288, false), "{kind}");
        assert_eq!(listing(&blank, u64::MAX), (288, false), "{kind}");
        assert_eq!(listing(&[1; 16], 1), (0, false), "{kind}");
    }
}

#[test]
fn memory_and_costs_do_not_carry_over() {
    let order = Order::Three;
    let mut hard = vec![0; 81];
    hard[40] = 9;
    let mut engine = EngineKind::Dlx.build();
    let mut lister = Lister::new();
    let mut costs = Vec::new();
    for puzzle in [&hard, &vec![0; 81], &hard] {
        let mut grid = first(&mut *engine, order, puzzle).unwrap();
        let cost = lister.smallest(&mut *engine, order, puzzle, &mut grid);
        costs.push((grid, cost.branches));
    }
    assert_eq!(costs[0], costs[2]);
    assert_ne!(costs[0], costs[1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_4x4_is_listed_as_the_naive_solver_lists_it(
        puzzle in proptest::collection::vec(prop_oneof![3 => Just(0), 1 => 1..=4u8], 16),
    ) {
        let mut expected = Vec::new();
        naive(Order::Two, &mut puzzle.clone(), &mut expected);
        for kind in EngineKind::ALL {
            let mut engine = kind.build();
            prop_assert_eq!(&smallest(&mut *engine, Order::Two, &puzzle), &expected.first().cloned());
            let (solutions, more) = list(&mut *engine, Order::Two, &puzzle, 1000);
            prop_assert_eq!((&solutions, more), (&expected, false));
        }
    }
}

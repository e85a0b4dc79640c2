//! The lanes engine against a naive solver, in every width that this machine has.

use gridmill::engine::lanes::{Lanes, Simd};
use gridmill::engine::{Engine, Limit, Verdicts};
use gridmill::puzzle::Batch;
use gridmill::puzzle::{Geometry, Order};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

type Cells = [u8; 81];

const EMPTY: Cells = [0; 81];

/// What must be the same in any company: everything but the time.
type Judgement = (u64, Option<Vec<u8>>, u64);

fn engines() -> impl Iterator<Item = Lanes> {
    Simd::ALL.into_iter().filter(|&simd| simd != Simd::Auto).filter_map(|simd| Lanes::new(simd).ok())
}

fn limit(count: u64) -> Limit {
    Limit::new(count.try_into().unwrap())
}

fn solve(engine: &mut Lanes, puzzles: &[Cells], limit: Limit) -> Vec<Judgement> {
    let mut batch = Batch::new(Order::Three);
    for puzzle in puzzles {
        batch.push(puzzle);
    }
    let mut verdicts = Verdicts::new();
    engine.solve(&batch, limit, &mut verdicts);
    verdicts
        .iter()
        .map(|verdict| (verdict.solutions, verdict.solution.map(<[u8]>::to_vec), verdict.cost.branches))
        .collect()
}

/// Counts solutions by trying each digit in the cell with the fewest.
fn naive(cells: &mut Cells, limit: u64) -> u64 {
    let geometry = Geometry::of(Order::Three);
    let fits = |cells: &Cells, cell: usize, digit: u8| {
        geometry.peers(cell).iter().all(|&peer| cells[usize::from(peer)] != digit)
    };
    let digits = |cells: &Cells, cell: usize| (1..=9).filter(|&digit| fits(cells, cell, digit)).collect::<Vec<u8>>();
    if (0..81).any(|cell| cells[cell] != 0 && !fits(cells, cell, cells[cell])) {
        return 0;
    }
    let blanks = (0..81).filter(|&cell| cells[cell] == 0);
    let Some((cell, digits)) = blanks.map(|cell| (cell, digits(cells, cell))).min_by_key(|(_, digits)| digits.len())
    else {
        return 1;
    };
    let mut count = 0;
    for digit in digits {
        cells[cell] = digit;
        count += naive(cells, limit - count);
        if count == limit {
            break;
        }
    }
    cells[cell] = 0;
    count
}

fn is_solution(solution: &[u8], puzzle: &Cells) -> bool {
    let geometry = Geometry::of(Order::Three);
    let complete = geometry
        .houses()
        .all(|(_, house)| (1..=9).all(|digit| house.iter().any(|&cell| solution[usize::from(cell)] == digit)));
    complete && puzzle.iter().zip(solution).all(|(&clue, &digit)| clue == 0 || clue == digit)
}

/// Checks a puzzle alone against the naive solver, in all widths; gives the judgement that they agree on.
fn check(puzzle: &Cells, count: u64) -> Judgement {
    let judgement = check_widths(puzzle, count);
    assert_eq!(judgement.0, naive(&mut puzzle.clone(), count), "{puzzle:?} up to {count}");
    judgement
}

/// Checks that all widths agree on a puzzle alone, and that a solution is one; gives their judgement.
fn check_widths(puzzle: &Cells, count: u64) -> Judgement {
    let mut judgements: Vec<Judgement> =
        engines().map(|mut engine| solve(&mut engine, &[*puzzle], limit(count)).remove(0)).collect();
    for (solutions, solution, _) in &judgements {
        assert_eq!(solution.is_some(), *solutions > 0);
        assert!(solution.as_ref().is_none_or(|solution| is_solution(solution, puzzle)), "{puzzle:?}: {solution:?}");
    }
    assert!(judgements.windows(2).all(|pair| pair[0] == pair[1]), "{puzzle:?} up to {count}: {judgements:?}");
    judgements.remove(0)
}

fn parse(line: &str) -> Cells {
    let bytes: &[u8; 81] = line.as_bytes().try_into().expect("81 characters");
    bytes.map(|byte| if byte == b'.' { 0 } else { byte - b'0' })
}

/// Puzzles with one solution, from easy to one of the hardest known.
const UNIQUE: [&str; 6] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "...8.1..........435............7.8........1...2..3....6......75..34........2..6..",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
];

/// A full grid: row `r` is the digits from `3 * r + r / 3` on.
fn full_grid() -> Cells {
    std::array::from_fn(|cell| ((3 * (cell / 9) + cell / 27 + cell % 9) % 9 + 1) as u8)
}

prop_compose! {
    /// Another grid with as many solutions: other digits, other rows in a band, other bands, turned on its diagonal.
    fn isomorph(cells: Cells)(
        digits in Just((1..=9).collect::<Vec<u8>>()).prop_shuffle(),
        rows in Just((0..3).collect::<Vec<usize>>()).prop_shuffle(),
        bands in Just((0..3).collect::<Vec<usize>>()).prop_shuffle(),
        is_turned: bool,
    ) -> Cells {
        std::array::from_fn(|cell| {
            let (row, column) = if is_turned { (cell % 9, cell / 9) } else { (cell / 9, cell % 9) };
            match cells[9 * (3 * bands[row / 3] + rows[row % 3]) + column] {
                0 => 0,
                digit => digits[usize::from(digit) - 1],
            }
        })
    }
}

/// Some cells of a full grid, from none to all, of which a few are then overwritten with anything.
fn partial_grid() -> impl Strategy<Value = Cells> {
    let kept = subsequence((0..81).collect::<Vec<usize>>(), 0..=81);
    let overwritten = prop::collection::vec((0..81usize, 0..=9u8), 0..3);
    (isomorph(full_grid()), kept, overwritten).prop_map(|(grid, kept, overwritten)| {
        let mut cells = EMPTY;
        for cell in kept {
            cells[cell] = grid[cell];
        }
        for (cell, value) in overwritten {
            cells[cell] = value;
        }
        cells
    })
}

/// Any few clues, in any place: mostly no solution, or very many.
fn garbage() -> impl Strategy<Value = Cells> {
    prop::collection::vec((0..81usize, 1..=9u8), 0..30).prop_map(|clues| {
        let mut cells = EMPTY;
        for (cell, value) in clues {
            cells[cell] = value;
        }
        cells
    })
}

fn unique() -> impl Strategy<Value = Cells> {
    select(&UNIQUE[..]).prop_flat_map(|line| isomorph(parse(line)))
}

/// A puzzle of a small number of solutions: a unique one without some of its clues.
fn relaxed() -> impl Strategy<Value = Cells> {
    (unique(), prop::collection::vec(0..81usize, 1..12)).prop_map(|(mut cells, blanked)| {
        for cell in blanked {
            cells[cell] = 0;
        }
        cells
    })
}

fn any_puzzle() -> impl Strategy<Value = Cells> {
    prop_oneof![partial_grid(), garbage(), unique(), relaxed()]
}

fn any_limit() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(2), 1 => Just(1), 1 => Just(5), 1 => Just(1000)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn counts_are_those_of_the_naive_solver(puzzle in any_puzzle(), count in any_limit()) {
        check(&puzzle, count);
    }

    #[test]
    fn neighbours_do_not_matter(
        puzzles in prop::collection::vec(any_puzzle(), 1..=100),
        count in prop_oneof![Just(1u64), Just(2), Just(5), Just(30)],
    ) {
        let mut alone: Option<Vec<Judgement>> = None;
        for mut engine in engines() {
            let together = solve(&mut engine, &puzzles, limit(count));
            let alone = alone.get_or_insert_with(|| {
                puzzles.iter().flat_map(|puzzle| solve(&mut engine, &[*puzzle], limit(count))).collect()
            });
            for ((puzzle, together), alone) in puzzles.iter().zip(&together).zip(&*alone) {
                prop_assert_eq!(together, alone, "{:?} with {}", puzzle, engine.simd());
            }
        }
    }
}

#[test]
fn known_puzzles_are_unique() {
    for line in UNIQUE {
        assert_eq!(check(&parse(line), 2).0, 1, "{line}");
    }
}

/// Grids with very many solutions in which one node at a time, depth first, got lost for seconds.
const LABYRINTHS: [&str; 5] = [
    "3...........6...........8....................1..............2..713.........73....",
    ".964.....4.........7...5............9........7.....8.........8...8..6......5.....",
    "...17.3...9..............17....6........................5..........3.............",
    "...........9...............58..7.....4....................3.846...7.9..........5.",
    ".624......4..6..........5...........................7.....3.......7..............",
];

/// Grids without a solution, or with few, that took the longest of a million mixed ones.
const LONGEST: [&str; 4] = [
    "73..15.......................95.8..2...1.....3..........8.....................8..",
    "..24...6....6.7.25....5.48......9.4.......8.................5..5.6...1..1.....6..",
    "..................8.........6....2....5...9.3987.5....6...........7..8...7.......",
    "..4.....33.......71.8..72..5..9.....6........93..41...8..4..........9........2...",
];

#[test]
fn no_grid_takes_long() {
    for line in LABYRINTHS.iter().chain(&LONGEST) {
        for count in [1, 2, 30] {
            let branches = check_widths(&parse(line), count).2;
            assert!(branches < 1000, "{line} up to {count}: {branches} branches");
        }
    }
}

#[test]
fn an_empty_grid_stops_at_any_limit() {
    for count in [1, 2, 5, 3000] {
        assert_eq!(check(&EMPTY, count).0, count);
    }
}

#[test]
fn the_stack_grows_and_shrinks() {
    for mut engine in engines() {
        // Each of these grids keeps all lanes and a few hundred waiting nodes busy, before and after a puzzle with one.
        let puzzles = [EMPTY, parse(UNIQUE[0]), EMPTY, EMPTY, parse(UNIQUE[2])];
        let verdicts = solve(&mut engine, &puzzles, limit(5000));
        let counts: Vec<u64> = verdicts.iter().map(|verdict| verdict.0).collect();
        assert_eq!(counts, [5000, 1, 5000, 5000, 1]);
    }
}

#[test]
fn full_grids_need_no_branch() {
    let full = full_grid();
    assert_eq!(check(&full, 2), (1, Some(full.to_vec()), 0));
    for (cell, value) in [(0, 2), (40, 1), (80, 3)] {
        let mut broken = full;
        broken[cell] = if full[cell] == value { 9 } else { value };
        assert_eq!(check(&broken, 2).0, 0);
    }
}

#[test]
fn clues_that_contradict_each_other_have_no_solution() {
    for (first, second) in [(0, 8), (0, 72), (0, 10), (40, 41), (40, 31), (80, 60)] {
        let mut puzzle = EMPTY;
        (puzzle[first], puzzle[second]) = (5, 5);
        assert_eq!(check(&puzzle, 2), (0, None, 0), "cells {first} and {second}");
    }
    for digit in 1..=9 {
        assert_eq!(check(&[digit; 81], 2), (0, None, 0));
    }
}

#[test]
fn the_solution_of_several_that_are_all_found_is_the_smallest() {
    // The two cells with 5 and 6 in a full grid's rows 1 and 2 could be swapped: two solutions.
    let puzzle = check(&parse(UNIQUE[0]), 2).1.expect("a solution");
    let mut cells: Cells = puzzle.try_into().expect("81 cells");
    let corners = (0..81)
        .flat_map(|a| (0..81).map(move |b| (a, b)))
        .filter(|&(a, b)| a % 9 / 3 == b % 9 / 3 && a / 27 != b / 27 && a < b && a % 9 != b % 9)
        .map(|(a, b)| [a, a / 9 * 9 + b % 9, b / 9 * 9 + a % 9, b])
        .find(|&[a, b, c, d]| cells[a] == cells[d] && cells[b] == cells[c]);
    let corners = corners.expect("a rectangle of two digits");
    for &cell in &corners {
        cells[cell] = 0;
    }
    let (solutions, solution, _) = check(&cells, 3);
    assert_eq!(solutions, 2);
    let solution = solution.expect("a solution");
    assert!(solution[corners[0]] < solution[corners[1]]);
}

#[test]
fn an_empty_batch_has_no_verdict() {
    for mut engine in engines() {
        assert!(solve(&mut engine, &[], Limit::UNIQUE).is_empty());
    }
}

#[test]
fn time_is_shared_out() {
    for mut engine in engines() {
        let mut batch = Batch::new(Order::Three);
        for line in UNIQUE {
            batch.push(&parse(line));
        }
        let mut verdicts = Verdicts::new();
        engine.solve(&batch, Limit::UNIQUE, &mut verdicts);
        assert!(verdicts.iter().all(|verdict| verdict.cost.nanos > 0));
    }
}

#[test]
fn vectors_have_names() {
    for simd in Simd::ALL {
        assert_eq!(simd.name().parse(), Ok(simd));
    }
    assert_ne!(Simd::detect(), Simd::Auto);
    assert_eq!(Lanes::new(Simd::Auto).unwrap().simd(), Simd::detect());
    assert_eq!("sse".parse::<Simd>().unwrap_err().to_string(), "'sse' is none of auto, avx512, avx2, portable");
}

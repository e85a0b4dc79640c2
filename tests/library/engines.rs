//! One suite for all engines: what one passes, every one passes.
//!
//! Expected counts come from what is known (288 grids of 4x4), from a naive solver of a few lines, and from how a case
//! was made (a grid with some cells taken out, a clue that the only solution does not have).

use std::num::NonZeroU64;

use gridmill::engine::lanes::{Lanes, Simd};
use gridmill::engine::{Engine, EngineKind, Limit, Verdicts};
use gridmill::puzzle::Batch;
use gridmill::puzzle::rules;
use gridmill::puzzle::{Geometry, Order};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The engines under test for a size, with a name for messages.
fn engines(order: Order) -> Vec<(String, Box<dyn Engine>)> {
    let mut engines: Vec<(String, Box<dyn Engine>)> =
        EngineKind::ALL.map(|kind| (kind.to_string(), kind.build())).into();
    if order == Order::Three {
        for lanes in Simd::ALL.into_iter().filter_map(|simd| Lanes::new(simd).ok()) {
            engines.push((format!("lanes in {}", lanes.simd()), Box::new(lanes)));
        }
    }
    engines
}

/// A verdict on its own, without the time.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    solutions: u64,
    solution: Option<Vec<u8>>,
    branches: u64,
}

fn solve_all(engine: &mut dyn Engine, order: Order, puzzles: &[Vec<u8>], limit: u64) -> Vec<Answer> {
    let mut batch = Batch::new(order);
    for puzzle in puzzles {
        batch.push(puzzle);
    }
    let mut verdicts = Verdicts::new();
    engine.solve(&batch, Limit::new(NonZeroU64::new(limit).unwrap()), &mut verdicts);
    let answer = |verdict: gridmill::engine::Verdict| Answer {
        solutions: verdict.solutions,
        solution: verdict.solution.map(<[u8]>::to_vec),
        branches: verdict.cost.branches,
    };
    let answers: Vec<Answer> = verdicts.iter().map(answer).collect();
    assert_eq!(answers.len(), puzzles.len());
    for (puzzle, answer) in puzzles.iter().zip(&answers) {
        assert_eq!(answer.solution.is_some(), answer.solutions > 0);
        if let Some(solution) = &answer.solution {
            assert!(rules::is_solution(order, puzzle, solution), "{puzzle:?} has no solution {solution:?}");
        }
    }
    answers
}

fn solve(engine: &mut dyn Engine, order: Order, puzzle: &[u8], limit: u64) -> Answer {
    solve_all(engine, order, &[puzzle.to_vec()], limit).remove(0)
}

/// Every engine's count of solutions is `expected`, as far as each limit allows.
fn check(name: &str, order: Order, puzzle: &[u8], expected: u64, limits: &[u64]) {
    for (engine_name, mut engine) in engines(order) {
        for &limit in limits {
            let answer = solve(&mut *engine, order, puzzle, limit);
            assert_eq!(answer.solutions, expected.min(limit), "{name}, {engine_name}, limit {limit}");
        }
    }
}

/// Counts solutions by trying every digit in the first blank cell.
fn naive_count(order: Order, puzzle: &mut [u8], limit: u64) -> u64 {
    if rules::conflict(order, puzzle).is_some() {
        return 0;
    }
    let Some(cell) = puzzle.iter().position(|&value| value == 0) else { return 1 };
    let mut count = 0;
    for digit in 1..=order.side() as u8 {
        puzzle[cell] = digit;
        if count < limit {
            count += naive_count(order, puzzle, limit - count);
        }
    }
    puzzle[cell] = 0;
    count
}

/// Digits 1 to 9, then letters from A; white space is dropped, all else is a blank.
fn parse(text: &str) -> (Order, Vec<u8>) {
    let value = |c: char| match c {
        '1'..='9' => c as u8 - b'0',
        'A'..='P' => c as u8 - b'A' + 10,
        _ => 0,
    };
    let cells: Vec<u8> = text.chars().filter(|c| !c.is_whitespace()).map(value).collect();
    (Order::from_cells(cells.len()).expect("a whole grid"), cells)
}

/// Each row is the one above, shifted.
fn shifted(order: Order) -> Vec<u8> {
    let (n, side) = (order.get(), order.side());
    let digit = |row: usize, column: usize| (row % n * n + row / n + column) % side + 1;
    (0..order.cells()).map(|cell| digit(cell / side, cell % side) as u8).collect()
}

/// A way to rewrite a grid that keeps what Sudoku is about.
struct Symmetry {
    digits: Vec<u8>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    transposed: bool,
}

impl Symmetry {
    fn random(order: Order, rng: &mut Xoshiro256PlusPlus) -> Symmetry {
        let mut digits: Vec<u8> = (1..=order.side() as u8).collect();
        digits.shuffle(rng);
        digits.insert(0, 0);
        let mut lines = || {
            let n = order.get();
            let mut bands: Vec<Vec<usize>> = (0..n).map(|band| (band * n..(band + 1) * n).collect()).collect();
            for band in &mut bands {
                band.shuffle(rng);
            }
            bands.shuffle(rng);
            bands.concat()
        };
        Symmetry { rows: lines(), columns: lines(), digits, transposed: rng.random() }
    }

    fn apply(&self, order: Order, grid: &[u8]) -> Vec<u8> {
        let side = order.side();
        let place = |cell: usize| if self.transposed { cell % side * side + cell / side } else { cell };
        let from = |cell: usize| self.rows[cell / side] * side + self.columns[cell % side];
        (0..order.cells()).map(|cell| usize::from(grid[from(place(cell))])).map(|value| self.digits[value]).collect()
    }
}

/// A random grid of a size with so many random cells taken out.
fn with_blanks(order: Order, blanks: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut puzzle = Symmetry::random(order, rng).apply(order, &shifted(order));
    let mut cells: Vec<usize> = (0..order.cells()).collect();
    cells.shuffle(rng);
    cells[..blanks].iter().for_each(|&cell| puzzle[cell] = 0);
    puzzle
}

/// Puzzles with a single solution, in rising order of guesses.
const UNIQUE: [&str; 8] = [
    "1... ..3. .1.. ...2",
    "...1..........3.4..538.4.2..3....46.9.7......5.26..7......18...2......85.9..3.61.",
    "..7........8.....7.3..8.9.1.1259.........4......1.7.58..1..5....2.....9..5.46...3",
    "...21..........5...9.....8.....9.7...83.45.6...2.31...8....319...5...3787.....6..",
    "..2....836.43..7...5.......7....1.......95....6.287........2.3.3......61.2.....75",
    ".7...9..1...3..5....8.....38..2....4..5..32.6....7.....57.4......9.1.7....1..2..5",
    "2..C4A.3F..8.EB. .D...E....9C.G.F B57....C4AG.3.2. A..FDB8G1E26..C5 .G.43.D175.28... .7.52.G..83BE4.1
     18.B..7F.9.4CAD3 ..9.B8E4ACF.5.7G 3E.G..1BC..5.9.7 7F.26.45....B... ..19.FC..G7E6352 .B58G79....34...
     GC8.1..6..B.25F. .4E...2.93.G7.AC .23ACGB.5.....E6 ..BDE.A.6..7..3.",
    ".J..M479B2.AOF5...C...IP. ..N56A1.3.L.HC..4P.IM7.JK .F..I..H.K.N..J...LA..E.. ..POHML.JNDG.9K15B7F.6..3
     2..K...G5.146.7.N38MD.FH9 ..F.G2..I..1...LC..8.A.36 ...6.B.CD1M...GO.9NPFH..L N.O9..6...KJBH..AD.27IM.G
     D7.LJ...H.49C.N3..E.B15KP A.K...9L4.73FD.B.H.12..E8 LD..AK2.9.G..7CMI.35.EN.B ..EHK6..1C...NB.L79.I.4F.
     G.6..7.DP..H.....F.J..C.A J...78H..L9F...PK..N.M6DO .O8.9N.3..ID.6M.E1.....G2 O8...3B.LJC7.EP61NIHA.G94
     F.J..HP7G.6...A.D.5K...1I 1.7B...I.EJM2.H.8..3ND.5C HPCE.9D..458G1I..A2L6J..M .K.AN156.8FL..D4..J.PO.27
     .B..OP4.2.H.D.FN3L..JK8M5 ..HG2J.KADNO1.4IP.BC3L9.. M1L3...N.H..7J...5D.C..6E ..9C.LI.MBP.3....J..O4.NH
     .N4J...F7..6..8H..1O.2AI.",
];

#[test]
fn unique_puzzles_have_one_solution() {
    for text in UNIQUE {
        let (order, puzzle) = parse(text);
        check(text, order, &puzzle, 1, &[1, 2, 1000]);
    }
}

#[test]
fn a_clue_against_the_only_solution_leaves_none() {
    for text in UNIQUE {
        let (order, puzzle) = parse(text);
        let solution = solve(&mut *EngineKind::Auto.build(), order, &puzzle, 1).solution.unwrap();
        let mut tried = 0;
        for cell in (0..order.cells()).filter(|&cell| puzzle[cell] == 0).step_by(order.side()) {
            for digit in (1..=order.side() as u8).filter(|&digit| digit != solution[cell]) {
                let mut wrong = puzzle.clone();
                wrong[cell] = digit;
                if rules::conflict(order, &wrong).is_none() {
                    check(text, order, &wrong, 0, &[1, 2]);
                    tried += 1;
                }
            }
        }
        assert!(tried > 0, "{text}");
    }
}

#[test]
fn several_solutions_are_counted_up_to_the_limit() {
    let cases = [
        (11, "...1............4..538.4.2..3....46.9.7......5.26..7......18...2......85.9..3.61."),
        (13, "5..4.....82....6..13........6.3...7...15.4.9...32..1......8.........9..6672.....5"),
        (80, "..5....9....6..4..........62.1.8.97.89.7.........9..5....8...13.1..2.5....3.5...."),
        (115, "..7........8.....7.3..8.9.1.1259.........4......1.7.58..1..5....2.....9..5.46...."),
        (305, ".8....2..6...7......3.9.1.4..1..6..3....8..5.9..12......5..7........5...7...3...6"),
        (288, "................"),
        (12, "1234............"),
        (72, "1..............."),
    ];
    for (count, text) in cases {
        let (order, puzzle) = parse(text);
        check(text, order, &puzzle, count, &[1, 2, 10, count - 1, count, count + 1, 1_000_000]);
    }
}

#[test]
fn nearly_empty_grids_stop_at_the_limit() {
    for order in Order::ALL.into_iter().skip(1) {
        let mut puzzle = vec![0; order.cells()];
        check("empty", order, &puzzle, u64::MAX, &[1, 2, 1000]);
        puzzle[order.cells() / 2] = order.side() as u8;
        check("one clue", order, &puzzle, u64::MAX, &[1, 2, 1000]);
        for row in 0..order.side() {
            // One digit everywhere: the first of the shifted grid.
            let cell = row * order.side() + shifted(order)[row * order.side()..].iter().position(|&d| d == 1).unwrap();
            puzzle[order.cells() / 2] = 0;
            puzzle[cell] = 1;
        }
        check("one digit", order, &puzzle, u64::MAX, &[1, 2, 1000]);
    }
}

#[test]
fn full_grids_are_their_solution_or_have_none() {
    for order in Order::ALL {
        let grid = shifted(order);
        check("full", order, &grid, 1, &[1, 2]);
        let mut wrong = grid.clone();
        wrong.swap(0, 1);
        check("two columns clash", order, &wrong, 0, &[1, 2]);
        check("one digit in every cell", order, &vec![1; order.cells()], 0, &[1, 2]);
        let mut hole = grid.clone();
        hole[order.cells() - 1] = 0;
        check("one hole", order, &hole, 1, &[1, 2]);
    }
}

#[test]
fn contradictory_clues_leave_no_solution() {
    for order in Order::ALL {
        let geometry = Geometry::of(order);
        for (house, cells) in geometry.houses() {
            let mut puzzle = vec![0; order.cells()];
            puzzle[usize::from(cells[0])] = 2;
            puzzle[usize::from(cells[order.side() - 1])] = 2;
            check(&house.to_string(), order, &puzzle, 0, &[1, 2]);
        }
        // No two clues clash, and yet nothing is left for the last cell of the first row.
        let (n, side) = (order.get(), order.side());
        let mut puzzle = vec![0; order.cells()];
        for digit in 1..side {
            puzzle[digit - 1] = digit as u8;
        }
        puzzle[side - 1 + n * side] = side as u8;
        assert_eq!(rules::conflict(order, &puzzle), None);
        check("no candidate", order, &puzzle, 0, &[1, 2]);
    }
}

#[test]
fn a_puzzle_of_singles_takes_no_branch_and_two_solutions_take_one() {
    for order in Order::ALL {
        // Two grids differ in four cells at least.
        let puzzle = with_blanks(order, 3, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        for (name, mut engine) in engines(order) {
            let answer = solve(&mut *engine, order, &puzzle, 2);
            assert_eq!((answer.solutions, answer.branches), (1, 0), "{name} {order}");
        }
    }
    let (order, puzzle) = parse("..34 3412 ..43 4321");
    for (name, mut engine) in engines(order) {
        let answer = solve(&mut *engine, order, &puzzle, 10);
        assert_eq!((answer.solutions, answer.branches), (2, 1), "{name}");
    }
}

#[test]
fn verdicts_do_not_depend_on_neighbours_or_on_what_was_before() {
    let puzzles: Vec<(Order, Vec<u8>)> = UNIQUE.into_iter().map(parse).collect();
    for order in Order::ALL {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut puzzles: Vec<Vec<u8>> = puzzles.iter().filter(|(o, _)| *o == order).map(|(_, p)| p.clone()).collect();
        puzzles.push(vec![0; order.cells()]);
        puzzles.push(vec![1; order.cells()]);
        puzzles.extend((1..6).map(|tenths| with_blanks(order, order.cells() * tenths / 10, &mut rng)));
        for (name, mut engine) in engines(order) {
            for limit in [1, 2, 50] {
                let alone = |puzzle: &Vec<u8>| {
                    let (_, mut fresh) = engines(order).into_iter().find(|(other, _)| *other == name).unwrap();
                    solve(&mut *fresh, order, puzzle, limit)
                };
                let expected: Vec<Answer> = puzzles.iter().map(alone).collect();
                assert_eq!(solve_all(&mut *engine, order, &puzzles, limit), expected, "{name} {order} {limit}");
                let backwards: Vec<Vec<u8>> = puzzles.iter().rev().cloned().collect();
                let mut answers = solve_all(&mut *engine, order, &backwards, limit);
                answers.reverse();
                assert_eq!(answers, expected, "{name} {order} {limit}, backwards");
            }
        }
    }
}

#[test]
fn an_engine_takes_sizes_in_turn_and_an_empty_batch() {
    for kind in EngineKind::ALL {
        let mut engine = kind.build();
        for text in UNIQUE.into_iter().chain(UNIQUE.into_iter().rev()) {
            let (order, puzzle) = parse(text);
            assert_eq!(solve(&mut *engine, order, &puzzle, 2).solutions, 1, "{kind}");
            assert_eq!(solve_all(&mut *engine, order, &[], 2), [], "{kind}");
        }
    }
}

#[test]
fn kinds_are_called_by_name() {
    for kind in EngineKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    let message = "abacus".parse::<EngineKind>().unwrap_err().to_string();
    assert!(message.starts_with("no engine is called 'abacus'; there are auto, lanes, bitmask, dlx"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_4x4_is_as_the_naive_solver_says(puzzle in proptest::collection::vec(prop_oneof![2 => Just(0), 1 => 1..=4u8], 16)) {
        let expected = naive_count(Order::Two, &mut puzzle.clone(), 1000);
        check("4x4", Order::Two, &puzzle, expected, &[1, 2, 1000]);
    }

    #[test]
    fn a_grid_with_some_blanks_is_as_the_naive_solver_says(
        seed in any::<u64>(),
        order in proptest::sample::select(&Order::ALL[..]),
        blanks in 0..16usize,
        garbage in prop_oneof![3 => Just(None), 1 => (0..10_000usize, 1..=25usize).prop_map(Some)],
    ) {
        let mut puzzle = with_blanks(order, blanks, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        if let Some((cell, value)) = garbage {
            puzzle[cell % order.cells()] = (value % order.side() + 1) as u8;
        }
        let expected = naive_count(order, &mut puzzle.clone(), 20);
        check("some blanks", order, &puzzle, expected, &[1, 2, 20]);
    }

    #[test]
    fn symmetries_change_no_verdict(
        seed in any::<u64>(),
        order in proptest::sample::select(&Order::ALL[..]),
        blanks in 0..45usize,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let puzzle = with_blanks(order, order.cells() * blanks / 100, &mut rng);
        let other = Symmetry::random(order, &mut rng).apply(order, &puzzle);
        for (name, mut engine) in engines(order) {
            let [a, b] = [&puzzle, &other].map(|puzzle| solve(&mut *engine, order, puzzle, 30).solutions);
            prop_assert_eq!(a, b, "{}", name);
        }
    }

    #[test]
    fn engines_agree_on_partial_grids(seed in any::<u64>(), blanks in 0..81usize, wrong in 0..3usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let order = Order::Three;
        let mut puzzle = with_blanks(order, blanks, &mut rng);
        for _ in 0..wrong {
            puzzle[rng.random_range(0..81)] = rng.random_range(0..=9);
        }
        let counts: Vec<u64> =
            engines(order).iter_mut().map(|(_, engine)| solve(&mut **engine, order, &puzzle, 100).solutions).collect();
        prop_assert!(counts.iter().all(|&count| count == counts[0]), "{:?}", counts);
    }

    #[test]
    fn engines_agree_on_garbage(
        seed in any::<u64>(),
        order in proptest::sample::select(&Order::ALL[..]),
        clues in 0..22usize,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut puzzle = vec![0; order.cells()];
        for _ in 0..clues {
            puzzle[rng.random_range(0..order.cells())] = rng.random_range(1..=order.side() as u8);
        }
        let counts: Vec<u64> =
            engines(order).iter_mut().map(|(_, engine)| solve(&mut **engine, order, &puzzle, 20).solutions).collect();
        prop_assert!(counts.iter().all(|&count| count == counts[0]), "{:?}", counts);
    }
}

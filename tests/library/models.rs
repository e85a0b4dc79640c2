//! Scores of random answers to random 4x4 puzzles, and what is found of random states, compared with all of the 288 grids;
//! and true candidates of 9x9 puzzles by trying every value.

use std::fmt::Write;

use gridmill::corpus::{Corpus, Origin};
use gridmill::engine::EngineKind;
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::score::ScoreFormula;
use gridmill::jobs::{Execution, Score, States};
use gridmill::puzzle::Size;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use strum::VariantArray;

use crate::support::{self, naive};

type Four = [u8; 16];

/// How many answers are scored: more in `scripts/hostile-answers`.
fn answers() -> usize {
    std::env::var("GRIDMILL_ANSWERS").map_or(20_000, |answers| answers.parse().expect("a number"))
}

/// A puzzle with some clues of a grid, and an answer near a grid.
fn puzzle_and_answer(grids: &[Four], rng: &mut Xoshiro256PlusPlus) -> (Four, Four) {
    let [grid, other] = [(); 2].map(|()| grids[rng.random_range(0..grids.len())]);
    let (clues, blanks, faults) = (rng.random_range(0..100), rng.random_range(0..100), rng.random_range(0..4));
    let mut puzzle = grid.map(|digit| if rng.random_range(0..100) < clues { digit } else { 0 });
    let mut answer = if rng.random_bool(0.8) { grid } else { other };
    if rng.random_bool(0.6) {
        answer = answer.map(|digit| if rng.random_range(0..100) < blanks { 0 } else { digit });
    }
    for (cell, &clue) in answer.iter_mut().zip(&puzzle) {
        *cell = if clue != 0 && rng.random_bool(0.97) { clue } else { *cell };
    }
    for _ in 0..faults {
        answer[rng.random_range(0..16)] = rng.random_range(0..=4);
    }
    if rng.random_bool(0.02) {
        puzzle[rng.random_range(0..16)] = rng.random_range(1..=4);
    }
    (puzzle, answer)
}

/// The columns from `verdict` to `solvable` by their meaning.
fn expected(grids: &[Four], puzzle: &Four, answer: &Four, formula: ScoreFormula) -> String {
    let pairs = || puzzle.iter().zip(answer);
    let solutions: Vec<&Four> = grids.iter().filter(|grid| keeps(puzzle, grid)).collect();
    let blanks = pairs().filter(|pair| *pair.0 == 0).count();
    let filled = pairs().filter(|pair| *pair.0 == 0 && *pair.1 != 0).count();
    let changed = pairs().filter(|pair| *pair.0 != 0 && pair.0 != pair.1).count();
    let agreeing =
        |solution: &&Four| (0..16).filter(|&cell| puzzle[cell] == 0 && solution[cell] == answer[cell]).count();
    let right = solutions.iter().map(agreeing).max();
    let in_one_house = |one: usize, two: usize| {
        one / 4 == two / 4 || one % 4 == two % 4 || (one / 8, one % 4 / 2) == (two / 8, two % 4 / 2)
    };
    let is_in_conflict = |&cell: &usize| {
        (0..16).any(|other| {
            other != cell && answer[cell] != 0 && answer[cell] == answer[other] && in_one_house(cell, other)
        })
    };
    let conflicts = (0..16).filter(is_in_conflict).count();

    let verdict = match right {
        None => "none",
        Some(_) if changed > 0 => "changed",
        Some(_) if filled < blanks => "incomplete",
        Some(right) if right == blanks => "solved",
        Some(_) => "wrong",
    };
    let solvable = (changed == 0 && filled < blanks).then(|| solutions.iter().any(|solution| keeps(answer, solution)));
    let share = |part: usize, of: usize| format!("{}.{:06}", part / of, part * 1_000_000 / of % 1_000_000);
    let score = match (right, formula) {
        (None, _) => String::new(),
        (_, ScoreFormula::Exact) => share(usize::from(verdict == "solved"), 1),
        (Some(right), ScoreFormula::Cells) => share(right + 16 - blanks - changed, 16),
        // Four fifths for the cells, and one for a solution.
        (Some(right), ScoreFormula::SudokuBench) => {
            share(4 * (right + 16 - blanks - changed) + 16 * usize::from(verdict == "solved"), 5 * 16)
        }
        (Some(_), _) if blanks == 0 || changed > 0 => share(usize::from(verdict == "solved"), 1),
        (Some(right), _) => share(right, blanks),
    };
    let right = right.map_or(String::new(), |right| right.to_string());
    let solvable = solvable.map_or("", |is_solvable| if is_solvable { "yes" } else { "no" });
    format!("{verdict},{score},{blanks},{filled},{right},{conflicts},{changed},{solvable}")
}

/// All grids of 4x4.
fn all_grids() -> Vec<Four> {
    let grids = naive::solutions(Size::Four, &[0; 16], 1000);
    assert_eq!(grids.len(), 288);
    grids.into_iter().map(|grid| grid.try_into().unwrap()).collect()
}

/// Random cases as a table with the columns `puzzle` and `response`.
fn cases(grids: &[Four], seed: u64) -> (Vec<(Four, Four)>, tempfile::NamedTempFile) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let cases: Vec<(Four, Four)> = (0..answers()).map(|_| puzzle_and_answer(grids, &mut rng)).collect();
    let mut table = String::from("puzzle,response\n");
    for (puzzle, answer) in &cases {
        writeln!(table, "{},{}", text(puzzle, '0'), text(answer, '0')).unwrap();
    }
    let file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    std::fs::write(&file, table).unwrap();
    (cases, file)
}

fn open(file: &tempfile::NamedTempFile) -> Corpus {
    let options = InputOptions { answer: AnswerColumn::Response, ..InputOptions::default() };
    Corpus::open(vec![Origin::File(file.path().into())], options).unwrap()
}

/// The digits of cells, with this for a blank.
fn text(cells: &[u8], blank: char) -> String {
    cells.iter().map(|&cell| if cell == 0 { blank } else { char::from(b'0' + cell) }).collect()
}

fn keeps(clues: &Four, grid: &Four) -> bool {
    clues.iter().zip(grid).all(|(&clue, &digit)| clue == 0 || clue == digit)
}

#[test]
fn scores_are_those_of_a_search_through_all_grids() {
    let grids = all_grids();
    let (cases, file) = cases(&grids, 1);
    for &formula in ScoreFormula::VARIANTS {
        let columns = ["verdict", "score", "blanks", "filled", "right", "conflicts", "changed", "solvable"];
        let mut rows = vec![];
        let job = Score::new().formula(formula).columns(columns).header(false);
        let _ = job.run(open(&file), &mut rows, &Execution::new()).unwrap();

        let rows = String::from_utf8(rows).unwrap();
        assert_eq!(rows.lines().count(), cases.len());
        for ((puzzle, answer), row) in cases.iter().zip(rows.lines()) {
            assert_eq!(row, expected(&grids, puzzle, answer, formula), "{}, {}", text(puzzle, '.'), text(answer, '.'));
        }
    }
}

#[test]
fn states_are_those_of_a_search_through_all_grids() {
    let grids = all_grids();
    let (cases, file) = cases(&grids, 2);
    let columns = ["solutions", "wrong", "backbone", "candidates"];
    let mut rows = vec![];
    let job = States::new().candidates(true).columns(columns).header(false);
    let _ = job.run(open(&file), &mut rows, &Execution::new()).unwrap();

    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows.lines().count(), cases.len());
    for ((puzzle, state), row) in cases.iter().zip(rows.lines()) {
        let of_puzzle: Vec<&Four> = grids.iter().filter(|grid| keeps(puzzle, grid)).collect();
        let left: Vec<&Four> = of_puzzle.iter().copied().filter(|grid| keeps(state, grid)).collect();
        let wrong = match of_puzzle[..] {
            [only] => {
                let is_wrong = |&cell: &usize| puzzle[cell] == 0 && state[cell] != 0 && state[cell] != only[cell];
                (0..16).filter(is_wrong).count().to_string()
            }
            _ => String::new(),
        };
        let occurs = |cell: usize, digit: u8| left.iter().any(|grid| grid[cell] == digit);
        let candidates: Vec<u8> = (0..16)
            .flat_map(|cell| (1..=4).map(move |digit| (cell, digit)))
            .map(|(cell, digit)| if occurs(cell, digit) { digit } else { 0 })
            .collect();
        let of_cell = |digits: &[u8]| {
            if digits.iter().filter(|&&digit| digit != 0).count() == 1 { digits.iter().sum() } else { 0 }
        };
        let backbone: Vec<u8> = candidates.chunks(4).map(of_cell).collect();
        let found =
            if left.is_empty() { ",".into() } else { format!("{},{}", text(&backbone, '.'), text(&candidates, '.')) };
        assert_eq!(
            row,
            format!("{},{wrong},{found}", left.len().min(2)),
            "{}, {}",
            text(puzzle, '.'),
            text(state, '.')
        );
    }
}

/// Puzzles with many solutions: those of the project without some of their clues.
#[test]
fn candidates_are_found_by_trying_every_value() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let lines = include_str!("../../data/minimal.txt").lines().filter(|line| line.len() == 81);
    let puzzles: Vec<Vec<u8>> = lines
        .take(answers() / 200)
        .map(|line| {
            let (_, mut cells) = support::parse(line);
            (0..rng.random_range(0..6)).for_each(|_| cells[rng.random_range(0..81)] = 0);
            cells
        })
        .collect();
    let file = tempfile::NamedTempFile::with_suffix(".txt").unwrap();
    std::fs::write(&file, puzzles.iter().map(|cells| text(cells, '.') + "\n").collect::<String>()).unwrap();
    let mut rows = vec![];
    let job = States::new().candidates(true).columns(["candidates"]).header(false);
    let _ = job.run(Corpus::open_path(file.path()).unwrap(), &mut rows, &Execution::new()).unwrap();

    let mut engine = support::build(EngineKind::Bitmask);
    for (cells, row) in puzzles.iter().zip(String::from_utf8(rows).unwrap().lines()) {
        let mut tried = vec![];
        for cell in 0..81 {
            for digit in 1..=9 {
                let mut with = cells.clone();
                let may_be = with[cell] == 0 || with[cell] == digit;
                with[cell] = digit;
                let solutions = support::solve(&mut *engine, Size::Nine, &with, 1).solutions;
                tried.push(if may_be && solutions > 0 { digit } else { 0 });
            }
        }
        assert_eq!(row, text(&tried, '.'), "{}", text(cells, '.'));
    }
}

//! Scores of random answers to random 4x4 puzzles, compared with all of the 288 grids.

use std::fmt::Write;

use gridmill::corpus::{Corpus, Origin};
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::score::ScoreFormula;
use gridmill::jobs::{Execution, Score};
use gridmill::puzzle::Order;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support::naive;

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
    let keeps = |clues: &Four, grid: &Four| clues.iter().zip(grid).all(|(&clue, &digit)| clue == 0 || clue == digit);
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
        (Some(_), _) if blanks == 0 || changed > 0 => share(usize::from(verdict == "solved"), 1),
        (Some(right), _) => share(right, blanks),
    };
    let right = right.map_or(String::new(), |right| right.to_string());
    let solvable = solvable.map_or("", |is_solvable| if is_solvable { "yes" } else { "no" });
    format!("{verdict},{score},{blanks},{filled},{right},{conflicts},{changed},{solvable}")
}

#[test]
fn scores_are_those_of_a_search_through_all_grids() {
    let grids = naive::solutions(Order::Two, &[0; 16], 1000);
    let grids: Vec<Four> = grids.into_iter().map(|grid| grid.try_into().unwrap()).collect();
    assert_eq!(grids.len(), 288);

    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let text = |cells: &Four| cells.iter().map(|&cell| char::from(b'0' + cell)).collect::<String>();
    let cases: Vec<(Four, Four)> = (0..answers()).map(|_| puzzle_and_answer(&grids, &mut rng)).collect();
    let mut table = String::from("puzzle,response\n");
    for (puzzle, answer) in &cases {
        writeln!(table, "{},{}", text(puzzle), text(answer)).unwrap();
    }
    let file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    std::fs::write(&file, table).unwrap();

    for formula in ScoreFormula::ALL {
        let options = InputOptions { answer: AnswerColumn::Response, ..InputOptions::default() };
        let corpus = Corpus::open(vec![Origin::File(file.path().into())], options).unwrap();
        let columns = ["verdict", "score", "blanks", "filled", "right", "conflicts", "changed", "solvable"];
        let mut rows = vec![];
        let job = Score::new().formula(formula).columns(columns).header(false);
        let _ = job.run(corpus, &mut rows, &Execution::new()).unwrap();

        let rows = String::from_utf8(rows).unwrap();
        assert_eq!(rows.lines().count(), cases.len());
        for ((puzzle, answer), row) in cases.iter().zip(rows.lines()) {
            let expected = expected(&grids, puzzle, answer, formula);
            assert_eq!(row, expected, "{}, {}", text(puzzle), text(answer));
        }
    }
}

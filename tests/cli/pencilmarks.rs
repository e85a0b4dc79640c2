//! Pencilmark puzzles as records: `solve`, `rate`, `trace` and `explain` take them, and the other commands say that they do
//! not.

use gridmill::Puzzle;
use gridmill::puzzle::{Grid, Pencilmarks};
use serde_json::Value;

use crate::resume::CompleteRun;
use crate::{TestDir, UNIQUE, UNIQUE_SOLUTION};

const EASY: &str = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
/// Its hardest step is pointing, 2.6.
const POINTING: &str = "..12.....479.....38...5..7...2...........8265...1.7.4...8.62.199.....83..........";
/// It has 7 solutions.
const SEVERAL: &str = "..9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92....";

/// Why a row does not have a pencilmark puzzle.
const REASON: &str =
    "a pencilmark puzzle, which only solve, rate, explain and trace take; its solutions are not listed";

/// The candidates of a puzzle.
fn pencilmarks(puzzle: &str) -> String {
    let puzzle: Puzzle = puzzle.parse().unwrap();
    Pencilmarks::from(<&Grid>::try_from(puzzle.cells()).unwrap()).to_string()
}

/// Ordinary and pencilmark puzzles, some of them malformed.
fn mixed() -> String {
    let (easy, pointing, several) = (pencilmarks(EASY), pencilmarks(POINTING), pencilmarks(SEVERAL));
    let zeros = easy.replace('.', "0");
    let none = easy.replace('5', ".");
    let wrong = format!("2{}", &easy[1..]);
    format!(
        "{EASY}\n{easy}\n{UNIQUE}\n{zeros} 1.5\n12. {several};x\n{none}\n\"{pointing}\"\n{}\n{wrong}\n{POINTING}\n",
        &easy[1..]
    )
}

/// The rows of `mixed`, each a line, a status and what follows.
fn expected_of_mixed(solution: impl Fn(&str) -> String) -> String {
    let (easy, pointing) = (solution(EASY), solution(POINTING));
    format!(
        "1,unique,1,{easy},\n2,unique,1,{easy},\n3,unique,1,{UNIQUE_SOLUTION},\n4,unique,1,{easy},\n5,multiple,2,,\n\
         6,none,0,,\n7,unique,1,{pointing},\n8,malformed,0,,\"728 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n\
         9,malformed,0,,\"column 1: '2' is not 1, '.' or '0', as in 729 symbols of a pencilmark puzzle\"\n\
         10,unique,1,{pointing},\n"
    )
}

fn solution(puzzle: &str) -> String {
    gridmill::solve(puzzle).unwrap().to_string()
}

#[test]
fn they_are_solved_among_others() {
    let dir = TestDir::new();
    dir.write("in", mixed());
    let columns = "--columns line,status,solutions,solution,detail --no-header";
    let expected = expected_of_mixed(solution);
    for options in ["--threads 1", "--threads 2", "--engine bitmask", "--engine dlx", "--from lines"] {
        let result = dir.run(&format!("solve in {columns} {options}"));
        assert!(result.err.contains("unique"), "{}", result.err);
        assert_eq!(result.ends(0), expected, "{options}");
    }
    // As they are written, without what stands beside them.
    let puzzles = dir.run("solve in -q --columns puzzle --no-header").ends(0);
    let puzzles: Vec<&str> = puzzles.lines().collect();
    assert_eq!(puzzles[1], pencilmarks(EASY));
    assert_eq!(puzzles[3], pencilmarks(EASY).replace('.', "0"));
    assert_eq!((puzzles[4], puzzles[6]), (&*pencilmarks(SEVERAL), &*pencilmarks(POINTING)));
    // The search is complete, and no other row has these columns empty.
    let branches = dir.run("solve in -q --columns status,branches --no-header").ends(0);
    assert!(branches.lines().all(|row| row.starts_with("multiple") || !row.ends_with(',')), "{branches}");
    let lines = dir.run("solve in -q --to lines").ends(0);
    assert_eq!(lines.lines().nth(1), Some(&*solution(EASY)));
    assert_eq!(lines.lines().nth(4), Some("# line 5: multiple (2 solutions or more)"));
    assert_eq!(dir.run("solve in -q --to grids").ends(0).matches("\n\n").count(), 9);
}

#[test]
fn several_solutions_are_counted_and_not_listed() {
    let dir = TestDir::new();
    let columns = "--columns status,solutions,solution,detail --no-header";
    for (puzzle, solutions) in [(SEVERAL, 7), (&".".repeat(81), 9)] {
        let input = format!("{puzzle}\n{}\n", pencilmarks(puzzle));
        let rows = dir.run_on(&input, &format!("solve -q {columns} --limit 9")).ends(0);
        assert_eq!(rows, format!("multiple,{solutions},,\n").repeat(2));
    }
    for options in ["--first", "--limit 1", "--all", "--all --limit 17"] {
        let input = format!("{}\n{EASY}\n", pencilmarks(EASY));
        let result = dir.run_on(&input, &format!("solve {columns} {options}"));
        assert!(result.err.contains("malformed 1"), "{}", result.err);
        let rows = result.ends(0);
        assert_eq!(rows.lines().next(), Some(&*format!("malformed,0,,\"{REASON}\"")), "{options}");
        assert!(rows.lines().nth(1).is_some_and(|row| row.contains(&solution(EASY))), "{rows}");
    }
    let undecided = dir.run_on(
        pencilmarks(&".".repeat(81)),
        "solve -q --columns status,solutions,detail --no-header --max-branches 0 --limit 1000",
    );
    assert!(undecided.ends(0).starts_with("undecided,,gave up after 0 branches with "));
}

#[test]
fn they_are_rated_as_the_puzzle_with_these_candidates() {
    let dir = TestDir::new();
    dir.write("in", mixed());
    let objects = dir.run("rate in -q --to jsonl").ends(0);
    let rows: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let statuses: Vec<&str> = rows.iter().map(|row| row["status"].as_str().unwrap()).collect();
    let [u, m] = ["unique", "malformed"];
    assert_eq!(statuses, [u, u, u, u, "multiple", "none", u, m, m, u]);
    for (pencilmarks, puzzle) in [(1, 0), (3, 0), (6, 9)] {
        let (pencilmarks, puzzle) = (&rows[pencilmarks], &rows[puzzle]);
        for column in ["er", "level", "hardest"] {
            assert_eq!(pencilmarks[column], puzzle[column], "{column}");
        }
        // Clues are steps here, as nothing is placed before the first step.
        let clues = puzzle["puzzle"].as_str().unwrap().bytes().filter(|&byte| byte != b'.').count() as u64;
        assert_eq!(pencilmarks["steps"].as_u64().unwrap(), puzzle["steps"].as_u64().unwrap() + clues);
    }
    assert!(rows[4]["er"].is_null() && rows[5]["er"].is_null());
    let bound = dir.run("rate in -q --no-header --only er --max-er 2.5").ends(0);
    assert!(bound.lines().nth(6).unwrap().ends_with(",unique,>2.5,,harder than 2.5"), "{bound}");
    for line in [2, 7] {
        let steps = dir.run("rate in -q --no-header --steps").ends(0);
        let steps = steps.lines().filter(|row| row.starts_with(&format!("{line},"))).count() as u64;
        assert_eq!(steps, rows[line - 1]["steps"].as_u64().unwrap());
    }
    let explained = dir.run(&format!("explain --grids none {}", pencilmarks(POINTING))).ends(0);
    assert!(explained.contains("ER 2.6"), "{explained}");
    let error = dir.run(&format!("explain {}", pencilmarks(SEVERAL))).fails();
    assert!(error.contains("several solutions") || error.contains("more than one solution"), "{error}");
}

#[test]
fn they_are_fields_of_tables() {
    let dir = TestDir::new();
    let (easy, pointing) = (pencilmarks(EASY), pencilmarks(POINTING));
    dir.write("in.csv", format!("id,puzzle\na,{easy}\nb, \"{pointing}\" \nc,{EASY}\n"));
    let solutions = format!("a,{}\nb,{}\nc,{}\n", solution(EASY), solution(POINTING), solution(EASY));
    let solutions: Vec<String> =
        solutions.lines().map(|row| row.split(',').rev().collect::<Vec<_>>().join(",")).collect();
    let rows = dir.run("solve in.csv -q --columns solution --keep id --no-header").ends(0);
    assert_eq!(rows.lines().collect::<Vec<_>>(), solutions);
    dir.write(
        "in.jsonl",
        format!("{{\"id\":\"a\",\"puzzle\":\"{easy}\"}}\n{{\"id\":\"b\",\"puzzle\":\"{pointing}\"}}\n"),
    );
    let rows = dir.run("solve in.jsonl -q --columns solution --keep id --no-header").ends(0);
    assert_eq!(rows.lines().collect::<Vec<_>>(), solutions[..2]);
    if cfg!(feature = "parquet") {
        for command in ["solve", "rate"] {
            dir.run(&format!("{command} in.csv -q --keep id -o out.parquet")).ends(0);
            let rows = dir.run("solve out.parquet -q --columns puzzle,solution --keep id --no-header").ends(0);
            let puzzles = [&easy, &pointing, EASY].into_iter().zip(&solutions);
            let expected: Vec<String> = puzzles.map(|(puzzle, rest)| format!("{puzzle},{rest}")).collect();
            assert_eq!(rows.lines().collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
fn interrupted_runs_are_resumed() {
    for command in ["solve in - --columns line,puzzle,status,solution", "rate in -"] {
        let dir = TestDir::new();
        dir.write("in", mixed());
        let input = format!("{}\n{EASY}\n", pencilmarks(SEVERAL));
        let run = CompleteRun::new(&dir, command, &input);
        for end in [run.left.len() / 2, run.left.len()] {
            assert!(run.resumed(end) == run.complete, "{command}, {end} bytes");
        }
    }
}

#[test]
fn other_commands_call_them_malformed() {
    let dir = TestDir::new();
    dir.write("in", format!("{}\n{EASY}\n", pencilmarks(EASY)));
    let rows = dir.run("validate in -q").ends(1);
    assert!(rows.contains("malformed") && rows.contains(REASON), "{rows}");
    let converted = dir.run("convert in -q --to lines").ends(0);
    assert_eq!(converted, format!("# line 1: malformed: {REASON}\n{EASY}\n"));
    let canon = dir.run("canon in -q").ends(0);
    assert!(canon.lines().nth(1).is_some_and(|row| row.contains(&pencilmarks(EASY))), "{canon}");
    // A corpus of nothing but pencilmark puzzles has puzzles for `solve`, and none for `canon`.
    dir.write("all", format!("{}\n", pencilmarks(EASY)));
    assert!(!dir.run("solve all --strict").err.contains("no record of"));
    assert!(dir.run("canon all").err.contains("no record of all is a puzzle"));
}

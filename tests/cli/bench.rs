//! Tests of `gridmill bench`: its table, exports and errors. None of them depends on a time.

use std::collections::HashMap;
use std::fs;

use crate::{MULTIPLE, NONE, RunResult, TestDir, UNIQUE, data};

/// The shortest possible measurement.
const QUICK: &str = "bench --seconds 0";

/// Runs with one more argument, which may contain spaces.
fn run_with(dir: &TestDir, arguments: &str, last: &str) -> RunResult {
    dir.command(arguments).arg(last).output().unwrap().into()
}

#[test]
fn the_table_has_a_row_for_each_file_and_solver() {
    let dir = TestDir::new();
    let result =
        dir.run(&format!("{QUICK} --engines dlx,bitmask --threads 1,2 {} {}", data("4x4.txt"), data("easy.txt")));
    assert!(result.err.contains("all answers agree") && result.err.contains("times as fast as dlx on"), "{result:?}");
    let table = result.ends(0);
    let mut rows = table.lines().map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()));
    let titles: Vec<&str> = rows.next().unwrap().collect();
    assert_eq!(titles[..7], ["file", "solver", "threads", "clock", "puzzles/s", "spread", "ratio"]);
    assert_eq!(titles[7..], ["branches", "no branch", "p50", "p99", "p99.9", "max"]);
    let rows: Vec<Vec<&str>> = rows.map(Iterator::collect).collect();
    // Text is aligned to the left, numbers to the right, and nothing is after the last column.
    let column = |line: &str, cell: &str| line.find(cell).map(|start| line[..start].chars().count()).unwrap();
    let first = table.lines().next().unwrap();
    for line in table.lines() {
        let at = |index: usize| line.chars().nth(index).unwrap();
        let (clock, rate_end) = (column(first, "clock"), column(first, "puzzles/s") + "puzzles/s".len());
        assert!(at(clock - 1) == ' ' && at(clock) != ' ' && at(rate_end - 1) != ' ' && at(rate_end) == ' ', "{table}");
        assert!(line.trim_end() == line && line.chars().count() == first.chars().count(), "{table}");
    }
    assert!(rows.iter().all(|row| row.len() == titles.len()), "{table}");
    let solvers: Vec<[&str; 3]> = rows.iter().map(|row| [row[1], row[2], row[3]]).collect();
    let own = if cfg!(unix) { "CPU" } else { "wall" };
    let each = [["dlx", "1", own], ["dlx", "2", "wall"], ["bitmask", "1", own], ["bitmask", "2", "wall"]];
    assert_eq!(solvers, each.repeat(2));
    // The others are compared with the first one.
    assert_eq!((rows[0][6], rows[4][6]), ("1.00", "1.00"));
}

/// Each export has all rows, with figures that are plausible for easy puzzles.
#[test]
fn exports_hold_the_table() {
    let dir = TestDir::new();
    let exports = "--export out.csv --export out.json --export out.md --export out.svg";
    let result = dir.run(&format!("{QUICK} -q {exports} {}", data("easy.txt")));
    assert_eq!(result.err, "");
    let table = result.ends(0);

    let text = dir.read("out.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), table.lines().count() - 1);
    for row in &rows {
        assert_eq!((&*row["puzzles"], &*row["threads"]), ("1000", "1"));
        assert!(row["rounds"].parse::<u32>().unwrap() >= 5);
        let [low, median, high, ratio] =
            ["low", "puzzles_per_second", "high", "ratio"].map(|name| row[name].parse::<f64>().unwrap());
        assert!(0.0 < low && low <= median && median <= high && ratio > 0.0, "{row:?}");
        let share: f64 = row["without_branch"].parse().unwrap();
        let branches: f64 = row["branches_per_puzzle"].parse().unwrap();
        assert!((0.5..1.0).contains(&share) && branches >= 1.0 - share, "{row:?}");
        let times =
            ["p50", "p90", "p99", "p999", "max"].map(|name| row[&format!("{name}_nanos")].parse::<u64>().unwrap());
        assert!(times[0] > 0 && times.is_sorted(), "{row:?}");
    }
    let json: Vec<HashMap<String, serde_json::Value>> = serde_json::from_str(&dir.read("out.json")).unwrap();
    let solvers = |row: &HashMap<String, serde_json::Value>| row["solver"].as_str().unwrap().to_owned();
    assert_eq!(
        json.iter().map(solvers).collect::<Vec<_>>(),
        rows.iter().map(|row| row["solver"].clone()).collect::<Vec<_>>()
    );
    let markdown = dir.read("out.md");
    assert_eq!(markdown.lines().count(), 2 + rows.len());
    assert!(markdown.lines().all(|line| line.matches(" | ").count() == 12), "{markdown}");
    let svg = dir.read("out.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("prefers-color-scheme: dark"));
    assert_eq!(svg.matches("<rect ").count(), rows.len());
}

#[test]
#[cfg(unix)]
fn a_solver_that_agrees_is_in_the_table() {
    let dir = TestDir::new();
    let gridmill = assert_cmd::cargo::cargo_bin("gridmill");
    let solver = format!("'{}' solve -q --to lines --first", gridmill.display());
    dir.write("three.txt", format!("{UNIQUE}\n{MULTIPLE}\n").repeat(10));
    for file in ["three.txt".to_owned(), data("easy.txt"), data("16x16.txt")] {
        let table = run_with(&dir, &format!("{QUICK} --engines bitmask {file} --solver"), &solver).ends(0);
        let last = table.lines().last().unwrap();
        assert!(last.starts_with(&file) && last.contains("wall"), "{table}");
    }
    // A solver may give counts instead of solutions.
    dir.write("none.txt", format!("{NONE}\n").repeat(20));
    run_with(&dir, &format!("{QUICK} none.txt --solver"), "sed 's/.*/0/'").ends(0);
}

#[test]
#[cfg(unix)]
fn a_solver_with_a_wrong_answer_ends_the_run_before_anything_is_timed() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(20));
    let shifted = "2341143232144123";
    for (solver, answer) in [
        ("sed 's/.*/0/'", "0 solutions".to_owned()),
        ("sed '20 s/.*/2/; t; s/.*/1/'", "2 solutions".to_owned()),
        (&*format!("sed 's/.*/{shifted}/'"), format!("a solution: {shifted}")),
    ] {
        let result = run_with(&dir, &format!("{QUICK} --export out.csv --engines bitmask unique.txt --solver"), solver);
        let line = if solver.contains("20") { 20 } else { 1 };
        assert!(result.err.contains(&format!("bitmask and {solver} disagree on unique.txt:{line}\n")), "{result:?}");
        for part in [UNIQUE, "1 solution: 1234432121433412", &answer] {
            assert!(result.err.contains(part), "{part}: {result:?}");
        }
        assert_eq!(result.ends(1), "");
        assert!(fs::metadata(dir.path("out.csv")).is_err());
    }
}

#[test]
#[cfg(unix)]
fn a_solver_that_fails_is_an_error() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(20));
    for (solver, reason) in [
        ("exit 7", "exit status: 7"),
        ("head -n 3 | sed 's/.*/1/'", "answered 3 lines for 20 puzzles"),
        ("cat", "answer 1 is neither a solution nor a count"),
    ] {
        let error = run_with(&dir, &format!("{QUICK} -q unique.txt --solver"), solver).fails();
        assert!(error.contains(reason) && error.contains("unique.txt"), "{error}");
    }
}

#[test]
fn malformed_records_empty_files_and_unknown_options_are_errors() {
    let dir = TestDir::new();
    dir.write("bad.txt", format!("{UNIQUE}\n").repeat(20) + "1.3..........4.q\n");
    let error = dir.run(&format!("{QUICK} -q --from lines bad.txt")).fails();
    assert_eq!(error, "gridmill: bad.txt:21: column 16: 'q' is no digit from 1 to 4");
    dir.write("empty.txt", "# nothing\n");
    assert!(dir.run(&format!("{QUICK} -q empty.txt")).fails().contains("empty.txt"));
    let error = dir.run(&format!("{QUICK} -q {} --export out.png", data("4x4.txt"))).fails();
    assert!(error.contains("out.png") && error.contains(".svg"), "{error}");
    let unknown = dir.run(&format!("{QUICK} {} --engines bitmask,magic", data("4x4.txt")));
    assert!(unknown.code == Some(2) && unknown.err.contains("no engine is called 'magic'"), "{unknown:?}");
}

/// The solver writes its input to a file.
#[test]
#[cfg(unix)]
fn isomorphs_and_orders_are_random_and_repeatable() {
    let dir = TestDir::new();
    let given = |options: &str| {
        let arguments = format!("{QUICK} --engines bitmask {} {options} --solver", data("4x4.txt"));
        let result = run_with(&dir, &arguments, "tee given.txt | sed 's/.*/1/'");
        let err = result.err.clone();
        result.ends(0);
        (dir.read("given.txt"), err)
    };
    let plain = given("").0;
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&plain).len(), 200);
    let shuffled = given("--shuffle 1").0;
    assert_ne!(shuffled, plain);
    assert_eq!(sorted(&shuffled), sorted(&plain));
    let (isomorphs, err) = given("--isomorphs");
    assert_ne!(sorted(&isomorphs), sorted(&plain));
    let seed = err.split("--isomorphs=").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert_eq!(given(&format!("--isomorphs={seed}")).0, isomorphs);
}

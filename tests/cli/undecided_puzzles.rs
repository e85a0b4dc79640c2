//! Puzzles that a search gave up on: `--max-branches`, and a signal in the middle of a long search.

use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

/// A record of each status, if no guess is allowed: the second puzzle needs some.
fn write_records(dir: &TestDir) {
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish\n"));
}

#[test]
fn rows_of_undecided_puzzles() {
    let dir = TestDir::new();
    write_records(&dir);
    let solve = |options: &str| dir.run(&format!("solve -q in.txt --max-branches 0 {options}"));
    let columns = "--columns status,solutions,solution,branches,detail";
    let gave_up = "gave up after 0 branches with 1 solution found";
    assert_eq!(
        solve(columns).ends(0),
        format!(
            "status,solutions,solution,branches,detail\nunique,1,{UNIQUE_SOLUTION},0,\nundecided,,,,{gave_up}\n\
             none,0,,0,\"two 1s in row 1: r1c1, r1c2\"\nmalformed,0,,0,\"7 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n"
        )
    );
    for question in ["", "--first", "--all --limit 5"] {
        for engine in ["bitmask", "dlx", "auto"] {
            let rows = solve(&format!("{columns} --to jsonl {question} --engine {engine}")).ends(0);
            let row = rows.lines().nth(1).unwrap();
            assert!(row.starts_with("{\"status\":\"undecided\",\"solutions\":null,\"solution\":"), "{row}");
            assert!(row.contains("\"branches\":null,\"detail\":\"gave up after 0 branches with "), "{row}");
            // The printed list of a puzzle would look complete, so it is empty.
            assert!(!row.contains("\"solution\":\"") && !row.contains("[\""), "{row}");
        }
    }
    assert_eq!(solve("--to lines").ends(0).lines().nth(1), Some(&*format!("# line 2: undecided: {gave_up}")));
    assert_eq!(solve("--to listing").ends(0).lines().nth(6), Some(&*format!("UNDECIDED : line 2: {gave_up}")));
    assert!(
        dir.run("solve in.txt --max-branches 0").err.contains("unique 1  multiple 0  none 1  undecided 1  malformed 1")
    );
    for (options, status) in [("--max-branches none", "multiple"), ("--max-branches 1", "multiple"), ("", "multiple")] {
        let rows = dir.run(&format!("solve -q in.txt --columns status {options}")).ends(0);
        assert_eq!(rows.lines().nth(2), Some(status), "{options}");
    }
    let pipe = dir.run_on(format!("{MULTIPLE}\n"), "pipe --max-branches 0 --columns status,detail").ends(0);
    assert_eq!(pipe, format!("undecided,{gave_up}\n"));
}

#[test]
fn an_undecided_puzzle_is_not_a_pass() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{MULTIPLE}\n"));
    for command in ["solve --strict", "validate", "validate --fail-on undecided"] {
        dir.run(&format!("{command} in.txt --max-branches 0")).ends(1);
    }
    dir.run("solve in.txt --max-branches 0").ends(0);
    let result = dir.run("validate in.txt --max-branches 0 --fail-on malformed --rejects rejects.txt");
    assert!(result.err.contains("undecided                 1"), "{}", result.err);
    assert!(
        result.err.contains("none   undecided\n      1           0           0           0           1"),
        "{}",
        result.err
    );
    let gave_up = "gave up after 0 branches with 1 solution found";
    let row = format!("1,{MULTIPLE},undecided,undecided,{gave_up},1,,,");
    assert_eq!(result.ends(0).lines().nth(1), Some(&*row));
    assert_eq!(dir.read("rejects.txt"), format!("{MULTIPLE}\n"));
    let error = dir.run("solve in.txt --max-branches few").fails();
    assert!(error.contains("'few' is not a bound: expected a number"), "{error}");
}

/// Without its clues a puzzle may take more guesses than with them.
#[test]
fn a_check_of_minimality_can_be_undecided() {
    let dir = TestDir::new();
    let validate = |bound: u32| {
        let file = data("minimal.txt");
        dir.run(&format!("validate -q {file} --minimal --engine bitmask --max-branches {bound} --fail-on malformed"))
            .ends(0)
    };
    let rows = validate(3);
    let about_a_clue = |row: &&str| row.contains(",undecided,undecided,without r");
    assert!(rows.lines().filter(about_a_clue).count() > 0, "{rows}");
    assert!(rows.lines().all(|row| !row.contains("not-minimal")));
    assert!(validate(100_000).lines().all(|row| !row.contains("undecided")));
}

#[test]
fn an_undecided_puzzle_has_no_canonical_form() {
    let dir = TestDir::new();
    let puzzle = dir.run("generate -n 1 --seed 3").ends(0);
    dir.write("in.txt", format!("{}\n", ".".repeat(81)) + &puzzle);
    let result = dir.run("canon in.txt --engine bitmask --max-branches 0");
    assert!(result.err.contains("without a form: "), "{}", result.err);
    assert!(result.err.contains(" undecided"), "{}", result.err);
    assert!(result.ends(0).lines().nth(1).unwrap().ends_with("....,,,,,undecided: the search for solutions gave up"));
}

#[test]
fn undecided_puzzles_are_the_same_for_any_threads_and_chunks() {
    let dir = TestDir::new();
    let files = [data("minimal.txt"), data("mixed.txt"), data("16x16.txt"), data("4x4.txt")].join(" ");
    let columns = "file,line,puzzle,status,solutions,solution,branches,detail";
    for engine in ["bitmask", "dlx"] {
        let solve = |layout: &str, bound: &str| {
            dir.run(&format!("solve -q {files} --engine {engine} --columns {columns} {layout} --max-branches {bound}"))
                .ends(0)
        };
        let rows = solve("--threads 1", "4");
        let undecided = rows.lines().filter(|row| row.contains(",undecided,,")).count();
        assert!((10..rows.lines().count() / 2).contains(&undecided), "{engine}: {undecided}");
        for layout in ["--threads 2", "--threads 2 --chunk 1", "--threads 3 --chunk 17"] {
            assert!(solve(layout, "4") == rows, "{engine} {layout}");
        }
        // What is decided is right.
        let free = solve("--threads 2", "none");
        for (row, free) in rows.lines().zip(free.lines()) {
            assert!(row == free || row.contains(",undecided,,,,"), "{engine}: {row}");
        }
    }
}

#[test]
fn shards_with_other_bounds_are_not_merged() {
    let dir = TestDir::new();
    write_records(&dir);
    for (shard, bound) in [("1/2", 0), ("2/2", 1)] {
        let name = shard.replace('/', "-");
        dir.run(&format!("solve -q in.txt --shard {shard} --max-branches {bound} -o {name}.csv")).ends(0);
    }
    let error = dir.run("merge 1-2.csv 2-2.csv").fails();
    assert!(error.contains("--max-branches was 0, is 1"), "{error}");
    dir.run("solve -q in.txt --shard 2/2 --max-branches 0 -o 2-2.csv").ends(0);
    let complete = dir.run("solve -q in.txt --max-branches 0 --columns line,status").ends(0);
    let merged = dir.run("merge -q 1-2.csv 2-2.csv").ends(0);
    assert_eq!(merged.lines().count(), complete.lines().count());
}

#[test]
fn generated_puzzles_depend_on_the_bound_only() {
    let dir = TestDir::new();
    let generate = |options: &str| dir.run(&format!("generate -n 40 --seed 5 {options}")).ends(0);
    let few = generate("--max-branches 1 --threads 1");
    assert_eq!(generate("--max-branches 1 --threads 3"), few);
    assert_ne!(generate(""), few);
    dir.write("few.txt", few);
    dir.run("solve -q few.txt --strict").ends(0);
}

/// Twelve digits of row 1 have ten cells: the boxes of the others have them in other rows. The engine dlx looks for a way
/// to place them for many minutes.
#[test]
#[cfg(unix)]
fn a_signal_ends_a_long_search() {
    use crate::signals::{send, wait, wait_for_lines};

    let dir = TestDir::new();
    let mut grid = vec!['.'; 625];
    for (box_, digit) in (0..3).flat_map(|box_| (0..12).map(move |digit| (box_, digit))) {
        let (row, column) = (1 + (digit / 5 + box_) % 4, 10 + 5 * box_ + digit % 5);
        grid[row * 25 + column] = char::from(b'A' + digit as u8);
    }
    let grid: String = grid.into_iter().collect();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(10) + &format!("{grid}\n"));
    for (signal, command) in [("TERM", "solve"), ("INT", "validate"), ("TERM", "canon")] {
        let options = "--alphabet a-y --engine dlx --max-branches none --chunk 2 -o out.csv";
        let child = dir.start(&format!("{command} in.txt {options}"));
        wait_for_lines(&dir, "out.csv.partial", 11);
        send(signal, &child);
        let result = wait(child);
        assert_eq!(result.code, Some(130), "{command}: {}", result.err);
        assert_eq!(dir.read("out.csv.partial").lines().count(), 11, "{command}: the rows before the grid");
        assert!(result.err.contains("stopped after line 10 of in.txt"), "{command}: {}", result.err);
        std::fs::remove_file(dir.path("out.csv.partial")).unwrap();
    }
    // With a bound, the run ends by itself.
    dir.run("solve in.txt --alphabet a-y --engine dlx --max-branches 1000 --strict").ends(1);
}

//! Inputs in which no record is a puzzle: a line on standard error says so, and a check against one is an error.

use crate::{MULTIPLE, TestDir, UNIQUE};

/// A file with sentences before the puzzles, which are longer than a label: no record is a puzzle.
const NAMED: &str = "a puzzle: 1.3..........4.2\nb puzzle: 1...............\nc puzzle: 11..............\n";
const REASON: &str = "1 cell; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625";

fn named_message(name: &str) -> String {
    format!("no record of {name} is a puzzle: 3 records, all malformed; the first, on line 1: {REASON}")
}

#[test]
fn inputs_without_a_puzzle_are_named_even_if_quiet() {
    let dir = TestDir::new();
    dir.write("named.txt", NAMED).write("empty.txt", "").write("in.txt", format!("{UNIQUE}\n"));
    dir.write("one.csv", "puzzle\nx\n").write("half.txt", format!("{UNIQUE}\nrubbish\n"));
    for (command, code) in [
        ("solve", 0),
        ("solve --threads 1 --chunk 1", 0),
        ("canon", 0),
        ("rate", 0),
        ("validate --fail-on not-minimal --minimal", 0),
    ] {
        let run = |files: &str| {
            let result = dir.run(&format!("{command} -q {files} -o out.csv"));
            assert_eq!(result.code, Some(code), "{command} {files}: {}", result.err);
            result.err
        };
        assert_eq!(run("in.txt half.txt"), "", "{command}");
        assert_eq!(run("named.txt"), format!("gridmill: {}\n", named_message("named.txt")));
        assert_eq!(run("empty.txt"), "gridmill: empty.txt has no records\n");
        assert_eq!(
            run("empty.txt in.txt named.txt one.csv"),
            format!(
                "gridmill: empty.txt has no records\ngridmill: {}\n\
                 gridmill: no record of one.csv is a puzzle: 1 record, malformed; it is on line 2: {REASON}\n",
                named_message("named.txt")
            )
        );
    }
    let result = dir.run_on(NAMED, "solve");
    assert!(result.err.contains(&format!("gridmill: {}\n", named_message("-"))), "{}", result.err);
}

/// A file that was named by mistake is an error, unless its format was given.
#[test]
fn files_that_are_no_corpus_are_errors() {
    let dir = TestDir::new();
    dir.write("notes.md", "# Notes\n\nSome words.\n\nMore words, of 2024-01-02.\n").write("in.txt", UNIQUE);
    for command in ["solve -q notes.md", "validate -q in.txt notes.md", "canon -q notes.md", "bench -q notes.md"] {
        let error =
            dir.run(&format!("{command} {}", if command.starts_with("bench") { "" } else { "-o rows" })).fails();
        let start =
            "gridmill: notes.md: not a puzzle file: none of its records is close to a puzzle, line 3: 4 cells; a ";
        assert!(
            error.starts_with(start) && error.contains("; use --from lines to treat every line as a record"),
            "{error}"
        );
    }
    let rows = dir.run("solve -q notes.md --from lines --columns line,status --no-header").ends(0);
    assert_eq!(rows, "3,malformed\n5,malformed\n");
}

#[test]
fn a_puzzle_in_place_of_a_file_hints_at_a_pipe() {
    let dir = TestDir::new();
    let error = dir.run("solve 53..7....6..195...").fails();
    assert!(error.ends_with("; to solve a puzzle, pipe it: echo '53..7....6..195...' | gridmill solve"), "{error}");
    assert!(!dir.run("solve 53..7.txt").fails().contains("pipe"));
}

/// Records are malformed, or there are none: the first is wrong, the other may be.
#[test]
fn exit_codes_are_those_of_the_records() {
    let dir = TestDir::new();
    dir.write("named.txt", NAMED).write("empty.txt", "");
    for (arguments, code) in [
        ("solve --strict named.txt", 1),
        ("solve --strict empty.txt", 0),
        ("validate named.txt", 1),
        ("validate --fail-on malformed named.txt", 1),
        ("validate --fail-on all empty.txt", 0),
    ] {
        let result = dir.run(&format!("{arguments} -q"));
        assert_eq!(result.err.lines().count(), 1, "{}", result.err);
        result.ends(code);
    }
}

#[test]
fn a_program_that_drives_gridmill_gets_no_message() {
    let dir = TestDir::new();
    for input in ["", NAMED] {
        assert_eq!(dir.run_on(input, "pipe").err, "");
    }
}

/// A small corpus in many shards leaves some of them empty.
#[test]
fn a_shard_may_have_no_records() {
    let dir = TestDir::new();
    dir.write("named.txt", NAMED);
    let run = |shard: &str| dir.run(&format!("solve -q --strict named.txt --shard {shard} -o {}", &shard[..1]));
    let first = run("1/2");
    let words = format!(
        "gridmill: no record of named.txt in shard 1/2 is a puzzle: 3 records, all malformed; the first, on line 1: \
         {REASON}\n"
    );
    assert_eq!(first.err, words);
    first.ends(1);
    let second = run("2/2");
    assert_eq!(second.err, "");
    second.ends(0);
}

#[test]
fn leaks_cannot_be_looked_for_without_a_puzzle() {
    let dir = TestDir::new();
    dir.write("test.txt", format!("{UNIQUE}\n")).write("train.txt", NAMED).write("empty.txt", "");
    dir.write("good.txt", format!("{MULTIPLE}\nrubbish\n{MULTIPLE}\nrubbish\n"));
    for (others, why) in [
        ("train.txt", named_message("train.txt")),
        ("empty.txt", "empty.txt has no records".to_owned()),
        ("empty.txt train.txt", format!("empty.txt has no records; {}", named_message("train.txt"))),
        ("good.txt empty.txt train.txt", named_message("train.txt")),
    ] {
        for options in ["", "--isomorphs --fail-on all", "-o report.csv"] {
            let error = dir.run(&format!("validate -q test.txt --against {others} {options}")).fails();
            assert_eq!(error, format!("gridmill: cannot look for leaks: {why}"));
        }
    }
    let result = dir.run("validate test.txt --against good.txt empty.txt --summary card.json");
    let words = "no puzzle, isomorph or solution is in the other corpus of 4 records, 2 of them malformed\n";
    assert!(result.err.contains(words), "{}", result.err);
    result.ends(0);
    let card: serde_json::Value = serde_json::from_str(&dir.read("card.json")).unwrap();
    assert_eq!((&card["against_records"], &card["against_malformed"]), (&4.into(), &2.into()));
}

//! Inputs in which no record is a puzzle: a line on standard error says so, and a check against one is an error.

use crate::{MULTIPLE, TestDir, UNIQUE};

/// A file whose lines have lost a cell each: no record is a puzzle.
const SHORT: &str = "1.3..........4.\n1..............\n11.............\n";

/// The fault of a record with too few cells.
fn fault(cells: &str) -> String {
    format!("{cells}; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625")
}

fn short_message(name: &str) -> String {
    format!(
        "{name}: read as lines (guessed from its first 64 KiB), and none of its 3 records is a puzzle; the first, on line 1: \
         {}; name another format with --from",
        fault("15 cells")
    )
}

#[test]
fn inputs_without_a_puzzle_are_named_even_if_quiet() {
    let dir = TestDir::new();
    dir.write("short.txt", SHORT).write("empty.txt", "").write("in.txt", format!("{UNIQUE}\n"));
    dir.write("one.csv", "puzzle\nx\n").write("half.txt", format!("{UNIQUE}\nrubbish\n"));
    let of_table = format!(
        "one.csv: read as csv (guessed from its first 64 KiB), and none of its 1 record is a puzzle; it is on line 2: \
         {}; name another format with --from, or another column with --puzzle-column",
        fault("1 cell")
    );
    for command in
        ["solve", "solve --threads 1 --chunk 1", "canon", "rate", "convert", "validate --fail-on not-minimal --minimal"]
    {
        let run = |files: &str, code| {
            let result = dir.run(&format!("{command} -q {files} -o out.csv"));
            assert_eq!(result.code, Some(code), "{command} {files}: {}", result.err);
            result.err
        };
        assert_eq!(run("in.txt half.txt", 0), "", "{command}");
        assert_eq!(run("empty.txt", 0), "gridmill: empty.txt has no records\n");
        assert_eq!(run("short.txt", 2), format!("gridmill: {}\n", short_message("short.txt")));
        assert_eq!(
            run("empty.txt in.txt short.txt one.csv", 2),
            format!(
                "gridmill: empty.txt has no records\ngridmill: {}\ngridmill: {of_table}\n",
                short_message("short.txt")
            )
        );
        assert!(dir.read("out.csv").contains("3..........4."), "the rows are complete: {command}");
    }
    dir.run("dedupe -q short.txt -o out.txt").ends(2);
    let result = dir.run_on(SHORT, "solve");
    assert!(result.err.contains(&format!("gridmill: {}\n", short_message("-"))), "{}", result.err);
}

/// A format that was named is no guess, and a puzzle that was read confirms one, even if the job does not take it.
#[test]
fn only_a_guess_that_no_record_confirms_is_an_error() {
    let dir = TestDir::new();
    dir.write("short.txt", SHORT).write("marks.txt", format!("{}\n", "123456789".repeat(81)));
    let message = format!(
        "no record of short.txt is a puzzle: 3 records, all malformed; the first, on line 1: {}",
        fault("15 cells")
    );
    let result = dir.run("solve -q short.txt --from lines -o out.csv");
    assert_eq!(result.err, format!("gridmill: {message}\n"));
    result.ends(0);
    dir.run("solve -q --strict short.txt --from lines -o out.csv").ends(1);
    let result = dir.run("canon -q marks.txt -o out.csv");
    assert!(
        result.err.starts_with("gridmill: no record of marks.txt is a puzzle: 1 record, malformed;"),
        "{}",
        result.err
    );
    result.ends(0);
}

/// The column of a typed table is a guess, too.
#[test]
fn a_column_without_a_puzzle_is_an_error() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle,solution\n{UNIQUE},x\n"))
        .write("bad.csv", format!("puzzle,note\n{UNIQUE},x\n"));
    dir.run("convert -q in.csv --keep solution -o in.parquet").ends(0);
    let result = dir.run("solve -q in.parquet --puzzle-column solution -o out.csv");
    assert!(
        result.err.starts_with(
            "gridmill: in.parquet: read as parquet, and none of its 1 record is a puzzle; it is on line 1: "
        ) && result.err.ends_with("; name another column with --puzzle-column\n"),
        "{}",
        result.err
    );
    result.ends(2);
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
    assert!(error.ends_with("; to read a puzzle, pipe it: echo '53..7....6..195...' | gridmill solve"), "{error}");
    assert!(!dir.run("solve 53..7.txt").fails().contains("pipe"));
}

/// A guess is wrong, records are malformed, or there are none: the first two are wrong, the last may be.
#[test]
fn exit_codes_are_those_of_the_records() {
    let dir = TestDir::new();
    dir.write("short.txt", SHORT).write("empty.txt", "");
    for (arguments, code) in [
        ("solve --strict short.txt", 2),
        ("solve --strict short.txt --from lines", 1),
        ("solve --strict empty.txt", 0),
        ("validate short.txt", 2),
        ("validate --fail-on malformed short.txt --from lines", 1),
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
    for input in ["", SHORT] {
        assert_eq!(dir.run_on(input, "pipe").err, "");
    }
}

/// A small corpus in many shards leaves some of them empty.
#[test]
fn a_shard_may_have_no_records() {
    let dir = TestDir::new();
    dir.write("short.txt", SHORT);
    let run = |shard: &str| dir.run(&format!("solve -q --strict short.txt --shard {shard} -o {}", &shard[..1]));
    let first = run("1/2");
    assert_eq!(first.err, format!("gridmill: {}\n", short_message("short.txt in shard 1/2")));
    first.ends(2);
    let second = run("2/2");
    assert_eq!(second.err, "");
    second.ends(0);
}

#[test]
fn leaks_cannot_be_looked_for_without_a_puzzle() {
    let dir = TestDir::new();
    dir.write("test.txt", format!("{UNIQUE}\n")).write("train.txt", SHORT).write("empty.txt", "");
    dir.write("good.txt", format!("{MULTIPLE}\nrubbish\n{MULTIPLE}\nrubbish\n"));
    for (others, why) in [
        ("train.txt", short_message("train.txt")),
        ("empty.txt", "empty.txt has no records".to_owned()),
        ("empty.txt train.txt", format!("empty.txt has no records; {}", short_message("train.txt"))),
        ("good.txt empty.txt train.txt", short_message("train.txt")),
    ] {
        for options in ["", "--isomorphs --fail-on all", "-o report.csv"] {
            let error = dir.run(&format!("validate -q test.txt --against {others} {options}")).fails();
            assert_eq!(error, format!("gridmill: cannot look for leaks: {why}"));
        }
    }
    let result = dir.run("validate test.txt --against good.txt empty.txt --summary card.json --allow-malformed");
    let words = "no puzzle, isomorph or solution is in the other corpus of 4 records, 2 of them malformed\n";
    assert!(result.err.contains(words), "{}", result.err);
    result.ends(0);
    let card: serde_json::Value = serde_json::from_str(&dir.read("card.json")).unwrap();
    assert_eq!((&card["against_records"], &card["against_malformed"]), (&4.into(), &2.into()));
}

/// Malformed records of a corpus to compare with may be the puzzles that are looked for.
#[test]
fn a_comparison_with_a_part_of_a_corpus_does_not_pass() {
    let dir = TestDir::new();
    let marks = "1".repeat(729);
    dir.write("test.txt", format!("{UNIQUE}\n")).write("whole.txt", format!("{MULTIPLE}\n"));
    dir.write("half.txt", format!("{MULTIPLE}\nrubbish\n{MULTIPLE}\n{marks}\n"));
    dir.write("most.txt", format!("{MULTIPLE}\n{}", "rubbish\n".repeat(2)));
    // A line of a quoted field that is a record of its own, and text after the end.
    dir.write("quoted.csv", format!("id,puzzle\n\"a\n2,{UNIQUE}\nb\",{MULTIPLE}\n"));
    dir.write("end.txt", format!("{MULTIPLE}\nend\n{UNIQUE}\n"));
    let half = format!("2 of 4 records of half.txt are malformed; the first, on line 2: {}", fault("7 cells"));
    let most = format!("2 of 3 records of most.txt are malformed; the first, on line 2: {}", fault("7 cells"));
    let quoted = "quoted.csv: 1 record has a quoted field with lines that look like records; they are read as part of the \
                  field; the first is on line 2";
    let end = "end.txt: the text after 'end' on line 2 is not read";
    let remedy = "--allow-malformed leaves them out";

    let validate = |others: &str| dir.run(&format!("validate -q test.txt --against {others} --summary card.json"));
    validate("whole.txt").ends(0);
    let result = validate("whole.txt half.txt");
    assert_eq!(result.err, format!("gridmill: {half}; they are not compared\n"));
    result.ends(1);
    let card: serde_json::Value = serde_json::from_str(&dir.read("card.json")).unwrap();
    assert_eq!((&card["failed_on"], &card["unread"]), (&["unread"].into(), &[&*half].into()));
    let page = dir.run("certify -q test.txt --train half.txt").ends(1);
    assert!(page.contains(&format!("\n- failure: {half}\n")), "{page}");
    for (others, unread) in
        [("most.txt half.txt", format!("{most}; {half}")), ("quoted.csv", quoted.into()), ("end.txt", end.into())]
    {
        let error = format!("gridmill: cannot look for leaks: {unread}; {remedy}");
        let result = validate(&format!("whole.txt {others}"));
        assert!(result.err.trim_end().ends_with(&error), "{}", result.err);
        result.ends(2);
        dir.run(&format!("certify -q test.txt --train {}", others.split(' ').next().unwrap())).ends(2);
    }

    let (half, most) = (&*half, &*most);
    for (other, unread) in [("half.txt", half), ("most.txt", most), ("quoted.csv", quoted), ("end.txt", end)] {
        let last = |command: &str| dir.run(command).err.lines().last().unwrap_or_default().to_owned();
        let error = last(&format!("classes -q {other} -o out.classes"));
        // The quoted field with lines has a puzzle.
        let start = format!("gridmill: the set would be incomplete: {unread}; ");
        assert!(error.starts_with(&start) && error.ends_with(remedy), "{error}");
        let error = last(&format!("generate -q -n 1 --size 4x4 --not-in {other}"));
        assert_eq!(error, format!("gridmill: cannot look for isomorphs in --not-in: {unread}; {remedy}"));

        validate(&format!("whole.txt {other} --allow-malformed")).ends(0);
        // Malformed records are allowed, but text that is not read is a failure.
        let page = dir.run(&format!("certify -q test.txt --train {other} --allow-malformed")).ends(1);
        let is_allowed = [half, most].contains(&unread);
        assert_eq!(page.contains(&format!("- failure: {unread}\n")), !is_allowed, "{page}");
        assert_eq!(page.contains(" 2 records malformed"), is_allowed, "{page}");
        dir.run(&format!("generate -q -n 1 --size 4x4 --not-in {other} --allow-malformed")).ends(0);
        dir.run(&format!("classes -q {other} -o out.classes --allow-malformed")).ends(0);
    }

    // A set of classes says what it lacks.
    dir.run("classes -q half.txt -o half.classes --allow-malformed").ends(0);
    let words = "2 of 4 records of half.classes are malformed";
    let result = validate("half.classes");
    assert_eq!(result.err, format!("gridmill: {words}; they are not compared\n"));
    result.ends(1);
    validate("half.classes --allow-malformed").ends(0);
    let error = dir.run("generate -q -n 1 --size 4x4 --not-in half.classes").fails();
    assert!(error.contains(words), "{error}");
}

/// The corpus itself passes only if all its text was read.
#[test]
fn text_that_is_not_read_does_not_pass() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("id,puzzle\n\"a\n2,{UNIQUE}\nb\",{UNIQUE}\n"));
    dir.write("end.txt", format!("{UNIQUE}\nend\nmore\n")).write("other.txt", MULTIPLE);
    // A comment is not data.
    dir.write("comment.txt", format!("{UNIQUE}\n# {UNIQUE}\n"));
    for (command, code) in [("solve", 0), ("solve --strict", 1), ("validate", 1), ("validate --fail-on conflict", 1)] {
        dir.run(&format!("{command} -q in.csv -o out.csv")).ends(code);
        dir.run(&format!("{command} -q end.txt -o out.csv")).ends(code);
        dir.run(&format!("{command} -q comment.txt -o out.csv")).ends(0);
    }
    dir.run("validate -q other.txt --against comment.txt --fail-on leak").ends(0);
}

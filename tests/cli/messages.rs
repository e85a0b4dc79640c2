//! Messages on standard error: one line each, and nothing in a name or an input steers the terminal.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use crate::{MULTIPLE, RunResult, TestDir, UNIQUE};

/// Colours, bells, line ends, a C1 sequence and text from right to left.
const NASTY: &str = "a\u{1b}[31m\u{7}\r\n\t\u{7f}\u{9b}2J\u{202e}\u{2066}\u{2028}z";
const SHOWN: &str = r"a\u{1b}[31m\u{7}\r\n\t\u{7f}\u{9b}2J\u{202e}\u{2066}\u{2028}z";

/// Runs in a directory, where `@` stands for the nasty name.
fn run(dir: &TestDir, arguments: &str) -> RunResult {
    let mut command = dir.command("");
    command.args(arguments.split_whitespace().map(|argument| argument.replace('@', NASTY)));
    RunResult::from(command.stdin(Stdio::null()).output().unwrap())
}

/// Whether a character steers a terminal. A line end does not: messages end with one.
fn steers(c: char) -> bool {
    c.is_control() && c != '\n' || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Checks that a message has the nasty name in its shown form, and nothing else that steers a terminal.
#[track_caller]
fn check(message: &str) {
    assert_eq!(message.chars().find(|&c| steers(c)), None, "{message:?}");
    assert!(message.contains(SHOWN), "{message}");
    assert!(message.lines().all(|line| line.starts_with("gridmill: ") || line.starts_with("  ")), "{message}");
}

#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let dir = TestDir::new();
    let puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    dir.write(NASTY, format!("{puzzle}\n{puzzle}\n")).write("in.txt", UNIQUE);
    for arguments in [
        "solve @",
        "solve @ --progress always",
        "validate @ --isomorphs",
        "validate in.txt --against @",
        "canon @",
        "rate @ --only er --max-er 1.5",
        "bench @ --engines bitmask,dlx --seconds 0.01",
    ] {
        let result = run(&dir, arguments);
        if !arguments.contains("always") {
            check(&result.err);
        }
        result.ends(0);
    }
    run(&dir, "solve -q in.txt --shard 1/1 -o @.csv").ends(0);
    for arguments in [
        "solve @.txt",
        "solve -q in.txt -o @/out.csv",
        "solve -q in.txt -o out.csv --summary @/s.json",
        "validate -q in.txt --rejects @/r.txt",
        "merge @ -o merged.csv",
        "merge @.csv @.csv -o merged.csv",
        "bench in.txt --export @.pdf",
    ] {
        check(&run(&dir, arguments).fails());
    }
    // Of wrong options, clap leaves out escape sequences and all that follows a line end.
    for arguments in ["solve --engine @", "solve in.txt --@"] {
        let error = run(&dir, arguments).fails();
        assert_eq!(error.chars().find(|&c| steers(c)), None, "{error:?}");
    }
}

#[test]
fn names_of_columns_do_not_steer_the_terminal() {
    let dir = TestDir::new();
    let row = format!("{UNIQUE},{UNIQUE}\n");
    dir.write("named.csv", format!("puzzle,\"{NASTY}\"\n{row}")).write("unnamed.csv", format!("\"{NASTY}\",b\n{row}"));
    check(&run(&dir, "solve named.csv --puzzle-column @").err);
    check(&run(&dir, "validate named.csv --answer-column @").err);
    for arguments in ["unnamed.csv --from csv", "named.csv --keep nope", "named.csv --puzzle-column nope"] {
        check(&run(&dir, &format!("solve -q {arguments}")).fails());
    }
}

/// A damaged manifest and a disagreement quote what they found.
#[test]
fn what_others_wrote_does_not_steer_the_terminal() {
    let dir = TestDir::new();
    dir.write(NASTY, format!("{MULTIPLE}\n{UNIQUE}\n"))
        .write("in.txt", UNIQUE)
        .write("wrong", "#!/bin/sh\nsed s/.*/1/\n");
    fs::set_permissions(dir.path("wrong"), Permissions::from_mode(0o755)).unwrap();
    let result = run(&dir, "bench @ -q --engines bitmask --solver ./wrong --seconds 0.01");
    check(&result.err);
    result.ends(1);
    let manifest = serde_json::json!({"gridmill": NASTY, "command": "solve", "inputs": [], "options": {}});
    dir.write("out.partial", "line\n").write("out.partial.json", manifest.to_string());
    check(&run(&dir, "solve -q in.txt -o out --resume").fails());
}

#[test]
fn a_very_long_header_is_shortened() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("{}b\nx\n", "column,".repeat(5000)));
    let error = dir.run("solve in.csv --from csv").fails();
    assert!(
        error.len() < 2100 && error.contains(" [...] ") && error.ends_with("column, b; name it with --puzzle-column"),
        "{error}"
    );
}

#[test]
fn names_that_are_not_utf_8_stay_different() {
    let dir = TestDir::new();
    let names = [&b"a\xff.txt"[..], b"a\xfe.txt"].map(OsStr::from_bytes);
    for name in names {
        fs::write(dir.0.path().join(name), UNIQUE).unwrap();
    }
    let solve = |options: &str, names: [&OsStr; 2]| {
        let mut command = dir.command("solve -q --columns file,line --no-header");
        RunResult::from(command.args(names).args(options.split_whitespace()).stdin(Stdio::null()).output().unwrap())
    };
    assert_eq!(solve("", names).ends(0), "a\\xff.txt,1\na\\xfe.txt,1\n");
    dir.write("bad.zip", b"PK\x03\x04");
    solve("bad.zip -o out", names).fails();
    let error = solve("bad.zip -o out --resume", [names[1], names[0]]).fails();
    assert!(error.contains(r"was a\xff.txt a\xfe.txt bad.zip, is a\xfe.txt a\xff.txt bad.zip"), "{error}");
}

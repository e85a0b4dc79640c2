//! Tests of `gridmill fuzz`: planted faults are found, with the puzzle, and the seed that makes it again.

use std::collections::HashMap;
use std::process::Stdio;

use assert_cmd::cargo::cargo_bin;

use crate::{RunResult, TestDir};

/// The kinds of puzzles.
const KINDS: [&str; 11] = [
    "empty",
    "few-clues",
    "several",
    "unique",
    "minimal",
    "nearly-full",
    "full",
    "changed-clue",
    "random-clues",
    "clash",
    "full-clash",
];

/// Runs with a solver, which may use gridmill.
fn run_with(dir: &TestDir, arguments: &str, solver: &str) -> RunResult {
    let solver = solver.replace("gridmill", &cargo_bin("gridmill").display().to_string());
    let mut command = dir.command(&format!("fuzz --engines bitmask {arguments} --solver"));
    command.arg(solver).stdin(Stdio::null()).output().unwrap().into()
}

/// The rows of a CSV file.
fn rows(dir: &TestDir, name: &str) -> Vec<HashMap<String, String>> {
    let text = dir.read(name);
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>().unwrap()
}

/// Counts the solutions, but takes a puzzle without one for a puzzle with one.
const NEVER_NONE: &str =
    "wrong=gridmill solve -q --columns solutions,status --no-header | cut -d, -f1 | sed 's/^0$/1/'";

#[test]
fn engines_agree_on_puzzles_of_all_kinds_and_sizes() {
    let dir = TestDir::new();
    for (size, count) in
        [("4x4", 330), ("6x6", 330), ("8x8", 330), ("9x9", 330), ("10x10", 44), ("12x12", 22), ("16x16", 22)]
    {
        let result = dir.run(&format!("fuzz --size {size} -n {count} --seed 5 --max-branches 1000"));
        assert!(result.err.contains(" of seed 5 in ") && result.err.contains(": 0 disagreements\n"), "{}", result.err);
        for kind in KINDS {
            let line = result.err.lines().find(|line| line.trim_start().starts_with(&format!("{kind} "))).unwrap();
            assert!(line.ends_with(&format!(" {}", count / 11)), "{}", result.err);
        }
        assert_eq!(result.ends(0), "");
    }
    let result = dir.run("fuzz -q --seconds 0.1");
    assert_eq!((result.code, &*result.err), (Some(0), ""));
}

#[test]
#[cfg(unix)]
fn a_planted_fault_is_found_with_the_seed_that_makes_the_puzzle_again() {
    let dir = TestDir::new();
    let result = run_with(&dir, "--seed 7 -n 44 --disagreements wrong.csv", NEVER_NONE);
    let found = rows(&dir, "wrong.csv");
    let total = format!("{} disagreements", found.len());
    assert!(result.err.contains(&format!("gridmill: {total}, all of them in wrong.csv\n")), "{}", result.err);
    assert!(result.err.contains("gridmill: 44 puzzles of seed 7 in "), "{}", result.err);
    assert_eq!(result.err.matches("bitmask and wrong disagree on puzzle ").count(), 5, "{}", result.err);

    // All puzzles with a clash, and most of those with a changed clue.
    let of_kind = |kind: &str| found.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!(["clash", "full-clash", "empty", "minimal"].map(of_kind), [4, 4, 0, 0]);
    assert!(of_kind("changed-clue") > 0, "{found:?}");
    for row in &found {
        assert_eq!(["seed", "solver", "reference"].map(|name| &*row[name]), ["7", "wrong", "bitmask"]);
        assert_eq!((&*row["solutions"], &*row["expected_solutions"]), ("1", "0"), "{row:?}");
        assert_eq!(&*row["reason"], "another number of solutions");
    }

    // The first ones are shown, reduced to as few clues as it takes: two that clash, for instance.
    let first = &found[0];
    let place = format!("puzzle {} of seed 7 ({})", first["number"], first["kind"]);
    let shown = format!(
        "gridmill: bitmask and wrong disagree on {place}\n  puzzle   {}\n  bitmask  0 solutions\n  wrong    1 solution\n  \
         reduced  {}\n",
        first["puzzle"], first["reduced"]
    );
    assert!(result.err.contains(&shown), "{shown}: {}", result.err);
    for row in found.iter().filter(|row| !row["reduced"].is_empty()) {
        let clues = |name: &str| row[name].bytes().filter(|&symbol| symbol != b'.').count();
        assert!(clues("reduced") < clues("puzzle"), "{row:?}");
        assert!(row["kind"] != "clash" || clues("reduced") == 2, "{row:?}");
    }
    result.ends(1);

    let rows_before = dir.read("wrong.csv");
    run_with(&dir, "--seed 7 -n 44 --disagreements wrong.csv", NEVER_NONE).ends(1);
    assert_eq!(dir.read("wrong.csv"), rows_before);
    // By number, whatever comes after; and by kind alone.
    run_with(&dir, "--seed 7 -n 22 --disagreements fewer.csv", NEVER_NONE).ends(1);
    assert!(rows_before.starts_with(&dir.read("fewer.csv")));
    run_with(&dir, "--seed 7 -n 20 --kinds unique,empty", NEVER_NONE).ends(0);
    assert_eq!(run_with(&dir, "--seed 7 -n 20 -q --kinds clash", NEVER_NONE).err.matches("disagree on").count(), 5);
}

/// A solver that gives wrong grids, or another grid than the only one.
#[test]
#[cfg(unix)]
fn wrong_solutions_are_found() {
    let dir = TestDir::new();
    let swapped =
        "wrong=gridmill solve -q --first --columns solution | tail -n +2 | tr 12 21 | sed 's/^$/0/;s/\"\"/0/'";
    let result = run_with(&dir, "--seed 1 -n 22 --kinds unique,several --disagreements wrong.csv", swapped);
    result.ends(1);
    let found = rows(&dir, "wrong.csv");
    assert!(found.len() > 10, "{found:?}");
    assert!(found.iter().all(|row| row["reason"] == "the solution does not solve the puzzle"), "{found:?}");
    // The same solver as the reference.
    let mut command =
        dir.command("fuzz -q --seed 1 -n 2 --kinds unique --engines dlx,bitmask --reference wrong --solver");
    let solver = swapped.replace("gridmill", &cargo_bin("gridmill").display().to_string());
    let result = RunResult::from(command.arg(solver).stdin(Stdio::null()).output().unwrap());
    assert!(
        result.err.starts_with("gridmill: wrong and dlx disagree on puzzle 1 of seed 1 (unique)\n"),
        "{}",
        result.err
    );
    result.ends(1);
}

#[test]
#[cfg(unix)]
fn a_puzzle_on_which_a_solver_crashes_or_hangs_is_named() {
    let dir = TestDir::new();
    let right = "gridmill solve -q --columns solutions,status --no-header | cut -d, -f1";
    // Full grids have no dot.
    for (fault, options, reason) in [
        ("kill -9 $$", "", "failed: signal: 9 (SIGKILL)"),
        ("exit 3", "", "failed: exit status: 3"),
        ("sleep 600", "--timeout 2", "took longer than 2 s and was killed"),
        ("echo nonsense; exit", "", "neither a solution nor a count: 'nonsense'"),
    ] {
        let solver = format!(
            "bad=while read -r puzzle; do case $puzzle in *.*) echo \"$puzzle\" | {right} ;; *) {fault} ;; esac; done"
        );
        let kinds = "--kinds unique,several,minimal,unique,unique,full,empty";
        let result = run_with(&dir, &format!("-q --seed 3 -n 9 {kinds} --disagreements bad.csv {options}"), &solver);
        let found = rows(&dir, "bad.csv");
        assert_eq!(found.len(), 1, "{fault}: {}", result.err);
        let (row, start) = (&found[0], "'bad' on puzzle 6 of seed 3 (full)");
        assert_eq!((&*row["number"], &*row["solutions"], &*row["expected_solutions"]), ("6", "", "1"));
        assert!(row["reason"].starts_with(start) && row["reason"].contains(reason), "{row:?}");
        let shown = format!("gridmill: {}\n  puzzle   {}\n", row["reason"], row["puzzle"]);
        assert!(result.err.starts_with(&shown), "{}", result.err);
        result.ends(1);
    }

    // Its state, not a puzzle, makes it fail.
    let third = "bad=n=0; while read -r puzzle; do n=$((n + 1)); [ $n -lt 3 ] || exit 3; echo 1; done";
    let result = run_with(&dir, "-q --seed 3 -n 7 --kinds unique", third);
    let words = "'bad' on the puzzles from puzzle 4 of seed 3 (unique) to puzzle 7 of seed 3 (unique) failed: exit status: 3; \
                 on a part of them it does not fail";
    assert!(result.err.contains(words), "{}", result.err);
    result.ends(1);

    // What cannot be run at all is an error.
    let missing = run_with(&dir, "-q -n 9 --seed 1", "./missing");
    let last = "gridmill: './missing' on puzzle 1 of seed 1 (empty) failed: exit status: 127";
    assert_eq!(missing.err.lines().last(), Some(last), "{}", missing.err);
    missing.ends(2);
    let missing = dir.run("fuzz -q -n 9 --engines dlx --plugin a=./missing.so:solve");
    let lines: Vec<&str> = missing.err.lines().collect();
    assert!(lines[0].starts_with("gridmill: cannot load solve from ") && lines.len() == 2, "{}", missing.err);
    missing.ends(2);
    let error = dir.run("fuzz -q --reference mine").fails();
    assert!(error.starts_with("gridmill: there is no solver 'mine'"), "{error}");
}

/// The program notes each start and each end: it is started for a few batches, and killed once.
#[test]
#[cfg(unix)]
fn a_slow_start_and_a_time_out_are_paid_once() {
    let dir = TestDir::new();
    let lines = |name: &str| dir.read(name).lines().count();
    let solver = "slow=echo >> starts; sleep 0.3; sed s/.*/1/";
    run_with(&dir, "-q --seed 3 -n 64 --kinds unique", solver).ends(0);
    assert!(lines("starts") < 30, "{}", lines("starts"));

    // A full grid has no dot.
    dir.write("starts", "").write("ends", "");
    let solver = "bad=echo >> starts; while read -r puzzle; do case $puzzle in *.*) echo 1 ;; *) sleep 600 ;; esac; done; \
                  echo >> ends";
    let kinds = "unique,minimal,unique,minimal,unique,minimal,unique,minimal,unique,full,unique";
    let result = run_with(&dir, &format!("-q --seed 3 -n 11 --timeout 2 --kinds {kinds}"), solver);
    assert!(
        result.err.starts_with("gridmill: 'bad' on puzzle 10 of seed 3 (full) took longer than 2 s"),
        "{}",
        result.err
    );
    assert_eq!(lines("starts") - lines("ends"), 1);
    result.ends(1);
}

/// It fails on grids with at most one blank: one clue can be removed. Without time for that, the grid stays as it is.
#[test]
#[cfg(unix)]
fn a_puzzle_on_which_a_solver_fails_is_reduced_in_the_time_that_is_left() {
    let dir = TestDir::new();
    for (fault, options, is_reduced) in [
        ("sleep 600", "--timeout 3 -n 3", true),
        ("exit 3", "--seconds 600 -n 3", true),
        ("sleep 600", "--timeout 6 --seconds 5", false),
    ] {
        let solver = format!("bad=while read -r puzzle; do case $puzzle in *.*.*) echo 1 ;; *) {fault} ;; esac; done");
        let kinds = "--kinds full,unique,minimal";
        let result = run_with(&dir, &format!("-q --seed 3 {kinds} --disagreements bad.csv {options}"), &solver);
        let found = rows(&dir, "bad.csv");
        let row = &found[0];
        let reduced = if is_reduced { format!(".{}", &row["puzzle"][1..]) } else { String::new() };
        assert_eq!((found.len(), &*row["kind"], &row["reduced"]), (1, "full", &reduced), "{}", result.err);
        let words =
            format!("bad fails in the same way on puzzle 1 of seed 3 (full) with fewer clues\n  reduced  {reduced}\n");
        assert_eq!(result.err.contains(&words), is_reduced, "{}", result.err);
        result.ends(1);
    }
}

/// Without an end, a signal is the end: of a run without a finding, and of one with findings.
#[test]
#[cfg(unix)]
fn a_signal_ends_a_run_with_a_summary() {
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process};

    let dir = TestDir::new();
    let wrong = ["--solver", "sed s/.*/9/"];
    let hangs = ["--solver", "slow=sleep 600"];
    let stood_on = "gridmill: 'slow' on puzzle 1 of seed 1 (empty) was stopped\n";
    for (solver, code, words) in [
        (&[][..], 130, ": 0 disagreements\n"),
        (&hangs, 130, stood_on),
        (&wrong, 1, "disagree on puzzle 4 of seed 1 (unique)"),
    ] {
        let mut command = dir.command("fuzz --engines bitmask,dlx --seed 1 --disagreements found.csv");
        command.args(solver);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        crate::signals::wait_for_work(&child, 700);
        let clock = Instant::now();
        kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), Signal::INT).unwrap();
        let result = RunResult::from(child.wait_with_output().unwrap());
        assert!(clock.elapsed() < Duration::from_mins(1));
        assert!(result.err.contains("puzzles of seed 1 in ") && result.err.contains(words), "{}", result.err);
        assert_eq!(result.code, Some(code), "{}", result.err);
        assert_eq!(dir.read("found.csv").lines().count() > 1, code == 1);
    }
}

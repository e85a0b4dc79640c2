//! A signal ends a run within a moment, with complete rows, whatever it waits for.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::corpora::corpus;
use crate::{RunResult, TestDir, UNIQUE, data};

fn mkfifo(dir: &TestDir, name: &str) {
    assert!(Command::new("mkfifo").arg(dir.path(name)).status().unwrap().success());
}

pub(crate) fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &*child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until a file has this number of lines.
pub(crate) fn wait_for_lines(dir: &TestDir, name: &str, lines: usize) {
    dir.wait_for(name, lines as u64);
    while dir.read(name).lines().count() < lines {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a run takes signals itself, as before that, one ends it at once; and then for a time, in which it begins
/// its work.
pub(crate) fn wait_for_work(child: &Child, milliseconds: u64) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while Instant::now() < deadline && !takes_signals(child) {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(Duration::from_millis(milliseconds));
}

/// Whether a process handles SIGINT: bit 1 of `SigCgt` on Linux. Always true on other systems.
fn takes_signals(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_none_or(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
}

/// Waits for the end of a run; kills it if it does not come.
pub(crate) fn wait(mut child: Child) -> RunResult {
    let deadline = Instant::now() + Duration::from_mins(1);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(2));
    }
    RunResult::from(child.wait_with_output().unwrap())
}

/// Standard input stays open without a byte; nobody reads `out.fifo` or writes `in.fifo`.
#[test]
fn a_signal_ends_a_run_that_waits() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    mkfifo(&dir, "out.fifo");
    mkfifo(&dir, "in.fifo");
    let waiting = [
        "solve",
        "validate",
        "canon",
        "pipe",
        "bench",
        "solve in.txt -o out.fifo",
        "validate in.txt -o rows --rejects out.fifo",
        "canon in.txt -o out.fifo",
        "generate -n 1 -o out.fifo",
        "solve in.fifo",
        "solve in.txt in.fifo -o rows",
        "validate in.txt --against in.fifo",
        "validate in.txt --against in.txt in.fifo",
        "solve in.txt -o rows --summary out.fifo",
        "split --folds 2 -o parts",
        "split in.fifo --folds 2 -o parts",
        "split in.txt --parts fifo=1.0 -o out.{part}",
        "dedupe",
        "dedupe in.txt -o out.fifo",
        "dedupe in.txt -o rows --dropped out.fifo",
        "sample -n 1",
        "sample in.txt -n 1 -o out.fifo",
        "augment --copies 1",
        "augment in.txt --copies 1 -o out.fifo",
        "generate -n 1 --not-in in.fifo -o rows",
    ];
    for (index, arguments) in waiting.into_iter().enumerate() {
        let mut child = dir.start(arguments);
        let input = child.stdin.take();
        // A signal that comes before the run waits has to end it, too, so the time is not critical.
        wait_for_work(&child, if index % 2 == 0 { 150 } else { 60 });
        send(["INT", "TERM"][index % 2], &child);
        let result = wait(child);
        assert_eq!(result.code, Some(130), "{arguments}: {}", result.err);
        drop(input);
    }
}

/// A puzzle whose rating takes seconds, and one whose ER is 1.5.
const HARD: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
pub(crate) const EASY: &str = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";

/// Every command that may compute for a long time, on an input for which it takes longer than [`wait`] waits, or nearly.
#[test]
fn a_signal_ends_runs_that_compute() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"))
        .write("nine.txt", format!("123456789{}\n", ".".repeat(72)))
        .write("twenty-five.txt", format!("{}\n", ".".repeat(625)))
        .write("easy.txt", format!("{EASY}\n"))
        .write("hard.txt", format!("{HARD}\n").repeat(1000))
        .write("rated.csv", "puzzle,rating\n".to_owned() + &format!("{HARD},1.0\n").repeat(1000));
    dir.write("large.txt", fs::read_to_string(data("25x25.txt")).unwrap().repeat(1000));
    let explain = format!("explain {HARD}");
    let files = fs::read_dir(dir.path("")).unwrap().count();

    for (index, arguments) in [
        "generate -n 100000000 -o many",
        "generate -n 100000000",
        "generate -n 1000000 --size 25x25",
        "generate -n 1 --size 25x25 --max-branches none",
        "generate -n 1000 --er 11.9.. --max-tries 1e9",
        // There are none.
        "generate -n 1 --minimal --clues 50..60 --max-tries 1e9 -o none",
        "bench in.txt --seconds 100 --export out.csv --report out.html",
        "bench twenty-five.txt --engines dlx --limit 1e15 --max-branches none",
        "solve twenty-five.txt --alphabet a-y --engine dlx --limit 1e15 --max-branches none",
        "solve nine.txt --all --limit 1e12",
        "validate large.txt --minimal --engine dlx --max-branches none",
        "validate rated.csv --rating-column rating",
        "rate hard.txt",
        "rate hard.txt --steps",
        "augment nine.txt --copies 1e9",
        &explain,
    ]
    .into_iter()
    .enumerate()
    {
        let mut command = dir.command(arguments);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for_work(&child, 200);
        let signal = ["INT", "TERM"][index % 2];
        send(signal, &child);
        let result = wait(child);
        assert_eq!(result.code, Some(130), "{signal} {arguments}: {}", result.err);
    }

    // What a run has left is no obstacle for the next one.
    assert!(!dir.path("many").exists() && !dir.path("none.partial").exists());
    dir.run("generate -n 1 -o many").ends(0);
    assert_eq!(fs::read_dir(dir.path("")).unwrap().count(), files + 1);
}

/// The signal is sent while the second chunk is rated, which takes at least a minute.
#[test]
fn a_signal_within_a_rating_leaves_the_rows_before() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,rating\n{}{}", format!("{UNIQUE},\n").repeat(10), format!("{HARD},1.0\n").repeat(100)),
    );
    for arguments in ["rate in.csv --chunk 10", "validate in.csv --rating-column rating --chunk 10"] {
        let child = dir.start(&format!("{arguments} -o out.csv"));
        wait_for_lines(&dir, "out.csv.partial", 11);
        send("TERM", &child);
        let result = wait(child);
        assert_eq!(result.code, Some(130), "{arguments}: {}", result.err);
        assert_eq!(dir.read("out.csv.partial").lines().count(), 11, "{arguments}");
        let last =
            "gridmill: stopped after line 11 of in.csv; the rows so far are in out.csv.partial; resume with --resume\n";
        assert!(result.err.ends_with(last), "{arguments}: {}", result.err);
        // It starts after these rows, and comes no further.
        let child = dir.start(&format!("{arguments} -o out.csv --resume"));
        wait_for_work(&child, 500);
        send("INT", &child);
        let result = wait(child);
        assert!(result.err.contains("resuming out.csv.partial after 10 records"), "{arguments}: {}", result.err);
        assert_eq!((result.code, dir.read("out.csv.partial").lines().count()), (Some(130), 11), "{arguments}");
        fs::remove_file(dir.path("out.csv.partial")).unwrap();
    }
}

/// If a process of the solver lived on, it would keep standard error open until it has written that it is late.
#[test]
fn a_signal_ends_the_processes_of_a_solver() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"))
        .write("solver", "echo started > notes; (sleep 60; echo late >> notes) | cat\n");
    for (signal, options) in [("INT", ""), ("TERM", "--timeout 100")] {
        let mut command = dir.command("bench -q in.txt --engines bitmask --solver");
        command.arg("sh ./solver").args(options.split_whitespace()).stdin(Stdio::null());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        dir.wait_for("notes", 8);
        send(signal, &child);
        let result = wait(child);
        assert_eq!((result.code, &*result.err, &*dir.read("notes")), (Some(130), "", "started\n"), "{signal}");
        fs::remove_file(dir.path("notes")).unwrap();
    }
}

/// A process that has left the group of its solver holds the pipe open.
#[test]
fn a_signal_ends_a_run_whose_solver_has_a_daemon() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    let solver = "setsid sh -c 'echo $$ > daemon; exec sleep 600' 2>/dev/null & while read -r puzzle; do :; done; wait";
    for arguments in ["bench -q in.txt --engines bitmask --solver", "fuzz -q --engines bitmask --solver"] {
        let mut command = dir.command(arguments);
        let child = command.arg(solver).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.unwrap();
        dir.wait_for("daemon", 2);
        send("INT", &child);
        assert_eq!(wait(child).code, Some(130), "{arguments}");
        assert!(dir.shell("kill $(cat daemon); rm daemon", "").status().unwrap().success());
    }
}

/// Standard input stays open without more text, as if the name of a file had been forgotten.
#[test]
fn ctrl_c_leaves_complete_rows_and_says_where_it_stopped() {
    let dir = TestDir::new();
    let mut child = dir.start("solve --progress never -o out.csv --chunk 10");
    let mut input = child.stdin.take().unwrap();
    // More than is needed to detect the format, so that the run has started.
    input.write_all(format!("{UNIQUE}\n").repeat(10_005).as_bytes()).unwrap();
    dir.wait_for("out.csv.partial", 10_000 * 50);
    send("INT", &child);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.contains("gridmill: stopping; once more to quit at once\n"), "{said}");
    let stopped = said.lines().last().unwrap();
    let line = stopped.strip_prefix("gridmill: stopped after line ").unwrap().split(' ').next().unwrap();
    assert!(stopped.ends_with(" of -; the rows so far are in out.csv.partial; resume with --resume"), "{stopped}");
    let rows = dir.read("out.csv.partial");
    assert!(rows.ends_with(",\n") && !dir.path("out.csv").exists());
    let last = rows.lines().last().unwrap();
    assert!(last.starts_with(&format!("{line},{UNIQUE},unique,1,")), "{last}");
    assert_eq!(rows.lines().count(), line.parse::<usize>().unwrap() + 1);
    drop(input);
}

/// The summaries of commands that write part of their input, or more of it, agree with what they have written. No file
/// has its final name.
#[test]
fn ctrl_c_leaves_no_half_file_under_its_final_name() {
    let dir = TestDir::new();
    let puzzles: String = corpus("-n 50 --seed 5").into_iter().map(|(puzzle, _)| puzzle + "\n").collect();
    for (arguments, files, of_each_record) in [
        ("split --folds 2 -o .", &["fold-1.txt", "fold-2.txt"][..], 1),
        ("dedupe --dropped dropped.csv -o kept.txt", &["kept.txt", "dropped.csv"], 1),
        ("sample -n 1e6 -o sample.txt", &["sample.txt"], 1),
        ("augment --copies 2 -o copies.csv", &["copies.csv"], 2),
        ("augment --copies 2 -o copies.jsonl", &["copies.jsonl"], 2),
        #[cfg(feature = "parquet")]
        ("augment --copies 2 -o copies.parquet", &["copies.parquet"], 2),
        ("augment --copies 2 --to hrm -o set", &[], 2),
    ] {
        let mut child = dir.start(&format!("{arguments} --progress never"));
        // When so much of it is read, the run has started. Without its end, the run cannot be complete.
        let mut input = child.stdin.take().unwrap();
        input.write_all(puzzles.repeat(200).as_bytes()).unwrap();
        send("INT", &child);
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{arguments}: {said}");
        drop(input);
        let last = said.lines().last().unwrap();
        let line = last.strip_prefix("gridmill: stopped after line ").unwrap().split(' ').next().unwrap();
        let records: usize = line.parse().unwrap();
        let mut rows = 0;
        for file in files {
            assert!(!dir.path(file).exists(), "{arguments}");
            let partial = format!("{file}.partial");
            rows += if file.ends_with(".parquet") {
                fs::copy(dir.path(&partial), dir.path("read.parquet")).unwrap();
                dir.run("solve -q read.parquet --columns line --no-header").ends(0).lines().count()
            } else {
                let text = dir.read(&partial);
                assert!(text.ends_with('\n'), "{arguments}");
                let has_header = text.starts_with("puzzle") || text.starts_with("line");
                text.lines().count() - usize::from(has_header)
            };
        }
        match files {
            [] => {
                assert!(said.contains("gridmill: no file of the set was written\n"), "{said}");
                assert!(!dir.path("set").exists());
            }
            [first, ..] => {
                assert_eq!(rows, records * of_each_record, "{arguments}: {said}");
                let place = if arguments.starts_with("split") { "./{part}.txt" } else { first };
                assert!(last.ends_with(&format!("; the rows so far are in {place}.partial")), "{last}");
            }
        }
    }
}

/// The output is not read, so the run cannot finish its rows.
#[test]
fn a_second_ctrl_c_quits_at_once() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(100_000));
    let mut child =
        dir.command("solve in.txt --progress never").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.next().unwrap().unwrap().contains("in.txt"));
    wait_for_work(&child, 300);
    send("INT", &child);
    assert_eq!(said.next().unwrap().unwrap(), "gridmill: stopping; once more to quit at once");
    send("INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

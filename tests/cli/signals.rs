//! A signal ends a run within a moment, whatever it waits for.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{RunResult, TestDir, UNIQUE};

fn mkfifo(dir: &TestDir, name: &str) {
    assert!(Command::new("mkfifo").arg(dir.path(name)).status().unwrap().success());
}

pub(crate) fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &*child.id().to_string()]).status().unwrap();
    assert!(sent.success());
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
        thread::sleep(Duration::from_millis(if index % 2 == 0 { 150 } else { 60 }));
        send(["INT", "TERM"][index % 2], &child);
        let result = wait(child);
        assert_eq!(result.code, Some(130), "{arguments}: {}", result.err);
        drop(input);
    }
}

#[test]
fn a_signal_ends_runs_that_compute() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n")).write("nine.txt", format!("123456789{}\n", ".".repeat(72)));
    for signal in ["INT", "TERM"] {
        for arguments in [
            "generate -n 100000000 -o many",
            "generate -n 100000000",
            "bench in.txt --seconds 100 --export out.csv --report out.html",
            "augment nine.txt --copies 1e9",
            // There are none.
            "generate -n 1 --minimal --clues 50..60 --max-tries 1e9 -o none",
        ] {
            let mut command = dir.command(arguments);
            let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            thread::sleep(Duration::from_millis(200));
            send(signal, &child);
            let result = wait(child);
            assert_eq!(result.code, Some(130), "{signal} {arguments}: {}", result.err);
        }
        assert!(!dir.path("many").exists());
    }
    assert!(!dir.path("none.partial").exists());
    // What a run has left is no obstacle for the next one.
    dir.run("generate -n 1 -o many").ends(0);
    assert_eq!(fs::read_dir(dir.path("")).unwrap().count(), 3);
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

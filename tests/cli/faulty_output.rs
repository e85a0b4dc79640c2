//! Outputs that take no more, or for long nothing, or that are closed.

use std::fs::{self, File};
use std::io::Read;
use std::iter;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use gridmill::compression::Compression;

use crate::killed::unpacked;
use crate::{Place, Ran, UNIQUE, UNIQUE_SOLUTION};

const ROWS: &str = "--columns line,puzzle,status,solution";

fn lines(records: usize) -> String {
    format!("{UNIQUE}\n").repeat(records)
}

/// The system says that a file may not grow any more by a signal, which kills who does not see to it.
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let place = Place::new();
    let solve = format!("solve -q in.txt {ROWS}");
    let whole = place.write("in.txt", lines(20_000)).run(&solve).ends(0);
    let full = "gridmill: cannot write the output: File too large (os error 27)";
    let output = place.shell("ulimit -f 200; RUN > out", &solve).output().unwrap();
    assert_eq!(Ran::from(output).fails(), full);
    assert!(whole.starts_with(&place.read("out")));
    for command in ["generate -n 9999 --order 2", "canon -q nine.txt", "validate -q in.txt"] {
        place.run("generate -n 999 --clues 40 -o nine.txt").ends(0);
        let output = place.shell("ulimit -f 20; RUN", &format!("{command} -o out")).output().unwrap();
        let error = Ran::from(output).fails();
        assert!(error.starts_with(full), "{command}: {error}");
    }
    let output = place.shell("ulimit -f 0; RUN", "solve -q in.txt --summary card.json").output().unwrap();
    assert_eq!(Ran::from(output).fails(), "gridmill: cannot write card.json: File too large (os error 27)");
}

#[test]
fn a_run_with_too_little_room_goes_on_when_there_is_more() {
    let place = Place::new();
    place.write("in.txt", lines(100_000));
    for compression in [None, Some(Compression::Zstd), Some(Compression::Gzip)] {
        let name = compression.map_or("none".to_owned(), |compression| compression.to_string());
        let solve = format!("solve -q in.txt {ROWS} -o out --compress {name}");
        place.run(&solve).ends(0);
        let length = fs::metadata(place.path("out")).unwrap().len();
        let whole = unpacked(&place.path("out"), compression);
        fs::remove_file(place.path("out")).unwrap();
        // In blocks of 512 bytes. The second run has not enough, either.
        for part in [2, 3] {
            let script = format!("ulimit -f {}; RUN", length * part / 5 / 512);
            let error = Ran::from(place.shell(&script, &format!("{solve} --resume")).output().unwrap()).fails();
            let end = "; the rows so far are in out.partial; resume with --resume";
            assert_eq!(error, format!("gridmill: cannot write the output: File too large (os error 27){end}"));
        }
        let ran = place.run(&format!("{} --resume", solve.replace("-q", "")));
        let rows = ran.err.split_once(" after ").unwrap().1.split_once(" rows").unwrap().0.replace(',', "");
        assert!(rows.parse::<usize>().unwrap() > 20_000, "{rows}");
        ran.ends(0);
        assert!(unpacked(&place.path("out"), compression) == whole, "{name}");
    }
}

/// A run that nobody takes rows from, so that it waits.
fn blocked(place: &Place, arguments: &str) -> Child {
    let mut command = place.command(arguments);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(400));
    child
}

#[test]
fn a_reader_that_leaves_a_full_pipe_ends_the_run_quietly() {
    let place = Place::new();
    place.write("in.txt", lines(100_000));
    for options in ["", "--compress gzip", "--compress zstd --columns line,puzzle,nanos", "--to jsonl --threads 3"] {
        let mut child = blocked(&place, &format!("solve in.txt --progress never {options}"));
        drop(child.stdout.take());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.err, "gridmill: in.txt: lines of 4x4, blank '.'\n", "{options}");
        ran.ends(0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_waits_gets_everything_and_costs_no_memory() {
    const RECORDS: usize = 50_000;
    let place = Place::new();
    let note = "n".repeat(2000);
    let records = (0..RECORDS).map(|record| format!("{UNIQUE},{record} {note}\n"));
    let text: String = iter::once("puzzle,note\n".to_owned()).chain(records).collect();
    place.write("in.csv", &text);
    let mut child = blocked(&place, "solve -q in.csv --columns line,solution --keep note --threads 2");
    thread::sleep(Duration::from_millis(600));
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kibibytes: usize = resident.trim().strip_suffix(" kB").unwrap().parse().unwrap();
    assert!(kibibytes < 60 << 10, "{kibibytes} KiB for input and output of {} MiB", text.len() >> 19);
    let mut rows = String::new();
    child.stdout.take().unwrap().read_to_string(&mut rows).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut rows = rows.lines().skip(1);
    for record in 0..RECORDS {
        assert_eq!(rows.next(), Some(&*format!("{},{UNIQUE_SOLUTION},{record} {note}", record + 2)));
    }
    assert_eq!(rows.next(), None);
}

/// A stream that is closed is empty, or takes everything, as /dev/null does: nothing else is read or written instead.
#[test]
fn closed_streams_are_no_trouble() {
    let place = Place::new();
    place.write("in.txt", lines(3));
    let run = |script: &str, arguments: &str| Ran::from(place.shell(script, arguments).output().unwrap());
    for command in ["solve", "validate", "canon", "pipe"] {
        let ran = run("RUN <&-", command);
        assert!(!ran.err.contains("panic"), "{command}: {}", ran.err);
        assert!(ran.ends(0).lines().count() <= 1);
    }
    for arguments in ["solve in.txt", "solve in.txt -o out", "generate -n 3", "formats", "--help", "man"] {
        for script in ["RUN >&-", "RUN 2>&-", "RUN <&- >&- 2>&-"] {
            let ran = run(script, arguments);
            assert!(!ran.err.contains("panic"), "{script} {arguments}: {}", ran.err);
            assert!(ran.ends(0).is_empty() || script == "RUN 2>&-");
        }
    }
    assert_eq!(place.read("out").lines().count(), 4);
    for arguments in ["solve missing", "solve --threads 0"] {
        run("RUN 2>&-", arguments).ends(2);
    }
}

/// Where notes and errors cannot be written, the rows and the exit code still tell.
#[test]
#[cfg(target_os = "linux")]
fn standard_error_may_take_nothing() {
    let place = Place::new();
    place.write("in.txt", lines(3)).write("bad.zip", b"PK\x03\x04");
    for (arguments, code) in
        [("solve in.txt", 0), ("solve in.txt --strict", 0), ("solve missing", 2), ("solve bad.zip", 2), ("solve -x", 2)]
    {
        for _ in 0..2 {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let full = Ran::from(place.command(arguments).stdin(Stdio::null()).stderr(full).output().unwrap());
            let mut gone = place.start(arguments);
            drop((gone.stdin.take(), gone.stderr.take()));
            let gone = Ran::from(gone.wait_with_output().unwrap());
            for ran in [full, gone] {
                let rows = ran.ends(code).lines().count();
                assert_eq!(rows, if code == 0 { 4 } else { 0 }, "{arguments}");
            }
        }
    }
}

//! Outputs that are full, blocked or closed.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::iter;
use std::os::unix::fs::symlink;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use gridmill::compression::Compression;

use crate::killed_and_resumed::unpacked;
use crate::{RunResult, TestDir, UNIQUE, UNIQUE_SOLUTION};

const ROWS: &str = "--columns line,puzzle,status,solution";

fn lines(records: usize) -> String {
    format!("{UNIQUE}\n").repeat(records)
}

/// A process that exceeds the limit on the size of files gets a signal, which ends it unless it is handled.
#[test]
fn the_limit_on_the_size_of_files_is_an_error() {
    let dir = TestDir::new();
    let solve = format!("solve -q in.txt {ROWS}");
    let whole = dir.write("in.txt", lines(20_000)).run(&solve).ends(0);
    let full = "gridmill: cannot write the output: File too large (os error 27)";
    let output = dir.shell("ulimit -f 200; RUN > out", &solve).output().unwrap();
    assert_eq!(RunResult::from(output).fails(), full);
    assert!(whole.starts_with(&dir.read("out")));
}

/// Whatever writes it: rows, copies of records, tables and pages, compressed or not.
#[test]
fn the_message_of_a_full_disk_names_the_file() {
    let dir = TestDir::new();
    dir.write("in.txt", lines(20_000)).write("twice.txt", lines(2));
    dir.run("generate -n 999 --clues 40 -o nine.txt").ends(0);
    dir.run("generate -n 999 --clues 40 --with-solution -o nine.csv").ends(0);
    dir.run("solve -q nine.txt --columns puzzle,status -o nine.parquet").ends(0);
    for shard in [1, 2] {
        dir.run(&format!("solve -q in.txt --columns line,puzzle --shard {shard}/2 -o p{shard}")).ends(0);
    }
    for command in [
        "generate -n 9999 --size 4x4 -o full",
        "canon -q nine.txt -o full",
        "validate -q in.txt -o full",
        "validate -q in.txt --accepts full",
        "rate -q in.txt -o full",
        "augment -q nine.csv --copies 1 -o full",
        "augment -q nine.csv --copies 1 --to hrm -o fullset",
        "solve -q nine.txt -o full --compress gzip",
        "solve -q nine.txt -o full.parquet",
        "split -q in.txt --by puzzle --parts full=1.0 -o {part}",
        "split -q nine.parquet --parts full=1.0 -o {part}.parquet",
        "dedupe -q nine.txt -o full",
        "dedupe -q in.txt --by puzzle --dropped full",
        "sample -q in.txt -n 10_000 -o full",
        "merge -q p1 p2 -o full",
        "sheet twice.txt -o full",
    ] {
        let output = dir.shell("ulimit -f 12; RUN", command).output().unwrap();
        let error = RunResult::from(output).fails();
        assert!(error.starts_with("gridmill: cannot write ") && error.contains("full"), "{command}: {error}");
        assert!(error.contains(": File too large (os error 27)"), "{command}: {error}");
        let named = error.split(": File too large").next().unwrap();
        assert!(named.rsplit(' ').next().unwrap().contains("full"), "{command}: {error}");
    }
}

#[test]
fn a_run_without_enough_space_can_be_resumed_with_more() {
    let dir = TestDir::new();
    dir.write("in.txt", lines(100_000));
    for compression in [None, Some(Compression::Zstd), Some(Compression::Gzip)] {
        let name = compression.map_or("none".to_owned(), |compression| compression.to_string());
        let solve = format!("solve -q in.txt {ROWS} -o out --compress {name}");
        dir.run(&solve).ends(0);
        let length = fs::metadata(dir.path("out")).unwrap().len();
        let whole = unpacked(&dir.path("out"), compression);
        fs::remove_file(dir.path("out")).unwrap();
        // In blocks of 512 bytes. The space is not enough for the second run, either.
        for part in [2, 3] {
            let script = format!("ulimit -f {}; RUN", length * part / 5 / 512);
            let error = RunResult::from(dir.shell(&script, &format!("{solve} --resume")).output().unwrap()).fails();
            let end = "; the rows so far are in out.partial; resume with --resume";
            assert_eq!(error, format!("gridmill: cannot write the output: out: File too large (os error 27){end}"));
        }
        let result = dir.run(&format!("{} --resume", solve.replace("-q", "")));
        let rows = result.err.split_once(" after ").unwrap().1.split_once(" records").unwrap().0.replace(',', "");
        assert!(rows.parse::<usize>().unwrap() > 0, "{rows}");
        result.ends(0);
        assert!(unpacked(&dir.path("out"), compression) == whole, "{name}");
    }
}

/// A run that waits because its rows are not read.
fn blocked(dir: &TestDir, arguments: &str) -> Child {
    let mut command = dir.command(arguments);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    crate::signals::wait_for_work(&child, 400);
    child
}

#[test]
fn closing_a_full_pipe_ends_the_run_quietly() {
    let dir = TestDir::new();
    dir.write("in.txt", lines(100_000));
    for options in ["", "--compress gzip", "--compress zstd --columns line,puzzle,nanos", "--to jsonl --threads 3"] {
        let mut child = blocked(&dir, &format!("solve in.txt --progress never {options}"));
        drop(child.stdout.take());
        let result = RunResult::from(child.wait_with_output().unwrap());
        assert_eq!(result.err, "gridmill: in.txt: lines of 4x4, blank '.'\n", "{options}");
        result.ends(0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_slow_reader_gets_every_row_and_costs_no_memory() {
    const RECORDS: usize = 50_000;
    let dir = TestDir::new();
    let note = "n".repeat(2000);
    let records = (0..RECORDS).map(|record| format!("{UNIQUE},{record} {note}\n"));
    let text: String = iter::once("puzzle,note\n".to_owned()).chain(records).collect();
    dir.write("in.csv", &text);
    let mut child = blocked(&dir, "solve -q in.csv --columns line,solution --keep note --threads 2");
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

/// A closed stream behaves like /dev/null, and no other file takes its place.
#[test]
fn closed_streams_behave_like_dev_null() {
    let dir = TestDir::new();
    dir.write("in.txt", lines(3));
    let run = |script: &str, arguments: &str| RunResult::from(dir.shell(script, arguments).output().unwrap());
    for command in ["solve", "validate", "canon", "pipe"] {
        let result = run("RUN <&-", command);
        assert!(!result.err.contains("panic"), "{command}: {}", result.err);
        assert!(result.ends(0).lines().count() <= 1);
    }
    for arguments in ["solve in.txt", "solve in.txt -o out", "generate -n 3", "formats", "--help"] {
        for script in ["RUN >&-", "RUN 2>&-", "RUN <&- >&- 2>&-"] {
            let result = run(script, arguments);
            assert!(!result.err.contains("panic"), "{script} {arguments}: {}", result.err);
            assert!(result.ends(0).is_empty() || script == "RUN 2>&-");
        }
    }
    assert_eq!(dir.read("out").lines().count(), 4);
    for arguments in ["solve missing", "solve --threads 0"] {
        run("RUN 2>&-", arguments).ends(2);
    }
}

/// If messages cannot be written, rows and exit code are the same.
#[test]
#[cfg(target_os = "linux")]
fn a_full_or_closed_standard_error_changes_nothing_else() {
    let dir = TestDir::new();
    dir.write("in.txt", lines(3)).write("bad.zip", b"PK\x03\x04");
    for (arguments, code) in
        [("solve in.txt", 0), ("solve in.txt --strict", 0), ("solve missing", 2), ("solve bad.zip", 2), ("solve -x", 2)]
    {
        for _ in 0..2 {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let full = RunResult::from(dir.command(arguments).stdin(Stdio::null()).stderr(full).output().unwrap());
            let mut gone = dir.start(arguments);
            drop((gone.stdin.take(), gone.stderr.take()));
            let gone = RunResult::from(gone.wait_with_output().unwrap());
            for result in [full, gone] {
                let rows = result.ends(code).lines().count();
                assert_eq!(rows, if code == 0 { 4 } else { 0 }, "{arguments}");
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(10_000));
    let error = dir.run("solve -q in.txt -o /dev/full").fails();
    assert_eq!(error, "gridmill: cannot write the output: /dev/full: No space left on device (os error 28)");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = dir.command("solve -q in.txt").stdout(full).output().unwrap();
    assert_eq!(RunResult::from(output).fails(), error.replace("/dev/full: ", ""));
    for arguments in ["--help", "-h", "solve --help", "--version", "help solve", "formats"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = dir.command(arguments).stdout(full).output().unwrap();
        let error = RunResult::from(output).fails();
        assert_eq!(error, "gridmill: No space left on device (os error 28)", "{arguments}");
    }
}

/// A link to an open file is neither a file to replace nor a name for another one.
#[test]
#[cfg(target_os = "linux")]
fn a_link_to_an_open_file_is_written_to() {
    let dir = TestDir::new();
    dir.write("in.txt", lines(3));
    dir.run("solve -q in.txt --columns puzzle,status -o rows").ends(0);
    dir.run("generate -q -n 9 --seed 1 -o puzzles").ends(0);
    // Links to links, as /dev/stdout is one, and to descriptors that only the shell knows.
    fs::create_dir(dir.path("sub")).unwrap();
    for (name, target) in [
        ("one", "/proc/self/fd/1"),
        ("sub/first", "../one"),
        ("second", "/dev/fd/2"),
        ("third", "/proc/self/fd/3"),
        ("own", "/proc/thread-self/fd/1"),
    ] {
        symlink(target, dir.path(name)).unwrap();
    }
    for (script, arguments, rows) in [
        ("RUN", "solve -q in.txt --columns puzzle,status -o one", "rows"),
        ("RUN", "solve -q in.txt --columns puzzle,status -o sub/first", "rows"),
        ("RUN", "generate -q -n 9 --seed 1 -o one", "puzzles"),
        ("RUN 2>&1", "solve -q in.txt --columns puzzle,status -o second", "rows"),
        ("RUN 3>&1", "solve -q in.txt --columns puzzle,status -o third", "rows"),
        ("RUN", "solve -q in.txt --columns puzzle,status -o own", "rows"),
        ("RUN", "sample -q rows -n 3 -o one", "rows"),
        ("RUN", "split -q rows --by puzzle --parts one=1.0 -o {part}", "rows"),
    ] {
        let script = format!("{{ echo before; {}; }} > got", script.replace("RUN", "(RUN)"));
        let output = dir.shell(&script, arguments).output().unwrap();
        RunResult::from(output).ends(0);
        assert_eq!(dir.read("got"), format!("before\n{}", dir.read(rows)), "{arguments}");
    }
    // What comes after it is not overwritten.
    let script = "{ (RUN); echo after; } > got";
    RunResult::from(dir.shell(script, "solve -q in.txt --columns puzzle,status -o one").output().unwrap()).ends(0);
    assert_eq!(dir.read("got"), format!("{}after\n", dir.read("rows")));
    for command in ["solve -q in.txt -o out --summary one", "solve -q in.txt -o out --report sub/first"] {
        RunResult::from(dir.shell("RUN > got", command).output().unwrap()).ends(0);
        assert!(dir.read("got").len() > 100, "{command}");
    }

    let result = RunResult::from(dir.shell("RUN > got", "solve -q in.txt -o one --resume").output().unwrap());
    assert!(result.fails().contains("--resume"));
    let error = RunResult::from(dir.shell("RUN > got 3>&-", "solve -q in.txt -o third").output().unwrap()).fails();
    assert!(error.starts_with("gridmill: cannot write third: "), "{error}");
    for name in ["one", "sub/first", "second", "third", "own"] {
        assert!(fs::symlink_metadata(dir.path(name)).unwrap().is_symlink(), "{name}");
    }
    assert!(names(&dir, "").iter().all(|name| !name.contains("partial")));
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    // Records of 8x8 have no class, so all are kept by dedupe.
    const PUZZLE: &str = ".8........4...7826....1..4.87.2.1..6...4.23...81..65.....3......";
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n").repeat(100_000));
    for (arguments, first) in [
        ("solve in.txt", "line,"),
        ("dedupe in.txt --dropped dropped.csv", PUZZLE),
        ("sample in.txt -n 100_000", PUZZLE),
        ("augment in.txt --copies 3", "puzzle\n"),
    ] {
        let mut child = dir.start(&format!("{arguments} --progress never"));
        let mut head = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut head).unwrap();
        assert!(head.starts_with(first), "{arguments}: {head}");
        let result = RunResult::from(child.wait_with_output().unwrap());
        assert!(!result.err.contains("pipe") && !result.err.contains("panic"), "{arguments}: {}", result.err);
        result.ends(0);
    }
    assert!(!dir.path("dropped.csv").exists());
}

/// Commands with a small file that they write when all else is done, called `small.html`.
const SMALL_FILES: [&str; 6] = [
    "solve -q in.txt --summary small.html",
    "solve -q in.txt --report small.html",
    "generate -n 2 -q --summary small.html",
    "split -q in.txt --by puzzle --parts a=1.0 -o parts --summary small.html",
    "merge p1 p2 --summary small.html",
    "bench -q --seconds 0.01 in.txt --report small.html",
];

/// What a directory has, with the files of its directories.
fn names(dir: &TestDir, directory: &str) -> Vec<String> {
    let mut names = vec![];
    for entry in fs::read_dir(dir.path(directory)).unwrap() {
        let name = format!("{directory}{}", entry.unwrap().file_name().into_string().unwrap());
        if dir.path(&name).is_dir() {
            names.extend(self::names(dir, &format!("{name}/")));
        }
        names.push(name);
    }
    names.sort();
    names
}

fn with_small_file() -> TestDir {
    let dir = TestDir::new();
    dir.write("in.txt", lines(3)).write("victim", "precious\n").write("small.html", "earlier\n");
    for shard in [1, 2] {
        dir.run(&format!("solve -q in.txt --shard {shard}/2 -o p{shard}")).ends(0);
    }
    dir
}

#[test]
fn a_small_file_is_complete_or_what_it_was() {
    for command in SMALL_FILES {
        let dir = with_small_file();
        // The shell limits what the run writes to files; standard output is a pipe.
        let output = dir
            .shell("ulimit -f 0; RUN", &command.replace("a=1.0 -o parts", "null=1.0 -o /dev/{part}"))
            .output()
            .unwrap();
        let before = names(&dir, "");
        let result = RunResult::from(output);
        let full = "gridmill: cannot write small.html: File too large (os error 27)\n";
        assert!(result.err.ends_with(full), "{command}: {}", result.err);
        result.ends(2);
        assert_eq!(dir.read("small.html"), "earlier\n", "{command}");
        assert!(before.iter().all(|name| !name.starts_with("small.html") || name == "small.html"), "{before:?}");

        // A link is replaced, and its target is left alone.
        fs::remove_file(dir.path("small.html")).unwrap();
        symlink("victim", dir.path("small.html")).unwrap();
        dir.run(command).ends(0);
        assert_eq!(dir.read("victim"), "precious\n", "{command}");
        assert!(fs::symlink_metadata(dir.path("small.html")).unwrap().is_file(), "{command}");
        assert!(dir.read("small.html").len() > 100, "{command}");
    }
}

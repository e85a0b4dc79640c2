//! Exit codes, interruptions, closed pipes and full disks.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::faulty_corpus::corpus;
use crate::{MULTIPLE, NONE, RunResult, TestDir, UNIQUE};

#[test]
fn strict_fails_unless_every_record_is_unique() {
    let dir = TestDir::new();
    for (input, code) in [
        (format!("{UNIQUE}\n{UNIQUE}\n"), 0),
        (format!("{UNIQUE}\n{MULTIPLE}\n"), 1),
        (format!("{UNIQUE}\n{NONE}\n"), 1),
        (format!("{UNIQUE}\nrubbish\n"), 1),
    ] {
        assert_eq!(dir.run_on(&input, "solve --strict").ends(code).lines().count(), 3);
        dir.run_on(&input, "solve").ends(0);
    }
}

#[test]
fn an_output_file_gets_its_name_when_it_is_complete() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n")).run("solve in.txt -o out.csv").ends(0);
    assert!(dir.read("out.csv").starts_with("line,puzzle,status,"));
    assert!(!dir.path("out.csv.partial").exists());

    // The last input ends the run with an error; the file of the earlier run stays.
    let before = dir.read("out.csv");
    dir.write("bad.zip", b"PK\x03\x04rest");
    let error = dir.run("solve -q in.txt in.txt bad.zip -o out.csv").fails();
    assert!(error.contains("bad.zip") && error.contains("ZIP") && error.contains("out.csv.partial"), "{error}");
    assert_eq!(dir.read("out.csv"), before);
    assert_eq!(dir.read("out.csv.partial").lines().count(), 3);
}

#[test]
fn file_errors_are_one_line() {
    let dir = TestDir::new();
    dir.write("in.txt", UNIQUE);
    std::fs::create_dir(dir.path("folder")).unwrap();
    for (arguments, message) in [
        ("solve nowhere.txt", "gridmill: cannot open nowhere.txt: No such file or directory (os error 2)"),
        ("solve in.txt nowhere.txt", "gridmill: cannot open nowhere.txt: No such file or directory (os error 2)"),
        ("solve folder", "gridmill: cannot open folder: is a directory"),
        ("solve -q in.txt -o folder", "gridmill: cannot write folder: is a directory"),
        (
            "solve -q in.txt -o no/where.csv",
            "gridmill: cannot write no/where.csv: No such file or directory (os error 2)",
        ),
        (
            "solve -q in.txt --summary no/where.json",
            "gridmill: cannot write no/where.json: No such file or directory (os error 2)",
        ),
        (
            "solve -q in.txt --to lines --columns line",
            "gridmill: the format lines has no columns; --columns and --keep are for csv and jsonl",
        ),
    ] {
        assert_eq!(dir.run(arguments).fails(), message, "{arguments}");
    }
}

#[test]
fn standard_input_is_read_once() {
    let dir = TestDir::new();
    dir.write("in.txt", UNIQUE);
    for arguments in [
        "solve - -",
        "solve - in.txt -",
        "canon - -",
        "bench - -",
        "validate - -",
        "validate --against -",
        "validate in.txt --against - -",
    ] {
        let error = dir.run_on(UNIQUE, arguments).fails();
        assert_eq!(error, "gridmill: standard input can be read once only", "{arguments}");
    }
}

#[test]
fn wrong_options_are_explained() {
    let dir = TestDir::new();
    for (arguments, word) in [
        ("solve --columns line,colour", "'colour' for '--columns <A,B,C>' [possible values: file, line, puzzle,"),
        ("solve --engine guess", "[possible values: auto, lanes, bitmask, dlx"),
        ("solve --limit 0", "--limit"),
        ("solve --first --all", "cannot be used with '--all'"),
        ("solve --first --all --limit 2", "'--first' cannot be used with: --all, --limit <N>"),
        ("solve --frist", "unexpected argument '--frist' found; tip: a similar argument exists: '--first'"),
        ("generate -n 1e20", "'1e20' for '--count <COUNT>': not a number such as 5000, 5_000 or 5e3 (see --help)"),
        ("solve --threads 0", "0 is not in 1..=1024"),
        ("generate", "--count <COUNT>"),
        ("resolve", "unrecognized subcommand"),
    ] {
        let error = dir.run(arguments).fails();
        assert!(error.starts_with("gridmill: ") && error.contains(word), "{arguments}: {error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(10_000));
    let error = dir.run("solve -q in.txt -o /dev/full").fails();
    assert_eq!(error, "gridmill: cannot write the output: No space left on device (os error 28)");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = dir.command("solve -q in.txt").stdout(full).output().unwrap();
    assert_eq!(RunResult::from(output).fails(), error);
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let dir = TestDir::new();
    // Records of 4x4 have no class, so all are kept by dedupe.
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(100_000));
    for (arguments, first) in [
        ("solve in.txt", "line,"),
        ("dedupe in.txt --dropped dropped.csv", UNIQUE),
        ("sample in.txt -n 100_000", UNIQUE),
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

#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Standard input stays open without more text, as if the name of a file had been forgotten.
#[test]
#[cfg(unix)]
fn ctrl_c_leaves_complete_rows_and_says_where_it_stopped() {
    let dir = TestDir::new();
    let mut child = dir.start("solve --progress never -o out.csv --chunk 10");
    let mut input = child.stdin.take().unwrap();
    // More than is needed to detect the format, so that the run has started.
    input.write_all(format!("{UNIQUE}\n").repeat(10_005).as_bytes()).unwrap();
    dir.wait_for("out.csv.partial", 10_000 * 50);
    interrupt(&child);
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
#[cfg(unix)]
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
        interrupt(&child);
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
                std::fs::copy(dir.path(&partial), dir.path("read.parquet")).unwrap();
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
                assert_eq!(std::fs::read_dir(dir.path("set/train")).unwrap().count(), 0);
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
#[cfg(unix)]
fn a_second_ctrl_c_quits_at_once() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(100_000));
    let mut child =
        dir.command("solve in.txt --progress never").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.next().unwrap().unwrap().contains("in.txt"));
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(said.next().unwrap().unwrap(), "gridmill: stopping; once more to quit at once");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

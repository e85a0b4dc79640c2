//! Inputs that cannot be opened, change during the run, or are not text.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::{RunResult, TestDir, UNIQUE};

const COLUMNS: &str = "-q --no-header --columns file,line,status";

/// The number of records of the first of two inputs: more than format detection needs, so that the run starts.
const FIRST: usize = 5_000;

/// Solves two inputs into `out`: a pipe, and `next.txt`, which `change` changes before the pipe is closed.
fn while_it_reads(dir: &TestDir, change: impl FnOnce()) -> RunResult {
    assert!(Command::new("mkfifo").arg(dir.path("first")).status().unwrap().success());
    let mut command = dir.command(&format!("solve {COLUMNS} -o out first next.txt"));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = File::options().write(true).open(dir.path("first")).unwrap();
    first.write_all(format!("{UNIQUE}\n").repeat(FIRST).as_bytes()).unwrap();
    // The run has checked that all inputs exist, and has started.
    dir.wait_for("out.partial.json", 1);
    change();
    drop(first);
    RunResult::from(child.wait_with_output().unwrap())
}

#[test]
fn inputs_that_cannot_be_opened_are_an_error_before_the_run() {
    let dir = TestDir::new();
    dir.write("in.txt", UNIQUE);
    fs::create_dir(dir.path("folder")).unwrap();
    symlink("nowhere", dir.path("dangling")).unwrap();
    symlink("loop", dir.path("loop")).unwrap();
    for (name, why) in [
        ("folder", "is a directory"),
        ("missing", "No such file or directory (os error 2)"),
        ("dangling", "No such file or directory (os error 2)"),
        ("in.txt/in.txt", "Not a directory (os error 20)"),
        ("loop", "(os error 40)"),
    ] {
        for command in ["solve", "validate", "canon", "rate"] {
            let error = dir.run(&format!("{command} in.txt {name} in.txt -o out")).fails();
            assert!(error.starts_with(&format!("gridmill: cannot open {name}: ")) && error.ends_with(why), "{error}");
            assert!(!dir.path("out.partial").exists());
        }
    }
}

#[test]
fn a_removed_input_ends_the_run_after_the_rows_before_it() {
    let dir = TestDir::new();
    dir.write("next.txt", UNIQUE);
    let vanish = || fs::remove_file(dir.path("next.txt")).unwrap();
    let result = while_it_reads(&dir, vanish);
    let error = result.fails();
    let start = "gridmill: cannot open next.txt: No such file or directory (os error 2); the rows so far are in ";
    assert!(error.starts_with(start), "{error}");
    let rows = dir.read("out.partial");
    let expected = (1..=FIRST).map(|line| format!("first,{line},unique"));
    assert!(rows.lines().eq(expected), "{} rows", rows.lines().count());
}

/// An input is read as it is at that time, whatever its size was at the start of the run.
#[test]
fn an_input_may_grow_and_shrink_before_its_turn() {
    for (size, rows) in [(0, 0), (UNIQUE.len() + 1, 1), (3 * (UNIQUE.len() + 1), 3)] {
        let dir = TestDir::new();
        dir.write("next.txt", format!("{UNIQUE}\n").repeat(2));
        let change = || {
            let mut next = OpenOptions::new().append(true).open(dir.path("next.txt")).unwrap();
            next.write_all(format!("{UNIQUE}\n").as_bytes()).unwrap();
            next.set_len(size as u64).unwrap();
        };
        while_it_reads(&dir, change).ends(0);
        let out = dir.read("out");
        let next: Vec<&str> = out.lines().filter(|row| row.starts_with("next.txt,")).collect();
        let expected: Vec<String> = (1..=rows).map(|line| format!("next.txt,{line},unique")).collect();
        assert_eq!(next, expected);
        assert_eq!(out.lines().count(), FIRST + rows);
    }
}

/// The run is blocked until its output is read, and its input changes in the meantime.
#[test]
fn an_input_may_grow_and_shrink_while_it_is_read() {
    const RECORDS: usize = 400_000;
    let line = format!("{UNIQUE}\n");
    let text = line.repeat(RECORDS);
    for (change, rows) in [(0, None), (line.len() * (RECORDS + 5), Some(RECORDS + 5))] {
        let dir = TestDir::new();
        dir.write("in.txt", &text);
        let mut child = dir.start("solve in.txt --threads 2 -q --no-header --columns line,status");
        let mut first = [0; 3];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        assert_eq!(&first, b"1,u");
        let mut file = OpenOptions::new().append(true).open(dir.path("in.txt")).unwrap();
        file.set_len(change.min(text.len()) as u64).unwrap();
        file.write_all(line.repeat(change.saturating_sub(text.len()) / line.len()).as_bytes()).unwrap();
        let out = "1,u".to_owned() + &RunResult::from(child.wait_with_output().unwrap()).ends(0);
        let count = out.lines().count();
        match rows {
            Some(rows) => assert_eq!(count, rows),
            None => assert!(count < RECORDS, "the run had read everything"),
        }
        // A record that is truncated by the change is a row, too.
        let (last, before) = out.trim_end().rsplit_once('\n').map(|(before, last)| (last, before)).unwrap();
        assert!(before.lines().enumerate().all(|(index, row)| row == format!("{},unique", index + 1)));
        assert!([format!("{count},unique"), format!("{count},malformed")].contains(&last.to_owned()), "{last}");
    }
}

#[test]
fn ten_thousand_files_are_read_one_after_another() {
    const FILES: usize = 10_000;
    let dir = TestDir::new();
    for file in 0..FILES {
        dir.write(&file.to_string(), format!("{UNIQUE}\n").repeat(file % 3));
    }
    let names: Vec<String> = (0..FILES).map(|file| file.to_string()).collect();
    let output = dir.shell("ulimit -n 64; RUN", &format!("solve {COLUMNS} {}", names.join(" "))).output().unwrap();
    let out = RunResult::from(output).ends(0);
    let expected: String =
        (0..FILES).flat_map(|file| (1..=file % 3).map(move |line| format!("{file},{line},unique\n"))).collect();
    assert!(out == expected, "{} rows", out.lines().count());
}

/// Other encodings, line ends and bytes: a row for each line, or one error that says what the input is.
#[test]
fn any_bytes_give_rows_or_one_error() {
    let utf16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let marked = [b"\xff\xfe".to_vec(), utf16(&format!("{UNIQUE}\n{UNIQUE}\n"))].concat();
    for (what, input, rows) in [
        ("no line end", format!("{UNIQUE}\n{UNIQUE}").into_bytes(), Ok("1,unique,\n2,unique,\n")),
        ("CR and LF", format!("{UNIQUE}\r\n{UNIQUE}\r\n").into_bytes(), Ok("1,unique,\n2,unique,\n")),
        ("a mark", format!("\u{feff}{UNIQUE}\n").into_bytes(), Ok("1,unique,\n")),
        (
            "zeros in a line",
            format!("{UNIQUE}\n1.3.\0\0.....4.2\n{UNIQUE}\n").into_bytes(),
            Ok("1,unique,\n2,malformed,column 5: byte 0x00 is not a symbol of a puzzle\n3,unique,\n"),
        ),
        (
            "no UTF-8",
            [UNIQUE.as_bytes(), b"\n\xc3\x28\xff\xfe\x80\n", UNIQUE.as_bytes()].concat(),
            Ok("1,unique,\n2,malformed,column 1: byte 0xc3 is not a symbol of a puzzle\n3,unique,\n"),
        ),
        ("UTF-16 with a mark", marked, Err("UTF-16")),
        ("UTF-16 without a mark", utf16(&format!("{UNIQUE}\n{UNIQUE}\n")), Err("UTF-16")),
        ("UTF-16, the high byte first", [&[0], &utf16(&format!("{UNIQUE}\n"))[..33]].concat(), Err("UTF-16")),
        (
            "CR only",
            format!("{UNIQUE}\r{UNIQUE}\r").into_bytes(),
            Err(r"CR alone, which is not read; convert it, for example with tr '\r' '\n'"),
        ),
        (
            "zeros only",
            vec![0; 1000],
            Err("not a puzzle file: its only record is not close to a puzzle, line 1: column 1: byte 0x00 is"),
        ),
    ] {
        let result = TestDir::new().run_on(&input, "solve -q --no-header --columns line,status,detail");
        match rows {
            Ok(rows) => assert_eq!(result.ends(0), rows, "{what}"),
            Err(word) => {
                let error = result.fails();
                assert!(error.starts_with("gridmill: -: ") && error.contains(word), "{what}: {error}");
            }
        }
    }
}

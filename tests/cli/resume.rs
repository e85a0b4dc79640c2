//! Resumed runs write the same bytes as runs without an interruption.

use std::fs;
use std::process::Child;
use std::thread;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use crate::corpora::{FaultyCorpus, isomorph, with};
use crate::{MULTIPLE, NONE, RunResult, TestDir, UNIQUE};

const PARTIAL: &str = "out.partial";
const MANIFEST: &str = "out.partial.json";
const NOTES: &str = "out.partial.notes";

/// A run with its complete output, and what it leaves if it is interrupted while it waits for standard input.
pub(crate) struct CompleteRun<'a> {
    dir: &'a TestDir,
    arguments: &'a str,
    input: &'a str,
    pub(crate) complete: Vec<u8>,
    /// The rows of the inputs before standard input, their checkpoints, and notes on the records, if there are any.
    pub(crate) left: Vec<u8>,
    manifest: Vec<u8>,
    notes: Option<Vec<u8>>,
}

impl<'a> CompleteRun<'a> {
    /// A run that reads `input` from standard input, after another file.
    pub(crate) fn new(dir: &'a TestDir, arguments: &'a str, input: &'a str) -> CompleteRun<'a> {
        assert!(format!("{arguments} ").contains(" - "), "standard input holds the run up");
        dir.run_on(input, &format!("{arguments} -q -o out --summary complete.json"));
        assert!(!dir.path(MANIFEST).exists() && !dir.path(PARTIAL).exists() && !dir.path(NOTES).exists());
        let complete = fs::read(dir.path("out")).unwrap();
        interrupt(dir, arguments);
        let read = |name: &str| fs::read(dir.path(name)).ok();
        let (left, manifest, notes) = (read(PARTIAL).unwrap(), read(MANIFEST).unwrap(), read(NOTES));
        CompleteRun { dir, arguments, input, complete, left, manifest, notes }
    }

    /// Resumes from the first bytes of the partial output.
    pub(crate) fn resume(&self, length: usize, more: &str) -> RunResult {
        self.put(&self.left[..length]);
        self.dir.run_on(self.input, &format!("{} -o out --resume {more}", self.arguments))
    }

    /// Writes what is left of the run, with these rows.
    fn put(&self, rows: &[u8]) {
        self.dir.write(PARTIAL, rows).write(MANIFEST, &self.manifest);
        if let Some(notes) = &self.notes {
            self.dir.write(NOTES, notes);
        }
        let _ = fs::remove_file(self.dir.path("out"));
    }

    /// The output after resuming from the first bytes of the partial output.
    #[track_caller]
    pub(crate) fn resumed(&self, length: usize) -> Vec<u8> {
        self.resume(length, "-q --summary resumed.json").ended();
        assert!(
            !self.dir.path(MANIFEST).exists() && !self.dir.path(PARTIAL).exists() && !self.dir.path(NOTES).exists()
        );
        fs::read(self.dir.path("out")).unwrap()
    }

    fn summaries(&self) -> [Value; 2] {
        ["complete.json", "resumed.json"].map(|name| {
            let text = fs::read(self.dir.path(name)).unwrap_or(b"null".to_vec());
            serde_json::from_slice(&text).unwrap()
        })
    }
}

/// Starts a run that waits for input.
fn begin(dir: &TestDir, arguments: &str) -> Child {
    let child = dir.start(&format!("{arguments} -q -o out"));
    dir.wait_for(MANIFEST, 1);
    child
}

/// Interrupts a run that has written all rows that it can without standard input.
fn interrupt(dir: &TestDir, arguments: &str) {
    let mut child = begin(dir, arguments);
    let length = || fs::metadata(dir.path(PARTIAL)).map_or(0, |file| file.len());
    let mut before = 0;
    while length() == 0 || length() > before {
        before = length();
        thread::sleep(Duration::from_millis(150));
    }
    // Standard input stays open.
    let pipe = child.stdin.take();
    crate::signals::send("INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(pipe);
}

impl RunResult {
    /// Checks that a run reached its end, whatever it found.
    #[track_caller]
    fn ended(&self) {
        assert!(matches!(self.code, Some(0 | 1)), "{}", self.err);
    }
}

/// The rows, and all that is counted, are those of a run without an interruption, whichever columns there are.
#[test]
fn a_run_is_resumed_in_standard_input() {
    let dir = TestDir::new();
    dir.write("table.csv", format!("id,puzzle\n1,{UNIQUE}\n2,{MULTIPLE}\n3,{NONE}\n4,\"no\n\"\n"));
    let text = format!("# comment\n{UNIQUE}\n\n{NONE}\n\"{MULTIPLE}\n{MULTIPLE}\n1234341221434321\nrubbish");
    for arguments in [
        "solve table.csv - --all --limit 5 --columns line,status,solution,detail",
        "solve table.csv - --columns line,solution --no-header",
        "solve table.csv - --to lines --first",
        "solve table.csv - --to grids",
        "rate table.csv - --max-er 1.9",
        "canon table.csv - --columns class",
    ] {
        let run = CompleteRun::new(&dir, arguments, &text);
        for (length, records) in [(run.left.len(), Some(4)), (run.left.len() - 1, None), (0, None)] {
            assert!(run.resumed(length) == run.complete, "{arguments}, {length} bytes");
            let [complete, resumed] = run.summaries();
            for figure in ["records", "rows", "clues", "not_all_listed", "limit", "ratings"] {
                assert_eq!(complete[figure], resumed[figure], "{figure}, {arguments}, {length} bytes");
            }
            assert_eq!(complete["resumed"], Value::Null);
            let expected = records.map_or(Value::Null, |records| json!({"records": records}));
            assert_eq!(resumed["resumed"], expected, "{arguments}, {length} bytes");
        }
        let result = run.resume(run.left.len(), "");
        assert!(result.err.contains("resuming out.partial after 4 records"), "{}", result.err);
        assert!(result.err.contains("4 of them before; times and rates are of the others"), "{}", result.err);
    }
}

/// Standard input has no name and no size: its records are compared.
#[test]
fn another_standard_input_is_refused() {
    let dir = TestDir::new();
    dir.write("in", format!("{UNIQUE}\n"));
    // More than is read to detect the format.
    let text = format!("{MULTIPLE}\n{UNIQUE}\n{UNIQUE}\n").repeat(2_000);
    let complete = dir.run_on(&text, "solve in - -q --columns line,solution").ends(0);
    let mut child = dir.start("solve in - -q --columns line,solution -o out");
    let mut pipe = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut pipe, text.as_bytes()).unwrap();
    dir.wait_for(PARTIAL, 10_000);
    crate::signals::send("INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left = [PARTIAL, MANIFEST].map(|name| fs::read(dir.path(name)).unwrap());
    let resume = |input: &str| {
        dir.write(PARTIAL, &left[0]).write(MANIFEST, &left[1]);
        dir.run_on(input, "solve in - -q --columns line,solution -o out --resume")
    };
    let changed = text.replacen(MULTIPLE, NONE, 1);
    let moved = format!("\n{text}");
    for (input, what) in
        [(&changed[..], "another puzzle"), (&moved, "other lines"), (&text[..340], "fewer"), ("", "none")]
    {
        let error = resume(input).fails();
        assert!(error.starts_with("gridmill: cannot resume out.partial: the first "), "{what}: {error}");
        assert!(error.ends_with(" records of the input have changed; run without --resume to start over"), "{error}");
        assert_eq!(fs::read(dir.path(PARTIAL)).unwrap(), left[0], "{what}: nothing is changed");
    }
    resume(&text).ends(0);
    assert!(dir.read("out") == complete);
}

/// Of the first input, a puzzle is among the records that were skipped; of the others, no record is one.
#[test]
fn a_resumed_run_names_the_same_inputs_without_a_puzzle() {
    let dir = TestDir::new();
    dir.write("half", format!("{UNIQUE}\nrubbish\n")).write("none", "1.3..........4.\n1..............\n");
    let input = "1.3..........4.\n";
    for command in ["solve", "validate"] {
        let arguments = format!("{command} half none -");
        let run = CompleteRun::new(&dir, &arguments, input);
        for length in [0, run.left.len() / 2, run.left.len()] {
            let said = run.resume(length, "-q").err;
            let said: Vec<&str> = said.lines().filter(|line| !line.contains("nothing to resume")).collect();
            let why = "15 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625; name another format with --from";
            let guess = "read as lines (guessed from its first 64 KiB), and none of its";
            assert_eq!(
                said,
                [
                    format!("gridmill: none: {guess} 2 records is a puzzle; the first, on line 1: {why}"),
                    format!("gridmill: -: {guess} 1 record is a puzzle; it is on line 1: {why}"),
                ],
                "{command}, {length} bytes"
            );
        }
    }
}

#[test]
fn strict_includes_the_rows_of_the_interrupted_run() {
    let dir = TestDir::new();
    dir.write("in", format!("{MULTIPLE}\n{UNIQUE}\n{UNIQUE}\n"));
    for columns in ["line,status", "line"] {
        let arguments = format!("solve in - --columns {columns}");
        let run = CompleteRun::new(&dir, &arguments, "");
        run.resume(run.left.len(), "--strict -q").ends(1);
    }
}

#[test]
fn a_run_with_nothing_to_resume_starts_from_the_beginning() {
    let dir = TestDir::new();
    dir.write("in.txt", UNIQUE);
    for left in [None, Some("")] {
        if let Some(left) = left {
            dir.write(PARTIAL, left);
        }
        let result = dir.run("solve in.txt -o out --columns status --resume");
        assert!(result.err.contains("out.partial: nothing to resume, starting from the beginning"), "{}", result.err);
        result.ends(0);
        assert_eq!(dir.read("out"), "status\nunique\n");
    }
    // All rows are there; only the file had not been renamed yet.
    let run = CompleteRun::new(&dir, "solve in.txt - --columns status", "");
    let result = run.resume(run.left.len(), "");
    assert!(result.err.contains("resuming out.partial after 1 record\n"), "{}", result.err);
    assert!(result.err.contains("1 record in ") && result.err.contains("unique 1 "), "{}", result.err);
    assert_eq!(dir.read("out"), "status\nunique\n");
}

#[test]
fn a_run_with_other_inputs_or_options_is_refused() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n")).write("other.txt", UNIQUE);
    let run = CompleteRun::new(&dir, "solve in.txt -", "");
    let left = &run.left;
    let refused = |arguments: &str| {
        run.put(left);
        let error = dir.run(&format!("{arguments} -q -o out --resume")).fails();
        assert_eq!(&fs::read(dir.path(PARTIAL)).unwrap(), left, "nothing is changed");
        error.strip_prefix("gridmill: cannot resume out.partial: ").unwrap_or(&error).to_owned()
    };
    let anew = "; run without --resume to start over";
    for (arguments, difference) in [
        ("solve in.txt - --limit 3", "--limit was not given, is 3"),
        ("solve in.txt - --first", "--first was not given, is"),
        ("solve in.txt -", ""),
        ("solve in.txt - --engine lanes --threads 1 --chunk 3 --simd portable", ""),
        ("solve in.txt - --top 9", "--top was 3, is 9"),
        ("solve in.txt - --engine dlx", "--engine was lanes, is dlx"),
        ("solve in.txt - --no-header", "--no-header was not given, is"),
        ("solve in.txt - --to lines", "--columns was "),
        ("solve in.txt - --shard 1/2", "--shard was not given, is 1/2"),
        ("solve in.txt - --compress gzip", "--compress was not given, is gzip"),
        ("solve in.txt - --from lines", "--from was not given, is lines"),
        ("solve in.txt other.txt", "the input was in.txt -, is in.txt other.txt"),
        ("validate in.txt -", "the command was solve, is validate; --columns was "),
    ] {
        if difference.is_empty() {
            run.resume(left.len(), arguments.strip_prefix("solve in.txt -").unwrap()).ended();
            continue;
        }
        let error = refused(arguments);
        assert!(error.starts_with(difference) && error.ends_with(anew), "{arguments}: {error}");
    }
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n\n"));
    assert_eq!(refused("solve in.txt -"), format!("in.txt has grown from 34 to 35 bytes{anew}"));
    dir.write("in.txt", format!("{UNIQUE}\n{NONE}\n"));
    assert_eq!(refused("solve in.txt -"), format!("the beginning of in.txt has changed{anew}"));

    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n"));
    // A run that cannot be resumed leaves no more than the version of gridmill.
    dir.write(MANIFEST, format!("{{\"gridmill\":\"{}\"}}\n", env!("CARGO_PKG_VERSION")));
    let error = dir.run("solve in.txt - -q -o out --resume").fails();
    let what = "it is of a run that cannot be resumed; run without --resume to start over";
    assert_eq!(error, format!("gridmill: cannot resume out.partial: {what}"));
    fs::remove_file(dir.path(MANIFEST)).unwrap();
    let error = dir.run("solve in.txt - -q -o out --resume").fails();
    assert!(error.contains("its manifest out.partial.json is missing"), "{error}");
    dir.write(MANIFEST, "{}");
    let error = dir.run("solve in.txt - -q -o out --resume").fails();
    assert!(error.contains("out.partial.json is damaged, or was not written by gridmill "), "{error}");
}

#[test]
fn two_runs_do_not_write_one_output() {
    let dir = TestDir::new();
    dir.write("in.txt", UNIQUE);
    let mut child = begin(&dir, "solve in.txt -");
    for more in ["", "--resume"] {
        let error = dir.run(&format!("solve in.txt - -q -o out {more}")).fails();
        assert!(error.ends_with(": another run is writing it"), "{error}");
    }
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(dir.read("out").lines().count(), 2);
}

/// Rows, copied records and the scorecard are the same after an interruption.
#[test]
fn a_validation_is_resumed_in_standard_input() {
    let (dir, faulty) = (TestDir::new(), FaultyCorpus::new());
    let puzzle = |line: usize| faulty.lines[line].split(',').nth(1).unwrap().to_owned();
    // Leaks of all degrees: the same puzzle, an isomorph, and a puzzle with one more clue of the same solution.
    let (sibling, solution) = (puzzle(55), faulty.lines[55].split(',').nth(2).unwrap().to_owned());
    let blank = sibling.find('.').unwrap();
    let sibling = with(&sibling, blank, solution.as_bytes()[blank]);
    dir.write("other.txt", [puzzle(40), isomorph(&puzzle(41), 5), isomorph(&sibling, 6), puzzle(36)].join("\n"));
    let checks = "--minimal --duplicates --isomorphs --accepts accepts --rejects rejects --fail-on malformed";
    let text = faulty.text();
    dir.write("table.csv", &text);
    for arguments in [
        format!("validate table.csv - {checks} --against other.txt --rating-column rating"),
        format!("validate table.csv - {checks} --answer-column solution"),
        format!("validate table.csv - {checks} --columns class,detail,answer,findings,solutions --keep rating,id"),
        "validate other.txt - --accepts accepts --rejects rejects --minimal".to_owned(),
        format!("validate table.csv - {checks} --against other.txt --engine bitmask --max-branches 2"),
    ] {
        let run = CompleteRun::new(&dir, &arguments, &text);
        let copies = [dir.read("accepts"), dir.read("rejects")];
        let [complete, _] = run.summaries();
        let is_bounded = arguments.contains("--max-branches");
        let has_ratings = arguments.contains("--rating-column");
        let mut findings = complete["findings"].as_object().unwrap().iter();
        let found = findings.all(|(name, count)| {
            *count != 0 || !is_bounded && name == "undecided" || !has_ratings && name.ends_with("-rating")
        });
        assert!(found || !arguments.contains("--against"), "every finding comes back: {complete}");
        for cut in [0, run.left.len() / 2, run.left.len()] {
            let resumed = run.resumed(cut);
            assert!(resumed == run.complete, "{arguments}\ncut at {cut}: {}", String::from_utf8_lossy(&resumed));
            assert_eq!([dir.read("accepts"), dir.read("rejects")], copies, "{arguments}, cut at {cut}");
            let [mut complete, mut resumed] = run.summaries();
            for card in [&mut complete, &mut resumed] {
                for figure in ["wall_seconds", "records_per_second", "resumed"] {
                    assert!(card.as_object_mut().unwrap().remove(figure).is_some());
                }
            }
            assert_eq!(complete, resumed, "{arguments}, cut at {cut}");
        }
    }
}

/// The rejects of the first part are copied again, those that are longer than a record may be, too.
#[test]
fn rejects_of_any_length_are_complete_after_a_resumed_run() {
    let dir = TestDir::new();
    let long = "7".repeat(5 << 19);
    let rest = format!("puzzle\n{UNIQUE}\n{long}\nbad\n{UNIQUE}\nworse");
    dir.write("in", format!("{UNIQUE}\n{long}\r\n{UNIQUE}\nbad\r\n{long}"));
    let run = CompleteRun::new(&dir, "validate in - --rejects rejects", &rest);
    let rejects = format!("{long}\r\nbad\r\n{long}\npuzzle\n{long}\nbad\nworse");
    assert!(dir.read("rejects") == rejects);
    for cut in [0, run.left.len() / 2, run.left.len()] {
        assert!(run.resumed(cut) == run.complete && dir.read("rejects") == rejects, "cut at {cut}");
    }
}

/// Every bit counts: of the rows so far, of the checkpoints, of the notes on records.
#[test]
#[cfg(unix)]
fn a_flipped_bit_in_what_is_left_of_a_run_is_found() {
    let dir = TestDir::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish, \"and more\"\n").repeat(1_000);
    dir.write("in", &input);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for arguments in [
        "solve in - --columns line,puzzle,status,solutions,solution,branches,detail",
        "solve in - --to jsonl --columns line,status,solution",
        "solve in - --to lines",
        "validate in - --duplicates --isomorphs --rejects rejects",
    ] {
        dir.run_on(&input, &format!("{arguments} -q -o complete")).ended();
        let (complete, rejects) = (fs::read(dir.path("complete")).unwrap(), fs::read(dir.path("rejects")).ok());
        // Standard input stays open, so that the run has written the rows of the file when it is killed.
        let mut child = dir.start(&format!("{arguments} -q -o out"));
        let pipe = child.stdin.take();
        dir.wait_for(PARTIAL, complete.len() as u64 / 4);
        crate::signals::send("INT", &child);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        drop(pipe);
        let names = [PARTIAL, MANIFEST, NOTES];
        let left = names.map(|name| fs::read(dir.path(name)).unwrap_or_default());
        assert!(left[0].len() > 1000 && left[2].is_empty() == arguments.starts_with("solve"), "{arguments}");
        let checkpoints = left[1].windows(3).position(|end| end == b"\n}\n").unwrap() + 3;
        for round in 0..30 {
            for (name, bytes) in names.iter().zip(&left).filter(|(_, bytes)| !bytes.is_empty()) {
                dir.write(name, bytes);
            }
            let flipped = round % 3;
            let (name, mut bytes) = (names[flipped], left[flipped].clone());
            if !bytes.is_empty() {
                let start = if name == MANIFEST { checkpoints } else { 0 };
                let at = rng.random_range(start..bytes.len());
                bytes[at] ^= 1 << rng.random_range(0..8);
                dir.write(name, &bytes);
                // A file that does not begin as notes do is not ours.
                if name == NOTES && at < bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1 {
                    continue;
                }
            }
            dir.run_on(&input, &format!("{arguments} -q -o out --resume")).ended();
            assert!(fs::read(dir.path("out")).unwrap() == complete, "{arguments}, {name}");
            assert!(fs::read(dir.path("rejects")).ok() == rejects, "{arguments}, {name}");
        }
    }
}

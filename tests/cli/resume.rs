//! Resumed runs write the same bytes as runs without an interruption.

use std::fs;
use std::io::Write;
use std::process::Child;

use gridmill::compression::{Compression, Encoder, FRAME_SIZE, Frames};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use strum::VariantArray;

use crate::corpora::{FaultyCorpus, isomorph, with};
use crate::{MULTIPLE, NONE, RunResult, TestDir, UNIQUE};

const PARTIAL: &str = "out.partial";
const MANIFEST: &str = "out.partial.json";

/// A run with its complete output, and with the manifest that it leaves if it is interrupted.
pub(crate) struct CompleteRun<'a> {
    dir: &'a TestDir,
    arguments: &'a str,
    input: &'a str,
    pub(crate) complete: Vec<u8>,
    manifest: Vec<u8>,
}

impl<'a> CompleteRun<'a> {
    /// A run that reads `input` from standard input, among other files.
    pub(crate) fn new(dir: &'a TestDir, arguments: &'a str, input: &'a str) -> CompleteRun<'a> {
        assert!(format!("{arguments} ").contains(" - "), "standard input holds the run up");
        let mut child = begin(dir, arguments);
        child.kill().unwrap();
        child.wait().unwrap();
        // Without checkpoints.
        let manifest = dir.read(MANIFEST).split_inclusive("\n}\n").next().unwrap().as_bytes().to_vec();
        dir.run_on(input, &format!("{arguments} -q -o out --summary complete.json")).ended();
        assert!(!dir.path(MANIFEST).exists() && !dir.path(PARTIAL).exists());
        let complete = fs::read(dir.path("out")).unwrap();
        CompleteRun { dir, arguments, input, complete, manifest }
    }

    /// Resumes from a partial output, all of which was written like this.
    fn resume(&self, left: &[u8], more: &str) -> RunResult {
        self.resume_damaged(left, left, more)
    }

    /// Resumes from a partial output that was damaged after it was `written`, with a checkpoint after every few bytes.
    fn resume_damaged(&self, left: &[u8], written: &[u8], more: &str) -> RunResult {
        let manifest = [self.manifest.clone(), checkpoints(written).into_bytes()].concat();
        self.dir.write(PARTIAL, left).write(MANIFEST, manifest);
        let _ = fs::remove_file(self.dir.path("out"));
        self.dir.run_on(self.input, &format!("{} -o out --resume {more}", self.arguments))
    }

    /// The output after resuming from a partial output.
    #[track_caller]
    pub(crate) fn resumed(&self, left: &[u8]) -> Vec<u8> {
        self.resumed_damaged(left, left)
    }

    #[track_caller]
    fn resumed_damaged(&self, left: &[u8], written: &[u8]) -> Vec<u8> {
        self.resume_damaged(left, written, "-q --summary resumed.json").ended();
        assert!(!self.dir.path(MANIFEST).exists() && !self.dir.path(PARTIAL).exists());
        fs::read(self.dir.path("out")).unwrap()
    }

    /// Positions at which the output is cut off: at the ends of rows and quotes, close to them, and at random.
    fn cuts(&self) -> Vec<usize> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let ends = (0..self.complete.len()).filter(|&at| matches!(self.complete[at], b'\n' | b'"'));
        let mut cuts: Vec<usize> = ends.flat_map(|at| [at, at + 1, at + 2]).collect();
        while cuts.len() > 60 {
            cuts.swap_remove(rng.random_range(0..cuts.len()));
        }
        cuts.extend((0..20).map(|_| rng.random_range(0..=self.complete.len())));
        cuts.extend([0, 1, self.complete.len()]);
        cuts.retain(|&cut| cut <= self.complete.len());
        cuts
    }

    /// The length in bytes of the first rows, the header included.
    fn rows(&self, rows: usize) -> usize {
        self.complete.split_inclusive(|&byte| byte == b'\n').take(rows).map(<[u8]>::len).sum()
    }

    fn summaries(&self) -> [Value; 2] {
        ["complete.json", "resumed.json"].map(|name| {
            let text = fs::read(self.dir.path(name)).unwrap_or(b"null".to_vec());
            serde_json::from_slice(&text).unwrap()
        })
    }
}

/// The lines that a run adds to its manifest when it has written these bytes.
pub(crate) fn checkpoints(written: &[u8]) -> String {
    let (mut sum, mut bytes) = (crc32fast::Hasher::new(), 0);
    let line = |piece: &[u8]| {
        sum.update(piece);
        bytes += piece.len();
        format!("{{\"bytes\":{bytes},\"crc32\":{}}}\n", sum.clone().finalize())
    };
    written.chunks(10_007).map(line).collect()
}

/// Starts a run that waits for input.
fn begin(dir: &TestDir, arguments: &str) -> Child {
    let child = dir.start(&format!("{arguments} -q -o out"));
    dir.wait_for(MANIFEST, 1);
    child
}

impl RunResult {
    /// Checks that a run reached its end, whatever it found.
    #[track_caller]
    fn ended(&self) {
        assert!(matches!(self.code, Some(0 | 1)), "{}", self.err);
    }
}

/// A table with all that makes rows hard to read back: quotes, line ends in fields, missing fields.
fn table() -> String {
    format!(
        "id,puzzle,note\n1,{UNIQUE},plain\n2,{MULTIPLE},\"a \"\"b\"\",\nc\"\n3,{NONE},\n4,\"say \"\"no\n\"\"\",\"\n\"\n\
         5,{UNIQUE},é\n6,{MULTIPLE}\n7,{UNIQUE},\"\"\n"
    )
}

fn lines() -> String {
    format!("# comment\n{UNIQUE}\n\n{NONE}\n\"{MULTIPLE}\n{MULTIPLE}\n{}\nrubbish", "1234341221434321")
}

#[test]
fn a_run_can_be_resumed_from_any_byte() {
    let dir = TestDir::new();
    dir.write("table.csv", table()).write("more.csv", format!("note,puzzle\n\"x\n\",{UNIQUE}\n"));
    let puzzle = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
    dir.write("nine.csv", format!("note,puzzle\n\"a,\n\",{puzzle}\nb,{}\n", puzzle.replace("17", ".7")));
    let all = "--columns file,line,puzzle,status,solutions,solution,branches,detail --keep note";
    for arguments in [
        format!("solve table.csv - more.csv {all}"),
        format!("solve table.csv - more.csv {all} --no-header --limit 100"),
        format!("solve more.csv - table.csv {all} --to jsonl"),
        "solve table.csv - --all --limit 3 --columns line,status,solution,detail".to_owned(),
        "solve table.csv - --columns solution,detail --no-header --threads 2 --chunk 1".to_owned(),
        "solve table.csv - --to lines".to_owned(),
        format!("solve table.csv - more.csv {all} --max-branches 0"),
        "solve table.csv - --columns solutions --max-branches 0 --to jsonl".to_owned(),
        "solve table.csv - --to lines --max-branches 0".to_owned(),
        "solve table.csv - --to lines --first".to_owned(),
        "rate nine.csv table.csv - --keep note --max-er 1.9 --no-header --isomorphs 3".to_owned(),
        "rate nine.csv table.csv - --to jsonl --only er --keep note".to_owned(),
        "rate table.csv nine.csv - --to jsonl --top 9".to_owned(),
    ] {
        let input = if arguments.contains("--keep") { table() } else { lines() };
        let run = CompleteRun::new(&dir, &arguments, &input);
        for cut in run.cuts() {
            let resumed = run.resumed(&run.complete[..cut]);
            assert!(resumed == run.complete, "{arguments}\ncut at {cut}: {}", String::from_utf8_lossy(&resumed));
            let [complete, resumed] = run.summaries();
            assert_eq!(resumed["ratings"], complete["ratings"], "{arguments}, cut at {cut}");
        }
    }
}

/// Of the first input, a puzzle may be among the records that were replayed; of the others, no record is one.
#[test]
fn a_resumed_run_names_the_same_inputs_without_a_puzzle() {
    let dir = TestDir::new();
    dir.write("half", format!("{UNIQUE}\nrubbish\n")).write("none", format!("a {UNIQUE}\nb {UNIQUE}\n"));
    let input = format!("a {UNIQUE}\n");
    for command in ["solve", "validate"] {
        let arguments = format!("{command} half none -");
        let run = CompleteRun::new(&dir, &arguments, &input);
        for rows in 0..=6 {
            let said = run.resume(&run.complete[..run.rows(rows)], "-q").err;
            let said: Vec<&str> = said.lines().filter(|line| !line.contains("nothing to resume")).collect();
            let why = "1 cell; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625";
            assert_eq!(
                said,
                [
                    format!(
                        "gridmill: no record of none is a puzzle: 2 records, all malformed; the first, on line 1: {why}"
                    ),
                    format!("gridmill: no record of - is a puzzle: 1 record, malformed; it is on line 1: {why}"),
                ],
                "{command}, {rows} rows"
            );
        }
    }
}

/// Rows are used up to the first one that is damaged.
#[test]
fn damaged_rows_are_written_again() {
    let dir = TestDir::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n").repeat(20);
    dir.write("in", input);
    let run = CompleteRun::new(&dir, "solve in - --columns line,puzzle,status,solution,detail", "");
    let complete = &run.complete;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..40 {
        // A piece of zeros, as file systems leave it after a crash; or random bytes up to the end.
        let start = rng.random_range(0..complete.len());
        let length = rng.random_range(1..=200).min(complete.len() - start);
        let mut left = complete.clone();
        left[start..start + length].fill(0);
        assert!(run.resumed_damaged(&left, complete) == *complete, "zeros at {start}..{}", start + length);
        left.truncate(start);
        let mut noise = vec![0; 300];
        rng.fill_bytes(&mut noise);
        left.extend_from_slice(&noise);
        assert!(run.resumed_damaged(&left, complete) == *complete, "random bytes from {start} on");
    }
}

#[test]
fn counts_are_of_the_complete_run_and_times_of_this_part() {
    let dir = TestDir::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish\n").repeat(50);
    dir.write("in", input);
    let run = CompleteRun::new(&dir, "solve in - --all --limit 5", "");
    let old = run.rows(1 + 77);
    let rows = run.resumed(&run.complete[..old + 9]);
    assert_eq!(rows[..old], run.complete[..old]);
    let [complete, resumed] = run.summaries();
    for figure in ["records", "rows", "clues", "not_all_listed", "limit"] {
        assert_eq!(complete[figure], resumed[figure], "{figure}");
    }
    assert_eq!(complete["resumed"], Value::Null);
    assert_eq!(resumed["resumed"], json!({"records": 77, "unknown": 0}));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&rows[old..]);
    let new: Vec<_> = reader.records().map(Result::unwrap).filter(|row| &row[3] != "malformed").collect();
    for (figure, column) in [("branches", 6), ("nanos", 7)] {
        // A search that stopped at the limit has no number of branches.
        let values = || new.iter().filter_map(|row| row[column].parse::<u64>().ok());
        assert_eq!(resumed[figure]["total"], values().sum::<u64>());
        assert_eq!(resumed[figure]["max"], values().max().unwrap());
    }
    let buckets = resumed["nanos_histogram"].as_array().unwrap();
    assert_eq!(buckets.iter().map(|bucket| bucket["puzzles"].as_u64().unwrap()).sum::<u64>(), new.len() as u64);
    assert_eq!(resumed["slowest"][0]["nanos"], resumed["nanos"]["max"]);
    let result = run.resume(&run.complete[..old], "");
    assert!(result.err.contains("\n  77 of them before; times and rates are of the others\n"), "{}", result.err);
}

/// One column that shows the status is enough, or the comment lines of `--to lines`.
#[test]
fn counts_of_earlier_rows_need_only_their_status() {
    for (arguments, unknown) in [
        ("--columns status", 0),
        ("--columns solutions", 0),
        ("--columns solutions --to jsonl", 0),
        ("--to lines", 0),
        // The printed solution may be the only one or the first of several.
        ("--to lines --first", 12),
        // No status is known for puzzles; malformed records are recognised without their rows.
        ("--columns line,solution", 18),
        ("--columns line,solution --no-header --to jsonl", 18),
    ] {
        let dir = TestDir::new();
        dir.write("in", format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish\n").repeat(10));
        let arguments = format!("solve in - {arguments}");
        let run = CompleteRun::new(&dir, &arguments, "");
        let header = usize::from(!arguments.contains("--to"));
        let old = run.rows(header + 23);
        assert!(run.resumed(&run.complete[..old]) == run.complete, "{arguments}");
        let [complete, resumed] = run.summaries();
        assert_eq!(resumed["resumed"], json!({"records": 23, "unknown": unknown}), "{arguments}");
        assert_eq!((&resumed["records"], &resumed["clues"]), (&complete["records"], &complete["clues"]), "{arguments}");
        let sum = |summary: &Value| -> u64 {
            summary["rows"].as_object().unwrap().values().map(|rows| rows.as_u64().unwrap()).sum()
        };
        assert_eq!(sum(&resumed) + unknown, sum(&complete), "{arguments}");
        if unknown == 0 {
            assert_eq!(resumed["rows"], complete["rows"], "{arguments}");
        } else {
            let result = run.resume(&run.complete[..old], "");
            let words = format!("of the others; {unknown} of them have rows without a status\n");
            assert!(result.err.contains(&words), "{}", result.err);
            let error = run.resume(b"", "--strict").fails();
            assert!(error.contains("a column status or solutions"), "{error}");
        }
    }
}

#[test]
fn strict_includes_the_rows_of_the_interrupted_run() {
    let dir = TestDir::new();
    dir.write("in", format!("{MULTIPLE}\n{UNIQUE}\n{UNIQUE}\n"));
    for columns in ["line,status", "solutions"] {
        let arguments = format!("solve in - --columns {columns}");
        let run = CompleteRun::new(&dir, &arguments, "");
        run.resume(&run.complete[..run.complete.len() - 3], "--strict -q").ends(1);
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
    let result = run.resume(b"status\nunique\n", "");
    assert!(result.err.contains("resuming out.partial after 1 row"), "{}", result.err);
    assert!(result.err.contains("1 record in ") && result.err.contains("unique 1 "), "{}", result.err);
    assert_eq!(dir.read("out"), "status\nunique\n");
}

#[test]
fn a_run_with_other_inputs_or_options_is_refused() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n")).write("other.txt", UNIQUE);
    let run = CompleteRun::new(&dir, "solve in.txt - --limit 2", "");
    let left = &run.complete[..run.complete.len() - 1];
    let refused = |arguments: &str| {
        dir.write(PARTIAL, left).write(MANIFEST, [&*run.manifest, checkpoints(left).as_bytes()].concat());
        let error = dir.run(&format!("{arguments} -q -o out --resume")).fails();
        assert_eq!(fs::read(dir.path(PARTIAL)).unwrap(), left, "nothing is changed");
        error.strip_prefix("gridmill: cannot resume out.partial: ").unwrap_or(&error).to_owned()
    };
    let anew = "; run without --resume to start over";
    for (arguments, difference) in [
        ("solve in.txt - --limit 3", "--limit was 2, is 3"),
        ("solve in.txt - --first", "--first was not given, is; --limit was 2, is not given"),
        ("solve in.txt -", ""),
        ("solve in.txt - --engine lanes --threads 1 --chunk 3 --simd portable --top 9", ""),
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
            run.resume(left, arguments.strip_prefix("solve in.txt -").unwrap()).ended();
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

/// Complete rows that do not match the records are an error.
#[test]
fn rows_of_other_records_are_refused() {
    let dir = TestDir::new();
    dir.write("in", format!("{UNIQUE}\n{MULTIPLE}\nrubbish\n"));
    let run = CompleteRun::new(&dir, "solve in - --columns line,puzzle,status", "");
    let header = "line,puzzle,status\n";
    let first = format!("1,{UNIQUE},unique\n");
    for (rows, fault) in [
        (format!("{first}3,{MULTIPLE},multiple\n"), "row 2 is of line 3, the record of line 2"),
        (format!("{first}2,{NONE},none\n"), "row 2 has another puzzle than the record of line 2"),
        (format!("{first}2,{MULTIPLE},malformed\n"), "row 2 has another status than the record of line 2"),
        (
            format!("{first}2,{MULTIPLE},multiple\n3,rubbish,malformed\n4,{UNIQUE},unique\n"),
            "it has more rows than the 3 records of the input",
        ),
    ] {
        let error = run.resume(format!("{header}{rows}").as_bytes(), "-q").fails();
        assert_eq!(error, format!("gridmill: cannot resume out.partial: {fault}"));
        assert!(dir.path(PARTIAL).exists());
    }
}

/// Rows are used up to the last complete frame; a short last frame is compressed again with the rows that follow.
#[test]
fn compressed_outputs_are_resumed_after_complete_frames() {
    let dir = TestDir::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n").repeat(9_000);
    dir.write("in", &input);
    for &compression in Compression::VARIANTS {
        let arguments = format!("solve in - --columns line,puzzle,status,solution,detail --compress {compression}");
        let run = CompleteRun::new(&dir, &arguments, "");
        let (mut frames, mut text) = (Frames::new(&*run.complete, compression), vec![]);
        let first = frames.next(&mut text).unwrap().unwrap() as usize;
        let rows = text.split(|&byte| byte == b'\n').count() - 2;
        assert!(first < run.complete.len() && rows < 27_000, "{compression}: one frame only");
        for (cut, resumed_rows) in [
            (run.complete.len(), Some(rows)),
            (run.complete.len() - 1, Some(rows)),
            (first, Some(rows)),
            (first - 1, None),
            (7, None),
            (0, None),
        ] {
            assert!(run.resumed(&run.complete[..cut]) == run.complete, "{compression} cut to {cut} bytes");
            let [complete, resumed] = run.summaries();
            assert_eq!(complete["rows"], resumed["rows"]);
            let records = resumed["resumed"].get("records").and_then(Value::as_u64);
            assert_eq!(records, resumed_rows.map(|rows| rows as u64), "{compression} cut to {cut} bytes");
        }
    }
}

/// A run that is stopped may leave a frame that is long enough, and not at its end.
#[test]
fn a_frame_is_complete_by_its_end() {
    let dir = TestDir::new();
    // In JSON lines, the one quote of the malformed record would be a quote that is never closed.
    dir.write("in", format!("12\"3\n{}", format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n").repeat(9_000)));
    let compression = Compression::Gzip;
    let arguments = "solve in - --columns line,puzzle,status,solution,detail --to jsonl --compress gzip";
    let run = CompleteRun::new(&dir, arguments, "");
    let (mut frames, mut text) = (Frames::new(&*run.complete, compression), vec![]);
    while frames.next(&mut text).unwrap().is_some() {}
    let end = 3 * FRAME_SIZE / 2;
    let stopped = text[..end].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let mut encoder = Encoder::new(vec![], compression, 1);
    encoder.write_all(&text[..stopped]).unwrap();
    assert!(run.resumed(&encoder.finish().unwrap()) == run.complete);
}

/// Rows, copied records and the scorecard are the same after an interruption at any byte.
#[test]
fn a_validation_can_be_resumed_from_any_byte() {
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
        let mut cuts = run.cuts();
        cuts.truncate(25);
        cuts.push(run.complete.len());
        for cut in cuts {
            let resumed = run.resumed(&run.complete[..cut]);
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
    for rows in 0..=11 {
        let left = &run.complete[..run.rows(rows)];
        assert!(run.resumed(left) == run.complete && dir.read("rejects") == rejects, "after {rows} rows");
    }
}

#[test]
fn rows_with_other_findings_than_their_records_are_refused() {
    let dir = TestDir::new();
    dir.write("in", format!("{UNIQUE}\n{UNIQUE}\n{MULTIPLE}\n"));
    let run = CompleteRun::new(&dir, "validate in - --duplicates", "");
    let complete = String::from_utf8(run.complete.clone()).unwrap();
    for (from, to, what) in [
        (",duplicate,duplicate,", ",sound,,", "row 2 has another list of findings than the record of line 2"),
        (",sound,,", ",duplicate,duplicate,", "row 1 has another list of findings than the record of line 1"),
        (",sound,,", ",not-minimal,not-minimal,", "row 1 has another list of findings than the record of line 1"),
        (",duplicate,duplicate,", ",sound,duplicate,", "row 2 has another verdict than the record of line 2"),
        ("multiple,multiple,", "sound,,", "row 3 has another list of findings than the record of line 3"),
        ("sound,,,4,", "sound,,,5,", "row 1 has another number of clues than the record of line 1"),
    ] {
        let broken = complete.replacen(from, to, 1);
        assert_ne!(broken, complete);
        let error = run.resume(broken.as_bytes(), "-q").fails();
        assert_eq!(error, format!("gridmill: cannot resume out.partial: {what}"));
    }
    for (from, to) in [
        ("duplicate,d", "doubtful,d"),
        (",duplicate,d", ",duplicate;doubtful,d"),
        (",4,1,,\n", ",4,x,,\n"),
        (",4,1,,\n", ",4,1,fine,\n"),
    ] {
        let broken = complete.replacen(from, to, 1);
        assert_ne!(broken, complete);
        assert_eq!(run.resumed(broken.as_bytes()), run.complete);
    }
}

/// Every bit of the rows so far counts: a solution, a class, words in a detail.
#[test]
#[cfg(unix)]
fn a_flipped_bit_in_the_rows_so_far_is_found() {
    let dir = TestDir::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish, \"and more\"\n").repeat(2_500);
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
        let (left, manifest) = (fs::read(dir.path(PARTIAL)).unwrap(), fs::read(dir.path(MANIFEST)).unwrap());
        assert!(left.len() > 1000, "{arguments}");
        for _ in 0..20 {
            let mut flipped = left.clone();
            flipped[rng.random_range(0..left.len())] ^= 1 << rng.random_range(0..8);
            dir.write(PARTIAL, flipped).write(MANIFEST, &manifest);
            dir.run_on(&input, &format!("{arguments} -q -o out --resume")).ended();
            assert!(fs::read(dir.path("out")).unwrap() == complete, "{arguments}");
            assert!(fs::read(dir.path("rejects")).ok() == rejects, "{arguments}");
        }
    }
}

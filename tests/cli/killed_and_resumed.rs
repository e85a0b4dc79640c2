//! Runs that are killed or interrupted at random moments, and resumed, write the same bytes as undisturbed runs.
//!
//! `scripts/soak --kills N` sets the environment variable `GRIDMILL_KILLS`: as many kills instead of the thirty of an
//! ordinary test.

use std::env;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gridmill::compression::{Compression, Decoder};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use strum::VariantArray;

use crate::signals::send;
use crate::{RunResult, TestDir, UNIQUE, corpora};

/// An input that takes some time: puzzles with randomly relabelled digits. Some occur twice, and some records are
/// malformed.
fn corpus(records: usize, rng: &mut Xoshiro256PlusPlus) -> String {
    let puzzles = corpora::corpus("-n 300 --minimal --seed 5");
    let mut digits = *b"123456789";
    let mut text = String::new();
    for _ in 0..records {
        let (puzzle, _) = &puzzles[rng.random_range(0..puzzles.len())];
        if !rng.random_ratio(1, 8) {
            let (one, other) = (rng.random_range(0..9), rng.random_range(0..9));
            digits.swap(one, other);
        }
        let clue = |byte: u8| if byte == b'.' { '.' } else { char::from(digits[usize::from(byte - b'1')]) };
        let record: String = puzzle.bytes().map(clue).collect();
        text += match rng.random_range(0..50) {
            0 => "rubbish, \"quoted\"",
            1 => &record[1..],
            _ => &record,
        };
        text.push('\n');
    }
    text
}

/// A run to kill, and the files that it writes if it is not killed.
struct KilledRun<'a> {
    dir: &'a TestDir,
    arguments: String,
    /// The time that an undisturbed run takes.
    time: Duration,
    files: FinalFiles,
}

/// The exit code and the files of a finished run.
#[derive(PartialEq, Eq)]
struct FinalFiles {
    code: Option<i32>,
    /// The bytes of the output as stored; they are the same for compressed output, too.
    rows: Option<Vec<u8>>,
    rejects: Option<Vec<u8>>,
    counts: [Value; 3],
    /// The names of all files, which must not be more.
    names: Vec<String>,
}

/// What happened to a run.
#[derive(Debug, Default)]
struct Found {
    kills: usize,
    /// Those after which there were rows to resume from.
    with_rows: usize,
    /// Those after which the rows were damaged.
    damaged: usize,
    differences: usize,
}

const OUTPUTS: [&str; 3] = ["out", "rejects", "card.json"];

impl<'a> KilledRun<'a> {
    fn new(dir: &'a TestDir, arguments: &str, compression: Option<Compression>) -> KilledRun<'a> {
        let compression = compression.map_or("none".to_owned(), |compression| compression.to_string());
        let arguments = format!("{arguments} --compress {compression} -q -o out --summary card.json");
        let start = Instant::now();
        let result = dir.run(&arguments);
        let (time, files) = (start.elapsed(), FinalFiles::take(dir, result.code));
        KilledRun { dir, arguments, time, files }
    }

    /// Starts or resumes the run, with other threads and chunks each time.
    fn start(&self, rng: &mut Xoshiro256PlusPlus) -> Child {
        let (threads, chunk) = (rng.random_range(1..=3), rng.random_range(1..=3000));
        let chunk = if rng.random_ratio(1, 2) { format!("--chunk {chunk}") } else { String::new() };
        let mut command = self.dir.command(&format!("{} --resume --threads {threads} {chunk}", self.arguments));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Found the run at random moments, by random signals, and resumes it each time; then lets it finish.
    fn kill(&self, times: usize, found: &mut Found, rng: &mut Xoshiro256PlusPlus) {
        let mut killed = 0;
        while killed < times {
            let child = self.start(rng);
            thread::sleep(self.time.mul_f64(rng.random_range(0.2..1.1)));
            send(["KILL", "KILL", "INT", "TERM", "HUP"].choose(rng).unwrap(), &child);
            let result = child.wait_with_output().unwrap();
            if matches!(result.status.code(), None | Some(130)) {
                killed += 1;
                found.kills += 1;
                found.with_rows +=
                    usize::from(fs::metadata(self.dir.path("out.partial")).is_ok_and(|file| file.len() > 0));
                found.damaged += usize::from(self.damage(rng));
            } else {
                self.compare(&result.into(), found);
            }
        }
        self.compare(&self.start(rng).wait_with_output().unwrap().into(), found);
    }

    /// Damages the rows so far, their checkpoints or the notes now and then, as a power cut, a bad disk or a person does.
    fn damage(&self, rng: &mut Xoshiro256PlusPlus) -> bool {
        let name = *["out.partial", "out.partial", "out.partial.json", "out.partial.notes"].choose(rng).unwrap();
        let Ok(mut bytes) = fs::read(self.dir.path(name)) else { return false };
        // The manifest itself stays, and the line by which notes are known.
        let after = |end: &[u8]| bytes.windows(end.len()).position(|part| part == end).map_or(0, |at| at + end.len());
        let start = match name {
            "out.partial" => 0,
            "out.partial.json" => after(b"\n}\n"),
            _ => after(b"\n"),
        };
        if bytes.len() <= start || rng.random_ratio(1, 2) {
            return false;
        }
        let tail = if rng.random_ratio(1, 2) { start } else { start.max(bytes.len().saturating_sub(3_000)) };
        let at = rng.random_range(tail..bytes.len());
        match rng.random_range(0..4) {
            0 => bytes.truncate(at),
            1 => bytes[at..].fill(0),
            2 => bytes.extend_from_within(at..),
            _ => bytes[at] ^= 1 << rng.random_range(0..8),
        }
        // The same file, as it is still locked or linked somewhere.
        let mut file = File::options().write(true).truncate(true).open(self.dir.path(name)).unwrap();
        file.write_all(&bytes).unwrap();
        true
    }

    /// Compares the files of a run that has finished with those of the undisturbed one.
    fn compare(&self, result: &RunResult, found: &mut Found) {
        let files = FinalFiles::take(self.dir, result.code);
        if files != self.files {
            let FinalFiles { rows, rejects, counts, names, .. } = &files;
            let differ = [*rows != self.files.rows, *rejects != self.files.rejects, *counts != self.files.counts];
            eprintln!("{}: other files {names:?}, code {:?} {}", self.arguments, result.code, result.err);
            eprintln!("other rows, rejects, counts: {differ:?}");
            found.differences += 1;
        }
    }
}

impl FinalFiles {
    /// Reads the files of a finished run, and removes them.
    fn take(dir: &TestDir, code: Option<i32>) -> FinalFiles {
        let entries = fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        // A manifest and a summary have random names before they are complete, and keep them if the run is killed just then.
        let is_temporary = |name: &str, of: &str| name.split_once(of).is_some_and(|(_, random)| !random.is_empty());
        names.retain(|name| !is_temporary(name, ".partial.json") && !is_temporary(name, "card.json"));
        names.sort_unstable();
        let read = |name: &str| fs::read(dir.path(name)).ok();
        let card: Value = serde_json::from_slice(&read("card.json").unwrap_or_default()).unwrap_or_default();
        let counts = ["records", "rows", "findings"].map(|figure| card[figure].clone());
        let files = FinalFiles { code, rows: read("out"), rejects: read("rejects"), counts, names };
        for name in files.names.iter().filter(|name| OUTPUTS.iter().any(|output| name.starts_with(output))) {
            fs::remove_file(dir.path(name)).unwrap();
        }
        files
    }
}

/// The text of an output.
pub(crate) fn unpacked(path: &Path, compression: Option<Compression>) -> String {
    let bytes = fs::read(path).unwrap();
    let Some(compression) = compression else { return String::from_utf8(bytes).unwrap() };
    let mut text = String::new();
    Decoder::new(&*bytes, compression).read_to_string(&mut text).unwrap();
    text
}

const JOBS: [&str; 12] = [
    "solve in.txt --engine bitmask --columns line,puzzle,status,solutions,solution,branches,detail",
    "validate in.txt --duplicates --isomorphs --rejects rejects",
    "rate few.txt --max-er 1.5",
    "solve in.txt --engine bitmask --to jsonl --columns solution",
    "trace few.txt --style search --columns line,kinds,cells",
    "canon few.txt --columns line,class",
    "solve in.txt --engine bitmask --to grids",
    "validate few.txt --minimal --rejects rejects --columns verdict",
    "rate few.txt --steps --max-er 1.5 --columns line,step,technique",
    "states in.txt --forced",
    "solve in.txt --engine bitmask --to lines",
    "convert in.txt --to jsonl --columns line,clues",
];

#[test]
fn killed_runs_write_the_same_bytes() {
    const KILLS_OF_A_RUN: usize = 5;
    let kills = env::var("GRIDMILL_KILLS").map_or(30, |kills| kills.parse().expect("a number of kills"));
    let (dir, mut rng) = (TestDir::new(), Xoshiro256PlusPlus::seed_from_u64(1));
    dir.write("in.txt", corpus(12_000, &mut rng)).write("few.txt", corpus(3_000, &mut rng));
    let compressions: Vec<_> = Compression::VARIANTS.iter().copied().map(Some).chain([None; 4]).collect();
    let mut found = Found::default();
    for number in 0.. {
        let times = KILLS_OF_A_RUN.min(kills - found.kills);
        if times == 0 {
            break;
        }
        let compression = *compressions.choose(&mut rng).unwrap();
        KilledRun::new(&dir, JOBS[number % JOBS.len()], compression).kill(times, &mut found, &mut rng);
    }
    let Found { kills, with_rows, damaged, differences } = found;
    println!("{kills} kills, {with_rows} with rows to resume from, {damaged} with damage: {differences} differences");
    assert_eq!(differences, 0);
    assert!(4 * with_rows > kills, "the runs are too short to be killed");
}

/// After a signal: complete rows, one line on standard error, and a run that can be resumed.
#[test]
fn every_terminating_signal_leaves_complete_rows() {
    let (dir, mut rng) = (TestDir::new(), Xoshiro256PlusPlus::seed_from_u64(3));
    // A quarter of the text is more than a chunk that is not full and two frames: one is compressed while the next is
    // filled.
    let text = corpus(100_000, &mut rng);
    for (compression, signals) in [(None, ["INT", "TERM", "HUP"]), (Some(Compression::Zstd), ["HUP", "INT", "TERM"])] {
        let name = compression.map_or("none".to_owned(), |compression| compression.to_string());
        let solve = format!("solve - --threads 1 --columns line,puzzle,status,solution -o out --compress {name}");
        dir.run_on(&text, &solve).ends(0);
        let whole = fs::read(dir.path("out")).unwrap();
        let text_of_whole = unpacked(&dir.path("out"), compression);
        fs::remove_file(dir.path("out")).unwrap();
        let mut written = 0;
        for (part, signal) in (1..).zip(signals) {
            let mut child = dir.start(&format!("{solve} --resume"));
            // The input stays open, so that the run does not end before the signal.
            let mut input = child.stdin.take().unwrap();
            input.write_all(&text.as_bytes()[..text.len() / 4 * part]).unwrap();
            dir.wait_for("out.partial", written + 1);
            send(signal, &child);
            let result = RunResult::from(child.wait_with_output().unwrap());
            assert_eq!(result.code, Some(130), "{signal}: {}", result.err);
            let last = result.err.lines().last().unwrap();
            let end = " of -; the rows so far are in out.partial; resume with --resume";
            assert!(last.starts_with("gridmill: stopped after line ") && last.ends_with(end), "{last}");
            let rows = unpacked(&dir.path("out.partial"), compression);
            assert!(rows.ends_with('\n') && text_of_whole.starts_with(&rows), "{signal}");
            written = fs::metadata(dir.path("out.partial")).unwrap().len();
        }
        dir.run_on(&text, &format!("{solve} --resume")).ends(0);
        assert!(fs::read(dir.path("out")).unwrap() == whole);
        fs::remove_file(dir.path("out")).unwrap();
    }
}

/// `nohup` makes programs ignore the signal of a closed terminal.
#[test]
#[cfg(target_os = "linux")]
fn signals_that_are_ignored_at_the_start_stay_ignored() {
    let dir = TestDir::new();
    let mut command = dir.shell("trap '' HUP INT; RUN", "solve -q - -o out");
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{UNIQUE}\n").repeat(10_000).as_bytes()).unwrap();
    dir.wait_for("out.partial.json", 1);
    for signal in ["HUP", "INT"] {
        send(signal, &child);
    }
    thread::sleep(Duration::from_millis(100));
    drop(input);
    RunResult::from(child.wait_with_output().unwrap()).ends(0);
}

//! Runs that are killed or interrupted at random moments, and resumed, write the same bytes as undisturbed runs.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gridmill::compression::{Compression, Decoder};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::signals::send;
use crate::{RunResult, TestDir, UNIQUE, faulty_corpus};

/// An input that takes some seconds: puzzles with randomly relabelled digits. Some occur twice, and some records are
/// malformed.
fn corpus(records: usize, rng: &mut Xoshiro256PlusPlus) -> String {
    let puzzles = faulty_corpus::corpus("-n 300 --minimal --seed 5");
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
    /// The length of the undisturbed output in bytes, as stored.
    length: u64,
    files: FinalFiles,
}

/// The exit code and the files of a finished run.
#[derive(PartialEq, Eq)]
struct FinalFiles {
    code: Option<i32>,
    /// The bytes of the output as stored; they are the same for compressed output, too.
    rows: Vec<u8>,
    rejects: Option<String>,
    counts: [Value; 3],
}

impl<'a> KilledRun<'a> {
    fn new(dir: &'a TestDir, arguments: &str, compression: Option<Compression>) -> KilledRun<'a> {
        let packing = compression.map_or(String::new(), |compression| format!(" --compress {compression}"));
        let arguments = format!("{arguments}{packing} -q -o out --summary card.json");
        let result = dir.run(&arguments);
        let length = fs::metadata(dir.path("out")).unwrap().len();
        let mut run = KilledRun { dir, arguments, length, files: FinalFiles::none() };
        run.files = run.files(result.code);
        fs::remove_file(dir.path("out")).unwrap();
        run
    }

    fn files(&self, code: Option<i32>) -> FinalFiles {
        let read = |name: &str| fs::read(self.dir.path(name)).ok();
        let card: Value = serde_json::from_slice(&read("card.json").unwrap_or_default()).unwrap_or_default();
        FinalFiles {
            code,
            rows: read("out").unwrap(),
            rejects: read("rejects").map(|bytes| String::from_utf8(bytes).unwrap()),
            counts: ["records", "rows", "findings"].map(|figure| card[figure].clone()),
        }
    }

    /// Starts or resumes the run.
    fn start(&self) -> Child {
        let mut command = self.dir.command(&format!("{} --resume", self.arguments));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The length of the partial output in bytes.
    fn written(&self) -> u64 {
        fs::metadata(self.dir.path("out.partial")).map_or(0, |file| file.len())
    }

    /// Waits until the output has reached a random length or the run has ended. Sometimes waits for a short time only,
    /// so that the run is still reading the partial output back.
    fn wait_for_random_length(&self, child: &mut Child, rng: &mut Xoshiro256PlusPlus) {
        let written = self.written();
        if written > 0 && rng.random_ratio(1, 3) {
            return thread::sleep(Duration::from_micros(rng.random_range(0..60_000)));
        }
        let position = written + rng.random_range(0..=self.length.saturating_sub(written) / 2);
        let deadline = Instant::now() + Duration::from_mins(3);
        while self.written() <= position && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the output does not grow");
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(Duration::from_micros(rng.random_range(0..2_000)));
    }

    /// Kills the run `kills` times, resuming it each time, then lets it finish.
    fn survives(&self, kills: usize, rng: &mut Xoshiro256PlusPlus) {
        let (mut killed, mut within, mut ends) = (0, 0, 0);
        while killed < kills {
            let mut child = self.start();
            self.wait_for_random_length(&mut child, rng);
            child.kill().unwrap();
            let result = child.wait_with_output().unwrap();
            if result.status.signal() == Some(9) && !self.dir.path("out").exists() {
                killed += 1;
                within += usize::from(self.written() > 0);
                self.lose_bytes(rng);
            } else if result.status.signal().is_none() {
                self.check_files(&RunResult::from(result));
                ends += 1;
            }
            assert!(ends <= kills, "{}: the run is too short to be killed", self.arguments);
        }
        assert!(2 * within > kills, "{}: {within} of {kills} were killed among the rows", self.arguments);
        self.check_files(&RunResult::from(self.start().wait_with_output().unwrap()));
    }

    /// Truncates the output now and then, as after a power cut before the last bytes were on the disk.
    fn lose_bytes(&self, rng: &mut Xoshiro256PlusPlus) {
        if let Ok(left) = File::options().write(true).open(self.dir.path("out.partial"))
            && rng.random_ratio(1, 2)
        {
            let lost = rng.random_range(0..2_000);
            left.set_len(left.metadata().unwrap().len().saturating_sub(lost)).unwrap();
        }
    }

    fn check_files(&self, result: &RunResult) {
        assert!(self.files(result.code) == self.files, "{}: {:?} {}", self.arguments, result.code, result.err);
        for name in ["out.partial", "out.partial.json"] {
            assert!(!self.dir.path(name).exists(), "{name} is left");
        }
        fs::remove_file(self.dir.path("out")).unwrap();
    }
}

impl FinalFiles {
    fn none() -> FinalFiles {
        FinalFiles { code: None, rows: Vec::new(), rejects: None, counts: Default::default() }
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

const SOLVE: &str = "solve in.txt --threads 2 --columns line,puzzle,status,solutions,solution,branches,detail";
const VALIDATE: &str = "validate in.txt --threads 2 --duplicates --isomorphs --rejects rejects";

#[test]
fn killed_solve_runs_can_be_resumed() {
    let (dir, mut rng) = (TestDir::new(), Xoshiro256PlusPlus::seed_from_u64(1));
    dir.write("in.txt", corpus(60_000, &mut rng));
    for compression in [None, Some(Compression::Zstd), Some(Compression::Gzip)] {
        KilledRun::new(&dir, &format!("{SOLVE} --engine bitmask"), compression).survives(8, &mut rng);
    }
}

#[test]
fn killed_validate_runs_can_be_resumed() {
    let (dir, mut rng) = (TestDir::new(), Xoshiro256PlusPlus::seed_from_u64(2));
    dir.write("in.txt", corpus(30_000, &mut rng));
    for compression in [None, Some(Compression::Zstd)] {
        KilledRun::new(&dir, VALIDATE, compression).survives(8, &mut rng);
    }
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

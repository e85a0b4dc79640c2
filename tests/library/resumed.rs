//! Runs that go on after an interruption have the rows, the copies and the counts of runs without one: whatever the job and
//! its columns, and whatever happened to the files in between.

use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gridmill::compression::Compression;
use gridmill::corpus::{Corpus, Origin};
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::trace::TraceStyle;
use gridmill::jobs::{
    Canon, Convert, Event, Execution, Generate, JobError, Rate, Score, Solve, States, Trace, Validate,
};
use gridmill::output::OutputTarget;
use gridmill::puzzle::Size;
use gridmill::rows::OutputFormat;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use strum::VariantArray;

/// The bytes of some files, by their names.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// A directory with a corpus, in which runs of one job write `out`.
struct Runs<'a> {
    directory: tempfile::TempDir,
    extension: &'a str,
    run: fn(&Runs<'_>, bool, &Execution) -> Result<Value, JobError>,
}

/// The files of an interrupted run: rows, checkpoints and notes.
fn left_by(directory: &Path) -> Files {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let left = entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("out."));
    left.filter_map(|path| fs::read(&path).ok().map(|bytes| (path, bytes))).collect()
}

impl Runs<'_> {
    fn target(&self) -> OutputTarget {
        OutputTarget::file(self.directory.path().join(format!("out.{}", self.extension)))
    }

    /// Where records are copied to.
    fn copies(&self, name: &str) -> OutputTarget {
        OutputTarget::file(self.directory.path().join(name))
    }

    fn corpus(&self, answer: AnswerColumn) -> Corpus {
        let options = InputOptions { answer, ..InputOptions::default() };
        let origins = ["a.csv", "b.csv"].map(|name| Origin::File(self.directory.path().join(name)));
        Corpus::open(origins.into(), options).unwrap()
    }

    /// Runs it completely; returns the output, the copies and the counts.
    fn complete(&self, resume: bool, chunk: usize) -> (Vec<u8>, Vec<Option<Vec<u8>>>, Value) {
        let execution = Execution::new().threads(2).chunk_size(NonZeroUsize::new(chunk).unwrap());
        let mut report = (self.run)(self, resume, &execution).unwrap();
        let of_this_part = ["seconds", "per_second", "busy", "nanos", "branches", "slowest", "resumed", "threads"];
        report.as_object_mut().unwrap().retain(|name, _| !of_this_part.iter().any(|part| name.contains(part)));
        let copies = ["accepts.csv", "rejects.csv"].map(|name| fs::read(self.directory.path().join(name)).ok());
        let output = fs::read(self.target().path.unwrap()).unwrap();
        assert_eq!(left_by(self.directory.path()).len(), 1, "nothing else is left");
        (output, copies.into(), report)
    }

    /// The files before each chunk but the first is written, with a checkpoint after each chunk.
    fn interrupted(&self, chunk: usize) -> Vec<Files> {
        let directory = self.directory.path().to_owned();
        let left = Arc::new(Mutex::new(vec![]));
        let all = Arc::clone(&left);
        let observer = move |event: Event<'_>| {
            if matches!(event, Event::Written { .. }) {
                all.lock().unwrap().push(left_by(&directory));
            }
        };
        let execution = Execution::new().chunk_size(NonZeroUsize::new(chunk).unwrap()).checkpoint_each_chunk();
        (self.run)(self, false, &execution.observer(observer)).unwrap();
        fs::remove_file(self.target().path.unwrap()).unwrap();
        let mut left = left.lock().unwrap();
        left.remove(0);
        std::mem::take(&mut *left)
    }

    fn put(&self, files: &[(PathBuf, Vec<u8>)]) {
        for (path, _) in left_by(self.directory.path()) {
            fs::remove_file(path).unwrap();
        }
        for (path, bytes) in files {
            fs::write(path, bytes).unwrap();
        }
    }
}

/// Where the checkpoints begin in a file next to a partial output.
fn manifest_length(bytes: &[u8]) -> usize {
    bytes.windows(3).position(|end| end == b"\n}\n").map_or(0, |end| end + 3)
}

/// Damages one of the files: the rows, the checkpoints or the notes. The manifest stays, and how notes begin.
fn damage(files: &mut [(PathBuf, Vec<u8>)], rng: &mut Xoshiro256PlusPlus) {
    let number = rng.random_range(0..files.len());
    let (path, bytes) = &mut files[number];
    let start = match path.extension().unwrap().to_str().unwrap() {
        "json" => manifest_length(bytes),
        // A file that does not begin as notes do is refused.
        "notes" => bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1,
        _ => 0,
    };
    if bytes.len() <= start {
        return;
    }
    let at = rng.random_range(start..bytes.len());
    match rng.random_range(0..5) {
        0 => bytes.truncate(at),
        1 => bytes[at..].fill(0),
        2 => bytes.extend_from_within(at..),
        3 => bytes.truncate(start),
        _ => bytes[at] ^= 1 << rng.random_range(0..8),
    }
}

const UNIQUE: &str = "1.3..........4.2";

/// Two inputs with puzzles of two sizes, repeats and malformed records.
fn directory() -> tempfile::TempDir {
    let easy = fs::read_to_string("data/easy.txt").unwrap();
    let lines: Vec<&str> = easy.lines().take(6).collect();
    let solution = "1234432121433412";
    let mut records = vec!["puzzle,solution".to_owned()];
    for (number, nine) in lines.iter().enumerate() {
        records.push(format!("{UNIQUE},{}", if number.is_multiple_of(2) { solution } else { "?" }));
        records.push(format!("{nine},"));
        records.push(format!("{},", if number.is_multiple_of(3) { "rubbish" } else { "................" }));
    }
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.csv"), records.join("\n") + "\n").unwrap();
    fs::write(directory.path().join("b.csv"), format!("puzzle,solution\n{UNIQUE},{solution}\n{},\n11,\n", lines[0]))
        .unwrap();
    directory
}

macro_rules! report {
    ($job:expr, $runs:ident, $resume:ident, $execution:ident, $answer:expr) => {
        $job.resume($resume)
            .run_to($runs.corpus($answer), &$runs.target(), $execution)
            .map(|finished| json!(finished.report))
    };
    ($job:expr, $runs:ident, $resume:ident, $execution:ident) => {
        report!($job, $runs, $resume, $execution, AnswerColumn::Ignored)
    };
}

type RunJob = fn(&Runs<'_>, bool, &Execution) -> Result<Value, JobError>;

const LIMIT: NonZeroU64 = NonZeroU64::new(7).unwrap();

/// A run of `generate`, which reads no corpus.
fn generated(job: Generate, runs: &Runs<'_>, resume: bool, execution: &Execution) -> Result<Value, JobError> {
    job.resume(resume).run_to(Corpus::empty(), &runs.target(), execution).map(|finished| json!(finished.report))
}

const JOBS: [(&str, RunJob); 18] = [
    ("csv", |runs, resume, execution| {
        report!(Solve::new().columns(["file", "line", "status", "solution"]), runs, resume, execution)
    }),
    ("csv", |runs, resume, execution| report!(Solve::new().columns(["solution"]), runs, resume, execution)),
    ("jsonl", |runs, resume, execution| {
        report!(
            Solve::new().format(OutputFormat::Jsonl).all(true).limit(LIMIT).columns(["line", "solution", "detail"]),
            runs,
            resume,
            execution
        )
    }),
    ("txt", |runs, resume, execution| report!(Solve::new().format(OutputFormat::Lines), runs, resume, execution)),
    ("txt", |runs, resume, execution| report!(Solve::new().format(OutputFormat::Grids), runs, resume, execution)),
    ("txt", |runs, resume, execution| {
        report!(Solve::new().format(OutputFormat::Listing).all(true).limit(LIMIT), runs, resume, execution)
    }),
    ("csv", |runs, resume, execution| report!(Rate::new().columns(["line", "er"]), runs, resume, execution)),
    ("csv", |runs, resume, execution| report!(Rate::new().only_er(true), runs, resume, execution)),
    ("jsonl", |runs, resume, execution| {
        report!(Rate::new().steps(true).format(OutputFormat::Jsonl), runs, resume, execution)
    }),
    ("csv", |runs, resume, execution| report!(Trace::new().style(TraceStyle::Search), runs, resume, execution)),
    ("txt", |runs, resume, execution| report!(Trace::new().format(OutputFormat::Text), runs, resume, execution)),
    ("csv", |runs, resume, execution| report!(Canon::new().columns(["line", "class"]), runs, resume, execution)),
    ("csv", |runs, resume, execution| {
        let job = Validate::new().minimal(true).duplicates(true).isomorphs(true);
        let job = job.accepts(runs.copies("accepts.csv")).rejects(runs.copies("rejects.csv"));
        report!(job, runs, resume, execution, AnswerColumn::ByName)
    }),
    ("csv", |runs, resume, execution| {
        report!(Validate::new().rejects(runs.copies("rejects.csv")).columns(["verdict"]), runs, resume, execution)
    }),
    ("csv", |runs, resume, execution| report!(States::new(), runs, resume, execution)),
    ("csv", |runs, resume, execution| {
        report!(Score::new().columns(["line"]), runs, resume, execution, AnswerColumn::Named("solution".into()))
    }),
    ("sdk", |runs, resume, execution| report!(Convert::new().format(OutputFormat::Sdk), runs, resume, execution)),
    ("csv", |runs, resume, execution| {
        let job = Generate::new(25).seed(3).skip(5).clues("24".parse().unwrap()).columns(["puzzle", "tries"]);
        generated(job.format(OutputFormat::Csv), runs, resume, execution)
    }),
];

#[test]
fn any_job_goes_on_from_any_state_of_its_files() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for (number, (extension, run)) in JOBS.into_iter().enumerate() {
        let runs = Runs { directory: directory(), extension, run };
        let complete = runs.complete(false, 4096);
        let interrupted = runs.interrupted(2);
        assert!(interrupted.len() > 5, "job {number}");
        for (at, left) in interrupted.iter().enumerate() {
            runs.put(left);
            assert!(runs.complete(true, 3) == complete, "job {number}, after {at} chunks");
        }
        let last = interrupted.last().unwrap();
        let rows = last.iter().find(|(path, _)| path.extension().unwrap() == "partial").unwrap().1.len();
        for _ in 0..6 {
            // A torn row, or rows of before with checkpoints of after.
            let mut left = last.clone();
            let cut = rng.random_range(0..=rows);
            left.iter_mut()
                .filter(|(path, _)| path.extension().unwrap() == "partial")
                .for_each(|file| file.1.truncate(cut));
            runs.put(&left);
            assert!(runs.complete(true, 5) == complete, "job {number}, rows cut at {cut}");

            let mut left = last.clone();
            damage(&mut left, &mut rng);
            runs.put(&left);
            assert!(runs.complete(true, 4) == complete, "job {number}, damaged");
        }
    }
}

/// Frames end where blocks of records do, so the bytes do not depend on chunks, nor on where a run was interrupted.
#[test]
fn compressed_outputs_have_the_same_bytes_for_all_chunks_and_after_an_interruption() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let solve: RunJob = |runs, resume, execution| {
        report!(Solve::new().columns(["line", "puzzle", "status", "solution"]), runs, resume, execution)
    };
    let validate: RunJob = |runs, resume, execution| {
        report!(Validate::new().duplicates(true).rejects(runs.copies("rejects.csv")), runs, resume, execution)
    };
    let generate: RunJob = |runs, resume, execution| {
        let job = Generate::new(13_000).size(Size::Four).grids(true).columns(["puzzle", "clues", "tries"]);
        generated(job.format(OutputFormat::Csv), runs, resume, execution)
    };
    // The first input ends a block, and then the second one does; and there are records after it.
    for (run, records) in
        [(solve, [4096, 12_288]), (solve, [9000, 5000]), (validate, [4096, 10_000]), (generate, [0, 0])]
    {
        for compression in Compression::VARIANTS {
            let extension = format!("csv.{}", compression.extension());
            let runs = Runs { directory: tempfile::tempdir().unwrap(), extension: &extension, run };
            for (name, records) in ["a.csv", "b.csv"].into_iter().zip(records) {
                let text = format!("puzzle\n{}", format!("{UNIQUE}\n................\nx\n").repeat(records / 3 + 1));
                let lines: Vec<&str> = text.lines().take(records + 1).collect();
                fs::write(runs.directory.path().join(name), lines.join("\n")).unwrap();
            }
            let complete = runs.complete(false, 4096);
            assert!(runs.complete(false, 1000) == complete && runs.complete(false, 7000) == complete, "{compression}");
            let interrupted = runs.interrupted(1500);
            let has_checkpoint = |left: &Files| {
                left.iter()
                    .any(|(path, bytes)| path.extension().unwrap() == "json" && bytes.len() > manifest_length(bytes))
            };
            assert!(has_checkpoint(interrupted.last().unwrap()), "{compression}");
            for left in interrupted.iter().rev().step_by(2) {
                let mut left = left.clone();
                if rng.random_ratio(1, 3) {
                    damage(&mut left, &mut rng);
                }
                runs.put(&left);
                assert!(runs.complete(true, 999) == complete, "{compression}");
            }
        }
    }
}

//! Tests of the binary: its rows, exit codes and messages.

// `validate --audit`: the alarms of bad corpora, and that good ones raise none.
mod audit;
// `augment`: every copy is an isomorph of its puzzle, and its answer solves it.
mod augment;
// `bench`: its table, exports and errors.
mod bench;
// `canon`: its columns, and that canonical forms are stable.
mod canon;
// `--card` and `--croissant`: what is said of a data set is true, and what was not checked is no pass.
#[cfg(unix)]
mod card;
// `certify`: passes and failures of test sets.
mod certify;
// `classes`: sets of classes, and leaks that are found through them.
mod classes;
// `convert`: puzzles in every format, and pictures.
mod convert;
// `dedupe`: which records stay, and the table of the others.
mod dedupe;
// `fuzz`: planted faults are found.
mod fuzz;
// `generate`: symmetric, patterned, minimal and distinct puzzles, and its summary.
mod generate;
// Help, manual pages, completions and `formats`; the examples in the help work.
mod help;
// `pipe`: one line out for each line in.
mod pipe;
// `rate`: its columns, steps and summaries.
mod rate;
// `--report` and `sheet`: pages are well formed, stand alone, and escape hostile text.
mod report;
// `sample`: its size, its order, and what it is taken from.
mod sample;
// `score`: answers in any text, and what they are worth.
mod score;
// `--shard`, and `merge`, which joins the outputs of all shards.
mod shard;
// `solve`: its columns, its options and its summary.
mod solve;
// `split`: records are copied as they are, and groups stay together.
mod split;
// `states`: partly filled grids, moves and candidates.
mod states;
// `trace`: its columns, its text, its arrays, and records without a trace.
mod trace;
// `validate`: rows, scorecards and exit codes for corpora with known faults.
mod validate;

// Every command with rows has every format and every common option, or a reason why not.
#[cfg(feature = "parquet")]
mod matrix;
// What is refused before a run: all messages on one page.
// Lines that newcomers type, with one thing wrong.
mod newcomers;
#[cfg(all(unix, feature = "parquet"))]
mod refusals;
// The format of an output follows the extension of its name.
#[cfg(feature = "parquet")]
mod extensions;
// Messages are one line each, and nothing in a name or an input steers the terminal.
#[cfg(unix)]
mod messages;
// Rows do not depend on threads, chunks, vectors or (except `branches`) the engine.
mod same_bytes;
// Puzzles of every size, in every format and command.
#[cfg(feature = "parquet")]
mod sizes;
// What is printed on a terminal fits its width, and has colours unless `NO_COLOR` is set.
#[cfg(unix)]
mod terminal;

// Inputs of the original programs give the original outputs, with every engine.
mod acceptance;
// Answers are judged wherever an input has them, or a line says that they are not.
mod answers;
// Compressed inputs and outputs, compared with the compression libraries.
mod compressed;
// An input in which no record is a puzzle is named; a check against one is an error.
mod inputs_without_puzzles;
// JSON lines as input.
mod jsonl;
// A record that is no puzzle becomes a row with a reason, in every format.
mod malformed_records;
// Arrays of `NumPy` as inputs and outputs.
#[cfg(feature = "parquet")]
mod npy;
// Parquet files as inputs and outputs.
#[cfg(feature = "parquet")]
mod parquet;
// Parquet files in which a few bytes stand for much memory.
#[cfg(all(target_os = "linux", feature = "parquet"))]
mod parquet_bombs;
// Pencilmark puzzles: which commands take them, and what the others say.
mod pencilmarks;
// No record is lost: stray quotes, records without an end, headers far from the start.
#[cfg(unix)]
mod record_boundaries;
// Puzzles that a search gave up on: `--max-branches`, and a signal in a long search.
mod undecided_puzzles;
// Inputs that cannot be opened, change during the run, or are not text.
#[cfg(unix)]
mod unreadable_inputs;

// No output may be an input or another output; standard streams and devices may.
mod files_named_twice;
// Runs that are killed at random moments and resumed write the same bytes.
#[cfg(unix)]
mod killed_and_resumed;
// Memory does not depend on the input: bombs, long lines, too many threads.
#[cfg(target_os = "linux")]
mod memory_limits;
// Outputs that are full, blocked or closed.
#[cfg(unix)]
mod outputs;
// Files that others have put where a partial output belongs are not touched.
#[cfg(unix)]
mod partial_files_of_others;
// A resumed run writes the same bytes as a run without an interruption.
mod resume;
// A signal ends a run within a moment, with complete rows, whatever it waits for.
#[cfg(unix)]
mod signals;

// Classes of 4x4 and 6x6 puzzles, in every command that knows isomorphs.
mod small_classes;

// The commands in README.md, CONTRIBUTING.md and `docs/` work, and print what the page shows.
#[cfg(all(unix, feature = "parquet"))]
mod readme;

// Corpora with known faults.
#[path = "../support/corpora.rs"]
mod corpora;
// Files like those of the public data sets.
#[cfg(all(unix, feature = "parquet"))]
#[path = "../support/data_sets.rs"]
mod data_sets;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

const UNIQUE: &str = "1.3..........4.2";
const UNIQUE_SOLUTION: &str = "1234432121433412";
const MULTIPLE: &str = "1...............";
const NONE: &str = "11..............";

/// A temporary directory in which a test runs gridmill.
struct TestDir(TempDir);

impl TestDir {
    fn new() -> TestDir {
        TestDir(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &TestDir {
        fs::write(self.path(name), text).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn read_bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(cargo_bin("gridmill"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }

    /// Runs to the end, with nothing on standard input.
    fn run(&self, arguments: &str) -> RunResult {
        RunResult::from(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs to the end, with some text on standard input.
    fn run_on(&self, input: impl AsRef<[u8]>, arguments: &str) -> RunResult {
        let mut child = self.start(arguments);
        // A run that fails early does not read all of it.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        RunResult::from(child.wait_with_output().unwrap())
    }

    /// A shell script, in which `RUN` stands for gridmill with these arguments.
    #[cfg(unix)]
    fn shell(&self, script: &str, arguments: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &script.replace("RUN", "exec \"$0\" \"$@\"")]).arg(cargo_bin("gridmill"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// Waits until a file has at least this length.
    #[track_caller]
    fn wait_for(&self, name: &str, bytes: u64) {
        let deadline = Instant::now() + Duration::from_mins(3);
        while fs::metadata(self.path(name)).map_or(0, |file| file.len()) < bytes {
            assert!(Instant::now() < deadline, "{name} does not grow");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Starts a run with pipes for standard input, output and error.
    fn start(&self, arguments: &str) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

/// The exit code and the output of a run.
#[derive(Debug)]
struct RunResult {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for RunResult {
    fn from(output: Output) -> RunResult {
        let text = |bytes| String::from_utf8(bytes).expect("everything that is printed is UTF-8");
        RunResult { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl RunResult {
    /// Checks the exit code; returns standard output.
    #[track_caller]
    fn ends(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.err);
        self.out
    }

    /// Checks that the run failed with one line on standard error; returns the line.
    #[track_caller]
    fn fails(self) -> String {
        assert_eq!(self.code, Some(2), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        self.err.trim_end().to_owned()
    }
}

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name).display().to_string()
}

//! Tests of the binary: its rows, exit codes and messages.

mod acceptance;
mod answers;
mod augment;
mod bad_input;
mod bench;
mod canon;
mod commands;
mod compressed;
#[cfg(all(unix, feature = "parquet"))]
mod data_sets;
mod dedupe;
mod ends;
#[cfg(feature = "parquet")]
mod extensions;
mod faulty_corpus;
#[cfg(unix)]
mod faulty_input;
#[cfg(unix)]
mod faulty_output;
#[cfg(unix)]
mod foreign_files;
mod generate;
mod jsonl;
#[cfg(unix)]
mod killed;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(unix)]
mod lost_records;
#[cfg(unix)]
mod messages;
mod no_puzzle;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod pencilmarks;
mod pipe;
mod rate;
#[cfg(all(unix, feature = "parquet"))]
mod readme;
mod report;
mod resume;
mod same_bytes;
mod sample;
mod shard;
mod shared_files;
#[cfg(unix)]
mod signals;
mod split;
#[cfg(unix)]
mod terminal;
mod undecided;
mod validate;

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

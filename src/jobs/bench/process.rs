//! Runs a process of a contender once: feeds it, reads its output, kills it if it takes too long or the run is stopped.

use std::io::{self, Read};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{bounded, never, select};
use wait4::Wait4;

use super::{PuzzleSet, RunTime};
use crate::stop::Stop;

/// How the processes of a contender are run.
#[derive(Clone, Debug)]
pub(super) struct Process {
    /// The name of the contender.
    pub(super) name: String,
    /// The maximum time of a process.
    pub(super) timeout: Option<Duration>,
    /// Ends a process early.
    pub(super) stop: Stop,
}

/// Why a program could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// It cannot be started, or its output cannot be read.
    #[error("cannot run '{command}'")]
    Run {
        /// The command.
        command: String,
        /// The cause.
        source: io::Error,
    },
    /// Its exit status is an error.
    #[error("'{command}' on {file} failed: {status}")]
    Failed {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
        /// The exit status.
        status: ExitStatus,
    },
    /// It was killed because it took too long.
    #[error("'{command}' on {file} took longer than {} s and was killed", .timeout.as_secs_f64())]
    TimedOut {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
        /// The maximum time.
        timeout: Duration,
    },
    /// It was killed because the run was stopped.
    #[error("'{command}' on {file} was stopped")]
    Stopped {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
    },
    /// The number of answers is not the number of puzzles.
    #[error("'{command}' on {file} answered {answers} lines for {puzzles} puzzles")]
    AnswerCount {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
        /// The number of lines that it wrote.
        answers: usize,
        /// The number of puzzles that it read.
        puzzles: usize,
    },
    /// A line is not an answer.
    #[error("'{command}' on {file}: answer {number} is neither a solution nor a count: '{text}'")]
    InvalidAnswer {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
        /// The number of the line in its output, from 1.
        number: usize,
        /// The line.
        text: String,
    },
    /// It wrote more than answers can be.
    #[error("'{command}' on {file} wrote more than {most} bytes for {puzzles} puzzles and was killed")]
    TooLong {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
        /// The maximum.
        most: u64,
        /// The number of puzzles that it read.
        puzzles: usize,
    },
    /// A plugin got a puzzle of another size than 9x9.
    #[error("'{command}' on {file}: a plugin solves 9x9 puzzles only")]
    PluginSize {
        /// The name of the plugin.
        command: String,
        /// The name of the set.
        file: String,
    },
    /// The process of a plugin wrote something else than its times.
    #[error(
        "'{command}' on {file} wrote '{text}' instead of its times: a plugin must not end its process, nor write to \
         standard output"
    )]
    InvalidTimes {
        /// The name of the plugin.
        command: String,
        /// The name of the set.
        file: String,
        /// The output.
        text: String,
    },
    /// A plugin gave other counts when it was timed.
    #[error(
        "'{command}' on {file} counted {counted} solutions when it was timed instead of {expected}: each call must give \
         the same, also on several threads at once"
    )]
    Miscounted {
        /// The name of the plugin, with its number of threads.
        command: String,
        /// The name of the set.
        file: String,
        /// The sum of its counts.
        counted: u64,
        /// The sum of the counts that were checked.
        expected: u64,
    },
}

/// An upper bound of the length of an answer: that of a 25x25 puzzle has 625 bytes and a count.
const MAX_ANSWER: u64 = 1000;

/// The maximum number of bytes that a process may write beside answers. They are shown in a message.
const MAX_OTHER_TEXT: u64 = 100_000;

/// Why a process was killed.
enum Killed {
    Late(Duration),
    Stopped,
}

impl Process {
    pub(super) fn new(name: String) -> Process {
        Process { name, timeout: None, stop: Stop::new() }
    }

    /// Runs a command once, on what `feed` writes, which are some puzzles; returns its output and the time.
    pub(super) fn run(
        &self,
        mut command: Command,
        set: &PuzzleSet,
        puzzles: usize,
        feed: impl FnOnce(&mut ChildStdin) -> io::Result<()> + Send,
    ) -> Result<(Vec<u8>, RunTime), ProgramError> {
        let failed = |source| ProgramError::Run { command: self.name.clone(), source };
        let (name, file) = (|| self.name.clone(), || set.name().to_owned());

        // From here on, Ctrl-C ends the process before it ends ours.
        let _listener = self.stop.listen();
        let start = Instant::now();
        let mut child = own_group(&mut command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let mut stdout = child.stdout.take().expect("standard output is a pipe");

        let (mut output, most) = (Vec::new(), MAX_OTHER_TEXT + MAX_ANSWER * puzzles as u64);
        let (read, used, killed) = thread::scope(|scope| {
            // On another thread, because both pipes may be full. A write error means that the program did not read
            // everything, and then answers are missing.
            scope.spawn(move || {
                let _ = feed(&mut stdin);
            });

            // Kills the process if it takes too long, or the run is stopped.
            let (running, end) = bounded::<()>(0);
            let id = child.id();
            let watch = scope.spawn(move || {
                let late = self.timeout.map_or_else(never, crossbeam_channel::after);
                let killed = select! {
                    recv(end) -> _ => return None,
                    recv(late) -> _ => Killed::Late(self.timeout.unwrap_or_default()),
                    recv(self.stop.receiver()) -> _ => Killed::Stopped,
                };
                kill(id);
                Some(killed)
            });

            let read = stdout.by_ref().take(most + 1).read_to_end(&mut output);
            if output.len() as u64 > most {
                kill(id);
            }
            drop(stdout);

            let used = child.wait4();
            drop(running);
            (read, used, watch.join().unwrap_or(None))
        });
        let wall = start.elapsed();

        if let Some(Killed::Late(timeout)) = killed {
            return Err(ProgramError::TimedOut { command: name(), file: file(), timeout });
        }
        // Also if the process has ended at the same moment.
        if self.stop.is_triggered() {
            return Err(ProgramError::Stopped { command: name(), file: file() });
        }

        read.map_err(failed)?;
        if output.len() as u64 > most {
            return Err(ProgramError::TooLong { command: name(), file: file(), most, puzzles });
        }

        let used = used.map_err(failed)?;
        // Of the process and of all that it has waited for.
        let cpu = used.rusage.utime + used.rusage.stime;
        if !used.status.success() {
            return Err(ProgramError::Failed { command: name(), file: file(), status: used.status });
        }
        Ok((output, RunTime { wall, cpu: (!cpu.is_zero()).then_some(cpu) }))
    }
}

/// Puts a process into a group of its own, to be killed with those that it starts.
#[cfg(unix)]
fn own_group(command: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, 0)
}

#[cfg(not(unix))]
fn own_group(command: &mut Command) -> &mut Command {
    command
}

/// Kills a process group.
#[cfg(unix)]
fn kill(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

/// Elsewhere the program runs to its end.
#[cfg(not(unix))]
fn kill(_leader: u32) {}

/// The puzzles of a set, one in each line.
pub(super) fn text(set: &PuzzleSet) -> Vec<u8> {
    let mut text = Vec::new();
    for (order, _, puzzle) in set.puzzles() {
        set.alphabet(order).write(puzzle, b'.', &mut text);
        text.push(b'\n');
    }
    text
}

/// The lines of an output.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines = (!text.is_empty()).then(|| text.split(|&byte| byte == b'\n'));
    lines.into_iter().flatten().map(<[u8]>::trim_ascii)
}

/// The start of a line, for a message.
pub(super) fn excerpt(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(100).collect()
}

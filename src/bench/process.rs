//! Runs a process of a contender once: feeds it, reads its output, kills it if it takes too long or the run is stopped.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never, select};
use wait4::Wait4;

use super::error::ProgramError;
use super::{PuzzleSet, RunTime};
use crate::stop::Stop;

/// The settings for the processes of a contender.
#[derive(Clone, Debug)]
pub(super) struct Process {
    /// The name of the contender.
    pub(super) name: String,
    /// The maximum time of a process.
    pub(super) timeout: Option<Duration>,
    /// Ends a process early.
    pub(super) stop: Stop,
}

/// An upper bound of the length of an answer: for a 25x25 puzzle, 625 bytes and a count.
const MAX_ANSWER: u64 = 1000;

/// The maximum number of bytes that a process may write in addition to answers, such as messages.
const MAX_OTHER_TEXT: u64 = 100_000;

/// The reason why a process was killed.
enum Killed {
    Late(Duration),
    Stopped,
}

impl Process {
    pub(super) fn new(name: String) -> Process {
        Process { name, timeout: None, stop: Stop::new() }
    }

    /// Runs a command once, with input from `feed`, which can wait for the next line of the output; returns the output and
    /// the time.
    pub(super) fn run(
        &self,
        mut command: Command,
        set: &PuzzleSet,
        puzzles: usize,
        feed: impl FnOnce(&mut ChildStdin, &Receiver<()>) -> io::Result<()> + Send,
    ) -> Result<(Vec<u8>, RunTime), ProgramError> {
        let failed = |source| ProgramError::Run { command: self.name.clone(), source };
        let (name, file) = (|| self.name.clone(), || set.name().to_owned());
        let stopped = || ProgramError::Stopped { command: name(), file: file() };

        // From here on, Ctrl-C ends the process before it ends ours.
        let _listener = self.stop.listen();
        if self.stop.is_triggered() {
            return Err(stopped());
        }
        let start = Instant::now();
        let mut child = own_group(&mut command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let stdout = child.stdout.take().expect("standard output is a pipe");

        let (mut output, most) = (Vec::new(), MAX_OTHER_TEXT + MAX_ANSWER * puzzles as u64);
        let mut stdout = BufReader::new(stdout.take(most + 1));
        let (line, next_line) = bounded(1);
        let (read, used, killed) = thread::scope(|scope| {
            // On another thread, because both pipes may be full. A write error means that the program has not read
            // everything; then answers are missing, which is noticed later.
            scope.spawn(move || {
                let _ = feed(&mut stdin, &next_line);
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

            let read = loop {
                match stdout.read_until(b'\n', &mut output) {
                    Ok(0) => break Ok(()),
                    Err(error) => break Err(error),
                    // The channel is full unless `feed` waits.
                    Ok(_) => _ = line.try_send(()),
                }
            };
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
            let answered = memchr::memchr_iter(b'\n', &output).count();
            return Err(ProgramError::TimedOut { command: name(), file: file(), timeout, answered });
        }
        // Checked even if the process has ended in the same moment.
        if self.stop.is_triggered() {
            return Err(stopped());
        }

        read.map_err(failed)?;
        if output.len() as u64 > most {
            return Err(ProgramError::TooLong { command: name(), file: file(), most, puzzles });
        }

        let used = used.map_err(failed)?;
        // The times of the process and its children.
        let cpu = used.rusage.utime + used.rusage.stime;
        if !used.status.success() {
            return Err(ProgramError::Failed { command: name(), file: file(), status: used.status });
        }
        Ok((output, RunTime { wall, cpu: (!cpu.is_zero()).then_some(cpu) }))
    }
}

/// Puts a process into a new group, for killing it together with the processes that it starts.
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
        // It may have ended already.
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

/// Elsewhere the program runs to its end.
#[cfg(not(unix))]
fn kill(_leader: u32) {}

/// The puzzles of a set, one in each line.
pub(super) fn text(set: &PuzzleSet) -> Vec<u8> {
    let mut text = Vec::new();
    for (size, _, puzzle) in set.puzzles() {
        set.alphabet(size).write(puzzle, b'.', &mut text);
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

//! Runs a process of a contender once: feeds it, reads its output, kills it if it takes too long or the run is stopped.

use std::io::{self, BufRead, BufReader, PipeReader, Read, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never, select};
#[cfg(unix)]
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::retry_on_intr,
    process::Pid,
};
use wait4::Wait4;

use super::contender::{ProgramError, ProgramFailure, RunTime};
use super::set::PuzzleSet;
use crate::stop::Stop;

/// The settings for the processes of a contender.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// The name of the contender, for tables and messages.
    pub(crate) name: String,
    /// The maximum time of a process; then it is killed, with all processes that it has started.
    pub(crate) timeout: Option<Duration>,
    /// Kills a running process.
    pub(crate) stop: Stop,
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
    /// The error for a failure on a set.
    pub(super) fn error(&self, set: &PuzzleSet, failure: ProgramFailure) -> ProgramError {
        ProgramError { command: self.name.clone(), file: set.name().to_owned(), failure }
    }

    /// Runs a command once, with input from `feed`, which can wait for the next line of the output; returns the output and
    /// the time. The run ends with the process, whatever the processes that it has started do: these are killed then, if
    /// they have not left its group.
    pub(super) fn run(
        &self,
        mut command: Command,
        set: &PuzzleSet,
        puzzles: usize,
        feed: impl FnOnce(&mut dyn Write, &Receiver<()>) -> io::Result<()> + Send,
    ) -> Result<(Vec<u8>, RunTime), ProgramError> {
        let error = |failure| self.error(set, failure);
        let failed = |source| error(ProgramFailure::Run(source));

        // From here on, Ctrl-C ends the process before it ends ours.
        let _listener = self.stop.listen();
        if self.stop.is_triggered() {
            return Err(error(ProgramFailure::Stopped));
        }
        let (ended, running) = io::pipe().map_err(failed)?;
        let start = Instant::now();
        let mut child = own_group(&mut command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let stdin = child.stdin.take().expect("standard input is a pipe");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let mut stdin = until_end(stdin, &ended).map_err(failed)?;
        let stdout = until_end(stdout, &ended).map_err(failed)?;

        let (id, most) = (child.id(), MAX_OTHER_TEXT + MAX_ANSWER * puzzles as u64);
        let (line, next_line) = bounded(1);
        let (read, used, wall, killed) = thread::scope(|scope| {
            // On another thread, because both pipes may be full. A write error means that the program has not read
            // everything; then answers are missing, which is noticed later.
            scope.spawn(move || {
                let _ = feed(&mut stdin, &next_line);
            });

            let reader = scope.spawn(move || {
                let (mut stdout, mut output) = (BufReader::new(stdout.take(most + 1)), vec![]);
                // The channel is full unless `feed` waits.
                while stdout.read_until(b'\n', &mut output)? > 0 {
                    _ = line.try_send(());
                }
                if output.len() as u64 > most {
                    kill(id);
                }
                Ok(output)
            });

            // Kills the process if it takes too long, or the run is stopped.
            let (is_over, over) = bounded::<()>(0);
            let watch = scope.spawn(move || {
                let late = self.timeout.map_or_else(never, crossbeam_channel::after);
                let killed = select! {
                    recv(over) -> _ => return None,
                    recv(late) -> _ => Killed::Late(self.timeout.unwrap_or_default()),
                    recv(self.stop.receiver()) -> _ => Killed::Stopped,
                };
                kill(id);
                Some(killed)
            });

            wait_for_end(id);
            drop(running);
            let read = reader.join().expect("reading does not panic");
            let wall = start.elapsed();
            drop(is_over);
            let killed = watch.join().expect("waiting does not panic");
            // Before the process is reaped, its id cannot be the id of another group.
            kill(id);
            (read, child.wait4(), wall, killed)
        });

        let output: Vec<u8> = read.map_err(failed)?;
        if let Some(Killed::Late(timeout)) = killed {
            let answered = memchr::memchr_iter(b'\n', &output).count();
            return Err(error(ProgramFailure::TimedOut { timeout, answered }));
        }
        // Checked even if the process has ended in the same moment.
        if self.stop.is_triggered() {
            return Err(error(ProgramFailure::Stopped));
        }
        if output.len() as u64 > most {
            return Err(error(ProgramFailure::TooLong { most, puzzles }));
        }

        let used = used.map_err(failed)?;
        // The times of the process and its children.
        let cpu = used.rusage.utime + used.rusage.stime;
        if !used.status.success() {
            return Err(error(ProgramFailure::Failed(used.status)));
        }
        Ok((output, RunTime { wall, cpu: (!cpu.is_zero()).then_some(cpu) }))
    }
}

/// A pipe to or from a process. It ends with the process, also if another process holds its other end open.
#[cfg(unix)]
struct Pipe<'a, P> {
    pipe: P,
    /// Is ready when the process has ended.
    ended: &'a PipeReader,
}

#[cfg(unix)]
fn until_end<P: AsFd>(pipe: P, ended: &PipeReader) -> io::Result<Pipe<'_, P>> {
    // A blocking write would wait until all of its bytes fit.
    rustix::io::ioctl_fionbio(&pipe, true)?;
    Ok(Pipe { pipe, ended })
}

/// Elsewhere a pipe ends with the last process that holds it open.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn until_end<P>(pipe: P, _: &PipeReader) -> io::Result<P> {
    Ok(pipe)
}

#[cfg(unix)]
impl<P: AsFd> Pipe<'_, P> {
    /// Waits until the pipe is ready; returns false if the process has ended before.
    fn is_ready(&self, flags: PollFlags) -> io::Result<bool> {
        let mut both = [PollFd::new(&self.pipe, flags), PollFd::new(self.ended, PollFlags::IN)];
        retry_on_intr(|| poll(&mut both, None))?;
        // The last bytes may have been written after the first look at the pipe.
        retry_on_intr(|| poll(&mut both[..1], Some(&Timespec::default())))?;
        Ok(!both[0].revents().is_empty())
    }
}

#[cfg(unix)]
impl<P: Read + AsFd> Read for Pipe<'_, P> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.is_ready(PollFlags::IN)? { self.pipe.read(bytes) } else { Ok(0) }
    }
}

#[cfg(unix)]
impl<P: Write + AsFd> Write for Pipe<'_, P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while self.is_ready(PollFlags::OUT)? {
            match self.pipe.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written,
            }
        }
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

/// Waits for the end of a process without reaping it. Elsewhere, the end of its output is its end.
#[cfg(unix)]
fn wait_for_end(id: u32) {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    if let Some(leader) = pid(id) {
        let _ = retry_on_intr(|| waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
    }
}

#[cfg(not(unix))]
fn wait_for_end(_id: u32) {}

/// Kills a process and its group.
#[cfg(unix)]
fn kill(id: u32) {
    use rustix::process::{Signal, kill_process, kill_process_group};
    if let Some(leader) = pid(id) {
        // They may have ended already. The process may have left its group.
        let _ = kill_process_group(leader, Signal::KILL);
        let _ = kill_process(leader, Signal::KILL);
    }
}

/// Elsewhere the program runs to its end.
#[cfg(not(unix))]
fn kill(_id: u32) {}

#[cfg(unix)]
fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

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

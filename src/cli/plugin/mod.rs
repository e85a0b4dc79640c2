//! `gridmill plugin-solver`: solves puzzles with a function of a shared library, and times it. `bench --plugin` runs it
//! in a separate process, so that a crash or a hang of the library ends only that process.
//!
//! The function has the signature of tdoku's benchmark: `size_t solve(const char *input, size_t limit, uint32_t
//! configuration, char *solution, size_t *guesses)`. It returns the number of solutions up to the limit, and writes the
//! first solution if the limit is 1; for other limits, its output is ignored. The process writes [`PluginAnswer`]s or
//! [`PluginTimes`].

mod library;

use std::ffi::OsString;
use std::io::{self, BufWriter, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;
use gridmill::pipeline::thread_cpu_time;

use self::library::{Answer, CELLS, Function, Solver};
use crate::cli::bench::{Plugin, PluginAnswer, PluginTimes, Process};
use crate::cli::call::{self, Exit};
use crate::cli::ui::progress;

/// The location of a solver in a shared library: `PATH:SYMBOL`, or `PATH:SYMBOL:CONFIGURATION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PluginPath {
    library: PathBuf,
    symbol: String,
    configuration: u32,
}

impl FromStr for PluginPath {
    type Err = String;

    fn from_str(text: &str) -> Result<PluginPath, String> {
        let mut parts = text.split(':');
        let (library, symbol) = parts.next().zip(parts.next()).ok_or("a plugin is written FILE.so:FUNCTION")?;
        let configuration = match parts.next() {
            Some(number) => number.parse().map_err(|_| format!("the configuration '{number}' is not a number"))?,
            None => 0,
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if library.is_empty() || symbol.is_empty() || !symbol.chars().all(is_word) || parts.next().is_some() {
            return Err("a plugin is written FILE.so:FUNCTION or FILE.so:FUNCTION:CONFIGURATION".to_owned());
        }
        Ok(PluginPath { library: library.into(), symbol: symbol.to_owned(), configuration })
    }
}

impl PluginPath {
    /// The shared library.
    pub(crate) fn library(&self) -> &Path {
        &self.library
    }

    /// A solver that calls the function on a number of threads.
    pub(crate) fn solver(&self, process: Process, threads: usize) -> anyhow::Result<Plugin> {
        let (program, arguments) = call::program().split_first().context("cannot find the path of gridmill")?;
        // A name without a folder would be searched for among the libraries of the system.
        let library = std::path::absolute(&self.library).context("cannot find the current folder")?;
        let own = [
            "plugin-solver".into(),
            library.into_os_string(),
            self.symbol.clone().into(),
            OsString::from(self.configuration.to_string()),
        ];
        let arguments = arguments.iter().cloned().chain(own).collect();
        Ok(Plugin::new(process, program.into(), arguments, threads))
    }
}

/// Answer puzzles with a solver from a shared library, for `bench --plugin`
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct PluginArgs {
    /// The shared library
    library: PathBuf,
    /// The function
    symbol: String,
    /// The configuration that is passed to the function
    configuration: u32,
    /// Count solutions up to this
    limit: usize,
    /// Solve all puzzles this number of times and write the times, not the answers
    #[arg(long)]
    passes: Option<NonZeroUsize>,
    /// With --passes: the number of threads
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
}

/// Solves the puzzles on standard input, one on each line, and writes the answers or the times.
pub(crate) fn run(args: &PluginArgs) -> anyhow::Result<Exit> {
    die_with_parent();
    let PluginArgs { library, symbol, configuration, limit, passes, threads } = args;
    let function = match Function::load(library, symbol) {
        Ok(function) => function,
        Err(error) => {
            let error = anyhow!(error).context(format!("cannot load {symbol} from {}", library.display()));
            progress::say_error(format_args!("{error:#}"));
            return Ok(Exit::NotLoaded);
        }
    };
    let solver = Solver { function, limit: *limit, configuration: *configuration };

    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    let lines = text.trim_ascii_end().split(|&byte| byte == b'\n');
    let puzzles: Vec<[u8; CELLS]> =
        lines.map(TryInto::try_into).collect::<Result<_, _>>().context("a plugin solves 9x9 puzzles only")?;

    let mut output = BufWriter::new(io::stdout().lock());
    if let Some(passes) = passes {
        serde_json::to_writer(&mut output, &time(&solver, &puzzles, *passes, *threads))?;
    } else {
        // First, so that nothing else happens between two calls that are timed.
        let mut answers: Vec<PluginAnswer> = puzzles.iter().map(|puzzle| timed(&solver, puzzle)).collect();
        for (answer, puzzle) in answers.iter_mut().zip(&puzzles).filter(|(answer, _)| answer.solutions > 0) {
            answer.grid = solver.solution(puzzle);
        }
        for answer in answers {
            serde_json::to_writer(&mut output, &answer)?;
            output.write_all(b"\n")?;
        }
    }
    output.flush()?;
    Ok(Exit::Success)
}

/// Counts the solutions of a puzzle and times that. The wall clock is finer, but goes on while another process runs.
fn timed(solver: &Solver, puzzle: &[u8; CELLS]) -> PluginAnswer {
    let (cpu, wall) = (thread_cpu_time(), Instant::now());
    let Answer { solutions, guesses, .. } = solver.solve(puzzle);
    let nanos = wall.elapsed().min(thread_cpu_time().saturating_sub(cpu)).as_nanos() as u64;
    PluginAnswer { solutions: solutions as u64, guesses: guesses as u64, nanos, grid: None }
}

/// How long each thread solves puzzles before the clock starts, to fill tables and caches.
const WARM_UP: Duration = Duration::from_millis(5);

/// The number of puzzles that a thread takes at a time.
const PIECE: usize = 64;

/// Solves all puzzles `passes` times. All passes form one queue, so the threads wait for each other only at its end.
fn time(solver: &Solver, puzzles: &[[u8; CELLS]], passes: NonZeroUsize, threads: NonZeroUsize) -> PluginTimes {
    let (next, pieces) = (AtomicUsize::new(0), puzzles.chunks(PIECE).len());
    let warmed_up = Barrier::new(threads.get() + 1);
    let solve = |puzzle: &[u8; CELLS]| solver.solve(puzzle).solutions as u64;
    let work = || {
        let start = thread_cpu_time();
        puzzles.iter().take_while(|_| thread_cpu_time().saturating_sub(start) < WARM_UP).for_each(|puzzle| {
            solve(puzzle);
        });
        // The time starts when all threads are ready.
        warmed_up.wait();
        let mut solutions = 0;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= passes.get() * pieces {
                return solutions;
            }
            let start = number % pieces * PIECE;
            let end = puzzles.len().min(start + PIECE);
            solutions += puzzles[start..end].iter().map(solve).sum::<u64>();
        }
    };

    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        warmed_up.wait();
        let (cpu, wall) = (process_cpu_time(), Instant::now());
        let solutions = workers.into_iter().map(|worker| worker.join().expect("foreign code does not panic")).sum();
        PluginTimes { wall: wall.elapsed(), cpu: process_cpu_time().saturating_sub(cpu), solutions }
    })
}

/// The CPU time of this process, since a solver may have its own threads.
fn process_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// A function that never returns would otherwise outlive a killed gridmill.
#[cfg(target_os = "linux")]
fn die_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // If this fails, the process still ends with its function.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_a_file_and_a_function() {
        let plugin = PluginPath { library: "./a.so".into(), symbol: "solve".into(), configuration: 3 };
        assert_eq!("./a.so:solve:3".parse(), Ok(plugin.clone()));
        assert_eq!("./a.so:solve".parse(), Ok(PluginPath { configuration: 0, ..plugin }));
        for text in ["a.so", ":f", "a.so:", "a.so:f:x", "a.so:f:1:2", "a.so:f g"] {
            assert!(text.parse::<PluginPath>().is_err(), "{text}");
        }
    }
}

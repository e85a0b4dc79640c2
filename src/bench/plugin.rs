//! Benchmarks a solver in a shared library. A process calls its function, and measures the times itself.
//!
//! The times do not include the start of the process, reading and writing, so they are comparable with the times of an
//! engine. The process reads all puzzles, one in each line, before it calls the function. It is given the limit, and
//! then writes a [`PluginAnswer`] for each puzzle; with `--passes P --threads N` it solves all puzzles P times on N
//! threads and writes one line, [`PluginTimes`].

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::process::{Process, excerpt, lines, text};
use super::{Contender, ContenderAnswer, ProgramError, ProgramFailure, PuzzleSet, RunTime, SetAnswers};
use crate::engine::{Cost, Limit};
use crate::puzzle::Size;
use crate::stop::Stop;

/// A solver in a process that measures its times.
#[derive(Clone, Debug)]
pub struct Plugin {
    program: PathBuf,
    arguments: Vec<OsString>,
    threads: usize,
    process: Process,
    /// The numbers of solutions in the last answers, by puzzle.
    solutions: HashMap<Box<[u8]>, u64>,
}

/// The line of JSON that the process of a plugin writes for a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginAnswer {
    /// The number of solutions.
    pub solutions: u64,
    /// The number of guesses; 0 if it was not reported.
    pub guesses: u64,
    /// The CPU time of the call, in nanoseconds.
    pub nanos: u64,
    /// The bytes that it wrote as the solution.
    pub grid: Option<String>,
}

/// The line of JSON that the process of a plugin writes for some passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginTimes {
    /// Wall time.
    pub wall: Duration,
    /// CPU time of the process.
    pub cpu: Duration,
    /// The sum of the numbers of solutions over all passes.
    pub solutions: u64,
}

impl Plugin {
    /// A solver that processes of `program` call, on a number of threads.
    pub fn new(name: impl Into<String>, program: PathBuf, arguments: Vec<OsString>, threads: usize) -> Plugin {
        Plugin { program, arguments, threads, process: Process::new(name.into()), solutions: HashMap::new() }
    }

    /// Runs a process on the puzzles of a set.
    fn run(&self, set: &PuzzleSet, limit: Limit, options: &[String]) -> Result<Vec<u8>, ProgramError> {
        if set.puzzles().any(|(size, ..)| size != Size::Nine) {
            return Err(self.process.error(set, ProgramFailure::PluginSize));
        }

        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(limit.get().to_string()).args(options);
        let puzzles = text(set);
        let (output, _) = self.process.run(command, set, set.len(), |stdin, _| stdin.write_all(&puzzles))?;
        Ok(output)
    }
}

setters!(Plugin {
    /// Sets the maximum time of a process, if there is one; then it is killed.
    timeout(timeout: Option<Duration>) => process.timeout = timeout;

    /// Sets a signal that kills a running process.
    stop(stop: Stop) => process.stop = stop;
});

impl Contender for Plugin {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn threads(&self) -> Option<usize> {
        Some(self.threads)
    }

    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<SetAnswers, ProgramError> {
        let output = self.run(set, limit, &[])?;
        let (answers, puzzles) = (lines(&output).count(), set.len());
        if answers != puzzles {
            return Err(self.process.error(set, ProgramFailure::AnswerCount { answers, puzzles }));
        }

        let alphabet = set.alphabet(Size::Nine);
        let (mut answers, mut costs) = (SetAnswers::default(), Vec::with_capacity(puzzles));
        self.solutions.clear();
        for (text, (_, line, puzzle)) in lines(&output).zip(set.puzzles()) {
            let invalid =
                |text: &[u8]| self.process.error(set, ProgramFailure::InvalidAnswer { line, text: excerpt(text) });
            let answer = serde_json::from_slice(text).map_err(|_| invalid(text))?;
            let PluginAnswer { solutions, guesses, nanos, grid } = answer;

            let cells = |grid: String| -> Result<Box<[u8]>, ProgramError> {
                let cells: Box<[u8]> = grid.bytes().map(|digit| alphabet.value(digit)).collect();
                let is_full = cells.len() == Size::Nine.cells() && !cells.contains(&0);
                if is_full { Ok(cells) } else { Err(invalid(grid.as_bytes())) }
            };
            let solution = grid.map(cells).transpose()?;
            answers.answers.push(ContenderAnswer { solutions: Some(solutions), gave_up: false, solution });
            costs.push((solutions, Cost { branches: Some(guesses), nanos }));
            self.solutions.insert(puzzle.into(), solutions);
        }

        // A function that does not count guesses reports 0 for all puzzles.
        let counts_guesses = costs.iter().any(|(_, cost)| cost.branches > Some(0));
        let comparable = |(solutions, cost): (u64, Cost)| {
            // A search that reached the limit may have ended anywhere.
            let is_complete = solutions < limit.get();
            Cost { branches: cost.branches.filter(|_| counts_guesses && is_complete), ..cost }
        };
        answers.costs = costs.into_iter().map(comparable).collect();
        let time = answers.costs.iter().map(|cost| Duration::from_nanos(cost.nanos)).sum();
        answers.time = RunTime { wall: time, cpu: Some(time) };
        Ok(answers)
    }

    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<RunTime, ProgramError> {
        let options = ["--passes".to_owned(), passes.to_string(), "--threads".to_owned(), self.threads.to_string()];
        let output = self.run(set, limit, &options)?;
        let error = |failure| ProgramError { command: self.label(), ..self.process.error(set, failure) };
        let invalid = |_| error(ProgramFailure::InvalidTimes(excerpt(output.trim_ascii())));
        let PluginTimes { wall, cpu, solutions: counted } = serde_json::from_slice(&output).map_err(invalid)?;

        let solutions: Option<u64> = set.puzzles().map(|(_, _, puzzle)| self.solutions.get(puzzle)).sum();
        if let Some(expected) = solutions.map(|solutions| solutions * passes as u64)
            && counted != expected
        {
            return Err(error(ProgramFailure::Miscounted { counted, expected }));
        }
        Ok(RunTime { wall, cpu: (self.threads == 1 && !cpu.is_zero()).then_some(cpu) })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::bench::set::tests::read;

    /// A plugin whose process is a shell script.
    fn plugin(script: &str, threads: usize) -> Plugin {
        Plugin::new("scripted", "sh".into(), vec!["-c".into(), script.into()], threads)
    }

    fn set(puzzles: usize) -> PuzzleSet {
        read(&format!("{}1\n", ".".repeat(80)).repeat(puzzles)).unwrap()
    }

    /// A command that writes an answer.
    fn echo(solutions: u64, guesses: u64, nanos: u64, grid: Option<&str>) -> String {
        let answer = PluginAnswer { solutions, guesses, nanos, grid: grid.map(str::to_owned) };
        format!("echo '{}';", serde_json::to_string(&answer).unwrap())
    }

    /// Guesses are unknown of a search that the limit ended, and of all if none is above zero.
    #[test]
    fn answers_have_costs() {
        let branches = |script: &str| -> Vec<Option<u64>> {
            let answers = plugin(script, 1).answer(&set(2), Limit::UNIQUE).unwrap();
            answers.costs.iter().map(|cost| cost.branches).collect()
        };
        assert_eq!(branches(&(echo(1, 3, 50, None) + &echo(2, 4, 60, None))), [Some(3), None]);
        assert_eq!(branches(&(echo(1, 0, 50, None) + &echo(1, 0, 60, None))), [None, None]);
    }

    #[test]
    fn times_are_those_that_the_process_reports() {
        let [wall, cpu] = [900, 800].map(Duration::from_nanos);
        let times = serde_json::to_string(&PluginTimes { wall, cpu, solutions: 8 }).unwrap();
        let answers = echo(2, 0, 50, None) + &echo(2, 0, 60, None);
        let script = format!("case $* in *passes*) echo '{times}' ;; *) {answers} ;; esac").replace(";; ;;", ";;");
        for (threads, cpu) in [(1, Some(Duration::from_nanos(800))), (2, None)] {
            let mut plugin = plugin(&script, threads);
            plugin.answer(&set(2), Limit::UNIQUE).unwrap();
            let run = plugin.time(&set(2), Limit::UNIQUE, 2).unwrap();
            assert_eq!(run, RunTime { wall: Duration::from_nanos(900), cpu });
            let error = plugin.time(&set(2), Limit::UNIQUE, 3).unwrap_err().to_string();
            assert!(error.contains("counted 8 solutions when it was timed instead of 12"), "{error}");
        }
    }

    #[test]
    fn what_a_process_must_not_write_is_an_error() {
        for (script, reason) in [
            (String::new(), "answered 1 lines for 2 puzzles"),
            ("echo debug".to_owned(), "the answer to line 2 is neither a solution nor a count: 'debug'"),
            (echo(1, 0, 50, Some("123")), "the answer to line 2 is neither a solution nor a count: '123'"),
        ] {
            let error =
                plugin(&(echo(1, 0, 50, None) + &script), 1).answer(&set(2), Limit::UNIQUE).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let error = plugin("echo debug", 1).time(&set(2), Limit::UNIQUE, 1).unwrap_err().to_string();
        assert!(error.contains("wrote 'debug' instead of its times"), "{error}");
        let small = read("1.3..........4.2\n").unwrap();
        let error = plugin(&echo(1, 0, 50, None), 1).answer(&small, Limit::UNIQUE).unwrap_err().to_string();
        assert!(error.ends_with("a plugin solves 9x9 puzzles only"), "{error}");
    }
}

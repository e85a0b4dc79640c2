//! Benchmarks any other program, run by the shell.
//!
//! The program reads puzzles from its standard input, one in each line, with `.` for a blank. For each it writes a line
//! to its standard output: the solution, or the number of solutions. Every pass through a set is a new process, and its
//! start is part of the time.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Answers, Contender, ContenderAnswer, Lap, PuzzleSet};
use crate::engine::Limit;
use crate::format::Alphabet;

/// A program that solves puzzles.
#[derive(Clone, Debug)]
pub struct Program {
    command: String,
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
    /// The number of answers is not the number of puzzles.
    #[error("'{command}' on {file} answered {answers} lines for {puzzles} puzzles")]
    AnswerCount {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
        /// How many lines it wrote.
        answers: usize,
        /// How many puzzles it read.
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
}

impl Program {
    /// A program that the shell starts with `command`.
    pub fn new(command: String) -> Program {
        Program { command }
    }

    /// Runs the program once, on the text of a set; returns its output and the wall time.
    fn run(&self, set: &PuzzleSet, puzzles: &[u8]) -> Result<(Vec<u8>, Duration), ProgramError> {
        let failed = |source| ProgramError::Run { command: self.command.clone(), source };
        let start = Instant::now();
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &self.command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = shell.spawn().map_err(failed)?;
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let mut stdout = child.stdout.take().expect("standard output is a pipe");
        let mut output = Vec::new();
        let (read, status) = thread::scope(|scope| {
            // On another thread, because both pipes may be full. A write error means that the program did not read
            // everything, and then answers are missing.
            scope.spawn(move || {
                let _ = stdin.write_all(puzzles);
            });
            let read = stdout.read_to_end(&mut output);
            drop(stdout);
            (read, child.wait())
        });
        let wall = start.elapsed();
        read.map_err(failed)?;
        let status = status.map_err(failed)?;
        let (command, file) = (|| self.command.clone(), || set.name().to_owned());
        if !status.success() {
            return Err(ProgramError::Failed { command: command(), file: file(), status });
        }
        let (answers, puzzles) = (lines(&output).count(), set.len());
        if answers != puzzles {
            return Err(ProgramError::AnswerCount { command: command(), file: file(), answers, puzzles });
        }
        Ok((output, wall))
    }
}

impl Contender for Program {
    fn name(&self) -> &str {
        &self.command
    }

    fn threads(&self) -> Option<usize> {
        None
    }

    fn answer(&mut self, set: &PuzzleSet, _limit: Limit) -> Result<Answers, ProgramError> {
        let (output, _) = self.run(set, &text(set))?;
        let invalid = |index: usize, line| ProgramError::InvalidAnswer {
            command: self.command.clone(),
            file: set.name().to_owned(),
            number: index + 1,
            text: String::from_utf8_lossy(line).chars().take(100).collect(),
        };
        let answers = lines(&output)
            .zip(set.puzzles())
            .enumerate()
            .map(|(index, (line, (order, ..)))| parse(line, set.alphabet(order)).ok_or_else(|| invalid(index, line)))
            .collect::<Result<_, _>>()?;
        Ok(Answers { answers, costs: vec![] })
    }

    fn time(&mut self, set: &PuzzleSet, _limit: Limit, passes: usize) -> Result<Lap, ProgramError> {
        let puzzles = text(set);
        let mut lap = Lap { wall: Duration::ZERO, cpu: None };
        for _ in 0..passes {
            lap.wall += self.run(set, &puzzles)?.1;
        }
        Ok(lap)
    }
}

/// The puzzles of a set, one in each line.
fn text(set: &PuzzleSet) -> Vec<u8> {
    let mut text = Vec::new();
    for (order, _, puzzle) in set.puzzles() {
        set.alphabet(order).write(puzzle, b'.', &mut text);
        text.push(b'\n');
    }
    text
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines = (!text.is_empty()).then(|| text.split(|&byte| byte == b'\n'));
    lines.into_iter().flatten().map(<[u8]>::trim_ascii)
}

/// Reads a solution, which has the length of a puzzle, or a number.
fn parse(line: &[u8], alphabet: Alphabet) -> Option<ContenderAnswer> {
    if line.len() == alphabet.order().cells() {
        let cells: Box<[u8]> = line.iter().map(|&byte| alphabet.value(byte)).collect();
        return (!cells.contains(&0)).then_some(ContenderAnswer {
            solutions: None,
            gave_up: false,
            solution: Some(cells),
        });
    }
    let count = str::from_utf8(line).ok()?.parse().ok()?;
    Some(ContenderAnswer { solutions: Some(count), gave_up: false, solution: None })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::jobs::bench::set::tests::read;

    const PUZZLES: &str = "1.3..........4.2\n1...............\n";

    fn answer(puzzles: &str, command: &str) -> Result<Vec<ContenderAnswer>, String> {
        let answers = Program::new(command.to_owned()).answer(&read(puzzles).unwrap(), Limit::UNIQUE);
        answers.map(|answers| answers.answers).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_a_solution_or_a_count() {
        let answers = answer(PUZZLES, "echo 1234432121433412; echo ' 7'").unwrap();
        assert_eq!(answers[0].solution.as_deref(), Some(&[1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2][..]));
        assert_eq!(answers[1], ContenderAnswer { solutions: Some(7), gave_up: false, solution: None });
    }

    #[test]
    fn missing_or_unreadable_answers_are_errors() {
        for (command, reason) in [
            ("head -n 1 | sed 's/.*/1/'", "answered 1 lines for 2 puzzles"),
            ("sed 's/.*/1/'; echo", "answered 3 lines for 2 puzzles"),
            ("cat >/dev/null", "answered 0 lines for 2 puzzles"),
            ("cat", "answer 1 is neither a solution nor a count: '1.3..........4.2'"),
            ("exit 3", "exit status: 3"),
        ] {
            let error = answer(PUZZLES, command).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    /// More text than the pipes can hold, with a program that writes while it reads, and with one that reads nothing.
    #[test]
    fn full_pipes_do_not_block_the_run() {
        let puzzles = PUZZLES.repeat(20_000);
        let answers = answer(&puzzles, "sed 's/.*/00000000000000000000000000000002/'").unwrap();
        assert!(answers.len() == 40_000 && answers.iter().all(|answer| answer.solutions == Some(2)));
        assert_eq!(answer(&puzzles, "yes 2 | head -n 40000").unwrap(), answers);
    }
}

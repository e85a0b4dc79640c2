//! Any other program as a contender, run by the shell.
//!
//! It reads a puzzle a line from its standard input, `.` for a blank, and writes a line a puzzle to its standard
//! output: the solution, or how many solutions there are. Each pass through a set is a process of its own, whose start
//! is part of the time.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Answers, Contender, ContenderAnswer, Lap, PuzzleSet};
use crate::engine::Limit;
use crate::format::Alphabet;

/// A program that solves what it reads.
#[derive(Clone, Debug)]
pub struct Program {
    command: String,
}

/// How a program failed to answer a set.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be run, or not be read from.
    #[error("cannot run '{command}'")]
    Run {
        /// The program.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// It says that it failed.
    #[error("'{command}' on {file} failed: {status}")]
    Failed {
        /// The program.
        command: String,
        /// The set.
        file: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// It does not answer a line a puzzle.
    #[error("'{command}' on {file} answered {answers} lines for {puzzles} puzzles")]
    Answers {
        /// The program.
        command: String,
        /// The set.
        file: String,
        /// How many lines it wrote.
        answers: usize,
        /// How many it was given.
        puzzles: usize,
    },
    /// A line is no answer.
    #[error("'{command}' on {file}: answer {number} is neither a solution nor a count: '{text}'")]
    Unclear {
        /// The program.
        command: String,
        /// The set.
        file: String,
        /// The number of the line that it wrote, from 1.
        number: usize,
        /// The line.
        text: String,
    },
}

impl Program {
    /// A program, by a command of the shell.
    pub fn new(command: String) -> Program {
        Program { command }
    }

    /// Lets the program answer a set once, and gives what it wrote and how long it took.
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
            // By a thread, so that neither of us waits for the other when both pipes are full. What the program does
            // not want to read shows in its answers.
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
            return Err(ProgramError::Answers { command: command(), file: file(), answers, puzzles });
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
        let unclear = |index: usize, line| ProgramError::Unclear {
            command: self.command.clone(),
            file: set.name().to_owned(),
            number: index + 1,
            text: String::from_utf8_lossy(line).chars().take(100).collect(),
        };
        let answers = lines(&output)
            .zip(set.puzzles())
            .enumerate()
            .map(|(index, (line, (order, ..)))| parse(line, set.alphabet(order)).ok_or_else(|| unclear(index, line)))
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

/// The puzzles of a set, one a line.
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

/// A solution, which is as long as a puzzle, or a number.
fn parse(line: &[u8], alphabet: Alphabet) -> Option<ContenderAnswer> {
    if line.len() == alphabet.order().cells() {
        let cells: Box<[u8]> = line.iter().map(|&byte| alphabet.value(byte)).collect();
        return (!cells.contains(&0)).then_some(ContenderAnswer { solutions: None, solution: Some(cells) });
    }
    let count = str::from_utf8(line).ok()?.parse().ok()?;
    Some(ContenderAnswer { solutions: Some(count), solution: None })
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
        assert_eq!(answers[1], ContenderAnswer { solutions: Some(7), solution: None });
    }

    #[test]
    fn a_program_that_does_not_answer_is_an_error() {
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

    /// More than pipes hold, both ways, from a program that reads as it writes, and from one that reads nothing.
    #[test]
    fn full_pipes_hold_nobody_up() {
        let puzzles = PUZZLES.repeat(20_000);
        let answers = answer(&puzzles, "sed 's/.*/00000000000000000000000000000002/'").unwrap();
        assert!(answers.len() == 40_000 && answers.iter().all(|answer| answer.solutions == Some(2)));
        assert_eq!(answer(&puzzles, "yes 2 | head -n 40000").unwrap(), answers);
    }
}

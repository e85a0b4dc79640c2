//! The reasons why a program cannot be used in a bench.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// The exit codes of a shell that could not run a command.
const NOT_RUN: [i32; 2] = [126, 127];

/// A program cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("'{command}' on {file}{failure}")]
pub struct ProgramError {
    /// The command, or the name of the solver.
    pub command: String,
    /// The name of the set.
    pub file: String,
    /// The reason.
    pub failure: ProgramFailure,
}

/// The reason why a program cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramFailure {
    /// It cannot be started, or its output cannot be read.
    #[error(" cannot be run: {0}")]
    Run(#[from] io::Error),
    /// Its exit status is an error.
    #[error(" failed: {0}")]
    Failed(ExitStatus),
    /// It was killed because it took too long.
    #[error(" took longer than {} s and was killed", .timeout.as_secs_f64())]
    TimedOut {
        /// The maximum time.
        timeout: Duration,
        /// The number of puzzles that it had answered.
        answered: usize,
    },
    /// The run was stopped; a program was killed.
    #[error(" was stopped")]
    Stopped,
    /// The number of answers is not the number of puzzles.
    #[error(" answered {answers} lines for {puzzles} puzzles")]
    AnswerCount {
        /// The number of lines that it wrote.
        answers: usize,
        /// The number of puzzles that it read.
        puzzles: usize,
    },
    /// A line is not an answer.
    #[error(": the answer to line {line} is neither a solution nor a count: '{text}'")]
    InvalidAnswer {
        /// The number of the first line of the puzzle.
        line: u64,
        /// The answer.
        text: String,
    },
    /// It wrote more than all answers together can be.
    #[error(" wrote more than {most} bytes for {puzzles} puzzles and was killed")]
    TooLong {
        /// The maximum.
        most: u64,
        /// The number of puzzles that it read.
        puzzles: usize,
    },
    /// A plugin got a puzzle of another size than 9x9.
    #[error(": a plugin solves 9x9 puzzles only")]
    PluginSize,
    /// The process of a plugin wrote this instead of its times.
    #[error(" wrote '{0}' instead of its times: a plugin must not end its process, nor write to standard output")]
    InvalidTimes(String),
    /// A plugin gave other counts when it was timed.
    #[error(
        " counted {counted} solutions when it was timed instead of {expected}: each call must give the same, also on \
         several threads at once"
    )]
    Miscounted {
        /// The sum of its counts.
        counted: u64,
        /// The sum of the counts that were checked.
        expected: u64,
    },
}

impl ProgramFailure {
    /// Whether a puzzle may be the reason, so that the program could answer another puzzle.
    pub(super) fn may_depend_on_puzzle(&self) -> bool {
        match self {
            ProgramFailure::Failed(status) => !status.code().is_some_and(|code| NOT_RUN.contains(&code)),
            ProgramFailure::TimedOut { .. }
            | ProgramFailure::AnswerCount { .. }
            | ProgramFailure::InvalidAnswer { .. }
            | ProgramFailure::TooLong { .. } => true,
            _ => false,
        }
    }
}

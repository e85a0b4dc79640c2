//! The reasons why a program cannot be used in a bench.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// The exit codes of a shell that could not run a command.
const NOT_RUN: [i32; 2] = [126, 127];

impl ProgramError {
    /// Whether a puzzle may be the reason, so that the program could answer another puzzle.
    pub(super) fn may_depend_on_puzzle(&self) -> bool {
        match self {
            ProgramError::Failed { status, .. } => !status.code().is_some_and(|code| NOT_RUN.contains(&code)),
            ProgramError::TimedOut { .. }
            | ProgramError::AnswerCount { .. }
            | ProgramError::InvalidAnswer { .. }
            | ProgramError::TooLong { .. } => true,
            ProgramError::Run { .. }
            | ProgramError::Stopped { .. }
            | ProgramError::PluginSize { .. }
            | ProgramError::InvalidTimes { .. }
            | ProgramError::Miscounted { .. } => false,
        }
    }
}

/// The reason why a program cannot be used.
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
        /// The number of puzzles that it had answered.
        answered: usize,
    },
    /// The run was stopped; a program was killed.
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
    #[error("'{command}' on {file}: the answer to line {line} is neither a solution nor a count: '{text}'")]
    InvalidAnswer {
        /// The command.
        command: String,
        /// The name of the set.
        file: String,
        /// The number of the first line of the puzzle.
        line: u64,
        /// The answer.
        text: String,
    },
    /// It wrote more than all answers together can be.
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

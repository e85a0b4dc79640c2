//! The trait of everything that can be benchmarked.

use std::time::Duration;

use super::{ProgramError, PuzzleSet};
use crate::engine::{Cost, Limit};

/// A solver that can be checked and timed on a set of puzzles.
pub trait Contender {
    /// The name of the engine or the plugin, or the command of the program.
    fn name(&self) -> &str;

    /// The number of threads; `None` for a program, which decides itself.
    fn threads(&self) -> Option<usize>;

    /// The name with the number of threads, if there are several: `bitmask on 2 threads`.
    fn label(&self) -> String {
        match self.threads() {
            Some(threads) if threads > 1 => format!("{} on {threads} threads", self.name()),
            _ => self.name().to_owned(),
        }
    }

    /// Answers every puzzle of a set, in order; counts solutions up to `limit`.
    ///
    /// # Errors
    ///
    /// If it is a program that fails or whose output cannot be understood.
    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<SetAnswers, ProgramError>;

    /// Solves the complete set `passes` times and returns the total time.
    ///
    /// # Errors
    ///
    /// As [`Contender::answer`].
    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<RunTime, ProgramError>;

    /// The times of single puzzles, in addition to the costs of [`Contender::answer`]: of a program that answers each puzzle
    /// at once. Empty if it does not answer a puzzle within `longest`.
    fn costs(&mut self, _set: &PuzzleSet, _longest: Duration) -> Vec<Cost> {
        vec![]
    }

    /// The time that a program takes to start and to end, which is not part of its runs; `None` if it has none or does
    /// not run without puzzles. The first call measures it.
    fn start_up(&mut self, _set: &PuzzleSet) -> Option<RunTime> {
        None
    }
}

/// The answers of a contender for the puzzles of a set, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetAnswers {
    /// One for each puzzle.
    pub answers: Vec<ContenderAnswer>,
    /// The cost of each puzzle; empty for a program.
    pub costs: Vec<Cost>,
}

/// The answer of a contender for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContenderAnswer {
    /// The number of solutions; `None` if it only gave one, or gave up.
    pub solutions: Option<u64>,
    /// Whether it gave up, so that there is nothing to compare but the solution.
    pub gave_up: bool,
    /// A solution, if it gave one.
    pub solution: Option<Box<[u8]>>,
}

/// The time of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunTime {
    /// Wall time.
    pub wall: Duration,
    /// CPU time: of the calling thread, if it did all of the work, or of the processes of a program. `None` if several
    /// threads share the work.
    pub cpu: Option<Duration>,
}

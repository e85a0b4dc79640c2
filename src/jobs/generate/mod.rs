//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod generator;
mod worker;

use std::io::Write;
use std::num::NonZeroUsize;

pub use self::generator::{GenerateError, Generator, Target};
use self::worker::{GenerateWorker, Numbers};
use super::Execution;
use crate::engine::MaxBranches;
use crate::pipeline::{self, PipelineError};
use crate::puzzle::Order;

/// The most puzzles in a chunk.
const CHUNK: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

/// Generates puzzles, one a line, or as CSV with their solutions.
///
/// ```
/// use gridmill::jobs::generate::Target;
/// use gridmill::jobs::{Execution, Generate};
///
/// let mut puzzles = Vec::new();
/// Generate::new(3).seed(7).target(Target::Clues(30)).run(&mut puzzles, &Execution::new())?;
/// assert_eq!(puzzles.len(), 3 * 82);
/// # Ok::<(), gridmill::jobs::generate::GenerateJobError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generate {
    count: u64,
    order: Order,
    seed: u64,
    target: Target,
    max_branches: MaxBranches,
    content: Content,
}

/// The columns of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Puzzles, one a line.
    Puzzles,
    /// CSV with the columns `puzzle` and `solution`.
    PuzzlesWithSolutions,
}

/// Why puzzles cannot be generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateJobError {
    /// There is no such puzzle, or none was found.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The output cannot be written, or the threads cannot be started.
    #[error(transparent)]
    Pipeline(#[from] PipelineError<std::convert::Infallible>),
}

impl Generate {
    /// Generates `count` minimal 9x9 puzzles from the seed 0.
    pub fn new(count: u64) -> Generate {
        Generate {
            count,
            order: Order::Three,
            seed: 0,
            target: Target::Minimal,
            max_branches: MaxBranches::default(),
            content: Content::Puzzles,
        }
    }

    /// Sets the size of the puzzles.
    #[must_use]
    pub fn order(self, order: Order) -> Generate {
        Generate { order, ..self }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Generate {
        Generate { seed, ..self }
    }

    /// Sets how many clues are left.
    #[must_use]
    pub fn target(self, target: Target) -> Generate {
        Generate { target, ..self }
    }

    /// Sets the most branches of a search: a clue stays if the search without it needs more. By default,
    /// [it depends on the size](MaxBranches::BySize).
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Generate {
        Generate { max_branches, ..self }
    }

    /// Sets the columns of the output.
    #[must_use]
    pub fn content(self, content: Content) -> Generate {
        Generate { content, ..self }
    }

    /// Checks that there can be such puzzles, without making any.
    ///
    /// # Errors
    ///
    /// If there are too few or too many clues.
    pub fn check(&self) -> Result<(), GenerateError> {
        Generator::new(self.order, self.seed, self.target).map(|_| ())
    }

    /// Writes the puzzles.
    ///
    /// # Errors
    ///
    /// If there is no puzzle with so few clues, none was found in many tries, or the output cannot be written. The
    /// first of these is known before anything is written.
    pub fn run(&self, mut output: impl Write + Send, execution: &Execution) -> Result<(), GenerateJobError> {
        let worker = |_| GenerateWorker::new(self, &execution.stop);
        let workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, _>>()?;
        if self.content == Content::PuzzlesWithSolutions {
            output.write_all(b"puzzle,solution\n").map_err(PipelineError::Write)?;
        }
        let numbers = Numbers { next: 0, count: self.count };
        let size = execution.size_of_chunks(CHUNK);
        let outcome = pipeline::run(numbers, workers, output, |_| Ok(()), size, &execution.stop)?;
        match outcome.workers.into_iter().find_map(GenerateWorker::into_error) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}

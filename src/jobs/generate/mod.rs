//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod generator;
mod grid;
mod reduction;
#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Instant;

use serde::Serialize;

pub use self::generator::{GenerateError, Generator, Target};
use self::worker::{GenerateWorker, MadePuzzles, Numbers};
use super::{EngineSource, Event, Execution, Finished, PartialOutput};
use crate::engine::MaxBranches;
use crate::engine::lanes::SimdError;
use crate::pipeline::{self, Chunk, End, PipelineError};
use crate::puzzle::Order;
use crate::rating::ErRange;
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{OutputError, OutputFile, OutputTarget};

/// The most puzzles in a chunk: some tens of milliseconds' worth of minimal 9x9 puzzles.
const CHUNK: NonZeroUsize = NonZeroUsize::new(2048).unwrap();

/// Generates puzzles, one a line, or as CSV, also with their solutions.
///
/// ```
/// use gridmill::jobs::generate::Target;
/// use gridmill::jobs::{Execution, Generate};
///
/// let mut puzzles = Vec::new();
/// let job = Generate::new(3).seed(7).target(Target::Clues(30));
/// let report = job.run(&mut puzzles, &Execution::new())?.report.unwrap();
/// assert_eq!(report.puzzles, 3);
/// assert_eq!(puzzles.len(), 3 * 82);
/// # Ok::<(), gridmill::jobs::generate::GenerateJobError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generate {
    count: u64,
    order: Order,
    seed: u64,
    target: Target,
    max_tries: Option<NonZeroU32>,
    er: Option<ErRange>,
    max_branches: MaxBranches,
    content: Content,
    engine: EngineSource,
}

/// The columns of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Puzzles, one a line.
    Puzzles,
    /// CSV with the column `puzzle`.
    PuzzleColumn,
    /// CSV with the columns `puzzle` and `solution`.
    PuzzlesWithSolutions,
}

impl Content {
    fn header(self) -> &'static [u8] {
        match self {
            Content::Puzzles => b"",
            Content::PuzzleColumn => b"puzzle\n",
            Content::PuzzlesWithSolutions => b"puzzle,solution\n",
        }
    }
}

/// Results of [`Generate`].
#[derive(Clone, Debug, Serialize)]
pub struct GenerateReport {
    /// The number of puzzles.
    pub puzzles: u64,
    /// How many of them have each number of clues.
    pub clues: BTreeMap<usize, u64>,
    /// The number of random grids that gave no puzzle with as few clues as wanted, or with another ER.
    pub missed: u64,
    /// The number of clues that may not be needed: the searches without them gave up.
    pub undecided_clues: u64,
    /// From the start to the last write.
    pub wall_seconds: f64,
    /// Puzzles per second of that time.
    pub puzzles_per_second: f64,
    /// The number of workers.
    pub threads: usize,
    /// The name of the engine.
    pub engine: String,
}

/// Why puzzles cannot be generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateJobError {
    /// There is no such puzzle, or none was found.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The CPU does not have the vectors of the engine.
    #[error(transparent)]
    Engine(#[from] SimdError),
    /// The output cannot be opened or finished.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The output cannot be written, or the threads cannot be started.
    #[error(transparent)]
    Pipeline(#[from] PipelineError<Infallible>),
}

impl Generate {
    /// Generates `count` minimal 9x9 puzzles from the seed 0.
    pub fn new(count: u64) -> Generate {
        Generate {
            count,
            order: Order::Three,
            seed: 0,
            target: Target::Minimal,
            max_tries: None,
            er: None,
            max_branches: MaxBranches::default(),
            content: Content::Puzzles,
            engine: EngineSource::default(),
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

    /// Sets how many random grids are tried for a puzzle before the job fails. The puzzles do not depend on it.
    #[must_use]
    pub fn max_tries(self, max_tries: NonZeroU32) -> Generate {
        Generate { max_tries: Some(max_tries), ..self }
    }

    /// Takes only puzzles with such an ER: others are rated and thrown away. Only 9x9 puzzles are rated.
    #[must_use]
    pub fn er(self, er: ErRange) -> Generate {
        Generate { er: Some(er), ..self }
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

    /// Sets the engine. The puzzles do not depend on it.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Generate {
        Generate { engine: engine.into(), ..self }
    }

    /// Writes the puzzles.
    ///
    /// # Errors
    ///
    /// If there is no puzzle with so few clues, the engine cannot be built, no puzzle was found in many tries, or the
    /// output cannot be written. The first two are known before anything is written.
    pub fn run(
        &self,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        // Known before anything is written.
        self.generator()?;
        output.write_all(self.content.header()).map_err(PipelineError::Write)?;
        self.write_rows(output, execution)
    }

    /// Writes the puzzles without a header.
    fn write_rows(
        &self,
        output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        let start = Instant::now();
        let worker = |_| Ok(GenerateWorker::new(self, self.generator()?.stop(execution.stop.clone()), execution));
        let workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, GenerateJobError>>()?;
        let mut clues = BTreeMap::new();
        let mut is_broken = false;
        // What comes after an incomplete chunk is not written: the output of a run that was stopped has no gaps.
        let finish = |chunk: &mut Chunk<(), MadePuzzles>| {
            for made in &chunk.notes {
                match made {
                    MadePuzzles::Incomplete => is_broken = true,
                    MadePuzzles::Clues(_) if is_broken => chunk.output.clear(),
                    MadePuzzles::Clues(numbers) => {
                        for &number in numbers {
                            *clues.entry(number).or_default() += 1;
                        }
                        execution.notify(Event::Generated { puzzles: numbers.len() });
                    }
                }
            }
            Ok(())
        };
        let numbers = Numbers { next: 0, count: self.count };
        let size = execution.size_of_chunks(CHUNK);
        let outcome = pipeline::run(numbers, workers, output, finish, size, &execution.stop)?;
        let (mut missed, mut undecided_clues) = (0, 0);
        for worker in outcome.workers {
            undecided_clues += worker.undecided_clues();
            missed += worker.into_missed()?;
        }
        let (puzzles, wall_seconds) = (clues.values().sum(), start.elapsed().as_secs_f64());
        let report = GenerateReport {
            puzzles,
            clues,
            missed,
            undecided_clues,
            wall_seconds,
            puzzles_per_second: if wall_seconds > 0.0 { puzzles as f64 / wall_seconds } else { 0.0 },
            threads: execution.threads,
            engine: self.engine.name(),
        };
        let end = if is_broken { End::Stopped } else { outcome.end };
        Ok(Finished { report: Some(report), end, partial: None })
    }

    /// Writes the puzzles to a file, which gets its name when it is complete, or to standard output.
    ///
    /// # Errors
    ///
    /// As [`Generate::run`].
    pub fn run_to(
        &self,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        // Known before the output is opened.
        self.generator()?;
        #[cfg(feature = "parquet")]
        if target.container == Container::Parquet {
            return self.run_to_parquet(target, execution);
        }
        let mut output = OutputFile::create(target, execution.threads)?;
        let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
        let finished = self.run(&mut output, execution)?;
        if finished.end == End::Stopped {
            return Ok(Finished { partial, ..finished });
        }
        output.finish()?;
        Ok(finished)
    }

    fn generator(&self) -> Result<Generator, GenerateJobError> {
        let generator = Generator::with_engine(self.order, self.seed, self.target, self.engine.build()?)?
            .max_branches(self.max_branches);
        let generator = match self.er {
            Some(er) => generator.er(er)?,
            None => generator,
        };
        Ok(match self.max_tries {
            Some(max_tries) => generator.max_tries(max_tries),
            None => generator,
        })
    }
}

//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod attempt;
mod distinct;
mod error;
mod generator;
mod grid;
mod hill_climbing;
mod pattern;
mod reduction;
mod spec;
mod target;
#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Instant;

use serde::Serialize;

pub use self::distinct::KnownClasses;
use self::distinct::{Distinctness, RepeatFilter};
pub use self::error::GenerateError;
pub use self::generator::Generator;
pub use self::pattern::{ParsePatternError, Pattern};
pub use self::spec::{PuzzleSpec, Shape};
pub use self::target::{ClueRange, ParseClueRangeError, Target};
use self::worker::{GenerateWorker, MadePuzzles, Numbers};
use super::{BrokenRun, EngineSource, Event, Execution, Finished, PartialOutput};
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
    spec: PuzzleSpec,
    distinctness: Distinctness,
    seed: u64,
    max_tries: Option<NonZeroU32>,
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
    /// The number of random grids that gave no such puzzle.
    pub missed: u64,
    /// The number of puzzles that were dropped, because they are isomorphs of others.
    pub repeats: u64,
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
    /// There is no such puzzle.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// No further puzzle was found.
    #[error("{broken}")]
    Broken {
        /// The number of puzzles that were written before.
        puzzles: u64,
        /// Why, and where they are.
        broken: BrokenRun<GenerateError>,
    },
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
            spec: PuzzleSpec::new(Order::Three, Target::Minimal),
            distinctness: Distinctness::default(),
            seed: 0,
            max_tries: None,
            max_branches: MaxBranches::default(),
            content: Content::Puzzles,
            engine: EngineSource::default(),
        }
    }

    /// Sets the size of the puzzles.
    #[must_use]
    pub fn order(self, order: Order) -> Generate {
        Generate { spec: PuzzleSpec { order, ..self.spec }, ..self }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Generate {
        Generate { seed, ..self }
    }

    /// Sets how many clues are left.
    #[must_use]
    pub fn target(self, target: Target) -> Generate {
        Generate { spec: PuzzleSpec { target, ..self.spec }, ..self }
    }

    /// Sets where the clues may be.
    #[must_use]
    pub fn shape(self, shape: Shape) -> Generate {
        Generate { spec: PuzzleSpec { shape, ..self.spec }, ..self }
    }

    /// Takes only puzzles with such an ER: others are rated and thrown away. Only 9x9 puzzles are rated.
    #[must_use]
    pub fn er(self, er: ErRange) -> Generate {
        Generate { spec: PuzzleSpec { er: Some(er), ..self.spec }, ..self }
    }

    /// Drops isomorphs of earlier puzzles, and makes others instead. Takes some 30 bytes of memory a puzzle.
    #[must_use]
    pub fn distinct(self) -> Generate {
        Generate { distinctness: Distinctness { among_themselves: true, ..self.distinctness }, ..self }
    }

    /// Drops isomorphs of known puzzles, and makes others instead.
    #[must_use]
    pub fn not_in(self, known: KnownClasses) -> Generate {
        Generate { distinctness: Distinctness { known: Some(known), ..self.distinctness }, ..self }
    }

    /// Sets how many random grids are tried for a puzzle before the job fails. The puzzles do not depend on it.
    #[must_use]
    pub fn max_tries(self, max_tries: NonZeroU32) -> Generate {
        Generate { max_tries: Some(max_tries), ..self }
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
    /// If there can be no such puzzle, the engine cannot be built, no puzzle was found in many tries, or the
    /// output cannot be written. The first two are known before anything is written.
    pub fn run(
        &self,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        // Known before anything is written.
        self.check()?;
        output.write_all(self.content.header()).map_err(PipelineError::Write)?;
        self.write_rows(output, execution)
    }

    /// Writes the puzzles without a header.
    ///
    /// If puzzles are dropped, others are made in further rounds. So the output is that of the first numbers whose
    /// puzzles are new.
    fn write_rows(
        &self,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        let start = Instant::now();
        let worker = |_| Ok(GenerateWorker::new(self, self.generator()?.stop(execution.stop.clone()), execution));
        let mut workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, GenerateJobError>>()?;
        let mut written = Written { count: self.count, puzzles: 0, clues: BTreeMap::new(), outcome: Ok(End::Complete) };
        let mut filter = RepeatFilter::new(&self.distinctness);
        let mut next = 0;
        while written.puzzles < self.count && matches!(written.outcome, Ok(End::Complete)) {
            // A round is as large as the number of puzzles that were dropped in a row, so that rounds are few.
            let end = next + (self.count - written.puzzles).max(filter.in_a_row());
            let finish = |chunk: &mut Chunk<(), MadePuzzles>| {
                let repeats = filter.repeats();
                let puzzles = written.take(chunk, &mut filter);
                execution.notify(Event::Generated { puzzles });
                if filter.repeats() > repeats {
                    execution.notify(Event::Dropped { puzzles: filter.repeats() - repeats });
                }
                if written.outcome.is_err() {
                    execution.stop.trigger();
                }
                Ok(())
            };
            let size = execution.size_of_chunks(CHUNK);
            let numbers = Numbers { next, count: end };
            let outcome = pipeline::run(numbers, workers, &mut output, finish, size, &execution.stop)?;
            if outcome.end == End::Stopped && written.outcome.is_ok() {
                written.outcome = Ok(End::Stopped);
            }
            workers = outcome.workers;
            next = end;
        }
        let (mut missed, mut undecided_clues) = (0, 0);
        for worker in workers {
            undecided_clues += worker.undecided_clues();
            match worker.into_missed() {
                Ok(grids) => missed += grids,
                Err(error) => written.outcome = Err(error),
            }
        }
        let Written { puzzles, clues, outcome, .. } = written;
        let broken = |error| GenerateJobError::Broken { puzzles, broken: BrokenRun { error, partial: None } };
        let end = outcome.map_err(broken)?;
        let wall_seconds = start.elapsed().as_secs_f64();
        let report = GenerateReport {
            puzzles,
            clues,
            missed,
            repeats: filter.repeats(),
            undecided_clues,
            wall_seconds,
            puzzles_per_second: if wall_seconds > 0.0 { puzzles as f64 / wall_seconds } else { 0.0 },
            threads: execution.threads,
            engine: self.engine.name(),
        };
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
        self.check()?;
        #[cfg(feature = "parquet")]
        if target.container == Container::Parquet {
            return self.run_to_parquet(target, execution);
        }
        let mut output = OutputFile::create(target, execution.threads)?;
        let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
        let finished = match self.run(&mut output, execution) {
            Ok(finished) => finished,
            Err(GenerateJobError::Broken { puzzles, broken }) => {
                let partial = if puzzles == 0 {
                    output.discard()?;
                    None
                } else {
                    partial
                };
                return Err(GenerateJobError::Broken { puzzles, broken: BrokenRun { partial, ..broken } });
            }
            Err(error) => return Err(error),
        };
        if finished.end == End::Stopped {
            if finished.report.as_ref().is_some_and(|report| report.puzzles == 0) {
                output.discard()?;
                return Ok(finished);
            }
            return Ok(Finished { partial, ..finished });
        }
        output.finish()?;
        Ok(finished)
    }

    /// Checks that there may be such puzzles.
    ///
    /// # Errors
    ///
    /// If there can be no such puzzle, or the engine cannot be built.
    pub fn check(&self) -> Result<(), GenerateJobError> {
        self.generator().map(|_| ())
    }

    fn generator(&self) -> Result<Generator, GenerateJobError> {
        if self.distinctness.needs_classes() && self.spec.order != Order::Three {
            return Err(GenerateError::NoClasses(self.spec.order).into());
        }
        let generator =
            Generator::for_spec(self.spec.clone(), self.seed, self.engine.build()?)?.max_branches(self.max_branches);
        Ok(match self.max_tries {
            Some(max_tries) => generator.max_tries(max_tries),
            None => generator,
        })
    }
}

/// The puzzles of a run that are written.
struct Written {
    /// The number of puzzles that are wanted.
    count: u64,
    puzzles: u64,
    /// How many of them have each number of clues.
    clues: BTreeMap<usize, u64>,
    /// How the run ended, as far as it is known; what comes after the end is not written, so there are no gaps.
    outcome: Result<End, GenerateError>,
}

impl Written {
    /// Takes the next chunk: leaves the rows in it that are written, and returns their number.
    fn take(&mut self, chunk: &mut Chunk<(), MadePuzzles>, filter: &mut RepeatFilter<'_>) -> usize {
        let (before, rows) = (self.puzzles, std::mem::take(&mut chunk.output));
        for notes in &chunk.notes {
            let MadePuzzles::All(made) = notes else {
                self.outcome = self.outcome.clone().and(Ok(End::Stopped));
                break;
            };
            for (puzzle, row) in made.iter().zip(rows.chunks_exact(rows.len() / made.len().max(1))) {
                if self.puzzles == self.count || self.outcome != Ok(End::Complete) {
                    break;
                }
                match filter.is_new(puzzle.class) {
                    Ok(false) => {}
                    Ok(true) => {
                        self.puzzles += 1;
                        *self.clues.entry(puzzle.clues).or_default() += 1;
                        chunk.output.extend_from_slice(row);
                    }
                    Err(error) => self.outcome = Err(error),
                }
            }
        }
        (self.puzzles - before) as usize
    }
}

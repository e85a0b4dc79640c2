//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod attempt;
mod batches;
#[cfg(feature = "card")]
mod card;
mod distinct;
mod error;
mod generator;
mod hill_climbing;
mod pattern;
mod reduction;
mod row;
mod spec;
mod target;
mod worker;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

pub use self::batches::{BatchNumbers, PuzzleBatch, PuzzleBatches};
pub use self::distinct::KnownClasses;
use self::distinct::{Distinctness, RepeatFilter};
pub use self::error::GenerateError;
pub use self::generator::Generator;
pub use self::pattern::{ParsePatternError, Pattern};
use self::row::PuzzleRow;
pub use self::spec::{PuzzleSpec, Shape};
pub use self::target::{ClueRange, ParseClueRangeError, Target};
use self::worker::{GenerateWorker, MadePuzzles, Numbers};
use super::rated::Rated;
use super::settings::{RowSettings, row_setters};
use super::{BrokenRun, Execution, Finished, JobError, OptionError, PartialOutput, npy_file};
#[cfg(feature = "arrow")]
use crate::arrow::{RecordBatch, SchemaRef};
use crate::canon::Canonicaliser;
use crate::pipeline::{self, Chunk, ChunkSize, End, PipelineError};
use crate::puzzle::Size;
use crate::rating::{ErRange, TechniqueName};
use crate::resume::{NpyLayout, OutputFile, OutputTarget};
use crate::rows::{Column, OutputFormat, Row, RowContainer, RowParts, RowStyle, Table};

/// The maximum number of puzzles in a chunk: some tens of milliseconds' worth of minimal 9x9 puzzles.
const CHUNK: NonZeroUsize = NonZeroUsize::new(2048).unwrap();

/// Generates puzzles: one a line, or rows with their solutions.
///
/// ```
/// use gridmill::jobs::generate::Target;
/// use gridmill::jobs::{Execution, Generate};
///
/// let mut puzzles = Vec::new();
/// let job = Generate::new(3).seed(7).target(Target::Clues(30));
/// let report = job.run(&mut puzzles, &Execution::new())?.report;
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
    skip: u64,
    max_tries: Option<NonZeroU32>,
    solutions: bool,
    observer: GenerateObserver,
    settings: RowSettings,
}

row_setters!(Generate);

/// Something that happened while puzzles were generated.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum GenerateEvent {
    /// Puzzles were written.
    Generated {
        /// Their number.
        puzzles: usize,
    },
    /// Random grids gave no puzzle as specified.
    Missed {
        /// Their number.
        grids: u32,
    },
    /// Puzzles were dropped, because they are isomorphs of others.
    Dropped {
        /// Their number.
        puzzles: u64,
    },
}

/// Called with the events of a run, also from other threads.
#[derive(Clone, Default)]
struct GenerateObserver(Option<Arc<dyn Fn(GenerateEvent) + Send + Sync>>);

impl GenerateObserver {
    fn notify(&self, event: GenerateEvent) {
        if let Some(observer) = &self.0 {
            observer(event);
        }
    }
}

impl fmt::Debug for GenerateObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GenerateObserver").field(&self.0.is_some()).finish()
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
    /// The number of clues that may not be needed: it took too many branches to check that they can be removed.
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
    /// Options contradict each other, the engine cannot be built, or the output cannot be opened or finished.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The output cannot be written, or the threads cannot be started.
    #[error(transparent)]
    Pipeline(#[from] PipelineError<Infallible>),
}

impl Generate {
    /// Generates `count` minimal 9x9 puzzles from the seed 0.
    pub fn new(count: u64) -> Generate {
        Generate {
            count,
            spec: PuzzleSpec::new(Size::Nine, Target::Minimal),
            distinctness: Distinctness::default(),
            seed: 0,
            skip: 0,
            max_tries: None,
            solutions: false,
            observer: GenerateObserver::default(),
            settings: RowSettings { format: OutputFormat::Lines, ..RowSettings::default() },
        }
    }

    /// Sets the size of the puzzles.
    #[must_use]
    pub fn size(self, size: Size) -> Generate {
        Generate { spec: PuzzleSpec { size, ..self.spec }, ..self }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Generate {
        Generate { seed, ..self }
    }

    /// Leaves out the first puzzles of the seed, so that several machines can make its puzzles. A seed has 2^64 - 1.
    #[must_use]
    pub fn skip(self, puzzles: u64) -> Generate {
        Generate { skip: puzzles, ..self }
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

    /// Takes only puzzles that a person needs each of these techniques for. Only 9x9 puzzles are rated.
    #[must_use]
    pub fn techniques(self, techniques: impl IntoIterator<Item = TechniqueName>) -> Generate {
        Generate { spec: PuzzleSpec { techniques: techniques.into_iter().collect(), ..self.spec }, ..self }
    }

    /// Sets whether to drop isomorphs of earlier puzzles, and make others instead. Takes some 30 bytes of memory a puzzle.
    #[must_use]
    pub fn distinct(self, distinct: bool) -> Generate {
        Generate { distinctness: Distinctness { among_themselves: distinct, ..self.distinctness }, ..self }
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

    /// Sets whether the column `solution` is among the default ones.
    #[must_use]
    pub fn solutions(self, solutions: bool) -> Generate {
        Generate { solutions, ..self }
    }

    /// Sets a function that is called with the events of a run.
    #[must_use]
    pub fn observer(self, observer: impl Fn(GenerateEvent) + Send + Sync + 'static) -> Generate {
        Generate { observer: GenerateObserver(Some(Arc::new(observer))), ..self }
    }

    /// The columns that rows can have, in the default order.
    pub const COLUMNS: &'static [Column] = PuzzleRow::COLUMNS;

    /// Writes the puzzles: one a line, or rows after a header if the format has one.
    ///
    /// # Errors
    ///
    /// If options contradict each other, there can be no such puzzle, the engine cannot be built, no puzzle was found in
    /// many tries, or the output cannot be written. The first three are known before anything is written.
    pub fn run(
        self,
        output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        npy_file::check(self.settings.format)?;
        self.write_text(output, execution)
    }

    /// Writes the puzzles, in whatever format.
    fn write_text(
        self,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        self.check()?;
        let style = self.text_style()?;
        output.write_all(&self.first_text(&style)).map_err(PipelineError::Write)?;
        self.write_rows(&style, output, |_| Ok(()), execution)
    }

    /// Passes the puzzles to `each`, in batches of some thousand. The format and the header do not matter.
    ///
    /// # Errors
    ///
    /// As [`Generate::run`], and if `each` fails.
    #[cfg(feature = "arrow")]
    pub fn run_table(
        self,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        let (table, schema) = (self.table()?, self.table_schema()?);
        let style = RowStyle { table, container: RowContainer::Batches(schema), defers_late: false };
        let pass_on = |parts: RowParts| {
            parts
                .into_batches()
                .filter(|batch| !matches!(batch, Ok(batch) if batch.num_rows() == 0))
                .try_for_each(|batch| each(batch.map_err(io::Error::other)?))
        };
        self.write_rows(&style, io::sink(), pass_on, execution)
    }

    /// The types of the columns of the rows of [`Generate::run_table`].
    ///
    /// # Errors
    ///
    /// If a column does not exist, or is chosen twice.
    #[cfg(feature = "arrow")]
    pub fn table_schema(&self) -> Result<SchemaRef, JobError> {
        Ok(crate::rows::schema(&self.table()?, vec![]))
    }

    /// The columns of a run.
    fn table(&self) -> Result<Table, JobError> {
        let is_default = |column: &Column| match column.name {
            "solution" => self.solutions,
            "clues" => false,
            _ if is_rating(column) => self.spec.needs_rating(),
            _ => true,
        };
        Ok(self.settings.table(Generate::COLUMNS, is_default, &[])?)
    }

    fn text_style(&self) -> Result<RowStyle, JobError> {
        let (table, container) = (self.table()?, RowContainer::Text(self.settings.format));
        Ok(RowStyle { table, container, defers_late: false })
    }

    /// The text before the first row.
    fn first_text(&self, style: &RowStyle) -> Vec<u8> {
        style.header(self.settings.header)
    }

    /// Writes the rows of the puzzles; `take` gets the typed columns of each chunk.
    ///
    /// If puzzles are dropped, others are made in further rounds. So the output is that of the first numbers whose puzzles
    /// are new.
    fn write_rows(
        &self,
        style: &RowStyle,
        mut output: impl Write + Send,
        mut take: impl FnMut(RowParts) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        let start = Instant::now();
        let worker = |_| {
            let generator = self.generator()?.stop(execution.stop.clone());
            Ok(GenerateWorker::new(self, generator, style.sink(), execution))
        };
        let mut workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, GenerateJobError>>()?;

        let mut written = Written { count: self.count, puzzles: 0, clues: BTreeMap::new(), outcome: Ok(End::Complete) };
        let mut filter = RepeatFilter::new(&self.distinctness);
        let mut next = self.skip;
        while written.puzzles < self.count && next < u64::MAX && matches!(written.outcome, Ok(End::Complete)) {
            // A round is as large as the number of puzzles that were dropped in a row, so that rounds are few.
            let end = next.saturating_add((self.count - written.puzzles).max(filter.in_a_row()));
            let finish = |chunk: &mut Chunk<(), MadePuzzles>| {
                let repeats = filter.repeats();
                let puzzles = written.take(chunk, &mut filter, &mut take)?;
                self.observer.notify(GenerateEvent::Generated { puzzles });
                if filter.repeats() > repeats {
                    self.observer.notify(GenerateEvent::Dropped { puzzles: filter.repeats() - repeats });
                }
                if written.outcome.is_err() {
                    execution.stop.trigger();
                }
                Ok(())
            };
            let size = self.size_of_chunks(execution);
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
            engine: self.settings.engine.name(),
        };
        Ok(Finished { report, end, partial: None })
    }

    /// The number of puzzles in a chunk. A large puzzle may take a second: a few should not wait for one thread while others
    /// have nothing to do, nor be lost when the run is stopped.
    fn size_of_chunks(&self, execution: &Execution) -> ChunkSize {
        if self.spec.size <= Size::Nine {
            execution.size_of_chunks(CHUNK)
        } else {
            execution.first_chunk(NonZeroUsize::MIN).size_of_chunks(CHUNK)
        }
    }

    /// Writes the puzzles to a file, which gets its name when it is complete, or to standard output.
    ///
    /// # Errors
    ///
    /// As [`Generate::run`].
    pub fn run_to(
        self,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        // Known before the output is opened.
        self.check()?;
        #[cfg(feature = "parquet")]
        if let Some(pages) = target.pages() {
            let schema = self.table_schema()?;
            return super::parquet_file::write(target, pages, schema, execution, |each| {
                self.run_table(each, execution)
            });
        }

        if self.settings.format == OutputFormat::Npy {
            return npy_file::write(target, NpyLayout::Grids, |rows| self.write_text(rows, execution));
        }

        let mut output = OutputFile::create(target, execution.threads).map_err(JobError::from)?;
        let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
        match self.run(&mut output, execution) {
            Ok(finished) if finished.end == End::Complete => {
                output.finish().map_err(JobError::from)?;
                Ok(finished)
            }
            // An output without puzzles is not kept.
            Ok(stopped) if stopped.report.puzzles == 0 => {
                output.discard().map_err(JobError::from)?;
                Ok(stopped)
            }
            Ok(stopped) => Ok(Finished { partial, ..stopped }),
            Err(GenerateJobError::Broken { puzzles, broken }) => {
                let partial = if puzzles == 0 {
                    output.discard().map_err(JobError::from)?;
                    None
                } else {
                    partial
                };
                Err(GenerateJobError::Broken { puzzles, broken: BrokenRun { partial, ..broken } })
            }
            Err(error) => Err(error),
        }
    }

    /// Checks the options, and that there may be such puzzles.
    ///
    /// # Errors
    ///
    /// If options contradict each other, there can be no such puzzle, or the engine cannot be built.
    pub fn check(&self) -> Result<(), GenerateJobError> {
        let formats = [OutputFormat::Lines, OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Npy];
        self.settings.check_format(&formats, &[]).map_err(JobError::from)?;
        if self.solutions && !self.settings.format.has_columns() {
            return Err(JobError::from(OptionError::NoSolutions(self.settings.format)).into());
        }
        self.table()?;
        self.generator().map(|_| ())
    }

    fn generator(&self) -> Result<Generator, GenerateJobError> {
        if self.distinctness.needs_classes() && !Canonicaliser::has_forms(self.spec.size) {
            return Err(GenerateError::NoClasses(self.spec.size).into());
        }
        let generator =
            Generator::for_spec(self.spec.clone(), self.seed, self.settings.engine.build().map_err(JobError::from)?)?
                .max_branches(self.settings.max_branches);
        // A column of the rating may be asked for, whatever the rating is.
        let has_rating = self.table()?.own.iter().any(is_rating);
        if has_rating && self.spec.size != Size::Nine {
            return Err(GenerateError::NotRated(self.spec.size).into());
        }
        let generator = if has_rating { generator.rated() } else { generator };
        Ok(match self.max_tries {
            Some(max_tries) => generator.max_tries(max_tries),
            None => generator,
        })
    }
}

/// Whether a column is about the rating.
fn is_rating(column: &Column) -> bool {
    Rated::COLUMNS.contains(column)
}

#[cfg(feature = "parquet")]
impl super::parquet_file::BreaksRuns for GenerateJobError {
    fn with_rows(self, partial: Option<PartialOutput>) -> GenerateJobError {
        match self {
            GenerateJobError::Broken { puzzles, broken } => {
                GenerateJobError::Broken { puzzles, broken: BrokenRun { partial, ..broken } }
            }
            error => error,
        }
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
    /// Takes the next chunk: leaves the rows in it that are written, gives those that are typed to `take`, and returns their
    /// number.
    fn take(
        &mut self,
        chunk: &mut Chunk<(), MadePuzzles>,
        filter: &mut RepeatFilter<'_>,
        take: &mut impl FnMut(RowParts) -> io::Result<()>,
    ) -> io::Result<usize> {
        let (before, rows) = (self.puzzles, std::mem::take(&mut chunk.output));
        for note in chunk.notes.drain(..) {
            let MadePuzzles::All(made, mut parts) = note else {
                self.outcome = self.outcome.clone().and(Ok(End::Stopped));
                break;
            };

            let (mut start, mut is_written) = (0, Vec::with_capacity(made.len()));
            for puzzle in &made {
                let row = start..puzzle.row_end;
                start = puzzle.row_end;
                let is_new = self.puzzles < self.count
                    && self.outcome == Ok(End::Complete)
                    && filter.is_new(puzzle.class).unwrap_or_else(|error| {
                        self.outcome = Err(error);
                        false
                    });
                is_written.push(is_new);
                if is_new {
                    self.puzzles += 1;
                    *self.clues.entry(puzzle.clues).or_default() += 1;
                    chunk.output.extend_from_slice(&rows[row]);
                }
            }
            parts.retain_rows(&is_written);
            take(parts)?;
        }
        Ok((self.puzzles - before) as usize)
    }
}

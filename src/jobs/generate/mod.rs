//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod attempt;
mod batches;
#[cfg(feature = "card")]
mod card;
mod distinct;
mod error;
mod generator;
mod hill_climbing;
mod reduction;
mod run;
mod spec;
mod worker;

pub use self::batches::{BatchNumbers, PuzzleBatch, PuzzleBatches};
pub use self::distinct::KnownClasses;
pub use self::error::GenerateError;
pub use self::generator::Generator;
pub use self::spec::{ClueRange, ParseClueRangeError, ParsePatternError, Pattern, PuzzleSpec, Shape, Target};

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use serde::Serialize;

use self::distinct::Distinctness;
use self::worker::PuzzleRow;
use crate::canon::Canonicaliser;
use crate::pipeline::PipelineError;
use crate::puzzle::Size;
use crate::rating::{ErRange, TechniqueName};
use crate::rows::{Column, OutputFormat, Row, Table};
use crate::run::rated::Rated;
use crate::run::settings::{RowSettings, row_setters};
use crate::run::{BrokenRun, JobError, OptionError};

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

    /// The columns that rows can have, in the default order.
    pub const COLUMNS: &'static [Column] = PuzzleRow::COLUMNS;

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

setters!(Generate {
    /// Sets the size of the puzzles.
    size(size: Size) => spec.size = size;

    /// Sets the seed.
    seed(seed: u64) => seed = seed;

    /// Leaves out the first puzzles of the seed, so that several machines can make its puzzles. A seed has 2^64 - 1.
    skip(puzzles: u64) => skip = puzzles;

    /// Sets how many clues are left.
    target(target: Target) => spec.target = target;

    /// Sets where the clues may be.
    shape(shape: Shape) => spec.shape = shape;

    /// Takes only puzzles with such an ER: others are rated and thrown away. Only 9x9 puzzles are rated.
    er(er: ErRange) => spec.er = Some(er);

    /// Takes only puzzles that a person needs each of these techniques for. Only 9x9 puzzles are rated.
    techniques(techniques: impl IntoIterator<Item = TechniqueName>) => spec.techniques = techniques.into_iter().collect();

    /// Sets whether to drop isomorphs of earlier puzzles, and make others instead. Takes some 30 bytes of memory a puzzle.
    distinct(distinct: bool) => distinctness.among_themselves = distinct;

    /// Drops isomorphs of known puzzles, and makes others instead.
    not_in(known: KnownClasses) => distinctness.known = Some(known);

    /// Sets how many random grids are tried for a puzzle before the job fails. The puzzles do not depend on it.
    max_tries(max_tries: NonZeroU32) => max_tries = Some(max_tries);

    /// Sets whether the column `solution` is among the default ones.
    solutions(solutions: bool) => solutions = solutions;

    /// Sets a function that is called with the events of a run.
    observer(observer: impl Fn(GenerateEvent) + Send + Sync + 'static) => observer = GenerateObserver(Some(Arc::new(observer)));
});

/// Whether a column is about the rating.
fn is_rating(column: &Column) -> bool {
    Rated::COLUMNS.contains(column)
}

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

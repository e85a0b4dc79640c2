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
use super::rated::Rated;
use super::settings::{RowSettings, row_setters};
use super::{BrokenRun, JobError, OptionError};
use crate::canon::Canonicaliser;
use crate::pipeline::PipelineError;
use crate::puzzle::Size;
use crate::rating::{ErRange, TechniqueName};
use crate::rows::{Column, OutputFormat, Row, Table};

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

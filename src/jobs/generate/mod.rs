//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod attempt;
mod batches;
#[cfg(feature = "card")]
mod card;
mod distinct;
mod error;
mod generator;
mod hill_climbing;
mod numbers;
mod reduction;
mod spec;
mod stage;
mod worker;

pub use self::batches::{BatchNumbers, PuzzleBatch, PuzzleBatches};
pub use self::distinct::KnownClasses;
pub use self::error::GenerateError;
pub use self::generator::Generator;
pub use self::spec::{ClueRange, ParseClueRangeError, ParsePatternError, Pattern, PuzzleSpec, Shape, Target};
pub use self::stage::GenerateCounts;

use std::num::{NonZeroU32, NonZeroUsize};

use serde::Serialize;

use self::distinct::Distinctness;
use self::numbers::Numbers;
use self::stage::GenerateStage;
use self::worker::{GenerateWorker, PuzzleRow};
use crate::canon::Canonicaliser;
use crate::corpus::{Corpus, Shard};
use crate::puzzle::Size;
use crate::rating::{ErRange, TechniqueName};
use crate::rows::{Column, OutputFormat};
use crate::run::job::{ChunkLimits, RowJob};
use crate::run::rated::Rated;
use crate::run::settings::{RowSettings, row_setters};
use crate::run::{Execution, JobError, OptionError, RecordSource, row_job_runs};
use crate::stats::Run;

/// The maximum number of puzzles in a chunk: some tens of milliseconds' worth of minimal 9x9 puzzles.
const CHUNK: NonZeroUsize = NonZeroUsize::new(2048).unwrap();

/// Generates puzzles: one a line, or rows with their solutions. It reads no inputs, so it takes an
/// [empty corpus](Corpus::empty).
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::generate::Target;
/// use gridmill::jobs::{Execution, Generate};
///
/// let mut puzzles = Vec::new();
/// let job = Generate::new(3).seed(7).target(Target::Clues(30));
/// let report = job.run(Corpus::empty(), &mut puzzles, &Execution::new())?.report;
/// assert_eq!(report.counts.puzzles, 3);
/// assert_eq!(puzzles.len(), 3 * 82);
/// # Ok::<(), gridmill::jobs::JobError>(())
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
    settings: RowSettings,
}

row_setters!(Generate);
row_job_runs!(Generate, GenerateReport);

/// Results of [`Generate`].
#[derive(Clone, Debug, Serialize)]
pub struct GenerateReport {
    /// The numbers of puzzles, clues and grids.
    #[serde(flatten)]
    pub counts: GenerateCounts,
    /// From the start to the last write.
    pub wall_seconds: f64,
    /// Puzzles per second of that time.
    pub puzzles_per_second: f64,
    /// The number of workers.
    pub threads: usize,
    /// The name of the engine.
    pub engine: String,
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
            settings: RowSettings { format: OutputFormat::Lines, ..RowSettings::default() },
        }
    }

    /// A generator for one worker.
    fn generator(&self) -> Result<Generator, JobError> {
        if self.distinctness.needs_classes() && !Canonicaliser::has_forms(self.spec.size) {
            return Err(GenerateError::NoClasses(self.spec.size).into());
        }
        let generator = Generator::for_spec(self.spec.clone(), self.seed, self.settings.engine.build()?)?
            .max_branches(self.settings.max_branches);
        // A column of the rating may be asked for, whatever the rating is.
        let needs_rating = self.spec.needs_rating();
        let has_rating = Rated::COLUMNS.iter().any(|column| self.settings.has_column(column.name, needs_rating));
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
});

impl RowJob for Generate {
    const NAME: &'static str = "generate";
    const FORMATS: &'static [OutputFormat] =
        &[OutputFormat::Lines, OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Npy];

    type Row = PuzzleRow<'static>;
    type Worker = GenerateWorker;
    type Stage = GenerateStage;
    type Report = GenerateReport;

    fn is_default(&self, column: &Column, _corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(match column.name {
            "solution" => self.solutions,
            "clues" => false,
            _ if Rated::COLUMNS.contains(column) => self.spec.needs_rating(),
            _ => true,
        })
    }

    /// A number has no row if its puzzle is left out.
    fn has_other_rows(&self) -> bool {
        true
    }

    fn obstacle_to_resume(&self) -> Option<&'static str> {
        Some("that makes puzzles")
    }

    /// Checks that there may be such puzzles.
    fn check(&self, _shard: Option<Shard>) -> Result<(), JobError> {
        if self.solutions && !self.settings.format.has_columns() {
            return Err(OptionError::NoSolutions(self.settings.format).into());
        }
        self.generator().map(|_| ())
    }

    /// A large puzzle may take a second: a few should not wait for one thread while others have nothing to do, nor be lost
    /// when the run is stopped.
    fn chunk_limits(&self) -> ChunkLimits {
        ChunkLimits { first: (self.spec.size > Size::Nine).then_some(NonZeroUsize::MIN), all: CHUNK }
    }

    fn source(&self, _corpus: Corpus, stage: &GenerateStage) -> impl RecordSource {
        Numbers::new(self.skip, stage.rounds())
    }

    fn stage(&mut self, _corpus: &Corpus, execution: &Execution) -> Result<GenerateStage, JobError> {
        Ok(GenerateStage::new(self, execution))
    }

    fn worker(&self, _stage: &GenerateStage, execution: &Execution) -> Result<GenerateWorker, JobError> {
        Ok(GenerateWorker::new(self, self.generator()?.stop(execution.stop.clone()), execution))
    }

    fn report(counts: GenerateCounts, run: Run) -> GenerateReport {
        let (seconds, puzzles) = (run.wall.as_secs_f64(), counts.puzzles as f64);
        GenerateReport {
            counts,
            wall_seconds: seconds,
            puzzles_per_second: if seconds > 0.0 { puzzles / seconds } else { 0.0 },
            threads: run.threads,
            engine: run.engine,
        }
    }
}

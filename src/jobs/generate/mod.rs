//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod batches;
#[cfg(feature = "card")]
mod card;
mod distinct;
mod numbers;
mod stage;
mod worker;

pub use self::batches::{BatchNumbers, PuzzleBatch, PuzzleBatches};
pub use self::distinct::KnownClasses;
pub use self::stage::GenerateCounts;
#[doc(hidden)]
pub use crate::generate::BandShare;
pub use crate::generate::{
    ClueRange, GenerateError, Generator, ParseClueRangeError, ParsePatternError, Pattern, PuzzleSpec, Shape, Target,
};

use std::num::{NonZeroU32, NonZeroUsize};

use serde::Serialize;

use self::distinct::Distinctness;
use self::numbers::Numbers;
use self::stage::GenerateStage;
use self::worker::{GenerateWorker, PuzzleRow};
use crate::canon::Canonicaliser;
use crate::corpus::{Corpus, Shard};
use crate::puzzle::Size;
use crate::rating::{ErRange, Rated, TechniqueName};
use crate::rows::{Column, OutputFormat};
use crate::run::job::{ChunkLimits, Job, RowJob};
use crate::run::{Execution, JobError, OptionError, RecordSource, Rows};
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
pub type Generate = Rows<GenerateOptions>;

/// The options of [`Generate`].
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct GenerateOptions {
    count: u64,
    spec: PuzzleSpec,
    distinctness: Distinctness,
    seed: u64,
    skip: u64,
    max_tries: Option<NonZeroU32>,
    solutions: bool,
}

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
        let job = GenerateOptions {
            count,
            spec: PuzzleSpec::new(Size::Nine, Target::Minimal),
            distinctness: Distinctness::default(),
            seed: 0,
            skip: 0,
            max_tries: None,
            solutions: false,
        };
        Rows::of(job).format(OutputFormat::Lines)
    }

    /// A generator for one worker.
    fn generator(&self) -> Result<Generator, JobError> {
        let Rows { job: GenerateOptions { spec, distinctness, seed, max_tries, .. }, settings } = self;
        if distinctness.needs_classes() && !Canonicaliser::has_forms(spec.size) {
            return Err(GenerateError::NoClasses(spec.size).into());
        }
        let generator =
            Generator::for_spec(spec.clone(), *seed, settings.engine.build()?)?.max_branches(settings.max_branches);

        // A column of the rating may be asked for, whatever the rating is.
        let needs_rating = spec.needs_rating();
        let has_rating = Rated::COLUMNS.iter().any(|column| settings.has_column(column.name, needs_rating));
        if has_rating && spec.size != Size::Nine {
            return Err(GenerateError::NotRated(spec.size).into());
        }
        let generator = if has_rating { generator.rated() } else { generator };
        Ok(match *max_tries {
            Some(max_tries) => generator.max_tries(max_tries),
            None => generator,
        })
    }
}

setters!(Generate {
    /// Sets the size of the puzzles.
    size(size: Size) => job.spec.size = size;

    /// Sets the seed.
    seed(seed: u64) => job.seed = seed;

    /// Leaves out the first puzzles of the seed, so that several machines can make its puzzles. A seed has 2^64 - 1.
    skip(puzzles: u64) => job.skip = puzzles;

    /// Sets the number of clues.
    target(target: Target) => job.spec.target = target;

    /// Sets the cells that may have clues.
    shape(shape: Shape) => job.spec.shape = shape;

    /// Takes only puzzles whose ER is in the range. Only 9x9 puzzles can have a range, because only they are rated.
    er(er: ErRange) => job.spec.er = Some(er);

    /// Takes only puzzles that a person cannot solve without each of these techniques. Only 9x9 puzzles are rated.
    techniques(techniques: impl IntoIterator<Item = TechniqueName>) => job.spec.techniques = techniques.into_iter().collect();

    /// Sets whether to replace isomorphs of earlier puzzles by new puzzles. This takes some 30 bytes of memory for each
    /// puzzle.
    distinct(distinct: bool) => job.distinctness.among_themselves = distinct;

    /// Replaces isomorphs of known puzzles by new puzzles.
    not_in(known: KnownClasses) => job.distinctness.known = Some(known);

    /// Sets the maximum number of random grids for a puzzle, after which the job fails. The puzzles do not depend on
    /// it.
    max_tries(max_tries: NonZeroU32) => job.max_tries = Some(max_tries);

    /// Sets whether `solution` is a default column.
    solutions(solutions: bool) => job.solutions = solutions;
});

impl Job for GenerateOptions {
    const NAME: &'static str = "generate";
    const FORMATS: &'static [OutputFormat] =
        &[OutputFormat::Lines, OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Npy];

    type Report = GenerateReport;
}

impl RowJob for GenerateOptions {
    type Row = PuzzleRow<'static>;
    type Worker = GenerateWorker;
    type Stage = GenerateStage;

    fn is_default(&self, column: &Column, _corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(match column.name {
            "solution" => self.solutions,
            "clues" => false,
            "weight" => self.spec.target == Target::Weighted,
            "tries" => self.spec.has_known_probability(),
            _ if Rated::COLUMNS.contains(column) => self.spec.needs_rating(),
            _ => true,
        })
    }

    /// A number has no row if its puzzle is left out.
    fn has_other_rows(_rows: &Rows<Self>) -> bool {
        true
    }

    fn obstacle_to_resume(_rows: &Rows<Self>) -> Option<&'static str> {
        Some("that makes puzzles")
    }

    /// Checks that there may be such puzzles.
    fn check(rows: &Rows<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        if rows.job.solutions && !rows.settings.format.has_columns() {
            return Err(OptionError::NoSolutions(rows.settings.format).into());
        }
        rows.generator().map(|_| ())
    }

    /// A large puzzle, or one with a known probability, may take a second: the last few should not wait for one thread,
    /// nor be lost when the run is stopped.
    fn chunk_limits(&self) -> ChunkLimits {
        ChunkLimits {
            first: (self.spec.size > Size::Nine || self.spec.has_known_probability()).then_some(NonZeroUsize::MIN),
            all: CHUNK,
        }
    }

    fn source(&self, _corpus: Corpus, stage: &GenerateStage) -> impl RecordSource {
        Numbers::new(self.skip, stage.rounds())
    }

    fn stage(&mut self, _corpus: &Corpus, execution: &Execution) -> Result<GenerateStage, JobError> {
        Ok(GenerateStage::new(self, execution))
    }

    fn worker(rows: &Rows<Self>, _stage: &GenerateStage, execution: &Execution) -> Result<GenerateWorker, JobError> {
        Ok(GenerateWorker::new(&rows.job, rows.generator()?.stop(execution.stop.clone()), execution))
    }
}

impl From<(GenerateCounts, Run)> for GenerateReport {
    fn from((counts, run): (GenerateCounts, Run)) -> GenerateReport {
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

impl From<GenerateError> for JobError {
    fn from(error: GenerateError) -> JobError {
        JobError::of_job(error)
    }
}

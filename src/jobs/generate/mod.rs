//! Generates puzzles with exactly one solution: the same ones for the same seed, on any number of threads.

mod batches;
mod distinct;
mod numbers;
mod stage;
mod worker;

#[doc(hidden)]
pub use self::batches::{BatchNumbers, PuzzleBatch, PuzzleBatches};
#[doc(hidden)]
pub use self::distinct::KnownClasses;
pub use self::stage::GenerateCounts;
#[doc(hidden)]
pub use crate::generate::BandShare;
pub use crate::generate::{ClueRange, GenerateError, Generator, Pattern, PuzzleSpec, Shape, Target};

use std::num::{NonZeroU32, NonZeroUsize};

use serde::{Deserialize, Serialize};

use self::numbers::Numbers;
use self::stage::GenerateStage;
use self::worker::{GenerateWorker, PuzzleRow};
use crate::canon::Canonicaliser;
use crate::corpus::{Corpus, Shard};
use crate::options::OptionError;
use crate::puzzle::{Size, Symmetry};
use crate::rating::{Difficulty, ErRange, Level, Rated, TechniqueName};
use crate::rows::{Column, OutputFormat, Row};
use crate::run::job::{ChunkLimits, Job, JobParts, given_options};
use crate::run::{Execution, JobError, RecordSource, RowJob};

/// Lists of options that exclude each other.
const EXCLUSIVE: [&[&str]; 9] = [
    &["grids", "weighted", "unbiased", "clues"],
    &["grids", "weighted", "unbiased", "minimal"],
    &["grids", "weighted", "unbiased", "symmetry"],
    &["grids", "weighted", "unbiased", "pattern"],
    // Searches for the probability of a puzzle have no bound.
    &["weighted", "unbiased", "max-branches"],
    &["er", "level", "max-er"],
    &["pattern", "size"],
    &["pattern", "clues"],
    &["pattern", "symmetry"],
];

/// The maximum number of puzzles in a chunk: some tens of milliseconds' worth of minimal 9x9 puzzles.
const CHUNK: NonZeroUsize = NonZeroUsize::new(2048).unwrap();

/// Generates puzzles: one a line, or rows with their solutions. It reads no inputs, so it takes an
/// [empty corpus](Corpus::empty).
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Generate};
///
/// let mut puzzles = Vec::new();
/// let job = Generate::new(3).seed(7).clues("30".parse()?);
/// let report = job.run(Corpus::empty(), &mut puzzles, &Execution::new())?.report;
/// assert_eq!(report.puzzles, 3);
/// assert_eq!(puzzles.len(), 3 * 82);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Generate = RowJob<GenerateOptions>;

/// The options of [`Generate`], as plain data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct GenerateOptions {
    pub(crate) count: u64,
    pub(crate) size: Option<Size>,
    pub(crate) seed: u64,
    pub(crate) skip: u64,
    pub(crate) clues: Option<ClueRange>,
    pub(crate) minimal: bool,
    pub(crate) grids: bool,
    pub(crate) weighted: bool,
    pub(crate) unbiased: bool,
    pub(crate) er: Option<ErRange>,
    pub(crate) level: Option<Level>,
    pub(crate) max_er: Option<Difficulty>,
    pub(crate) technique: Vec<TechniqueName>,
    pub(crate) symmetry: Option<Symmetry>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) distinct: bool,
    #[serde(skip)]
    pub(crate) not_in: Option<KnownClasses>,
    /// Whether rows have the solutions.
    pub with_solution: bool,
    #[serde(skip_serializing)]
    pub(crate) max_tries: Option<NonZeroU32>,
}

impl Generate {
    /// Generates `count` minimal 9x9 puzzles from the seed 0.
    pub fn new(count: u64) -> Generate {
        RowJob::of(GenerateOptions { count, ..GenerateOptions::default() }).format(OutputFormat::Lines)
    }

    /// A generator for one worker.
    fn generator(&self) -> Result<Generator, JobError> {
        let (RowJob { job, settings }, spec) = (self, self.job.spec());
        let (size, needs_rating) = (spec.size, spec.needs_rating());
        if job.needs_classes() && !Canonicaliser::has_forms(size) {
            return Err(GenerateError::NoClasses(size).into());
        }
        let generator = Generator::for_spec(spec, job.seed, settings.engine.build()?)?;
        let generator = generator.max_branches(settings.max_branches);

        // A column of the rating may be asked for, whatever the rating is.
        let has_rating = Rated::COLUMNS.iter().any(|column| settings.has_column(column.name, needs_rating));
        if has_rating && size != Size::Nine {
            return Err(GenerateError::NotRated(size).into());
        }
        let generator = if has_rating { generator.rated() } else { generator };
        Ok(match job.max_tries {
            Some(max_tries) => generator.max_tries(max_tries),
            None => generator,
        })
    }
}

setters!(Generate {
    /// Sets the size of the puzzles.
    size(size: Size) => job.size = Some(size);

    /// Sets the seed.
    seed(seed: u64) => job.seed = seed;

    /// Leaves out the first puzzles of the seed, so that several machines can make its puzzles. A seed has 2^64 - 1.
    skip(puzzles: u64) => job.skip = puzzles;

    /// Sets the number of clues. Without it, each clue is needed, or as many clues are removed as a shape allows.
    clues(clues: ClueRange) => job.clues = Some(clues);

    /// Sets whether each clue is needed also if their number or their shape is given.
    minimal(minimal: bool) => job.minimal = minimal;

    /// Sets whether to make complete grids.
    grids(grids: bool) => job.grids = grids;

    /// Sets whether each 9x9 puzzle has a [known probability](Target::Weighted).
    weighted(weighted: bool) => job.weighted = weighted;

    /// Sets whether minimal 9x9 puzzles are [all equally likely](Target::Unbiased).
    unbiased(unbiased: bool) => job.unbiased = unbiased;

    /// Sets the symmetry of the cells with clues.
    symmetry(symmetry: Symmetry) => job.symmetry = Some(symmetry);

    /// Sets the cells with clues.
    pattern(pattern: Pattern) => job.pattern = Some(pattern);

    /// Takes only puzzles whose ER is in the range. Only 9x9 puzzles can have a range, because only they are rated.
    er(er: ErRange) => job.er = Some(er);

    /// Takes only puzzles that a person cannot solve without each of these techniques. Only 9x9 puzzles are rated.
    techniques(techniques: impl IntoIterator<Item = TechniqueName>) => job.technique = techniques.into_iter().collect();

    /// Sets whether to replace isomorphs of earlier puzzles by new puzzles. This takes some 30 bytes of memory for each
    /// puzzle.
    distinct(distinct: bool) => job.distinct = distinct;

    /// Replaces isomorphs of known puzzles by new puzzles.
    not_in(known: KnownClasses) => job.not_in = Some(known);

    /// Sets the maximum number of random grids for a puzzle, after which the job fails. The puzzles do not depend on
    /// it.
    max_tries(max_tries: NonZeroU32) => job.max_tries = Some(max_tries);

    /// Sets whether `solution` is a default column.
    solutions(solutions: bool) => job.with_solution = solutions;
});

impl GenerateOptions {
    /// The properties of the puzzles.
    pub(crate) fn spec(&self) -> PuzzleSpec {
        let size = self.size.or(self.pattern.as_ref().map(Pattern::size)).unwrap_or(Size::Nine);
        let shape = match (&self.pattern, self.symmetry) {
            (Some(pattern), _) => Shape::Pattern(pattern.clone()),
            (None, Some(symmetry)) => Shape::Symmetric(symmetry),
            (None, None) => Shape::Any,
        };
        let target = match *self {
            GenerateOptions { grids: true, .. } => Target::Clues(size.cells()),
            GenerateOptions { weighted: true, .. } => Target::Weighted,
            GenerateOptions { unbiased: true, .. } => Target::Unbiased,
            GenerateOptions { clues, minimal, .. } => Target::of(clues, minimal, shape != Shape::Any),
        };
        let er = self.er.or(self.level.map(ErRange::from)).or(self.max_er.map(ErRange::up_to));
        PuzzleSpec { size, shape, target, er, techniques: self.technique.clone() }
    }

    /// Whether the classes of the puzzles are needed.
    fn needs_classes(&self) -> bool {
        self.distinct || self.not_in.is_some()
    }
}

impl Job for GenerateOptions {
    const NAME: &'static str = "generate";
    const FORMATS: &'static [OutputFormat] = OutputFormat::OF_GENERATED;

    type Report = GenerateCounts;
}

impl JobParts for GenerateOptions {
    type Row = PuzzleRow<'static>;
    type Worker = GenerateWorker;
    type Stage = GenerateStage;

    fn is_default(&self, column: &Column, _corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(match column.name {
            "solution" => self.with_solution,
            "clues" => false,
            "weight" => self.weighted,
            "tries" => self.spec().has_known_probability(),
            _ if Rated::COLUMNS.contains(column) => self.spec().needs_rating(),
            _ => true,
        })
    }

    /// A number has no row if its puzzle is left out.
    fn other_rows(rows: &RowJob<Self>) -> Option<&'static str> {
        match rows.settings.format {
            _ if rows.job.needs_classes() => Some(", and isomorphs are dropped"),
            format if format.has_columns() || format == OutputFormat::Lines => None,
            _ => Some(": `to` csv, jsonl or lines"),
        }
    }

    fn obstacle_to_resume(rows: &RowJob<Self>) -> Option<&'static str> {
        rows.job.needs_classes().then_some("that drops isomorphs")
    }

    /// Checks that there may be such puzzles.
    fn check(rows: &RowJob<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        let given = given_options(&rows.job, rows.settings.max_branches);
        for names in EXCLUSIVE {
            let mut given = names.iter().filter(|&&name| given.contains_key(name));
            if let (Some(first), Some(second)) = (given.next(), given.next()) {
                return Err(OptionError::new(format!("`{first}` and `{second}` exclude each other")).into());
            }
        }

        if rows.job.with_solution && !rows.settings.format.has_columns() {
            return Err(OptionError::no_columns(rows.settings.format, "`with-solution` is").into());
        }
        if rows.job.skip.checked_add(rows.job.count).is_none() {
            let numbers = "the puzzles of a seed have numbers up to 18446744073709551615, and `skip` leads beyond them";
            return Err(OptionError::new(numbers).into());
        }
        rows.generator().map(|_| ())
    }

    /// A large puzzle, or one with a known probability, may take a second: the last few should not wait for one thread,
    /// nor be lost when the run is stopped.
    fn chunk_limits(rows: &RowJob<Self>) -> ChunkLimits {
        let spec = rows.job.spec();
        let takes_long = spec.size > Size::Nine || spec.has_known_probability();
        ChunkLimits { first: takes_long.then_some(NonZeroUsize::MIN), all: CHUNK }
    }

    fn source(&self, corpus: Corpus, stage: &GenerateStage) -> Box<RecordSource> {
        Box::new(Numbers::new(self.skip, stage.rounds(), &corpus))
    }

    fn stage(&mut self, corpus: &Corpus, execution: &Execution) -> Result<GenerateStage, JobError> {
        Ok(GenerateStage::new(self, corpus.selected_shard().unwrap_or(Shard::ONLY), execution))
    }

    fn worker(rows: &RowJob<Self>, _stage: &GenerateStage, execution: &Execution) -> Result<GenerateWorker, JobError> {
        Ok(GenerateWorker::new(&rows.job, rows.generator()?.stop(execution.stop.clone()), execution))
    }
}

impl From<GenerateError> for JobError {
    fn from(error: GenerateError) -> JobError {
        JobError::of_run(error)
    }
}

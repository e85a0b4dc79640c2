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
use crate::rows::{Column, OutputFormat};
use crate::run::job::{ChunkLimits, Job, RowJob};
use crate::run::{Execution, JobError, RecordSource, Rows};

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
pub type Generate = Rows<GenerateOptions>;

/// The options of [`Generate`].
#[doc(hidden)]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct GenerateOptions {
    /// Number of puzzles
    #[cfg_attr(feature = "cli", arg(short = 'n', long, value_name = "COUNT"))]
    pub count: u64,

    /// Size of the puzzles
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            default_value = "9x9",
            default_value_if("pattern", clap::builder::ArgPredicate::IsPresent, None),
            conflicts_with = "pattern"
        )
    )]
    pub size: Option<Size>,

    /// Seed of the random choices
    #[cfg_attr(feature = "cli", arg(long, value_name = "S", default_value_t = 0))]
    pub seed: u64,

    /// Leave out the first N puzzles of the seed, so that several machines can make its puzzles
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 0, hide_short_help = true))]
    pub skip: u64,

    /// Remove clues until N are left; N..M is any number from N to M, both included
    ///
    /// For each puzzle, a number from the range is drawn. If so few clues are not enough, more are left, but at most M.
    #[cfg_attr(feature = "cli", arg(long, alias = "givens", value_name = "N|N..M", conflicts_with = "pattern"))]
    pub clues: Option<ClueRange>,

    /// Every clue is needed; this is the default if neither --clues, --symmetry nor --pattern is given
    #[cfg_attr(feature = "cli", arg(long))]
    pub minimal: bool,

    /// Make complete grids; 4x4, 6x6 and 9x9 grids are all equally likely
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["clues", "minimal", "symmetry", "pattern"]))]
    pub grids: bool,

    /// Make minimal 9x9 puzzles with a known probability, whose inverse is in the column weight; CSV unless --to says otherwise
    ///
    /// Means weighted by it are means over all minimal puzzles, which have 26.6 clues on average.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["clues", "minimal", "symmetry", "pattern", "size", "max_branches", "grids"], hide_short_help = true))]
    pub weighted: bool,

    /// Make minimal 9x9 puzzles that are all equally likely, up to 32 clues
    ///
    /// A puzzle takes some thirty times as long as with --weighted.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["clues", "minimal", "symmetry", "pattern", "size", "max_branches", "grids", "weighted"], hide_short_help = true))]
    pub unbiased: bool,

    /// Make only puzzles whose ER is in this range, as in 3.0..4.5, 7.1.. or 2.6
    ///
    /// ER says how hard a puzzle is for a person; see `gridmill rate`. Puzzles are made and rated until one has such an
    /// ER: the last line says how many were not taken.
    #[cfg_attr(feature = "cli", arg(long, value_name = "A..B"))]
    pub er: Option<ErRange>,

    /// Make only puzzles of this level: easy, medium, hard, very-hard, fiendish or extreme
    #[cfg_attr(feature = "cli", arg(long, value_name = "LEVEL", conflicts_with = "er"))]
    pub level: Option<Level>,

    /// Make only puzzles whose ER is at most X: the same as --er ..X
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", conflicts_with_all = ["er", "level"]))]
    pub max_er: Option<Difficulty>,

    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", value_delimiter = ','))]
    pub technique: Vec<TechniqueName>,

    /// The cells with clues are symmetric
    ///
    /// Clues are removed in groups that keep the symmetry: without --clues, until no group can be removed. A group may
    /// still have a clue that is not needed; with --minimal it has none, which is rare for symmetries with large groups.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", conflicts_with = "pattern"))]
    pub symmetry: Option<Symmetry>,

    /// No two puzzles are isomorphic; 4x4, 6x6 and 9x9 only
    #[cfg_attr(feature = "cli", arg(long))]
    pub distinct: bool,

    /// Write puzzles with their solutions: the columns puzzle and solution, as CSV unless --to says otherwise
    #[cfg_attr(feature = "cli", arg(long))]
    pub with_solution: bool,

    /// Give up if N random grids give no such puzzle [default: 1000000 for 9x9]
    ///
    /// The default is 100000 for 9x9 with --er, --level, --max-er or --technique, 200 for --pattern, 1000 for both, 40 for
    /// 16x16 and 10 for 25x25. The puzzles do not depend on it.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", hide_short_help = true))]
    #[serde(skip_serializing)]
    pub max_tries: Option<NonZeroU32>,

    // The cells of a file that the command line names.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub pattern: Option<Pattern>,

    // The classes of files that the command line names.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip)]
    pub not_in: Option<KnownClasses>,
}

impl Generate {
    /// Generates `count` minimal 9x9 puzzles from the seed 0.
    pub fn new(count: u64) -> Generate {
        Rows::of(GenerateOptions { count, ..GenerateOptions::default() }).format(OutputFormat::Lines)
    }

    /// A generator for one worker.
    fn generator(&self) -> Result<Generator, JobError> {
        let (Rows { job, settings }, spec) = (self, self.job.spec());
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

impl RowJob for GenerateOptions {
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
    fn other_rows(rows: &Rows<Self>) -> Option<&'static str> {
        match rows.settings.format {
            _ if rows.job.needs_classes() => Some(", and isomorphs are dropped"),
            format if format.has_columns() || format == OutputFormat::Lines => None,
            _ => Some(": `to` csv, jsonl or lines"),
        }
    }

    fn obstacle_to_resume(rows: &Rows<Self>) -> Option<&'static str> {
        rows.job.needs_classes().then_some("that drops isomorphs")
    }

    /// Checks that there may be such puzzles.
    fn check(rows: &Rows<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
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
    fn chunk_limits(rows: &Rows<Self>) -> ChunkLimits {
        let spec = rows.job.spec();
        let takes_long = spec.size > Size::Nine || spec.has_known_probability();
        ChunkLimits { first: takes_long.then_some(NonZeroUsize::MIN), all: CHUNK }
    }

    fn source(&self, corpus: Corpus, stage: &GenerateStage) -> impl RecordSource {
        Numbers::new(self.skip, stage.rounds(), &corpus)
    }

    fn stage(&mut self, corpus: &Corpus, execution: &Execution) -> Result<GenerateStage, JobError> {
        Ok(GenerateStage::new(self, corpus.selected_shard().unwrap_or(Shard::ONLY), execution))
    }

    fn worker(rows: &Rows<Self>, _stage: &GenerateStage, execution: &Execution) -> Result<GenerateWorker, JobError> {
        Ok(GenerateWorker::new(&rows.job, rows.generator()?.stop(execution.stop.clone()), execution))
    }
}

impl From<GenerateError> for JobError {
    fn from(error: GenerateError) -> JobError {
        JobError::of_run(error)
    }
}

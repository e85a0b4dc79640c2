//! Solves a corpus: one row for each record.

mod row;
mod worker;

use std::num::{NonZeroU64, NonZeroUsize};

use serde::{Deserialize, Serialize};

use self::row::SolveRow;
use self::worker::SolveWorker;
use crate::corpus::{Corpus, Shard};
use crate::engine::Limit;
use crate::engine::solver::Question;
use crate::options::OptionError;
use crate::rows::{Column, Kind, OutputFormat, Row};
use crate::run::job::{ChunkLimits, Independent, Job, RowJob};
use crate::run::{Execution, JobError, Rows};
use crate::stats::{RunStats, Summary};

/// The number of solutions of a puzzle to list without a given limit.
const LISTING_LIMIT: Limit = Limit::new(NonZeroU64::new(1000).unwrap());

/// The maximum number of records in a chunk where each may have many solutions, to keep the output of a chunk small.
const LISTING_CHUNK: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Solves every puzzle of a corpus, and writes a row for each record, in order.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Solve};
///
/// let corpus = Corpus::open_path("data/4x4.txt")?;
/// let mut rows = Vec::new();
/// let job = Solve::new().first(true).columns(["line", "solution"]);
/// let summary = job.run(corpus, &mut rows, &Execution::new().threads(2))?.report;
/// assert_eq!(summary.records, 200);
/// assert!(rows.starts_with(b"line,solution\n1,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Solve = Rows<SolveOptions>;

/// The options of [`Solve`].
#[doc(hidden)]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SolveOptions {
    pub limit: Option<NonZeroU64>,
    pub first: bool,
    pub all: bool,
    pub top: usize,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions { limit: None, first: false, all: false, top: 3 }
    }
}

impl Solve {
    /// Counts solutions up to two with the fastest engine, and writes CSV with all columns.
    pub fn new() -> Solve {
        Solve::default()
    }

    /// Whether rows have lists of solutions, as in a listing unless the first one is asked for.
    fn lists(&self) -> bool {
        self.job.all || (self.settings.format == OutputFormat::Listing && !self.job.first)
    }

    /// The question about every puzzle.
    fn question(&self) -> Question {
        let limit = self.job.limit.map(Limit::new);
        if self.lists() {
            Question::All(limit.unwrap_or(LISTING_LIMIT))
        } else {
            Question::first_or_count(self.job.first, limit)
        }
    }
}

setters!(Solve {
    /// Sets the number of solutions at which counting or listing stops. The default is two for counting, a thousand for
    /// listing. A limit of one is the same as [`first`](Solve::first).
    limit(limit: NonZeroU64) => job.limit = Some(limit);

    /// Sets whether to find the first solution in lexicographic order, even if there are several.
    first(first: bool) => job.first = first;

    /// Sets whether rows list all solutions, in lexicographic order.
    all(all: bool) => job.all = all;

    /// Sets the length of the summary's list of slowest puzzles.
    slowest(slowest: usize) => job.top = slowest;
});

impl Job for SolveOptions {
    const NAME: &'static str = "solve";
    const FORMATS: &'static [OutputFormat] = OutputFormat::OF_SOLUTIONS;

    type Report = Summary;
}

impl RowJob for SolveOptions {
    type Row = SolveRow<'static>;
    type Worker = SolveWorker;
    type Stage = Independent<RunStats>;

    fn columns(&self, _inputs: usize) -> Vec<Column> {
        let mut columns = SolveRow::COLUMNS.to_vec();
        if self.all {
            for solution in columns.iter_mut().filter(|column| column.name == "solution") {
                *solution = Column { nullable: false, ..solution.of_kind(Kind::Texts) };
            }
        }
        columns
    }

    fn check(rows: &Rows<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        let format = rows.settings.format;
        if rows.lists() && format == OutputFormat::Npy {
            let reason = format!("the output format {format} has at most one solution of each puzzle");
            return Err(OptionError::new(reason).into());
        }
        Ok(())
    }

    fn takes_pencilmarks(rows: &Rows<Self>) -> bool {
        matches!(rows.question(), Question::Count(_))
    }

    fn chunk_limits(rows: &Rows<Self>) -> ChunkLimits {
        if rows.lists() { ChunkLimits { all: LISTING_CHUNK, first: None } } else { ChunkLimits::default() }
    }

    fn limit(rows: &Rows<Self>) -> Limit {
        rows.question().limit()
    }

    fn other_rows(rows: &Rows<Self>) -> Option<&'static str> {
        let format = rows.settings.format;
        let has_other = !format.has_columns() && (format != OutputFormat::Lines || rows.lists());
        has_other.then_some(": `to` csv or jsonl, or lines without `all`")
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &Rows<Self>, _stage: &Self::Stage, _execution: &Execution) -> Result<SolveWorker, JobError> {
        Ok(SolveWorker::new(rows.question(), RunStats::new(rows.job.top)))
    }
}

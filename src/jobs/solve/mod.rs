//! Solves a corpus: one row for each record.

mod row;
mod worker;

use std::num::{NonZeroU64, NonZeroUsize};

use serde_json::{Map, Value, json};

use self::row::SolveRow;
use self::worker::SolveWorker;
use crate::corpus::{Corpus, Shard};
use crate::engine::Limit;
use crate::engine::solver::Question;
use crate::rows::{Column, Kind, OutputFormat, Row};
use crate::run::job::{ChunkLimits, Independent, Job, RowJob, given_options};
use crate::run::{Execution, JobError, OptionError, Rows};
use crate::stats::{RunStats, Summary};

/// The number of solutions of a puzzle to list without a given limit.
const LISTING_LIMIT: Limit = Limit::new(NonZeroU64::new(1000).unwrap());

/// The maximum number of records in a chunk where each may have many solutions, to keep the output of a chunk small.
const LISTING_CHUNK: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Solves every puzzle of a corpus, and writes a row for each record, in order.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::engine::solver::Question;
/// use gridmill::jobs::{Execution, Solve};
///
/// let corpus = Corpus::open_path("data/4x4.txt")?;
/// let mut rows = Vec::new();
/// let job = Solve::new().question(Question::First).columns(["line", "solution"]);
/// let summary = job.run(corpus, &mut rows, &Execution::new().threads(2))?.report;
/// assert_eq!(summary.records, 200);
/// assert!(rows.starts_with(b"line,solution\n1,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Solve = Rows<SolveOptions>;

/// The options of [`Solve`].
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct SolveOptions {
    question: Question,
    slowest: usize,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions { question: Question::Count(Limit::UNIQUE), slowest: 3 }
    }
}

impl Solve {
    /// Counts solutions up to two with the fastest engine, and writes CSV with all columns.
    pub fn new() -> Solve {
        Solve::default()
    }

    /// The question for rows in a format: all solutions, the first one, or their number. A listing has all solutions
    /// unless the first one was requested.
    #[doc(hidden)]
    pub fn question_for(format: OutputFormat, all: bool, first: bool, limit: Option<Limit>) -> Question {
        if all || (format == OutputFormat::Listing && !first) {
            Question::All(limit.unwrap_or(LISTING_LIMIT))
        } else {
            Question::first_or_count(first, limit)
        }
    }
}

impl SolveOptions {
    /// Whether rows have lists of solutions.
    fn lists(&self) -> bool {
        matches!(self.question, Question::All(_))
    }
}

setters!(Solve {
    /// Sets the question about every puzzle.
    question(question: Question) => job.question = question;

    /// Sets the length of the summary's list of slowest puzzles.
    slowest(slowest: usize) => job.slowest = slowest;
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
        if self.lists() {
            for solution in columns.iter_mut().filter(|column| column.name == "solution") {
                *solution = Column { nullable: false, ..solution.of_kind(Kind::Texts) };
            }
        }
        columns
    }

    fn check(rows: &Rows<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        let format = rows.settings.format;
        if rows.job.lists() && format == OutputFormat::Npy {
            Err(OptionError::OneSolution(format).into())
        } else {
            Ok(())
        }
    }

    fn in_manifest(&self) -> Map<String, Value> {
        let limit = match self.question {
            Question::Count(limit) | Question::All(limit) => Some(limit.get()),
            Question::Any | Question::First => None,
        };
        let first = self.question == Question::First;
        given_options(&json!({ "limit": limit, "first": first, "all": self.lists() }))
    }

    fn takes_pencilmarks(&self) -> bool {
        matches!(self.question, Question::Any | Question::Count(_))
    }

    fn chunk_limits(&self) -> ChunkLimits {
        if self.lists() { ChunkLimits { all: LISTING_CHUNK, first: None } } else { ChunkLimits::default() }
    }

    fn limit(&self) -> Limit {
        self.question.limit()
    }

    fn has_other_rows(rows: &Rows<Self>) -> bool {
        let format = rows.settings.format;
        !format.has_columns() && (format != OutputFormat::Lines || rows.job.lists())
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::default())
    }

    fn worker(rows: &Rows<Self>, _stage: &Self::Stage, _execution: &Execution) -> Result<SolveWorker, JobError> {
        Ok(SolveWorker::new(rows.job.question, RunStats::new(rows.job.slowest)))
    }
}

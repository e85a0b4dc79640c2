//! Validates a corpus: a verdict on every record, and a score of the corpus.
//!
//! ```text
//!   chunk -> ValidateWorker, ... -> rows without verdicts, notes -> ValidateState -> rows
//!              |  parallel: each record by itself                     |  serial: earlier records, the score
//!              v                                                      v
//!            ReferenceIndex of the other corpus, filled before      DuplicateIndex
//! ```

mod answer;
mod columns;
mod csv_row;
mod duplicate_index;
mod example;
mod finding;
mod minimality;
mod note;
mod outputs;
mod reference_index;
mod replay;
mod run;
mod score;
mod state;
#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::fmt;

use serde::Serialize;

pub use self::columns::ValidateColumn;
use self::duplicate_index::Repeats;
pub use self::example::Example;
pub use self::finding::{Finding, Findings, RecordVerdict};
use self::outputs::RecordTargets;
pub(super) use self::reference_index::ReferenceIndex;
pub use self::score::{AnswerCounts, Classes, ClueCounts, CorpusScore, LargeClass};
use super::{EngineSource, OptionError};
use crate::corpus::{Corpus, Shard};
use crate::engine::MaxBranches;
use crate::resume::{OutputTarget, Resume};
use crate::stats::{Resumed, StoppedAfter};

/// Gives every record of a corpus a verdict, and the corpus a score.
///
/// A record is sound if it is a puzzle with exactly one solution, and if the answer beside it, where the input has a
/// column for answers, is that solution. Other checks are made on request.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::validate::{Finding, Validate};
/// use gridmill::jobs::Execution;
///
/// let corpus = Corpus::open_path("data/minimal.txt")?;
/// let training_set = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let job = Validate::new().minimal().isomorphs().against(training_set);
/// let report = job.run(corpus, &mut rows, &Execution::new())?.report.unwrap();
/// assert_eq!(report.score.found(Finding::LeakIsomorph), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Validate {
    engine: EngineSource,
    max_branches: MaxBranches,
    minimal: bool,
    ratings: Option<String>,
    columns: Option<Vec<ValidateColumn>>,
    classes: bool,
    repeats: Repeats,
    against: Option<Corpus>,
    copies: RecordTargets,
    fail_on: Findings,
    resume: Resume,
}

/// Results of [`Validate`].
#[derive(Clone, Debug, Serialize)]
pub struct ValidateReport {
    /// The score of the corpus.
    #[serde(flatten)]
    pub score: CorpusScore,
    /// The number of records of the reference corpus.
    pub against_records: Option<u64>,
    /// The number of those that are malformed: no leak into them is found.
    pub against_malformed: Option<u64>,
    /// The findings of [`Validate::fail_on`] that occurred, by name.
    pub failed_on: Vec<&'static str>,
    /// From the first read to the last write, without the rows of an interrupted run.
    pub wall_seconds: f64,
    /// Records per second of that time.
    pub records_per_second: f64,
    /// The number of workers.
    pub threads: usize,
    /// The name of the engine.
    pub engine: String,
    /// The last record of a run that was stopped.
    pub stopped_after: Option<StoppedAfter>,
    /// The part that was replayed from the rows of an interrupted run.
    pub resumed: Option<Resumed>,
    /// The first record with each finding, for reports that people look at. A summary in JSON is the same for
    /// a run that was resumed, so it does not have them: their details are read from the rows, which may have none.
    #[serde(skip)]
    pub examples: Vec<Example>,
}

impl Validate {
    /// Checks that every record has one solution, and that its answer is right.
    pub fn new() -> Validate {
        Validate::default()
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Validate {
        Validate { engine: engine.into(), ..self }
    }

    /// Sets the most branches that the search for a puzzle may take; a puzzle that needs more is undecided. By default,
    /// [it depends on the size](MaxBranches::BySize).
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Validate {
        Validate { max_branches, ..self }
    }

    /// Also checks that every clue is needed.
    #[must_use]
    pub fn minimal(self) -> Validate {
        Validate { minimal: true, ..self }
    }

    /// Also rates 9x9 puzzles with one solution, and compares ER with a column, which the corpus must
    /// [keep](crate::format::InputOptions::keep). Nothing is compared where that is empty.
    #[must_use]
    pub fn ratings(self, column: impl Into<String>) -> Validate {
        Validate { ratings: Some(column.into()), ..self }
    }

    /// Also finds the class of every 9x9 puzzle, as isomorphs and leaks need it.
    #[must_use]
    pub fn classes(self) -> Validate {
        Validate { classes: true, ..self }
    }

    /// Also finds puzzles that occurred before. Takes 30 to 40 bytes of memory a record.
    #[must_use]
    pub fn duplicates(self) -> Validate {
        Validate { repeats: Repeats { duplicates: true, ..self.repeats }, ..self }
    }

    /// Also finds 9x9 puzzles of which an isomorph occurred before. Takes 30 to 40 bytes of memory a record.
    #[must_use]
    pub fn isomorphs(self) -> Validate {
        Validate { repeats: Repeats { isomorphs: true, ..self.repeats }, ..self }
    }

    /// Also finds puzzles that occur in this corpus, which is read first. Takes up to 120 bytes of memory for each of
    /// its records.
    ///
    /// It is an error if it has no puzzle, or an input of it has records of which none is a puzzle: the check would
    /// find nothing, whatever there is to find.
    #[must_use]
    pub fn against(self, corpus: Corpus) -> Validate {
        Validate { against: Some(corpus), ..self }
    }

    /// Sets the columns, in order. By default, all of them; [`ValidateColumn::File`] only if there are several inputs.
    ///
    /// Columns of the input that the corpus [keeps](crate::format::InputOptions::keep) follow them.
    #[must_use]
    pub fn columns(self, columns: impl IntoIterator<Item = ValidateColumn>) -> Validate {
        Validate { columns: Some(columns.into_iter().collect()), ..self }
    }

    /// Copies every record that is sound to this output, with all its columns.
    ///
    /// Text is copied byte by byte, and the records of a table follow its header. The rows of Parquet files, which are
    /// read twice, become a Parquet file.
    #[must_use]
    pub fn accepts(self, target: OutputTarget) -> Validate {
        Validate { copies: RecordTargets { accepts: Some(target), ..self.copies }, ..self }
    }

    /// Copies every record that is not sound to this output, as [`Validate::accepts`] does.
    #[must_use]
    pub fn rejects(self, target: OutputTarget) -> Validate {
        Validate { copies: RecordTargets { rejects: Some(target), ..self.copies }, ..self }
    }

    /// Sets the findings that the report names in [`ValidateReport::failed_on`] if they occur.
    #[must_use]
    pub fn fail_on(self, findings: Findings) -> Validate {
        Validate { fail_on: findings, ..self }
    }

    /// Sets whether [`Validate::run_to`] continues the partial output of an interrupted run.
    #[must_use]
    pub fn resume(self, resume: Resume) -> Validate {
        Validate { resume, ..self }
    }

    /// Checks the options against the shard of a corpus, before it is opened.
    ///
    /// # Errors
    ///
    /// If duplicates or isomorphs are to be found in a shard.
    pub fn check(&self, shard: Option<Shard>) -> Result<(), OptionError> {
        if shard.is_some() && (self.repeats.duplicates || self.repeats.isomorphs) {
            return Err(OptionError::RepeatsInShard);
        }
        Ok(())
    }
}

impl fmt::Debug for Validate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut validate = f.debug_struct("Validate");
        validate.field("minimal", &self.minimal).field("repeats", &self.repeats).finish_non_exhaustive()
    }
}

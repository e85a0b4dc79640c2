//! Validates a corpus: a verdict on every record, and a score of the corpus.
//!
//! ```text
//!   chunk -> ValidateWorker, ... -> rows, notes -> ValidateStage -> rows
//!             |  parallel: one record at a time       |  serial: earlier records, the score
//!              v                                      v
//!            ReferenceIndex of the other corpus     DuplicateIndex
//! ```

mod answer;
mod audit;
mod certificate;
mod examples;
mod finding;
mod minimality;
mod note;
mod outputs;
mod repeats;
mod score;
mod stage;
mod worker;

use std::sync::Arc;
use std::{fmt, mem};

use serde::{Deserialize, Serialize, Serializer};

pub use self::audit::{Alarm, AuditReport};
pub use self::audit::{
    AlarmKind, FileOrder, FilePair, GridAudit, RatingAudit, Shared, SizeAudit, TextTrend, Unevenness, ValueTrend,
};
use self::audit::{AuditCounts, FileOrders};
#[doc(hidden)]
pub use self::certificate::{Certificate, CertifiedFile};
pub use self::examples::Example;
use self::examples::Examples;
pub(crate) use self::finding::AUDIT;
use self::finding::UNREAD;
pub use self::finding::{FailOn, Finding, Findings, RecordVerdict};
use self::note::ValidateRow;
use self::outputs::{RecordOutputs, RecordTargets};
use self::repeats::DuplicateIndex;
pub use self::score::{AnswerCounts, Classes, ClueCounts, CorpusScore, LargeClass};
pub use self::stage::AgainstSets;
use self::stage::{Checks, ValidateCounts, ValidateStage};
use self::worker::ValidateWorker;
use crate::corpus::{Corpus, Shard};
pub use crate::generate::Uniformity;
use crate::lookup::{ComparedInputs, Demand, KeyUse, NamedClassSet, ReferenceIndex};
use crate::options::OptionError;
use crate::output::OutputTarget;
use crate::pipeline::End;
use crate::run::job::{ChunkLimits, Job, JobParts};
use crate::run::settings::RowSettings;
use crate::run::{Execution, JobError, RowJob, kept_column};

/// Gives every record of a corpus a verdict, and the corpus a score.
///
/// A record is sound if it is a puzzle with exactly one solution, and if its answer, where the input has a column of
/// answers, is that solution. Other checks are made on request.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::validate::{Finding, Validate};
/// use gridmill::jobs::Execution;
///
/// let corpus = Corpus::open_path("data/minimal.txt")?;
/// let training_set = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let job = Validate::new().minimal(true).isomorphs(true).against(training_set);
/// let report = job.run(corpus, &mut rows, &Execution::new())?.report;
/// assert_eq!(report.score.found(Finding::LeakIsomorph), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Validate = RowJob<ValidateOptions>;

/// The options of [`Validate`], as plain data.
#[derive(Default, Serialize)]
pub struct ValidateOptions {
    #[serde(flatten)]
    pub(crate) asked: AskedChecks,
    #[serde(skip)]
    against: Option<Corpus>,
    #[serde(rename = "against", serialize_with = "checksums")]
    against_sets: Vec<NamedClassSet>,
    #[serde(skip)]
    allow_malformed: bool,
    /// Whether puzzles of sizes with few classes are compared only as they are.
    #[serde(skip)]
    certifies: bool,
    #[serde(skip)]
    copies: RecordTargets,
    #[serde(skip)]
    fail_on: FailOn,
}

fn checksums<S: Serializer>(sets: &[NamedClassSet], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sets.iter().map(|named| named.set.sha256()))
}

/// The checks that are asked for.
#[doc(hidden)]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct AskedChecks {
    pub minimal: bool,
    pub rating_column: Option<String>,
    pub duplicates: bool,
    pub isomorphs: bool,
    pub classes: bool,
    pub audit: bool,
    pub audit_ratings: bool,
}

impl AskedChecks {
    /// Whether records are compared with earlier ones, so that verdicts are late.
    fn finds_repeats(&self) -> bool {
        self.duplicates || self.isomorphs
    }
}

impl From<AskedChecks> for Validate {
    fn from(asked: AskedChecks) -> Validate {
        RowJob::of(ValidateOptions { asked, ..ValidateOptions::default() })
    }
}

/// Results of [`Validate`].
#[derive(Clone, Debug, Serialize)]
pub struct ValidateReport {
    /// The score of the corpus.
    #[serde(flatten)]
    pub score: CorpusScore,
    /// The number of records of the reference corpus.
    pub against_records: Option<u64>,
    /// The number of malformed records in it: leaks into them are not found.
    pub against_malformed: Option<u64>,
    /// The sets of classes that puzzles were compared with, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_sets: Option<AgainstSets>,
    /// The results of the audit, if it was asked for.
    pub audit: Option<AuditReport>,
    /// The findings of [`Validate::fail_on`] that occurred, by name; `audit` for alarms, `unread` if a part of an input was
    /// not looked at.
    pub failed_on: Vec<&'static str>,
    /// The parts of inputs that were not looked at, in words: text that was not read as records, and malformed records of
    /// the reference corpus that are not allowed.
    pub unread: Vec<String>,
    /// The first record with each finding, for reports that people read.
    #[serde(skip)]
    pub examples: Vec<Example>,
    #[serde(skip)]
    compared: ComparedInputs,
}

impl Validate {
    /// Checks that every record has one solution and a right answer.
    pub fn new() -> Validate {
        Validate::default()
    }

    /// Also finds puzzles whose class is in this set; rows give the name of the set. A set cannot distinguish the same
    /// puzzle, or isomorphic solutions, from other isomorphs. Takes 16 bytes of memory for each class.
    #[must_use]
    #[doc(hidden)]
    pub fn against_set(mut self, set: NamedClassSet) -> Validate {
        self.job.against_sets.push(set);
        self
    }
}

setters!(Validate {
    /// Sets whether to check that every clue is needed.
    minimal(minimal: bool) => job.asked.minimal = minimal;

    /// Also rates 9x9 puzzles with one solution, and compares ER with a column, which the corpus must
    /// [keep](crate::format::InputOptions::keep). Empty fields are not compared.
    ratings(column: impl Into<String>) => job.asked.rating_column = Some(column.into());

    /// Sets whether to find the class of every 4x4, 6x6 and 9x9 puzzle, as isomorphs and leaks require.
    classes(classes: bool) => job.asked.classes = classes;

    /// Sets whether to find puzzles that occurred before. Takes 30 to 40 bytes of memory for each record.
    duplicates(duplicates: bool) => job.asked.duplicates = duplicates;

    /// Sets whether to find 4x4, 6x6 and 9x9 puzzles that are isomorphs of earlier ones. Takes 30 to 40 bytes of memory
    /// for each record.
    isomorphs(isomorphs: bool) => job.asked.isomorphs = isomorphs;

    /// Sets whether to audit the corpus: to compare it with a uniform sample, and its files with each other, and to
    /// raise [alarms](AuditReport::alarms) about faults of the corpus as a whole. Finds classes.
    ///
    /// Takes 30 to 40 bytes of memory for each distinct puzzle, each class of puzzles and each class of solved grids:
    /// up to 120 for each record, or 240 if each puzzle is in two inputs. An audit needs a single complete run: not a
    /// shard, and not a resumed run.
    audit(audit: bool) => job.asked.audit = audit;

    /// Sets whether an audit also rates all 9x9 puzzles with one solution.
    audit_ratings(audit_ratings: bool) => job.asked.audit_ratings = audit_ratings;

    /// Also finds puzzles that occur in this corpus, which is read first. Takes up to 120 bytes of memory for each of
    /// its records.
    ///
    /// It is an error if it has no puzzle, or if more than half of the records of an input are malformed: the check could
    /// not find anything.
    against(corpus: Corpus) => job.against = Some(corpus);

    /// Sets whether records of the reference corpus may be malformed. No leak into them is found.
    allow_malformed(allow_malformed: bool) => job.allow_malformed = allow_malformed;

    /// Copies every sound record to this output, with all its columns.
    ///
    /// Text is copied byte by byte, and the records of a table follow its header. The rows of Parquet files become a
    /// Parquet file.
    accepts(target: OutputTarget) => job.copies.accepts = Some(target);

    /// Copies every record that is not sound to this output, like [`Validate::accepts`].
    rejects(target: OutputTarget) => job.copies.rejects = Some(target);

    /// Sets the findings that [`ValidateReport::failed_on`] lists if they occur; also whether it lists `audit` if the
    /// audit raises an alarm, or has found no puzzle.
    fail_on(fail_on: FailOn) => job.fail_on = fail_on;
});

impl ValidateOptions {
    /// The index of the column of ratings among the kept columns.
    fn rating_column(&self, corpus: &Corpus) -> Result<Option<usize>, OptionError> {
        self.asked.rating_column.as_ref().map(|name| kept_column(corpus, name)).transpose()
    }
}

impl Job for ValidateOptions {
    const NAME: &'static str = "validate";

    type Report = ValidateReport;
}

impl JobParts for ValidateOptions {
    const ANSWER_OPTION: Option<&'static str> = Some("answer-column");

    type Row = ValidateRow<'static>;
    type Worker = ValidateWorker;
    type Stage = ValidateStage;

    fn check(rows: &RowJob<Self>, shard: Option<Shard>) -> Result<(), JobError> {
        let AskedChecks { audit, audit_ratings, .. } = rows.job.asked;
        let fault = if shard.is_some() && rows.job.asked.finds_repeats() {
            "`duplicates` and `isomorphs` need the complete corpus: a shard does not see the other records"
        } else if shard.is_some() && audit {
            "`audit` needs the complete corpus: a shard does not see the other records; leave out `shard`"
        } else if !audit && (audit_ratings || rows.job.fail_on.alarms) {
            "`audit-ratings` and alarms need `audit`"
        } else {
            return Ok(());
        };
        Err(OptionError::new(fault).into())
    }

    fn obstacle_to_resume(rows: &RowJob<Self>) -> Option<&'static str> {
        rows.job.asked.audit.then_some("with an audit")
    }

    fn check_corpus(&self, corpus: &mut Corpus) -> Result<(), JobError> {
        self.rating_column(corpus)?;
        self.copies.check(corpus)
    }

    fn reference(&self) -> Option<&Corpus> {
        self.against.as_ref()
    }

    fn defers_late(&self) -> bool {
        self.asked.finds_repeats()
    }

    fn chunk_limits(rows: &RowJob<Self>) -> ChunkLimits {
        if rows.job.asked.rating_column.is_some() || rows.job.asked.audit_ratings {
            ChunkLimits::OF_RATING
        } else {
            ChunkLimits::default()
        }
    }

    fn stage(&mut self, corpus: &Corpus, execution: &Execution) -> Result<ValidateStage, JobError> {
        // Isomorphs, leaks and an audit need classes, which take longer to find than solutions.
        let is_compared = self.against.is_some() || !self.against_sets.is_empty();
        let mut asked = self.asked.clone();
        asked.classes |= asked.isomorphs || asked.audit || is_compared;

        let AskedChecks { audit, audit_ratings, .. } = asked;
        let (ratings, certifies) = (self.rating_column(corpus)?, self.certifies);
        Ok(ValidateStage {
            index: DuplicateIndex::new(asked.clone(), corpus.origins().len() > 1),
            checks: Checks { asked, ratings, certifies, against: None },
            orders: audit.then(FileOrders::default),
            counts: ValidateCounts {
                fail_on: self.fail_on,
                audit: audit.then(AuditCounts::default),
                audit_ratings,
                ..ValidateCounts::default()
            },
            examples: Examples::default(),
            remarks: corpus.remarks(),
            copies: RecordOutputs::open(&self.copies, corpus, execution)?,
        })
    }

    /// Reads the reference corpus, if any.
    fn prepare(rows: &mut RowJob<Self>, stage: &mut ValidateStage, execution: &Execution) -> Result<End, JobError> {
        let RowSettings { engine, max_branches, .. } = &rows.settings;
        let (corpus, sets) = (rows.job.against.take(), mem::take(&mut rows.job.against_sets));
        if corpus.is_none() && sets.is_empty() {
            return Ok(End::Complete);
        }
        let demand = Demand { key_use: KeyUse::Leaks, allows_malformed: rows.job.allow_malformed };
        let index = ReferenceIndex::read(corpus, sets, demand, engine, *max_branches, execution)?;
        let end = if index.is_some() { End::Complete } else { End::Stopped };
        stage.checks.against = index.map(Arc::new);
        Ok(end)
    }

    fn worker(rows: &RowJob<Self>, stage: &ValidateStage, execution: &Execution) -> Result<ValidateWorker, JobError> {
        let RowSettings { engine, max_branches, .. } = &rows.settings;
        let solver = execution.solver(engine.build()?, *max_branches);
        Ok(ValidateWorker::new(stage.checks.clone(), solver, execution.stop.clone()))
    }
}

impl From<ValidateCounts> for ValidateReport {
    fn from(counts: ValidateCounts) -> ValidateReport {
        let ValidateCounts { score, against, against_sets, unread, fail_on, audit, keys, examples, compared, .. } =
            counts;
        let audit = audit.zip(keys).map(|(audit, keys)| AuditReport::new(&audit, keys, counts.audit_ratings));
        // An audit of nothing is not clean.
        let has_alarm = audit.as_ref().is_some_and(|audit| !audit.alarms.is_empty() || !audit.has_puzzles());
        let found = fail_on.findings.iter().filter(|&finding| score.found(finding) > 0).map(<&str>::from);
        ValidateReport {
            against_records: against.map(|(records, _)| records),
            against_malformed: against.map(|(_, malformed)| malformed),
            against_sets,
            failed_on: found
                .chain((fail_on.alarms && has_alarm).then_some(AUDIT))
                .chain((!unread.is_empty()).then_some(UNREAD))
                .collect(),
            unread,
            audit,
            score,
            examples,
            compared,
        }
    }
}

impl fmt::Debug for ValidateOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut validate = f.debug_struct("ValidateOptions");
        validate.field("asked", &self.asked).finish_non_exhaustive()
    }
}

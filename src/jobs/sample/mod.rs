//! Takes a random sample of a corpus.
//!
//! Records are chosen by the hash of their position and the seed: the records with the smallest hashes are the sample.
//! So it is the same for any number of threads, and needs only one pass over the inputs.

mod condition;
mod strata;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

pub use self::condition::Condition;
use self::strata::{Candidate, Strata};
use crate::copy::{
    Bins, Chooser, CopyError, KeyedHash, RecordCopier, RecordNote, ValueTable, copy_records, copying_job_runs,
};
use crate::corpus::{Corpus, RecordView};
use crate::engine::MaxBranches;
use crate::engine::solver::Question;
use crate::options::OptionError;
use crate::output::OutputError;
use crate::puzzle::Puzzles;
use crate::run::record_loop::{Emit, RecordLoop, RecordWorker, SolvedRecord};
use crate::run::records::{AnswerWorth, InputParsers};
use crate::run::{EngineSource, Execution, Finished, JobError, kept_column};

/// Copies a random sample of the records, unchanged and in order.
///
/// If the corpus has a column of [answers](crate::format::InputOptions::answer) and they are
/// [checked](Sample::unchecked), a record is left out if its answer is not a full grid, changes a clue or breaks a
/// rule.
///
/// Takes the memory of the sample or, with [`Sample::stratify`], of one sample for each value.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Sample};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut sample = Vec::new();
/// let job = Sample::new(10).seed(1).conditions(["clues<=33".parse()?]);
/// let report = job.run(corpus, &mut sample, &Execution::new())?.report;
/// assert_eq!((report.records, report.matching, report.sampled), (1000, 400, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sample {
    size: usize,
    seed: u64,
    conditions: Vec<Condition>,
    column: Option<String>,
    bins: Option<Bins>,
    unchecked: bool,
}

copying_job_runs!(Sample, SampleReport);

/// Results of [`Sample`].
#[derive(Clone, Debug, Serialize)]
pub struct SampleReport {
    /// The number of records, of all kinds.
    pub records: u64,
    /// The number of records that meet all conditions and have no wrong answer.
    pub matching: u64,
    /// The number of records that meet all conditions, but were left out because of their answer.
    pub wrong_answers: u64,
    /// The number of records in the sample.
    pub sampled: u64,
    /// The numbers of records for each value of the column of [`Sample::stratify`], in the order of the values.
    pub values: Option<Vec<StratumCount>>,
}

/// The records with one value of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StratumCount {
    /// The value.
    pub value: String,
    /// The number of these records that meet all conditions.
    pub matching: u64,
    /// The number of these records in the sample.
    pub sampled: u64,
}

impl Sample {
    /// Takes this number of records, or all if there are fewer, with the seed 0.
    pub fn new(size: usize) -> Sample {
        Sample { size, seed: 0, conditions: vec![], column: None, bins: None, unchecked: false }
    }

    /// Adds conditions that must all hold. Their columns must be among those that the corpus
    /// [keeps](crate::format::InputOptions::keep).
    #[must_use]
    pub fn conditions(mut self, conditions: impl IntoIterator<Item = Condition>) -> Sample {
        self.conditions.extend(conditions);
        self
    }

    /// The columns that the job reads.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().filter_map(Condition::column).chain(self.column.as_deref())
    }

    /// Copies the sample, and returns the output. If the run is stopped, the sample covers the records so far.
    fn copy<W: Write + Send>(
        self,
        corpus: Corpus,
        mut copier: RecordCopier<'_, W>,
        execution: &Execution,
    ) -> Result<(Finished<SampleReport>, Vec<W>), JobError> {
        let start = Instant::now();
        let index = |column: &str| kept_column(&corpus, column);
        let with_index = |condition: &Condition| {
            Ok::<_, OptionError>((condition.clone(), condition.column().map(index).transpose()?))
        };
        let conditions: ColumnConditions = self.conditions.iter().map(with_index).collect::<Result<_, _>>()?;
        let stratify = self.column.as_deref().map(index).transpose()?;
        let worker = || SampleWorker {
            conditions: Arc::clone(&conditions),
            stratify,
            checks_answers: !self.unchecked,
            given: Puzzles::new(),
            counts: (),
        };
        let (engine, max_branches) = (EngineSource::default(), MaxBranches::default());
        let workers = RecordLoop::without_rows(worker, &engine, max_branches, execution)?;

        let mut chooser = SampleChooser::new(&self, copier.copies_rows());
        let (end, stopped_after) = copy_records(corpus, workers, &mut chooser, &mut copier, execution)?;
        // Rows were chosen between the two passes, unless the run was stopped before that.
        if chooser.sizes.is_empty() {
            chooser.prepare()?;
        }
        let SampleChooser { records, wrong_answers, sample, sizes, is_late, .. } = chooser;
        if !is_late {
            let mut copy = |candidate: &Candidate| copier.write(Some(0), &candidate.record());
            sample.iter().try_for_each(&mut copy).map_err(OutputError::Write)?;
        }
        let outputs = copier.finish()?;

        let report = SampleReport {
            records,
            matching: sizes.iter().map(|size| size.matching).sum(),
            wrong_answers,
            sampled: sample.len() as u64,
            values: self.column.is_some().then_some(sizes),
        };
        let run = execution.facts(start, records, engine.name(), stopped_after);
        Ok((Finished { report, run, end, partial: None }, outputs))
    }
}

setters!(Sample {
    /// Sets the seed. Different seeds give different samples.
    seed(seed: u64) => seed = seed;

    /// Divides the sample among the values of a column, in proportion to the numbers of their records. The column may
    /// have up to 10,000 values, and must be among those that the corpus keeps.
    stratify(column: impl Into<String>) => column = Some(column.into());

    /// Puts the numbers of that column into bins; each bin is a value.
    bins(bins: Bins) => bins = Some(bins);

    /// Sets whether records with wrong answers can be in the sample.
    unchecked(unchecked: bool) => unchecked = unchecked;
});

/// The conditions with the indices of their columns among the kept columns; `None` for the number of clues.
type ColumnConditions = Arc<[(Condition, Option<usize>)]>;

/// Whether a record may be in the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Eligibility {
    /// It may be in the sample.
    Eligible,
    /// It does not meet all conditions.
    Unmatched,
    /// It meets all conditions, but its answer is not a solution.
    WrongAnswer,
}

/// Notes whether each record is eligible, and appends its value in the column of the strata to the output of the chunk.
/// Each thread has its own worker.
struct SampleWorker {
    conditions: ColumnConditions,
    /// The index of the column of the strata among the kept columns.
    stratify: Option<usize>,
    checks_answers: bool,
    /// The answer that came with a puzzle.
    given: Puzzles,
    counts: (),
}

impl RecordWorker for SampleWorker {
    type Note = RecordNote<Eligibility>;
    type Counts = ();

    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        None
    }

    fn needs_fields(&self) -> bool {
        self.stratify.is_some() || self.conditions.iter().any(|(_, column)| column.is_some())
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, RecordNote<Eligibility>>) -> ControlFlow<()> {
        let clues = record.puzzle.as_ref().ok().map(|puzzle| puzzle.shape.clues);
        let holds = |(condition, column): &(Condition, Option<usize>)| match column {
            None => condition.holds_for_clues(clues),
            Some(column) => record.fields.get(*column).is_some_and(|field| condition.holds_for_field(field)),
        };
        let note = match (record.puzzle, record.answer) {
            _ if !self.conditions.iter().all(holds) => Eligibility::Unmatched,
            (Ok(puzzle), Some(answer)) if self.checks_answers => {
                match answer.judge(puzzle.shape.size, puzzle.cells(), &mut self.given) {
                    AnswerWorth::Missing | AnswerWorth::Solves => Eligibility::Eligible,
                    AnswerWorth::NoGrid | AnswerWorth::Wrong => Eligibility::WrongAnswer,
                }
            }
            _ => Eligibility::Eligible,
        };

        let value = self.stratify.and_then(|column| record.fields.get(column));
        emit.output().extend_from_slice(value.unwrap_or_default());
        let text_end = emit.output().len();
        emit.note(RecordNote { note, text_end });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut () {
        &mut self.counts
    }
}

/// Chooses the records of a sample. Their texts are kept, so that the inputs are read only once. Rows are not: they are
/// copied in a second pass.
struct SampleChooser {
    hash: KeyedHash,
    is_late: bool,
    /// The number of records so far.
    records: u64,
    /// The number of records with wrong answers that meet all conditions.
    wrong_answers: u64,
    strata: Strata,
    /// The last record, with its value, if it is a candidate and so long that more text of it may follow.
    pending: Option<(Vec<u8>, Candidate)>,
    /// The sample, once all records were seen, and its sizes.
    sample: Vec<Candidate>,
    sizes: Vec<StratumCount>,
    /// The number of records of the sample that were copied.
    copied: usize,
}

impl SampleChooser {
    fn new(job: &Sample, is_late: bool) -> SampleChooser {
        let values = job.column.as_deref().map(|column| ValueTable::new(column, job.bins.as_ref()));
        SampleChooser {
            hash: KeyedHash::new(job.seed),
            is_late,
            records: 0,
            wrong_answers: 0,
            strata: Strata::new(job.size, values),
            pending: None,
            sample: vec![],
            sizes: vec![],
            copied: 0,
        }
    }

    /// Adds the last record, once it is complete.
    fn add_pending(&mut self) -> Result<(), CopyError> {
        let Some((value, candidate)) = self.pending.take() else { return Ok(()) };
        self.strata.add(&value, candidate.hash, candidate.position, || Ok(candidate))
    }
}

impl Chooser for SampleChooser {
    type Note = Eligibility;

    fn is_late(&self) -> bool {
        self.is_late
    }

    /// Collects the candidates; `value` is their value in the column of the strata. Records are copied only when the
    /// sample is complete, so none has an output before.
    fn see(&mut self, note: Eligibility, value: &[u8], record: &RecordView<'_>) -> io::Result<Option<usize>> {
        self.add_pending()?;
        self.records += 1;
        match note {
            Eligibility::Eligible => {}
            Eligibility::Unmatched => return Ok(None),
            Eligibility::WrongAnswer => {
                self.wrong_answers += 1;
                return Ok(None);
            }
        }

        let (position, hash) = (self.records, self.hash.of_position(self.records));
        let candidate = || Candidate::new(hash, position, record, !self.is_late);
        if record.line_end.is_empty() {
            // More text of it may follow.
            self.pending = Some((value.to_vec(), candidate()?));
        } else {
            self.strata.add(value, hash, position, candidate)?;
        }
        Ok(None)
    }

    fn rest_of_record(&mut self, text: &[u8]) {
        if let Some((_, candidate)) = &mut self.pending {
            candidate.append(text);
        }
    }

    fn prepare(&mut self) -> Result<(), CopyError> {
        self.add_pending()?;
        (self.sample, self.sizes) = self.strata.take_sample();
        Ok(())
    }

    fn choose(&mut self, position: usize, _: &RecordView<'_>) -> io::Result<Option<usize>> {
        let is_next = self.sample.get(self.copied).is_some_and(|next| next.position == position as u64 + 1);
        self.copied += usize::from(is_next);
        Ok(is_next.then_some(0))
    }
}

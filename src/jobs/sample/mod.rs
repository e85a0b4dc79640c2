//! Takes a random sample of a corpus.
//!
//! Records are chosen by the hash of their position and the seed: the records with the smallest hashes are the sample.
//! So it is the same for any number of threads, and needs only one pass over the inputs.

mod chooser;
mod condition;
mod strata;
mod worker;

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use self::chooser::SampleChooser;
pub use self::condition::Condition;
use self::strata::StratumSize;
use self::worker::{ColumnConditions, SampleWorker};
use crate::copy::{Copied, RecordCopier, copy_records, copying_job_runs};
use crate::corpus::Corpus;
use crate::engine::MaxBranches;
use crate::options::OptionError;
use crate::output::OutputError;
use crate::puzzle::Puzzles;
use crate::run::record_loop::RecordLoop;
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
#[doc(hidden)]
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
        Sample { size, seed: 0, conditions: vec![], column: None, unchecked: false }
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
    fn copy<W>(
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

        let mut chooser = SampleChooser::new(&self);
        let pass = copy_records(corpus, workers, &mut chooser, &mut copier, execution)?;
        let (records, wrong_answers) = (chooser.records, chooser.wrong_answers);
        let strata = chooser.into_strata()?;
        let matching = strata.records();
        let (sample, sizes) = strata.into_sample();
        for candidate in &sample {
            let position = candidate.position as usize - 1;
            copier.write_late(0, position, &candidate.record()).map_err(OutputError::Write)?;
        }
        let Copied { end, stopped_after, outputs, .. } = copier.finish(pass, execution)?;

        let count = |size: StratumSize| StratumCount {
            value: String::from_utf8_lossy(&size.value).into_owned(),
            matching: size.records,
            sampled: size.sampled,
        };
        let report = SampleReport {
            records,
            matching,
            wrong_answers,
            sampled: sample.len() as u64,
            values: self.column.as_ref().map(|_| sizes.into_iter().map(count).collect()),
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

    /// Sets whether records with wrong answers can be in the sample.
    unchecked(unchecked: bool) => unchecked = unchecked;
});

//! Copies a corpus without repetitions: one record of each group.

mod chooser;

use std::time::Instant;

use serde::Serialize;

use self::chooser::{Best, DedupeChooser, Dropped, note};
use crate::copy::{Copied, GroupBy, GroupFinder, NoKeyCounts, RecordCopier, copy_records, copying_job_runs};
use crate::corpus::Corpus;
use crate::engine::MaxBranches;
use crate::output::OutputFile;
use crate::run::{EngineSource, Execution, Finished, JobError, kept_column};

/// Copies one record of each group, and all records that belong to no group, unchanged and in order.
///
/// By default, all isomorphs of a puzzle are a group, and the first record of each group is kept. Takes 30 to 40 bytes
/// of memory for each group.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Dedupe, Execution};
///
/// let corpus = Corpus::open_path("data/4x4.txt")?;
/// let mut kept = Vec::new();
/// let job = Dedupe::new().by(gridmill::jobs::GroupBy::Puzzle);
/// let report = job.run(corpus, &mut kept, &Execution::new())?.report;
/// assert_eq!((report.records, report.kept, report.dropped), (200, 200, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Dedupe {
    groups: GroupFinder,
    keep: Keep,
    dropped: Option<OutputFile>,
}

/// The record of a group to keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first.
    #[default]
    First,
    /// The record with the largest number in a column; ties go to the first. A record without a number is kept only if
    /// no record of the group has one, and it is the first.
    Largest(String),
    /// The record with the smallest number in a column, in the same way.
    Smallest(String),
}

copying_job_runs!(Dedupe, DedupeReport);

/// Results of [`Dedupe`].
#[derive(Clone, Debug, Serialize)]
pub struct DedupeReport {
    /// The number of records, of all kinds.
    pub records: u64,
    /// The number of records that were copied.
    pub kept: u64,
    /// The number of records that repeat a copied one.
    pub dropped: u64,
    /// The records that belong to no group, by reason. They were copied.
    pub not_compared: NoKeyCounts,
    /// The number of records without a number in the column of [`Keep`], if there is one.
    pub without_number: Option<u64>,
}

impl Keep {
    /// The column, and the value in it that is the best.
    fn best(&self) -> Option<(&str, Best)> {
        match self {
            Keep::First => None,
            Keep::Largest(column) => Some((column, Best::Largest)),
            Keep::Smallest(column) => Some((column, Best::Smallest)),
        }
    }
}

impl Dedupe {
    /// Keeps the first record of each class.
    pub fn new() -> Dedupe {
        Dedupe::default()
    }

    /// Copies records, and returns the output.
    fn copy<W>(
        self,
        corpus: Corpus,
        mut copier: RecordCopier<'_, W>,
        execution: &Execution,
    ) -> Result<(Finished<DedupeReport>, Vec<W>), JobError> {
        let start = Instant::now();
        let best = self.keep.best();
        let column = best.map(|(column, _)| kept_column(&corpus, column)).transpose()?;
        let dropped = Dropped::new(self.dropped, corpus.origins().len() > 1)?;
        let mut chooser = DedupeChooser::new(&self.keep, dropped);
        let workers = self.groups.workers(column, note, execution)?;

        let pass = copy_records(corpus, workers, &mut chooser, &mut copier, execution)?;
        let Copied { end, stopped_after, outputs, .. } = copier.finish(pass, execution)?;
        let counts = chooser.finish(end)?;

        let report = DedupeReport {
            records: counts.kept + counts.dropped,
            kept: counts.kept,
            dropped: counts.dropped,
            not_compared: counts.no_key,
            without_number: best.map(|_| counts.without_number),
        };
        let run = execution.facts(start, report.records, self.groups.engine.name(), stopped_after);
        Ok((Finished { report, run, end, partial: None }, outputs))
    }
}

setters!(Dedupe {
    /// Sets the property that the records of a group share.
    by(by: GroupBy) => groups.by = by;

    /// Sets the record of a group to keep. If that depends on a column, the column must be among those that the corpus
    /// [keeps](crate::format::InputOptions::keep), and the inputs are read twice; each record takes 4 bytes of memory,
    /// and each group 24 more.
    keep(keep: Keep) => keep = keep;

    /// Writes a table of the dropped records to this output: CSV with the columns `line`, `repeats_line` and `record`
    /// and, with several inputs, also `file` and `repeats_file`.
    dropped(dropped: OutputFile) => dropped = Some(dropped);

    /// Sets the engine.
    engine(engine: impl Into<EngineSource>) => groups.engine = engine.into();

    /// Sets the maximum number of branches of the search for a puzzle; a puzzle that needs more belongs to no group.
    max_branches(max_branches: MaxBranches) => groups.max_branches = max_branches;
});

//! Splits a corpus into parts, such as a training set and a test set, and keeps groups of records together.
//!
//! The part of a record depends on the keyed hash of its group:
//!
//! ```text
//!   0        hash of the class, with the seed, / 2^64         1
//!   |---------------- train ------------------|-val-|-test-|
//! ```
//!
//! With strata, a rank replaces the hash: see `strata.rs`.

mod chooser;
mod part_files;
mod parts;
mod strata;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use self::chooser::SplitChooser;
pub use self::part_files::PartFiles;
pub use self::parts::Parts;
#[doc(hidden)]
pub use self::parts::UNSPLIT;
use crate::arrow::RecordBatch;
use crate::compression::PageCompression;
use crate::copy::{
    Bins, CopyError, GroupBy, GroupFinder, GroupedRecord, KeyedHash, NoKeyCounts, RecordCopier, ValueTable,
    check_extension, copy_records,
};
use crate::corpus::Corpus;
use crate::engine::MaxBranches;
use crate::output::{NewDirectories, OutputError, OutputFile, OutputTarget, RunFiles};
use crate::pipeline::End;
use crate::run::{EngineSource, Execution, Finished, JobError, PartialOutput, kept_column};

/// Splits a corpus into parts. Records are copied unchanged, in order.
///
/// Records of a group go to the same part: by default, all isomorphs of a puzzle. The part of a group depends only on
/// its key, the seed and the parts. So it is the same for any order, file, shard and machine, and stays the same when
/// the corpus grows; this does not hold for parts with exact sizes and for strata. Records that belong to no group,
/// such as malformed ones, go to a separate output.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Split};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let job = Split::new("train=0.9,test=0.1".parse()?).seed(1);
/// let (mut train, mut test, mut unsplit) = (Vec::new(), Vec::new(), Vec::new());
/// let report = job.run(corpus, vec![&mut train, &mut test], &mut unsplit, &Execution::new())?.report;
/// assert_eq!(report.records, 1000);
/// assert_eq!(report.parts[0].records + report.parts[1].records, 1000);
/// assert_eq!(unsplit.len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    pub(crate) parts: Parts,
    pub(crate) groups: GroupFinder,
    pub(crate) seed: u64,
    pub(crate) column: Option<String>,
    pub(crate) bins: Option<Bins>,
}

/// Results of [`Split`].
#[derive(Clone, Debug, Serialize)]
pub struct SplitReport {
    /// The number of records, of all kinds.
    pub records: u64,
    /// The parts, in order.
    pub parts: Vec<PartCount>,
    /// The records that belong to no group, by reason. They are in a separate output.
    pub unsplit: NoKeyCounts,
    /// The records in no part: parts with exact sizes leave out all further records.
    pub left_out: u64,
    /// The distribution of the values of the column of [`Split::stratify`] over the parts.
    pub values: Option<ValueCounts>,
}

/// A part with the number of its records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartCount {
    /// The name.
    pub name: String,
    /// The number of records.
    pub records: u64,
}

/// The distribution of the records with each value of a column over the parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueCounts {
    /// The column.
    pub column: String,
    /// The values, the most frequent first.
    pub values: Vec<ValueCount>,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueCount {
    /// The value.
    pub value: String,
    /// The number of records in each part, in the order of the parts.
    pub parts: Vec<u64>,
    /// The number of records in no part.
    pub left_out: u64,
}

impl Split {
    /// Splits by class, with the seed 0.
    pub fn new(parts: Parts) -> Split {
        Split { parts, groups: GroupFinder::default(), seed: 0, column: None, bins: None }
    }

    /// The names of the outputs: of the parts, and of the output for records without a group.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.names().chain([UNSPLIT])
    }

    /// The columns that the job reads.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.column.as_deref().into_iter()
    }

    /// Writes each part to an output, and records without a group to `unsplit`. Tables start with their
    /// header. Typed columns are written as CSV, but only the columns that are read or kept.
    ///
    /// # Errors
    ///
    /// If the inputs have different headers or formats, an input cannot be read, an output cannot be written, parts
    /// cannot get their exact sizes, the column has too many values, or the inputs cannot be read twice where that is
    /// necessary.
    ///
    /// # Panics
    ///
    /// If the number of outputs differs from the number of parts.
    pub fn run<W: Write + Send>(
        &self,
        corpus: Corpus,
        outputs: Vec<W>,
        unsplit: W,
        execution: &Execution,
    ) -> Result<Finished<SplitReport>, JobError> {
        assert_eq!(outputs.len(), self.parts.len(), "an output for each part");
        let copier = RecordCopier::text(&corpus, outputs)?.last(move || Ok(unsplit));
        self.copy(corpus, copier, execution).map(|(finished, _)| finished)
    }

    /// Passes the rows of each part to `each`, with the name of the part: batches with all columns of the inputs, in
    /// order within each part. Rows without a group belong to [`UNSPLIT`]. The inputs must be Parquet files or batches in
    /// memory.
    ///
    /// # Errors
    ///
    /// As [`Split::run`], if an input is text, and if `each` fails.
    pub fn run_table(
        &self,
        corpus: Corpus,
        mut each: impl FnMut(&str, RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<SplitReport>, JobError> {
        let names: Vec<&str> = self.names().collect();
        let mut each = |part: usize, batch| each(names[part], batch);
        let copier = RecordCopier::to_each(&corpus, &mut each)?;
        self.copy(corpus, copier, execution).map(|(finished, _)| finished)
    }

    /// The inputs of a corpus, and the files that [`Split::run_to`] writes.
    #[doc(hidden)]
    pub fn files(&self, corpus: &Corpus, files: &PartFiles) -> RunFiles {
        self.targets(corpus, files).fold(RunFiles::new().corpus(corpus.origins()), |all, file| all.output("-o", &file))
    }

    /// The files of the parts, and the file of records without a group.
    pub(crate) fn targets(&self, corpus: &Corpus, files: &PartFiles) -> impl Iterator<Item = OutputTarget> {
        let input = corpus.first_input();
        let parts = input.map(|input| self.names().map(|part| files.target(part, input)));
        parts.into_iter().flatten()
    }

    /// Writes each part to a file. The files get their names when all are complete. Records without a group go to a
    /// file like a part called [`UNSPLIT`]; it exists after the run only if there are such records.
    ///
    /// # Errors
    ///
    /// As [`Split::run`], and if a file is an input or has the extension of another format, or an existing file would
    /// look like a part.
    pub fn run_to(
        &self,
        corpus: Corpus,
        files: &PartFiles,
        execution: &Execution,
    ) -> Result<Finished<SplitReport>, JobError> {
        let input = corpus.first_input().ok_or(CopyError::Changed)?;
        files.check_directory()?;
        self.files(&corpus, files).check().map_err(OutputError::from)?;
        let mut targets: Vec<OutputTarget> = self.targets(&corpus, files).collect();
        targets.iter().try_for_each(|target| check_extension(target, input.layout.format()))?;
        let mut paths: Vec<PathBuf> = targets.iter().filter_map(|target| target.path.clone()).collect();
        let (unsplit, unsplit_path) = targets.pop().zip(paths.pop()).expect("it is the last");
        files.check_others(&paths, &unsplit_path, input, corpus.origins())?;
        paths.push(unsplit_path);
        let _directories = NewDirectories::of(&paths);
        let all_parts = files.of_all_parts(input).partial_path();

        let open = |target: &OutputTarget| OutputFile::create(target, execution.threads);
        let mut outputs = targets.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut unsplit_output = None;
        let to = outputs.iter_mut().collect();
        let copier = RecordCopier::new(&corpus, to, PageCompression::default(), execution.threads);
        let copier =
            copier.map(|copier| copier.last(|| Ok(unsplit_output.insert(open(&unsplit).map_err(io::Error::other)?))));
        let run = copier.and_then(|copier| self.copy(corpus, copier, execution));

        let mut outputs = outputs.into_iter().chain(unsplit_output);
        match run {
            Ok((finished, _)) if finished.end == End::Complete => {
                outputs.try_for_each(OutputFile::finish)?;
                Ok(finished)
            }
            Ok((stopped, is_empty)) => {
                if is_empty {
                    outputs.try_for_each(OutputFile::discard)?;
                    return Ok(stopped);
                }
                let partial = all_parts.map(|path| PartialOutput { path, resumable: false });
                Ok(Finished { partial, ..stopped })
            }
            Err(error) => {
                // Such parts are impossible, or the copies are useless.
                if matches!(&error, JobError::Run(broken) if broken.error.is::<CopyError>()) {
                    outputs.try_for_each(OutputFile::discard)?;
                }
                Err(error)
            }
        }
    }

    /// Copies records to the outputs; also returns whether no output has a record.
    fn copy<W: Write + Send>(
        &self,
        corpus: Corpus,
        mut copier: RecordCopier<'_, W>,
        execution: &Execution,
    ) -> Result<(Finished<SplitReport>, bool), JobError> {
        let start = Instant::now();
        let column = self.column.as_deref();
        let column_index = column.map(|column| kept_column(&corpus, column)).transpose()?;
        let hash = KeyedHash::new(self.seed);
        let note = |record: GroupedRecord<'_>, values: &mut Vec<u8>| {
            values.extend_from_slice(record.value);
            record.key.map(|key| hash.of_key(key))
        };
        let workers = self.groups.workers(column_index, note, execution)?;

        let values = column.map(|column| ValueTable::new(column, self.bins.as_ref()));
        let mut chooser = SplitChooser::new(&self.parts, values, hash);
        let (end, stopped_after) = copy_records(corpus, workers, &mut chooser, &mut copier, execution)?;
        let is_empty = copier.is_empty();
        copier.finish()?;

        let report = chooser.into_report();
        let run = execution.facts(start, report.records, self.groups.engine.name(), stopped_after);
        Ok((Finished { report, run, end, partial: None }, is_empty))
    }
}

setters!(Split {
    /// Sets the property that the records of a group share.
    by(by: GroupBy) => groups.by = by;

    /// Sets the seed. Different seeds give different splits.
    seed(seed: u64) => seed = seed;

    /// Gives each part its share of the records with each value of a column, as closely as groups allow: a group stays
    /// together, and its most frequent value counts. The report shows the actual shares.
    ///
    /// The inputs are read twice, and the part of a group depends on all records, but not on their order. The column
    /// must be among those that the corpus [keeps](crate::format::InputOptions::keep), and have up to 10,000 values.
    stratify(column: impl Into<String>) => column = Some(column.into());

    /// Puts the numbers of that column into bins; each bin is a value.
    bins(bins: Bins) => bins = Some(bins);

    /// Sets the engine.
    engine(engine: impl Into<EngineSource>) => groups.engine = engine.into();

    /// Sets the maximum number of branches of the search for a puzzle; a puzzle that needs more belongs to no group.
    max_branches(max_branches: MaxBranches) => groups.max_branches = max_branches;
});

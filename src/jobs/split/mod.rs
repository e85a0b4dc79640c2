//! Splits a corpus into parts, such as a training set and a test set, so that groups of records stay together.
//!
//! The part of a record depends on the [keyed hash](crate::jobs::copy) of its group and on nothing else:
//!
//! ```text
//!   0        hash of the class, with the seed, / 2^64         1
//!   |---------------- train ------------------|-val-|-test-|
//! ```

mod exact_sizes;
#[cfg(feature = "parquet")]
mod parquet_parts;
mod part_files;
mod part_outputs;
mod parts;
mod passes;
mod report;

use std::io::{self, Write};
use std::time::Instant;

pub use self::part_files::PartFiles;
use self::part_outputs::PartOutputs;
use self::parts::{PartSizes, part_of};
pub use self::parts::{Parts, PartsError, UNSPLIT};
use self::passes::Passed;
use self::report::Tally;
pub use self::report::{PartCount, SplitReport, ValueCount, ValueCounts};
use super::copy::{CopyError, GroupBy, GroupFinder};
use super::{EngineSource, Execution, Finished, JobError, PartialOutput};
use crate::corpus::Corpus;
use crate::engine::MaxBranches;
#[cfg(feature = "parquet")]
use crate::format::InputFormat;
use crate::pipeline::End;
use crate::resume::{OutputError, OutputFile, OutputTarget, RunFiles};

/// Splits a corpus into parts. Records are copied as they are, in order.
///
/// Records of a group go to the same part: by default, all isomorphs of a puzzle. The part of a group depends on its
/// key, the seed and the parts. So it is the same for any order, file, shard and machine, and stays the same when the
/// corpus grows; parts with exact sizes are an exception. Records that belong to no group, such as malformed ones, go
/// to an output of their own.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Split};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let job = Split::new("train=0.9,test=0.1".parse()?).seed(1);
/// let (mut train, mut test, mut unsplit) = (Vec::new(), Vec::new(), Vec::new());
/// let report = job.run(corpus, vec![&mut train, &mut test], &mut unsplit, &Execution::new())?.report.unwrap();
/// assert_eq!(report.records, 1000);
/// assert_eq!(report.parts[0].records + report.parts[1].records, 1000);
/// assert_eq!(unsplit.len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    parts: Parts,
    groups: GroupFinder,
    seed: u64,
    column: Option<String>,
}

impl Split {
    /// Splits by class, with the seed 0.
    pub fn new(parts: Parts) -> Split {
        Split { parts, groups: GroupFinder::default(), seed: 0, column: None }
    }

    /// Sets what the records of a group have in common.
    #[must_use]
    pub fn by(self, by: GroupBy) -> Split {
        Split { groups: GroupFinder { by, ..self.groups }, ..self }
    }

    /// Sets the seed: each gives another split.
    #[must_use]
    pub fn seed(self, seed: u64) -> Split {
        Split { seed, ..self }
    }

    /// Reports how often each value of a column occurs in each part. Groups are split at random, so the parts have about
    /// the same shares of each value. The column must be among those that the corpus
    /// [keeps](crate::format::InputOptions::keep).
    #[must_use]
    pub fn stratify(self, column: impl Into<String>) -> Split {
        Split { column: Some(column.into()), ..self }
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Split {
        Split { groups: GroupFinder { engine: engine.into(), ..self.groups }, ..self }
    }

    /// Sets the most branches that the search for a puzzle may take; a puzzle that needs more belongs to no group.
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Split {
        Split { groups: GroupFinder { max_branches, ..self.groups }, ..self }
    }

    /// Writes each part to an output, and records without a group, if there are any, to `unsplit`. Tables start with
    /// their header. Typed columns are written as CSV, as far as they are read and kept.
    ///
    /// # Errors
    ///
    /// If the inputs have different headers or formats, an input cannot be read, an output cannot be written, or the
    /// parts have exact sizes and cannot get them, or the inputs cannot be read twice.
    ///
    /// # Panics
    ///
    /// If there are not as many outputs as parts.
    pub fn run<W: Write + Send>(
        &self,
        corpus: Corpus,
        outputs: Vec<W>,
        unsplit: W,
        execution: &Execution,
    ) -> Result<Finished<SplitReport>, JobError> {
        let mut unsplit = Some(unsplit);
        let open = || unsplit.take().ok_or_else(|| io::Error::other("it is opened once"));
        let (finished, mut outputs) = self.run_into(corpus, outputs, open, execution)?;
        outputs.iter_mut().try_for_each(Write::flush).map_err(OutputError::Write)?;
        Ok(finished)
    }

    /// The inputs of a corpus, and the files that [`Split::run_to`] writes.
    pub fn files(&self, corpus: &Corpus, files: &PartFiles) -> RunFiles {
        self.targets(corpus, files).fold(RunFiles::new().corpus(corpus.origins()), |all, file| all.output("-o", &file))
    }

    /// The files of the parts, and that of records without a group.
    fn targets(&self, corpus: &Corpus, files: &PartFiles) -> impl Iterator<Item = OutputTarget> {
        let input = corpus.first_input();
        let parts = input.map(|input| self.parts.names().chain([UNSPLIT]).map(|part| files.target(part, input)));
        parts.into_iter().flatten()
    }

    /// Writes each part to a file, which gets its name when all are complete. Records without a group go to a file as
    /// for a part called [`UNSPLIT`]; without such records there is no such file after the run.
    ///
    /// # Errors
    ///
    /// As [`Split::run`], and if a file is an input or has the extension of another format.
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
        targets.iter().try_for_each(|target| PartFiles::prepare(target, input))?;
        let unsplit = targets.pop().expect("it is the last");
        let all_parts = files.of_all_parts(input).partial_path();
        let open = |target: &OutputTarget| OutputFile::create(target, execution.threads);
        let mut outputs = targets.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut unsplit_output = None;
        let mut place = Some(&mut unsplit_output);
        let open_unsplit = || {
            let place = place.take().ok_or_else(|| io::Error::other("it is opened once"))?;
            Ok(place.insert(open(&unsplit).map_err(io::Error::other)?))
        };
        let parts = outputs.iter_mut().collect();
        let run = match input.layout.format() {
            #[cfg(feature = "parquet")]
            InputFormat::Parquet => self.run_into_parquet(corpus, parts, open_unsplit, execution),
            _ => self.run_into(corpus, parts, open_unsplit, execution),
        };
        let finished = run.map(|(finished, _)| finished);
        let is_empty = match &finished {
            Ok(Finished { end: End::Complete, .. }) => {
                if unsplit_output.is_none() {
                    part_files::remove(&unsplit)?;
                }
                outputs.into_iter().chain(unsplit_output).try_for_each(OutputFile::finish)?;
                return finished;
            }
            Ok(stopped) => stopped.report.is_empty(),
            // There cannot be such parts, or what was copied is of no use.
            Err(error) => matches!(error, JobError::Copy(_)),
        };
        if is_empty {
            outputs.into_iter().chain(unsplit_output).try_for_each(OutputFile::discard)?;
            return finished;
        }
        let partial = all_parts.map(|path| PartialOutput { path, resumable: false });
        finished.map(|finished| Finished { partial, ..finished })
    }

    /// Runs the corpus into outputs for the parts, and perhaps one more for records without a group; returns them.
    fn run_into<W: Write + Send>(
        &self,
        corpus: Corpus,
        outputs: Vec<W>,
        open_unsplit: impl FnMut() -> io::Result<W> + Send,
        execution: &Execution,
    ) -> Result<(Finished<SplitReport>, Vec<W>), JobError> {
        assert_eq!(outputs.len(), self.parts.len(), "an output for each part");
        let start = Instant::now();
        let input = corpus.first_input().ok_or(CopyError::Changed)?;
        let mut outputs = PartOutputs::new(input, outputs, open_unsplit).map_err(OutputError::Write)?;
        let pass = match &self.parts.sizes {
            PartSizes::Shares { ends, whole } => {
                self.split_at_once(corpus, |hash| part_of(hash, ends, *whole), &mut outputs, execution)
            }
            PartSizes::Records(_) => self.split_in_two_passes(corpus, &mut outputs, execution),
        }?;
        let (tally, outputs) = outputs.finish().map_err(OutputError::Write)?;
        Ok((self.finished(pass, tally, start), outputs))
    }

    /// The result of a run.
    fn finished(&self, pass: Passed, tally: Tally, start: Instant) -> Finished<SplitReport> {
        let column = self.column.as_deref().map(|column| (column, pass.values));
        let report = tally.into_report(&self.parts, column, start.elapsed().as_secs_f64());
        let report = SplitReport { stopped_after: pass.stopped_after, ..report };
        Finished { report, end: pass.end, partial: None }
    }
}

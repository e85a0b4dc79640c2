//! Copies the records that are sound to one output, and all others to another.
//!
//! Text is copied while the records get their verdicts. The rows of Parquet files are copied when all have one, with all
//! their columns: the files are read again.

use std::io;
use std::path::PathBuf;
#[cfg(feature = "parquet")]
use std::sync::Arc;

use crate::corpus::{Corpus, RecordView};
use crate::jobs::copy::{CopyError, RecordWriters, check_extension};
use crate::jobs::{Execution, JobError};
use crate::pipeline::End;
use crate::resume::{OutputError, OutputFile, OutputTarget};
#[cfg(feature = "parquet")]
use crate::{
    corpus::{Input, Origin},
    format::InputFormat,
    jobs::copy::{check_rereadable, copy_parquet_rows},
};

use super::finding::Findings;

/// Where records are copied to.
#[derive(Clone, Debug, Default)]
pub(super) struct CopyTargets {
    /// For the records that are sound.
    pub(super) accepts: Option<OutputTarget>,
    /// For the others.
    pub(super) rejects: Option<OutputTarget>,
}

/// The outputs for records, if there are any.
pub(super) struct Copies {
    outputs: Option<Outputs>,
    /// The index of the output for records that are sound.
    accepts: Option<usize>,
    /// The index of the output for the others.
    rejects: Option<usize>,
    /// The name of each output.
    paths: Vec<PathBuf>,
    /// The first failure to write.
    failure: Option<io::Error>,
}

enum Outputs {
    Text(RecordWriters<OutputFile>),
    #[cfg(feature = "parquet")]
    Parquet(ParquetCopies),
}

/// Outputs for the rows of Parquet files, which are copied at the end.
#[cfg(feature = "parquet")]
struct ParquetCopies {
    origins: Vec<Origin>,
    first: Arc<Input>,
    outputs: Vec<OutputFile>,
    /// The output of each row so far.
    choices: Vec<Option<u8>>,
}

impl CopyTargets {
    fn all(&self) -> impl Iterator<Item = &OutputTarget> {
        self.accepts.iter().chain(&self.rejects)
    }

    /// Checks that no output has the extension of another format than the first input.
    pub(super) fn check(&self, corpus: &Corpus) -> Result<(), JobError> {
        let Some(input) = corpus.first_input() else { return Ok(()) };
        for target in self.all() {
            check_extension(target, input.layout.format())?;
        }
        #[cfg(feature = "parquet")]
        if input.layout.format() == InputFormat::Parquet && self.all().next().is_some() {
            check_rereadable(corpus)?;
            if corpus.selected_shard().is_some() {
                return Err(CopyError::ParquetShard.into());
            }
        }
        Ok(())
    }
}

impl Copies {
    /// Opens the outputs for the records of a corpus.
    pub(super) fn open(targets: &CopyTargets, corpus: &Corpus, execution: &Execution) -> Result<Copies, JobError> {
        let CopyTargets { accepts, rejects } = targets;
        let mut copies = Copies {
            outputs: None,
            accepts: accepts.as_ref().map(|_| 0),
            rejects: rejects.as_ref().map(|_| usize::from(accepts.is_some())),
            paths: targets.all().map(|target| target.path.clone().unwrap_or_default()).collect(),
            failure: None,
        };
        if copies.paths.is_empty() {
            return Ok(copies);
        }
        let first = corpus.first_input().ok_or(CopyError::Changed)?;
        let open = |target| OutputFile::create(target, execution.threads);
        let outputs = targets.all().map(open).collect::<Result<Vec<_>, _>>()?;
        #[cfg(feature = "parquet")]
        if first.layout.format() == InputFormat::Parquet {
            let (origins, first) = (corpus.origins().to_vec(), Arc::clone(first));
            copies.outputs = Some(Outputs::Parquet(ParquetCopies { origins, first, outputs, choices: vec![] }));
            return Ok(copies);
        }
        let writers = RecordWriters::new(first.clone(), outputs).map_err(OutputError::Write)?;
        copies.outputs = Some(Outputs::Text(writers));
        Ok(copies)
    }

    /// Copies a record with these findings to its output.
    pub(super) fn copy(&mut self, findings: Findings, record: &RecordView<'_>) {
        let to = if findings.is_empty() { self.accepts } else { self.rejects };
        let written = match &mut self.outputs {
            None => Ok(()),
            Some(Outputs::Text(writers)) => writers.write(to, record).map_err(|error| match to {
                Some(to) => io::Error::new(error.kind(), format!("{}: {error}", self.paths[to].display())),
                None => error,
            }),
            #[cfg(feature = "parquet")]
            Some(Outputs::Parquet(copies)) => copies.choose(to, record),
        };
        self.fail(written);
    }

    /// Takes more text of the last record, which was cut off.
    pub(super) fn rest_of_record(&mut self, text: &[u8]) {
        if let Some(Outputs::Text(writers)) = &mut self.outputs {
            let written = writers.rest_of_record(text);
            self.fail(written);
        }
    }

    fn fail(&mut self, written: io::Result<()>) {
        if let (Err(error), None) = (written, &self.failure) {
            self.failure = Some(error);
        }
    }

    /// Returns the first failure to write.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Completes the outputs of a run that was not stopped, unless that is stopped now.
    #[cfg_attr(not(feature = "parquet"), expect(unused_variables, reason = "only Parquet files are read again"))]
    pub(super) fn finish(mut self, execution: &Execution) -> Result<End, JobError> {
        self.check().map_err(OutputError::Write)?;
        let (end, outputs) = match self.outputs {
            None => (End::Complete, vec![]),
            Some(Outputs::Text(writers)) => (End::Complete, writers.into_outputs().map_err(OutputError::Write)?),
            #[cfg(feature = "parquet")]
            Some(Outputs::Parquet(copies)) => copies.copy(execution)?,
        };
        if end == End::Complete {
            outputs.into_iter().try_for_each(OutputFile::finish)?;
        }
        Ok(end)
    }
}

#[cfg(feature = "parquet")]
impl ParquetCopies {
    /// Chooses the output of the next row.
    fn choose(&mut self, to: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        if record.input.layout.format() != InputFormat::Parquet {
            let (input, first) = (record.input.name.clone(), self.first.name.clone());
            return Err(io::Error::other(CopyError::OtherTable { input, first }));
        }
        self.choices.push(to.map(|to| to as u8));
        Ok(())
    }

    /// Copies all rows; returns the outputs.
    fn copy(self, execution: &Execution) -> Result<(End, Vec<OutputFile>), JobError> {
        let choose = |row: usize| self.choices[row].map(usize::from);
        copy_parquet_rows(&self.origins, self.outputs, self.choices.len(), choose, &execution.stop)
    }
}

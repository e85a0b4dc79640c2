//! Copies the sound records to one output, and all remaining records to another.

use std::io;

use crate::compression::PageCompression;
#[cfg(feature = "parquet")]
use crate::copy::check_rows;
use crate::copy::{Copied, RecordCopier, check_extension};
use crate::corpus::{Corpus, RecordView};
use crate::output::{OutputError, OutputFile, OutputTarget};
use crate::pipeline::End;
use crate::run::{Execution, JobError};

use super::finding::Findings;

/// The outputs to copy records to.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordTargets {
    /// The output for sound records.
    pub(super) accepts: Option<OutputTarget>,
    /// The output for all remaining records.
    pub(super) rejects: Option<OutputTarget>,
}

/// The open outputs for records, if there are any.
pub(super) struct RecordOutputs {
    copier: Option<RecordCopier<'static, OutputFile>>,
    /// The index of the output for sound records.
    accepts: Option<usize>,
    /// The index of the output for all remaining records.
    rejects: Option<usize>,
    /// The first failure to write.
    failure: Option<io::Error>,
}

impl RecordTargets {
    fn all(&self) -> impl Iterator<Item = &OutputTarget> {
        self.accepts.iter().chain(&self.rejects)
    }

    /// Checks that the extension of an output does not name a format other than the first input's.
    pub(super) fn check(&self, corpus: &Corpus) -> Result<(), JobError> {
        let Some(input) = corpus.first_input() else { return Ok(()) };
        for target in self.all() {
            check_extension(target, input.layout.format())?;
        }
        #[cfg(feature = "parquet")]
        if input.layout.format().is_typed() && self.all().next().is_some() {
            check_rows(corpus)?;
        }
        Ok(())
    }
}

impl RecordOutputs {
    /// Opens the outputs for the records of a corpus.
    pub(super) fn open(
        targets: &RecordTargets,
        corpus: &Corpus,
        execution: &Execution,
    ) -> Result<RecordOutputs, JobError> {
        let RecordTargets { accepts, rejects } = targets;
        let open = |target| OutputFile::create(target, execution.threads);
        let files = targets.all().map(open).collect::<Result<Vec<_>, _>>()?;
        let copier = |files| RecordCopier::new(corpus, files, PageCompression::default(), execution.threads);
        let copier = if files.is_empty() { None } else { Some(copier(files)?) };
        Ok(RecordOutputs {
            copier,
            accepts: accepts.as_ref().map(|_| 0),
            rejects: rejects.as_ref().map(|_| usize::from(accepts.is_some())),
            failure: None,
        })
    }

    /// Copies a record with these findings to its output.
    pub(super) fn copy(&mut self, findings: Findings, record: &RecordView<'_>) {
        let Some(copier) = &mut self.copier else { return };
        let output = if findings.is_empty() { self.accepts } else { self.rejects };
        let written = copier.write(output, record);
        self.fail(written);
    }

    /// Copies more text of the last record, if it was too long for its chunk.
    pub(super) fn rest_of_record(&mut self, text: &[u8]) {
        if let Some(copier) = &mut self.copier {
            let written = copier.rest_of_record(text);
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

    /// Completes the outputs of a run that was not stopped, unless that is interrupted.
    pub(super) fn finish(mut self, execution: &Execution) -> Result<End, JobError> {
        self.check().map_err(OutputError::Write)?;
        let Some(copier) = self.copier else { return Ok(End::Complete) };
        let Copied { end, outputs, .. } = copier.finish((End::Complete, None), execution)?;
        if end == End::Complete {
            outputs.into_iter().try_for_each(OutputFile::finish)?;
        }
        Ok(end)
    }
}

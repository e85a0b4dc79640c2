//! Copies the sound records to one output, and the records with findings to another.

use std::io;

use crate::compression::PageCompression;
#[cfg(feature = "parquet")]
use crate::copy::keep_rows;
use crate::copy::{RecordCopier, check_extension};
use crate::corpus::{Corpus, RecordView};
use crate::output::{OutputFile, OutputTarget};
use crate::run::{Execution, JobError};

use super::finding::Findings;

/// The outputs to copy records to.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordTargets {
    /// The output for sound records.
    pub(super) accepts: Option<OutputTarget>,
    /// The output for records with findings.
    pub(super) rejects: Option<OutputTarget>,
}

/// The open outputs for records.
pub(super) struct RecordOutputs {
    copier: RecordCopier<'static, OutputFile>,
    /// The index of the output for sound records.
    accepts: Option<usize>,
    /// The index of the output for records with findings.
    rejects: Option<usize>,
}

impl RecordTargets {
    fn all(&self) -> impl Iterator<Item = &OutputTarget> {
        self.accepts.iter().chain(&self.rejects)
    }

    /// Checks that the extension of an output does not name a format other than the first input's, and prepares the
    /// corpus.
    pub(super) fn check(&self, corpus: &mut Corpus) -> Result<(), JobError> {
        let Some(input) = corpus.first_input() else { return Ok(()) };
        for target in self.all() {
            check_extension(target, input.layout.format())?;
        }
        #[cfg(feature = "parquet")]
        if corpus.row_schema().is_some() && self.all().next().is_some() {
            keep_rows(corpus)?;
        }
        Ok(())
    }
}

impl RecordOutputs {
    /// Opens the outputs for the records of a corpus; `None` without outputs.
    pub(super) fn open(
        targets: &RecordTargets,
        corpus: &Corpus,
        execution: &Execution,
    ) -> Result<Option<RecordOutputs>, JobError> {
        let RecordTargets { accepts, rejects } = targets;
        let open = |target| OutputFile::create(target, execution.threads);
        let files = targets.all().map(open).collect::<Result<Vec<_>, _>>()?;
        if files.is_empty() {
            return Ok(None);
        }
        Ok(Some(RecordOutputs {
            copier: RecordCopier::new(corpus, files, PageCompression::default(), execution.threads)?,
            accepts: accepts.as_ref().map(|_| 0),
            rejects: rejects.as_ref().map(|_| usize::from(accepts.is_some())),
        }))
    }

    /// Copies a record with these findings to its output.
    pub(super) fn copy(&mut self, findings: Findings, record: &RecordView<'_>) -> io::Result<()> {
        self.copier.write(if findings.is_empty() { self.accepts } else { self.rejects }, record)
    }

    /// Copies more text of the last record, if it was too long for its chunk.
    pub(super) fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        self.copier.rest_of_record(text)
    }

    /// Completes the outputs of a run that was not stopped.
    pub(super) fn finish(self) -> Result<(), JobError> {
        self.copier.finish()?.into_iter().try_for_each(OutputFile::finish)?;
        Ok(())
    }
}

//! Copies records to the outputs that are chosen for them: text at once, the rows of Parquet files at the end.

use std::io::{self, Write};
use std::sync::Arc;

use super::error::CopyError;
#[cfg(feature = "parquet")]
use super::parquet::ParquetOutputs;
use super::text::TextOutputs;
use crate::corpus::{Corpus, RecordView};
#[cfg(feature = "parquet")]
use crate::format::InputFormat;
use crate::jobs::{Execution, JobError};
use crate::pipeline::End;
use crate::resume::OutputError;
use crate::stats::StoppedAfter;

/// The outputs that records are copied to.
pub(in crate::jobs) struct RecordCopier<'a, W: Write + Send> {
    outputs: Outputs<W>,
    /// Opens one more output when it gets its first record.
    last: Option<Box<dyn FnOnce() -> io::Result<W> + Send + 'a>>,
}

enum Outputs<W: Write + Send> {
    Text(TextOutputs<W>),
    #[cfg(feature = "parquet")]
    Parquet(ParquetOutputs<W>),
}

/// What a [`RecordCopier`] has done.
pub(in crate::jobs) struct Copied<W> {
    pub(in crate::jobs) end: End,
    /// The last record of a run that was stopped.
    pub(in crate::jobs) stopped_after: Option<StoppedAfter>,
    pub(in crate::jobs) outputs: Vec<W>,
    /// Whether no output has a record.
    pub(in crate::jobs) is_empty: bool,
}

/// How a run ended, and after which record it was stopped.
pub(in crate::jobs) type PassEnd = (End, Option<StoppedAfter>);

impl<'a, W: Write + Send> RecordCopier<'a, W> {
    /// Copies records in the format of the inputs.
    pub(in crate::jobs) fn new(corpus: &Corpus, outputs: Vec<W>) -> Result<RecordCopier<'a, W>, CopyError> {
        #[cfg(feature = "parquet")]
        if corpus.first_input().is_some_and(|first| first.layout.format() == InputFormat::Parquet) {
            let outputs = Outputs::Parquet(ParquetOutputs::new(corpus, outputs)?);
            return Ok(RecordCopier { outputs, last: None });
        }
        RecordCopier::text(corpus, outputs)
    }

    /// Copies records as text. Typed columns become CSV.
    pub(in crate::jobs) fn text(corpus: &Corpus, outputs: Vec<W>) -> Result<RecordCopier<'a, W>, CopyError> {
        let first = corpus.first_input().ok_or(CopyError::Changed)?;
        Ok(RecordCopier { outputs: Outputs::Text(TextOutputs::new(Arc::clone(first), outputs)), last: None })
    }

    /// Adds an output after the others, which is opened when it gets its first record.
    pub(in crate::jobs) fn last(self, open: impl FnOnce() -> io::Result<W> + Send + 'a) -> RecordCopier<'a, W> {
        RecordCopier { last: Some(Box::new(open)), ..self }
    }

    /// Copies the next record to the output with this index, or to none.
    pub(in crate::jobs) fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        if output == Some(self.len())
            && let Some(open) = self.last.take()
        {
            let last = open()?;
            match &mut self.outputs {
                Outputs::Text(outputs) => outputs.push(last),
                #[cfg(feature = "parquet")]
                Outputs::Parquet(outputs) => outputs.push(last),
            }
        }
        match &mut self.outputs {
            Outputs::Text(outputs) => outputs.write(output, record),
            #[cfg(feature = "parquet")]
            Outputs::Parquet(outputs) => outputs.choose(output, record),
        }
    }

    /// Copies more text of the last record, which was cut off.
    pub(in crate::jobs) fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.outputs {
            Outputs::Text(outputs) => outputs.rest_of_record(text),
            #[cfg(feature = "parquet")]
            Outputs::Parquet(_) => Ok(()),
        }
    }

    /// Copies a record to an output after all were passed to [`RecordCopier::write`], with none as their output. Records
    /// come in the order of their positions, from 0.
    pub(in crate::jobs) fn write_late(
        &mut self,
        output: usize,
        #[cfg_attr(not(feature = "parquet"), expect(unused_variables, reason = "text is copied at once"))]
        position: usize,
        record: &RecordView<'_>,
    ) -> io::Result<()> {
        match &mut self.outputs {
            Outputs::Text(outputs) => outputs.write(Some(output), record),
            #[cfg(feature = "parquet")]
            Outputs::Parquet(outputs) => {
                outputs.choose_late(output, position);
                Ok(())
            }
        }
    }

    /// Completes the copies of a run that ended so; the rows of Parquet files are copied if it was not stopped.
    #[cfg_attr(not(feature = "parquet"), expect(unused_variables, reason = "only Parquet files are read again"))]
    pub(in crate::jobs) fn finish(
        self,
        (end, stopped_after): PassEnd,
        execution: &Execution,
    ) -> Result<Copied<W>, JobError> {
        match self.outputs {
            Outputs::Text(outputs) => {
                let is_empty = outputs.is_empty();
                let outputs = outputs.finish().map_err(OutputError::Write)?;
                Ok(Copied { end, stopped_after, outputs, is_empty })
            }
            #[cfg(feature = "parquet")]
            Outputs::Parquet(outputs) if end == End::Complete => {
                let (end, outputs, rows) = outputs.copy(&execution.stop)?;
                Ok(Copied { end, stopped_after: None, outputs, is_empty: rows == 0 })
            }
            #[cfg(feature = "parquet")]
            Outputs::Parquet(outputs) => {
                Ok(Copied { end, stopped_after, outputs: outputs.into_inner(), is_empty: true })
            }
        }
    }

    /// The number of outputs that are open.
    fn len(&self) -> usize {
        match &self.outputs {
            Outputs::Text(outputs) => outputs.len(),
            #[cfg(feature = "parquet")]
            Outputs::Parquet(outputs) => outputs.len(),
        }
    }
}

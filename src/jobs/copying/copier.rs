//! Copies records to the outputs that are chosen for them: text at once, rows with typed columns at the end.

use std::io::{self, Write};
use std::sync::Arc;

use super::error::CopyError;
use super::outputs::{Copied, Outputs, PassEnd};
#[cfg(feature = "parquet")]
use super::parquet::ParquetFiles;
#[cfg(feature = "arrow")]
use super::rows::{EachRows, RowOutputs};
use super::text::TextOutputs;
#[cfg(feature = "parquet")]
use crate::arrow::parquet::ParquetStyle;
use crate::compression::PageCompression;
use crate::corpus::{Corpus, RecordView};
use crate::jobs::{Execution, JobError};

/// The outputs that records are copied to.
pub(in crate::jobs) struct RecordCopier<'a, W> {
    outputs: Box<dyn Outputs<W> + 'a>,
    /// Opens one more output when it gets its first record.
    last: Option<Box<dyn FnOnce() -> io::Result<W> + Send + 'a>>,
}

#[cfg(feature = "arrow")]
impl<'a> RecordCopier<'a, io::Sink> {
    /// Copies rows with typed columns to a function, which gets them with the index of their output.
    pub(in crate::jobs) fn to_each(
        corpus: &Corpus,
        each: EachRows<'a>,
    ) -> Result<RecordCopier<'a, io::Sink>, CopyError> {
        Ok(RecordCopier { outputs: Box::new(RowOutputs::new(corpus, each)?), last: None })
    }
}

impl<'a, W: Write + Send + 'a> RecordCopier<'a, W> {
    /// Copies records in the format of the inputs. Of Parquet files, so many threads encode columns, with pages that are
    /// compressed like this.
    pub(in crate::jobs) fn new(
        corpus: &Corpus,
        outputs: Vec<W>,
        compression: PageCompression,
        threads: usize,
    ) -> Result<RecordCopier<'a, W>, CopyError> {
        #[cfg(feature = "parquet")]
        if corpus.first_input().is_some_and(|first| first.layout.format().is_typed()) {
            let files = ParquetFiles::New(outputs, ParquetStyle { compression, threads });
            let outputs = Box::new(RowOutputs::new(corpus, files)?);
            return Ok(RecordCopier { outputs, last: None });
        }
        let _ = (compression, threads);
        RecordCopier::text(corpus, outputs)
    }

    /// Copies records as text. Typed columns become CSV.
    pub(in crate::jobs) fn text(corpus: &Corpus, outputs: Vec<W>) -> Result<RecordCopier<'a, W>, CopyError> {
        let first = corpus.first_input().ok_or(CopyError::Changed)?;
        Ok(RecordCopier { outputs: Box::new(TextOutputs::new(Arc::clone(first), outputs)), last: None })
    }

    /// Adds an output after the others, which is opened when it gets its first record.
    pub(in crate::jobs) fn last(self, open: impl FnOnce() -> io::Result<W> + Send + 'a) -> RecordCopier<'a, W> {
        RecordCopier { last: Some(Box::new(open)), ..self }
    }
}

impl<W> RecordCopier<'_, W> {
    /// Copies the next record to the output with this index, or to none.
    pub(in crate::jobs) fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        if output == Some(self.outputs.len())
            && let Some(open) = self.last.take()
        {
            self.outputs.push(open()?);
        }
        self.outputs.write(output, record)
    }

    /// Copies more text of the last record, which was cut off.
    pub(in crate::jobs) fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        self.outputs.rest_of_record(text)
    }

    /// Copies a record to an output after all were passed to [`RecordCopier::write`], with none as their output. Records
    /// come in the order of their positions, from 0.
    pub(in crate::jobs) fn write_late(
        &mut self,
        output: usize,
        position: usize,
        record: &RecordView<'_>,
    ) -> io::Result<()> {
        self.outputs.write_late(output, position, record)
    }

    /// Completes the copies of a run that ended so; rows with typed columns are copied if it was not stopped.
    pub(in crate::jobs) fn finish(self, pass: PassEnd, execution: &Execution) -> Result<Copied<W>, JobError> {
        self.outputs.finish(pass, execution)
    }
}

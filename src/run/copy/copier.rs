//! Copies records to the outputs that are chosen for them. Records are copied unchanged, so a file has the format of the
//! inputs.

use std::io::{self, Write};
use std::sync::Arc;

use super::error::CopyError;
use super::rows::{EachRows, RowOutputs, RowTarget};
use super::text::TextOutputs;
#[cfg(feature = "parquet")]
use crate::arrow::parquet::ParquetStyle;
use crate::compression::PageCompression;
use crate::corpus::{Corpus, RecordView};
use crate::format::InputFormat;
use crate::output::{FileType, OutputError, OutputFile, OutputTarget, RunFiles};
use crate::pipeline::End;
use crate::rows::OutputFormat;
use crate::run::{Execution, Finished, JobError};

/// The outputs that records are copied to.
pub(crate) struct RecordCopier<'a, W: Write + Send> {
    outputs: Outputs<'a, W>,
    /// Opens one more output for its first record.
    last: Option<Box<dyn FnOnce() -> io::Result<W> + Send + 'a>>,
}

enum Outputs<'a, W: Write + Send> {
    Text(TextOutputs<W>),
    Rows(RowOutputs<'a, W>),
}

impl<'a> RecordCopier<'a, io::Sink> {
    /// Copies rows with typed columns to a function, which gets them with the index of their output.
    pub(crate) fn to_each(corpus: &Corpus, each: EachRows<'a>) -> Result<RecordCopier<'a, io::Sink>, CopyError> {
        let outputs = Outputs::Rows(RowOutputs::new(corpus, RowTarget::Each(each, vec![]))?);
        Ok(RecordCopier { outputs, last: None })
    }
}

impl<'a, W: Write + Send> RecordCopier<'a, W> {
    /// Copies records in the format of the inputs. Columns of Parquet files are encoded by `threads` threads, and their
    /// pages compressed with `compression`.
    pub(crate) fn new(
        corpus: &Corpus,
        outputs: Vec<W>,
        compression: PageCompression,
        threads: usize,
    ) -> Result<RecordCopier<'a, W>, JobError> {
        #[cfg(feature = "parquet")]
        if corpus.row_schema().is_some() {
            let style = ParquetStyle { compression, threads: threads / outputs.len().max(1) };
            let mut rows = RowOutputs::new(corpus, RowTarget::Files(vec![], style))?;
            outputs.into_iter().try_for_each(|output| rows.push(output)).map_err(OutputError::Write)?;
            return Ok(RecordCopier { outputs: Outputs::Rows(rows), last: None });
        }
        let _ = (compression, threads);
        Ok(RecordCopier::text(corpus, outputs)?)
    }

    /// Copies records as text. Typed columns become CSV.
    pub(crate) fn text(corpus: &Corpus, outputs: Vec<W>) -> Result<RecordCopier<'a, W>, CopyError> {
        let first = corpus.first_input().ok_or(CopyError::Changed)?;
        Ok(RecordCopier { outputs: Outputs::Text(TextOutputs::new(Arc::clone(first), outputs)), last: None })
    }

    /// Adds a last output, which is opened for its first record.
    pub(crate) fn last(self, open: impl FnOnce() -> io::Result<W> + Send + 'a) -> RecordCopier<'a, W> {
        RecordCopier { last: Some(Box::new(open)), ..self }
    }
}

impl<W: Write + Send> RecordCopier<'_, W> {
    /// Whether rows are copied with all their columns, so that the corpus has to [keep](Corpus::keep_rows) these.
    pub(crate) fn copies_rows(&self) -> bool {
        matches!(self.outputs, Outputs::Rows(_))
    }

    /// Whether no record was copied.
    pub(crate) fn is_empty(&self) -> bool {
        match &self.outputs {
            Outputs::Text(text) => text.is_empty(),
            Outputs::Rows(rows) => rows.is_empty(),
        }
    }

    /// Copies the next record to the output with this index, or to none.
    pub(crate) fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        let opened = match &self.outputs {
            Outputs::Text(text) => text.len(),
            Outputs::Rows(rows) => rows.len(),
        };
        if output == Some(opened)
            && let Some(open) = self.last.take()
        {
            match &mut self.outputs {
                Outputs::Text(text) => text.push(open()?),
                Outputs::Rows(rows) => rows.push(open()?)?,
            }
        }

        match &mut self.outputs {
            Outputs::Text(text) => text.write(output, record),
            Outputs::Rows(rows) => rows.write(output, record),
        }
    }

    /// Copies more text of the last record, if it was too long for its chunk.
    pub(crate) fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.outputs {
            Outputs::Text(outputs) => outputs.rest_of_record(text),
            Outputs::Rows(_) => Ok(()),
        }
    }

    /// Completes the copies, and returns the outputs.
    pub(crate) fn finish(self) -> Result<Vec<W>, OutputError> {
        let finished = match self.outputs {
            Outputs::Text(text) => text.finish(),
            Outputs::Rows(rows) => rows.finish(),
        };
        finished.map_err(OutputError::Write)
    }
}

/// Checks that the extension of an output does not name a format other than the inputs'.
pub(crate) fn check_extension(target: &OutputTarget, format: InputFormat) -> Result<(), CopyError> {
    let fits = match target.file_type() {
        Some(FileType::Rows(output)) if output.is_csv() => format == InputFormat::Csv,
        Some(FileType::Rows(OutputFormat::Jsonl)) => format == InputFormat::Jsonl,
        Some(FileType::Rows(OutputFormat::OpenSudoku)) => format == InputFormat::OpenSudoku,
        Some(FileType::Parquet) => format.is_typed() && !target.is_parquet_in_name_only(),
        Some(FileType::Records(own)) => format == own,
        Some(
            FileType::Rows(OutputFormat::Json | OutputFormat::Npy)
            | FileType::Html
            | FileType::Svg
            | FileType::Other(_),
        ) => false,
        Some(FileType::Rows(_)) | None => !format.is_typed(),
    };
    match &target.path {
        _ if fits => Ok(()),
        Some(path) => Err(CopyError::OtherExtension { path: path.clone(), format }),
        None => Err(CopyError::ParquetToStdout),
    }
}

/// Defines the methods that run a job with one output. The job needs a method `copy`.
macro_rules! copying_job_runs {
    ($job:ident, $report:ty) => {
        impl $job {
            /// Copies records to an output. Tables start with their header. Typed columns are written as CSV, but only
            /// the columns that are read or kept.
            ///
            /// # Errors
            ///
            /// If the inputs have different headers or formats, an input cannot be read, or not twice where that is
            /// necessary, an output cannot be written, or a column has too many values.
            pub fn run(
                self,
                corpus: $crate::corpus::Corpus,
                output: impl std::io::Write + Send,
                execution: &$crate::run::Execution,
            ) -> Result<$crate::run::Finished<$report>, $crate::run::JobError> {
                let copier = $crate::copy::RecordCopier::text(&corpus, vec![output])?;
                self.copy(corpus, copier, execution).map(|(finished, _)| finished)
            }

            /// Copies records to standard output, or to a file that gets its name when it is complete.
            ///
            /// # Errors
            ///
            /// As [`run`](Self::run), and if the file is an input or has the extension of another format.
            pub fn run_to(
                self,
                corpus: $crate::corpus::Corpus,
                target: &$crate::output::OutputTarget,
                execution: &$crate::run::Execution,
            ) -> Result<$crate::run::Finished<$report>, $crate::run::JobError> {
                let copy = |corpus, copier| self.copy(corpus, copier, execution);
                $crate::copy::copy_to_file(corpus, target, execution, copy)
            }

            /// Passes the copied rows to `each`: batches with all columns of the inputs, in order. The inputs must be
            /// Parquet files or batches in memory.
            ///
            /// # Errors
            ///
            /// As [`run`](Self::run), if an input is text, and if `each` fails.
            pub fn run_table(
                self,
                corpus: $crate::corpus::Corpus,
                mut each: impl FnMut($crate::arrow::RecordBatch) -> std::io::Result<()> + Send,
                execution: &$crate::run::Execution,
            ) -> Result<$crate::run::Finished<$report>, $crate::run::JobError> {
                let mut each = |_, batch| each(batch);
                let copier = $crate::copy::RecordCopier::to_each(&corpus, &mut each)?;
                self.copy(corpus, copier, execution).map(|(finished, _)| finished)
            }
        }
    };
}
pub(crate) use copying_job_runs;

/// Copies records to one file, which gets its name when it is complete. Returns the result of `copy`.
pub(crate) fn copy_to_file<R>(
    corpus: Corpus,
    target: &OutputTarget,
    execution: &Execution,
    copy: impl FnOnce(Corpus, RecordCopier<'static, OutputFile>) -> Result<(Finished<R>, Vec<OutputFile>), JobError>,
) -> Result<Finished<R>, JobError> {
    target.check_inputs(RunFiles::new().corpus(corpus.origins()))?;
    let format = corpus.first_input().ok_or(CopyError::Changed)?.layout.format();
    check_extension(target, format)?;

    let output = OutputFile::create(target, execution.threads)?;
    let partial = output.partial();
    let copier = RecordCopier::new(&corpus, vec![output], target.pages().unwrap_or_default(), execution.threads)?;
    let (finished, outputs) = copy(corpus, copier)?;
    if finished.end == End::Stopped {
        return Ok(Finished { partial, ..finished });
    }
    outputs.into_iter().try_for_each(OutputFile::finish)?;
    Ok(finished)
}

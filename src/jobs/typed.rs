//! Rows as record batches: what the jobs share.

use std::io;

use crate::arrow::columns::{ColumnBuilder, ColumnType, Values};
use crate::arrow::{ArrowError, Field, RecordBatch};
use crate::corpus::Corpus;
use crate::pipeline::Chunk;
use crate::rows::{Column, FileColumn, Subject, push_subject};

/// The rows of a chunk, which a worker leaves as its only note.
pub(super) type Batch = Result<RecordBatch, ArrowError>;

/// Passes the rows of a chunk on.
pub(super) fn pass_on<I>(
    chunk: &mut Chunk<I, Batch>,
    mut each: impl FnMut(RecordBatch) -> io::Result<()>,
) -> io::Result<()> {
    chunk.notes.drain(..).try_for_each(|batch| each(batch.map_err(io::Error::other)?))
}

/// The columns that the rows of most jobs start with: file, line and puzzle.
pub(super) fn first_columns(file: FileColumn) -> impl Iterator<Item = (&'static str, ColumnType, Values)> {
    let columns =
        [(Column::File, ColumnType::Text), (Column::Line, ColumnType::Number), (Column::Puzzle, ColumnType::Text)];
    let skipped = usize::from(file == FileColumn::Absent);
    columns.into_iter().skip(skipped).map(|(column, of_type)| (column.name(), of_type, Values::Required))
}

/// The columns that are carried over from the input of a corpus, with these headers.
pub(super) fn kept_fields(corpus: &Corpus, headers: &[String]) -> Vec<Field> {
    let fields = corpus.kept_fields().into_iter().zip(headers);
    fields.map(|(field, name)| field.with_name(name).with_nullable(true)).collect()
}

/// Appends the fields of the first columns; returns the others.
pub(super) fn push_first_columns<'a>(
    file: FileColumn,
    name: &str,
    line: u64,
    subject: Subject<'_>,
    columns: &'a mut [ColumnBuilder],
) -> &'a mut [ColumnBuilder] {
    let columns = match file {
        FileColumn::Present => {
            let (file, others) = columns.split_first_mut().expect("there is a file column");
            file.text(Some(name.as_bytes()));
            others
        }
        FileColumn::Absent => columns,
    };
    let [line_column, puzzle, others @ ..] = columns else { panic!("there are columns for the line and the puzzle") };
    line_column.number(Some(line));
    push_subject(subject, puzzle);
    others
}

/// Writes the rows of a job to a Parquet file.
#[cfg(feature = "parquet")]
pub(super) mod parquet_file {
    use std::io;

    use crate::arrow::parquet::ParquetOutput;
    use crate::arrow::{RecordBatch, SchemaRef};
    use crate::jobs::generate::GenerateJobError;
    use crate::jobs::{BrokenRun, Execution, Finished, JobError, PartialOutput};
    use crate::pipeline::End;
    use crate::resume::{OutputError, OutputFile, OutputTarget};

    /// An error of a job, which may break a run after it had started.
    pub(in crate::jobs) trait BreaksRuns {
        /// The error with the rows so far.
        fn with_rows(self, partial: Option<PartialOutput>) -> Self;
    }

    impl BreaksRuns for JobError {
        fn with_rows(self, partial: Option<PartialOutput>) -> JobError {
            match self {
                JobError::Broken(broken) => JobError::Broken(BrokenRun { partial, ..broken }),
                error => error,
            }
        }
    }

    impl BreaksRuns for GenerateJobError {
        fn with_rows(self, partial: Option<PartialOutput>) -> GenerateJobError {
            match self {
                GenerateJobError::Broken { puzzles, broken } => {
                    GenerateJobError::Broken { puzzles, broken: BrokenRun { partial, ..broken } }
                }
                error => error,
            }
        }
    }

    /// Takes record batches.
    pub(in crate::jobs) type Each<'a> = &'a mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send);

    /// Opens a file, runs a job that passes its rows on, and gives the file its name. The rows so far of a job that was
    /// stopped are a complete Parquet file, with the name of a partial one; without rows there is none.
    pub(in crate::jobs) fn write<R, E: From<OutputError> + BreaksRuns>(
        target: &OutputTarget,
        schema: SchemaRef,
        execution: &Execution,
        run: impl FnOnce(Each<'_>) -> Result<Finished<R>, E>,
    ) -> Result<Finished<R>, E> {
        let output = OutputFile::create(target, execution.threads)?;
        let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
        let mut parquet = ParquetOutput::new(output, schema).map_err(OutputError::Write)?;
        let mut rows = 0;
        let finished = run(&mut |batch| {
            rows += batch.num_rows();
            parquet.write(&batch)
        });
        let output = parquet.finish().map_err(OutputError::Write);
        let partial = partial.filter(|_| rows > 0);
        match finished {
            Ok(finished) if finished.end == End::Complete => {
                output?.finish()?;
                Ok(finished)
            }
            finished => {
                if rows == 0 {
                    output?.discard()?;
                } else if finished.is_ok() {
                    // The rows so far have to be readable.
                    output?;
                }
                match finished {
                    Ok(stopped) => Ok(Finished { partial, ..stopped }),
                    Err(error) => Err(error.with_rows(partial)),
                }
            }
        }
    }
}

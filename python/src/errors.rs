//! Errors of jobs as Python exceptions: `ValueError` for arguments, `OSError` for files, `RuntimeError` for bugs.

use std::error::Error;
use std::io;

use arrow_schema::ArrowError;
use gridmill::corpus::CorpusError;
use gridmill::format::{DetectError, Remedy};
use gridmill::jobs::generate::GenerateJobError;
use gridmill::jobs::{JobError, PartialOutput};
use gridmill::pipeline::PipelineError;
use gridmill::resume::OutputError;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A wrong value of an argument.
pub(crate) fn value_error(error: &(dyn Error + 'static)) -> PyErr {
    PyValueError::new_err(in_words(error))
}

/// Arrays that do not fit together, or a type that cannot be converted.
#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(crate) fn arrow_error(error: ArrowError) -> PyErr {
    value_error(&error)
}

/// The exception for a job that failed.
pub(crate) fn job_error(error: JobError) -> PyErr {
    match error {
        JobError::Corpus(error) => corpus_error(&error),
        JobError::Output(error) => output_error(&error),
        JobError::Broken(broken) => pipeline_error(&broken.error, broken.partial.as_ref(), corpus_error),
        error => value_error(&error),
    }
}

/// The exception for puzzles that cannot be generated.
pub(crate) fn generate_error(error: GenerateJobError) -> PyErr {
    match error {
        GenerateJobError::Job(error) => job_error(error),
        GenerateJobError::Pipeline(error) => pipeline_error(&error, None, |never| match *never {}),
        GenerateJobError::Broken { broken, .. } => with_rows_so_far(value_error(&broken), broken.partial.as_ref()),
        error => value_error(&error),
    }
}

/// The exception for inputs that cannot be read.
pub(crate) fn corpus_error(error: &CorpusError) -> PyErr {
    match error {
        CorpusError::Detect { source: DetectError::ColumnType { .. }, .. } => PyTypeError::new_err(in_words(error)),
        CorpusError::Detect { source, .. } => {
            let hint = source.remedy().map_or("", remedy_in_words);
            PyValueError::new_err(in_words(error) + hint)
        }
        error => os_error(error),
    }
}

fn output_error(error: &OutputError) -> PyErr {
    match error {
        OutputError::Shared(_) | OutputError::Resume(_) => value_error(error),
        error => os_error(error),
    }
}

fn pipeline_error<E: Error + 'static>(
    error: &PipelineError<E>,
    partial: Option<&PartialOutput>,
    source_error: impl Fn(&E) -> PyErr,
) -> PyErr {
    let exception = match error {
        PipelineError::Source(source) => source_error(source),
        PipelineError::Panic { .. } => PyRuntimeError::new_err(in_words(error)),
        error => os_error(error),
    };
    with_rows_so_far(exception, partial)
}

/// Adds the place of the rows so far to the message of an exception.
fn with_rows_so_far(exception: PyErr, partial: Option<&PartialOutput>) -> PyErr {
    let Some(partial) = partial else { return exception };
    let place = partial.path.display();
    let hint = if partial.resumable { "; resume with resume=True" } else { "" };
    Python::attach(|py| {
        let message = format!("{}; the rows so far are in {place}{hint}", exception.value(py));
        PyErr::from_type(exception.get_type(py), message)
    })
}

/// A file that cannot be read or written: the subclass of `OSError` that fits the cause.
fn os_error(error: &(dyn Error + 'static)) -> PyErr {
    let words = in_words(error);
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(io) = error.downcast_ref::<io::Error>() {
            return io::Error::new(io.kind(), words).into();
        }
        cause = error.source();
    }
    PyOSError::new_err(words)
}

/// The parameter that would help.
fn remedy_in_words(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::PuzzleColumn => "; name it with puzzle_column",
        Remedy::Alphabet => "; name it with alphabet",
        _ => "",
    }
}

/// An error with its causes, in one line.
fn in_words(error: &(dyn Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words.push_str(": ");
        words.push_str(&error.to_string());
        cause = error.source();
    }
    words
}

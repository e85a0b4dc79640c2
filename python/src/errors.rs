//! Errors of jobs as Python exceptions: `ValueError` for arguments, `OSError` for files, `RuntimeError` for bugs.

use std::error::Error;
use std::{io, iter};

use arrow_schema::ArrowError;
use gridmill::bench::{CheckError, ProgramError};
use gridmill::corpus::CorpusError;
use gridmill::format::{DetectError, Remedy};
use gridmill::jobs::{ClassFileError, ClassSetError, JobError, MergeJobError, PartialOutput};
use gridmill::output::{OutputError, SharedFileError};
use gridmill::pipeline::PipelineError;
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

/// The exception for a stream of arrays that broke.
pub(crate) fn stream_error(error: &ArrowError) -> PyErr {
    os_error(error)
}

/// The exception for a job that failed.
pub(crate) fn job_error(error: JobError) -> PyErr {
    match error {
        JobError::Corpus(error) => corpus_error(&error),
        JobError::Output(error) => output_error(&error),
        JobError::Broken(broken) => pipeline_error(&broken.error, broken.partial.as_ref()),
        JobError::Job(broken) => with_rows_so_far(value_error(&broken.error), broken.partial.as_ref()),
        error => value_error(&error),
    }
}

/// The exception for a file with classes, or with a key, that cannot be used.
pub(crate) fn class_file_error(error: &ClassFileError) -> PyErr {
    match error.error {
        ClassSetError::Read(_) => os_error(error),
        _ => value_error(error),
    }
}

/// The exception for shards that cannot be merged.
pub(crate) fn merge_error(error: MergeJobError) -> PyErr {
    match error {
        MergeJobError::Output(error) => output_error(&error),
        MergeJobError::Rows(broken) => with_rows_so_far(os_error(&broken), broken.partial.as_ref()),
        MergeJobError::Damaged(path) => PyValueError::new_err(format!(
            "{} is not as it was finished; run this shard again with resume=True",
            path.display()
        )),
        error @ (MergeJobError::Open { .. } | MergeJobError::Metadata(_)) => os_error(&error),
        error => value_error(&error),
    }
}

/// The exception for solvers that cannot be compared.
pub(crate) fn check_error(error: CheckError) -> PyErr {
    match error {
        CheckError::Output(error) => output_error(&error),
        CheckError::Disagreements(found) => {
            let first: Vec<String> = found.first.iter().map(ToString::to_string).collect();
            PyRuntimeError::new_err(format!("{found}: {}", first.join("; ")))
        }
        error => PyRuntimeError::new_err(in_words(&error)),
    }
}

/// The exception for a solver that could not be timed.
pub(crate) fn timing_error(error: &ProgramError) -> PyErr {
    PyRuntimeError::new_err(in_words(error))
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

/// The exception for files that cannot be written.
pub(crate) fn output_error(error: &OutputError) -> PyErr {
    match error {
        OutputError::Shared(error) => shared_file_error(error),
        OutputError::Resume(_) => value_error(error),
        error => os_error(error),
    }
}

/// The exception for an output that is an input or another output: arguments have other names than options.
pub(crate) fn shared_file_error(error: &SharedFileError) -> PyErr {
    let argument = |option: &'static str| if option == "-o" { "output" } else { option.trim_start_matches('-') };
    let (option, other_option) = (argument(error.option), error.other_option.map(argument));
    value_error(&SharedFileError { option, other_option, ..error.clone() })
}

fn pipeline_error(error: &PipelineError<CorpusError>, partial: Option<&PartialOutput>) -> PyErr {
    let exception = match error {
        PipelineError::Source(source) => corpus_error(source),
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

/// A file that cannot be read or written: the subclass of `OSError` that fits the cause, or the exception of an iterator.
pub(crate) fn os_error(error: &(dyn Error + 'static)) -> PyErr {
    let causes = || iter::successors(Some(error), |&error| error.source());
    // The source of an `io::Error` is the source of the error in it.
    let exception = |cause: &'_ (dyn Error + 'static)| -> Option<PyErr> {
        let within = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let exception = within.and_then(|error| error.downcast_ref()).or_else(|| cause.downcast_ref::<PyErr>())?;
        Some(Python::attach(|py| exception.clone_ref(py)))
    };
    if let Some(exception) = causes().find_map(exception) {
        return exception;
    }

    let words = in_words(error);
    match causes().find_map(|cause| cause.downcast_ref::<io::Error>()) {
        Some(io) => io::Error::new(io.kind(), words).into(),
        None => PyOSError::new_err(words),
    }
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
pub(crate) fn in_words(error: &(dyn Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words.push_str(": ");
        words.push_str(&error.to_string());
        cause = error.source();
    }
    words
}

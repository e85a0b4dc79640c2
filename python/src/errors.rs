//! Errors of jobs as Python exceptions: `ValueError` for arguments, `OSError` for files, `RuntimeError` for bugs.

use std::error::Error;
use std::{io, iter};

use arrow_schema::ArrowError;
use gridmill::OptionError;
use gridmill::cli::bench::{CheckError, ProgramError};
use gridmill::corpus::CorpusError;
use gridmill::format::{DetectError, Remedy};
use gridmill::jobs::{BrokenRun, ClassFileError, ClassSetError, JobError, PartialOutput, PipelineFailure};
use gridmill::output::{OutputError, SharedFileError};
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
        JobError::Options(error) => option_error(&error),
        JobError::Corpus(error) => corpus_error(&error),
        JobError::Output(error) => output_error(&error),
        JobError::Run(broken) => run_error(&broken),
        error => value_error(&error),
    }
}

/// The exception for options that contradict each other.
pub(crate) fn option_error(error: &OptionError) -> PyErr {
    // `from` is a word of the language.
    let spell = |option: &str| if option == "from" { "from_".to_owned() } else { option.replace('-', "_") };
    PyValueError::new_err(error.spelled(spell))
}

/// The exception for a file with classes, or with a key, that cannot be used.
pub(crate) fn class_file_error(error: &ClassFileError) -> PyErr {
    match error.error {
        ClassSetError::Read(_) => os_error(error),
        _ => value_error(error),
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
            let hint = source.remedy().map_or_else(String::new, remedy_in_words);
            PyValueError::new_err(in_words(error) + &hint)
        }
        error => os_error(error),
    }
}

/// The exception for files that cannot be written.
pub(crate) fn output_error(error: &OutputError) -> PyErr {
    match error {
        OutputError::Shared(error) => shared_file_error(error),
        OutputError::Resume(error) => option_error(error),
        error => os_error(error),
    }
}

/// The exception for an output that is an input or another output: arguments have other names than options.
pub(crate) fn shared_file_error(error: &SharedFileError) -> PyErr {
    let argument = |option: &'static str| if option == "-o" { "output" } else { option.trim_start_matches('-') };
    let (option, other_option) = (argument(error.option), error.other_option.map(argument));
    value_error(&SharedFileError { option, other_option, ..error.clone() })
}

fn run_error(broken: &BrokenRun) -> PyErr {
    let error = &*broken.error;
    let exception = match error.downcast_ref() {
        Some(PipelineFailure::Source(source)) => corpus_error(source),
        Some(PipelineFailure::Panic { .. }) => PyRuntimeError::new_err(in_words(error)),
        _ if cause_of(error).is_some() => os_error(error),
        _ => value_error(error),
    };
    with_rows_so_far(exception, broken.partial.as_ref())
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
    match cause_of(error) {
        Some(io) => io::Error::new(io.kind(), words).into(),
        None => PyOSError::new_err(words),
    }
}

/// The failed read or write that caused an error, if there was one.
fn cause_of<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a io::Error> {
    iter::successors(Some(error), |&error| error.source()).find_map(|cause| cause.downcast_ref())
}

/// The parameter that would help.
fn remedy_in_words(remedy: Remedy) -> String {
    match remedy {
        Remedy::PuzzleColumn => "; name it with puzzle_column".to_owned(),
        Remedy::Alphabet => "; name it with alphabet".to_owned(),
        Remedy::Blank(blank) => format!("; if so, use blank=\"{blank}\""),
        _ => String::new(),
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

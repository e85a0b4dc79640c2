//! The jobs on files of any size: what the commands of the same names do.

use std::path::PathBuf;

use gridmill::corpus::{Corpus, Origin};
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::resume::{FileType, OutputTarget, Resume};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{corpus_error, job_error};
use crate::interrupt;
use crate::jobs::{json, solver};
use crate::settings::{Checks, Settings, question};

/// Solves files into a file; returns the summary as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is an argument of the Python function")]
#[expect(clippy::needless_pass_by_value, reason = "a Python object is converted to a value")]
pub(crate) fn solve_file(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    limit: u64,
    first: bool,
    resume: bool,
    progress: Option<Py<PyAny>>,
    settings: &Settings,
) -> PyResult<String> {
    let target = target(output)?;
    let job = solver(settings).question(question(limit, first)?).resume(resuming(resume)).format(target.usual_format());
    let finished = interrupt::run(py, settings.threads, progress.as_ref(), |execution, _| {
        let corpus = open(inputs, settings.input_options(AnswerColumn::Ignored))?;
        job.run_to(corpus, &target, execution).map_err(job_error)
    })?;
    Ok(json(&finished.report))
}

/// Validates files into a file; returns the scorecard as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is an argument of the Python function")]
#[expect(clippy::needless_pass_by_value, reason = "a Python object is converted to a value")]
pub(crate) fn validate_file(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    against: Vec<PathBuf>,
    accepts: Option<PathBuf>,
    rejects: Option<PathBuf>,
    checks: &Checks,
    resume: bool,
    progress: Option<Py<PyAny>>,
    settings: &Settings,
) -> PyResult<String> {
    let target = target(output)?;
    if !matches!(target.file_type(), None | Some(FileType::Csv | FileType::Parquet)) {
        return Err(PyValueError::new_err("verdicts are written as CSV or Parquet; name the output .csv or .parquet"));
    }
    let mut job = checks.job(settings).resume(resuming(resume));
    let finished = interrupt::run(py, settings.threads, progress.as_ref(), |execution, _| {
        if !against.is_empty() {
            let options = settings.input_options(AnswerColumn::Ignored);
            job = job.against(open(against, InputOptions { keep: vec![], ..options })?);
        }
        let corpus = open(inputs, settings.input_options(settings.answer()))?;
        if let Some(path) = accepts {
            job = job.accepts(OutputTarget::file(path));
        }
        if let Some(path) = rejects {
            job = job.rejects(OutputTarget::file(path));
        }
        job.run_to(corpus, &target, execution).map_err(job_error)
    })?;
    Ok(json(&finished.report))
}

/// Opens files one after another.
fn open(files: Vec<PathBuf>, options: InputOptions) -> PyResult<Corpus> {
    let origins = files.into_iter().map(Origin::File).collect();
    Corpus::open(origins, options).map_err(|error| corpus_error(&error))
}

/// The output of this name; its extension says how it is written.
fn target(output: PathBuf) -> PyResult<OutputTarget> {
    let target = OutputTarget::file(output);
    if target.is_parquet_in_name_only() {
        return Err(PyValueError::new_err("a Parquet file has its own compression; name the output .parquet"));
    }
    Ok(target)
}

fn resuming(resume: bool) -> Resume {
    if resume { Resume::Yes } else { Resume::No }
}

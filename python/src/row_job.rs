//! What the jobs with rows have in common: their settings, a table in memory, and a file.

use std::io;
use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use gridmill::cli::{Report, write_page};
use gridmill::corpus::{Corpus, Origin};
use gridmill::format::InputOptions;
use gridmill::jobs::{Execution, Finished, Job, JobError, OneByOne, RowJob};
use gridmill::output::{OutputTarget, RunFiles};
use pyo3::prelude::*;
use serde::Serialize;

use crate::batches::Batches;
use crate::errors::{corpus_error, job_error, os_error, shared_file_error};
use crate::interrupt::{self, Progress};
use crate::output::Output;
use crate::settings::Settings;

/// Rows in memory, and a report as JSON.
pub(crate) type TableAndReport = (Batches, String);

/// A job with these settings.
pub(crate) fn with_settings<J>(job: RowJob<J>, settings: &Settings) -> RowJob<J> {
    let job = job.engine(settings.engine).max_branches(settings.max_branches);
    match &settings.columns {
        Some(names) => job.columns(names),
        None => job,
    }
}

/// A job with rows for this output.
pub(crate) fn with_output<J: Job>(job: RowJob<J>, output: &Output) -> PyResult<RowJob<J>> {
    let job = job.header(output.header);
    Ok(match output.of_rows(J::FORMATS)? {
        Some(format) => job.format(format),
        None => job,
    })
}

/// The rows of a job in memory.
pub(crate) fn table<J: Job<Report: Report>>(
    py: Python<'_>,
    job: RowJob<J>,
    mut corpus: Corpus,
    settings: &Settings,
    progress: Progress<'_, '_>,
    page: Option<PathBuf>,
) -> PyResult<TableAndReport> {
    let job = with_settings(job, settings);
    let schema = job.table_schema(&mut corpus).map_err(job_error)?;
    let inputs = corpus.origins().to_vec();
    collect(py, schema, settings, progress, page, &inputs, |each, execution| {
        job.run_table(corpus, each, execution).map_err(job_error)
    })
}

/// Writes the rows of a job to a file; returns its report. Files are opened on the thread of the job.
pub(crate) fn write<J: Job<Report: Report>>(
    py: Python<'_>,
    job: impl FnOnce() -> PyResult<RowJob<J>> + Send,
    open: impl FnOnce() -> PyResult<Corpus> + Send,
    settings: &Settings,
    output: &Output,
    progress: Progress<'_, '_>,
) -> PyResult<String> {
    write_described(py, |_: &_| job(), open, settings, output, progress, |_, _| |_: &J::Report| Ok(()))
}

/// The same for a job that describes its data when it is complete. What the description needs of the job and of the inputs
/// is taken before the run.
pub(crate) fn write_described<J: Job<Report: Report>, D: FnOnce(&J::Report) -> PyResult<()>>(
    py: Python<'_>,
    job: impl FnOnce(&Execution) -> PyResult<RowJob<J>> + Send,
    open: impl FnOnce() -> PyResult<Corpus> + Send,
    settings: &Settings,
    output: &Output,
    progress: Progress<'_, '_>,
    description: impl FnOnce(&RowJob<J>, &Corpus) -> D + Send,
) -> PyResult<String> {
    let report = interrupt::run_until(py, settings.execution(), progress, |execution, stop| {
        let job = with_output(with_settings(job(execution)?, settings), output)?.resume(output.resume);
        let corpus = match output.shard {
            Some(shard) => open()?.shard(shard),
            None => open()?,
        };
        let (describe, inputs) = (description(&job, &corpus), corpus.origins().to_vec());
        let finished = job.run_to(corpus, &output.target, execution).map_err(job_error)?;
        // A part of the data is not a data set.
        if !stop.is_triggered() {
            describe(&finished.report)?;
            if let Some(path) = output.report.as_ref().and_then(|file| file.path.as_deref()) {
                write_page(&finished, path, &inputs).map_err(|error| os_error(error.as_ref()))?;
            }
        }
        Ok(finished)
    })?;
    Ok(json(&report))
}

/// Runs a job that passes its rows on, and returns these with its report, which also becomes a page about these inputs.
pub(crate) fn collect<R: Report + Serialize + Send>(
    py: Python<'_>,
    schema: SchemaRef,
    settings: &Settings,
    progress: Progress<'_, '_>,
    page: Option<PathBuf>,
    inputs: &[Origin],
    job: impl FnOnce(&mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send), &Execution) -> PyResult<Finished<R>> + Send,
) -> PyResult<TableAndReport> {
    let mut batches = Vec::new();
    let mut each = |batch| {
        batches.push(batch);
        Ok(())
    };
    let report = interrupt::run_until(py, settings.execution(), progress, |execution, stop| {
        let finished = job(&mut each, execution)?;
        let page = page.filter(|_| !stop.is_triggered());
        page.map_or(Ok(()), |path| write_page(&finished, &path, inputs)).map_err(|error| os_error(error.as_ref()))?;
        Ok(finished)
    })?;
    Ok((Batches::new(schema, batches), json(&report)))
}

/// Checks that no output is an input or another output, each with the name of its argument.
pub(crate) fn check_files(inputs: &[PathBuf], outputs: &[(&'static str, &OutputTarget)]) -> PyResult<()> {
    let files = inputs.iter().fold(RunFiles::new(), RunFiles::input);
    let files = outputs.iter().fold(files, |files, (argument, target)| files.output(argument, target));
    files.check().map_err(|error| shared_file_error(&error))
}

/// Makes a worker for single puzzles.
pub(crate) fn one_by_one<J: Job>(
    job: RowJob<J>,
    settings: &Settings,
    has_answers: bool,
    execution: &Execution,
) -> Result<OneByOne, JobError> {
    with_settings(job, settings).one_by_one(&settings.puzzle_options(), has_answers, execution)
}

/// Opens files one after another.
pub(crate) fn open(files: Vec<PathBuf>, options: InputOptions) -> PyResult<Corpus> {
    let origins = files.into_iter().map(Origin::File).collect();
    Corpus::open(origins, options).map_err(|error| corpus_error(&error))
}

/// A report as JSON.
pub(crate) fn json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("a report has no keys that are not text")
}

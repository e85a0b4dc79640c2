//! Writes the set of the classes of a corpus.

use std::path::PathBuf;

use gridmill::jobs::{Canon, ClassKey, ClassSet, NamedClassSet};
use gridmill::output::OutputTarget;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{class_file_error, job_error};
use crate::interrupt::{self, Progress};
use crate::row_job::{check_files, json, open};
use crate::settings::Settings;

/// Writes the set of the classes of files; returns the report as JSON.
#[pyfunction]
#[pyo3(signature = (inputs, settings, output, *, class_key = None, allow_malformed = false, progress = None))]
pub(crate) fn classes(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    settings: &Settings,
    output: PathBuf,
    class_key: Option<PathBuf>,
    allow_malformed: bool,
    progress: Progress<'_, '_>,
) -> PyResult<String> {
    let target = OutputTarget::file(output);
    let read: Vec<PathBuf> = inputs.iter().chain(&class_key).cloned().collect();
    check_files(&read, &[("output", &target)])?;
    let job = Canon::new().engine(settings.engine).max_branches(settings.max_branches);
    let key = key_of(class_key)?;

    let report = interrupt::run(py, settings.execution(), progress, |execution| {
        let corpus = open(inputs, settings.reference_options())?;
        job.write_classes(corpus, &target, key, allow_malformed, execution).map_err(job_error)
    })?;
    Ok(json(&report))
}

/// The sets of classes among the files of an argument that names corpora to compare with, and the other files.
pub(crate) fn sets_among(
    argument: &str,
    files: Vec<PathBuf>,
    class_key: Option<PathBuf>,
) -> PyResult<(Vec<NamedClassSet>, Vec<PathBuf>)> {
    let key = key_of(class_key)?;
    let (sets, others) = ClassSet::among(files, key.as_ref()).map_err(|error| class_file_error(&error))?;
    if key.is_some() && sets.is_empty() {
        let message = format!("class_key is for sets of classes, and {argument} names none");
        return Err(PyValueError::new_err(message));
    }
    Ok((sets, others))
}

/// The key in a file, if one is named.
fn key_of(file: Option<PathBuf>) -> PyResult<Option<ClassKey>> {
    file.map(|file| ClassKey::read(&file).map_err(|error| class_file_error(&error))).transpose()
}

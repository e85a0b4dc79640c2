//! Merges the outputs of shards.

use std::path::PathBuf;

use gridmill::jobs::{Execution, Merge};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{job_error, shared_file_error};
use crate::interrupt;
use crate::output::target;
use crate::row_job::json;

/// Merges the outputs of all shards of a run; returns the name of its command, and its report as JSON.
#[pyfunction]
#[pyo3(signature = (outputs, output, *, compress = None))]
pub(crate) fn merge(
    py: Python<'_>,
    outputs: Vec<PathBuf>,
    output: PathBuf,
    compress: Option<&str>,
) -> PyResult<(&'static str, String)> {
    if outputs.is_empty() {
        return Err(PyValueError::new_err("outputs is empty"));
    }
    let (job, target) = (Merge::new(outputs), target(output, None, compress)?);
    job.files().output("output", &target).check().map_err(|error| shared_file_error(&error))?;
    let merged =
        interrupt::run(py, Execution::new(), None, |execution| job.run_to(&target, execution).map_err(job_error))?;
    Ok((merged.command(), json(&merged)))
}

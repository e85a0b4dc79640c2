//! Where the rows of a job on files go, and how they are written.

use std::path::PathBuf;

use gridmill::corpus::{ParseShardError, Shard};
use gridmill::resume::{Container, OutputTarget};
use gridmill::rows::OutputFormat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::value_error;

/// The name of the format that is no text.
const PARQUET: &str = "parquet";

/// The options of the functions on files; `gridmill._options` makes one from checked arguments.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) target: OutputTarget,
    /// `None` for the usual format of the job.
    pub(crate) format: Option<OutputFormat>,
    pub(crate) header: bool,
    pub(crate) resume: bool,
    pub(crate) shard: Option<Shard>,
}

#[pymethods]
impl Output {
    #[new]
    #[pyo3(signature = (path, *, to, header, resume = false, shard = None))]
    fn new(path: PathBuf, to: Option<&str>, header: bool, resume: bool, shard: Option<&str>) -> PyResult<Output> {
        let mut target = OutputTarget::file(path);
        if target.is_parquet_in_name_only() {
            return Err(PyValueError::new_err("a Parquet file has its own compression; name the output .parquet"));
        }
        if to == Some(PARQUET) && target.file_type().is_none() && target.compression.is_none() {
            target.container = Container::Parquet;
        }
        let shard = shard.map(str::parse).transpose().map_err(|error: ParseShardError| value_error(&error))?;
        Ok(Output { format: format_of(&target, to)?, target, header, resume, shard })
    }
}

/// The format of the rows: the chosen one, or the one that the extension of the file stands for.
fn format_of(target: &OutputTarget, chosen: Option<&str>) -> PyResult<Option<OutputFormat>> {
    let file_type = target.file_type();
    if let Some(other) = file_type.filter(|file_type| !file_type.has_rows()) {
        let message = format!("the output is {other} by its name; name it .csv, .jsonl, .txt or .parquet");
        return Err(PyValueError::new_err(message));
    }
    let Some(name) = chosen else { return Ok(file_type.map(|_| target.usual_format())) };
    let other_extension = || PyValueError::new_err(format!("a file of {name} has another extension than the output"));
    if name == PARQUET {
        // Rows in record batches have no format of text.
        return if target.container == Container::Parquet { Ok(None) } else { Err(other_extension()) };
    }

    let format = OutputFormat::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
        let names = OutputFormat::ALL.map(OutputFormat::name).join(", ");
        PyValueError::new_err(format!("no format is called '{name}'; there are {names}, {PARQUET}"))
    })?;
    if file_type.is_some_and(|file_type| !file_type.formats().contains(&format)) {
        return Err(other_extension());
    }
    Ok(Some(format))
}

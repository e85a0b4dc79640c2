//! Where the rows of a job on files go, and how they are written.

use std::path::PathBuf;

use gridmill::compression::PageCompression;
use gridmill::corpus::Shard;
use gridmill::output::{Container, FileType, OutputTarget};
use gridmill::rows::OutputFormat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::option_error;
use crate::values::{named, parsed_if_any};

/// The names of formats that are not text with rows: Parquet, a picture, and a training set in a directory.
const PARQUET: &str = "parquet";
const SVG: &str = "svg";
const HRM: &str = "hrm";

/// The options of the functions on files; `gridmill._options` makes one from checked arguments.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) target: OutputTarget,
    pub(crate) format: Format,
    pub(crate) header: bool,
    pub(crate) resume: bool,
    pub(crate) shard: Option<Shard>,
    /// The page about the run.
    pub(crate) report: Option<OutputTarget>,
}

/// The content of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Rows: in the format that the name of the file stands for, if none is chosen.
    Rows(Option<OutputFormat>),
    /// A picture.
    Picture,
    /// The files of a training set, in a directory.
    TrainingSet,
}

#[pymethods]
impl Output {
    #[new]
    #[pyo3(signature = (path, *, to = None, header = true, resume = false, shard = None, compress = None,
        report = None))]
    fn new(
        path: PathBuf,
        to: Option<&str>,
        header: bool,
        resume: bool,
        shard: Option<&str>,
        compress: Option<&str>,
        report: Option<PathBuf>,
    ) -> PyResult<Output> {
        let target = target(path, to, compress)?;
        let shard = parsed_if_any("shard", shard)?;
        let report = report.map(OutputTarget::file);
        Ok(Output { format: format_of(&target, to)?, target, header, resume, shard, report })
    }

    /// The number of records of the shard among this many records; all of them without a shard.
    fn share(&self, records: u64) -> u64 {
        self.shard.unwrap_or(Shard::ONLY).share(records)
    }
}

impl Output {
    /// The files that are written, each with the name of its argument.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &OutputTarget)> {
        [("output", &self.target)].into_iter().chain(self.report.iter().map(|file| ("report", file)))
    }

    /// The format of rows, if one is chosen: of those that the job writes, or the first of a file with this name.
    ///
    /// # Errors
    ///
    /// If the output has no rows.
    pub(crate) fn of_rows(&self, formats: &[OutputFormat]) -> PyResult<Option<OutputFormat>> {
        match self.format {
            Format::Rows(None) => {
                let of_name = self.target.file_type().map_or_else(Vec::new, FileType::formats);
                let usual = of_name.iter().find(|format| formats.contains(format)).or(of_name.first());
                Ok(usual.copied())
            }
            Format::Rows(format) => Ok(format),
            Format::Picture => Err(PyValueError::new_err(
                "the output is SVG by its name or its format, and these rows are not a picture; name it .csv, .jsonl, .txt or \
                 .parquet",
            )),
            Format::TrainingSet => {
                Err(PyValueError::new_err("to: only the isomorphs of puzzles can be written as hrm, to a directory"))
            }
        }
    }

    /// Refuses options of rows for an output that has none.
    pub(crate) fn check_no_rows(&self, what: &str, has_columns: bool) -> PyResult<()> {
        let given = [
            ("columns, keep and the like", has_columns),
            ("header", !self.header),
            ("resume", self.resume),
            ("shard", self.shard.is_some()),
            ("report", self.report.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(PyValueError::new_err(format!("{what} has no rows; leave out {name}"))),
            None => Ok(()),
        }
    }
}

/// A file in a format, with its compression: one that is named, or by the extension.
pub(crate) fn target(path: PathBuf, to: Option<&str>, compress: Option<&str>) -> PyResult<OutputTarget> {
    let mut target = OutputTarget::file(path);
    if target.is_parquet_in_name_only() {
        return Err(PyValueError::new_err("a Parquet file has its own compression; name the output .parquet"));
    }
    if to == Some(PARQUET) && target.file_type().is_none() && target.compression.is_none() {
        target.container = Container::Parquet(PageCompression::default());
    }
    let Some(name) = compress else { return Ok(target) };
    let compression = named("compress", "compression", name)?;
    target.compressed(compression).map_err(|error| option_error(&error))
}

/// The content of an output: the chosen one, or the one for the extension of the file.
fn format_of(target: &OutputTarget, chosen: Option<&str>) -> PyResult<Format> {
    if chosen == Some(HRM) {
        // The path names a directory, so its extension does not matter.
        return match target.compression {
            Some(_) => Err(PyValueError::new_err("compress: the files of a training set are not compressed")),
            None => Ok(Format::TrainingSet),
        };
    }
    let other_extension =
        |name: &str| PyValueError::new_err(format!("a file of {name} has another extension than the output"));
    if chosen == Some(OutputFormat::Text.into()) && !target.is_parquet() {
        // People read it, so the file may have any name.
        return Ok(Format::Rows(Some(OutputFormat::Text)));
    }
    let file_type = target.file_type();
    match (file_type, chosen) {
        (Some(FileType::Svg), None) | (Some(FileType::Svg) | None, Some(SVG)) => return Ok(Format::Picture),
        (Some(FileType::Svg), Some(name)) => return Err(other_extension(name)),
        _ => {}
    }
    if let Some(other) = file_type.filter(|file_type| !file_type.has_rows()) {
        let message = format!("the output is {other} by its name; name it .csv, .jsonl, .txt or .parquet");
        return Err(PyValueError::new_err(message));
    }
    let Some(name) = chosen else { return Ok(Format::Rows(None)) };
    if name == PARQUET {
        // Rows in record batches have no format of text.
        return if target.is_parquet() { Ok(Format::Rows(None)) } else { Err(other_extension(name)) };
    }

    let format = OutputFormat::ALL.iter().copied().find(|&format| <&str>::from(format) == name).ok_or_else(|| {
        let names: Vec<_> = OutputFormat::ALL.iter().map(ToString::to_string).collect();
        let names = names.join(", ");
        PyValueError::new_err(format!("no format is called '{name}'; there are {names}, {PARQUET}, {SVG}, {HRM}"))
    })?;
    if file_type.is_some_and(|file_type| !file_type.formats().contains(&format)) {
        return Err(other_extension(name));
    }
    Ok(Format::Rows(Some(format)))
}

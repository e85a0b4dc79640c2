//! Describes the data sets of jobs on files: as a data card, and in the format Croissant.

use std::path::PathBuf;

use gridmill::cli::card::{CardError, CardFiles};
use gridmill::output::OutputTarget;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{corpus_error, os_error, output_error, value_error};
use crate::output::{Format, Output};

/// The files that describe a data set, by the arguments that name them.
pub(crate) fn card_files(card: Option<PathBuf>, croissant: Option<PathBuf>) -> CardFiles {
    CardFiles { readme: card, croissant }
}

/// The files as outputs, each with its argument.
pub(crate) fn targets(files: &CardFiles) -> Vec<(&'static str, OutputTarget)> {
    let named = [("card", &files.readme), ("croissant", &files.croissant)];
    named.into_iter().filter_map(|(name, path)| Some((name, OutputTarget::file(path.as_ref()?)))).collect()
}

/// Refuses to describe a file that is not complete or has no header.
pub(crate) fn check_output(files: &CardFiles, output: &Output) -> PyResult<()> {
    let refused = match output {
        _ if files.is_empty() => return Ok(()),
        Output { format: Format::TrainingSet, .. } => {
            "card and croissant describe files with columns, not a training set"
        }
        Output { shard: Some(_), .. } => "card and croissant describe complete files; leave out shard",
        Output { header: false, .. } => "card and croissant describe columns by their names; leave out header",
        Output { target, .. } => return files.check(target.path.as_deref()).map_err(|error| card_error(&error)),
    };
    Err(PyValueError::new_err(refused))
}

/// Refuses to describe inputs that are only read in part.
pub(crate) fn check_inputs(files: &CardFiles, inputs: &[PathBuf], output: &Output) -> PyResult<()> {
    if !files.is_empty() && output.shard.is_some() {
        return Err(PyValueError::new_err("card and croissant describe complete files; leave out shard"));
    }
    files.check(inputs.iter().map(PathBuf::as_path)).map_err(|error| card_error(&error))
}

/// The exception for a data set that cannot be described.
pub(crate) fn card_error(error: &CardError) -> PyErr {
    match error {
        CardError::Corpus(error) => corpus_error(error),
        CardError::Output(error) => output_error(error),
        CardError::Read { .. } => os_error(error),
        error => value_error(error),
    }
}

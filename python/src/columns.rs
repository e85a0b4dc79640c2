//! The columns of the rows of each job, for Python.

use gridmill::jobs::{Augment, Canon, Convert, Generate, Rate, Score, Solve, States, Trace, Validate};
use gridmill::rows::{Column, Kind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The functions of `gridmill` with rows, and the columns that these can have.
const TABLES: [(&str, &[Column]); 11] = [
    ("solve", Solve::COLUMNS),
    ("validate", Validate::COLUMNS),
    ("canonical", Canon::COLUMNS),
    ("rate", Rate::COLUMNS),
    ("steps", Rate::STEP_COLUMNS),
    ("trace", Trace::COLUMNS),
    ("generate", Generate::COLUMNS),
    ("augment", Augment::COLUMNS),
    ("score", Score::COLUMNS),
    ("states", States::COLUMNS),
    ("convert", Convert::COLUMNS),
];

/// The columns that the rows of a function of `gridmill` can have, in the default order: their names, and the types of
/// their values.
#[pyfunction]
pub(crate) fn columns(function: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    let table = TABLES.into_iter().find(|(name, _)| *name == function);
    let (_, columns) =
        table.ok_or_else(|| PyValueError::new_err(format!("no function with rows is called '{function}'")))?;
    Ok(columns.iter().map(|column| (column.name, kind(column.kind))).collect())
}

/// The kind of the column with this name, in the first table that has one.
pub(crate) fn kind_of(name: &str) -> Option<Kind> {
    TABLES.into_iter().flat_map(|(_, columns)| columns).find(|column| column.name == name).map(|column| column.kind)
}

/// The name of a kind of values.
fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "number",
        Kind::Decimal => "decimal",
        Kind::Texts => "texts",
        Kind::Numbers => "numbers",
        // Also names and counts.
        _ => "text",
    }
}

//! The columns of the rows of each job, for Python.

use gridmill::jobs::{Augment, Canon, Generate, Rate, Solve, Validate};
use gridmill::rows::Kind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The columns that the rows of a function of `gridmill` can have, in the default order: their names, and what their values
/// are.
#[pyfunction]
pub(crate) fn columns(function: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    let columns = match function {
        "solve" => Solve::COLUMNS,
        "validate" => Validate::COLUMNS,
        "canonical" => Canon::COLUMNS,
        "rate" => Rate::COLUMNS,
        "steps" => Rate::STEP_COLUMNS,
        "generate" => Generate::COLUMNS,
        "isomorphs" => Augment::COLUMNS,
        _ => return Err(PyValueError::new_err(format!("no function with rows is called '{function}'"))),
    };
    Ok(columns.iter().map(|column| (column.name, kind(column.kind))).collect())
}

/// The name of a kind of values.
fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "number",
        Kind::Decimal => "decimal",
        Kind::Texts => "texts",
        // Also names and counts.
        _ => "text",
    }
}

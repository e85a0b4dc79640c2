//! The cells of one puzzle, for `gridmill.Puzzle`.

use gridmill::ParseError;
use gridmill::Puzzle;
use gridmill::format::{Alphabet, ParsePuzzleError};
use gridmill::jobs::Convert;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::value_error;

/// The values of the cells of a puzzle, a byte each, that a text holds.
#[pyfunction]
#[pyo3(signature = (text, alphabet))]
pub(crate) fn read_puzzle<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    alphabet: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let text = text.to_string_lossy();
    let alphabet: Option<Alphabet> =
        alphabet.map(str::parse).transpose().map_err(|error: ParseError| value_error(&error))?;
    let puzzle = match alphabet {
        Some(alphabet) => Puzzle::parse_with(&text, alphabet),
        None => text.parse(),
    };
    let puzzle = puzzle.map_err(|error: ParsePuzzleError| value_error(&error))?;
    Ok(PyBytes::new(py, puzzle.cells()))
}

/// The line of a puzzle with these cells.
#[pyfunction]
pub(crate) fn line_of_cells(cells: &[u8]) -> PyResult<String> {
    Ok(puzzle_of(cells)?.to_string())
}

/// An SVG picture of a puzzle with these cells.
#[pyfunction]
pub(crate) fn picture_of_cells(cells: &[u8]) -> PyResult<String> {
    Ok(Convert::picture(&puzzle_of(cells)?))
}

fn puzzle_of(cells: &[u8]) -> PyResult<Puzzle> {
    Puzzle::try_from(cells).map_err(|error| value_error(&error))
}

//! Explains the steps by which a person solves puzzles, in words and with grids of candidates.

use std::path::PathBuf;

use gridmill::Explain;
use gridmill::corpus::{Corpus, CorpusError};
use gridmill::jobs::{ReadRecord, read_records};
use gridmill::puzzle::Pencilmarks;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors::{corpus_error, value_error};
use crate::input::Puzzles;
use crate::interrupt;
use crate::row_job::open;
use crate::settings::Settings;
use crate::values::named;

/// The steps of one puzzle: 81 digits, or the 729 symbols of a pencilmark puzzle. `grids` are the steps that get a grid.
#[pyfunction]
#[pyo3(signature = (puzzle, grids = "eliminations"))]
pub(crate) fn explain_one(py: Python<'_>, puzzle: &str, grids: &str) -> PyResult<String> {
    let explain = explain_with(grids)?;
    py.detach(|| {
        if let Ok(pencilmarks) = puzzle.parse::<Pencilmarks>() {
            return explain.pencilmarks(&pencilmarks).map_err(|error| value_error(&error));
        }
        explain.puzzle(puzzle).map_err(|error| value_error(&error))
    })
}

/// The steps of each puzzle in memory, or why it has none.
#[pyfunction]
#[pyo3(signature = (puzzles, settings, grids = "eliminations"))]
pub(crate) fn explain(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    settings: &Settings,
    grids: &str,
) -> PyResult<Vec<String>> {
    let explain = explain_with(grids)?;
    let corpus = Puzzles::new(puzzles, settings)?.only_puzzles(settings).corpus()?;
    records(py, settings, || Ok(corpus), |record| record.explained(&explain).1)
}

/// The steps of the puzzles in files, as the command line prints them.
#[pyfunction]
#[pyo3(signature = (inputs, settings, grids = "eliminations"))]
pub(crate) fn explain_files(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    settings: &Settings,
    grids: &str,
) -> PyResult<String> {
    let explain = explain_with(grids)?;
    let open = || open(inputs, settings.puzzle_options());
    let texts = records(py, settings, open, |record| {
        let (puzzle, steps) = record.explained(&explain);
        format!("{}:{}{puzzle}\n{steps}", record.file(), record.line)
    })?;
    Ok(texts.join("\n"))
}

fn explain_with(grids: &str) -> PyResult<Explain> {
    Ok(Explain::new().grids(named("grids", "choice of steps", grids)?))
}

/// The texts of the records of a corpus; a stop is heard after each.
fn records(
    py: Python<'_>,
    settings: &Settings,
    open: impl FnOnce() -> PyResult<Corpus> + Send,
    text: impl FnMut(ReadRecord<'_>) -> String + Send,
) -> PyResult<Vec<String>> {
    interrupt::run_until(py, settings.execution(), None, move |_, stop| {
        let (mut texts, mut text) = (vec![], text);
        read_records(open()?, |record| {
            texts.push(text(record));
            if stop.is_triggered() { Err(Failure::Stopped) } else { Ok(()) }
        })?;
        Ok(texts)
    })
}

/// Why the rest of a corpus is not explained.
enum Failure {
    Corpus(CorpusError),
    Stopped,
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Failure {
        Failure::Corpus(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Corpus(error) => corpus_error(&error),
            // The stop has raised another exception, which replaces this one.
            Failure::Stopped => PyKeyboardInterrupt::new_err("the run was stopped"),
        }
    }
}

//! How a job is executed and how its input is read, as the Python functions give it.

use std::num::NonZeroU64;

use gridmill::EngineKind;
use gridmill::engine::solver::Question;
use gridmill::engine::{Limit, MaxBranches};
use gridmill::format::{Alphabet, Alphabets, AnswerColumn, InputOptions};
use gridmill::jobs::{Execution, Validate};
use gridmill::puzzle::Order;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::value_error;

/// The options that most functions share; `gridmill._arguments` makes one from checked arguments.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) engine: EngineKind,
    pub(crate) max_branches: MaxBranches,
    pub(crate) threads: usize,
    alphabets: Vec<Alphabet>,
    puzzle_column: Option<String>,
    answer_column: Option<String>,
    keep: Vec<String>,
}

#[pymethods]
impl Settings {
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (engine, max_branches, threads, alphabets, puzzle_column, answer_column, keep))]
    fn new(
        engine: &str,
        max_branches: &str,
        threads: Option<usize>,
        alphabets: Vec<String>,
        puzzle_column: Option<String>,
        answer_column: Option<String>,
        keep: Vec<String>,
    ) -> PyResult<Settings> {
        let threads = threads.unwrap_or_else(|| Execution::new().thread_count());
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err(format!("threads must be from 1 to 1024, not {threads}")));
        }
        Ok(Settings {
            engine: engine.parse().map_err(|error| value_error(&error))?,
            max_branches: max_branches
                .parse()
                .map_err(|error| PyValueError::new_err(format!("max_branches: {error}")))?,
            threads,
            alphabets: alphabets
                .iter()
                .map(|name| name.parse::<Alphabet>().map_err(|error| value_error(&error)))
                .collect::<PyResult<_>>()?,
            puzzle_column,
            answer_column,
            keep,
        })
    }
}

impl Settings {
    /// How files are read.
    pub(crate) fn input_options(&self, answer: AnswerColumn) -> InputOptions {
        InputOptions {
            alphabets: self.alphabets.clone(),
            puzzle_column: self.puzzle_column.clone(),
            answer,
            keep: self.keep.clone(),
            ..InputOptions::default()
        }
    }

    /// The alphabet that puzzles of a size are printed in.
    pub(crate) fn alphabet_for_printing(&self, order: Order) -> Alphabet {
        self.alphabets.iter().copied().collect::<Alphabets>().for_printing(order)
    }

    /// The column with the answers of a job that judges them.
    pub(crate) fn answer(&self) -> AnswerColumn {
        self.answer_column.clone().map_or(AnswerColumn::ByName, AnswerColumn::Named)
    }

    /// Whether any argument names a column of a table.
    pub(crate) fn names_columns(&self) -> bool {
        self.puzzle_column.is_some() || self.answer_column.is_some() || !self.keep.is_empty()
    }
}

/// What `validate` looks for beside the solutions and the answers.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an argument of the Python function")]
pub(crate) struct Checks {
    minimal: bool,
    duplicates: bool,
    isomorphs: bool,
    classes: bool,
}

#[pymethods]
impl Checks {
    #[new]
    #[pyo3(signature = (*, minimal, duplicates, isomorphs, classes))]
    #[expect(clippy::fn_params_excessive_bools, reason = "they are given by name")]
    fn new(minimal: bool, duplicates: bool, isomorphs: bool, classes: bool) -> Checks {
        Checks { minimal, duplicates, isomorphs, classes }
    }
}

impl Checks {
    /// The job with these checks.
    pub(crate) fn job(&self, settings: &Settings) -> Validate {
        let mut job = Validate::new().engine(settings.engine).max_branches(settings.max_branches);
        if self.minimal {
            job = job.minimal();
        }
        if self.duplicates {
            job = job.duplicates();
        }
        if self.isomorphs {
            job = job.isomorphs();
        }
        if self.classes {
            job = job.classes();
        }
        job
    }
}

/// What is asked of every puzzle.
pub(crate) fn question(limit: u64, first: bool) -> PyResult<Question> {
    let limit = NonZeroU64::new(limit).ok_or_else(|| PyValueError::new_err("limit must be at least 1"))?;
    // A count that stops at one solution would call every puzzle unique.
    Ok(if first || limit.get() == 1 { Question::First } else { Question::Count(Limit::new(limit)) })
}

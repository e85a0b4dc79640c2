//! How a job is executed, how its input is read and which columns it writes, as the Python functions give it.

use std::num::NonZeroUsize;

use gridmill::EngineKind;
use gridmill::engine::MaxBranches;
use gridmill::format::{Alphabet, Alphabets, AnswerColumn, InputFormat, InputOptions};
use gridmill::jobs::Execution;
use gridmill::puzzle::Order;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::value_error;

/// The options that most functions share; `gridmill._options` makes one from checked arguments.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) engine: EngineKind,
    pub(crate) max_branches: MaxBranches,
    threads: usize,
    chunk: Option<NonZeroUsize>,
    from: Option<InputFormat>,
    pub(crate) alphabets: Vec<Alphabet>,
    puzzle_column: Option<String>,
    answer_column: Option<String>,
    keep: Vec<String>,
    pub(crate) columns: Option<Vec<String>>,
}

#[pymethods]
impl Settings {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "each is an argument of the Python functions")]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (
        *, engine, max_branches, threads, chunk, alphabet = vec![], puzzle_column = None, answer_column = None,
        from_ = None, keep = vec![], columns = None
    ))]
    fn new(
        engine: &str,
        max_branches: &str,
        threads: Option<usize>,
        chunk: Option<NonZeroUsize>,
        alphabet: Vec<String>,
        puzzle_column: Option<String>,
        answer_column: Option<String>,
        from_: Option<&str>,
        keep: Vec<String>,
        columns: Option<Vec<String>>,
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
            chunk,
            from: from_.map(input_format).transpose()?,
            alphabets: alphabet
                .iter()
                .map(|name| name.parse::<Alphabet>().map_err(|error| value_error(&error)))
                .collect::<PyResult<_>>()?,
            puzzle_column,
            answer_column,
            keep,
            columns,
        })
    }
}

/// The input format of a name.
fn input_format(name: &str) -> PyResult<InputFormat> {
    name.parse().map_err(|error| PyValueError::new_err(format!("from_: {error}")))
}

impl Settings {
    /// How a job is executed.
    pub(crate) fn execution(&self) -> Execution {
        let execution = Execution::new().threads(self.threads);
        match self.chunk {
            Some(records) => execution.chunk_size(records),
            None => execution,
        }
    }

    /// How files are read.
    pub(crate) fn input_options(&self, answer: AnswerColumn) -> InputOptions {
        InputOptions {
            format: self.from,
            alphabets: self.alphabets.clone(),
            puzzle_column: self.puzzle_column.clone(),
            answer,
            keep: self.keep.clone(),
        }
    }

    /// How puzzles are read that others are compared with: nothing of them is copied.
    pub(crate) fn reference_options(&self) -> InputOptions {
        InputOptions { keep: vec![], ..self.input_options(AnswerColumn::Ignored) }
    }

    /// The alphabet that puzzles of a size are printed in.
    pub(crate) fn alphabet_for_printing(&self, order: Order) -> Alphabet {
        self.alphabets.iter().copied().collect::<Alphabets>().for_printing(order)
    }

    /// The column with the answers of a job that judges them.
    pub(crate) fn answer(&self) -> AnswerColumn {
        self.answer_column.clone().map_or(AnswerColumn::ByName, AnswerColumn::Named)
    }

    /// The same options with other columns of the result.
    pub(crate) fn with_columns(&self, columns: Vec<String>) -> Settings {
        Settings { columns: Some(columns), ..self.clone() }
    }

    /// Whether any argument names a column of a table.
    pub(crate) fn names_columns(&self) -> bool {
        self.puzzle_column.is_some() || self.answer_column.is_some() || !self.keep.is_empty()
    }
}

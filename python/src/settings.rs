//! The options for executing a job, reading its input and choosing its columns, as the Python functions pass them.

use std::num::NonZeroUsize;

use gridmill::EngineKind;
use gridmill::engine::MaxBranches;
use gridmill::format::{Alphabet, Alphabets, AnswerColumn, Blank, InputFormat, InputOptions};
use gridmill::jobs::Execution;
use gridmill::puzzle::Size;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::values::{parsed, parsed_if_any};

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
    blank: Option<Blank>,
    puzzle_column: Option<String>,
    answer_column: Option<String>,
    response_column: Option<String>,
    state_column: Option<String>,
    pub(crate) keep: Vec<String>,
    pub(crate) columns: Option<Vec<String>>,
}

#[pymethods]
impl Settings {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "each is an argument of the Python functions")]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (
        *, engine = "auto", max_branches = "default", threads = None, chunk = None, alphabet = vec![], blank = None,
        puzzle_column = None, answer_column = None, response_column = None, state_column = None, from_ = None,
        keep = vec![], columns = None
    ))]
    fn new(
        engine: &str,
        max_branches: &str,
        threads: Option<usize>,
        chunk: Option<NonZeroUsize>,
        alphabet: Vec<String>,
        blank: Option<&str>,
        puzzle_column: Option<String>,
        answer_column: Option<String>,
        response_column: Option<String>,
        state_column: Option<String>,
        from_: Option<&str>,
        keep: Vec<String>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Settings> {
        let threads = threads.unwrap_or_else(|| Execution::new().thread_count());
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err(format!("threads must be from 1 to 1024, not {threads}")));
        }
        Ok(Settings {
            engine: parsed("engine", engine)?,
            max_branches: parsed("max_branches", max_branches)?,
            threads,
            chunk,
            from: parsed_if_any("from_", from_)?,
            alphabets: alphabet.iter().map(|name| parsed("alphabet", name)).collect::<PyResult<_>>()?,
            blank: parsed_if_any("blank", blank)?,
            puzzle_column,
            answer_column,
            response_column,
            state_column,
            keep,
            columns,
        })
    }
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

    /// How files are read for a job that copies columns to its rows.
    pub(crate) fn input_options(&self, answer: AnswerColumn) -> InputOptions {
        self.options(answer, self.keep.clone())
    }

    /// How files are read for a job that reads some columns, and copies nothing to rows.
    pub(crate) fn options(&self, answer: AnswerColumn, columns: Vec<String>) -> InputOptions {
        InputOptions {
            format: self.from,
            alphabets: self.alphabets.clone(),
            blank: self.blank,
            puzzle_column: self.puzzle_column.clone(),
            answer,
            keep: columns,
            reads_others: false,
        }
    }

    /// The options for reading only puzzles, such as those that the puzzles of a job are compared with.
    pub(crate) fn puzzle_options(&self) -> InputOptions {
        self.options(AnswerColumn::Ignored, vec![])
    }

    /// The options for reading other files that are compared: with answers, and all other columns.
    pub(crate) fn reference_options(&self) -> InputOptions {
        InputOptions { reads_others: true, ..self.options(AnswerColumn::ByName, vec![]) }
    }

    /// The alphabet that puzzles of a size are printed in.
    pub(crate) fn alphabet_for_printing(&self, size: Size) -> Alphabet {
        self.alphabets.iter().copied().collect::<Alphabets>().for_printing(size)
    }

    /// The column with the answers of a job that judges them.
    pub(crate) fn answer(&self) -> AnswerColumn {
        self.answer_column.clone().map_or(AnswerColumn::ByName, AnswerColumn::Named)
    }

    /// The column with the answers of a job that scores them.
    pub(crate) fn response(&self) -> AnswerColumn {
        self.response_column.clone().map_or(AnswerColumn::Response, AnswerColumn::Named)
    }

    /// The column with the states of a job that looks at them; without one, these are the puzzles.
    pub(crate) fn state(&self) -> AnswerColumn {
        self.state_column.clone().map_or(AnswerColumn::Ignored, AnswerColumn::Named)
    }

    /// The same options with other columns of the result.
    pub(crate) fn with_columns(&self, columns: Vec<String>) -> Settings {
        Settings { columns: Some(columns), ..self.clone() }
    }

    /// Whether any argument names a column of a table.
    pub(crate) fn names_columns(&self) -> bool {
        let columns = [&self.puzzle_column, &self.answer_column, &self.response_column, &self.state_column];
        columns.into_iter().any(Option::is_some) || !self.keep.is_empty()
    }
}

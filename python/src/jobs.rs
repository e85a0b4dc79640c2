//! The jobs of `gridmill`'s functions, on puzzles in memory and on files.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gridmill::engine::Limit;
use gridmill::engine::solver::Question;
use gridmill::format::AnswerColumn;
use gridmill::jobs::generate::{GenerateEvent, Target};
use gridmill::jobs::rate::RateRows;
use gridmill::jobs::{Augment, Canon, Generate, Rate, Solve, Validate};
use gridmill::puzzle::{IsomorphKind, Order};
use gridmill::rating::ParseDifficultyError;
use gridmill::resume::OutputTarget;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{generate_error, job_error, value_error};
use crate::input::{Puzzles, check_no_names};
use crate::interrupt::{self, Progress};
use crate::output::Output;
use crate::row_job::{Rows, WritesRows, collect, json, one_by_one, open, table, write};
use crate::settings::Settings;
use crate::single::Single;

/// A job with rows for puzzles that are given.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Job(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Solve(Solve),
    Rate(Rate),
    Canon(Canon),
    Augment(Augment),
    Validate(Checks),
}

/// What `validate` looks for beside the solutions and the answers.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an argument of the Python function")]
struct Checks {
    minimal: bool,
    duplicates: bool,
    isomorphs: bool,
    classes: bool,
}

#[pymethods]
impl Job {
    /// Solves puzzles, or counts their solutions.
    #[staticmethod]
    #[pyo3(signature = (*, limit, first))]
    fn solve(limit: NonZeroU64, first: bool) -> Job {
        // A count that stops at one solution would call every puzzle unique.
        let is_first = first || limit.get() == 1;
        let question = if is_first { Question::First } else { Question::Count(Limit::new(limit)) };
        Job(Kind::Solve(Solve::new().question(question)))
    }

    /// Rates puzzles: a row for each, or with `steps` one for each step.
    #[staticmethod]
    #[pyo3(signature = (*, max_er, isomorphs = None, seed = 0, only = None, steps = false))]
    fn rate(
        max_er: Option<&str>,
        isomorphs: Option<NonZeroU32>,
        seed: u64,
        only: Option<&str>,
        steps: bool,
    ) -> PyResult<Job> {
        if steps && (only.is_some() || isomorphs.is_some()) {
            return Err(PyValueError::new_err(
                "only and isomorphs are for puzzles, and steps gives a row for each step",
            ));
        }
        let rows = match only {
            None if steps => RateRows::Steps,
            None => RateRows::Puzzles,
            Some("er") => RateRows::Er,
            Some(other) => return Err(PyValueError::new_err(format!("only must be 'er' or None, not '{other}'"))),
        };
        let mut job = Rate::new().rows(rows);
        if let Some(max_er) = max_er {
            job = job.max_er(max_er.parse().map_err(|error: ParseDifficultyError| value_error(&error))?);
        }
        if let Some(isomorphs) = isomorphs {
            job = job.isomorphs(isomorphs, seed);
        }
        Ok(Job(Kind::Rate(job)))
    }

    /// Finds the canonical forms of puzzles.
    #[staticmethod]
    fn canonical() -> Job {
        Job(Kind::Canon(Canon::new()))
    }

    /// Draws random isomorphs of puzzles; no `kind` is all of them.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (copies, *, seed, kind, original, origin, unchecked))]
    fn augment(
        copies: usize,
        seed: u64,
        kind: Vec<String>,
        original: bool,
        origin: bool,
        unchecked: bool,
    ) -> PyResult<Job> {
        let mut job = Augment::new(copies).seed(seed).original(original).origin(origin).unchecked(unchecked);
        if !kind.is_empty() {
            job = job.kinds(kind.iter().map(|name| isomorph_kind(name)).collect::<PyResult<Vec<_>>>()?);
        }
        Ok(Job(Kind::Augment(job)))
    }

    /// Gives verdicts on puzzles and the answers beside them.
    #[staticmethod]
    #[pyo3(signature = (*, minimal, duplicates, isomorphs, classes))]
    #[expect(clippy::fn_params_excessive_bools, reason = "they are given by name")]
    fn validate(minimal: bool, duplicates: bool, isomorphs: bool, classes: bool) -> Job {
        Job(Kind::Validate(Checks { minimal, duplicates, isomorphs, classes }))
    }

    /// The rows of puzzles in memory, and the report as JSON. Only `validate` takes answers and other puzzles.
    #[pyo3(signature = (puzzles, settings, *, progress = None, answers = None, against = None))]
    fn table(
        &self,
        py: Python<'_>,
        puzzles: &Bound<'_, PyAny>,
        settings: &Settings,
        progress: Progress<'_, '_>,
        answers: Option<&Bound<'_, PyAny>>,
        against: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Rows> {
        let puzzles = Puzzles::new(puzzles, settings)?;
        let corpus = match answers {
            Some(answers) => puzzles.corpus_with_answers(Puzzles::new(answers, settings)?, settings)?,
            None => puzzles.corpus(settings, self.answer_column(settings))?,
        };
        match self.0.clone() {
            Kind::Solve(job) => table(py, job, corpus, settings, progress),
            Kind::Rate(job) => table(py, job, corpus, settings, progress),
            Kind::Canon(job) => table(py, job, corpus, settings, progress),
            Kind::Augment(job) => table(py, job, corpus, settings, progress),
            Kind::Validate(checks) => {
                let mut job = checks.job();
                if let Some(against) = against {
                    job = job.against(Puzzles::new(against, settings)?.reference_corpus(settings)?);
                }
                table(py, job, corpus, settings, progress)
            }
        }
    }

    /// Makes rows of single puzzles, which have these columns; `answers` says whether answers are given with them.
    #[pyo3(signature = (settings, columns, *, answers))]
    fn single(&self, settings: &Settings, columns: Vec<String>, answers: bool) -> PyResult<Single> {
        check_no_names(settings)?;
        let (kind, settings) = (self.0.clone(), settings.with_columns(columns));
        Single::new(Box::new(move |execution| match kind.clone() {
            Kind::Solve(job) => one_by_one(job, &settings, answers, execution),
            Kind::Rate(job) => one_by_one(job, &settings, answers, execution),
            Kind::Canon(job) => one_by_one(job, &settings, answers, execution),
            Kind::Augment(job) => one_by_one(job, &settings, answers, execution),
            Kind::Validate(checks) => one_by_one(checks.job(), &settings, answers, execution),
        }))
    }

    /// Writes the rows of files to a file; returns the report as JSON. Only `validate` takes other files and copies records.
    #[expect(clippy::too_many_arguments, reason = "each is an argument of a Python function")]
    #[pyo3(signature = (inputs, settings, output, *, progress = None, against = vec![], accepts = None, rejects = None))]
    fn write(
        &self,
        py: Python<'_>,
        inputs: Vec<PathBuf>,
        settings: &Settings,
        output: &Output,
        progress: Progress<'_, '_>,
        against: Vec<PathBuf>,
        accepts: Option<PathBuf>,
        rejects: Option<PathBuf>,
    ) -> PyResult<String> {
        let corpus = || open(inputs, settings.input_options(self.answer_column(settings)));
        match self.0.clone() {
            Kind::Solve(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Rate(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Canon(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Augment(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Validate(checks) => {
                let job = || {
                    let mut job = checks.job();
                    if !against.is_empty() {
                        job = job.against(open(against, settings.reference_options())?);
                    }
                    if let Some(path) = accepts {
                        job = job.accepts(OutputTarget::file(path));
                    }
                    if let Some(path) = rejects {
                        job = job.rejects(OutputTarget::file(path));
                    }
                    Ok(job)
                };
                write(py, job, corpus, settings, output, progress)
            }
        }
    }
}

impl Job {
    /// The column of a table with the answers that the job takes.
    fn answer_column(&self, settings: &Settings) -> AnswerColumn {
        match self.0 {
            Kind::Validate(_) | Kind::Augment(_) => settings.answer(),
            Kind::Solve(_) | Kind::Rate(_) | Kind::Canon(_) => AnswerColumn::Ignored,
        }
    }
}

impl Checks {
    fn job(self) -> Validate {
        let Checks { minimal, duplicates, isomorphs, classes } = self;
        Validate::new().minimal(minimal).duplicates(duplicates).isomorphs(isomorphs).classes(classes)
    }
}

fn isomorph_kind(name: &str) -> PyResult<IsomorphKind> {
    IsomorphKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names = IsomorphKind::ALL.map(IsomorphKind::name).join(", ");
        PyValueError::new_err(format!("no kind of isomorphs is called '{name}'; there are {names}"))
    })
}

/// The job that makes puzzles.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Generator(Generate);

#[pymethods]
impl Generator {
    #[new]
    #[pyo3(signature = (count, *, seed, skip, clues, order, with_solution, distinct))]
    fn new(
        count: u64,
        seed: u64,
        skip: u64,
        clues: Option<usize>,
        order: usize,
        with_solution: bool,
        distinct: bool,
    ) -> PyResult<Generator> {
        let order = Order::ALL
            .into_iter()
            .find(|size| size.get() == order)
            .ok_or_else(|| PyValueError::new_err(format!("order must be 2, 3, 4 or 5, not {order}")))?;
        let target = clues.map_or(Target::Minimal, Target::Clues);
        let job = Generate::new(count).seed(seed).skip(skip).order(order).target(target);
        Ok(Generator(job.solutions(with_solution).distinct(distinct)))
    }

    /// The puzzles in memory, and the report as JSON.
    #[pyo3(signature = (settings, *, progress = None))]
    fn table(&self, py: Python<'_>, settings: &Settings, progress: Progress<'_, '_>) -> PyResult<Rows> {
        let job = self.0.clone().with_settings(settings);
        let schema = job.table_schema().map_err(job_error)?;
        collect(py, schema, settings, progress, |each, execution, made| {
            Ok(counted(job, made).run_table(each, execution).map_err(generate_error)?.report)
        })
    }

    /// Writes the puzzles to a file; returns the report as JSON.
    #[pyo3(signature = (settings, output, *, progress = None))]
    fn write(
        &self,
        py: Python<'_>,
        settings: &Settings,
        output: &Output,
        progress: Progress<'_, '_>,
    ) -> PyResult<String> {
        let job = self.0.clone().with_settings(settings).with_output(output);
        let report = interrupt::run(py, settings, progress, |execution, made| {
            Ok(counted(job, made).run_to(&output.target, execution).map_err(generate_error)?.report)
        })?;
        Ok(json(&report))
    }
}

/// The job that adds the puzzles that it has made to a counter.
fn counted(job: Generate, made: &Arc<AtomicU64>) -> Generate {
    let made = Arc::clone(made);
    job.observer(move |event| {
        if let GenerateEvent::Generated { puzzles } = event {
            made.fetch_add(puzzles as u64, Ordering::Relaxed);
        }
    })
}

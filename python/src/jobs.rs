//! The jobs on puzzles in memory.

use std::io;
use std::num::NonZeroU32;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use gridmill::format::AnswerColumn;
use gridmill::jobs::generate::{Content, Target};
use gridmill::jobs::rate::RateRows;
use gridmill::jobs::{Canon, Execution, Generate, Rate, Solve};
use gridmill::pipeline::Stop;
use gridmill::puzzle::Order;
use gridmill::rating::ParseDifficultyError;
use gridmill::rows::Column;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::batches::Batches;
use crate::errors::{generate_error, job_error, value_error};
use crate::input::Puzzles;
use crate::interrupt;
use crate::isomorphs::Isomorphs;
use crate::settings::{Checks, Settings, question};

/// Rows and a summary as JSON.
type Rows = (Batches, String);

/// About so many rows are in a batch of isomorphs.
const BATCH: usize = 1 << 14;

/// Solves puzzles; only some columns are made if `columns` names them.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    limit: u64,
    first: bool,
    columns: Option<Vec<String>>,
    settings: &Settings,
) -> PyResult<Rows> {
    let mut job = solver(settings).question(question(limit, first)?);
    if let Some(names) = columns {
        let columns: Result<Vec<Column>, _> = names.iter().map(|name| name.parse()).collect();
        job = job.columns(columns.map_err(|error| value_error(&error))?);
    }
    let corpus = Puzzles::new(puzzles, settings)?.corpus(settings, AnswerColumn::Ignored)?;
    let schema = job.table_schema(&corpus).map_err(job_error)?;
    collect(py, settings, schema, |batches, execution| {
        let finished = job.run_table(corpus, into(batches), execution).map_err(job_error)?;
        Ok(finished.report)
    })
}

/// Validates puzzles, and the answers beside them.
#[pyfunction]
pub(crate) fn validate(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    answers: Option<&Bound<'_, PyAny>>,
    against: Option<&Bound<'_, PyAny>>,
    checks: &Checks,
    settings: &Settings,
) -> PyResult<Rows> {
    let mut job = checks.job(settings);
    if let Some(against) = against {
        job = job.against(Puzzles::new(against, settings)?.reference_corpus(settings)?);
    }
    let puzzles = Puzzles::new(puzzles, settings)?;
    let corpus = match answers {
        Some(answers) => puzzles.corpus_with_answers(Puzzles::new(answers, settings)?, settings)?,
        None => puzzles.corpus(settings, settings.answer())?,
    };
    let schema = job.table_schema(&corpus).map_err(job_error)?;
    collect(py, settings, schema, |batches, execution| {
        let finished = job.run_table(corpus, into(batches), execution).map_err(job_error)?;
        Ok(finished.report)
    })
}

/// Finds the canonical forms of puzzles.
#[pyfunction]
pub(crate) fn canonical(py: Python<'_>, puzzles: &Bound<'_, PyAny>, settings: &Settings) -> PyResult<Rows> {
    let job = Canon::new().engine(settings.engine).max_branches(settings.max_branches);
    let corpus = Puzzles::new(puzzles, settings)?.corpus(settings, AnswerColumn::Ignored)?;
    let schema = job.table_schema(&corpus);
    collect(py, settings, schema, |batches, execution| {
        let finished = job.run_table(corpus, into(batches), execution).map_err(job_error)?;
        Ok(finished.report.map(|report| {
            let counts = report.counts;
            CanonSummary {
                unique: counts.unique,
                clues: counts.clues,
                undecided: counts.undecided,
                out_of_bound: counts.out_of_bound,
                other_sizes: counts.other_sizes,
                malformed: counts.malformed,
                wall_seconds: report.wall.as_secs_f64(),
            }
        }))
    })
}

/// Rates puzzles: a row for each, or with `steps` one for each step.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is an argument of the Python function")]
pub(crate) fn rate(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    max_er: Option<&str>,
    only_er: bool,
    isomorphs: Option<NonZeroU32>,
    seed: u64,
    steps: bool,
    settings: &Settings,
) -> PyResult<Rows> {
    let rows = match (steps, only_er) {
        (true, _) => RateRows::Steps,
        (false, true) => RateRows::Er,
        (false, false) => RateRows::Puzzles,
    };
    let mut job = Rate::new().rows(rows).engine(settings.engine).max_branches(settings.max_branches);
    if let Some(max_er) = max_er {
        job = job.max_er(max_er.parse().map_err(|error: ParseDifficultyError| value_error(&error))?);
    }
    if let Some(isomorphs) = isomorphs {
        job = job.isomorphs(isomorphs, seed);
    }
    let corpus = Puzzles::new(puzzles, settings)?.corpus(settings, AnswerColumn::Ignored)?;
    let schema = job.table_schema(&corpus).map_err(job_error)?;
    collect(py, settings, schema, |batches, execution| {
        let finished = job.run_table(corpus, into(batches), execution).map_err(job_error)?;
        Ok(finished.report)
    })
}

/// Generates puzzles.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    count: u64,
    seed: u64,
    clues: Option<usize>,
    order: usize,
    solutions: bool,
    settings: &Settings,
) -> PyResult<Rows> {
    let order = Order::ALL
        .into_iter()
        .find(|size| size.get() == order)
        .ok_or_else(|| PyValueError::new_err(format!("order must be 2, 3, 4 or 5, not {order}")))?;
    let job = Generate::new(count)
        .seed(seed)
        .order(order)
        .target(clues.map_or(Target::Minimal, Target::Clues))
        .content(if solutions { Content::PuzzlesWithSolutions } else { Content::Puzzles })
        .engine(settings.engine)
        .max_branches(settings.max_branches);
    let schema = job.table_schema();
    collect(py, settings, schema, |batches, execution| {
        let finished = job.run_table(into(batches), execution).map_err(generate_error)?;
        Ok(finished.report)
    })
}

/// Solves puzzles, and draws random isomorphs of each.
#[pyfunction]
pub(crate) fn isomorphs(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    copies: usize,
    seed: u64,
    settings: &Settings,
) -> PyResult<Rows> {
    let job = solver(settings).columns(Isomorphs::COLUMNS);
    let corpus = Puzzles::new(puzzles, settings)?.corpus(settings, AnswerColumn::Ignored)?;
    let mut isomorphs = Isomorphs::new(copies, seed);
    let mut batches = Vec::new();
    let mut draw = |solved: &RecordBatch, stop: &Stop| -> Result<(), ArrowError> {
        let step = (BATCH / copies.max(1)).max(1);
        for start in (0..solved.num_rows()).step_by(step) {
            if stop.is_triggered() {
                break;
            }
            batches.push(isomorphs.rows(&solved.slice(start, step.min(solved.num_rows() - start)))?);
        }
        Ok(())
    };
    let finished = interrupt::run(py, settings.threads, None, |execution, stop| {
        job.run_table(corpus, |solved| draw(&solved, stop).map_err(io::Error::other), execution).map_err(job_error)
    })?;
    Ok((Batches::new(Isomorphs::schema(), batches), json(&finished.report)))
}

/// Runs a job that collects its rows, and returns these with its report.
fn collect<R: Serialize + Send>(
    py: Python<'_>,
    settings: &Settings,
    schema: SchemaRef,
    job: impl FnOnce(&mut Vec<RecordBatch>, &Execution) -> PyResult<R> + Send,
) -> PyResult<Rows> {
    let mut batches = Vec::new();
    let report = interrupt::run(py, settings.threads, None, |execution, _| job(&mut batches, execution))?;
    Ok((Batches::new(schema, batches), json(&report)))
}

/// Appends batches to a list.
fn into(batches: &mut Vec<RecordBatch>) -> impl FnMut(RecordBatch) -> io::Result<()> + Send {
    |batch| {
        batches.push(batch);
        Ok(())
    }
}

/// The job that the settings describe.
pub(crate) fn solver(settings: &Settings) -> Solve {
    Solve::new().engine(settings.engine).max_branches(settings.max_branches)
}

/// The report of a job as JSON; a job that was not stopped has one.
pub(crate) fn json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("a report has no keys that are not text")
}

/// The counts of canonical forms.
#[derive(Serialize)]
struct CanonSummary {
    unique: u64,
    clues: u64,
    undecided: u64,
    out_of_bound: u64,
    other_sizes: u64,
    malformed: u64,
    wall_seconds: f64,
}

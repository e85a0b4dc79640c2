//! Compares the speed of engines, after checking their answers.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::ArrowError;
use gridmill::EngineKind;
use gridmill::cli::bench::{BenchEvent, BenchOptions, BenchResult, PuzzleSet, SetError, Solvers, write_puzzle_times};
use gridmill::corpus::Origin;
use gridmill::engine::Limit;
use gridmill::format::InputOptions;
use gridmill::jobs::Execution;
use gridmill::output::{OutputTarget, ReservedFile};
use gridmill::pipeline::Stop;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use crate::batches::Batches;
use crate::errors::{arrow_error, check_error, corpus_error, output_error, timing_error, value_error};
use crate::input::Puzzles;
use crate::interrupt;
use crate::row_job::{self, TableAndReport, check_files};
use crate::settings::Settings;
use crate::values::{parsed, wrong};

/// A comparison of engines.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Bench {
    engines: Vec<EngineKind>,
    threads: Vec<u16>,
    budget: Duration,
    limit: Limit,
    reference: Option<String>,
    shuffle: Option<u64>,
    isomorphs: Option<u64>,
    top: usize,
}

/// The report of a comparison, as `gridmill bench --export FILE.json` writes it.
#[derive(Serialize)]
struct Report {
    options: BenchOptions,
    /// The engines that were timed only on a random sample of a set, because they need too long for all of it.
    limited: Vec<LimitedSet>,
    rows: Vec<BenchResult>,
    wall_seconds: f64,
}

#[derive(Clone, Serialize)]
struct LimitedSet {
    file: String,
    solver: String,
    timed: usize,
    puzzles: usize,
}

#[pymethods]
impl Bench {
    /// No `engines` are all of them. `seconds` is about how long each of them is timed on each set.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "each is an argument of the Python function")]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (
        *,
        engines = vec![],
        threads = vec![1],
        seconds = 2.0,
        limit = None,
        reference = None,
        shuffle = None,
        isomorphs = None,
        top = 0,
    ))]
    fn new(
        engines: Vec<String>,
        threads: Vec<u16>,
        seconds: f64,
        limit: Option<NonZeroU64>,
        reference: Option<String>,
        shuffle: Option<u64>,
        isomorphs: Option<u64>,
        top: usize,
    ) -> PyResult<Bench> {
        let engines = engines.iter().map(|name| parsed("engines", name)).collect::<PyResult<Vec<_>>>()?;
        if threads.is_empty() || threads.iter().any(|number| !(1..=1024).contains(number)) {
            return Err(PyValueError::new_err("threads must be numbers from 1 to 1024"));
        }
        let most = 86_400.0;
        if !(0.0..=most).contains(&seconds) {
            return Err(PyValueError::new_err(format!("seconds must be from 0 to {most}, not {seconds}")));
        }
        let engines = if engines.is_empty() { EngineKind::COMPARED.to_vec() } else { engines };
        let (budget, limit) = (Duration::from_secs_f64(seconds), limit.map_or(Limit::UNIQUE, Limit::new));
        Ok(Bench { engines, threads, budget, limit, reference, shuffle, isomorphs, top })
    }

    /// The engines on puzzles in memory. The times of single puzzles and all disagreements can be written to files.
    #[pyo3(signature = (puzzles, settings, *, times = None, disagreements = None))]
    fn table(
        &self,
        py: Python<'_>,
        puzzles: &Bound<'_, PyAny>,
        settings: &Settings,
        times: Option<PathBuf>,
        disagreements: Option<PathBuf>,
    ) -> PyResult<TableAndReport> {
        let corpus = Puzzles::new(puzzles, settings)?.only_puzzles(settings).corpus()?;
        let read = || Ok(vec![PuzzleSet::of_corpus(corpus).map_err(set_error)?]);
        self.run(py, settings, read, &[], times, disagreements)
    }

    /// The engines on each of some files.
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (inputs, settings, *, times = None, disagreements = None))]
    fn files(
        &self,
        py: Python<'_>,
        inputs: Vec<PathBuf>,
        settings: &Settings,
        times: Option<PathBuf>,
        disagreements: Option<PathBuf>,
    ) -> PyResult<TableAndReport> {
        let options: InputOptions = settings.puzzle_options();
        let read = || {
            let set = |path: &PathBuf| {
                PuzzleSet::read(Origin::File(path.clone()), options.clone(), Box::new(|_, _| ())).map_err(set_error)
            };
            inputs.iter().map(set).collect()
        };
        self.run(py, settings, read, &inputs, times, disagreements)
    }
}

impl Bench {
    fn run(
        &self,
        py: Python<'_>,
        settings: &Settings,
        read: impl FnOnce() -> PyResult<Vec<PuzzleSet>> + Send,
        inputs: &[PathBuf],
        times: Option<PathBuf>,
        disagreements: Option<PathBuf>,
    ) -> PyResult<TableAndReport> {
        let times = times.map(|path| table_file("times", path)).transpose()?;
        let disagreements = disagreements.map(|path| table_file("disagreements", path)).transpose()?;
        let outputs = [("times", &times), ("disagreements", &disagreements)];
        let outputs: Vec<_> = outputs.into_iter().filter_map(|(name, target)| Some((name, target.as_ref()?))).collect();
        check_files(inputs, &outputs)?;

        let report = interrupt::run_until(py, Execution::new(), None, |_, stop| {
            let solvers = self.solvers(settings, stop)?;
            let sets: Vec<PuzzleSet> = read()?.iter().map(|set| self.changed(set)).collect();
            self.compare(solvers, &sets, times, disagreements)
        })?;
        Ok((batches(&report.rows).map_err(arrow_error)?, row_job::json(&report)))
    }

    fn solvers(&self, settings: &Settings, stop: &Stop) -> PyResult<Solvers> {
        let solvers = Solvers::of_engines(&self.engines, &self.threads, settings.max_branches, stop);
        let solvers = solvers.map_err(|error| value_error(&error))?;
        match &self.reference {
            Some(name) => solvers.reference(name).map_err(|error| wrong("reference", &error)),
            None => Ok(solvers),
        }
    }

    /// Isomorphs of the puzzles, or these in another order, if that is wanted.
    fn changed(&self, set: &PuzzleSet) -> PuzzleSet {
        let set = self.isomorphs.map_or_else(|| set.clone(), |seed| set.isomorphs(seed));
        self.shuffle.map_or_else(|| set.clone(), |seed| set.shuffled(seed))
    }

    /// Checks and times the engines.
    fn compare(
        &self,
        solvers: Solvers,
        sets: &[PuzzleSet],
        times: Option<OutputTarget>,
        disagreements: Option<OutputTarget>,
    ) -> PyResult<Report> {
        let start = Instant::now();
        let reserve = |target: Option<OutputTarget>| target.map(ReservedFile::new).transpose();
        let disagreements = reserve(disagreements).map_err(|error| output_error(&error))?;
        let mut job = gridmill::cli::bench::Bench::new(solvers)
            .limit(self.limit)
            .budget(self.budget)
            .disagreements(disagreements);
        let limited: Arc<Mutex<Vec<LimitedSet>>> = Arc::default();
        let observe = |event: BenchEvent<'_>| {
            if let BenchEvent::Limited { set, contender, timed, puzzles, .. } = event {
                let limited_set = LimitedSet { file: set.to_owned(), solver: contender.to_owned(), timed, puzzles };
                limited.lock().expect("nothing panics with it").push(limited_set);
            }
        };
        let sets = job.check(sets, &observe).map_err(check_error)?;
        let file_of_times = reserve(times).map_err(|error| output_error(&error))?;
        let measured = job.time(&sets, &observe).map_err(|error| timing_error(&error))?;
        if let Some(file) = file_of_times {
            write_puzzle_times(file, &measured).map_err(|error| output_error(&error))?;
        }

        Ok(Report {
            options: job.options(self.shuffle, self.isomorphs),
            limited: limited.lock().expect("nothing panics with it").clone(),
            rows: BenchResult::of_sets(&measured, job.solvers(), self.top),
            wall_seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// The rows as a table, with the columns of the CSV of `gridmill bench --export`. Only decimals can be missing of an engine.
fn batches(results: &[BenchResult]) -> Result<Batches, ArrowError> {
    let (text, rows) = (BenchResult::csv(results), json!(results));
    let column = |name| -> ArrayRef {
        let values = || rows.as_array().into_iter().flatten().map(|row| &row[name]);
        if values().all(Value::is_string) {
            Arc::new(values().map(Value::as_str).collect::<StringArray>())
        } else if values().all(Value::is_u64) {
            Arc::new(values().map(Value::as_u64).collect::<UInt64Array>())
        } else {
            Arc::new(values().map(Value::as_f64).collect::<Float64Array>())
        }
    };
    let names = text.lines().next().unwrap_or_default().split(',');
    let batch = RecordBatch::try_from_iter_with_nullable(names.map(|name| (name, column(name), true)))?;
    Ok(Batches::new(batch.schema(), vec![batch]))
}

/// A file for a table with columns.
fn table_file(argument: &str, path: PathBuf) -> PyResult<OutputTarget> {
    let target = OutputTarget::file(path);
    if !target.is_table() {
        return Err(PyValueError::new_err(format!("{argument}: its name should end in .csv, .jsonl or .parquet")));
    }
    Ok(target)
}

/// The exception for puzzles that cannot be timed.
fn set_error(error: SetError) -> PyErr {
    match error {
        SetError::Corpus(error) => corpus_error(&error),
        error => value_error(&error),
    }
}

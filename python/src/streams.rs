//! Streams of training data: copies of puzzles in memory, and puzzles that a thread makes.

use std::fmt;
use std::io::Read;
use std::mem;
use std::num::{NonZeroU64, NonZeroUsize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process;

use gridmill::jobs::augment::ExampleSet;
use gridmill::jobs::generate::{BatchNumbers, PuzzleBatches};
use gridmill::jobs::{Augment, Convert, Generate};
use gridmill::output::sha256;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyType};

use crate::batches::Batches;
use crate::errors::{corpus_error, job_error};
use crate::input::Puzzles;
use crate::interrupt::{self, POLL, Progress, bug};
use crate::jobs::kinds_of;
use crate::row_job::{json, open, table, with_settings};
use crate::settings::Settings;
use crate::values::named;

/// Puzzles with their answers in memory, for making copies.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Examples(ExampleSet);

/// The arguments of [`Examples::new`].
type State<'py> = (&'static str, u64, Vec<&'static str>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, String);

/// The SHA-256 of a state.
fn sum(size: &str, seed: u64, kind: &[impl fmt::Debug], numbers: &[u8], cells: &[u8]) -> String {
    let options = format!("{size} {seed} {kind:?} {}", numbers.len());
    sha256(options.as_bytes().chain(numbers).chain(cells)).expect("memory can be read").1
}

#[pymethods]
impl Examples {
    /// Reads puzzles in memory, or files, and solves those without answers. Returns the report as JSON, too, and the columns
    /// to keep of all records.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (
        puzzles, settings, *, seed = 0, kind = vec![], progress = None, answers = None
    ))]
    fn read(
        py: Python<'_>,
        puzzles: &Bound<'_, PyAny>,
        settings: &Settings,
        seed: u64,
        kind: Vec<String>,
        progress: Progress<'_, '_>,
        answers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Examples, String, Option<Batches>)> {
        let job = with_settings(Augment::new(0).seed(seed).kinds(kinds_of(&kind)?), settings);
        let corpus = match (puzzles.extract::<PathBuf>(), answers) {
            (Ok(file), _) => open(vec![file], settings.input_options(settings.answer()))?,
            (Err(_), Some(answers)) => {
                let answers = Puzzles::new(answers, settings)?;
                Puzzles::new(puzzles, settings)?.with_answers(answers, "answer", settings)?.corpus()?
            }
            (Err(_), None) => {
                let records = Puzzles::new(puzzles, settings)?.records(settings, settings.answer(), &[])?;
                if settings.keep.is_empty() { records.corpus()? } else { records.table(py)? }
            }
        };
        let kept = if settings.keep.is_empty() {
            None
        } else {
            let again = corpus.open_again().map_err(|error| corpus_error(&error))?;
            Some(table(py, Convert::new(), again, &settings.with_columns(vec!["line".to_owned()]), None, None)?.0)
        };

        let (set, report) = interrupt::run(py, settings.execution(), progress, |execution| {
            job.examples(corpus, execution).map_err(job_error)
        })?;
        Ok((Examples(set), json(&report), kept))
    }

    /// Restores an object from the result of `__reduce__`. `numbers` are integers of eight bytes.
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    fn new(
        py: Python<'_>,
        size: &str,
        seed: u64,
        kind: Vec<String>,
        numbers: &[u8],
        cells: &[u8],
        sha256: &str,
    ) -> PyResult<Examples> {
        if sum(size, seed, &kind, numbers, cells) != sha256 {
            return Err(PyValueError::new_err("the saved stream is damaged: its puzzles do not have their checksum"));
        }
        let size = named("size", "size", size)?;
        let mut set = ExampleSet::new(size, &kinds_of(&kind)?, seed);
        py.detach(|| {
            let integer = |bytes: &[u8]| bytes.iter().rfold(0, |integer, byte| integer << 8 | u64::from(*byte));
            let numbers = numbers.chunks_exact(8).map(integer);
            numbers.zip(cells.chunks_exact(size.cells())).for_each(|(number, own)| set.add(number, own));
        });
        Ok(Examples(set))
    }

    /// For pickle.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, State<'py>) {
        let set = &self.0;
        let (size, seed, cells) = (set.size().into(), set.seed(), set.cells());
        let kind: Vec<&str> = set.kinds().iter().map(Into::into).collect();
        let numbers: Vec<u8> = set.numbers().flat_map(u64::to_le_bytes).collect();
        let sum = sum(size, seed, &kind, &numbers, cells);
        (py.get_type::<Examples>(), (size, seed, kind, PyBytes::new(py, &numbers), PyBytes::new(py, cells), sum))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The numbers of the records from 1, as integers of eight bytes.
    fn numbers<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.numbers().flat_map(u64::to_ne_bytes).collect::<Vec<_>>())
    }

    /// The indices of the puzzles at `count` positions of an epoch from `first` on, as integers of eight bytes.
    fn indices<'py>(
        &self,
        py: Python<'py>,
        epoch: u64,
        first: usize,
        count: usize,
        shuffle: bool,
    ) -> Bound<'py, PyBytes> {
        let epoch = self.0.epoch(epoch, shuffle);
        let indices = (first..first + count).flat_map(|position| (epoch.index(position) as u64).to_ne_bytes());
        PyBytes::new(py, &indices.collect::<Vec<_>>())
    }

    /// The copies of an epoch at `count` positions from `first` on: the cells of all puzzles, then the cells of their
    /// solutions.
    fn copies<'py>(
        &self,
        py: Python<'py>,
        epoch: u64,
        first: usize,
        count: usize,
        shuffle: bool,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let cells = count * self.0.size().cells();
        PyByteArray::new_with(py, 2 * cells, |bytes| {
            py.detach(|| {
                let (puzzles, solutions) = bytes.split_at_mut(cells);
                self.0.epoch(epoch, shuffle).write(first, puzzles, solutions);
            });
            Ok(())
        })
    }
}

/// Batches of puzzles that a thread makes ahead. It starts with the first batch that is taken, and once more in a process
/// that was forked after that, where it is missing.
#[pyclass(module = "gridmill._gridmill")]
pub(crate) struct GeneratedBatches {
    job: Generate,
    /// Those that were not taken.
    numbers: BatchNumbers,
    running: Option<Running>,
}

/// A thread that makes batches, and the process that it is in.
struct Running {
    batches: Option<PuzzleBatches>,
    process: u32,
}

impl Drop for Running {
    /// In another process, there is no thread to wait for.
    fn drop(&mut self) {
        if self.process != process::id() {
            mem::forget(self.batches.take());
        }
    }
}

#[pymethods]
impl GeneratedBatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The cells of the puzzles of the next batch, then the cells of their solutions.
    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyByteArray>>> {
        let GeneratedBatches { job, numbers, running } = self;
        let running = match running {
            Some(running) if running.process == process::id() => running,
            running => {
                let batches = job.batches(*numbers).map_err(job_error)?;
                running.insert(Running { batches: Some(batches), process: process::id() })
            }
        };
        loop {
            let Some(batches) = &mut running.batches else { return Ok(None) };
            let next = py.detach(|| catch_unwind(AssertUnwindSafe(|| batches.next_within(POLL))));
            match next.map_err(|panic| bug(panic.as_ref()))? {
                None => py.check_signals()?,
                Some(None) => return Ok(None),
                Some(Some(Err(error))) => return Err(job_error(error.into())),
                Some(Some(Ok(batch))) => {
                    numbers.first += numbers.step.get();
                    let cells = batch.puzzles.len();
                    return PyByteArray::new_with(py, 2 * cells, |bytes| {
                        bytes[..cells].copy_from_slice(&batch.puzzles);
                        bytes[cells..].copy_from_slice(&batch.solutions);
                        Ok(())
                    })
                    .map(Some);
                }
            }
        }
    }
}

impl GeneratedBatches {
    pub(crate) fn new(job: Generate, first: u64, step: NonZeroU64, size: NonZeroUsize) -> GeneratedBatches {
        GeneratedBatches { job, numbers: BatchNumbers { first, step, size }, running: None }
    }
}

impl fmt::Debug for GeneratedBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeneratedBatches").field("numbers", &self.numbers).finish_non_exhaustive()
    }
}

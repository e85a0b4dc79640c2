//! The row of one puzzle, made on the calling thread.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use gridmill::jobs::{Execution, JobError, OneByOne};
use gridmill::pipeline::Stop;
use gridmill::rows::Value;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyString, PyTuple};

use crate::errors::job_error;
use crate::interrupt::{POLL, bug};

/// How many questions whether to stop there are for each look at the clock: a search asks every microsecond or so.
const QUESTIONS: u32 = 16;

/// Makes rows of one puzzle at a time. Several threads may call it at once.
#[pyclass(frozen, module = "gridmill._gridmill")]
pub(crate) struct Single {
    make: Make,
    /// The workers that no call uses.
    idle: Mutex<Vec<Worker>>,
}

/// Makes the job of a worker.
pub(crate) type Make = Box<dyn Fn(&Execution) -> Result<OneByOne, JobError> + Send + Sync>;

/// A job with its memory, which one call uses at a time.
struct Worker {
    job: OneByOne,
    signals: Arc<Signals>,
}

/// Looks whether a signal handler raises an exception, such as for Ctrl-C. Python calls handlers on its main thread only, in
/// which a search may be.
struct Signals {
    questions: AtomicU32,
    has_raised: AtomicBool,
    look: Mutex<Look>,
}

/// The last look.
struct Look {
    time: Instant,
    raised: Option<PyErr>,
}

#[pymethods]
impl Single {
    /// The values of the columns for a puzzle and its answer.
    #[pyo3(signature = (puzzle, answer = None))]
    fn row<'py>(
        &self,
        py: Python<'py>,
        puzzle: &Bound<'py, PyString>,
        answer: Option<&Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A lone surrogate becomes `?`, as in a table.
        let (puzzle, answer) = (puzzle.to_string_lossy(), answer.map(|answer| answer.to_string_lossy()));
        let row = py.detach(|| self.values(&puzzle, answer.as_deref()))?;
        let values: Vec<_> = row.into_iter().map(|value| to_python(py, value)).collect::<PyResult<_>>()?;
        PyTuple::new(py, values)
    }
}

impl Single {
    /// With a first worker, so that options that contradict each other are found now.
    pub(crate) fn new(make: Make) -> PyResult<Single> {
        let first = Worker::new(&make)?;
        Ok(Single { make, idle: Mutex::new(vec![first]) })
    }

    fn values(&self, puzzle: &str, answer: Option<&str>) -> PyResult<Vec<Value>> {
        let idle = self.idle().pop();
        let mut worker = idle.map_or_else(|| Worker::new(&self.make), Ok)?;

        // A worker that panicked or was interrupted is not used again.
        let row = catch_unwind(AssertUnwindSafe(|| worker.job.row(puzzle, answer).map_err(job_error)));
        let row = row.unwrap_or_else(|panic| Err(bug(panic.as_ref())))?;
        if let Some(raised) = worker.signals.take() {
            return Err(raised);
        }
        self.idle().push(worker);
        Ok(row.expect("only signals stop it"))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Single").finish_non_exhaustive()
    }
}

impl Worker {
    fn new(make: &Make) -> PyResult<Worker> {
        let look = Look { time: Instant::now(), raised: None };
        let (questions, has_raised) = (AtomicU32::new(0), AtomicBool::new(false));
        let signals = Arc::new(Signals { questions, has_raised, look: Mutex::new(look) });
        let stop = Stop::with({
            let signals = Arc::clone(&signals);
            move || signals.have_raised()
        });
        let job = make(&Execution::new().threads(1).stop(stop)).map_err(job_error)?;
        Ok(Worker { job, signals })
    }
}

impl Signals {
    /// Whether a handler has raised an exception. Once it has, the answer stays.
    fn have_raised(&self) -> bool {
        if self.has_raised.load(Ordering::Relaxed) {
            return true;
        }
        if !self.questions.fetch_add(1, Ordering::Relaxed).is_multiple_of(QUESTIONS) {
            return false;
        }
        let mut look = self.look.lock().unwrap_or_else(PoisonError::into_inner);
        if look.time.elapsed() < POLL {
            return false;
        }
        let signals = |py: Python<'_>| py.check_signals();
        look.raised = Python::attach(signals).err();
        look.time = Instant::now();
        self.has_raised.store(look.raised.is_some(), Ordering::Relaxed);
        look.raised.is_some()
    }

    /// The exception.
    fn take(&self) -> Option<PyErr> {
        if !self.has_raised.load(Ordering::Relaxed) {
            return None;
        }
        self.look.lock().unwrap_or_else(PoisonError::into_inner).raised.take()
    }
}

/// A value as a Python object.
fn to_python(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    match value {
        Value::Number(number) => number.into_bound_py_any(py),
        Value::Decimal(number) => number.into_bound_py_any(py),
        Value::Text(text) => text.into_bound_py_any(py),
        Value::Texts(texts) => Ok(PyTuple::new(py, texts)?.into_any()),
        Value::Numbers(numbers) => Ok(PyTuple::new(py, numbers)?.into_any()),
        Value::Counts(counts) => Ok(counts.into_py_dict(py)?.into_any()),
        _ => Ok(py.None().into_bound(py)),
    }
}

//! Runs a job on another thread, while the calling thread listens to Ctrl-C and reports progress.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use gridmill::jobs::{Event, Execution};
use gridmill::pipeline::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may have to wait for a look at it.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// What is called with the number of records that are done since the last call, if anything is.
pub(crate) type Progress<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Runs a job without the global interpreter lock, and waits for it.
///
/// The job has a thread of its own, because Python handles signals on the main thread only. If a signal handler or the
/// callback raises an exception, the job is stopped, its threads end, and the exception is raised.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    execution: Execution,
    progress: Progress<'_, '_>,
    job: impl FnOnce(&Execution) -> PyResult<T> + Send,
) -> PyResult<T> {
    run_until(py, execution, progress, |execution, _| job(execution))
}

/// Runs a job, which also gets the signal that stops it.
pub(crate) fn run_until<T: Send>(
    py: Python<'_>,
    execution: Execution,
    progress: Progress<'_, '_>,
    job: impl FnOnce(&Execution, &Stop) -> PyResult<T> + Send,
) -> PyResult<T> {
    // What is bound to the lock cannot go where the lock is not held.
    let progress = progress.map(|progress| progress.clone().unbind());
    let stop = Stop::new();
    let records = Arc::new(AtomicU64::new(0));
    let mut execution = execution.stop(stop.clone());
    if progress.is_some() {
        let records = Arc::clone(&records);
        execution = execution.observer(move |event| {
            if let Event::Written { records: more, .. } = event {
                records.fetch_add(more as u64, Ordering::Relaxed);
            }
        });
    }
    let report = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        let more = records.swap(0, Ordering::Relaxed);
        match &progress {
            Some(progress) if more > 0 => progress.call1(py, (more,)).map(drop),
            _ => Ok(()),
        }
    };
    let (result, mut raised) = py.detach(|| {
        thread::scope(|scope| {
            let (done, end) = mpsc::channel::<()>();
            let (execution, stop) = (&execution, &stop);
            let job = move || {
                // The channel is disconnected by its end when the job has returned or panicked.
                let _done = done;
                catch_unwind(AssertUnwindSafe(|| job(execution, stop)))
            };
            let job = thread::Builder::new().name("gridmill".to_owned()).spawn_scoped(scope, job);
            let job = match job {
                Ok(job) => job,
                Err(error) => return (Err(error.into()), None),
            };
            let mut raised = None;
            while end.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = Python::attach(report).err();
                    if raised.is_some() {
                        stop.trigger();
                    }
                }
            }
            let result = job.join().and_then(|caught| caught).unwrap_or_else(|panic| Err(bug(panic.as_ref())));
            (result, raised)
        })
    });
    if raised.is_none() {
        raised = report(py).err();
    }
    raised.map_or(result, Err)
}

/// The exception for a panic.
pub(crate) fn bug(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    PyRuntimeError::new_err(format!("gridmill has a bug: {}", text.unwrap_or("a panic without a message")))
}

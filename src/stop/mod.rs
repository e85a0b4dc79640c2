//! A signal that ends a run early. The pipeline and the engines listen to it.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

/// Ends a run early when it is triggered: nothing more is read; what was read is still processed and written.
///
/// A chunk that takes longer than a moment is an exception: its searches give up, and it is not written.
///
/// It is a channel that never carries a message. The stages of a pipeline wait for its end and for work at the same time,
/// so no flag is polled; only a search has to ask. Clones share one signal.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Dropped by the first call of [`trigger`](Stop::trigger), which disconnects the channel.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
    /// The time of the first call of [`trigger`](Stop::trigger).
    triggered: Arc<OnceLock<Instant>>,
    /// Number of pipelines that run.
    listeners: Arc<AtomicUsize>,
}

/// A pipeline that listens to a [`Stop`], until it is dropped.
#[derive(Debug)]
pub(crate) struct Listener<'a>(&'a AtomicUsize);

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Stop {
    /// How long searches may continue after a stop: enough for a chunk of ordinary puzzles, which takes about 30 ms.
    pub const GRACE: Duration = Duration::from_millis(500);

    /// A new signal, not triggered yet.
    pub fn new() -> Stop {
        let (sender, receiver) = bounded(0);
        Stop {
            sender: Arc::new(Mutex::new(Some(sender))),
            receiver,
            triggered: Arc::default(),
            listeners: Arc::default(),
        }
    }

    /// Ends the run. Later calls have no effect.
    pub fn trigger(&self) {
        self.triggered.get_or_init(Instant::now);
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether it was triggered.
    pub fn is_triggered(&self) -> bool {
        self.triggered.get().is_some()
    }

    /// Whether it was triggered longer than [`Stop::GRACE`] ago: a search gives up, and its results are thrown away.
    ///
    /// Before it is triggered, this takes no longer than to read an atomic flag.
    #[inline]
    pub fn is_overdue(&self) -> bool {
        self.triggered.get().is_some_and(|start| start.elapsed() > Stop::GRACE)
    }

    /// Whether a pipeline runs that ends when this is triggered.
    ///
    /// A job that opens its files, and perhaps waits for the other end of a pipe, does not listen yet. It has written no
    /// rows, so its process may simply exit.
    pub fn is_heard(&self) -> bool {
        self.listeners.load(Ordering::SeqCst) > 0
    }

    /// Counts a pipeline that runs.
    pub(crate) fn listen(&self) -> Listener<'_> {
        self.listeners.fetch_add(1, Ordering::SeqCst);
        Listener(&self.listeners)
    }

    /// A channel that is disconnected once the stop is triggered.
    pub(crate) fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

impl Default for Stop {
    fn default() -> Stop {
        Stop::new()
    }
}

//! A signal that ends a run early.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

/// Ends a run early when it is triggered: nothing more is read; what was read is still processed and written.
///
/// It is a channel that never carries a message. The stages wait for its end and for work at the same time, so no flag
/// is polled. Clones share one signal.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Dropped by the first call of [`trigger`](Stop::trigger), which disconnects the channel.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
    /// Number of pipelines that run.
    listeners: Arc<AtomicUsize>,
}

/// A pipeline that listens to a [`Stop`], until it is dropped.
#[derive(Debug)]
pub(super) struct Listener<'a>(&'a AtomicUsize);

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Stop {
    /// A new signal, not triggered yet.
    pub fn new() -> Stop {
        let (sender, receiver) = bounded(0);
        Stop { sender: Arc::new(Mutex::new(Some(sender))), receiver, listeners: Arc::default() }
    }

    /// Ends the run. Later calls have no effect.
    pub fn trigger(&self) {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether it was triggered.
    pub fn is_triggered(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Whether a pipeline runs that ends when this is triggered.
    ///
    /// A job that opens its files, and perhaps waits for the other end of a pipe, does not listen yet. It has written no
    /// rows, so its process may simply exit.
    pub fn is_heard(&self) -> bool {
        self.listeners.load(Ordering::SeqCst) > 0
    }

    /// Counts a pipeline that runs.
    pub(super) fn listen(&self) -> Listener<'_> {
        self.listeners.fetch_add(1, Ordering::SeqCst);
        Listener(&self.listeners)
    }

    /// A channel that is disconnected once the stop is triggered.
    pub(super) fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

impl Default for Stop {
    fn default() -> Stop {
        Stop::new()
    }
}

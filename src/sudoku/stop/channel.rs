//! Wakes the stages of a pipeline when a [`Stop`](super::Stop) is triggered.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

/// A channel that never carries a message. The stages of a pipeline wait for its end and for work at the same time, so no
/// flag is polled; only a search has to ask.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// Dropped when the stop is triggered, which disconnects the channel.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
    /// Number of pipelines that run.
    listeners: Arc<AtomicUsize>,
}

impl Channel {
    /// Ends the channel.
    pub(super) fn disconnect(&self) {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Is disconnected at the end.
    pub(super) fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }

    pub(super) fn is_heard(&self) -> bool {
        self.listeners.load(Ordering::SeqCst) > 0
    }

    /// Counts a pipeline that runs.
    pub(super) fn listen(&self) -> Listener<'_> {
        self.listeners.fetch_add(1, Ordering::SeqCst);
        Listener(&self.listeners)
    }
}

impl Default for Channel {
    fn default() -> Channel {
        let (sender, receiver) = bounded(0);
        Channel { sender: Arc::new(Mutex::new(Some(sender))), receiver, listeners: Arc::default() }
    }
}

/// A pipeline that listens to a [`Stop`](super::Stop), until it is dropped.
#[derive(Debug)]
pub(crate) struct Listener<'a>(&'a AtomicUsize);

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

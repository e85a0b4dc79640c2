//! The signal that ends a run early.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

/// Ends a run early when it is triggered: nothing more is read, and what was read is still worked on and written.
///
/// It is a channel that never carries anything: stages wait for its end beside their work, so no flag is polled.
/// Clones are the same signal.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Taken, and so dropped, by whoever triggers first.
    holder: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
}

impl Stop {
    /// A signal that was not triggered yet.
    pub fn new() -> Stop {
        let (sender, receiver) = bounded(0);
        Stop { holder: Arc::new(Mutex::new(Some(sender))), receiver }
    }

    /// Ends the run; from the second time on, does nothing.
    pub fn trigger(&self) {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether somebody has triggered it.
    pub fn is_triggered(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    pub(super) fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

impl Default for Stop {
    fn default() -> Stop {
        Stop::new()
    }
}

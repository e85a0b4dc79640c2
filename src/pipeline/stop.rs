//! A signal that ends a run early.

use std::convert::Infallible;
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
}

impl Stop {
    /// A new signal, not triggered yet.
    pub fn new() -> Stop {
        let (sender, receiver) = bounded(0);
        Stop { sender: Arc::new(Mutex::new(Some(sender))), receiver }
    }

    /// Ends the run. Later calls have no effect.
    pub fn trigger(&self) {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether it was triggered.
    pub fn is_triggered(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
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

//! A signal that ends a run early. The pipeline and the engines listen to it.

#[cfg(feature = "corpus")]
mod channel;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

#[cfg(feature = "corpus")]
use {
    self::channel::{Channel, Listener},
    crossbeam_channel::Receiver,
    std::convert::Infallible,
};

use crate::clock::Instant;

/// Ends a run early when it is triggered: no more input is read, but all input that was read is processed and written.
///
/// A chunk that takes longer than a moment is an exception: its searches give up, and it is not written. Clones share one
/// signal.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// The time of the first call of [`trigger`](Stop::trigger).
    triggered: Arc<OnceLock<Instant>>,
    /// Wakes the stages of a pipeline.
    #[cfg(feature = "corpus")]
    channel: Channel,
    /// Another condition that ends searches.
    other: Option<OtherStop>,
}

/// A function that ends searches once it returns true.
#[derive(Clone)]
struct OtherStop(Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for OtherStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OtherStop").finish_non_exhaustive()
    }
}

impl Stop {
    /// How long searches may continue after a stop: enough for a chunk of ordinary puzzles, which takes about 30 ms.
    pub const GRACE: Duration = Duration::from_millis(500);

    /// A new signal, not triggered yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// A new signal for a search on the calling thread. It is also [overdue](Stop::is_overdue) while
    /// `is_overdue` returns true. The search calls that function every few microseconds.
    #[must_use]
    pub fn with(is_overdue: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop { other: Some(OtherStop(Arc::new(is_overdue))), ..Stop::default() }
    }

    /// Ends the run. Later calls have no effect.
    pub fn trigger(&self) {
        self.triggered.get_or_init(Instant::now);
        #[cfg(feature = "corpus")]
        self.channel.disconnect();
    }

    /// Whether it was triggered.
    pub fn is_triggered(&self) -> bool {
        self.triggered.get().is_some()
    }

    /// Whether it was triggered longer than [`Stop::GRACE`] ago: a search then gives up, and its results are discarded.
    ///
    /// Before it is triggered, this takes no longer than to read an atomic flag.
    #[inline]
    pub fn is_overdue(&self) -> bool {
        self.triggered.get().is_some_and(|start| start.elapsed() > Stop::GRACE)
            || self.other.as_ref().is_some_and(|other| (other.0)())
    }

    /// Fails if it [is overdue](Stop::is_overdue), so that a search can give up with `?`.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), InterruptedError> {
        if self.is_overdue() { Err(InterruptedError) } else { Ok(()) }
    }
}

/// The error of a search that a stop interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped")]
pub struct InterruptedError;

#[cfg(feature = "corpus")]
impl Stop {
    /// Whether a running pipeline ends when this is triggered.
    ///
    /// A job that is still opening its files, and perhaps waiting for the other end of a pipe, does not listen yet. It
    /// has written no rows, so its process may simply exit.
    pub fn is_heard(&self) -> bool {
        self.channel.is_heard()
    }

    /// Counts a pipeline that runs.
    pub(crate) fn listen(&self) -> Listener<'_> {
        self.channel.listen()
    }

    /// A channel that is disconnected once the stop is triggered.
    pub(crate) fn receiver(&self) -> &Receiver<Infallible> {
        self.channel.receiver()
    }
}

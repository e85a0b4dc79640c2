//! What is reported while puzzles are generated.

use std::fmt;
use std::sync::Arc;

/// Something that happened while puzzles were generated.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum GenerateEvent {
    /// Puzzles were written.
    Generated {
        /// Their number.
        puzzles: usize,
    },
    /// Random grids gave no puzzle as specified.
    Missed {
        /// Their number.
        grids: u32,
    },
    /// Puzzles were dropped, because they are isomorphs of others.
    Dropped {
        /// Their number.
        puzzles: u64,
    },
}

/// Called with the events of a run, also from other threads.
#[derive(Clone, Default)]
pub(super) struct GenerateObserver(pub(super) Option<Arc<dyn Fn(GenerateEvent) + Send + Sync>>);

impl GenerateObserver {
    pub(super) fn notify(&self, event: GenerateEvent) {
        if let Some(observer) = &self.0 {
            observer(event);
        }
    }
}

impl fmt::Debug for GenerateObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GenerateObserver").field(&self.0.is_some()).finish()
    }
}

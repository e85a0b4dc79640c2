//! Counts the memory that the pages of a Parquet file take, and refuses a file that would take too much.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The most bytes that decoded pages take: those that are open, and those of the rows that are read next.
const MAX_MEMORY: usize = 512 << 20;

/// Why the pages of a file are not decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PageError {
    #[error(
        "column '{column}' cannot be read in {} MiB of memory: a cell or a page of it is too large; write the file \
         without such cells, or with smaller pages",
        MAX_MEMORY >> 20
    )]
    TooLarge { column: String },
    #[error("column '{column}' is damaged")]
    Damaged { column: String },
    #[error("column '{column}' is encrypted; write the file without encryption")]
    Encrypted { column: String },
}

/// The memory of all pages of a file.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The bytes of the open pages.
    open: AtomicUsize,
    /// The bytes of the pages that were closed since the last batch of rows: their values are in the next one.
    closed: AtomicUsize,
    /// Why a page was refused.
    refusal: OnceLock<PageError>,
}

impl Memory {
    /// The values of closed pages have been passed on.
    pub(super) fn start_batch(&self) {
        self.closed.store(0, Ordering::Relaxed);
    }

    /// Keeps the reason for an error in which it would be hidden.
    pub(super) fn refuse(&self, error: PageError) -> PageError {
        self.refusal.get_or_init(|| error).clone()
    }

    /// Why a page was refused, if one was.
    pub(super) fn refusal(&self) -> Option<PageError> {
        self.refusal.get().cloned()
    }

    fn total(&self) -> usize {
        self.open.load(Ordering::Relaxed).saturating_add(self.closed.load(Ordering::Relaxed))
    }
}

/// The memory that one page takes, until it is closed.
#[derive(Debug)]
pub(super) struct PageMemory {
    memory: Arc<Memory>,
    bytes: usize,
}

impl PageMemory {
    pub(super) fn new(memory: &Arc<Memory>) -> PageMemory {
        PageMemory { memory: Arc::clone(memory), bytes: 0 }
    }

    /// Takes more memory, unless that is too much.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let fits = self.memory.total().saturating_add(bytes) <= MAX_MEMORY;
        if fits {
            self.bytes += bytes;
            self.memory.open.fetch_add(bytes, Ordering::Relaxed);
        }
        fits
    }
}

impl Drop for PageMemory {
    fn drop(&mut self) {
        self.memory.open.fetch_sub(self.bytes, Ordering::Relaxed);
        self.memory.closed.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

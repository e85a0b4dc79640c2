//! One file a command: its work from arguments to exit code, by way of the library.

pub(crate) mod bench;
pub(crate) mod canon;
pub(crate) mod completions;
pub(crate) mod formats;
pub(crate) mod generate;
pub(crate) mod man;
pub(crate) mod merge;
mod mill;
pub(crate) mod pipe;
mod resume;
pub(crate) mod solve;
pub(crate) mod validate;

use std::num::NonZeroUsize;
use std::thread;

/// The number of threads that was asked for, or one for each CPU.
fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| thread::available_parallelism().map_or(1, NonZeroUsize::get), usize::from)
}

//! The terminal: progress, messages, and the words of summaries.

pub(crate) mod ending;
pub(crate) mod printable;
pub(crate) mod progress;
pub(crate) mod screen;
pub(crate) mod summary;

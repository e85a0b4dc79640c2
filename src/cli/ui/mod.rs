//! Everything that the binary prints for people: progress, notes, summaries.

pub(crate) mod ending;
pub(crate) mod printable;
pub(crate) mod progress;
pub(crate) mod screen;
pub(crate) mod summary;

//! Everything that the binary prints for people: progress, notes, summaries.

pub(crate) mod audited;
pub(crate) mod ending;
pub(crate) mod printable;
pub(crate) mod progress;
pub(crate) mod scorecard;
pub(crate) mod screen;
pub(crate) mod split_summary;
pub(crate) mod summary;
pub(crate) mod validated;

//! A run of a job over a corpus, from the options to the last row. Knows no job.
//!
//! ```text
//!   stats     counts, distributions and the summary of a run
//!   resume    manifests, the shards of a run and their merging
//!   machine   runs a job: to any writer, to a file that can be resumed, as record batches, or to a Parquet file
//!   lookup    whether a puzzle, an isomorph or a grid was seen before, and where
//!   copy      copies records as they are to the outputs that a job chooses
//! ```
//!
//! A room uses only rooms above it, and the floors below, `data` and `sudoku`.

pub(crate) mod copy;
pub(crate) mod lookup;
mod machine;
pub(crate) mod resume;
pub mod stats;

pub use self::machine::*;

//! Resumes interrupted runs, and merges the outputs of shards.

mod label;
pub mod manifest;
mod merge;
pub mod replay;

pub use self::label::{Label, LabelError, OPTION, SUFFIX, in_order};
pub use self::merge::{Header, MergeError, Part, interleave};

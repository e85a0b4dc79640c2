//! Resumes interrupted runs, and merges the outputs of shards.

pub mod manifest;
mod merge;
pub mod replay;
mod shard_metadata;

pub use self::merge::{HeaderRow, MergeError, Part, interleave};
pub use self::shard_metadata::{OPTION, SUFFIX, ShardMetadata, ShardSetError, in_order};

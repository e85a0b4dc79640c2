//! Resumes interrupted runs, and merges the outputs of shards.
//!
//! Next to a partial output is its `Manifest`; next to the finished output of a shard is its `ShardMetadata`.

mod manifest;
mod manifest_file;
mod merge;
mod row_file;
mod shard_metadata;

pub(crate) use self::manifest::{Manifest, exactly};
pub(crate) use self::merge::{Part, interleave};
pub(crate) use self::row_file::{FinishedShard, OpenRows, RowFile};
pub(crate) use self::shard_metadata::{ShardMetadata, ShardResults, in_order};

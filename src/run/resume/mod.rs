//! Resumes interrupted runs, and merges the outputs of shards.
//!
//! Next to a partial output is its `Manifest`; next to the finished output of a shard is its `ShardMetadata`.

mod manifest;
mod row_file;
mod shards;

pub(crate) use self::manifest::{Manifest, exactly};
pub(crate) use self::row_file::{FinishedShard, OpenRows, RowFile};
pub(crate) use self::shards::{Part, ShardMetadata, ShardResults, in_order, interleave};

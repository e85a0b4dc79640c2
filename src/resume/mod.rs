//! Resumes interrupted runs, and merges the outputs of shards.
//!
//! A job writes its rows to `NAME.partial`, which gets its name when it is complete. Beside a partial output lies a
//! `Manifest`; beside the finished output of a shard, its `ShardMetadata`.

mod checkpoints;
mod error;
mod file_type;
mod manifest;
mod manifest_file;
mod merge;
mod output_file;
mod partial_file;
mod preallocate;
mod regular;
mod replay;
mod row_file;
mod run_files;
mod shard_metadata;
mod target;

pub use self::checkpoints::Checksum;
pub use self::error::{Obstacle, OutputError, SharedFileError};
pub use self::file_type::FileType;
pub(crate) use self::manifest::Manifest;
pub use self::manifest::{Difference, ManifestError};
pub use self::merge::MergeError;
pub(crate) use self::merge::{Part, interleave};
pub use self::output_file::OutputFile;
pub(crate) use self::replay::Replay;
pub use self::replay::{ReplayError, ResumeError, RowError};
pub(crate) use self::row_file::{FinishedShard, RowFile, RowLayout};
pub use self::run_files::RunFiles;
pub use self::shard_metadata::ShardSetError;
pub(crate) use self::shard_metadata::{SUFFIX, ShardMetadata, ShardResults, in_order};
pub use self::target::{Container, DASH, OutputTarget};

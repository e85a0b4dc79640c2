//! Resumes interrupted runs, and merges the outputs of shards.
//!
//! A job writes its rows to `NAME.partial`, which gets its name when it is complete. Next to a partial output is its
//! `Manifest`; next to the finished output of a shard is its `ShardMetadata`.

mod checkpoints;
mod error;
mod manifest;
mod manifest_file;
mod mark;
mod merge;
mod notes_file;
mod npy_file;
mod open;
mod output_file;
mod partial_file;
mod row_file;
mod run_files;
mod sha256;
mod shard_metadata;
mod target;

// For the command line, the Python package, tests and benches: no part of the interface.
pub(crate) use self::checkpoints::{Checkpoint, CheckpointPace, RunningSum};
pub use self::error::{Difference, OutputError, ResumeError};
#[doc(hidden)]
pub use self::error::{ManifestError, SharedFileError};
pub(crate) use self::manifest::{Manifest, exactly};
#[doc(hidden)]
pub use self::merge::MergeError;
pub(crate) use self::merge::{Part, interleave};
pub(crate) use self::npy_file::{NpyFile, NpyLayout, NpyRows};
#[doc(hidden)]
pub use self::open::Obstacle;
pub(crate) use self::open::{NewDirectories, SHARD_SUFFIX};
#[doc(hidden)]
pub use self::output_file::{OutputFile, ReservedFile, write_small};
pub(crate) use self::partial_file::Resumable;
pub(crate) use self::row_file::{FinishedShard, RowFile};
#[doc(hidden)]
pub use self::run_files::RunFiles;
pub(crate) use self::sha256::hexadecimal;
#[doc(hidden)]
pub use self::sha256::sha256;
#[doc(hidden)]
pub use self::shard_metadata::ShardSetError;
pub(crate) use self::shard_metadata::{ShardMetadata, ShardResults, in_order};
#[doc(hidden)]
pub use self::target::DASH;
pub use self::target::{Container, FileType, OutputCompression, OutputCompressionError, OutputTarget};

//! Resumes interrupted runs, and merges the outputs of shards.
//!
//! A job writes its rows to `NAME.partial`, which gets its name when it is complete. Beside a partial output lies a
//! `Manifest`; beside the finished output of a shard, its `ShardMetadata`.

mod checkpoints;
mod error;
mod file_record;
mod file_type;
mod manifest;
mod manifest_file;
mod merge;
mod new_directories;
mod npy_file;
mod output_file;
mod partial_file;
mod preallocate;
mod regular;
mod replacement;
mod replay;
mod reserved_file;
mod row_file;
mod run_files;
mod shard_metadata;
mod small_file;
mod special;
mod target;

// For the command line, the Python package, tests and benches: no part of the interface.
pub use self::error::OutputError;
#[doc(hidden)]
pub use self::error::{Obstacle, SharedFileError};
pub(crate) use self::file_record::FileRecord;
pub use self::file_type::FileType;
pub use self::manifest::Difference;
pub(crate) use self::manifest::Manifest;
#[doc(hidden)]
pub use self::manifest::ManifestError;
#[doc(hidden)]
pub use self::merge::MergeError;
pub(crate) use self::merge::{Part, interleave};
pub(crate) use self::new_directories::NewDirectories;
pub(crate) use self::npy_file::{NpyFile, NpyLayout, NpyRows};
#[doc(hidden)]
pub use self::output_file::OutputFile;
pub(crate) use self::replay::Replay;
pub use self::replay::ResumeError;
#[doc(hidden)]
pub use self::replay::{ReplayError, RowError};
#[doc(hidden)]
pub use self::reserved_file::ReservedFile;
pub(crate) use self::row_file::{FinishedShard, RowFile, RowLayout};
#[doc(hidden)]
pub use self::run_files::RunFiles;
#[doc(hidden)]
pub use self::shard_metadata::ShardSetError;
pub(crate) use self::shard_metadata::{SUFFIX, ShardMetadata, ShardResults, in_order};
#[doc(hidden)]
pub use self::small_file::write_small;
#[doc(hidden)]
pub use self::target::DASH;
pub use self::target::{Container, OutputCompression, OutputCompressionError, OutputTarget};

//! Output files, and the files next to them while they are not complete.
//!
//! An output is called `NAME.partial` until it is complete. Next to it is
//! `NAME.partial.json` with checkpoints, where a resumed run continues.

mod checkpoints;
mod error;
mod facts;
mod npy_file;
mod open;
mod output_file;
mod run_files;
mod target;

#[cfg(test)]
pub(crate) use self::checkpoints::CheckpointLog;
pub(crate) use self::checkpoints::{Checkpoint, CheckpointPace, Checksum, Resumable, RunningSum};
pub use self::error::OutputError;
pub use self::error::{ManifestError, Obstacle, SharedFileError};
pub(crate) use self::facts::hexadecimal;
#[doc(hidden)]
pub use self::facts::{now, sha256, stored};
pub(crate) use self::npy_file::{NpyFile, NpyLayout, NpyRows};
pub(crate) use self::open::{
    NewDirectories, OwnMark, SHARD_SUFFIX, Sync, beside, is_special, open_beside, partial_path, remove_if_there,
    replace,
};
pub(crate) use self::output_file::Interrupted;
#[doc(hidden)]
pub use self::output_file::{OutputFile, PartialOutput, ReservedFile, write_small};
#[doc(hidden)]
pub use self::run_files::RunFiles;
pub(crate) use self::target::DASH;
pub use self::target::{Container, FileType, OutputCompression, OutputTarget};

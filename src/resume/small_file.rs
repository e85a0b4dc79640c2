//! Small files that are written at once, such as summaries and reports: such a file is complete, or what it was.
//!
//! A file is [replaced](super::replacement). What cannot be is [written to](super::special).

use std::io::{self, Write};
use std::path::Path;

use super::error::OutputError;
use super::replacement::{Sync, replace, temporary_beside};
use super::special;
use super::target::OutputTarget;
use crate::compression::Encoder;

/// Writes a small file at once, compressed by its extension. `-` is standard output.
///
/// # Errors
///
/// If it cannot be written. The file is what it was then.
pub fn write_small(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let target = OutputTarget::file(path);
    let Some(compression) = target.compression else { return write_target(&target, bytes) };
    let mut encoder = Encoder::new(Vec::new(), compression, 1);
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    write_target(&target, &compressed.map_err(OutputError::file(path))?)
}

fn write_target(target: &OutputTarget, bytes: &[u8]) -> Result<(), OutputError> {
    let Some(path) = target.file_path() else {
        let mut stdout = io::stdout();
        return stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(OutputError::Write);
    };
    let written = match special::open(path) {
        Some(file) => file.and_then(|mut file| file.write_all(bytes)),
        None => replace(path, bytes, Sync::Later).map(|_| ()),
    };
    written.map_err(OutputError::file(path))
}

/// Finds out whether a small file could be written, and leaves nothing of it. A device or a pipe is not opened.
pub(super) fn try_place(path: &Path) -> Result<(), OutputError> {
    let target = OutputTarget::file(path);
    let Some(path) = target.file_path() else { return Ok(()) };
    let tried = if path.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else if special::is_at(path) {
        Ok(())
    } else {
        temporary_beside(path).map(|_| ())
    };
    tried.map_err(OutputError::file(path))
}

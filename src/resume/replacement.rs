//! Replaces a file at once: it is complete, or what it was.
//!
//! The bytes go to a file with a random name, which takes the place of the one with the right name when it is complete.
//! A link of that name is replaced, and its target is left alone.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::TempPath;

/// When a file has to be on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sync {
    /// Before the run continues.
    Now,
    /// When the system writes it.
    Later,
}

/// Replaces a file, or the link of this name: a process that is killed leaves all of the new file or nothing. Returns it,
/// to append to it.
pub(super) fn replace(path: &Path, bytes: &[u8], sync: Sync) -> io::Result<File> {
    let (mut file, temporary) = temporary_beside(path)?;
    file.write_all(bytes)?;
    if sync == Sync::Now {
        file.sync_all()?;
    }
    temporary.persist(path)?;
    Ok(file)
}

/// Creates a file with a random name in the directory of another. It is removed with its path, unless that is persisted.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<(File, TempPath)> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    let prefix = builder.prefix(path.file_name().unwrap_or_default());
    // By default, temporary files are for their owner only.
    Ok(prefix.make_in(directory, |path| File::create_new(path))?.into_parts())
}

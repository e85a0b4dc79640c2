//! Opens the files that gridmill keeps next to an output: regular files only, through no symbolic link.
//!
//! Their names can be guessed. In a directory that others can write to, a link of theirs must not lead us to another file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::error::Obstacle;

/// Why a file cannot be opened.
#[derive(Debug)]
pub(super) enum OpenFault {
    Obstacle(Obstacle),
    Io(io::Error),
}

impl From<io::Error> for OpenFault {
    fn from(error: io::Error) -> OpenFault {
        OpenFault::Io(error)
    }
}

/// Opens a regular file, and follows no link.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> Result<File, OpenFault> {
    // For the words of the error; the flags below decide.
    if let Ok(metadata) = fs::symlink_metadata(path) {
        match metadata.file_type() {
            kind if kind.is_symlink() => return Err(OpenFault::Obstacle(Obstacle::Link)),
            kind if !kind.is_file() => return Err(OpenFault::Obstacle(Obstacle::Special)),
            _ => {}
        }
    }
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe must not make us wait for its other end.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(OpenFault::Obstacle(Obstacle::Special)) }
}

/// Whether a name leads to an open file, and not to another one that has taken its place.
pub(super) fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        found => found?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let open = file.metadata()?;
        Ok((found.dev(), found.ino()) == (open.dev(), open.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Ok(found.is_file())
    }
}

//! Outputs that cannot be replaced by a complete file, and are written to: devices, pipes, and files that are open
//! already, by a name such as `/dev/stdout`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How many links are followed before a path is given up, as in Linux.
#[cfg(unix)]
const MAX_LINKS: usize = 40;

/// Opens what cannot be replaced. `None` if there is a regular file, or nothing.
pub(super) fn open(path: &Path) -> Option<io::Result<File>> {
    if let Some(name) = descriptor(path) {
        return Some(open_descriptor(&name));
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Some(Err(io::ErrorKind::IsADirectory.into())),
        Ok(metadata) if !metadata.is_file() => Some(File::options().write(true).open(path)),
        _ => None,
    }
}

/// Whether there is something that cannot be replaced. Opens nothing.
pub(super) fn is_at(path: &Path) -> bool {
    descriptor(path).is_some() || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// The name of an open file, such as `/proc/123/fd/1`, if a path or a link of this name leads to one. It looks like a
/// link to the file, but has no place for another.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = fs::canonicalize(directory).ok()?;
        path = directory.join(path.file_name()?);
        if directory.starts_with("/proc") || directory == Path::new("/dev/fd") {
            return Some(path);
        }
        path = directory.join(fs::read_link(&path).ok()?);
    }
    None
}

/// Opens a file that is open already. Standard output and standard error are shared with who else writes to them; any
/// other file is appended to.
#[cfg(unix)]
fn open_descriptor(name: &Path) -> io::Result<File> {
    use std::os::fd::AsFd;

    let own = fs::canonicalize("/dev/fd").unwrap_or_default();
    let shared = match name.strip_prefix(own).ok().and_then(Path::to_str) {
        Some("1") => io::stdout().as_fd().try_clone_to_owned(),
        Some("2") => io::stderr().as_fd().try_clone_to_owned(),
        _ => return File::options().append(true).open(name),
    };
    shared.map(File::from)
}

#[cfg(not(unix))]
fn descriptor(_: &Path) -> Option<PathBuf> {
    None
}

#[cfg(not(unix))]
fn open_descriptor(name: &Path) -> io::Result<File> {
    File::options().append(true).open(name)
}

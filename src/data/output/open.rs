//! Opens and replaces files without harm to other people's files.
//!
//! The files that gridmill keeps next to an output have predictable names. In a directory where other users can write,
//! a link of theirs must not lead to a different file: gridmill [opens](regular) only regular files, and follows no
//! link.
//!
//! Devices, pipes, and open files with a name such as `/dev/stdout` cannot be replaced by a complete file. gridmill
//! [writes to them](special).
//!
//! Everything else is replaced atomically: the bytes go to a file with a random name, which is renamed when it is
//! complete. A link with that name is replaced, and its target stays as it is.
//!
//! Each partial output has a [mark](OwnMark) in `NAME.partial.json`: gridmill wrote it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Deserializer;
use tempfile::TempPath;

use super::error::{ManifestError, Obstacle, OutputError};

/// The number of links that are followed before a path is given up; the same as in Linux.
#[cfg(unix)]
const MAX_LINKS: usize = 40;

/// The suffix of the metadata file, appended to the name of the output.
pub(crate) const SHARD_SUFFIX: &str = ".shard.json";

/// The error for a file that cannot be opened.
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
pub(super) fn regular(path: &Path, options: &mut OpenOptions) -> Result<File, OpenFault> {
    // Only for the message of the error: the flags below are the real check.
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
        // Opening a pipe must not wait for its other end.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(OpenFault::Obstacle(Obstacle::Special)) }
}

/// Whether a path still leads to an open file, and not to a file that has replaced it.
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

/// Opens a file that cannot be replaced. `None` if the path is a regular file, or does not exist.
pub(super) fn special(path: &Path) -> Option<io::Result<File>> {
    if let Some(name) = descriptor(path) {
        return Some(open_descriptor(&name));
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Some(Err(io::ErrorKind::IsADirectory.into())),
        Ok(metadata) if !metadata.is_file() => Some(File::options().write(true).open(path)),
        _ => None,
    }
}

/// Whether a file cannot be replaced. Opens nothing.
pub(crate) fn is_special(path: &Path) -> bool {
    descriptor(path).is_some() || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// The name of an open file, such as `/proc/123/fd/1`, if a path, directly or by links, leads to one. It looks like a
/// link to the file, but cannot be replaced.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let directory = fs::canonicalize(directory_of(&path)).ok()?;
        path = directory.join(path.file_name()?);
        if directory.starts_with("/proc") || directory == Path::new("/dev/fd") {
            return Some(path);
        }
        path = directory.join(fs::read_link(&path).ok()?);
    }
    None
}

/// Opens a file that is already open. Standard output and standard error share their position with other writers; all
/// other files are appended to.
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

/// The time by which a file must be on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sync {
    /// Before the run continues.
    Now,
    /// Whenever the system writes it.
    Later,
}

/// Replaces a file or link atomically: a process that is killed leaves either the new file or the old one. Returns the
/// file, for appending.
pub(crate) fn replace(path: &Path, bytes: &[u8], sync: Sync) -> io::Result<File> {
    replace_through(temporary_beside(path)?, path, bytes, sync)
}

/// Like [`replace`], through a new file in the same directory.
pub(super) fn replace_through(
    (mut file, temporary): (File, TempPath),
    path: &Path,
    bytes: &[u8],
    sync: Sync,
) -> io::Result<File> {
    file.write_all(bytes)?;
    if sync == Sync::Now {
        file.sync_all()?;
    }
    temporary.persist(path)?;
    Ok(file)
}

/// Removes a file, if it is there.
pub(crate) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Creates a file with a random name in the same directory as `path`. It is removed with the returned path, unless that
/// is persisted.
pub(super) fn temporary_beside(path: &Path) -> io::Result<(File, TempPath)> {
    let mut builder = tempfile::Builder::new();
    let prefix = builder.prefix(path.file_name().unwrap_or_default());
    // By default, only the owner could read a temporary file.
    Ok(prefix.make_in(directory_of(path), |path| File::create_new(path))?.into_parts())
}

/// The path of a file next to another: its name with a suffix.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    beside.into()
}

/// The name of an output that is not complete.
pub(crate) fn partial_path(path: &Path) -> PathBuf {
    beside(path, ".partial")
}

/// The path of the manifest of an output.
pub(crate) fn manifest_path(path: &Path) -> PathBuf {
    beside(&partial_path(path), ".json")
}

/// The path of the notes on the records of an output.
pub(super) fn notes_path(path: &Path) -> PathBuf {
    beside(&partial_path(path), ".notes")
}

/// The directory of a file.
pub(super) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The directories that were created for some files. Those that are empty at the end are removed.
#[derive(Debug)]
pub(crate) struct NewDirectories(Vec<PathBuf>);

impl NewDirectories {
    /// Makes the directories of these files.
    pub(crate) fn of(files: &[PathBuf]) -> NewDirectories {
        let mut made = vec![];
        for directory in files.iter().filter_map(|file| file.parent()) {
            let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
            let new: Vec<PathBuf> = directory.ancestors().take_while(is_new).map(Path::to_owned).collect();
            // An error here is ignored: opening the file in this directory fails, too, with a better message.
            let _ = fs::create_dir_all(directory);
            // Inner directories before outer ones.
            made.splice(0..0, new);
        }
        NewDirectories(made)
    }
}

/// A directory with files cannot be removed, so it stays.
impl Drop for NewDirectories {
    fn drop(&mut self) {
        for directory in &self.0 {
            let _ = fs::remove_dir(directory);
        }
    }
}

/// The fields that all versions of gridmill write to the file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnMark {
    gridmill: String,
}

impl OwnMark {
    pub(crate) fn own() -> OwnMark {
        OwnMark { gridmill: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// The reason why this version does not resume an output whose manifest has only these fields.
    pub(crate) fn difference(&self) -> String {
        match (&*self.gridmill, env!("CARGO_PKG_VERSION")) {
            (was, is) if was == is => "it is of a run that cannot be resumed".to_owned(),
            (was, is) => format!("gridmill was {was}, is {is}"),
        }
    }

    /// Whether the file exists and is not empty.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or was not written by gridmill.
    pub(crate) fn is_on(path: &Path) -> Result<bool, OutputError> {
        let Some(file) = open_beside(path)? else { return Ok(false) };
        match OwnMark::deserialize(&mut Deserializer::from_reader(BufReader::new(file))) {
            Ok(_) => Ok(true),
            Err(error) if error.is_eof() && error.line() <= 1 && error.column() == 0 => Ok(false),
            Err(error) if error.is_io() => {
                Err(ManifestError::Read { path: path.to_owned(), source: error.into() }.into())
            }
            Err(_) => Err(Obstacle::Foreign.at(path)),
        }
    }
}

/// Opens a file next to an output; `None` if there is no such file.
pub(crate) fn open_beside(path: &Path) -> Result<Option<File>, OutputError> {
    match regular(path, OpenOptions::new().read(true)) {
        Ok(file) => Ok(Some(file)),
        Err(OpenFault::Obstacle(obstacle)) => Err(obstacle.at(path)),
        Err(OpenFault::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(OpenFault::Io(source)) => Err(ManifestError::Read { path: path.to_owned(), source }.into()),
    }
}

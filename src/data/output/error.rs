//! Errors of outputs that cannot be written or resumed.

use std::io;
use std::path::{Path, PathBuf};

use crate::options::OptionError;

/// The error for an output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The file cannot be opened, cut or synced.
    #[error("cannot write {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file that is not a partial output, or not gridmill's, has a name that the output or its manifest needs.
    #[error("cannot use {}: {obstacle}; move it away, or give the output another name", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
        /// The kind of file.
        obstacle: Obstacle,
    },
    /// An array of `NumPy` cannot be written to a pipe, or compressed.
    #[error(
        "an array of NumPy is written to a file that is not compressed: its start has the number of rows, which is known \
         last; name a file that ends in .npy"
    )]
    ArrayNotToFile,
    /// Writing failed.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// The complete file cannot be renamed.
    #[error("cannot rename {} to {}", from.display(), to.display())]
    Rename {
        /// Its name so far.
        from: PathBuf,
        /// Its final name.
        to: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file that is no longer needed cannot be removed.
    #[error("cannot remove {}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The manifest, or the metadata of a shard, cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The output is an input, or another output.
    #[error(transparent)]
    Shared(#[from] SharedFileError),
    /// The partial output cannot be resumed.
    #[error(transparent)]
    Resume(OptionError),
}

impl OutputError {
    /// The error for a partial output of a run with other inputs or options.
    pub(crate) fn other_run(partial: &Path, differences: &[String]) -> OutputError {
        let (partial, differences) = (partial.display(), differences.join("; "));
        let reason = format!("cannot resume {partial}: {differences}; run without `resume` to start over");
        OutputError::Resume(OptionError::new(reason))
    }

    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
        let path = path.to_owned();
        |source| OutputError::File { path, source }
    }
}

/// The error for a file next to an output that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// It has unexpected content.
    #[error("{} is damaged, or was not written by gridmill {}", path.display(), env!("CARGO_PKG_VERSION"))]
    Form {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// It cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// An error of writing a file, with the file's name.
#[derive(Debug, thiserror::Error)]
#[error("{}", path.display())]
struct WriteError {
    path: PathBuf,
    source: io::Error,
}

/// Adds the name of the file to an error of writing it. Its kind stays the same.
pub(crate) fn in_file(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    let path = path.to_owned();
    |source| io::Error::new(source.kind(), WriteError { path, source })
}

/// The reason why a file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// It is a symbolic link.
    #[error("it is a symbolic link")]
    Link,
    /// It is a directory, a pipe or similar.
    #[error("it is not a regular file")]
    Special,
    /// It was written by another program or by a person.
    #[error("gridmill did not write it")]
    Foreign,
}

impl Obstacle {
    /// The error for the file at this path.
    pub(crate) fn at(self, path: &Path) -> OutputError {
        OutputError::InTheWay { path: path.to_owned(), obstacle: self }
    }
}

/// An output that is also an input, or another output of the same run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is {}; give {option} another name", path.display(), describe(path, other, *other_option))]
pub struct SharedFileError {
    /// The name of the output.
    pub path: PathBuf,
    /// Its option.
    pub option: &'static str,
    /// The other name of the file, perhaps the same.
    pub other: PathBuf,
    /// The option of the other output; `None` if it is an input.
    pub other_option: Option<&'static str>,
}

fn describe(path: &Path, other: &Path, other_option: Option<&str>) -> String {
    let what = other_option.map_or("an input".to_owned(), |option| format!("a file of {option}"));
    // Compared as text, since paths with different spellings, such as `a` and `./a`, are equal.
    if path.as_os_str() == other.as_os_str() {
        format!("{what}, too")
    } else {
        format!("the same file as {}, {what}", other.display())
    }
}

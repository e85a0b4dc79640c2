//! Checks that no output of a run is also one of its inputs or another output, before any file is opened.
//!
//! Used by every job that writes a file, and by the command line, which has more outputs than a job knows.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{OutputError, SharedFileError};
use super::open::{
    SHARD_SUFFIX, beside, directory_of, is_special, manifest_path, notes_path, partial_path, temporary_beside,
};
use super::target::{DASH, OutputTarget};
use crate::corpus::Origin;

/// The names of the files behind standard input and standard output, on systems that have such names.
const STDIN: &str = "/dev/stdin";
const STDOUT: &str = "/dev/stdout";

/// The names of the files of a run.
///
/// Two names denote the same file if they lead to the same regular file, also through links. Devices, pipes and
/// directories are not compared: `/dev/null` may take several outputs.
///
/// ```
/// use gridmill::output::{OutputTarget, RunFiles};
///
/// let files = RunFiles::new().input("data/easy.txt").output("-o", &OutputTarget::file("data/easy.txt"));
/// let error = files.check().unwrap_err().to_string();
/// assert_eq!(error, "data/easy.txt is an input, too; give -o another name");
/// ```
#[derive(Clone, Debug, Default)]
pub struct RunFiles {
    inputs: Vec<PathBuf>,
    outputs: Vec<OutputNames>,
    /// The outputs that are written at once.
    small: Vec<PathBuf>,
}

/// The files that a run writes because of an option.
#[derive(Clone, Debug)]
struct OutputNames {
    option: &'static str,
    names: Vec<PathBuf>,
}

impl RunFiles {
    /// No files.
    pub fn new() -> RunFiles {
        RunFiles::default()
    }

    /// Adds an input.
    #[must_use]
    pub fn input(mut self, path: impl Into<PathBuf>) -> RunFiles {
        self.inputs.push(path.into());
        self
    }

    /// Adds the inputs of a corpus.
    #[must_use]
    pub fn corpus(mut self, origins: &[Origin]) -> RunFiles {
        for origin in origins {
            match origin {
                Origin::Stdin => self.inputs.push(STDIN.into()),
                Origin::File(path) => self.inputs.push(path.clone()),
                Origin::Memory => {}
            }
        }
        self
    }

    /// Adds an output with the files next to it. `option` names it in errors.
    ///
    /// Standard output may also be a file, for instance if a shell appends it to one.
    #[must_use]
    pub fn output(mut self, option: &'static str, target: &OutputTarget) -> RunFiles {
        self.outputs.push(match target.file_path() {
            None => OutputNames { option: "standard output", names: vec![STDOUT.into()] },
            Some(path) => {
                let of_shard = beside(path, SHARD_SUFFIX);
                let names = vec![path.to_owned(), partial_path(path), manifest_path(path), notes_path(path), of_shard];
                OutputNames { option, names }
            }
        });
        self
    }

    /// Adds a small file, if given, that is written at once, with no files next to it. `option` names it in errors.
    #[must_use]
    pub fn written(mut self, option: &'static str, path: Option<&Path>) -> RunFiles {
        let named = |path: &Path| if path.as_os_str() == DASH { STDOUT.into() } else { path.to_owned() };
        self.outputs.extend(path.map(|path| OutputNames { option, names: vec![named(path)] }));
        self.small.extend(path.map(Path::to_owned));
        self
    }

    /// Checks that the small files can be written, without leaving anything: they are written last, after a long run.
    ///
    /// # Errors
    ///
    /// If one cannot be written.
    pub fn try_small(&self) -> Result<(), OutputError> {
        self.small.iter().try_for_each(|path| try_place(path))
    }

    /// Compares all names; opens and creates nothing.
    ///
    /// # Errors
    ///
    /// If an output is an input or another output.
    pub fn check(&self) -> Result<(), SharedFileError> {
        let mut known: HashMap<FileId, (&Path, Option<&'static str>)> = HashMap::new();
        for input in &self.inputs {
            if let Some(id) = FileId::of(input) {
                known.insert(id, (input, None));
            }
        }
        for OutputNames { option, names } in &self.outputs {
            // A device has no files next to it.
            if names.first().is_none_or(|name| FileId::of(name).is_none()) {
                continue;
            }
            let ids: Vec<_> = names.iter().filter_map(|name| FileId::of(name).map(|id| (id, name))).collect();
            for (id, name) in &ids {
                if let Some(&(other, other_option)) = known.get(id) {
                    let (path, other) = (PathBuf::clone(name), other.to_owned());
                    return Err(SharedFileError { path, option, other, other_option });
                }
            }
            known.extend(ids.into_iter().map(|(id, name)| (id, (name.as_path(), Some(*option)))));
        }
        Ok(())
    }
}

/// Checks that a small file can be written, without leaving anything. Does not open a device or a pipe.
fn try_place(path: &Path) -> Result<(), OutputError> {
    let tried = match path {
        path if path.as_os_str() == DASH => Ok(()),
        path if path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        path if is_special(path) => Ok(()),
        path => temporary_beside(path).map(|_| ()),
    };
    tried.map_err(OutputError::file(path))
}

/// The identity of a file: equal for two names of the same file.
#[derive(PartialEq, Eq, Hash)]
enum FileId {
    /// The device and the number of a file.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The absolute path, without links, of a file or of a file that can be created.
    Path(PathBuf),
}

impl FileId {
    /// `None` if the path is not a regular file.
    fn of(path: &Path) -> Option<FileId> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Some(FileId::of_file(path, &metadata)),
            Ok(_) => None,
            Err(_) => Some(FileId::of_new(path)),
        }
    }

    #[cfg(unix)]
    fn of_file(_: &Path, metadata: &fs::Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId::Inode(metadata.dev(), metadata.ino())
    }

    #[cfg(not(unix))]
    fn of_file(path: &Path, _: &fs::Metadata) -> FileId {
        FileId::Path(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }

    fn of_new(path: &Path) -> FileId {
        let parent = directory_of(path);
        let absolute = || std::path::absolute(parent).unwrap_or_else(|_| parent.to_owned());
        // Links may lead to the directory in several ways.
        let parent = fs::canonicalize(parent).unwrap_or_else(|_| absolute());
        FileId::Path(parent.join(path.file_name().unwrap_or_default()))
    }
}
impl OutputTarget {
    /// Checks that the output is not one of these inputs, before it is opened.
    pub(crate) fn check_inputs(&self, inputs: RunFiles) -> Result<(), OutputError> {
        Ok(inputs.output("the output", self).check()?)
    }
}

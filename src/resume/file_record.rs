//! A record of the files that a run wrote together, in a file beside them: by it, the next run with the same names tells
//! them from files of others.
//!
//! ```text
//! {"gridmill":"1.2.3","files":{"test.csv":{"bytes":120,"crc32":907060870},"train.csv":{...}}}
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoints::Checksum;
use super::error::{Obstacle, OutputError};
use super::manifest::{self, ManifestError, Mark};
use super::output_file::OutputFile;
use super::replacement::Sync;

/// The record of the files that an earlier run wrote, if there was one.
#[derive(Debug)]
pub(crate) struct FileRecord {
    path: PathBuf,
    content: Content,
}

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    #[serde(flatten)]
    mark: Mark,
    /// The files, by their paths from the directory of the record.
    files: BTreeMap<String, Checksum>,
}

impl Content {
    fn new() -> Content {
        Content { mark: Mark::own(), files: BTreeMap::new() }
    }
}

impl FileRecord {
    /// Reads the record with this path; if there is none, no files are known.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not of gridmill.
    pub(crate) fn read(path: PathBuf) -> Result<FileRecord, OutputError> {
        let content = match manifest::read(&path) {
            Err(ManifestError::Form { path, .. }) => return Err(Obstacle::Foreign.at(&path)),
            content => content?.unwrap_or_else(Content::new),
        };
        Ok(FileRecord { path, content })
    }

    /// Checks that the files of the earlier run that are still there are as it wrote them, but for those that are written
    /// now; and so is the file with the path `optional`, which may be written or not.
    ///
    /// # Errors
    ///
    /// If one is not, or cannot be read.
    pub(crate) fn check(&self, written: &[PathBuf], optional: &Path) -> Result<(), OutputError> {
        let optional = Some(optional.to_owned()).filter(|path| fs::symlink_metadata(path).is_ok());
        self.others(written).chain(optional).try_for_each(|path| self.check_own(&path))
    }

    /// Completes the files with these paths, removes the others of the earlier run, and replaces the record. Returns those
    /// that were removed.
    ///
    /// # Errors
    ///
    /// If that fails.
    pub(crate) fn finish(self, outputs: Vec<(PathBuf, OutputFile)>) -> Result<Vec<PathBuf>, OutputError> {
        let (mut content, mut written) = (Content::new(), vec![]);
        for (path, output) in outputs {
            let name = self.name(&path);
            output.finish_then(|sum| {
                content.files.insert(name, sum);
                Ok(())
            })?;
            written.push(path);
        }

        let others: Vec<PathBuf> = self.others(&written).collect();
        for path in &others {
            self.check_own(path)?;
            fs::remove_file(path).map_err(|source| OutputError::Remove { path: path.clone(), source })?;
        }
        if !content.files.is_empty() {
            manifest::write(&self.path, serde_json::to_vec(&content), Sync::Later)?;
        }
        Ok(others)
    }

    /// The files of the earlier run that are still there and not among these.
    fn others(&self, written: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
        let paths = self.content.files.keys().map(|name| self.directory().join(name));
        paths.filter(|path| !written.contains(path) && fs::symlink_metadata(path).is_ok())
    }

    /// Checks that a file is as the earlier run wrote it.
    fn check_own(&self, path: &Path) -> Result<(), OutputError> {
        let is_own = match self.content.files.get(&self.name(path)) {
            Some(sum) => sum.fits(path).map_err(OutputError::file(path))?,
            None => false,
        };
        if is_own { Ok(()) } else { Err(Obstacle::Foreign.at(path)) }
    }

    fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The path of a file from the directory of the record.
    fn name(&self, path: &Path) -> String {
        path.strip_prefix(self.directory()).unwrap_or(path).to_string_lossy().into_owned()
    }
}

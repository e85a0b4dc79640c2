//! Makes the directories of some files, and removes those in which no file was left.

use std::fs;
use std::path::{Path, PathBuf};

/// The directories that were made for some files. Those that are empty at the end are removed.
#[derive(Debug)]
pub(crate) struct NewDirectories(Vec<PathBuf>);

impl NewDirectories {
    /// Makes the directories of these files.
    pub(crate) fn of(files: &[PathBuf]) -> NewDirectories {
        let mut made = vec![];
        for directory in files.iter().filter_map(|file| file.parent()) {
            let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
            let new: Vec<PathBuf> = directory.ancestors().take_while(is_new).map(Path::to_owned).collect();
            // If it cannot be made, the file in it cannot be opened, which is an error that says more.
            let _ = fs::create_dir_all(directory);
            // Those inside before those around them.
            made.splice(0..0, new);
        }
        NewDirectories(made)
    }
}

/// A directory with files stays: it cannot be removed.
impl Drop for NewDirectories {
    fn drop(&mut self) {
        for directory in &self.0 {
            let _ = fs::remove_dir(directory);
        }
    }
}

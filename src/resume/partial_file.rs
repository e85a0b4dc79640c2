//! A file that is called `NAME.partial` until it is complete, and is locked against other runs.
//!
//! ```text
//! create:  NAME.partial is locked and emptied, and NAME.partial.json written
//! resume:  NAME.partial is locked, read, and cut after its last complete row
//! write:   bytes go to NAME.partial, now and then a checkpoint to NAME.partial.json
//! finish:  NAME.partial becomes NAME, NAME.partial.json is removed
//! ```
//!
//! A file of these names that gridmill did not write is refused. Every partial output has a file `NAME.partial.json`,
//! by which it is known; only an empty one may be without.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::checkpoints::{CheckpointLog, Checksum, MAX_WRITE, VerifiedBytes, checkpoints_up_to};
use super::error::{OutputError, in_file};
use super::manifest::{Difference, Manifest, Mark, beside};
use super::manifest_file::{self, ManifestFile};
use super::open::{self, Obstacle, OpenFault, leads_to};
use super::replay::{ReplayError, ResumeError};

/// A file that took longer than this to write is synced before it gets its name.
const LONG: Duration = Duration::from_secs(5);

/// The name of a file that is not complete.
pub(super) fn partial_path(path: &Path) -> PathBuf {
    beside(path, ".partial")
}

/// The path of the manifest of the output that gets this path.
pub(super) fn manifest_path(path: &Path) -> PathBuf {
    beside(&partial_path(path), ".json")
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct PartialFile {
    file: File,
    log: CheckpointLog,
    partial: PathBuf,
    path: PathBuf,
    opened: Instant,
}

impl PartialFile {
    /// Creates an empty file, with a manifest if it can be resumed. What an interrupted run has left is overwritten.
    pub(super) fn create(path: &Path, manifest: Option<&Manifest>) -> Result<PartialFile, OutputError> {
        let (partial, beside) = (partial_path(path), manifest_path(path));
        let is_marked = Mark::is_on(&beside)?;
        let file = open_locked(&partial, OpenOptions::new().write(true).create(true).truncate(false));
        let file = file.map_err(|fault| in_words(fault, path))?;
        // A file that was ever truncated is written to the disk when ext4 closes it, and closing waits for that.
        if file.metadata().map_err(OutputError::file(&partial))?.len() > 0 {
            if !is_marked {
                return Err(Obstacle::Foreign.at(&partial));
            }
            file.set_len(0).map_err(OutputError::file(&partial))?;
        }
        // Only now: a manifest never lies next to the rows of another run.
        let log = CheckpointLog::create(beside, manifest, &[])?;
        Ok(PartialFile::new(file, log, path))
    }

    fn new(file: File, log: CheckpointLog, path: &Path) -> PartialFile {
        PartialFile { file, log, partial: partial_path(path), path: path.to_owned(), opened: Instant::now() }
    }

    /// Its name so far.
    pub(super) fn partial(&self) -> &Path {
        &self.partial
    }

    /// Gives the complete file its name. Calls `renamed` before the manifest is removed.
    pub(super) fn finish(self, renamed: impl FnOnce(Checksum) -> Result<(), OutputError>) -> Result<(), OutputError> {
        let partial = &self.partial;
        // After a power cut, a file system may have kept the new name and lost the bytes: the file would look
        // complete. Syncing costs a long run nothing, but would double the time of a short one.
        if self.opened.elapsed() > LONG {
            self.file.sync_all().map_err(OutputError::file(partial))?;
        }
        let rename = || {
            let is_there = leads_to(partial, &self.file)?;
            if is_there {
                fs::rename(partial, &self.path)
            } else {
                Err(io::Error::other("another file is in its place"))
            }
        };
        rename().map_err(|source| OutputError::Rename { from: partial.clone(), to: self.path.clone(), source })?;
        renamed(self.log.sum())?;
        self.remove_manifest()
    }

    /// Removes the file and its manifest.
    pub(super) fn discard(self) -> Result<(), OutputError> {
        if leads_to(&self.partial, &self.file).unwrap_or(false) {
            fs::remove_file(&self.partial)
                .map_err(|source| OutputError::Remove { path: self.partial.clone(), source })?;
        }
        self.remove_manifest()
    }

    fn remove_manifest(self) -> Result<(), OutputError> {
        let manifest = manifest_path(&self.path);
        self.log.remove().map_err(|source| OutputError::Remove { path: manifest, source })
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = &bytes[..bytes.len().min(MAX_WRITE)];
        let written = self.file.write(bytes).map_err(in_file(&self.path))?;
        self.log.written(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(in_file(&self.path))
    }
}

/// The partial output of an interrupted run, locked.
pub(super) struct Interrupted {
    file: File,
    path: PathBuf,
    manifest: Manifest,
    checkpoints: Vec<Checksum>,
}

impl Interrupted {
    /// Opens the partial output of the output with this path; `None` without one.
    ///
    /// # Errors
    ///
    /// If another run writes it, or it is of a run with another manifest.
    pub(super) fn open(path: &Path, manifest: &Manifest) -> Result<Option<Interrupted>, OutputError> {
        let (partial, beside) = (partial_path(path), manifest_path(path));
        let file = match open_locked(&partial, OpenOptions::new().read(true).write(true)) {
            Err(OpenFault::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|fault| in_words(fault, path))?,
        };
        if file.metadata().map_err(OutputError::file(&partial))?.len() == 0 {
            return Ok(None);
        }
        let (checkpoints, differences) = match manifest_file::read(&beside)? {
            None => return Err(ResumeError::NoManifest { partial, manifest: beside }.into()),
            Some(ManifestFile::Marked(mark)) => (vec![], vec![Difference { option: None, words: mark.difference() }]),
            Some(ManifestFile::Resumable(before, checkpoints)) => (checkpoints, before.differences(manifest)),
        };
        if !differences.is_empty() {
            return Err(ResumeError::Differs { partial, differences }.into());
        }
        Ok(Some(Interrupted { file, path: path.to_owned(), manifest: manifest.clone(), checkpoints }))
    }

    /// Its bytes, as far as they are as they were written.
    pub(super) fn bytes(&self) -> io::Result<VerifiedBytes<'_>> {
        VerifiedBytes::new(&self.file, &self.checkpoints)
    }

    /// The error for rows that cannot be replayed.
    pub(super) fn refused(&self, source: ReplayError) -> OutputError {
        ResumeError::Rows { partial: partial_path(&self.path), source }.into()
    }

    /// Cuts it after its first `length` bytes, which were [read](Interrupted::bytes), to write more.
    pub(super) fn cut(mut self, length: u64) -> Result<PartialFile, OutputError> {
        let partial = partial_path(&self.path);
        let mut cut = || -> io::Result<Vec<Checksum>> {
            let kept = checkpoints_up_to(length, &self.file, &self.checkpoints)?;
            self.file.set_len(length)?;
            self.file.seek(SeekFrom::End(0))?;
            Ok(kept)
        };
        let kept = cut().map_err(OutputError::file(&partial))?;
        let log = CheckpointLog::create(manifest_path(&self.path), Some(&self.manifest), &kept)?;
        Ok(PartialFile::new(self.file, log, &self.path))
    }
}

/// Why the partial output of the output with this path cannot be opened.
fn in_words(fault: OpenFault, path: &Path) -> OutputError {
    match fault {
        OpenFault::Obstacle(obstacle) => obstacle.at(&partial_path(path)),
        OpenFault::Io(error) => OutputError::file(path)(error),
    }
}

/// Opens a file and locks it against other runs.
fn open_locked(path: &Path, options: &mut OpenOptions) -> Result<File, OpenFault> {
    loop {
        let file = open::regular(path, options)?;
        if lock(&file, path)? {
            return Ok(file);
        }
    }
}

/// Locks a file as long as it is open, where the file system can do that. Returns whether it still has its name: a run
/// that ends just now may have renamed it, and then it is a complete output.
fn lock(file: &File, path: &Path) -> io::Result<bool> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is writing it")),
        Err(TryLockError::Error(_)) | Ok(()) => leads_to(path, file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another run opens the file, and has not locked it yet; then the run that writes it ends.
    #[test]
    fn a_file_that_was_renamed_before_it_was_locked_is_not_taken() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let mut first = PartialFile::create(&path, None).unwrap();
        first.write_all(b"precious\n").unwrap();
        let opened = open::regular(&partial_path(&path), OpenOptions::new().write(true)).unwrap();
        assert_eq!(lock(&opened, &partial_path(&path)).unwrap_err().to_string(), "another run is writing it");
        first.finish(|_| Ok(())).unwrap();
        assert!(!lock(&opened, &partial_path(&path)).unwrap());
        // Nor is it taken if a third run has created the file again.
        drop(opened);
        let opened = File::options().write(true).open(&path).unwrap();
        let third = PartialFile::create(&path, None).unwrap();
        assert!(!lock(&opened, &partial_path(&path)).unwrap());
        third.finish(|_| Ok(())).unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    /// A file that takes the place of the partial output does not get the name of the output.
    #[test]
    fn another_file_is_not_renamed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let mut output = PartialFile::create(&path, None).unwrap();
        output.write_all(b"rows\n").unwrap();
        fs::remove_file(partial_path(&path)).unwrap();
        fs::write(partial_path(&path), "foreign").unwrap();
        assert!(matches!(output.finish(|_| Ok(())), Err(OutputError::Rename { .. })));
        assert!(!path.exists());
    }

    /// The manifest of a run that has begun since then stays.
    #[test]
    fn the_manifest_of_another_run_is_not_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let first = PartialFile::create(&path, None).unwrap();
        let mut second = None;
        let renamed = |_| {
            second = Some(PartialFile::create(&path, None)?);
            Ok(())
        };
        first.finish(renamed).unwrap();
        assert!(manifest_path(&path).exists());
        second.unwrap().finish(|_| Ok(())).unwrap();
        assert!(!manifest_path(&path).exists());
    }
}

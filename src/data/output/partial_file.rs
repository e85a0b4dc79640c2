//! A file that is called `NAME.partial` until it is complete, and is locked against other runs.
//!
//! ```text
//! create:  NAME.partial is locked and emptied, and NAME.partial.json written
//! resume:  NAME.partial is locked, compared with its checkpoints, and cut at the last one that fits
//! write:   bytes go to NAME.partial, from time to time a checkpoint to NAME.partial.json
//! finish:  NAME.partial becomes NAME, NAME.partial.json is removed
//! ```
//!
//! Files with these names that gridmill did not write are refused. Every partial output has a file `NAME.partial.json`
//! that identifies it, unless it is empty.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::checkpoints::{Checkpoint, CheckpointLog, CheckpointPace, Checksum, MAX_WRITE, keep_fitting};
use super::error::{OutputError, in_file};
use super::mark::OwnMark;
use super::notes_file::{self, NotesFile};
use super::open::{self, Obstacle, OpenFault, beside, leads_to};
use crate::pipeline::{End, Stop};

/// A file that took longer to write is synced before it gets its name.
const LONG: Duration = Duration::from_secs(5);

/// The name of a file that is not complete.
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

/// The data that make a run resumable.
#[derive(Clone, Debug)]
pub(crate) struct Resumable {
    /// The manifest as JSON, which the file next to the output begins with.
    pub(crate) manifest: Vec<u8>,
    /// Whether the job makes notes.
    pub(crate) has_notes: bool,
    pub(crate) pace: CheckpointPace,
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct PartialFile {
    file: File,
    log: CheckpointLog,
    notes: Option<NotesFile>,
    partial: PathBuf,
    path: PathBuf,
    opened: Instant,
}

impl PartialFile {
    /// Creates an empty file, with a manifest if the run can be resumed. Overwrites the output of an interrupted run.
    pub(super) fn create(path: &Path, resumable: Option<&Resumable>) -> Result<PartialFile, OutputError> {
        let (partial, beside) = (partial_path(path), manifest_path(path));
        let is_marked = OwnMark::is_on(&beside)?;
        let file = open_locked(&partial, OpenOptions::new().write(true).create(true).truncate(false));
        let file = file.map_err(|fault| in_words(fault, path))?;
        // Truncate only a file with bytes: closing a file that was ever truncated makes ext4 write it to the disk, and
        // waits for that.
        if file.metadata().map_err(OutputError::file(&partial))?.len() > 0 {
            if !is_marked {
                return Err(Obstacle::Foreign.at(&partial));
            }
            file.set_len(0).map_err(OutputError::file(&partial))?;
        }
        let notes = if resumable.is_some_and(|resumable| resumable.has_notes) {
            Some(NotesFile::create(notes_path(path))?)
        } else {
            notes_file::remove_old(&notes_path(path))?;
            None
        };

        // Not earlier: a manifest must never be next to the rows of another run.
        let pace = resumable.map(|resumable| resumable.pace).unwrap_or_default();
        let log = CheckpointLog::create(beside, resumable.map(|resumable| &*resumable.manifest), pace, &[])?;
        Ok(PartialFile::new(file, log, notes, path))
    }

    fn new(file: File, log: CheckpointLog, notes: Option<NotesFile>, path: &Path) -> PartialFile {
        PartialFile { file, log, notes, partial: partial_path(path), path: path.to_owned(), opened: Instant::now() }
    }

    /// The path of the partial file.
    pub(super) fn partial(&self) -> &Path {
        &self.partial
    }

    /// Adds the notes on further records.
    pub(super) fn add_notes(&mut self, notes: &[u8]) -> io::Result<()> {
        self.notes.as_mut().map_or(Ok(()), |file| file.add(notes).map_err(in_file(&self.path)))
    }

    /// Marks the file so far as complete records.
    pub(super) fn end_records(&mut self) {
        self.log.end_records();
    }

    /// Whether it is time for a checkpoint.
    pub(super) fn is_due(&mut self) -> bool {
        self.log.is_due()
    }

    /// Adds the checksum of the notes so far to a checkpoint.
    pub(super) fn with_notes(&mut self, checkpoint: Checkpoint) -> io::Result<Checkpoint> {
        let notes = self.notes.as_mut().map(NotesFile::sum).transpose().map_err(in_file(&self.path))?;
        Ok(Checkpoint { notes: notes.unwrap_or_default(), ..checkpoint })
    }

    /// Writes a checkpoint at the end of the complete records. `made_in` is the time that it took to make.
    pub(super) fn checkpoint(&mut self, checkpoint: Checkpoint, made_in: Duration) {
        self.log.add(checkpoint, made_in);
    }

    /// Gives the complete file its name. Calls `renamed` before it removes the manifest.
    pub(super) fn finish(self, renamed: impl FnOnce(Checksum) -> Result<(), OutputError>) -> Result<(), OutputError> {
        let partial = &self.partial;
        // After a power cut, a file system may have kept the new name but lost the bytes: the file would look complete.
        // Syncing costs a long run almost nothing, but would double the time of a short one.
        if self.opened.elapsed() > LONG {
            self.file.sync_all().map_err(OutputError::file(partial))?;
        }
        let rename = || {
            // Not every file system supports locks, so another run may have replaced the file.
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

    /// Removes the file, its notes and its manifest.
    pub(super) fn discard(self) -> Result<(), OutputError> {
        if leads_to(&self.partial, &self.file).unwrap_or(false) {
            fs::remove_file(&self.partial)
                .map_err(|source| OutputError::Remove { path: self.partial.clone(), source })?;
        }
        self.remove_manifest()
    }

    fn remove_manifest(self) -> Result<(), OutputError> {
        let manifest = manifest_path(&self.path);
        // The manifest last: it marks the other files as gridmill's.
        self.notes.map_or(Ok(()), NotesFile::remove)?;
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
pub(crate) struct Interrupted {
    file: File,
    notes: Option<File>,
    path: PathBuf,
    /// First all checkpoints; after `verify`, the ones that fit.
    checkpoints: Vec<Checkpoint>,
}

impl Interrupted {
    /// Opens the partial output for a path; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// If another run is writing it, or `read` cannot read the checkpoints: it gets the paths of the partial output and of
    /// the file with its manifest.
    pub(crate) fn open(
        path: &Path,
        resumable: &Resumable,
        read: impl FnOnce(PathBuf, PathBuf) -> Result<Vec<Checkpoint>, OutputError>,
    ) -> Result<Option<Interrupted>, OutputError> {
        let (partial, beside) = (partial_path(path), manifest_path(path));
        let file = match open_locked(&partial, OpenOptions::new().read(true).write(true)) {
            Err(OpenFault::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|fault| in_words(fault, path))?,
        };
        // Nothing was written yet, so there is nothing to continue.
        if file.metadata().map_err(OutputError::file(&partial))?.len() == 0 {
            return Ok(None);
        }
        let checkpoints = read(partial, beside)?;

        let notes = if resumable.has_notes { NotesFile::open(&notes_path(path))? } else { None };
        Ok(Some(Interrupted { file, notes, path: path.to_owned(), checkpoints }))
    }

    /// Keeps the checkpoints that fit the output and the notes. [`End::Stopped`] if it was interrupted.
    pub(crate) fn verify(&mut self, stop: &Stop) -> Result<End, OutputError> {
        let checkpoints = &mut self.checkpoints;
        let kept = keep_fitting(checkpoints, &self.file, |checkpoint| checkpoint.output, stop);
        if kept.map_err(OutputError::file(&partial_path(&self.path)))? == End::Stopped {
            return Ok(End::Stopped);
        }
        match &self.notes {
            // Without the notes, only checkpoints that need none are of use.
            None => checkpoints.retain(|checkpoint| checkpoint.notes == Checksum::default()),
            Some(notes) => {
                let kept = keep_fitting(checkpoints, notes, |checkpoint| checkpoint.notes, stop);
                return kept.map_err(OutputError::file(&notes_path(&self.path)));
            }
        }
        Ok(End::Complete)
    }

    /// The last checkpoint that fits.
    pub(crate) fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoints.last()
    }

    /// The notes on the records.
    pub(crate) fn notes(&self) -> Result<Box<dyn Read + '_>, OutputError> {
        let Some(notes) = &self.notes else { return Ok(Box::new(io::empty())) };
        let reader = NotesFile::reader(notes).map_err(OutputError::file(&notes_path(&self.path)))?;
        Ok(Box::new(reader))
    }

    /// Truncates the file at the last checkpoint that fits, to append to it. Without such a checkpoint, starts over.
    pub(super) fn cut(mut self, resumable: &Resumable) -> Result<PartialFile, OutputError> {
        // Cut in place, because replacing the file would lose the lock.
        let last = self.checkpoints.last().cloned().unwrap_or_default();
        let cut = self.file.set_len(last.output.bytes).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map_err(OutputError::file(&partial_path(&self.path)))?;

        let path = notes_path(&self.path);
        let notes = match self.notes {
            Some(file) if last.notes.bytes > 0 => Some(NotesFile::resume(path, file, last.notes)?),
            _ if resumable.has_notes => Some(NotesFile::create(path)?),
            _ => None,
        };
        let (manifest, pace) = (Some(&*resumable.manifest), resumable.pace);

        // The new manifest lacks the checkpoints that do not fit.
        let log = CheckpointLog::create(manifest_path(&self.path), manifest, pace, &self.checkpoints)?;
        Ok(PartialFile::new(self.file, log, notes, &self.path))
    }
}

/// The error for a partial output that cannot be opened; `path` is the final path.
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

/// Locks a file as long as it is open, if the file system supports that. Returns whether it still has its name: a run
/// that ends at this moment may have renamed it to a complete output.
fn lock(file: &File, path: &Path) -> io::Result<bool> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is writing it")),
        Err(TryLockError::Error(_)) | Ok(()) => leads_to(path, file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another run opens the file, but has not locked it yet. Then the run that writes it ends.
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
        // The file is not taken either if a third run has created it again.
        drop(opened);
        let opened = File::options().write(true).open(&path).unwrap();
        let third = PartialFile::create(&path, None).unwrap();
        assert!(!lock(&opened, &partial_path(&path)).unwrap());
        third.finish(|_| Ok(())).unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    /// A file that has replaced the partial output does not get the name of the output.
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

//! Output files that get their name when they are complete, standard output, and devices; compressed on request.
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

use super::checkpoints::{
    Checkpoint, CheckpointLog, Checksum, MAX_WRITE, NotesFile, Resumable, keep_fitting, remove_old_notes,
};
use super::error::{ManifestError, Obstacle, OutputError, in_file};
use super::open::{
    self, OpenFault, OwnMark, Sync, leads_to, manifest_path, notes_path, partial_path, replace, special,
};
use super::target::OutputTarget;
use crate::compression::{Compression, Encoder};
use crate::options::Counted;
use crate::pipeline::{End, Stop};

/// A file that took longer to write is synced before it gets its name.
const LONG: Duration = Duration::from_secs(5);

/// An output that is being written.
#[derive(Debug)]
pub struct OutputFile(Encoder<Sink>);

/// The stored bytes of an output.
#[derive(Debug)]
struct Sink {
    /// `None` is standard output.
    file: Option<File>,
    /// The final path.
    path: PathBuf,
    /// The checkpoints of a file that is called `NAME.partial`, and is locked against other runs; `None` for a file that
    /// is written to, but not replaced.
    log: Option<CheckpointLog>,
}

/// The output of a job that did not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialOutput {
    /// The file.
    pub path: PathBuf,
    /// Whether the job can be resumed from it.
    pub resumable: bool,
}

impl OutputFile {
    /// Opens a new output; `threads` is the number of threads for compression.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or another run is writing it.
    pub fn create(target: &OutputTarget, threads: usize) -> Result<OutputFile, OutputError> {
        OutputFile::create_resumable(target, threads, None)
    }

    /// Opens a new output that a later run may resume.
    pub(crate) fn create_resumable(
        target: &OutputTarget,
        threads: usize,
        resumable: Option<Resumable>,
    ) -> Result<OutputFile, OutputError> {
        let sink = Sink::open(target.file_path(), resumable)?;
        Ok(OutputFile(Encoder::new(sink, target.compression, threads)))
    }

    /// Continues the output of an interrupted run after its last checkpoint.
    pub(crate) fn resume(
        interrupted: Interrupted,
        compression: Option<Compression>,
        threads: usize,
    ) -> Result<OutputFile, OutputError> {
        let has_frames = interrupted.checkpoint().is_some_and(|checkpoint| checkpoint.output.bytes > 0);
        let sink = interrupted.cut()?;
        Ok(OutputFile(Encoder::new(sink, compression, threads).after_frames(has_frames)))
    }

    /// Ends a block of text, which a compressed output may put into a frame. Returns whether all text so far is in
    /// complete frames.
    pub(crate) fn end_block(&mut self) -> io::Result<bool> {
        self.0.end_block()
    }

    /// Marks the output so far as complete records, and adds the notes on the last of them. Makes a checkpoint when one
    /// is due; in a compressed output, only at the end of a frame.
    pub(crate) fn end_records(
        &mut self,
        ends_block: bool,
        notes: &[u8],
        checkpoint: impl FnOnce() -> Checkpoint,
    ) -> io::Result<()> {
        let begun = Instant::now();
        // Standard output and special files have no checkpoints.
        let Sink { path, log: Some(log), .. } = self.0.get_mut() else { return Ok(()) };
        log.add_notes(notes).map_err(in_file(path))?;

        // A run can only continue after a complete frame.
        if !ends_block || !self.0.end_block()? {
            return Ok(());
        }
        let Sink { path, log: Some(log), .. } = self.0.get_mut() else { return Ok(()) };
        log.end_records();
        if log.is_due() {
            let checkpoint = log.with_notes(checkpoint()).map_err(in_file(path))?;
            let made_in = begun.elapsed();
            // The checkpoint must not be in the file before the frame that it is for, which a thread may still compress.
            self.0.when_written(move |sink| {
                if let Some(log) = &mut sink.log {
                    log.end_records();
                    log.add(checkpoint, made_in);
                }
            });
        }
        Ok(())
    }

    /// Writes a last checkpoint at the end of the complete records. The output must not be compressed.
    pub(crate) fn leave(&mut self, checkpoint: Checkpoint) -> io::Result<()> {
        let Sink { path, log: Some(log), .. } = self.0.get_mut() else { return Ok(()) };
        let checkpoint = log.with_notes(checkpoint).map_err(in_file(path))?;
        log.add(checkpoint, Duration::ZERO);
        Ok(())
    }

    /// Flushes the output, and gives a complete file its name.
    ///
    /// # Errors
    ///
    /// If writing or renaming fails.
    pub fn finish(self) -> Result<(), OutputError> {
        self.finish_then(|_| Ok(()))
    }

    /// [`OutputFile::finish`] that calls `renamed`, with the checksum of the file, before the manifest is removed.
    pub(crate) fn finish_then(
        self,
        renamed: impl FnOnce(Checksum) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let sink = self.0.finish().map_err(OutputError::Write)?;
        let Sink { file: Some(file), path, log: Some(log) } = sink else { return Ok(()) };
        let partial = partial_path(&path);
        // After a power cut, a file system may have kept the new name but lost the bytes: the file would look complete.
        // Syncing costs a long run almost nothing, but would double the time of a short one.
        if log.opened.elapsed() > LONG {
            file.sync_all().map_err(OutputError::file(&partial))?;
        }
        let rename = || {
            // Not every file system supports locks, so another run may have replaced the file.
            if leads_to(&partial, &file)? {
                fs::rename(&partial, &path)
            } else {
                Err(io::Error::other("another file is in its place"))
            }
        };

        rename().map_err(|source| OutputError::Rename { from: partial.clone(), to: path.clone(), source })?;
        renamed(log.sum())?;
        log.remove()
    }

    /// Removes a file that is not worth keeping.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn discard(self) -> Result<(), OutputError> {
        let sink = self.0.finish().map_err(OutputError::Write)?;
        let Sink { file: Some(file), path, log: Some(log) } = sink else { return Ok(()) };
        let partial = partial_path(&path);
        if leads_to(&partial, &file).unwrap_or(false) {
            fs::remove_file(&partial).map_err(|source| OutputError::Remove { path: partial, source })?;
        }
        log.remove()
    }

    /// The file that keeps the rows if the output is never finished.
    pub fn partial(&self) -> Option<PartialOutput> {
        let Sink { path, log, .. } = self.0.get_ref();
        log.as_ref().map(|log| PartialOutput { path: partial_path(path), resumable: log.is_resumable() })
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    /// Flushes the output. Afterwards, compressed rows can be read.
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Sink {
    /// Opens standard output, or a device or a pipe; or creates an empty file, with a manifest if the run can be resumed,
    /// and overwrites the output of an interrupted run.
    fn open(path: Option<&Path>, resumable: Option<Resumable>) -> Result<Sink, OutputError> {
        let Some(path) = path else { return Ok(Sink { file: None, path: PathBuf::new(), log: None }) };
        if let Some(file) = special(path) {
            let file = file.map_err(OutputError::file(path))?;
            return Ok(Sink { file: Some(file), path: path.to_owned(), log: None });
        }

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
        let notes = if resumable.as_ref().is_some_and(|resumable| resumable.has_notes) {
            Some(NotesFile::create(notes_path(path))?)
        } else {
            remove_old_notes(&notes_path(path))?;
            None
        };

        // Not earlier: a manifest must never be next to the rows of another run.
        let log = CheckpointLog::create(beside, resumable, notes, &[])?;
        Ok(Sink { file: Some(file), path: path.to_owned(), log: Some(log) })
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.file else { return io::stdout().write(bytes) };
        let bytes = &bytes[..bytes.len().min(MAX_WRITE)];
        let written = file.write(bytes).map_err(in_file(&self.path))?;
        if let Some(log) = &mut self.log {
            log.written(&bytes[..written]);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            None => io::stdout().flush(),
            Some(file) => file.flush().map_err(in_file(&self.path)),
        }
    }
}

/// The partial output of an interrupted run, locked.
pub(crate) struct Interrupted {
    file: File,
    notes: Option<File>,
    path: PathBuf,
    /// First all checkpoints; after `verify`, the ones that fit.
    checkpoints: Vec<Checkpoint>,
    resumable: Resumable,
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
        read: impl FnOnce(&Path, &Path) -> Result<Vec<Checkpoint>, OutputError>,
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
        let checkpoints = read(&partial, &beside)?;

        let notes = if resumable.has_notes { NotesFile::open(&notes_path(path))? } else { None };
        Ok(Some(Interrupted { file, notes, path: path.to_owned(), checkpoints, resumable: resumable.clone() }))
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

    /// The partial output.
    pub(crate) fn partial(&self) -> PartialOutput {
        PartialOutput { path: partial_path(&self.path), resumable: true }
    }

    /// The error for an input that has changed within its first `records` records, which the rows belong to.
    pub(crate) fn changed_input(&self, records: u64) -> OutputError {
        let words = format!("the first {} of the input have changed", Counted(records, "record"));
        OutputError::other_run(&partial_path(&self.path), &[words])
    }

    /// The error for a checkpoint from another version of gridmill.
    pub(crate) fn form_error(&self, source: serde_json::Error) -> OutputError {
        ManifestError::Form { path: manifest_path(&self.path), source }.into()
    }

    /// Truncates the file at the last checkpoint that fits, to append to it. Without such a checkpoint, starts over.
    fn cut(mut self) -> Result<Sink, OutputError> {
        // Cut in place, because replacing the file would lose the lock.
        let last = self.checkpoints.last().cloned().unwrap_or_default();
        let cut = self.file.set_len(last.output.bytes).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map_err(OutputError::file(&partial_path(&self.path)))?;

        let path = notes_path(&self.path);
        let notes = match self.notes {
            Some(file) if last.notes.bytes > 0 => Some(NotesFile::resume(path, file, last.notes)?),
            _ if self.resumable.has_notes => Some(NotesFile::create(path)?),
            _ => None,
        };
        // The new manifest lacks the checkpoints that do not fit.
        let log = CheckpointLog::create(manifest_path(&self.path), Some(self.resumable), notes, &self.checkpoints)?;
        Ok(Sink { file: Some(self.file), path: self.path, log: Some(log) })
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

/// A file that is written at the end of a run. Whether it can be written is checked in advance, without leaving
/// anything on the disk.
#[derive(Debug)]
pub struct ReservedFile {
    target: OutputTarget,
    /// A pipe or a device, which cannot be opened twice.
    special: Option<OutputFile>,
}

impl ReservedFile {
    /// Checks that an output can be written, without leaving a file: the run may be interrupted.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn new(target: OutputTarget) -> Result<ReservedFile, OutputError> {
        let output = OutputFile::create(&target, 1)?;
        if output.partial().is_none() {
            return Ok(ReservedFile { target, special: Some(output) });
        }
        output.discard()?;
        Ok(ReservedFile { target, special: None })
    }

    /// The name and the format of the file.
    pub fn target(&self) -> &OutputTarget {
        &self.target
    }

    /// Opens the file for writing.
    ///
    /// # Errors
    ///
    /// If it can no longer be written.
    pub fn open(self) -> Result<OutputFile, OutputError> {
        match self.special {
            Some(output) => Ok(output),
            None => OutputFile::create(&self.target, 1),
        }
    }
}

/// Writes a small file at once, such as a summary or a page, compressed according to its extension. `-` is standard
/// output.
///
/// # Errors
///
/// If it cannot be written. The old file then stays.
pub fn write_small(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let target = OutputTarget::file(path);
    // In memory, so that a file is replaced at once or not at all.
    let mut encoder = Encoder::new(vec![], target.compression, 1);
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    let bytes = &compressed.map_err(OutputError::file(path))?;

    let Some(path) = target.file_path() else {
        let mut stdout = io::stdout();
        return stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(OutputError::Write);
    };
    let written = match special(path) {
        Some(file) => file.and_then(|mut file| file.write_all(bytes)),
        None => replace(path, bytes, Sync::Later).map(|_| ()),
    };
    written.map_err(OutputError::file(path))
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::super::checkpoints::CheckpointPace;
    use super::*;
    use crate::compression::Decoder;

    fn create(path: &Path) -> Result<OutputFile, OutputError> {
        OutputFile::create(&OutputTarget::file(path), 1)
    }

    /// A run is killed while it writes its third block; the next run continues after the second.
    #[test]
    fn a_partial_output_is_continued() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let resumable = Resumable { manifest: b"{}".to_vec(), has_notes: true, pace: CheckpointPace::EachChunk };
        let blocks = ["one\n", "two\n", "three\n"].map(|row| row.repeat(20_000));
        for compression in Compression::VARIANTS.iter().copied().map(Some).chain([None]) {
            let target = OutputTarget { compression, ..OutputTarget::file(&path) };
            let mut output = OutputFile::create_resumable(&target, 2, Some(resumable.clone())).unwrap();
            for (block, records) in blocks.iter().zip(1..) {
                output.write_all(block.as_bytes()).unwrap();
                let checkpoint = || Checkpoint { records, ..Checkpoint::default() };
                output.end_records(true, &block.as_bytes()[..3], checkpoint).unwrap();
            }
            output.flush().unwrap();
            drop(output);
            let partial = partial_path(&path);
            let length = fs::metadata(&partial).unwrap().len();
            File::options().write(true).open(&partial).unwrap().set_len(length - 1).unwrap();

            let read = |_: &Path, beside: &Path| Ok(Checkpoint::read_all(&fs::read(beside).unwrap()));
            let mut interrupted = Interrupted::open(&path, &resumable, read).unwrap().unwrap();
            interrupted.verify(&Stop::new()).unwrap();
            assert_eq!(interrupted.checkpoint().unwrap().records, 2, "{compression:?}");
            let mut notes = [0; 6];
            interrupted.notes().unwrap().read_exact(&mut notes).unwrap();
            assert_eq!(&notes, b"onetwo");
            let mut output = OutputFile::resume(interrupted, compression, 2).unwrap();
            assert_eq!(output.partial().unwrap().path, partial);
            output.write_all(b"four\n").unwrap();
            output.finish().unwrap();

            let (bytes, mut rows) = (fs::read(&path).unwrap(), String::new());
            match compression {
                None => rows = String::from_utf8(bytes).unwrap(),
                Some(compression) => {
                    Decoder::new(&bytes[..], compression).read_to_string(&mut rows).unwrap();
                }
            }
            assert!(rows == blocks[..2].concat() + "four\n", "{compression:?}");
            assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        }
    }

    /// Another run opens the file, but has not locked it yet. Then the run that writes it ends.
    #[test]
    fn a_file_that_was_renamed_before_it_was_locked_is_not_taken() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let mut first = create(&path).unwrap();
        first.write_all(b"precious\n").unwrap();
        let opened = open::regular(&partial_path(&path), OpenOptions::new().write(true)).unwrap();
        assert_eq!(lock(&opened, &partial_path(&path)).unwrap_err().to_string(), "another run is writing it");
        first.finish().unwrap();
        assert!(!lock(&opened, &partial_path(&path)).unwrap());
        // The file is not taken either if a third run has created it again.
        drop(opened);
        let opened = File::options().write(true).open(&path).unwrap();
        let third = create(&path).unwrap();
        assert!(!lock(&opened, &partial_path(&path)).unwrap());
        third.finish().unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    /// A file that has replaced the partial output does not get the name of the output.
    #[test]
    fn another_file_is_not_renamed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let mut output = create(&path).unwrap();
        output.write_all(b"rows\n").unwrap();
        fs::remove_file(partial_path(&path)).unwrap();
        fs::write(partial_path(&path), "foreign").unwrap();
        assert!(matches!(output.finish(), Err(OutputError::Rename { .. })));
        assert!(!path.exists());
    }

    /// The manifest of a run that has begun since then stays.
    #[test]
    fn the_manifest_of_another_run_is_not_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let first = create(&path).unwrap();
        let mut second = None;
        let renamed = |_| {
            second = Some(create(&path).unwrap());
            Ok(())
        };
        first.finish_then(renamed).unwrap();
        assert!(manifest_path(&path).exists());
        second.unwrap().finish().unwrap();
        assert!(!manifest_path(&path).exists());
    }
}

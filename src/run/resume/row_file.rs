//! The rows of a job in an output of text, which can be resumed if it is a file.
//!
//! ```text
//!   open ---> new:         NAME.partial is empty, its manifest is written
//!        \--> interrupted: NAME.partial has rows of the same run
//!                \--> verify: how much of it is still unchanged
//!                       \--> start: the rest is cut off
//!   write ... finish:      NAME.partial becomes NAME, the manifest is removed, a shard gets its metadata
//! ```

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::shard_metadata::ShardMetadata;
use crate::compression::Compression;
use crate::options::OptionError;
use crate::output::{
    Checkpoint, Checksum, Interrupted, ManifestError, OutputError, OutputFile, OutputTarget, Resumable, is_special,
    manifest_path, partial_path,
};
use crate::pipeline::{End, Stop};
use crate::stats::Counted;

/// The output of a job.
pub(crate) struct RowFile {
    /// The text before the first row.
    header: Vec<u8>,
    /// The number of records after which a frame may end.
    block: u64,
    threads: usize,
    compression: Option<Compression>,
    /// The final path, if the output is a regular file, which can be resumed.
    resumable: Option<(PathBuf, Resumable, Manifest)>,
    /// The rows of an interrupted run, until this run continues.
    interrupted: Option<Interrupted>,
    /// `None` before `start`.
    output: Option<OutputFile>,
    /// The number of records so far.
    records: u64,
    /// Whether anything follows the header.
    has_rows: bool,
}

/// A shard that was finished by an earlier run.
pub(crate) struct FinishedShard {
    pub(crate) metadata: ShardMetadata,
    /// Whether the output has changed since it was finished.
    pub(crate) is_damaged: bool,
}

impl RowFile {
    /// Opens a new output, or checks that a partial one belongs to this run. A frame of a compressed output may end
    /// after each `block` of records.
    ///
    /// `resumable` returns `None` for a run that cannot be resumed. It is called only for a regular file, since it
    /// reads the heads of all inputs.
    pub(crate) fn open(
        target: &OutputTarget,
        resume: bool,
        header: Vec<u8>,
        block: u64,
        threads: usize,
        resumable: Option<impl FnOnce() -> Result<(Resumable, Manifest), ManifestError>>,
    ) -> Result<RowFile, OutputError> {
        let path = target.file_path().filter(|path| !is_special(path));
        if resume && path.is_none() {
            let reason = "`resume` needs the name of an output file, to find the rows so far";
            return Err(OutputError::Resume(OptionError::new(reason)));
        }
        let resumable = match (path, resumable) {
            (Some(path), Some(resumable)) => {
                let (resumable, manifest) = resumable()?;
                Some((path.to_owned(), resumable, manifest))
            }
            _ => None,
        };
        // Without this check, the run would fail only at its end, when it writes the metadata.
        if let Some((path, ..)) = &resumable {
            ShardMetadata::check_place(path)?;
        }
        let interrupted = match &resumable {
            Some((path, resumable, manifest)) if resume => {
                Interrupted::open(path, resumable, |partial, beside| manifest.checkpoints(&partial, &beside))?
            }
            _ => None,
        };
        // Rows of an interrupted run are verified first; `start` then opens them for writing.
        let output = match (&interrupted, &resumable) {
            (Some(_), _) => None,
            (None, resumable) => {
                let resumable = resumable.as_ref().map(|(_, resumable, _)| resumable);
                Some(OutputFile::create_resumable(target, threads, resumable)?)
            }
        };
        let compression = target.compression;
        let (records, has_rows) = (0, false);
        Ok(RowFile { header, block, threads, compression, resumable, interrupted, output, records, has_rows })
    }

    /// A shard that was finished earlier with the same manifest.
    pub(crate) fn finished_shard(
        target: &OutputTarget,
        manifest: impl FnOnce() -> Result<Manifest, ManifestError>,
    ) -> Result<Option<FinishedShard>, OutputError> {
        // A partial file next to the output shows that another run is writing it, or was interrupted.
        let Some(path) = target.file_path().filter(|path| path.exists() && !partial_path(path).exists()) else {
            return Ok(None);
        };
        let Some(metadata) = ShardMetadata::read(path)? else { return Ok(None) };
        // The output of a different run: this run replaces it.
        if !metadata.manifest.differences(&manifest()?).is_empty() {
            return Ok(None);
        }
        let is_damaged = !metadata.fits(path)?;
        Ok(Some(FinishedShard { metadata, is_damaged }))
    }

    /// The error for metadata of a finished shard from another version of gridmill.
    pub(crate) fn shard_form_error(target: &OutputTarget, source: serde_json::Error) -> OutputError {
        let path = target.file_path().map(ShardMetadata::path).unwrap_or_default();
        ManifestError::Form { path, source }.into()
    }

    /// The file that keeps the rows if the run does not finish.
    pub(crate) fn partial(&self) -> Option<PathBuf> {
        match (&self.output, &self.resumable) {
            (Some(output), _) => output.partial().map(Path::to_owned),
            (None, resumable) => resumable.as_ref().map(|(path, ..)| partial_path(path)),
        }
    }

    /// Ends a run that did not finish. Returns the file that keeps the rows. A file without rows is removed, unless it has
    /// records that have none.
    pub(crate) fn into_partial(self) -> Result<Option<PathBuf>, OutputError> {
        let path = self.partial();
        match self.output {
            // Nothing is lost: there is nothing to continue.
            Some(output) if !self.has_rows && self.records == 0 => output.discard().map(|()| None),
            _ => Ok(path),
        }
    }

    /// Whether the run can be resumed.
    pub(crate) fn is_resumable(&self) -> bool {
        self.resumable.is_some()
    }

    /// Whether there are rows of an interrupted run.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.is_some()
    }

    /// Finds out how many rows of an interrupted run are unchanged. [`End::Stopped`] if that was interrupted.
    pub(crate) fn verify(&mut self, stop: &Stop) -> Result<End, OutputError> {
        self.interrupted.as_mut().map_or(Ok(End::Complete), |interrupted| interrupted.verify(stop))
    }

    /// The checkpoint where an interrupted run continues, if there is one.
    pub(crate) fn checkpoint(&self) -> Option<&Checkpoint> {
        self.interrupted.as_ref().and_then(Interrupted::checkpoint)
    }

    /// The notes on the records up to that checkpoint.
    pub(crate) fn notes(&self) -> Result<Box<dyn Read + '_>, OutputError> {
        self.interrupted.as_ref().map_or(Ok(Box::new(io::empty())), Interrupted::notes)
    }

    /// The error for an input that has changed within its first `records` records, which the rows belong to.
    pub(crate) fn changed_input(&self, records: u64) -> OutputError {
        let partial = self.partial().unwrap_or_default();
        let words = format!("the first {} of the input have changed", Counted(records, "record"));
        OutputError::other_run(&partial, &[words])
    }

    /// The error for a checkpoint from another version of gridmill.
    pub(crate) fn form_error(&self, source: serde_json::Error) -> OutputError {
        let path = self.resumable.as_ref().map(|(path, ..)| manifest_path(path)).unwrap_or_default();
        ManifestError::Form { path, source }.into()
    }

    /// Truncates the file after the rows of an interrupted run, or writes the header of a new output.
    pub(crate) fn start(&mut self) -> Result<(), OutputError> {
        if let (Some(interrupted), Some((_, resumable, _))) = (self.interrupted.take(), &self.resumable) {
            self.records = interrupted.checkpoint().map_or(0, |checkpoint| checkpoint.records);
            self.output = Some(OutputFile::resume(interrupted, resumable, self.compression, self.threads)?);
        }
        // Also for an interrupted run without a checkpoint that fits: its file was emptied.
        if self.records == 0 {
            let header = std::mem::take(&mut self.header);
            self.write_all(&header).map_err(OutputError::Write)?;
        }
        self.has_rows = self.records > 0;
        Ok(())
    }

    /// Marks the rows so far as complete, and adds the notes on the last of them. Makes a checkpoint when one is due.
    pub(crate) fn end_records(
        &mut self,
        records: u64,
        notes: &[u8],
        checkpoint: impl FnOnce() -> Checkpoint,
    ) -> io::Result<()> {
        self.records += records;
        let ends_block = self.compression.is_none() || self.records.is_multiple_of(self.block);
        match &mut self.output {
            // A chunk without new records may end within a record, so nothing is complete there.
            Some(output) if records > 0 => output.end_records(ends_block, notes, checkpoint),
            _ => Ok(()),
        }
    }

    /// Writes a checkpoint at the end of the complete records, for a run that ends early, unless it is compressed: its
    /// frames have other ends.
    pub(crate) fn leave(&mut self, checkpoint: Checkpoint) -> io::Result<()> {
        match &mut self.output {
            Some(output) if self.compression.is_none() => output.leave(checkpoint),
            _ => Ok(()),
        }
    }

    /// Gives the output its name, and removes the manifest. A shard also gets its metadata, which exists only next to a
    /// finished output.
    pub(crate) fn finish(
        self,
        metadata: impl FnOnce(Manifest, Checksum) -> Option<ShardMetadata>,
    ) -> Result<(), OutputError> {
        let Some(output) = self.output else { return Ok(()) };
        let Some((path, _, manifest)) = self.resumable else { return output.finish() };
        // The metadata of an earlier run must never be next to the new output.
        remove(&ShardMetadata::path(&path))?;
        output.finish_then(|sum| match metadata(manifest, sum) {
            Some(metadata) => Ok(metadata.write(&path)?),
            None => Ok(()),
        })
    }
}

impl Write for RowFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.has_rows |= !bytes.is_empty();
        self.output.as_mut().ok_or(io::ErrorKind::NotConnected)?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.as_mut().map_or(Ok(()), OutputFile::flush)
    }
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), OutputError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(OutputError::Remove { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

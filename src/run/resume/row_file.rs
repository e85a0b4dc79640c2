//! The rows of a job in an output of text, which can be resumed if it is a file.
//!
//! ```text
//!   open ---> new:         NAME.partial is empty, its manifest is written
//!        \--> interrupted: NAME.partial has rows of the same run
//!                \--> verify: how much of it is still unchanged
//!   start:                 the rows after that are cut off
//!   write ... finish:      NAME.partial becomes NAME, the manifest is removed, a shard gets its metadata
//! ```

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::shards::ShardMetadata;
use crate::compression::Compression;
use crate::options::OptionError;
use crate::output::{
    Checkpoint, Checksum, Interrupted, ManifestError, OutputError, OutputFile, OutputTarget, PartialOutput, Resumable,
    is_special, partial_path, remove_if_there,
};

/// The output of a job before its first row.
pub(crate) struct RowFile {
    opened: Opened,
    threads: usize,
    compression: Option<Compression>,
    /// The final path and the manifest, if the run can be resumed: the output is a regular file.
    resumable: Option<(PathBuf, Manifest)>,
}

enum Opened {
    New(Box<OutputFile>),
    /// The rows of an interrupted run. They are verified first; `start` then opens them for writing.
    Interrupted(Interrupted),
}

/// The output of a job that is being written.
pub(crate) struct OpenRows {
    output: OutputFile,
    /// The number of records after which a frame may end, if the output is compressed.
    block: Option<u64>,
    /// The final path and the manifest, if the run can be resumed.
    resumable: Option<(PathBuf, Manifest)>,
    /// The number of records so far.
    records: u64,
}

/// A shard that was finished by an earlier run.
pub(crate) struct FinishedShard {
    /// The path of its metadata.
    pub(crate) path: PathBuf,
    pub(crate) metadata: ShardMetadata,
    /// Whether the output has changed since it was finished.
    pub(crate) is_damaged: bool,
}

impl FinishedShard {
    /// The shard that an earlier run has written to this output, with the same manifest.
    pub(crate) fn find(
        target: &OutputTarget,
        manifest: &dyn Fn() -> Result<Manifest, ManifestError>,
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
        Ok(Some(FinishedShard { path: ShardMetadata::path(path), metadata, is_damaged }))
    }
}

impl RowFile {
    /// Opens a new output, or checks that a partial one belongs to this run.
    ///
    /// `resumable` is `None` for a run that cannot be resumed. It is called only for a regular file, since it reads the
    /// heads of all inputs.
    pub(crate) fn open(
        target: &OutputTarget,
        resume: bool,
        threads: usize,
        resumable: Option<&dyn Fn() -> Result<(Resumable, Manifest), ManifestError>>,
    ) -> Result<RowFile, OutputError> {
        let path = target.file_path().filter(|path| !is_special(path));
        if resume && path.is_none() {
            let reason = "`resume` needs the name of an output file, to find the rows so far";
            return Err(OutputError::Resume(OptionError::new(reason)));
        }
        let create = |resumable| {
            let output = OutputFile::create_resumable(target, threads, resumable)?;
            Ok::<_, OutputError>(Opened::New(Box::new(output)))
        };
        let (Some(path), Some(resumable)) = (path, resumable) else {
            return Ok(RowFile { opened: create(None)?, threads, compression: target.compression, resumable: None });
        };

        let (resumable, manifest) = resumable()?;
        // Without this check, the run would fail only at its end, when it writes the metadata.
        ShardMetadata::check_place(path)?;
        let checkpoints = |partial: &Path, beside: &Path| manifest.checkpoints(partial, beside);
        let interrupted = if resume { Interrupted::open(path, &resumable, checkpoints)? } else { None };
        let opened = interrupted.map_or_else(|| create(Some(resumable)), |rows| Ok(Opened::Interrupted(rows)))?;
        let resumable = Some((path.to_owned(), manifest));
        Ok(RowFile { opened, threads, compression: target.compression, resumable })
    }

    /// The file that keeps the rows if the run does not finish.
    pub(crate) fn partial(&self) -> Option<PartialOutput> {
        match &self.opened {
            Opened::New(output) => output.partial(),
            Opened::Interrupted(interrupted) => Some(interrupted.partial()),
        }
    }

    /// The rows of an interrupted run, if it is resumed.
    pub(crate) fn interrupted(&mut self) -> Option<&mut Interrupted> {
        if let Opened::Interrupted(interrupted) = &mut self.opened { Some(interrupted) } else { None }
    }

    /// Truncates the file after the rows of an interrupted run, or writes the header of a new output. A frame of a
    /// compressed output may end after each `block` of records.
    pub(crate) fn start(self, header: &[u8], block: u64) -> Result<OpenRows, OutputError> {
        let RowFile { opened, threads, compression, resumable } = self;
        let (mut output, records) = match opened {
            Opened::New(output) => (*output, 0),
            Opened::Interrupted(interrupted) => {
                let records = interrupted.checkpoint().map_or(0, |checkpoint| checkpoint.records);
                (OutputFile::resume(interrupted, compression, threads)?, records)
            }
        };
        // Also for an interrupted run without a checkpoint that fits: its file was emptied.
        if records == 0 {
            output.write_all(header).map_err(OutputError::Write)?;
        }
        Ok(OpenRows { output, block: compression.map(|_| block), resumable, records })
    }
}

impl OpenRows {
    /// Whether the run can be resumed.
    pub(crate) fn is_resumable(&self) -> bool {
        self.resumable.is_some()
    }

    /// Writes the rows of a chunk that has `records` new records.
    pub(crate) fn write(&mut self, rows: &[u8], records: u64) -> io::Result<()> {
        // Before the rows, so that a file is kept even if they are written in part.
        self.records += records;
        self.output.write_all(rows)
    }

    /// Marks the rows so far as complete, and adds the notes on the last of them. Makes a checkpoint when one is due.
    pub(crate) fn end_records(&mut self, notes: &[u8], checkpoint: impl FnOnce() -> Checkpoint) -> io::Result<()> {
        let ends_block = self.block.is_none_or(|block| self.records.is_multiple_of(block));
        self.output.end_records(ends_block, notes, checkpoint)
    }

    /// Writes a checkpoint at the end of the complete records, for a run that ends early, unless the output is
    /// compressed: its frames have other ends.
    pub(crate) fn leave(&mut self, checkpoint: Checkpoint) -> io::Result<()> {
        if self.block.is_none() { self.output.leave(checkpoint) } else { Ok(()) }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Ends a run that did not finish. Returns the file that keeps the rows. A file without records is removed: it has
    /// nothing to continue.
    pub(crate) fn into_partial(self) -> Result<Option<PartialOutput>, OutputError> {
        if self.records > 0 { Ok(self.output.partial()) } else { self.output.discard().map(|()| None) }
    }

    /// Writes the text after the last row, gives the output its name, and removes the manifest. A shard also gets its
    /// metadata, which exists only next to a finished output.
    pub(crate) fn finish(
        mut self,
        footer: &[u8],
        metadata: &dyn Fn(Manifest, Checksum) -> Option<ShardMetadata>,
    ) -> Result<(), OutputError> {
        self.output.write_all(footer).map_err(OutputError::Write)?;
        let Some((path, manifest)) = self.resumable else { return self.output.finish() };
        // The metadata of an earlier run must never be next to the new output.
        let earlier = ShardMetadata::path(&path);
        remove_if_there(&earlier).map_err(|source| OutputError::Remove { path: earlier, source })?;
        self.output.finish_then(|sum| match metadata(manifest, sum) {
            Some(metadata) => Ok(metadata.write(&path)?),
            None => Ok(()),
        })
    }
}

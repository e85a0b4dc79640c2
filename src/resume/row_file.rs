//! The rows of a job in an output that can be resumed.
//!
//! ```text
//!   open ---> new:         NAME.partial is empty, its manifest is written
//!        \--> interrupted: NAME.partial has rows of the same run
//!                \--> replay: complete rows are read back, the rest is cut off
//!   write ... finish:      NAME.partial becomes NAME, the manifest is removed, a shard gets its metadata
//! ```

use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::checkpoints::Checksum;
use super::error::OutputError;
use super::manifest::{Manifest, ManifestError};
use super::open::is_special;
use super::output_file::OutputFile;
use super::partial_file::{Interrupted, partial_path};
use super::replay::{PartialRows, Replay, ReplayError, ResumeError, RowError, replay};
use super::shard_metadata::ShardMetadata;
use super::target::OutputTarget;
use crate::compression::{Compression, FrameEnds, Frames};
use crate::corpus::Corpus;
use crate::pipeline::{End, Stop};
use crate::rows::RowEnds;

/// The text before the first row, and how rows end.
#[derive(Clone, Debug)]
pub(crate) struct RowLayout {
    pub(crate) header: Vec<u8>,
    pub(crate) ends: RowEnds,
}

/// The output of a job.
pub(crate) struct RowFile {
    layout: RowLayout,
    threads: usize,
    compression: Option<Compression>,
    /// Of a regular file, which can be resumed: its final path and its manifest.
    resumable: Option<(PathBuf, Manifest)>,
    /// The rows of an interrupted run, until they are replayed.
    interrupted: Option<Interrupted>,
    /// `None` as long as there are rows to replay.
    output: Option<OutputFile>,
    /// Number of rows of the interrupted run.
    replayed: u64,
    /// Whether anything follows the header.
    has_rows: bool,
}

/// A shard that was finished by an earlier run.
pub(crate) struct FinishedShard {
    pub(crate) metadata: ShardMetadata,
    /// Whether the output is not as it was finished.
    pub(crate) is_damaged: bool,
}

/// Complete rows of a partial output.
#[derive(Default)]
struct Complete {
    records: u64,
    /// Their length in the file, in bytes.
    length: u64,
}

impl RowFile {
    /// Opens a new output, or checks that the rows of a partial one are of this run.
    ///
    /// `manifest` is `None` for rows that cannot be replayed. It is only called for a regular file, since it reads the
    /// beginnings of all inputs.
    pub(crate) fn open(
        target: &OutputTarget,
        resume: bool,
        layout: RowLayout,
        threads: usize,
        manifest: Option<impl FnOnce() -> Result<Manifest, ManifestError>>,
    ) -> Result<RowFile, OutputError> {
        let path = target.file_path().filter(|path| !is_special(path));
        if resume && path.is_none() {
            return Err(ResumeError::NoFile.into());
        }
        let resumable = match (path, manifest) {
            (Some(path), Some(manifest)) => Some((path.to_owned(), manifest()?)),
            _ => None,
        };
        if let Some((path, _)) = &resumable {
            ShardMetadata::check_place(path)?;
        }
        let interrupted = match &resumable {
            Some((path, manifest)) if resume => Interrupted::open(path, manifest)?,
            _ => None,
        };
        let output = match (&interrupted, &resumable) {
            (Some(_), _) => None,
            (None, resumable) => {
                let manifest = resumable.as_ref().map(|(_, manifest)| manifest);
                Some(OutputFile::create_resumable(target, threads, manifest)?.with_ends(&layout.ends))
            }
        };
        Ok(RowFile {
            layout,
            threads,
            compression: target.compression,
            resumable,
            interrupted,
            output,
            replayed: 0,
            has_rows: false,
        })
    }

    /// A shard that was finished earlier with the same manifest.
    pub(crate) fn finished_shard(
        target: &OutputTarget,
        manifest: impl FnOnce() -> Result<Manifest, ManifestError>,
    ) -> Result<Option<FinishedShard>, OutputError> {
        let Some(path) = target.file_path().filter(|path| path.exists() && !partial_path(path).exists()) else {
            return Ok(None);
        };
        let Some(metadata) = ShardMetadata::read(path)? else { return Ok(None) };
        if !metadata.manifest.differences(&manifest()?).is_empty() {
            return Ok(None);
        }
        let is_damaged = !metadata.fits(path)?;
        Ok(Some(FinishedShard { metadata, is_damaged }))
    }

    /// The error for metadata of a finished shard that this version of gridmill did not write.
    pub(crate) fn form_error(target: &OutputTarget, source: serde_json::Error) -> OutputError {
        let path = target.file_path().map(ShardMetadata::path).unwrap_or_default();
        ManifestError::Form { path, source }.into()
    }

    /// The file that has the rows if the run does not finish.
    pub(crate) fn partial(&self) -> Option<PathBuf> {
        match (&self.output, &self.resumable) {
            (Some(output), _) => output.partial().map(Path::to_owned),
            (None, resumable) => resumable.as_ref().map(|(path, _)| partial_path(path)),
        }
    }

    /// Ends a run that did not finish. Returns the file that has the rows; one without rows is removed, unless the run
    /// can be resumed.
    pub(crate) fn into_partial(self) -> Result<Option<PathBuf>, OutputError> {
        let path = self.partial();
        match self.output {
            Some(output) if !self.has_rows && self.resumable.is_none() => output.discard().map(|()| None),
            _ => Ok(path),
        }
    }

    /// Whether there are rows of an interrupted run that are not replayed yet.
    pub(crate) fn awaits_replay(&self) -> bool {
        self.interrupted.is_some()
    }

    /// Number of rows of the interrupted run.
    pub(crate) fn replayed(&self) -> u64 {
        self.replayed
    }

    /// Replays the rows of an interrupted run, cuts off what follows them, and writes the header of a new output.
    ///
    /// The file is not changed before all of its rows are known to belong to their records. Returns [`End::Stopped`]
    /// if somebody triggered `stop` before that; then nothing can be written.
    pub(crate) fn start(
        &mut self,
        corpus: &mut Corpus,
        replay: &mut dyn Replay,
        stop: &Stop,
        progress: impl Fn(&Corpus),
    ) -> Result<End, OutputError> {
        let mut length = 0;
        if let Some(interrupted) = self.interrupted.take() {
            let complete = self.replay_rows(&interrupted, corpus, replay, stop, progress);
            let complete = complete.map_err(|source| interrupted.refused(source))?;
            let Some(complete) = complete else { return Ok(End::Stopped) };
            let output = OutputFile::resume(interrupted, complete.length, self.compression, self.threads)?;
            self.output = Some(output.with_ends(&self.layout.ends));
            self.replayed = complete.records;
            length = complete.length;
        }
        if length == 0 {
            let header = std::mem::take(&mut self.layout.header);
            self.write_all(&header).map_err(OutputError::Write)?;
        }
        self.has_rows = length > 0;
        Ok(End::Complete)
    }

    /// Replays the complete rows; `None` if somebody stopped that.
    fn replay_rows(
        &self,
        interrupted: &Interrupted,
        corpus: &mut Corpus,
        with: &mut dyn Replay,
        stop: &Stop,
        progress: impl Fn(&Corpus),
    ) -> Result<Option<Complete>, ReplayError> {
        let bytes = interrupted.bytes()?;
        let mut complete = Complete::default();
        let Some(compression) = self.compression else {
            let mut rows = PartialRows::new(bytes, self.layout.ends.clone());
            if self.read_header(&mut rows)?
                && replay(&mut rows, corpus, with, &mut complete.records, stop, progress)? == End::Stopped
            {
                return Ok(None);
            }
            complete.length = rows.consumed();
            return Ok(Some(complete));
        };
        let mut frames = Frames::new(BufReader::new(bytes), compression);
        let mut text = Vec::new();
        while let Some(end) = frames.next(&mut text)? {
            // A run that is stopped ends with a frame that more rows would make longer, so it is compressed anew.
            let ends = &self.layout.ends;
            if FrameEnds::new(ends.has_quotes()).find(&text) != Some(text.len()) {
                break;
            }
            let mut rows = PartialRows::new(&*text, ends.clone());
            if complete.length == 0 && !self.read_header(&mut rows)? {
                break;
            }
            if replay(&mut rows, corpus, with, &mut complete.records, stop, &progress)? == End::Stopped {
                return Ok(None);
            }
            // A complete frame holds complete rows.
            if rows.consumed() < text.len() as u64 {
                return Err(ReplayError::Row { row: complete.records + 1, fault: RowError::Damaged });
            }
            complete.length = end;
            text.clear();
        }
        Ok(Some(complete))
    }

    /// Reads the header, if there should be one; returns whether it is complete.
    fn read_header<R: Read>(&self, rows: &mut PartialRows<R>) -> Result<bool, ReplayError> {
        let header = &self.layout.header;
        Ok(header.is_empty() || rows.next(|row| Ok(*row == **header))?)
    }

    /// Gives the output its name, and removes the manifest. Metadata of a shard exists only beside its finished output.
    pub(crate) fn finish(
        self,
        metadata: impl FnOnce(Manifest, Checksum) -> Option<ShardMetadata>,
    ) -> Result<(), OutputError> {
        let Some(output) = self.output else { return Ok(()) };
        let Some((path, manifest)) = self.resumable else { return output.finish() };
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

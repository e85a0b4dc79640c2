//! Output files that get their name when they are complete, standard output, and devices; compressed on request.
//!
//! Until it is complete, an output is called `NAME.partial`, and is locked against other runs.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::checkpoints::{Checkpoint, Checksum};
use super::error::{OutputError, in_file};
use super::open::{Sync, replace, special};
use super::partial_file::{Interrupted, PartialFile, Resumable};
use super::target::OutputTarget;
use crate::compression::{Compression, Encoder};

/// An output that is being written.
#[derive(Debug)]
pub struct OutputFile(Encoder<Sink>);

#[derive(Debug)]
enum Sink {
    Stdout(io::Stdout),
    /// A file that is written to, but not replaced.
    Special(File, PathBuf),
    Partial(Box<PartialFile>),
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
        resumable: Option<&Resumable>,
    ) -> Result<OutputFile, OutputError> {
        let sink = match target.file_path() {
            None => Sink::Stdout(io::stdout()),
            Some(path) => Sink::open(path, resumable)?,
        };
        Ok(OutputFile(Encoder::new(sink, target.compression, threads)))
    }

    /// Continues the output of an interrupted run after its last checkpoint.
    pub(crate) fn resume(
        interrupted: Interrupted,
        resumable: &Resumable,
        compression: Option<Compression>,
        threads: usize,
    ) -> Result<OutputFile, OutputError> {
        let has_frames = interrupted.checkpoint().is_some_and(|checkpoint| checkpoint.output.bytes > 0);
        let sink = Sink::Partial(Box::new(interrupted.cut(resumable)?));
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
        let Some(file) = self.file() else { return Ok(()) };
        file.add_notes(notes)?;

        // A run can only continue after a complete frame.
        if !ends_block || !self.end_block()? {
            return Ok(());
        }
        let Some(file) = self.file() else { return Ok(()) };
        file.end_records();
        if file.is_due() {
            let checkpoint = file.with_notes(checkpoint())?;
            let made_in = begun.elapsed();
            // The checkpoint must not be in the file before the frame that it is for, which a thread may still compress.
            self.0.when_written(move |sink| {
                if let Sink::Partial(file) = sink {
                    file.end_records();
                    file.checkpoint(checkpoint, made_in);
                }
            });
        }
        Ok(())
    }

    /// Writes a last checkpoint at the end of the complete records. The output must not be compressed.
    pub(crate) fn leave(&mut self, checkpoint: Checkpoint) -> io::Result<()> {
        if let Some(file) = self.file() {
            let checkpoint = file.with_notes(checkpoint)?;
            file.checkpoint(checkpoint, Duration::ZERO);
        }
        Ok(())
    }

    fn file(&mut self) -> Option<&mut PartialFile> {
        if let Sink::Partial(file) = self.0.get_mut() { Some(file) } else { None }
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
        match self.0.finish().map_err(OutputError::Write)? {
            Sink::Partial(file) => file.finish(renamed),
            Sink::Stdout(_) | Sink::Special(..) => Ok(()),
        }
    }

    /// Removes a file that is not worth keeping.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn discard(self) -> Result<(), OutputError> {
        match self.0.finish().map_err(OutputError::Write)? {
            Sink::Partial(file) => file.discard(),
            Sink::Stdout(_) | Sink::Special(..) => Ok(()),
        }
    }

    /// The file that keeps the rows if the output is never finished.
    pub fn partial(&self) -> Option<&Path> {
        match self.0.get_ref() {
            Sink::Partial(file) => Some(file.partial()),
            Sink::Stdout(_) | Sink::Special(..) => None,
        }
    }
}

impl Sink {
    fn open(path: &Path, resumable: Option<&Resumable>) -> Result<Sink, OutputError> {
        match special(path) {
            Some(file) => file.map(|file| Sink::Special(file, path.to_owned())).map_err(OutputError::file(path)),
            None => PartialFile::create(path, resumable).map(|file| Sink::Partial(Box::new(file))),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Special(file, path) => file.write(bytes).map_err(in_file(path)),
            Sink::Partial(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Special(file, path) => file.flush().map_err(in_file(path)),
            Sink::Partial(file) => file.flush(),
        }
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
    use std::fs;
    use std::io::Read;

    use strum::VariantArray;

    use super::super::checkpoints::CheckpointPace;
    use super::super::partial_file::partial_path;
    use super::*;
    use crate::compression::Decoder;
    use crate::pipeline::Stop;

    /// A run is killed while it writes its third block; the next run continues after the second.
    #[test]
    fn a_partial_output_is_continued() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let resumable = Resumable { manifest: b"{}".to_vec(), has_notes: true, pace: CheckpointPace::EachChunk };
        let blocks = ["one\n", "two\n", "three\n"].map(|row| row.repeat(20_000));
        for compression in Compression::VARIANTS.iter().copied().map(Some).chain([None]) {
            let target = OutputTarget { compression, ..OutputTarget::file(&path) };
            let mut output = OutputFile::create_resumable(&target, 2, Some(&resumable)).unwrap();
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

            let read = |_, beside| Ok(Checkpoint::read_all(&fs::read::<PathBuf>(beside).unwrap()));
            let mut interrupted = Interrupted::open(&path, &resumable, read).unwrap().unwrap();
            interrupted.verify(&Stop::new()).unwrap();
            assert_eq!(interrupted.checkpoint().unwrap().records, 2, "{compression:?}");
            let mut notes = [0; 6];
            interrupted.notes().unwrap().read_exact(&mut notes).unwrap();
            assert_eq!(&notes, b"onetwo");
            let mut output = OutputFile::resume(interrupted, &resumable, compression, 2).unwrap();
            assert_eq!(output.partial(), Some(&*partial));
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
}

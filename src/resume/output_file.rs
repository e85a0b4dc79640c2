//! Output files that get their name when they are complete, standard output, and devices; compressed on request.
//!
//! Until it is complete, an output is called `NAME.partial`, and is locked against other runs.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::checkpoints::Checksum;
use super::error::{OutputError, in_file};
use super::manifest::Manifest;
use super::open::{Sync, replace, special};
use super::partial_file::{Interrupted, PartialFile};
use super::target::OutputTarget;
use crate::compression::{Compression, Encoder};
use crate::rows::RowEnds;

/// An output that is being written.
#[derive(Debug)]
pub struct OutputFile {
    stream: OutputStream,
}

#[derive(Debug)]
enum OutputStream {
    Plain(Sink),
    Compressed(Encoder<Sink>),
}

#[derive(Debug)]
enum Sink {
    Stdout(io::Stdout),
    /// What is written to, and not replaced.
    Special(File, PathBuf),
    Partial(PartialFile),
}

impl OutputFile {
    /// Opens a new output; `threads` of them may compress.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or another run writes it.
    pub fn create(target: &OutputTarget, threads: usize) -> Result<OutputFile, OutputError> {
        OutputFile::create_resumable(target, threads, None)
    }

    /// Opens a new output, which can be resumed by a run with the same manifest.
    pub(super) fn create_resumable(
        target: &OutputTarget,
        threads: usize,
        manifest: Option<&Manifest>,
    ) -> Result<OutputFile, OutputError> {
        let sink = match target.file_path() {
            None => Sink::Stdout(io::stdout()),
            Some(path) => Sink::open(path, manifest)?,
        };
        Ok(OutputFile::new(sink, target.compression, threads))
    }

    /// Continues the output of an interrupted run after its first `length` bytes.
    pub(super) fn resume(
        interrupted: Interrupted,
        length: u64,
        compression: Option<Compression>,
        threads: usize,
    ) -> Result<OutputFile, OutputError> {
        Ok(OutputFile::new(Sink::Partial(interrupted.cut(length)?), compression, threads))
    }

    fn new(sink: Sink, compression: Option<Compression>, threads: usize) -> OutputFile {
        let stream = match compression {
            None => OutputStream::Plain(sink),
            Some(compression) => OutputStream::Compressed(Encoder::new(sink, compression, threads)),
        };
        OutputFile { stream }
    }

    /// The same output, for rows with these ends.
    pub(crate) fn with_ends(self, ends: &RowEnds) -> OutputFile {
        match self.stream {
            OutputStream::Compressed(encoder) => {
                OutputFile { stream: OutputStream::Compressed(encoder.with_quotes(ends.has_quotes())) }
            }
            OutputStream::Plain(_) => self,
        }
    }

    /// Writes what is buffered, and gives a complete file its name.
    ///
    /// # Errors
    ///
    /// If writing or renaming fails.
    pub fn finish(self) -> Result<(), OutputError> {
        self.finish_then(|_| Ok(()))
    }

    /// As [`OutputFile::finish`]; `renamed` is called with the checksum of a file before its manifest is removed.
    pub(super) fn finish_then(
        self,
        renamed: impl FnOnce(Checksum) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let sink = match self.stream {
            OutputStream::Plain(mut sink) => sink.flush().map(|()| sink),
            OutputStream::Compressed(encoder) => encoder.finish(),
        };
        match sink.map_err(OutputError::Write)? {
            Sink::Partial(file) => file.finish(renamed),
            Sink::Stdout(_) | Sink::Special(..) => Ok(()),
        }
    }

    /// Removes a file in which nothing is worth keeping.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn discard(self) -> Result<(), OutputError> {
        let sink = match self.stream {
            OutputStream::Plain(sink) => sink,
            OutputStream::Compressed(encoder) => encoder.finish().map_err(OutputError::Write)?,
        };
        match sink {
            Sink::Partial(file) => file.discard(),
            Sink::Stdout(_) | Sink::Special(..) => Ok(()),
        }
    }

    /// The file that has the rows if the output is never finished.
    pub fn partial(&self) -> Option<&Path> {
        let sink = match &self.stream {
            OutputStream::Plain(sink) => sink,
            OutputStream::Compressed(encoder) => encoder.get_ref(),
        };
        match sink {
            Sink::Partial(file) => Some(file.partial()),
            Sink::Stdout(_) | Sink::Special(..) => None,
        }
    }
}

impl Sink {
    fn open(path: &Path, manifest: Option<&Manifest>) -> Result<Sink, OutputError> {
        match special(path) {
            Some(file) => file.map(|file| Sink::Special(file, path.to_owned())).map_err(OutputError::file(path)),
            None => PartialFile::create(path, manifest).map(Sink::Partial),
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
        match &mut self.stream {
            OutputStream::Plain(sink) => sink.write(bytes),
            OutputStream::Compressed(encoder) => encoder.write(bytes),
        }
    }

    /// Writes what is buffered; compressed rows can be read from then on.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            OutputStream::Plain(sink) => sink.flush(),
            OutputStream::Compressed(encoder) => encoder.flush(),
        }
    }
}

/// A file that is written at the end of a run. That it can be written is found out before; until the end, nothing of it is
/// on the disk.
#[derive(Debug)]
pub struct ReservedFile {
    target: OutputTarget,
    /// A pipe or a device, which cannot be opened twice.
    special: Option<OutputFile>,
}

impl ReservedFile {
    /// Opens an output, and leaves nothing of it: the run may be interrupted.
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

    /// Opens it, to be written.
    ///
    /// # Errors
    ///
    /// If it cannot be written any more.
    pub fn open(self) -> Result<OutputFile, OutputError> {
        match self.special {
            Some(output) => Ok(output),
            None => OutputFile::create(&self.target, 1),
        }
    }
}

/// Writes a small file at once, such as a summary or a page, compressed by its extension. `-` is standard output.
///
/// # Errors
///
/// If it cannot be written. The file is what it was then.
pub fn write_small(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let target = OutputTarget::file(path);
    let compressed = target.compression.map(|compression| {
        let mut encoder = Encoder::new(Vec::new(), compression, 1);
        encoder.write_all(bytes)?;
        encoder.finish()
    });
    let compressed = compressed.transpose().map_err(OutputError::file(path))?;
    let bytes = compressed.as_deref().unwrap_or(bytes);

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
    use std::io::{BufReader, Read};

    use strum::VariantArray;

    use super::super::manifest::tests::manifest;
    use super::super::partial_file::partial_path;
    use super::*;
    use crate::compression::{Decoder, Frames};

    /// A run is killed while it writes its third frame; the next one continues after the second.
    #[test]
    fn a_partial_output_is_continued() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let partial = partial_path(&path);
        for compression in Compression::VARIANTS.iter().copied().map(Some).chain([None]) {
            let target = OutputTarget { compression, ..OutputTarget::file(&path) };
            let mut output = OutputFile::create_resumable(&target, 2, Some(&manifest())).unwrap();
            for row in ["one\n", "two\n", "three\n"] {
                output.write_all(row.as_bytes()).unwrap();
                output.flush().unwrap();
            }
            drop(output);

            let interrupted = Interrupted::open(&path, &manifest()).unwrap().unwrap();
            let length = compression.map_or(8, |compression| {
                let mut frames = Frames::new(BufReader::new(interrupted.bytes().unwrap()), compression);
                std::iter::from_fn(|| frames.next(&mut vec![]).unwrap()).nth(1).unwrap()
            });
            let mut output = OutputFile::resume(interrupted, length, compression, 2).unwrap();
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
            assert_eq!(rows, "one\ntwo\nfour\n", "{compression:?}");
            assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        }
    }
}

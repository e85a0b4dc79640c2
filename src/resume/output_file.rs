//! Output files that get their name when they are complete, standard output, and devices; compressed on request.
//!
//! Until it is complete, an output is called `NAME.partial`, and is locked against other runs.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::manifest::ManifestError;
use super::preallocate::Preallocation;
use super::replay::ResumeError;
use super::run_files::{RunFiles, SharedFileError};
use crate::compression::{Compression, Encoder};

/// A file that took longer than this to write is synced before it gets its name.
const LONG: Duration = Duration::from_secs(5);

/// The name of standard input and standard output on the command line.
pub const DASH: &str = "-";

/// Why an output cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The file cannot be opened, cut or synced.
    #[error("cannot write {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The partial output is shorter than the rows that were read from it.
    #[error("{} has {found} bytes, fewer than the {expected} that were read from it", path.display())]
    TooShort {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length of its rows.
        expected: u64,
    },
    /// Writing failed.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// The complete file cannot be given its name.
    #[error("cannot rename {} to {}", from.display(), to.display())]
    Rename {
        /// Its name so far.
        from: PathBuf,
        /// Its final name.
        to: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that is not needed any more cannot be removed.
    #[error("cannot remove {}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The manifest or the metadata of a shard cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The output is an input, or another output.
    #[error(transparent)]
    Shared(#[from] SharedFileError),
    /// The partial output cannot be resumed.
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

impl OutputError {
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
        let path = path.to_owned();
        |source| OutputError::File { path, source }
    }
}

/// Where an output goes.
#[derive(Clone, Debug, Default)]
pub struct OutputTarget {
    /// The file; standard output if there is none, or if it is `-`.
    pub path: Option<PathBuf>,
    /// How to compress.
    pub compression: Option<Compression>,
}

impl OutputTarget {
    /// Standard output, not compressed.
    pub fn stdout() -> OutputTarget {
        OutputTarget::default()
    }

    /// A file, compressed by its extension.
    pub fn file(path: impl Into<PathBuf>) -> OutputTarget {
        let path = path.into();
        OutputTarget { compression: Compression::from_extension(&path), path: Some(path) }
    }

    /// Checks that the output is none of these inputs, before it is opened.
    pub(crate) fn check_inputs(&self, inputs: RunFiles) -> Result<(), OutputError> {
        Ok(inputs.output("the output", self).check()?)
    }

    /// The path of the file, if it is not standard output.
    pub(super) fn file_path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|path| path.as_os_str() != DASH)
    }
}

/// An output that is being written.
#[derive(Debug)]
pub struct OutputFile {
    stream: OutputStream,
    opened: Instant,
}

#[derive(Debug)]
enum OutputStream {
    Plain(Sink),
    Compressed(Encoder<Sink>),
}

#[derive(Debug)]
enum Sink {
    Stdout(io::Stdout),
    /// A device or a pipe, which cannot be renamed.
    Special(File),
    Partial {
        file: File,
        space: Preallocation,
        partial: PathBuf,
        path: PathBuf,
    },
}

impl OutputFile {
    /// Opens a new output; `threads` of them may compress.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or another run writes it.
    pub fn create(target: &OutputTarget, threads: usize) -> Result<OutputFile, OutputError> {
        let sink = match target.file_path() {
            None => Sink::Stdout(io::stdout()),
            Some(path) => Sink::open(path).map_err(OutputError::file(path))?,
        };
        Ok(OutputFile::new(sink, target.compression, threads))
    }

    /// Opens the partial output of an interrupted run, and cuts it to its first `length` bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or cut, is shorter, or another run writes it.
    pub(super) fn append(
        path: &Path,
        length: u64,
        compression: Option<Compression>,
        threads: usize,
    ) -> Result<OutputFile, OutputError> {
        let partial = partial_path(path);
        let open = || -> io::Result<(File, u64)> {
            let file = File::options().write(true).open(&partial)?;
            lock(&file)?;
            let found = file.metadata()?.len();
            Ok((file, found))
        };
        let (mut file, found) = open().map_err(OutputError::file(&partial))?;
        if found < length {
            return Err(OutputError::TooShort { path: partial, found, expected: length });
        }
        let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(OutputError::file(&partial))?;
        Ok(OutputFile::new(Sink::partial(file, length, partial, path), compression, threads))
    }

    fn new(sink: Sink, compression: Option<Compression>, threads: usize) -> OutputFile {
        let stream = match compression {
            None => OutputStream::Plain(sink),
            Some(compression) => OutputStream::Compressed(Encoder::new(sink, compression, threads)),
        };
        OutputFile { stream, opened: Instant::now() }
    }

    /// Writes what is buffered, and gives a complete file its name.
    ///
    /// # Errors
    ///
    /// If writing or renaming fails.
    pub fn finish(self) -> Result<(), OutputError> {
        let sink = match self.stream {
            OutputStream::Plain(mut sink) => sink.flush().map(|()| sink),
            OutputStream::Compressed(encoder) => encoder.finish(),
        };
        let Sink::Partial { mut file, partial, path, .. } = sink.map_err(OutputError::Write)? else { return Ok(()) };
        Preallocation::release(&mut file).map_err(OutputError::file(&partial))?;
        // After a power cut, a file system may have kept the new name and lost the bytes: the file would look
        // complete. Syncing costs a long run nothing, but would double the time of a short one.
        if self.opened.elapsed() > LONG {
            file.sync_all().map_err(OutputError::file(&partial))?;
        }
        fs::rename(&partial, &path).map_err(|source| OutputError::Rename { from: partial, to: path, source })
    }

    /// The file that has the rows if the output is never finished.
    pub fn partial(&self) -> Option<&Path> {
        let sink = match &self.stream {
            OutputStream::Plain(sink) => sink,
            OutputStream::Compressed(encoder) => encoder.get_ref(),
        };
        match sink {
            Sink::Partial { partial, .. } => Some(partial),
            Sink::Stdout(_) | Sink::Special(_) => None,
        }
    }
}

/// The name of a file that is not complete.
pub(super) fn partial_path(path: &Path) -> PathBuf {
    super::manifest::beside(path, ".partial")
}

/// The path of the manifest of the output that gets this path.
pub(super) fn manifest_path(path: &Path) -> PathBuf {
    super::manifest::beside(&partial_path(path), ".json")
}

/// Locks a file against other runs as long as it is open, where the file system can do that.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is writing it")),
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

impl Sink {
    fn open(path: &Path) -> io::Result<Sink> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => return Ok(Sink::Special(File::options().write(true).open(path)?)),
            _ => {}
        }
        let partial = partial_path(path);
        let file = File::options().write(true).create(true).truncate(false).open(&partial)?;
        lock(&file)?;
        // A file that was ever truncated is written to the disk when ext4 closes it, and closing waits for that.
        if file.metadata()?.len() > 0 {
            file.set_len(0)?;
        }
        Ok(Sink::partial(file, 0, partial, path))
    }

    fn partial(file: File, length: u64, partial: PathBuf, path: &Path) -> Sink {
        Sink::Partial { space: Preallocation::new(&file, length), file, partial, path: path.to_owned() }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Special(file) => file.write(bytes),
            Sink::Partial { file, space, .. } => {
                space.reserve(file, bytes.len());
                file.write(bytes)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Special(file) | Sink::Partial { file, .. } => file.flush(),
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

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;
    use crate::compression::{Decoder, Frames};

    /// A run is killed while it writes its third frame; the next one continues after the second.
    #[test]
    fn a_partial_output_is_continued() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let partial = partial_path(&path);
        for compression in Compression::ALL.map(Some).into_iter().chain([None]) {
            let target = OutputTarget { path: Some(path.clone()), compression };
            let mut output = OutputFile::create(&target, 2).unwrap();
            for row in ["one\n", "two\n", "three\n"] {
                output.write_all(row.as_bytes()).unwrap();
                output.flush().unwrap();
            }
            drop(output);
            let left = fs::read(&partial).unwrap();
            fs::write(&partial, &left[..left.len() - 1]).unwrap();

            let length = compression.map_or(8, |compression| {
                let mut frames = Frames::new(BufReader::new(File::open(&partial).unwrap()), compression);
                std::iter::from_fn(|| frames.next(&mut vec![]).unwrap()).last().unwrap()
            });
            let mut output = OutputFile::append(&path, length, compression, 2).unwrap();
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
            assert!(!partial.exists());
        }
    }

    #[test]
    fn an_output_that_is_too_short_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        fs::write(partial_path(&path), "one\n").unwrap();
        let error = OutputFile::append(&path, 5, None, 1).unwrap_err().to_string();
        assert!(error.ends_with("rows.partial has 4 bytes, fewer than the 5 that were read from it"), "{error}");
    }
}

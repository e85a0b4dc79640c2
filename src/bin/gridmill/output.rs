//! Where results go: standard output, or a file that only gets its name when it is whole; compressed, if wanted.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use gridmill::compression::{Compression, Encoder};
use gridmill::resume::manifest::beside;

use crate::preallocate::Room;

/// The name that stands for standard output (and standard input).
pub(crate) const DASH: &str = "-";

/// What took this long to write is not to be lost with the power.
const LONG: Duration = Duration::from_secs(5);

/// How an output is compressed; by default, not at all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OutputCompression {
    pub(crate) compression: Option<Compression>,
    /// How many threads may compress.
    pub(crate) threads: usize,
}

/// An output that is being written.
pub(crate) struct Output {
    stream: OutputStream,
    since: Instant,
}

enum OutputStream {
    Plain(Sink),
    Packed(Encoder<Sink>),
}

enum Sink {
    Stdout(io::Stdout),
    /// Something that cannot be renamed onto: a device, a pipe.
    Special(File),
    /// A file beside the one it is going to be.
    Partial {
        file: File,
        room: Room,
        partial: PathBuf,
        path: PathBuf,
    },
}

impl Output {
    /// Opens an output; none, or `-`, is standard output. Fails now rather than after the work.
    pub(crate) fn create(path: Option<&Path>, packing: OutputCompression) -> anyhow::Result<Output> {
        let sink = match path {
            None => Sink::Stdout(io::stdout()),
            Some(path) if path.as_os_str() == DASH => Sink::Stdout(io::stdout()),
            Some(path) => Sink::open(path).with_context(|| format!("cannot write {}", path.display()))?,
        };
        Ok(Output::new(sink, packing))
    }

    /// Opens what a run has left of an output, cuts it to its first `length` bytes, and goes on behind them.
    pub(crate) fn resume(path: &Path, length: u64, packing: OutputCompression) -> anyhow::Result<Output> {
        let partial = partial(path);
        let open = || -> io::Result<(File, u64)> {
            let file = File::options().write(true).open(&partial)?;
            claim(&file)?;
            let there = file.metadata()?.len();
            Ok((file, there))
        };
        let (mut file, there) = open().with_context(|| format!("cannot write {}", partial.display()))?;
        ensure!(there >= length, "{} has {there} bytes, fewer than the {length} to go on behind", partial.display());
        let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.with_context(|| format!("cannot cut {} to {length} bytes", partial.display()))?;
        Ok(Output::new(Sink::partial(file, length, partial, path), packing))
    }

    fn new(sink: Sink, packing: OutputCompression) -> Output {
        let stream = match packing.compression {
            None => OutputStream::Plain(sink),
            Some(compression) => OutputStream::Packed(Encoder::new(sink, compression, packing.threads)),
        };
        Output { stream, since: Instant::now() }
    }

    /// Gives a whole file its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let sink = match self.stream {
            OutputStream::Plain(mut sink) => sink.flush().map(|()| sink),
            OutputStream::Packed(encoder) => encoder.finish(),
        };
        if let Sink::Partial { mut file, partial, path, .. } = sink.context("cannot write the output")? {
            Room::give_back(&mut file).with_context(|| format!("cannot write {}", partial.display()))?;
            // A file system may keep the new name and lose the bytes if the power goes, and then there is a file that
            // looks whole and is not. Waiting for the disk is nothing to a long run, but would double a short one.
            if self.since.elapsed() > LONG {
                file.sync_all().with_context(|| format!("cannot write {}", partial.display()))?;
            }
            fs::rename(&partial, &path)
                .with_context(|| format!("cannot rename {} to {}", partial.display(), path.display()))?;
        }
        Ok(())
    }

    /// Where the rows are if the output is never finished.
    pub(crate) fn partial(&self) -> Option<&Path> {
        let sink = match &self.stream {
            OutputStream::Plain(sink) => sink,
            OutputStream::Packed(encoder) => encoder.get_ref(),
        };
        match sink {
            Sink::Partial { partial, .. } => Some(partial),
            Sink::Stdout(_) | Sink::Special(_) => None,
        }
    }
}

/// The name of a file that is not whole yet.
pub(crate) fn partial(path: &Path) -> PathBuf {
    beside(path, ".partial")
}

/// Sees to it that no other run writes to a file as long as it is open, where the file system can tell.
fn claim(file: &File) -> io::Result<()> {
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
        let partial = partial(path);
        let file = File::options().write(true).create(true).truncate(false).open(&partial)?;
        claim(&file)?;
        // ext4 writes a file to the disk when it is closed, and waits for that, if it was ever made empty.
        if file.metadata()?.len() > 0 {
            file.set_len(0)?;
        }
        Ok(Sink::partial(file, 0, partial, path))
    }

    fn partial(file: File, length: u64, partial: PathBuf, path: &Path) -> Sink {
        Sink::Partial { room: Room::new(&file, length), file, partial, path: path.to_owned() }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Special(file) => file.write(bytes),
            Sink::Partial { file, room, .. } => {
                room.make(file, bytes.len());
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

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stream {
            OutputStream::Plain(sink) => sink.write(bytes),
            OutputStream::Packed(encoder) => encoder.write(bytes),
        }
    }

    /// Writes out what there is; compressed rows can be read from then on.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            OutputStream::Plain(sink) => sink.flush(),
            OutputStream::Packed(encoder) => encoder.flush(),
        }
    }
}

/// Whether an error comes from a reader of our output that went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_pipe))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use gridmill::compression::{Decoder, Frames};

    use super::*;

    /// A run is killed while it writes its third frame, and another goes on behind the second.
    #[test]
    fn what_a_killed_run_has_left_is_gone_on_with() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let partial = partial(&path);
        for compression in Compression::ALL.map(Some).into_iter().chain([None]) {
            let packing = OutputCompression { compression, threads: 2 };
            let mut output = Output::create(Some(&path), packing).unwrap();
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
            let mut output = Output::resume(&path, length, packing).unwrap();
            assert_eq!(output.partial(), Some(&*partial));
            output.write_all(b"and on\n").unwrap();
            output.finish().unwrap();

            let (bytes, mut rows) = (fs::read(&path).unwrap(), String::new());
            match compression {
                None => rows = String::from_utf8(bytes).unwrap(),
                Some(compression) => {
                    Decoder::new(&bytes[..], compression).read_to_string(&mut rows).unwrap();
                }
            }
            assert_eq!(rows, "one\ntwo\nand on\n", "{compression:?}");
            assert!(!partial.exists());
        }
    }

    #[test]
    fn nothing_is_made_up_where_too_little_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        fs::write(partial(&path), "one\n").unwrap();
        let error = Output::resume(&path, 5, OutputCompression::default()).err().unwrap().to_string();
        assert!(error.ends_with("rows.partial has 4 bytes, fewer than the 5 to go on behind"), "{error}");
    }
}

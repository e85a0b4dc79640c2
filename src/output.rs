//! Where results go: standard output, or a file that only gets its name when it is whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The name that stands for standard output (and standard input).
pub(crate) const DASH: &str = "-";

/// An output that is being written.
#[derive(Debug)]
pub(crate) struct Output {
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Stdout(io::Stdout),
    /// Something that cannot be renamed onto: a device, a pipe.
    Special(File),
    /// A file beside the one it is going to be.
    Partial {
        file: File,
        partial: PathBuf,
        path: PathBuf,
    },
}

impl Output {
    /// Opens an output; none, or `-`, is standard output. Fails now rather than after the work.
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<Output> {
        let sink = match path {
            None => Sink::Stdout(io::stdout()),
            Some(path) if path.as_os_str() == DASH => Sink::Stdout(io::stdout()),
            Some(path) => Sink::open(path).with_context(|| format!("cannot write {}", path.display()))?,
        };
        Ok(Output { sink })
    }

    /// Gives a whole file its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.flush().context("cannot write the output")?;
        if let Sink::Partial { partial, path, .. } = self.sink {
            fs::rename(&partial, &path)
                .with_context(|| format!("cannot rename {} to {}", partial.display(), path.display()))?;
        }
        Ok(())
    }

    /// Where the rows are if the output is never finished.
    pub(crate) fn partial(&self) -> Option<&Path> {
        match &self.sink {
            Sink::Partial { partial, .. } => Some(partial),
            Sink::Stdout(_) | Sink::Special(_) => None,
        }
    }
}

impl Sink {
    fn open(path: &Path) -> io::Result<Sink> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => return Ok(Sink::Special(File::options().write(true).open(path)?)),
            _ => {}
        }
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        Ok(Sink::Partial { file: File::create(&partial)?, partial, path: path.to_owned() })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Special(file) | Sink::Partial { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Special(file) | Sink::Partial { file, .. } => file.flush(),
        }
    }
}

/// Whether an error comes from a reader of our output that went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_pipe))
}

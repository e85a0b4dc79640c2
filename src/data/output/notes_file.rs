//! The notes of a job on each record, in `NAME.partial.notes` next to a partial output. They save a resumed run from
//! computing the same again.
//!
//! The file begins with a line that marks it as gridmill's, like `NAME.partial.json`. Checkpoints have its length and
//! checksum.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::checkpoints::{Checksum, RunningSum};
use super::error::OutputError;
use super::mark::OwnMark;
use super::open::{self, OpenFault};

/// Notes that are being written.
#[derive(Debug)]
pub(crate) struct NotesFile {
    path: PathBuf,
    file: BufWriter<File>,
    sum: RunningSum,
}

impl NotesFile {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or the existing file was not written by gridmill.
    pub(super) fn create(path: PathBuf) -> Result<NotesFile, OutputError> {
        // The file must not be emptied if gridmill did not write it.
        OwnMark::is_on(&path)?;
        let file = open(&path, OpenOptions::new().write(true).create(true).truncate(false))?;
        let written = file.set_len(0);
        let mut notes = NotesFile { path, file: BufWriter::new(file), sum: RunningSum::default() };
        written.and_then(|()| notes.add(&mark())).map_err(OutputError::file(&notes.path))?;
        Ok(notes)
    }

    /// Opens the notes of an interrupted run for reading; `None` if there are none.
    pub(super) fn open(path: &Path) -> Result<Option<File>, OutputError> {
        if OwnMark::is_on(path)? { open(path, OpenOptions::new().read(true).write(true)).map(Some) } else { Ok(None) }
    }

    /// The notes on the records, one after another, in a file that was [opened](NotesFile::open).
    pub(super) fn reader(mut file: &File) -> io::Result<impl Read> {
        file.seek(SeekFrom::Start(mark().len() as u64))?;
        Ok(BufReader::new(file))
    }

    /// Truncates a file, to append to it.
    pub(super) fn resume(path: PathBuf, mut file: File, at: Checksum) -> Result<NotesFile, OutputError> {
        let cut = file.set_len(at.bytes).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(OutputError::file(&path))?;
        Ok(NotesFile { path, file: BufWriter::new(file), sum: at.into() })
    }

    /// Appends notes.
    pub(super) fn add(&mut self, notes: &[u8]) -> io::Result<()> {
        self.sum.add(notes);
        self.file.write_all(notes)
    }

    /// The checksum of the file, after flushing it.
    pub(super) fn sum(&mut self) -> io::Result<Checksum> {
        // A checkpoint must not name bytes that are not in the file yet.
        self.file.flush()?;
        Ok(self.sum.get())
    }

    pub(super) fn remove(self) -> Result<(), OutputError> {
        remove(&self.path)
    }
}

/// Removes the notes of an earlier run, if there are any.
pub(super) fn remove_old(path: &Path) -> Result<(), OutputError> {
    // A file that gridmill did not write stays.
    if matches!(OwnMark::is_on(path), Ok(true)) { remove(path) } else { Ok(()) }
}

fn remove(path: &Path) -> Result<(), OutputError> {
    fs::remove_file(path).map_err(|source| OutputError::Remove { path: path.to_owned(), source })
}

fn mark() -> Vec<u8> {
    let mark = serde_json::to_string(&OwnMark::own()).expect("a mark has JSON");
    (mark + "\n").into_bytes()
}

fn open(path: &Path, options: &mut OpenOptions) -> Result<File, OutputError> {
    open::regular(path, options).map_err(|fault| match fault {
        OpenFault::Obstacle(obstacle) => obstacle.at(path),
        OpenFault::Io(error) => OutputError::file(path)(error),
    })
}

//! Writes NPY files, the format of `NumPy` for an array, of a length that is known only at the end.
//!
//! The format (version 1.0) is "\x93NUMPY", the version, the length of the header in two bytes, and the header: a Python
//! dictionary with the type, the order of the axes and the shape, padded with spaces to a multiple of 64 bytes. So the
//! header of an empty array has room for that of any other, and is replaced at the end.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use tempfile::TempPath;

use crate::resume::{in_file, temporary_beside};

/// The length of everything before the numbers. A shape takes up to 30 of its bytes.
const HEADER: usize = 128;

/// The type of the numbers of an array.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// Bytes.
    U8,
    /// Signed integers of four bytes, little endian.
    I32,
}

/// A file with an array that is written row by row. It gets its name when it is complete. Errors name it.
pub(super) struct NpyFile {
    path: PathBuf,
    file: BufWriter<File>,
    temporary: TempPath,
    number: Number,
    rows: u64,
}

impl NpyFile {
    /// Creates a file that will have this name.
    pub(super) fn create(path: PathBuf, number: Number) -> io::Result<NpyFile> {
        let (file, temporary) = temporary_beside(&path).map_err(in_file(&path))?;
        let mut file = BufWriter::new(file);
        file.write_all(&[0; HEADER])?;
        Ok(NpyFile { path, file, temporary, number, rows: 0 })
    }

    /// Appends a row of bytes.
    pub(super) fn push_bytes(&mut self, row: &[u8]) -> io::Result<()> {
        self.rows += 1;
        self.file.write_all(row).map_err(in_file(&self.path))
    }

    /// Appends a number.
    pub(super) fn push(&mut self, number: i32) -> io::Result<()> {
        self.push_bytes(&number.to_le_bytes())
    }

    /// Completes the file; `width` is the length of its rows, if the array has two axes.
    pub(super) fn finish(self, width: Option<usize>) -> io::Result<()> {
        let path = self.path.clone();
        self.complete(width).map_err(in_file(&path))
    }

    fn complete(mut self, width: Option<usize>) -> io::Result<()> {
        let number = match self.number {
            Number::U8 => "|u1",
            Number::I32 => "<i4",
        };
        let width = width.map_or(String::new(), |width| format!(" {width}"));
        let header = format!("{{'descr': '{number}', 'fortran_order': False, 'shape': ({},{width}), }}", self.rows);
        self.file.seek(SeekFrom::Start(0))?;
        let length = HEADER - 10;
        self.file.write_all(b"\x93NUMPY\x01\x00")?;
        self.file.write_all(&(length as u16).to_le_bytes())?;
        self.file.write_all(format!("{header:<padded$}\n", padded = length - 1).as_bytes())?;
        self.file.flush()?;
        Ok(self.temporary.persist(&self.path)?)
    }
}

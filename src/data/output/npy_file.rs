//! Writes arrays of `NumPy` whose length is known only at the end: then the header is replaced.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use tempfile::TempPath;

use super::error::{OutputError, in_file};
use super::open::{NewDirectories, is_special, temporary_beside};
use super::target::OutputTarget;
use crate::npy::{Header, Number};
use crate::puzzle::Size;

/// An array file that is written row by row. It gets its name when it is complete. Errors contain the name.
pub(crate) struct NpyFile {
    path: PathBuf,
    file: BufWriter<File>,
    temporary: TempPath,
    number: Number,
    rows: u64,
}

impl NpyFile {
    /// Creates a file that will have this name.
    pub(crate) fn create(path: PathBuf, number: Number) -> io::Result<NpyFile> {
        let (file, temporary) = temporary_beside(&path).map_err(in_file(&path))?;
        let mut file = BufWriter::new(file);
        // Space for the header, which has the same length for any number of rows.
        file.write_all(&[0; Header::LENGTH])?;
        Ok(NpyFile { path, file, temporary, number, rows: 0 })
    }

    /// Appends a row of bytes.
    pub(crate) fn push_bytes(&mut self, row: &[u8]) -> io::Result<()> {
        self.rows += 1;
        self.file.write_all(row).map_err(in_file(&self.path))
    }

    /// Appends a number.
    pub(crate) fn push(&mut self, number: i32) -> io::Result<()> {
        self.push_bytes(&number.to_le_bytes())
    }

    /// Completes the file; `width` is the length of its rows, if the array has two axes.
    pub(crate) fn finish(self, width: Option<usize>) -> io::Result<()> {
        let path = self.path.clone();
        self.complete(width).map_err(in_file(&path))
    }

    fn complete(mut self, width: Option<usize>) -> io::Result<()> {
        let shape = [Some(self.rows), width.map(|width| width as u64)].into_iter().flatten().collect();
        let header = Header { number: self.number, is_fortran: false, shape };
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header.to_bytes())?;
        self.file.flush()?;
        Ok(self.temporary.persist(&self.path)?)
    }
}

/// The layout of an array's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NpyLayout {
    /// Grids of one size, as bytes: zeros where there is no grid. They are written in the form of
    /// [`Row::push_numbers`](crate::rows::Row::push_numbers).
    Grids,
    /// This many numbers of a type.
    Numbers(Number, usize),
}

/// The rows of a run as an array.
pub(crate) struct NpyRows {
    file: NpyFile,
    /// The start of a row that is not complete yet.
    part: Vec<u8>,
    layout: NpyLayout,
    /// The size of the first grid.
    size: Option<Size>,
    /// The number of rows before the first grid.
    before: u64,
    /// The last field, so that it is dropped after the unnamed file.
    _directories: NewDirectories,
}

impl NpyRows {
    /// Creates a file.
    ///
    /// # Errors
    ///
    /// If the target is not a regular file, or would be compressed, or cannot be created.
    pub(crate) fn create(target: &OutputTarget, layout: NpyLayout) -> Result<NpyRows, OutputError> {
        let path = target.file_path().filter(|path| !is_special(path) && target.compression.is_none());
        let path = path.ok_or(OutputError::ArrayNotToFile)?;
        let directories = NewDirectories::of(&[path.to_owned()]);
        let number = match layout {
            NpyLayout::Grids => Number::U8,
            NpyLayout::Numbers(number, _) => number,
        };
        let file = NpyFile::create(path.to_owned(), number).map_err(OutputError::Write)?;
        Ok(NpyRows { file, part: vec![], layout, size: None, before: 0, _directories: directories })
    }

    /// Completes the file. If there was no grid, the rows have the size of 9x9 grids.
    pub(crate) fn finish(mut self) -> Result<(), OutputError> {
        let width = match self.layout {
            NpyLayout::Grids => self.size.unwrap_or(Size::Nine).cells(),
            NpyLayout::Numbers(_, width) => width,
        };
        // No row has a grid, and an array needs some size.
        if self.size.is_none() {
            self.push_zeros(self.before, width).map_err(OutputError::Write)?;
        }
        self.file.finish(Some(width)).map_err(OutputError::Write)
    }

    /// Writes the first row of `rows`, and returns the rest; `None` if no row is complete.
    fn take_row<'a>(&mut self, rows: &'a [u8]) -> io::Result<Option<&'a [u8]>> {
        if let NpyLayout::Numbers(number, width) = self.layout {
            let Some((row, rest)) = rows.split_at_checked(number.width * width) else { return Ok(None) };
            self.file.push_bytes(row)?;
            return Ok(Some(rest));
        }

        let cells = rows.split_first().and_then(|(&side, rest)| rest.split_at_checked(usize::from(side).pow(2)));
        let Some((cells, rest)) = cells else { return Ok(None) };
        self.push_grid(cells)?;
        Ok(Some(rest))
    }

    /// Writes the cells of a grid, or a row of zeros if `cells` is empty.
    fn push_grid(&mut self, cells: &[u8]) -> io::Result<()> {
        let Some(size) = Size::from_cells(cells.len()) else {
            let Some(size) = self.size else {
                self.before += 1;
                return Ok(());
            };
            return self.push_zeros(1, size.cells());
        };
        // The rows before the first grid have waited for its size.
        if self.size.is_none() {
            self.push_zeros(self.before, size.cells())?;
        }
        let first = *self.size.get_or_insert(size);
        if first != size {
            return Err(io::Error::other(format!(
                "row {} is a {size} grid, after {first} ones, but an array of NumPy has one size",
                self.file.rows + 1
            )));
        }
        self.file.push_bytes(cells)
    }

    fn push_zeros(&mut self, rows: u64, cells: usize) -> io::Result<()> {
        (0..rows).try_for_each(|_| self.file.push_bytes(&[0; Size::MAX_CELLS][..cells]))
    }
}

impl Write for NpyRows {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A write may end within a row.
        self.part.extend_from_slice(bytes);
        let rows = std::mem::take(&mut self.part);
        let mut rest = &rows[..];
        while let Some(others) = self.take_row(rest)? {
            rest = others;
        }
        self.part = rest.to_vec();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Reads one array of `NumPy`, row by row, as lists of integers.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, FixedSizeListArray, PrimitiveArray};
use arrow_schema::{DataType, Field, FieldRef};
use rawzip::{RangeReader, ReaderAt};

use super::ArrayError;
use crate::npy::{Header, Number};
use crate::puzzle::Size;

/// The maximum number of bytes of a stream that are read into memory.
const MAX_MEMORY: u64 = 1 << 30;

/// Bytes that can be read in any order.
pub(super) type Bytes = Arc<dyn ReaderAt + Send + Sync>;

/// An array with a row of cells for each puzzle.
pub(super) struct CellArray {
    /// The number of rows.
    pub(super) rows: u64,
    pub(super) size: Size,
    header: Header,
    /// The numbers of the next rows.
    numbers: Box<dyn Read + Send>,
}

impl CellArray {
    /// Reads the header of the array at `start`.
    pub(super) fn at(bytes: Bytes, start: u64) -> Result<CellArray, ArrayError> {
        CellArray::of_stream(Box::new(io::BufReader::new(RangeReader::new(bytes, start..u64::MAX))))
    }

    /// Reads the header of the next array, and checks that it has the shape of puzzles. An array in Fortran order is
    /// copied row by row.
    pub(super) fn of_stream(mut reader: Box<dyn Read + Send>) -> Result<CellArray, ArrayError> {
        let header = Header::read(&mut reader)?;
        let no_puzzles = || ArrayError::Shape { shape: header.shape.clone() };
        let cells = match header.shape[..] {
            [_, cells] => cells,
            [_, rows, columns] if rows == columns => rows.checked_mul(columns).ok_or_else(no_puzzles)?,
            _ => return Err(no_puzzles()),
        };
        let size = usize::try_from(cells).ok().and_then(Size::from_cells).ok_or_else(no_puzzles)?;
        let rows = header.shape[0];
        rows.checked_mul((size.cells() * header.number.width) as u64).ok_or_else(no_puzzles)?;

        let mut array = CellArray { rows, size, header, numbers: reader };
        if array.header.is_fortran {
            let by_columns = in_memory(&mut array.numbers)?;
            array.numbers = Box::new(io::Cursor::new(array.by_rows(&by_columns)));
        }
        Ok(array)
    }

    /// The numbers of an array in Fortran order, row after row, and the bytes after them; empty if numbers are missing.
    fn by_rows(&self, by_columns: &[u8]) -> Vec<u8> {
        let (side, width, row) = (self.size.side(), self.header.number.width, self.row_size());
        if (by_columns.len() / row) < self.rows as usize {
            return vec![];
        }
        let rows = self.rows as usize;
        let mut by_rows = vec![0; rows * row];
        for cell in 0..self.size.cells() {
            // The row of a grid changes faster than its column.
            let index = if self.header.shape.len() == 3 { cell % side * side + cell / side } else { cell };
            let column = &by_columns[index * rows * width..][..rows * width];
            for (number, row) in column.chunks_exact(width).zip(by_rows.chunks_exact_mut(row)) {
                row[cell * width..][..width].copy_from_slice(number);
            }
        }
        by_rows.extend_from_slice(&by_columns[rows * row..]);
        by_rows
    }

    /// The number of bytes of a row.
    pub(super) fn row_size(&self) -> usize {
        self.size.cells() * self.header.number.width
    }

    /// The type of its rows.
    pub(super) fn data_type(&self) -> DataType {
        DataType::FixedSizeList(self.item(), self.size.cells().cast_signed() as i32)
    }

    fn item(&self) -> FieldRef {
        let Number { is_signed, width, .. } = self.header.number;
        let number = match (is_signed, width) {
            (true, 1) => DataType::Int8,
            (true, 2) => DataType::Int16,
            (true, 4) => DataType::Int32,
            (true, _) => DataType::Int64,
            (false, 1) => DataType::UInt8,
            (false, 2) => DataType::UInt16,
            (false, 4) => DataType::UInt32,
            (false, _) => DataType::UInt64,
        };
        Arc::new(Field::new_list_field(number, false))
    }

    /// Reads the numbers of the next rows; fewer if the array ends before.
    pub(super) fn read(&mut self, rows: usize) -> io::Result<ArrayRef> {
        let (row, mut bytes) = (self.row_size(), Vec::new());
        self.numbers.by_ref().take((rows * row) as u64).read_to_end(&mut bytes)?;
        bytes.truncate(bytes.len() / row * row);
        Ok(self.numbers_of(&bytes))
    }

    fn numbers_of(&self, bytes: &[u8]) -> ArrayRef {
        let Number { is_signed, width, is_big_endian } = self.header.number;
        macro_rules! numbers {
            ($numbers:ident, $native:ty) => {
                if is_big_endian {
                    numbers::<$numbers, _>(bytes, <$native>::from_be_bytes)
                } else {
                    numbers::<$numbers, _>(bytes, <$native>::from_le_bytes)
                }
            };
        }
        match (is_signed, width) {
            (true, 1) => numbers!(Int8Type, i8),
            (true, 2) => numbers!(Int16Type, i16),
            (true, 4) => numbers!(Int32Type, i32),
            (true, _) => numbers!(Int64Type, i64),
            (false, 1) => numbers!(UInt8Type, u8),
            (false, 2) => numbers!(UInt16Type, u16),
            (false, 4) => numbers!(UInt32Type, u32),
            (false, _) => numbers!(UInt64Type, u64),
        }
    }

    /// The lists of some numbers.
    pub(super) fn lists(&self, numbers: ArrayRef) -> ArrayRef {
        Arc::new(FixedSizeListArray::new(self.item(), self.size.cells().cast_signed() as i32, numbers, None))
    }

    /// Whether bytes follow the last row.
    pub(super) fn has_more(&mut self) -> io::Result<bool> {
        Ok(self.numbers.read(&mut [0])? > 0)
    }
}

fn numbers<T: ArrowPrimitiveType, const WIDTH: usize>(
    bytes: &[u8],
    number: impl Fn([u8; WIDTH]) -> T::Native,
) -> ArrayRef {
    let (numbers, _) = bytes.as_chunks();
    Arc::new(PrimitiveArray::<T>::from_iter_values(numbers.iter().map(|&bytes| number(bytes))))
}

/// The rest of a stream; fails if it is too long.
pub(super) fn in_memory(reader: impl Read) -> Result<Vec<u8>, ArrayError> {
    let mut bytes = Vec::new();
    reader.take(MAX_MEMORY + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_MEMORY { Err(ArrayError::TooLarge) } else { Ok(bytes) }
}

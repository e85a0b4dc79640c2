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

/// The longest array in Fortran order that is read from a stream, in bytes: it has to be in memory.
const MAX_MEMORY: u64 = 1 << 30;

/// Bytes that can be read in any order.
pub(super) type Bytes = Arc<dyn ReaderAt + Send + Sync>;

/// An array with a row of cells for each puzzle.
pub(super) struct CellArray {
    /// The number of rows.
    pub(super) rows: u64,
    pub(super) size: Size,
    header: Header,
    numbers: Numbers,
    /// The number of rows that were read.
    next: u64,
}

/// Where the numbers of an array are.
enum Numbers {
    /// Row after row.
    Rows(Box<dyn Read + Send>),
    /// Column after column: those of the first cell of all rows, those of the second.
    Columns {
        bytes: Bytes,
        /// Where the first number is.
        start: u64,
    },
}

impl CellArray {
    /// Reads the header of an array that begins there.
    pub(super) fn at(bytes: Bytes, start: u64) -> Result<CellArray, ArrayError> {
        let mut reader = RangeReader::new(Arc::clone(&bytes), start..u64::MAX);
        let header = Header::read(&mut reader)?;
        let start = reader.position();
        CellArray::new(header, |is_fortran| {
            let by_rows = || Numbers::Rows(Box::new(io::BufReader::new(reader)));
            Ok(if is_fortran { Numbers::Columns { bytes, start } } else { by_rows() })
        })
    }

    /// Reads the header of the array that comes next.
    pub(super) fn of_stream(mut reader: Box<dyn Read + Send>) -> Result<CellArray, ArrayError> {
        let header = Header::read(&mut reader)?;
        CellArray::new(header, |is_fortran| {
            Ok(if is_fortran {
                Numbers::Columns { bytes: Arc::new(in_memory(reader)?), start: 0 }
            } else {
                Numbers::Rows(reader)
            })
        })
    }

    /// Checks that the shape is that of puzzles.
    fn new(header: Header, numbers: impl FnOnce(bool) -> Result<Numbers, ArrayError>) -> Result<CellArray, ArrayError> {
        let no_puzzles = || ArrayError::Shape { shape: header.shape.clone() };
        let cells = match header.shape[..] {
            [_, cells] => cells,
            [_, rows, columns] if rows == columns => rows.checked_mul(columns).ok_or_else(no_puzzles)?,
            _ => return Err(no_puzzles()),
        };
        let size = usize::try_from(cells).ok().and_then(Size::from_cells).ok_or_else(no_puzzles)?;
        let rows = header.shape[0];
        rows.checked_mul((size.cells() * header.number.width) as u64).ok_or_else(no_puzzles)?;
        let numbers = numbers(header.is_fortran)?;
        Ok(CellArray { rows, size, header, numbers, next: 0 })
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

    /// Reads the numbers of the next rows; of fewer, if the array ends before.
    pub(super) fn read(&mut self, rows: usize) -> io::Result<ArrayRef> {
        let row = self.row_size();
        let bytes = match &mut self.numbers {
            Numbers::Rows(reader) => {
                let mut bytes = Vec::new();
                reader.take((rows * row) as u64).read_to_end(&mut bytes)?;
                bytes.truncate(bytes.len() / row * row);
                bytes
            }
            Numbers::Columns { bytes, start } => {
                let (bytes, start) = (Arc::clone(bytes), *start);
                match self.read_columns(&*bytes, start, rows) {
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => vec![],
                    read => read?,
                }
            }
        };
        self.next += (bytes.len() / row) as u64;
        Ok(self.numbers_of(&bytes))
    }

    /// Reads the next rows of an array in Fortran order: some numbers of each of its columns.
    fn read_columns(&self, bytes: &dyn ReaderAt, start: u64, rows: usize) -> io::Result<Vec<u8>> {
        let (side, width, row) = (self.size.side(), self.header.number.width, self.row_size());
        let (mut all, mut column) = (vec![0; rows * row], vec![0; rows * width]);
        for cell in 0..self.size.cells() {
            // The row of a grid changes faster than its column.
            let index = if self.header.shape.len() == 3 { cell % side * side + cell / side } else { cell };
            let number = index as u64 * self.rows + self.next;
            bytes.read_exact_at(&mut column, start + number * width as u64)?;
            for (number, row) in column.chunks_exact(width).zip(all.chunks_exact_mut(row)) {
                row[cell * width..][..width].copy_from_slice(number);
            }
        }
        Ok(all)
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
        let size = self.rows * self.row_size() as u64;
        let read = match &mut self.numbers {
            Numbers::Rows(reader) => reader.read(&mut [0])?,
            Numbers::Columns { bytes, start } => bytes.read_at(&mut [0], *start + size)?,
        };
        Ok(read > 0)
    }
}

fn numbers<T: ArrowPrimitiveType, const WIDTH: usize>(
    bytes: &[u8],
    number: impl Fn([u8; WIDTH]) -> T::Native,
) -> ArrayRef {
    let (numbers, _) = bytes.as_chunks();
    Arc::new(PrimitiveArray::<T>::from_iter_values(numbers.iter().map(|&bytes| number(bytes))))
}

/// The rest of a stream, unless it is too long.
pub(super) fn in_memory(reader: impl Read) -> Result<Vec<u8>, ArrayError> {
    let mut bytes = Vec::new();
    reader.take(MAX_MEMORY + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_MEMORY { Err(ArrayError::TooLarge) } else { Ok(bytes) }
}

//! Reads one array of `NumPy`, row by row, as texts, or as lists of numbers or of texts.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, FixedSizeListArray, PrimitiveArray, StringArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, FieldRef};
use rawzip::{RangeReader, ReaderAt};

use super::ArrayError;
use crate::npy::{Header, Kind, Number};
use crate::puzzle::{Size, rules};

/// The maximum number of bytes of a stream that are read into memory.
const MAX_MEMORY: u64 = 1 << 30;

/// The most characters of a text that is a cell. A longer text is a puzzle.
const MAX_CELL: usize = 2;

/// Bytes that can be read in any order.
pub(super) type Bytes = Arc<dyn ReaderAt + Send + Sync>;

/// An array with a puzzle in each row.
pub(super) struct CellArray {
    pub(super) reading: Reading,
    header: Header,
    /// The items of the next rows.
    items: Box<dyn Read + Send>,
}

/// A reading of the axes of an array.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// The number of rows.
    pub(super) rows: u64,
    /// The size of the puzzles; `None` if each is one text.
    pub(super) size: Option<Size>,
    /// Whether the rows and columns of a puzzle have an axis each.
    is_square: bool,
}

impl Reading {
    /// Reads axes of 1 as if they were not there, except the first one, if it counts the puzzles.
    fn of_puzzles(header: &Header) -> Option<Reading> {
        let (&rows, axes) = header.shape.split_first()?;
        if header.number.characters().is_some_and(|characters| characters > MAX_CELL) {
            return axes.iter().all(|&axis| axis == 1).then_some(Reading { rows, size: None, is_square: false });
        }
        Reading::of_axes(rows, axes).or_else(|| {
            let [rows, axes @ ..] = &without_ones(&header.shape)[..] else { return None };
            Reading::of_axes(*rows, axes)
        })
    }

    /// Reads the axes as those of one puzzle.
    fn of_one(header: &Header) -> Option<Reading> {
        Reading::of_axes(1, &header.shape)
    }

    fn of_axes(rows: u64, axes: &[u64]) -> Option<Reading> {
        let (length, is_square, of): (_, _, fn(usize) -> Option<Size>) = match without_ones(axes)[..] {
            [cells] => (cells, false, Size::from_cells),
            [side, columns] if side == columns => (side, true, Size::from_side),
            _ => return None,
        };
        let size = of(usize::try_from(length).ok()?)?;
        Some(Reading { rows, size: Some(size), is_square })
    }
}

/// The lengths of all axes but those of 1.
fn without_ones(axes: &[u64]) -> Vec<u64> {
    axes.iter().copied().filter(|&axis| axis != 1).collect()
}

/// The call that makes puzzles of an array with another shape; empty if none is known.
fn cure_of(shape: &[u64]) -> &'static str {
    let is_puzzles = |axes: &[u64]| {
        axes.split_first()
            .is_some_and(|(&rows, rest)| Reading::of_axes(rows, rest).is_some() || Reading::of_axes(1, axes).is_some())
    };
    match shape {
        [puzzles @ .., 5 | 7 | 10 | 11 | 13 | 17 | 26] if is_puzzles(puzzles) => "; if it is one-hot: .argmax(-1)",
        [puzzles @ .., 4 | 6 | 8 | 9 | 12 | 16 | 25] if is_puzzles(puzzles) => {
            "; if it is one-hot without a class for blanks: numpy.where(array.any(-1), array.argmax(-1) + 1, 0)"
        }
        [_, 10, side, columns] if side == columns => "; if it is one-hot: .argmax(1)",
        [81, _] => "; if each column is a puzzle: .T",
        [9, 9, _] => "; if the last axis counts the puzzles: numpy.moveaxis(array, -1, 0)",
        _ if shape.iter().copied().fold(1, u64::wrapping_mul) % 81 == 0 => {
            "; if the cells of each puzzle are successive: .reshape(-1, 81)"
        }
        _ => "",
    }
}

impl CellArray {
    /// Reads the header of the array at `start`.
    pub(super) fn at(bytes: Bytes, start: u64) -> Result<CellArray, ArrayError> {
        CellArray::of_stream(Box::new(io::BufReader::new(RangeReader::new(bytes, start..u64::MAX))))
    }

    /// Reads the header of the next array, and checks that it has the shape of puzzles. An array in Fortran order is
    /// copied row by row.
    pub(super) fn of_stream(mut items: Box<dyn Read + Send>) -> Result<CellArray, ArrayError> {
        let header = Header::read(&mut items)?;
        let other_shape = || ArrayError::Shape { cure: cure_of(&header.shape), shape: header.shape.clone() };
        let (puzzles, one) = (Reading::of_puzzles(&header), Reading::of_one(&header));
        let reading = puzzles.or(one).ok_or_else(other_shape)?;
        let mut array = CellArray { reading, header: header.clone(), items };
        reading.rows.checked_mul(array.row_size() as u64).ok_or_else(other_shape)?;

        if array.header.is_fortran {
            let by_columns = in_memory(&mut array.items)?;
            array.items = Box::new(io::Cursor::new(array.by_rows(&by_columns)));
        }
        if let (Some(_), Some(one), 2..) = (puzzles, one, reading.rows) {
            array.one_or_several(one)?;
        }
        Ok(array)
    }

    /// Decides whether sixteen rows of 16 items are puzzles, or the rows of one puzzle. Digits above 4, or two equal
    /// digits in a house, are evidence against a reading.
    fn one_or_several(&mut self, one: Reading) -> Result<(), ArrayError> {
        let numbers = cast(&self.peek(16)?, &DataType::Int64).map_err(io::Error::other)?;
        let cell = |number: Option<i64>| u8::try_from(number.unwrap_or(0).max(0)).unwrap_or(u8::MAX);
        let cells: Vec<u8> = numbers.as_primitive::<Int64Type>().iter().map(cell).collect();
        match cells.iter().max() {
            // Puzzles of a training set, with 1 for a blank.
            Some(5) if !cells.contains(&0) => {}
            Some(5..) => self.reading = one,
            _ if cells.len() == Size::Sixteen.cells() && rules::conflict(Size::Sixteen, &cells).is_some() => {}
            _ => return Err(ArrayError::OneOrSeveral),
        }
        Ok(())
    }

    /// The items of an array in Fortran order, row after row, and the bytes after them; empty if items are missing.
    fn by_rows(&self, by_columns: &[u8]) -> Vec<u8> {
        let Reading { rows, size, is_square } = self.reading;
        let (width, row, rows) = (self.header.number.width, self.row_size(), rows as usize);
        if (by_columns.len() / row) < rows {
            return vec![];
        }
        let mut by_rows = vec![0; rows * row];
        for cell in 0..self.row_items() {
            // The row of a grid changes faster than its column.
            let index = match size.map(Size::side).filter(|_| is_square) {
                Some(side) => cell % side * side + cell / side,
                None => cell,
            };
            let column = &by_columns[index * rows * width..][..rows * width];
            for (item, row) in column.chunks_exact(width).zip(by_rows.chunks_exact_mut(row)) {
                row[cell * width..][..width].copy_from_slice(item);
            }
        }
        by_rows.extend_from_slice(&by_columns[rows * row..]);
        by_rows
    }

    /// The number of items of a row.
    pub(super) fn row_items(&self) -> usize {
        self.reading.size.map_or(1, Size::cells)
    }

    /// The number of bytes of a row.
    pub(super) fn row_size(&self) -> usize {
        self.row_items() * self.header.number.width
    }

    /// Whether the cells are numbers.
    pub(super) fn has_numbers(&self) -> bool {
        self.header.number.characters().is_none()
    }

    /// The type of its rows.
    pub(super) fn data_type(&self) -> DataType {
        match self.reading.size {
            Some(size) => DataType::FixedSizeList(self.item(), size.cells().cast_signed() as i32),
            None => DataType::Utf8,
        }
    }

    fn item(&self) -> FieldRef {
        Arc::new(Field::new_list_field(self.items_of(&[]).data_type().clone(), false))
    }

    /// Reads the items of the next rows; fewer if the array ends before.
    pub(super) fn read(&mut self, rows: usize) -> io::Result<ArrayRef> {
        let bytes = self.read_bytes(rows)?;
        Ok(self.items_of(&bytes))
    }

    /// The items of the next rows, which stay the next ones.
    pub(super) fn peek(&mut self, rows: usize) -> io::Result<ArrayRef> {
        let bytes = self.read_bytes(rows)?;
        let items = self.items_of(&bytes);
        let after = std::mem::replace(&mut self.items, Box::new(io::empty()));
        self.items = Box::new(io::Cursor::new(bytes).chain(after));
        Ok(items)
    }

    fn read_bytes(&mut self, rows: usize) -> io::Result<Vec<u8>> {
        let (wanted, mut bytes) = (rows * self.row_size(), Vec::new());
        self.items.by_ref().take(wanted as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The items in some bytes, without those of a row that is not complete.
    fn items_of(&self, bytes: &[u8]) -> ArrayRef {
        let Number { kind, width, is_big_endian } = self.header.number;
        let bytes = &bytes[..bytes.len() / self.row_size() * self.row_size()];
        macro_rules! numbers {
            ($numbers:ident) => {
                if is_big_endian {
                    numbers::<$numbers, _>(bytes, <$numbers as ArrowPrimitiveType>::Native::from_be_bytes)
                } else {
                    numbers::<$numbers, _>(bytes, <$numbers as ArrowPrimitiveType>::Native::from_le_bytes)
                }
            };
        }
        match (kind, width) {
            (Kind::Signed, 1) => numbers!(Int8Type),
            (Kind::Signed, 2) => numbers!(Int16Type),
            (Kind::Signed, 4) => numbers!(Int32Type),
            (Kind::Signed, _) => numbers!(Int64Type),
            (Kind::Unsigned, 1) => numbers!(UInt8Type),
            (Kind::Unsigned, 2) => numbers!(UInt16Type),
            (Kind::Unsigned, 4) => numbers!(UInt32Type),
            (Kind::Unsigned, _) => numbers!(UInt64Type),
            (Kind::Float, 2) => numbers!(Float16Type),
            (Kind::Float, 4) => numbers!(Float32Type),
            (Kind::Float, _) => numbers!(Float64Type),
            (Kind::Bytes, _) => texts(bytes, width, |text| String::from_utf8_lossy(text).into_owned()),
            (Kind::Unicode, _) => texts(bytes, width, |text| {
                let order = if is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
                let symbols = text.as_chunks().0.iter().map(|&bytes| order(bytes));
                symbols.map(|symbol| char::from_u32(symbol).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
            }),
        }
    }

    /// The rows of some items.
    pub(super) fn rows_of(&self, items: ArrayRef) -> ArrayRef {
        match self.reading.size {
            Some(size) => {
                Arc::new(FixedSizeListArray::new(self.item(), size.cells().cast_signed() as i32, items, None))
            }
            None => items,
        }
    }

    /// Whether bytes follow the last row.
    pub(super) fn has_more(&mut self) -> io::Result<bool> {
        Ok(self.items.read(&mut [0])? > 0)
    }
}

fn numbers<T: ArrowPrimitiveType, const WIDTH: usize>(
    bytes: &[u8],
    number: impl Fn([u8; WIDTH]) -> T::Native,
) -> ArrayRef {
    let (numbers, _) = bytes.as_chunks();
    Arc::new(PrimitiveArray::<T>::from_iter_values(numbers.iter().map(|&bytes| number(bytes))))
}

/// Texts of `width` bytes each, which end before their padding.
fn texts(bytes: &[u8], width: usize, text: impl Fn(&[u8]) -> String) -> ArrayRef {
    let texts = bytes.chunks_exact(width).map(|bytes| text(bytes).trim_end_matches('\0').to_owned());
    Arc::new(StringArray::from_iter_values(texts))
}

/// The rest of a stream; fails if it is too long.
pub(super) fn in_memory(reader: impl Read) -> Result<Vec<u8>, ArrayError> {
    let mut bytes = Vec::new();
    reader.take(MAX_MEMORY + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_MEMORY { Err(ArrayError::TooLarge) } else { Ok(bytes) }
}

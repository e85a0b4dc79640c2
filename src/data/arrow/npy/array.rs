//! Reads one array of `NumPy`, row by row, as texts, or as lists of numbers or of texts.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int64Type};
use arrow_array::{
    Array, ArrayRef, ArrowNativeTypeOp, FixedSizeListArray, PrimitiveArray, StringArray, downcast_integer_array,
    make_array, new_empty_array,
};
use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
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
    pub(super) reading: ArrayReading,
    /// Whether its numbers are a training set's: 1 for a blank, and the digit plus 1 for a clue.
    pub(super) is_one_more: bool,
    header: Header,
    /// The items of the next rows.
    items: Box<dyn Read + Send>,
}

/// A reading of the axes of an array.
#[derive(Clone, Copy)]
pub(super) struct ArrayReading {
    /// The number of rows.
    pub(super) rows: u64,
    /// The size of the puzzles; `None` if each is one text.
    pub(super) size: Option<Size>,
}

impl ArrayReading {
    /// The readings of the first axis as the number of puzzles, also without the axes of 1 before it, and of all axes
    /// as those of one puzzle.
    fn all(shape: &[u64], is_texts: bool) -> Vec<ArrayReading> {
        let long = without_ones(shape);
        let readings = [shape.split_first(), long.split_first(), Some((&1, shape))].into_iter().flatten();
        let reading = |(&rows, axes): (&u64, &[u64])| {
            let size = match without_ones(axes)[..] {
                [] if is_texts => None,
                [cells] if !is_texts => Some(Size::from_cells(cells.try_into().ok()?)?),
                [side, columns] if side == columns && !is_texts => Some(Size::from_side(side.try_into().ok()?)?),
                _ => return None,
            };
            Some(ArrayReading { rows, size })
        };
        readings.filter_map(reading).collect()
    }
}

/// The lengths of all axes that are not 1.
fn without_ones(axes: &[u64]) -> Vec<u64> {
    axes.iter().copied().filter(|&axis| axis != 1).collect()
}

/// The call that makes puzzles of an array with another shape; empty if none is known.
fn cure_of(shape: &[u64]) -> &'static str {
    let is_puzzles = |axes: &[u64]| !ArrayReading::all(axes, false).is_empty();
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
        let is_texts = header.number.characters().is_some_and(|characters| characters > MAX_CELL);
        let other_shape = || ArrayError::Shape { cure: cure_of(&header.shape), shape: header.shape.clone() };
        let readings = ArrayReading::all(&header.shape, is_texts);
        let (Some(&reading), Some(&last)) = (readings.first(), readings.last()) else { return Err(other_shape()) };
        let mut array = CellArray { reading, is_one_more: false, header: header.clone(), items };
        reading.rows.checked_mul(array.row_size() as u64).ok_or_else(other_shape)?;

        if array.header.is_fortran {
            let by_columns = in_memory(&mut array.items)?;
            array.items = Box::new(io::Cursor::new(array.by_rows(&by_columns)));
        }
        if reading.rows > 1 && last.rows == 1 {
            array.one_or_several(last)?;
        }
        Ok(array)
    }

    /// Decides whether sixteen rows of 16 items are puzzles, or the rows of one puzzle. Digits above 4, or two equal
    /// digits in a house, are evidence against a reading.
    fn one_or_several(&mut self, one: ArrayReading) -> Result<(), ArrayError> {
        let bytes = self.peek(16)?;
        let numbers = cast(&self.items_of(bytes), &DataType::Int64).map_err(io::Error::other)?;
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
        let ArrayReading { rows, size } = self.reading;
        let (width, row, rows) = (self.header.number.width, self.row_size(), rows as usize);
        let is_square = |side: &usize| without_ones(&self.header.shape).ends_with(&[*side as u64; 2]);
        let side = size.map(Size::side).filter(is_square).unwrap_or(1);
        if (by_columns.len() / row) < rows {
            return vec![];
        }
        let mut by_rows = vec![0; rows * row];
        for cell in 0..row / width {
            // The row of a grid changes faster than its column.
            let index = cell % side * side + cell / side;
            let column = &by_columns[index * rows * width..][..rows * width];
            for (item, row) in column.chunks_exact(width).zip(by_rows.chunks_exact_mut(row)) {
                row[cell * width..][..width].copy_from_slice(item);
            }
        }
        by_rows.extend_from_slice(&by_columns[rows * row..]);
        by_rows
    }

    /// The number of bytes of a row.
    pub(super) fn row_size(&self) -> usize {
        self.reading.size.map_or(1, Size::cells) * self.header.number.width
    }

    /// Whether the cells are numbers.
    pub(super) fn has_numbers(&self) -> bool {
        self.header.number.characters().is_none()
    }

    /// The type of its rows.
    pub(super) fn data_type(&self) -> DataType {
        self.rows_of(vec![]).data_type().clone()
    }

    /// Reads the next rows; fewer if the array ends before.
    pub(super) fn read(&mut self, rows: usize) -> io::Result<ArrayRef> {
        let bytes = self.read_bytes(rows)?;
        Ok(self.rows_of(bytes))
    }

    /// The next rows, which stay the next ones. They show whether the numbers are the digits plus 1: the largest one
    /// occurs, and 0 does not.
    pub(super) fn first_rows(&mut self, rows: usize) -> io::Result<ArrayRef> {
        let bytes = self.peek(rows)?;
        let items = self.items_of(bytes.clone());
        if let (true, Some(size)) = (items.data_type().is_integer(), self.reading.size) {
            let numbers = cast(&items, &DataType::Int64).map_err(io::Error::other)?;
            let occurs = |digit| numbers.as_primitive::<Int64Type>().iter().flatten().any(|number| number == digit);
            self.is_one_more |= occurs(size.side().cast_signed() as i64 + 1) && !occurs(0);
        }
        Ok(self.rows_of(bytes))
    }

    fn peek(&mut self, rows: usize) -> io::Result<Vec<u8>> {
        let bytes = self.read_bytes(rows)?;
        let after = std::mem::replace(&mut self.items, Box::new(io::empty()));
        self.items = Box::new(io::Cursor::new(bytes.clone()).chain(after));
        Ok(bytes)
    }

    fn read_bytes(&mut self, rows: usize) -> io::Result<Vec<u8>> {
        let (wanted, mut bytes) = (rows * self.row_size(), Vec::new());
        self.items.by_ref().take(wanted as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn rows_of(&self, bytes: Vec<u8>) -> ArrayRef {
        let items = self.items_of(bytes);
        let Some(size) = self.reading.size else { return items };
        let items = if self.is_one_more { one_less(&items) } else { items };
        let field = Arc::new(Field::new_list_field(items.data_type().clone(), false));
        Arc::new(FixedSizeListArray::new(field, size.cells().cast_signed() as i32, items, None))
    }

    /// The items in some bytes, without an incomplete row.
    fn items_of(&self, mut bytes: Vec<u8>) -> ArrayRef {
        let Number { kind, width, is_big_endian } = self.header.number;
        bytes.truncate(bytes.len() / self.row_size() * self.row_size());
        if is_big_endian != cfg!(target_endian = "big") {
            bytes.chunks_exact_mut(if kind == Kind::Unicode { 4 } else { width }).for_each(<[u8]>::reverse);
        }
        let name = match kind {
            Kind::Signed => "Int",
            Kind::Unsigned => "UInt",
            Kind::Float => "Float",
            Kind::Bytes => return texts(&bytes, width, |text| String::from_utf8_lossy(text).into_owned()),
            Kind::Unicode => return texts(&bytes, width, of_code_points),
        };

        let data_type = format!("{name}{}", 8 * width).parse().expect("Arrow has numbers of each width");
        let numbers = new_empty_array(&data_type).into_data().into_builder().len(bytes.len() / width);
        make_array(numbers.buffers(vec![Buffer::from_slice_ref(&bytes)]).build().expect("as many numbers as bytes"))
    }

    /// Whether bytes follow the last row.
    pub(super) fn has_more(&mut self) -> io::Result<bool> {
        Ok(self.items.read(&mut [0])? > 0)
    }
}

/// Subtracts 1 from integers. The padding of training sets would become -1, and becomes a number that is not a digit.
fn one_less(items: &ArrayRef) -> ArrayRef {
    fn of<T: ArrowPrimitiveType>(numbers: &PrimitiveArray<T>) -> ArrayRef {
        let [zero, one, no_digit] = [0, 1, usize::from(i8::MAX as u8)].map(T::Native::usize_as);
        let digit = |number: T::Native| if number == zero { no_digit } else { number.sub_wrapping(one) };
        Arc::new(numbers.unary::<_, T>(digit))
    }
    downcast_integer_array!(items => of(items), _ => Arc::clone(items))
}

/// Texts of `width` bytes each, which end before their padding.
fn texts(bytes: &[u8], width: usize, text: impl Fn(&[u8]) -> String) -> ArrayRef {
    let texts = bytes.chunks_exact(width).map(|bytes| text(bytes).trim_end_matches('\0').to_owned());
    Arc::new(StringArray::from_iter_values(texts))
}

/// A text of code points in four bytes each.
fn of_code_points(text: &[u8]) -> String {
    let symbols = text.as_chunks().0.iter().map(|&symbol| u32::from_ne_bytes(symbol));
    symbols.map(|symbol| char::from_u32(symbol).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The rest of a stream; fails if it is too long.
pub(super) fn in_memory(reader: impl Read) -> Result<Vec<u8>, ArrayError> {
    let mut bytes = Vec::new();
    reader.take(MAX_MEMORY + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_MEMORY { Err(ArrayError::TooLarge) } else { Ok(bytes) }
}

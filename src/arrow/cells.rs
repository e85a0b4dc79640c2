//! A column of puzzles: strings, which are parsed, or lists of integers, whose values are the cells.

use std::fmt::Write;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt8Type;
use arrow_array::{
    Array, ArrayRef, LargeStringArray, OffsetSizeTrait, StringArray, StringViewArray, downcast_integer_array,
};
use arrow_buffer::{ArrowNativeType, NullBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use crate::format::{Alphabets, MAX_RECORD, Malformed, ParsedPuzzle, Parser, SymbolPosition};
use crate::puzzle::{Puzzles, Size};

/// The symbol for a blank in the text of a list.
const BLANK: u8 = b'.';

/// A column of puzzles or answers.
#[derive(Debug)]
pub(crate) enum CellColumn {
    Utf8(StringArray),
    LargeUtf8(LargeStringArray),
    Utf8View(StringViewArray),
    Dictionary(CellDictionary),
    Lists(CellLists),
    /// The text of the only row.
    One(String),
}

/// Whether a column of this type can hold puzzles: text, or lists of integers, or lists of rows of integers.
pub(crate) fn can_hold_puzzles(data_type: &DataType) -> bool {
    match data_type {
        // A column that has only nulls may have no other type.
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => {
            matches!(**values, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
        }
        list => match items_of(list) {
            Some(item) => item.is_integer() || items_of(item).is_some_and(DataType::is_integer),
            None => false,
        },
    }
}

/// The type of the items of a list.
fn items_of(list: &DataType) -> Option<&DataType> {
    match list {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => Some(item.data_type()),
        _ => None,
    }
}

impl CellColumn {
    /// A column of a type that [can hold puzzles](can_hold_puzzles).
    pub(crate) fn new(array: &ArrayRef) -> Result<CellColumn, ArrowError> {
        Ok(match array.data_type() {
            DataType::Utf8 => CellColumn::Utf8(array.as_string().clone()),
            DataType::LargeUtf8 => CellColumn::LargeUtf8(array.as_string().clone()),
            DataType::Utf8View => CellColumn::Utf8View(array.as_string_view().clone()),
            DataType::Dictionary(..) => CellColumn::Dictionary(CellDictionary::new(array)?),
            DataType::Null => CellColumn::Utf8(StringArray::new_null(array.len())),
            _ => CellColumn::Lists(CellLists::new(array)?),
        })
    }

    /// Adds the puzzle in a row to `puzzles`. `parser` reads texts, and lists that are no grids.
    pub(crate) fn parse(
        &self,
        row: usize,
        alphabets: &Alphabets,
        parser: &mut dyn Parser,
        buffer: &mut String,
        puzzles: &mut Puzzles,
    ) -> Result<ParsedPuzzle, Malformed> {
        if let CellColumn::Lists(lists) = self
            && let Some(result) = lists.parse(row, alphabets, puzzles)
        {
            return result;
        }
        if self.size(row) >= MAX_RECORD {
            return Err(Malformed::TooLong);
        }
        parser.parse(self.text(row, alphabets, buffer).as_bytes(), puzzles)
    }

    /// The number of bytes of the text in a row, or of the cells of the list.
    pub(crate) fn size(&self, row: usize) -> usize {
        match self {
            CellColumn::Utf8(array) => array.value_length(row) as usize,
            CellColumn::LargeUtf8(array) => array.value_length(row) as usize,
            // The lower half of a view is the length.
            CellColumn::Utf8View(array) => array.views()[row] as u32 as usize,
            CellColumn::Dictionary(dictionary) => dictionary.key(row).map_or(0, |key| dictionary.values.size(key)),
            CellColumn::Lists(lists) => lists.rows[row].as_ref().map_or(0, Range::len),
            CellColumn::One(text) => text.len(),
        }
    }

    /// The text in a row; empty for a null. `buffer` is for texts that have to be made.
    pub(crate) fn text<'a>(&'a self, row: usize, alphabets: &Alphabets, buffer: &'a mut String) -> &'a str {
        match self {
            CellColumn::Utf8(array) if array.is_valid(row) => array.value(row),
            CellColumn::LargeUtf8(array) if array.is_valid(row) => array.value(row),
            CellColumn::Utf8View(array) if array.is_valid(row) => array.value(row),
            CellColumn::Dictionary(dictionary) => match dictionary.key(row) {
                Some(key) => dictionary.values.text(key, alphabets, buffer),
                None => "",
            },
            CellColumn::Lists(lists) => {
                buffer.clear();
                lists.push(row, alphabets, buffer);
                buffer
            }
            CellColumn::One(text) => text,
            _ => "",
        }
    }
}

/// A column of keys, which stand for texts. The texts are not copied: together they can be of any length.
#[derive(Debug)]
pub(crate) struct CellDictionary {
    keys: Vec<usize>,
    nulls: Option<NullBuffer>,
    values: Box<CellColumn>,
}

impl CellDictionary {
    fn new(array: &ArrayRef) -> Result<CellDictionary, ArrowError> {
        let dictionary = array.as_any_dictionary();
        let values = dictionary.values();
        // Without values, all keys are null.
        let keys = if values.is_empty() { vec![] } else { dictionary.normalized_keys() };
        Ok(CellDictionary { keys, nulls: array.nulls().cloned(), values: Box::new(CellColumn::new(values)?) })
    }

    /// The index of the text in a row; `None` for a null.
    fn key(&self, row: usize) -> Option<usize> {
        let is_valid = self.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
        self.keys.get(row).copied().filter(|_| is_valid)
    }
}

/// A column of lists of integers, or of lists of rows of integers.
#[derive(Debug)]
pub(crate) struct CellLists {
    /// The items of all lists.
    items: ArrayRef,
    /// The value of the cell for each item, or [`NO_VALUE`].
    values: ScalarBuffer<u8>,
    /// Where in the items the cells of each row are.
    rows: Spans,
}

/// Stands for a number that is no cell of any size.
const NO_VALUE: u8 = u8::MAX;

impl CellLists {
    fn new(array: &ArrayRef) -> Result<CellLists, ArrowError> {
        let (mut items, mut rows) = spans(array)?;
        if items_of(items.data_type()).is_some() {
            let (inner, lines) = spans(&items)?;
            for row in &mut rows {
                *row = row.take().and_then(|row| joined(&lines[row]));
            }
            items = inner;
        }
        Ok(CellLists { values: cell_values(&items), items, rows })
    }

    /// Adds the puzzle in a row to `puzzles`; `None` if the list has not as many items as a puzzle, or the alphabet of its
    /// size is not known.
    fn parse(
        &self,
        row: usize,
        alphabets: &Alphabets,
        puzzles: &mut Puzzles,
    ) -> Option<Result<ParsedPuzzle, Malformed>> {
        let (size, cells) = match self.grid(row)? {
            Ok(grid) => grid,
            Err(malformed) => return Some(Err(malformed)),
        };
        alphabets.get(size)?;

        puzzles.push(size, cells);
        let clues = cells.iter().map(|&value| u16::from(value != 0)).sum();
        Some(Ok(ParsedPuzzle { size, blank: BLANK, clues, after_blank_line: true }))
    }

    /// The cells of a row; `None` if the list has not as many items as a puzzle.
    fn grid(&self, row: usize) -> Option<Result<(Size, &[u8]), Malformed>> {
        let list = self.rows[row].clone()?;
        let size = Size::from_cells(list.len())?;
        let side = size.side();
        let cells = &self.values[list.clone()];

        // No exit from this loop, so that it is turned into vector code.
        let largest = cells.iter().fold(0, |largest, &value| largest.max(value));
        if usize::from(largest) <= side {
            return Some(Ok((size, cells)));
        }
        let at = cells.iter().position(|&value| usize::from(value) > side)?;
        Some(Err(no_cell(self.number(list.start + at), SymbolPosition::of_cell(at, side), side)))
    }

    /// Appends the symbols of a row. A list that is no grid is appended as a list, up to the length that a record may have.
    fn push(&self, row: usize, alphabets: &Alphabets, text: &mut String) {
        let Some(list) = self.rows[row].clone() else { return };
        if let Some(Ok((size, cells))) = self.grid(row) {
            text.push_str(&alphabets.for_printing(size).text(cells, BLANK));
            return;
        }

        text.push('[');
        for index in list.clone() {
            if text.len() >= MAX_RECORD {
                break;
            }
            let gap = if index > list.start { ", " } else { "" };
            write!(text, "{gap}{}", self.number(index)).expect("a string takes any text");
        }
        text.push(']');
    }

    /// The number at an index, 0 for a null.
    fn number(&self, index: usize) -> i128 {
        let items: &dyn Array = &self.items;
        downcast_integer_array!(
            items => if items.is_valid(index) { items.value(index).into() } else { 0 },
            _ => unreachable!("the items are integers")
        )
    }
}

/// The value of the cell for each number: 0 for nulls and -1, which stand for blanks.
fn cell_values(numbers: &ArrayRef) -> ScalarBuffer<u8> {
    // These need no copy: what is too large for a puzzle is none of its values.
    if let Some(bytes) = numbers.as_primitive_opt::<UInt8Type>()
        && bytes.null_count() == 0
    {
        return bytes.values().clone();
    }
    let array: &dyn Array = numbers;
    downcast_integer_array!(
        array => {
            let mut values: Vec<u8> = array.values().iter().map(|number| cell_value(number.to_isize())).collect();
            if let Some(nulls) = array.nulls() {
                for (value, is_valid) in values.iter_mut().zip(nulls) {
                    *value = if is_valid { *value } else { 0 };
                }
            }
            values.into()
        },
        _ => unreachable!("the items are integers")
    )
}

fn cell_value(number: Option<isize>) -> u8 {
    match number {
        Some(-1) => 0,
        Some(number) => u8::try_from(number).unwrap_or(NO_VALUE),
        None => NO_VALUE,
    }
}

/// Why a number of a list is no cell.
#[cold]
fn no_cell(value: i128, position: SymbolPosition, side: usize) -> Malformed {
    match u64::try_from(value) {
        Ok(value) => Malformed::ValueTooLarge { position, value, side },
        Err(_) => Malformed::ValueTooSmall { position, value: value as i64 },
    }
}

/// Where in the items of a column those of each list are; `None` for a null.
type Spans = Vec<Option<Range<usize>>>;

/// The items of all lists of a column, and where those of each row are.
fn spans(array: &ArrayRef) -> Result<(ArrayRef, Spans), ArrowError> {
    fn of_offsets<O: OffsetSizeTrait>(array: &ArrayRef) -> (ArrayRef, Spans) {
        let lists = array.as_list::<O>();
        let offsets = lists.value_offsets();
        // Of a slice of a column, only its own items: all of them would be read for each slice.
        let [first, last] = [offsets[0].as_usize(), offsets[lists.len()].as_usize()];
        let at = |row: usize| offsets[row].as_usize() - first;
        let span = |row: usize| lists.is_valid(row).then(|| at(row)..at(row + 1));
        (lists.values().slice(first, last - first), (0..lists.len()).map(span).collect())
    }
    match array.data_type() {
        DataType::List(_) => Ok(of_offsets::<i32>(array)),
        DataType::LargeList(_) => Ok(of_offsets::<i64>(array)),
        DataType::FixedSizeList(..) => {
            let lists = array.as_fixed_size_list();
            let span = |row: usize| {
                let start = lists.value_offset(row) as usize;
                lists.is_valid(row).then(|| start..start + lists.value_length() as usize)
            };
            Ok((lists.values().clone(), (0..lists.len()).map(span).collect()))
        }
        other => Err(ArrowError::CastError(format!("{other} is no list"))),
    }
}

/// The items of successive lists; `None` if one of them is null.
fn joined(lists: &[Option<Range<usize>>]) -> Option<Range<usize>> {
    let mut lists = lists.iter().cloned();
    let first = match lists.next() {
        Some(list) => list?,
        None => 0..0,
    };
    lists.try_fold(first, |all, list| list.filter(|list| list.start == all.end).map(|list| all.start..list.end))
}

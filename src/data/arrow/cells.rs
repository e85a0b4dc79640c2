//! A column of puzzles: strings, which are parsed, or lists of integers with the values of the cells.

use std::fmt::Write;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type};
use arrow_array::{Array, ArrayRef, LargeStringArray, OffsetSizeTrait, downcast_integer_array};
use arrow_buffer::{ArrowNativeType, ScalarBuffer};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use serde_json::Value;

use crate::format::{Alphabets, MAX_RECORD, Malformed, ParsedPuzzle, Parser, SymbolPosition};
use crate::puzzle::{Puzzles, Size};

/// The symbol for a blank in the text of a list.
const BLANK: u8 = b'.';

/// The value for an item that is not a cell in any size.
const NO_CELL: u8 = u8::MAX;

/// A blank that is not written as 0.
const EMPTY: u8 = u8::MAX - 1;

/// A cell that is 0 in a puzzle that also has [`EMPTY`] cells.
const DOUBTFUL: u8 = u8::MAX - 2;

/// The number of bytes of a printed number.
const NUMBER: usize = 8;

/// A column of puzzles or answers.
#[derive(Debug)]
pub(crate) enum CellColumn {
    Texts(LargeStringArray),
    Lists(CellLists),
    /// The text of the only row.
    One(String),
}

/// Whether a column of this type can hold puzzles: text, or lists of numbers or texts, or lists of rows of them.
pub(crate) fn can_hold_puzzles(data_type: &DataType) -> bool {
    match data_type {
        // A column with only nulls may have no other type.
        DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        list if items_of(list).is_some() => leaf_of(list).is_numeric() || has_texts(list),
        other => is_text(other),
    }
}

/// Whether the items of a list are texts, or rows of texts.
pub(crate) fn has_texts(list: &DataType) -> bool {
    items_of(list).is_some() && is_text(leaf_of(list))
}

fn is_text(data_type: &DataType) -> bool {
    use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Utf8, Utf8View};
    matches!(data_type, Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView)
}

/// Whether a column of this type can hold chats: messages, or lists of messages.
pub(crate) fn can_hold_chats(data_type: &DataType) -> bool {
    matches!(items_of(data_type).unwrap_or(data_type), DataType::Struct(_))
}

/// A type in the words of users, and a way to make puzzles of it.
pub(crate) fn in_words(data_type: &DataType) -> (String, &'static str) {
    if let Some(item) = items_of(data_type) {
        let cure = match item {
            DataType::Struct(fields) if fields.find("content").is_some() => {
                "; of a chat, keep the last message as text"
            }
            DataType::Boolean => "; cast them to integers",
            _ => "",
        };
        return (format!("lists of {}", in_words(item).0), cure);
    }

    let (words, cure) = match data_type {
        DataType::Dictionary(_, values) => return in_words(values),
        DataType::Struct(_) => ("structs", "; name a field of them, as in 'column.field'"),
        DataType::Map(..) => ("maps", ""),
        DataType::Boolean => ("booleans", ""),
        time if time.is_temporal() => ("times", ""),
        number if number.is_numeric() => ("numbers", "; a number has lost digits of the puzzle: write it as text"),
        other => return (other.to_string(), ""),
    };
    (words.to_owned(), cure)
}

/// The type of the cells of a list, with or without rows.
fn leaf_of(list: &DataType) -> &DataType {
    let item = items_of(list).unwrap_or(list);
    items_of(item).unwrap_or(item)
}

/// The type of the items of a list.
fn items_of(list: &DataType) -> Option<&DataType> {
    match list {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => Some(item.data_type()),
        _ => None,
    }
}

impl CellColumn {
    /// A column of a type that [can hold puzzles](can_hold_puzzles) or [chats](can_hold_chats), which become JSON.
    pub(crate) fn new(array: &ArrayRef) -> Result<CellColumn, ArrowError> {
        if can_hold_chats(array.data_type()) {
            return Ok(CellColumn::Texts(json_texts(array)?));
        }
        Ok(match items_of(array.data_type()) {
            Some(_) if has_texts(array.data_type()) => CellColumn::Texts(texts_of_lists(array)?),
            Some(_) => CellColumn::Lists(CellLists::new(array)?),
            None => CellColumn::Texts(cast(array, &DataType::LargeUtf8)?.as_string().clone()),
        })
    }

    /// Adds the puzzle in a row to `puzzles`. `parser` reads texts, and lists that are not grids.
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
            CellColumn::Texts(texts) => texts.value_length(row) as usize,
            CellColumn::Lists(lists) => lists.rows[row].as_ref().map_or(0, Range::len),
            CellColumn::One(text) => text.len(),
        }
    }

    /// The text in a row; empty for a null. `buffer` is used if the text has to be built.
    pub(crate) fn text<'a>(&'a self, row: usize, alphabets: &Alphabets, buffer: &'a mut String) -> &'a str {
        match self {
            CellColumn::Texts(texts) if texts.is_valid(row) => texts.value(row),
            CellColumn::Texts(_) => "",
            CellColumn::Lists(lists) => {
                buffer.clear();
                lists.push(row, alphabets, buffer);
                buffer
            }
            CellColumn::One(text) => text,
        }
    }
}

/// A column of lists of numbers, or of lists of rows of numbers. Those that are not integers are 64-bit floats.
#[derive(Debug)]
pub(crate) struct CellLists {
    /// The items of all lists.
    items: ArrayRef,
    /// The value of the cell for each item, or [`NO_CELL`], or [`DOUBTFUL`].
    values: ScalarBuffer<u8>,
    /// The range of items with the cells of each row.
    rows: Spans,
}

impl CellLists {
    fn new(array: &ArrayRef) -> Result<CellLists, ArrowError> {
        let (mut items, rows) = cells_of(array)?;
        if !items.data_type().is_integer() {
            items = cast(&items, &DataType::Float64)?;
        }
        Ok(CellLists { values: cell_values(&items, &rows), items, rows })
    }

    /// Adds the puzzle in a row to `puzzles`; `None` if the list does not have as many items as a puzzle, or the
    /// alphabet of its size is unknown.
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

    /// The cells of a row; `None` if the list does not have as many items as a puzzle.
    fn grid(&self, row: usize) -> Option<Result<(Size, &[u8]), Malformed>> {
        let list = self.rows[row].clone()?;
        let size = Size::from_cells(list.len())?;
        let side = size.side();
        let cells = &self.values[list.clone()];

        // No early exit, so that the loop becomes vector instructions.
        let largest = cells.iter().fold(0, |largest, &value| largest.max(value));
        if usize::from(largest) <= side {
            return Some(Ok((size, cells)));
        }
        let at = cells.iter().position(|&value| usize::from(value) > side)?;
        let position = SymbolPosition::of_cell(at, side);
        Some(Err(match (cells[at], self.number(list.start + at)) {
            (DOUBTFUL, Some(0)) => Malformed::DoubtfulZero { position },
            (_, Some(number)) => match u64::try_from(number) {
                Ok(value) => Malformed::ValueTooLarge { position, value, side },
                Err(_) => Malformed::ValueTooSmall { position, value: number as i64 },
            },
            (_, None) => Malformed::NotACell { position, side },
        }))
    }

    /// Appends the symbols of a row. A list that is not a grid is appended as a list, up to the maximum length of a
    /// record.
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
            text.push_str(if index > list.start { ", " } else { "" });
            match (self.items.is_valid(index), self.number(index)) {
                (true, Some(number)) => write!(text, "{number}"),
                (true, None) => write!(text, "{}", self.items.as_primitive::<Float64Type>().value(index)),
                (false, _) => write!(text, "null"),
            }
            .expect("a string takes any text");
        }
        text.push(']');
    }

    /// The number at an index, 0 for a null; `None` if it is not an integer.
    fn number(&self, index: usize) -> Option<i128> {
        let items: &dyn Array = &self.items;
        if items.is_null(index) {
            return Some(0);
        }
        downcast_integer_array!(
            items => Some(items.value(index).into()),
            _ => whole(items.as_primitive::<Float64Type>().value(index)).map(i128::from)
        )
    }
}

/// The cell value for each number. Nulls, NaN and -1 are blanks.
fn cell_values(numbers: &ArrayRef, rows: &Spans) -> ScalarBuffer<u8> {
    // No copy is needed: numbers that are too large for a puzzle are invalid as cells too.
    if let Some(bytes) = numbers.as_primitive_opt::<UInt8Type>()
        && bytes.null_count() == 0
    {
        return bytes.values().clone();
    }
    let array: &dyn Array = numbers;
    let mut values: Vec<u8> = downcast_integer_array!(
        array => array.values().iter().map(|number| cell_value(number.to_isize())).collect(),
        _ => array.as_primitive::<Float64Type>().values().iter().map(|&number| cell_of_float(number)).collect()
    );
    for (value, is_valid) in values.iter_mut().zip(array.nulls().into_iter().flatten()) {
        *value = if is_valid { *value } else { EMPTY };
    }
    rows.iter().flatten().for_each(|row| settle_blanks(&mut values[row.clone()]));
    values.into()
}

/// The integer that a number is.
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

fn cell_of_float(number: f64) -> u8 {
    if number.is_nan() { EMPTY } else { cell_value(whole(number).and_then(ArrowNativeType::to_isize)) }
}

/// Turns each [`EMPTY`] cell of a puzzle into 0. If there is one, a 0 may be a digit, and becomes [`DOUBTFUL`].
fn settle_blanks(cells: &mut [u8]) {
    if cells.contains(&EMPTY) {
        for cell in cells {
            *cell = match *cell {
                EMPTY => 0,
                0 => DOUBTFUL,
                value => value,
            };
        }
    }
}

fn cell_value(number: Option<isize>) -> u8 {
    let cell = number.and_then(|number| u8::try_from(number).ok()).filter(|&cell| cell < DOUBTFUL);
    if number == Some(-1) { EMPTY } else { cell.unwrap_or(NO_CELL) }
}

/// The range of items for each list of a column; `None` for a null.
type Spans = Vec<Option<Range<usize>>>;

/// The items of all lists of a column, and the range of each row.
fn spans(array: &ArrayRef) -> Result<(ArrayRef, Spans), ArrowError> {
    let item = items_of(array.data_type()).expect("the callers check the type").clone();
    let lists = cast(array, &DataType::new_large_list(item, true))?;
    let lists = lists.as_list::<i64>();

    let offsets = lists.value_offsets();
    // For a slice of a column, take only its own items: otherwise all items would be read for each slice.
    let [first, last] = [offsets[0].as_usize(), offsets[lists.len()].as_usize()];
    let at = |row: usize| offsets[row].as_usize() - first;
    let span = |row: usize| lists.is_valid(row).then(|| at(row)..at(row + 1));
    Ok((lists.values().slice(first, last - first), (0..lists.len()).map(span).collect()))
}

/// The cells of all lists of a column, with the rows of each list joined, and the range of each list.
fn cells_of(array: &ArrayRef) -> Result<(ArrayRef, Spans), ArrowError> {
    let (items, mut lists) = spans(array)?;
    if items_of(items.data_type()).is_none() {
        return Ok((items, lists));
    }
    let (cells, rows) = spans(&items)?;
    for list in &mut lists {
        *list = list.take().and_then(|list| joined(&rows[list]));
    }
    Ok((cells, lists))
}

/// Lists of texts, with each list joined to one text.
fn texts_of_lists(array: &ArrayRef) -> Result<LargeStringArray, ArrowError> {
    let (cells, lists) = cells_of(array)?;
    let cells = cast(&cells, &DataType::LargeUtf8)?;
    let cells = cells.as_string::<i64>();
    let quoted = |at: usize| format!("\"{}\"", cells.value(at).replace('"', "'"));
    let cell = |at: usize| if cells.is_valid(at) { quoted(at) } else { "null".to_owned() };
    let text = |list: Range<usize>| format!("[{}]", list.map(cell).collect::<Vec<_>>().join(", "));
    Ok(lists.into_iter().map(|list| list.map(text)).collect())
}

/// Each value of a column as JSON.
fn json_texts(array: &ArrayRef) -> Result<LargeStringArray, ArrowError> {
    let text = |row: usize| array.is_valid(row).then(|| Ok(json(array, row)?.to_string())).transpose();
    (0..array.len()).map(text).collect()
}

/// A value of a column as JSON. Values other than lists, structs and texts are printed.
fn json(array: &ArrayRef, row: usize) -> Result<Value, ArrowError> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    if items_of(array.data_type()).is_some() {
        let (items, lists) = spans(&array.slice(row, 1))?;
        let items = lists.into_iter().flatten().flatten().map(|item| json(&items, item));
        return Ok(Value::Array(items.collect::<Result<_, _>>()?));
    }
    if let Some(fields) = array.as_struct_opt() {
        let field = |(name, values): (&&str, _)| Ok(((*name).to_owned(), json(values, row)?));
        let fields =
            fields.column_names().iter().zip(fields.columns()).map(field).collect::<Result<_, ArrowError>>()?;
        return Ok(Value::Object(fields));
    }
    let text = cast(&array.slice(row, 1), &DataType::LargeUtf8)?;
    Ok(Value::from(text.as_string::<i64>().value(0)))
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

/// The approximate number of bytes of the printed values in some rows of a column.
pub(super) fn printed_size(column: &dyn Array, rows: Range<usize>) -> usize {
    fn of_items<O: OffsetSizeTrait>(offsets: &[O], items: &dyn Array, rows: Range<usize>) -> usize {
        printed_size(items, offsets[rows.start].as_usize()..offsets[rows.end].as_usize())
    }
    fn of_texts<O: OffsetSizeTrait>(offsets: &[O], rows: Range<usize>) -> usize {
        (offsets[rows.end] - offsets[rows.start]).as_usize()
    }
    match column.data_type() {
        DataType::Utf8 => of_texts(column.as_string::<i32>().value_offsets(), rows),
        DataType::LargeUtf8 => of_texts(column.as_string::<i64>().value_offsets(), rows),
        DataType::Binary => of_texts(column.as_binary::<i32>().value_offsets(), rows),
        DataType::LargeBinary => of_texts(column.as_binary::<i64>().value_offsets(), rows),
        // The lower half of a view is the length.
        DataType::Utf8View => column.as_string_view().views()[rows].iter().map(|&view| view as u32 as usize).sum(),
        DataType::BinaryView => column.as_binary_view().views()[rows].iter().map(|&view| view as u32 as usize).sum(),
        DataType::FixedSizeBinary(width) => rows.len() * *width as usize,
        DataType::Dictionary(..) if !column.as_any_dictionary().values().is_empty() => {
            let values = column.as_any_dictionary().values();
            let keys = column.slice(rows.start, rows.len());
            keys.as_any_dictionary().normalized_keys().into_iter().map(|key| printed_size(values, key..key + 1)).sum()
        }
        DataType::List(_) => of_items(column.as_list::<i32>().value_offsets(), column.as_list::<i32>().values(), rows),
        DataType::LargeList(_) => {
            of_items(column.as_list::<i64>().value_offsets(), column.as_list::<i64>().values(), rows)
        }
        DataType::Map(..) => of_items(column.as_map().value_offsets(), column.as_map().entries(), rows),
        DataType::FixedSizeList(_, length) => {
            let items = rows.start * *length as usize..rows.end * *length as usize;
            printed_size(column.as_fixed_size_list().values(), items)
        }
        DataType::Struct(_) => {
            column.as_struct().columns().iter().map(|column| printed_size(column, rows.clone())).sum()
        }
        _ => rows.len() * NUMBER,
    }
}

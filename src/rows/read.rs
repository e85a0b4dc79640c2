//! Reads rows back that a [`RowWriter`](super::RowWriter) wrote, to resume an interrupted run.
//!
//! A row that no writer can have written is damaged, and reads as `None`: a wrong number of fields, or a field for a
//! number with other text in it. Some millions of rows are read in a second, so only the fields of interest are decoded.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_json::value::RawValue;

use super::columns::{Column, Columns};
use super::ends::RowEnds;
use super::fields::printable;
use super::row::{Status, Subject};
use super::{Listing, OutputFormat};
use crate::format::CsvFields;

/// Fields of a row; `None` where the row has no such column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowRead<'a> {
    /// The name of the input.
    pub(crate) file: Option<Cow<'a, [u8]>>,
    /// The line on which the record starts.
    pub(crate) line: Option<u64>,
    /// The puzzle, or the text of a malformed record.
    pub(crate) puzzle: Option<Cow<'a, [u8]>>,
    /// The status of the record.
    pub(crate) status: Option<Status>,
    /// The status of the record by its number of solutions; of a malformed one it is none.
    pub(crate) status_by_solutions: Option<Status>,
    /// The reason for the status; empty if there is none to give.
    pub(crate) detail: Option<Cow<'a, [u8]>>,
}

/// Reads rows of one output format with known columns.
pub(crate) trait RowReader: Debug + Send {
    /// Reads a row, line end included; `None` if it is damaged.
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>>;
}

impl OutputFormat {
    /// Finds the ends of rows in this format.
    pub(crate) fn ends(self) -> RowEnds {
        if self == OutputFormat::Csv { RowEnds::for_csv() } else { RowEnds::for_lines() }
    }

    /// A reader of what [`OutputFormat::writer`] writes; `None` if that is not one row a record.
    ///
    /// `printed` is the status of a puzzle whose row in [`OutputFormat::Lines`] is a solution; `None` if that depends on
    /// the puzzle.
    pub(crate) fn reader(
        self,
        columns: &Columns,
        listing: Listing,
        printed: Option<Status>,
    ) -> Option<Box<dyn RowReader>> {
        match (self, listing) {
            (OutputFormat::Csv, _) => Some(Box::new(CsvReader {
                fields: CsvFields::new(b','),
                columns: columns.headers().count(),
                indices: ColumnIndices::new(columns),
            })),
            (OutputFormat::Jsonl, _) => Some(Box::new(JsonlReader::new(columns))),
            (OutputFormat::Lines, Listing::One) => Some(Box::new(LinesReader { printed })),
            (OutputFormat::Lines | OutputFormat::Grids | OutputFormat::Listing, _) => None,
        }
    }
}

impl Subject<'_> {
    /// The value of the column for puzzles.
    pub(crate) fn to_text(self) -> String {
        let mut text = vec![];
        self.write(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Appends the value of the column for puzzles, without quotes.
    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        match *self {
            Subject::Puzzle { cells, alphabet, blank } => alphabet.write(cells, blank, output),
            Subject::Pencilmarks(text) => output.extend_from_slice(text),
            Subject::Text(text) => output.extend_from_slice(printable(text).as_bytes()),
        }
    }
}

/// Parses a number of decimal digits; unlike `str::parse`, without a sign.
pub(crate) fn parse_number(digits: &[u8]) -> Option<u64> {
    let value = digits.iter().try_fold(0_u64, |value, &byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { value.checked_mul(10)?.checked_add(u64::from(digit)) }
    });
    value.filter(|_| !digits.is_empty())
}

/// Reads the name of a status.
pub(crate) fn parse_status(name: &[u8]) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status.name().as_bytes() == name)
}

/// The index in a row of each column; `None` for those that the rows do not have.
#[derive(Debug)]
struct ColumnIndices([Option<usize>; Column::ALL.len()]);

impl ColumnIndices {
    fn new(columns: &Columns) -> ColumnIndices {
        ColumnIndices(Column::ALL.map(|column| columns.own.iter().position(|&own| own == column)))
    }

    /// Reads a row of which `field` gives the fields by index; `None` if one of them is damaged.
    fn read<'a>(&self, field: impl Fn(usize) -> Option<Cow<'a, [u8]>>) -> Option<RowRead<'a>> {
        let text = |column: Column| match self.0[column as usize] {
            Some(index) => field(index).map(Some),
            None => Some(None),
        };
        let number = |column: Column| match text(column)? {
            Some(text) => parse_number(&text).map(Some),
            None => Some(None),
        };
        let number_or_empty = |column: Column| match text(column)? {
            Some(text) if text.is_empty() => Some(Some(None)),
            Some(text) => Some(Some(Some(parse_number(&text)?))),
            None => Some(None),
        };
        // The cost of a puzzle is not read, but a row that has it damaged is damaged.
        number_or_empty(Column::Branches)?;
        number(Column::Nanos)?;
        Some(RowRead {
            file: text(Column::File)?,
            line: number(Column::Line)?,
            puzzle: text(Column::Puzzle)?,
            status: match text(Column::Status)? {
                Some(name) => Some(parse_status(&name)?),
                None => None,
            },
            status_by_solutions: number_or_empty(Column::Solutions)?.map(Status::from_known),
            detail: text(Column::Detail)?,
        })
    }
}

#[derive(Debug)]
struct CsvReader {
    fields: CsvFields,
    columns: usize,
    indices: ColumnIndices,
}

impl RowReader for CsvReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>> {
        let fields = self.fields.split(row.strip_suffix(b"\n")?);
        // A row without columns is written as an empty field.
        if fields.len() != self.columns.max(1) {
            return None;
        }
        self.indices.read(|index| fields.get(index).map(Cow::Borrowed))
    }
}

#[derive(Debug)]
struct JsonlReader {
    names: Vec<String>,
    indices: ColumnIndices,
    /// The length of a row without its values: names, punctuation and the line end.
    frame: usize,
}

impl JsonlReader {
    fn new(columns: &Columns) -> JsonlReader {
        let names: Vec<String> = columns.headers().map(str::to_owned).collect();
        // Each name has a brace or comma before it and a colon after it.
        let keys: usize = names.iter().map(|name| 2 + serde_json::json!(name).to_string().len()).sum();
        JsonlReader { names, indices: ColumnIndices::new(columns), frame: keys.max(1) + "}\n".len() }
    }
}

impl RowReader for JsonlReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>> {
        let values: BTreeMap<String, &RawValue> = serde_json::from_slice(row.strip_suffix(b"\n")?).ok()?;
        let value = |index: usize| values.get(&self.names[index]).map(|value| value.get());
        // All names are there; and if the length is right, no other names, and no white space.
        let length = (0..self.names.len()).try_fold(self.frame, |sum, index| Some(sum + value(index)?.len()))?;
        if length != row.len() {
            return None;
        }
        self.indices.read(|index| decode(value(index)?))
    }
}

/// The text of a JSON string, nothing for `null`, or another value as it is.
pub(super) fn decode(value: &str) -> Option<Cow<'_, [u8]>> {
    match value.as_bytes() {
        b"null" => Some(Cow::Borrowed(b"")),
        [b'"', text @ .., b'"'] if !text.contains(&b'\\') => Some(Cow::Borrowed(text)),
        [b'"', ..] => serde_json::from_str::<String>(value).ok().map(|text| Cow::Owned(text.into_bytes())),
        value => Some(Cow::Borrowed(value)),
    }
}

/// Reads lines of solutions, and comments such as `# line 2: multiple ...`.
#[derive(Debug)]
struct LinesReader {
    printed: Option<Status>,
}

impl RowReader for LinesReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>> {
        let text = row.strip_suffix(b"\n")?;
        let Some(comment) = text.strip_prefix(b"# line ") else {
            let is_grid = !text.is_empty() && text.iter().all(u8::is_ascii_alphanumeric);
            return is_grid.then(|| RowRead { status: self.printed, ..RowRead::default() });
        };
        let (line, rest) = comment.split_at(comment.iter().position(|&byte| byte == b':')?);
        let word = rest.strip_prefix(b": ")?.split(|byte| matches!(byte, b':' | b' ')).next()?;
        Some(RowRead { line: Some(parse_number(line)?), status: Some(parse_status(word)?), ..RowRead::default() })
    }
}

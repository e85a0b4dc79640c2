//! Reads rows of CSV and JSON lines back, to resume an interrupted run.
//!
//! A row that no writer can have written is damaged, and reads as `None`: a wrong number of fields, or a field with
//! other text than its column has. Some millions of rows are read in a second, so only the job's own columns are decoded.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::row::{Decimal, MAX_COLUMNS};
use super::{Column, Kind, OutputFormat, RowEnds, Table};
use crate::format::CsvFields;

/// A row that was read back: the text of each of the job's columns, by its number.
#[derive(Debug, Default)]
pub(crate) struct ReadRow<'a> {
    fields: [Option<Cow<'a, [u8]>>; MAX_COLUMNS],
}

/// Reads rows with known columns.
pub(crate) trait RowReader: Send {
    /// Reads a row, line end included; `None` if it is damaged.
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<ReadRow<'a>>;
}

impl<'a> ReadRow<'a> {
    /// The text of a column; `None` if the rows do not have it. No value is an empty text.
    pub(crate) fn get(&self, number: usize) -> Option<&[u8]> {
        self.fields[number].as_deref()
    }

    /// The number in a column; `None` if the rows do not have the column, or it has no value.
    pub(crate) fn number(&self, number: usize) -> Option<u64> {
        parse_number(self.get(number)?)
    }

    /// The number with digits after the point in a column; `None` if the rows do not have the column, it has no value, or
    /// there are fewer digits than these after the point.
    pub(crate) fn decimal(&self, number: usize, digits: u32) -> Option<Decimal> {
        let text = str::from_utf8(self.get(number)?).ok()?;
        let (integer, fraction) = text.split_once('.').filter(|(_, fraction)| fraction.len() == digits as usize)?;
        Some(Decimal { units: format!("{integer}{fraction}").parse().ok()?, digits })
    }

    /// The index of the name in a column; `None` if the rows do not have the column, or it has no value.
    pub(crate) fn name(&self, number: usize, names: &[&str]) -> Option<usize> {
        let text = self.get(number)?;
        names.iter().position(|name| name.as_bytes() == text)
    }

    /// The items of the list in a column; none if the rows do not have the column. `None` if they are damaged.
    pub(crate) fn items(&self, number: usize) -> Option<Vec<String>> {
        let text = str::from_utf8(self.get(number).unwrap_or_default()).ok()?;
        if text.starts_with('[') {
            return serde_json::from_str(text).ok();
        }
        Some(text.split_terminator(';').map(str::to_owned).collect())
    }

    /// Sets the text of a column.
    pub(crate) fn set(&mut self, number: usize, text: impl Into<Cow<'a, [u8]>>) {
        self.fields[number] = Some(text.into());
    }

    /// Whether every text is a value of its column.
    fn fits(&self, table: &Table) -> bool {
        table.numbers.iter().zip(&table.own).all(|(&number, column)| {
            let text = self.get(number).unwrap_or_default();
            match column.kind {
                _ if column.nullable && text.is_empty() => true,
                Kind::Number => parse_number(text).is_some(),
                Kind::Name(names) => names.iter().any(|name| name.as_bytes() == text),
                Kind::Decimal => {
                    let digits = text.strip_prefix(b">").unwrap_or(text);
                    !digits.is_empty() && digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
                }
                Kind::Text | Kind::Texts | Kind::Numbers | Kind::Counts => true,
            }
        })
    }
}

impl OutputFormat {
    /// Finds the ends of rows in this format.
    pub(crate) fn ends(self) -> RowEnds {
        if self == OutputFormat::Csv { RowEnds::for_csv() } else { RowEnds::for_lines() }
    }

    /// A reader of the rows of a table; `None` if the format has no columns.
    pub(crate) fn reader(self, table: &Table) -> Option<Box<dyn RowReader>> {
        match self {
            OutputFormat::Csv => Some(Box::new(CsvReader { fields: CsvFields::new(b','), table: table.clone() })),
            OutputFormat::Jsonl => Some(Box::new(JsonlReader::new(table.clone()))),
            _ => None,
        }
    }
}

/// The number of a column of this name.
pub(crate) const fn number_of(columns: &[Column], name: &str) -> usize {
    let mut number = 0;
    while number < columns.len() {
        let (known, wanted) = (columns[number].name.as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < known.len() && same < wanted.len() && known[same] == wanted[same] {
            same += 1;
        }
        if same == known.len() && same == wanted.len() {
            return number;
        }
        number += 1;
    }
    panic!("there is no column of this name")
}

/// Parses a number of decimal digits; unlike `str::parse`, without a sign.
pub(crate) fn parse_number(digits: &[u8]) -> Option<u64> {
    let value = digits.iter().try_fold(0_u64, |value, &byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { value.checked_mul(10)?.checked_add(u64::from(digit)) }
    });
    value.filter(|_| !digits.is_empty())
}

struct CsvReader {
    fields: CsvFields,
    table: Table,
}

impl RowReader for CsvReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<ReadRow<'a>> {
        let fields = self.fields.split(row.strip_suffix(b"\n")?);
        // A row without columns is written as an empty field.
        if fields.len() != self.table.headers().count().max(1) {
            return None;
        }
        let mut read = ReadRow::default();
        for (index, &number) in self.table.numbers.iter().enumerate() {
            read.set(number, fields.get(index)?);
        }
        Some(read).filter(|read| read.fits(&self.table))
    }
}

struct JsonlReader {
    table: Table,
    /// The length of a row without its values: names, punctuation and the line end.
    frame: usize,
}

impl JsonlReader {
    fn new(table: Table) -> JsonlReader {
        // Each name has a brace or comma before it and a colon after it.
        let keys: usize = table.headers().map(|name| 2 + serde_json::json!(name).to_string().len()).sum();
        JsonlReader { table, frame: keys.max(1) + "}\n".len() }
    }
}

impl RowReader for JsonlReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<ReadRow<'a>> {
        let values: BTreeMap<String, &RawValue> = serde_json::from_slice(row.strip_suffix(b"\n")?).ok()?;
        let value = |name: &str| values.get(name).map(|value| value.get());

        // All names are there; and if the length is right, no other names, and no white space.
        let length = self.table.headers().try_fold(self.frame, |sum, name| Some(sum + value(name)?.len()))?;
        if length != row.len() {
            return None;
        }

        let mut read = ReadRow::default();
        for (&number, column) in self.table.numbers.iter().zip(&self.table.own) {
            read.set(number, decode(value(column.name)?)?);
        }
        Some(read).filter(|read| read.fits(&self.table))
    }
}

/// The text of a JSON string, nothing for `null`, or another value as it is.
fn decode(value: &str) -> Option<Cow<'_, [u8]>> {
    match value.as_bytes() {
        b"null" => Some(Cow::Borrowed(b"")),
        [b'"', text @ .., b'"'] if !text.contains(&b'\\') => Some(Cow::Borrowed(text)),
        [b'"', ..] => serde_json::from_str::<String>(value).ok().map(|text| Cow::Owned(text.into_bytes())),
        value => Some(Cow::Borrowed(value)),
    }
}

//! Writes rows that are lists of values, as CSV, as JSON lines or as typed columns, and reads their fields back.
//!
//! For jobs whose rows take microseconds to compute. The rows of `solve`, which take 20 ns to write, have
//! [writers of their own](super::RowWriter).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io::Write;

use serde_json::json;
use serde_json::value::RawValue;

use super::fields::{FileColumn, RowFields, RowText, printable};
use super::read::decode;
use super::row::Subject;
use super::{HeaderRow, OutputFormat};
#[cfg(feature = "arrow")]
use crate::arrow::columns::{ColumnBuilder, ColumnType, RowColumns};
#[cfg(feature = "arrow")]
use crate::arrow::{ArrowError, RecordBatch, SchemaRef};
use crate::format::CsvFields;

/// The value of a field. In CSV, the items of lists and of counts have `;` between them.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    /// Nothing: an empty field, `null`.
    Empty,
    Number(u64),
    Decimal(Decimal),
    /// An unknown number above this one: `>7.1`. Typed columns have null.
    Above(Decimal),
    Text(&'a str),
    /// One of some names, by its index.
    Name(&'static [&'static str], usize),
    /// A field that is carried over from the input.
    Kept(&'a [u8]),
    Puzzle(Subject<'a>),
    /// A list of texts without `;`.
    List(&'a [String]),
    /// Counts by name: an object in JSON, otherwise a text such as `Pointing:2;XY-Wing:1`.
    Counts(&'a dyn NamedCounts),
}

/// A number with some digits after the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// The number in units of its last digit.
    pub(crate) units: u64,
    /// The number of digits after the point, at least 1.
    pub(crate) digits: u32,
}

impl Decimal {
    #[cfg(feature = "arrow")]
    fn value(self) -> f64 {
        self.units as f64 / 10_f64.powi(self.digits.cast_signed())
    }
}

impl Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = 10_u64.pow(self.digits);
        write!(f, "{}.{:0width$}", self.units / one, self.units % one, width = self.digits as usize)
    }
}

/// Counts of things that have names.
pub(crate) trait NamedCounts {
    /// Passes each name and its count to `each`, in order.
    fn for_each(&self, each: &mut dyn FnMut(&dyn Display, u64));
}

/// A text such as `Pointing:2;XY-Wing:1`.
struct CountsText<'a>(&'a dyn NamedCounts);

impl Display for CountsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut result, mut gap) = (Ok(()), "");
        self.0.for_each(&mut |name, count| {
            result = result.and_then(|()| write!(f, "{gap}{name}:{count}"));
            gap = ";";
        });
        result
    }
}

/// Writes rows of values as text. Each worker owns one.
#[derive(Debug)]
pub(crate) struct TextValues {
    headers: Vec<String>,
    /// In JSON, the text before each value: `{"line":`, `,"puzzle":` and so on. Not used in CSV.
    keys: Option<Vec<Vec<u8>>>,
    fields: RowFields,
}

impl TextValues {
    /// Rows with these columns, as JSON lines or otherwise as CSV.
    pub(crate) fn new(format: OutputFormat, headers: Vec<String>) -> TextValues {
        let key = |(index, header)| format!("{}{}:", if index == 0 { '{' } else { ',' }, json!(header)).into_bytes();
        let keys = (format == OutputFormat::Jsonl).then(|| headers.iter().enumerate().map(key).collect());
        TextValues { headers, keys, fields: RowFields::new(FileColumn::Absent) }
    }

    /// The header of CSV; JSON lines have none.
    pub(crate) fn header(&self, header: HeaderRow) -> Vec<u8> {
        let mut output = Vec::new();
        if header == HeaderRow::Present && self.keys.is_none() {
            let mut text = self.fields.row(&mut output);
            for (index, header) in self.headers.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                text.quoted(header.as_bytes());
            }
            text.push(b'\n');
            text.end();
        }
        output
    }

    /// Appends a row with a value for each column.
    pub(crate) fn row(&self, values: &[Value<'_>], output: &mut Vec<u8>) {
        debug_assert_eq!(values.len(), self.headers.len());
        let mut text = self.fields.row(output);
        if let Some(keys) = &self.keys {
            for (key, &value) in keys.iter().zip(values) {
                text.append(key);
                push_json(value, &mut text);
            }
            text.append(b"}\n");
        } else {
            for (index, &value) in values.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                push_csv(value, &mut text);
            }
            text.push(b'\n');
        }
        text.end();
    }
}

fn push_csv(value: Value<'_>, text: &mut RowText<'_>) {
    match value {
        Value::Empty => {}
        Value::Number(number) => text.number(number),
        Value::Decimal(number) => print(number, text),
        Value::Above(bound) => print(format_args!(">{bound}"), text),
        Value::Text(words) => text.quoted(words.as_bytes()),
        Value::Name(names, index) => text.append(names[index].as_bytes()),
        Value::Kept(field) => text.quoted(field),
        Value::Puzzle(subject) => text.puzzle(subject),
        Value::List(items) => text.quoted(items.join(";").as_bytes()),
        Value::Counts(counts) => print(CountsText(counts), text),
    }
}

fn push_json(value: Value<'_>, text: &mut RowText<'_>) {
    match value {
        Value::Empty => text.append(b"null"),
        Value::Number(number) => text.number(number),
        Value::Decimal(number) => print(number, text),
        Value::Above(bound) => print(format_args!("\">{bound}\""), text),
        Value::Text(words) => push_string(words, text),
        Value::Name(names, index) => push_string(names[index], text),
        Value::Kept(field) => push_string(&String::from_utf8_lossy(field), text),
        Value::Puzzle(Subject::Text(puzzle)) => push_string(&printable(puzzle), text),
        Value::Puzzle(subject) => {
            text.push(b'"');
            text.puzzle(subject);
            text.push(b'"');
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                text.push(if index == 0 { b'[' } else { b',' });
                push_string(item, text);
            }
            text.append(if items.is_empty() { b"[]" } else { b"]" });
        }
        Value::Counts(counts) => {
            let mut before = b'{';
            counts.for_each(&mut |name, count| {
                text.push(std::mem::replace(&mut before, b','));
                push_string(&name.to_string(), text);
                text.push(b':');
                text.number(count);
            });
            text.append(if before == b'{' { b"{}" } else { b"}" });
        }
    }
}

/// Appends a text that needs no quotes.
fn print(value: impl Display, text: &mut RowText<'_>) {
    write!(text, "{value}").expect("memory takes any text");
}

/// Appends a JSON string.
fn push_string(string: &str, text: &mut RowText<'_>) {
    serde_json::to_writer(text, string).expect("a string becomes JSON, and memory takes it");
}

/// Appends rows of values to typed columns. Each worker owns one.
#[cfg(feature = "arrow")]
#[derive(Debug)]
pub(crate) struct TypedValues(RowColumns);

#[cfg(feature = "arrow")]
impl TypedValues {
    /// Rows of a schema: the columns of gridmill have these types, columns that are kept follow.
    pub(crate) fn new(schema: SchemaRef, own: &[ColumnType]) -> TypedValues {
        TypedValues(RowColumns::new(schema, own))
    }

    /// Appends a row. Values of columns that are kept may be missing if they come as they are.
    pub(crate) fn row(&mut self, values: &[Value<'_>]) {
        for (&value, column) in values.iter().zip(self.0.columns()) {
            push_typed(value, column);
        }
    }

    /// The rows so far. `kept` are the columns that are kept, if no row had them as texts.
    pub(crate) fn finish(&mut self, kept: Option<&RecordBatch>) -> Result<RecordBatch, ArrowError> {
        self.0.finish(kept)
    }
}

#[cfg(feature = "arrow")]
fn push_typed(value: Value<'_>, column: &mut ColumnBuilder) {
    match value {
        Value::Empty | Value::Above(_) => column.null(),
        Value::Number(number) => column.number(Some(number)),
        Value::Decimal(number) => column.decimal(number.value()),
        Value::Text(words) => column.text(Some(words.as_bytes())),
        Value::Name(_, index) => column.name(Some(index)),
        Value::Kept(field) => column.text(Some(String::from_utf8_lossy(field).as_bytes())),
        Value::Puzzle(subject) => super::push_subject(subject, column),
        Value::List(items) => {
            column.texts(items.iter().map(|item| |text: &mut Vec<u8>| text.extend_from_slice(item.as_bytes())));
        }
        Value::Counts(counts) => {
            column.text_with(|text| write!(text, "{}", CountsText(counts)).expect("memory takes any text"));
        }
    }
}

/// Reads the fields of rows that [`TextValues`] wrote.
#[derive(Debug)]
pub(crate) struct ValueReader {
    format: OutputFormat,
    headers: Vec<String>,
    fields: CsvFields,
}

impl ValueReader {
    /// Reads rows with these columns.
    pub(crate) fn new(format: OutputFormat, headers: Vec<String>) -> ValueReader {
        ValueReader { format, headers, fields: CsvFields::new(b',') }
    }

    /// The fields of these columns of a row, line end included; `None` if the row is damaged. A column that the rows do
    /// not have reads as an empty field.
    pub(crate) fn read<'a, const N: usize>(
        &'a mut self,
        row: &'a [u8],
        columns: [&str; N],
    ) -> Option<[Cow<'a, [u8]>; N]> {
        let row = row.strip_suffix(b"\n")?;
        let mut found = columns.map(|_| Cow::Borrowed(&b""[..]));
        if self.format == OutputFormat::Jsonl {
            let values: BTreeMap<String, &RawValue> = serde_json::from_slice(row).ok()?;
            if values.len() != self.headers.len() || !self.headers.iter().all(|header| values.contains_key(header)) {
                return None;
            }
            for (field, column) in found.iter_mut().zip(columns) {
                if let Some(value) = values.get(column) {
                    *field = decode(value.get())?;
                }
            }
            return Some(found);
        }
        let fields = self.fields.split(row);
        if fields.len() != self.headers.len() {
            return None;
        }
        for (field, column) in found.iter_mut().zip(columns) {
            if let Some(index) = self.headers.iter().position(|header| header == column) {
                *field = Cow::Borrowed(fields.get(index)?);
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fish;

    impl NamedCounts for Fish {
        fn for_each(&self, each: &mut dyn FnMut(&dyn Display, u64)) {
            each(&"X-Wing", 2);
            each(&"Jellyfish", 1);
        }
    }

    fn written(format: OutputFormat) -> (TextValues, ValueReader, Vec<u8>) {
        let headers: Vec<String> = "a,b,c,d,e,f,g,h,i".split(',').map(str::to_owned).collect();
        let text = TextValues::new(format, headers.clone());
        let decimal = |units, digits| Decimal { units, digits };
        let items = ["r1c1".to_owned(), "r2c2<>{1,2}".to_owned()];
        let values = [
            Value::Empty,
            Value::Number(12),
            Value::Decimal(decimal(71, 1)),
            Value::Above(decimal(1205, 2)),
            Value::Text("1,2"),
            Value::Name(&["x", "y"], 1),
            Value::Kept(b"\"k\""),
            Value::List(&items),
            Value::Counts(&Fish),
        ];
        let mut row = Vec::new();
        text.row(&values, &mut row);
        (text, ValueReader::new(format, headers), row)
    }

    #[test]
    fn values_are_written_and_read_back() {
        let (text, mut reader, row) = written(OutputFormat::Csv);
        assert_eq!(text.header(HeaderRow::Present), b"a,b,c,d,e,f,g,h,i\n");
        assert_eq!(text.header(HeaderRow::Absent), b"");
        let csv = ",12,7.1,>12.05,\"1,2\",y,\"\"\"k\"\"\",\"r1c1;r2c2<>{1,2}\",X-Wing:2;Jellyfish:1\n";
        assert_eq!(String::from_utf8_lossy(&row), csv);
        let expected = [">12.05", "1,2", "", ""].map(|text| Cow::Borrowed(text.as_bytes()));
        assert_eq!(reader.read(&row, ["d", "e", "a", "z"]), Some(expected.clone()));
        assert_eq!(reader.read(b"1,2\n", ["a"]), None);

        let (text, mut reader, row) = written(OutputFormat::Jsonl);
        assert_eq!(text.header(HeaderRow::Present), b"");
        let json = "{\"a\":null,\"b\":12,\"c\":7.1,\"d\":\">12.05\",\"e\":\"1,2\",\"f\":\"y\",\"g\":\"\\\"k\\\"\",\
                    \"h\":[\"r1c1\",\"r2c2<>{1,2}\"],\"i\":{\"X-Wing\":2,\"Jellyfish\":1}}\n";
        assert_eq!(String::from_utf8_lossy(&row), json);
        assert_eq!(reader.read(&row, ["d", "e", "a", "z"]), Some(expected));
        assert_eq!(reader.read(&row[..row.len() - 2], ["a"]), None);
        assert_eq!(reader.read(b"{\"a\":1}\n", ["a"]), None);
    }
}

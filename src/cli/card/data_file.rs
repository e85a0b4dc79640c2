//! The facts about a file of a data set that the file itself contains: its length, its checksum, its records and its
//! columns. The types of columns are in the schema of the file, or are found by its values.

use std::fs::File;
use std::path::Path;

use serde_json::{Map, Value};

use super::CardError;
#[cfg(feature = "parquet")]
use crate::arrow::{DataType, parquet::ParquetRows};
use crate::compression::Compression;
use crate::corpus::{ChunkInput, Corpus, CorpusError, Origin};
use crate::format::{InputFormat, InputOptions, Layout};
#[cfg(feature = "parquet")]
use crate::format::{puzzle_column, usual_answer_column};
use crate::output::{FileType, sha256};
use crate::pipeline::{Chunk, Filled, Source};
use crate::rows::{Column, Kind, OutputFormat};

/// The number of records that are read at a time.
const CHUNK: usize = 2048;

/// A file of a data set.
#[derive(Debug)]
pub(super) struct DataFile<'a> {
    /// The name of its split.
    pub(super) split: String,
    pub(super) path: &'a Path,
    pub(super) bytes: u64,
    pub(super) sha256: String,
    pub(super) records: Records,
}

/// The records of a file.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) count: u64,
    /// The size of the records without compression.
    pub(super) bytes: u64,
    pub(super) content: Content,
    pub(super) compression: Option<Compression>,
    /// The columns of a table.
    pub(super) columns: Vec<FileColumn>,
}

/// The content of a file from a reader's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// CSV with this delimiter.
    Csv(u8),
    Jsonl,
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "such files are not read"))]
    Parquet,
    /// Text where each line is a puzzle and nothing else.
    Lines,
    /// Anything else: it has puzzles, but no columns.
    Other(InputFormat),
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileColumn {
    pub(super) name: String,
    /// `None` if its values are neither numbers nor texts, nor lists of these.
    pub(super) value_type: Option<ValueType>,
    /// A description of its content; empty if unknown.
    pub(super) meaning: &'static str,
}

impl DataFile<'_> {
    /// Reads a file. `own` are the columns of the job that wrote it, if any.
    pub(super) fn read<'a>(
        split: String,
        path: &'a Path,
        own: &[Column],
        options: &InputOptions,
    ) -> Result<DataFile<'a>, CardError> {
        if !path.is_file() {
            return Err(CardError::NotAFile(path.display().to_string()));
        }
        let sum = File::open(path).and_then(sha256);
        let (bytes, sha256) = sum.map_err(|source| CardError::Read { path: path.to_owned(), source })?;

        #[cfg(feature = "parquet")]
        if FileType::from_path(path) == Some(FileType::Parquet) {
            let records = parquet(path, own, options);
            let records = records.map_err(|source| CardError::Read { path: path.to_owned(), source })?;
            return Ok(DataFile { split, path, bytes, sha256, records });
        }
        Ok(DataFile { split, path, bytes, sha256, records: text(path, own, options)? })
    }
}

/// The meanings of the columns of a table.
struct Meanings<'a> {
    own: &'a [Column],
    puzzle: Option<&'a str>,
    answer: Option<&'a str>,
}

impl Meanings<'_> {
    fn column(&self, name: &str, value_type: Option<ValueType>) -> FileColumn {
        let meaning = match self.own.iter().find(|column| column.name == name) {
            Some(column) => column.help,
            None if self.puzzle == Some(name) => "the puzzle",
            None if self.answer == Some(name) => "the answer: what the data set takes for the solution of the puzzle",
            None => "",
        };
        FileColumn { name: name.to_owned(), value_type, meaning }
    }

    /// Whether the values of a column are texts, although digits in CSV look like numbers.
    fn is_text(&self, name: &str) -> bool {
        match self.own.iter().find(|column| column.name == name) {
            Some(column) => !matches!(column.kind, Kind::Number | Kind::Decimal),
            None => self.puzzle == Some(name) || self.answer == Some(name),
        }
    }
}

/// The rows of a Parquet file. Its columns have types.
#[cfg(feature = "parquet")]
fn parquet(path: &Path, own: &[Column], options: &InputOptions) -> std::io::Result<Records> {
    use arrow_array::Array;

    let ParquetRows { schema, batches } = ParquetRows::open(File::open(path)?)?;
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let (puzzle, answer) = (puzzle_column(&names, None), usual_answer_column(&names));
    let usual = |index: Option<usize>| index.map(|index| names[index].as_str());
    let meanings = Meanings {
        own,
        puzzle: options.puzzle_column.as_deref().or(usual(puzzle)),
        answer: options.answer.name().or(usual(answer)),
    };
    let columns = schema.fields().iter();
    let columns = columns.map(|field| meanings.column(field.name(), ValueType::of_arrow(field.data_type()))).collect();

    let (mut count, mut bytes) = (0, 0);
    for batch in batches {
        let batch = batch.map_err(std::io::Error::other)?;
        count += batch.num_rows() as u64;
        for column in batch.columns() {
            bytes += column.to_data().get_slice_memory_size().map_err(std::io::Error::other)? as u64;
        }
    }
    Ok(Records { count, bytes, content: Content::Parquet, compression: None, columns })
}

/// The records of a text, or of another supported file.
fn text(path: &Path, own: &[Column], options: &InputOptions) -> Result<Records, CardError> {
    let open = |keep| Corpus::open(vec![Origin::File(path.to_owned())], InputOptions { keep, ..options.clone() });
    let corpus = open(vec![])?;
    let Some(input) = corpus.first_input().cloned() else {
        return Err(CardError::NotAFile(path.display().to_string()));
    };
    let (layout, content) = (&input.layout, Content::of(path, &input.layout));
    let table = layout.table().filter(|_| matches!(content, Content::Csv(_) | Content::Jsonl));
    let names = table.map(|table| table.names.clone()).unwrap_or_default();

    // Reading all fields of CSV requires keeping all columns.
    let corpus = if let Content::Csv(_) = content { open(names.clone())? } else { corpus };
    let seen = vec![SeenValues::default(); names.len()];
    let mut read = TextRecords { content, count: 0, bytes: 0, are_plain: true, names, seen };
    read.read(corpus)?;

    let meanings = Meanings {
        own,
        puzzle: table.map(|table| table.names[table.choice.puzzle].as_str()),
        answer: table.and_then(|table| Some(table.names[table.choice.answer?].as_str())),
    };
    let is_csv = matches!(content, Content::Csv(_));
    let written = names_as_written(content, layout).filter(|written| written.len() == read.names.len());
    let written = written.unwrap_or_else(|| read.names.clone());
    let column = |((name, seen), written): ((&String, &SeenValues), String)| {
        let value_type = if is_csv && meanings.is_text(name) { Some(ValueType::TEXT) } else { seen.value_type(is_csv) };
        FileColumn { name: written, ..meanings.column(name, value_type) }
    };
    Ok(Records {
        count: read.count,
        bytes: read.bytes,
        content: if content == Content::Lines && !read.are_plain { Content::Other(layout.format()) } else { content },
        compression: input.compression,
        columns: read.names.iter().zip(&read.seen).zip(written).map(column).collect(),
    })
}

/// The names of CSV columns including surrounding white space, which other readers keep.
fn names_as_written(content: Content, layout: &Layout) -> Option<Vec<String>> {
    let Content::Csv(delimiter) = content else { return None };
    let mut header =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(layout.header_text());
    let names = header.byte_records().next()?.ok()?;
    Some(names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

impl Content {
    /// The content by the extension of the file and its layout. Other readers go by the extension.
    fn of(path: &Path, layout: &Layout) -> Content {
        let (format, header) = (layout.format(), layout.header_text());
        let is_txt = || path.to_string_lossy().to_ascii_lowercase().contains(".txt");
        match (FileType::from_path(path), format, layout.delimiter()) {
            (Some(FileType::Rows(named)), InputFormat::Csv, Some(delimiter))
                if named.is_csv() && !header.is_empty() && !header.starts_with(b"sep=") =>
            {
                Content::Csv(delimiter)
            }
            (Some(FileType::Rows(OutputFormat::Jsonl)), InputFormat::Jsonl, _) => Content::Jsonl,
            (Some(FileType::Rows(OutputFormat::Lines)), InputFormat::Lines, _) if is_txt() => Content::Lines,
            _ => Content::Other(format),
        }
    }
}

/// The facts from the records of a text.
struct TextRecords {
    content: Content,
    count: u64,
    bytes: u64,
    /// Whether each record is a line that cannot be mistaken for a row of a table.
    are_plain: bool,
    names: Vec<String>,
    seen: Vec<SeenValues>,
}

impl TextRecords {
    fn read(&mut self, mut corpus: Corpus) -> Result<(), CorpusError> {
        let mut chunk = Chunk::new();
        let mut pass_through = corpus.first_input().map(|input| input.layout.pass_through()).unwrap_or_default();
        while corpus.fill(&mut chunk, CHUNK)? == Filled::Records {
            for (record, content) in chunk.records.iter().zip(ChunkInput::contents(&chunk)) {
                self.count += 1;
                self.bytes += content.size() as u64;
                match self.content {
                    Content::Csv(_) => {
                        let fields = content.fields(&mut pass_through);
                        self.seen.iter_mut().zip(fields).for_each(|(seen, field)| seen.add_field(field));
                    }
                    Content::Jsonl => self.add_object(&content.text()),
                    Content::Lines => {
                        let is_cell = |byte: &u8| byte.is_ascii_graphic() && !b",\"'#".contains(byte);
                        self.are_plain &= record.line == self.count && content.text().iter().all(is_cell);
                    }
                    Content::Parquet | Content::Other(_) => {}
                }
            }
            chunk.clear();
        }
        Ok(())
    }

    /// Adds the values of a JSON object. A record that is not an object has no values.
    fn add_object(&mut self, text: &[u8]) {
        let object: Map<String, Value> = serde_json::from_slice(text).unwrap_or_default();
        // A key may first occur late: the earlier records lack its value.
        for name in object.keys() {
            if !self.names.contains(name) {
                let mut seen = SeenValues::default();
                if self.count > 1 {
                    seen.add_value(&Value::Null);
                }
                self.names.push(name.clone());
                self.seen.push(seen);
            }
        }
        for (name, seen) in self.names.iter().zip(&mut self.seen) {
            seen.add_value(object.get(name).unwrap_or(&Value::Null));
        }
    }
}

/// The types of numbers, by their names on the hub.
#[cfg(feature = "parquet")]
const NUMBERS: [&str; 10] =
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"];

/// The type of the values of a column, by its name on the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueType {
    pub(super) name: &'static str,
    /// Whether each value is a list of this type.
    pub(super) is_list: bool,
}

impl ValueType {
    pub(super) const TEXT: ValueType = ValueType::of("string");

    const fn of(name: &'static str) -> ValueType {
        ValueType { name, is_list: false }
    }

    /// The type in Croissant: a type of schema.org.
    pub(super) fn of_schema(self) -> &'static str {
        match self.name {
            "string" => "sc:Text",
            "bool" => "sc:Boolean",
            name if name.starts_with("float") => "sc:Float",
            _ => "sc:Integer",
        }
    }

    /// The type in words.
    pub(super) fn in_words(self) -> String {
        let name = if self.name == "string" { "text" } else { self.name };
        if self.is_list { format!("list of {name}") } else { name.to_owned() }
    }

    /// The type of an Arrow column; `None` unless it has numbers, texts or lists of these.
    #[cfg(feature = "parquet")]
    pub(super) fn of_arrow(data_type: &DataType) -> Option<ValueType> {
        match data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(ValueType::TEXT),
            DataType::Boolean => Some(ValueType::of("bool")),
            DataType::List(item) => {
                let item = ValueType::of_arrow(item.data_type()).filter(|item| !item.is_list)?;
                Some(ValueType { is_list: true, ..item })
            }
            number => {
                let name = number.to_string().to_lowercase();
                NUMBERS.into_iter().find(|number| *number == name).map(ValueType::of)
            }
        }
    }
}

/// The type of all values of a column so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SeenValues {
    /// The name of the type, or of the type of the values in lists; `None` before the first value.
    name: Option<&'static str>,
    is_list: bool,
    has_gaps: bool,
}

/// Instead of a type: objects, lists of lists, or values of several types.
const NESTED: &str = "nested";

impl SeenValues {
    /// Adds a field of CSV, which has no types: digits without a leading zero are a number, as in all readers.
    fn add_field(&mut self, field: &[u8]) {
        let text = str::from_utf8(field).unwrap_or("?");
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_plain = digits.as_bytes().first().is_some_and(u8::is_ascii_digit)
            && (digits.len() == 1 || !digits.starts_with('0') || digits.starts_with("0."));
        let name = match text {
            "" => None,
            text if is_plain && text.parse::<i64>().is_ok() => Some("int64"),
            text if is_plain && text.contains('.') && text.parse::<f64>().is_ok() => Some("float64"),
            _ => Some("string"),
        };
        self.add(name, |both| if both.contains(&"string") { "string" } else { "float64" });
    }

    /// Adds a value of JSON.
    fn add_value(&mut self, value: &Value) {
        let name = |value: &Value| match value {
            Value::Null => None,
            Value::Bool(_) => Some("bool"),
            Value::Number(number) if number.is_i64() => Some("int64"),
            Value::Number(_) => Some("float64"),
            Value::String(_) => Some("string"),
            Value::Array(_) | Value::Object(_) => Some(NESTED),
        };
        let mix = |both: [&str; 2]| match both {
            ["int64", "float64"] | ["float64", "int64"] => "float64",
            _ => NESTED,
        };
        let Value::Array(values) = value else {
            let name = if self.is_list && !value.is_null() { Some(NESTED) } else { name(value) };
            return self.add(name, mix);
        };
        if !self.is_list && self.name.is_some() {
            self.name = Some(NESTED);
        }
        self.is_list = true;
        for value in values {
            self.add(name(value), mix);
        }
    }

    /// Adds a value of a type, or a missing value. `mix` is the type of both if they differ.
    fn add(&mut self, name: Option<&'static str>, mix: impl Fn([&'static str; 2]) -> &'static str) {
        self.has_gaps |= name.is_none();
        self.name = match (self.name, name) {
            (Some(one), Some(other)) if one != other => Some(mix([one, other])),
            (one, other) => one.or(other),
        };
    }

    /// The type that a reader gives the column; `None` if there is no common type. In CSV, numbers with gaps are
    /// decimals.
    fn value_type(self, is_csv: bool) -> Option<ValueType> {
        let name = match self.name {
            Some(NESTED) => return None,
            Some("int64") if is_csv && self.has_gaps => "float64",
            name => name.unwrap_or("string"),
        };
        Some(ValueType { name, is_list: self.is_list })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_of_csv_are_numbers_or_texts() {
        for (fields, name) in [
            (&["1", "-20", "0"][..], "int64"),
            (&["1", ""], "float64"),
            (&["1", "2.5"], "float64"),
            (&["0.5", "-1.25"], "float64"),
            (&["1", "x"], "string"),
            (&["007"], "string"),
            (&["1.", "+1", "1e5"], "string"),
            (&["123412341234123412341234"], "string"),
            (&["1.3..........4.2"], "string"),
            (&["", ""], "string"),
            (&[], "string"),
        ] {
            let mut seen = SeenValues::default();
            for field in fields {
                seen.add_field(field.as_bytes());
            }
            assert_eq!(seen.value_type(true), Some(ValueType::of(name)), "{fields:?}");
        }
    }

    #[test]
    fn values_of_json_have_types() {
        for (values, name) in [
            (json!([1, null]), Some("int64")),
            (json!([1, 2.5]), Some("float64")),
            (json!(["1"]), Some("text")),
            (json!([true, null]), Some("bool")),
            (json!([[1, 2], [3], null]), Some("list of int64")),
            (json!([["a"], []]), Some("list of text")),
            (json!([1, "1"]), None),
            (json!([{ "a": 1 }]), None),
            (json!([1, [1]]), None),
            (json!([[1], 1]), None),
            (json!([[[1]]]), None),
        ] {
            let mut seen = SeenValues::default();
            values.as_array().unwrap().iter().for_each(|value| seen.add_value(value));
            let found = seen.value_type(false).map(|found| found.in_words().replace("string", "text"));
            assert_eq!(found.as_deref(), name, "{values}");
        }
    }
}

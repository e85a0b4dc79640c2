//! The facts about a file of a data set that the file itself contains: its length, its checksum, its records and its
//! columns.

use std::fs::File;
use std::path::Path;

use serde_json::{Map, Value};

use super::CardError;
use super::value_type::{SeenValues, ValueType};
#[cfg(feature = "parquet")]
use crate::arrow::parquet::ParquetRows;
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
    /// `None` if its values are not numbers, texts or lists of them.
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
        let mut chunk = Chunk::<_, ()>::new();
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

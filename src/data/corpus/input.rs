//! The inputs of a corpus: their origins, their properties for workers, and the interface for reading them.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_schema::{Field, SchemaRef};

use super::error::CorpusError;
use crate::arrow::records::{TypedRecord, TypedRecords};
use crate::compression::Compression;
use crate::format::{Layout, PassThrough, Skipped, line_end_length};
use crate::pipeline::{Chunk, Record};

/// Properties of an input that the workers need.
#[derive(Debug)]
pub struct Input {
    /// The path as the user gave it, or `-` for standard input.
    pub name: String,
    /// The compression, if it is compressed.
    pub compression: Option<Compression>,
    /// The layout of its puzzles.
    pub layout: Layout,
}

/// The input of the records of a chunk.
#[derive(Clone, Debug)]
pub struct ChunkInput {
    /// The input.
    pub input: Arc<Input>,
    /// The number of its first record in the input, from 1.
    pub(crate) first: u64,
    /// The records of the chunk, if the input has typed columns. They have no text in the chunk.
    pub(crate) typed: Option<TypedRecords>,
    /// The rows that are made of each record.
    pub(crate) rows: RowRange,
}

/// The rows of its records that a chunk is for, if records have so many rows that several chunks share them.
#[derive(Clone, Debug)]
pub(crate) struct RowRange {
    /// The numbers of the rows, from 0. The last chunk of a record may extend beyond its last row.
    pub(crate) range: Range<u64>,
    /// Set once a record turns out to have no rows after these.
    over: Option<Arc<AtomicBool>>,
}

impl RowRange {
    /// All rows.
    pub(crate) const ALL: RowRange = RowRange { range: 0..u64::MAX, over: None };

    /// Some of the rows of one record.
    pub(crate) fn new(range: Range<u64>, over: &Arc<AtomicBool>) -> RowRange {
        RowRange { range, over: Some(Arc::clone(over)) }
    }

    /// Whether the range has the first row: each record has one such chunk.
    pub(crate) fn is_first(&self) -> bool {
        self.range.start == 0
    }

    /// Reports that the record has no rows after these, so that no more chunks are made for it.
    pub(crate) fn end(&self) {
        if let Some(over) = &self.over {
            // No other data goes with the flag. If it is seen late, a chunk without rows is made.
            over.store(true, Ordering::Relaxed);
        }
    }
}

impl ChunkInput {
    /// For records of text from this number on.
    pub(crate) fn of_text(input: &Arc<Input>, first: u64) -> ChunkInput {
        ChunkInput { input: Arc::clone(input), first, typed: None, rows: RowRange::ALL }
    }

    /// For some of the records, by their indices, and some of their rows.
    pub(crate) fn part(&self, records: Range<usize>, rows: RowRange) -> ChunkInput {
        ChunkInput {
            input: Arc::clone(&self.input),
            first: self.first + records.start as u64,
            typed: self.typed.as_ref().map(|typed| typed.slice(records.start, records.len())),
            rows,
        }
    }

    /// The number of records whose rows start in this chunk.
    pub(crate) fn new_records(chunk: &Chunk<ChunkInput>) -> usize {
        let is_new = chunk.input.as_ref().is_some_and(|input| input.rows.is_first());
        if is_new { chunk.records.len() } else { 0 }
    }

    /// The records of a chunk.
    pub(crate) fn contents(chunk: &Chunk<ChunkInput>) -> impl Iterator<Item = RecordContent<'_>> {
        let typed = chunk.input.as_ref().and_then(|input| input.typed.as_ref());
        chunk.records.iter().enumerate().map(move |(index, record)| match typed {
            Some(typed) => RecordContent::Typed(typed.get(index)),
            None => RecordContent::Text(&chunk.text[record.text.clone()]),
        })
    }

    /// The records of a chunk, with their inputs, lines and line ends.
    pub(crate) fn views(chunk: &Chunk<ChunkInput>) -> impl Iterator<Item = RecordView<'_>> {
        let input = chunk.input.as_ref().map(|chunk_input| &chunk_input.input);
        // The line end of a record, if it has one, is before the start of the next record.
        let starts = chunk.records.iter().skip(1).map(|record| record.text.start).chain([chunk.text.len()]);
        input.into_iter().flat_map(move |input| {
            let records = chunk.records.iter().zip(ChunkInput::contents(chunk)).zip(starts.clone());
            records.map(move |((record, content), next)| {
                let line_end = match content {
                    RecordContent::Text(_) if !input.layout.is_document() => {
                        let after = &chunk.text[record.text.end..next];
                        &after[..line_end_length(after)]
                    }
                    _ => RecordContent::CSV_LINE_END,
                };
                RecordView { input, line: record.line, content, line_end }
            })
        })
    }
}

/// The content of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RecordContent<'a> {
    Text(&'a [u8]),
    /// A row of typed columns.
    Typed(TypedRecord<'a>),
}

impl<'a> RecordContent<'a> {
    /// The line end after typed columns that are printed, and after parts of a document.
    pub(crate) const CSV_LINE_END: &'static [u8] = b"\n";

    /// The number of bytes that it takes.
    pub(crate) fn size(self) -> usize {
        match self {
            RecordContent::Text(text) => text.len(),
            RecordContent::Typed(record) => record.size(),
        }
    }

    /// The text of the record. Typed columns become a line of CSV.
    pub(crate) fn text(self) -> Cow<'a, [u8]> {
        match self {
            RecordContent::Text(text) => Cow::Borrowed(text),
            RecordContent::Typed(record) => Cow::Owned(record.to_csv()),
        }
    }

    /// The fields that are copied to the output. `pass_through` finds them in text.
    pub(crate) fn fields(self, pass_through: &'a mut PassThrough) -> impl Iterator<Item = &'a [u8]> {
        // Two iterators, one of them empty, because their types differ.
        let (of_text, of_columns) = match self {
            RecordContent::Text(text) => (Some(pass_through.fields(text)), None),
            RecordContent::Typed(record) => (None, Some(record.fields())),
        };
        of_text.into_iter().flatten().chain(of_columns.into_iter().flatten())
    }
}

/// The source of an input: standard input or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// Record batches in memory.
    Memory,
}

/// The path of a file, `-`, or `memory`. A byte that is not UTF-8 is written as `\xff`, so that different files have different
/// names.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match self {
            Origin::Stdin => return f.write_str("-"),
            Origin::Memory => return f.write_str("memory"),
            Origin::File(path) => path,
        };
        for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            chunk.invalid().iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))?;
        }
        Ok(())
    }
}

/// A record of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct RecordView<'a> {
    /// The input of the record.
    pub input: &'a Arc<Input>,
    /// The number of its first line, from 1.
    pub line: u64,
    pub(crate) content: RecordContent<'a>,
    /// The line end after it; empty if it has none, or if the record was cut off.
    pub line_end: &'a [u8],
}

impl<'a> RecordView<'a> {
    /// Its text. The columns of typed input are printed as a line of CSV.
    pub fn text(&self) -> Cow<'a, [u8]> {
        self.content.text()
    }
}

/// Reads the records of one open input, in order. Text and typed columns have a reader each.
pub(super) trait InputReader: Send {
    /// The input.
    fn input(&self) -> &Arc<Input>;

    /// Whether the next text belongs to the last record, which was cut off.
    fn is_within_record(&self) -> bool {
        false
    }

    /// Moves records into an empty chunk until it has `records` of them or enough text, or the input ends. Sets the
    /// input of the chunk if it got any. The rest of a record that was cut off comes next, in separate chunks.
    fn fill(&mut self, chunk: ChunkText<'_>, records: usize) -> Result<(), CorpusError>;

    /// Skips up to `records` records; returns how many there were. Adds their size, as stored, to `bytes`.
    fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError>;

    /// Whether there is another record, which stays the next one. Adds the stored bytes before it to `bytes`.
    fn peek(&mut self, bytes: &mut u64) -> Result<bool, CorpusError>;

    /// Whether the input was read to its end.
    fn is_in_memory(&self) -> bool;

    /// The lines so far that were skipped, and a sentence about the records so far that a user should know.
    fn notes(&self) -> (Skipped, Option<String>) {
        (Skipped::default(), None)
    }

    /// All columns, with the notes of the program that wrote the input, if it has typed columns.
    fn schema(&self) -> Option<&SchemaRef> {
        None
    }

    /// The types of the columns that are copied to the output, if the input has typed columns.
    fn kept(&self) -> Option<Vec<Field>> {
        None
    }
}

/// The parts of a chunk that a reader fills.
pub(super) struct ChunkText<'a> {
    pub(super) input: &'a mut Option<ChunkInput>,
    pub(super) text: &'a mut Vec<u8>,
    pub(super) records: &'a mut Vec<Record>,
    /// The number of bytes of the stored input that were consumed for this chunk.
    pub(super) input_bytes: &'a mut u64,
}

impl<'a> ChunkText<'a> {
    pub(super) fn new(chunk: &'a mut Chunk<ChunkInput>) -> ChunkText<'a> {
        let Chunk { input, text, records, input_bytes, .. } = chunk;
        ChunkText { input, text, records, input_bytes }
    }
}

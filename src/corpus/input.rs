//! One input of a corpus: text, or typed columns.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::text_input::TextReader;
#[cfg(feature = "arrow")]
use super::typed_input::TypedReader;
use super::{ChunkInput, CorpusError, Input, Origin, RecordView};
use crate::format::{Alphabets, InputOptions};
use crate::pipeline::Chunk;

/// One open input.
pub(super) enum InputReader {
    Text(Box<TextReader>),
    #[cfg(feature = "arrow")]
    Typed(Box<TypedReader>),
}

/// Calls a method of the reader, of whichever kind it is.
macro_rules! of_either {
    ($reader:expr, $inner:ident => $call:expr) => {
        match $reader {
            InputReader::Text($inner) => $call,
            #[cfg(feature = "arrow")]
            InputReader::Typed($inner) => $call,
        }
    };
}

impl InputReader {
    /// Opens an input and detects its compression and its format.
    pub(super) fn open(origin: &Origin, options: &InputOptions) -> Result<InputReader, CorpusError> {
        let name = origin.to_string();
        let reader: Box<dyn Read + Send> = match origin {
            Origin::Stdin => Box::new(io::stdin()),
            Origin::File(path) => {
                let file = File::open(path).map_err(|source| CorpusError::Open { name: name.clone(), source })?;
                #[cfg(feature = "parquet")]
                let file = match parquet_file::open(&name, file, options)? {
                    parquet_file::Opened::Parquet(reader) => return Ok(InputReader::Typed(Box::new(reader))),
                    parquet_file::Opened::Other(file) => file,
                };
                Box::new(file)
            }
            #[cfg(feature = "arrow")]
            Origin::Memory => return Err(CorpusError::Open { name, source: io::ErrorKind::NotFound.into() }),
        };
        Ok(InputReader::Text(Box::new(TextReader::open(name, reader, options)?)))
    }

    /// Opens standard input and takes every line as a record.
    pub(super) fn stdin_lines(alphabets: Alphabets) -> InputReader {
        InputReader::Text(Box::new(TextReader::stdin_lines(alphabets)))
    }

    /// The input.
    pub(super) fn input(&self) -> &Arc<Input> {
        of_either!(self, reader => reader.input())
    }

    /// Whether the next text belongs to the last record, which was cut off.
    pub(super) fn is_within_record(&self) -> bool {
        match self {
            InputReader::Text(reader) => reader.is_within_record(),
            #[cfg(feature = "arrow")]
            InputReader::Typed(_) => false,
        }
    }

    /// Moves records into `chunk` until it has `records` of them or enough text, or the input ends; sets its input if it
    /// got any. The rest of a record that was cut off comes next, in chunks of its own.
    pub(super) fn fill<N>(&mut self, chunk: &mut Chunk<ChunkInput, N>, records: usize) -> Result<(), CorpusError> {
        of_either!(self, reader => reader.fill(chunk, records))
    }

    /// Skips up to `records` records; returns how many there were. Adds their size, as stored, to `bytes`.
    pub(super) fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError> {
        of_either!(self, reader => reader.skip(records, bytes))
    }

    /// Finds the next record for [`peeked`](InputReader::peeked); returns whether there is one. Adds the stored bytes
    /// before it to `bytes`.
    pub(super) fn peek(&mut self, bytes: &mut u64) -> Result<bool, CorpusError> {
        match self {
            InputReader::Text(reader) => reader.peek(bytes),
            #[cfg(feature = "arrow")]
            InputReader::Typed(reader) => reader.peek(),
        }
    }

    /// The record that was peeked at, if it was not consumed yet.
    pub(super) fn peeked(&self) -> Option<RecordView<'_>> {
        of_either!(self, reader => reader.peeked())
    }

    /// Consumes the record that was peeked at; returns whether there was one. Adds its size, as stored, to `bytes`.
    pub(super) fn consume(&mut self, bytes: &mut u64) -> bool {
        of_either!(self, reader => reader.consume(bytes))
    }

    /// Calls `each` with the rest of the last record, piece by piece, if it was cut off.
    pub(super) fn consume_rest(&mut self, bytes: &mut u64, each: impl FnMut(&[u8])) -> Result<(), CorpusError> {
        match self {
            InputReader::Text(reader) => reader.consume_rest(bytes, each),
            #[cfg(feature = "arrow")]
            InputReader::Typed(_) => Ok(()),
        }
    }
}

/// Opens Parquet files.
#[cfg(feature = "parquet")]
mod parquet_file {
    use std::fs::File;
    use std::io::{self, Read, Seek};

    use crate::arrow::parquet::{MAGIC, OpenError, ParquetInput};
    use crate::corpus::CorpusError;
    use crate::corpus::typed_input::{StoredSize, TypedReader};
    use crate::format::InputOptions;

    /// A file, and what it turned out to be.
    pub(super) enum Opened {
        Parquet(TypedReader),
        Other(File),
    }

    /// Opens a file if it is Parquet. Only a regular file can be: the reader has to seek.
    pub(super) fn open(name: &str, mut file: File, options: &InputOptions) -> Result<Opened, CorpusError> {
        let failed = |source| CorpusError::Open { name: name.to_owned(), source };
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Ok(Opened::Other(file));
        }
        let mut magic = Vec::new();
        file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if magic != MAGIC {
            return Ok(Opened::Other(file));
        }
        let input = ParquetInput::open(file, options).map_err(|error| match error {
            OpenError::Columns(source) => CorpusError::Detect { name: name.to_owned(), source },
            OpenError::Parquet(source) => failed(io::Error::other(source)),
        })?;
        let size = StoredSize { bytes: metadata.len(), records: input.records };
        Ok(Opened::Parquet(TypedReader::new(name.to_owned(), input.columns, input.batches, size, options)?))
    }
}

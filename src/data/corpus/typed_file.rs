//! Opens inputs with typed columns: Parquet files and arrays of `NumPy`, by their first bytes.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use arrow_array::RecordBatch;

use super::error::CorpusError;
use super::input::Origin;
use super::typed_input::{Batches, StoredSize, TypedReader};
use super::window::Window;
use crate::arrow::SchemaRef;
use crate::arrow::npy::{ArrayError, ArrayInput, Arrays, TRAINING_SET, is_arrays};
#[cfg(feature = "parquet")]
use crate::arrow::parquet::{MAGIC, OpenError, ParquetInput};
use crate::format::InputOptions;
#[cfg(feature = "parquet")]
use crate::format::TypedOrigin;
use crate::npy::HeaderError;

/// The number of bytes that identify a file: enough for the header of an archive's first file, with its name.
const START: u64 = 512;

/// A file after looking at its start.
pub(super) enum Opened {
    Typed(Box<TypedReader>),
    Other(File),
}

/// The file with the puzzles, if an input is a directory with a training set.
pub(super) fn in_training_set(origin: Origin) -> Origin {
    match origin {
        Origin::File(path) if path.is_dir() && path.join(TRAINING_SET[0]).is_file() => {
            Origin::File(path.join(TRAINING_SET[0]))
        }
        other => other,
    }
}

/// Opens a file if it has typed columns, and reads all of them if `with_rows` is set. Only a regular file is considered,
/// because the readers must seek.
pub(super) fn open(
    name: &str,
    path: &Path,
    mut file: File,
    options: &InputOptions,
    with_rows: bool,
) -> Result<Opened, CorpusError> {
    let failed = |source| CorpusError::Open { name: name.to_owned(), source };
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Ok(Opened::Other(file));
    }
    let start = start_of(&mut file).map_err(failed)?;
    let bytes = metadata.len();

    #[cfg(feature = "parquet")]
    if start.starts_with(MAGIC) {
        let input = ParquetInput::open(file, options, with_rows).map_err(|error| match error {
            OpenError::Columns(source) => CorpusError::Detect { name: name.to_owned(), source },
            OpenError::File(source) => failed(source),
        })?;
        let (size, batches) = (StoredSize { bytes, records: input.records }, Box::new(input.batches));
        let reader = TypedReader::new(name.to_owned(), TypedOrigin::Table, input.columns, batches, size, options)?;
        return Ok(Opened::Typed(Box::new(reader)));
    }
    if is_arrays(&start) {
        let arrays = Arrays::of_file(path, file).and_then(|arrays| arrays.open(options, with_rows));
        return reader(name, arrays, bytes).map(|reader| Opened::Typed(Box::new(reader)));
    }
    Ok(Opened::Other(file))
}

/// Opens a stream if it has arrays of `NumPy`, with or without compression.
pub(super) fn open_stream(name: &str, window: Window, options: &InputOptions) -> Result<TypedReader, CorpusError> {
    let arrays = Arrays::of_stream(Box::new(window)).and_then(|arrays| arrays.open(options, false));
    reader(name, arrays, 0)
}

fn reader(name: &str, arrays: Result<ArrayInput, ArrayError>, bytes: u64) -> Result<TypedReader, CorpusError> {
    let ArrayInput { columns, batches, origin, records, options } = arrays.map_err(|error| open_error(name, error))?;
    let size = StoredSize { bytes, records };
    TypedReader::new(name.to_owned(), origin, columns, Box::new(batches), size, &options)
}

fn open_error(name: &str, error: ArrayError) -> CorpusError {
    let name = name.to_owned();
    match error {
        ArrayError::Columns(source) => CorpusError::Detect { name, source },
        ArrayError::Read(source) | ArrayError::Header(HeaderError::Read(source)) => CorpusError::Open { name, source },
        error => CorpusError::Open { name, source: io::Error::other(error) },
    }
}

/// The first bytes of a file, which is read from its start afterwards.
fn start_of(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.by_ref().take(START).read_to_end(&mut start)?;
    file.rewind()?;
    Ok(start)
}

/// Rows in memory, which can be read several times. A clone has the same rows.
#[derive(Clone, Debug)]
pub(super) struct MemoryTable {
    pub(super) schema: SchemaRef,
    pub(super) batches: Vec<RecordBatch>,
}

impl MemoryTable {
    /// The batches, in order.
    pub(super) fn batches(&self) -> Batches {
        Box::new(self.batches.clone().into_iter().map(Ok))
    }
}

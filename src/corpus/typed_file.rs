//! Opens inputs with typed columns: Parquet files and arrays of `NumPy`, by their first bytes.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use super::error::CorpusError;
use super::input::Origin;
use super::typed_input::{Batches, StoredSize, TypedReader};
use super::window::Window;
use crate::arrow::SchemaRef;
use crate::arrow::npy::{ArrayError, ArrayInput, Arrays, TRAINING_SET, is_arrays};
#[cfg(feature = "parquet")]
use crate::arrow::parquet::{MAGIC, OpenError, ParquetInput, ParquetRows};
use crate::format::InputOptions;
#[cfg(feature = "parquet")]
use crate::format::TypedOrigin;

/// How many bytes show what a file is: those of the first file in an archive, with its name.
const START: u64 = 512;

/// A file, and what it turned out to be.
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

/// Opens a file if it has typed columns. Only a regular file is looked at: the readers have to seek.
pub(super) fn open(name: &str, path: &Path, mut file: File, options: &InputOptions) -> Result<Opened, CorpusError> {
    let failed = |source| CorpusError::Open { name: name.to_owned(), source };
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Ok(Opened::Other(file));
    }
    let start = start_of(&mut file).map_err(failed)?;
    let bytes = metadata.len();

    #[cfg(feature = "parquet")]
    if start.starts_with(MAGIC) {
        let input = ParquetInput::open(file, options).map_err(|error| match error {
            OpenError::Columns(source) => CorpusError::Detect { name: name.to_owned(), source },
            OpenError::File(source) => failed(source),
        })?;
        let (size, batches) = (StoredSize { bytes, records: input.records }, Box::new(input.batches));
        let reader = TypedReader::new(name.to_owned(), TypedOrigin::Table, input.columns, batches, size, options)?;
        return Ok(Opened::Typed(Box::new(reader)));
    }
    if is_arrays(&start) {
        let arrays = Arrays::of_file(path, file).and_then(|arrays| arrays.open(options));
        return reader(name, arrays, bytes).map(|reader| Opened::Typed(Box::new(reader)));
    }
    Ok(Opened::Other(file))
}

/// Opens a stream if it has arrays of `NumPy`, with or without compression.
pub(super) fn open_stream(name: &str, window: Window, options: &InputOptions) -> Result<TypedReader, CorpusError> {
    let arrays = Arrays::of_stream(Box::new(window)).and_then(|arrays| arrays.open(options));
    reader(name, arrays, 0)
}

fn reader(name: &str, arrays: Result<ArrayInput, ArrayError>, bytes: u64) -> Result<TypedReader, CorpusError> {
    let ArrayInput { columns, batches, origin, records, options } = arrays.map_err(|error| open_error(name, error))?;
    let size = StoredSize { bytes, records };
    TypedReader::new(name.to_owned(), origin, columns, Box::new(batches), size, &options)
}

/// The rows of a file with typed columns, with all of these.
pub(super) fn open_rows(name: &str, path: &Path, options: &InputOptions) -> Result<(SchemaRef, Batches), CorpusError> {
    let failed = |source| CorpusError::Open { name: name.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    if !is_arrays(&start_of(&mut file).map_err(failed)?) {
        #[cfg(feature = "parquet")]
        return match ParquetRows::open(file) {
            Ok(rows) => Ok((rows.schema, Box::new(rows.batches))),
            Err(error) => Err(failed(error)),
        };
        #[cfg(not(feature = "parquet"))]
        return Err(failed(std::io::ErrorKind::InvalidData.into()));
    }
    let arrays = Arrays::of_file(path, file).and_then(|arrays| arrays.open_all(options));
    let batches = arrays.map_err(|error| open_error(name, error))?;
    Ok((batches.schema.clone(), Box::new(batches)))
}

fn open_error(name: &str, error: ArrayError) -> CorpusError {
    let name = name.to_owned();
    match error {
        ArrayError::Columns(source) => CorpusError::Detect { name, source },
        ArrayError::Read(source) => CorpusError::Open { name, source },
        error => CorpusError::Open { name, source: std::io::Error::other(error) },
    }
}

/// The first bytes of a file, which is read from its start afterwards.
fn start_of(file: &mut File) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.by_ref().take(START).read_to_end(&mut start)?;
    file.rewind()?;
    Ok(start)
}

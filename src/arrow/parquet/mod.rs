//! Reads and writes Parquet files.
//!
//! A file may be damaged or hostile. Its [footer] is checked before it is decoded, and so is each of its [pages]: what they
//! say of themselves would be believed, at the cost of any amount of memory.

mod block;
mod column;
mod damage;
mod footer;
mod memory;
mod output;
mod page_content;
mod page_header;
mod pages;
#[cfg(test)]
mod tests;
mod thrift;
mod zstd_pages;

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ProjectionMask, parquet_to_arrow_field_levels};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;

use self::damage::undamaged;
use self::memory::{Memory, PageError};
pub(crate) use self::output::{ParquetOutput, ParquetStyle, check_outputs};
use self::pages::Pages;
use super::records::RecordColumns;
use crate::format::{DetectError, InputOptions};

/// The first bytes of a Parquet file.
pub(crate) const MAGIC: &[u8] = b"PAR1";

/// The most records that are decoded at a time, and the bytes that these should take.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 32 << 20;

/// The most records in a batch of joined ones, and the bytes that end it.
const JOINED: usize = 4096;
const JOINED_BYTES: usize = 1 << 20;

/// The most columns of Parquet that are read from a file, or written to all files of a run: each has buffers of its own, of
/// some 40 to 250 kB.
const MAX_COLUMNS: usize = 4096;

/// Why columns are neither read nor written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{columns} columns of Parquet are too many; there may be {MAX_COLUMNS}")]
pub(crate) struct TooManyColumns {
    columns: usize,
}

/// Why a Parquet file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Columns(#[from] DetectError),
    #[error(transparent)]
    File(#[from] io::Error),
}

/// An open Parquet file, with the columns that are read.
pub(crate) struct ParquetInput {
    pub(crate) columns: RecordColumns,
    pub(crate) batches: ParquetBatches,
    /// The number of records.
    pub(crate) records: u64,
}

impl ParquetInput {
    /// Opens a file. Only the columns that the options name are read.
    pub(crate) fn open(file: File, options: &InputOptions) -> Result<ParquetInput, OpenError> {
        let file = ParquetFile::open(file)?;
        let columns = RecordColumns::choose(Arc::clone(file.metadata.schema()), options)?;
        let records = file.metadata.metadata().file_metadata().num_rows() as u64;
        let batches = file.batches(Some(&columns.projection()))?;
        let columns = columns.projected(Arc::clone(&batches.schema));
        Ok(ParquetInput { columns, batches, records })
    }
}

/// The rows of a Parquet file, with all their columns.
pub(crate) struct ParquetRows {
    /// The columns, with the notes of who wrote the file.
    pub(crate) schema: SchemaRef,
    pub(crate) batches: ParquetBatches,
}

impl ParquetRows {
    /// Opens a file.
    pub(crate) fn open(file: File) -> io::Result<ParquetRows> {
        let file = ParquetFile::open(file)?;
        let notes = file.metadata.metadata().file_metadata().key_value_metadata().into_iter().flatten();
        // Made anew for each file that is written.
        let notes = notes.filter(|note| note.key != ARROW_SCHEMA_META_KEY);
        let notes = notes.filter_map(|note| Some((note.key.clone(), note.value.clone()?))).collect();
        let batches = file.batches(None)?;
        let schema = Arc::new(Schema::new_with_metadata(batches.schema.fields().clone(), notes));
        Ok(ParquetRows { schema, batches })
    }
}

/// A file, and what its footer says.
struct ParquetFile {
    file: File,
    metadata: ArrowReaderMetadata,
    /// The columns that are encrypted.
    encrypted: BTreeSet<usize>,
}

impl ParquetFile {
    fn open(mut file: File) -> io::Result<ParquetFile> {
        let encrypted = footer::check(&mut file)?;
        // Columns have the types that Parquet has. What Arrow's writers note beside them is another format, with damages
        // of its own.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = undamaged(|| ArrowReaderMetadata::load(&file, options))?;
        Ok(ParquetFile { file, metadata, encrypted })
    }

    /// The rows of some columns, or of all.
    fn batches(self, columns: Option<&[usize]>) -> io::Result<ParquetBatches> {
        let ParquetFile { file, metadata, encrypted } = self;
        let schema = metadata.parquet_schema();
        let mask = match columns {
            Some(columns) => ProjectionMask::roots(schema, columns.iter().copied()),
            None => ProjectionMask::all(),
        };
        let metadata = Arc::clone(metadata.metadata());

        let columns = metadata.file_metadata().schema_descr().columns();
        let leaves: Vec<usize> = (0..columns.len()).filter(|&leaf| mask.leaf_included(leaf)).collect();
        check_columns(leaves.len())?;
        if let Some(&leaf) = leaves.iter().find(|leaf| encrypted.contains(leaf)) {
            let column = columns[leaf].path().string();
            return Err(io::Error::other(PageError::Encrypted { column }));
        }

        let rows = rows_at_a_time(&metadata, &leaves)?;
        undamaged(|| {
            let levels = parquet_to_arrow_field_levels(metadata.file_metadata().schema_descr(), mask, None)?;
            let pages = Pages::new(file, Arc::clone(&metadata), rows);
            let reader = ParquetRecordBatchReader::try_new_with_row_groups(&levels, &pages, rows, None)?;
            Ok(ParquetBatches { schema: reader.schema(), reader: Some(reader), memory: pages.memory(), failure: None })
        })
    }
}

/// Checks that columns take no more memory than they may: those that are read, or those of all files that are written.
fn check_columns(columns: usize) -> io::Result<()> {
    if columns > MAX_COLUMNS { Err(io::Error::other(TooManyColumns { columns })) } else { Ok(()) }
}

/// How many rows of some columns are decoded at a time, by what a row takes at least and on average.
fn rows_at_a_time(metadata: &ParquetMetaData, leaves: &[usize]) -> io::Result<usize> {
    let columns = metadata.file_metadata().schema_descr().columns();
    let least = leaves.iter().map(|&leaf| pages::fixed_length(&columns[leaf]).saturating_add(pages::SLOT));
    let least = least.fold(0, usize::saturating_add);
    if least > BATCH_BYTES {
        return Err(io::Error::other("a row of it takes too much memory"));
    }

    let on_average = metadata.row_groups().iter().map(|group| {
        let sizes = leaves.iter().filter_map(|&leaf| group.columns().get(leaf));
        let sizes = sizes.map(|column| usize::try_from(column.uncompressed_size()).unwrap_or(0));
        sizes.fold(0, usize::saturating_add) / usize::try_from(group.num_rows()).unwrap_or(0).max(1)
    });
    let row = on_average.fold(0, usize::max).saturating_add(least).max(1);
    Ok((BATCH_BYTES / row).clamp(1, BATCH))
}

/// The rows of a Parquet file, some at a time.
pub(crate) struct ParquetBatches {
    pub(crate) schema: SchemaRef,
    /// `None` after an error.
    reader: Option<ParquetRecordBatchReader>,
    memory: Arc<Memory>,
    /// The error after the rows so far.
    failure: Option<ArrowError>,
}

impl ParquetBatches {
    /// The rows that are decoded next.
    fn decode(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let reader = self.reader.as_mut()?;
        self.memory.start_batch();
        let batch = undamaged(|| Ok(reader.next().transpose()?)).transpose()?;
        Some(batch.map_err(|error| {
            self.reader = None;
            // A reason of ours says more than the error that it has become.
            let refusal = self.memory.refusal().map(io::Error::other);
            ArrowError::from_external_error(Box::new(refusal.unwrap_or(error)))
        }))
    }
}

/// Rows that are short are joined: so few of them are decoded at a time for the sake of long ones.
impl Iterator for ParquetBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let (mut batches, mut rows, mut bytes) = (vec![], 0, 0);
        while rows < JOINED && bytes < JOINED_BYTES && self.failure.is_none() {
            match self.decode() {
                Some(Ok(batch)) => {
                    rows += batch.num_rows();
                    bytes += batch.get_array_memory_size();
                    batches.push(batch);
                }
                Some(Err(error)) => self.failure = Some(error),
                None => break,
            }
        }
        match &batches[..] {
            [] => self.failure.take().map(Err),
            [_] => batches.pop().map(Ok),
            _ => Some(concat_batches(&self.schema, &batches)),
        }
    }
}

/// The error of the output, if it is one.
fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}

//! Reads and writes Parquet files.
//!
//! A file may be damaged or hostile, so its memory has [limits]. Texts are decoded as views of their pages: otherwise,
//! a text in a dictionary would be copied for each row.

mod damage;
mod limits;
mod output;
#[cfg(test)]
mod tests;
mod zstd_pages;

use std::fs::File;
use std::io;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ProjectionMask};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataReader;

use self::damage::undamaged;
use self::limits::{OpenedPages, PageFile, read_footer, rows_at_a_time};
pub(crate) use self::output::{ParquetOutput, ParquetStyle, check_outputs};
use super::cells::printed_size;
use super::records::RecordColumns;
use crate::format::{DetectError, InputOptions};

/// The first bytes of a Parquet file.
pub(crate) const MAGIC: &[u8] = b"PAR1";

/// The maximum number of records in a batch, and the number of bytes of values that ends it.
const JOINED: usize = 4096;
const JOINED_BYTES: usize = 1 << 20;

/// The maximum number of Parquet columns that are read from a file, or written to all files of a run. Each has its own
/// buffers, of some 40 to 250 kB.
const MAX_FILE_COLUMNS: usize = 4096;

/// The error for columns that are neither read nor written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{columns} columns of Parquet are too many; there may be {MAX_FILE_COLUMNS}")]
pub(crate) struct TooManyColumns {
    columns: usize,
}

/// The error for a Parquet file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Columns(#[from] DetectError),
    #[error(transparent)]
    File(#[from] io::Error),
}

/// An open Parquet file, with the columns to read.
pub(crate) struct ParquetInput {
    pub(crate) columns: RecordColumns,
    pub(crate) batches: ParquetBatches,
    /// The number of records.
    pub(crate) records: u64,
}

impl ParquetInput {
    /// Opens a file. Only the columns in the options are read, unless `with_rows` is set.
    pub(crate) fn open(file: File, options: &InputOptions, with_rows: bool) -> Result<ParquetInput, OpenError> {
        let file = ParquetFile::open(file)?;
        // Another damaged column does not matter.
        let sample = |columns: &[usize]| {
            let file = ParquetFile { file: file.file.try_clone().ok()?, metadata: file.metadata.clone() };
            file.batches(columns).ok()?.next()?.ok()
        };
        let columns = RecordColumns::choose(&file.schema(), options, sample)?;
        let records = file.metadata.metadata().file_metadata().num_rows() as u64;
        let projection = if with_rows { file.all_columns() } else { columns.projection() };
        let batches = file.batches(&projection)?;
        Ok(ParquetInput { columns: columns.projected(&projection), batches, records })
    }
}

/// The rows of a Parquet file, with all their columns.
pub(crate) struct ParquetRows {
    /// The columns, with the notes of the program that wrote the file.
    pub(crate) schema: SchemaRef,
    pub(crate) batches: ParquetBatches,
}

impl ParquetRows {
    /// Opens a file.
    pub(crate) fn open(file: File) -> io::Result<ParquetRows> {
        let file = ParquetFile::open(file)?;
        let (schema, all) = (file.schema(), file.all_columns());
        Ok(ParquetRows { schema, batches: file.batches(&all)? })
    }
}

/// A file and its footer.
struct ParquetFile {
    file: File,
    metadata: ArrowReaderMetadata,
}

impl ParquetFile {
    fn open(mut file: File) -> io::Result<ParquetFile> {
        let footer = read_footer(&mut file)?;
        let metadata = undamaged(|| {
            let metadata = ParquetMetaDataReader::decode_metadata(&footer)?;
            // Columns have Parquet's own types. The types that Arrow notes in addition are a format of their own, which
            // may be damaged too.
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            ArrowReaderMetadata::try_new(Arc::new(metadata), options)
        })?;
        Ok(ParquetFile { file, metadata })
    }

    /// All columns, with the notes of the program that wrote the file.
    fn schema(&self) -> SchemaRef {
        let notes = self.metadata.metadata().file_metadata().key_value_metadata().into_iter().flatten();
        // This note is written anew for each file.
        let notes = notes.filter(|note| note.key != ARROW_SCHEMA_META_KEY);
        let notes = notes.filter_map(|note| Some((note.key.clone(), note.value.clone()?))).collect();
        Arc::new(Schema::new_with_metadata(self.metadata.schema().fields().clone(), notes))
    }

    /// The indices of all columns.
    fn all_columns(&self) -> Vec<usize> {
        (0..self.metadata.schema().fields().len()).collect()
    }

    /// The rows of some columns.
    fn batches(self, columns: &[usize]) -> io::Result<ParquetBatches> {
        let ParquetFile { file, metadata } = self;
        let schema = metadata.parquet_schema();
        let mask = ProjectionMask::roots(schema, columns.iter().copied());
        let leaves: Vec<usize> = (0..schema.num_columns()).filter(|&leaf| mask.leaf_included(leaf)).collect();
        check_columns(leaves.len())?;
        let rows = rows_at_a_time(metadata.metadata(), &leaves)?;

        undamaged(|| {
            let schema = Arc::new(metadata.schema().project(columns)?);
            let views = Schema::new(metadata.schema().fields().iter().map(with_views).collect::<Vec<_>>());
            let options = ArrowReaderOptions::new().with_schema(Arc::new(views));
            let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)?;

            let file = PageFile::new(file, metadata.metadata(), &leaves);
            let pages = file.opened();
            let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
            let reader = reader.with_projection(mask).with_batch_size(rows).build()?;
            let rest = RecordBatch::new_empty(reader.schema());
            Ok(ParquetBatches { schema, reader: Some(reader), pages, rest, failure: None })
        })
    }
}

/// A column whose texts are views.
fn with_views(field: &FieldRef) -> Field {
    let with_views = match field.data_type() {
        DataType::Utf8 => DataType::Utf8View,
        DataType::Binary => DataType::BinaryView,
        DataType::List(item) => DataType::List(Arc::new(with_views(item))),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(with_views).collect()),
        DataType::Map(entries, is_sorted) => DataType::Map(Arc::new(with_views(entries)), *is_sorted),
        other => other.clone(),
    };
    field.as_ref().clone().with_data_type(with_views)
}

/// Checks that the number of columns, of a file to read or of all files to write, is within the limit.
fn check_columns(columns: usize) -> io::Result<()> {
    if columns > MAX_FILE_COLUMNS { Err(io::Error::other(TooManyColumns { columns })) } else { Ok(()) }
}

/// The rows of a Parquet file, a batch at a time.
pub(crate) struct ParquetBatches {
    schema: SchemaRef,
    /// `None` after an error.
    reader: Option<ParquetRecordBatchReader>,
    pages: Arc<OpenedPages>,
    /// Rows that were decoded, with texts as views.
    rest: RecordBatch,
    /// The error after the rows so far.
    failure: Option<ArrowError>,
}

impl ParquetBatches {
    /// Decodes a few rows at a time, since they may be long, and joins them.
    fn decode(&mut self) -> Result<(), ArrowError> {
        self.pages.start_batch();
        let (mut batches, mut rows, mut bytes) = (vec![], 0, 0);
        while rows < JOINED
            && bytes < JOINED_BYTES
            && let Some(reader) = &mut self.reader
        {
            match undamaged(|| Ok(reader.next().transpose()?)) {
                Ok(Some(batch)) => {
                    rows += batch.num_rows();
                    bytes += size(&batch);
                    batches.push(batch);
                }
                Ok(None) => self.reader = None,
                Err(error) => {
                    self.reader = None;
                    let refusal = self.pages.refusal().map(io::Error::other);
                    self.failure = Some(ArrowError::from_external_error(Box::new(refusal.unwrap_or(error))));
                }
            }
        }
        self.rest = concat_batches(self.rest.schema_ref(), &batches)?;
        Ok(())
    }

    /// The next rows whose values are not too long in total, or a single row.
    fn next_rows(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut rows = self.rest.num_rows();
        while rows > 1 && size(&self.rest.slice(0, rows)) > 2 * JOINED_BYTES {
            rows /= 2;
        }
        let next = self.rest.slice(0, rows);
        self.rest = self.rest.slice(rows, self.rest.num_rows() - rows);

        let columns = next.columns().iter().zip(self.schema.fields());
        let columns = columns.map(|(column, field)| cast(column, field.data_type())).collect::<Result<_, _>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

impl Iterator for ParquetBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if self.rest.num_rows() == 0
            && let Err(error) = self.decode()
        {
            return Some(Err(error));
        }
        if self.rest.num_rows() == 0 { self.failure.take().map(Err) } else { Some(self.next_rows()) }
    }
}

/// The number of bytes of the values in some rows, if texts are copied for each row.
fn size(rows: &RecordBatch) -> usize {
    rows.columns().iter().map(|column| printed_size(column, 0..rows.num_rows())).sum()
}

/// The error of the output, if it is the cause.
fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}

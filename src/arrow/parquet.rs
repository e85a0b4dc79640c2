//! Reads and writes Parquet files.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::records::RecordColumns;
use crate::format::{DetectError, InputOptions};

/// The first bytes of a Parquet file.
pub(crate) const MAGIC: &[u8] = b"PAR1";

/// How many records are read at a time.
const BATCH: usize = 4096;

/// The most rows in a row group that is written: some 10 MB, and as much memory.
const ROW_GROUP: usize = 1 << 17;

/// Why a Parquet file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Parquet(#[from] ParquetError),
    #[error(transparent)]
    Columns(#[from] DetectError),
}

/// An open Parquet file, with the columns that are read.
pub(crate) struct ParquetInput {
    pub(crate) columns: RecordColumns,
    pub(crate) batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
    /// The number of records.
    pub(crate) records: u64,
}

impl ParquetInput {
    /// Opens a file. Only the columns that the options name are read.
    pub(crate) fn open(file: File, options: &InputOptions) -> Result<ParquetInput, OpenError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
        let columns = RecordColumns::choose(builder.schema().clone(), options)?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns.projection());
        let records = builder.metadata().file_metadata().num_rows() as u64;
        let batches = builder.with_projection(mask).with_batch_size(BATCH).build()?;
        let columns = columns.projected(arrow_array::RecordBatchReader::schema(&batches));
        Ok(ParquetInput { columns, batches: Box::new(batches), records })
    }
}

/// The rows of a Parquet file, with all their columns.
pub(crate) struct ParquetRows {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: ParquetRecordBatchReader,
}

impl ParquetRows {
    /// Opens a file.
    pub(crate) fn open(file: File) -> Result<ParquetRows, ParquetError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
        let (schema, batches) = (Arc::clone(builder.schema()), builder.with_batch_size(BATCH).build()?);
        Ok(ParquetRows { schema, batches })
    }
}

/// Writes record batches as a Parquet file.
pub(crate) struct ParquetOutput<W: Write + Send> {
    writer: ArrowWriter<W>,
}

impl<W: Write + Send> ParquetOutput<W> {
    /// Starts a file with these columns.
    pub(crate) fn new(output: W, schema: SchemaRef) -> io::Result<ParquetOutput<W>> {
        // Dictionaries are for columns with few values; puzzles and solutions hardly occur twice.
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(ROW_GROUP));
        for field in schema.fields().iter().filter(|field| *field.data_type() == DataType::Utf8) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(field.name().as_str()), false);
        }
        let writer = ArrowWriter::try_new(output, schema, Some(properties.build())).map_err(io::Error::other)?;
        Ok(ParquetOutput { writer })
    }

    /// Writes some rows.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.writer.write(batch).map_err(into_io)
    }

    /// Writes the rest and the footer.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(into_io)
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

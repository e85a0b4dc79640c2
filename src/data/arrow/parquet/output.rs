//! Writes Parquet files. Columns are encoded on several threads, a block of rows at a time.
//!
//! ```text
//!   write -> rows -- block --> thread, thread, ...: a column at a time -- row group --> writer
//! ```
//!
//! Blocks and row groups have the same rows for any number of threads, so the file has the same bytes.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::vec;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{FieldRef, Schema, SchemaRef};
use arrow_select::coalesce::BatchCoalescer;
use bytes::Bytes;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions, compute_leaves,
};
use parquet::arrow::{ArrowSchemaConverter, ArrowWriter};
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use super::damage::written;
use super::zstd_pages::{Stores, ZstdPages};
use super::{check_columns, into_io};
use crate::compression::PageCompression;

/// The number of rows that are encoded together.
const BLOCK: usize = 1 << 13;

/// The number of rows that end a row group (some 10 MB, and as much memory), and the number of bytes.
pub(super) const ROW_GROUP: usize = 1 << 17;
const ROW_GROUP_BYTES: usize = 64 << 20;

const _: () = assert!(ROW_GROUP.is_multiple_of(BLOCK));

/// The maximum number of bytes of a dictionary. If a column has more distinct values in a row group, the dictionary
/// ends there: for a column of puzzles, after a hundredth of them.
const DICTIONARY: usize = 1 << 16;

/// The number of bytes that end a page, with some 1,500 puzzles. Memory of this size is reused. Larger pieces are
/// requested from the system, and cleared, each time.
const PAGE: usize = 1 << 17;

/// Checks that files with these columns can be written at the same time.
pub(crate) fn check_outputs(schema: &Schema, files: usize) -> io::Result<()> {
    let columns = ArrowSchemaConverter::new().convert(schema).map_err(into_io)?.num_columns();
    check_columns(columns.saturating_mul(files))
}

/// The settings of the Parquet crate for encoding and compressing columns. Integers are written as differences: line
/// numbers then take next to no bytes, and no time to compress. The encoding `DELTA_LENGTH_BYTE_ARRAY`, with lengths
/// before all characters, is not used for texts, because some versions of Spark misread it.
fn properties(schema: &Schema, compression: PageCompression) -> io::Result<WriterProperties> {
    let compression = match compression {
        PageCompression::Snappy => Compression::SNAPPY,
        PageCompression::Lz4 => Compression::LZ4_RAW,
        PageCompression::Zstd | PageCompression::None => Compression::UNCOMPRESSED,
    };
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(compression)
        .set_data_page_size_limit(PAGE)
        .set_dictionary_page_size_limit(DICTIONARY);

    for leaf in ArrowSchemaConverter::new().convert(schema).map_err(into_io)?.columns() {
        if matches!(leaf.physical_type(), Type::INT32 | Type::INT64) {
            properties = properties.set_column_encoding(leaf.path().clone(), Encoding::DELTA_BINARY_PACKED);
        }
    }
    Ok(properties.build())
}

/// The style of a Parquet file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParquetStyle {
    pub(crate) compression: PageCompression,
    /// The number of threads that encode columns, at least one.
    pub(crate) threads: usize,
}

/// Writes record batches as a Parquet file.
pub(crate) struct ParquetOutput<W: Write + Send> {
    file: SerializedFileWriter<W>,
    row_groups: ArrowRowGroupWriterFactory,
    /// The stores that receive the pages of the column encoders, unless these compress them.
    zstd: Option<Arc<Stores>>,
    schema: SchemaRef,
    threads: usize,
    /// Rows that have not been encoded yet.
    blocks: BatchCoalescer,
    /// The columns of the row group, unless they are being encoded or there is no row group.
    columns: Vec<RowGroupColumn>,
    /// The number of its rows.
    rows: usize,
    /// The threads that encode the last block.
    encoders: Vec<JoinHandle<io::Result<Vec<RowGroupColumn>>>>,
}

impl<W: Write + Send> ParquetOutput<W> {
    /// Starts a file with these columns.
    pub(crate) fn new(output: W, schema: SchemaRef, style: ParquetStyle) -> io::Result<ParquetOutput<W>> {
        let zstd = (style.compression == PageCompression::Zstd).then(Arc::<Stores>::default);
        let mut options = ArrowWriterOptions::new().with_properties(properties(&schema, style.compression)?);
        if let Some(stores) = &zstd {
            options = options.with_page_store_factory(Arc::clone(stores) as _);
        }
        let (file, row_groups) = written(|| {
            ArrowWriter::try_new_with_options(output, Arc::clone(&schema), options)?.into_serialized_writer()
        })?;
        let (blocks, threads) = (BatchCoalescer::new(Arc::clone(&schema), BLOCK), style.threads.max(1));
        Ok(ParquetOutput {
            file,
            row_groups,
            zstd,
            schema,
            threads,
            blocks,
            columns: vec![],
            rows: 0,
            encoders: vec![],
        })
    }

    /// Writes some rows.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.blocks.push_batch(batch.clone()).map_err(io::Error::other)?;
        while let Some(block) = self.blocks.next_completed_batch() {
            self.encode_block(Some(&block), false)?;
        }
        Ok(())
    }

    /// Writes the remaining rows and the footer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.blocks.finish_buffered_batch().map_err(io::Error::other)?;
        let rest = self.blocks.next_completed_batch();
        self.encode_block(rest.as_ref(), true)?;
        self.end_block()?;
        written(|| self.file.into_inner())
    }

    /// Encodes a block, while the next one is collected.
    fn encode_block(&mut self, block: Option<&RecordBatch>, is_last: bool) -> io::Result<()> {
        self.end_block()?;
        if self.columns.is_empty() {
            if block.is_none() {
                return Ok(());
            }
            self.columns = self.row_group()?;
        }

        self.rows += block.map_or(0, RecordBatch::num_rows);
        let bytes: usize = self.columns.iter().map(RowGroupColumn::bytes).sum();
        let ends = is_last || self.rows >= ROW_GROUP || bytes >= ROW_GROUP_BYTES;
        for (index, column) in self.columns.iter_mut().enumerate() {
            (column.values, column.ends) = (block.map(|block| Arc::clone(block.column(index))), ends);
        }

        let threads = self.threads.min(self.columns.len());
        let columns = Arc::new(Mutex::new(mem::take(&mut self.columns).into_iter()));
        for _ in 0..threads {
            let columns = Arc::clone(&columns);
            let encode = thread::Builder::new().name("encoder".into()).spawn(move || encode_columns(&columns))?;
            self.encoders.push(encode);
        }
        Ok(())
    }

    /// Waits until the last block is encoded, and writes the row group if it is complete.
    fn end_block(&mut self) -> io::Result<()> {
        for encoder in self.encoders.drain(..) {
            self.columns.extend(encoder.join().map_err(|_| io::Error::other("a thread that encodes panicked"))??);
        }
        self.columns.sort_unstable_by_key(|column| column.index);
        if self.columns.iter().all(|column| !column.ends) {
            return Ok(());
        }

        let columns = mem::take(&mut self.columns);
        self.rows = 0;
        written(|| {
            let mut row_group = self.file.next_row_group()?;
            for chunk in columns.into_iter().flat_map(|column| column.chunks) {
                chunk.append_to(&mut row_group)?;
            }
            row_group.close().map(drop)
        })
    }

    /// The columns of a new row group.
    fn row_group(&self) -> io::Result<Vec<RowGroupColumn>> {
        let number = self.file.flushed_row_groups().len();
        let encoders = written(|| self.row_groups.create_column_writers(number))?;
        let schema = self.file.schema_descr();
        let mut zstd = self.zstd.iter().flat_map(|stores| stores.pages(schema.columns()));
        let mut leaves = encoders.into_iter().map(|encoder| Leaf { encoder, zstd: zstd.next() });

        let leaves_of =
            |index| (0..schema.num_columns()).filter(|leaf| schema.get_column_root_idx(*leaf) == index).count();
        let columns = self.schema.fields().iter().enumerate().map(|(index, field)| RowGroupColumn {
            index,
            field: Arc::clone(field),
            leaves: leaves.by_ref().take(leaves_of(index)).collect(),
            chunks: vec![],
            values: None,
            ends: false,
        });
        Ok(columns.collect())
    }
}

/// Encodes columns until none is left.
fn encode_columns(columns: &Mutex<vec::IntoIter<RowGroupColumn>>) -> io::Result<Vec<RowGroupColumn>> {
    let mut encoded = vec![];
    loop {
        let next = columns.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(mut column) = next else { return Ok(encoded) };
        written(|| column.encode())?;
        encoded.push(column);
    }
}

/// A column of a row group.
struct RowGroupColumn {
    index: usize,
    field: FieldRef,
    /// The Parquet columns that it consists of, until the row group is complete.
    leaves: Vec<Leaf>,
    /// The same columns after that.
    chunks: Vec<CompleteColumn>,
    /// The values to encode next.
    values: Option<ArrayRef>,
    /// Whether the row group is complete with these values.
    ends: bool,
}

impl RowGroupColumn {
    /// The bytes so far, encoded.
    fn bytes(&self) -> usize {
        self.leaves.iter().map(|leaf| leaf.encoder.get_estimated_total_bytes()).sum()
    }

    /// Encodes the next values.
    fn encode(&mut self) -> Result<()> {
        if let Some(values) = self.values.take() {
            for (leaf, values) in self.leaves.iter_mut().zip(compute_leaves(&self.field, &values)?) {
                leaf.encoder.write(&values)?;
                if let Some(pages) = &mut leaf.zstd {
                    pages.compress()?;
                }
            }
        }
        if self.ends {
            self.chunks = self.leaves.drain(..).map(Leaf::finish).collect::<Result<_>>()?;
        }
        Ok(())
    }
}

/// A column of Parquet that is being encoded.
struct Leaf {
    encoder: ArrowColumnWriter,
    /// The compressor of the pages, if it is not part of the encoder.
    zstd: Option<ZstdPages>,
}

impl Leaf {
    fn finish(self) -> Result<CompleteColumn> {
        let chunk = self.encoder.close()?;
        let Some(mut pages) = self.zstd else { return Ok(CompleteColumn::Encoded(Box::new(chunk))) };
        pages.compress()?;
        let (pages, close) = pages.finish(chunk.close())?;
        Ok(CompleteColumn::Compressed(pages, Box::new(close)))
    }
}

/// A complete column of Parquet in a row group.
enum CompleteColumn {
    Encoded(Box<ArrowColumnChunk>),
    Compressed(Bytes, Box<ColumnCloseResult>),
}

impl CompleteColumn {
    /// Writes the column after the previous ones.
    fn append_to<W: Write + Send>(self, row_group: &mut SerializedRowGroupWriter<'_, W>) -> Result<()> {
        match self {
            CompleteColumn::Encoded(chunk) => chunk.append_to_row_group(row_group),
            CompleteColumn::Compressed(pages, close) => row_group.append_column(&pages, *close),
        }
    }
}

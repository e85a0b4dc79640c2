//! Encodes and compresses a column of a row group: by the Parquet crate, but for what Zstandard compresses.

use std::io::Write;
use std::mem;

use arrow_array::{Array, ArrayRef};
use arrow_schema::FieldRef;
use arrow_select::concat::concat;
use bytes::Bytes;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::writer::SerializedRowGroupWriter;

use super::zstd_pages::ZstdPages;

/// A column of a row group.
pub(super) struct Column {
    pub(super) index: usize,
    pub(super) field: FieldRef,
    /// The columns of Parquet that it consists of, until the row group is complete.
    pub(super) leaves: Vec<Leaf>,
    /// These columns, after that.
    pub(super) chunks: Vec<Chunk>,
    /// The values that are encoded next.
    pub(super) values: Vec<ArrayRef>,
    /// Whether the row group is complete with them.
    pub(super) ends: bool,
}

impl Column {
    /// The bytes so far, encoded.
    pub(super) fn bytes(&self) -> usize {
        self.leaves.iter().map(|leaf| leaf.encoder.get_estimated_total_bytes()).sum()
    }

    /// Encodes the next values.
    pub(super) fn encode(&mut self) -> Result<()> {
        let values = mem::take(&mut self.values);
        if !values.is_empty() {
            // At once: where pages end depends on the sizes of the pieces.
            let values = concat(&values.iter().map(|values| &**values as &dyn Array).collect::<Vec<_>>())?;
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
pub(super) struct Leaf {
    pub(super) encoder: ArrowColumnWriter,
    /// What compresses the pages, if the encoder does not.
    pub(super) zstd: Option<ZstdPages>,
}

impl Leaf {
    fn finish(self) -> Result<Chunk> {
        let chunk = self.encoder.close()?;
        let Some(mut pages) = self.zstd else { return Ok(Chunk::Encoded(Box::new(chunk))) };
        pages.compress()?;
        let (pages, close) = pages.finish(chunk.close())?;
        Ok(Chunk::Compressed(pages, Box::new(close)))
    }
}

/// A complete column of Parquet in a row group.
pub(super) enum Chunk {
    Encoded(Box<ArrowColumnChunk>),
    Compressed(Bytes, Box<ColumnCloseResult>),
}

impl Chunk {
    /// Writes the column after those before it.
    pub(super) fn append_to<W: Write + Send>(self, row_group: &mut SerializedRowGroupWriter<'_, W>) -> Result<()> {
        match self {
            Chunk::Encoded(chunk) => chunk.append_to_row_group(row_group),
            Chunk::Compressed(pages, close) => row_group.append_column(&pages, *close),
        }
    }
}

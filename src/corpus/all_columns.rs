//! Reads inputs with typed columns again, with all their columns: for jobs that copy rows.

use std::io;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::error::CorpusError;
use super::input::Origin;
use super::typed_file::open_rows;
use super::typed_input::{Batches, read_error};
use crate::format::InputOptions;

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

/// The inputs of a corpus, whose rows can be read again.
#[derive(Clone, Debug)]
pub(crate) struct RowSource {
    pub(super) origins: Vec<Origin>,
    /// The rows in memory, if that is where they are.
    pub(super) table: Option<MemoryTable>,
    pub(super) options: InputOptions,
}

/// The rows of an input.
pub(crate) struct InputRows {
    /// The name of the input.
    pub(crate) name: String,
    /// All columns, with the notes of who wrote the file.
    pub(crate) schema: SchemaRef,
    batches: Batches,
    /// The number of rows that were read.
    rows: u64,
}

impl RowSource {
    /// Opens the inputs, one after another.
    pub(crate) fn open(&self) -> impl Iterator<Item = Result<InputRows, CorpusError>> {
        self.origins.iter().map(|origin| {
            let name = origin.to_string();
            let cannot_open = |source| CorpusError::Open { name: origin.to_string(), source };
            match (origin, &self.table) {
                (Origin::Memory, Some(table)) => {
                    Ok(InputRows { name, schema: table.schema.clone(), batches: table.batches(), rows: 0 })
                }
                (Origin::File(path), _) => {
                    let (schema, batches) = open_rows(&name, path, &self.options)?;
                    Ok(InputRows { name, schema, batches, rows: 0 })
                }
                _ => Err(cannot_open(io::ErrorKind::NotFound.into())),
            }
        })
    }
}

impl Iterator for InputRows {
    type Item = Result<RecordBatch, CorpusError>;

    fn next(&mut self) -> Option<Result<RecordBatch, CorpusError>> {
        let batch = self.batches.next()?.map_err(|source| read_error(&self.name, self.rows, source));
        self.rows += batch.as_ref().map_or(0, |batch| batch.num_rows() as u64);
        Some(batch)
    }
}

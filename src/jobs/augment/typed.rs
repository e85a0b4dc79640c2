//! Copies as record batches, or in a Parquet file.

use std::io;

use arrow_array::UInt32Array;
use arrow_select::take::take_record_batch;

use super::rows::{CopyColumns, ORIGIN};
use super::worker::{CopySink, Original};
use super::{Augment, AugmentReport, finished};
use crate::arrow::columns::{ColumnType, Values, schema};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::corpus::{ChunkInput, Corpus};
use crate::jobs::typed::{Batch, pass_on};
use crate::jobs::{Execution, Finished, JobError};
#[cfg(feature = "parquet")]
use crate::jobs::{resumable, typed::parquet_file};
use crate::pipeline::Chunk;
use crate::puzzle::Isomorph;
#[cfg(feature = "parquet")]
use crate::resume::OutputTarget;
use crate::rows::{FileColumn, TypedValues, kept_headers};

/// The most rows of a batch, so that its texts have less than 2 GiB.
const MOST_ROWS: usize = 1 << 16;

impl Augment {
    /// The types of the columns of the rows. Columns that the corpus keeps have the types of its first input.
    ///
    /// # Errors
    ///
    /// If the first input cannot be read.
    pub fn table_schema(&self, corpus: &mut Corpus) -> Result<SchemaRef, JobError> {
        let columns = self.columns(corpus)?;
        let headers = kept_headers(&columns.own(), &corpus.options().keep);
        let kept = corpus.kept_fields().into_iter().zip(headers);
        let kept = kept.map(|(field, name)| field.with_name(name).with_nullable(true));
        Ok(schema(&typed(columns), kept.collect()))
    }

    /// Passes the rows to `each`: batches, in order. The format of the job does not matter.
    ///
    /// # Errors
    ///
    /// As [`Augment::run`], and if `each` fails.
    pub fn run_table(
        &self,
        mut corpus: Corpus,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<AugmentReport>, JobError> {
        let (schema, columns) = (self.table_schema(&mut corpus)?, self.columns(&mut corpus)?);
        let types: Vec<ColumnType> = typed(columns).into_iter().map(|(_, of_type, _)| of_type).collect();
        let sink =
            || TypedCopies { columns, values: TypedValues::new(schema.clone(), &types), kept: None, records: vec![] };
        let workers = self.workers(sink, columns.answers(), self.original, execution)?;
        let run = execution.run(corpus, workers, io::sink(), |chunk| pass_on(chunk, &mut each), self.most_records());
        Ok(finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    /// Writes the rows to a Parquet file.
    #[cfg(feature = "parquet")]
    pub(super) fn run_to_parquet(
        &self,
        mut corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<AugmentReport>, JobError> {
        resumable::check_files(&corpus, None, target)?;
        let schema = self.table_schema(&mut corpus)?;
        parquet_file::write(target, schema, execution, |each| self.run_table(corpus, each, execution))
    }
}

/// The columns but those that are kept, with their types.
fn typed(columns: CopyColumns) -> Vec<(&'static str, ColumnType, Values)> {
    let of_type = |name| match columns.origin {
        Some(FileColumn::Absent) if name == ORIGIN => ColumnType::Number,
        _ => ColumnType::Text,
    };
    columns.own().into_iter().map(|name| (name, of_type(name), Values::Required)).collect()
}

/// Appends rows to typed columns.
struct TypedCopies {
    columns: CopyColumns,
    values: TypedValues,
    /// The typed columns of the chunk that are kept.
    kept: Option<RecordBatch>,
    /// The record of each row, by its position in the chunk.
    records: Vec<u32>,
}

impl TypedCopies {
    /// The rows since the last batch.
    fn batch(&mut self) -> Batch {
        let records = UInt32Array::from(std::mem::take(&mut self.records));
        let kept = self.kept.as_ref().map(|kept| take_record_batch(kept, &records)).transpose()?;
        self.values.finish(kept.as_ref())
    }
}

impl CopySink for TypedCopies {
    type Note = Batch;

    fn start(&mut self, chunk: &Chunk<ChunkInput, Batch>) -> bool {
        let kept = chunk.input.as_ref().and_then(|input| input.kept.clone());
        self.kept = kept.filter(|kept| kept.num_columns() > 0);
        self.kept.is_none()
    }

    fn take(&mut self, original: &Original<'_>, isomorphs: &[Isomorph], _output: &mut Vec<u8>, notes: &mut Vec<Batch>) {
        for isomorphs in isomorphs.chunks(MOST_ROWS) {
            let TypedCopies { columns, values, records, .. } = self;
            columns.rows(original, isomorphs, |row| {
                values.row(row);
                records.push(original.index as u32);
            });
            if self.records.len() >= MOST_ROWS {
                notes.push(self.batch());
            }
        }
    }

    fn end(&mut self, notes: &mut Vec<Batch>) {
        if !self.records.is_empty() {
            notes.push(self.batch());
        }
    }
}

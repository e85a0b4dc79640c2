//! Ratings as record batches, or in a Parquet file.

use std::io;

use super::columns::{About, OF_PUZZLES, OF_STEPS, Table};
use super::worker::RateSink;
use super::{FIRST_CHUNK, Rate, RateRows};
use crate::arrow::columns::{ColumnType, Values, schema};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::corpus::{ChunkInput, Corpus};
use crate::jobs::typed::{Batch, first_columns, kept_fields, pass_on};
use crate::jobs::{Execution, Finished, JobError, OptionError};
#[cfg(feature = "parquet")]
use crate::jobs::{resumable, typed::parquet_file};
use crate::pipeline::Chunk;
use crate::rating::Level;
#[cfg(feature = "parquet")]
use crate::resume::{OutputTarget, Resume};
use crate::rows::{Status, TypedValues, Value};
use crate::stats::Summary;

impl Rate {
    /// The types of the columns of the rows.
    ///
    /// # Errors
    ///
    /// If the options contradict each other.
    pub fn table_schema(&self, corpus: &Corpus) -> Result<SchemaRef, JobError> {
        Ok(self.typed_table(corpus)?.schema(corpus))
    }

    /// Passes the rows to `each`: batches, in order. The format and the header of the job do not matter; columns that
    /// the corpus keeps have the types of its first input.
    ///
    /// # Errors
    ///
    /// As [`Rate::run`], and if `each` fails.
    pub fn run_table(
        &self,
        corpus: Corpus,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        let table = self.typed_table(&corpus)?;
        let types: Vec<ColumnType> = table.columns().into_iter().map(|(_, of_type, _)| of_type).collect();
        let schema = table.schema(&corpus);
        let sink = || TypedRatings(TypedValues::new(schema.clone(), &types));
        let workers = self.workers(&table, sink, execution)?;
        let pass_on = |chunk: &mut _| pass_on(chunk, &mut each);
        let run = execution.first_chunk(FIRST_CHUNK).run(corpus, workers, io::sink(), pass_on, None);
        Ok(self.summing().finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    fn typed_table(&self, corpus: &Corpus) -> Result<Table, OptionError> {
        let table = self.table(corpus)?;
        let keeps_steps = table.rows == RateRows::Steps && !table.kept.is_empty();
        if keeps_steps { Err(OptionError::TypedStepsKeep) } else { Ok(table) }
    }

    /// Writes the rows to a Parquet file.
    #[cfg(feature = "parquet")]
    pub(super) fn run_to_parquet(
        &self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        resumable::check_files(&corpus, None, target)?;
        if self.resume == Resume::Yes {
            return Err(OptionError::ParquetNotResumable.into());
        }
        let schema = self.table_schema(&corpus)?;
        parquet_file::write(target, schema, execution, |each| self.run_table(corpus, each, execution))
    }
}

impl Table {
    fn schema(&self, corpus: &Corpus) -> SchemaRef {
        schema(&self.columns(), kept_fields(corpus, &self.kept))
    }

    /// The columns but those that are kept.
    fn columns(&self) -> Vec<(&'static str, ColumnType, Values)> {
        let first = first_columns(self.file);
        match self.rows {
            RateRows::Puzzles | RateRows::Er => first.chain(self.columns_of_puzzles()).collect(),
            RateRows::Steps => first.chain(columns_of_steps()).collect(),
        }
    }

    fn columns_of_puzzles(&self) -> impl Iterator<Item = (&'static str, ColumnType, Values)> {
        let types = [
            (ColumnType::Name(&Status::NAMES), Values::Required),
            (ColumnType::Decimal, Values::Optional),
            (ColumnType::Decimal, Values::Optional),
            (ColumnType::Decimal, Values::Optional),
            (ColumnType::Name(&Level::NAMES), Values::Optional),
            (ColumnType::Text, Values::Optional),
            (ColumnType::Number, Values::Optional),
            (ColumnType::Text, Values::Optional),
            (ColumnType::Decimal, Values::Optional),
            (ColumnType::Text, Values::Optional),
        ];
        let column = |((name, about), (of_type, values)): ((&'static str, About), (ColumnType, Values))| {
            self.has(about).then_some((name, of_type, values))
        };
        OF_PUZZLES.into_iter().zip(types).filter_map(column)
    }
}

fn columns_of_steps() -> impl Iterator<Item = (&'static str, ColumnType, Values)> {
    let types = [
        ColumnType::Number,
        ColumnType::Text,
        ColumnType::Decimal,
        ColumnType::Texts,
        ColumnType::Text,
        ColumnType::Texts,
        ColumnType::Texts,
        ColumnType::Texts,
        ColumnType::Text,
    ];
    OF_STEPS.into_iter().zip(types).map(|(name, of_type)| (name, of_type, Values::Required))
}

/// Appends rows to typed columns.
struct TypedRatings(TypedValues);

impl RateSink for TypedRatings {
    type Note = Batch;

    fn needs_kept(&self, chunk: &Chunk<ChunkInput, Batch>) -> bool {
        chunk.input.as_ref().is_none_or(|input| input.kept.is_none())
    }

    fn row(&mut self, values: &[Value<'_>], _output: &mut Vec<u8>) {
        self.0.row(values);
    }

    fn end(&mut self, chunk: &mut Chunk<ChunkInput, Batch>) {
        let kept = chunk.input.as_ref().and_then(|input| input.kept.as_ref());
        chunk.notes.push(self.0.finish(kept));
    }
}

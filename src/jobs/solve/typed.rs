//! Solves a corpus into record batches, or into a Parquet file.

use std::io;

use super::{Solve, Table};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::corpus::Corpus;
use crate::jobs::typed::{kept_fields, pass_on};
use crate::jobs::{Execution, Finished, JobError};
#[cfg(feature = "parquet")]
use crate::jobs::{OptionError, resumable, typed::parquet_file};
#[cfg(feature = "parquet")]
use crate::resume::{OutputTarget, Resume};
use crate::rows::{TypedRows, typed_schema};
use crate::stats::Summary;

impl Solve {
    /// The types of the columns of the rows.
    ///
    /// # Errors
    ///
    /// If the options contradict each other.
    pub fn table_schema(&self, corpus: &Corpus) -> Result<SchemaRef, JobError> {
        Ok(self.table(corpus)?.schema(corpus))
    }

    /// Passes a row for each record to `each`: batches of some thousand rows, in order. The format and the header of the
    /// job do not matter; columns that the corpus keeps have the types of its first input.
    ///
    /// # Errors
    ///
    /// As [`Solve::run`], and if `each` fails.
    pub fn run_table(
        &self,
        corpus: Corpus,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        let table = self.table(&corpus)?;
        let schema = table.schema(&corpus);
        let workers = self.workers(|| TypedRows::new(&table.columns, table.listing, schema.clone()), execution)?;
        let run = execution.run(corpus, workers, io::sink(), |chunk| pass_on(chunk, &mut each), table.most_records());
        Ok(self.summing().finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
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
        typed_schema(&self.columns, self.listing, kept_fields(corpus, &self.columns.kept))
    }
}

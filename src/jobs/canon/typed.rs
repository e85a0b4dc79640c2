//! Canonical forms as record batches, or in a Parquet file.

use std::io;

use super::worker::{COLUMNS, CanonRow, CanonSink};
use super::{Canon, CanonReport, finished};
use crate::arrow::columns::{ColumnType, RowColumns, Values, schema};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::canon::CanonicalForm;
use crate::corpus::{ChunkInput, Corpus};
use crate::format::Alphabet;
use crate::jobs::typed::{Batch, first_columns, pass_on, push_first_columns};
use crate::jobs::{Execution, Finished, JobError};
#[cfg(feature = "parquet")]
use crate::jobs::{resumable, typed::parquet_file};
use crate::pipeline::Chunk;
use crate::puzzle::Grid;
#[cfg(feature = "parquet")]
use crate::resume::OutputTarget;
use crate::rows::FileColumn;

impl Canon {
    /// The types of the columns of the rows.
    pub fn table_schema(&self, corpus: &Corpus) -> SchemaRef {
        schema(&columns(FileColumn::for_inputs(corpus.origins().len())), vec![])
    }

    /// Passes a row for each record to `each`: batches of some thousand rows, in order.
    ///
    /// # Errors
    ///
    /// As [`Canon::run`], and if `each` fails.
    pub fn run_table(
        &self,
        corpus: Corpus,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<CanonReport>, JobError> {
        let file = FileColumn::for_inputs(corpus.origins().len());
        let workers = self.workers(|| TypedForms::new(file), execution)?;
        let run = execution.run(corpus, workers, io::sink(), |chunk| pass_on(chunk, &mut each), None);
        Ok(finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    /// Writes the rows to a Parquet file.
    #[cfg(feature = "parquet")]
    pub(super) fn run_to_parquet(
        &self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<CanonReport>, JobError> {
        resumable::check_files(&corpus, None, target)?;
        let schema = self.table_schema(&corpus);
        parquet_file::write(target, schema, execution, |each| self.run_table(corpus, each, execution))
    }
}

/// The columns of the rows.
fn columns(file: FileColumn) -> Vec<(&'static str, ColumnType, Values)> {
    let [canonical, solution, class, automorphisms] = COLUMNS;
    let own = [
        (canonical, ColumnType::Text, Values::Optional),
        (solution, ColumnType::Text, Values::Optional),
        (class, ColumnType::Text, Values::Optional),
        (automorphisms, ColumnType::Number, Values::Optional),
    ];
    first_columns(file).chain(own).collect()
}

/// Appends rows to typed columns.
struct TypedForms {
    file: FileColumn,
    columns: RowColumns,
}

impl TypedForms {
    fn new(file: FileColumn) -> TypedForms {
        TypedForms { file, columns: RowColumns::of(&columns(file)) }
    }
}

impl CanonSink for TypedForms {
    type Note = Batch;

    fn row(&mut self, row: &CanonRow<'_>, _output: &mut Vec<u8>) {
        let own = push_first_columns(self.file, row.file, row.line, row.subject, self.columns.columns());
        let [canonical, solution, class, automorphisms] = own else { panic!("the columns are those of the schema") };
        let [_, nine, ..] = Alphabet::ALL;
        let grid = |grid: Option<&Grid>| grid.map(|grid| nine.text(grid, b'.'));
        let unique = row.form.and_then(CanonicalForm::unique);
        canonical.text(grid(row.form.and_then(CanonicalForm::puzzle)).as_deref().map(str::as_bytes));
        solution.text(grid(unique.map(|unique| &unique.solution)).as_deref().map(str::as_bytes));
        let name = row.form.and_then(CanonicalForm::class).map(|class| class.to_string());
        class.text(name.as_deref().map(str::as_bytes));
        automorphisms.number(unique.map(|unique| unique.automorphisms.into()));
    }

    fn end(&mut self, chunk: &mut Chunk<ChunkInput, Batch>) {
        chunk.notes.push(self.columns.finish(None));
    }
}

//! Generated puzzles as record batches, or in a Parquet file.

use std::io::{self, Write};

use super::{Content, Generate, GenerateJobError, GenerateReport};
use crate::arrow::columns::{ColumnType, RowColumns, Values, schema};
use crate::arrow::{RecordBatch, SchemaRef};
#[cfg(feature = "parquet")]
use crate::jobs::typed::parquet_file;
use crate::jobs::{Execution, Finished};
#[cfg(feature = "parquet")]
use crate::resume::OutputTarget;

impl Generate {
    /// The types of the columns.
    pub fn table_schema(&self) -> SchemaRef {
        schema(self.typed_columns(), vec![])
    }

    /// Passes the puzzles to `each`, in batches of some thousand.
    ///
    /// # Errors
    ///
    /// As [`Generate::run`], and if `each` fails.
    pub fn run_table(
        &self,
        each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        let columns = RowColumns::of(self.typed_columns());
        self.write_rows(TypedPuzzles { cells: self.spec.order.cells(), columns, each }, execution)
    }

    /// Writes the puzzles to a Parquet file.
    #[cfg(feature = "parquet")]
    pub(super) fn run_to_parquet(
        &self,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        parquet_file::write(target, self.table_schema(), execution, |each| self.run_table(each, execution))
    }

    fn typed_columns(&self) -> &'static [(&'static str, ColumnType, Values)] {
        const COLUMNS: [(&str, ColumnType, Values); 2] =
            [("puzzle", ColumnType::Text, Values::Required), ("solution", ColumnType::Text, Values::Required)];
        match self.content {
            Content::Puzzles | Content::PuzzleColumn => &COLUMNS[..1],
            Content::PuzzlesWithSolutions => &COLUMNS,
        }
    }
}

/// Takes the rows of chunks, all rows of a chunk at once, and passes them on as typed columns.
struct TypedPuzzles<F> {
    /// The number of cells of a puzzle: the length of each field.
    cells: usize,
    columns: RowColumns,
    each: F,
}

impl<F: FnMut(RecordBatch) -> io::Result<()>> Write for TypedPuzzles<F> {
    fn write(&mut self, rows: &[u8]) -> io::Result<usize> {
        if rows.is_empty() {
            return Ok(0);
        }
        let columns = self.columns.columns();
        // Each field has a comma or a line end after it.
        for row in rows.chunks_exact(columns.len() * (self.cells + 1)) {
            for (column, field) in columns.iter_mut().zip(row.chunks_exact(self.cells + 1)) {
                column.text(Some(&field[..self.cells]));
            }
        }
        (self.each)(self.columns.finish(None).map_err(io::Error::other)?)?;
        Ok(rows.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

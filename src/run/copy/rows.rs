//! Copies rows of inputs with typed columns, with all columns and types, to Parquet files or to a function.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use arrow_array::UInt32Array;
use arrow_select::take::take_record_batch;

use super::error::CopyError;
#[cfg(feature = "parquet")]
use crate::arrow::parquet::{ParquetOutput, ParquetStyle, check_outputs};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::corpus::{Corpus, Input, Origin, RecordContent, RecordView};
use crate::run::JobError;

/// A function that gets rows with the index of their output.
pub(crate) type EachRows<'a> = &'a mut (dyn FnMut(usize, RecordBatch) -> io::Result<()> + Send);

/// Receives the rows to copy.
pub(super) enum RowTarget<'a, W: Write + Send> {
    #[cfg(feature = "parquet")]
    Files(Vec<ParquetOutput<W>>, ParquetStyle),
    /// The outputs are placeholders.
    Each(EachRows<'a>, Vec<W>),
}

/// The outputs of rows with typed columns. The rows of a batch are copied together, once a row of the next batch is seen.
pub(super) struct RowOutputs<'a, W: Write + Send> {
    first: Arc<Input>,
    /// The columns of all outputs.
    schema: SchemaRef,
    target: RowTarget<'a, W>,
    /// The batch of the last record.
    batch: Option<Arc<RecordBatch>>,
    /// The rows of the batch to copy to each output.
    chosen: Vec<Vec<u32>>,
    is_empty: bool,
}

/// Makes a corpus read the rows with all columns. The columns to parse were chosen when it was opened, and a pipe cannot
/// be opened again for the other ones.
pub(crate) fn keep_rows(corpus: &mut Corpus) -> Result<(), JobError> {
    if corpus.origins().contains(&Origin::Stdin) {
        return Err(CopyError::ReadTwice { input: Origin::Stdin.to_string() }.into());
    }
    Ok(corpus.keep_rows()?)
}

impl<'a, W: Write + Send> RowOutputs<'a, W> {
    /// Outputs for the rows of a corpus, which have the columns of its first input.
    pub(super) fn new(corpus: &Corpus, target: RowTarget<'a, W>) -> Result<RowOutputs<'a, W>, CopyError> {
        let first = Arc::clone(corpus.first_input().ok_or(CopyError::Changed)?);
        let schema = corpus.row_schema().ok_or_else(|| CopyError::NoTypes { input: first.name.clone() })?;
        Ok(RowOutputs { schema: Arc::clone(schema), first, target, batch: None, chosen: vec![], is_empty: true })
    }

    /// The number of outputs that are open.
    pub(super) fn len(&self) -> usize {
        match &self.target {
            #[cfg(feature = "parquet")]
            RowTarget::Files(files, _) => files.len(),
            RowTarget::Each(_, outputs) => outputs.len(),
        }
    }

    /// Whether no row was copied.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Adds an output.
    #[cfg_attr(not(feature = "parquet"), expect(clippy::unnecessary_wraps, reason = "Parquet files may fail"))]
    pub(super) fn push(&mut self, output: W) -> io::Result<()> {
        match &mut self.target {
            #[cfg(feature = "parquet")]
            RowTarget::Files(files, style) => {
                check_outputs(&self.schema, files.len() + 1)?;
                files.push(ParquetOutput::new(output, Arc::clone(&self.schema), *style)?);
            }
            RowTarget::Each(_, outputs) => outputs.push(output),
        }
        Ok(())
    }

    /// Copies the row of a record to the output with this index, or to none.
    pub(super) fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        let other_table = || CopyError::OtherTable { input: record.input.name.clone(), first: self.first.name.clone() };
        let RecordContent::Typed(typed) = record.content else { return Err(other_table().into()) };
        let (batch, row) = typed.row().ok_or_else(other_table)?;
        if !self.batch.as_ref().is_some_and(|last| Arc::ptr_eq(last, batch)) {
            if batch.schema_ref().fields() != self.schema.fields() {
                return Err(other_table().into());
            }
            self.copy_batch()?;
            self.batch = Some(Arc::clone(batch));
        }

        if let Some(output) = output {
            if self.chosen.len() <= output {
                self.chosen.resize_with(output + 1, Vec::new);
            }
            self.chosen[output].push(row as u32);
            self.is_empty = false;
        }
        Ok(())
    }

    /// Copies the chosen rows of the last batch.
    fn copy_batch(&mut self) -> io::Result<()> {
        let Some(batch) = self.batch.take() else { return Ok(()) };
        for (output, rows) in self.chosen.iter_mut().enumerate().filter(|(_, rows)| !rows.is_empty()) {
            let rows = take_record_batch(&batch, &UInt32Array::from(mem::take(rows))).map_err(io::Error::other)?;
            match &mut self.target {
                #[cfg(feature = "parquet")]
                RowTarget::Files(files, _) => files[output].write(&rows)?,
                RowTarget::Each(each, _) => each(output, rows)?,
            }
        }
        Ok(())
    }

    /// Completes the outputs.
    pub(super) fn finish(mut self) -> io::Result<Vec<W>> {
        self.copy_batch()?;
        match self.target {
            #[cfg(feature = "parquet")]
            RowTarget::Files(files, _) => files.into_iter().map(ParquetOutput::finish).collect(),
            RowTarget::Each(_, outputs) => Ok(outputs),
        }
    }
}

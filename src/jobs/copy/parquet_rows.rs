//! Copies rows of Parquet files, with all their columns and types, to other Parquet files.
//!
//! A first pass has read the puzzles and chosen an output for each row, by its position.

use std::fs::File;
use std::io::{self, Write};

use arrow_array::UInt32Array;
use arrow_select::take::take_record_batch;

use super::error::CopyError;
use crate::arrow::parquet::{ParquetOutput, ParquetRows};
use crate::arrow::{ArrowError, RecordBatch, SchemaRef};
use crate::corpus::{CorpusError, Origin, ReadProgress};
use crate::jobs::JobError;
use crate::pipeline::{End, Stop};
use crate::resume::OutputError;

/// Copies each of `rows` rows to the output that `choose` returns for its position, in order; returns the outputs.
///
/// `choose` is called with the positions from 0, in order.
pub(in crate::jobs) fn copy_parquet_rows<W: Write + Send>(
    origins: &[Origin],
    outputs: Vec<W>,
    rows: usize,
    mut choose: impl FnMut(usize) -> Option<usize>,
    stop: &Stop,
) -> Result<(End, Vec<W>), JobError> {
    let mut position = 0;
    let mut outputs = Some(outputs);
    let mut copies: Option<Copies<W>> = None;
    'files: for origin in origins {
        let name = origin.to_string();
        let Origin::File(path) = origin else { return Err(CopyError::ReadTwice { input: name }.into()) };
        let cannot_open = |source| CorpusError::Open { name: name.clone(), source };
        let file = File::open(path).map_err(cannot_open)?;
        let file = ParquetRows::open(file).map_err(|error| cannot_open(io::Error::other(error)))?;
        if copies.is_none() {
            let outputs = outputs.take().unwrap_or_default();
            copies = Some(Copies::new(name.clone(), file.schema.clone(), outputs).map_err(OutputError::Write)?);
        }
        let copies = copies.as_mut().expect("they were opened");
        if copies.schema.fields() != file.schema.fields() {
            return Err(CopyError::OtherTable { input: name, first: copies.first.clone() }.into());
        }
        for batch in file.batches {
            if stop.is_triggered() {
                break 'files;
            }
            let batch = batch.map_err(|source| read_error(&name, position, source))?;
            let end = position + batch.num_rows();
            if end > rows {
                return Err(CopyError::Changed.into());
            }
            copies.copy(&batch, (position..end).map(&mut choose)).map_err(OutputError::Write)?;
            position = end;
        }
    }
    let end = if stop.is_triggered() { End::Stopped } else { End::Complete };
    if end == End::Complete && position != rows {
        return Err(CopyError::Changed.into());
    }
    let outputs = copies.map_or(Ok(outputs.unwrap_or_default()), Copies::finish).map_err(OutputError::Write)?;
    Ok((end, outputs))
}

/// The files that are written.
struct Copies<W: Write + Send> {
    /// The name of the first input.
    first: String,
    /// Its columns.
    schema: SchemaRef,
    outputs: Vec<ParquetOutput<W>>,
    /// The indices of the rows of a batch that go to each output.
    chosen: Vec<Vec<u32>>,
}

impl<W: Write + Send> Copies<W> {
    fn new(first: String, schema: SchemaRef, outputs: Vec<W>) -> io::Result<Copies<W>> {
        let open = |output| ParquetOutput::new(output, schema.clone());
        let outputs = outputs.into_iter().map(open).collect::<io::Result<Vec<_>>>()?;
        let chosen = vec![vec![]; outputs.len()];
        Ok(Copies { first, schema, outputs, chosen })
    }

    /// Copies the rows of a batch to the outputs that are chosen for them.
    fn copy(&mut self, batch: &RecordBatch, choices: impl Iterator<Item = Option<usize>>) -> io::Result<()> {
        self.chosen.iter_mut().for_each(Vec::clear);
        for (row, choice) in (0..).zip(choices) {
            if let Some(output) = choice {
                self.chosen[output].push(row);
            }
        }
        for (output, rows) in self.outputs.iter_mut().zip(&self.chosen) {
            if !rows.is_empty() {
                let rows = UInt32Array::from(rows.clone());
                output.write(&take_record_batch(batch, &rows).map_err(io::Error::other)?)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> io::Result<Vec<W>> {
        self.outputs.into_iter().map(ParquetOutput::finish).collect()
    }
}

fn read_error(name: &str, records: usize, source: ArrowError) -> CorpusError {
    let records = records as u64;
    let progress = ReadProgress { records, line: records };
    CorpusError::Batch { name: name.to_owned(), progress, source: io::Error::other(source) }
}

//! Copies rows of Parquet files, with all their columns and types, to other Parquet files.
//!
//! A first pass reads the puzzles and chooses an output for each row. Then the files are read again.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::UInt32Array;
use arrow_select::take::take_record_batch;

use super::check_rereadable;
use super::error::CopyError;
use crate::arrow::parquet::{ParquetOutput, ParquetRows, check_outputs};
use crate::arrow::{RecordBatch, SchemaRef, into_io};
use crate::corpus::{Corpus, CorpusError, Input, Origin, ReadProgress, RecordView};
use crate::format::InputFormat;
use crate::jobs::JobError;
use crate::pipeline::{End, Stop};
use crate::resume::OutputError;

/// Stands for the output of a row that is not copied.
const NONE: u8 = u8::MAX;

/// Outputs for the rows of Parquet files. Takes up to a byte of memory for a row.
pub(super) struct ParquetOutputs<W> {
    origins: Vec<Origin>,
    first: Arc<Input>,
    outputs: Vec<W>,
    /// The number of rows so far.
    rows: usize,
    /// The output of each row, up to the last that is copied.
    choices: Vec<u8>,
    /// The rows that were chosen after all were seen, with their outputs.
    late: Vec<(usize, u8)>,
}

impl<W> ParquetOutputs<W> {
    pub(super) fn new(corpus: &Corpus, outputs: Vec<W>) -> Result<ParquetOutputs<W>, CopyError> {
        check_rereadable(corpus)?;
        let first = Arc::clone(corpus.first_input().ok_or(CopyError::Changed)?);
        let origins = corpus.origins().to_vec();
        Ok(ParquetOutputs { origins, first, outputs, rows: 0, choices: vec![], late: vec![] })
    }

    /// Adds an output.
    pub(super) fn push(&mut self, output: W) {
        self.outputs.push(output);
    }

    /// The number of outputs.
    pub(super) fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Chooses the output of the next row.
    pub(super) fn choose(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        if record.input.layout.format() != InputFormat::Parquet {
            let (input, first) = (record.input.name.clone(), self.first.name.clone());
            return Err(CopyError::OtherTable { input, first }.into());
        }
        if let Some(output) = output {
            self.choices.resize(self.rows, NONE);
            self.choices.push(output as u8);
        }
        self.rows += 1;
        Ok(())
    }

    /// Chooses the output of a row that has none yet. Rows come in order.
    pub(super) fn choose_late(&mut self, output: usize, row: usize) {
        self.late.push((row, output as u8));
    }

    /// The outputs, to which nothing was written.
    pub(super) fn into_inner(self) -> Vec<W> {
        self.outputs
    }
}

impl<W: Write + Send> ParquetOutputs<W> {
    /// Copies all rows, unless that is stopped; returns the outputs and the number of their rows.
    pub(super) fn copy(self, stop: &Stop) -> Result<(End, Vec<W>, usize), JobError> {
        let ParquetOutputs { origins, mut outputs, rows, choices, late, .. } = self;
        let mut late = late.into_iter().peekable();
        let mut choose = |row| match choices.get(row) {
            Some(&output) if output != NONE => Some(output),
            _ => late.next_if(|&(late, _)| late == row).map(|(_, output)| output),
        };

        let mut row_outputs: Option<RowOutputs<W>> = None;
        let mut position = 0;
        'files: for origin in &origins {
            let name = origin.to_string();
            let file = open(origin, &name)?;
            let row_outputs = match &mut row_outputs {
                Some(opened) if opened.schema.fields() != file.schema.fields() => {
                    return Err(CopyError::OtherTable { input: name, first: origins[0].to_string() }.into());
                }
                Some(opened) => opened,
                none => none.insert(RowOutputs::new(&file, std::mem::take(&mut outputs)).map_err(OutputError::Write)?),
            };
            for batch in file.batches {
                if stop.is_triggered() {
                    break 'files;
                }
                let batch = batch.map_err(|source| {
                    let progress = ReadProgress { records: position as u64, line: position as u64 };
                    CorpusError::Batch { name: name.clone(), progress, source: into_io(source) }
                })?;
                let end = position + batch.num_rows();
                if end > rows {
                    return Err(CopyError::Changed.into());
                }
                row_outputs.copy(&batch, (position..end).map(&mut choose)).map_err(OutputError::Write)?;
                position = end;
            }
        }

        let end = if stop.is_triggered() { End::Stopped } else { End::Complete };
        if end == End::Complete && position != rows {
            return Err(CopyError::Changed.into());
        }
        let rows = row_outputs.as_ref().map_or(0, |opened| opened.rows);
        let outputs = row_outputs.map_or(Ok(outputs), RowOutputs::finish).map_err(OutputError::Write)?;
        Ok((end, outputs, rows))
    }
}

/// Opens a file for its rows.
fn open(origin: &Origin, name: &str) -> Result<ParquetRows, JobError> {
    let Origin::File(path) = origin else { return Err(CopyError::ReadTwice { input: name.to_owned() }.into()) };
    let cannot_open = |source| CorpusError::Open { name: name.to_owned(), source };
    let file = File::open(path).map_err(cannot_open)?;
    Ok(ParquetRows::open(file).map_err(cannot_open)?)
}

/// The files that are written.
struct RowOutputs<W: Write + Send> {
    /// The columns of the first input.
    schema: SchemaRef,
    outputs: Vec<ParquetOutput<W>>,
    /// The indices of the rows of a batch that go to each output.
    chosen: Vec<Vec<u32>>,
    /// The number of rows that were copied.
    rows: usize,
}

impl<W: Write + Send> RowOutputs<W> {
    /// Outputs with the columns of a file.
    fn new(file: &ParquetRows, outputs: Vec<W>) -> io::Result<RowOutputs<W>> {
        check_outputs(&file.schema, outputs.len())?;
        let open = |output| ParquetOutput::new(output, file.schema.clone());
        let outputs = outputs.into_iter().map(open).collect::<io::Result<Vec<_>>>()?;
        let chosen = vec![vec![]; outputs.len()];
        Ok(RowOutputs { schema: file.schema.clone(), outputs, chosen, rows: 0 })
    }

    /// Copies the rows of a batch to the outputs that are chosen for them.
    fn copy(&mut self, batch: &RecordBatch, choices: impl Iterator<Item = Option<u8>>) -> io::Result<()> {
        self.chosen.iter_mut().for_each(Vec::clear);
        for (row, choice) in (0..).zip(choices) {
            if let Some(output) = choice {
                self.chosen[usize::from(output)].push(row);
            }
        }

        for (output, rows) in self.outputs.iter_mut().zip(&self.chosen) {
            if !rows.is_empty() {
                self.rows += rows.len();
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

//! Copies rows of inputs with typed columns, with all columns and types, to Parquet files or to a function.
//!
//! The first pass reads the puzzles and chooses an output for each row. Then the inputs are read again.

use std::io;
use std::sync::Arc;

use arrow_array::UInt32Array;
use arrow_select::take::take_record_batch;

use super::error::CopyError;
use super::{Copied, Outputs, PassEnd, check_rereadable};
#[cfg(feature = "parquet")]
use crate::arrow::parquet::{ParquetOutput, ParquetStyle, check_outputs};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::corpus::{Corpus, Input, RecordView, RowSource};
use crate::output::OutputError;
use crate::pipeline::{End, Stop};
use crate::run::{Execution, JobError};

/// The output of a row that is not copied.
const NONE: u8 = u8::MAX;

/// Receives the rows to copy.
pub(crate) trait RowTarget<W>: Send {
    /// Adds an output.
    fn push(&mut self, output: W);

    /// The number of outputs that are open.
    fn len(&self) -> usize;

    /// Starts all outputs, with the columns of the first input.
    fn start(&mut self, schema: &SchemaRef) -> io::Result<()>;

    /// Takes some rows for the output with this index.
    fn write(&mut self, output: usize, rows: RecordBatch) -> io::Result<()>;

    /// Completes the outputs. Outputs that were not started stay unchanged.
    fn finish(self: Box<Self>) -> io::Result<Vec<W>>;
}

/// A function that gets rows with the index of their output.
pub(crate) type EachRows<'a> = &'a mut (dyn FnMut(usize, RecordBatch) -> io::Result<()> + Send);

/// Passes rows to the function; the outputs are placeholders.
impl RowTarget<io::Sink> for EachRows<'_> {
    fn push(&mut self, _output: io::Sink) {}

    fn len(&self) -> usize {
        0
    }

    fn start(&mut self, _schema: &SchemaRef) -> io::Result<()> {
        Ok(())
    }

    fn write(&mut self, output: usize, rows: RecordBatch) -> io::Result<()> {
        self(output, rows)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<io::Sink>> {
        Ok(vec![])
    }
}

/// Checks that the rows of a corpus can be copied. That takes a second pass, which cannot be limited to a shard.
pub(crate) fn check_rows(corpus: &Corpus) -> Result<(), CopyError> {
    check_rereadable(corpus)?;
    if corpus.selected_shard().is_some() { Err(CopyError::ParquetShard) } else { Ok(()) }
}

/// The outputs of rows with typed columns. It needs up to a byte of memory for each row.
pub(crate) struct RowOutputs<'a, W> {
    source: RowSource,
    first: Arc<Input>,
    target: Box<dyn RowTarget<W> + 'a>,
    /// The number of rows so far.
    rows: usize,
    /// The output of each row, up to the last row that is copied.
    choices: Vec<u8>,
    /// The rows that were chosen after the last row was seen, with their outputs.
    late: Vec<(usize, u8)>,
}

impl<'a, W> RowOutputs<'a, W> {
    pub(crate) fn new(corpus: &Corpus, target: impl RowTarget<W> + 'a) -> Result<RowOutputs<'a, W>, CopyError> {
        check_rows(corpus)?;
        let first = Arc::clone(corpus.first_input().ok_or(CopyError::Changed)?);
        if !first.layout.format().is_typed() {
            return Err(CopyError::NoTypes { input: first.name.clone() });
        }
        let (source, target) = (corpus.row_source(), Box::new(target));
        Ok(RowOutputs { source, first, target, rows: 0, choices: vec![], late: vec![] })
    }

    /// Copies all rows, unless `stop` interrupts it.
    fn copy(self, stop: &Stop) -> Result<Copied<W>, JobError> {
        let RowOutputs { source, first, mut target, rows, choices, late } = self;
        let mut late = late.into_iter().peekable();
        let mut choose = |row| match choices.get(row) {
            Some(&output) if output != NONE => Some(output),
            _ => late.next_if(|&(late, _)| late == row).map(|(_, output)| output),
        };

        let mut schema: Option<SchemaRef> = None;
        let (mut position, mut copied, mut chosen) = (0, 0, vec![]);
        'inputs: for input in source.open() {
            let input = input?;
            match &schema {
                Some(schema) if schema.fields() != input.schema.fields() => {
                    return Err(CopyError::OtherTable { input: input.name, first: first.name.clone() }.into());
                }
                Some(_) => {}
                None => target.start(schema.insert(input.schema.clone())).map_err(OutputError::Write)?,
            }
            for batch in input {
                if stop.is_triggered() {
                    break 'inputs;
                }
                let batch = batch?;
                let end = position + batch.num_rows();
                // The choices were made for fewer rows: the input has changed since then.
                if end > rows {
                    return Err(CopyError::Changed.into());
                }
                share(&mut chosen, (position..end).map(&mut choose));
                copied += copy_rows(&mut *target, &batch, &chosen).map_err(OutputError::Write)?;
                position = end;
            }
        }

        let end = if stop.is_triggered() { End::Stopped } else { End::Complete };
        // Fewer rows than there are choices are a change, too.
        if end == End::Complete && position != rows {
            return Err(CopyError::Changed.into());
        }
        let outputs = target.finish().map_err(OutputError::Write)?;
        Ok(Copied { end, stopped_after: None, outputs, is_empty: copied == 0 })
    }
}

impl<W> Outputs<W> for RowOutputs<'_, W> {
    fn len(&self) -> usize {
        self.target.len()
    }

    fn push(&mut self, output: W) {
        self.target.push(output);
    }

    /// Chooses the output of the next row.
    fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        if !record.input.layout.format().is_typed() {
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

    fn write_late(&mut self, output: usize, position: usize, _record: &RecordView<'_>) -> io::Result<()> {
        self.late.push((position, output as u8));
        Ok(())
    }

    fn finish(self: Box<Self>, (end, stopped_after): PassEnd, execution: &Execution) -> Result<Copied<W>, JobError> {
        if end == End::Complete {
            return self.copy(&execution.stop);
        }
        let outputs = self.target.finish().map_err(OutputError::Write)?;
        Ok(Copied { end, stopped_after, outputs, is_empty: true })
    }
}

/// Collects, for each output, the indices of its rows in a batch.
fn share(chosen: &mut Vec<Vec<u32>>, choices: impl Iterator<Item = Option<u8>>) {
    chosen.iter_mut().for_each(Vec::clear);
    for (row, choice) in (0..).zip(choices) {
        let Some(output) = choice.map(usize::from) else { continue };
        if chosen.len() <= output {
            chosen.resize_with(output + 1, Vec::new);
        }
        chosen[output].push(row);
    }
}

/// Copies the rows of a batch to the outputs that are chosen for them; returns the number of copied rows.
fn copy_rows<W>(target: &mut dyn RowTarget<W>, batch: &RecordBatch, chosen: &[Vec<u32>]) -> io::Result<usize> {
    let mut copied = 0;
    for (output, rows) in chosen.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
        let rows = UInt32Array::from(rows.clone());
        target.write(output, take_record_batch(batch, &rows).map_err(io::Error::other)?)?;
        copied += rows.len();
    }
    Ok(copied)
}

/// The Parquet files of the outputs, before and after the first row.
#[cfg(feature = "parquet")]
pub(crate) enum ParquetFiles<W: io::Write + Send> {
    New(Vec<W>, ParquetStyle),
    Started(Vec<ParquetOutput<W>>),
}

#[cfg(feature = "parquet")]
impl<W: io::Write + Send> RowTarget<W> for ParquetFiles<W> {
    fn push(&mut self, output: W) {
        match self {
            ParquetFiles::New(outputs, _) => outputs.push(output),
            ParquetFiles::Started(_) => unreachable!("outputs are opened in the first pass"),
        }
    }

    fn len(&self) -> usize {
        match self {
            ParquetFiles::New(outputs, _) => outputs.len(),
            ParquetFiles::Started(outputs) => outputs.len(),
        }
    }

    fn start(&mut self, schema: &SchemaRef) -> io::Result<()> {
        if let ParquetFiles::New(outputs, style) = self {
            check_outputs(schema, outputs.len())?;
            let style = ParquetStyle { threads: style.threads / outputs.len().max(1), ..*style };
            let started = outputs.drain(..).map(|output| ParquetOutput::new(output, schema.clone(), style));
            *self = ParquetFiles::Started(started.collect::<io::Result<_>>()?);
        }
        Ok(())
    }

    fn write(&mut self, output: usize, rows: RecordBatch) -> io::Result<()> {
        match self {
            ParquetFiles::New(..) => unreachable!("the first pass writes nothing"),
            ParquetFiles::Started(outputs) => outputs[output].write(&rows),
        }
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<W>> {
        match *self {
            ParquetFiles::New(outputs, _) => Ok(outputs),
            ParquetFiles::Started(outputs) => outputs.into_iter().map(ParquetOutput::finish).collect(),
        }
    }
}

//! Parquet files that rows are copied to.

use std::io::{self, Write};

use super::rows::RowTarget;
use crate::arrow::parquet::{ParquetOutput, ParquetStyle, check_outputs};
use crate::arrow::{RecordBatch, SchemaRef};

/// The files: before the first row, and after that.
pub(super) enum ParquetFiles<W: Write + Send> {
    New(Vec<W>, ParquetStyle),
    Started(Vec<ParquetOutput<W>>),
}

impl<W: Write + Send> RowTarget<W> for ParquetFiles<W> {
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

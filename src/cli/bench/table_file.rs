//! A table besides the rows of a job, such as the times of `bench` and `fuzz`: CSV, JSON lines or Parquet, by the
//! extension of its file. It cannot be resumed.

use std::io::{self, Write};

use csv::ByteRecord;

#[cfg(feature = "parquet")]
use crate::arrow::parquet::{ParquetOutput, ParquetStyle};
#[cfg(feature = "parquet")]
use crate::compression::PageCompression;
use crate::output::{OutputError, OutputFile, ReservedFile};
use crate::rows::{Row, RowContainer, RowSink, RowStyle, Table};

/// The number of rows that are written at a time.
const CHUNK: usize = 4096;

/// A table that is being written. The file is opened with the first chunk of rows, so that an earlier interruption
/// leaves no file.
pub(crate) struct TableFile {
    style: RowStyle,
    sink: RowSink,
    /// The rows of the chunk, unless they are typed.
    text: Vec<u8>,
    /// The number of rows in the chunk.
    rows: usize,
    /// The file, before it is opened.
    reserved: Option<ReservedFile>,
    output: Option<TableOutput>,
}

enum TableOutput {
    Text(Box<OutputFile>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetOutput<OutputFile>>),
}

impl TableFile {
    /// A table with these columns.
    pub(crate) fn new(file: ReservedFile, table: Table) -> TableFile {
        let container = match file.target().pages() {
            #[cfg(feature = "parquet")]
            Some(_) => RowContainer::Batches(crate::rows::schema(&table, vec![])),
            _ => RowContainer::Text(file.target().usual_format()),
        };
        let style = RowStyle { table, container, defers_late: false };
        let mut sink = style.sink();
        start_chunk(&mut sink);
        TableFile { style, sink, text: vec![], rows: 0, reserved: Some(file), output: None }
    }

    /// Adds a row. After an error, add no more.
    pub(crate) fn row<R: Row>(&mut self, row: &R) -> Result<(), OutputError> {
        self.sink.row(self.rows, row, &ByteRecord::new(), &mut self.text);
        self.rows += 1;
        if self.rows < CHUNK { Ok(()) } else { self.end_chunk() }
    }

    /// Writes the rows of the last chunk, and gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), OutputError> {
        self.end_chunk()?;
        match self.output {
            Some(TableOutput::Text(output)) => output.finish(),
            #[cfg(feature = "parquet")]
            Some(TableOutput::Parquet(parquet)) => parquet.finish().map_err(OutputError::Write)?.finish(),
            None => Ok(()),
        }
    }

    fn end_chunk(&mut self) -> Result<(), OutputError> {
        if let Some(file) = self.reserved.take() {
            let output = file.open()?;
            self.output = Some(self.start(output).map_err(OutputError::Write)?);
        }
        self.write().map_err(OutputError::Write)?;

        self.text.clear();
        self.rows = 0;
        start_chunk(&mut self.sink);
        Ok(())
    }

    /// Writes the text before the first row.
    fn start(&self, mut output: OutputFile) -> io::Result<TableOutput> {
        #[cfg(feature = "parquet")]
        if let RowContainer::Batches(schema) = &self.style.container {
            let style = ParquetStyle { compression: PageCompression::default(), threads: 1 };
            return Ok(TableOutput::Parquet(Box::new(ParquetOutput::new(output, schema.clone(), style)?)));
        }
        output.write_all(&self.style.header(true))?;
        Ok(TableOutput::Text(Box::new(output)))
    }

    /// Writes the rows of the chunk.
    fn write(&mut self) -> io::Result<()> {
        match &mut self.output {
            Some(TableOutput::Text(output)) => output.write_all(&self.text),
            #[cfg(feature = "parquet")]
            Some(TableOutput::Parquet(parquet)) => {
                let mut batches = self.sink.end().into_batches();
                batches.try_for_each(|batch| parquet.write(&batch.map_err(io::Error::other)?))
            }
            None => Ok(()),
        }
    }
}

fn start_chunk(sink: &mut RowSink) {
    sink.start(None);
}

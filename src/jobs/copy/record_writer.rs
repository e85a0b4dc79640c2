//! Writes records as they are in their inputs: their bytes and line ends, after the header of their table.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use crate::corpus::{ChunkInput, Corpus, Input, RecordView};
use crate::format::{InputFormat, line_end_length};
use crate::pipeline::Chunk;

use super::error::CopyError;

/// How much is collected before it is written to an output.
const BUFFER: usize = 1 << 17;

/// The records of a chunk.
pub(in crate::jobs) fn records_of<N>(chunk: &Chunk<ChunkInput, N>) -> impl Iterator<Item = RecordView<'_>> {
    let input = chunk.input.as_ref().map(|chunk_input| &chunk_input.input);
    let starts = chunk.records.iter().skip(1).map(|record| record.text.start).chain([chunk.text.len()]);
    input.into_iter().flat_map(move |input| {
        chunk.records.iter().zip(starts.clone()).map(move |(record, next)| {
            let after = &chunk.text[record.text.end..next];
            let (text, line_end) = (&chunk.text[record.text.clone()], &after[..line_end_length(after)]);
            RecordView { input, line: record.line, text, line_end }
        })
    })
}

/// Checks that the records of all inputs fit into one file: that with the header of the first input, also if that has no
/// records.
#[derive(Debug)]
pub(in crate::jobs) struct TableCheck {
    first: Option<Arc<Input>>,
    /// The last input that was checked.
    last: Option<Arc<Input>>,
}

impl TableCheck {
    /// For the inputs of a corpus of which no record was read.
    pub(in crate::jobs) fn new(corpus: &Corpus) -> TableCheck {
        TableCheck { first: corpus.first_input().cloned(), last: None }
    }

    /// Checks the input of a chunk. The error is a [`CopyError`].
    pub(in crate::jobs) fn check_chunk<N>(&mut self, chunk: &Chunk<ChunkInput, N>) -> io::Result<()> {
        let input = chunk.input.as_ref().map(|chunk_input| &chunk_input.input);
        input.map_or(Ok(()), |input| self.check(input)).map_err(io::Error::other)
    }

    fn check(&mut self, input: &Arc<Input>) -> Result<(), CopyError> {
        if self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, input)) {
            return Ok(());
        }
        self.last = Some(Arc::clone(input));
        let first = self.first.get_or_insert_with(|| Arc::clone(input));
        if first.layout.format() == input.layout.format() && header(first) == header(input) {
            return Ok(());
        }
        Err(CopyError::OtherTable { input: input.name.clone(), first: first.name.clone() })
    }
}

/// The header of an input without its line end.
fn header(input: &Input) -> &[u8] {
    input.layout.header_text().trim_ascii_end()
}

/// Writes records to several outputs, each of which can be read again as the inputs were.
///
/// Each output starts with the header of the first input, if that has one; another header comes before the records of its
/// input. Where the last record of an input has no line end, it gets one before the next record follows, and between
/// grids is an empty line.
pub(in crate::jobs) struct RecordWriters<W: Write> {
    /// The first input.
    first: Arc<Input>,
    outputs: Vec<Output<W>>,
    /// The index of the output that got the last record.
    last: Option<usize>,
}

struct Output<W: Write> {
    writer: BufWriter<W>,
    /// The input whose header was written last.
    table: Arc<Input>,
    /// Whether it ends with a line end, or is empty.
    at_line_start: bool,
    /// Whether it has no record.
    is_empty: bool,
}

impl<W: Write> RecordWriters<W> {
    /// Writes the header of the first input to each output.
    pub(in crate::jobs) fn new(first: Arc<Input>, outputs: impl IntoIterator<Item = W>) -> io::Result<Self> {
        let mut writers = RecordWriters { first, outputs: vec![], last: None };
        outputs.into_iter().try_for_each(|output| writers.push(output))?;
        Ok(writers)
    }

    /// Adds an output.
    pub(in crate::jobs) fn push(&mut self, output: W) -> io::Result<()> {
        let writer = BufWriter::with_capacity(BUFFER, output);
        let table = Arc::clone(&self.first);
        let mut output = Output { writer, table, at_line_start: true, is_empty: true };
        output.write(self.first.layout.header_text())?;
        self.outputs.push(output);
        Ok(())
    }

    /// The number of outputs.
    pub(in crate::jobs) fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Writes a record to the output with this index, or to none.
    pub(in crate::jobs) fn write(&mut self, to: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        self.last = to;
        let Some(output) = to.map(|to| &mut self.outputs[to]) else { return Ok(()) };
        if !output.at_line_start {
            output.write(b"\n")?;
        }
        output.enter(record.input)?;
        let is_grid = record.input.layout.format() == InputFormat::Grids;
        if is_grid && !output.is_empty && !record.text.starts_with(b"\n") {
            // Without its title or its neighbours, a grid with too few rows would take some of the next one.
            output.write(b"\n")?;
        }
        output.is_empty = false;
        output.write(record.text)?;
        output.write(record.line_end)
    }

    /// Writes more text of the last record, which was cut off.
    pub(in crate::jobs) fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        self.last.map_or(Ok(()), |last| self.outputs[last].write(text))
    }

    /// Writes what is buffered, and returns the outputs.
    pub(in crate::jobs) fn into_outputs(self) -> io::Result<Vec<W>> {
        let into_output = |output: Output<W>| output.writer.into_inner().map_err(io::IntoInnerError::into_error);
        self.outputs.into_iter().map(into_output).collect()
    }
}

impl<W: Write> Output<W> {
    /// Writes the header of an input if it is another one than that of the records before.
    fn enter(&mut self, input: &Arc<Input>) -> io::Result<()> {
        if Arc::ptr_eq(&self.table, input) {
            return Ok(());
        }
        let last = std::mem::replace(&mut self.table, Arc::clone(input));
        if header(&last) == header(input) {
            return Ok(());
        }
        self.write(input.layout.header_text())?;
        if self.at_line_start { Ok(()) } else { self.write(b"\n") }
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        let Some(last) = text.last() else { return Ok(()) };
        self.at_line_start = matches!(last, b'\n' | b'\r');
        self.writer.write_all(text)
    }
}

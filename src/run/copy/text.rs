//! Writes records unchanged: their bytes and line ends, after the header of their table.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use super::error::CopyError;
use crate::corpus::{ChunkInput, Corpus, Input, RecordView};
use crate::pipeline::Chunk;

/// The number of bytes to collect before writing to an output.
const BUFFER: usize = 1 << 17;

/// Checks that the records of all inputs fit into one file: each has the header of the first input, even if that has no
/// records.
#[derive(Debug)]
pub(crate) struct TableCheck {
    first: Option<Arc<Input>>,
    /// The last input that was checked.
    last: Option<Arc<Input>>,
}

impl TableCheck {
    /// A check for the inputs of a corpus, before its first record is read.
    pub(crate) fn new(corpus: &Corpus) -> TableCheck {
        TableCheck { first: corpus.first_input().cloned(), last: None }
    }

    /// Checks the input of a chunk.
    pub(crate) fn check_chunk(&mut self, chunk: &Chunk<ChunkInput>) -> Result<(), CopyError> {
        let Some(ChunkInput { input, .. }) = &chunk.input else { return Ok(()) };
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

/// Outputs for records of text. Each output can be read in the same way as the inputs.
///
/// Each output starts with the header of the first input, if it has one; a different header comes before the records of
/// its input. If the last record of an input has no line end, a line end is added before the next record. Grids are
/// separated by an empty line.
pub(crate) struct TextOutputs<W: Write> {
    /// The first input.
    first: Arc<Input>,
    outputs: Vec<TextOutput<W>>,
    /// The index of the output that got the last record.
    last: Option<usize>,
}

struct TextOutput<W: Write> {
    writer: BufWriter<W>,
    /// The input of the last header.
    table: Option<Arc<Input>>,
    /// Whether the output ends with a line end, or is empty.
    at_line_start: bool,
    /// Whether the output has no record.
    is_empty: bool,
}

impl<W: Write> TextOutputs<W> {
    /// Outputs for the records of several inputs; `first` is the first input.
    pub(crate) fn new(first: Arc<Input>, outputs: Vec<W>) -> TextOutputs<W> {
        TextOutputs { first, outputs: outputs.into_iter().map(TextOutput::new).collect(), last: None }
    }

    /// The number of outputs that are open.
    pub(super) fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Whether no output has a record.
    pub(super) fn is_empty(&self) -> bool {
        self.outputs.iter().all(|output| output.is_empty)
    }

    /// Adds an output.
    pub(super) fn push(&mut self, output: W) {
        self.outputs.push(TextOutput::new(output));
    }

    /// Copies a record to the output with this index, or to none.
    pub(super) fn write(&mut self, to: Option<usize>, record: &RecordView<'_>) -> io::Result<()> {
        self.last = to;
        let Some(output) = to.map(|to| &mut self.outputs[to]) else { return Ok(()) };
        output.start(&self.first)?;
        if !output.at_line_start {
            output.write(b"\n")?;
        }
        output.enter(record.input)?;

        let needs_gap = record.input.layout.format().needs_gap();
        let text = record.text();
        if needs_gap && !output.is_empty && !text.starts_with(b"\n") {
            // Without its title or its neighbours, a grid with too few rows would absorb rows of the next grid.
            output.write(b"\n")?;
        }
        output.is_empty = false;
        output.write(&text)?;
        output.write(record.line_end)
    }

    /// Copies more text of the last record, if it was too long for its chunk.
    pub(super) fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        self.last.map_or(Ok(()), |last| self.outputs[last].write(text))
    }

    /// Flushes the buffers and returns the outputs.
    pub(super) fn finish(mut self) -> io::Result<Vec<W>> {
        self.outputs.iter_mut().try_for_each(|output| output.start(&self.first))?;
        let into_inner = |output: TextOutput<W>| {
            let mut output = output.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
            output.flush()?;
            Ok(output)
        };
        self.outputs.into_iter().map(into_inner).collect()
    }
}

impl<W: Write> TextOutput<W> {
    fn new(output: W) -> TextOutput<W> {
        let writer = BufWriter::with_capacity(BUFFER, output);
        TextOutput { writer, table: None, at_line_start: true, is_empty: true }
    }

    /// Writes the header of the first input, unless it was written already.
    fn start(&mut self, first: &Arc<Input>) -> io::Result<()> {
        if self.table.is_some() {
            return Ok(());
        }
        self.table = Some(Arc::clone(first));
        self.write(first.layout.header_text())
    }

    /// Writes the header of an input if it differs from the last header.
    fn enter(&mut self, input: &Arc<Input>) -> io::Result<()> {
        if self.table.as_ref().is_some_and(|table| Arc::ptr_eq(table, input)) {
            return Ok(());
        }
        let last = self.table.replace(Arc::clone(input));
        if last.is_some_and(|last| header(&last) == header(input)) {
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

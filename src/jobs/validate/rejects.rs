//! Copies the records that are not sound to an output: their bytes, line ends included, after the header of their table.

use std::io::{self, BufWriter, Write};

use crate::corpus::Input;
use crate::format::InputFormat;
use crate::jobs::JobError;
use crate::resume::OutputFile;

/// The output for records that are not sound, if there is one.
///
/// It can be read again as the input was. Where the last record of an input has no line end, it gets one before the next
/// record follows, and between grids is an empty line.
pub(super) struct Rejects {
    output: Option<BufWriter<OutputFile>>,
    /// The header that was written last.
    header: Vec<u8>,
    /// Whether the output ends with a line end, or is empty.
    at_line_start: bool,
    is_empty: bool,
    /// Whether the last record was copied.
    copied_last: bool,
    /// The first failure to write.
    failure: Option<io::Error>,
}

impl Rejects {
    pub(super) fn new(output: Option<OutputFile>) -> Rejects {
        let output = output.map(BufWriter::new);
        Rejects { output, header: Vec::new(), at_line_start: true, is_empty: true, copied_last: false, failure: None }
    }

    /// Copies a record of `input` and the line end after it.
    pub(super) fn copy(&mut self, input: &Input, record: &[u8], line_end: &[u8]) {
        let header = input.layout.header_text();
        if self.header != header {
            self.header = header.to_vec();
            self.start_line();
            self.write(header);
        }
        self.start_line();
        if input.layout.format() == InputFormat::Grids && !self.is_empty && !record.starts_with(b"\n") {
            // Without its title or its neighbours, a grid with too few rows would take some of the next one.
            self.write(b"\n");
        }
        self.write(record);
        self.write(line_end);
        self.copied_last = true;
    }

    /// Passes over a record that is sound.
    pub(super) fn skip(&mut self) {
        self.copied_last = false;
    }

    /// Takes more text of the last record, which was cut off.
    pub(super) fn rest_of_record(&mut self, text: &[u8]) {
        if self.copied_last {
            self.write(text);
        }
    }

    /// Returns the first failure to write.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Completes the output.
    pub(super) fn finish(mut self) -> Result<(), JobError> {
        self.check().map_err(JobError::Rejects)?;
        let Some(output) = self.output else { return Ok(()) };
        let output = output.into_inner().map_err(|error| JobError::Rejects(error.into_error()))?;
        Ok(output.finish()?)
    }

    fn start_line(&mut self) {
        if !self.at_line_start {
            self.write(b"\n");
        }
    }

    fn write(&mut self, text: &[u8]) {
        let (Some(output), Some(last)) = (&mut self.output, text.last()) else { return };
        self.at_line_start = matches!(last, b'\n' | b'\r');
        self.is_empty = false;
        if self.failure.is_none() {
            self.failure = output.write_all(text).err();
        }
    }
}

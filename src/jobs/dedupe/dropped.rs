//! Writes a table of the records that are dropped, with the lines that they repeat.

use std::io;

use crate::corpus::RecordView;
use crate::jobs::JobError;
use crate::jobs::first_seen::{Files, Location};
use crate::resume::{OutputError, OutputFile};

/// The table, if one is wanted: CSV with the columns `line`, `repeats_line` and `record`, and of several inputs also
/// `file` and `repeats_file`.
pub(super) struct Dropped {
    table: Option<csv::Writer<OutputFile>>,
    /// Whether rows name the inputs: there are several.
    names_inputs: bool,
}

impl Dropped {
    /// Writes the header.
    pub(super) fn new(output: Option<OutputFile>, names_inputs: bool) -> Result<Dropped, OutputError> {
        let mut table = output.map(|output| csv::WriterBuilder::new().buffer_capacity(1 << 17).from_writer(output));
        if let Some(table) = &mut table {
            let header = if names_inputs {
                &["file", "line", "repeats_file", "repeats_line", "record"][..]
            } else {
                &["line", "repeats_line", "record"]
            };
            table.write_record(header).map_err(|error| OutputError::Write(io_error(error)))?;
        }
        Ok(Dropped { table, names_inputs })
    }

    /// Writes a record that repeats the one at a location.
    pub(super) fn write(&mut self, record: &RecordView<'_>, repeated: Location, files: &Files) -> io::Result<()> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let (line, repeats_line) = (record.line.to_string(), repeated.line().to_string());
        let (line, repeats_line) = (line.as_bytes(), repeats_line.as_bytes());
        let text = record.text();
        let written = if self.names_inputs {
            let (name, repeats_name) = (record.input.name.as_bytes(), files.name(repeated).as_bytes());
            table.write_record([name, line, repeats_name, repeats_line, &text])
        } else {
            table.write_record([line, repeats_line, &text])
        };
        written.map_err(io_error)
    }

    /// Completes the table.
    pub(super) fn finish(self) -> Result<(), JobError> {
        let Some(table) = self.table else { return Ok(()) };
        let output = table.into_inner().map_err(|error| OutputError::Write(error.into_error()))?;
        Ok(output.finish()?)
    }
}

/// The error of the output. There is no other: any fields can be written.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

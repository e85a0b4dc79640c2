//! Writes each record to the output of its part, and counts it.

use std::io::{self, Write};
use std::sync::Arc;

use super::report::{Tally, ValueIndex};
use crate::corpus::{Input, RecordView};
use crate::jobs::copy::{NoKey, RecordWriters};

/// The outputs of the parts, and that of records without a group, which is opened with the first of them.
pub(super) struct PartOutputs<W: Write, F> {
    /// The number of parts.
    parts: usize,
    writers: RecordWriters<W>,
    open_unsplit: F,
    tally: Tally,
}

impl<W: Write, F: FnMut() -> io::Result<W>> PartOutputs<W, F> {
    /// Writes the header of the inputs to the outputs of the parts.
    pub(super) fn new(table: &Arc<Input>, outputs: Vec<W>, open_unsplit: F) -> io::Result<PartOutputs<W, F>> {
        let parts = outputs.len();
        let writers = RecordWriters::new(Arc::clone(table), outputs)?;
        Ok(PartOutputs { parts, writers, open_unsplit, tally: Tally::new(parts) })
    }

    /// Writes a record to its part, or to none, or to the output for records without a group.
    pub(super) fn write(
        &mut self,
        part: Result<Option<usize>, NoKey>,
        value: Option<ValueIndex>,
        record: &RecordView<'_>,
    ) -> io::Result<()> {
        match part {
            Ok(part) => {
                self.tally.count(part, value);
                self.writers.write(part, record)
            }
            Err(reason) => {
                self.tally.count_unsplit(reason);
                if self.writers.len() == self.parts {
                    let output = (self.open_unsplit)()?;
                    self.writers.push(output)?;
                }
                self.writers.write(Some(self.parts), record)
            }
        }
    }

    /// Writes more text of the last record, which was cut off.
    pub(super) fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        self.writers.rest_of_record(text)
    }

    /// Writes what is buffered; returns the counts and the outputs.
    pub(super) fn finish(self) -> io::Result<(Tally, Vec<W>)> {
        Ok((self.tally, self.writers.into_outputs()?))
    }
}

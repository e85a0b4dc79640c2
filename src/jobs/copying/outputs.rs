//! What all outputs of copied records have in common, whether these are text or rows with typed columns.

use std::io;

use crate::corpus::RecordView;
use crate::jobs::{Execution, JobError};
use crate::pipeline::End;
use crate::stats::StoppedAfter;

/// Some outputs.
pub(super) trait Outputs<W>: Send {
    /// The number of outputs that are open.
    fn len(&self) -> usize;

    /// Adds an output.
    fn push(&mut self, output: W);

    /// Copies the next record to the output with this index, or to none.
    fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()>;

    /// Copies more text of the last record, which was cut off.
    fn rest_of_record(&mut self, _text: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// Copies the record at a position, from 0, to an output after all were passed to [`Outputs::write`], with none as
    /// their output. Records come in order.
    fn write_late(&mut self, output: usize, position: usize, record: &RecordView<'_>) -> io::Result<()>;

    /// Completes the outputs of a run that ended so.
    fn finish(self: Box<Self>, pass: PassEnd, execution: &Execution) -> Result<Copied<W>, JobError>;
}

/// How a run ended, and after which record it was stopped.
pub(in crate::jobs) type PassEnd = (End, Option<StoppedAfter>);

/// What was copied.
pub(in crate::jobs) struct Copied<W> {
    pub(in crate::jobs) end: End,
    /// The last record of a run that was stopped.
    pub(in crate::jobs) stopped_after: Option<StoppedAfter>,
    pub(in crate::jobs) outputs: Vec<W>,
    /// Whether no output has a record.
    pub(in crate::jobs) is_empty: bool,
}

//! Runs a job on one record at a time, on the calling thread.
//!
//! ```text
//!   text -> RecordReader -> RecordLoop -> values
//! ```

use super::JobError;
use super::record_loop::{ChunkNote, RecordLoop, RecordWorker};
use super::tally::Tallied;
use crate::corpus::{ChunkInput, RecordReader};
use crate::pipeline::{Chunk, Work};
use crate::rows::Value;

/// A job that makes the row of one puzzle at a time, on the calling thread: the row of a corpus with this puzzle alone.
///
/// It keeps the memory of the solver from call to call, so that a call takes little longer than the search: a few
/// microseconds for an easy 9x9 puzzle. Nothing is counted for a report, and no records are copied.
///
/// ```
/// use gridmill::jobs::{Execution, Solve};
/// use gridmill::rows::Value;
///
/// let mut solver = Solve::new().columns(["status", "solution"]).one_by_one(vec![], false, &Execution::new())?;
/// let row = solver.row("1.3..........4.2", None)?;
/// assert_eq!(row.unwrap(), [Value::Text("unique".into()), Value::Text("1234432121433412".into())]);
/// # Ok::<(), gridmill::jobs::JobError>(())
/// ```
pub struct OneByOne(Option<Box<dyn MakesRow>>);

/// Makes the rows of a record.
trait MakesRow: Send {
    fn row(&mut self, puzzle: &str, answer: Option<&str>) -> Result<Option<Vec<Value>>, JobError>;
}

impl OneByOne {
    /// Gives the records of a reader to a worker, whose rows become values.
    pub(super) fn new<W: RecordWorker + 'static>(reader: RecordReader, records: RecordLoop<W>) -> OneByOne {
        OneByOne(Some(Box::new(SingleWorker { reader, records, chunk: Chunk::new() })))
    }

    /// A job that was stopped while it prepared: it has no rows.
    pub(super) fn stopped() -> OneByOne {
        OneByOne(None)
    }

    /// The values of the columns for a puzzle, as text in any form that a cell of a table may have, and for the answer
    /// beside it, if answers are read. If a record has several rows, they follow each other. `None` if the stop signal came.
    ///
    /// # Errors
    ///
    /// If it is not clear which alphabet the puzzle is written in.
    pub fn row(&mut self, puzzle: &str, answer: Option<&str>) -> Result<Option<Vec<Value>>, JobError> {
        self.0.as_mut().map_or(Ok(None), |worker| worker.row(puzzle, answer))
    }
}

impl std::fmt::Debug for OneByOne {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OneByOne").finish_non_exhaustive()
    }
}

/// A worker of a job, with what it needs for one record.
struct SingleWorker<W: RecordWorker> {
    reader: RecordReader,
    records: RecordLoop<W>,
    chunk: Chunk<ChunkInput, ChunkNote<W::Note>>,
}

impl<W: RecordWorker> MakesRow for SingleWorker<W> {
    fn row(&mut self, puzzle: &str, answer: Option<&str>) -> Result<Option<Vec<Value>>, JobError> {
        let SingleWorker { reader, records, chunk } = self;
        reader.read(puzzle, answer, chunk)?;
        records.work(chunk);
        // It would grow with the inputs.
        drop(records.take_tally());
        Ok(chunk.notes.pop().map(|note| note.parts.values))
    }
}

//! Runs a job whose rows become record batches or values: all records, or one record at a time on the calling thread.

use std::io;

use super::pipeline::{RowOutput, record_loop, records_of, write_rows};
use crate::arrow::{RecordBatch, SchemaRef, into_io};
use crate::corpus::{ChunkInput, Corpus, RecordReader};
use crate::format::InputOptions;
use crate::pipeline::{Chunk, End, Work};
use crate::rows::{RowContainer, RowParts, RowStyle, Value};
use crate::run::job::Job;
use crate::run::record_loop::{RecordLoop, RecordWorker, results_of};
use crate::run::tally::Tallied;
use crate::run::{Execution, Finished, JobError, RowJob};

impl<J: Job> RowJob<J> {
    /// Passes the rows to `each`: batches, in order. The format and the header do not matter; columns that the corpus
    /// keeps have the types of its first input.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and if `each` fails.
    pub fn run_table(
        mut self,
        mut corpus: Corpus,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        let style = self.batch_style(&mut corpus)?;
        let mut stage = self.job.stage(&corpus, execution)?;
        if J::prepare(&mut self, &mut stage, execution)? == End::Stopped {
            return self.stopped(stage, None, execution);
        }
        let mut pass_on = |parts: RowParts| parts.into_batches().try_for_each(|batch| each(batch.map_err(into_io)?));
        let mut output = io::sink();
        let (rows, records) = (RowOutput::Stream(&mut output), records_of(&self, &stage, corpus));
        write_rows(&self, &style, stage, records, rows, &mut pass_on, execution)?.finished(&self, execution)
    }

    /// The types of the columns of the rows of [`run_table`](Self::run_table).
    ///
    /// # Errors
    ///
    /// If the options contradict each other, or the first input cannot be read.
    pub fn table_schema(&self, corpus: &mut Corpus) -> Result<SchemaRef, JobError> {
        let style = self.batch_style(corpus)?;
        let RowContainer::Batches(schema) = style.container else { unreachable!("it is the style of batches") };
        Ok(schema)
    }

    /// Makes rows of one puzzle at a time, on the calling thread, in the alphabets and with the blank of `options`.
    /// `has_answers` says whether answers are given with the puzzles.
    ///
    /// # Errors
    ///
    /// If the options contradict each other, or the engine cannot be built.
    pub fn one_by_one(
        mut self,
        options: &InputOptions,
        has_answers: bool,
        execution: &Execution,
    ) -> Result<OneByOne, JobError> {
        let execution = &execution.without_report();
        let (reader, mut corpus) = RecordReader::new(options, has_answers)?;
        // Workers know all that is late: a record that is alone repeats no other.
        let table = self.table(&mut corpus)?;
        let style = RowStyle { table, container: RowContainer::Values, defers_late: false };
        let mut stage = self.job.stage(&corpus, execution)?;
        if J::prepare(&mut self, &mut stage, execution)? == End::Stopped {
            return Ok(OneByOne::stopped());
        }
        Ok(OneByOne::new(reader, record_loop(&self, &stage, &style, execution)?))
    }

    /// The style of the rows as record batches.
    fn batch_style(&self, corpus: &mut Corpus) -> Result<RowStyle, JobError> {
        let table = self.table(corpus)?;
        let schema = crate::rows::schema(&table, corpus.kept_fields());
        Ok(RowStyle { table, container: RowContainer::Batches(schema), defers_late: self.job.defers_late() })
    }
}

/// A job that makes the row of one puzzle at a time, on the calling thread: the same row as in a corpus with only this
/// puzzle.
///
/// It keeps the solver's memory from call to call, so that a call takes little longer than the search: a few
/// microseconds for an easy 9x9 puzzle. It counts nothing for a report, and copies no records.
///
/// ```
/// use gridmill::format::InputOptions;
/// use gridmill::jobs::{Execution, Solve};
/// use gridmill::rows::Value;
///
/// let (job, options) = (Solve::new().columns(["status", "solution"]), InputOptions::default());
/// let mut solver = job.one_by_one(&options, false, &Execution::new())?;
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
    /// Passes the records of a reader to a worker, whose rows become values.
    fn new<W: RecordWorker + 'static>(reader: RecordReader, records: RecordLoop<W>) -> OneByOne {
        OneByOne(Some(Box::new(SingleWorker { reader, records, chunk: Chunk::new() })))
    }

    /// A job that was stopped during its preparation: it has no rows.
    fn stopped() -> OneByOne {
        OneByOne(None)
    }

    /// The values of the columns for a puzzle, as text in any form that is allowed in a cell of a table, and its
    /// answer, if answers are read. If a record has several rows, they follow each other. `None` if the job was
    /// stopped.
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

/// A worker of a job, with the parser and memory for one record.
struct SingleWorker<W: RecordWorker> {
    reader: RecordReader,
    records: RecordLoop<W>,
    chunk: Chunk<ChunkInput>,
}

impl<W: RecordWorker> MakesRow for SingleWorker<W> {
    fn row(&mut self, puzzle: &str, answer: Option<&str>) -> Result<Option<Vec<Value>>, JobError> {
        let SingleWorker { reader, records, chunk } = self;
        reader.read(puzzle, answer, chunk)?;
        records.work(chunk);
        // Drop the tally, which would grow with each record.
        drop(records.take_tally());
        let results = std::mem::take(results_of::<W>(chunk));
        Ok(results.is_complete.then_some(results.parts.values))
    }
}

//! What a job with rows consists of: [`run`](super) does the rest.
//!
//! ```text
//!   RecordWorker (parallel)   what is done with a record, and its rows
//!   SerialStage               what depends on earlier records; counts of the rows of an interrupted run
//!   RowJob                    options, columns, what is reported
//! ```

use std::io;
use std::num::NonZeroUsize;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use strum::VariantArray;

use super::record_loop::{ChunkNote, RecordWorker};
use super::settings::RowSettings;
use super::{Execution, JobError, RecordSource};
use crate::corpus::{ChunkInput, Corpus, RecordView, Shard};
use crate::engine::Limit;
use crate::format::ParsedPuzzle;
use crate::pipeline::{Chunk, End};
use crate::resume::{NpyLayout, RowError};
use crate::rows::{Column, Field, OutputFormat, ReadRow, Row, RowParts, RowReader, Status};
use crate::stats::{Run, RunStats};

/// Something with the settings of a job with rows.
pub(crate) trait HasSettings {
    fn settings(&self) -> &RowSettings;
}

/// A job with rows for the records of a corpus.
pub(crate) trait RowJob: HasSettings + Sized {
    /// The name of its command.
    const NAME: &'static str;

    /// The formats of its rows beside Parquet.
    const FORMATS: &'static [OutputFormat] = &[OutputFormat::Csv, OutputFormat::Jsonl];

    /// Its rows.
    type Row: Row;
    type Worker: RecordWorker<Note = <Self::Stage as SerialStage>::Note, Counts = <Self::Stage as SerialStage>::Counts>
        + 'static;
    type Stage: SerialStage;
    type Report;

    /// All columns: [`Row::COLUMNS`], of which some may have another kind in this run.
    fn columns(&self, _inputs: usize) -> Vec<Column> {
        Self::Row::COLUMNS.to_vec()
    }

    /// Whether a column is among the default ones.
    fn is_default(&self, column: &Column, corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(column.name != Column::FILE.name || corpus.origins().len() > 1)
    }

    /// The columns without which an interrupted run cannot be resumed: those that say what was counted.
    fn resume_columns(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether there is not one row for each record: such a run can neither be resumed nor be sharded and merged.
    fn has_other_rows(&self) -> bool {
        false
    }

    /// Whether the rows of an interrupted run say what was counted, so that it can be resumed.
    fn is_resumable(&self) -> bool {
        true
    }

    /// Checks options of the job that contradict each other.
    fn check(&self, _shard: Option<Shard>) -> Result<(), JobError> {
        Ok(())
    }

    /// Checks options of the job that depend on an open corpus, before an output is opened.
    fn check_corpus(&self, _corpus: &Corpus) -> Result<(), JobError> {
        Ok(())
    }

    /// The options of the job that the bytes of the rows depend on, by their names on the command line. Options that are
    /// not given are missing.
    fn in_manifest(&self, _corpus: &Corpus) -> Vec<(&'static str, Value)> {
        vec![]
    }

    /// A second corpus that is read, too.
    fn reference(&self) -> Option<&Corpus> {
        None
    }

    /// The maximum numbers of records in the first chunks and in all of them, if other ones than usual.
    fn chunk_limits(&self) -> ChunkLimits {
        ChunkLimits::default()
    }

    /// The source of its records.
    fn source(&self, corpus: Corpus, _stage: &Self::Stage) -> impl RecordSource {
        corpus
    }

    /// Whether late columns are filled by the serial stage in this run; otherwise workers know them.
    fn defers_late(&self) -> bool {
        false
    }

    /// The number up to which solutions are counted.
    fn limit(&self) -> Limit {
        Limit::UNIQUE
    }

    /// Whether pencilmark puzzles are solved; otherwise they are malformed records.
    fn takes_pencilmarks(&self) -> bool {
        false
    }

    /// What its rows are as an array of `NumPy`.
    fn npy_layout(&self) -> NpyLayout {
        NpyLayout::Grids
    }

    /// Reads rows of a format without columns, if it has one row for each record.
    fn text_reader(&self) -> Option<Box<dyn RowReader>> {
        None
    }

    /// The serial stage, before the first record. Called before the outputs of rows are opened.
    fn stage(&mut self, corpus: &Corpus, execution: &Execution) -> Result<Self::Stage, JobError>;

    /// Prepares for the first record, once the outputs are open. [`End::Stopped`] if that was stopped.
    fn prepare(&mut self, _stage: &mut Self::Stage, _execution: &Execution) -> Result<End, JobError> {
        Ok(End::Complete)
    }

    /// A worker, which asks for the stop where a record may take long.
    fn worker(&self, stage: &Self::Stage, execution: &Execution) -> Result<Self::Worker, JobError>;

    /// The results.
    fn report(counts: <Self::Stage as SerialStage>::Counts, run: Run) -> Self::Report;
}

/// The maximum numbers of records in a chunk; `None` for the usual ones.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChunkLimits {
    /// In the first chunks, in case that records take long.
    pub(crate) first: Option<NonZeroUsize>,
    /// In all chunks.
    pub(crate) all: Option<NonZeroUsize>,
}

impl ChunkLimits {
    /// For jobs that rate puzzles. A hard puzzle takes a second: a few of them should not wait for one thread while others
    /// have nothing to do, nor be lost when the run is stopped.
    pub(crate) const OF_RATING: ChunkLimits = ChunkLimits { first: NonZeroUsize::new(4), all: None };
}

/// Counts that a job reports, and that shards save and `merge` adds up.
pub(crate) trait RunCounts: Clone + Send + Serialize + DeserializeOwned {
    /// The number of records.
    fn records(&self) -> u64;

    /// Adds the counts of other records.
    fn merge(&mut self, other: Self);
}

impl RunCounts for RunStats {
    fn records(&self) -> u64 {
        RunStats::records(self)
    }

    fn merge(&mut self, other: RunStats) {
        RunStats::merge(self, other);
    }
}

/// The part of a job that sees the records in the order of the input.
pub(crate) trait SerialStage: Send {
    /// What workers leave of a record.
    type Note: Send + 'static;
    type Counts: RunCounts;

    /// Whether [`SerialStage::record`] does anything.
    const TAKES_RECORDS: bool = true;

    /// Takes the next record with its note.
    fn record(&mut self, _record: &RecordView<'_>, _note: &mut Self::Note) -> io::Result<()> {
        Ok(())
    }

    /// Leaves out records of a chunk, all of which it has taken, with their rows.
    fn leave_out(&mut self, _chunk: &mut Chunk<ChunkInput, ChunkNote<Self::Note>>, _parts: &mut RowParts) {}

    /// Takes more text of the last record, which was cut off.
    fn rest_of_record(&mut self, _text: &[u8]) {}

    /// Returns the first failure of other outputs of the job.
    fn check(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The row of a record with the columns that are known late.
    fn late_row<'a>(&'a self, _note: &'a Self::Note) -> impl Row + 'a {
        NoRow
    }

    /// Counts a record by the row that an interrupted run wrote.
    ///
    /// # Errors
    ///
    /// If the row is damaged, or is not that of the record.
    fn replay(&mut self, row: &ReadRow<'_>, record: &ReplayedRecord<'_>) -> Result<(), RowError>;

    /// Takes the end of the run: completes other outputs of a complete one, unless that is stopped now.
    fn finish(&mut self, end: End, _execution: &Execution) -> Result<End, JobError> {
        Ok(end)
    }

    /// The counts so far.
    fn into_counts(self) -> Self::Counts;
}

/// A record whose row was read back.
pub(crate) struct ReplayedRecord<'a> {
    pub(crate) view: RecordView<'a>,
    /// The shape and the cells of the puzzle; `None` if the record is malformed.
    pub(crate) puzzle: Option<(ParsedPuzzle, &'a [u8])>,
    /// The puzzle in one line, or the text of a malformed record.
    pub(crate) text: &'a [u8],
}

impl ReplayedRecord<'_> {
    /// Another field than the location or the puzzle differs from the record.
    pub(crate) fn differs(&self, what: &'static str) -> RowError {
        RowError::Other(what, self.view.line)
    }

    /// The status in column `number` of the row; `None` if the row does not show it.
    ///
    /// # Errors
    ///
    /// If only one of the two, the row and the record, is malformed.
    pub(crate) fn status(&self, row: &ReadRow<'_>, number: usize) -> Result<Option<Status>, RowError> {
        let status = row.name(number, Status::NAMES).map(|index| Status::VARIANTS[index]);
        if status.is_some_and(|status| (status == Status::Malformed) == self.puzzle.is_some()) {
            return Err(self.differs("status"));
        }
        Ok(status)
    }
}

/// The serial stage of a job whose records do not depend on each other: it counts the rows of an interrupted run.
pub(crate) struct Replayed<C> {
    counts: C,
    count: fn(&mut C, &ReadRow<'_>, &ReplayedRecord<'_>) -> Result<(), RowError>,
}

impl<C> Replayed<C> {
    /// Adds the records of rows to `counts` by the function `count`.
    pub(crate) fn new(
        counts: C,
        count: fn(&mut C, &ReadRow<'_>, &ReplayedRecord<'_>) -> Result<(), RowError>,
    ) -> Replayed<C> {
        Replayed { counts, count }
    }
}

impl<C: RunCounts> SerialStage for Replayed<C> {
    type Note = ();
    type Counts = C;

    const TAKES_RECORDS: bool = false;

    fn replay(&mut self, row: &ReadRow<'_>, record: &ReplayedRecord<'_>) -> Result<(), RowError> {
        (self.count)(&mut self.counts, row, record)
    }

    fn into_counts(self) -> C {
        self.counts
    }
}

/// The row of a job without late columns.
struct NoRow;

impl Row for NoRow {
    const COLUMNS: &'static [Column] = &[];

    fn field<F: Field>(&self, _column: usize, _field: F) {}
}

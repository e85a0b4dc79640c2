//! The parts of a job with rows; [`run`](super) does the rest.
//!
//! ```text
//!   RecordWorker (parallel)   works on a record, and writes its rows
//!   SerialStage               takes the records in order: repeats, other outputs
//!   Job, JobParts             name, formats, report; columns, checks, and constructors of the other parts
//!   RowJob                    a job with the settings that all jobs share
//! ```

use std::io::{self, Read};
use std::marker::PhantomData;
use std::num::NonZeroUsize;

use serde::Serialize;
use serde_json::{Map, Value};

use super::execution::CHUNK;
use super::record_loop::RecordWorker;
use super::settings::{EngineSource, RowSettings};
use super::{Execution, JobError, RecordSource};
use crate::corpus::{ChunkInput, Corpus, RecordView, Shard};
use crate::engine::{Limit, MaxBranches};
use crate::output::NpyLayout;
use crate::pipeline::{Chunk, End};
use crate::rows::{Column, Field, OutputFormat, Row, RowParts};
use crate::stats::RunCounts;

/// A job together with the settings for its rows. [`Solve`](crate::jobs::Solve) and the other jobs with rows are
/// aliases of it.
#[derive(Clone, Debug, Default)]
pub struct RowJob<J> {
    pub(crate) job: J,
    pub(crate) settings: RowSettings,
}

impl<J> RowJob<J> {
    /// A job with these options and the default settings.
    pub fn of(job: J) -> RowJob<J> {
        RowJob { job, settings: RowSettings::default() }
    }

    /// The options.
    #[doc(hidden)]
    pub fn options(&self) -> &J {
        &self.job
    }
}

setters!(RowJob<J> {
    /// Sets the engine that solves puzzles. By default, it is the fastest for each size.
    engine(engine: impl Into<EngineSource>) => settings.engine = engine.into();

    /// Sets the maximum number of branches of a search; a puzzle that needs more is undecided. The default [depends on
    /// the size](MaxBranches::BySize).
    max_branches(max_branches: MaxBranches) => settings.max_branches = max_branches;

    /// Sets the format of the rows. By default, it is CSV. Parquet is chosen by the
    /// [target](crate::output::OutputTarget) of [`run_to`](RowJob::run_to).
    format(format: OutputFormat) => settings.format = format;

    /// Sets the columns by their [names](Column::name), in order. The default is all columns of the job that make sense
    /// for the run; `file` is only there if there are several inputs.
    ///
    /// Columns that the corpus [keeps](crate::format::InputOptions::keep) follow them.
    columns(names: impl IntoIterator<Item = impl Into<String>>) =>
        settings.columns = Some(names.into_iter().map(Into::into).collect());

    /// Sets whether CSV has a header. The default is `true`.
    header(header: bool) => settings.header = header;

    /// Sets whether [`run_to`](RowJob::run_to) continues the partial output of an interrupted run. By default, and without
    /// such an output, it starts over.
    resume(resume: bool) => settings.resume = resume;
});

impl<J: Job> RowJob<J> {
    /// The columns that rows can have, in the default order.
    pub const COLUMNS: &'static [Column] = J::Row::COLUMNS;

    /// The name of the command.
    pub const NAME: &'static str = J::NAME;
}

/// The options of a job with rows for the records of a corpus. It is run as [`RowJob`]. The trait is sealed.
#[expect(private_bounds, reason = "it is sealed")]
pub trait Job: JobParts {
    /// The name of its command.
    const NAME: &'static str;

    /// The formats of its rows, apart from Parquet.
    const FORMATS: &'static [OutputFormat] = OutputFormat::OF_TABLES;

    /// The results of a run.
    type Report: From<Counts<Self>> + Serialize + Send;
}

/// The internal part of a job. The options that its rows or its counts depend on are serialized, by their names on the
/// command line.
pub(crate) trait JobParts: Sized + Send + Serialize {
    /// The option for the column with answers, if the rows depend on it.
    const ANSWER_OPTION: Option<&'static str> = None;

    /// Its rows.
    type Row: Row;
    type Worker: RecordWorker<Note = <Self::Stage as SerialStage>::Note, Counts = <Self::Stage as SerialStage>::Counts>
        + 'static;
    type Stage: SerialStage;

    /// All columns: [`Row::COLUMNS`], some of them perhaps with another kind in this run.
    fn columns(&self, _inputs: usize) -> Vec<Column> {
        Self::Row::COLUMNS.to_vec()
    }

    /// Whether a column is among the default ones. The column `file` never is if a run has a single input.
    fn is_default(&self, _column: &Column, _corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(true)
    }

    /// The reason why some records have no row or several, in words that follow "a row for each record"; `None` if each
    /// has one. Other runs cannot be split into shards and merged.
    fn other_rows(rows: &RowJob<Self>) -> Option<&'static str> {
        (!rows.settings.format.has_columns()).then_some(": `to` csv or jsonl")
    }

    /// The reason why a run cannot be resumed, whatever its format: a few words that continue "a run".
    fn obstacle_to_resume(_rows: &RowJob<Self>) -> Option<&'static str> {
        None
    }

    /// Checks that the options of the job do not contradict each other.
    fn check(_rows: &RowJob<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        Ok(())
    }

    /// Checks options of the job that depend on an open corpus, before an output is opened.
    fn check_corpus(&self, _corpus: &mut Corpus) -> Result<(), JobError> {
        Ok(())
    }

    /// Whether text without columns has the columns that are kept.
    fn keeps_in_words(&self) -> bool {
        false
    }

    /// A second corpus that the job reads.
    fn reference(&self) -> Option<&Corpus> {
        None
    }

    /// The maximum numbers of records in the first chunks and in all of them.
    fn chunk_limits(_rows: &RowJob<Self>) -> ChunkLimits {
        ChunkLimits::default()
    }

    /// The source of its records.
    fn source(&self, corpus: Corpus, _stage: &Self::Stage) -> Box<RecordSource> {
        Box::new(corpus)
    }

    /// Whether the serial stage fills in late columns in this run; otherwise workers know their values.
    fn defers_late(&self) -> bool {
        false
    }

    /// The limit for counting solutions.
    fn limit(_rows: &RowJob<Self>) -> Limit {
        Limit::UNIQUE
    }

    /// Whether pencilmark puzzles are solved; otherwise they count as malformed records.
    fn takes_pencilmarks(_rows: &RowJob<Self>) -> bool {
        false
    }

    /// The layout of its rows as an array of `NumPy`.
    fn npy_layout(&self) -> NpyLayout {
        NpyLayout::Grids
    }

    /// The serial stage before the first record. Called before the outputs of rows are opened.
    fn stage(&mut self, corpus: &Corpus, execution: &Execution) -> Result<Self::Stage, JobError>;

    /// Prepares for the first record, once the outputs are open. Returns [`End::Stopped`] if it was stopped.
    fn prepare(_rows: &mut RowJob<Self>, _stage: &mut Self::Stage, _execution: &Execution) -> Result<End, JobError> {
        Ok(End::Complete)
    }

    /// A worker. It checks for a stop during work that may take long.
    fn worker(rows: &RowJob<Self>, stage: &Self::Stage, execution: &Execution) -> Result<Self::Worker, JobError>;
}

/// The options that are given, by their names on the command line: all with a value other than `null`, `false`, and an
/// empty list, and the bound on searches.
pub(crate) fn given_options(options: &impl Serialize, max_branches: MaxBranches) -> Map<String, Value> {
    let Ok(Value::Object(mut options)) = serde_json::to_value(options) else { unreachable!("options are plain data") };
    options.retain(|_, value| {
        !matches!(value, Value::Null | Value::Bool(false)) && value.as_array().is_none_or(|list| !list.is_empty())
    });
    if max_branches != MaxBranches::default() {
        options.insert("max-branches".into(), max_branches.to_string().into());
    }
    options
}

/// The counts of a job.
pub(crate) type Counts<J> = <<J as JobParts>::Stage as SerialStage>::Counts;

/// The maximum numbers of records in a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkLimits {
    /// In the first chunks, in case records take long; `None` for the usual number.
    pub(crate) first: Option<NonZeroUsize>,
    /// In all chunks. If text is compressed, a chunk ends at each multiple of this number, so that a frame can end
    /// there. It divides the size of a [block](crate::corpus::BLOCK) of shards.
    pub(crate) all: NonZeroUsize,
}

impl Default for ChunkLimits {
    fn default() -> ChunkLimits {
        ChunkLimits { first: None, all: CHUNK }
    }
}

impl ChunkLimits {
    /// The limits for jobs that rate puzzles. A hard puzzle takes a second: a few of them should not wait for one
    /// thread while the rest are idle, nor be lost when the run is stopped.
    pub(crate) const OF_RATING: ChunkLimits =
        ChunkLimits { first: NonZeroUsize::new(4), all: NonZeroUsize::new(64).unwrap() };
}

/// The part of a job that processes the records in the order of the input: in the thread of the writer, chunk after
/// chunk, before the rows of a chunk are written. Only this part may depend on earlier records.
pub(crate) trait SerialStage: Send {
    /// The note of a worker on a record.
    type Note: Send + 'static;
    type Counts: RunCounts;

    /// Whether [`SerialStage::record`] does anything.
    const TAKES_RECORDS: bool = true;

    /// Whether it saves notes on records.
    const SAVES_NOTES: bool = Self::TAKES_RECORDS;

    /// Processes the next record with the note of the worker. Appends to `saved` the bytes that
    /// [`SerialStage::restore`] needs.
    fn record(&mut self, _record: &RecordView<'_>, _note: &mut Self::Note, _saved: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }

    /// Removes records of a chunk, with their rows, after all of them were processed.
    fn leave_out(&mut self, _chunk: &mut Chunk<ChunkInput>, _parts: &mut RowParts) {}

    /// Processes more text of the last record, if it was too long for its chunk.
    fn rest_of_record(&mut self, _text: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// Returns the first failure that a worker has left in the stage.
    fn check(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The late columns of a record's row.
    fn late_row<'a>(&'a self, _note: &'a Self::Note) -> impl Row + 'a {
        NoRow
    }

    /// The state of the stage after the records so far, for a checkpoint, without the notes on single records.
    fn state(&self) -> Value {
        Value::Null
    }

    /// Restores the state that an interrupted run has saved.
    fn set_state(&mut self, _state: Value) -> serde_json::Result<()> {
        Ok(())
    }

    /// Restores the next record of an interrupted run, with its saved note.
    fn restore(&mut self, _record: &RecordView<'_>, _saved: &mut dyn Read) -> io::Result<()> {
        Ok(())
    }

    /// Ends the run. If it is complete, completes the job's other outputs.
    fn finish(&mut self, _end: End) -> Result<(), JobError> {
        Ok(())
    }

    /// Adds its own counts to the counts of the workers.
    fn add_counts(self, _counts: &mut Self::Counts)
    where
        Self: Sized,
    {
    }
}

/// The serial stage of a job whose records are independent of each other. It holds facts about the open corpus for the
/// workers.
pub(crate) struct Independent<C, F = ()> {
    pub(crate) facts: F,
    counts: PhantomData<fn() -> C>,
}

impl<C, F> Independent<C, F> {
    pub(crate) fn with(facts: F) -> Independent<C, F> {
        Independent { facts, counts: PhantomData }
    }
}

impl<C: RunCounts, F: Send> SerialStage for Independent<C, F> {
    type Note = ();
    type Counts = C;

    const TAKES_RECORDS: bool = false;
}

/// The row of a job without late columns.
struct NoRow;

impl Row for NoRow {
    const COLUMNS: &'static [Column] = &[];

    fn field<F: Field>(&self, _column: usize, _field: F) {}
}

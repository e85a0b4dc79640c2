//! Traces the puzzles of a corpus: the steps to each solution, as data for learning.

mod events;
mod row;
mod search;
mod text;
mod words;
mod worker;

use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use self::events::Events;
use self::row::{ARRAY_WIDTH, IMPLICATIONS, TraceRow, is_left_out};
use self::text::Text;
use self::worker::{TextFailure, TraceWorker};
use crate::corpus::{Corpus, Shard};
use crate::npy::Number;
use crate::options::OptionError;
use crate::output::NpyLayout;
use crate::rating::{Rater, RatingGoal, RatingOptions};
use crate::rows::{Column, OutputFormat, Row, Table};
use crate::run::job::{ChunkLimits, Job, JobParts, SerialStage};
use crate::run::{Execution, JobError, RowJob};
use crate::stats::{RunStats, Summary};

#[doc(hidden)]
pub use self::text::TextError;
pub use self::text::TracedPuzzle;
pub use self::words::TraceStep;

/// Traces every puzzle of a corpus that has exactly one solution, and writes a row for each record, in order.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::trace::TraceStyle;
/// use gridmill::jobs::{Execution, Trace};
///
/// let corpus = Corpus::open_path("data/4x4.txt")?;
/// let mut rows = Vec::new();
/// let job = Trace::new().style(TraceStyle::Search).columns(["kinds", "cells", "values"]);
/// let summary = job.run(corpus, &mut rows, &Execution::new())?.report;
/// assert_eq!(summary.records, 200);
/// assert!(rows.starts_with(b"kinds,cells,values\nstart;place;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Trace = RowJob<TraceOptions>;

/// The options of [`Trace`], as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct TraceOptions {
    pub(crate) style: TraceStyle,
    pub(crate) max_guesses: u64,
    pub(crate) top: usize,
    #[serde(skip)]
    text: Text,
}

/// The kind of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Display, IntoStaticStr, VariantArray, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TraceStyle {
    /// The steps of a [rating](super::Rate), for 9x9 puzzles: removed candidates and placements.
    #[default]
    Technique,
    /// A search with its guesses and failures, for puzzles of any size.
    Search,
    /// The placements of a rating, for 9x9 puzzles, each with the hardest technique since the one before.
    Order,
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        let (style, max_guesses) = (TraceStyle::default(), Trace::MAX_GUESSES);
        TraceOptions { style, max_guesses, top: 3, text: Text::default() }
    }
}

impl Trace {
    /// The default for the maximum number of guesses.
    pub const MAX_GUESSES: u64 = 10_000;

    /// Records the steps of a rating, and writes CSV with a row for each record.
    pub fn new() -> Trace {
        Trace::default()
    }
}

setters!(Trace {
    /// Sets the kind of a trace.
    style(style: TraceStyle) => job.style = style;

    /// Sets the maximum number of guesses in a search; a puzzle that needs more has no trace.
    max_guesses(max_guesses: u64) => job.max_guesses = max_guesses;

    /// Sets how a trace is written as text, for [`OutputFormat::Text`]. By default, this is the puzzle, a sentence for
    /// each step, and an empty line. `write` appends it to a text; an error ends the run.
    text(write: impl Fn(&TracedPuzzle<'_>, &mut String) -> Result<(), TextError> + Send + Sync + 'static) => job.text = Text::new(write);

    /// Sets the length of the summary's list of slowest puzzles.
    slowest(slowest: usize) => job.top = slowest;
});

impl Job for TraceOptions {
    const NAME: &'static str = "trace";
    const FORMATS: &'static [OutputFormat] = OutputFormat::OF_TRACES;

    type Report = Summary;
}

impl JobParts for TraceOptions {
    type Row = TraceRow<'static>;
    type Worker = TraceWorker;
    type Stage = TraceStage;

    fn takes_pencilmarks(_rows: &RowJob<Self>) -> bool {
        true
    }

    fn is_default(&self, column: &Column, _corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(!is_left_out(column.name, self.style))
    }

    fn check(rows: &RowJob<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        if rows.settings.format == OutputFormat::Npy && rows.job.style != TraceStyle::Order {
            let format = rows.settings.format;
            let reason = format!("`to` {format} has the order of placements alone; add `style` order");
            return Err(OptionError::new(reason).into());
        }
        Ok(())
    }

    fn keeps_in_words(&self) -> bool {
        !self.text.is_default()
    }

    fn chunk_limits(_rows: &RowJob<Self>) -> ChunkLimits {
        ChunkLimits::OF_RATING
    }

    fn npy_layout(&self) -> NpyLayout {
        NpyLayout::Numbers(Number::I16, ARRAY_WIDTH)
    }

    fn stage(&mut self, corpus: &Corpus, _execution: &Execution) -> Result<TraceStage, JobError> {
        let table = Table::new(TraceRow::COLUMNS, Some(&[]), &|_| false, &corpus.options().keep)?;
        Ok(TraceStage { failure: TextFailure::default(), kept: table.kept })
    }

    fn worker(rows: &RowJob<Self>, stage: &TraceStage, execution: &Execution) -> Result<TraceWorker, JobError> {
        // The words of a step name its implications, whatever the columns are.
        let is_text = rows.settings.format == OutputFormat::Text;
        let text = is_text.then(|| rows.job.text.clone());
        let is_default = is_text || !is_left_out(IMPLICATIONS, rows.job.style);
        let has_implications = rows.settings.has_column(IMPLICATIONS, is_default);
        let goal = if has_implications { RatingGoal::Implications } else { RatingGoal::Steps };
        Ok(TraceWorker {
            style: rows.job.style,
            max_guesses: rows.job.max_guesses,
            events: Events::new(is_text),
            text,
            failure: Arc::clone(&stage.failure),
            rater: Rater::with_options(RatingOptions { goal, max_er: None }).stop(execution.stop.clone()),
            stop: execution.stop.clone(),
            detail: String::new(),
            written: String::new(),
            kept: if is_text { stage.kept.clone() } else { vec![] },
            er: None,
            symbols: Default::default(),
            stats: RunStats::new(rows.job.top),
            cpu_time: execution.cpu_time,
        })
    }
}

/// The serial stage: ends the run if a trace cannot be written as text.
pub(crate) struct TraceStage {
    failure: TextFailure,
    /// The names of the columns that a text has from the input.
    kept: Vec<String>,
}

impl SerialStage for TraceStage {
    type Note = ();
    type Counts = RunStats;

    const TAKES_RECORDS: bool = false;

    fn check(&mut self) -> io::Result<()> {
        match self.failure.get() {
            Some(error) => Err(io::Error::other(error.to_string())),
            None => Ok(()),
        }
    }
}

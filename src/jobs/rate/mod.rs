//! Rates the puzzles of a corpus: how hard they are for a person.
//!
//! The fast engine first checks that a puzzle has exactly one solution. All other puzzles have a status and no rating.

mod row;
mod worker;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use self::row::{OF_STEPS, RateRow, StepRow};
use self::worker::RateWorker;
use crate::corpus::Corpus;
use crate::rating::{Difficulty, Rater, RatingGoal, RatingOptions};
use crate::rows::{Column, Row};
use crate::run::job::{ChunkLimits, Independent, Job, RowJob};
use crate::run::{Execution, JobError, Rows};
use crate::stats::{RunStats, Summary};

/// Rates every 9x9 puzzle of a corpus that has exactly one solution, and writes a row for each record, in order.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Rate};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let summary = Rate::new().run(corpus, &mut rows, &Execution::new())?.report;
/// assert!(rows.starts_with(b"line,puzzle,status,er,ep,ed,level,hardest,steps,techniques,detail\n1,"));
/// assert_eq!(summary.ratings.unwrap().er.values().sum::<u64>(), 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Rate = Rows<RateOptions>;

/// The options of [`Rate`].
#[doc(hidden)]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct RateOptions {
    pub steps: bool,
    pub only: Option<RateOnly>,
    pub max_er: Option<Difficulty>,
    pub top: usize,
}

/// The part of a rating to find.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum RateOnly {
    Er,
}

impl Default for RateOptions {
    fn default() -> RateOptions {
        RateOptions { steps: false, only: None, max_er: None, top: 3 }
    }
}

impl Rate {
    /// The columns of [rows for steps](Rate::steps), in the default order.
    pub const STEP_COLUMNS: &'static [Column] = StepRow::COLUMNS;

    /// Finds all steps, and writes CSV with a row for each record.
    pub fn new() -> Rate {
        Rate::default()
    }
}

setters!(Rate {
    /// Sets whether each step of each puzzle has a row, instead of each record. Records without a rating have none.
    steps(steps: bool) => job.steps = steps;

    /// Sets whether rows have ER and the level, but no other facts about the steps.
    only_er(only_er: bool) => job.only = only_er.then_some(RateOnly::Er);

    /// Ends the rating of a puzzle at its first step that is harder than this. Unless rows are for steps, hidden
    /// singles (up to 1.5) are then placed all at once.
    max_er(max_er: Difficulty) => job.max_er = Some(max_er);

    /// Sets the length of the summary's lists of slowest and hardest puzzles.
    slowest(slowest: usize) => job.top = slowest;
});

impl Job for RateOptions {
    const NAME: &'static str = "rate";

    type Report = Summary;
}

impl RowJob for RateOptions {
    type Row = RateRow<'static>;
    type Worker = RateWorker;
    type Stage = Independent<RunStats>;

    fn takes_pencilmarks(_rows: &Rows<Self>) -> bool {
        true
    }

    fn columns(&self, _inputs: usize) -> Vec<Column> {
        if self.steps { StepRow::COLUMNS.to_vec() } else { RateRow::COLUMNS.to_vec() }
    }

    fn is_default(&self, column: &Column, corpus: &mut Corpus) -> Result<bool, JobError> {
        let is_shown = match column.name {
            "file" => corpus.origins().len() > 1,
            name => self.only.is_none() || !OF_STEPS.contains(&name),
        };
        Ok(is_shown)
    }

    fn other_rows(rows: &Rows<Self>) -> Option<&'static str> {
        rows.job.steps.then_some(", but `steps` writes one for each step")
    }

    fn chunk_limits(_rows: &Rows<Self>) -> ChunkLimits {
        ChunkLimits::OF_RATING
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &Rows<Self>, _stage: &Self::Stage, execution: &Execution) -> Result<RateWorker, JobError> {
        let RateOptions { steps, only, max_er, top } = rows.job;
        let goal = match steps {
            true if rows.settings.has_column("implications", true) => RatingGoal::Implications,
            true => RatingGoal::Steps,
            false => RatingGoal::Counts,
        };
        Ok(RateWorker {
            steps,
            only_er: only.is_some(),
            rater: Rater::with_options(RatingOptions { goal, max_er }).stop(execution.stop.clone()),
            rated: vec![],
            written: 0,
            detail: String::new(),
            stats: RunStats::new(top).with_ratings(),
            cpu_time: execution.cpu_time,
        })
    }
}

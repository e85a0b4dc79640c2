//! Counts the solutions of partly filled grids.

mod moves;
mod row;
mod true_candidates;
mod worker;

use serde::{Deserialize, Serialize};

use self::row::StateRow;
use self::worker::{StateWorker, Wanted};
use crate::corpus::Corpus;
use crate::format::AnswerColumn;
use crate::rows::{Column, Status};
use crate::run::job::{Independent, Job, RowJob};
use crate::run::settings::RowSettings;
use crate::run::{Execution, JobError, Rows, kept_column};
use crate::stats::{Counts, RunCounts, merge_fields};

/// Counts the solutions of states: partly filled grids of puzzles. Also finds wrong cells, the first wrong move of a
/// list, true candidates, and the placements that singles force.
///
/// The states are in the column that [`AnswerColumn`] names: any text with a grid in it. If answers are
/// [ignored](AnswerColumn::Ignored), the puzzle is the state.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, States};
/// use gridmill::rows::Status;
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let report = States::new().candidates(true).run(corpus, &mut rows, &Execution::new())?.report;
/// assert_eq!(report.states[Status::Unique], 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type States = Rows<StatesOptions>;

/// The options of [`States`].
#[doc(hidden)]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct StatesOptions {
    pub moves_column: Option<String>,
    pub moves_from: Option<usize>,
    pub forced: bool,
    pub candidates: bool,
}

impl States {
    /// Counts solutions, and writes CSV with the columns that have values.
    pub fn new() -> States {
        States::default()
    }
}

impl StatesOptions {
    /// The index of the column with moves among the columns that the corpus keeps.
    fn moves_column(&self, corpus: &Corpus) -> Result<Option<usize>, JobError> {
        Ok(self.moves_column.as_ref().map(|name| kept_column(corpus, name)).transpose()?)
    }

    /// Whether any row has a value in a column.
    fn fills(&self, column: &str, has_states: bool) -> bool {
        match column {
            "state" | "filled" | "wrong" | "conflicts" | "changed" => has_states,
            "first_wrong" | "moves_status" => self.moves_column.is_some(),
            "forced" => self.forced,
            "backbone" | "candidates" => self.candidates,
            _ => true,
        }
    }
}

setters!(States {
    /// Sets the column with moves, such as `r1c3=4 r2c5=7` or `[[1, 3, 4], [2, 5, 7]]`. The column `first_wrong` has
    /// the number of the first move that leaves no solution. The corpus has to
    /// [keep](crate::format::InputOptions::keep) the column with moves.
    moves(column: impl Into<String>) => job.moves_column = Some(column.into());

    /// Sets the number of the first row and of the first column in moves, 0 or 1. By default it is 1, and moves that are
    /// wrong by this count and right if it were 0 are neither right nor wrong.
    moves_from(first: Option<usize>) => job.moves_from = first;

    /// Sets whether to fill the column `forced`: the blanks that naked and hidden singles fill.
    forced(forced: bool) => job.forced = forced;

    /// Sets whether to fill the columns `candidates` and `backbone`: the digits that occur in a solution, for each
    /// cell, and the digits that all solutions share.
    candidates(candidates: bool) => job.candidates = candidates;
});

/// The numbers of states by the number of their solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCounts {
    /// The number of records.
    pub records: u64,
    /// States by the number of their solutions. A record without a state counts as malformed.
    pub states: Counts<Status>,
}

impl StateCounts {
    fn add(&mut self, status: Status) {
        self.records += 1;
        self.states[status] += 1;
    }
}

impl RunCounts for StateCounts {
    fn records(&self) -> u64 {
        self.records
    }
}

merge_fields!(StateCounts: records, states);

impl Job for StatesOptions {
    const NAME: &'static str = "states";

    type Report = StateCounts;
}

impl RowJob for StatesOptions {
    const ANSWER_OPTION: Option<&'static str> = Some("state-column");

    type Row = StateRow<'static>;
    type Worker = StateWorker;
    /// With the index of the column with moves.
    type Stage = Independent<StateCounts, Option<usize>>;

    fn is_default(&self, column: &Column, corpus: &mut Corpus) -> Result<bool, JobError> {
        let has_states = corpus.options().answer != AnswerColumn::Ignored;
        let is_file = column.name == Column::FILE.name;
        Ok(self.fills(column.name, has_states) && (!is_file || corpus.origins().len() > 1))
    }

    fn check_corpus(&self, corpus: &mut Corpus) -> Result<(), JobError> {
        self.moves_column(corpus).map(drop)
    }

    fn stage(&mut self, corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(self.moves_column(corpus)?))
    }

    fn worker(rows: &Rows<Self>, stage: &Self::Stage, execution: &Execution) -> Result<StateWorker, JobError> {
        let RowSettings { engine, max_branches, .. } = &rows.settings;
        let StatesOptions { moves_from, forced, candidates, .. } = rows.job;
        let wanted = Wanted { moves: stage.facts, moves_from, forced, candidates };
        Ok(StateWorker::new(wanted, execution.solver(engine.build()?, *max_branches)))
    }
}

//! Counts the solutions of partly filled grids.

mod moves;
mod true_candidates;
mod worker;

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use self::worker::{StateWorker, Wanted};
use crate::corpus::Corpus;
use crate::format::{Alphabet, AnswerColumn};
use crate::puzzle::Geometry;
use crate::rows::{Column, Kind, Row, Status, Subject, column, row};
use crate::run::job::{Independent, Job, JobParts};
use crate::run::settings::RowSettings;
use crate::run::{Execution, JobError, RowJob, kept_column};
use crate::scoring::{Assessment, digits};
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
pub type States = RowJob<StatesOptions>;

/// The options of [`States`], as plain data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct StatesOptions {
    /// The column with moves.
    pub moves_column: Option<String>,
    pub(crate) moves_from: Option<usize>,
    pub(crate) forced: bool,
    pub(crate) candidates: bool,
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

/// The row of a record.
pub(crate) struct StateRow<'a> {
    file: &'a str,
    line: u64,
    subject: Subject<'a>,
    status: Status,
    /// The symbols of the puzzle.
    alphabet: &'a Alphabet,
    /// The cells of the state, and its properties; `None` without a state.
    state: Option<(&'a [u8], &'a StateFacts)>,
    /// The status of its moves, if it has a column of moves, and the number of the first move that leaves no solution.
    moves: Option<MovesStatus>,
    first_wrong: Option<u64>,
    detail: &'a str,
}

/// The status of a list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase")]
enum MovesStatus {
    /// There is a solution after all moves.
    Right,
    /// There is no solution after one of the moves, or before the first.
    Wrong,
    /// A move cannot be read, or it is not clear whether rows and columns count from 0.
    Unreadable,
    /// A search gave up.
    Undecided,
}

/// The properties of a state.
#[derive(Clone, Debug, Default)]
struct StateFacts {
    /// The number of solutions, counted up to two; `None` if unknown.
    solutions: Option<u64>,
    assessment: Assessment,
    /// The number of filled cells that differ from the only solution of the puzzle.
    wrong: Option<usize>,
    /// The digits that singles force in each cell, if requested.
    forced: Option<Vec<u32>>,
    /// The true candidates of each cell, if requested and known.
    candidates: Option<Vec<u32>>,
}

impl Row for StateRow<'_> {
    row! {
        |self, field| {
            let facts = self.state.map(|(_, facts)| facts);
            let count = |of: fn(&Assessment) -> usize| facts.map(|facts| of(&facts.assessment) as u64);
            let candidates = facts.and_then(|facts| facts.candidates.as_deref());
        }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!("state", Kind::Text, "the state in one line").nullable() =>
            field.symbols_if_known(self.alphabet, self.state.map(|(cells, _)| cells), b'.');
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed: of the state") =>
            field.name(Status::NAMES, self.status as usize);
        column!("solutions", Kind::Number, "its solutions: 0, 1, or 2 for more; none if that is not known")
            .nullable() => field.number_if_known(facts.and_then(|facts| facts.solutions));

        column!("blanks", Kind::Number, "the blanks of the puzzle").nullable() =>
            field.number_if_known(count(|state| state.blanks));
        column!("filled", Kind::Number, "the blanks that the state fills").nullable() =>
            field.number_if_known(count(|state| state.filled));
        column!("wrong", Kind::Number, "those that it fills otherwise than the only solution of the puzzle")
            .nullable() => field.number_if_known(facts.and_then(|facts| facts.wrong).map(|wrong| wrong as u64));
        column!("conflicts", Kind::Number, "the cells of the state whose digit occurs again in a house").nullable() =>
            field.number_if_known(count(|state| state.conflicts));
        column!("changed", Kind::Number, "the clues that the state lacks or has changed").nullable() =>
            field.number_if_known(count(|state| state.changed));

        column!(
            "first_wrong",
            Kind::Number,
            "with `moves-column`, the first move, from 1, that leaves no solution; 0 if the puzzle has none; none if \
             moves_status is not wrong"
        )
        .nullable() => field.number_if_known(self.first_wrong);
        column!(
            "moves_status",
            Kind::Name(MovesStatus::VARIANTS),
            "with `moves-column`, right, wrong, unreadable or undecided: detail has the reason"
        )
        .nullable() => field.name_if_known(MovesStatus::VARIANTS, self.moves.map(|status| status as usize));

        column!("forced", Kind::Texts, "with `forced`, the blanks that naked and hidden singles fill: r1c2=3") =>
            field.texts(self.forced());
        column!("backbone", Kind::Text, "with `candidates`, the digits that all solutions share, in one line")
            .nullable() => field.symbols_if_known(self.alphabet, candidates.map(backbone).as_deref(), b'.');
        column!(
            "candidates",
            Kind::Text,
            "with `candidates`, for each cell a symbol for each digit: the digit if it occurs in a solution, or a point"
        )
        .nullable() =>
            field.symbols_if_known(self.alphabet, candidates.map(|sets| self.digits(sets)).as_deref(), b'.');
        column!("detail", Kind::Text, "the reason for the status, where there is one to give").nullable() =>
            field.text_if_any(self.detail);
    }
}

impl StateRow<'_> {
    /// `r1c2=3` for each digit that singles force.
    fn forced(&self) -> impl Iterator<Item = String> {
        let (geometry, alphabet) = (Geometry::of(self.alphabet.size()), self.alphabet);
        let forced = self.state.and_then(|(_, facts)| facts.forced.as_deref());
        forced.into_iter().flatten().enumerate().flat_map(move |(cell, &set)| {
            digits(set).map(move |digit| format!("{}={}", geometry.name(cell), char::from(alphabet.symbol(digit))))
        })
    }

    /// For each cell and each digit, the digit if it is a candidate, or 0.
    fn digits(&self, candidates: &[u32]) -> Vec<u8> {
        let side = self.alphabet.size().side();
        let mut all = vec![0; side * candidates.len()];
        for (cell, &set) in all.chunks_exact_mut(side).zip(candidates) {
            digits(set).for_each(|digit| cell[usize::from(digit) - 1] = digit);
        }
        all
    }
}

/// The digits of the cells with one candidate.
fn backbone(candidates: &[u32]) -> Vec<u8> {
    let value = |&set: &u32| if set.is_power_of_two() { set.trailing_zeros() as u8 + 1 } else { 0 };
    candidates.iter().map(value).collect()
}

impl Job for StatesOptions {
    const NAME: &'static str = "states";

    type Report = StateCounts;
}

impl JobParts for StatesOptions {
    const ANSWER_OPTION: Option<&'static str> = Some("state-column");

    type Row = StateRow<'static>;
    type Worker = StateWorker;
    /// With the index of the column with moves.
    type Stage = Independent<StateCounts, Option<usize>>;

    fn is_default(&self, column: &Column, corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(self.fills(column.name, corpus.options().answer != AnswerColumn::Ignored))
    }

    fn check_corpus(&self, corpus: &mut Corpus) -> Result<(), JobError> {
        self.moves_column(corpus).map(drop)
    }

    fn stage(&mut self, corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(self.moves_column(corpus)?))
    }

    fn worker(rows: &RowJob<Self>, stage: &Self::Stage, execution: &Execution) -> Result<StateWorker, JobError> {
        let RowSettings { engine, max_branches, .. } = &rows.settings;
        let StatesOptions { moves_from, forced, candidates, .. } = rows.job;
        let wanted = Wanted { moves: stage.facts, moves_from, forced, candidates };
        Ok(StateWorker::new(wanted, execution.solver(engine.build()?, *max_branches)))
    }
}

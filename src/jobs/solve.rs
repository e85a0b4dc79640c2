//! Solves a corpus: one row for each record.

use std::fmt::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, Shard};
use crate::engine::Limit;
use crate::engine::solver::Question;
use crate::format::Malformed;
use crate::options::OptionError;
use crate::puzzle::rules;
use crate::rows::{Column, Field, GridsRow, Kind, OutputFormat, Row, Status, column, row};
use crate::run::job::{ChunkLimits, Independent, Job, JobParts};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedPuzzle, SolvedRecord};
use crate::run::records::{ConflictMessage, GaveUpMessage, InputParsers};
use crate::run::{Execution, JobError, RowJob};
use crate::stats::{PuzzleSource, RunStats, Summary};

/// The number of solutions of a puzzle to list without a given limit.
const LISTING_LIMIT: Limit = Limit::new(NonZeroU64::new(1000).unwrap());

/// The maximum number of records in a chunk where each may have many solutions, to keep the output of a chunk small.
const LISTING_CHUNK: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Solves every puzzle of a corpus, and writes a row for each record, in order.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Solve};
///
/// let corpus = Corpus::open_path("data/4x4.txt")?;
/// let mut rows = Vec::new();
/// let job = Solve::new().first(true).columns(["line", "solution"]);
/// let summary = job.run(corpus, &mut rows, &Execution::new().threads(2))?.report;
/// assert_eq!(summary.records, 200);
/// assert!(rows.starts_with(b"line,solution\n1,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Solve = RowJob<SolveOptions>;

/// The options of [`Solve`], as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SolveOptions {
    pub(crate) limit: Option<NonZeroU64>,
    pub(crate) first: bool,
    pub(crate) all: bool,
    pub(crate) top: usize,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions { limit: None, first: false, all: false, top: 3 }
    }
}

impl Solve {
    /// Counts solutions up to two with the fastest engine, and writes CSV with all columns.
    pub fn new() -> Solve {
        Solve::default()
    }

    /// Whether rows have lists of solutions, as in a listing unless the first one is asked for.
    fn lists(&self) -> bool {
        self.job.all || (self.settings.format == OutputFormat::Listing && !self.job.first)
    }

    /// The question about every puzzle.
    fn question(&self) -> Question {
        let limit = self.job.limit.map(Limit::new);
        if self.lists() {
            Question::All(limit.unwrap_or(LISTING_LIMIT))
        } else {
            Question::first_or_count(self.job.first, limit)
        }
    }
}

setters!(Solve {
    /// Sets the number of solutions at which counting or listing stops. The default is two for counting, a thousand for
    /// listing. A limit of one is the same as [`first`](Solve::first).
    limit(limit: NonZeroU64) => job.limit = Some(limit);

    /// Sets whether to find the first solution in lexicographic order, even if there are several.
    first(first: bool) => job.first = first;

    /// Sets whether rows list all solutions, in lexicographic order.
    all(all: bool) => job.all = all;

    /// Sets the length of the summary's list of slowest puzzles.
    slowest(slowest: usize) => job.top = slowest;
});

/// The row of a record.
#[derive(Clone, Copy)]
pub(crate) struct SolveRow<'a> {
    /// The name of the input.
    file: &'a str,
    status: Status,
    /// The facts that formats without columns print, too: line, puzzle, count, detail, and all, one or none of the
    /// solutions.
    solved: GridsRow<'a>,
    /// Whether the row has a list of solutions, or at most one solution.
    lists: bool,
    /// The number of guesses of the search; `None` if it was not complete.
    branches: Option<u64>,
    /// The time for solving, in nanoseconds.
    nanos: u64,
}

impl Row for SolveRow<'_> {
    row! {
        |self, field|

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.solved.line);
        Column::PUZZLE => field.subject(self.solved.subject);
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed") =>
            field.name(Status::NAMES, self.status as usize);
        column!("solutions", Kind::Number, "the number of solutions, counted up to the limit; none if it is not known")
            .nullable() => field.number_if_known(self.solved.solutions);
        column!("solution", Kind::Text, "the solution in one line; with `all`, a list of all of them").nullable() =>
            self.solution(field);
        column!("branches", Kind::Number, "the number of guesses of the search; none if it was not complete")
            .nullable() => field.number_if_known(self.branches);
        column!("nanos", Kind::Number, "the time for solving, in nanoseconds") => field.number(self.nanos);
        column!("detail", Kind::Text, "the reason for the status, where there is one to give").nullable() =>
            field.text_if_any(self.solved.detail);
    }

    fn grids(&self) -> &GridsRow<'_> {
        &self.solved
    }
}

impl SolveRow<'_> {
    #[inline(always)]
    fn solution<F: Field>(&self, field: F) {
        if self.lists {
            return field.grids(self.solved.grids());
        }
        match self.solved.grids().next() {
            Some(grid) => field.symbols(grid.alphabet, grid.cells, b'0'),
            None => field.null(),
        }
    }
}

/// The `detail` of a puzzle with more solutions than were listed.
const MORE_SOLUTIONS: &str = "there are more";

/// Writes the rows of records, and counts them.
pub(crate) struct SolveWorker {
    question: Question,
    detail: String,
    stats: RunStats,
}

impl SolveWorker {
    /// Handles a malformed record. These are rare.
    #[cold]
    fn malformed(&mut self, file: &str, solved: GridsRow<'_>, reason: Malformed, emit: &mut Emit<'_, ()>) {
        self.stats.add_malformed();
        self.detail.clear();
        let _ = write!(self.detail, "{reason}");
        emit.row(&SolveRow {
            file,
            status: Status::Malformed,
            solved: GridsRow { status: Some(Status::Malformed), solutions: Some(0), detail: &self.detail, ..solved },
            lists: matches!(self.question, Question::All(_)),
            branches: Some(0),
            nanos: 0,
        });
    }
}

impl RecordWorker for SolveWorker {
    type Note = ();
    type Counts = RunStats;

    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        Some(self.question)
    }

    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        self.stats.add_engine_cpu(chunk.engine_cpu);
        ControlFlow::Continue(())
    }

    #[inline]
    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        // No reference to the record goes to a function that is not inlined: its fields would be stored, and read again
        // before the stores are done, which took 6 % of a run.
        let (file, line, subject) = (&*record.input.name, record.line, record.subject);
        let puzzle = match record.puzzle {
            Ok(puzzle) => puzzle,
            Err(reason) => {
                let solved = GridsRow { line, after_gap: !record.is_first, ..GridsRow::new(subject, &[]) };
                self.malformed(file, solved, reason, emit);
                return ControlFlow::Continue(());
            }
        };
        let SolvedPuzzle { shape, alphabet, .. } = puzzle;
        let answer = puzzle.answer();
        let solutions = answer.known_solutions();
        let status = Status::from_known(solutions);

        // Explain why there is no solution, or not all of them. Most records have no detail and need no work.
        let detail = if let Some(max_branches) = answer.gave_up_after {
            self.detail.clear();
            let _ = write!(self.detail, "{}", GaveUpMessage { max_branches, found: answer.solutions });
            &*self.detail
        } else if status == Status::None
            && let Some(conflict) = rules::conflict(shape.size, answer.puzzle)
        {
            self.detail.clear();
            ConflictMessage(conflict, alphabet).push_to(&mut self.detail);
            &*self.detail
        } else if answer.more {
            self.stats.add_not_all_listed();
            MORE_SOLUTIONS
        } else {
            ""
        };

        self.stats.add_puzzle(status, shape.clues.into(), answer.cost, move || PuzzleSource::of(file, line, subject));
        emit.row(&SolveRow {
            file,
            status,
            solved: GridsRow {
                line,
                subject,
                printed: answer.grids,
                after_gap: shape.after_blank_line && !record.is_first,
                status: Some(status),
                solutions,
                detail,
            },
            lists: matches!(self.question, Question::All(_)),
            branches: answer.cost.branches,
            nanos: answer.cost.nanos,
        });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut RunStats {
        &mut self.stats
    }
}

impl Job for SolveOptions {
    const NAME: &'static str = "solve";
    const FORMATS: &'static [OutputFormat] = OutputFormat::OF_SOLUTIONS;

    type Report = Summary;
}

impl JobParts for SolveOptions {
    type Row = SolveRow<'static>;
    type Worker = SolveWorker;
    type Stage = Independent<RunStats>;

    fn columns(&self, _inputs: usize) -> Vec<Column> {
        let mut columns = SolveRow::COLUMNS.to_vec();
        if self.all {
            for solution in columns.iter_mut().filter(|column| column.name == "solution") {
                *solution = Column { nullable: false, ..solution.of_kind(Kind::Texts) };
            }
        }
        columns
    }

    fn check(rows: &RowJob<Self>, _shard: Option<Shard>) -> Result<(), JobError> {
        let format = rows.settings.format;
        if rows.lists() && format == OutputFormat::Npy {
            let reason = format!("the output format {format} has at most one solution of each puzzle");
            return Err(OptionError::new(reason).into());
        }
        Ok(())
    }

    fn takes_pencilmarks(rows: &RowJob<Self>) -> bool {
        matches!(rows.question(), Question::Count(_))
    }

    fn chunk_limits(rows: &RowJob<Self>) -> ChunkLimits {
        if rows.lists() { ChunkLimits { all: LISTING_CHUNK, first: None } } else { ChunkLimits::default() }
    }

    fn limit(rows: &RowJob<Self>) -> Limit {
        rows.question().limit()
    }

    fn other_rows(rows: &RowJob<Self>) -> Option<&'static str> {
        let format = rows.settings.format;
        let has_other = !format.has_columns() && (format != OutputFormat::Lines || rows.lists());
        has_other.then_some(": `to` csv or jsonl, or lines without `all`")
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &RowJob<Self>, _stage: &Self::Stage, _execution: &Execution) -> Result<SolveWorker, JobError> {
        Ok(SolveWorker { question: rows.question(), detail: String::new(), stats: RunStats::new(rows.job.top) })
    }
}

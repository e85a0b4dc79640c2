//! Rates the puzzles of a corpus: how hard they are for a person.
//!
//! The engine first solves all puzzles of a chunk together: only puzzles with exactly one solution are rated. All other
//! puzzles have a status and no rating.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::corpus::Corpus;
use crate::engine::Cost;
use crate::engine::solver::{Answer, InterruptedError};
use crate::format::Alphabet;
use crate::rating::{
    Candidates, Difficulty, Rated, Rater, RatingEnd, RatingGoal, RatingOptions, Step, StepCounts, cell_name,
};
use crate::rows::{Column, Kind, Row, Status, Subject, column, row};
use crate::run::job::{ChunkLimits, Independent, Job, JobParts};
use crate::run::rated::{Ratable, UNSOLVED, push_reason};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedPuzzle, SolvedRecord};
use crate::run::records::ParsedRecord;
use crate::run::{Execution, JobError, RowJob};
use crate::stats::{PuzzleRating, PuzzleSource, RatingStats, RunStats, Summary, decimal};

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
pub type Rate = RowJob<RateOptions>;

/// The options of [`Rate`], as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct RateOptions {
    pub(crate) steps: bool,
    pub(crate) only: Option<RateOnly>,
    pub(crate) max_er: Option<Difficulty>,
    pub(crate) top: usize,
}

/// The part of a rating to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum RateOnly {
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

/// The result for a record.
pub(crate) struct RateRow<'a> {
    /// The name of the input.
    file: &'a str,
    line: u64,
    subject: Subject<'a>,
    status: Status,
    /// `None` if the puzzle is not rated.
    rated: Option<&'a RatedRecord>,
    detail: &'a str,
}

/// The columns with properties of steps.
const OF_STEPS: [&str; 5] = ["ep", "ed", "hardest", "steps", "techniques"];

impl Row for RateRow<'_> {
    row! {
        |self, field|

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!("status", Kind::Name(Status::NAMES), "unique, multiple, none, undecided or malformed") =>
            field.name(Status::NAMES, self.status as usize);
        ..Rated::COLUMNS, 7 => |number| match self.rated {
            Some(rated) => rated.rated.field(number, field),
            None => field.null(),
        };
        column!("detail", Kind::Text, "why there is no rating, or no exact one").nullable() =>
            field.text_if_any(self.detail);
    }
}

/// The rating of a record, and its cost.
#[derive(Clone, Debug)]
struct RatedRecord {
    rated: Rated,
    /// The time for the rating, in nanoseconds.
    nanos: u64,
}

impl RatedRecord {
    /// Counts the rating of a puzzle. Leaves out its steps if rows do not show them, so that a resumed run has the same
    /// counts.
    fn count(&self, stats: &mut RatingStats, has_steps: bool, location: (&str, u64), puzzle: impl FnOnce() -> String) {
        let known =
            |difficulty: Difficulty| Some(difficulty).filter(|&known| has_steps && known != Difficulty::default());
        let Rated { rating, steps } = &self.rated;
        let puzzle_rating = PuzzleRating {
            er: self.rated.er(),
            ep: known(rating.ep),
            ed: known(rating.ed),
            hardest: steps.hardest().filter(|_| has_steps),
        };
        stats.add(puzzle_rating, steps.techniques().filter(|_| has_steps), location, puzzle);
    }
}

/// One step of the solution of a puzzle:
///
/// ```text
/// [file,]line,puzzle,step,technique,difficulty,cells,digits,houses,eliminations,placements,candidates,implications,
/// kept ...
/// ```
pub(crate) struct StepRow<'a> {
    /// The name of the input.
    file: &'a str,
    line: u64,
    subject: Subject<'a>,
    /// The number of the step, from 1.
    number: u64,
    /// The candidates before the step.
    candidates: &'a Candidates,
    step: &'a Step,
}

impl Row for StepRow<'_> {
    row! {
        |self, field| { let step = self.step; }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!("step", Kind::Number, "the number of the step, from 1") => field.number(self.number);
        column!("technique", Kind::Text, "its technique") => field.text(step.technique.name());
        column!("difficulty", Kind::Decimal, "its difficulty") => field.decimal(decimal(step.difficulty));
        column!("cells", Kind::Texts, "the cells of its pattern, such as r4c5") =>
            field.texts(step.cells.into_iter().map(cell_name));
        column!("digits", Kind::Text, "the digits of its pattern, such as {4,7}") =>
            field.text(&step.digits.to_string());
        column!("houses", Kind::Texts, "the houses of its pattern, such as box 5") =>
            field.texts(step.houses.iter().map(ToString::to_string));
        column!("eliminations", Kind::Texts, "the candidates that it removes, such as r4c6<>{4,7}") =>
            field.texts(step.eliminations.iter().map(ToString::to_string));
        column!("placements", Kind::Texts, "the digits that it places, such as r4c5=7") =>
            field.texts(step.placement.iter().map(ToString::to_string));
        column!("candidates", Kind::Text, "all candidates before the step: 729 symbols") =>
            field.text(&self.candidates.to_string());
        column!("implications", Kind::Texts, "what follows in a chain, and from what: r4c5=7, r4c6<>7:0") =>
            field.texts(step.implications.iter().map(ToString::to_string));
    }
}

/// Rates puzzles, and writes their rows.
pub(crate) struct RateWorker {
    steps: bool,
    only_er: bool,
    rater: Rater,
    /// The rated puzzles of the chunk, in order, and the number of them whose rows are written.
    rated: Vec<RatedRecord>,
    written: usize,
    detail: String,
    stats: RunStats,
    cpu_time: fn() -> Duration,
}

impl RecordWorker for RateWorker {
    type Note = ();
    type Counts = RunStats;

    /// Rates the puzzles of the chunk, unless rows are for steps: each puzzle is then rated when its rows are written.
    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        let SolvedChunk { records, solver, engine_cpu, .. } = chunk;
        self.rated.clear();
        self.written = 0;
        self.stats.add_engine_cpu(engine_cpu);
        if self.steps {
            return ControlFlow::Continue(());
        }

        let start = (self.cpu_time)();
        for record in records {
            let (answer, candidates) = match *record {
                ParsedRecord::Puzzle(shape, index) => (solver.answer(shape.size, index), None),
                ParsedRecord::Pencilmarks(index) => {
                    let (puzzle, answer) = solver.pencilmark_answer(index);
                    (answer, Some(puzzle))
                }
                ParsedRecord::Malformed(_) => continue,
            };
            let Some(puzzle) = Ratable::to_rate(&answer, candidates) else { continue };
            let Ok(rated) = self.rate(puzzle, |_, _, _| ()) else { return ControlFlow::Break(()) };
            self.rated.push(rated);
        }
        self.stats.add_engine_cpu((self.cpu_time)().saturating_sub(start));
        ControlFlow::Continue(())
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        self.detail.clear();
        let (file, line, subject) = (&*record.input.name, record.line, record.subject);
        let puzzle = match record.puzzle {
            Ok(puzzle) => puzzle,
            Err(reason) => {
                self.stats.add_malformed();
                let _ = write!(self.detail, "{reason}");
                if !self.steps {
                    let status = Status::Malformed;
                    emit.row(&RateRow { file, line, subject, status, rated: None, detail: &self.detail });
                }
                return ControlFlow::Continue(());
            }
        };
        let SolvedPuzzle { shape, alphabet, .. } = puzzle;
        let answer = puzzle.answer();
        let given = Ratable::to_rate(&answer, puzzle.pencilmarks());

        // The row of a step is written as soon as the step is found.
        if let (true, Some(given)) = (self.steps, given) {
            let start = (self.cpu_time)();
            let rated = self.rate(given, |number, candidates, step| {
                emit.row(&StepRow { file, line, subject, number, candidates, step });
            });
            let Ok(rated) = rated else { return ControlFlow::Break(()) };
            self.stats.add_engine_cpu((self.cpu_time)().saturating_sub(start));
            self.rated.push(rated);
        }

        let RateWorker { rated, written, detail, stats, steps, only_er, .. } = self;
        let rated = given.map(|_| &rated[*written]);
        *written += usize::from(rated.is_some());
        let status = Status::from_known(answer.known_solutions());
        explain(&answer, status, rated, alphabet, detail);

        let nanos = answer.cost.nanos + rated.map_or(0, |rated| rated.nanos);
        stats.add_puzzle(status, shape.clues.into(), Cost { nanos, ..answer.cost }, || {
            PuzzleSource::of(file, line, subject)
        });
        if let Some((rated, ratings)) = rated.zip(stats.ratings()) {
            rated.count(ratings, !*only_er, (file, line), || subject.to_text());
        }
        if !*steps {
            emit.row(&RateRow { file, line, subject, status, rated, detail });
        }
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut RunStats {
        &mut self.stats
    }
}

impl RateWorker {
    /// Rates a puzzle. Calls `each` with the number of each step, from 1, the candidates before it, and the step.
    fn rate(
        &mut self,
        puzzle: Ratable<'_>,
        mut each: impl FnMut(u64, &Candidates, &Step),
    ) -> Result<RatedRecord, InterruptedError> {
        let start = Instant::now();
        let mut steps = StepCounts::default();
        let each = |grid: &Candidates, step: &Step| {
            steps.add(step);
            each(steps.total(), grid, step);
        };
        let rating = puzzle.rate(&mut self.rater, each).unless_interrupted()?;

        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(RatedRecord { rated: Rated::new(rating, steps), nanos })
    }
}

/// Writes the reason why a puzzle has no rating, or no exact one.
fn explain(answer: &Answer<'_>, status: Status, rated: Option<&RatedRecord>, alphabet: &Alphabet, detail: &mut String) {
    let Some(rated) = rated else {
        return push_reason(answer, status, alphabet, "only 9x9 puzzles are rated", detail);
    };
    let rating = rated.rated.rating;
    match rating.end {
        RatingEnd::Solved | RatingEnd::Interrupted => {}
        RatingEnd::AboveBound => write!(detail, "harder than {}", rating.er).expect("a string takes any text"),
        RatingEnd::Unsolved => detail.push_str(UNSOLVED),
    }
}

impl Job for RateOptions {
    const NAME: &'static str = "rate";

    type Report = Summary;
}

impl JobParts for RateOptions {
    type Row = RateRow<'static>;
    type Worker = RateWorker;
    type Stage = Independent<RunStats>;

    fn takes_pencilmarks(_rows: &RowJob<Self>) -> bool {
        true
    }

    fn columns(&self, _inputs: usize) -> Vec<Column> {
        if self.steps { StepRow::COLUMNS.to_vec() } else { RateRow::COLUMNS.to_vec() }
    }

    fn is_default(&self, column: &Column, _corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(self.only.is_none() || !OF_STEPS.contains(&column.name))
    }

    fn other_rows(rows: &RowJob<Self>) -> Option<&'static str> {
        rows.job.steps.then_some(", but `steps` writes one for each step")
    }

    fn chunk_limits(_rows: &RowJob<Self>) -> ChunkLimits {
        ChunkLimits::OF_RATING
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &RowJob<Self>, _stage: &Self::Stage, execution: &Execution) -> Result<RateWorker, JobError> {
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

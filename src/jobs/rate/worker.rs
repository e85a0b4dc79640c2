//! Rates the puzzles of a chunk, and writes a row for each record or for each step.
//!
//! The engine first solves all puzzles of a chunk together: only puzzles with exactly one solution are rated.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::row::{RateRow, RatedRecord, StepRow};
use crate::engine::Cost;
use crate::engine::solver::{Answer, InterruptedError};
use crate::format::Alphabet;
use crate::rating::{Candidates, Rated, Rater, RatingEnd, Step, StepCounts};
use crate::rows::Status;
use crate::run::rated::{Ratable, UNSOLVED, push_reason};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedPuzzle, SolvedRecord};
use crate::run::records::ParsedRecord;
use crate::stats::{PuzzleSource, RunStats};

/// Rates puzzles, and writes their rows.
pub(crate) struct RateWorker {
    pub(super) steps: bool,
    pub(super) only_er: bool,
    pub(super) rater: Rater,
    /// The rated puzzles of the chunk, in order, and the number of them whose rows are written.
    pub(super) rated: Vec<RatedRecord>,
    pub(super) written: usize,
    pub(super) detail: String,
    pub(super) stats: RunStats,
    pub(super) cpu_time: fn() -> Duration,
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
        stats.add_puzzle(status, shape.clues.into(), Cost { nanos, ..answer.cost }, || PuzzleSource {
            file: file.to_owned(),
            line,
            puzzle: subject.to_text(),
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

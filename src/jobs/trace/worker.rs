//! Traces the puzzles of a chunk.

use std::fmt::Write;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::TraceStyle;
use super::events::Events;
use super::row::TraceRow;
use super::search::{SearchEnd, Start, search};
use super::text::{Text, TracedPuzzle};
use super::words::StepWords;
use crate::engine::Cost;
use crate::pipeline::Stop;
use crate::puzzle::Size;
use crate::rating::{Difficulty, Rater, RatingEnd};
use crate::rows::Status;
use crate::run::rated::{Ratable, UNSOLVED, push_reason};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedPuzzle, SolvedRecord};
use crate::stats::{PuzzleSource, RunStats};
use crate::stop::InterruptedError;

/// The first failure to write a trace as text, from a worker to the serial stage.
pub(super) type TextFailure = Arc<OnceLock<io::Error>>;

/// Traces puzzles, and writes their rows.
pub(crate) struct TraceWorker {
    pub(super) style: TraceStyle,
    pub(super) max_guesses: u64,
    /// The function that writes a trace as text, if text is the format.
    pub(super) text: Option<Text>,
    /// The text of the record and, for it, the symbols of the puzzle and of its solution.
    pub(super) written: String,
    pub(super) symbols: [Vec<u8>; 2],
    /// The names of the columns that a text has from the input.
    pub(super) kept: Vec<String>,
    pub(super) failure: TextFailure,
    pub(super) rater: Rater,
    pub(super) stop: Stop,
    pub(super) events: Events,
    /// The rating of the puzzle, if it has one.
    pub(super) er: Option<Difficulty>,
    pub(super) detail: String,
    pub(super) stats: RunStats,
    pub(super) cpu_time: fn() -> Duration,
}

impl RecordWorker for TraceWorker {
    type Note = ();
    type Counts = RunStats;

    fn needs_fields(&self) -> bool {
        !self.kept.is_empty()
    }

    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        self.stats.add_engine_cpu(chunk.engine_cpu);
        ControlFlow::Continue(())
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        self.events.clear();
        self.detail.clear();
        self.er = None;
        let (file, line, subject) = (&*record.input.name, record.line, record.subject);
        let (status, solution) = match &record.puzzle {
            Err(reason) => {
                self.stats.add_malformed();
                let _ = write!(self.detail, "{reason}");
                (Status::Malformed, &[][..])
            }
            Ok(puzzle) => {
                let start = (self.cpu_time)();
                let begin = Instant::now();
                let Ok(status) = self.trace(puzzle) else { return ControlFlow::Break(()) };
                let answer = puzzle.answer();
                let nanos = answer.cost.nanos + u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
                let cost = Cost { nanos, ..answer.cost };
                self.stats.add_engine_cpu((self.cpu_time)().saturating_sub(start));
                self.stats
                    .add_puzzle(status, puzzle.shape.clues.into(), cost, || PuzzleSource::of(file, line, subject));
                (status, if status == Status::Unique { answer.grids } else { &[][..] })
            }
        };

        // Write the words before the row, which borrows them.
        let TraceWorker { text, written, symbols, kept, failure, events, er, detail, .. } = self;
        written.clear();
        let mut words = events.words.take();
        let row = TraceRow { file, line, subject, status, solution, events, er: *er, detail, text: "" };
        if let Some(text) = text {
            let [subject_text, solution_text] = symbols;
            subject_text.clear();
            subject.write(subject_text);
            solution_text.clear();
            if let Some(grid) = subject.grids(solution).next() {
                grid.push(grid.cells, solution_text);
            }
            let puzzle = TracedPuzzle {
                file,
                line,
                puzzle: &String::from_utf8_lossy(subject_text),
                status: status.into(),
                solution: &String::from_utf8_lossy(solution_text),
                detail,
                steps: words.as_mut().map(StepWords::steps).unwrap_or_default(),
                row: &row,
                kept: (kept, record.fields),
            };
            if let Err(error) = text.write(&puzzle, written) {
                // The run fails; half a text must not be written before it does.
                written.clear();
                let _ = failure.set(io::Error::other(format!("record on line {line}: {error}")));
            }
        }
        emit.row(&TraceRow { text: written, ..row });
        events.words = words;
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut RunStats {
        &mut self.stats
    }
}

impl TraceWorker {
    /// Traces a puzzle, or explains why there is no trace.
    fn trace(&mut self, puzzle: &SolvedPuzzle<'_>) -> Result<Status, InterruptedError> {
        let answer = puzzle.answer();
        let status = Status::from_known(answer.known_solutions());
        let TraceWorker { style, max_guesses, rater, stop, events, er, detail, .. } = self;
        let given = match style {
            TraceStyle::Search if status == Status::Unique => {
                let size = puzzle.shape.size;
                let start = puzzle.pencilmarks().map_or(Start::Clues(answer.puzzle), Start::Pencilmarks);
                if search(size, start, *max_guesses, stop, events)? != SearchEnd::Solved {
                    events.clear();
                    let _ = write!(detail, "it takes more than {max_guesses} guesses");
                }
                events.put_in_words(size, |value| char::from(puzzle.alphabet.symbol(value)));
                return Ok(status);
            }
            TraceStyle::Search => None,
            TraceStyle::Technique | TraceStyle::Order => Ratable::to_rate(&answer, puzzle.pencilmarks()),
        };

        let Some(given) = given else {
            let sizes = format!("only {} puzzles have a trace by techniques", Size::Nine);
            push_reason(&answer, status, puzzle.alphabet, &sizes, detail);
            return Ok(status);
        };
        let rating = given.rate(rater, |_, step| match style {
            TraceStyle::Order => events.add_placement(step),
            TraceStyle::Technique | TraceStyle::Search => events.add_rated(step),
        });
        let rating = rating.unless_interrupted()?;
        if rating.end == RatingEnd::Solved {
            *er = Some(rating.er);
        } else {
            events.clear();
            detail.push_str(UNSOLVED);
        }
        Ok(status)
    }
}

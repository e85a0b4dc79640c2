//! Rates the puzzles of a chunk, and writes a row for each record or for each step.
//!
//! A [`RateWorker`] belongs to one thread. The engine solves the puzzles of a chunk together first: only those with
//! exactly one solution are rated.

use std::fmt::Write;
use std::time::{Duration, Instant};

use csv::ByteRecord;

use super::RateRows;
use super::columns::{Rated, RatingRow, RecordFields, StepCounts, StepText, Table};
use super::guesses::GuessCounter;
use crate::corpus::ChunkInput;
use crate::engine::solver::{Answer, Question, Solver};
use crate::engine::{Cost, Limit};
use crate::format::Alphabet;
use crate::jobs::records::{ChunkParser, ConflictMessage, GaveUpMessage, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Stop, Work, thread_cpu_time};
use crate::puzzle::{Grid, rules};
use crate::rating::{Candidates, Rater, RatingEnd};
use crate::rows::{Status, Subject, TextValues, Value};
use crate::stats::{PuzzleSource, RunStats};

/// Takes the rows of a worker.
pub(super) trait RateSink: Send {
    /// What it leaves in a chunk beside the output.
    type Note: Send + 'static;

    /// Whether rows need the fields that are kept: typed columns are passed on as they are.
    fn needs_kept(&self, chunk: &Chunk<ChunkInput, Self::Note>) -> bool;

    /// Takes a row; appends it to `output` if it is text.
    fn row(&mut self, values: &[Value<'_>], output: &mut Vec<u8>);

    /// Ends the rows of a chunk.
    fn end(&mut self, chunk: &mut Chunk<ChunkInput, Self::Note>);
}

/// Rows of text go to the output of their chunk.
impl RateSink for TextValues {
    type Note = ();

    fn needs_kept(&self, _chunk: &Chunk<ChunkInput>) -> bool {
        true
    }

    fn row(&mut self, values: &[Value<'_>], output: &mut Vec<u8>) {
        TextValues::row(self, values, output);
    }

    fn end(&mut self, _chunk: &mut Chunk<ChunkInput>) {}
}

/// Turns chunks of records into rows.
pub(super) struct RateWorker<S> {
    table: Table,
    sink: S,
    rating: PuzzleRater,
    records: ChunkParser,
    solver: Solver,
    stop: Stop,
    /// The puzzles of the chunk that were rated, in order.
    rated: Vec<Rated>,
    kept: ByteRecord,
    detail: String,
    stats: RunStats,
}

/// What a worker rates puzzles with.
pub(super) struct PuzzleRater {
    pub(super) rater: Rater,
    pub(super) guesses: Option<GuessCounter>,
}

impl<S: RateSink> RateWorker<S> {
    /// A worker that gives rows of `table` to `sink`. It gives a chunk up when `stop` is overdue.
    pub(super) fn new(
        table: Table,
        sink: S,
        rating: PuzzleRater,
        solver: Solver,
        stop: Stop,
        stats: RunStats,
    ) -> RateWorker<S> {
        RateWorker {
            table,
            sink,
            rating,
            records: ChunkParser::default(),
            solver,
            stop,
            rated: Vec::new(),
            kept: ByteRecord::new(),
            detail: String::new(),
            stats,
        }
    }

    /// The statistics of the records of this worker.
    pub(super) fn into_stats(self) -> RunStats {
        self.stats
    }

    /// Rates the puzzles of the chunk, and writes their steps if rows are for steps. `None` if a stop is overdue.
    fn rate(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) -> Option<()> {
        let RateWorker { table, sink, rating, records, solver, rated, kept, .. } = self;
        rated.clear();
        let (reading, entries) = records.parts()?;
        let needs_kept = table.rows == RateRows::Steps && sink.needs_kept(chunk);
        let mut output = std::mem::take(&mut chunk.output);
        for ((line, text), entry) in chunk.texts().zip(entries) {
            let &ParsedRecord::Puzzle(shape, index) = entry else { continue };
            let answer = solver.answer(shape.order, index);
            let Some(puzzle) = to_rate(&answer) else { continue };
            if self.stop.is_overdue() {
                return None;
            }
            if table.rows != RateRows::Steps {
                rated.push(rating.rate(puzzle, |_, _, _| ()));
                continue;
            }
            kept.clear();
            if needs_kept {
                reading.pass_through.fields(text).for_each(|field| kept.push_field(field));
            }
            let alphabet = &reading.alphabets[shape.order.index()];
            let subject = Subject::Puzzle { cells: answer.puzzle, alphabet, blank: shape.blank };
            let record = RecordFields { file: &reading.input.name, line, subject, kept };
            rated.push(rating.rate(puzzle, |number, grid, step| {
                let step = StepText::new(number, grid, step);
                sink.row(&table.values(&record, step.values()), &mut output);
            }));
        }
        chunk.output = output;
        Some(())
    }

    /// Counts the records of the chunk, and writes a row for each of them if rows are for puzzles.
    fn write(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) {
        let RateWorker { table, sink, records, solver, rated, kept, detail, stats, .. } = self;
        let Some((reading, entries)) = records.parts() else { return };
        let needs_kept = sink.needs_kept(chunk);
        let mut rated = rated.iter();
        let mut output = std::mem::take(&mut chunk.output);
        for ((line, text), entry) in chunk.texts().zip(entries) {
            detail.clear();
            kept.clear();
            if needs_kept {
                reading.pass_through.fields(text).for_each(|field| kept.push_field(field));
            }
            let file = &*reading.input.name;
            let (subject, row) = match *entry {
                ParsedRecord::Malformed(reason) => {
                    stats.add_malformed();
                    let _ = write!(detail, "{reason}");
                    let subject = Subject::Text(reading.parser.puzzle_text(text));
                    (subject, RatingRow { status: Status::Malformed, rated: None, detail })
                }
                ParsedRecord::Puzzle(shape, index) => {
                    let answer = solver.answer(shape.order, index);
                    let alphabet = &reading.alphabets[shape.order.index()];
                    let status = Status::from_known(answer.known_solutions());
                    let rated = to_rate(&answer).and_then(|_| rated.next());
                    explain(&answer, status, rated, alphabet, detail);
                    let nanos = answer.cost.nanos + rated.map_or(0, |rated| rated.nanos);
                    stats.add_puzzle(status, shape.clues.into(), Cost { nanos, ..answer.cost }, || PuzzleSource {
                        file: file.to_owned(),
                        line,
                        puzzle: alphabet.text(answer.puzzle, shape.blank),
                    });
                    if let Some(rated) = rated {
                        stats.add_er(rated.er());
                    }
                    let subject = Subject::Puzzle { cells: answer.puzzle, alphabet, blank: shape.blank };
                    (subject, RatingRow { status, rated, detail })
                }
            };
            if table.rows != RateRows::Steps {
                let record = RecordFields { file, line, subject, kept };
                sink.row(&table.values(&record, row.values(table)), &mut output);
            }
        }
        chunk.output = output;
        self.sink.end(chunk);
    }
}

/// The puzzle, if it can be rated: it is 9x9 and has exactly one solution.
fn to_rate<'a>(answer: &Answer<'a>) -> Option<&'a Grid> {
    answer.puzzle.try_into().ok().filter(|_| answer.known_solutions() == Some(1))
}

/// Says why a puzzle has no rating, or no exact one.
fn explain(answer: &Answer<'_>, status: Status, rated: Option<&Rated>, alphabet: &Alphabet, detail: &mut String) {
    let written = match (status, rated.map(|rated| rated.rating)) {
        (_, Some(rating)) => match rating.end {
            RatingEnd::Solved => Ok(()),
            RatingEnd::AboveBound => write!(detail, "harder than {}", rating.er),
            RatingEnd::Unsolved => write!(detail, "no technique solves it"),
        },
        (Status::Unique, None) => write!(detail, "only 9x9 puzzles are rated"),
        (Status::Undecided, None) => match answer.gave_up_after {
            Some(max_branches) => write!(detail, "{}", GaveUpMessage { max_branches, found: answer.solutions }),
            None => Ok(()),
        },
        (_, None) => match rules::conflict(alphabet.order(), answer.puzzle) {
            Some(conflict) => write!(detail, "{}", ConflictMessage(conflict, alphabet)),
            None => Ok(()),
        },
    };
    written.expect("a string takes any text");
}

impl PuzzleRater {
    /// Rates a puzzle; gives `each` the number of each step, from 1, the candidates before it, and the step.
    fn rate(&mut self, puzzle: &Grid, mut each: impl FnMut(u64, &Candidates, &crate::rating::Step)) -> Rated {
        let start = Instant::now();
        let mut steps = StepCounts::default();
        let rating = self.rater.rate(puzzle, |grid, step| {
            steps.add(step);
            each(steps.total(), grid, step);
        });
        steps.add_singles(rating.singles_at_once);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let guesses = self.guesses.as_mut().map(|guesses| guesses.mean(puzzle));
        Rated { rating, steps, guesses, nanos }
    }
}

impl<S> Tallied for RateWorker<S> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl<S: RateSink> Work<ChunkInput, S::Note> for RateWorker<S> {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) {
        self.records.parse(chunk, &mut self.solver);
        let cpu = thread_cpu_time();
        let solved = self.solver.solve(Question::Count(Limit::UNIQUE));
        if solved.is_err() || self.rate(chunk).is_none() {
            return;
        }
        // With rows for steps, they are written meanwhile.
        let cpu: Duration = thread_cpu_time().saturating_sub(cpu);
        self.stats.add_engine_cpu(cpu);
        self.write(chunk);
    }
}

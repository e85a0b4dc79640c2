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
use crate::format::{Alphabet, Malformed, ParsedPuzzle, Parser};
use crate::jobs::records::{ChunkParser, ConflictMessage, GaveUpMessage, InputParsers, ParsedRecord};
use crate::jobs::summarised::CountingWorker;
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Stop, Work, thread_cpu_time};
use crate::puzzle::{Grid, Order, Pencilmarks, rules};
use crate::rating::{Candidates, Rater, RatingEnd, Step};
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
            records: ChunkParser::taking_pencilmarks(),
            solver,
            stop,
            rated: Vec::new(),
            kept: ByteRecord::new(),
            detail: String::new(),
            stats,
        }
    }

    /// Rates the puzzles of the chunk, and writes their steps if rows are for steps. `None` if a stop is overdue.
    fn rate(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) -> Option<()> {
        let RateWorker { table, sink, rating, records, solver, rated, kept, .. } = self;
        rated.clear();
        let (reading, entries) = records.parts()?;
        let needs_kept = table.rows == RateRows::Steps && sink.needs_kept(chunk);
        let mut pencilmarks = solver.pencilmark_answers();
        let mut output = std::mem::take(&mut chunk.output);
        for ((line, text), entry) in chunk.texts().zip(entries) {
            let InputParsers { input, parser, pass_through, alphabets, .. } = &mut *reading;
            let solved = SolvedRecord::new(entry, text, &mut **parser, alphabets, solver, &mut pencilmarks);
            let Some((puzzle, solved)) = solved.ok().and_then(|solved| Some((solved.to_rate()?, solved))) else {
                continue;
            };
            if self.stop.is_overdue() {
                return None;
            }
            if table.rows != RateRows::Steps {
                rated.push(rating.rate(puzzle, |_, _, _| ()));
                continue;
            }
            kept.clear();
            if needs_kept {
                pass_through.fields(text).for_each(|field| kept.push_field(field));
            }
            let record = RecordFields { file: &input.name, line, subject: solved.subject, kept };
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
        let mut pencilmarks = solver.pencilmark_answers();
        let mut rated = rated.iter();
        let mut output = std::mem::take(&mut chunk.output);
        for ((line, text), entry) in chunk.texts().zip(entries) {
            detail.clear();
            kept.clear();
            if needs_kept {
                reading.pass_through.fields(text).for_each(|field| kept.push_field(field));
            }
            let InputParsers { input, parser, alphabets, .. } = &mut *reading;
            let file = &*input.name;
            let (subject, row) =
                match SolvedRecord::new(entry, text, &mut **parser, alphabets, solver, &mut pencilmarks) {
                    Err(reason) => {
                        stats.add_malformed();
                        let _ = write!(detail, "{reason}");
                        let subject = Subject::Text(parser.puzzle_text(text));
                        (subject, RatingRow { status: Status::Malformed, rated: None, detail })
                    }
                    Ok(solved) => {
                        let SolvedRecord { clues, answer, subject, .. } = solved;
                        let status = Status::from_known(answer.known_solutions());
                        let rated = solved.to_rate().and_then(|_| rated.next());
                        explain(&answer, status, rated, solved.alphabet, detail);
                        let nanos = answer.cost.nanos + rated.map_or(0, |rated| rated.nanos);
                        stats.add_puzzle(status, clues.into(), Cost { nanos, ..answer.cost }, || PuzzleSource {
                            file: file.to_owned(),
                            line,
                            puzzle: subject.to_text(),
                        });
                        if let Some((rated, ratings)) = rated.zip(stats.ratings()) {
                            rated.count(ratings, table, (file, line), || subject.to_text());
                        }
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

/// A puzzle of the chunk with the solver's answer.
struct SolvedRecord<'a> {
    clues: u16,
    alphabet: &'a Alphabet,
    answer: Answer<'a>,
    subject: Subject<'a>,
    /// Its candidates, if they are given in place of clues.
    pencilmarks: Option<&'a Pencilmarks>,
}

/// What is given of a 9x9 puzzle.
#[derive(Clone, Copy)]
enum Given<'a> {
    Clues(&'a Grid),
    Pencilmarks(&'a Pencilmarks),
}

impl<'a> SolvedRecord<'a> {
    /// The next record of the chunk, unless it is malformed. `pencilmarks` are those that follow.
    fn new<'s: 'a>(
        entry: &ParsedRecord,
        text: &'a [u8],
        parser: &'a mut dyn Parser,
        alphabets: &'a [Alphabet; Order::ALL.len()],
        solver: &'s Solver,
        pencilmarks: &mut impl Iterator<Item = (&'s Pencilmarks, Answer<'s>)>,
    ) -> Result<SolvedRecord<'a>, Malformed> {
        match *entry {
            ParsedRecord::Puzzle(ParsedPuzzle { order, blank, clues, .. }, index) => {
                let (answer, alphabet) = (solver.answer(order, index), &alphabets[order.index()]);
                let subject = Subject::Puzzle { cells: answer.puzzle, alphabet, blank };
                Ok(SolvedRecord { clues, alphabet, answer, subject, pencilmarks: None })
            }
            ParsedRecord::Malformed(Malformed::Pencilmarks) => {
                let (puzzle, answer) = pencilmarks.next().expect("the solver has each of them");
                let ParsedPuzzle { order, clues, .. } = ParsedPuzzle::PENCILMARKS;
                let (alphabet, subject) = (&alphabets[order.index()], Subject::Pencilmarks(parser.pencilmarks(text)));
                Ok(SolvedRecord { clues, alphabet, answer, subject, pencilmarks: Some(puzzle) })
            }
            ParsedRecord::Malformed(reason) => Err(reason),
        }
    }

    /// What is given of the puzzle, if it can be rated: it is 9x9 and has exactly one solution.
    fn to_rate(&self) -> Option<Given<'a>> {
        let given = match self.pencilmarks {
            Some(puzzle) => Some(Given::Pencilmarks(puzzle)),
            None => self.answer.puzzle.try_into().ok().map(Given::Clues),
        };
        given.filter(|_| self.answer.known_solutions() == Some(1))
    }
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
    fn rate(&mut self, puzzle: Given<'_>, mut each: impl FnMut(u64, &Candidates, &Step)) -> Rated {
        let start = Instant::now();
        let mut steps = StepCounts::default();
        let each = |grid: &Candidates, step: &Step| {
            steps.add(step);
            each(steps.total(), grid, step);
        };
        let rating = match puzzle {
            Given::Clues(puzzle) => self.rater.rate(puzzle, each),
            Given::Pencilmarks(puzzle) => self.rater.rate_candidates(Candidates::from(puzzle), each),
        };
        steps.add_singles(rating.singles_at_once);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let guesses = match puzzle {
            Given::Clues(puzzle) => self.guesses.as_mut().map(|guesses| guesses.mean(puzzle)),
            Given::Pencilmarks(_) => None,
        };
        Rated { rating, steps, guesses, nanos }
    }
}

impl<S> Tallied for RateWorker<S> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl<S: RateSink> CountingWorker for RateWorker<S> {
    fn into_stats(self) -> RunStats {
        self.stats
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

//! Rates the puzzles of a chunk, and writes a row for each record or for each step.
//!
//! The engine first solves all puzzles of a chunk together: only puzzles with exactly one solution are rated.

use std::fmt::Write;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::row::{RateRow, RatedRecord, StepRow};
use crate::engine::bitmask::Bitmask;
use crate::engine::solver::{Answer, InterruptedError};
use crate::engine::{Bounds, Cost, Engine, Limit, Verdicts};
use crate::format::Alphabet;
use crate::puzzle::{Batch, Grid, Isomorph, Size};
use crate::rating::{Candidates, Rated, Rater, RatingEnd, Step, StepCounts};
use crate::rows::{Decimal, Status};
use crate::run::rated::{Ratable, UNSOLVED, push_reason};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedPuzzle, SolvedRecord};
use crate::run::records::ParsedRecord;
use crate::stats::{PuzzleSource, RunStats};
use crate::stop::Stop;

/// Rates puzzles, and writes their rows.
pub(crate) struct RateWorker {
    pub(super) steps: bool,
    pub(super) only_er: bool,
    pub(super) rater: Rater,
    pub(super) guesses: Option<GuessCounter>,
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
        let guesses = match puzzle {
            Ratable::Clues(puzzle) => self.guesses.as_mut().map(|guesses| guesses.mean(puzzle)).transpose()?,
            Ratable::Pencilmarks(_) => None,
        };
        Ok(RatedRecord { rated: Rated::new(rating, steps), guesses, nanos })
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

/// The maximum number of isomorphs that the engine gets at a time, so that memory does not grow with their number.
const BATCH: u32 = 1024;

/// Counts the guesses for random isomorphs of puzzles, with the bitmask engine.
///
/// A single search may be lucky: the same puzzle with its rows in a different order may take ten times as many guesses.
/// The mean over isomorphs is a property of the puzzle.
#[derive(Debug)]
pub(super) struct GuessCounter {
    isomorphs: NonZeroU32,
    seed: u64,
    stop: Stop,
    engine: Bitmask,
    /// Some of the isomorphs.
    batch: Batch,
    verdicts: Verdicts,
}

impl GuessCounter {
    /// Counts the guesses for this number of isomorphs of each puzzle. `stop` interrupts it.
    pub(super) fn new(isomorphs: NonZeroU32, seed: u64, stop: Stop) -> GuessCounter {
        GuessCounter {
            isomorphs,
            seed,
            stop,
            engine: Bitmask::new(),
            batch: Batch::new(Size::Nine),
            verdicts: Verdicts::new(),
        }
    }

    /// The mean number of guesses, with two decimal places. It depends only on the puzzle and the seed, so rows do not
    /// depend on the order of the puzzles.
    ///
    /// # Errors
    ///
    /// If it is interrupted.
    pub(super) fn mean(&mut self, puzzle: &Grid) -> Result<Decimal, InterruptedError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ fnv(puzzle));
        let bounds = Bounds::new(Limit::UNIQUE).stop(&self.stop);
        let (mut guesses, mut left) = (0, self.isomorphs.get());

        while left > 0 {
            let isomorphs = left.min(BATCH);
            left -= isomorphs;
            self.batch.clear();
            for _ in 0..isomorphs {
                self.batch.push(&Isomorph::random(Size::Nine, &mut rng).apply(puzzle));
            }

            self.engine.solve(&self.batch, bounds, &mut self.verdicts);
            self.stop.check()?;
            guesses += self.verdicts.iter().filter_map(|verdict| verdict.cost.branches).sum::<u64>();
        }

        let isomorphs = u64::from(self.isomorphs.get());
        Ok(Decimal { units: (100 * guesses + isomorphs / 2) / isomorphs, digits: 2 })
    }
}

/// The hash of Fowler, Noll and Vo of a puzzle's cells (FNV-1a).
fn fnv(puzzle: &Grid) -> u64 {
    let add = |hash: u64, &cell: &u8| (hash ^ u64::from(cell)).wrapping_mul(0x0100_0000_01b3);
    puzzle.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Grid {
        let cells: Vec<u8> = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
        cells.try_into().unwrap()
    }

    #[test]
    fn the_mean_depends_on_the_puzzle_and_the_seed_alone() {
        let easy = grid(".9.1...........59..24..51..478........2.9..8..192........5.83.....62.....35.....2");
        let hard = grid("5...81..2.......5.........4.2...89.3.8.3.......6.4.....7....16........9.39..572..");
        let counter = |isomorphs, seed| GuessCounter::new(NonZeroU32::new(isomorphs).unwrap(), seed, Stop::new());
        let mean = counter(20, 7).mean(&hard).unwrap();
        assert!(mean.units > 100 && mean.digits == 2, "{mean}");
        let mut again = counter(20, 7);
        again.mean(&easy).unwrap();
        assert_eq!(again.mean(&hard), Ok(mean));
        assert_ne!(counter(20, 8).mean(&hard), Ok(mean));
        // A single isomorph has a whole number of guesses.
        assert_eq!(counter(1, 7).mean(&hard).unwrap().units % 100, 0);
    }
}

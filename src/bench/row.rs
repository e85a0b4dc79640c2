//! The results of solvers as rows: one for each set and solver, with the speed relative to the reference, and one for each
//! puzzle and solver.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::{Clock, Measurement, PuzzleResult, PuzzleSet, Solvers, Timed, common_clock, ratio};
use crate::engine::Cost;
use crate::format::Alphabet;
use crate::output::{OutputError, ReservedFile};
use crate::puzzle::Size;
use crate::rows::{Column, Field, Kind, Row, Table, column};
use crate::run::table_file::TableFile;

/// The results of one solver on one set. The fields have the same names as in the CSV and JSON exports of `gridmill
/// bench`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchRow {
    /// The file.
    pub file: String,
    /// The number of puzzles that the solver was timed on: all of the file, or a random sample.
    pub puzzles: usize,
    /// The number of puzzles in the file.
    pub file_puzzles: usize,
    /// The engine, or the command of another program.
    pub solver: String,
    /// The number of threads; `None` for another program.
    pub threads: Option<usize>,
    /// The clock of the times, the same in all rows: `CPU` or `wall`.
    pub clock: String,
    /// The number of timed runs.
    pub rounds: usize,
    /// The number of passes of each run over the puzzles of the file, or over a block of the sample.
    pub passes: usize,
    /// Puzzles per second: the median of the runs, or the mean of a sample; `None` if there were fewer than 30 puzzles, or
    /// runs of less than 10 ms in all.
    pub puzzles_per_second: Option<f64>,
    /// The lower quartile of the runs; for a sample, the lower quartile of the possible speeds on the file.
    pub low: Option<f64>,
    /// The upper quartile.
    pub high: Option<f64>,
    /// The speed relative to the reference, on the puzzles that both solved; `None` if these were too few.
    pub ratio: Option<f64>,
    /// Half the width of the ratio's 95 % interval. For a sample, this covers the choice of the puzzles, too.
    pub ratio_uncertainty: Option<f64>,
    /// The mean number of branches, of the puzzles whose search was complete.
    pub branches_per_puzzle: Option<f64>,
    /// The share of these puzzles without a branch, 0 to 1.
    pub without_branch: Option<f64>,
    /// The number of puzzles that the engine gave up on.
    pub undecided: Option<usize>,
    /// The median of the times of single puzzles, in nanoseconds.
    pub p50_nanos: Option<u64>,
    /// Their 90th percentile.
    pub p90_nanos: Option<u64>,
    /// Their 99th percentile.
    pub p99_nanos: Option<u64>,
    /// Their 99.9th percentile.
    pub p999_nanos: Option<u64>,
    /// The longest of them.
    pub max_nanos: Option<u64>,
    /// The time that a program takes to start, which is not part of its other times; `None` for an engine.
    pub start_seconds: Option<f64>,
    /// The slowest puzzles, the slowest first.
    #[serde(skip)]
    pub slowest: Vec<SlowPuzzle>,
    /// The seconds of a pass in each round.
    #[serde(skip)]
    pub seconds: Vec<f64>,
    /// The name of the contender in a sentence.
    #[serde(skip)]
    pub label: String,
}

/// A row with its raw times, as the reports in JSON have it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchResult {
    /// The row.
    #[serde(flatten)]
    pub row: BenchRow,
    /// The seconds of a pass in each round.
    seconds: Vec<f64>,
    /// The slowest puzzles, the slowest first.
    slowest: Vec<SlowPuzzle>,
}

impl From<BenchRow> for BenchResult {
    fn from(row: BenchRow) -> BenchResult {
        BenchResult { seconds: row.seconds.clone(), slowest: row.slowest.clone(), row }
    }
}

/// A puzzle that takes a solver long.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlowPuzzle {
    /// The number of its first line.
    pub line: u64,
    /// The puzzle.
    pub puzzle: String,
    /// Its time on one thread.
    pub nanos: u64,
    /// The number of guesses, if the solver reports them.
    pub branches: Option<u64>,
}

impl BenchRow {
    /// Rows as CSV with a header.
    pub fn csv(rows: &[BenchRow]) -> String {
        let mut writer = csv::Writer::from_writer(vec![]);
        for row in rows {
            writer.serialize(row).expect("a row has texts and numbers only");
        }
        let text = writer.into_inner().expect("a vector takes any text");
        String::from_utf8(text).expect("a row is text")
    }

    /// The rows of some sets, each with up to `top` of the slowest puzzles. `sets` and `timed` are the results of
    /// [`Bench::check`](super::Bench::check) and [`Bench::time`](super::Bench::time), and `solvers` belong to the same
    /// job.
    pub fn of_sets(sets: &[PuzzleSet], timed: &[Timed], solvers: &Solvers, top: usize) -> Vec<BenchRow> {
        let clock = common_clock(timed);
        let row = |(index, (set, solver)): (usize, (&PuzzleSet, &Timed))| {
            let reference = &timed[index / solvers.len() * solvers.len() + solvers.reference];
            BenchRow { slowest: slowest(set, solver, top), ..BenchRow::new(solver, &reference.measurement, clock) }
        };
        sets.iter().zip(timed).enumerate().map(row).collect()
    }

    /// The row of a solver without slowest puzzles; `reference` is the measurement of the reference on the same set.
    pub fn new(solver: &Timed, reference: &Measurement, clock: Clock) -> BenchRow {
        let measurement = &solver.measurement;
        let (rate, ratio) = (measurement.rate(clock), ratio(reference, measurement, clock));
        let stats = measurement.per_puzzle;
        let nanos = stats.and_then(|stats| stats.nanos);
        BenchRow {
            file: solver.set.clone(),
            puzzles: measurement.puzzles,
            file_puzzles: measurement.file_puzzles,
            solver: solver.contender.clone(),
            threads: solver.threads,
            clock: clock.to_string(),
            rounds: measurement.runs.times.len(),
            passes: measurement.runs.passes,
            puzzles_per_second: rate.map(|rate| rate.median),
            low: rate.map(|rate| rate.low),
            high: rate.map(|rate| rate.high),
            ratio: ratio.map(|ratio| ratio.value),
            ratio_uncertainty: ratio.map(|ratio| ratio.uncertainty),
            branches_per_puzzle: stats.and_then(|stats| stats.branches),
            without_branch: stats.and_then(|stats| stats.without_branch),
            undecided: stats.map(|stats| stats.undecided),
            p50_nanos: nanos.map(|nanos| nanos.p50),
            p90_nanos: nanos.map(|nanos| nanos.p90),
            p99_nanos: nanos.map(|nanos| nanos.p99),
            p999_nanos: nanos.map(|nanos| nanos.p999),
            max_nanos: nanos.map(|nanos| nanos.max),
            start_seconds: measurement.start_up.map(|start| match (clock, start.cpu) {
                (Clock::Cpu, Some(cpu)) => cpu.as_secs_f64(),
                _ => start.wall.as_secs_f64(),
            }),
            slowest: vec![],
            seconds: measurement.runs.seconds(clock),
            label: solver.label.clone(),
        }
    }
}

/// The slowest puzzles of a solver on a set, the slowest first; none of a program whose puzzles have no times.
fn slowest(set: &PuzzleSet, timed: &Timed, most: usize) -> Vec<SlowPuzzle> {
    let results = &timed.measurement.each_puzzle;
    let mut slowest: Vec<_> =
        set.puzzles().zip(results).filter_map(|(puzzle, result)| Some((puzzle, result.cost?))).collect();
    slowest.sort_by_key(|(_, cost)| Reverse(cost.nanos));
    slowest.truncate(most);
    let slow = |((size, line, puzzle), cost): ((Size, u64, &[u8]), Cost)| SlowPuzzle {
        line,
        puzzle: set.alphabet(size).text(puzzle, b'.'),
        nanos: cost.nanos,
        branches: cost.branches,
    };
    slowest.into_iter().map(slow).collect()
}

/// Writes what each solver took for each of its puzzles. `sets` and `timed` are those that
/// [`Bench::check`](super::Bench::check) and [`Bench::time`](super::Bench::time) returned.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write_puzzle_times(file: ReservedFile, sets: &[PuzzleSet], timed: &[Timed]) -> Result<(), OutputError> {
    let columns = Table::new(TimeRow::COLUMNS, None, |_| true, &[]).expect("no column is chosen");
    let mut table = TableFile::new(file, columns);
    for (set, timed) in sets.iter().zip(timed) {
        for ((size, line, puzzle), &result) in set.puzzles().zip(&timed.measurement.each_puzzle) {
            table.row(&TimeRow { line, puzzle, alphabet: set.alphabet(size), timed, result })?;
        }
    }
    table.finish()
}

/// The row of a puzzle and a solver.
struct TimeRow<'a> {
    line: u64,
    puzzle: &'a [u8],
    alphabet: Alphabet,
    timed: &'a Timed,
    result: PuzzleResult,
}

impl Row for TimeRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        column!("puzzle", Kind::Text, "the puzzle in one line, as it was solved"),
        column!("solver", Kind::Text, "the solver"),
        column!("threads", Kind::Number, "the number of its threads; none for a program").nullable(),
        column!("nanos", Kind::Number, "the time of the puzzle on one thread, in nanoseconds; none for a program")
            .nullable(),
        column!("branches", Kind::Number, "the number of guesses, if the solver reports them").nullable(),
        column!("solutions", Kind::Number, "the number of solutions that the solver gave, if any").nullable(),
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        let TimeRow { timed, result: PuzzleResult { solutions, cost }, .. } = *self;
        match column {
            0 => field.text(&timed.set),
            1 => field.number(self.line),
            2 => field.symbols(&self.alphabet, self.puzzle, b'.'),
            3 => field.text(&timed.contender),
            4 => field.number_if_known(timed.threads.map(|threads| threads as u64)),
            5 => field.number_if_known(cost.map(|cost| cost.nanos)),
            6 => field.number_if_known(cost.and_then(|cost| cost.branches)),
            _ => field.number_if_known(solutions),
        }
    }
}

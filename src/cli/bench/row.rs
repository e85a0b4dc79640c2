//! The results of solvers as rows: one for each set and solver, with the speed relative to the reference, and one for each
//! puzzle and solver.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::contender::{Solvers, label};
use super::measure::{Clock, Estimate, KNOWN_FROM, Pairing, PuzzleResult, Speed, Timed, common_clock, quotient};
use super::table_file::TableFile;
use crate::engine::Cost;
use crate::format::Alphabet;
use crate::output::{OutputError, ReservedFile};
use crate::puzzle::Size;
use crate::rows::{Column, Kind, Row, Table, column, row};
use crate::stats::Percentiles;

/// The results of one solver on one set. The fields have the same names as in the CSV and JSON exports of `gridmill
/// bench`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BenchRow {
    /// The file.
    pub(crate) file: String,
    /// The number of puzzles that the solver was timed on: all of the file, or a random sample.
    pub(crate) puzzles: usize,
    /// The number of puzzles in the file.
    pub(crate) file_puzzles: usize,
    /// The engine, or the command of another program.
    pub(crate) solver: String,
    /// The number of threads; `None` for another program.
    pub(crate) threads: Option<usize>,
    /// The clock of the times, the same in all rows: `CPU` or `wall`.
    pub(crate) clock: String,
    /// The number of timed runs: each over all puzzles of the file, or over another block of the sample.
    pub(crate) rounds: usize,
    /// The number of passes of each run over its puzzles.
    pub(crate) passes: usize,
    /// Puzzles per second; `None` if there were fewer than 100 puzzles, or a sample takes a program less time than its starts.
    pub(crate) puzzles_per_second: Option<f64>,
    /// The lower end of its 95 % interval. For a sample, this covers the choice of the puzzles, too.
    pub(crate) low: Option<f64>,
    /// The upper end.
    pub(crate) high: Option<f64>,
    /// The speed relative to the reference; `None` if a speed is unknown.
    pub(crate) ratio: Option<f64>,
    /// The lower end of the ratio's 95 % interval.
    pub(crate) ratio_low: Option<f64>,
    /// The upper end.
    pub(crate) ratio_high: Option<f64>,
    /// The mean number of branches, of the puzzles whose search was complete.
    pub(crate) branches_per_puzzle: Option<f64>,
    /// The share of these puzzles without a branch, 0 to 1.
    pub(crate) without_branch: Option<f64>,
    /// The number of puzzles that the engine gave up on.
    pub(crate) undecided: Option<usize>,
    /// The median of the times of single puzzles, in nanoseconds.
    pub p50_nanos: Option<u64>,
    /// Their 90th percentile.
    pub p90_nanos: Option<u64>,
    /// Their 99th percentile.
    pub p99_nanos: Option<u64>,
    /// Their 99.9th percentile.
    pub p999_nanos: Option<u64>,
    /// The longest time.
    pub(crate) max_nanos: Option<u64>,
    /// The time that a program takes to start, which is not part of its other times; `None` for an engine.
    pub(crate) start_seconds: Option<f64>,
}

/// A row with its raw times, as the reports in JSON have it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchResult {
    /// The row.
    #[serde(flatten)]
    pub(crate) row: BenchRow,
    /// The seconds of a pass in each run.
    pub(crate) seconds: Vec<f64>,
    /// The slowest puzzles, the slowest first.
    pub(crate) slowest: Vec<SlowPuzzle>,
}

/// A puzzle that takes a solver long.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SlowPuzzle {
    /// The number of its first line.
    pub(crate) line: u64,
    /// The puzzle.
    pub(crate) puzzle: String,
    /// Its time on one thread.
    pub(crate) nanos: u64,
    /// The number of guesses, if the solver reports them.
    pub(crate) branches: Option<u64>,
}

impl BenchRow {
    /// The name of the solver in a sentence.
    pub(crate) fn label(&self) -> String {
        label(&self.solver, self.threads)
    }
}

impl BenchResult {
    /// The rows as CSV with a header.
    pub fn csv(results: &[BenchResult]) -> String {
        let mut writer = csv::Writer::from_writer(vec![]);
        for result in results {
            writer.serialize(&result.row).expect("a row has texts and numbers only");
        }
        let text = writer.into_inner().expect("a vector takes any text");
        String::from_utf8(text).expect("a row is text")
    }

    /// The results on some sets, each with up to `top` of the slowest puzzles. `timed` is the result of
    /// [`Bench::time`](super::Bench::time), and `solvers` belong to the same job.
    pub fn of_sets(timed: &[Timed], solvers: &Solvers, top: usize) -> Vec<BenchResult> {
        let clock = common_clock(timed);
        timed.chunks(solvers.len()).flat_map(|set| BenchResult::of_set(set, solvers.reference, clock, top)).collect()
    }

    /// The results on one set; `reference` is the position of the reference.
    pub(crate) fn of_set(timed: &[Timed], reference: usize, clock: Clock, top: usize) -> Vec<BenchResult> {
        let result = |timed| BenchResult::without_speed(timed, clock, top);
        let mut results: Vec<BenchResult> = timed.iter().map(result).collect();
        let speeds: Vec<Option<Speed>> = results.iter().map(|result| result.speed(0)).collect();
        for (BenchResult { row, .. }, speed) in results.iter_mut().zip(&speeds) {
            let rate = speed.as_ref().map(|speed| quotient(&[speed], &[]));
            let pair = speed.as_ref().zip(speeds[reference].as_ref());
            let ratio = pair.map(|(speed, reference)| quotient(&[speed], &[reference]));
            let parts = |estimate: Option<Estimate>| {
                (estimate.map(|it| it.value), estimate.map(|it| it.low), estimate.map(|it| it.high))
            };
            (row.puzzles_per_second, row.low, row.high) = parts(rate);
            (row.ratio, row.ratio_low, row.ratio_high) = parts(ratio);
        }
        results
    }

    fn without_speed(timed: &Timed, clock: Clock, top: usize) -> BenchResult {
        let costs: Vec<Cost> = timed.each_puzzle.iter().filter_map(|result| result.cost).collect();
        let branches: Vec<u64> = costs.iter().filter_map(|cost| cost.branches).collect();
        let mean = |sum: u64| (!branches.is_empty()).then(|| sum as f64 / branches.len() as f64);
        let undecided = timed.each_puzzle.iter().filter(|result| result.gave_up).count();
        let nanos = Percentiles::from_values(costs.iter().map(|cost| cost.nanos));
        let row = BenchRow {
            file: timed.set.name().to_owned(),
            puzzles: timed.set.len(),
            file_puzzles: timed.set.file_puzzles(),
            solver: timed.contender.clone(),
            threads: timed.threads,
            clock: clock.to_string(),
            rounds: timed.runs.len(),
            passes: timed.passes,
            branches_per_puzzle: mean(branches.iter().sum()),
            without_branch: mean(branches.iter().filter(|&&branches| branches == 0).count() as u64),
            undecided: (!costs.is_empty()).then_some(undecided),
            p50_nanos: nanos.map(|nanos| nanos.p50),
            p90_nanos: nanos.map(|nanos| nanos.p90),
            p99_nanos: nanos.map(|nanos| nanos.p99),
            p999_nanos: nanos.map(|nanos| nanos.p999),
            max_nanos: nanos.map(|nanos| nanos.max),
            start_seconds: timed.start_up.map(|start| clock.seconds(start)),
            ..BenchRow::default()
        };
        BenchResult { row, seconds: timed.seconds(clock), slowest: slowest(timed, top) }
    }

    /// The speed, in a run with this number if several are compared. `None` if there are too few puzzles, or if the blocks
    /// of a sample take less time than the start of a program, which is subtracted.
    pub(crate) fn speed(&self, run: u8) -> Option<Speed> {
        let BenchResult { row: BenchRow { puzzles, file_puzzles, start_seconds, .. }, seconds, .. } = self;
        let (puzzles, start) = (*puzzles, start_seconds.unwrap_or(0.0));
        let is_sample = puzzles < *file_puzzles;
        let is_short = is_sample && seconds.iter().sum::<f64>() < start * seconds.len() as f64;
        if puzzles < KNOWN_FROM || seconds.len() < 2 || is_short {
            return None;
        }
        Some(if is_sample {
            Speed::new(puzzles as f64 / seconds.len() as f64, seconds, Pairing::Sample { puzzles })
        } else {
            Speed::new(puzzles as f64, seconds, Pairing::Rounds { run })
        })
    }
}

/// The slowest puzzles of a solver on a set, the slowest first; none of a program whose puzzles have no times.
fn slowest(timed: &Timed, most: usize) -> Vec<SlowPuzzle> {
    let results = timed.set.puzzles().zip(&timed.each_puzzle);
    let mut slowest: Vec<_> = results.filter_map(|(puzzle, result)| Some((puzzle, result.cost?))).collect();
    slowest.sort_by_key(|(_, cost)| Reverse(cost.nanos));
    slowest.truncate(most);
    let slow = |((size, line, puzzle), cost): ((Size, u64, &[u8]), Cost)| SlowPuzzle {
        line,
        puzzle: timed.set.alphabet(size).text(puzzle, b'.'),
        nanos: cost.nanos,
        branches: cost.branches,
    };
    slowest.into_iter().map(slow).collect()
}

/// Writes what each solver took for each of its puzzles: the results of [`Bench::time`](super::Bench::time).
///
/// # Errors
///
/// If the file cannot be written.
pub fn write_puzzle_times(file: ReservedFile, timed: &[Timed]) -> Result<(), OutputError> {
    let columns = Table::new(TimeRow::COLUMNS, None, &|_| true, &[]).expect("no column is chosen");
    let mut table = TableFile::new(file, columns);
    for timed in timed {
        for ((size, line, puzzle), &result) in timed.set.puzzles().zip(&timed.each_puzzle) {
            table.row(&TimeRow { line, puzzle, alphabet: timed.set.alphabet(size), timed, result })?;
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
    row! {
        |self, field| { let TimeRow { timed, result: PuzzleResult { solutions, cost, .. }, .. } = *self; }

        Column::FILE => field.text(timed.set.name());
        Column::LINE => field.number(self.line);
        column!("puzzle", Kind::Text, "the puzzle in one line, as it was solved") =>
            field.symbols(&self.alphabet, self.puzzle, b'.');
        column!("solver", Kind::Text, "the solver") => field.text(&timed.contender);
        column!("threads", Kind::Number, "the number of its threads; none for a program").nullable() =>
            field.number_if_known(timed.threads.map(|threads| threads as u64));
        column!("nanos", Kind::Number, "the time of the puzzle on one thread, in nanoseconds; none for some programs")
            .nullable() => field.number_if_known(cost.map(|cost| cost.nanos));
        column!("branches", Kind::Number, "the number of guesses, if the solver reports them").nullable() =>
            field.number_if_known(cost.and_then(|cost| cost.branches));
        column!("solutions", Kind::Number, "the number of solutions that the solver gave, if any").nullable() =>
            field.number_if_known(solutions);
    }
}

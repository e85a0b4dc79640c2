//! Statistics of a run: each worker collects its own, and their sum becomes the summary.

mod counts;
mod distribution;
mod ratings;
mod summary;

use std::mem;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::engine::Cost;
use crate::rows::{Status, Subject};

use self::counts::Top;
pub use self::counts::{Category, Counts};
pub(crate) use self::counts::{Mergeable, merge_fields};
use self::distribution::Distribution;
pub use self::ratings::RatingSummary;
pub use self::ratings::{Er, HardPuzzle, PuzzleRating, TechniqueCounts};
pub(crate) use self::ratings::{RatingStats, decimal, push_level};
pub use self::summary::{Bucket, Busy, CpuSeconds, Percentiles, Resumed, Run, RunFacts, StoppedAfter, Summary};

/// The statistics of some records. The JSON is exact: statistics that were saved and loaded can still be merged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunStats {
    rows: Counts<Status>,
    /// The number of puzzles by their number of clues.
    clues: Vec<u64>,
    nanos: Distribution,
    branches: Distribution,
    not_all_listed: u64,
    slowest: Top<SlowPuzzle>,
    engine_cpu: Duration,
    /// `None` if puzzles are not rated.
    ratings: Option<RatingStats>,
    /// The measurements of the run, once it has ended. They are saved elsewhere.
    #[serde(skip)]
    run: Run,
}

impl Default for RunStats {
    fn default() -> RunStats {
        RunStats::new(0)
    }
}

impl RunStats {
    /// Statistics of no records. They will list the `top` slowest puzzles and the `top` hardest puzzles.
    pub(crate) fn new(top: usize) -> RunStats {
        RunStats {
            rows: Counts::default(),
            clues: Vec::new(),
            nanos: Distribution::new(),
            branches: Distribution::new(),
            not_all_listed: 0,
            slowest: Top::new(top),
            engine_cpu: Duration::ZERO,
            ratings: None,
            run: Run::default(),
        }
    }

    /// The same for records that are rated.
    pub(crate) fn with_ratings(self) -> RunStats {
        RunStats { ratings: Some(RatingStats::new(self.slowest.most())), ..self }
    }

    /// The statistics of ratings. Count the rating of a puzzle there in addition to [`RunStats::add_puzzle`]; `None` if
    /// puzzles are not rated.
    pub(crate) fn ratings(&mut self) -> Option<&mut RatingStats> {
        self.ratings.as_mut()
    }

    /// Counts a malformed record.
    pub(crate) fn add_malformed(&mut self) {
        self.rows[Status::Malformed] += 1;
    }

    /// Counts a puzzle. Calls `source` only if the puzzle is among the slowest.
    pub(crate) fn add_puzzle(
        &mut self,
        status: Status,
        clues: usize,
        cost: Cost,
        source: impl FnOnce() -> PuzzleSource,
    ) {
        self.rows[status] += 1;
        // Only as long as the most clues so far, as sizes have very different numbers of cells.
        if self.clues.len() <= clues {
            self.clues.resize(clues + 1, 0);
        }
        self.clues[clues] += 1;
        self.nanos.add(cost.nanos);
        // A search that gave up has no number of branches.
        if let Some(branches) = cost.branches {
            self.branches.add(branches);
        }
        let Cost { nanos, branches } = cost;
        if self.slowest.keeps(|least| nanos > least.nanos) {
            self.slowest.add(SlowPuzzle { nanos, branches, source: source() });
        }
    }

    /// Counts a puzzle with more solutions than were listed, in addition to [`RunStats::add_puzzle`].
    pub(crate) fn add_not_all_listed(&mut self) {
        self.not_all_listed += 1;
    }

    /// Adds CPU time of an engine.
    pub(crate) fn add_engine_cpu(&mut self, cpu: Duration) {
        self.engine_cpu += cpu;
    }

    /// The number of records.
    pub(crate) fn records(&self) -> u64 {
        self.rows.total()
    }

    /// Moves the counts out. Times and branches stay: they are not saved for a run that is resumed.
    pub(crate) fn take_counts(&mut self) -> RunStats {
        let top = self.slowest.most();
        RunStats {
            rows: mem::take(&mut self.rows),
            clues: mem::take(&mut self.clues),
            nanos: Distribution::default(),
            branches: Distribution::default(),
            not_all_listed: mem::take(&mut self.not_all_listed),
            slowest: Top::new(top),
            engine_cpu: Duration::ZERO,
            ratings: self.ratings.as_mut().map(|ratings| mem::replace(ratings, RatingStats::new(top))),
            run: Run::default(),
        }
    }
}

merge_fields!(RunStats: rows, clues, nanos, branches, not_all_listed, engine_cpu, ratings, slowest);

/// Counts that a job reports, that shards and checkpoints save, and that `merge` adds up.
pub(crate) trait RunCounts: Mergeable + Clone + Default + Send + Serialize + DeserializeOwned + 'static {
    /// The number of records.
    fn records(&self) -> u64;

    /// Moves out the counts that a checkpoint saves.
    fn take(&mut self) -> Self {
        mem::take(self)
    }

    /// Adds the measurements of the run, for a report that shows more than its [facts](RunFacts).
    fn measured(&mut self, _run: &Run) {}
}

/// The counts of a job that counts in another way.
impl RunCounts for () {
    fn records(&self) -> u64 {
        0
    }
}

impl RunCounts for RunStats {
    fn records(&self) -> u64 {
        RunStats::records(self)
    }

    fn take(&mut self) -> RunStats {
        self.take_counts()
    }

    fn measured(&mut self, run: &Run) {
        self.run = run.clone();
    }
}

/// A puzzle and its location in the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PuzzleSource {
    /// The name of the input.
    pub file: String,
    /// The number of the record's first line, from 1.
    pub line: u64,
    /// The puzzle on one line.
    pub puzzle: String,
}

impl PuzzleSource {
    /// The puzzle of a record.
    pub(crate) fn of(file: &str, line: u64, subject: Subject<'_>) -> PuzzleSource {
        PuzzleSource { file: file.to_owned(), line, puzzle: subject.to_text() }
    }
}

/// One of the slowest puzzles of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SlowPuzzle {
    /// The time for solving it, in nanoseconds.
    pub nanos: u64,
    /// The number of guesses of the search, if it was complete.
    pub branches: Option<u64>,
    /// The puzzle.
    #[serde(flatten)]
    pub source: PuzzleSource,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(line: u64) -> PuzzleSource {
        PuzzleSource { file: "corpus.txt".into(), line, puzzle: "...".into() }
    }

    fn run() -> Run {
        let second = Duration::from_secs(1);
        Run {
            pipelines: 1,
            wall: second * 2,
            reader_cpu: second / 2,
            workers_cpu: second * 3,
            writer_cpu: second / 4,
            threads: 2,
            engine: "bitmask".into(),
            limit: 2,
            stopped_after: None,
            resumed: 0,
        }
    }

    /// Puzzle number `n` takes `100 * n` nanoseconds and has `n` branches.
    fn stats(numbers: impl Iterator<Item = u64>) -> RunStats {
        let mut stats = RunStats::new(3);
        for n in numbers {
            stats.add_puzzle(Status::Unique, 17, Cost { nanos: 100 * n, branches: Some(n) }, || source(n));
        }
        stats
    }

    #[test]
    fn merged_statistics_are_those_of_all_records() {
        let mut merged = stats((1..=1000).step_by(2));
        merged.merge(stats((2..=1000).step_by(2)));
        merged.add_malformed();
        merged.add_engine_cpu(Duration::from_secs(2));
        merged.measured(&run());
        let (summary, facts) = (Summary::from(merged), run().facts(1001));
        assert!((facts.wall_seconds - 2.0).abs() < 1e-9 && (facts.records_per_second - 500.5).abs() < 1e-9);
        assert_eq!(summary.records, 1001);
        assert_eq!(summary.rows.total(), 1001);
        assert_eq!((summary.rows[Status::Unique], summary.rows[Status::Malformed]), (1000, 1));
        assert_eq!(summary.clues, [(17, 1000)].into());
        let (nanos, branches) = (summary.nanos.unwrap(), summary.branches.unwrap());
        assert_eq!((nanos.total, nanos.max), (100 * 500_500, 100_000));
        assert_eq!((branches.p50, branches.p999, branches.max), (500, 999, 1000));
        let lines: Vec<u64> = summary.slowest.iter().map(|puzzle| puzzle.source.line).collect();
        assert_eq!(lines, [1000, 999, 998]);
        assert!((summary.cpu_seconds.engines - 2.0).abs() < 1e-9 && (summary.cpu_seconds.rest - 1.75).abs() < 1e-9);
        assert!((summary.busy.workers - 0.75).abs() < 1e-9 && (summary.busy.reader - 0.25).abs() < 1e-9);
        assert_eq!(summary.nanos_histogram.iter().map(|bucket| bucket.puzzles).sum::<u64>(), 1000);
    }

    #[test]
    fn an_empty_run_has_a_summary() {
        let summary = Summary::from(RunStats::new(0));
        assert_eq!((summary.records, summary.nanos, summary.nanos_histogram.len()), (0, None, 0));
        assert!(Run::default().facts(0).records_per_second.abs() < 1e-9);
        assert!(serde_json::to_string(&summary).unwrap().contains("\"nanos\":null"));
    }
}

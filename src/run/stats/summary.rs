//! The summary of a run, for JSON and for display.
//!
//! The binary prints it. The counts add up: `records` is the sum of `rows`, and `clues` counts every record that is a
//! puzzle. After a resume, counts cover the complete run, but times, branches and rates only the part since the resume.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::iterators::IterationValue;
use serde::{Deserialize, Serialize};

use super::{Counts, Distribution, RatingSummary, RunStats, SlowPuzzle};
use crate::rows::Status;

impl From<RunStats> for Summary {
    fn from(stats: RunStats) -> Summary {
        let (records, run, engine) = (stats.records(), stats.run, stats.engine_cpu);
        let wall = run.wall.as_secs_f64();
        // A run that was stopped before its first record has taken no time.
        let busy =
            |cpu: Duration, threads: usize| if wall > 0.0 { cpu.as_secs_f64() / wall / threads as f64 } else { 0.0 };

        Summary {
            records,
            rows: stats.rows,
            clues: (0..)
                .zip(&stats.clues)
                .filter(|&(_, &puzzles)| puzzles > 0)
                .map(|(n, &puzzles)| (n, puzzles))
                .collect(),
            not_all_listed: stats.not_all_listed,
            ratings: stats.ratings.map(RatingSummary::from),
            cpu_seconds: CpuSeconds {
                engines: engine.as_secs_f64(),
                // The clocks are read at different moments, so the engines may seem to take more than the workers.
                rest: (run.reader_cpu + run.workers_cpu.saturating_sub(engine) + run.writer_cpu).as_secs_f64(),
            },
            busy: Busy {
                reader: busy(run.reader_cpu, run.pipelines),
                workers: busy(run.workers_cpu, run.threads),
                writer: busy(run.writer_cpu, run.pipelines),
            },
            nanos: Percentiles::new(&stats.nanos),
            nanos_histogram: buckets(&stats.nanos, 128),
            branches: Percentiles::new(&stats.branches),
            branches_histogram: buckets(&stats.branches, 1),
            slowest: stats.slowest.into_sorted(),
            limit: run.limit,
        }
    }
}

/// Measurements and settings of a run, to complete the statistics of its records.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// The number of pipelines: one, or one per shard.
    pub pipelines: usize,
    /// Wall time from the first read to the last write.
    pub wall: Duration,
    /// CPU time of the reader.
    pub reader_cpu: Duration,
    /// CPU time of all workers, engines included.
    pub workers_cpu: Duration,
    /// CPU time of the writer.
    pub writer_cpu: Duration,
    /// The number of workers.
    pub threads: usize,
    /// The engine's name.
    pub engine: String,
    /// The limit for counting solutions.
    pub limit: u64,
    /// The last record before the run was stopped.
    pub stopped_after: Option<StoppedAfter>,
    /// The number of records whose rows an interrupted run wrote.
    pub resumed: u64,
}

impl Run {
    /// Adds a run that took place at the same time: the longer wall time counts.
    pub(crate) fn merge(&mut self, other: &Run) {
        self.pipelines += other.pipelines;
        self.wall = self.wall.max(other.wall);
        self.reader_cpu += other.reader_cpu;
        self.workers_cpu += other.workers_cpu;
        self.writer_cpu += other.writer_cpu;
        self.threads += other.threads;
        // All shards may have been run with the same engine, which is then named once.
        if !self.engine.split(", ").any(|engine| engine == other.engine) {
            self.engine = format!("{}, {}", self.engine, other.engine);
        }
        self.resumed += other.resumed;
    }
}

/// The time and the speed of a run, and what it was run with.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunFacts {
    /// Wall time from the first read to the last write, without the records of an interrupted run.
    pub wall_seconds: f64,
    /// Records per second of that time; of `generate`, puzzles.
    pub records_per_second: f64,
    /// The number of workers.
    pub threads: usize,
    /// The name of the engine.
    pub engine: String,
    /// The last record, if the run was stopped.
    pub stopped_after: Option<StoppedAfter>,
    /// The records that an interrupted run had done, if this run resumed one.
    pub resumed: Option<Resumed>,
}

impl Run {
    /// The facts of a run over this number of records.
    pub(crate) fn facts(self, records: u64) -> RunFacts {
        let wall_seconds = self.wall.as_secs_f64();
        // The records of the interrupted run took none of this time.
        let read = (records - self.resumed) as f64;
        RunFacts {
            wall_seconds,
            records_per_second: if wall_seconds > 0.0 { read / wall_seconds } else { 0.0 },
            threads: self.threads,
            engine: self.engine,
            stopped_after: self.stopped_after,
            resumed: (self.resumed > 0).then_some(Resumed { records: self.resumed }),
        }
    }
}

/// The last record before a run was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedAfter {
    /// The name of the input.
    pub file: String,
    /// The number of the record's first line, from 1.
    pub line: u64,
}

/// The records of a resumed run whose rows the interrupted run wrote. Times and rates do not include them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Resumed {
    /// The number of these records.
    pub records: u64,
}

/// The summary of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The number of records, and of rows.
    pub records: u64,
    /// The number of rows by status.
    pub rows: Counts<Status>,
    /// The number of puzzles by their number of clues.
    pub clues: BTreeMap<usize, u64>,
    /// The number of puzzles that have more solutions than were listed.
    pub not_all_listed: u64,
    /// The ratings, if puzzles were rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<RatingSummary>,
    /// CPU time by purpose.
    pub cpu_seconds: CpuSeconds,
    /// The share of the wall time that each stage was busy.
    pub busy: Busy,
    /// Times of single puzzles in nanoseconds; see [`Cost::nanos`](crate::engine::Cost::nanos).
    pub nanos: Option<Percentiles>,
    /// The number of puzzles by time, in steps that double, without the empty ones at both ends.
    pub nanos_histogram: Vec<Bucket>,
    /// The numbers of guesses of single puzzles whose search was complete.
    pub branches: Option<Percentiles>,
    /// The number of puzzles by their number of guesses, in steps that double: 0, 1, 2 and 3, 4 to 7, ...
    pub branches_histogram: Vec<Bucket>,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<SlowPuzzle>,
    /// The limit for counting solutions.
    pub limit: u64,
}

/// CPU time by purpose, in seconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CpuSeconds {
    /// Solving.
    pub engines: f64,
    /// Reading, splitting, parsing, formatting and writing.
    pub rest: f64,
}

/// The share of the wall time that each stage was busy, from 0 to 1: the mean of its threads.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Busy {
    /// Reading and splitting.
    pub reader: f64,
    /// Parsing, solving and formatting.
    pub workers: f64,
    /// Ordering and writing.
    pub writer: f64,
}

/// Percentiles of a value of single puzzles. No values have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Percentiles {
    /// The sum of all values, exact.
    pub total: u64,
    /// The median.
    pub p50: u64,
    /// 90 % of the puzzles have this value or less.
    pub p90: u64,
    /// 99 % of the puzzles have this value or less.
    pub p99: u64,
    /// 99.9 % of the puzzles have this value or less.
    #[serde(rename = "p99.9")]
    pub p999: u64,
    /// The largest value.
    pub max: u64,
}

impl Percentiles {
    /// The percentiles of some values.
    #[cfg(feature = "cli")]
    pub(crate) fn from_values(values: impl IntoIterator<Item = u64>) -> Option<Percentiles> {
        let mut distribution = Distribution::new();
        values.into_iter().for_each(|value| distribution.add(value));
        Percentiles::new(&distribution)
    }

    fn new(distribution: &Distribution) -> Option<Percentiles> {
        let &Distribution { total, max, .. } = distribution;
        // The histogram rounds up to its precision, which may be above the largest value.
        let histogram = distribution.histogram();
        let at = |quantile| histogram.value_at_quantile(quantile).min(max);
        let percentiles = || Percentiles { total, p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max };
        (!histogram.is_empty()).then(percentiles)
    }
}

/// The number of puzzles with a value in some range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// The largest value of the range; the range starts above the bucket before.
    pub up_to: u64,
    /// The number of puzzles.
    pub puzzles: u64,
}

/// The values in ranges that double. The first range ends before `first`. Empty ranges at both ends are left out.
fn buckets(distribution: &Distribution, first: u64) -> Vec<Bucket> {
    let histogram = distribution.histogram();
    let steps = histogram.iter_log(first, 2.0);
    let bucket = |step: IterationValue<u64>| Bucket {
        up_to: step.value_iterated_to(),
        puzzles: step.count_since_last_iteration(),
    };
    steps.map(bucket).skip_while(|bucket| bucket.puzzles == 0).collect()
}

//! The summary of a whole run, ready to be written as JSON or shown to a person.
//!
//! The library fills it in and never prints it. Its counts add up: `records` is the sum of `rows`, and of the `unknown`
//! ones of a resumed run; `clues` counts every record that is a puzzle. After a resume, counts are of the complete run,
//! and times, branches and rates of the part since then.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::iterators::IterationValue;
use serde::{Deserialize, Serialize};

use super::{Counts, Distribution, RunStats, SlowPuzzle};
use crate::rows::Status;

impl RunStats {
    /// The summary of a whole run from its merged tally and what the run knows of itself.
    pub fn summary(self, run: Run) -> Summary {
        let records = self.records();
        let read = records - run.resumed;
        let wall = run.wall.as_secs_f64();
        let engine = self.engine_cpu;
        let busy =
            |cpu: Duration, threads: usize| if wall > 0.0 { cpu.as_secs_f64() / wall / threads as f64 } else { 0.0 };
        Summary {
            records,
            rows: self.rows,
            clues: (0..)
                .zip(&self.clues)
                .filter(|&(_, &puzzles)| puzzles > 0)
                .map(|(n, &puzzles)| (n, puzzles))
                .collect(),
            not_all_listed: self.capped,
            wall_seconds: wall,
            records_per_second: if wall > 0.0 { read as f64 / wall } else { 0.0 },
            cpu_seconds: CpuSeconds {
                engines: engine.as_secs_f64(),
                rest: (run.reader_cpu + run.workers_cpu.saturating_sub(engine) + run.writer_cpu).as_secs_f64(),
            },
            busy: Busy {
                reader: busy(run.reader_cpu, run.pipelines),
                workers: busy(run.workers_cpu, run.threads),
                writer: busy(run.writer_cpu, run.pipelines),
            },
            nanos: Percentiles::of(&self.nanos),
            nanos_histogram: buckets(&self.nanos),
            branches: Percentiles::of(&self.branches),
            slowest: self.slowest.into_sorted(),
            threads: run.threads,
            engine: run.engine,
            limit: run.limit,
            stopped_after: run.stopped_after,
            resumed: (run.resumed > 0).then_some(Resumed { records: run.resumed, unknown: self.unknown }),
        }
    }
}

/// What a run knows of itself beside its workers' tallies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// How many pipelines there were: one, or those of all shards.
    pub pipelines: usize,
    /// From the first read to the last write.
    pub wall: Duration,
    /// CPU time of the reader.
    pub reader_cpu: Duration,
    /// CPU time of all workers together, engines included.
    pub workers_cpu: Duration,
    /// CPU time of the writer.
    pub writer_cpu: Duration,
    /// How many workers there were.
    pub threads: usize,
    /// The engine's name.
    pub engine: String,
    /// How far solutions were counted.
    pub limit: u64,
    /// The last record of a run that was stopped.
    pub stopped_after: Option<StoppedAfter>,
    /// How many records have rows that an interrupted run wrote.
    pub resumed: u64,
}

impl Run {
    /// A run of one pipeline without threads, of which no CPU time is known.
    pub fn new(wall: Duration, engine: String, limit: u64) -> Run {
        let zero = Duration::ZERO;
        let (reader_cpu, workers_cpu, writer_cpu) = (zero, zero, zero);
        let (pipelines, threads, stopped_after, resumed) = (1, 0, None, 0);
        Run { pipelines, wall, reader_cpu, workers_cpu, writer_cpu, threads, engine, limit, stopped_after, resumed }
    }

    /// This run and another one beside it as one: it took as long as the longer one.
    #[must_use]
    pub fn beside(mut self, other: &Run) -> Run {
        self.pipelines += other.pipelines;
        self.wall = self.wall.max(other.wall);
        self.reader_cpu += other.reader_cpu;
        self.workers_cpu += other.workers_cpu;
        self.writer_cpu += other.writer_cpu;
        self.threads += other.threads;
        if !self.engine.split(", ").any(|engine| engine == other.engine) {
            self.engine = format!("{}, {}", self.engine, other.engine);
        }
        self.resumed += other.resumed;
        self
    }
}

/// The last record of a run that was stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedAfter {
    /// The name of the input.
    pub file: String,
    /// The line on which the record starts, from 1.
    pub line: u64,
}

/// The records of a resumed run that have rows of the interrupted run. Times and rates are of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Resumed {
    /// How many they are.
    pub records: u64,
    /// How many of them are puzzles whose rows have no status.
    pub unknown: u64,
}

/// What a run amounts to.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Records read, each of which became a row.
    pub records: u64,
    /// Rows by status.
    pub rows: Counts<Status>,
    /// Puzzles by their number of clues.
    pub clues: BTreeMap<usize, u64>,
    /// Puzzles that have more solutions than were listed.
    pub not_all_listed: u64,
    /// From the first read to the last write.
    pub wall_seconds: f64,
    /// Records per second of wall time.
    pub records_per_second: f64,
    /// Where CPU time went.
    pub cpu_seconds: CpuSeconds,
    /// What share of the run each stage was busy, 1 for always; threads of a stage are averaged.
    pub busy: Busy,
    /// Times of single puzzles in nanoseconds.
    pub nanos: Percentiles,
    /// How many puzzles took how long, in doubling steps without the empty ones at both ends.
    pub nanos_histogram: Vec<Bucket>,
    /// Guesses of single puzzles.
    pub branches: Percentiles,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<SlowPuzzle>,
    /// How many workers there were.
    pub threads: usize,
    /// The engine's name.
    pub engine: String,
    /// How far solutions were counted.
    pub limit: u64,
    /// The last record of a run that was stopped.
    pub stopped_after: Option<StoppedAfter>,
    /// The records that an interrupted run had done, if this run resumed one.
    pub resumed: Option<Resumed>,
}

/// Where CPU time went, in seconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CpuSeconds {
    /// Solving.
    pub engines: f64,
    /// Reading, cutting, parsing, formatting and writing.
    pub rest: f64,
}

/// What share of the run each stage was busy, from 0 to 1.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Busy {
    /// Reading and cutting.
    pub reader: f64,
    /// Parsing, solving and formatting.
    pub workers: f64,
    /// Ordering and writing.
    pub writer: f64,
}

/// How the values of single puzzles are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Percentiles {
    /// The sum of all values, exact.
    pub total: u64,
    /// Half of the puzzles are below.
    pub p50: u64,
    /// Nine of ten puzzles are below.
    pub p90: u64,
    /// 99 of a hundred puzzles are below.
    pub p99: u64,
    /// 999 of a thousand puzzles are below.
    #[serde(rename = "p99.9")]
    pub p999: u64,
    /// The largest value.
    pub max: u64,
}

impl Percentiles {
    /// The percentiles of some values.
    pub fn of_values(values: impl IntoIterator<Item = u64>) -> Percentiles {
        let mut spread = Distribution::new();
        values.into_iter().for_each(|value| spread.add(value));
        Percentiles::of(&spread)
    }

    fn of(spread: &Distribution) -> Percentiles {
        // The histogram rounds up within its precision; nothing is above the largest value.
        let histogram = spread.histogram();
        let at = |quantile| histogram.value_at_quantile(quantile).min(spread.max);
        Percentiles { total: spread.total, p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: spread.max }
    }
}

/// How many puzzles have a value in some range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// The largest value of the range; the range starts above the bucket before.
    pub up_to: u64,
    /// How many puzzles are in it.
    pub puzzles: u64,
}

fn buckets(spread: &Distribution) -> Vec<Bucket> {
    let histogram = spread.histogram();
    let steps = histogram.iter_log(128, 2.0);
    let bucket = |step: IterationValue<u64>| Bucket {
        up_to: step.value_iterated_to(),
        puzzles: step.count_since_last_iteration(),
    };
    steps.map(bucket).skip_while(|bucket| bucket.puzzles == 0).collect()
}

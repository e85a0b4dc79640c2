//! The results of one contender on one file: a row of the table and of the exports.

use gridmill::jobs::bench::{self, Clock, Measurement, Timed};
use indicatif::HumanCount;
use serde::Serialize;

/// A row of the table; the names of its fields are those of the CSV and JSON exports.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BenchRow {
    /// The file.
    pub(super) file: String,
    /// The number of puzzles in it.
    pub(super) puzzles: usize,
    /// The engine, or the command of another program.
    pub(super) solver: String,
    /// The number of threads; `None` for another program.
    pub(super) threads: Option<usize>,
    /// The clock of the times, the same in all rows: `CPU` or `wall`.
    pub(super) clock: &'static str,
    /// The number of timed runs.
    pub(super) rounds: usize,
    /// How many times each run solved all puzzles of the file.
    pub(super) passes: usize,
    /// Puzzles per second: the median of the runs.
    pub(super) puzzles_per_second: f64,
    /// The lower quartile of the runs.
    pub(super) low: f64,
    /// The upper quartile of the runs.
    pub(super) high: f64,
    /// How many times as fast as the reference.
    pub(super) ratio: f64,
    /// Half the width of the ratio's 95 % interval.
    pub(super) ratio_uncertainty: f64,
    /// The mean number of branches, of the puzzles whose search was complete.
    pub(super) branches_per_puzzle: Option<f64>,
    /// The share of these puzzles without a branch, 0 to 1.
    pub(super) without_branch: Option<f64>,
    /// The number of puzzles that the engine gave up on.
    pub(super) undecided: Option<usize>,
    /// Percentiles of the times of single puzzles, in nanoseconds.
    pub(super) p50_nanos: Option<u64>,
    pub(super) p90_nanos: Option<u64>,
    pub(super) p99_nanos: Option<u64>,
    pub(super) p999_nanos: Option<u64>,
    pub(super) max_nanos: Option<u64>,
    /// The time that a program takes to start, which is not part of its other times; `None` for an engine.
    pub(super) start_seconds: Option<f64>,
    /// The slowest puzzles, the slowest first.
    #[serde(skip)]
    pub(super) slowest: Vec<SlowPuzzle>,
    /// The seconds of a pass in each round.
    #[serde(skip)]
    pub(super) seconds: Vec<f64>,
    /// The name of the contender in a sentence.
    #[serde(skip)]
    pub(super) label: String,
}

/// A puzzle that takes a solver long.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SlowPuzzle {
    /// The line on which it starts.
    pub(super) line: u64,
    pub(super) puzzle: String,
    /// Its time on one thread.
    pub(super) nanos: u64,
    /// The number of guesses, if the solver reports them.
    pub(super) branches: Option<u64>,
}

impl BenchRow {
    /// The row for a measurement of a contender, without slowest puzzles; `reference` is the measurement of the reference
    /// on the same set.
    pub(super) fn new(contender: &Timed, reference: &Measurement, clock: Clock) -> BenchRow {
        let measurement = &contender.measurement;
        let (rate, ratio) = (measurement.rate(clock), bench::ratio(reference, measurement, clock));
        let stats = measurement.per_puzzle;
        let nanos = stats.map(|stats| stats.nanos);
        BenchRow {
            file: contender.set.clone(),
            puzzles: measurement.puzzles,
            solver: contender.contender.clone(),
            threads: contender.threads,
            clock: clock.name(),
            rounds: measurement.runs.len(),
            passes: measurement.passes,
            puzzles_per_second: rate.median,
            low: rate.low,
            high: rate.high,
            ratio: ratio.value,
            ratio_uncertainty: ratio.uncertainty,
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
            seconds: measurement.seconds(clock),
            label: contender.label.clone(),
        }
    }

    /// The ratio and its uncertainty, rounded to the digits that are known: `14.3 ± 0.2`.
    pub(super) fn ratio_text(&self) -> String {
        let (ratio, uncertainty) = (self.ratio, self.ratio_uncertainty);
        if uncertainty == 0.0 {
            return three_digits(ratio);
        }
        // One digit of the uncertainty, but no more than three of the ratio.
        let known = -uncertainty.log10().floor();
        let digits = known.min(2.0 - ratio.log10().floor()).max(0.0);
        let (uncertainty, digits) = (uncertainty.max(10_f64.powf(-digits)), digits as usize);
        format!("{ratio:.digits$} ± {uncertainty:.digits$}")
    }

    /// A sentence that compares this row with that of the reference on the same file.
    pub(super) fn sentence(&self, reference: &BenchRow) -> String {
        format!("{} is {} times as fast as {} on {}", self.label, self.ratio_text(), reference.label, self.file)
    }

    /// Puzzles per second, formatted.
    pub(super) fn rate_text(&self) -> String {
        let rate = self.puzzles_per_second;
        if rate < 1000.0 { three_digits(rate) } else { HumanCount(rate.round() as u64).to_string() }
    }

    /// Half the distance of the quartiles, in percent of the median.
    pub(super) fn spread_percent(&self) -> f64 {
        (self.high - self.low) / 2.0 / self.puzzles_per_second * 100.0
    }
}

/// A number with at least three significant digits.
pub(super) fn three_digits(value: f64) -> String {
    let digits = (2.0 - value.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

/// A name, truncated if it is long.
pub(super) fn shortened(name: &str) -> String {
    /// The largest length, in characters.
    const MAX_LENGTH: usize = 34;
    if name.chars().count() <= MAX_LENGTH {
        return name.to_owned();
    }
    name.chars().take(MAX_LENGTH - 1).chain(['\u{2026}']).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A row with this ratio.
    pub(in crate::commands::bench) fn row(ratio: f64, ratio_uncertainty: f64) -> BenchRow {
        BenchRow {
            file: "17_clue.txt".into(),
            puzzles: 1,
            solver: "lanes".into(),
            threads: Some(1),
            clock: "CPU",
            rounds: 5,
            passes: 1,
            puzzles_per_second: 1.0,
            low: 1.0,
            high: 1.0,
            ratio,
            ratio_uncertainty,
            branches_per_puzzle: None,
            without_branch: None,
            undecided: None,
            p50_nanos: None,
            p90_nanos: None,
            p99_nanos: None,
            p999_nanos: None,
            max_nanos: None,
            start_seconds: None,
            slowest: vec![],
            seconds: vec![],
            label: "lanes".into(),
        }
    }

    #[test]
    fn ratios_are_rounded_to_the_digits_that_are_known() {
        for (ratio, uncertainty, text) in [
            (14.3456, 0.2, "14.3 ± 0.2"),
            (14.3456, 0.0001, "14.3 ± 0.1"),
            (0.153_87, 0.000_02, "0.154 ± 0.001"),
            (0.153_87, 0.04, "0.15 ± 0.04"),
            (250.4, 30.0, "250 ± 30"),
            (1.0, 0.0, "1.00"),
        ] {
            assert_eq!(row(ratio, uncertainty).ratio_text(), text);
        }
        let sentence = row(14.3, 0.2).sentence(&BenchRow { label: "bitmask".into(), ..row(1.0, 0.0) });
        assert_eq!(sentence, "lanes is 14.3 ± 0.2 times as fast as bitmask on 17_clue.txt");
    }
}

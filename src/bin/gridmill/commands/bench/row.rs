//! One contender on one file: what the table shows of it and the exports hold.

use gridmill::jobs::bench::{self, Contender, Measurement, PuzzleSet};
use indicatif::HumanCount;
use serde::Serialize;

/// A row of the table; the names of its fields are those of the CSV and JSON exports.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BenchRow {
    /// The file.
    pub(super) file: String,
    /// How many puzzles it has.
    pub(super) puzzles: usize,
    /// The engine, or the command of another program.
    pub(super) solver: String,
    /// How many threads an engine was given.
    pub(super) threads: Option<usize>,
    /// Whose time it is: `CPU` or `wall`.
    pub(super) clock: &'static str,
    /// How many runs were timed.
    pub(super) rounds: usize,
    /// How many times each run went through the file.
    pub(super) passes: usize,
    /// Puzzles a second: the median of the runs.
    pub(super) puzzles_per_second: f64,
    /// The lower quartile of the runs.
    pub(super) low: f64,
    /// The upper quartile of the runs.
    pub(super) high: f64,
    /// How many times as fast as the first contender.
    pub(super) ratio: f64,
    /// Half the width of the ratio's 95 % interval.
    pub(super) ratio_uncertainty: f64,
    /// Guesses, on average.
    pub(super) branches_per_puzzle: Option<f64>,
    /// The share of puzzles without a guess, 0 to 1.
    pub(super) without_branch: Option<f64>,
    /// Percentiles of the times of single puzzles, in nanoseconds.
    pub(super) p50_nanos: Option<u64>,
    pub(super) p90_nanos: Option<u64>,
    pub(super) p99_nanos: Option<u64>,
    pub(super) p999_nanos: Option<u64>,
    pub(super) max_nanos: Option<u64>,
    /// How the contender is called in a sentence.
    #[serde(skip)]
    pub(super) label: String,
}

impl BenchRow {
    /// What was measured of a contender on a set, and how that compares with the first contender.
    pub(super) fn new(set: &PuzzleSet, who: &dyn Contender, what: &Measurement, first: &Measurement) -> BenchRow {
        let (rate, ratio) = (what.rate(), bench::ratio(first, what));
        let nanos = what.observed.map(|observed| observed.nanos);
        BenchRow {
            file: set.name().to_owned(),
            puzzles: what.puzzles,
            solver: who.name().to_owned(),
            threads: who.threads(),
            clock: what.clock().name(),
            rounds: what.laps.len(),
            passes: what.passes,
            puzzles_per_second: rate.median,
            low: rate.low,
            high: rate.high,
            ratio: ratio.value,
            ratio_uncertainty: ratio.uncertainty,
            branches_per_puzzle: what.observed.map(|observed| observed.branches),
            without_branch: what.observed.map(|observed| observed.without_branch),
            p50_nanos: nanos.map(|nanos| nanos.p50),
            p90_nanos: nanos.map(|nanos| nanos.p90),
            p99_nanos: nanos.map(|nanos| nanos.p99),
            p999_nanos: nanos.map(|nanos| nanos.p999),
            max_nanos: nanos.map(|nanos| nanos.max),
            label: who.label(),
        }
    }

    /// The ratio and its uncertainty in as many digits as are known: `14.3 ± 0.2`.
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

    /// The comparison in words, with the first row of the same file.
    pub(super) fn sentence(&self, first: &BenchRow) -> String {
        format!("{} is {} times as fast as {} on {}", self.label, self.ratio_text(), first.label, self.file)
    }

    /// Puzzles a second as people read them.
    pub(super) fn rate_text(&self) -> String {
        let rate = self.puzzles_per_second;
        if rate < 1000.0 { three_digits(rate) } else { HumanCount(rate.round() as u64).to_string() }
    }

    /// Half the width of the middle half of the runs, as a share of the median, in percent.
    pub(super) fn spread_percent(&self) -> f64 {
        (self.high - self.low) / 2.0 / self.puzzles_per_second * 100.0
    }
}

/// A number in three digits or more, without a fraction that says nothing.
pub(super) fn three_digits(value: f64) -> String {
    let digits = (2.0 - value.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

/// The beginning of a long name.
pub(super) fn shortened(name: &str) -> String {
    /// The longest name that is shown whole, in letters.
    const LONGEST: usize = 34;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_told_in_the_digits_that_are_known() {
        let row = |ratio, ratio_uncertainty| BenchRow {
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
            p50_nanos: None,
            p90_nanos: None,
            p99_nanos: None,
            p999_nanos: None,
            max_nanos: None,
            label: "lanes".into(),
        };
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

//! The results of one contender on one file in words: a row of the table.

use gridmill::jobs::bench::BenchRow;
use indicatif::HumanCount;

/// A row in words.
pub(super) trait RowWords {
    /// The ratio and its uncertainty, rounded to the digits that are known: `14.3 ± 0.2`.
    fn ratio_text(&self) -> String;

    /// A sentence that compares this row with that of the reference on the same file.
    fn sentence(&self, reference: &BenchRow) -> String;

    /// Puzzles per second, formatted.
    fn rate_text(&self) -> String;

    /// Half the distance of the quartiles, in percent of the median.
    fn spread_percent(&self) -> f64;
}

impl RowWords for BenchRow {
    fn ratio_text(&self) -> String {
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

    fn sentence(&self, reference: &BenchRow) -> String {
        format!("{} is {} times as fast as {} on {}", self.label, self.ratio_text(), reference.label, self.file)
    }

    fn rate_text(&self) -> String {
        let rate = self.puzzles_per_second;
        if rate < 1000.0 { three_digits(rate) } else { HumanCount(rate.round() as u64).to_string() }
    }

    fn spread_percent(&self) -> f64 {
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

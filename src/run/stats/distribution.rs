//! The distribution of a value over puzzles, such as the time that they take.
//!
//! It is saved as JSON without loss: as the count of each value that its histogram can distinguish. So the statistics of
//! several shards can be merged.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use super::Mergeable;

/// The distribution of a value over puzzles. The default has no values, and takes no memory.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "SavedDistribution", from = "SavedDistribution")]
pub(super) struct Distribution {
    /// The count of each value below [`Distribution::SMALL`]. Nearly all values are, and counting them here takes a
    /// third of the histogram's time.
    small: Vec<u64>,
    /// All other values; `None` if all were small.
    large: Option<Histogram<u64>>,
    pub(super) total: u64,
    pub(super) max: u64,
}

impl Distribution {
    /// A histogram of three digits is exact below this value.
    const SMALL: usize = 2000;

    pub(super) fn new() -> Distribution {
        Distribution { small: vec![0; Distribution::SMALL], ..Distribution::default() }
    }

    pub(super) fn add(&mut self, value: u64) {
        self.count(value, 1);
        self.total += value;
        self.max = self.max.max(value);
    }

    /// Counts a value several times, without the total and the maximum.
    #[inline]
    fn count(&mut self, value: u64, times: u64) {
        match usize::try_from(value).ok().and_then(|value| self.small.get_mut(value)) {
            Some(count) => *count += times,
            // Most runs have no such value, so the histogram is made for the first one.
            None => record(self.large.get_or_insert_with(histogram), value, times),
        }
    }

    /// A histogram of all values.
    pub(super) fn histogram(&self) -> Histogram<u64> {
        let mut all = self.large.clone().unwrap_or_else(histogram);
        for (value, &count) in (0..).zip(&self.small).filter(|&(_, &count)| count > 0) {
            record(&mut all, value, count);
        }
        all
    }
}

impl Mergeable for Distribution {
    fn merge(&mut self, other: Distribution) {
        self.small.merge(other.small);
        if let Some(large) = &other.large {
            let own = self.large.get_or_insert_with(histogram);
            own.add(large).expect("a histogram that resizes takes any value");
        }
        self.total += other.total;
        self.max = self.max.max(other.max);
    }
}

/// A histogram with three significant digits: a percentile has an error of at most one in a thousand.
fn histogram() -> Histogram<u64> {
    Histogram::new(3).expect("three digits are allowed")
}

fn record(histogram: &mut Histogram<u64>, value: u64, times: u64) {
    histogram.record_n(value, times).expect("a histogram that resizes takes any value");
}

/// The JSON of a [`Distribution`].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedDistribution {
    total: u64,
    max: u64,
    /// Each value, in ascending order, with its number of puzzles.
    counts: Vec<(u64, u64)>,
}

impl From<Distribution> for SavedDistribution {
    fn from(distribution: Distribution) -> SavedDistribution {
        let histogram = distribution.histogram();
        let values = histogram.iter_recorded();
        let counts = values.map(|step| (step.value_iterated_to(), step.count_at_value())).collect();
        SavedDistribution { total: distribution.total, max: distribution.max, counts }
    }
}

impl From<SavedDistribution> for Distribution {
    fn from(saved: SavedDistribution) -> Distribution {
        let mut distribution = Distribution::new();
        for (value, count) in saved.counts {
            distribution.count(value, count);
        }
        // The total and the maximum are exact, but the values that the histogram gives back are rounded.
        Distribution { total: saved.total, max: saved.max, ..distribution }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::{Mergeable, PuzzleSource, RunStats};
    use crate::engine::Cost;
    use crate::rows::Status;

    fn stats(costs: &[(u64, u64)], seconds: u64) -> RunStats {
        let mut stats = RunStats::new(2);
        for (line, &(nanos, branches)) in (1..).zip(costs) {
            let source = || PuzzleSource { file: "a".into(), line, puzzle: "..".into() };
            let clues = (nanos % 81) as usize;
            stats.add_puzzle(
                Status::from_solutions(branches % 3),
                clues,
                Cost { branches: Some(branches).filter(|branches| branches % 7 > 0), nanos },
                source,
            );
        }
        stats.add_malformed();
        stats.add_engine_cpu(Duration::from_secs(seconds));
        stats
    }

    proptest! {
        /// Includes values that the histogram does not distinguish.
        #[test]
        fn saved_statistics_merge_like_others(
            costs in proptest::collection::vec((0..u64::MAX >> 20, 0..5000_u64), 0..200),
            cut in 0..200_usize,
        ) {
            let (one, other) = costs.split_at(cut.min(costs.len()));
            let save = |stats: RunStats| serde_json::to_string(&stats).unwrap();
            let mut merged: RunStats = serde_json::from_str(&save(stats(one, 1))).unwrap();
            merged.merge(serde_json::from_str(&save(stats(other, 2))).unwrap());
            let mut unsaved = stats(one, 1);
            unsaved.merge(stats(other, 2));
            prop_assert_eq!(save(merged), save(unsaved));
        }
    }

    #[test]
    fn impossible_statistics_are_refused() {
        let saved = serde_json::to_string(&stats(&[(7, 1)], 1)).unwrap();
        let broken = saved.replace("\"secs\":1,", "\"secs\":-1,");
        assert_ne!(broken, saved);
        assert!(serde_json::from_str::<RunStats>(&broken).is_err(), "{broken}");
    }
}

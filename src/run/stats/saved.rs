//! Saves a distribution as JSON without loss: as the count of each value that its histogram can distinguish. So the
//! statistics of several shards can be merged.

use serde::{Deserialize, Serialize};

use super::Distribution;

/// The JSON of a [`Distribution`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedDistribution {
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

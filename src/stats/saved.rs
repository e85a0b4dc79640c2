//! Saves statistics as JSON without loss, so that the statistics of several shards can be merged.
//!
//! A histogram is saved as the count of each value that it can distinguish, and rebuilt from these counts.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Counts, Distribution, RatingStats, RunStats, SlowPuzzle};
use crate::rows::Status;

/// The JSON of [`RunStats`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedRunStats {
    rows: Counts<Status>,
    clues: BTreeMap<usize, u64>,
    nanos: SavedDistribution,
    branches: SavedDistribution,
    not_all_listed: u64,
    top: usize,
    slowest: Vec<SlowPuzzle>,
    engine_cpu: Duration,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ratings: Option<RatingStats>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedDistribution {
    total: u64,
    max: u64,
    /// Each value, in ascending order, with its number of puzzles.
    counts: Vec<(u64, u64)>,
}

impl From<RunStats> for SavedRunStats {
    fn from(stats: RunStats) -> SavedRunStats {
        SavedRunStats {
            rows: stats.rows,
            clues: (0..).zip(stats.clues).filter(|&(_, puzzles)| puzzles > 0).collect(),
            nanos: SavedDistribution::from(&stats.nanos),
            branches: SavedDistribution::from(&stats.branches),
            not_all_listed: stats.not_all_listed,
            top: stats.slowest.most(),
            slowest: stats.slowest.into_sorted(),
            engine_cpu: stats.engine_cpu,
            ratings: stats.ratings,
        }
    }
}

/// The error for JSON that is not valid as [`RunStats`].
#[derive(Debug, thiserror::Error)]
pub(super) enum SavedStatsError {
    #[error("no puzzle has {0} clues")]
    Clues(usize),
}

/// The maximum number of clues: all cells of a 25x25 grid.
const MAX_CLUES: usize = 625;

impl TryFrom<SavedRunStats> for RunStats {
    type Error = SavedStatsError;

    fn try_from(saved: SavedRunStats) -> Result<RunStats, SavedStatsError> {
        let mut stats = RunStats::new(saved.top);
        stats.rows = saved.rows;
        for (clues, puzzles) in saved.clues {
            if clues > MAX_CLUES {
                return Err(SavedStatsError::Clues(clues));
            }
            stats.clues.resize(stats.clues.len().max(clues + 1), 0);
            stats.clues[clues] = puzzles;
        }
        stats.nanos = saved.nanos.into();
        stats.branches = saved.branches.into();
        stats.not_all_listed = saved.not_all_listed;
        saved.slowest.into_iter().for_each(|puzzle| stats.slowest.add(puzzle));
        stats.engine_cpu = saved.engine_cpu;
        stats.ratings = saved.ratings;
        Ok(stats)
    }
}

impl From<&Distribution> for SavedDistribution {
    fn from(distribution: &Distribution) -> SavedDistribution {
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
    use proptest::prelude::*;

    use super::super::PuzzleSource;
    use super::*;
    use crate::engine::Cost;

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
        for (from, to) in [("\"secs\":1,", "\"secs\":-1,"), ("\"7\":1", "\"700000000000\":1")] {
            let broken = saved.replace(from, to);
            assert_ne!(broken, saved);
            assert!(serde_json::from_str::<RunStats>(&broken).is_err(), "{broken}");
        }
    }
}

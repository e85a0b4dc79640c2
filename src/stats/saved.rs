//! Tallies as they are kept in files: so that runs add up exactly that no process saw together.
//!
//! A histogram is kept as its values with their counts, as many as it can tell apart, and so comes back as it was.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Counts, Distribution, RunStats, SlowPuzzle, Slowest};
use crate::rows::Status;

/// A tally as it is written down.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedRunStats {
    rows: Counts<Status>,
    clues: BTreeMap<usize, u64>,
    nanos: SavedDistribution,
    branches: SavedDistribution,
    not_all_listed: u64,
    unknown: u64,
    top: usize,
    slowest: Vec<SlowPuzzle>,
    engine_seconds: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedDistribution {
    total: u64,
    max: u64,
    /// Values, ascending, with how many puzzles have them.
    counts: Vec<(u64, u64)>,
}

impl From<RunStats> for SavedRunStats {
    fn from(tally: RunStats) -> SavedRunStats {
        SavedRunStats {
            rows: tally.rows,
            clues: (0..).zip(tally.clues).filter(|&(_, puzzles)| puzzles > 0).collect(),
            nanos: SavedDistribution::from(&tally.nanos),
            branches: SavedDistribution::from(&tally.branches),
            not_all_listed: tally.capped,
            unknown: tally.unknown,
            top: tally.slowest.top,
            slowest: tally.slowest.into_sorted(),
            engine_seconds: tally.engine_cpu.as_secs_f64(),
        }
    }
}

/// The reason why what was read is no tally.
#[derive(Debug, thiserror::Error)]
pub(super) enum SavedStatsError {
    #[error("{0} is no number of seconds")]
    Seconds(f64),
    #[error("{0} clues are more than any puzzle has")]
    Clues(usize),
}

/// The most clues that a puzzle can have: its cells.
const CLUES: usize = 625;

impl TryFrom<SavedRunStats> for RunStats {
    type Error = SavedStatsError;

    fn try_from(saved: SavedRunStats) -> Result<RunStats, SavedStatsError> {
        let mut tally = RunStats::new(saved.top);
        tally.rows = saved.rows;
        for (clues, puzzles) in saved.clues {
            if clues > CLUES {
                return Err(SavedStatsError::Clues(clues));
            }
            tally.clues.resize(tally.clues.len().max(clues + 1), 0);
            tally.clues[clues] = puzzles;
        }
        tally.nanos = saved.nanos.into();
        tally.branches = saved.branches.into();
        tally.capped = saved.not_all_listed;
        tally.unknown = saved.unknown;
        tally.slowest = Slowest { top: saved.top, heap: saved.slowest.into_iter().map(Reverse).collect() };
        let seconds = Duration::try_from_secs_f64(saved.engine_seconds);
        tally.engine_cpu = seconds.map_err(|_| SavedStatsError::Seconds(saved.engine_seconds))?;
        Ok(tally)
    }
}

impl From<&Distribution> for SavedDistribution {
    fn from(spread: &Distribution) -> SavedDistribution {
        let histogram = spread.histogram();
        let values = histogram.iter_recorded();
        let counts = values.map(|step| (step.value_iterated_to(), step.count_at_value())).collect();
        SavedDistribution { total: spread.total, max: spread.max, counts }
    }
}

impl From<SavedDistribution> for Distribution {
    fn from(saved: SavedDistribution) -> Distribution {
        let mut spread = Distribution::new();
        for (value, count) in saved.counts {
            spread.count(value, count);
        }
        Distribution { total: saved.total, max: saved.max, ..spread }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::PuzzleSource;
    use super::*;
    use crate::engine::Cost;

    fn tally(costs: &[(u64, u64)], seconds: u64) -> RunStats {
        let mut tally = RunStats::new(2);
        for (line, &(nanos, branches)) in (1..).zip(costs) {
            let place = || PuzzleSource { file: "a".into(), line, puzzle: "..".into() };
            let (status, clues) = (Status::of(branches % 3), (nanos % 81) as usize);
            tally.add_puzzle(status, clues, Cost { branches, nanos }, place);
        }
        tally.add_malformed();
        tally.add_engine_cpu(Duration::from_secs(seconds));
        tally
    }

    proptest! {
        /// Also where the histogram cannot tell values apart.
        #[test]
        fn what_was_saved_adds_up_as_if_it_had_not_been(
            costs in proptest::collection::vec((0..u64::MAX >> 20, 0..5000_u64), 0..200),
            cut in 0..200_usize,
        ) {
            let (one, other) = costs.split_at(cut.min(costs.len()));
            let save = |tally: RunStats| serde_json::to_string(&tally).unwrap();
            let mut merged: RunStats = serde_json::from_str(&save(tally(one, 1))).unwrap();
            merged.merge(serde_json::from_str(&save(tally(other, 2))).unwrap());
            let mut unsaved = tally(one, 1);
            unsaved.merge(tally(other, 2));
            prop_assert_eq!(save(merged), save(unsaved));
        }
    }

    #[test]
    fn what_is_no_tally_is_refused() {
        let saved = serde_json::to_string(&tally(&[(7, 1)], 1)).unwrap();
        for (from, to) in [("\"engine_seconds\":1.0", "\"engine_seconds\":-1.0"), ("\"7\":1", "\"700000000000\":1")] {
            let broken = saved.replace(from, to);
            assert_ne!(broken, saved);
            assert!(serde_json::from_str::<RunStats>(&broken).is_err(), "{broken}");
        }
    }
}

//! Counts the ratings of puzzles.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Counts;
use crate::rating::{Difficulty, Level};

/// What is known about the ER of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Er {
    /// It is this.
    Is(Difficulty),
    /// It is above this bound.
    Above(Difficulty),
}

impl Er {
    /// The level, if it is known.
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Er::Is(er) => Some(Level::of(er)),
            Er::Above(bound) => Level::above(bound),
        }
    }
}

/// The number of puzzles by their ER.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RatingStats {
    er: BTreeMap<Difficulty, u64>,
    /// Those that are harder than a bound, by the bound.
    above: BTreeMap<Difficulty, u64>,
}

impl RatingStats {
    /// Counts a puzzle.
    pub(super) fn add(&mut self, er: Er) {
        *match er {
            Er::Is(er) => self.er.entry(er),
            Er::Above(bound) => self.above.entry(bound),
        }
        .or_default() += 1;
    }

    /// Adds other puzzles.
    pub(super) fn merge(&mut self, other: &RatingStats) {
        for (own, others) in [(&mut self.er, &other.er), (&mut self.above, &other.above)] {
            for (&er, puzzles) in others {
                *own.entry(er).or_default() += puzzles;
            }
        }
    }
}

/// The ratings of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RatingSummary {
    /// The number of puzzles by level, of those whose level is known.
    pub levels: Counts<Level>,
    /// The number of puzzles by ER; 20.0 if no technique solves them.
    pub er: BTreeMap<Difficulty, u64>,
    /// The number of puzzles that are harder than a bound, by the bound.
    pub above: BTreeMap<Difficulty, u64>,
}

impl From<RatingStats> for RatingSummary {
    fn from(RatingStats { er, above }: RatingStats) -> RatingSummary {
        let mut levels = Counts::default();
        let known = er.iter().map(|(&er, puzzles)| (Er::Is(er), puzzles));
        for (er, puzzles) in known.chain(above.iter().map(|(&bound, puzzles)| (Er::Above(bound), puzzles))) {
            if let Some(level) = er.level() {
                levels[level] += puzzles;
            }
        }
        RatingSummary { levels, er, above }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(ratings: &[Er]) -> RatingStats {
        let mut stats = RatingStats::default();
        for &er in ratings {
            stats.add(er);
        }
        stats
    }

    #[test]
    fn ratings_are_counted_by_level_and_by_er() {
        let [is, above] = [Er::Is, Er::Above].map(|er| move |tenths| er(Difficulty::from_tenths(tenths)));
        let mut merged = stats(&[is(71), is(12), is(200), above(30)]);
        merged.merge(&stats(&[is(12), is(100), above(30), above(70)]));
        let saved = serde_json::to_string(&merged).unwrap();
        assert_eq!(serde_json::from_str::<RatingStats>(&saved).unwrap(), merged);
        let summary = serde_json::to_string(&RatingSummary::from(merged)).unwrap();
        assert_eq!(
            summary,
            r#"{"levels":{"easy":2,"extreme":4,"fiendish":0,"hard":0,"medium":0,"very hard":0},"#.to_owned()
                + r#""er":{"1.2":2,"7.1":1,"10.0":1,"20.0":1},"above":{"3.0":2,"7.0":1}}"#
        );
    }
}

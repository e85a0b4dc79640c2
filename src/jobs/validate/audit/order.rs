//! Order in a file: whether puzzles are sorted by clues, by rating or by their text.
//!
//! ```text
//!   trend      Spearman's rank correlation of a value with the position: 1 or -1 in a sorted file, 0 by chance
//!   grouping   how much more often neighbours have the same value than by chance: 1 if equal values are adjacent
//!   ascending  the share of neighbours, among those that differ, in the order of their texts: 1 if sorted, 1/2 by
//! chance
//! ```
//!
//! All are sums over the records of a file in order, so they only need memory for each distinct value.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::jobs::validate::note::TextStart;

/// Sums over the values of the puzzles of a file, such as their clues.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueOrder {
    /// The number of puzzles with each value, and the sum of their positions, from 1.
    values: BTreeMap<u16, (u64, u128)>,
    puzzles: u64,
    last: Option<u16>,
    /// The number of puzzles with the same value as the one before.
    repeats: u64,
}

impl ValueOrder {
    /// Adds the value of the next puzzle.
    pub(super) fn add(&mut self, value: u16) {
        self.puzzles += 1;
        let (count, positions) = self.values.entry(value).or_default();
        *count += 1;
        *positions += u128::from(self.puzzles);
        self.repeats += u64::from(self.last == Some(value));
        self.last = Some(value);
    }

    /// The dependence of values on positions; `None` if all values are equal.
    pub(super) fn found(&self) -> Option<ValueTrend> {
        if self.values.len() < 2 {
            return None;
        }
        let count = self.puzzles as f64;
        let mean = f64::midpoint(count, 1.0);
        let (mut covariance, mut variance, mut pairs, mut before) = (0.0, 0.0, 0.0, 0.0);
        for &(puzzles, positions) in self.values.values() {
            let puzzles = puzzles as f64;
            // Equal values share the mean of their ranks.
            let rank = before + f64::midpoint(puzzles, 1.0) - mean;
            covariance += rank * (positions as f64 - puzzles * mean);
            variance += puzzles * rank * rank;
            pairs += puzzles * (puzzles - 1.0);
            before += puzzles;
        }
        let position_variance = (count.powi(3) - count) / 12.0;
        let trend = covariance / (variance * position_variance).sqrt();

        let by_chance = pairs / (count * (count - 1.0));
        let found = self.repeats as f64 / (count - 1.0);
        let grouping = (found - by_chance) / (1.0 - by_chance);
        let deviation = (by_chance * (1.0 - by_chance) / (count - 1.0)).sqrt();
        Some(ValueTrend {
            trend,
            trend_deviations: trend * (count - 1.0).sqrt(),
            grouping,
            grouping_deviations: if deviation > 0.0 { (found - by_chance) / deviation } else { 0.0 },
        })
    }
}

/// The dependence of a value on the position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ValueTrend {
    /// Spearman's rank correlation with the position, from -1 to 1.
    pub trend: f64,
    /// The same in standard deviations of a file in random order.
    pub trend_deviations: f64,
    /// How much more often neighbours have the same value than by chance: 0 in random order, 1 if equal values are
    /// adjacent.
    pub grouping: f64,
    /// The same in standard deviations of a file in random order.
    pub grouping_deviations: f64,
}

/// Counts neighbours by the order of their texts.
#[derive(Clone, Debug, Default)]
pub(super) struct TextOrder {
    last: Option<TextStart>,
    ascending: u64,
    descending: u64,
}

impl TextOrder {
    /// Adds the next puzzle.
    pub(super) fn add(&mut self, start: TextStart) {
        match self.last.map(|last| last.cmp(&start)) {
            Some(Ordering::Less) => self.ascending += 1,
            Some(Ordering::Greater) => self.descending += 1,
            Some(Ordering::Equal) | None => {}
        }
        self.last = Some(start);
    }

    /// The order of neighbours; `None` if no two differ.
    pub(super) fn found(&self) -> Option<TextTrend> {
        let pairs = self.ascending + self.descending;
        let ascending = self.ascending as f64 / pairs as f64;
        // A random permutation of n has a variance of (n + 1) / 12 ascents.
        let deviations = (ascending - 0.5) * pairs as f64 / ((pairs as f64 + 2.0) / 12.0).sqrt();
        (pairs > 0).then_some(TextTrend { ascending, deviations })
    }
}

/// The dependence of puzzles' texts on the position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TextTrend {
    /// The share of neighbours, among those that differ in their first 25 cells, that are in the order of their texts.
    pub ascending: f64,
    /// Its distance from a half, in standard deviations of a file in random order.
    pub deviations: f64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order(values: &[u16]) -> ValueOrder {
        let mut order = ValueOrder::default();
        for &value in values {
            order.add(value);
        }
        order
    }

    /// Pearson's correlation of ranks and positions, from the definition.
    fn naive(values: &[u16]) -> f64 {
        let rank = |value: u16| {
            let smaller = values.iter().filter(|&&other| other < value).count() as f64;
            let equal = values.iter().filter(|&&other| other == value).count() as f64;
            smaller + f64::midpoint(equal, 1.0)
        };
        let mean = f64::midpoint(values.len() as f64, 1.0);
        let pairs: Vec<_> = (1..).zip(values).map(|(at, &value)| (f64::from(at) - mean, rank(value) - mean)).collect();
        let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
        sum(&|(x, y)| x * y) / (sum(&|(x, _)| x * x) * sum(&|(_, y)| y * y)).sqrt()
    }

    proptest! {
        #[test]
        fn the_trend_is_the_correlation_of_ranks(values in proptest::collection::vec(0..6_u16, 2..60)) {
            if let Some(found) = order(&values).found() {
                prop_assert!((found.trend - naive(&values)).abs() < 1e-9);
                prop_assert!(found.grouping <= 1.0 + 1e-9);
            } else {
                prop_assert!(values.iter().all(|value| *value == values[0]));
            }
        }
    }

    #[test]
    fn sorted_and_grouped_values_are_found() {
        let sorted: Vec<u16> = (0..1000).map(|n| n / 100).collect();
        let found = order(&sorted).found().unwrap();
        assert!(found.trend > 0.99 && found.grouping > 0.98 && found.grouping_deviations > 50.0, "{found:?}");
        // Groups in the order of the digits of a permutation.
        let grouped: Vec<u16> = (0..1000).map(|n| [3, 8, 1, 6, 4, 9, 0, 5, 7, 2][n / 100]).collect();
        let found = order(&grouped).found().unwrap();
        assert!(found.trend.abs() < 0.3 && found.grouping > 0.98, "{found:?}");
        let mixed: Vec<u16> = (0..1000_u64).map(|n| ((n * n * 2_654_435_761) >> 7 & 7) as u16).collect();
        let found = order(&mixed).found().unwrap();
        assert!(found.trend.abs() < 0.1 && found.grouping.abs() < 0.1, "{found:?}");
    }

    #[test]
    fn texts_compare_as_their_cells() {
        let starts = [[0; 81], [1; 81], [2; 81]].map(|cells| TextStart::of(&cells));
        assert!(starts.is_sorted());
        let mut order = TextOrder::default();
        assert_eq!(order.found(), None);
        for start in [starts[0], starts[0], starts[1], starts[2], starts[1]] {
            order.add(start);
        }
        let found = order.found().unwrap();
        assert!((found.ascending - 2.0 / 3.0).abs() < 1e-9);
    }
}

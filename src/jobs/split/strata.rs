//! Ranks the groups of each value of a column, so that every part gets its share of the records with each value.
//!
//! The rank of a group replaces its hash. The groups of a value are spread evenly over all ranks, in the order of their
//! hashes, each over an interval proportional to the number of its records:
//!
//! ```text
//!           0                         rank / 2^64                     1
//!   easy    |---|---|-------|---|---|---|---|-------|---|---|---|---|---|
//!   hard    |---------|---------|---------|-------------------|---------|
//!                               train                    |     test
//! ```
//!
//! The rank is a point in the interval of the group, determined by the hash of the value. So rare values do not all go
//! to the same part.

use std::cmp::Reverse;

use crate::copy::{KeyedHash, ValueIndex, ValueTable};

/// The ranks of all groups, ascending by their hashes.
#[derive(Debug)]
pub(super) struct Ranks(Vec<(u64, u64)>);

/// A group of records.
struct Group {
    /// The most frequent value of its records.
    value: ValueIndex,
    /// The number of its records.
    records: u32,
    hash: u64,
}

impl Ranks {
    /// Ranks the groups of these records, given by the hash of the group and the value.
    pub(super) fn new(mut records: Vec<(u64, ValueIndex)>, values: &ValueTable, seed: KeyedHash) -> Ranks {
        let texts = values.texts();
        records.sort_unstable();
        let mut groups: Vec<Group> = vec![];
        for group in records.chunk_by(|a, b| a.0 == b.0) {
            let values = group.chunk_by(|a, b| a.1 == b.1);
            // Ties between values go to the first in the order of their bytes.
            let most = values.max_by_key(|records| (records.len(), Reverse(texts[records[0].1.get()])));
            let (hash, value) = most.expect("a group has records")[0];
            groups.push(Group { value, records: group.len() as u32, hash });
        }
        drop(records);

        groups.sort_unstable_by_key(|group| (group.value, group.hash));
        let mut ranks = Vec::with_capacity(groups.len());
        for stratum in groups.chunk_by(|a, b| a.value == b.value) {
            let all: u64 = stratum.iter().map(|group| u64::from(group.records)).sum();
            let point = u128::from(seed.of_value(texts[stratum[0].value.get()]));
            let mut before = 0_u64;
            for group in stratum {
                let scaled = (u128::from(before) << 64) + point * u128::from(group.records);
                ranks.push((group.hash, (scaled / u128::from(all)) as u64));
                before += u64::from(group.records);
            }
        }
        ranks.sort_unstable();
        Ranks(ranks)
    }

    /// The rank of the group with this hash, which must have one.
    pub(super) fn of(&self, hash: u64) -> u64 {
        let index = self.0.binary_search_by_key(&hash, |&(hash, _)| hash);
        self.0[index.expect("every group has a rank")].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups of a value follow each other in the order of their hashes, at distances proportional to their
    /// records.
    #[test]
    fn the_groups_of_a_value_are_spread_evenly() {
        let mut values = ValueTable::new("level", None);
        let [x, y] = ["x", "y"].map(|value| values.index(value.as_bytes()).unwrap());
        let seed = KeyedHash::new(7);
        // The group of 5 has most of its records with x; the group of 6 has as many with x as with y.
        let records = [(9, x), (1, x), (1, x), (5, x), (5, y), (5, x), (6, y), (6, x), (2, y), (3, y)];
        let ranks = Ranks::new(records.to_vec(), &values, seed);
        let at = |value: &str, before: f64, records: f64, all: f64| {
            let point = seed.of_value(value.as_bytes()) as f64 / 2_f64.powi(64);
            (before + point * records) / all
        };
        for (hash, expected) in [
            (1, at("x", 0.0, 2.0, 8.0)),
            (5, at("x", 2.0, 3.0, 8.0)),
            (6, at("x", 5.0, 2.0, 8.0)),
            (9, at("x", 7.0, 1.0, 8.0)),
            (2, at("y", 0.0, 1.0, 2.0)),
            (3, at("y", 1.0, 1.0, 2.0)),
        ] {
            let rank = ranks.of(hash) as f64 / 2_f64.powi(64);
            assert!((rank - expected).abs() < 1e-9, "{hash}: {rank}, expected {expected}");
        }
        // The order of the records, and therefore the indices of the values, do not matter.
        let mut other_values = ValueTable::new("level", None);
        let [y, x] = ["y", "x"].map(|value| other_values.index(value.as_bytes()).unwrap());
        let reversed = records.iter().rev().map(|&(hash, value)| (hash, if value.get() == 0 { x } else { y }));
        assert_eq!(Ranks::new(reversed.collect(), &other_values, seed).0, ranks.0);
    }
}

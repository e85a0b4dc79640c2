//! Keeps the records with the smallest hashes (a bottom-k sample) for each value of a column, and divides a sample
//! among the values.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, TryReserveError};
use std::sync::Arc;

use crate::corpus::Input;

/// The maximum number of values of a column.
pub(super) const MAX_VALUES: usize = 10_000;

/// A record that may be in the sample. Smaller hashes are better.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) hash: u64,
    /// Its position among all records, from 1.
    pub(super) position: u64,
    pub(super) input: Arc<Input>,
    pub(super) line: u64,
    /// The text, followed by the line end after `text_length` bytes.
    pub(super) text: Vec<u8>,
    pub(super) text_length: usize,
}

impl Candidate {
    fn rank(&self) -> (u64, u64) {
        (self.hash, self.position)
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Candidate) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// The records of each value. Without a column, all records have an empty value.
#[derive(Debug, Default)]
pub(super) struct Strata {
    /// The size of the sample, and the maximum number of candidates of a stratum.
    size: usize,
    /// The records with an empty value. They are kept apart because comparing two empty slices takes 80 ns: an empty
    /// slice has an address that cannot be read.
    empty: Stratum,
    /// The records with any other value.
    others: BTreeMap<Vec<u8>, Stratum>,
}

#[derive(Debug, Default)]
struct Stratum {
    /// The number of its records.
    records: u64,
    /// The records with the smallest hashes, the worst on top.
    best: BinaryHeap<Candidate>,
}

/// The number of records with a value, and the number of them in the sample.
#[derive(Debug)]
pub(super) struct StratumSize {
    pub(super) value: Vec<u8>,
    pub(super) records: u64,
    pub(super) sampled: u64,
}

impl Strata {
    /// Strata for a sample of this size.
    pub(super) fn new(size: usize) -> Strata {
        Strata { size, empty: Stratum::default(), others: BTreeMap::new() }
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        usize::from(self.empty.records > 0) + self.others.len()
    }

    /// The number of records.
    pub(super) fn records(&self) -> u64 {
        self.empty.records + self.others.values().map(|stratum| stratum.records).sum::<u64>()
    }

    /// Counts a record, and keeps it if its hash is among the smallest. `candidate` makes a copy of it.
    ///
    /// # Errors
    ///
    /// If there is not enough memory for it.
    pub(super) fn add(
        &mut self,
        value: &[u8],
        hash: u64,
        position: u64,
        candidate: impl FnOnce() -> Result<Candidate, TryReserveError>,
    ) -> Result<(), TryReserveError> {
        let stratum = if value.is_empty() {
            &mut self.empty
        } else {
            if !self.others.contains_key(value) {
                self.others.insert(value.to_vec(), Stratum::default());
            }
            self.others.get_mut(value).expect("it was inserted")
        };
        stratum.records += 1;
        if stratum.best.len() < self.size {
            stratum.best.try_reserve(1)?;
            stratum.best.push(candidate()?);
        } else if stratum.best.peek().is_some_and(|worst| (hash, position) < worst.rank()) {
            stratum.best.pop();
            stratum.best.push(candidate()?);
        }
        Ok(())
    }

    /// The sample, in the order of the input, and the number of sampled records for each value.
    pub(super) fn into_sample(self) -> (Vec<Candidate>, Vec<StratumSize>) {
        let empty = Some((vec![], self.empty)).filter(|(_, stratum)| stratum.records > 0);
        let strata: Vec<(Vec<u8>, Stratum)> = empty.into_iter().chain(self.others).collect();
        let sizes = shares(self.size as u64, &strata.iter().map(|(_, stratum)| stratum.records).collect::<Vec<_>>());
        let (mut sample, mut counts) = (vec![], vec![]);
        for ((value, stratum), size) in strata.into_iter().zip(sizes) {
            counts.push(StratumSize { value, records: stratum.records, sampled: size });
            sample.extend(stratum.best.into_sorted_vec().into_iter().take(size as usize));
        }
        sample.sort_unstable_by_key(|candidate| candidate.position);
        (sample, counts)
    }
}

/// Divides `size` records among groups in proportion to their numbers of records. The largest remainders are rounded
/// up, so that the numbers add up. No group gets more records than it has.
fn shares(size: u64, records: &[u64]) -> Vec<u64> {
    let all: u64 = records.iter().sum();
    let size = size.min(all);
    let exact = |&records: &u64| u128::from(size) * u128::from(records);
    let mut shares: Vec<u64> = records.iter().map(|records| (exact(records) / u128::from(all.max(1))) as u64).collect();
    let mut by_remainder: Vec<usize> = (0..records.len()).collect();
    by_remainder.sort_by_key(|&group| Reverse(exact(&records[group]) % u128::from(all.max(1))));
    let missing = size - shares.iter().sum::<u64>();
    for &group in by_remainder.iter().take(missing as usize) {
        shares[group] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_sample_is_shared_in_proportion() {
        for (size, records, expected) in [
            (10, &[50, 30, 20][..], &[5, 3, 2][..]),
            (10, &[1, 1, 1], &[1, 1, 1]),
            (2, &[1, 1, 1], &[1, 1, 0]),
            (7, &[10, 10, 1], &[4, 3, 0]),
            (3, &[], &[]),
        ] {
            assert_eq!(shares(size, records), expected);
        }
    }

    proptest! {
        #[test]
        fn shares_add_up_and_no_group_gets_more_than_it_has(size: u16, records: Vec<u16>) {
            let records: Vec<u64> = records.into_iter().map(u64::from).collect();
            let shares = shares(size.into(), &records);
            let all: u64 = records.iter().sum();
            prop_assert_eq!(shares.iter().sum::<u64>(), all.min(size.into()));
            for (&share, &records) in shares.iter().zip(&records) {
                prop_assert!(share <= records);
                let exact = f64::from(size).min(all as f64) * records as f64 / (all as f64).max(1.0);
                prop_assert!((share as f64 - exact).abs() < 1.0);
            }
        }
    }
}

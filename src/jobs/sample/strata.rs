//! Keeps the records with the smallest hashes (a bottom-k sample) for each value of a column, and divides a sample
//! among the values.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem;
use std::sync::Arc;

use super::StratumCount;
use crate::copy::{CopyError, ValueIndex, ValueTable};
use crate::corpus::{Input, RecordContent, RecordView};

/// A record that may be in the sample. Smaller hashes are better.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) hash: u64,
    /// Its position among all records, from 1.
    pub(super) position: u64,
    input: Arc<Input>,
    line: u64,
    /// The text, followed by the line end after `text_length` bytes.
    text: Vec<u8>,
    text_length: usize,
}

impl Candidate {
    /// A record. Its text is left out if the record is read again.
    pub(super) fn new(
        hash: u64,
        position: u64,
        record: &RecordView<'_>,
        with_text: bool,
    ) -> Result<Candidate, CopyError> {
        let (mut text, mut text_length) = (Vec::new(), 0);
        if with_text {
            let own = record.text();
            text.try_reserve_exact(own.len() + record.line_end.len())?;
            text.extend_from_slice(&own);
            text.extend_from_slice(record.line_end);
            text_length = own.len();
        }
        Ok(Candidate { hash, position, input: Arc::clone(record.input), line: record.line, text, text_length })
    }

    /// Appends more of the record.
    pub(super) fn append(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.text_length = self.text.len();
    }

    /// The record.
    pub(super) fn record(&self) -> RecordView<'_> {
        let (text, line_end) = self.text.split_at(self.text_length);
        RecordView { input: &self.input, line: self.line, content: RecordContent::Text(text), line_end }
    }

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

/// The records of each value.
#[derive(Debug)]
pub(super) struct Strata {
    /// The size of the sample, and the maximum number of candidates of a stratum.
    size: usize,
    /// Without a column, all records are one stratum, with an empty value.
    values: Option<ValueTable>,
    /// The strata, by the indices of their values.
    by_value: Vec<Stratum>,
}

#[derive(Debug, Default)]
struct Stratum {
    /// The number of its records.
    records: u64,
    /// The records with the smallest hashes, the worst on top.
    best: BinaryHeap<Candidate>,
}

impl Strata {
    /// Strata for a sample of this size, by the values of a column.
    pub(super) fn new(size: usize, values: Option<ValueTable>) -> Strata {
        Strata { size, values, by_value: vec![] }
    }

    /// Counts a record, and keeps it if its hash is among the smallest. `candidate` makes a copy of it.
    ///
    /// # Errors
    ///
    /// If the column has too many values, or the memory is not enough.
    pub(super) fn add(
        &mut self,
        value: &[u8],
        hash: u64,
        position: u64,
        candidate: impl FnOnce() -> Result<Candidate, CopyError>,
    ) -> Result<(), CopyError> {
        let index = self.values.as_mut().map_or(Ok(ValueIndex::default()), |values| values.index(value))?;
        if self.by_value.len() <= index.get() {
            self.by_value.push(Stratum::default());
        }
        let stratum = &mut self.by_value[index.get()];
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

    /// The sample, in the order of the input, and the number of sampled records for each value, in the order of the
    /// values.
    pub(super) fn take_sample(&mut self) -> (Vec<Candidate>, Vec<StratumCount>) {
        let texts = self.values.as_ref().map_or_else(|| vec![&[][..]], ValueTable::texts);
        let mut strata: Vec<(&[u8], Stratum)> = texts.into_iter().zip(mem::take(&mut self.by_value)).collect();
        strata.sort_by_key(|&(value, _)| value);

        let sizes = shares(self.size as u64, &strata.iter().map(|(_, stratum)| stratum.records).collect::<Vec<_>>());
        let (mut sample, mut counts) = (vec![], vec![]);
        for ((value, stratum), size) in strata.into_iter().zip(sizes) {
            let value = String::from_utf8_lossy(value).into_owned();
            counts.push(StratumCount { value, matching: stratum.records, sampled: size });
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

//! Chooses the part of each record by the hash of its group. Parts with exact sizes, and strata, are only divided after
//! the last record.

use std::collections::VecDeque;
use std::io;

use super::parts::{PartSizes, Parts, part_of};
use super::strata::Ranks;
use super::{PartCount, SplitReport, ValueCount, ValueCounts};
use crate::copy::{Chooser, CopyError, KeyedHash, NoKey, NoKeyCounts, ValueIndex, ValueTable};
use crate::corpus::RecordView;

/// The hash for records without a group. A group with this hash gets the next one.
const NO_GROUP: u64 = 0;

/// Chooses the output of a part, or the output after the parts for records without a group.
pub(super) struct SplitChooser<'a> {
    parts: &'a Parts,
    seed: KeyedHash,
    /// The values of the column of the strata.
    values: Option<ValueTable>,
    tally: Tally,
    seen: SeenGroups,
    exact: Option<ExactSizes>,
}

/// The records so far, if parts are chosen after the last record. Takes 8 bytes of memory for each record and 4 for its
/// value, and up to 32 more while parts are chosen.
#[derive(Default)]
struct SeenGroups {
    /// The hash of each group, or [`NO_GROUP`]; with strata, later its rank.
    hashes: Vec<u64>,
    /// The reasons why records have no group, for those records.
    reasons: VecDeque<NoKey>,
    /// The values, if a column is read.
    values: Vec<ValueIndex>,
}

impl<'a> SplitChooser<'a> {
    pub(super) fn new(parts: &'a Parts, values: Option<ValueTable>, seed: KeyedHash) -> SplitChooser<'a> {
        SplitChooser { parts, seed, values, tally: Tally::new(parts.len()), seen: SeenGroups::default(), exact: None }
    }

    /// The report of the run.
    pub(super) fn into_report(self) -> SplitReport {
        self.tally.into_report(self.parts, self.values.as_ref())
    }

    /// Counts a record; returns its output.
    fn count(&mut self, group: Result<u64, NoKey>, value: Option<ValueIndex>) -> Option<usize> {
        let part = group.map(|hash| match &self.parts.sizes {
            PartSizes::Shares { ends, denominator } => Some(part_of(hash, ends, *denominator)),
            PartSizes::Records(_) => self.exact.as_ref().and_then(|exact| exact.part_of(hash)),
        });
        match part {
            Ok(part) => {
                self.tally.count(part, value);
                part
            }
            Err(reason) => {
                self.tally.records += 1;
                self.tally.unsplit.count(reason);
                Some(self.parts.len())
            }
        }
    }
}

impl SeenGroups {
    /// Replaces the hashes of groups by their ranks.
    fn rank(&mut self, table: &ValueTable, seed: KeyedHash) {
        let SeenGroups { hashes, values, .. } = self;
        let records = hashes.iter().copied().zip(values.iter().copied()).filter(|&(hash, _)| hash != NO_GROUP);
        let ranks = Ranks::new(records.collect(), table, seed);
        for hash in hashes.iter_mut().filter(|hash| **hash != NO_GROUP) {
            *hash = ranks.of(*hash).max(NO_GROUP + 1);
        }
    }
}

impl Chooser for SplitChooser<'_> {
    /// The hash of the group of a record, or the reason why it belongs to no group.
    type Note = Result<u64, NoKey>;

    fn is_late(&self) -> bool {
        self.parts.have_exact_sizes() || self.values.is_some()
    }

    fn see(&mut self, group: Result<u64, NoKey>, value: &[u8], _: &RecordView<'_>) -> io::Result<Option<usize>> {
        if !self.is_late() {
            return Ok(self.count(group, None));
        }
        if let Some(values) = &mut self.values {
            // A record without a group also has a value, but it does not count.
            self.seen.values.push(if group.is_ok() { values.index(value)? } else { ValueIndex::default() });
        }
        self.seen.hashes.push(group.map_or(NO_GROUP, |hash| hash.max(NO_GROUP + 1)));
        self.seen.reasons.extend(group.err());
        Ok(None)
    }

    fn prepare(&mut self) -> Result<(), CopyError> {
        if let Some(values) = &self.values {
            self.seen.rank(values, self.seed);
        }
        if let PartSizes::Records(sizes) = &self.parts.sizes {
            let groups = self.seen.hashes.iter().copied().filter(|&hash| hash != NO_GROUP).collect();
            self.exact = Some(ExactSizes::choose(groups, sizes, self.parts)?);
        }
        Ok(())
    }

    fn choose(&mut self, position: usize, _: &RecordView<'_>) -> io::Result<Option<usize>> {
        let group = match self.seen.hashes[position] {
            NO_GROUP => Err(self.seen.reasons.pop_front().expect("there is a reason for each of them")),
            hash => Ok(hash),
        };
        let value = self.seen.values.get(position).copied();
        Ok(self.count(group, value))
    }
}

/// Counts the records of a split.
#[derive(Debug)]
struct Tally {
    records: u64,
    /// The number of records in each part, and in no part.
    outputs: Vec<u64>,
    unsplit: NoKeyCounts,
    /// The same for each value.
    values: Vec<Vec<u64>>,
}

impl Tally {
    /// Counts for this number of parts.
    fn new(parts: usize) -> Tally {
        Tally { records: 0, outputs: vec![0; parts + 1], unsplit: NoKeyCounts::default(), values: vec![] }
    }

    /// Counts a record in a part, or in none.
    fn count(&mut self, part: Option<usize>, value: Option<ValueIndex>) {
        self.records += 1;
        let output = part.unwrap_or(self.outputs.len() - 1);
        self.outputs[output] += 1;
        if let Some(value) = value {
            if self.values.len() <= value.get() {
                self.values.resize_with(value.get() + 1, || vec![0; self.outputs.len()]);
            }
            self.values[value.get()][output] += 1;
        }
    }

    /// The report, with the values that were counted.
    fn into_report(mut self, parts: &Parts, values: Option<&ValueTable>) -> SplitReport {
        let left_out = self.outputs.pop().unwrap_or_default();
        let counts =
            parts.names().zip(self.outputs).map(|(name, records)| PartCount { name: name.to_owned(), records });
        let values = values.map(|table| {
            let mut values: Vec<ValueCount> = table.texts().iter().zip(self.values).map(value_count).collect();
            values.sort_by(|a, b| b.records().cmp(&a.records()).then_with(|| a.value.cmp(&b.value)));
            ValueCounts { column: table.column.clone(), values }
        });
        SplitReport { records: self.records, parts: counts.collect(), unsplit: self.unsplit, left_out, values }
    }
}

impl ValueCount {
    /// The number of records with the value.
    fn records(&self) -> u64 {
        self.parts.iter().sum::<u64>() + self.left_out
    }
}

fn value_count((text, mut parts): (&&[u8], Vec<u64>)) -> ValueCount {
    let left_out = parts.pop().unwrap_or_default();
    ValueCount { value: String::from_utf8_lossy(text).into_owned(), parts, left_out }
}

/// The part of each group, by the hash of its key.
#[derive(Debug)]
struct ExactSizes {
    /// Runs of groups with the same part, ascending by hash: the last hash of each run, and its part; `None` for groups
    /// that go to no part.
    runs: Vec<(u64, Option<usize>)>,
}

impl ExactSizes {
    /// Assigns the groups in the order of their hashes. Each goes to the first part with enough room for all its
    /// records or, failing that, to the part with the size `rest`.
    ///
    /// `hashes` has the hash of each record's group. `sizes` are the numbers of records of the parts, `None` for the
    /// rest.
    fn choose(mut hashes: Vec<u64>, sizes: &[Option<u64>], parts: &Parts) -> Result<ExactSizes, CopyError> {
        hashes.sort_unstable();
        let rest = sizes.iter().position(Option::is_none);
        let mut room: Vec<u64> = sizes.iter().map(|size| size.unwrap_or(0)).collect();
        let mut runs: Vec<(u64, Option<usize>)> = vec![];
        for group in hashes.chunk_by(|a, b| a == b) {
            let records = group.len() as u64;
            let part = room.iter().position(|&room| room >= records);
            if let Some(part) = part {
                room[part] -= records;
            }
            let part = part.or(rest);
            match runs.last_mut() {
                Some((last, same)) if *same == part => *last = group[0],
                _ => runs.push((group[0], part)),
            }
        }
        for ((name, &room), &size) in parts.names().zip(&room).zip(sizes) {
            if room > 0 {
                let wanted = size.unwrap_or(0);
                return Err(CopyError::TooFew { part: name.to_owned(), wanted, found: wanted - room });
            }
        }
        Ok(ExactSizes { runs })
    }

    /// The part of a group that was assigned.
    fn part_of(&self, hash: u64) -> Option<usize> {
        self.runs.get(self.runs.partition_point(|&(last, _)| last < hash)).and_then(|&(_, part)| part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(hashes: &[u64], parts: &str) -> Result<Vec<Option<usize>>, CopyError> {
        let parts: Parts = parts.parse().unwrap();
        let PartSizes::Records(sizes) = &parts.sizes else { panic!("they have shares") };
        let chosen = ExactSizes::choose(hashes.to_vec(), sizes, &parts)?;
        Ok(hashes.iter().map(|&hash| chosen.part_of(hash)).collect())
    }

    #[test]
    fn groups_are_taken_by_their_hashes_and_stay_together() {
        assert_eq!(choose(&[9, 1, 5, 7], "a=1,b=2"), Ok(vec![None, Some(0), Some(1), Some(1)]));
        assert_eq!(choose(&[9, 1, 5, 7], "a=1,b=2,c=rest"), Ok(vec![Some(2), Some(0), Some(1), Some(1)]));
        // The group of 5 does not fit into the first part; the group of 7 is the next one that does.
        assert_eq!(choose(&[1, 5, 5, 7, 8], "a=2,b=2"), Ok(vec![Some(0), Some(1), Some(1), Some(0), None]));
        let few = |part: &str, wanted, found| Err(CopyError::TooFew { part: part.to_owned(), wanted, found });
        assert_eq!(choose(&[1, 2, 2], "a=2,b=rest"), few("a", 2, 1));
        assert_eq!(choose(&[1, 2, 3], "a=2,b=2"), few("b", 2, 1));
        assert_eq!(choose(&[], "a=0,b=1"), few("b", 1, 0));
    }
}

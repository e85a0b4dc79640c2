//! Chooses the part of each record by the hash of its group. Parts with exact sizes are filled after the last record, and
//! strata are shared among the parts then.

use std::collections::VecDeque;
use std::io;

use super::SplitReport;
use super::exact_sizes::ExactSizes;
use super::parts::{PartSizes, Parts, part_of};
use super::report::Tally;
use super::strata::Ranks;
use super::values::{MAX_VALUES, ValueIndex, ValueTable};
use crate::corpus::RecordView;
use crate::jobs::copying::{Chooser, CopyError, KeyedHash, NoKey};

/// Stands for a record without a group. A group with this hash is taken for one with the next.
const NO_GROUP: u64 = 0;

/// Chooses the output of a part, or the one after them for records without a group.
pub(super) struct SplitChooser<'a> {
    parts: &'a Parts,
    seed: KeyedHash,
    /// The column whose values are shared among the parts.
    column: Option<&'a str>,
    values: ValueTable,
    tally: Tally,
    seen: SeenGroups,
    exact: Option<ExactSizes>,
}

/// The records so far, if parts are chosen after the last. Takes 8 bytes of memory for a record and 4 for its value, and up
/// to 32 more while parts are chosen.
#[derive(Default)]
struct SeenGroups {
    /// The hash of each group, or [`NO_GROUP`]; its rank, once there are ranks.
    hashes: Vec<u64>,
    /// Why records have no group, for those.
    reasons: VecDeque<NoKey>,
    /// The values, if a column is read.
    values: Vec<ValueIndex>,
}

impl<'a> SplitChooser<'a> {
    pub(super) fn new(parts: &'a Parts, column: Option<&'a str>, seed: KeyedHash) -> SplitChooser<'a> {
        SplitChooser {
            parts,
            seed,
            column,
            values: ValueTable::default(),
            tally: Tally::new(parts.len()),
            seen: SeenGroups::default(),
            exact: None,
        }
    }

    /// The report of a run that took so long.
    pub(super) fn into_report(self, wall_seconds: f64) -> SplitReport {
        let column = self.column.map(|column| (column, self.values.texts()));
        self.tally.into_report(self.parts, column, wall_seconds)
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
                self.tally.count_unsplit(reason);
                Some(self.parts.len())
            }
        }
    }

    /// Replaces the hashes of groups by their ranks.
    fn rank(&mut self) {
        let SeenGroups { hashes, values, .. } = &mut self.seen;
        let records = hashes.iter().copied().zip(values.iter().copied()).filter(|&(hash, _)| hash != NO_GROUP);
        let ranks = Ranks::new(records.collect(), &self.values, self.seed);
        for hash in hashes.iter_mut().filter(|hash| **hash != NO_GROUP) {
            *hash = ranks.of(*hash).max(NO_GROUP + 1);
        }
    }
}

impl Chooser for SplitChooser<'_> {
    /// The hash of the group of a record, or why it has none.
    type Note = Result<u64, NoKey>;

    fn is_late(&self) -> bool {
        self.parts.have_exact_sizes() || self.column.is_some()
    }

    fn see(&mut self, group: Result<u64, NoKey>, value: &[u8], _: &RecordView<'_>) -> io::Result<Option<usize>> {
        if !self.is_late() {
            return Ok(self.count(group, None));
        }
        if let Some(column) = self.column {
            // A record without a group has a value, too, but it does not count.
            let value = if group.is_ok() { self.values.index(value) } else { Some(ValueIndex::default()) };
            let too_many = || CopyError::TooManyValues { column: column.to_owned(), limit: MAX_VALUES };
            self.seen.values.push(value.ok_or_else(too_many)?);
        }
        self.seen.hashes.push(group.map_or(NO_GROUP, |hash| hash.max(NO_GROUP + 1)));
        self.seen.reasons.extend(group.err());
        Ok(None)
    }

    fn prepare(&mut self) -> Result<(), CopyError> {
        if self.column.is_some() {
            self.rank();
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

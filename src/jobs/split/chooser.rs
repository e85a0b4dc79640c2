//! Chooses the part of each record by the hash of its group. Parts with exact sizes are filled after the last record.

use std::collections::VecDeque;
use std::io;

use super::SplitReport;
use super::exact_sizes::ExactSizes;
use super::parts::{PartSizes, Parts, part_of};
use super::report::{Tally, ValueIndex, ValueTable};
use crate::corpus::RecordView;
use crate::jobs::copying::{Chooser, CopyError, NoKey};

/// Stands for a record without a group. A group with this hash is taken for one with the next.
const NO_GROUP: u64 = 0;

/// Chooses the output of a part, or the one after them for records without a group.
pub(super) struct SplitChooser<'a> {
    parts: &'a Parts,
    /// The column whose values are counted.
    column: Option<&'a str>,
    values: ValueTable,
    tally: Tally,
    seen: SeenGroups,
    exact: Option<ExactSizes>,
}

/// The records so far, if parts have exact sizes. Takes 8 bytes of memory for a record, and as much again while the parts
/// are filled.
#[derive(Default)]
struct SeenGroups {
    /// The hash of each group, or [`NO_GROUP`].
    hashes: Vec<u64>,
    /// Why records have no group, for those.
    reasons: VecDeque<NoKey>,
    /// The values, if a column is read.
    values: Vec<ValueIndex>,
}

impl<'a> SplitChooser<'a> {
    pub(super) fn new(parts: &'a Parts, column: Option<&'a str>) -> SplitChooser<'a> {
        SplitChooser {
            parts,
            column,
            values: ValueTable::default(),
            tally: Tally::new(parts.len()),
            seen: SeenGroups::default(),
            exact: None,
        }
    }

    /// The report of a run that took so long.
    pub(super) fn into_report(self, wall_seconds: f64) -> SplitReport {
        let column = self.column.map(|column| (column, self.values));
        self.tally.into_report(self.parts, column, wall_seconds)
    }

    /// Counts a record; returns its output.
    fn count(&mut self, part: Result<Option<usize>, NoKey>, value: Option<ValueIndex>) -> Option<usize> {
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
}

impl Chooser for SplitChooser<'_> {
    /// The hash of the group of a record, or why it has none.
    type Note = Result<u64, NoKey>;

    fn is_late(&self) -> bool {
        self.parts.have_exact_sizes()
    }

    fn see(&mut self, group: Result<u64, NoKey>, value: &[u8], _: &RecordView<'_>) -> io::Result<Option<usize>> {
        let value = self.column.map(|_| self.values.index(value));
        match &self.parts.sizes {
            PartSizes::Shares { ends, denominator } => {
                let part = group.map(|hash| Some(part_of(hash, ends, *denominator)));
                Ok(self.count(part, value))
            }
            PartSizes::Records(_) => {
                self.seen.hashes.push(group.map_or(NO_GROUP, |hash| hash.max(NO_GROUP + 1)));
                self.seen.reasons.extend(group.err());
                self.seen.values.extend(value);
                Ok(None)
            }
        }
    }

    fn prepare(&mut self) -> Result<(), CopyError> {
        if let PartSizes::Records(sizes) = &self.parts.sizes {
            let groups = self.seen.hashes.iter().copied().filter(|&hash| hash != NO_GROUP).collect();
            self.exact = Some(ExactSizes::choose(groups, sizes, self.parts)?);
        }
        Ok(())
    }

    fn choose(&mut self, position: usize, _: &RecordView<'_>) -> io::Result<Option<usize>> {
        let part = match self.seen.hashes[position] {
            NO_GROUP => Err(self.seen.reasons.pop_front().expect("there is a reason for each of them")),
            hash => Ok(self.exact.as_ref().and_then(|exact| exact.part_of(hash))),
        };
        let value = self.seen.values.get(position).copied();
        Ok(self.count(part, value))
    }
}

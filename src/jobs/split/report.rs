//! The results of a split: how many records each part has, and each value of a column in each part.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::Serialize;

use super::parts::Parts;
use crate::jobs::copying::{NoKey, NoKeyCounts};
use crate::stats::StoppedAfter;

/// The maximum number of values of a column that are counted one by one.
const MAX_VALUES: usize = 10_000;

/// Results of [`Split`](super::Split).
#[derive(Clone, Debug, Serialize)]
pub struct SplitReport {
    /// The number of records, of all kinds.
    pub records: u64,
    /// The parts, in order.
    pub parts: Vec<PartCount>,
    /// The records that belong to no group, by the reason: they are in an output of their own.
    pub unsplit: NoKeyCounts,
    /// The records that no part got: parts with exact sizes leave the others out.
    pub left_out: u64,
    /// The numbers of records with each value of the column of [`Split::stratify`](super::Split::stratify).
    pub values: Option<ValueCounts>,
    /// The files of an earlier split into the same place that were removed, since this one has no such part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<PathBuf>,
    /// From the first read to the last write.
    pub wall_seconds: f64,
    /// The last record of a run that was stopped.
    pub stopped_after: Option<StoppedAfter>,
}

/// A part with its records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartCount {
    /// The name.
    pub name: String,
    /// The number of records.
    pub records: u64,
    /// The share that it should have; `None` if it should have a number of records.
    pub wanted_share: Option<f64>,
}

/// How often each value of a column occurs in each part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueCounts {
    /// The column.
    pub column: String,
    /// The values, the most frequent first, with the number of records in each part.
    pub values: Vec<ValueCount>,
    /// The records in each part with other values: only 10,000 are counted one by one.
    pub others: Vec<u64>,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueCount {
    /// The value.
    pub value: String,
    /// The number of records in each part, in the order of the parts.
    pub parts: Vec<u64>,
}

/// The number of a value in a [`ValueTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueIndex(u32);

/// Numbers the values of a column. The last number stands for all values after the first 10,000.
#[derive(Debug, Default)]
pub(super) struct ValueTable {
    indices: HashMap<Vec<u8>, ValueIndex>,
}

impl ValueTable {
    /// The number of a value.
    pub(super) fn index(&mut self, value: &[u8]) -> ValueIndex {
        if let Some(&index) = self.indices.get(value) {
            return index;
        }
        let index = ValueIndex(self.indices.len() as u32);
        if self.indices.len() < MAX_VALUES {
            self.indices.insert(value.to_vec(), index);
        }
        index
    }
}

/// Counts the records of a split.
#[derive(Debug)]
pub(super) struct Tally {
    records: u64,
    parts: Vec<u64>,
    unsplit: NoKeyCounts,
    left_out: u64,
    /// For each value, the records in each part.
    values: Vec<Vec<u64>>,
}

impl Tally {
    /// Counts for this number of parts.
    pub(super) fn new(parts: usize) -> Tally {
        Tally { records: 0, parts: vec![0; parts], unsplit: NoKeyCounts::default(), left_out: 0, values: vec![] }
    }

    /// Counts a record that goes to a part, or to none.
    pub(super) fn count(&mut self, part: Option<usize>, value: Option<ValueIndex>) {
        self.records += 1;
        let Some(part) = part else {
            self.left_out += 1;
            return;
        };
        self.parts[part] += 1;
        if let Some(ValueIndex(value)) = value {
            let value = value as usize;
            if self.values.len() <= value {
                self.values.resize_with(value + 1, || vec![0; self.parts.len()]);
            }
            self.values[value][part] += 1;
        }
    }

    /// Counts a record that belongs to no group.
    pub(super) fn count_unsplit(&mut self, reason: NoKey) {
        self.records += 1;
        self.unsplit.count(reason);
    }

    /// The report of a run that took so long.
    pub(super) fn into_report(
        self,
        parts: &Parts,
        column: Option<(&str, ValueTable)>,
        wall_seconds: f64,
    ) -> SplitReport {
        let mut shares = parts.shares();
        let counts = parts.names().zip(&self.parts).map(|(name, &records)| PartCount {
            name: name.to_owned(),
            records,
            wanted_share: shares.as_mut().and_then(Iterator::next),
        });

        let none = || vec![0; self.parts.len()];
        let values = column.map(|(column, table)| {
            let count = |index: usize| self.values.get(index).cloned().unwrap_or_else(none);
            let values = table.indices.iter().map(|(value, &ValueIndex(index))| ValueCount {
                value: String::from_utf8_lossy(value).into_owned(),
                parts: count(index as usize),
            });
            let mut values: Vec<ValueCount> =
                values.filter(|value| value.parts.iter().any(|&count| count > 0)).collect();
            let records = |value: &ValueCount| value.parts.iter().sum::<u64>();
            values.sort_by(|a, b| records(b).cmp(&records(a)).then_with(|| a.value.cmp(&b.value)));
            ValueCounts { column: column.to_owned(), values, others: count(MAX_VALUES) }
        });

        SplitReport {
            records: self.records,
            parts: counts.collect(),
            unsplit: self.unsplit,
            left_out: self.left_out,
            values,
            removed: vec![],
            wall_seconds,
            stopped_after: None,
        }
    }
}

//! The results of a split: the number of records in each part, also for each value of a column.

use serde::Serialize;

use super::parts::Parts;
use crate::copy::{NoKey, NoKeyCounts, ValueIndex, ValueTable};

/// Results of [`Split`](super::Split).
#[derive(Clone, Debug, Serialize)]
pub struct SplitReport {
    /// The number of records, of all kinds.
    pub records: u64,
    /// The parts, in order.
    pub parts: Vec<PartCount>,
    /// The records that belong to no group, by reason. They are in a separate output.
    pub unsplit: NoKeyCounts,
    /// The records in no part: parts with exact sizes leave out all further records.
    pub left_out: u64,
    /// The distribution of the values of the column of [`Split::stratify`](super::Split::stratify) over the parts.
    pub values: Option<ValueCounts>,
}

/// A part with the number of its records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartCount {
    /// The name.
    pub name: String,
    /// The number of records.
    pub records: u64,
}

/// The distribution of the records with each value of a column over the parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueCounts {
    /// The column.
    pub column: String,
    /// The values, the most frequent first.
    pub values: Vec<ValueCount>,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueCount {
    /// The value.
    pub value: String,
    /// The number of records in each part, in the order of the parts.
    pub parts: Vec<u64>,
    /// The number of records in no part.
    pub left_out: u64,
}

/// Counts the records of a split.
#[derive(Debug)]
pub(super) struct Tally {
    records: u64,
    /// The number of records in each part, and in no part.
    outputs: Vec<u64>,
    unsplit: NoKeyCounts,
    /// The same for each value.
    values: Vec<Vec<u64>>,
}

impl Tally {
    /// Counts for this number of parts.
    pub(super) fn new(parts: usize) -> Tally {
        Tally { records: 0, outputs: vec![0; parts + 1], unsplit: NoKeyCounts::default(), values: vec![] }
    }

    /// Counts a record in a part, or in none.
    pub(super) fn count(&mut self, part: Option<usize>, value: Option<ValueIndex>) {
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

    /// Counts a record that belongs to no group.
    pub(super) fn count_unsplit(&mut self, reason: NoKey) {
        self.records += 1;
        self.unsplit.count(reason);
    }

    /// The report, with the values that were counted.
    pub(super) fn into_report(mut self, parts: &Parts, values: Option<&ValueTable>) -> SplitReport {
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

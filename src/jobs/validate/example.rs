//! The first record of a corpus with each finding, for reports.

use super::finding::{Finding, Findings};
use crate::corpus::RecordView;
use crate::jobs::replay::RecordReader;

/// The longest text of a record that is kept, in characters: a puzzle of 25x25 fits.
const LONGEST: usize = 700;

/// The first record of a corpus with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The finding.
    pub finding: Finding,
    /// The name of the input.
    pub file: String,
    /// The line on which the record starts, from 1.
    pub line: u64,
    /// The puzzle on one line; the start of the text of a malformed record.
    pub puzzle: String,
    /// All findings of the record in words, as in its row.
    pub detail: String,
}

/// The examples so far. Their records are printed as rows print them.
#[derive(Default)]
pub(super) struct Examples {
    records: RecordReader,
    /// By the index of the finding.
    first: [Option<Example>; Finding::ALL.len()],
}

impl Examples {
    /// Keeps a record if it is the first with one of its findings. `detail` is that of its row.
    pub(super) fn see(&mut self, record: RecordView<'_>, findings: Findings, detail: &str) {
        for finding in findings.iter() {
            let example = &mut self.first[finding as usize];
            if example.is_some() {
                continue;
            }
            self.records.read(record);
            let puzzle = String::from_utf8_lossy(&self.records.puzzle_text).chars().take(LONGEST).collect();
            let (file, line) = (record.input.name.clone(), record.line);
            *example = Some(Example { finding, file, line, puzzle, detail: detail.to_owned() });
        }
    }

    /// The examples, in the order of the findings.
    pub(super) fn into_vec(self) -> Vec<Example> {
        self.first.into_iter().flatten().collect()
    }
}

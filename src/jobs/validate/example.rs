//! The first record of a corpus with each verdict, for reports.

use super::finding::Finding;
use super::note::Note;
use crate::format::CsvFields;

/// The longest text of a record that is kept, in characters: a puzzle of 25x25 fits.
const LONGEST: usize = 700;

/// The first record of a corpus whose verdict is a finding.
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

/// The examples so far.
#[derive(Debug, Default)]
pub(super) struct Examples {
    /// By the index of the finding.
    first: [Option<Example>; Finding::ALL.len()],
}

/// The puzzle of a row that is not complete.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowStart<'a> {
    /// The first fields of a row of CSV, the last of which is the puzzle.
    Csv(&'a [u8]),
    /// The puzzle alone.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "only typed rows start so"))]
    Puzzle(&'a [u8]),
}

impl Examples {
    /// Keeps a record if it is the first with its verdict.
    pub(super) fn see(&mut self, file: &str, line: u64, start: RowStart<'_>, note: &Note) {
        let Some(finding) = note.findings.iter().next() else { return };
        let example = &mut self.first[finding as usize];
        if example.is_some() {
            return;
        }
        let mut fields = CsvFields::new(b',');
        let puzzle = match start {
            RowStart::Csv(row) => fields.split(row).iter().last().unwrap_or_default(),
            RowStart::Puzzle(puzzle) => puzzle,
        };
        let puzzle = String::from_utf8_lossy(puzzle).chars().take(LONGEST).collect();
        *example = Some(Example { finding, file: file.to_owned(), line, puzzle, detail: note.detail.clone() });
    }

    /// The examples, in the order of the findings.
    pub(super) fn into_vec(self) -> Vec<Example> {
        self.first.into_iter().flatten().collect()
    }
}

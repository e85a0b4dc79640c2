//! The first record of a corpus with each finding, for reports that people read.

use serde::{Deserialize, Serialize};

use super::finding::{Finding, Findings};
use crate::corpus::RecordView;
use crate::format::ParsedPuzzle;
use crate::puzzle::Puzzles;
use crate::rows::Subject;
use crate::run::records::InputParsers;

/// The maximum length of a record's text, in characters: a puzzle of 25x25 fits.
const LONGEST: usize = 700;

/// The first record of a corpus with a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The finding.
    pub finding: Finding,
    /// The name of the input.
    pub file: String,
    /// The number of the record's first line, from 1.
    pub line: u64,
    /// The puzzle on one line; the start of the text of a malformed record.
    pub puzzle: String,
    /// All findings of the record in words, as in its row.
    pub detail: String,
}

/// The examples so far, in the order of the findings. Their records are printed as in rows.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Examples {
    first: Vec<Example>,
}

impl Examples {
    /// Keeps a record if it is the first with one of its findings. `detail` is the detail of its row.
    pub(super) fn see(&mut self, record: RecordView<'_>, findings: Findings, detail: &str) {
        for finding in findings.iter() {
            let Err(place) = self.first.binary_search_by_key(&finding, |example| example.finding) else { continue };
            let puzzle = text_of(record).chars().take(LONGEST).collect();
            let (file, line) = (record.input.name.clone(), record.line);
            self.first.insert(place, Example { finding, file, line, puzzle, detail: detail.to_owned() });
        }
    }

    /// The examples.
    pub(super) fn into_vec(self) -> Vec<Example> {
        self.first
    }
}

/// A record as in the puzzle column of its row.
fn text_of(record: RecordView<'_>) -> String {
    let (mut parsers, mut puzzles, mut text) = (None, Puzzles::new(), vec![]);
    let parsers = InputParsers::for_input(record.input, &mut parsers);
    let subject = match parsers.puzzles.parse(record.content, &mut puzzles) {
        Ok(ParsedPuzzle { size, blank, .. }) => {
            Subject::Puzzle { cells: puzzles.last(size), alphabet: &parsers.alphabets[size.index()], blank }
        }
        Err(_) => Subject::Text(parsers.puzzles.text(record.content)),
    };
    subject.write(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

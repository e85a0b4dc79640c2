//! Counts the findings on a corpus, its clues, answers and classes. The binary prints them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::canon::Canonicaliser;
use crate::rows::Status;
use crate::stats::{Counts, merge_fields};

use super::answer::AnswerScore;
use super::finding::{Finding, RecordVerdict};
use super::note::Note;

/// The score of a corpus. `records` is the sum of `verdicts`, and the number of puzzles is the sum of `clues`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CorpusScore {
    /// The number of records, and of rows.
    pub records: u64,
    /// Records by verdict.
    pub verdicts: Counts<RecordVerdict>,
    /// Records by finding. A record may have several, and counts for each of them.
    pub findings: Counts<Finding>,
    /// Puzzles by their number of clues.
    pub clues: BTreeMap<usize, ClueCounts>,
    /// Answers by their score.
    pub answers: AnswerCounts,
    /// Puzzles with one solution that come without an answer, from inputs without answers.
    pub unanswered: u64,
    /// Puzzles without a blank.
    pub without_blank: u64,
    /// Puzzles that are not 4x4, 6x6 or 9x9: they have no class, so their isomorphs are not found.
    pub other_sizes: u64,
    /// Puzzles of these sizes without exactly one solution, whose class takes too much work to find.
    pub without_class: u64,
    /// The classes, if isomorphs were searched for, or the corpus was audited.
    pub classes: Option<Classes>,
}

/// The puzzles with a certain number of clues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClueCounts {
    /// With one solution.
    pub unique: u64,
    /// The number of minimal puzzles, if minimality was checked.
    pub minimal: Option<u64>,
    /// With several solutions.
    pub multiple: u64,
    /// Without a solution.
    pub none: u64,
    /// With an unknown number of solutions, because a search gave up.
    pub undecided: u64,
}

/// The number of answers by score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerCounts {
    /// The solutions of their puzzles.
    pub right: u64,
    /// Different full grids that keep the clues.
    pub wrong: u64,
    /// Missing, not full grids, or with changed clues.
    pub bad: u64,
}

/// The classes of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classes {
    /// The number of different classes.
    pub classes: u64,
    /// Classes by their number of records.
    pub sizes: BTreeMap<u32, u64>,
    /// The largest classes with several records, largest first.
    pub largest: Vec<LargeClass>,
}

/// A class with several records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LargeClass {
    /// The name, as in rows.
    pub class: String,
    /// The input of its first record.
    pub file: String,
    /// The line of its first record.
    pub line: u64,
    /// The number of its records.
    pub records: u32,
}

merge_fields!(ClueCounts: unique, minimal, multiple, none, undecided);
merge_fields!(AnswerCounts: right, wrong, bad);
merge_fields!(CorpusScore: records, verdicts, findings, clues, answers, unanswered, without_blank, other_sizes, without_class);

impl CorpusScore {
    /// Counts a record.
    pub(super) fn count(&mut self, note: &Note) {
        self.records += 1;
        self.verdicts[note.findings.verdict()] += 1;
        note.findings.iter().for_each(|finding| self.findings[finding] += 1);
        let Some(puzzle) = &note.puzzle else { return };
        self.without_blank += u64::from(puzzle.columns.clues == puzzle.size.cells());
        let clues = self.clues.entry(puzzle.columns.clues).or_default();
        match puzzle.columns.status() {
            Status::Unique => clues.unique += 1,
            Status::Multiple => clues.multiple += 1,
            Status::Undecided => clues.undecided += 1,
            Status::None | Status::Malformed => clues.none += 1,
        }
        if let Some(is_minimal) = puzzle.is_minimal {
            *clues.minimal.get_or_insert(0) += u64::from(is_minimal);
        }
        match puzzle.columns.answer {
            Some(AnswerScore::Right) => self.answers.right += 1,
            Some(AnswerScore::Wrong) => self.answers.wrong += 1,
            Some(AnswerScore::Bad) => self.answers.bad += 1,
            None => self.unanswered += u64::from(puzzle.columns.status() == Status::Unique),
        }
        if !Canonicaliser::has_forms(puzzle.size) {
            self.other_sizes += 1;
        } else if puzzle.lacks_class {
            self.without_class += 1;
        }
    }

    /// The number of records that have a finding.
    pub fn found(&self, finding: Finding) -> u64 {
        self.findings[finding]
    }
}

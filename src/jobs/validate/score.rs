//! The score of a corpus: what is wrong with it, in numbers. The library fills it in and never prints it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::puzzle::Order;
use crate::rows::Status;

use super::answer::AnswerScore;
use super::finding::{Finding, SOUND};
use super::note::Note;

/// What a corpus amounts to. `records` is the sum of `verdicts`, and puzzles are the sum of `clues`.
#[derive(Clone, Debug, Serialize)]
pub struct CorpusScore {
    /// Records read, each of which became a row.
    pub records: u64,
    /// Rows by verdict.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Records by what was found; one may have several findings, so this adds up to more.
    pub findings: BTreeMap<&'static str, u64>,
    /// Puzzles by their number of clues.
    pub clues: BTreeMap<usize, ClueCounts>,
    /// What the answers are worth.
    pub answers: AnswerCounts,
    /// Puzzles that are not 9x9: they have no class, and no isomorphs are found of them.
    pub other_sizes: u64,
    /// 9x9 puzzles with several solutions or none whose class takes too much work to find.
    pub without_class: u64,
    /// The classes, if isomorphs were looked for.
    pub classes: Option<Classes>,
}

/// Puzzles with some number of clues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClueCounts {
    /// With one solution.
    pub unique: u64,
    /// Those of them that need every clue, if that was looked for in any.
    pub minimal: Option<u64>,
    /// With several solutions.
    pub multiple: u64,
    /// With none.
    pub none: u64,
}

/// How many answers are worth what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnswerCounts {
    /// The solution.
    pub right: u64,
    /// Full grids that keep the clues, and not the solution.
    pub wrong: u64,
    /// No full grids, or with other clues, or missing.
    pub bad: u64,
}

/// The classes of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Classes {
    /// How many different ones there are.
    pub classes: u64,
    /// How many have so many records.
    pub sizes: BTreeMap<u32, u64>,
    /// The largest of those with several records, largest first.
    pub largest: Vec<LargeClass>,
}

/// A class with several records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LargeClass {
    /// Its name.
    pub class: String,
    /// The input that its first record is in.
    pub file: String,
    /// The line of its first record.
    pub line: u64,
    /// How many records it has.
    pub records: u32,
}

impl Default for CorpusScore {
    fn default() -> CorpusScore {
        let findings: BTreeMap<_, _> = Finding::ALL.map(|finding| (finding.name(), 0)).into();
        let mut verdicts = findings.clone();
        verdicts.insert(SOUND, 0);
        CorpusScore {
            records: 0,
            verdicts,
            findings,
            clues: BTreeMap::new(),
            answers: AnswerCounts::default(),
            other_sizes: 0,
            without_class: 0,
            classes: None,
        }
    }
}

impl CorpusScore {
    /// Counts a record.
    pub(super) fn count(&mut self, note: &Note) {
        self.records += 1;
        *self.verdicts.entry(note.findings.verdict()).or_default() += 1;
        for finding in note.findings.iter() {
            *self.findings.entry(finding.name()).or_default() += 1;
        }
        let Some(puzzle) = &note.puzzle else { return };
        let clues = self.clues.entry(puzzle.columns.clues).or_default();
        match puzzle.columns.status() {
            Status::Unique => clues.unique += 1,
            Status::Multiple => clues.multiple += 1,
            Status::None | Status::Malformed => clues.none += 1,
        }
        if let Some(is_minimal) = puzzle.is_minimal {
            *clues.minimal.get_or_insert(0) += u64::from(is_minimal);
        }
        match puzzle.columns.answer {
            Some(AnswerScore::Right) => self.answers.right += 1,
            Some(AnswerScore::Wrong) => self.answers.wrong += 1,
            Some(AnswerScore::Bad) => self.answers.bad += 1,
            None => {}
        }
        if puzzle.order != Order::Three {
            self.other_sizes += 1;
        } else if puzzle.columns.class.is_none() {
            self.without_class += 1;
        }
    }

    /// How many records have a finding.
    pub fn found(&self, finding: Finding) -> u64 {
        self.findings[finding.name()]
    }
}

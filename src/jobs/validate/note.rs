//! The result of checking one record by itself, which a worker leaves for the serial stage.

use std::fmt::{Display, Write};

use crate::canon::Key;
use crate::puzzle::Size;
use crate::rating::Difficulty;
use crate::rows::Status;

use super::answer::AnswerScore;
use super::audit::TextStart;
use super::finding::{Finding, Findings};

/// The result of checking one record.
#[derive(Debug, Default)]
pub(crate) struct Note {
    pub(super) findings: Findings,
    /// The findings in words.
    pub(super) detail: String,
    /// `None` for a malformed record.
    pub(super) puzzle: Option<PuzzleNote>,
}

impl Note {
    /// Adds a finding, with words that explain it.
    pub(super) fn add(&mut self, finding: Finding, words: impl Display) {
        self.findings.insert(finding);
        self.explain(words);
    }

    /// Appends a phrase to the detail.
    pub(super) fn explain(&mut self, words: impl Display) {
        let gap = if self.detail.is_empty() { "" } else { "; " };
        write!(self.detail, "{gap}{words}").expect("a string takes any text");
    }
}

/// The properties of a puzzle that later steps need.
#[derive(Debug)]
pub(super) struct PuzzleNote {
    /// `None` if it is not looked up.
    pub(super) key: Option<Key>,
    pub(super) size: Size,
    /// Whether its class was looked for, and there is none, or it takes too much work.
    pub(super) lacks_class: bool,
    pub(super) columns: PuzzleColumns,
    /// Whether every clue is needed; `None` if that was not checked, a search for it gave up, or there is not exactly one
    /// solution.
    pub(super) is_minimal: Option<bool>,
    /// What only an audit needs.
    pub(super) audit: AuditNote,
}

/// What the serial stage of an audit needs of a puzzle. Without an audit there is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AuditNote {
    /// The class of its solved grid.
    pub(super) grid: Option<Key>,
    /// `Some` in an audit.
    pub(super) start: Option<TextStart>,
    /// `None` if it is not rated.
    pub(super) er: Option<Difficulty>,
}

/// The columns of a puzzle's row that are empty for a malformed record.
#[derive(Clone, Copy, Debug)]
pub(super) struct PuzzleColumns {
    pub(super) clues: usize,
    /// Counted up to two; `None` if that is not known.
    pub(super) solutions: Option<u64>,
    /// `None` if there is no answer, or nothing to compare it with.
    pub(super) answer: Option<AnswerScore>,
    /// `None` if classes are not looked for, puzzles of its size have none, or its canonical form takes too much work.
    pub(super) class: Option<Key>,
}

impl PuzzleColumns {
    pub(super) fn status(&self) -> Status {
        Status::from_known(self.solutions)
    }
}

//! The result of checking one record, as a note for the serial stage, and its row.

use std::fmt::{Display, Write};
use std::io::{self, Read};

use super::answer::AnswerScore;
use super::finding::{Finding, Findings, RecordVerdict};
use crate::canon::Key;
use crate::puzzle::Size;
use crate::rating::Difficulty;
use crate::rows::{Column, Kind, Row, Status, Subject, column, row};

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
    /// Whether its class was searched for in vain: its size has no classes, or the search takes too much work.
    pub(super) lacks_class: bool,
    pub(super) columns: PuzzleColumns,
    /// Whether every clue is needed; `None` if that was not checked, a search gave up, or there is not exactly one
    /// solution.
    pub(super) is_minimal: Option<bool>,
    /// The data that only an audit needs. In a box, so that all other notes are half as large: notes are moved several
    /// times.
    pub(super) audit: Option<Box<AuditNote>>,
}

/// The properties of a puzzle that the serial stage of an audit needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuditNote {
    /// The class of its solved grid.
    pub(super) grid: Option<Key>,
    pub(super) start: TextStart,
    /// `None` if it is not rated.
    pub(super) er: Option<Difficulty>,
}

/// The first cells of a puzzle, as a number that compares like their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextStart(u128);

impl TextStart {
    /// 25 cells, with five bits each: hardly any two puzzles agree in all of them.
    pub(super) fn of(cells: &[u8]) -> TextStart {
        TextStart(cells.iter().take(25).fold(0, |start, &digit| start << 5 | u128::from(digit)))
    }
}

/// The keys of a puzzle for lookups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RecordKeys {
    pub(super) puzzle: Option<Key>,
    pub(super) class: Option<Key>,
    /// The class of its solved grid.
    pub(super) grid: Option<Key>,
}

/// A saved record, for a run that is resumed: three bytes, and two keys if puzzles are looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SavedNote {
    pub(super) findings: Findings,
    /// `None` for a malformed record.
    pub(super) size: Option<Size>,
    pub(super) keys: RecordKeys,
}

impl SavedNote {
    pub(super) fn write(&self, has_keys: bool, saved: &mut Vec<u8>) {
        saved.extend(self.findings.bits().to_le_bytes());
        saved.push(self.size.map_or(u8::MAX, |size| size.index() as u8));
        if has_keys {
            for key in [self.keys.puzzle, self.keys.class] {
                saved.extend(key.unwrap_or(Key::ZERO).bytes());
            }
        }
    }

    pub(super) fn read(has_keys: bool, saved: &mut dyn Read) -> io::Result<SavedNote> {
        let mut bytes = [0; 3];
        saved.read_exact(&mut bytes)?;
        let [low, high, size] = bytes;
        let mut key = || {
            let mut bytes = [0; 16];
            if has_keys {
                saved.read_exact(&mut bytes)?;
            }
            io::Result::Ok(Some(Key::from_bytes(bytes)).filter(|&key| key != Key::ZERO))
        };
        Ok(SavedNote {
            findings: Findings::from_bits(u16::from_le_bytes([low, high])),
            size: Size::ALL.get(usize::from(size)).copied(),
            keys: RecordKeys { puzzle: key()?, class: key()?, grid: None },
        })
    }
}

/// The columns of a puzzle's row that are empty for a malformed record.
#[derive(Clone, Copy, Debug)]
pub(super) struct PuzzleColumns {
    pub(super) clues: usize,
    /// Counted up to two; `None` if unknown.
    pub(super) solutions: Option<u64>,
    /// `None` if there is no answer, or nothing to compare it with.
    pub(super) answer: Option<AnswerScore>,
    /// `None` if classes are not computed, puzzles of its size have none, or its canonical form takes too much work.
    pub(super) class: Option<Key>,
}

impl PuzzleColumns {
    pub(super) fn status(&self) -> Status {
        Status::from_known(self.solutions)
    }
}

/// The row of a record.
pub(crate) struct ValidateRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    pub(super) note: &'a Note,
}

impl<'a> ValidateRow<'a> {
    /// The row with only the late columns.
    pub(super) fn late(note: &'a Note) -> ValidateRow<'a> {
        ValidateRow { file: "", line: 0, subject: Subject::Text(b""), note }
    }
}

impl Row for ValidateRow<'_> {
    row! {
        |self, field| { let puzzle = self.note.puzzle.as_ref().map(|puzzle| &puzzle.columns); }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!("verdict", Kind::Name(&RecordVerdict::NAMES), "sound, or the first of the findings").late() =>
            field.name(&RecordVerdict::NAMES, self.note.findings.verdict().number());
        column!("findings", Kind::Texts, "all that is wrong with the record").late() =>
            field.texts(self.note.findings.iter().map(<&str>::from));
        column!("detail", Kind::Text, "the findings in words").nullable().late() =>
            field.text_if_any(&self.note.detail);
        column!("clues", Kind::Number, "the number of clues").nullable() =>
            field.number_if_known(puzzle.map(|puzzle| puzzle.clues as u64));
        column!("solutions", Kind::Number, "the number of solutions, counted up to two; none if it is not known")
            .nullable() => field.number_if_known(puzzle.and_then(|puzzle| puzzle.solutions));
        column!("answer", Kind::Name(AnswerScore::NAMES), "right, wrong or bad; none if there is nothing to compare")
            .nullable() => field.name_if_known(
                AnswerScore::NAMES,
                puzzle.and_then(|puzzle| puzzle.answer).map(|answer| answer as usize),
            );
        column!("class", Kind::Text, "the class, if it was looked for and there is one").nullable() =>
            match puzzle.and_then(|puzzle| puzzle.class) {
                Some(class) => field.plain(&class.digits()),
                None => field.null(),
            };
    }
}

//! The rows of `validate`.

use super::answer::AnswerScore;
use super::finding::RecordVerdict;
use super::note::Note;
use crate::rows::{Column, Field, Kind, Row, Subject, column};

/// The row of a record.
pub(crate) struct ValidateRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    pub(super) note: &'a Note,
}

impl<'a> ValidateRow<'a> {
    /// The row with only the columns that are known late.
    pub(super) fn late(note: &'a Note) -> ValidateRow<'a> {
        ValidateRow { file: "", line: 0, subject: Subject::Text(b""), note }
    }
}

impl Row for ValidateRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("verdict", Kind::Name(&RecordVerdict::NAMES), "sound, or the first of the findings").late(),
        column!("findings", Kind::Texts, "all that is wrong with the record").late(),
        column!("detail", Kind::Text, "the findings in words").nullable().late(),
        column!("clues", Kind::Number, "the number of clues").nullable(),
        column!("solutions", Kind::Number, "the number of solutions, counted up to two; none if it is not known")
            .nullable(),
        column!("answer", Kind::Name(AnswerScore::NAMES), "right, wrong or bad; none if there is nothing to compare")
            .nullable(),
        column!("class", Kind::Text, "the class, if it was looked for and there is one").nullable(),
    ];

    #[expect(clippy::inline_always, reason = "as for all rows")]
    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        let puzzle = self.note.puzzle.as_ref().map(|puzzle| &puzzle.columns);
        match column {
            0 => field.text(self.file),
            1 => field.number(self.line),
            2 => field.subject(self.subject),
            3 => field.name(&RecordVerdict::NAMES, self.note.findings.verdict().number()),
            4 => field.texts(self.note.findings.iter().map(<&str>::from)),
            5 => field.text_if_any(&self.note.detail),
            6 => field.number_if_known(puzzle.map(|puzzle| puzzle.clues as u64)),
            7 => field.number_if_known(puzzle.and_then(|puzzle| puzzle.solutions)),
            8 => match puzzle.and_then(|puzzle| puzzle.answer) {
                Some(answer) => field.name(AnswerScore::NAMES, answer as usize),
                None => field.null(),
            },
            _ => match puzzle.and_then(|puzzle| puzzle.class) {
                Some(class) => field.plain(&class.digits()),
                None => field.null(),
            },
        }
    }
}

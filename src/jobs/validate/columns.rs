//! The columns of `validate`'s rows: their names, how they are written, and how they are read back.
//!
//! ```text
//! [file,]line,puzzle  ,verdict,findings,detail  ,clues,solutions,answer,class
//! ValidateWorker      ValidateState             ValidateWorker
//! ```

use std::io::Write;

use crate::format::CsvFields;
use crate::jobs::key::Key;
use crate::rows::{FileColumn, RowText, Status, parse_number};

use super::answer::AnswerScore;
use super::finding::{Findings, RecordVerdict};

/// The columns after `file`, `line` and `puzzle`, in order.
pub(super) const COLUMNS: [&str; 7] = ["verdict", "findings", "detail", "clues", "solutions", "answer", "class"];

/// The last columns of a puzzle's row. Those of a malformed record are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct PuzzleColumns {
    pub(super) clues: usize,
    /// Counted up to two; `None` if that is not known.
    pub(super) solutions: Option<u64>,
    /// `None` if there is no answer, or nothing to compare it with.
    pub(super) answer: Option<AnswerScore>,
    /// `None` if classes are not looked for, the puzzle is not 9x9, or its canonical form takes too much work.
    pub(super) class: Option<Key>,
}

impl PuzzleColumns {
    pub(super) fn status(&self) -> Status {
        Status::from_known(self.solutions)
    }
}

/// Appends the columns from `verdict` to `detail`, with a comma before each.
pub(super) fn push_verdict(findings: Findings, detail: &str, row: &mut RowText<'_>) {
    row.push(b',');
    row.append(findings.verdict().name().as_bytes());
    row.push(b',');
    if !findings.is_empty() {
        write!(row, "{findings}").expect("memory takes any text");
    }
    row.push(b',');
    row.quoted(detail.as_bytes());
}

/// Appends the columns from `clues` to `class`, with a comma before each, and the line end.
pub(super) fn push_puzzle(columns: Option<&PuzzleColumns>, row: &mut RowText<'_>) {
    row.push(b',');
    if let Some(columns) = columns {
        row.number(columns.clues as u64);
    }
    row.push(b',');
    if let Some(solutions) = columns.and_then(|columns| columns.solutions) {
        row.number(solutions);
    }
    row.push(b',');
    if let Some(answer) = columns.and_then(|columns| columns.answer) {
        row.append(answer.name().as_bytes());
    }
    row.push(b',');
    if let Some(class) = columns.and_then(|columns| columns.class) {
        write!(row, "{class}").expect("memory takes any text");
    }
    row.push(b'\n');
}

/// A row that was read back.
#[derive(Debug)]
pub(super) struct ReportRow<'a> {
    pub(super) file: Option<&'a [u8]>,
    pub(super) line: u64,
    pub(super) puzzle: &'a [u8],
    pub(super) verdict: RecordVerdict,
    pub(super) findings: Findings,
    /// `None` for a malformed record.
    pub(super) columns: Option<PuzzleColumns>,
}

impl<'a> ReportRow<'a> {
    /// Reads a row, line end included; `None` if it is damaged.
    pub(super) fn parse(row: &'a [u8], file: FileColumn, fields: &'a mut CsvFields) -> Option<ReportRow<'a>> {
        let fields = fields.split(row.strip_suffix(b"\n")?);
        let files = usize::from(file == FileColumn::Present);
        if fields.len() != files + 2 + COLUMNS.len() {
            return None;
        }
        let [line, puzzle, verdict, findings, _detail, columns @ ..]: [&[u8]; 2 + COLUMNS.len()] =
            std::array::from_fn(|column| fields.get(files + column).unwrap_or_default());
        let columns = match columns {
            [b"", b"", b"", b""] => None,
            [clues, solutions, answer, class] => Some(PuzzleColumns {
                clues: usize::try_from(parse_number(clues)?).ok()?,
                solutions: if solutions.is_empty() { None } else { Some(parse_number(solutions)?) },
                answer: if answer.is_empty() { None } else { Some(AnswerScore::parse(answer)?) },
                class: if class.is_empty() { None } else { Some(str::from_utf8(class).ok()?.parse().ok()?) },
            }),
        };
        Some(ReportRow {
            file: fields.get(0).filter(|_| files == 1),
            line: parse_number(line)?,
            puzzle,
            verdict: RecordVerdict::ALL.into_iter().find(|known| known.name().as_bytes() == verdict)?,
            findings: Findings::parse(findings)?,
            columns,
        })
    }
}

//! The rows of `validate` as CSV: written in two steps, and read back.
//!
//! ```text
//! [file,]line,puzzle  ,verdict,findings,detail  ,clues,solutions,answer,class  ,kept ...
//! ValidateWorker      ValidateState             ValidateWorker
//! ```
//!
//! Workers write a row with gaps where the columns of the verdict belong, in whatever order the columns are. A [`Note`]
//! has the places of the gaps, and `ValidateState` fills them.
#![expect(clippy::inline_always, reason = "as for RowText")]

use crate::canon::Key;
use crate::format::CsvFields;
use crate::rows::{RowFields, RowText, Subject, parse_number};

use super::answer::AnswerScore;
use super::columns::{Table, ValidateColumn};
use super::finding::{Findings, RecordVerdict};
use super::note::{Note, PuzzleColumns};

/// The record of a row, as a worker knows it.
pub(super) struct RowRecord<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    /// The fields that are carried over.
    pub(super) kept: &'a [Vec<u8>],
}

impl Table {
    /// Appends a row with its line end and without the columns of the verdict, and notes where these belong.
    pub(super) fn push_row(&self, fields: &RowFields, record: &RowRecord<'_>, note: &mut Note, output: &mut Vec<u8>) {
        let columns = note.puzzle.as_ref().map(|puzzle| puzzle.columns);
        let mut gaps = note.gaps.iter_mut();
        let mut row = fields.row(output);
        if self.own == ValidateColumn::OF_ONE_INPUT {
            push_usual::<0>(record, columns, &mut gaps, &mut row);
            push_usual::<1>(record, columns, &mut gaps, &mut row);
            push_usual::<2>(record, columns, &mut gaps, &mut row);
            push_usual::<3>(record, columns, &mut gaps, &mut row);
            push_usual::<4>(record, columns, &mut gaps, &mut row);
            push_usual::<5>(record, columns, &mut gaps, &mut row);
            push_usual::<6>(record, columns, &mut gaps, &mut row);
            push_usual::<7>(record, columns, &mut gaps, &mut row);
            push_usual::<8>(record, columns, &mut gaps, &mut row);
        } else {
            for (index, &column) in self.own.iter().enumerate() {
                if index > 0 {
                    row.push(b',');
                }
                push_column(column, record, columns, &mut gaps, &mut row);
            }
        }
        for (index, field) in record.kept.iter().enumerate() {
            if index > 0 || !self.own.is_empty() {
                row.push(b',');
            }
            row.quoted(field);
        }
        row.push(b'\n');
        note.row_end = row.output_len();
        row.end();
    }

    /// Appends a row whose gaps are filled. `text` is the output of the worker, of which the row starts at `start`.
    pub(super) fn push_complete(
        &self,
        fields: &RowFields,
        text: &[u8],
        start: usize,
        note: &Note,
        output: &mut Vec<u8>,
    ) {
        let mut row = fields.row(output);
        let mut from = start;
        for (column, &gap) in self.own.iter().filter(|column| column.is_gap()).zip(&note.gaps) {
            match &text[from..gap] {
                // Between two of the columns.
                [comma] => row.push(*comma),
                piece => row.append(piece),
            }
            from = gap;
            match column {
                ValidateColumn::Verdict => row.append(note.findings.verdict().name().as_bytes()),
                ValidateColumn::Findings => {
                    for (index, finding) in note.findings.iter().enumerate() {
                        if index > 0 {
                            row.push(b';');
                        }
                        row.append(finding.name().as_bytes());
                    }
                }
                _ => row.quoted(note.detail.as_bytes()),
            }
        }
        row.append(&text[from..note.row_end]);
        row.end();
    }
}

/// Appends a column of those from one input, which nearly all rows have. With its columns known to the compiler, a row
/// takes 40 ns less.
#[inline(always)]
fn push_usual<'a, const INDEX: usize>(
    record: &RowRecord<'_>,
    columns: Option<PuzzleColumns>,
    gaps: &mut impl Iterator<Item = &'a mut usize>,
    row: &mut RowText<'_>,
) {
    if INDEX > 0 {
        row.push(b',');
    }
    push_column(const { ValidateColumn::OF_ONE_INPUT[INDEX] }, record, columns, gaps, row);
}

/// Appends a column, or notes where it belongs.
#[inline(always)]
fn push_column<'a>(
    column: ValidateColumn,
    record: &RowRecord<'_>,
    columns: Option<PuzzleColumns>,
    gaps: &mut impl Iterator<Item = &'a mut usize>,
    row: &mut RowText<'_>,
) {
    match column {
        ValidateColumn::File => row.quoted(record.file.as_bytes()),
        ValidateColumn::Line => row.number(record.line),
        ValidateColumn::Puzzle => row.puzzle(record.subject),
        ValidateColumn::Verdict | ValidateColumn::Findings | ValidateColumn::Detail => {
            *gaps.next().expect("there is a place for each of them") = row.output_len();
        }
        ValidateColumn::Clues => {
            if let Some(columns) = columns {
                row.number(columns.clues as u64);
            }
        }
        ValidateColumn::Solutions => {
            if let Some(solutions) = columns.and_then(|columns| columns.solutions) {
                row.number(solutions);
            }
        }
        ValidateColumn::Answer => {
            if let Some(answer) = columns.and_then(|columns| columns.answer) {
                row.append(answer.name().as_bytes());
            }
        }
        ValidateColumn::Class => {
            if let Some(class) = columns.and_then(|columns| columns.class) {
                row.append(&class.digits());
            }
        }
    }
}

/// A row that was read back. A column that the rows do not have is `None`.
#[derive(Debug)]
pub(super) struct ReportRow<'a> {
    pub(super) file: Option<&'a [u8]>,
    pub(super) line: Option<u64>,
    pub(super) puzzle: Option<&'a [u8]>,
    pub(super) verdict: Option<RecordVerdict>,
    pub(super) findings: Findings,
    pub(super) detail: &'a [u8],
    pub(super) clues: Option<usize>,
    pub(super) solutions: Option<u64>,
    pub(super) answer: Option<AnswerScore>,
    pub(super) class: Option<Key>,
}

impl<'a> ReportRow<'a> {
    /// Reads a row, line end included, of a table that [can be replayed](Table::is_replayable); `None` if it is damaged.
    pub(super) fn parse(row: &'a [u8], table: &Table, fields: &'a mut CsvFields) -> Option<ReportRow<'a>> {
        let fields = fields.split(row.strip_suffix(b"\n")?);
        if fields.len() != table.own.len() + table.kept.len() {
            return None;
        }
        let field = |column| {
            let index = table.own.iter().position(|&other| other == column)?;
            fields.get(index)
        };
        let filled = |column| field(column).filter(|text| !text.is_empty());
        let number = |column| filled(column).map(|text| parse_number(text).ok_or(())).transpose().ok();
        let verdict = |name: &[u8]| RecordVerdict::ALL.into_iter().find(|known| known.name().as_bytes() == name);
        Some(ReportRow {
            file: field(ValidateColumn::File),
            line: number(ValidateColumn::Line)?,
            puzzle: field(ValidateColumn::Puzzle),
            verdict: match field(ValidateColumn::Verdict) {
                Some(name) => Some(verdict(name)?),
                None => None,
            },
            findings: Findings::parse(field(ValidateColumn::Findings)?)?,
            detail: field(ValidateColumn::Detail).unwrap_or_default(),
            clues: match number(ValidateColumn::Clues)? {
                Some(clues) => Some(usize::try_from(clues).ok()?),
                None => None,
            },
            solutions: number(ValidateColumn::Solutions)?,
            answer: match filled(ValidateColumn::Answer) {
                Some(name) => Some(AnswerScore::parse(name)?),
                None => None,
            },
            class: match filled(ValidateColumn::Class) {
                Some(class) => Some(str::from_utf8(class).ok()?.parse().ok()?),
                None => None,
            },
        })
    }
}

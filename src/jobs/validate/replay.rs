//! Replays the rows of an interrupted `validate` run into the index of duplicates and the score.
//!
//! A row has all findings by name. Those that need no search are found again, and must be the same; only that a clue is
//! redundant and that a solution leaked is taken from the row.

use std::str;

use crate::corpus::RecordView;
use crate::format::CsvFields;
use crate::jobs::solve::{RecordReader, check_place};
use crate::puzzle::Order;
use crate::puzzle::rules;
use crate::resume::{Replay, RowFault};
use crate::rows::{FileColumn, Status, number};

use super::answer::Score;
use super::duplicate_index::DuplicateIndex;
use super::finding::{Finding, Findings, SOUND};
use super::first_seen::Key;
use super::reference_index::Keys;
use super::worker::{Checks, Minimality, Note, PuzzleNote};

/// How many columns a report has, without that of the file.
const COLUMNS: usize = 9;

/// Enters rows of a report into a ledger.
pub struct ValidateReplay<'a, F> {
    ledger: &'a mut DuplicateIndex,
    checks: &'a Checks,
    file: FileColumn,
    fields: CsvFields,
    records: RecordReader,
    reject: F,
}

/// A row of a report, column by column.
struct ReportRow<'a> {
    file: Option<&'a [u8]>,
    line: u64,
    puzzle: &'a [u8],
    verdict: &'a [u8],
    findings: Findings,
    /// `None` for what is no puzzle.
    puzzle_columns: Option<PuzzleColumns>,
}

struct PuzzleColumns {
    clues: usize,
    solutions: u64,
    answer: Option<Score>,
    class: Option<Key>,
}

impl<'a, F: FnMut(&[u8])> ValidateReplay<'a, F> {
    /// Enters rows into `ledger`; `checks` and `file` as for the rows. `reject` gets the text of each record that is
    /// not sound.
    pub fn new(
        ledger: &'a mut DuplicateIndex,
        checks: &'a Checks,
        file: FileColumn,
        reject: F,
    ) -> ValidateReplay<'a, F> {
        ValidateReplay { ledger, checks, file, fields: CsvFields::new(b','), records: RecordReader::default(), reject }
    }
}

impl<'a> ReportRow<'a> {
    /// Reads a row, or finds it damaged.
    fn read(row: &'a [u8], file: FileColumn, fields: &'a mut CsvFields) -> Option<ReportRow<'a>> {
        let fields = fields.split(row.strip_suffix(b"\n")?);
        let first = usize::from(file == FileColumn::Shown);
        if fields.len() != first + COLUMNS {
            return None;
        }
        let field = |column: usize| fields.get(first + column);
        let figures = [field(5)?, field(6)?, field(7)?, field(8)?];
        let puzzle_columns = match figures {
            [b"", b"", b"", b""] => None,
            [clues, solutions, answer, class] => Some(PuzzleColumns {
                clues: usize::try_from(number(clues)?).ok()?,
                solutions: number(solutions)?,
                answer: if answer.is_empty() { None } else { Some(Score::named(answer)?) },
                class: if class.is_empty() { None } else { Some(str::from_utf8(class).ok()?.parse().ok()?) },
            }),
        };
        let verdict = field(2)?;
        let is_verdict =
            Finding::ALL.map(Finding::name).into_iter().chain([SOUND]).any(|name| name.as_bytes() == verdict);
        is_verdict.then_some(ReportRow {
            file: fields.get(0).filter(|_| first == 1),
            line: number(field(0)?)?,
            puzzle: field(1)?,
            verdict,
            findings: Findings::parse(field(3)?)?,
            puzzle_columns,
        })
    }
}

impl<F: FnMut(&[u8])> Replay for ValidateReplay<'_, F> {
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowFault> {
        let row = ReportRow::read(row, self.file, &mut self.fields).ok_or(RowFault::Damaged)?;
        check_place(row.file, Some(row.line), record.input, record.line)?;
        let other = |what| RowFault::Other(what, record.line);
        let shape = self.records.read(record);
        if *row.puzzle != *self.records.shown {
            return Err(other("puzzle"));
        }
        let note = match (row.puzzle_columns, shape) {
            (None, None) => Note::of_malformed(),
            (Some(columns), Some(shape)) => {
                let cells = &self.records.cells;
                if columns.clues != usize::from(shape.clues) {
                    return Err(other("number of clues"));
                }
                let keys = Keys { puzzle: Key::of_cells(cells), class: columns.class, solution: None };
                let repeats = self.ledger.enter(record.input, record.line, &keys);
                let mut findings: Findings = repeats.into_iter().flatten().map(|(finding, _)| finding).collect();
                let puzzle = look_at(self.checks, keys, &columns, shape.order, cells, row.findings, &mut findings);
                Note { findings, puzzle: Some(puzzle), ..Note::default() }
            }
            _ => return Err(other("verdict")),
        };
        if note.findings != row.findings {
            return Err(other("list of findings"));
        }
        if note.findings.verdict().as_bytes() != row.verdict {
            return Err(other("verdict"));
        }
        self.ledger.count(&note);
        if !note.findings.is_empty() {
            (self.reject)(record.text);
        }
        Ok(())
    }
}

/// Adds to `findings` those that do not depend on earlier records; `named` are those that the row names.
fn look_at(
    checks: &Checks,
    keys: Keys,
    columns: &PuzzleColumns,
    order: Order,
    cells: &[u8],
    named: Findings,
    findings: &mut Findings,
) -> PuzzleNote {
    let &PuzzleColumns { clues, solutions, answer, .. } = columns;
    let status = Status::of(solutions);
    match status {
        Status::Multiple => findings.insert(Finding::Multiple),
        Status::None if rules::conflict(order, cells).is_some() => findings.insert(Finding::Conflict),
        Status::None => findings.insert(Finding::None),
        Status::Unique | Status::Malformed => {}
    }
    answer.and_then(Score::finding).into_iter().for_each(|finding| findings.insert(finding));
    let minimality = (checks.minimal && status == Status::Unique).then(|| {
        if !named.contains(Finding::NotMinimal) {
            return Minimality::Minimal;
        }
        findings.insert(Finding::NotMinimal);
        Minimality::NotMinimal
    });
    if let Some(against) = &checks.against {
        match against.find(&keys) {
            Some((finding, _)) => findings.insert(finding),
            None if named.contains(Finding::LeakSolution) => findings.insert(Finding::LeakSolution),
            None => {}
        }
    }
    PuzzleNote { keys, order, clues, status, answer, minimality }
}

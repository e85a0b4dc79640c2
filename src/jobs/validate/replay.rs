//! Replays the rows of an interrupted `validate` run into the index of duplicates and the score.
//!
//! Findings that need no search are computed again, and the row must name the same. Redundant clues, leaked solutions and
//! wrong ratings would take a search: these are taken from the row.

use crate::corpus::RecordView;
use crate::format::CsvFields;
use crate::jobs::solve::{RecordReader, check_location};
use crate::jobs::tally::InputTally;
use crate::puzzle::rules;
use crate::resume::{Replay, RowFault};
use crate::rows::Status;

use super::answer::AnswerScore;
use super::columns::Table;
use super::csv_row::ReportRow;
use super::finding::{Finding, Findings};
use super::note::{Note, PuzzleColumns, PuzzleNote};
use super::outputs::RecordOutputs;
use super::reference_index::Keys;
use super::state::ValidateState;
use super::worker::Checks;

/// Adds the records of rows to a [`ValidateState`].
pub(super) struct ValidateReplay<'a> {
    state: &'a mut ValidateState,
    checks: &'a Checks,
    table: &'a Table,
    fields: CsvFields,
    records: RecordReader,
    copies: &'a mut RecordOutputs,
}

impl<'a> ValidateReplay<'a> {
    /// Adds records to `state`, and copies them; `checks` and `table` as for the rows.
    pub(super) fn new(
        state: &'a mut ValidateState,
        checks: &'a Checks,
        table: &'a Table,
        copies: &'a mut RecordOutputs,
    ) -> ValidateReplay<'a> {
        ValidateReplay { state, checks, table, fields: CsvFields::new(b','), records: RecordReader::default(), copies }
    }
}

impl ValidateReplay<'_> {
    /// The records of all rows so far, by input.
    pub(super) fn into_tally(self) -> InputTally {
        self.records.tally
    }
}

impl Replay for ValidateReplay<'_> {
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowFault> {
        let row = ReportRow::parse(row, self.table, &mut self.fields).ok_or(RowFault::Damaged)?;
        check_location(row.file, row.line, record.input, record.line)?;
        let different = |what| RowFault::Other(what, record.line);
        let shape = self.records.read(record);
        if row.puzzle.is_some_and(|puzzle| *puzzle != *self.records.puzzle_text) {
            return Err(different("puzzle"));
        }
        let mut note = Note::default();
        match (row.findings.contains(Finding::Malformed), shape) {
            (true, None) => note.findings.insert(Finding::Malformed),
            (false, Some(shape)) => {
                let ReportRow { solutions, answer, class, .. } = row;
                let columns = PuzzleColumns { clues: shape.clues.into(), solutions, answer, class };
                if row.clues.is_some_and(|clues| clues != columns.clues) {
                    return Err(different("number of clues"));
                }
                let cells = self.records.puzzles.last(shape.order);
                let checked = self.checks.minimal && columns.status() == Status::Unique;
                let is_decided = checked && !row.findings.contains(Finding::Undecided);
                let is_minimal = is_decided.then(|| !row.findings.contains(Finding::NotMinimal));
                let puzzle = PuzzleNote {
                    key: self.checks.key(cells),
                    order: shape.order,
                    lacks_class: self.checks.classes && columns.class.is_none(),
                    columns,
                    is_minimal,
                };
                note.findings = find_again(&puzzle, cells, self.checks, row.findings);
                let repeats = self.state.index.enter(record.input, record.line, puzzle.key, columns.class);
                repeats.into_iter().flatten().for_each(|(finding, _)| note.findings.insert(finding));
                note.puzzle = Some(puzzle);
            }
            _ => return Err(different("verdict")),
        }
        if note.findings != row.findings {
            return Err(different("list of findings"));
        }
        if row.verdict.is_some_and(|verdict| verdict != note.findings.verdict()) {
            return Err(different("verdict"));
        }
        self.state.examples.see(record, note.findings, &String::from_utf8_lossy(row.detail));
        self.state.score.count(&note);
        self.copies.copy(note.findings, &record);
        Ok(())
    }

    fn rest_of_record(&mut self, text: &[u8]) {
        self.copies.rest_of_record(text);
    }
}

/// The findings on a puzzle by itself; of those that the row names, the ones that would take a search are believed.
fn find_again(puzzle: &PuzzleNote, cells: &[u8], checks: &Checks, named: Findings) -> Findings {
    let status = puzzle.columns.status();
    let on_solutions = match status {
        Status::Multiple => Some(Finding::Multiple),
        Status::None if rules::conflict(puzzle.order, cells).is_some() => Some(Finding::Conflict),
        Status::None => Some(Finding::None),
        Status::Undecided => Some(Finding::Undecided),
        // Then a search for a redundant clue gave up.
        Status::Unique if checks.minimal && named.contains(Finding::Undecided) => Some(Finding::Undecided),
        Status::Unique | Status::Malformed => None,
    };
    let on_answer = puzzle.columns.answer.and_then(AnswerScore::finding);
    let wrong_rating = checks.ratings.is_some() && status == Status::Unique && named.contains(Finding::WrongRating);
    let on_rating = wrong_rating.then_some(Finding::WrongRating);
    let redundant = (puzzle.is_minimal == Some(false)).then_some(Finding::NotMinimal);
    let leak = checks.against.as_ref().zip(puzzle.key).and_then(|(against, key)| {
        let keys = Keys { puzzle: key, class: puzzle.columns.class, solution: None };
        let solution = status == Status::Unique && named.contains(Finding::LeakSolution);
        against.find(&keys).map(|(finding, _)| finding).or(solution.then_some(Finding::LeakSolution))
    });
    [on_solutions, on_answer, on_rating, redundant, leak].into_iter().flatten().collect()
}

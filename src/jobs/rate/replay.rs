//! Replays the rows of an interrupted `rate` run: a row gives the status and the rating of its record.

use std::borrow::Cow;

use super::columns::{ER, STATUS};
use crate::corpus::RecordView;
use crate::jobs::solve::{RecordReader, check_location};
use crate::jobs::tally::InputTally;
use crate::rating::Difficulty;
use crate::resume::{Replay, RowFault};
use crate::rows::{Column, FileColumn, Status, ValueReader, parse_number, parse_status};
use crate::stats::{Er, RunStats};

/// Counts the records of rows.
pub(super) struct RateReplay {
    rows: ValueReader,
    file: FileColumn,
    stats: RunStats,
    records: RecordReader,
}

/// A row that was read back.
struct RateRow<'a> {
    file: Option<Cow<'a, [u8]>>,
    line: u64,
    puzzle: Cow<'a, [u8]>,
    status: Status,
    er: Option<Er>,
}

impl RateReplay {
    /// Adds the records of rows to `stats`.
    pub(super) fn new(rows: ValueReader, file: FileColumn, stats: RunStats) -> RateReplay {
        RateReplay { rows, file, stats, records: RecordReader::taking_pencilmarks() }
    }

    /// The statistics of all rows so far, and their records by input.
    pub(super) fn into_parts(self) -> (RunStats, InputTally) {
        (self.stats, self.records.tally)
    }
}

impl<'a> RateRow<'a> {
    /// Reads a row; `None` if it is damaged.
    fn read(row: &'a [u8], rows: &'a mut ValueReader, file: FileColumn) -> Option<RateRow<'a>> {
        let names = [Column::File.name(), Column::Line.name(), Column::Puzzle.name(), STATUS, ER];
        let [name, line, puzzle, status, er] = rows.read(row, names)?;
        Some(RateRow {
            file: (file == FileColumn::Present).then_some(name),
            line: parse_number(&line)?,
            puzzle,
            status: parse_status(&status)?,
            er: if er.is_empty() { None } else { Some(parse_er(&er)?) },
        })
    }
}

fn parse_er(text: &[u8]) -> Option<Er> {
    let text = str::from_utf8(text).ok()?;
    let number = |text: &str| text.parse::<Difficulty>().ok();
    match text.strip_prefix('>') {
        Some(bound) => number(bound).map(Er::Above),
        None => number(text).map(Er::Is),
    }
}

impl Replay for RateReplay {
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowFault> {
        let row = RateRow::read(row, &mut self.rows, self.file).ok_or(RowFault::Damaged)?;
        check_location(row.file.as_deref(), Some(row.line), record.input, record.line)?;
        let shape = self.records.read(record);
        if *row.puzzle != *self.records.puzzle_text {
            return Err(RowFault::Other("puzzle", record.line));
        }
        if (row.status == Status::Malformed) == shape.is_some() {
            return Err(RowFault::Other("status", record.line));
        }
        let Some(shape) = shape else {
            self.stats.add_malformed();
            return Ok(());
        };
        self.stats.add_solved_before(Some(row.status), shape.clues.into());
        if let Some(er) = row.er {
            self.stats.add_er(er);
        }
        Ok(())
    }
}

//! Replays the rows of an interrupted `rate` run: a row gives the status and the rating of its record.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use super::columns::{ED, EP, ER, HARDEST, STATUS, TECHNIQUES};
use crate::corpus::RecordView;
use crate::jobs::solve::{RecordReader, check_location};
use crate::jobs::summarised::CountingReplay;
use crate::jobs::tally::InputTally;
use crate::rating::Technique;
use crate::resume::{Replay, RowFault};
use crate::rows::{Column, FileColumn, Status, ValueReader, parse_number, parse_status};
use crate::stats::{Er, PuzzleRating, RunStats};

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
    rating: Option<PuzzleRating>,
    techniques: Vec<Technique>,
}

impl RateReplay {
    /// Adds the records of rows to `stats`.
    pub(super) fn new(rows: ValueReader, file: FileColumn, stats: RunStats) -> RateReplay {
        RateReplay { rows, file, stats, records: RecordReader::taking_pencilmarks() }
    }
}

impl CountingReplay for RateReplay {
    fn into_parts(self) -> (RunStats, InputTally) {
        (self.stats, self.records.tally)
    }
}

impl<'a> RateRow<'a> {
    /// Reads a row; `None` if it is damaged.
    fn read(row: &'a [u8], rows: &'a mut ValueReader, file: FileColumn) -> Option<RateRow<'a>> {
        let [name, line, puzzle] = [Column::File, Column::Line, Column::Puzzle].map(Column::name);
        let columns = [name, line, puzzle, STATUS, ER, EP, ED, HARDEST, TECHNIQUES];
        let [name, line, puzzle, status, er, ep, ed, hardest, techniques] = rows.read(row, columns)?;
        let (ep, ed, hardest) = (Value::read(&ep)?.0, Value::read(&ed)?.0, Value::read(&hardest)?.0);
        let rating = Value::read(&er)?.0.map(|er: Er| PuzzleRating { er, ep, ed, hardest });
        Some(RateRow {
            file: (file == FileColumn::Present).then_some(name),
            line: parse_number(&line)?,
            puzzle,
            status: parse_status(&status)?,
            rating,
            techniques: parse_techniques(&techniques)?,
        })
    }
}

/// A value that may be empty.
struct Value<T>(Option<T>);

impl<T: FromStr> Value<T> {
    /// Reads a value; `None` if it is damaged.
    fn read(text: &[u8]) -> Option<Value<T>> {
        let text = str::from_utf8(text).ok()?;
        Some(Value(if text.is_empty() { None } else { Some(text.parse().ok()?) }))
    }
}

/// Reads the techniques of counts: `Hidden Single:52;Pointing:1`, or the same as a JSON object.
fn parse_techniques(counts: &[u8]) -> Option<Vec<Technique>> {
    if counts.starts_with(b"{") {
        let counts: BTreeMap<Technique, u64> = serde_json::from_slice(counts).ok()?;
        return Some(counts.into_keys().collect());
    }
    let counts = str::from_utf8(counts).ok()?;
    let technique = |count: &str| count.split_once(':')?.0.parse().ok();
    counts.split_terminator(';').map(technique).collect()
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
        if let Some((rating, stats)) = row.rating.zip(self.stats.ratings()) {
            let puzzle = || String::from_utf8_lossy(&row.puzzle).into_owned();
            stats.add(rating, row.techniques, (&record.input.name, record.line), puzzle);
        }
        Ok(())
    }
}

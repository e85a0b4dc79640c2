//! What a [`SolveWorker`](super::worker::SolveWorker) has said of records in rows, taken up again: the tally of a resumed run.

use std::sync::Arc;

use crate::corpus::{Input, RecordView};
use crate::format::ParsedPuzzle;
use crate::jobs::records::Reading;
use crate::puzzle::Puzzles;
use crate::resume::{Replay, RowFault};
use crate::rows::{RowRead, RowReader, Status, Subject};
use crate::stats::RunStats;

/// What `detail` says of a puzzle whose solutions are not all listed.
pub(crate) const MORE: &str = "there are more";

/// Makes a tally of rows.
pub(crate) struct SolveReplay {
    rows: Box<dyn RowReader>,
    tally: RunStats,
    records: RecordReader,
}

/// Reads records one by one, with what rows call them.
#[derive(Default)]
pub(crate) struct RecordReader {
    reading: Option<Reading>,
    /// The puzzle, if it is one.
    pub(crate) puzzles: Puzzles,
    /// The puzzle in one line, or the text that is none.
    pub(crate) shown: Vec<u8>,
}

impl RecordReader {
    /// Reads a record, and says what it looks like if it is a puzzle.
    pub(crate) fn read(&mut self, record: RecordView<'_>) -> Option<ParsedPuzzle> {
        let reading = Reading::of(record.input, &mut self.reading);
        self.shown.clear();
        self.puzzles.clear();
        let shape = reading.parser.parse(record.text, &mut self.puzzles).ok();
        let subject = match shape {
            Some(ParsedPuzzle { order, blank, .. }) => {
                Subject::Puzzle { cells: self.puzzles.last(order), alphabet: &reading.alphabets[order.index()], blank }
            }
            None => Subject::Text(reading.parser.puzzle_text(record.text)),
        };
        subject.write(&mut self.shown);
        shape
    }
}

/// Sees to it that a row is of the record that it should be of, as far as it says.
pub(crate) fn check_place(
    file: Option<&[u8]>,
    line: Option<u64>,
    input: &Arc<Input>,
    record_line: u64,
) -> Result<(), RowFault> {
    if let Some(line) = line.filter(|&line| line != record_line) {
        return Err(RowFault::Line(line, record_line));
    }
    if let Some(file) = file.filter(|&file| file != input.name.as_bytes()) {
        return Err(RowFault::File(String::from_utf8_lossy(file).into_owned(), input.name.clone()));
    }
    Ok(())
}

impl SolveReplay {
    /// Adds what rows tell to `tally`.
    pub(super) fn new(rows: Box<dyn RowReader>, tally: RunStats) -> SolveReplay {
        SolveReplay { rows, tally, records: RecordReader::default() }
    }

    /// What the rows have come to.
    pub(super) fn into_tally(self) -> RunStats {
        self.tally
    }
}

impl Replay for SolveReplay {
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowFault> {
        let RowRead { file, line, puzzle, status, solutions, detail } = self.rows.read(row).ok_or(RowFault::Damaged)?;
        check_place(file.as_deref(), line, record.input, record.line)?;
        let shape = self.records.read(record);
        if puzzle.is_some_and(|puzzle| *puzzle != *self.records.shown) {
            return Err(RowFault::Other("puzzle", record.line));
        }
        if status.is_some_and(|status| (status == Status::Malformed) == shape.is_some()) {
            return Err(RowFault::Other("status", record.line));
        }
        let Some(shape) = shape else {
            self.tally.add_malformed();
            return Ok(());
        };
        if detail.is_some_and(|detail| *detail == *MORE.as_bytes()) {
            self.tally.add_capped();
        }
        self.tally.add_solved_before(status.or(solutions.map(Status::of)), shape.clues.into());
        Ok(())
    }
}

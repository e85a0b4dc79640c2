//! Replays the rows of an interrupted `solve` run.
//!
//! A row gives the status of its record, and whether all solutions were listed; clues are counted in the record.

use std::sync::Arc;

use crate::corpus::{Input, RecordView};
use crate::format::ParsedPuzzle;
use crate::jobs::records::{InputParsers, TakesPencilmarks};
use crate::jobs::summarised::CountingReplay;
use crate::jobs::tally::InputTally;
use crate::puzzle::Puzzles;
use crate::resume::{Replay, RowFault};
use crate::rows::{MORE_SOLUTIONS, RowRead, RowReader, Status, Subject};
use crate::stats::RunStats;

/// Counts the records of rows.
pub(crate) struct SolveReplay {
    rows: Box<dyn RowReader>,
    stats: RunStats,
    records: RecordReader,
}

/// Parses single records, and prints them as in the puzzle column of rows.
#[derive(Default)]
pub(crate) struct RecordReader {
    reading: Option<InputParsers>,
    pencilmarks: TakesPencilmarks,
    /// The cells of the latest record, if it is a puzzle.
    pub(crate) puzzles: Puzzles,
    /// The puzzle column of the latest record.
    pub(crate) puzzle_text: Vec<u8>,
    /// Counts the records.
    pub(crate) tally: InputTally,
}

impl RecordReader {
    /// Also reads pencilmark puzzles.
    pub(crate) fn taking_pencilmarks() -> RecordReader {
        RecordReader { pencilmarks: TakesPencilmarks::Yes, ..RecordReader::default() }
    }

    /// Parses a record; `None` if it is malformed.
    pub(crate) fn read(&mut self, record: RecordView<'_>) -> Option<ParsedPuzzle> {
        let reading = InputParsers::for_input(record.input, &mut self.reading);
        self.puzzle_text.clear();
        self.puzzles.clear();
        let parsed = reading.parser.parse(record.text, &mut self.puzzles);
        if parsed.is_err_and(|reason| self.pencilmarks.includes(reason)) {
            self.tally.add(record.input, 1, None);
            Subject::Pencilmarks(reading.parser.pencilmarks(record.text)).write(&mut self.puzzle_text);
            return Some(ParsedPuzzle::PENCILMARKS);
        }
        self.tally.add(record.input, 1, parsed.err().map(|reason| (record.line, reason)));
        let shape = parsed.ok();
        let subject = match shape {
            Some(ParsedPuzzle { order, blank, .. }) => {
                Subject::Puzzle { cells: self.puzzles.last(order), alphabet: &reading.alphabets[order.index()], blank }
            }
            None => Subject::Text(reading.parser.puzzle_text(record.text)),
        };
        subject.write(&mut self.puzzle_text);
        shape
    }
}

/// Checks the file and the line of a row, as far as it has them, against its record.
pub(crate) fn check_location(
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
    /// Adds the records of rows to `stats`.
    pub(super) fn new(rows: Box<dyn RowReader>, stats: RunStats) -> SolveReplay {
        SolveReplay { rows, stats, records: RecordReader::taking_pencilmarks() }
    }
}

impl CountingReplay for SolveReplay {
    fn into_parts(self) -> (RunStats, InputTally) {
        (self.stats, self.records.tally)
    }
}

impl Replay for SolveReplay {
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowFault> {
        let RowRead { file, line, puzzle, status, status_by_solutions, detail } =
            self.rows.read(row).ok_or(RowFault::Damaged)?;
        check_location(file.as_deref(), line, record.input, record.line)?;
        let shape = self.records.read(record);
        if puzzle.is_some_and(|puzzle| *puzzle != *self.records.puzzle_text) {
            return Err(RowFault::Other("puzzle", record.line));
        }
        if status.is_some_and(|status| (status == Status::Malformed) == shape.is_some()) {
            return Err(RowFault::Other("status", record.line));
        }
        let Some(shape) = shape else {
            self.stats.add_malformed();
            return Ok(());
        };
        if detail.is_some_and(|detail| *detail == *MORE_SOLUTIONS.as_bytes()) {
            self.stats.add_not_all_listed();
        }
        self.stats.add_solved_before(status.or(status_by_solutions), shape.clues.into());
        Ok(())
    }
}

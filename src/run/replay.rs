//! Replays the rows of an interrupted run: compares each with its record, and gives it to the serial stage of the job.

use std::marker::PhantomData;

use super::job::{ReplayedRecord, RowJob, SerialStage};
use super::records::InputParsers;
use super::tally::InputTally;
use crate::corpus::RecordView;
use crate::format::{Malformed, ParsedPuzzle};
use crate::puzzle::Puzzles;
use crate::resume::{Replay, RowError};
use crate::rows::{ReadRow, Row, RowReader, Subject};

/// Replays the rows of a job.
pub(crate) struct RowReplay<'a, J: RowJob> {
    rows: Box<dyn RowReader>,
    records: RecordReader,
    stage: &'a mut J::Stage,
    job: PhantomData<fn() -> J>,
}

impl<'a, J: RowJob> RowReplay<'a, J> {
    /// Gives the rows to `stage`.
    pub(crate) fn new(rows: Box<dyn RowReader>, stage: &'a mut J::Stage, takes_pencilmarks: bool) -> RowReplay<'a, J> {
        let records = RecordReader { takes_pencilmarks, ..RecordReader::default() };
        RowReplay { rows, records, stage, job: PhantomData }
    }

    /// The records of all rows so far, by input.
    pub(crate) fn into_tally(self) -> InputTally {
        self.records.tally
    }
}

impl<J: RowJob> Replay for RowReplay<'_, J> {
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowError> {
        let row = self.rows.read(row).ok_or(RowError::Damaged)?;
        check_location::<J>(&row, record)?;

        let shape = self.records.read(record);
        let RecordReader { puzzles, puzzle_text: text, .. } = &self.records;
        if field::<J>(&row, "puzzle").is_some_and(|puzzle| *puzzle != **text) {
            return Err(RowError::Other("puzzle", record.line));
        }
        let puzzle = shape
            .map(|shape| (shape, if puzzles.batch(shape.size).is_empty() { &[] } else { puzzles.last(shape.size) }));
        self.stage.replay(&row, &ReplayedRecord { view: record, puzzle, text })
    }

    fn rest_of_record(&mut self, text: &[u8]) {
        self.stage.rest_of_record(text);
    }
}

/// Checks the file and the line of a row, as far as it has them, against its record.
fn check_location<J: RowJob>(row: &ReadRow<'_>, record: RecordView<'_>) -> Result<(), RowError> {
    let line = field::<J>(row, "line").and_then(crate::rows::parse_number);
    if let Some(line) = line.filter(|&line| line != record.line) {
        return Err(RowError::Line(line, record.line));
    }
    if let Some(file) = field::<J>(row, "file").filter(|&file| file != record.input.name.as_bytes()) {
        return Err(RowError::File(String::from_utf8_lossy(file).into_owned(), record.input.name.clone()));
    }
    Ok(())
}

/// The text of a column; `None` if the rows of the job do not have it.
fn field<'a, J: RowJob>(row: &'a ReadRow<'_>, name: &str) -> Option<&'a [u8]> {
    let number = J::Row::COLUMNS.iter().position(|column| column.name == name)?;
    row.get(number)
}

/// Parses single records, and prints them as in the puzzle column of rows.
#[derive(Default)]
pub(crate) struct RecordReader {
    parsers: Option<InputParsers>,
    takes_pencilmarks: bool,
    /// The cells of the latest record, if it is a puzzle.
    puzzles: Puzzles,
    /// The puzzle column of the latest record.
    pub(crate) puzzle_text: Vec<u8>,
    /// Counts the records.
    tally: InputTally,
}

impl RecordReader {
    /// Parses a record; `None` if it is malformed.
    pub(crate) fn read(&mut self, record: RecordView<'_>) -> Option<ParsedPuzzle> {
        let parsers = InputParsers::for_input(record.input, &mut self.parsers);
        self.puzzle_text.clear();
        self.puzzles.clear();

        let parsed = parsers.puzzles.parse(record.content, &mut self.puzzles);
        if self.takes_pencilmarks && parsed == Err(Malformed::Pencilmarks) {
            self.tally.add(record.input, 1, None);
            Subject::Pencilmarks(parsers.puzzles.pencilmarks(record.content)).write(&mut self.puzzle_text);
            return Some(ParsedPuzzle::PENCILMARKS);
        }

        self.tally.add(record.input, 1, parsed.err().map(|reason| (record.line, reason)));
        let shape = parsed.ok();
        let subject = match shape {
            Some(ParsedPuzzle { size, blank, .. }) => {
                Subject::Puzzle { cells: self.puzzles.last(size), alphabet: &parsers.alphabets[size.index()], blank }
            }
            None => Subject::Text(parsers.puzzles.text(record.content)),
        };
        subject.write(&mut self.puzzle_text);
        shape
    }
}

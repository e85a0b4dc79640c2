//! `csv`: a table with a header, of which one column holds the puzzles.

pub(in crate::format) mod fields;
mod header;
mod quotes;
pub(super) mod records;

use self::fields::CsvFields;
use self::header::CsvHeader;
use self::quotes::Columns;
use self::records::{CsvParser, CsvSplitter};
use super::vote::{Vote, vote};
use crate::format::alphabet::{Alphabets, BLANKS};
use crate::format::columns::{Table, WantedColumns, puzzle_column};
use crate::format::definition::{Format, Start, TextLayout, UnnamedAnswers};
use crate::format::pass_through::PassThrough;
use crate::format::position::Preamble;
use crate::format::splitter::{FindRecord, NextRecord};
use crate::format::{BatchLimits, DetectError, Parser, Size, Splitter, cells};

/// The format.
#[derive(Debug)]
pub(super) struct Csv;

impl Format for Csv {
    /// A text with a header that has a usual name for puzzles.
    fn is_likely(&self, start: Start<'_>) -> Result<bool, DetectError> {
        let (text, is_complete) = (start.text(), start.is_complete);
        let Some((header, length)) = CsvHeader::read(text, is_complete, None) else { return Ok(false) };
        let records = &text[length..];
        if puzzle_column(&header.names, None).is_some() {
            // The word may also be the title of a grid.
            return Ok(vote(records, is_complete) != Some(Vote::Grids)
                || header.names.len() > 1 && has_records_of(&header, records, is_complete));
        }

        if is_header(&header, records, is_complete) && vote(text, is_complete) != Some(Vote::Grids) {
            return Err(DetectError::NoPuzzleColumn { columns: header.names });
        }
        Ok(false)
    }

    fn layout(&self, start: Start<'_>, wanted: WantedColumns<'_>) -> Result<(Box<dyn TextLayout>, usize), DetectError> {
        let (header, length) = if start.is_complete && start.text().is_empty() {
            (CsvHeader { text: vec![], delimiter: b',', names: wanted.names() }, 0)
        } else {
            CsvHeader::read(start.text(), start.is_complete, wanted.puzzle).ok_or(DetectError::NoHeader)?
        };
        let CsvHeader { text, delimiter, names } = header;
        let table = Table::choose(names, wanted)?;
        Ok((Box::new(CsvLayout { header: text, delimiter, table }), start.comments + length))
    }
}

/// Whether one of the first records after a header, fewer than a grid has rows, has as many fields.
fn has_records_of(header: &CsvHeader, text: &[u8], is_complete: bool) -> bool {
    let mut splitter = CsvSplitter::new(Preamble::default(), header.delimiter, None);
    let mut fields = CsvFields::new(header.delimiter);
    let (mut found, limits) = (false, BatchLimits { records: 8, ..BatchLimits::NONE });
    splitter.next_batch(text, is_complete, limits, &mut |record, _| {
        found |= fields.split(&text[record]).len() == header.names.len();
    });
    found
}

/// Whether a line without a puzzle is a header with unusual names: the record after it has as many fields, and a puzzle
/// that is not the first of them.
fn is_header(header: &CsvHeader, text: &[u8], is_complete: bool) -> bool {
    let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || BLANKS.contains(byte);
    let is_puzzle = |field: &[u8]| cells::is_length_of_puzzle(field.len()) && field.iter().all(is_cell);
    let mut fields = CsvFields::new(header.delimiter);
    match CsvSplitter::new(Preamble::default(), header.delimiter, None).next_record(text, is_complete) {
        NextRecord::Found { text: record, .. } => {
            let fields = fields.split(&text[record]);
            !header.names.iter().any(|name| is_puzzle(name.as_bytes()))
                && fields.len() == header.names.len()
                && fields.iter().skip(1).any(is_puzzle)
                && !fields.get(0).is_some_and(is_puzzle)
        }
        _ => false,
    }
}

/// A table as text.
#[derive(Debug)]
struct CsvLayout {
    /// The text of the header, line end included.
    header: Vec<u8>,
    delimiter: u8,
    table: Table,
}

impl CsvLayout {
    fn column_parser(&self, alphabets: Alphabets, column: usize) -> Box<dyn Parser> {
        Box::new(CsvParser::new(alphabets, self.delimiter, column))
    }

    /// `column 2 'question'`
    fn column(&self, index: usize) -> String {
        format!("column {} '{}'", index + 1, self.table.names[index])
    }
}

impl TextLayout for CsvLayout {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        let columns = Columns { count: self.table.names.len(), puzzle: self.table.choice.puzzle };
        Box::new(CsvSplitter::new(preamble, self.delimiter, Some(columns)))
    }

    fn parser(&self, alphabets: Alphabets) -> Box<dyn Parser> {
        self.column_parser(alphabets, self.table.choice.puzzle)
    }

    fn answer_parser(&self, alphabets: Alphabets) -> Option<Box<dyn Parser>> {
        self.table.choice.answer.map(|answer| self.column_parser(alphabets, answer))
    }

    /// Notes the first column, apart from that of the puzzles, in which most records have a full grid.
    fn find_answers(&mut self, records: &[&[u8]], _alphabets: Alphabets) {
        let mut fields = CsvFields::new(self.delimiter);
        let mut full_grids = vec![0; self.table.names.len()];
        for record in records {
            for (count, field) in full_grids.iter_mut().zip(fields.split(record).iter()) {
                let field = field.trim_ascii();
                *count += usize::from(Size::from_cells(field.len()).is_some_and(|size| cells::is_full(size, field)));
            }
        }
        self.table.find_answers(|&column| 2 * full_grids[column] > records.len());
    }

    fn unnamed_answers(&self) -> Option<UnnamedAnswers> {
        self.table.unnamed_answers.map(|column| UnnamedAnswers::In(self.column(column)))
    }

    fn header(&self) -> &[u8] {
        &self.header
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    #[cfg(feature = "card")]
    fn delimiter(&self) -> Option<u8> {
        Some(self.delimiter)
    }

    fn pass_through(&self) -> PassThrough {
        PassThrough::new(CsvFields::new(self.delimiter), self.table.choice.keep.clone())
    }

    fn describe(&self, sizes: &[Size]) -> String {
        self.table.describe("CSV with a header", sizes, |column| self.column(column))
    }
}

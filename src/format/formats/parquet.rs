//! Parquet: a table with typed columns, of which one holds the puzzles.

#[cfg(feature = "arrow")]
use super::{csv::records::FieldParser, lines::LineSplitter};
use crate::format::DetectError;
use crate::format::columns::WantedColumns;
use crate::format::definition::{Format, Start, TextLayout};
#[cfg(feature = "arrow")]
use crate::format::{
    Order, Parser, Splitter,
    alphabet::Alphabets,
    columns::{ColumnChoice, Table},
    position::Preamble,
};

/// The format. It is no text, so it cannot be detected in one.
#[derive(Debug)]
pub(super) struct Parquet;

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "Parquet"
    }

    fn description(&self) -> &'static str {
        "typed columns, of which one holds the puzzles as text or as lists of integers"
    }

    fn example(&self) -> &'static str {
        ""
    }

    fn extension(&self) -> &'static str {
        "parquet"
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn is_likely(&self, _start: Start<'_>) -> Result<bool, DetectError> {
        Ok(false)
    }

    fn layout(&self, _: Start<'_>, _: WantedColumns<'_>) -> Result<(Box<dyn TextLayout>, usize), DetectError> {
        Err(DetectError::NotParquet)
    }
}

/// The layout of records that have typed columns. Its parsers read the text of one cell.
#[cfg(feature = "arrow")]
#[derive(Debug)]
pub(in crate::format) struct ParquetLayout {
    /// The line of the names of the columns, where records are written as CSV.
    header: Vec<u8>,
    table: Table,
}

#[cfg(feature = "arrow")]
impl ParquetLayout {
    /// A table with this header.
    pub(in crate::format) fn new(header: Vec<u8>, names: Vec<String>, choice: ColumnChoice) -> ParquetLayout {
        ParquetLayout { header, table: Table { names, choice, unnamed_answers: None } }
    }
}

#[cfg(feature = "arrow")]
impl TextLayout for ParquetLayout {
    /// Columns are not split. In a text of cells, each line is one.
    fn splitter(&self, _preamble: Preamble) -> Box<dyn Splitter> {
        Box::new(LineSplitter::all_lines())
    }

    fn parser(&self, alphabets: Alphabets) -> Box<dyn Parser> {
        Box::new(FieldParser::new(alphabets))
    }

    fn answer_parser(&self, alphabets: Alphabets) -> Option<Box<dyn Parser>> {
        self.table.choice.answer.map(|_| self.parser(alphabets))
    }

    fn header(&self) -> &[u8] {
        &self.header
    }

    fn kept_columns(&self) -> Vec<&str> {
        self.table.kept()
    }

    fn describe(&self, sizes: &[Order]) -> String {
        self.table.describe("Parquet", sizes, |column| format!("column '{}'", self.table.names[column]))
    }
}

//! Parquet: a table with typed columns, whose records are written as CSV when they are read.

#[cfg(feature = "arrow")]
use super::csv::CsvLayout;
use crate::format::DetectError;
use crate::format::columns::WantedColumns;
use crate::format::definition::{Format, Start, TextLayout};
#[cfg(feature = "arrow")]
use crate::format::{
    Order, Parser, Splitter,
    alphabet::Alphabets,
    columns::{ColumnChoice, Table},
    pass_through::PassThrough,
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

/// The layout of records that have typed columns, and are written as CSV when they are read.
#[cfg(feature = "arrow")]
#[derive(Debug)]
pub(in crate::format) struct ParquetLayout(CsvLayout);

#[cfg(feature = "arrow")]
impl ParquetLayout {
    /// A table with this header.
    pub(in crate::format) fn new(header: Vec<u8>, names: Vec<String>, choice: ColumnChoice) -> ParquetLayout {
        let table = Table { names, choice, unnamed_answers: None };
        ParquetLayout(CsvLayout { header, delimiter: b',', table })
    }
}

#[cfg(feature = "arrow")]
impl TextLayout for ParquetLayout {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        self.0.splitter(preamble)
    }

    fn parser(&self, alphabets: Alphabets) -> Box<dyn Parser> {
        self.0.parser(alphabets)
    }

    fn answer_parser(&self, alphabets: Alphabets) -> Option<Box<dyn Parser>> {
        self.0.answer_parser(alphabets)
    }

    fn header(&self) -> &[u8] {
        self.0.header()
    }

    fn kept_columns(&self) -> Vec<&str> {
        self.0.kept_columns()
    }

    fn pass_through(&self) -> PassThrough {
        self.0.pass_through()
    }

    fn describe(&self, sizes: &[Order]) -> String {
        let table = &self.0.table;
        table.describe("Parquet", sizes, |column| format!("column '{}'", table.names[column]))
    }
}

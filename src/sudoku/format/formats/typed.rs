//! The layout of records with typed columns: rows of a table, or of arrays.

use super::csv::{CsvLayout, records::FieldParser};
use super::lines::LineSplitter;
use crate::format::alphabet::Alphabets;
use crate::format::definition::TextLayout;
use crate::format::evidence::lost_in;
use crate::format::splitter::Preamble;
use crate::format::{InputFormat, Malformed, Parser, Puzzles, Size, Splitter};
use crate::puzzle::rules;

/// The source of records with typed columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedOrigin {
    /// A table, in a Parquet file or in memory.
    Table,
    /// Arrays of numbers with this one, 0 or 1, for a blank, and the digits after it; `None` if they have texts.
    Arrays { blank: Option<u8> },
}

impl TypedOrigin {
    /// The format of the input.
    pub(crate) fn format(self) -> InputFormat {
        match self {
            TypedOrigin::Table => InputFormat::Parquet,
            TypedOrigin::Arrays { .. } => InputFormat::Npy,
        }
    }
}

/// The layout of records with typed columns. Its parsers read the text of one cell.
#[derive(Debug)]
pub(in crate::sudoku::format) struct TypedLayout {
    pub(in crate::sudoku::format) origin: TypedOrigin,
    /// The line of column names for records written as CSV.
    pub(in crate::sudoku::format) header: Vec<u8>,
}

impl TextLayout for TypedLayout {
    /// Typed columns need no splitting. In a text of cells, each line is one.
    fn splitter(&self, _preamble: Preamble) -> Box<dyn Splitter> {
        Box::new(LineSplitter::all_lines())
    }

    fn parser(&self, alphabets: Alphabets, _column: usize) -> Box<dyn Parser> {
        Box::new(FieldParser(alphabets))
    }

    fn column(&self, _index: usize, name: &str) -> String {
        let part = if self.origin == TypedOrigin::Table { "column" } else { "array" };
        format!("{part} '{name}'")
    }

    /// The cells of most arrays are numbers.
    fn has_symbols(&self) -> bool {
        matches!(self.origin, TypedOrigin::Table | TypedOrigin::Arrays { blank: None })
    }

    fn header(&self) -> &[u8] {
        &self.header
    }

    fn describe(&self, _sizes: &[Size], columns: &str) -> String {
        match self.origin {
            TypedOrigin::Table => format!("Parquet, {columns}"),
            TypedOrigin::Arrays { blank: Some(blank) } => format!("NumPy, {columns}, {blank} for a blank"),
            TypedOrigin::Arrays { blank: None } => format!("NumPy, {columns}"),
        }
    }
}

/// The size of the grid in a field, if there is one that breaks no rule: its cells are the last in `puzzles`.
///
/// # Errors
///
/// If the field has cells of a puzzle, but is not a grid.
pub(crate) fn grid_in(field: &[u8], alphabets: &Alphabets, puzzles: &mut Puzzles) -> Result<Option<Size>, Malformed> {
    match FieldParser(*alphabets).parse(field, puzzles) {
        Ok(grid) if grid.clues == 0 || rules::conflict(grid.size, puzzles.last(grid.size)).is_some() => Ok(None),
        Ok(grid) => Ok(Some(grid.size)),
        Err(reason) if reason == Malformed::Pencilmarks || lost_in(field).is_some() => Err(reason),
        Err(_) => Ok(None),
    }
}

/// The layout of records with typed columns that are written as lines of CSV, for finding puzzles in them.
pub(in crate::sudoku::format) fn sample_layout(columns: usize) -> impl TextLayout {
    CsvLayout { header: vec![], delimiter: b',', columns, has_answers: false }
}

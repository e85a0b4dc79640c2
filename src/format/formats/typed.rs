//! The layout of records with typed columns: rows of a table, or of arrays.

use super::{csv::records::FieldParser, lines::LineSplitter};
use crate::format::alphabet::Alphabets;
use crate::format::definition::TextLayout;
use crate::format::splitter::Preamble;
use crate::format::{InputFormat, Parser, Size, Splitter};

/// The source of records with typed columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedOrigin {
    /// A table, in a Parquet file or in memory.
    Table,
    /// Arrays of integers with this number, 0 or 1, for a blank. The digits follow it.
    Arrays { blank: u8 },
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
pub(in crate::format) struct TypedLayout {
    pub(in crate::format) origin: TypedOrigin,
    /// The line of column names for records written as CSV.
    pub(in crate::format) header: Vec<u8>,
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
        let part = if self.has_symbols() { "column" } else { "array" };
        format!("{part} '{name}'")
    }

    /// The cells of arrays are numbers.
    fn has_symbols(&self) -> bool {
        self.origin == TypedOrigin::Table
    }

    fn header(&self) -> &[u8] {
        &self.header
    }

    fn describe(&self, _sizes: &[Size], columns: &str) -> String {
        match self.origin {
            TypedOrigin::Table => format!("Parquet, {columns}"),
            TypedOrigin::Arrays { blank } => format!("NumPy, {columns}, {blank} for a blank"),
        }
    }
}

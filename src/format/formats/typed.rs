//! The layout of records that have typed columns: rows of a table, or of arrays.

use super::{csv::records::FieldParser, lines::LineSplitter};
use crate::format::alphabet::Alphabets;
use crate::format::columns::{ColumnChoice, Table};
use crate::format::definition::TextLayout;
use crate::format::splitter::Preamble;
use crate::format::{InputFormat, Parser, Size, Splitter};

/// Where records with typed columns come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedOrigin {
    /// A table, in a Parquet file or in memory.
    Table,
    /// Arrays of integers, in which this number stands for a blank: 0 or 1. The digits follow it.
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

/// The layout of records that have typed columns. Its parsers read the text of one cell.
#[derive(Debug)]
pub(in crate::format) struct TypedLayout {
    origin: TypedOrigin,
    /// The line of the names of the columns, where records are written as CSV.
    header: Vec<u8>,
    table: Table,
}

impl TypedLayout {
    /// A table with this header.
    pub(in crate::format) fn new(
        origin: TypedOrigin,
        header: Vec<u8>,
        names: Vec<String>,
        choice: ColumnChoice,
    ) -> TypedLayout {
        TypedLayout { origin, header, table: Table { names, choice, is_found: false, unnamed_answers: None } }
    }
}

impl TextLayout for TypedLayout {
    /// Columns are not split. In a text of cells, each line is one.
    fn splitter(&self, _preamble: Preamble) -> Box<dyn Splitter> {
        Box::new(LineSplitter::all_lines())
    }

    fn parser(&self, alphabets: Alphabets) -> Box<dyn Parser> {
        Box::new(FieldParser(alphabets))
    }

    fn answer_parser(&self, alphabets: Alphabets) -> Option<Box<dyn Parser>> {
        self.table.choice.answer.map(|_| self.parser(alphabets))
    }

    /// The cells of arrays are numbers.
    fn has_symbols(&self) -> bool {
        self.origin == TypedOrigin::Table
    }

    fn header(&self) -> &[u8] {
        &self.header
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn describe(&self, sizes: &[Size]) -> String {
        let describe =
            |format, part| self.table.describe(format, sizes, |at| format!("{part} '{}'", self.table.names[at]));
        match self.origin {
            TypedOrigin::Table => describe("Parquet", "column"),
            TypedOrigin::Arrays { blank } => format!("{}, {blank} for a blank", describe("NumPy", "array")),
        }
    }
}

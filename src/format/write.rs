//! The output formats by name, and what they have in common.

use super::columns::Columns;
use super::row::Row;
use super::table::{Csv, Jsonl, Listing};
use super::text;

/// Appends rows in one output format. Each worker owns one.
pub trait RowWriter: Send {
    /// Appends what comes before the first row.
    fn header(&self, output: &mut Vec<u8>);

    /// Appends one row.
    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>);
}

/// How results are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// CSV with a header, one row a record.
    Csv,
    /// A JSON object a record, one a line.
    Jsonl,
    /// Solutions only, one a line.
    Lines,
    /// Solutions as lines of symbols.
    Grids,
    /// All solutions in numbers, each under a rule, and how many there are.
    Listing,
}

impl OutputFormat {
    /// Every output format.
    pub const ALL: [OutputFormat; 5] =
        [OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Lines, OutputFormat::Grids, OutputFormat::Listing];

    /// The format's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            OutputFormat::Csv => "csv",
            OutputFormat::Jsonl => "jsonl",
            OutputFormat::Lines => "lines",
            OutputFormat::Grids => "grids",
            OutputFormat::Listing => "listing",
        }
    }

    /// What it is, in a line.
    pub const fn description(self) -> &'static str {
        match self {
            OutputFormat::Csv => "a header, then one row a record",
            OutputFormat::Jsonl => "one JSON object a record, one a line",
            OutputFormat::Lines => "solutions only, one a line; a comment where there is none to print",
            OutputFormat::Grids => "solutions only, as lines of symbols",
            OutputFormat::Listing => "every solution in numbers under a rule, then how many there are",
        }
    }

    /// Whether its rows have columns to choose from.
    pub const fn has_columns(self) -> bool {
        matches!(self, OutputFormat::Csv | OutputFormat::Jsonl)
    }

    /// A writer of this format with these columns, if it has columns.
    pub fn writer(self, columns: Columns, listing: Listing) -> Box<dyn RowWriter> {
        match self {
            OutputFormat::Csv => Box::new(Csv::new(columns)),
            OutputFormat::Jsonl => Box::new(Jsonl::new(columns, listing)),
            OutputFormat::Lines => Box::new(text::Lines),
            OutputFormat::Grids => Box::new(text::Grids),
            OutputFormat::Listing => Box::new(text::Listing),
        }
    }
}

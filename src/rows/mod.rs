//! Writes output rows, one for each record, in every output format, and reads them back.
//!
//! Writers append bytes to a buffer. They know cell values and alphabets, but neither files nor engines.

mod columns;
mod ends;
mod fields;
mod read;
mod row;
mod table;
#[cfg(test)]
mod tests;
mod text;
#[cfg(feature = "arrow")]
mod typed;
mod values;

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

pub(crate) use self::columns::kept_headers;
pub use self::columns::{Column, Columns, UnknownColumn};
pub(crate) use self::ends::RowEnds;
pub(crate) use self::fields::{FileColumn, RowFields, RowText};
pub(crate) use self::read::{RowRead, RowReader, parse_number, parse_status};
pub(crate) use self::row::MORE_SOLUTIONS;
pub use self::row::{Row, Status, Subject};
pub use self::table::Listing;
use self::table::{Csv, Jsonl};
#[cfg(feature = "arrow")]
pub(crate) use self::typed::{TypedRows, push_subject, typed_schema};
#[cfg(feature = "arrow")]
pub(crate) use self::values::TypedValues;
pub(crate) use self::values::{Decimal, NamedCounts, TextValues, Value, ValueReader};

/// Appends rows in one output format. Each worker owns one.
pub trait RowWriter: Debug + Send {
    /// Appends the header, if the format has one.
    fn header(&self, output: &mut Vec<u8>);

    /// Appends one row.
    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>);
}

/// Whether rows follow a header with the names of their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderRow {
    /// They do.
    Present,
    /// They do not.
    Absent,
}

/// A format of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OutputFormat {
    /// CSV with a header, one row a record.
    #[default]
    Csv,
    /// A JSON object a record, one a line.
    Jsonl,
    /// Solutions only, one a line.
    Lines,
    /// Solutions only, each as a grid of symbols.
    Grids,
    /// Solutions as grids of numbers, each under a line of `=`, and their count.
    Listing,
}

impl OutputFormat {
    /// Every output format.
    pub const ALL: [OutputFormat; 5] =
        [OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Lines, OutputFormat::Grids, OutputFormat::Listing];

    /// The formats with one line a row, if at most one solution is printed.
    pub const OF_LINES: [OutputFormat; 3] = [OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Lines];

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

    /// A description of the format on one line.
    pub const fn description(self) -> &'static str {
        match self {
            OutputFormat::Csv => "a header, then one row a record",
            OutputFormat::Jsonl => "one JSON object a record, one a line",
            OutputFormat::Lines => "solutions only, one a line; a comment where there is none to print",
            OutputFormat::Grids => "solutions only, as lines of symbols",
            OutputFormat::Listing => "every solution in numbers under a rule, then how many there are",
        }
    }

    /// An example of rows in the format.
    pub const fn example(self) -> &'static str {
        match self {
            OutputFormat::Csv => {
                "line,puzzle,status,solutions,solution,branches,nanos,detail\n\
                 1,1.3..........4.2,unique,1,1234432121433412,0,880,\n\
                 2,11..............,none,0,,0,90,\"two 1s in row 1: r1c1, r1c2\""
            }
            OutputFormat::Jsonl => {
                "{\"line\":1,\"puzzle\":\"1...............\",\"status\":\"multiple\",\"solutions\":2,\"solution\":null,\
                 \"branches\":4,\"nanos\":410,\"detail\":null}"
            }
            OutputFormat::Lines => "1234432121433412\n# line 2: none: two 1s in row 1: r1c1, r1c2",
            OutputFormat::Grids => "1234\n4321\n2143\n3412",
            OutputFormat::Listing => {
                "========\n1 2 3 4 \n4 3 2 1 \n2 1 4 3 \n3 4 1 2 \nTOTAL SOLUTION : 1\nNO SOLUTION"
            }
        }
    }

    /// Whether the rows have columns, which can be chosen.
    pub const fn has_columns(self) -> bool {
        matches!(self, OutputFormat::Csv | OutputFormat::Jsonl)
    }

    /// A writer of this format. Formats without columns ignore `columns`.
    pub fn writer(self, columns: Columns, listing: Listing) -> Box<dyn RowWriter> {
        match self {
            OutputFormat::Csv => Box::new(Csv::new(columns)),
            OutputFormat::Jsonl => Box::new(Jsonl::new(columns, listing)),
            OutputFormat::Lines => Box::new(text::LinesWriter),
            OutputFormat::Grids => Box::new(text::GridsWriter),
            OutputFormat::Listing => Box::new(text::ListingWriter),
        }
    }
}

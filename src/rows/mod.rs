//! Writes output rows in every output format.
//!
//! A job describes its rows once: by a list of [`Column`]s, and a function that returns the value of each (`Row`). CSV,
//! JSON lines and Arrow are written from this description.
//!
//! ```text
//!   Row::COLUMNS, Row::field ---> csv, jsonl: text of a chunk
//!        |                   |--> typed: record batches
//!        |                   \--> values: one record at a time
//!        \-> Table: the columns of a run
//! ```

mod builders;
mod column;
mod csv;
mod ends;
mod fields;
mod jsonl;
mod row;
mod sink;
mod subject;
#[cfg(test)]
mod tests;
mod typed;
mod values;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

pub use self::column::{Column, ColumnError, Kind};
pub(crate) use self::column::{Table, column};
pub(crate) use self::ends::RowEnds;
pub(crate) use self::row::{Decimal, Field, NamedCounts, Row, push_cells};
pub(crate) use self::sink::{RowContainer, RowParts, RowSink, RowStyle};
pub use self::subject::Status;
pub(crate) use self::subject::{PrintedGrid, Subject};
pub(crate) use self::typed::schema;
pub use self::values::Value;

/// A format of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Display, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum OutputFormat {
    /// CSV with a header, one row a record.
    #[default]
    Csv,
    /// A JSON object a record, one a line.
    Jsonl,
    /// Solutions or puzzles, one a line.
    Lines,
    /// Solutions or puzzles, each as a grid of symbols.
    Grids,
    /// Solutions as grids of numbers, each under a line of `=`, and their count.
    Listing,
    /// Puzzles as SadMan Sudoku saves them: grids under `[Puzzle]`.
    Sdk,
    /// Puzzles as OpenSudoku imports them: XML.
    OpenSudoku,
    /// Solutions or puzzles as an array of `NumPy`, a row of cells for each.
    Npy,
    /// Traces in words.
    Text,
}

impl OutputFormat {
    /// Every output format.
    pub const ALL: &[OutputFormat] = OutputFormat::VARIANTS;

    /// The formats for solutions.
    pub const OF_SOLUTIONS: &[OutputFormat] = &[
        OutputFormat::Csv,
        OutputFormat::Jsonl,
        OutputFormat::Lines,
        OutputFormat::Grids,
        OutputFormat::Listing,
        OutputFormat::Npy,
    ];

    /// The formats for puzzles.
    pub const OF_PUZZLES: &[OutputFormat] = &[
        OutputFormat::Csv,
        OutputFormat::Jsonl,
        OutputFormat::Lines,
        OutputFormat::Grids,
        OutputFormat::Sdk,
        OutputFormat::OpenSudoku,
        OutputFormat::Npy,
    ];

    /// The formats for traces.
    pub const OF_TRACES: &[OutputFormat] =
        &[OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Npy, OutputFormat::Text];

    /// The formats with one line for each row, if at most one solution is printed.
    pub const OF_LINES: &[OutputFormat] = &[OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Lines];

    /// The table of formats: a description on one line, and an example of rows.
    const fn facts(self) -> (&'static str, &'static str) {
        match self {
            OutputFormat::Csv => (
                "a header, then one row a record",
                "line,puzzle,status,solutions,solution,branches,nanos,detail\n\
                 1,1.3..........4.2,unique,1,1234432121433412,0,880,\n\
                 2,11..............,none,0,,0,90,\"two 1s in row 1: r1c1, r1c2\"",
            ),
            OutputFormat::Jsonl => (
                "one JSON object a record, one a line",
                "{\"line\":1,\"puzzle\":\"1...............\",\"status\":\"multiple\",\"solutions\":2,\"solution\":null,\
                 \"branches\":4,\"nanos\":410,\"detail\":null}",
            ),
            OutputFormat::Lines => (
                "solutions, or of convert and generate puzzles, one a line; a comment where there is none to print",
                "1234432121433412\n# line 2: none: two 1s in row 1: r1c1, r1c2",
            ),
            OutputFormat::Grids => ("solutions, or of convert puzzles, as lines of symbols", "1234\n4321\n2143\n3412"),
            OutputFormat::Listing => (
                "every solution in numbers under a rule, then how many there are",
                "========\n1 2 3 4 \n4 3 2 1 \n2 1 4 3 \n3 4 1 2 \nTOTAL SOLUTION : 1\nNO SOLUTION",
            ),
            OutputFormat::Sdk => (
                "puzzles for SadMan Sudoku and SudoCue, which open the first of a file; only from convert",
                "[Puzzle]\n1.3.\n....\n....\n.4.2",
            ),
            OutputFormat::OpenSudoku => (
                "XML that OpenSudoku imports, for 9x9 puzzles; only from convert",
                "<opensudoku>\n  \
                 <game data=\"400000805030000000000700000020000060000080400000010000000603070500200000104000000\"/>\n\
                 </opensudoku>",
            ),
            OutputFormat::Npy => (
                "solutions, or of convert and generate puzzles, as a NumPy array of bytes, a row of cells for each \
                 record; of trace, 325 integers for each record",
                "",
            ),
            OutputFormat::Text => (
                "steps in words, by default or by a template; only from trace",
                "1.3..........4.2\nr3c4=4 because 4 has no other place in column 4\n\
                 r1c2=4 because 4 has no other place in row 1",
            ),
        }
    }

    /// A description of the format on one line.
    pub const fn description(self) -> &'static str {
        self.facts().0
    }

    /// An example of rows in the format.
    pub const fn example(self) -> &'static str {
        self.facts().1
    }

    /// Whether the rows have columns that can be chosen.
    pub const fn has_columns(self) -> bool {
        matches!(self, OutputFormat::Csv | OutputFormat::Jsonl)
    }
}

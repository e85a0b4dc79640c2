//! The output formats. Each is defined in a file here; a format without columns with the function that writes its rows.
//! `OutputFormat::facts` is the table of all formats.

mod grids;
mod lines;
mod listing;
mod open_sudoku;
mod tables;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use super::csv::CsvStyle;
use super::row::GridsRow;
use crate::puzzle::Size;

/// A format of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Display, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum OutputFormat {
    /// CSV with a header, one row a record.
    #[default]
    Csv,
    /// CSV with tabs.
    Tsv,
    /// CSV with semicolons, decimal commas and a byte order mark.
    Excel,
    /// A JSON object a record, one a line.
    Jsonl,
    /// An array of JSON objects.
    Json,
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

/// A row of the table of formats.
#[derive(Clone, Copy)]
pub(crate) struct OutputFacts {
    pub(super) description: &'static str,
    /// Empty if the format is not text.
    pub(super) example: &'static str,
    /// The extensions of its files, and their name in a sentence.
    pub(crate) files: (&'static [&'static str], &'static str),
    pub(super) writer: Writer,
    /// The text before the first row, and after the last one. In CSV, the names of the columns follow the first.
    pub(super) ends: (&'static str, &'static str),
    /// The text between two rows, in a format whose rows are not lines.
    pub(super) separator: &'static str,
    /// Why it has no puzzles of a size, if it has none.
    pub(crate) obstacle: fn(Size) -> Option<&'static str>,
}

/// How rows are written.
#[derive(Clone, Copy)]
pub(super) enum Writer {
    /// Columns as CSV.
    Csv(CsvStyle),
    /// Columns as JSON.
    Json,
    /// Grids, or a comment.
    Grids(fn(&GridsRow<'_>, &mut Vec<u8>)),
    /// Words.
    Words,
    /// Numbers in an array.
    Numbers,
}

/// The row of a format that is like no other, in files called `.txt`.
pub(super) const PLAIN: OutputFacts = OutputFacts {
    description: "",
    example: "",
    files: (&["txt", "sdm"], "text"),
    writer: Writer::Words,
    ends: ("", ""),
    separator: "",
    obstacle: |_| None,
};

/// The formats with columns, and some without.
macro_rules! with_tables {
    ($($format:ident),*) => {
        &[Self::Csv, Self::Tsv, Self::Excel, Self::Jsonl, Self::Json, $(Self::$format),*]
    };
}

impl OutputFormat {
    /// Every output format.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The formats with columns.
    pub const OF_TABLES: &[Self] = with_tables!();

    /// The formats of solutions.
    pub const OF_SOLUTIONS: &[Self] = with_tables!(Lines, Grids, Listing, Npy);

    /// The formats of puzzles.
    pub const OF_PUZZLES: &[Self] = with_tables!(Lines, Grids, Sdk, OpenSudoku, Npy);

    /// The formats of generated puzzles.
    pub const OF_GENERATED: &[Self] = with_tables!(Lines, Npy);

    /// The formats of traces.
    pub const OF_TRACES: &[Self] = with_tables!(Npy, Text);

    /// The formats with one line a row, if at most one solution is printed.
    pub const OF_LINES: &[Self] = &[Self::Csv, Self::Jsonl, Self::Lines];

    /// The table of formats.
    pub(crate) const fn facts(self) -> OutputFacts {
        match self {
            Self::Csv => tables::CSV,
            Self::Tsv => tables::TSV,
            Self::Excel => tables::EXCEL,
            Self::Jsonl => tables::JSONL,
            Self::Json => tables::JSON,
            Self::Lines => lines::FORMAT,
            Self::Grids => grids::FORMAT,
            Self::Listing => listing::FORMAT,
            Self::Sdk => grids::OF_SADMAN,
            Self::OpenSudoku => open_sudoku::FORMAT,
            Self::Npy => OutputFacts {
                description: "solutions, or of convert and generate puzzles, as a NumPy array of bytes, a row of cells for \
                              each record; of trace, 325 integers for each record",
                files: (&["npy"], "NumPy"),
                writer: Writer::Numbers,
                ..PLAIN
            },
            Self::Text => OutputFacts {
                description: "steps in words, by default or by a template; only from trace",
                example: "1.3..........4.2\nr3c4=4 because 4 has no other place in column 4\n\
                          r1c2=4 because 4 has no other place in row 1",
                ..PLAIN
            },
        }
    }

    /// A description of the format on one line.
    pub const fn description(self) -> &'static str {
        self.facts().description
    }

    /// An example of rows in the format.
    pub const fn example(self) -> &'static str {
        self.facts().example
    }

    /// Whether the rows have columns, which can be chosen.
    pub const fn has_columns(self) -> bool {
        matches!(self.facts().writer, Writer::Csv(_) | Writer::Json)
    }

    /// Whether the names of the columns come before the rows, and fields may be in quotes.
    #[doc(hidden)]
    pub fn is_csv(self) -> bool {
        matches!(self.facts().writer, Writer::Csv(_))
    }

    /// Whether the rows are items of an array of JSON. Such files cannot be put together.
    pub(crate) fn is_array(self) -> bool {
        self == Self::Json
    }

    /// The reason why rows in this format cannot be continued, in a few words that continue "a run".
    pub(crate) fn obstacle_to_resume(self) -> Option<&'static str> {
        match self {
            Self::Json => Some("that writes a JSON array"),
            Self::Npy => Some("that writes an array of NumPy"),
            _ => None,
        }
    }
}

//! The output formats. A format without columns is a file here, with the function that writes its rows; each format has a
//! row of the table in `OutputFormat::facts`.

mod grids;
mod lines;
mod listing;
mod open_sudoku;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

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

/// A row of the table of formats.
#[derive(Clone, Copy)]
pub(crate) struct OutputFacts {
    pub(super) description: &'static str,
    /// Empty if the format is not text.
    pub(super) example: &'static str,
    /// The extensions of its files, and their name in a sentence.
    pub(crate) files: (&'static [&'static str], &'static str),
    pub(super) writer: Writer,
    /// The text before the first row, and after the last one.
    pub(super) ends: (&'static str, &'static str),
    /// Why it has no puzzles of a size, if it has none.
    pub(crate) obstacle: fn(Size) -> Option<&'static str>,
}

/// How rows are written.
#[derive(Clone, Copy)]
pub(super) enum Writer {
    /// Columns as CSV.
    Csv,
    /// Columns as JSON.
    Jsonl,
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
    obstacle: |_| None,
};

impl OutputFormat {
    /// Every output format.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The formats of solutions.
    pub const OF_SOLUTIONS: &[Self] = &[Self::Csv, Self::Jsonl, Self::Lines, Self::Grids, Self::Listing, Self::Npy];

    /// The formats of puzzles.
    pub const OF_PUZZLES: &[Self] =
        &[Self::Csv, Self::Jsonl, Self::Lines, Self::Grids, Self::Sdk, Self::OpenSudoku, Self::Npy];

    /// The formats of traces.
    pub const OF_TRACES: &[Self] = &[Self::Csv, Self::Jsonl, Self::Npy, Self::Text];

    /// The formats with one line a row, if at most one solution is printed.
    pub const OF_LINES: &[Self] = &[Self::Csv, Self::Jsonl, Self::Lines];

    /// The table of formats.
    pub(crate) const fn facts(self) -> OutputFacts {
        match self {
            Self::Csv => OutputFacts {
                description: "a header, then one row a record",
                example: "line,puzzle,status,solutions,solution,branches,nanos,detail\n\
                          1,1.3..........4.2,unique,1,1234432121433412,0,880,\n\
                          2,11..............,none,0,,0,90,\"two 1s in row 1: r1c1, r1c2\"",
                files: (&["csv"], "CSV"),
                writer: Writer::Csv,
                ..PLAIN
            },
            Self::Jsonl => OutputFacts {
                description: "one JSON object a record, one a line",
                example: "{\"line\":1,\"puzzle\":\"1...............\",\"status\":\"multiple\",\"solutions\":2,\"solution\":null,\
                          \"branches\":4,\"nanos\":410,\"detail\":null}",
                files: (&["jsonl", "ndjson", "json"], "JSON lines"),
                writer: Writer::Jsonl,
                ..PLAIN
            },
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
        matches!(self.facts().writer, Writer::Csv | Writer::Jsonl)
    }

    /// Whether the names of the columns come before the rows, and fields may be in quotes.
    pub(crate) fn is_csv(self) -> bool {
        matches!(self.facts().writer, Writer::Csv)
    }
}

//! The input formats. Each text format has a file or a folder here, with its [`Format`], splitter and parser, and a row
//! of the table in `InputFormat::facts`.

mod blocks;
mod candidates;
#[cfg(feature = "corpus")]
pub(super) mod csv;
mod grid_line;
pub(super) mod grids;
mod hodoku;
pub(super) mod ints;
#[cfg(feature = "corpus")]
pub(super) mod jsonl;
pub(super) mod lines;
pub(super) mod opensudoku;
pub(super) mod scaffold;
#[cfg(feature = "corpus")]
pub(super) mod typed;
mod vote;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::definition::Format;
use crate::options::ParseError;

/// A format of puzzles in an input.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = ParseError, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum InputFormat {
    /// One puzzle on each line.
    Lines,
    /// One row on each line, with or without borders.
    Grids,
    /// An order and the cells as numbers.
    Ints,
    /// A table with a header.
    #[cfg(feature = "corpus")]
    Csv,
    /// A JSON object on each line.
    #[cfg(feature = "corpus")]
    Jsonl,
    /// Grids of candidates: pencilmark puzzles.
    Candidates,
    /// Lines of HoDoKu's library.
    Hodoku,
    /// The XML of OpenSudoku.
    OpenSudoku,
    /// A table with typed columns, in a Parquet file or in memory.
    #[cfg(feature = "corpus")]
    Parquet,
    /// Arrays of `NumPy`.
    #[cfg(feature = "corpus")]
    Npy,
}

/// The number of formats at the end of the list with typed columns.
const TYPED: usize = if cfg!(feature = "corpus") { 2 } else { 0 };

/// A row of the table of formats.
struct FormatFacts {
    description: &'static str,
    /// Empty if the format is not text.
    example: &'static str,
    extension: &'static str,
    /// The extension of files that hold only this format, and their name in a sentence; `None` if rows may have the
    /// format, too: then the table of output formats has both.
    own_files: Option<(&'static str, &'static str)>,
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only data cards name it"))]
    media_type: &'static str,
    /// Whether records need an empty line between them.
    needs_gap: bool,
    has_columns: bool,
    /// The recognition and reading of texts in this format; `None` for typed columns.
    text: Option<&'static dyn Format>,
}

/// The row of a format without columns, in files called `.txt`.
const PLAIN: FormatFacts = FormatFacts {
    description: "",
    example: "",
    extension: "txt",
    own_files: None,
    media_type: "text/plain",
    needs_gap: false,
    has_columns: false,
    text: None,
};

impl InputFormat {
    /// All formats: formats of text, then of typed columns.
    pub const WITH_TYPED: &[InputFormat] = InputFormat::VARIANTS;

    /// All text formats. If several recognise an input, the last one is chosen; the first accepts any text.
    pub const ALL: &[InputFormat] = InputFormat::VARIANTS.split_at(InputFormat::VARIANTS.len() - TYPED).0;

    /// The table of formats.
    #[expect(clippy::too_many_lines, reason = "it is a table")]
    const fn facts(self) -> FormatFacts {
        match self {
            InputFormat::Lines => FormatFacts {
                description: "one puzzle a line; a space, tab, comma, semicolon or colon starts a comment",
                example: "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4...... \
                          a comment\n",
                text: Some(&lines::Lines),
                ..PLAIN
            },
            InputFormat::Grids => FormatFacts {
                description: "as many lines as columns, with or without spaces, separators, labels, borders and empty lines \
                              between",
                example: "4 . . | . . . | 8 . 5\n. 3 . | . . . | . . .\n. . . | 7 . . | . . .\n------+-------+------\n\
                          . 2 . | . . . | . 6 .\n. . . | . 8 . | 4 . .\n. . . | . 1 . | . . .\n------+-------+------\n\
                          . . . | 6 . 3 | . 7 .\n5 . . | 2 . . | . . .\n1 . 4 | . . . | . . .\n",
                needs_gap: true,
                text: Some(&grids::GRIDS),
                ..PLAIN
            },
            InputFormat::Ints => FormatFacts {
                description: "an order (2 to 5, or 2x3 for 6x6), then the cells as numbers with spaces between, 0 for \
                              a blank",
                example: "2\n1 0 0 4\n0 0 1 0\n0 1 0 0\n4 0 0 1\n",
                text: Some(&ints::INTS),
                ..PLAIN
            },
            #[cfg(feature = "corpus")]
            InputFormat::Csv => FormatFacts {
                description: "a table with a header, of which one column holds the puzzles",
                example: "id,puzzle\n\
                          7,4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n",
                extension: "csv",
                has_columns: true,
                text: Some(&csv::Csv),
                ..PLAIN
            },
            #[cfg(feature = "corpus")]
            InputFormat::Jsonl => FormatFacts {
                description: "one JSON object a line, of which one key has the puzzle: a string, or an array of \
                              integers",
                example: "{\"id\": 7, \"puzzle\": \
                          \"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\"}\n",
                extension: "jsonl",
                has_columns: true,
                text: Some(&jsonl::Jsonl),
                ..PLAIN
            },
            InputFormat::Candidates => FormatFacts {
                description: "nine rows of nine groups of candidates, with or without borders, as HoDoKu, Simple Sudoku \
                              and SudoCue write them",
                example: "*-----------------------------------------------------------------------------*\n\
                          | 8       123     1237    | 4       135     2369    | 3579    357     39      |\n\
                          | 13      6       5       | 13      7       39      | 89      4       2       |\n\
                          | 9       234     2347    | 235     8       23      | 1       357     6       |\n\
                          |-------------------------+-------------------------+-------------------------|\n\
                          | 7       1349    134     | 123     6       5       | 349     123     8       |\n\
                          | 136     134589  13468   | 1238    13      2378    | 34679   12367   139     |\n\
                          | 2       138     1368    | 9       4       378     | 367     1367    5       |\n\
                          |-------------------------+-------------------------+-------------------------|\n\
                          | 5       138     9       | 368     2       4       | 368     1368    7       |\n\
                          | 4       7       1368    | 3568    35      368     | 2       9       13      |\n\
                          | 36      238     2368    | 7       9       1       | 3568    3568    4       |\n\
                          *-----------------------------------------------------------------------------*\n",
                own_files: Some(("sdx", "a file of SudoCue")),
                needs_gap: true,
                text: Some(&candidates::CANDIDATES),
                ..PLAIN
            },
            InputFormat::Hodoku => FormatFacts {
                description: "lines of HoDoKu's library; the puzzle is its givens, without the digits that a + marks \
                              as placed",
                example: ":0000:x:4.....8.5.3..........7......2.....6.....8.4...+4..1.......6.3.7.5..2.....1.4......\
                          :913 923::\n",
                own_files: Some(("hodoku", "a library of HoDoKu")),
                text: Some(&hodoku::HODOKU),
                ..PLAIN
            },
            InputFormat::OpenSudoku => FormatFacts {
                description: "the XML of OpenSudoku; of a game that was played, the puzzle is the cells that cannot be \
                              edited",
                example: "<opensudoku>\n  <name>Hard</name>\n  \
                          <game data=\"400000805030000000000700000020000060000080400000010000000603070500200000104000000\"/>\
                          \n</opensudoku>\n",
                extension: "opensudoku",
                media_type: "application/xml",
                text: Some(&opensudoku::OPEN_SUDOKU),
                ..PLAIN
            },
            #[cfg(feature = "corpus")]
            InputFormat::Parquet => FormatFacts {
                description: "typed columns, of which one holds the puzzles as text or as lists of integers",
                extension: "parquet",
                media_type: "application/x-parquet",
                has_columns: true,
                ..PLAIN
            },
            #[cfg(feature = "corpus")]
            InputFormat::Npy => FormatFacts {
                description: "NumPy arrays (.npy, .npz) of integers, a row of cells for each puzzle",
                extension: "npy",
                media_type: "application/x-npy",
                has_columns: true,
                ..PLAIN
            },
        }
    }

    /// One line about the format.
    pub fn description(self) -> &'static str {
        self.facts().description
    }

    /// A small input in this format; empty if it is not text.
    pub fn example(self) -> &'static str {
        self.facts().example
    }

    /// The usual extension of a file in this format, without a dot.
    pub fn extension(self) -> &'static str {
        self.facts().extension
    }

    /// The format whose own files have this extension, in lower case, if gridmill does not write them.
    pub(crate) fn of_own_files(extension: &str) -> Option<InputFormat> {
        let is_own = |format: &InputFormat| format.facts().own_files.is_some_and(|(own, _)| own == extension);
        InputFormat::ALL.iter().copied().find(is_own)
    }

    /// The name of its own files in a sentence, if it has any.
    pub(crate) fn name_of_files(self) -> Option<&'static str> {
        self.facts().own_files.map(|(_, name)| name)
    }

    /// The media type of its files.
    #[cfg(feature = "cli")]
    pub(crate) fn media_type(self) -> &'static str {
        self.facts().media_type
    }

    /// Whether records need an empty line between them: a grid with too few rows would absorb rows of the next one.
    pub(crate) fn needs_gap(self) -> bool {
        self.facts().needs_gap
    }

    /// Whether records have typed columns instead of text.
    pub fn is_typed(self) -> bool {
        self.text().is_none()
    }

    /// Whether an input is a table with column names.
    pub(super) fn has_columns(self) -> bool {
        self.facts().has_columns
    }

    /// The recognition and reading of texts in this format; `None` for typed columns.
    pub(super) fn text(self) -> Option<&'static dyn Format> {
        self.facts().text
    }
}

fn unknown(name: &str) -> ParseError {
    ParseError::unknown("input format", name, InputFormat::WITH_TYPED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputOptions, Malformed, Puzzles, detect, testing};

    #[test]
    fn every_example_is_detected_and_is_a_puzzle() {
        for &format in InputFormat::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
            let layout = detect(format.example().as_bytes(), true, &InputOptions::default()).unwrap();
            assert_eq!(layout.format(), format);
            let records = testing::split(&mut *layout.splitter(), format.example());
            let [(record, _)] = &records[..] else { panic!("{format}") };
            let parsed = layout.parser().parse(record.as_bytes(), &mut Puzzles::new());
            assert!(matches!(parsed, Ok(_) | Err(Malformed::Pencilmarks)), "{format}: {parsed:?}");
        }
        for format in [InputFormat::Parquet, InputFormat::Npy] {
            assert_eq!((format.to_string().parse(), format.is_typed()), (Ok(format), true));
        }
        assert!("sdk".parse::<InputFormat>().is_err());
    }
}

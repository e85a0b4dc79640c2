//! Errors of inputs that cannot be read, and the options that would help.

use super::{Alphabet, Blank, Malformed, Size, alphabet::listed};
use crate::puzzle::BoxShape;

/// The error for an input that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// A known format that is not supported.
    #[error("the input is {what}, which is not read; {hint}")]
    Unsupported {
        /// The format.
        what: &'static str,
        /// The advice.
        hint: &'static str,
    },
    /// The input begins like JSON, has no puzzle in lines of JSON, and is not valid JSON.
    #[error("the input begins like JSON, but is not valid JSON on line {line}, column {column}")]
    InvalidJson {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// The input is text, but was expected in a format with typed columns.
    #[error("the input is not in the format {format}")]
    NotTyped {
        /// The name of the format.
        format: &'static str,
    },
    /// Nothing in the sample resembles a puzzle.
    #[error(transparent)]
    NoCorpus(#[from] Box<NoCorpusError>),
    /// The sample does not show the alphabet of a size.
    #[error(transparent)]
    Alphabet(#[from] UnclearAlphabetError),
    /// The puzzles have as many symbols as values, in an unknown order.
    #[error("the alphabet of the {} puzzles is not clear: its symbols are {alphabet}, in an unknown order", .alphabet.size())]
    UnknownAlphabet {
        /// The symbols.
        alphabet: Alphabet,
    },
    /// The puzzles could be read if this symbol were a blank.
    #[error("not a puzzle file, but its blank symbol may be '{blank}'")]
    UnknownBlank {
        /// The symbol.
        blank: Blank,
    },
    /// The boxes of the puzzles have as many rows as the boxes of this size have columns.
    #[error(
        "the {size} puzzles have boxes of {}x{}, and only {} is read; exchange the rows and columns of each",
        .size.box_columns(), .size.box_rows(), BoxShape(*.size)
    )]
    TurnedBoxes {
        /// The size.
        size: Size,
    },
    /// There is no header in the sample.
    #[error("no header was found at the start of the input")]
    NoHeader,
    /// The line for the names of columns has cells of a puzzle.
    #[error(
        "the first line should have the names of columns, but has cells of a puzzle: add a line of names, or separate it \
         from the first record"
    )]
    PuzzleInHeader,
    /// No column has this name.
    #[error("no column is called '{name}'; the input has {}", .columns.join(", "))]
    NoColumn {
        /// The name.
        name: String,
        /// The columns of the header, or the keys of the first JSON lines.
        columns: Vec<String>,
    },
    /// Several columns have the same name as a column to read.
    #[error("several columns are called '{name}'; give each a name of its own")]
    SameName {
        /// The name.
        name: String,
    },
    /// A column has lists of answers.
    #[error("the column '{name}' has lists of answers; write a record for each answer")]
    SeveralAnswers {
        /// The name of the column.
        name: String,
    },
    /// No column has a usual name for puzzles.
    #[error("which column holds the puzzles is not clear; the input has {}", .columns.join(", "))]
    NoPuzzleColumn {
        /// The columns of the header, or the keys of the first JSON lines.
        columns: Vec<String>,
    },
    /// Several columns have puzzles, none with a usual name.
    #[error("several columns have puzzles: {}", .columns.join(", "))]
    SeveralPuzzleColumns {
        /// The names of these columns.
        columns: Vec<String>,
    },
    /// The only column that looks like puzzles has masks.
    #[error(
        "column '{name}' has only 0 and 1: a mask, which tells the clues of a solution, and not a puzzle; write puzzles \
         with a 0 for each cell that is not a clue"
    )]
    Mask {
        /// The name of the column.
        name: String,
    },
    /// The column of the puzzles has prompts.
    #[error(
        "the texts of '{name}' are longer than puzzles, as prompts are; {}",
        .puzzles.as_ref().map_or("write the puzzles in a column of their own".to_owned(), |key| format!("the key '{key}' has puzzles"))
    )]
    Prompts {
        /// The name of the column.
        name: String,
        /// The key, or the path to it, that has puzzles.
        puzzles: Option<String>,
    },
    /// The options name columns, but the format has none.
    #[error("{format} have no columns to choose from; only CSV and JSON lines have")]
    NoColumns {
        /// The name of the format.
        format: &'static str,
    },
    /// A column with puzzles or answers has a type that cannot hold them.
    #[error("the column '{name}' has {of_type}, and puzzles are texts or lists of numbers{cure}")]
    ColumnType {
        /// The name of the column.
        name: String,
        /// Its values: `numbers`.
        of_type: String,
        /// A way to make puzzles of it; empty if none is known.
        cure: String,
    },
}

impl DetectError {
    /// The option that makes the input readable, if there is one.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            DetectError::NoCorpus(_) => Some(Remedy::FromLines),
            DetectError::Alphabet(_) | DetectError::UnknownAlphabet { .. } => Some(Remedy::Alphabet),
            DetectError::UnknownBlank { blank } => Some(Remedy::Blank(*blank)),
            DetectError::NoPuzzleColumn { .. }
            | DetectError::SeveralPuzzleColumns { .. }
            | DetectError::Prompts { .. } => Some(Remedy::PuzzleColumn),
            _ => None,
        }
    }
}

/// An option that adds missing information about an input. Each caller has its own name for it: a field of
/// [`InputOptions`](super::InputOptions), an option of the command line, a parameter in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// The name of the column with the puzzles.
    PuzzleColumn,
    /// The name of the column with the answers.
    AnswerColumn,
    /// The alphabet of the puzzles.
    Alphabet,
    /// The symbol for a blank.
    Blank(Blank),
    /// The format `lines`, where each line is a record.
    FromLines,
}

/// The error for an input whose sample does not resemble puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a puzzle file: {}, line {line}: {reason}",
    if *records == 1 { "its only record is not close to a puzzle" } else { "none of its records is close to a puzzle" }
)]
pub struct NoCorpusError {
    /// The number of records in the sample.
    pub records: usize,
    /// The number of the first record's line, from 1.
    pub line: u64,
    /// The fault of this record.
    pub reason: Malformed,
}

/// The error for an input whose sample does not show the alphabet of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the alphabet of the {size} puzzles is not clear: {}", listed(Alphabet::for_size(*.size), "or"))]
pub struct UnclearAlphabetError {
    /// The size.
    pub size: Size,
}

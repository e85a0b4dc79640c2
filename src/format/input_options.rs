//! What a user says about an input before it is read.

use super::alphabet::Alphabet;
use super::input_format::InputFormat;

/// Options for [detecting](super::detect()) and reading an input.
#[derive(Clone, Debug, Default)]
pub struct InputOptions {
    /// The format; `None` to detect it.
    pub format: Option<InputFormat>,
    /// The alphabets of sizes that have several. Of two for one size, the later one counts.
    pub alphabets: Vec<Alphabet>,
    /// The name of the column with the puzzles. Makes the format CSV, unless it is JSON lines.
    pub puzzle_column: Option<String>,
    /// The column with the answers. CSV and JSON lines have one.
    pub answer: AnswerColumn,
    /// The names of the columns to copy to the output. CSV has columns, and the keys of JSON lines are columns, too.
    pub keep: Vec<String>,
}

/// The column of a table that holds the answers: what its author takes for the solutions of the puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AnswerColumn {
    /// Answers are not read.
    #[default]
    Ignored,
    /// The column with one of the usual names (`solution`, `solutions`, `answer`, ...), if there is one.
    ByName,
    /// The column with this name. Makes the format CSV, unless it is JSON lines.
    Named(String),
}

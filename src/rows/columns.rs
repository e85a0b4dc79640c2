//! Which columns a row has, and in which order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A column of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Column {
    /// The name of the input.
    File,
    /// The line on which the record starts, from 1.
    Line,
    /// The puzzle in one line, with the symbols that it came with.
    Puzzle,
    /// `unique`, `multiple`, `none` or `malformed`.
    Status,
    /// How many solutions were counted, up to the limit.
    Solutions,
    /// The solution in one line.
    Solution,
    /// How often the search guessed.
    Branches,
    /// What solving took, in nanoseconds.
    Nanos,
    /// Why, where there is a why.
    Detail,
}

impl Column {
    /// Every column, in the default order.
    pub const ALL: [Column; 9] = [
        Column::File,
        Column::Line,
        Column::Puzzle,
        Column::Status,
        Column::Solutions,
        Column::Solution,
        Column::Branches,
        Column::Nanos,
        Column::Detail,
    ];

    /// The column's name in headers, and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Column::File => "file",
            Column::Line => "line",
            Column::Puzzle => "puzzle",
            Column::Status => "status",
            Column::Solutions => "solutions",
            Column::Solution => "solution",
            Column::Branches => "branches",
            Column::Nanos => "nanos",
            Column::Detail => "detail",
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no column's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no column '{0}'; the columns are {names}", names = Column::ALL.map(Column::name).join(", "))]
pub struct UnknownColumn(String);

impl FromStr for Column {
    type Err = UnknownColumn;

    fn from_str(name: &str) -> Result<Column, UnknownColumn> {
        let column = Column::ALL.into_iter().find(|column| column.name() == name);
        column.ok_or_else(|| UnknownColumn(name.to_owned()))
    }
}

/// The columns of a whole output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Our own, in order.
    pub own: Vec<Column>,
    /// The headers of the columns carried over from the input, which follow our own.
    pub kept: Vec<String>,
}

impl Columns {
    /// These columns of our own, followed by columns of the input with these names.
    ///
    /// A kept column whose name stands already, or is that of one of ours, gets `input_` before it, so that no name
    /// stands twice.
    pub fn new(own: Vec<Column>, kept: &[String]) -> Columns {
        let is_ours = |name: &str| Column::ALL.iter().any(|column| column.name() == name);
        let mut named: Vec<String> = Vec::with_capacity(kept.len());
        for name in kept {
            let mut name = name.clone();
            while is_ours(&name) || named.contains(&name) {
                name.insert_str(0, "input_");
            }
            named.push(name);
        }
        Columns { own, kept: named }
    }

    /// The headers of all columns, in order.
    pub fn headers(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(|column| column.name()).chain(self.kept.iter().map(String::as_str))
    }
}

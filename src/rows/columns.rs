//! The columns of rows: their names, their default order, and the choice of a run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A column of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Column {
    /// The name of the input.
    File,
    /// The line on which the record starts, from 1.
    Line,
    /// The puzzle in one line, with its own symbols; the text of a malformed record.
    Puzzle,
    /// The name of a [`Status`](super::Status).
    Status,
    /// The number of solutions, counted up to the limit, but at least up to two; empty if it is not known.
    Solutions,
    /// The solution in one line.
    Solution,
    /// The number of guesses of the search; empty if it was not complete.
    Branches,
    /// The time for solving, in nanoseconds; with the lanes engine a share of the time of a batch.
    Nanos,
    /// The reason for the status, where there is one to give.
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

    /// The default columns of rows from one input: all but its name.
    pub(crate) const OF_ONE_INPUT: [Column; 8] = {
        let [Column::File, others @ ..] = Column::ALL else { panic!("the file comes first") };
        others
    };

    /// The default columns of rows from so many inputs.
    pub(crate) const fn default_for(inputs: usize) -> &'static [Column] {
        if inputs > 1 { &Column::ALL } else { &Column::OF_ONE_INPUT }
    }

    /// The column's name: its CSV header, its JSON key and its name on the command line.
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

/// A name that no column has.
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

/// The columns of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Gridmill's own columns, in order.
    pub own: Vec<Column>,
    /// The headers of the columns carried over from the input, which follow gridmill's own.
    pub kept: Vec<String>,
}

impl Columns {
    /// The columns `own`, followed by the columns of the input with the names `kept`.
    ///
    /// A kept column that has the name of another one, or of any [`Column`], gets the prefix `input_`, as often as that
    /// takes: the name of a kept column is unique.
    pub fn new(own: Vec<Column>, kept: &[String]) -> Columns {
        Columns { own, kept: kept_headers(&Column::ALL.map(Column::name), kept) }
    }

    /// The names of gridmill's own columns, in order.
    pub(crate) fn own_names(&self) -> Vec<String> {
        self.own.iter().map(ToString::to_string).collect()
    }

    /// The headers of all columns, in order.
    pub fn headers(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(|column| column.name()).chain(self.kept.iter().map(String::as_str))
    }
}

/// The headers of the columns of the input with the names `kept`: one that has the name of an `own` column, or of another
/// one, gets the prefix `input_`, as often as that takes.
pub(crate) fn kept_headers(own: &[&str], kept: &[String]) -> Vec<String> {
    let mut headers: Vec<String> = Vec::with_capacity(kept.len());
    for name in kept {
        let mut name = name.clone();
        while own.contains(&&*name) || headers.contains(&name) {
            name.insert_str(0, "input_");
        }
        headers.push(name);
    }
    headers
}

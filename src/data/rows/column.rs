//! The columns of a job's rows: their names and types, and the selection for a run.
//!
//! A job lists its columns once, in [`Row::COLUMNS`](super::Row::COLUMNS). The header of CSV, the keys of JSON lines,
//! the schema of Arrow and the help are made from this list. `docs/columns.md` is written by hand; a test compares it.

use crate::options::OptionError;

/// A column of the rows of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// The name: the header in CSV, the key in JSON, the name in a schema and on the command line.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether the value may be missing: an empty field in CSV, `null` elsewhere.
    pub nullable: bool,
    /// Whether the value depends on other records, so that it is known only after the records before it.
    pub late: bool,
    /// The meaning, on one line. Options are in backquotes.
    pub help: &'static str,
    /// The text before its value in JSON: `,"name":`.
    pub(crate) key: &'static str,
}

/// The kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Non-negative integers.
    Number,
    /// Decimal numbers.
    Decimal,
    /// Texts.
    Text,
    /// One of these names.
    Name(&'static [&'static str]),
    /// Lists of texts without `;`, which separates them in CSV.
    Texts,
    /// Lists of non-negative integers, where entries may be missing; separated by `;` in CSV.
    Numbers,
    /// Counts by name: an object in JSON, elsewhere a text such as `Pointing:2;XY-Wing:1`.
    Counts,
}

/// A [`Column`] that has a value in every row.
macro_rules! column {
    ($name:literal, $kind:expr, $help:expr) => {
        $crate::rows::Column::new($name, concat!(",\"", $name, "\":"), $kind, $help)
    };
}
pub(crate) use column;

impl Column {
    /// The name of the input.
    pub(crate) const FILE: Column = column!("file", Kind::Text, "the name of the input");

    /// The line of the record.
    pub(crate) const LINE: Column = column!("line", Kind::Number, "the line where the record starts, from 1");

    /// The puzzle.
    pub(crate) const PUZZLE: Column =
        column!("puzzle", Kind::Text, "the puzzle in one line, in its own symbols; the text of a malformed record");

    /// The meaning, with the names of options [spelled](OptionError::spelled) by this function.
    #[doc(hidden)]
    pub fn spelled_help(&self, spell: impl Fn(&str) -> String) -> String {
        OptionError::new(self.help).spelled(spell)
    }

    /// Called by [`column!`].
    pub(crate) const fn new(name: &'static str, key: &'static str, kind: Kind, help: &'static str) -> Column {
        Column { name, kind, nullable: false, late: false, help, key }
    }

    /// The same column, but its value may be missing.
    pub(crate) const fn nullable(self) -> Column {
        Column { nullable: true, ..self }
    }

    /// The same column, but its value is known late.
    pub(crate) const fn late(self) -> Column {
        Column { late: true, ..self }
    }

    /// The same column with values of another kind.
    pub(crate) const fn of_kind(self, kind: Kind) -> Column {
        Column { kind, ..self }
    }
}

/// The columns of a run, in order: the job's columns, then the columns that are copied from the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// The index of each of the job's columns in [`Row::COLUMNS`](super::Row::COLUMNS).
    pub(crate) numbers: Vec<usize>,
    /// The job's columns.
    pub(crate) own: Vec<Column>,
    /// The headers of the copied columns.
    pub(crate) kept: Vec<String>,
}

impl Table {
    /// The columns with the names `chosen` or, if `None`, the columns in `all` for which `is_default` is true.
    ///
    /// If a copied column has the name of another copied column, or of any column of the job, it gets the prefix
    /// `input_`, repeated as often as necessary.
    pub(crate) fn new(
        all: &[Column],
        chosen: Option<&[String]>,
        is_default: &dyn Fn(&Column) -> bool,
        keep: &[String],
    ) -> Result<Table, OptionError> {
        let number_of = |name: &String| {
            let number = all.iter().position(|column| column.name == name);
            number.ok_or_else(|| {
                OptionError::new(format!("there is no column '{name}'; the columns are {}", names(all).join(", ")))
            })
        };
        let numbers: Vec<usize> = match chosen {
            Some(names) => names.iter().map(number_of).collect::<Result<_, _>>()?,
            None => (0..all.len()).filter(|&number| is_default(&all[number])).collect(),
        };

        if let Some((_, &twice)) = numbers.iter().enumerate().find(|&(index, number)| numbers[..index].contains(number))
        {
            return Err(OptionError::new(format!("the column {} is chosen twice", all[twice].name)));
        }
        let own = numbers.iter().map(|&number| all[number]).collect();
        Ok(Table { numbers, own, kept: kept_headers(&names(all), keep) })
    }

    /// The headers of all columns.
    pub(crate) fn headers(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(|column| column.name).chain(self.kept.iter().map(String::as_str))
    }

    /// The chosen columns in sets of ascending indices, where the lowest bit is column 0: a single set, if they are in the
    /// default order.
    pub(super) fn sets(&self) -> Vec<u64> {
        let ascending = self.numbers.chunk_by(|number, next| number < next);
        ascending.map(|numbers| numbers.iter().fold(0, |set, number| set | 1 << number)).collect()
    }
}

/// The names of some columns.
pub(crate) fn names(columns: &[Column]) -> Vec<&'static str> {
    columns.iter().map(|column| column.name).collect()
}

/// The headers of columns that are copied from the input, all distinct and different from the job's `own` columns.
fn kept_headers(own: &[&str], keep: &[String]) -> Vec<String> {
    let mut headers: Vec<String> = Vec::with_capacity(keep.len());
    for name in keep {
        let mut name = name.clone();
        while own.contains(&&*name) || headers.contains(&name) {
            name.insert_str(0, "input_");
        }
        headers.push(name);
    }
    headers
}

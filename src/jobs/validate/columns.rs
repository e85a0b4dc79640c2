//! The columns of `validate`'s rows, and the choice of a run.

use std::fmt;

use crate::jobs::OptionError;
use crate::rows::{Column, FileColumn, HeaderRow, OutputFormat, RowFields, TextValues, kept_headers};

/// A column of the rows of [`Validate`](super::Validate).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValidateColumn {
    /// The name of the input.
    File,
    /// The line on which the record starts, from 1.
    Line,
    /// The puzzle in one line, with its own symbols; the text of a malformed record.
    Puzzle,
    /// The name of a [`RecordVerdict`](super::RecordVerdict).
    Verdict,
    /// The names of all [`Findings`](super::Findings), with `;` between them; empty for a sound record.
    Findings,
    /// The findings in words.
    Detail,
    /// The number of clues.
    Clues,
    /// The number of solutions, counted up to two; empty if it is not known.
    Solutions,
    /// `right`, `wrong` or `bad`; empty if there is no answer, or nothing to compare it with.
    Answer,
    /// The class; empty if it was not looked for, or there is none.
    Class,
}

impl ValidateColumn {
    /// Every column, in the default order.
    pub const ALL: [ValidateColumn; 10] = [
        ValidateColumn::File,
        ValidateColumn::Line,
        ValidateColumn::Puzzle,
        ValidateColumn::Verdict,
        ValidateColumn::Findings,
        ValidateColumn::Detail,
        ValidateColumn::Clues,
        ValidateColumn::Solutions,
        ValidateColumn::Answer,
        ValidateColumn::Class,
    ];

    /// The default columns of rows from one input: all but its name.
    pub(super) const OF_ONE_INPUT: [ValidateColumn; 9] = {
        let [ValidateColumn::File, others @ ..] = ValidateColumn::ALL else { panic!("the file comes first") };
        others
    };

    /// The columns without which an interrupted run cannot be resumed.
    const FOR_REPLAY: [ValidateColumn; 4] =
        [ValidateColumn::Findings, ValidateColumn::Solutions, ValidateColumn::Answer, ValidateColumn::Class];

    /// The column's name: its header, and its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ValidateColumn::File => Column::File.name(),
            ValidateColumn::Line => Column::Line.name(),
            ValidateColumn::Puzzle => Column::Puzzle.name(),
            ValidateColumn::Verdict => "verdict",
            ValidateColumn::Findings => "findings",
            ValidateColumn::Detail => Column::Detail.name(),
            ValidateColumn::Clues => "clues",
            ValidateColumn::Solutions => Column::Solutions.name(),
            ValidateColumn::Answer => "answer",
            ValidateColumn::Class => "class",
        }
    }

    /// Whether it depends on other records, so that workers leave a gap for it: three of the columns do.
    pub(super) fn is_gap(self) -> bool {
        matches!(self, ValidateColumn::Verdict | ValidateColumn::Findings | ValidateColumn::Detail)
    }
}

impl fmt::Display for ValidateColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The columns of the rows of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) own: Vec<ValidateColumn>,
    /// The headers of the columns that are carried over from the input.
    pub(super) kept: Vec<String>,
}

impl Table {
    /// The columns that were chosen, or all of them: [`ValidateColumn::File`] only if there are several inputs.
    ///
    /// # Errors
    ///
    /// If a column was chosen twice.
    pub(super) fn new(chosen: Option<&[ValidateColumn]>, inputs: usize, keep: &[String]) -> Result<Table, OptionError> {
        let all: &[ValidateColumn] = if inputs > 1 { &ValidateColumn::ALL } else { &ValidateColumn::OF_ONE_INPUT };
        let own = chosen.unwrap_or(all);
        if let Some((_, twice)) = own.iter().enumerate().find(|(index, column)| own[..*index].contains(column)) {
            return Err(OptionError::ColumnTwice(twice.name()));
        }
        Ok(Table { own: own.to_vec(), kept: kept_headers(&ValidateColumn::ALL.map(ValidateColumn::name), keep) })
    }

    /// The names of the columns but those that are kept.
    pub(super) fn own_names(&self) -> Vec<String> {
        self.own.iter().map(ToString::to_string).collect()
    }

    /// Whether a run that wrote such rows can be resumed.
    pub(super) fn is_replayable(&self) -> bool {
        ValidateColumn::FOR_REPLAY.iter().all(|column| self.own.contains(column))
    }

    /// The header of CSV, with a line end.
    pub(super) fn header(&self) -> Vec<u8> {
        let headers = self.own_names().into_iter().chain(self.kept.iter().cloned()).collect();
        TextValues::new(OutputFormat::Csv, headers).header(HeaderRow::Present)
    }
}

/// Begins rows of CSV.
pub(super) fn row_fields() -> RowFields {
    RowFields::new(FileColumn::Absent)
}

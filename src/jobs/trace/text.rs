//! The text of a record: the steps in sentences, or the text of a function, which gets all columns.

use std::error::Error;
use std::fmt::{self, Write};
use std::sync::Arc;

use csv::ByteRecord;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::row::TraceRow;
use super::words::TraceStep;
use crate::rows::values_by_name;

/// A record with its trace in words, as the input of a text.
///
/// It is serialized as a map of all columns of the row, of the columns that are kept, and of `steps`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TracedPuzzle<'a> {
    /// The name of the input.
    pub file: &'a str,
    /// The number of the record's first line, from 1.
    pub line: u64,
    /// The puzzle in one line, or the text of a malformed record.
    pub puzzle: &'a str,
    /// The status: `unique`, `multiple`, `none`, `undecided` or `malformed`.
    pub status: &'static str,
    /// The solution in one line; empty if there is not exactly one.
    pub solution: &'a str,
    /// The reason why there is no trace; empty if there is nothing to report.
    pub detail: &'a str,
    /// The steps; empty if there is no trace.
    pub steps: &'a [TraceStep],
    pub(super) row: &'a TraceRow<'a>,
    /// The names of the columns that are kept, and their fields.
    pub(super) kept: (&'a [String], &'a ByteRecord),
}

impl Serialize for TracedPuzzle<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in values_by_name(self.row).filter(|(name, _)| *name != "steps") {
            map.serialize_entry(name, &value)?;
        }
        for (name, field) in self.kept.0.iter().zip(self.kept.1) {
            map.serialize_entry(name, &String::from_utf8_lossy(field))?;
        }
        map.serialize_entry("steps", self.steps)?;
        map.end()
    }
}

/// The error of a trace that cannot be written as text.
pub type TextError = Box<dyn Error + Send + Sync>;

/// A function that appends the text of a record.
type WriteText = dyn Fn(&TracedPuzzle<'_>, &mut String) -> Result<(), TextError> + Send + Sync;

/// Writes the text of a record: the default one, or with a function.
#[derive(Clone, Default)]
pub(super) struct Text(Option<Arc<WriteText>>);

impl Text {
    pub(super) fn new(
        write: impl Fn(&TracedPuzzle<'_>, &mut String) -> Result<(), TextError> + Send + Sync + 'static,
    ) -> Text {
        Text(Some(Arc::new(write)))
    }

    pub(super) fn write(&self, puzzle: &TracedPuzzle<'_>, text: &mut String) -> Result<(), TextError> {
        match &self.0 {
            Some(write) => write(puzzle, text),
            None => write_sentences(puzzle, text),
        }
    }

    /// Whether it is the default.
    pub(super) fn is_default(&self) -> bool {
        self.0.is_none()
    }
}

/// Writes the puzzle, a sentence for each step, and an empty line.
fn write_sentences(puzzle: &TracedPuzzle<'_>, text: &mut String) -> Result<(), TextError> {
    writeln!(text, "{}", puzzle.puzzle)?;
    for TraceStep { result, reason, .. } in puzzle.steps {
        let because = if reason.is_empty() { "" } else { " because " };
        writeln!(text, "{result}{because}{reason}")?;
    }
    if puzzle.steps.is_empty() {
        let colon = if puzzle.detail.is_empty() { "" } else { ": " };
        writeln!(text, "no steps: {}{colon}{}", puzzle.status, puzzle.detail)?;
    }
    text.push('\n');
    Ok(())
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text")
    }
}

//! Fields of CSV, one by one: what all tables that gridmill writes are made of.
//!
//! Symbols and numbers never need a quote and are appended as they are. Texts from outside (file names, details, kept
//! columns, records that are no puzzle) go through `csv-core`. A row of a 9x9 puzzle takes 34 ns this way;
//! through a `csv::Writer` it takes 86 ns with quotes where they are needed, and 64 ns without any.

use std::borrow::Cow;

use super::row::Subject;

/// How much of a record that is no puzzle is printed, in bytes: enough to recognise it.
const TEXT_SHOWN: usize = 1000;

/// Whether rows say which input they are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileColumn {
    /// A first column has its name.
    Shown,
    /// There is only one input.
    Left,
}

impl FileColumn {
    /// What rows of so many inputs need.
    pub fn for_inputs(inputs: usize) -> FileColumn {
        if inputs > 1 { FileColumn::Shown } else { FileColumn::Left }
    }
}

/// Appends fields to a row.
pub struct Fields {
    quoting: csv_core::Writer,
    file: FileColumn,
}

impl Fields {
    /// Fields of rows with or without a column for the input's name.
    pub fn new(file: FileColumn) -> Fields {
        Fields { quoting: csv_core::Writer::new(), file }
    }

    /// The names of what [`Fields::start`] appends.
    pub fn first_columns(&self) -> &'static str {
        match self.file {
            FileColumn::Shown => "file,line,puzzle",
            FileColumn::Left => "line,puzzle",
        }
    }

    /// Appends what says which record a row is about.
    pub fn start(&self, file: &str, line: u64, subject: Subject<'_>, output: &mut Vec<u8>) {
        if self.file == FileColumn::Shown {
            self.text(file.as_bytes(), output);
            output.push(b',');
        }
        push_number(line, output);
        output.push(b',');
        self.puzzle(subject, output);
    }

    /// Appends a puzzle, or the text that should have been one.
    pub(crate) fn puzzle(&self, subject: Subject<'_>, output: &mut Vec<u8>) {
        match subject {
            Subject::Puzzle { cells, alphabet, blank } => alphabet.write(cells, blank, output),
            Subject::Text(text) => self.text(shown(text).as_bytes(), output),
        }
    }

    /// Appends any text as a field, in quotes if it needs them.
    pub(crate) fn text(&self, text: &[u8], output: &mut Vec<u8>) {
        if text.is_empty() || !self.quoting.should_quote(text) {
            output.extend_from_slice(text);
            return;
        }
        output.push(b'"');
        let start = output.len();
        output.resize(start + 2 * text.len(), 0);
        let (_, _, written) = csv_core::quote(text, &mut output[start..], b'"', b'"', true);
        output.truncate(start + written);
        output.push(b'"');
    }
}

/// Appends a number in decimal digits.
pub(crate) fn push_number(number: u64, output: &mut Vec<u8>) {
    // Counts are mostly small, and one byte is sooner pushed than copied.
    match u8::try_from(number) {
        Ok(digit @ 0..10) => output.push(b'0' + digit),
        _ => output.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

/// What is printed of a record that is no puzzle: its start, with a mark for each byte that is no text.
pub(super) fn shown(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&text[..text.len().min(TEXT_SHOWN)])
}

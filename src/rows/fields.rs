//! Writes the fields of CSV rows one by one, for every table of gridmill.
//!
//! Symbols and numbers never need quotes and are appended as they are. Other texts (file names, details, kept columns,
//! malformed records) go through `csv-core`. A row of a 9x9 puzzle takes 20 ns this way; with a `csv::Writer` it takes
//! 86 ns with quotes where they are needed, and 64 ns without any.

use std::borrow::Cow;
use std::io;

use lexical_core::FormattedSize;

use super::columns::Column;
use super::row::{PrintedGrid, Subject};
use crate::format::Alphabet;

/// How much of a malformed record is printed, in bytes: enough to recognise it.
const MAX_TEXT: usize = 1000;

/// Spare bytes for a row: enough for most rows.
const SPARE: usize = 256;

/// Whether the first column is the name of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileColumn {
    /// It is.
    Present,
    /// There is no such column, as there is only one input.
    Absent,
}

impl FileColumn {
    /// Present for more than one input.
    pub(crate) fn for_inputs(inputs: usize) -> FileColumn {
        if inputs > 1 { FileColumn::Present } else { FileColumn::Absent }
    }
}

/// Begins the rows of a table.
#[derive(Debug)]
pub(crate) struct RowFields {
    quoting: csv_core::Writer,
    file: FileColumn,
}

impl RowFields {
    /// Rows with or without a column for the name of the input.
    pub(crate) fn new(file: FileColumn) -> RowFields {
        RowFields { quoting: csv_core::Writer::new(), file }
    }

    /// The headers of the first columns of every row, with commas between them.
    pub(crate) fn first_columns(&self) -> String {
        let [file, others @ ..] = [Column::File, Column::Line, Column::Puzzle].map(Column::name);
        let others = others.join(",");
        match self.file {
            FileColumn::Present => format!("{file},{others}"),
            FileColumn::Absent => others,
        }
    }

    /// Begins a row, or some fields of one, at the end of `output`. It must be [ended](RowText::end).
    pub(crate) fn row<'a>(&'a self, output: &'a mut Vec<u8>) -> RowText<'a> {
        let len = output.len();
        output.extend_from_slice(&[0; SPARE]);
        RowText { quoting: &self.quoting, file: self.file, output, len }
    }
}

/// A row that is being appended to an output. It must be [ended](RowText::end).
///
/// Most fields are short. Appending them to a vector would take twice as long, because each append waits until the one
/// before has stored the new length. So the output gets spare bytes at its end first, and the length without them is
/// kept in a register. This works only while no reference to the row itself is passed to a function.
#[must_use = "a row that is not ended leaves spare bytes in the output"]
pub(crate) struct RowText<'a> {
    quoting: &'a csv_core::Writer,
    file: FileColumn,
    /// Earlier rows, this one, and spare bytes.
    output: &'a mut Vec<u8>,
    /// The length of the output without the spare bytes.
    len: usize,
}

#[expect(
    clippy::inline_always,
    reason = "a function that is not inlined takes a reference to the row, which is then kept in memory"
)]
impl RowText<'_> {
    /// Appends the first columns: file, line and puzzle.
    pub(crate) fn start(&mut self, file: &str, line: u64, subject: Subject<'_>) {
        if self.file == FileColumn::Present {
            self.quoted(file.as_bytes());
            self.push(b',');
        }
        self.number(line);
        self.push(b',');
        self.puzzle(subject);
    }

    /// Appends a puzzle, or the text of a malformed record.
    #[inline(always)]
    pub(crate) fn puzzle(&mut self, subject: Subject<'_>) {
        match subject {
            Subject::Puzzle { cells, alphabet, blank } => self.symbols(alphabet, cells, blank),
            Subject::Pencilmarks(text) => self.append(text),
            Subject::Text(text) => self.quoted(printable(text).as_bytes()),
        }
    }

    /// Appends the symbols of some cells; that of 0 is `blank`.
    #[inline(always)]
    pub(crate) fn symbols(&mut self, alphabet: &Alphabet, cells: &[u8], blank: u8) {
        if let Ok(nine) = cells.try_into() {
            Alphabet::write_nine(
                nine,
                blank,
                self.extend(nine.len()).as_mut_array().expect("as much as was asked for"),
            );
        } else {
            // `move`, because values that a closure refers to are kept in memory.
            self.len = append(self.output, self.len, move |output| alphabet.write(cells, blank, output));
        }
    }

    /// Appends a solution. It has no blanks; with `0` for a blank, the symbols of a 9x9 grid have no special case.
    #[inline(always)]
    pub(super) fn grid(&mut self, grid: PrintedGrid<'_>) {
        self.symbols(grid.alphabet, grid.cells, b'0');
    }

    /// Appends a number in decimal digits.
    #[inline(always)]
    pub(crate) fn number(&mut self, number: u64) {
        // Most counts have one digit, and a byte is pushed faster than it is copied.
        if let Ok(digit @ 0..10) = u8::try_from(number) {
            self.push(b'0' + digit);
        } else {
            let start = self.len;
            let digits = lexical_core::write(number, self.extend(u64::FORMATTED_SIZE_DECIMAL)).len();
            self.len = start + digits;
        }
    }

    /// Appends any text as a field, in quotes if needed.
    #[inline(always)]
    pub(crate) fn quoted(&mut self, text: &[u8]) {
        let quoting = self.quoting;
        if !text.is_empty() {
            self.len = append(self.output, self.len, |output| quote(quoting, text, output));
        }
    }

    /// Appends some bytes as they are.
    #[inline(always)]
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        self.extend(bytes.len()).copy_from_slice(bytes);
    }

    /// Appends a byte as it is.
    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        self.extend(1)[0] = byte;
    }

    /// The length of the output so far.
    pub(crate) fn output_len(&self) -> usize {
        self.len
    }

    /// Ends the row: removes the spare bytes.
    #[inline(always)]
    pub(crate) fn end(self) {
        self.output.truncate(self.len);
    }

    /// Extends the row by some bytes, which the caller must write.
    #[inline(always)]
    fn extend(&mut self, bytes: usize) -> &mut [u8] {
        let start = self.len;
        self.len += bytes;
        if self.output.len() < self.len {
            add_spare(self.output, self.len);
        }
        &mut self.output[start..self.len]
    }
}

#[cold]
#[inline(never)]
fn add_spare(output: &mut Vec<u8>, len: usize) {
    output.resize(len + SPARE, 0);
}

/// Replaces the spare bytes after the first `len` by what `append` appends, and returns the new length.
#[inline(never)]
fn append(output: &mut Vec<u8>, len: usize, append: impl FnOnce(&mut Vec<u8>)) -> usize {
    output.truncate(len);
    append(output);
    output.len()
}

/// Appends a text, in quotes if needed.
fn quote(quoting: &csv_core::Writer, text: &[u8], output: &mut Vec<u8>) {
    if !quoting.should_quote(text) {
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

/// Appends bytes as they are.
impl io::Write for RowText<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The start of the text of a malformed record, with U+FFFD for what is not UTF-8.
pub(super) fn printable(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&text[..text.len().min(MAX_TEXT)])
}

//! Fields of rows, one by one: what all tables that gridmill writes are made of.
//!
//! Symbols and numbers never need a quote and are appended as they are. Texts from outside (file names, details, kept
//! columns, records that are no puzzle) go through `csv-core`. A row of a 9x9 puzzle takes 20 ns this way;
//! through a `csv::Writer` it takes 86 ns with quotes where they are needed, and 64 ns without any.

use std::borrow::Cow;
use std::io;

use lexical_core::FormattedSize;

use super::columns::Column;
use super::row::{PrintedGrid, Subject};
use crate::format::Alphabet;

/// How much of a record that is no puzzle is printed, in bytes: enough to recognise it.
const TEXT_SHOWN: usize = 1000;

/// Bytes for all fields of most rows.
const ROOM: usize = 256;

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

/// What it takes to write rows, one after another.
pub struct RowFields {
    quoting: csv_core::Writer,
    file: FileColumn,
}

impl RowFields {
    /// Fields of rows with or without a column for the input's name.
    pub fn new(file: FileColumn) -> RowFields {
        RowFields { quoting: csv_core::Writer::new(), file }
    }

    /// The names of the columns that every row begins with.
    pub fn first_columns(&self) -> String {
        let [file, others @ ..] = [Column::File, Column::Line, Column::Puzzle].map(Column::name);
        let others = others.join(",");
        match self.file {
            FileColumn::Shown => format!("{file},{others}"),
            FileColumn::Left => others,
        }
    }

    /// Begins a row, or some fields of one, at the end of `output`.
    pub(crate) fn row<'a>(&'a self, output: &'a mut Vec<u8>) -> RowText<'a> {
        let len = output.len();
        output.extend_from_slice(&[0; ROOM]);
        RowText { quoting: &self.quoting, file: self.file, output, len }
    }
}

/// The text of a row, while it grows; to be [ended](RowText::end).
///
/// Most fields are short, and to append them one by one to a vector would take twice as long: each would have to wait
/// for the length that the one before has stored. So there is room at the end of the output beforehand, and how far it
/// is taken is a number in a register. That is why nothing here gives a reference to the row itself away.
#[must_use = "a row that is not ended leaves its room behind"]
pub(crate) struct RowText<'a> {
    quoting: &'a csv_core::Writer,
    file: FileColumn,
    /// The rows before, this one, and room for more of it.
    output: &'a mut Vec<u8>,
    /// How long the output is without that room.
    len: usize,
}

#[expect(
    clippy::inline_always,
    reason = "what is not inlined is handed a reference to the row, which then is in memory"
)]
impl RowText<'_> {
    /// Appends what says which record a row is about.
    pub(crate) fn start(&mut self, file: &str, line: u64, subject: Subject<'_>) {
        if self.file == FileColumn::Shown {
            self.quoted(file.as_bytes());
            self.push(b',');
        }
        self.number(line);
        self.push(b',');
        self.puzzle(subject);
    }

    /// Appends a puzzle, or the text that should have been one.
    #[inline(always)]
    pub(crate) fn puzzle(&mut self, subject: Subject<'_>) {
        match subject {
            Subject::Puzzle { cells, alphabet, blank } => self.symbols(alphabet, cells, blank),
            Subject::Text(text) => self.quoted(shown(text).as_bytes()),
        }
    }

    /// Appends the symbols of some cells, with `blank` for 0.
    #[inline(always)]
    pub(crate) fn symbols(&mut self, alphabet: &Alphabet, cells: &[u8], blank: u8) {
        if let Ok(nine) = cells.try_into() {
            Alphabet::write_nine(nine, blank, self.place(nine.len()).as_mut_array().expect("as much as was asked for"));
        } else {
            // What the closure refers to would have to be in memory, the blank that the compiler may know too.
            self.len = append(self.output, self.len, move |output| alphabet.write(cells, blank, output));
        }
    }

    /// Appends a solution. No cell of it is blank, and this symbol for a blank leaves nothing to choose in a 9x9 grid.
    #[inline(always)]
    pub(super) fn grid(&mut self, grid: PrintedGrid<'_>) {
        self.symbols(grid.alphabet, grid.cells, b'0');
    }

    /// Appends a number in decimal digits.
    #[inline(always)]
    pub(crate) fn number(&mut self, number: u64) {
        // Counts are mostly small, and one byte is sooner pushed than copied.
        if let Ok(digit @ 0..10) = u8::try_from(number) {
            self.push(b'0' + digit);
        } else {
            let start = self.len;
            let digits = lexical_core::write(number, self.place(u64::FORMATTED_SIZE_DECIMAL)).len();
            self.len = start + digits;
        }
    }

    /// Appends any text as a field, in quotes if it needs them.
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
        self.place(bytes.len()).copy_from_slice(bytes);
    }

    /// Appends a byte as it is.
    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        self.place(1)[0] = byte;
    }

    /// How long the output is now.
    pub(crate) fn output_len(&self) -> usize {
        self.len
    }

    /// Ends the row, or what there is of it.
    #[inline(always)]
    pub(crate) fn end(self) {
        self.output.truncate(self.len);
    }

    /// The next bytes of the row, to be written.
    #[inline(always)]
    fn place(&mut self, bytes: usize) -> &mut [u8] {
        let start = self.len;
        self.len += bytes;
        if self.output.len() < self.len {
            make_room(self.output, self.len);
        }
        &mut self.output[start..self.len]
    }
}

#[cold]
#[inline(never)]
fn make_room(output: &mut Vec<u8>, len: usize) {
    output.resize(len + ROOM, 0);
}

/// Appends something to the first `len` bytes of an output that has room behind them, and says how long it is then.
#[inline(never)]
fn append(output: &mut Vec<u8>, len: usize, append: impl FnOnce(&mut Vec<u8>)) -> usize {
    output.truncate(len);
    append(output);
    output.len()
}

/// Appends a text, in quotes if it needs them.
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

/// What is printed of a record that is no puzzle: its start, with a mark for each byte that is no text.
pub(super) fn shown(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&text[..text.len().min(TEXT_SHOWN)])
}

//! Appends the fields of a row to an output of text.
//!
//! Symbols and numbers never need quotes and are appended directly. All other texts (file names, details, copied
//! columns, malformed records) go through `csv-core`. A row of a 9x9 puzzle takes 20 ns this way; with a `csv::Writer`
//! it takes 86 ns with quotes where necessary, and 64 ns without any.

use std::io;
use std::ops::Range;

use lexical_core::FormattedSize;

use super::subject::{PrintedGrid, Subject, printable};
use crate::format::Alphabet;

/// The number of digits that a spreadsheet keeps of a number.
const MAX_DIGITS: usize = 15;

/// Spare bytes for a row: enough for most rows.
const SPARE: usize = 256;

/// Begins rows at the end of an output.
#[derive(Debug)]
pub(super) struct RowFields {
    quoting: csv_core::Writer,
}

impl RowFields {
    /// Fields between delimiters, which are quoted accordingly.
    pub(super) fn new(delimiter: u8) -> RowFields {
        RowFields { quoting: csv_core::WriterBuilder::new().delimiter(delimiter).build() }
    }

    /// Begins a row, or some fields of a row, at the end of `output`. It must be [ended](RowText::end).
    #[inline]
    pub(super) fn row<'a>(&'a self, output: &'a mut Vec<u8>) -> RowText<'a> {
        let len = output.len();
        output.extend_from_slice(&[0; SPARE]);
        RowText { quoting: &self.quoting, output, len }
    }
}

/// A row that is being appended to an output. It must be [ended](RowText::end).
///
/// Most fields are short. Appending them to a vector would take twice as long, because each append waits until the
/// previous one has stored the new length. So spare bytes are added to the output first, and the length without them
/// stays in a register. This works only if no reference to the row itself is passed to a function.
#[must_use = "a row that is not ended leaves spare bytes in the output"]
pub(super) struct RowText<'a> {
    quoting: &'a csv_core::Writer,
    /// Earlier rows, this one, and spare bytes.
    output: &'a mut Vec<u8>,
    /// The length of the output without the spare bytes.
    len: usize,
}

// A function that is not inlined takes a reference to the row, which forces the row into memory.
impl RowText<'_> {
    /// Appends a puzzle, or the text of a malformed record.
    #[inline(always)]
    pub(super) fn puzzle(&mut self, subject: Subject<'_>) {
        match subject {
            Subject::Puzzle { cells, alphabet, blank } => self.symbols(alphabet, cells, blank),
            Subject::Pencilmarks(text) => self.append(text),
            Subject::Text(text) => self.quoted(printable(text).as_bytes()),
        }
    }

    /// Appends the symbols of some cells, with `blank` for 0.
    #[inline(always)]
    pub(super) fn symbols(&mut self, alphabet: &Alphabet, cells: &[u8], blank: u8) {
        if alphabet.is_of_nine()
            && let Ok(nine) = cells.try_into()
        {
            Alphabet::write_nine(nine, blank, self.array());
        } else {
            // `move`, because values that a closure borrows are forced into memory.
            self.len = append(self.output, self.len, move |output| alphabet.write(cells, blank, output));
        }
    }

    /// Appends a solution. It has no blanks, so `0` as the blank makes the symbols of a 9x9 grid free of special cases.
    #[inline(always)]
    pub(super) fn grid(&mut self, grid: PrintedGrid<'_>) {
        self.symbols(grid.alphabet, grid.cells, b'0');
    }

    /// Appends a number in decimal digits.
    #[inline(always)]
    pub(super) fn number(&mut self, number: u64) {
        // Most counts have one digit, and pushing a byte is faster than copying it.
        if let Ok(digit @ 0..10) = u8::try_from(number) {
            self.push(b'0' + digit);
        } else {
            let start = self.len;
            self.len = start + write_number(number, self.array());
        }
    }

    /// Appends any text as a field, in quotes if necessary.
    #[inline(always)]
    pub(super) fn quoted(&mut self, text: &[u8]) {
        let start = self.len;
        self.append(text);
        self.quote_since(start);
    }

    /// Quotes the bytes since a position of the output, if necessary.
    #[inline(always)]
    pub(super) fn quote_since(&mut self, start: usize) {
        self.len = quote(self.quoting, self.output, start..self.len);
    }

    /// Keeps a spreadsheet from changing the field since a position of the output.
    #[inline(always)]
    pub(super) fn protect_since(&mut self, start: usize) {
        self.len = protect(self.quoting, self.output, start..self.len);
    }

    /// Appends bytes verbatim.
    #[inline(always)]
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.extend(bytes.len()).copy_from_slice(bytes);
    }

    /// Appends a byte verbatim.
    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) {
        *self.array() = [byte];
    }

    /// Replaces the last byte.
    #[inline(always)]
    pub(super) fn replace_last(&mut self, byte: u8) {
        self.output[self.len - 1] = byte;
    }

    /// Replaces the byte at a position of the output.
    #[inline(always)]
    pub(super) fn replace(&mut self, at: usize, byte: u8) {
        self.output[at] = byte;
    }

    /// The length of the output so far.
    #[inline(always)]
    pub(super) fn output_len(&self) -> usize {
        self.len
    }

    /// Ends the row: removes the spare bytes.
    #[inline(always)]
    pub(super) fn end(self) {
        self.output.truncate(self.len);
    }

    /// Extends the row by `N` bytes, which the caller must write.
    #[inline(always)]
    fn array<const N: usize>(&mut self) -> &mut [u8; N] {
        self.extend(N).as_mut_array().expect("N bytes were asked for")
    }

    /// Extends the row by `bytes` bytes, which the caller must write.
    #[inline(always)]
    fn extend(&mut self, bytes: usize) -> &mut [u8] {
        let range = self.len..self.len + bytes;
        self.len = range.end;
        // Indexed where its bounds are known: one check instead of two.
        if self.output.get(range.clone()).is_some() { &mut self.output[range] } else { extended(self.output, range) }
    }
}

/// Writes a number in decimal digits, and returns how many they are. Not inlined, because it has two kilobytes of code.
#[inline(never)]
fn write_number(number: u64, digits: &mut [u8; u64::FORMATTED_SIZE_DECIMAL]) -> usize {
    lexical_core::write(number, digits).len()
}

#[cold]
#[inline(never)]
fn extended(output: &mut Vec<u8>, range: Range<usize>) -> &mut [u8] {
    output.resize(range.end + SPARE, 0);
    &mut output[range]
}

/// Replaces the spare bytes after the first `len` by the bytes that `append` writes, and returns the new length.
#[inline(never)]
fn append(output: &mut Vec<u8>, len: usize, append: impl FnOnce(&mut Vec<u8>)) -> usize {
    output.truncate(len);
    append(output);
    output.len()
}

/// The fields of late columns in rows of text.
#[derive(Debug, Default)]
pub(super) struct DeferredFields {
    /// Whether late fields are deferred; otherwise they are written with all other fields.
    pub(super) are_late: bool,
    /// Their positions in the output, in order.
    pub(super) places: Vec<usize>,
}

/// Quotes a field of the output, if necessary, and returns its end.
#[inline(never)]
fn quote(quoting: &csv_core::Writer, output: &mut Vec<u8>, field: Range<usize>) -> usize {
    if !quoting.should_quote(&output[field.clone()]) {
        return field.end;
    }
    let text = output[field.clone()].to_vec();
    // Quotes within the field are doubled, and two surround it.
    output.resize(output.len().max(field.start + 2 * text.len() + 2), 0);
    let quoted = &mut output[field.start..];
    quoted[0] = b'"';
    let (_, _, written) = csv_core::quote(&text, &mut quoted[1..], b'"', b'"', true);
    quoted[1 + written] = b'"';
    field.start + written + 2
}

/// Keeps spreadsheets with decimal commas from changing a field of the output, and returns its end. A decimal point becomes
/// a comma. A text that they would take for a formula, or for a number with other digits, becomes a formula of this text.
#[inline(never)]
fn protect(quoting: &csv_core::Writer, output: &mut Vec<u8>, field: Range<usize>) -> usize {
    let text = &mut output[field.clone()];
    let number = text.strip_prefix(b"-").or(text.strip_prefix(b">")).unwrap_or(text);
    let is_number = number.first().is_some_and(u8::is_ascii_digit)
        && str::from_utf8(number).is_ok_and(|number| number.parse::<f64>().is_ok());
    let has_zero = number.first() == Some(&b'0') && number.get(1).is_some_and(u8::is_ascii_digit);
    if is_number && !has_zero && number.len() <= MAX_DIGITS && !number.contains(&b'e') && !number.contains(&b'E') {
        text.iter_mut().filter(|byte| **byte == b'.').for_each(|byte| *byte = b',');
        return field.end;
    }

    let plain = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text);
    if !is_number && !matches!(plain.first(), Some(b'=' | b'+' | b'-' | b'@')) {
        return field.end;
    }
    // The text has each of its quotes twice, as the formula needs it.
    let (formula, needs_quotes) = ([b"=\"", plain, b"\""].concat(), plain.len() < text.len());
    let end = field.start + formula.len();
    output.resize(output.len().max(end), 0);
    output[field.start..end].copy_from_slice(&formula);
    if needs_quotes { quote(quoting, output, field.start..end) } else { end }
}

/// Appends bytes verbatim.
impl io::Write for RowText<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

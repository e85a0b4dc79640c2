//! A row: its columns, and the value of each. All formats are written from this description.

use std::fmt::{self, Display};

use super::Column;
use super::subject::{PrintedGrid, Subject};
use crate::format::Alphabet;

/// The maximum number of columns of a job: the writers of rows are unrolled up to it.
pub(crate) const MAX_COLUMNS: usize = 17;

/// One row of a job.
///
/// A row of `solve` takes 20 ns to write, so the compiler must resolve everything here: there is no list of values, no
/// virtual call, and no closure or function item as an argument of [`Field`]'s methods, since these are not reliably
/// inlined, and a row then takes twice as long.
pub(crate) trait Row {
    /// All columns, in the default order: at most [`MAX_COLUMNS`].
    const COLUMNS: &'static [Column];

    /// Passes the value of a column, by its number, to `field`. Must be `inline(always)`: the number is then a
    /// constant, and the match on it costs nothing.
    fn field<F: Field>(&self, column: usize, field: F);

    /// Appends the row in a format without columns. Only some jobs have such formats.
    fn text(&self, _format: super::OutputFormat, _output: &mut Vec<u8>) {
        unreachable!("a job names the formats without columns that its rows have");
    }
}

/// Expands a block for each column of a row, with the number of the column as a constant: the type of each field is
/// then known to the compiler, which saves a fifth of a row's time in CSV and a third in JSON lines.
macro_rules! each_column {
    ($row:ty, $number:ident => $body:block) => {
        each_column!(@ $row, $number, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    (@ $row:ty, $number:ident, $body:block, $($value:literal)*) => {
        {$({
            const $number: usize = $value;
            if $number < <$row>::COLUMNS.len() {
                $body
            }
        })*}
    };
}
pub(super) use each_column;

/// Receives the value of one field. Every method is `inline(always)`, for the reason given at [`Row`].
pub(crate) trait Field: Sized {
    /// A missing value.
    fn null(self);

    fn number(self, number: u64);

    fn decimal(self, number: Decimal);

    /// An unknown number above this bound: `>7.1`. Typed columns have null.
    fn above(self, bound: Decimal);

    fn text(self, text: &str);

    /// A text that needs neither quotes nor escapes.
    fn plain(self, text: &[u8]);

    /// The puzzle of a record, or its text.
    fn subject(self, subject: Subject<'_>);

    /// The symbols of some cells, with `blank` for 0.
    fn symbols(self, alphabet: &Alphabet, cells: &[u8], blank: u8);

    /// One of the names of the column.
    fn name(self, names: &'static [&'static str], index: usize);

    /// A list of solutions.
    fn grids<'a>(self, grids: impl Iterator<Item = PrintedGrid<'a>>);

    /// A list of texts without `;`.
    fn texts<T: AsRef<str>>(self, texts: impl Iterator<Item = T>);

    /// A list of numbers, where entries may be missing.
    fn numbers(self, numbers: impl Iterator<Item = Option<u64>>);

    fn counts(self, counts: &dyn NamedCounts);

    /// A number, or a missing value if it is unknown.
    #[inline(always)]
    fn number_if_known(self, number: Option<u64>) {
        match number {
            Some(number) => self.number(number),
            None => self.null(),
        }
    }

    /// A text, or a missing value if it is empty.
    #[inline(always)]
    fn text_if_any(self, text: &str) {
        if text.is_empty() { self.null() } else { self.text(text) }
    }
}

/// Appends the row of a grid in the format of `NumPy`, in a preliminary form, since the width of the rows is known only
/// at the end: the side of the grid, then the values of its cells. Without a grid, the row is a 0.
pub(crate) fn push_cells(cells: &[u8], output: &mut Vec<u8>) {
    output.push(cells.len().isqrt() as u8);
    output.extend_from_slice(cells);
}

/// A decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// The number in units of its last digit.
    pub(crate) units: u64,
    /// The number of digits after the decimal point, at least 1.
    pub(crate) digits: u32,
}

impl Decimal {
    pub(super) fn value(self) -> f64 {
        self.units as f64 / 10_f64.powi(self.digits.cast_signed())
    }
}

impl Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = 10_u64.pow(self.digits);
        write!(f, "{}.{:0width$}", self.units / one, self.units % one, width = self.digits as usize)
    }
}

/// Counts by name.
pub(crate) trait NamedCounts {
    /// Passes each name and its count to `each`, in order.
    fn for_each(&self, each: &mut dyn FnMut(&dyn Display, u64));
}

/// A text such as `Pointing:2;XY-Wing:1`.
pub(super) struct CountsText<'a>(pub(super) &'a dyn NamedCounts);

impl Display for CountsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut result, mut gap) = (Ok(()), "");
        self.0.for_each(&mut |name, count| {
            result = result.and_then(|()| write!(f, "{gap}{name}:{count}"));
            gap = ";";
        });
        result
    }
}

//! A row: its columns, and the value of each; its grids for formats without columns. All formats are written from this one
//! description.

use std::fmt::{self, Display};

use lexical_core::FormattedSize;

use super::Column;
use super::subject::{PrintedGrid, Status, Subject};
use crate::format::Alphabet;
use crate::puzzle::Size;

/// The maximum number of columns of a job: the writers of rows are unrolled up to it.
pub(crate) const MAX_COLUMNS: usize = 17;

/// One row of a job. [`row!`] writes its list of columns and `field` from one list.
///
/// A row of `solve` takes 20 ns to write, so the compiler must resolve everything here: there is no list of values, no
/// virtual call, and no closure or function item as an argument of [`Field`]'s methods, since these are not reliably
/// inlined, and a row then takes twice as long.
pub(crate) trait Row {
    /// All columns, in the default order: at most [`MAX_COLUMNS`].
    const COLUMNS: &'static [Column];

    /// Passes the value of a column, by its number, to `field`. It is `inline(always)`: the number is then a constant, and
    /// the match on it costs nothing.
    fn field<F: Field>(&self, column: usize, field: F);

    /// The row for formats of grids. Only some jobs have such formats.
    fn grids(&self) -> &GridsRow<'_> {
        unreachable!("a job with such a format has grids");
    }

    /// The row in words. Only some jobs have such a format.
    fn words(&self) -> &str {
        unreachable!("a job with such a format has words");
    }

    /// Appends the row of an array.
    fn push_numbers(&self, output: &mut Vec<u8>) {
        self.grids().push_cells(output);
    }
}

/// Defines the columns of a [`Row`] and `field` from one list of columns and values. The statements of the block, which may
/// be left out, come before each value. An entry with `..` is for the seven columns of another list.
///
/// ```text
/// row! {
///     |self, field| { let rated = self.rated; }
///
///     Column::LINE => field.number(self.line);
///     ..Rated::COLUMNS, 7 => |number| rated.field(number, field);
/// }
/// ```
macro_rules! row {
    // Each step moves one entry to the columns and to the arms, which take their numbers from the front of a list.
    (@ $fixed:tt [$($columns:tt)*] [$($arms:tt)*] [$number:literal $($numbers:literal)*]
        $column:expr => $value:expr; $($entries:tt)*) => {
        $crate::rows::row! {
            @ $fixed [$($columns)* $column,] [$($arms)* $number => $value,] [$($numbers)*] $($entries)*
        }
    };
    (@ ($self:tt $field:tt $place:tt $start:tt) [$($columns:tt)*] [$($arms:tt)*]
        [$a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $($numbers:literal)*]
        ..$list:path, 7 => |$number:ident| $value:expr; $($entries:tt)*) => {
        $crate::rows::row! {
            @ ($self $field $place $start)
            [$($columns)* $list[0], $list[1], $list[2], $list[3], $list[4], $list[5], $list[6],]
            [$($arms)* $a..=$g => {
                const { assert!($list.len() == 7) };
                let $number = $place - $a;
                $value
            }]
            [$($numbers)*] $($entries)*
        }
    };
    (@ ($self:tt $field:tt $place:tt {$($start:tt)*}) [$($columns:tt)*] [$($arms:tt)*] [$($numbers:literal)*]) => {
        const COLUMNS: &'static [$crate::rows::Column] = &[$($columns)*];

        #[inline(always)]
        fn field<F: $crate::rows::Field>(&$self, $place: usize, $field: F) {
            $($start)*
            match $place {
                $($arms)*
                _ => unreachable!("the number of a column is below their number"),
            }
        }
    };
    (|$self:tt, $field:ident| {$($start:tt)*} $($entries:tt)*) => {
        $crate::rows::row! {
            @ ($self $field column {$($start)*}) [] [] [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] $($entries)*
        }
    };
    (|$self:tt, $field:ident| $($entries:tt)*) => {
        $crate::rows::row! { |$self, $field| {} $($entries)* }
    };
}
pub(crate) use row;

/// Expands a block for each column of a row that is in one of the sets, with the number of the column as a constant: the
/// type of each field is then known to the compiler, which saves a fifth of a row's time in CSV and a third in JSON lines.
macro_rules! each_column {
    ($sets:expr, $row:ident: $type:ty, $number:ident => $body:block) => {
        each_column!(@ $sets, $row, $type, $number, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    (@ $sets:expr, $row:ident, $type:ty, $number:ident, $body:block, $($value:literal)*) => {
        for &set in $sets {
            // If the compiler could see that the row stays the same, it would load all fields before the loop: 60
            // instructions a row.
            let $row = std::hint::black_box($row);
            $({
                const $number: usize = $value;
                if $number < <$type>::COLUMNS.len() && set >> $number & 1 != 0 {
                    $body
                }
            })*
        }
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

    /// A decimal number, or a missing value if it is unknown.
    #[inline(always)]
    fn decimal_if_known(self, number: Option<Decimal>) {
        match number {
            Some(number) => self.decimal(number),
            None => self.null(),
        }
    }

    /// The symbols of some cells, or a missing value.
    #[inline(always)]
    fn symbols_if_known(self, alphabet: &Alphabet, cells: Option<&[u8]>, blank: u8) {
        match cells {
            Some(cells) => self.symbols(alphabet, cells, blank),
            None => self.null(),
        }
    }

    /// One of the names of the column, or a missing value.
    #[inline(always)]
    fn name_if_known(self, names: &'static [&'static str], index: Option<usize>) {
        match index {
            Some(index) => self.name(names, index),
            None => self.null(),
        }
    }

    /// A text, or a missing value if it is empty.
    #[inline(always)]
    fn text_if_any(self, text: &str) {
        if text.is_empty() { self.null() } else { self.text(text) }
    }
}

/// The grids of a record, or why there are none.
#[derive(Clone, Copy)]
pub(crate) struct GridsRow<'a> {
    /// The line of the input where the record starts, from 1.
    pub(crate) line: u64,
    pub(crate) subject: Subject<'a>,
    /// The cell values of the grids to print, one grid after another.
    pub(crate) printed: &'a [u8],
    /// Whether an empty line stands before the record where grids have several lines.
    pub(crate) after_gap: bool,
    /// The status of the record, for comments; `None` if it is not known.
    pub(crate) status: Option<Status>,
    /// The number of solutions, counted up to the limit; `None` if it is not known.
    pub(crate) solutions: Option<u64>,
    /// The reason for the status; empty without one to give.
    pub(crate) detail: &'a str,
}

impl<'a> GridsRow<'a> {
    /// A row with these grids, and no facts about them.
    pub(crate) fn new(subject: Subject<'a>, printed: &'a [u8]) -> GridsRow<'a> {
        GridsRow { line: 0, subject, printed, after_gap: false, status: None, solutions: None, detail: "" }
    }

    /// The grids to print.
    pub(crate) fn grids(&self) -> impl Iterator<Item = PrintedGrid<'a>> {
        self.subject.grids(self.printed)
    }

    /// Appends a line with the comment, which input formats skip.
    pub(super) fn push_comment(&self, output: &mut Vec<u8>) {
        if self.printed.is_empty() {
            output.extend_from_slice(b"# ");
            self.comment(output);
            output.push(b'\n');
        }
    }

    /// Appends the reason why the row has no grid. Nearly all rows of random puzzles are comments, so nothing is formatted.
    pub(super) fn comment(&self, output: &mut Vec<u8>) {
        let mut digits = [0; u64::FORMATTED_SIZE_DECIMAL];
        output.extend_from_slice(b"line ");
        output.extend_from_slice(lexical_core::write(self.line, &mut digits));

        let status = self.status.map_or("", <&str>::from);
        let gap = if status.is_empty() || self.detail.is_empty() { "" } else { ": " };
        for part in [": ", status, gap, self.detail] {
            output.extend_from_slice(part.as_bytes());
        }
        if self.status == Some(Status::Multiple) {
            output.extend_from_slice(b" (");
            output.extend_from_slice(lexical_core::write(self.solutions.unwrap_or_default(), &mut digits));
            output.extend_from_slice(b" solutions or more)");
        }
    }

    /// Appends the row of an array of `NumPy` in a preliminary form, since the width of the rows is known only at the end:
    /// the side of the grid, then its cells. Without a grid, they are zeros; without a puzzle, the side is 0.
    fn push_cells(&self, output: &mut Vec<u8>) {
        let (side, cells) = match (self.grids().next(), self.subject) {
            (Some(grid), _) => (grid.side(), grid.cells),
            (None, Subject::Puzzle { alphabet, .. }) => (alphabet.size().side(), &[0; Size::MAX_CELLS][..]),
            (None, _) => (0, &[][..]),
        };
        output.push(side as u8);
        output.extend_from_slice(&cells[..side * side]);
    }
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

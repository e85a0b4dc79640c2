//! Why a record is no puzzle, in one short sentence.
//!
//! The sentence ends up in a row's `detail`. A [`Malformed`] is a small copy of what went wrong and where; the text is
//! only made when somebody prints it.

use std::fmt;

use super::alphabet::Alphabet;
use super::{MAX_RECORD, Order};

/// Why a record is no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The record was cut off at [`MAX_RECORD`].
    #[error("longer than {MAX_RECORD} bytes, the most that a record may have")]
    TooLong,
    /// The number of cells is not that of any size.
    #[error("{}; a puzzle has 16, 81, 256 or 625", Counted(*.cells, "cell"))]
    Length {
        /// How many cells there are.
        cells: usize,
    },
    /// The record lists the candidates of each cell of a 9x9 grid.
    #[error("729 cells; pencilmarks are not read, a puzzle has 16, 81, 256 or 625")]
    Pencilmarks,
    /// A symbol that is neither a value nor a blank.
    #[error("{position}: {}", UnexpectedSymbol(*.symbol, *.alphabet))]
    Symbol {
        /// Where it stands.
        position: SymbolPosition,
        /// What stands there.
        symbol: Symbol,
        /// The symbols that may stand there, beside a blank.
        alphabet: Alphabet,
    },
    /// A puzzle has two symbols that could be blanks.
    #[error("{position}: blank '{}' after blank '{}'; one puzzle has one blank symbol", char::from(*.second), char::from(*.first))]
    SecondBlank {
        /// Where the second one stands.
        position: SymbolPosition,
        /// The first blank symbol of the puzzle.
        first: u8,
        /// The other one.
        second: u8,
    },
    /// The size is written in several alphabets, and which one is meant here is not known.
    #[error("{order} in an alphabet that is not known; give it with --alphabet ({})", AlphabetNames(*.order))]
    UnknownAlphabet {
        /// The size.
        order: Order,
    },
    /// A row of a grid has too many or too few cells.
    #[error("row {row}: {}; a row of this grid has {side}", Counted(*.cells, "cell"))]
    RowLength {
        /// The row, from 1.
        row: usize,
        /// How many cells it has.
        cells: usize,
        /// How many it should have.
        side: usize,
    },
    /// The rows of a grid are as long as in no size.
    #[error("row 1: {}; a row has 4, 9, 16 or 25", Counted(*.cells, "cell"))]
    Width {
        /// How many cells the first row has.
        cells: usize,
    },
    /// A grid has too few rows.
    #[error("{}; a grid of {columns} columns has {columns}", Counted(*.rows, "row"))]
    Rows {
        /// How many rows there are.
        rows: usize,
        /// How many cells a row has.
        columns: usize,
    },
    /// A record of integers does not start with an order.
    #[error("no order from 2 to 5 in front of the cells")]
    NoOrder,
    /// A record of integers ends before its last cell.
    #[error("{}; a puzzle of order {} has {}", Counted(*.cells, "cell"), .order.get(), .order.cells())]
    Truncated {
        /// How many cells there are.
        cells: usize,
        /// The order that the record begins with.
        order: Order,
    },
    /// A value that the size does not have.
    #[error("{position}: {value} is above {side}")]
    Above {
        /// Where it stands.
        position: SymbolPosition,
        /// The value, or the largest there is.
        value: u64,
        /// The largest value of the size.
        side: usize,
    },
    /// Something that is no number.
    #[error("{position}: {symbol} in a number from 0 to {side}")]
    NoNumber {
        /// Where the would-be number stands.
        position: SymbolPosition,
        /// Its first symbol that is no digit.
        symbol: Symbol,
        /// The largest value of the size.
        side: usize,
    },
    /// A record of a CSV file is too short to have a puzzle.
    #[error("{}; the puzzle is in column {column}", Counted(*.fields, "field"))]
    NoField {
        /// How many fields the record has.
        fields: usize,
        /// The column of the puzzle, from 1.
        column: usize,
    },
}

/// Where in a record something stands, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolPosition {
    /// A byte of a line or of a CSV field.
    Column(usize),
    /// A cell of a grid.
    Cell {
        /// The row of the grid.
        row: usize,
        /// The column of the grid.
        column: usize,
    },
}

impl SymbolPosition {
    /// The place of cell `index`, from 0, in a grid of `side` columns.
    pub(super) fn of_cell(index: usize, side: usize) -> SymbolPosition {
        SymbolPosition::Cell { row: index / side + 1, column: index % side + 1 }
    }
}

/// `column 17`, or `row 4, column 7`.
impl fmt::Display for SymbolPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymbolPosition::Column(column) => write!(f, "column {column}"),
            SymbolPosition::Cell { row, column } => write!(f, "row {row}, column {column}"),
        }
    }
}

/// A character of the input, or a byte that is part of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A character in valid UTF-8 that can be printed.
    Char(char),
    /// A control character or invalid UTF-8.
    Byte(u8),
}

impl Symbol {
    /// The first symbol of `text`, which is not empty.
    pub(super) fn first_of(text: &[u8]) -> Symbol {
        let first = text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        match first {
            Some(char) if !char.is_control() => Symbol::Char(char),
            _ => Symbol::Byte(text[0]),
        }
    }
}

/// `'x'`, or `byte 0x00`.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Char(char) => write!(f, "'{char}'"),
            Symbol::Byte(byte) => write!(f, "byte {byte:#04x}"),
        }
    }
}

/// A number of things: `1 row`, `5 rows`.
struct Counted(usize, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counted(count, thing) = self;
        write!(f, "{count} {thing}{}", if *count == 1 { "" } else { "s" })
    }
}

/// `'x' is no digit`, or what else the alphabet asks for.
struct UnexpectedSymbol(Symbol, Alphabet);

impl fmt::Display for UnexpectedSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnexpectedSymbol(symbol, alphabet) = self;
        match alphabet.order() {
            Order::Three => write!(f, "{symbol} is no digit"),
            Order::Two => write!(f, "{symbol} is no digit from 1 to 4"),
            Order::Four | Order::Five => write!(f, "{symbol} is not in the alphabet {alphabet}"),
        }
    }
}

/// `A-P, 0-F or 1-G`: the alphabets of a size.
pub(super) struct AlphabetNames(pub(super) Order);

impl fmt::Display for AlphabetNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Alphabet::for_size(self.0).map(Alphabet::name).collect();
        let (last, others) = names.split_last().expect("every size has an alphabet");
        write!(f, "{} or {last}", others.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_short_sentences() {
        let [_, nine, a_to_p, ..] = Alphabet::ALL;
        let position = SymbolPosition::Column(17);
        let cell = SymbolPosition::of_cell(33, 9);
        for (reason, text) in [
            (Malformed::Symbol { position, symbol: Symbol::Char('q'), alphabet: nine }, "column 17: 'q' is no digit"),
            (
                Malformed::Symbol { position: cell, symbol: Symbol::Byte(0), alphabet: a_to_p },
                "row 4, column 7: byte 0x00 is not in the alphabet A-P",
            ),
            (
                Malformed::SecondBlank { position: SymbolPosition::Column(9), first: b'.', second: b'0' },
                "column 9: blank '0' after blank '.'; one puzzle has one blank symbol",
            ),
            (Malformed::Length { cells: 80 }, "80 cells; a puzzle has 16, 81, 256 or 625"),
            (Malformed::Rows { rows: 5, columns: 9 }, "5 rows; a grid of 9 columns has 9"),
            (Malformed::RowLength { row: 2, cells: 1, side: 9 }, "row 2: 1 cell; a row of this grid has 9"),
            (Malformed::Truncated { cells: 3, order: Order::Two }, "3 cells; a puzzle of order 2 has 16"),
            (Malformed::Above { position: cell, value: 10, side: 9 }, "row 4, column 7: 10 is above 9"),
            (
                Malformed::NoNumber { position: cell, symbol: Symbol::Char('-'), side: 9 },
                "row 4, column 7: '-' in a number from 0 to 9",
            ),
            (Malformed::NoField { fields: 1, column: 2 }, "1 field; the puzzle is in column 2"),
            (
                Malformed::UnknownAlphabet { order: Order::Four },
                "16x16 in an alphabet that is not known; give it with --alphabet (A-P, 0-F or 1-G)",
            ),
            (Malformed::TooLong, "longer than 1048576 bytes, the most that a record may have"),
        ] {
            assert_eq!(reason.to_string(), text);
        }
    }

    #[test]
    fn symbols_are_shown_as_characters_where_they_can_be() {
        for (text, shown) in [
            (&b"x1"[..], "'x'"),
            ("é1".as_bytes(), "'é'"),
            (b"\x00", "byte 0x00"),
            (b"\r", "byte 0x0d"),
            (b"\xff\xfe", "byte 0xff"),
            (b"\xc3", "byte 0xc3"),
        ] {
            assert_eq!(Symbol::first_of(text).to_string(), shown);
        }
    }

    #[test]
    fn a_reason_is_small() {
        assert!(size_of::<Malformed>() <= 72, "{}", size_of::<Malformed>());
    }
}

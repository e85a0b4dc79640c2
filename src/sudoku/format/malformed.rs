//! The reasons why a record is not a puzzle, each with a short sentence for the `detail` column of a row.
//!
//! A [`Malformed`] is small and copied. Its text is made only when it is printed.

use std::fmt;

use super::alphabet::{Alphabet, listed};
use super::{MAX_RECORD, Size};
use crate::options::Counted;
use crate::puzzle::{BoxShape, ForEachSize};

/// The reason why a record is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The record was cut off at [`MAX_RECORD`].
    #[error("longer than {MAX_RECORD} bytes, the most that a record may have")]
    TooLong,
    /// No size has this number of cells.
    #[error("{}; a puzzle has {}", Counted(*.cells as u64, "cell"), ForEachSize(Size::cells))]
    CellCount {
        /// The number of cells.
        cells: usize,
    },
    /// The record is a pencilmark puzzle, which has candidates in place of clues. Only a few jobs accept it, and none
    /// lists its solutions.
    #[error("a pencilmark puzzle, which only solve, rate, explain and trace take; its solutions are not listed")]
    Pencilmarks,
    /// A symbol that does not fit its place in a pencilmark puzzle.
    #[error("{position}: {symbol} is not {digit}, '.' or '0', as in 729 symbols of a pencilmark puzzle")]
    UnexpectedPencilmark {
        /// Its position.
        position: SymbolPosition,
        /// The symbol.
        symbol: Symbol,
        /// The digit for that place.
        digit: u8,
    },
    /// A number that was a text of digits, but has lost its leading zeros.
    #[error("{}; a {size} puzzle has {}, and zeros at its start may have been lost, as in numbers of a spreadsheet", Counted(*.digits as u64, "digit"), .size.cells())]
    LostZeros {
        /// The number of digits.
        digits: usize,
        /// The next larger size.
        size: Size,
    },
    /// A number with an exponent, the way spreadsheets write long numbers.
    #[error("a number that a spreadsheet has rounded: most digits of the puzzle are lost")]
    RoundedNumber,
    /// A link without cells.
    #[error("a link whose puzzle is not written as cells, but compressed or packed; open it, and export the cells")]
    LinkWithoutCells,
    /// Cells with candidates in brackets.
    #[error("candidates in brackets; write a blank for each list, or a grid with a list in each cell")]
    CandidatesInBrackets,
    /// A symbol that is neither a value nor a blank.
    #[error("{position}: {}", NotInAlphabet(*.symbol, *.alphabet))]
    UnexpectedSymbol {
        /// Its position.
        position: SymbolPosition,
        /// The symbol.
        symbol: Symbol,
        /// The symbols for values; all further symbols are blanks.
        alphabet: Alphabet,
    },
    /// More cells follow the puzzle of a record: of another puzzle, or of this one.
    #[error("more cells follow the puzzle; the line end between two puzzles may be lost, or a symbol is wrong")]
    MoreCells,
    /// Hardly any puzzle of the input has this size.
    #[error(
        "a {size} puzzle, where nearly all are {usual}: it may be cut off, or have lost its first zeros; \
         put puzzles of another size in a file of their own"
    )]
    RareSize {
        /// The size.
        size: Size,
        /// The size of nearly all puzzles.
        usual: Size,
    },
    /// Cells of a puzzle are in a place where the format has no records.
    #[error("cells of a puzzle outside of a record")]
    Outside,
    /// A symbol that no puzzle contains, in a text that is not as long as a puzzle.
    #[error("{position}: {symbol} is not a symbol of a puzzle")]
    ForeignSymbol {
        /// Its position.
        position: SymbolPosition,
        /// The symbol.
        symbol: Symbol,
    },
    /// A puzzle has two blank symbols.
    #[error("{position}: blank '{}' after blank '{}'; one puzzle has one blank symbol", char::from(*.second), char::from(*.first))]
    SecondBlank {
        /// The position of the second one.
        position: SymbolPosition,
        /// The first blank symbol of the puzzle.
        first: u8,
        /// The second one.
        second: u8,
    },
    /// The size is written in several alphabets, and the alphabet of this input is unknown.
    #[error("{size} in an alphabet that is not known: {}", listed(Alphabet::for_size(*.size), "or"))]
    UnknownAlphabet {
        /// The size.
        size: Size,
    },
    /// A row of a grid has too many or too few cells.
    #[error("row {row}: {}; a row of this grid has {side}", Counted(*.cells as u64, "cell"))]
    RowLength {
        /// The row, from 1.
        row: usize,
        /// The number of its cells.
        cells: usize,
        /// The number of cells in a row of this grid.
        side: usize,
    },
    /// No size has rows of this length.
    #[error("row 1: {}; a row has {}", Counted(*.cells as u64, "cell"), ForEachSize(Size::side))]
    GridWidth {
        /// The number of cells in the first row.
        cells: usize,
    },
    /// A grid has too few or too many rows.
    #[error("{}; a grid of {columns} columns has {columns}", Counted(*.rows as u64, "row"))]
    RowCount {
        /// The number of rows.
        rows: usize,
        /// The number of cells in a row.
        columns: usize,
    },
    /// A grid is drawn with turned boxes: they have as many rows as the boxes of its size have columns.
    #[error("boxes of {}x{} are drawn; the boxes of {size} are {}", .size.box_columns(), .size.box_rows(), BoxShape(*.size))]
    TurnedBoxes {
        /// The size.
        size: Size,
    },
    /// A row of a grid does not fit the style of its input.
    #[error("row {row}: not written as the other rows of the input")]
    RowStyle {
        /// The row, from 1.
        row: usize,
    },
    /// The label of a row does not follow from the one before.
    #[error("row {row}: its label does not count on from the rows before")]
    RowLabel {
        /// The row, from 1.
        row: usize,
    },
    /// A line does not have the fields of HoDoKu's library.
    #[error("no line of HoDoKu's library, which has the cells after its third colon")]
    NoLibraryLine,
    /// A cell of a candidate grid is not a list of distinct digits in ascending order.
    #[error("{position}: {symbol} is not a candidate; a cell has digits from 1 to 9, each once, in ascending order")]
    NoCandidate {
        /// Its position.
        position: SymbolPosition,
        /// The symbol.
        symbol: Symbol,
    },
    /// An XML tag is invalid.
    #[error("the tag of the game is not valid XML; it may have been cut off")]
    InvalidTag,
    /// A game of OpenSudoku has no attribute with cells.
    #[error("the game has no attribute data")]
    MissingData,
    /// A saved game of OpenSudoku does not have the expected fields.
    #[error("no saved game, which has a value, notes and 0 or 1 for each of 81 cells")]
    InvalidSavedGame,
    /// A record of integers does not start with an order.
    #[error("no order from 2 to 5, such as 3 or 2x3, in front of the cells")]
    MissingOrder,
    /// A record of integers ends before its last cell.
    #[error("{}; a puzzle of order {} has {}", Counted(*.cells as u64, "cell"), BoxShape(*.size), .size.cells())]
    Truncated {
        /// The number of cells.
        cells: usize,
        /// The order at the start of the record.
        size: Size,
    },
    /// A number is larger than the side of the grid.
    #[error("{position}: {value} is above {side}")]
    ValueTooLarge {
        /// Its position.
        position: SymbolPosition,
        /// The number; [`u64::MAX`] also stands for larger numbers.
        value: u64,
        /// The largest value of the size.
        side: usize,
    },
    /// A number is negative, but not -1, which is a blank.
    #[error("{position}: {value} is below 0")]
    ValueTooSmall {
        /// Its position.
        position: SymbolPosition,
        /// The number.
        value: i64,
    },
    /// A word is not a number.
    #[error("{position}: {symbol} in a number from 0 to {side}")]
    NotANumber {
        /// Its position.
        position: SymbolPosition,
        /// The first symbol of the word that is not a digit.
        symbol: Symbol,
        /// The largest value of the size.
        side: usize,
    },
    /// A quote of a CSV record is never closed, or the closing quote is followed by text.
    #[error("{}: the quote that opens a field here is never closed; reading goes on at the next line", LineAndColumn(*.line, *.column))]
    UnclosedQuote {
        /// The line of the record, from 1.
        line: usize,
        /// The byte of that line, from 1.
        column: usize,
    },
    /// A CSV record has too few fields to contain a puzzle.
    #[error("{}; the puzzle is in column {column}", Counted(*.fields as u64, "field"))]
    MissingField {
        /// The number of fields.
        fields: usize,
        /// The column of the puzzle, from 1.
        column: usize,
    },
    /// A line of JSON is not valid.
    #[error("column {column}: the line is not valid JSON here; it may have been cut off")]
    InvalidJson {
        /// The position of the first wrong byte of the line, from 1.
        column: usize,
    },
    /// A line of JSON is not an object.
    #[error("the line is not a JSON object")]
    NotAnObject,
    /// A JSON object lacks the key of the puzzle.
    #[error("the object does not have the key of the puzzle")]
    MissingKey,
    /// The value for a puzzle in a JSON object has the wrong type.
    #[error("the value is {found}; a grid is a string or an array of integers")]
    WrongJsonType {
        /// The type.
        found: JsonType,
    },
    /// A JSON string has an escape such as `\\ud800`, which is half a character.
    #[error("the string has an escape for half a character")]
    UnpairedSurrogate,
    /// An element of a list is not a cell.
    #[error("{position}: no integer from 0 to {side}")]
    NotACell {
        /// Its position.
        position: SymbolPosition,
        /// The largest value of the size.
        side: usize,
    },
    /// A list has both 0 and other blanks.
    #[error("{position}: 0 beside other blanks (null, None, -1 or nothing): its digits may count from 0")]
    DoubtfulZero {
        /// The position of the first 0.
        position: SymbolPosition,
    },
    /// A list has texts that are neither cells nor rows.
    #[error("a list of texts; a puzzle is one text, or a list of its cells or rows")]
    ListOfTexts,
}

impl Malformed {
    /// Whether a record resembles a puzzle: it has the right number of cells, or rows of the right length.
    pub(super) fn is_close(self) -> bool {
        matches!(
            self,
            Malformed::DoubtfulZero { .. }
                | Malformed::CellCount { cells: 72..=90 }
                | Malformed::CandidatesInBrackets
                | Malformed::LostZeros { .. }
                | Malformed::NotACell { .. }
                | Malformed::Pencilmarks
                | Malformed::RoundedNumber
                | Malformed::RowLength { .. }
                | Malformed::SecondBlank { .. }
                | Malformed::UnexpectedSymbol { .. }
                | Malformed::UnknownAlphabet { .. }
                | Malformed::ValueTooLarge { .. }
                | Malformed::ValueTooSmall { .. }
        )
    }
}

/// The type of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonType {
    /// The type of a value in valid JSON.
    pub(super) fn of(json: &str) -> JsonType {
        match json.as_bytes().first() {
            Some(b'n') => JsonType::Null,
            Some(b't' | b'f') => JsonType::Boolean,
            Some(b'"') => JsonType::String,
            Some(b'[') => JsonType::Array,
            Some(b'{') => JsonType::Object,
            _ => JsonType::Number,
        }
    }
}

/// Prints the type with its article: `a number`.
impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JsonType::Null => "null",
            JsonType::Boolean => "true or false",
            JsonType::Number => "a number",
            JsonType::String => "a string",
            JsonType::Array => "an array",
            JsonType::Object => "an object",
        })
    }
}

/// A position in a record, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolPosition {
    /// The byte of a line or of a CSV field.
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
    /// The position of the cell with this index in a grid of `side` columns.
    pub(crate) fn of_cell(index: usize, side: usize) -> SymbolPosition {
        SymbolPosition::Cell { row: index / side + 1, column: index % side + 1 }
    }
}

/// `column 17`, or `line 2 of the record, column 17`.
struct LineAndColumn(usize, usize);

impl fmt::Display for LineAndColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LineAndColumn(1, column) => write!(f, "column {column}"),
            LineAndColumn(line, column) => write!(f, "line {line} of the record, column {column}"),
        }
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

/// A character of the input, or a byte outside any character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A printable character in valid UTF-8.
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

/// Prints `'x'`, `byte 0x00`, or `U+00A0` for an invisible character.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // `escape_debug` escapes invisible characters, and characters that change the direction of text.
            Symbol::Char(char) if !char.is_ascii() && char.escape_debug().len() > 1 => {
                write!(f, "U+{:04X}", u32::from(*char))
            }
            Symbol::Char(char) => write!(f, "'{char}'"),
            Symbol::Byte(byte) => write!(f, "byte {byte:#04x}"),
        }
    }
}

/// `'x' is not a digit`, or a similar phrase for the alphabet.
struct NotInAlphabet(Symbol, Alphabet);

impl fmt::Display for NotInAlphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotInAlphabet(symbol, alphabet) = self;
        match alphabet.size() {
            Size::Nine if alphabet.has_digits() => write!(f, "{symbol} is not a digit"),
            size if alphabet.has_digits() => write!(f, "{symbol} is not a digit from 1 to {}", size.side()),
            _ => write!(f, "{symbol} is not in the alphabet {alphabet}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_short_sentences() {
        let (nine, a_to_p) = (Alphabet::OF_NINE, Alphabet::for_size(Size::Sixteen).next().expect("it has three"));
        let position = SymbolPosition::Column(17);
        let cell = SymbolPosition::of_cell(33, 9);
        for (reason, text) in [
            (
                Malformed::UnexpectedSymbol { position, symbol: Symbol::Char('q'), alphabet: nine },
                "column 17: 'q' is not a digit",
            ),
            (
                Malformed::UnexpectedSymbol { position: cell, symbol: Symbol::Byte(0), alphabet: a_to_p },
                "row 4, column 7: byte 0x00 is not in the alphabet A-P",
            ),
            (
                Malformed::SecondBlank { position: SymbolPosition::Column(9), first: b'.', second: b'0' },
                "column 9: blank '0' after blank '.'; one puzzle has one blank symbol",
            ),
            (Malformed::CellCount { cells: 80 }, "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (Malformed::RowCount { rows: 5, columns: 9 }, "5 rows; a grid of 9 columns has 9"),
            (Malformed::RowLength { row: 2, cells: 1, side: 9 }, "row 2: 1 cell; a row of this grid has 9"),
            (Malformed::Truncated { cells: 3, size: Size::Four }, "3 cells; a puzzle of order 2 has 16"),
            (Malformed::ValueTooLarge { position: cell, value: 10, side: 9 }, "row 4, column 7: 10 is above 9"),
            (Malformed::ValueTooSmall { position: cell, value: -2 }, "row 4, column 7: -2 is below 0"),
            (
                Malformed::NotANumber { position: cell, symbol: Symbol::Char('-'), side: 9 },
                "row 4, column 7: '-' in a number from 0 to 9",
            ),
            (Malformed::MissingField { fields: 1, column: 2 }, "1 field; the puzzle is in column 2"),
            (
                Malformed::UnknownAlphabet { size: Size::Sixteen },
                "16x16 in an alphabet that is not known: A-P, 0-F or 1-G",
            ),
            (Malformed::TooLong, "longer than 1048576 bytes, the most that a record may have"),
        ] {
            assert_eq!(reason.to_string(), text);
        }
    }

    #[test]
    fn symbols_are_shown_as_characters_if_possible() {
        for (text, shown) in [
            (&b"x1"[..], "'x'"),
            ("é1".as_bytes(), "'é'"),
            ("３".as_bytes(), "'３'"),
            ("\u{a0}".as_bytes(), "U+00A0"),
            ("\u{200b}1".as_bytes(), "U+200B"),
            ("\u{202e}".as_bytes(), "U+202E"),
            (b"\"", "'\"'"),
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

//! Parses and prints single puzzles: [`FromStr`] and [`Display`] of [`Puzzle`] and [`Solution`].
//!
//! A string is read in the same way as a corpus with one record: its format is detected, a splitter finds the record, a
//! parser reads it. The only difference: the alphabet of a large puzzle is chosen where a corpus would ask for it.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

use super::detect::detect_without_tables;
use super::{
    Alphabet, Alphabets, BatchLimits, DetectError, InputFormat, InputOptions, Malformed, Size, SymbolPosition, cells,
};
use crate::puzzle::{Puzzle, Puzzles, Solution};

/// Reads a puzzle from a string that contains only this puzzle: a line, which may have a comment after the puzzle; a
/// grid with or without borders; or an order and the cells as numbers.
///
/// Puzzles above 9x9 are written in several alphabets. If the symbols of a puzzle fit more than one, it is read in the
/// alphabet that [`Display`] prints (`1-G` and `A-Y`), so printed text is always read back as the same puzzle.
/// [`Puzzle::parse_with`] reads the other alphabets.
///
/// ```
/// use gridmill::puzzle::Puzzle;
///
/// let error = "1.3.....q....4.2".parse::<Puzzle>().unwrap_err();
/// assert_eq!(error.to_string(), "column 9: 'q' is not a digit from 1 to 4");
/// ```
impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    fn from_str(text: &str) -> Result<Puzzle, ParsePuzzleError> {
        match parse_printed(text) {
            Some(puzzle) => Ok(puzzle),
            None => parse(text, vec![]),
        }
    }
}

impl Puzzle {
    /// Reads a puzzle like [`str::parse`], in a known alphabet of its size.
    ///
    /// ```
    /// use gridmill::format::Alphabet;
    /// use gridmill::puzzle::Puzzle;
    ///
    /// let text = format!("AF{}", ".".repeat(254));
    /// let a_to_p = Puzzle::parse_with(&text, "A-P".parse::<Alphabet>()?)?;
    /// let from_zero = Puzzle::parse_with(&text, "0-F".parse::<Alphabet>()?)?;
    /// assert_eq!(a_to_p.cells()[..2], [1, 6]);
    /// assert_eq!(from_zero.cells()[..2], [11, 16]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the string does not contain exactly one puzzle.
    pub fn parse_with(text: &str, alphabet: Alphabet) -> Result<Puzzle, ParsePuzzleError> {
        parse(text, vec![alphabet])
    }
}

/// The error for a string that is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePuzzleError {
    /// The string has only white space and comments.
    #[error("the text is empty")]
    Empty,
    /// The string is in a known format that does not hold a single puzzle, such as JSON.
    #[error("{what} is not read as a puzzle; write a line or a grid of symbols")]
    Unsupported {
        /// The format.
        what: &'static str,
    },
    /// A symbol or the number of cells is wrong.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// More text follows the puzzle, perhaps a second one.
    #[error("line {line}: more text after the puzzle; a string holds one puzzle")]
    TrailingText {
        /// The number of its first line, from 1.
        line: u64,
    },
}

/// Reads a line that [`Display`] has printed.
///
/// Nearly always, detection would give the same. The exceptions are some 25x25 puzzles without a solution: a grid of
/// only `P` and `X` could be in `1-P`, with `X` for a blank.
fn parse_printed(text: &str) -> Option<Puzzle> {
    let text = text.trim_ascii();
    let mut alphabets = Alphabets::default();
    set_missing(&mut alphabets);
    let mut puzzles = Puzzles::new();
    let position = |index| SymbolPosition::Column(index + 1);
    let parsed = cells::parse(text.as_bytes(), &alphabets, &mut puzzles, position).ok()?;
    let puzzle = Puzzle::try_from(puzzles.last(parsed.size)).ok()?;
    (puzzle.to_string() == text).then_some(puzzle)
}

/// Reads one puzzle in one of these alphabets or, if they have none for its size, in the alphabet that its symbols
/// show.
fn parse(text: &str, alphabets: Vec<Alphabet>) -> Result<Puzzle, ParsePuzzleError> {
    // An object could be a line of JSON lines, which is a table.
    if text.trim_ascii_start().starts_with('{') {
        return Err(ParsePuzzleError::Unsupported { what: "JSON" });
    }
    let mut options = InputOptions { alphabets, ..InputOptions::default() };
    let mut layout = loop {
        match detect_without_tables(text.as_bytes(), &options) {
            // A line of 16 symbols, one of them wrong, could be the first row of a grid in a longer text.
            Ok(layout) if layout.format() == InputFormat::Grids && is_one_line(text) => {
                options.format = Some(InputFormat::Lines);
            }
            Ok(layout) => break layout,
            // The parser reports the fault.
            Err(DetectError::NoCorpus(_)) => options.format = Some(InputFormat::Lines),
            Err(DetectError::Alphabet(unclear)) => options.alphabets.push(printed(unclear.size)),
            Err(DetectError::Unsupported { what, .. }) => return Err(ParsePuzzleError::Unsupported { what }),
            Err(_) => return Err(ParsePuzzleError::Unsupported { what: TABLE }),
        }
    };
    set_missing(&mut layout.alphabets);

    let mut records = vec![];
    let mut record = |range, line| records.push((range, line));
    // A second record shows that there is more text; the rest is not needed.
    let limits = BatchLimits { records: 2, ..BatchLimits::NONE };
    layout.splitter().next_batch(text.as_bytes(), true, limits, &mut record);
    let Some((first, _)) = records.first() else { return Err(ParsePuzzleError::Empty) };

    let mut puzzles = Puzzles::new();
    let parsed = match layout.parser().parse(&text.as_bytes()[first.clone()], &mut puzzles) {
        Err(_) if starts_with_header(text) => return Err(ParsePuzzleError::Unsupported { what: TABLE }),
        parsed => parsed?,
    };
    match records.get(1) {
        Some(&(_, line)) => Err(ParsePuzzleError::TrailingText { line }),
        None => Ok(Puzzle::try_from(puzzles.last(parsed.size)).expect("a parser gives the cells of a puzzle")),
    }
}

/// The description of a text that begins with column names.
const TABLE: &str = "a table with a header";

/// Whether a text that is not a puzzle begins with column names, followed by a record with a puzzle.
fn starts_with_header(text: &str) -> bool {
    let mut lines = filled_lines(text);
    let (Some(header), Some(record)) = (lines.next(), lines.next()) else { return false };
    let is_puzzle = |field: &str| cells::is_length_of_puzzle(field.len());
    fields(header).all(|name| name.starts_with(char::is_alphabetic) && !is_puzzle(name))
        && fields(record).any(is_puzzle)
}

/// Whether a text has only one line, apart from empty lines and comments.
fn is_one_line(text: &str) -> bool {
    filled_lines(text).count() == 1
}

/// The fields of a line of a table.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ';', '|', '\t']).map(|field| field.trim().trim_matches('"'))
}

/// The lines of a text that are neither empty nor comments.
fn filled_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_ascii().is_empty() && !line.starts_with('#'))
}

/// Sets unknown alphabets to the ones that [`Display`] prints.
fn set_missing(alphabets: &mut Alphabets) {
    for size in Size::ALL {
        alphabets.set(alphabets.for_printing(size));
    }
}

/// The alphabet that [`Display`] prints.
fn printed(size: Size) -> Alphabet {
    Alphabets::default().for_printing(size)
}

/// Prints one line: `.` for a blank; for 16x16 in the alphabet `1-G`, for 25x25 in `A-Y`. [`Alphabet::text`] prints in
/// any alphabet.
impl Display for Puzzle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&printed(self.size()).text(self.cells(), b'.'))
    }
}

/// Prints one line: in the alphabet `1-G` for 16x16, in `A-Y` for 25x25.
impl Display for Solution {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&printed(self.size()).text(self.cells(), b'.'))
    }
}

impl Debug for Puzzle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}

impl Debug for Solution {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Solution({self})")
    }
}

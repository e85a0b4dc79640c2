//! Reads all puzzles of a text in memory.

use std::ops::Range;

use super::{BatchEnd, BatchLimits, DetectError, InputOptions, Layout, Malformed, Splitter, detect, rest_of_line};
use crate::puzzle::{Puzzle, Puzzles};

/// The error of [`puzzles`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text cannot be read. No puzzle follows.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// A record is not a puzzle. The records after it are read.
    #[error("line {line}: {reason}")]
    Malformed {
        /// The number of its first line, from 1; the number of the record if a line has several.
        line: u64,
        /// The fault.
        reason: Malformed,
    },
}

/// The puzzles of a text in any [format](super::InputFormat), which is detected: lines, grids, numbers and, with the
/// feature `corpus`, tables.
///
/// Titles, comments and all text after a line `end` are skipped. Records that are not puzzles are errors, and so are
/// pencilmark puzzles.
///
/// ```
/// use gridmill::format::puzzles;
///
/// let grids = "12..\n..3.\n.3..\n...1\n\n1...\n.2..\n..3.\n...4\n";
/// for puzzle in puzzles(grids) {
///     assert_eq!(puzzle?.size(), gridmill::Size::Four);
/// }
///
/// let mut lines = puzzles("1.3..........4.2\n1.3..........4\n");
/// assert!(lines.next().is_some_and(|puzzle| puzzle.is_ok()));
/// let error = lines.next().expect("a second record").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: 14 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625");
/// # Ok::<(), gridmill::format::ReadError>(())
/// ```
pub fn puzzles(text: &str) -> impl Iterator<Item = Result<Puzzle, ReadError>> {
    let (layout, error) = match detect(text.as_bytes(), true, &InputOptions::default()) {
        Ok(layout) => (Some(layout), None),
        Err(error) => (None, Some(Err(error.into()))),
    };
    error.into_iter().chain(layout.into_iter().flat_map(|layout| read(&layout, text.as_bytes())))
}

/// Reads the records of a text.
fn read<'text>(layout: &Layout, text: &'text [u8]) -> impl Iterator<Item = Result<Puzzle, ReadError>> + use<'text> {
    let (mut parser, rare, mut puzzles) = (layout.parser(), layout.sample.rare, Puzzles::new());
    records(layout.splitter(), text).into_iter().map(move |(record, line)| {
        puzzles.clear();
        let parsed = parser.parse(&text[record], &mut puzzles);
        // A puzzle of a rare size may be a part of a larger one.
        let checked = parsed.and_then(|parsed| rare.check(parsed, &puzzles).map(|()| parsed));
        let size = checked.map_err(|reason| ReadError::Malformed { line, reason })?.size;
        Ok(Puzzle::try_from(puzzles.last(size)).expect("a parser gives the cells of a puzzle"))
    })
}

/// The records of a complete text, with the numbers of their lines.
fn records(mut splitter: Box<dyn Splitter>, text: &[u8]) -> Vec<(Range<usize>, u64)> {
    let (mut records, mut start) = (Vec::new(), 0);
    loop {
        let mut add = |record: Range<usize>, line| records.push((start + record.start..start + record.end, line));
        let consumed = splitter.next_batch(&text[start..], true, BatchLimits::NONE, &mut add);
        start += consumed.bytes;
        match consumed.end {
            BatchEnd::LongLine(_) => start += rest_of_line(&text[start..]).unwrap_or(text.len() - start),
            BatchEnd::EndOfInput | BatchEnd::Limit | BatchEnd::Incomplete => return records,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputFormat, MAX_RECORD};

    fn read(text: &str) -> Vec<String> {
        puzzles(text).map(|read| read.map_or_else(|error| error.to_string(), |puzzle| puzzle.to_string())).collect()
    }

    #[test]
    fn every_format_is_read() {
        let expected = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
        for &format in InputFormat::ALL.iter().filter(|format| **format != InputFormat::Candidates) {
            let read = read(format.example());
            assert!(read == [expected] || read == ["1..4..1..1..4..1"], "{format}: {read:?}");
        }
        let pencilmarks = puzzles(InputFormat::Candidates.example()).next().unwrap();
        assert_eq!(pencilmarks, Err(ReadError::Malformed { line: 2, reason: Malformed::Pencilmarks }));
    }

    #[test]
    fn every_record_is_a_puzzle_or_an_error() {
        let puzzle = "1.3..........4.2";
        let long = "1".repeat(2 * MAX_RECORD);
        let text = format!("# two good ones\n{puzzle}\n{long}\n{puzzle}");
        let [first, fault, last] = &*read(&text) else { panic!("three records") };
        assert_eq!([first, last], [puzzle; 2]);
        assert!(fault.starts_with("line 3: "), "{fault}");

        assert_eq!(read(""), [""; 0]);
        assert!(matches!(puzzles("fn main() {}\n").collect::<Vec<_>>()[..], [Err(ReadError::Detect(_))]));
    }
}

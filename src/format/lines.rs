//! `lines`: one puzzle a line, of any size, with an optional comment after it.
//!
//! ```text
//! # comment lines and empty lines are skipped
//! 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
//! ......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3.;ED=7.1/1.2/1.2
//! 0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093000409000  1.2
//! 12..34....21..43
//! end
//! ```
//!
//! The third puzzle is a line of the Sudoku Exchange puzzle bank: a hash, the puzzle, a rating. `end` ends the input.

use std::ops::Range;

use memchr::memchr_iter;

use super::alphabet::Alphabets;
use super::cells;
use super::position::{Preamble, StreamPosition};
use super::{
    BatchEnd, BatchLimits, Consumed, MAX_RECORD, Malformed, Order, ParsedPuzzle, Parser, Puzzles, Splitter,
    SymbolPosition,
};

/// Splits a stream into lines.
#[derive(Clone, Debug)]
pub(super) struct LineSplitter {
    position: StreamPosition,
    state: State,
    records: LineRecords,
}

/// Which lines are records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineRecords {
    /// Those that are neither empty nor comments, up to `end`.
    Puzzles,
    /// All of them.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The text starts with a line.
    LineStart,
    /// The text starts within a line that is too long.
    LongLine,
    /// `end` was read.
    Ended,
}

impl LineSplitter {
    /// For a stream with a preamble.
    pub(super) fn new(preamble: Preamble) -> LineSplitter {
        LineSplitter {
            position: StreamPosition::after(preamble),
            state: State::LineStart,
            records: LineRecords::Puzzles,
        }
    }

    /// For a stream each of whose lines is a record.
    pub(super) fn all_lines() -> LineSplitter {
        LineSplitter { records: LineRecords::All, ..LineSplitter::new(Preamble::default()) }
    }

    /// Classifies a line, which has more text if it `is_cut_off`.
    fn classify(&self, line: &[u8], is_cut_off: bool) -> Line {
        match (line.first(), self.records) {
            (Some(b'0'..=b'9' | b'.'), _) | (_, LineRecords::All) => Line::Record,
            (Some(b'#'), _) => Line::Skipped,
            _ => match line.trim_ascii() {
                b"" if !is_cut_off => Line::Skipped,
                b"end" => Line::End,
                _ => Line::Record,
            },
        }
    }
}

/// What a line is for a [`LineSplitter`].
enum Line {
    Record,
    /// An empty line or a comment.
    Skipped,
    /// The last line of the input.
    End,
}

impl Splitter for LineSplitter {
    fn next_batch(
        &mut self,
        text: &[u8],
        at_end: bool,
        limits: BatchLimits,
        record: &mut dyn FnMut(Range<usize>, u64),
    ) -> Consumed {
        let end_of_text = if at_end { BatchEnd::EndOfInput } else { BatchEnd::Incomplete };
        let mut start = self.position.skip_preamble(text);
        let first = start;
        // One search for all line ends: a new one for each line takes longer.
        let mut line_ends = memchr_iter(b'\n', &text[first..]).map(|end| first + end);
        match self.state {
            State::LineStart => {}
            State::LongLine => {
                let Some(end) = line_ends.next() else { return Consumed { bytes: text.len(), end: end_of_text } };
                start = end + 1;
                self.position.line += 1;
                self.state = State::LineStart;
            }
            State::Ended => return Consumed { bytes: start, end: BatchEnd::EndOfInput },
        }
        let mut records = 0;
        let end = loop {
            if records == limits.records || (records > 0 && start >= limits.bytes) {
                break BatchEnd::Limit;
            }
            let (end, next) = match line_ends.next() {
                Some(end) => (end, end + 1),
                None if text.len() - start >= MAX_RECORD => {
                    self.state = State::LongLine;
                    (text.len(), text.len())
                }
                None if at_end && start < text.len() => (text.len(), text.len()),
                None => break end_of_text,
            };
            let mut line = &text[start..end];
            let is_cut_off = line.len() >= MAX_RECORD;
            line = if is_cut_off { &line[..MAX_RECORD] } else { line.strip_suffix(b"\r").unwrap_or(line) };
            match self.classify(line, is_cut_off) {
                Line::Record => {
                    record(start..start + line.len(), self.position.line);
                    records += 1;
                }
                Line::Skipped => {}
                Line::End => {
                    self.state = State::Ended;
                    break BatchEnd::EndOfInput;
                }
            }
            self.position.line += u64::from(next > end);
            start = next;
        };
        Consumed { bytes: start, end }
    }
}

/// Parses the puzzle at the start of a line.
#[derive(Clone, Debug)]
pub(super) struct LineParser {
    alphabets: Alphabets,
}

impl LineParser {
    /// For puzzles in these alphabets.
    pub(super) fn new(alphabets: Alphabets) -> LineParser {
        LineParser { alphabets }
    }
}

impl Parser for LineParser {
    fn parse(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        if record.len() >= MAX_RECORD {
            return Err(Malformed::TooLong);
        }
        let text = record.trim_ascii_start();
        let indent = record.len() - text.len();
        // Most lines have a separator where a size has its last cell. To look there is quicker than to search for the
        // first one, which comes next, and also finds out what is wrong.
        let mut sizes = [Order::Three, Order::Four, Order::Five, Order::Two].into_iter().map(Order::cells);
        let ends_at = |&cells: &usize| cells <= text.len() && text.get(cells).is_none_or(|byte| is_separator(*byte));
        if let Some(cells) = sizes.find(ends_at)
            && let Ok(puzzle) = cells::parse(&text[..cells], &self.alphabets, puzzles, SymbolPosition::Column)
        {
            return Ok(puzzle);
        }
        let (start, puzzle) = puzzle_in(text);
        cells::parse(puzzle, &self.alphabets, puzzles, |index| SymbolPosition::Column(indent + start + index + 1))
    }
}

/// The puzzle of a line without white space at its start, and where it starts.
pub(super) fn puzzle_in(text: &[u8]) -> (usize, &[u8]) {
    bank_puzzle(text).unwrap_or((0, first_word(text)))
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b':')
}

/// The text before the first separator.
fn first_word(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|byte| is_separator(*byte)).unwrap_or(text.len())]
}

/// The puzzle of a line of the Sudoku Exchange puzzle bank, and where it starts. Such a line has 12 hex digits, a space,
/// and 81 cells.
fn bank_puzzle(text: &[u8]) -> Option<(usize, &[u8])> {
    let (hash, rest) = text.split_at_checked(12)?;
    let puzzle = first_word(rest.strip_prefix(b" ")?);
    let fits = hash.iter().all(u8::is_ascii_hexdigit) && puzzle.len() == Order::Three.cells();
    fits.then_some((13, puzzle))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing;
    use super::*;

    const DOTS: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const ZEROS: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
    const BANK: &str = "050703060007000800000816000000030000005000100730040086906000204840572093000409000";

    fn split(text: &str) -> Vec<(String, u64)> {
        testing::split(&mut LineSplitter::new(Preamble::default()), text)
    }

    fn parse(record: &str) -> Result<String, String> {
        let alphabets = Alphabets::default();
        testing::parse(&mut LineParser::new(alphabets), &alphabets, record.as_bytes())
    }

    #[test]
    fn a_line_is_a_record() {
        for (text, records) in [
            ("", &[][..]),
            ("\n\n  \r\n", &[]),
            ("a\nb\r\nc", &[("a", 1), ("b", 2), ("c", 3)]),
            ("# a\n\n \tb c\n#d", &[(" \tb c", 3)]),
            (" #a\n", &[(" #a", 1)]),
            ("a\n end \r\nb\n", &[("a", 1)]),
            ("a\nend", &[("a", 1)]),
            ("END\nends\n", &[("END", 1), ("ends", 2)]),
            ("a\rb\n", &[("a\rb", 1)]),
            ("a\r", &[("a", 1)]),
        ] {
            let expected: Vec<_> = records.iter().map(|&(text, line)| (text.to_owned(), line)).collect();
            assert_eq!(split(text), expected, "{text:?}");
        }
    }

    #[test]
    fn all_lines_can_be_records() {
        for (text, records) in [
            ("", &[][..]),
            ("\n", &[("", 1)]),
            ("a\r\n\n#b\nend\n \nc", &[("a", 1), ("", 2), ("#b", 3), ("end", 4), (" ", 5), ("c", 6)]),
        ] {
            let expected: Vec<_> = records.iter().map(|&(text, line)| (text.to_owned(), line)).collect();
            assert_eq!(testing::split(&mut LineSplitter::all_lines(), text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_preamble_is_skipped() {
        let text = "\u{feff}2\n\na\n";
        let head = Preamble::new(&text.as_bytes()[..5]);
        for size in 1..text.len() {
            let records = testing::split_bytes(&mut LineSplitter::new(head), text.as_bytes(), &[size]);
            assert_eq!(records, [(b"a".to_vec(), 3)]);
        }
    }

    #[test]
    fn a_long_line_is_one_record() {
        let long = |first: char, length: usize| format!("{first}{}", "1".repeat(length - 1));
        for (length, cut_off) in [(MAX_RECORD - 1, false), (MAX_RECORD, true), (3 * MAX_RECORD + 5, true)] {
            let text = format!("a\n{}\nb\n{}", long('1', length), long('#', length));
            for size in [50_000, text.len()] {
                let records =
                    testing::split_bytes(&mut LineSplitter::new(Preamble::default()), text.as_bytes(), &[size]);
                let shape: Vec<_> = records.iter().map(|(text, line)| (text.len(), *line)).collect();
                assert_eq!(shape, [(1, 1), (length.min(MAX_RECORD), 2), (1, 3)]);
                let reason = parse(str::from_utf8(&records[1].0).unwrap()).unwrap_err();
                assert_eq!(reason.contains("longer than"), cut_off, "{reason}");
            }
        }
    }

    #[test]
    fn a_puzzle_ends_at_a_separator() {
        for comment in ["", " ED=8.4/8.4/2.6", "\t0.25", ",solution", ";a;b", ":1:solution", " "] {
            for indent in ["", "  ", "\t"] {
                assert_eq!(parse(&format!("{indent}{DOTS}{comment}")), Ok(DOTS.to_owned()));
            }
        }
        assert_eq!(parse(ZEROS), Ok(ZEROS.replace('0', ".")));
        assert_eq!(parse("34..12.....3.... easy"), Ok("34..12.....3....".to_owned()));
        assert_eq!(parse(&format!("0000183b305c {BANK}  1.2")), Ok(BANK.replace('0', ".")));
    }

    #[test]
    fn errors_name_the_column() {
        for (record, reason) in [
            (DOTS[1..].to_owned(), "80 cells; a puzzle has 16, 81, 256 or 625"),
            (format!("{DOTS}1 x"), "82 cells; a puzzle has 16, 81, 256 or 625"),
            (format!("  {}q{}", &DOTS[..16], &DOTS[17..]), "column 19: 'q' is no digit"),
            (DOTS.replacen(".3", "03", 1), "column 10: blank '0' after blank '.'; one puzzle has one blank symbol"),
            (format!("0000183b305c {}", BANK.replacen('4', "q", 1)), "column 63: 'q' is no digit"),
            (format!("0000183b305  {BANK}"), "11 cells; a puzzle has 16, 81, 256 or 625"),
            (format!("0000183b305c  {BANK}"), "12 cells; a puzzle has 16, 81, 256 or 625"),
            (format!("0000183b305z {BANK}"), "12 cells; a puzzle has 16, 81, 256 or 625"),
            (".".repeat(729), "729 cells; pencilmarks are not read, a puzzle has 16, 81, 256 or 625"),
            (",".to_owned(), "0 cells; a puzzle has 16, 81, 256 or 625"),
        ] {
            assert_eq!(parse(&record), Err(reason.to_owned()), "{record}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_pieces(text in testing::noise(&[DOTS, BANK, "end\n", "\nend"]), sizes in testing::pieces()) {
            let splitter = || Box::new(LineSplitter::new(Preamble::default())) as Box<dyn Splitter>;
            testing::check_pieces(splitter, &mut LineParser::new(Alphabets::default()), &text, &sizes)?;
            let naive: Vec<_> = (1..).zip(text.split(|&byte| byte == b'\n'))
                .filter(|(_, line)| !line.starts_with(b"#") && !line.trim_ascii().is_empty())
                .take_while(|(_, line)| line.trim_ascii() != b"end")
                .map(|(number, line)| (line.strip_suffix(b"\r").unwrap_or(line).to_vec(), number))
                .collect();
            prop_assert_eq!(testing::split_bytes(&mut *splitter(), &text, &[text.len().max(1)]), naive);
        }
    }
}

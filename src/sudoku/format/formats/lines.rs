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

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::format::alphabet::{Alphabets, BLANKS, is_digit_or_blank};
use crate::format::columns::WantedColumns;
use crate::format::definition::{Format, FoundLayout, PlainFormat, Start, TextLayout, with_sizes};
use crate::format::evidence;
use crate::format::splitter::{Preamble, StreamPosition};
use crate::format::stream::Skipped;
use crate::format::{
    BatchEnd, BatchLimits, Consumed, DetectError, LongLine, MAX_RECORD, Malformed, ParsedPuzzle, Parser, Puzzles, Size,
    Splitter, SymbolPosition, cells, links, spaced,
};
use crate::puzzle::Pencilmarks;

/// The format.
#[derive(Debug)]
pub(super) struct Lines;

impl Format for Lines {
    fn is_likely(&self, _start: Start<'_>) -> bool {
        true
    }

    fn layout(&self, start: Start<'_>, _: WantedColumns<'_>) -> Result<FoundLayout, DetectError> {
        let header = header_of_cells(start.text());
        let preamble = if header > 0 { start.comments + header } else { start.mark };
        Ok(FoundLayout { text: Box::new(LinesLayout { has_header: header > 0 }), table: None, preamble })
    }
}

/// The length of the line of names in a table with a column for each cell; 0 if the text does not begin with one. Names
/// are all different and short; cells never are.
fn header_of_cells(text: &[u8]) -> usize {
    let end = memchr(b'\n', text).map_or(0, |end| end + 1);
    let names = || text[..end].trim_ascii().split(|byte| matches!(byte, b',' | b';' | b'\t'));
    let count = names().count();
    let are_names = || names().all(|name| name.len() < MAX_NAME) && names().collect::<HashSet<_>>().len() == count;
    if Size::from_cells(count).is_some() && are_names() { end } else { 0 }
}

/// The maximum length of a name.
const MAX_NAME: usize = 40;

/// Lines with puzzles.
#[derive(Debug)]
struct LinesLayout {
    /// Whether the first line names the cells.
    has_header: bool,
}

impl TextLayout for LinesLayout {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        Box::new(LineSplitter::new(preamble))
    }

    fn parser(&self, alphabets: Alphabets, column: usize) -> Box<dyn Parser> {
        if column == 0 { Box::new(LineParser(alphabets)) } else { Box::new(LineAnswerParser(alphabets)) }
    }

    fn columns(&self) -> usize {
        2
    }

    fn describe(&self, sizes: &[Size], _columns: &str) -> String {
        with_sizes("lines", sizes) + if self.has_header { ", below a header" } else { "" }
    }
}

/// A format where each line is a record, with any content.
pub(in crate::sudoku::format) const ALL_LINES: PlainFormat = PlainFormat {
    is_likely: |_| false,
    preamble: |_| 0,
    splitter: |_| Box::new(LineSplitter::all_lines()),
    parser: |alphabets| Box::new(LineParser(alphabets)),
    has_symbols: true,
    describe: |sizes| with_sizes("lines", sizes),
};

/// Splits a stream into lines.
#[derive(Clone, Debug)]
pub(super) struct LineSplitter {
    position: StreamPosition,
    /// The line of `end`, once it was read.
    end: Option<u64>,
    records: LineRecords,
    skipped: Skipped,
}

/// The lines that are records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineRecords {
    /// Lines that are neither empty nor comments, up to `end`.
    Puzzles,
    /// Lines that are not empty.
    Filled,
    /// All lines.
    All,
}

impl LineSplitter {
    /// A splitter for a stream with a preamble.
    pub(super) fn new(preamble: Preamble) -> LineSplitter {
        let (position, records) = (StreamPosition::after(preamble), LineRecords::Puzzles);
        LineSplitter { position, end: None, records, skipped: preamble.skipped }
    }

    /// A splitter for a stream where each line is a record, except lines with nothing but white space.
    pub(super) fn filled_lines(preamble: Preamble) -> LineSplitter {
        LineSplitter { records: LineRecords::Filled, ..LineSplitter::new(preamble) }
    }

    /// A splitter for a stream where each line is a record.
    pub(super) fn all_lines() -> LineSplitter {
        LineSplitter { records: LineRecords::All, ..LineSplitter::new(Preamble::default()) }
    }

    /// Classifies a line. If it `is_cut_off`, it has more text.
    fn classify(&self, line: &[u8], is_cut_off: bool) -> LineKind {
        match (line.first(), self.records) {
            // The first byte decides for nearly all lines, which are then not trimmed.
            (Some(b'0'..=b'9' | b'.'), _) | (_, LineRecords::All) => LineKind::Record,
            (Some(b'#'), LineRecords::Puzzles) => LineKind::Skipped,
            (_, records) => match line.trim_ascii() {
                b"" if !is_cut_off => LineKind::Skipped,
                b"end" if records == LineRecords::Puzzles => LineKind::End,
                _ => LineKind::Record,
            },
        }
    }
}

/// The kind of a line.
enum LineKind {
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
        if let Some(line) = self.end {
            return self.after_end(line, text, at_end);
        }
        let end_of_text = if at_end { BatchEnd::EndOfInput } else { BatchEnd::Incomplete };
        let mut start = self.position.skip_preamble(text);
        let first = start;
        // A single search for all line ends: starting anew for each line takes longer.
        let mut line_ends = memchr_iter(b'\n', &text[first..]).map(|end| first + end);

        let mut records = 0;
        let end = loop {
            if records == limits.records || (records > 0 && start >= limits.bytes) {
                break BatchEnd::Limit;
            }
            let (end, next) = match line_ends.next() {
                Some(end) => (end, end + 1),
                None if text.len() - start >= MAX_RECORD => (text.len(), text.len()),
                None if at_end && start < text.len() => (text.len(), text.len()),
                None => break end_of_text,
            };

            let mut line = &text[start..end];
            let is_cut_off = line.len() >= MAX_RECORD;
            line = if is_cut_off { &line[..MAX_RECORD] } else { line.strip_suffix(b"\r").unwrap_or(line) };
            let long = match self.classify(line, is_cut_off) {
                LineKind::Record => {
                    record(start..start + line.len(), self.position.line);
                    records += 1;
                    LongLine::Record
                }
                LineKind::Skipped => {
                    self.skipped.add(line);
                    LongLine::Comment
                }
                LineKind::End => {
                    self.end = Some(self.position.line);
                    let after = self.after_end(self.position.line, &text[next..], at_end);
                    return Consumed { bytes: next + after.bytes, ..after };
                }
            };

            if is_cut_off {
                self.position.line += 1;
                start += MAX_RECORD;
                break BatchEnd::LongLine(long);
            }
            self.position.line += u64::from(next > end);
            start = next;
        };
        Consumed { bytes: start, end }
    }

    fn notes(&self) -> (Skipped, Option<String>) {
        (self.skipped, None)
    }
}

impl LineSplitter {
    /// Skips the text after `end`, which is on this line, up to the first byte that is not white space.
    fn after_end(&mut self, line: u64, text: &[u8], at_end: bool) -> Consumed {
        if !text.trim_ascii().is_empty() {
            self.skipped.end = Some(line);
            return Consumed { bytes: 0, end: BatchEnd::EndOfInput };
        }
        let end = if at_end || self.skipped.end.is_some() { BatchEnd::EndOfInput } else { BatchEnd::Incomplete };
        Consumed { bytes: text.len(), end }
    }
}

/// Parses the puzzle at the start of a line.
#[derive(Clone, Debug)]
struct LineParser(Alphabets);

impl Parser for LineParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        // Nearly all lines are only a puzzle: without a look at what else a line may be, rows take 5 % less.
        if let Some(puzzle) = cells::parse_nine(record, &self.0, puzzles) {
            return Ok(puzzle);
        }
        let text = record.trim_ascii_start();
        let indent = record.len() - text.len();
        let text = text.trim_ascii_end();

        // The text after the colon of a game ID may be as long as a puzzle.
        if links::begins_game_id(text)
            && let Some(parsed) = links::parse(text, &self.0, puzzles)
        {
            return parsed;
        }

        // Most lines have a separator just after the last cell of some size. Checking these places is faster than
        // searching for the first separator, which comes next, and also finds the fault.
        let ends_at = |cells: usize| cells <= text.len() && text.get(cells).is_none_or(|byte| is_separator(*byte));
        let nine = Size::Nine.cells();
        let mut sizes = Size::ALL.into_iter().rev().map(Size::cells);
        if let Some(cells) = if ends_at(nine) { Some(nine) } else { sizes.find(|cells| ends_at(*cells)) }
            && !(cells == Size::Four.cells() && starts_with_rows(text))
            && !evidence::has_more_cells(&text[..cells], &text[cells..])
            && let Ok(puzzle) = cells::parse(&text[..cells], &self.0, puzzles, SymbolPosition::Column)
        {
            return Ok(puzzle);
        }

        let (start, puzzle) = puzzle_in(text);
        if starts_with_rows(text)
            && let Some(parsed) = spaced::parse(record, &self.0, puzzles)
        {
            return parsed;
        }

        let symbols = match spaced::side_of_separated_rows(puzzle) {
            Some(side) => puzzle.chunks(side + 1).flat_map(|row| &row[..side]).copied().collect(),
            None => Cow::Borrowed(puzzle),
        };
        let has_more = || evidence::has_more_cells(&symbols, &text[start + puzzle.len()..]);
        let has_cells_before = || evidence::cells_in(&text[..start]).is_some();
        if cells::is_length_of_puzzle(symbols.len()) && (has_more() || has_cells_before()) {
            return Err(Malformed::MoreCells);
        }
        let position = |index| SymbolPosition::Column(indent + start + index + 1);
        match cells::parse(puzzle, &self.0, puzzles, position) {
            Err(error) if !cells::is_length_of_puzzle(puzzle.len()) || !puzzle.is_ascii() || puzzle.contains(&b'+') => {
                match spaced::parse(puzzle, &self.0, puzzles) {
                    Some(Ok(puzzle)) => Ok(puzzle),
                    parsed => spaced::parse(record, &self.0, puzzles).or(parsed).unwrap_or(Err(error)),
                }
            }
            // An answer whose puzzle is lost, or all but its last cells.
            Ok(puzzle) if puzzle.is_full() && (is_separator(text[0]) || has_blanks(&text[..start])) => {
                puzzles.pop(puzzle.size);
                Err(Malformed::Outside)
            }
            parsed => parsed,
        }
    }

    fn pencilmarks<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        puzzle_in(record.trim_ascii()).1
    }
}

/// Whether a text has two blanks in a row.
fn has_blanks(text: &[u8]) -> bool {
    text.windows(2).any(|pair| pair.iter().all(|byte| BLANKS.contains(byte) && !byte.is_ascii_alphanumeric()))
}

/// Whether a line begins with three words as long as a row of a 16x16 grid, which is as long as a 4x4 puzzle. A puzzle
/// and its answer are two such words.
fn starts_with_rows(text: &[u8]) -> bool {
    let is_row = |start: usize| text.get(start + 16).is_some_and(|byte| *byte == b' ');
    (0..3).all(|row| is_row(17 * row))
}

/// Parses the answer after the puzzle of a line.
#[derive(Clone, Debug)]
struct LineAnswerParser(Alphabets);

impl Parser for LineAnswerParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let answer = answer_in(record, &self.0).ok_or(Malformed::CellCount { cells: 0 })?;
        cells::parse(answer, &self.0, puzzles, |index| SymbolPosition::Column(index + 1))
    }
}

/// The answer in a line: the first word after the puzzle that has the same length and no blank.
fn answer_in<'a>(line: &'a [u8], alphabets: &Alphabets) -> Option<&'a [u8]> {
    let text = line.trim_ascii_start();
    let (start, puzzle) = puzzle_in(text);
    let size = Size::from_cells(puzzle.len())?;
    let mut words = text[start + puzzle.len()..].split(|byte| is_separator(*byte) || is_quote(*byte));
    words.find(|word| word.len() == size.cells() && cells::is_full(alphabets, size, word))
}

/// The puzzle of a line without leading white space, and its start. It may be quoted, and follow a number, a name, a
/// hash or similar that is shorter than half of it, so that a damaged puzzle is not skipped. A line that is commented
/// out has no puzzle.
pub(super) fn puzzle_in(text: &[u8]) -> (usize, &[u8]) {
    let first = word_at(text, 0);
    // A number of 16 digits may be an ID.
    let is_id = |word: &[u8]| word.len() == Size::Four.cells() && word.iter().any(|byte| matches!(byte, b'5'..=b'9'));
    if cells::is_length_of_puzzle(first.1.len()) && !is_id(first.1) || text.starts_with(b"#") {
        return first;
    }
    let is_puzzle = |word: &[u8]| {
        let cells = word.iter().filter(|byte| is_digit_or_blank(**byte)).count();
        let is_text = cells::is_length_of_puzzle(word.len()) && 2 * cells >= word.len();
        is_text && word.iter().any(u8::is_ascii_alphanumeric) || spaced::side_of_separated_rows(word).is_some()
    };
    let starts = (1..text.len().min(LONGEST_LABEL)).filter(|&at| is_separator(text[at - 1]) && !is_separator(text[at]));
    let mut words = starts.map(|start| word_at(text, start));
    words.find(|(start, word)| 2 * start < word.len() && is_puzzle(word)).unwrap_or(first)
}

/// The maximum number of bytes before a puzzle, which is a pencilmark puzzle at most.
const LONGEST_LABEL: usize = Pencilmarks::SYMBOLS / 2;

/// The word at `start`, without quotes, and its start.
fn word_at(text: &[u8], start: usize) -> (usize, &[u8]) {
    let is_quoted = text.get(start).is_some_and(|byte| is_quote(*byte));
    let start = start + usize::from(is_quoted);
    let ends = |byte: &u8| is_separator(*byte) || (is_quoted && is_quote(*byte));
    let length = text[start..].iter().position(ends).unwrap_or(text.len() - start);
    (start, &text[start..start + length])
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b':' | b'|')
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputOptions, detect, testing};

    const DOTS: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const ZEROS: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
    const BANK: &str = "050703060007000800000816000000030000005000100730040086906000204840572093000409000";

    fn split(text: &str) -> Vec<(String, u64)> {
        testing::split(&mut LineSplitter::new(Preamble::default()), text)
    }

    fn parse(record: &str) -> Result<String, String> {
        let alphabets = Alphabets::default();
        testing::parse(&mut LineParser(alphabets), &alphabets, record.as_bytes())
    }

    #[test]
    fn a_header_over_single_cells_is_no_record() {
        let cells = |name: fn(usize) -> String| (0..16).map(name).collect::<Vec<_>>();
        let puzzle = cells(|cell| (cell % 5).to_string()).join(",") + "\n";
        for header in [cells(|cell| format!("c{cell}")), cells(|cell| cell.to_string())] {
            for between in [",", ";", "\t", ", "] {
                let text = format!("# a\n{}\r\n{puzzle}{puzzle}", header.join(between));
                let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
                assert_eq!(layout.to_string(), "lines of 4x4, below a header, blank '0'");
                let lines: Vec<u64> =
                    testing::split(&mut *layout.splitter(), &text).iter().map(|record| record.1).collect();
                assert_eq!(lines, [3, 4]);
            }
        }
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
    fn two_puzzles_on_a_line_are_not_read_as_one() {
        let another =
            Err("more cells follow the puzzle; the line end between two puzzles may be lost, or a symbol is wrong"
                .to_owned());
        let short = format!("{DOTS} 1.3..........4.2");
        for line in [
            format!("{DOTS} {ZEROS}"),
            format!("7: {DOTS},{ZEROS}"),
            format!("{DOTS};3,\"{BANK}\""),
            format!("{DOTS},{}", &BANK[1..]),
            short,
        ] {
            assert_eq!(parse(&line), another, "{line}");
        }
        // An answer, blanks, and the same puzzle with different blanks.
        let answer = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
        for rest in [answer, &"x".repeat(81), &DOTS.replace('.', "0")] {
            assert_eq!(parse(&format!("{DOTS},{rest}")), Ok(DOTS.to_owned()), "{rest}");
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
        let bank = BANK.replace('0', ".");
        for line in [
            format!("0000183b305c {BANK}  1.2"),
            format!("5a58e7c1dac1f308202e9dbd {BANK}  1.2"),
            format!("puzzle_string: {BANK}"),
            format!("Easter Monster: {BANK}"),
            format!("0\t30\t{BANK}"),
            format!("grid0 = \"{BANK}\""),
            format!("12 {BANK}"),
            format!("12. {BANK} easy"),
            format!("12) {BANK}"),
            format!("12,{BANK},easy"),
            format!("12\t\"{BANK}\""),
            format!("\"{BANK}\",\"easy\""),
            format!("'{BANK}'"),
            format!("{BANK}|1"),
            format!("12|{BANK}|1"),
            format!("{BANK}\r\r"),
            BANK.replace("", " "),
            BANK.replace('0', " "),
        ] {
            assert_eq!(parse(&line), Ok(bank.clone()), "{line}");
        }
    }

    #[test]
    fn a_game_id_may_be_as_long_as_a_puzzle() {
        let id = "3x3:2_8_6_1_3b4e6a1d1a9d8_1g3e5_2_9a2b5a3d8_2_1_9a3b4_3a8b9b5_2_3a4c";
        let cells = "28613..4.....6.1....1.9....81.......3.....529.2..5.3....8219.3..43.8..9..523.4...";
        assert_eq!(id.len() - 4, 64);
        for line in [id.to_owned(), format!(" {id}"), format!("{id} # hard")] {
            assert_eq!(parse(&line), Ok(cells.to_owned()), "{line}");
        }
    }

    #[test]
    fn pencilmarks_end_at_a_separator() {
        let pencilmarks = "1.3.5..80".repeat(81);
        for line in [
            pencilmarks.clone(),
            format!("  {pencilmarks}\r"),
            format!("{pencilmarks} # hard"),
            format!("12. {pencilmarks};1.2"),
            format!("0000183b305c {pencilmarks}  1.2"),
            format!("\"{pencilmarks}\",7"),
        ] {
            let reason =
                "a pencilmark puzzle, which only solve, rate, explain and trace take; its solutions are not listed";
            assert_eq!(parse(&line), Err(reason.to_owned()), "{line}");
            let mut parser = LineParser(Alphabets::default());
            assert_eq!(parser.pencilmarks(line.as_bytes()), pencilmarks.as_bytes(), "{line}");
        }
        assert_eq!(
            parse(&pencilmarks[1..]).unwrap_err(),
            "728 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"
        );
    }

    #[test]
    fn rows_of_sixteen_cells_are_no_small_puzzles() {
        let row = "1..2............";
        let mut alphabets = Alphabets::default();
        alphabets.set("1-G".parse().unwrap());
        let read = |rows: usize| {
            testing::parse(&mut LineParser(alphabets), &alphabets, [row; 16][..rows].join(" ").as_bytes())
        };
        assert_eq!(read(16), Ok(row.repeat(16)));
        assert_eq!(read(2), Ok(row.to_owned()), "a puzzle and something after it");
    }

    #[test]
    fn an_answer_is_a_full_grid_after_the_puzzle() {
        let answer = "123456789".repeat(9);
        for line in [
            format!("{BANK},{answer}"),
            format!("12 {BANK} {answer} easy"),
            format!("{BANK}:1:{answer}"),
            format!("\"{BANK}\";\"{answer}\""),
        ] {
            assert_eq!(answer_in(line.as_bytes(), &Alphabets::default()), Some(answer.as_bytes()), "{line}");
        }
        for line in [BANK.to_owned(), format!("{BANK},{BANK}"), format!("{BANK} {}", &answer[1..]), answer] {
            assert_eq!(answer_in(line.as_bytes(), &Alphabets::default()), None, "{line}");
        }
    }

    #[test]
    fn errors_name_the_column() {
        for (record, reason) in [
            (DOTS[1..].to_owned(), "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (format!("{DOTS}1 x"), "82 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (format!("{DOTS}\r{DOTS}"), "column 82: byte 0x0d is not a symbol of a puzzle"),
            (format!("  {}q{}", &DOTS[..16], &DOTS[17..]), "column 19: 'q' is not a digit"),
            (DOTS.replacen(".3", "03", 1), "column 10: blank '0' after blank '.'; one puzzle has one blank symbol"),
            (format!("0000183b305c {}", BANK.replacen('4', "q", 1)), "column 63: 'q' is not a digit"),
            (format!("{ZEROS} {BANK}")[1..].to_owned(), "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (",".to_owned(), "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        ] {
            assert_eq!(parse(&record), Err(reason.to_owned()), "{record}");
        }
    }
}

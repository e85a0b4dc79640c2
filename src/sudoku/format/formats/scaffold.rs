//! Puzzles in the lines of another text, such as SQL, YAML or source code: each is in quotes, or follows a name and `:`
//! or `=`. The text around them is a scaffold, which is skipped.
//!
//! ```text
//! PUZZLES = [                                            - level: easy
//!     "53..7....6..195....98....6.8...6...34..8...",       puzzle: 53..7....6..195....98....6.8...6...34..8...
//!     "....8..79...",                                      solution: 534678912672195348198342567859761423426853...
//! ]
//! ```
//!
//! A record is a line with cells, with the lines up to its answer: a full grid that has the clues of the puzzle.

use std::ops::Range;

use memchr::memchr;

use crate::format::alphabet::Alphabets;
use crate::format::definition::{TextLayout, with_sizes};
use crate::format::evidence::{cells_in, has_more_cells};
use crate::format::splitter::{FindRecord, NextRecord, Preamble, window};
use crate::format::{
    BatchEnd, MAX_RECORD, Malformed, ParsedPuzzle, Parser, Puzzles, Size, Splitter, SymbolPosition, cells,
};

/// The layout of a text if most lines with cells have them in quotes or after a name.
pub(in crate::sudoku::format) fn scaffold_layout(text: &[u8]) -> Option<Box<dyn TextLayout>> {
    let lines = text.split(|&byte| byte == b'\n').filter_map(|line| Some((line, cells_in(line)?)));
    let (opened, others): (Vec<_>, Vec<_>) = lines.partition(|(line, cells)| is_opened(&line[..cells.start]));
    let is_scaffold = !opened.is_empty() && 2 * others.len() <= opened.len();
    is_scaffold.then(|| Box::new(Scaffold) as Box<dyn TextLayout>)
}

/// Whether the text before the cells of a line ends with a quote, or with a name and `:` or `=`.
fn is_opened(before: &[u8]) -> bool {
    let named = before.trim_ascii_end();
    let has_name = || named[..named.len() - 1].trim_ascii_end().last().is_some_and(u8::is_ascii_alphabetic);
    match (before.last(), named.last()) {
        (Some(b'"' | b'\'' | b'`'), _) => true,
        (_, Some(b':' | b'=')) => has_name(),
        _ => false,
    }
}

/// A text with puzzles in it.
#[derive(Debug)]
struct Scaffold;

impl TextLayout for Scaffold {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        Box::new(ScaffoldSplitter.after(preamble))
    }

    fn parser(&self, alphabets: Alphabets, column: usize) -> Box<dyn Parser> {
        Box::new(ScaffoldParser { alphabets, is_answer: column > 0 })
    }

    fn columns(&self) -> usize {
        2
    }

    fn describe(&self, sizes: &[Size], _columns: &str) -> String {
        format!("{} in another text", with_sizes("lines", sizes))
    }
}

/// Splits a text into lines with cells, each with its answer.
struct ScaffoldSplitter;

impl FindRecord for ScaffoldSplitter {
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let (mut start, mut next, mut found) = (0, 0, None::<Range<usize>>);
        loop {
            let seen = window(&text[start..]);
            let rest = &seen[next - start..];
            let is_full = seen.len() == MAX_RECORD;
            let (line, after) = match memchr(b'\n', rest) {
                Some(length) => (&rest[..length], next + length + 1),
                None if is_full && found.is_none() => return NextRecord::cut_off(text, start, start),
                None if !is_full && !at_end => return NextRecord::none(start, BatchEnd::Incomplete),
                None if is_full || rest.is_empty() => {
                    let end = NextRecord::none(text.len(), BatchEnd::EndOfInput);
                    return found.map_or(end, |record| NextRecord::found(record.clone(), record.end));
                }
                None => (rest, next + rest.len()),
            };
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let has_cells = cells_in(line).is_some();
            match &found {
                None if has_cells => found = Some(next..next + line.len()),
                None => start = after,
                Some(record) if has_cells => {
                    let is_answered = is_answered(&text[record.clone()], line);
                    let end = if is_answered { next + line.len() } else { record.end };
                    return NextRecord::found(record.start..end, end);
                }
                Some(_) => {}
            }
            next = after;
        }
    }
}

/// Whether a line has the answer to the puzzle of a record.
fn is_answered(record: &[u8], line: &[u8]) -> bool {
    let (Some(puzzle), Some(answer)) = (cells_in(record), cells_in(line)) else { return false };
    let (puzzle, answer) = (&record[puzzle], &line[answer]);
    let is_full = |text: &[u8]| {
        Size::from_cells(text.len()).is_some_and(|size| cells::is_full(&Alphabets::default(), size, text))
    };
    let keeps = |(clue, value): (&u8, &u8)| clue == value || !clue.is_ascii_alphanumeric() || *clue == b'0';
    puzzle.len() == answer.len() && !is_full(puzzle) && is_full(answer) && puzzle.iter().zip(answer).all(keeps)
}

/// Parses the puzzle of a record, or its answer.
struct ScaffoldParser {
    alphabets: Alphabets,
    is_answer: bool,
}

impl Parser for ScaffoldParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let mut range = cells_in(record).ok_or(Malformed::Outside)?;
        if !self.is_answer && has_more_cells(&record[range.clone()], &record[range.end..]) {
            return Err(Malformed::MoreCells);
        }
        if self.is_answer {
            let after = range.end;
            let answer = cells_in(&record[after..]).ok_or(Malformed::CellCount { cells: 0 })?;
            range = after + answer.start..after + answer.end;
        }
        let position = |index| SymbolPosition::Column(range.start + index + 1);
        let parsed = cells::parse(&record[range.clone()], &self.alphabets, puzzles, position)?;
        // A full grid is an answer whose puzzle is lost.
        if !self.is_answer && parsed.is_full() {
            puzzles.pop(parsed.size);
            return Err(Malformed::Outside);
        }
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use crate::format::{AnswerColumn, InputOptions, detect, testing};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const ANSWER: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    const OTHER: &str = ".7...4..88.57.....2.......66.894.2..5..1..4......8......6.........6.5.9.92...36.4";

    /// The layout of a text, and the cells or the fault of each record, with its line.
    fn read(text: &str) -> (String, Vec<(String, u64)>) {
        let options = InputOptions { answer: AnswerColumn::ByName, ..InputOptions::default() };
        let layout = detect(text.as_bytes(), true, &options).unwrap();
        let records = testing::split(&mut *layout.splitter(), text);
        let parse = |(record, line): (String, u64)| {
            let parsed = testing::parse(&mut *layout.parser(), layout.alphabets(), record.as_bytes());
            (parsed.unwrap_or_else(|reason| reason), line)
        };
        (layout.to_string(), records.into_iter().map(parse).collect())
    }

    #[test]
    fn puzzles_are_read_in_other_texts() {
        for (text, lines) in [
            (format!("PUZZLES = [\n    \"{PUZZLE}\",\n    \"{OTHER}\",\n]\n"), [2, 3]),
            (
                format!(
                    "CREATE TABLE t (p);\nINSERT INTO t VALUES (1, '{PUZZLE}', 'easy');\nINSERT INTO t VALUES (2, '{OTHER}', '');\n"
                ),
                [2, 3],
            ),
            (
                format!(
                    "- id: 1700000000123456\n  puzzle: {PUZZLE}\n  solution: {ANSWER}\n- id: 2\n  puzzle: {OTHER}\n"
                ),
                [2, 5],
            ),
            (format!("(solve \"{PUZZLE}\")\r\n\r\n(solve \"{OTHER}\")"), [1, 3]),
        ] {
            let (layout, found) = read(&text);
            let expected = [(PUZZLE.to_owned(), lines[0]), (OTHER.to_owned(), lines[1])];
            assert_eq!(found, expected, "{layout}: {text}");
            assert!(layout.starts_with("lines of 9x9"), "{layout}");
        }
    }

    #[test]
    fn the_text_around_puzzles_is_not_malformed() {
        assert_eq!(read(&format!("a = [\n\"{PUZZLE}\",\n]\n")).0, "lines of 9x9 in another text, blank '.'");
        // Without quotes, each line is a record.
        assert_eq!(read(&format!("a = [\n{PUZZLE},\n]\n")).0, "lines of 9x9, blank '.'");
    }

    #[test]
    fn damaged_puzzles_of_other_texts_are_told() {
        let text =
            format!("a:\n  - \"{PUZZLE}\"\n  - \"{}\"\n  - \"{}\"\n  - \"{OTHER}\"\n", &PUZZLE[..80], &OTHER[..40]);
        let cells = |count| format!("{count} cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625");
        let expected = [(PUZZLE.to_owned(), 2), (cells(80), 3), (cells(40), 4), (OTHER.to_owned(), 5)];
        assert_eq!(read(&text).1, expected);
    }
}

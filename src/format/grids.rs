//! `grids`: as many lines as columns, with or without borders, one puzzle after another.
//!
//! ```text
//! Grid 01
//! 53..7....            5 3 . | . 7 . | . . .
//! 6..195...            6 . . | 1 9 5 | . . .
//! .98....6.            . 9 8 | . . . | . 6 .
//! 8...6...3            ------+-------+------
//! ...                  ...
//! ```
//!
//! White space and `|` between cells mean nothing. Title lines (`Grid 01`), `#` lines and borders are passed over. An
//! empty line ends a grid, and so does its last row. The text of a grid with an empty line before it begins with the
//! end of that line: this is how [`ParsedPuzzle::apart`] travels.
//!
//! A line of dashes only is a border or a row of blanks; `GridScanner` tells which.

use std::ops::Range;

use memchr::memchr;

use super::alphabet::Alphabets;
use super::cells;
use super::grid_scanner::{GridScanner, ScannedLine, is_spacing};
use super::position::{Preamble, StreamPosition, count_lines, window};
use super::splitter::{NextRecord, batch_of_single_records};
use super::{
    BatchLimits, Consumed, MAX_RECORD, Malformed, Order, ParsedPuzzle, Parser, Puzzles, Splitter, SymbolPosition,
};

/// Cuts a stream into grids.
#[derive(Clone, Debug)]
pub(super) struct GridSplitter {
    position: StreamPosition,
    /// The text starts within a line that is too long.
    passing: bool,
    /// There was a grid.
    begun: bool,
}

impl GridSplitter {
    /// A splitter for a stream with a preamble.
    pub(super) fn new(preamble: Preamble) -> GridSplitter {
        GridSplitter { position: StreamPosition::after(preamble), passing: false, begun: false }
    }

    /// Moves `at` on to `to`.
    fn pass(&mut self, text: &[u8], at: &mut usize, to: usize) {
        self.position.line += count_lines(&text[*at..to]);
        *at = to;
    }

    /// Moves `at` on to the next line, which may be in another text.
    fn pass_line(&mut self, text: &[u8], at: &mut usize) {
        let end = memchr(b'\n', &text[*at..]).map(|end| *at + end + 1);
        self.passing = end.is_none();
        self.pass(text, at, end.unwrap_or(text.len()));
    }

    /// The record in `text[at..end]`, of which the first row stands at `first`.
    fn record(&mut self, text: &[u8], mut at: usize, first: usize, end: usize) -> NextRecord {
        self.begun = true;
        let start = at;
        self.pass(text, &mut at, first);
        let line = self.position.line;
        self.pass(text, &mut at, end);
        let mut content = &text[start..end];
        if content.len() < MAX_RECORD {
            content = content.strip_suffix(b"\n").unwrap_or(content);
            content = content.strip_suffix(b"\r").unwrap_or(content);
        }
        NextRecord::Found { text: start..start + content.len(), line, next: end }
    }
}

impl GridSplitter {
    /// Finds the first record of `text`; `at_end` says that the stream ends where `text` does.
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let mut at = self.position.skip_preamble(text);
        if self.passing {
            self.pass_line(text, &mut at);
        }
        // The record reaches from `at` to `next`, its first row is at `first`; the line at `next` is looked at.
        let (mut first, mut next) = (at, at);
        let mut sketch = GridScanner::default();
        loop {
            let window = window(&text[at..]);
            let rest = &window[next - at..];
            let (line, after) = match memchr(b'\n', rest) {
                Some(end) => (&rest[..end], next + end + 1),
                None if window.len() == MAX_RECORD => {
                    let alone = next <= at + 1;
                    if sketch.rows() == 0 && (!alone || rest.starts_with(b"#")) {
                        // Too much that is no grid: forget it, an empty line before it as well.
                        self.pass(text, &mut at, next);
                        if alone {
                            self.pass_line(text, &mut at);
                        }
                        (first, next, sketch) = (at, at, GridScanner::default());
                        continue;
                    }
                    self.passing = !rest.is_empty();
                    let first = if sketch.rows() == 0 { next } else { first };
                    return self.record(text, at, first, at + MAX_RECORD);
                }
                None if !at_end => return NextRecord::Incomplete { consumed: at },
                None if rest.is_empty() => {
                    sketch.end();
                    return if sketch.rows() > 0 { self.record(text, at, first, next) } else { NextRecord::EndOfInput };
                }
                None => (rest, next + rest.len()),
            };
            let line = ScannedLine::of(line);
            if matches!(line, ScannedLine::Empty | ScannedLine::Title) {
                sketch.end();
                if sketch.rows() > 0 {
                    return self.record(text, at, first, next);
                }
                sketch = GridScanner::default();
            }
            let begun = sketch.has_begun();
            let rows = sketch.rows();
            sketch.add(line);
            if !begun || (rows, sketch.rows()) == (0, 1) {
                first = next;
            }
            if line == ScannedLine::Empty && self.begun && text[after - 1] == b'\n' {
                self.pass(text, &mut at, after - 1);
            } else if line == ScannedLine::Empty || (at == next && !sketch.has_begun()) {
                self.pass(text, &mut at, after);
            }
            next = after;
            if sketch.is_complete() {
                return self.record(text, at, first, next);
            }
        }
    }
}

impl Splitter for GridSplitter {
    fn next_batch(
        &mut self,
        text: &[u8],
        at_end: bool,
        limits: BatchLimits,
        record: &mut dyn FnMut(Range<usize>, u64),
    ) -> Consumed {
        batch_of_single_records(text, limits, record, |text| self.next_record(text, at_end))
    }
}

/// Reads the cells of a grid.
#[derive(Clone, Debug)]
pub(super) struct GridParser {
    alphabets: Alphabets,
    /// The cells of a grid, end to end.
    text: Vec<u8>,
}

impl GridParser {
    /// A parser for puzzles in these alphabets.
    pub(super) fn new(alphabets: Alphabets) -> GridParser {
        GridParser { alphabets, text: Vec::new() }
    }

    /// Collects the cells of a grid, whatever stands around them, and answers how many there are in a row.
    fn collect(&mut self, grid: &[u8]) -> Result<usize, Malformed> {
        let mut sketch = GridScanner::default();
        let mut body = grid;
        let mut rest = grid;
        while !rest.is_empty() {
            let line = ScannedLine::of(next_line(&mut rest));
            if matches!(line, ScannedLine::Empty | ScannedLine::Title) {
                sketch = GridScanner::default();
                body = rest;
            }
            sketch.add(line);
        }
        sketch.end();
        let side = sketch.side();
        if sketch.order().is_none() {
            return Err(Malformed::Width { cells: side });
        }
        self.text.clear();
        let mut row = 0;
        while !body.is_empty() {
            let text = next_line(&mut body);
            let cells = match ScannedLine::of(text) {
                ScannedLine::Cells { count, .. } => count,
                ScannedLine::Ruler { symbol, order } if sketch.is_row(symbol, order) => side,
                _ => continue,
            };
            row += 1;
            if cells != side {
                return Err(Malformed::RowLength { row, cells, side });
            }
            self.text.extend(text.iter().filter(|byte| !is_spacing(**byte)));
        }
        if row == side { Ok(side) } else { Err(Malformed::Rows { rows: row, columns: side }) }
    }
}

/// Takes the first line out of `text`.
fn next_line<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let (line, rest) = match memchr(b'\n', text) {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (*text, &[][..]),
    };
    *text = rest;
    line
}

/// The grid in a record, and whether an empty line stands before it.
fn grid_of(record: &[u8]) -> (&[u8], bool) {
    record.strip_prefix(b"\n").map_or((record, false), |grid| (grid, true))
}

/// The side of a grid that is nothing but its cells and the ends of its lines.
fn plain_side(grid: &[u8]) -> Option<usize> {
    let side = Order::ALL.into_iter().map(Order::side).find(|side| side * (side + 1) - 1 == grid.len())?;
    (1..side).all(|row| grid[row * (side + 1) - 1] == b'\n').then_some(side)
}

impl Parser for GridParser {
    fn parse(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        if record.len() >= MAX_RECORD {
            return Err(Malformed::TooLong);
        }
        let (grid, apart) = grid_of(record);
        if let Some(side) = plain_side(grid) {
            self.text.clear();
            grid.chunks(side + 1).for_each(|line| self.text.extend_from_slice(&line[..side]));
            let position = |index| SymbolPosition::of_cell(index, side);
            if let Ok(puzzle) = cells::parse(&self.text, &self.alphabets, puzzles, position) {
                return Ok(ParsedPuzzle { apart, ..puzzle });
            }
        }
        let side = self.collect(grid)?;
        let position = |index| SymbolPosition::of_cell(index, side);
        let puzzle = cells::parse(&self.text, &self.alphabets, puzzles, position)?;
        Ok(ParsedPuzzle { apart, ..puzzle })
    }

    fn puzzle_text<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        grid_of(record).0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing;
    use super::*;

    const PLAIN: &str = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n\
        ....8..79";
    const SPACED: &str = "5 3 . | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n. 9 8 | . . . | . 6 .\n\
        ------+-------+------\n8 . . | . 6 . | . . 3\n4 . . | 8 . 3 | . . 1\n7 . . | . 2 . | . . 6\n\
        ------+-------+------\n. 6 . | . . . | 2 8 .\n. . . | 4 1 9 | . . 5\n. . . | . 8 . | . 7 9";
    const SIMPLE: &str = " *-----------*\n |53.|.7.|...|\n |6..|195|...|\n |.98|...|.6.|\n |---+---+---|\n\
        |8..|.6.|..3|\n |4..|8.3|..1|\n |7..|.2.|..6|\n |---+---+---|\n |.6.|...|28.|\n |...|419|..5|\n\
        |...|.8.|.79|\n *-----------*";
    const BOXED: &str = "+---+---+---+\n|53.|.7.|...|\n|6..|195|...|\n|.98|...|.6.|\n+===+===+===+\n\
        |8..|.6.|..3|\n|4..|8.3|..1|\n|7..|.2.|..6|\n+---+---+---+\n|.6.|...|28.|\n|...|419|..5|\n\
        |...|.8.|.79|\n+---+---+---+";

    fn split(text: &str) -> Vec<(String, u64)> {
        testing::split(&mut GridSplitter::new(Preamble::default()), text)
    }

    fn parse_in(alphabets: Alphabets, record: &str) -> Result<String, String> {
        testing::parse(&mut GridParser::new(alphabets), &alphabets, record.as_bytes())
    }

    /// Every grid of a text as one line of cells or the reason, with `/` before it if it stands apart, and its line.
    fn read(text: &str) -> Vec<(String, u64)> {
        let grids = split(text).into_iter().map(|(record, line)| {
            let apart = if record.starts_with('\n') { "/" } else { "" };
            let read = parse_in(Alphabets::default(), &record).unwrap_or_else(|reason| reason);
            (format!("{apart}{read}"), line)
        });
        grids.collect()
    }

    #[test]
    fn grids_are_read_however_they_are_drawn() {
        let cells = PLAIN.replace('\n', "");
        let dashes = PLAIN.replace('.', "-");
        let dashes = format!("{}\n---------{}", &dashes[..79], &dashes[79..]);
        for text in [
            PLAIN,
            SPACED,
            SIMPLE,
            BOXED,
            &PLAIN.replace('.', "*"),
            &SPACED.replace('.', "-"),
            &PLAIN.replace('\n', "\r\n"),
        ] {
            let line = text.lines().position(|line| line.contains('5')).unwrap() as u64 + 1;
            assert_eq!(read(text), [(cells.clone(), line)], "{text}");
            let twice = format!("{text}\n{text}\n\n{text}\n\n");
            let texts: Vec<_> = read(&twice).into_iter().map(|(read, _)| read).collect();
            assert_eq!(texts, [cells.clone(), cells.clone(), format!("/{cells}")], "{twice}");
        }
        assert_eq!(read(&dashes)[0].0, cells[..72].to_owned() + ".........", "{dashes}");
    }

    #[test]
    fn titles_and_comments_are_passed_over() {
        let cells = PLAIN.replace('\n', "");
        let text = format!("\n# a\nGrid 01\n{PLAIN}\nGrid 02\n{PLAIN}\n\n#A b\n#C c\n{PLAIN}\n");
        assert_eq!(read(&text), [(cells.clone(), 4), (cells.clone(), 14), (format!("/{cells}"), 26)]);
        let (start, end) = PLAIN.split_at(40);
        assert_eq!(read(&format!("{start}# a\n{end}")), [(cells.clone(), 1)]);
    }

    #[test]
    fn a_row_of_dashes_is_a_row_and_a_border_is_none() {
        let row = |line: &str| format!("{line}\n");
        let blank = row("---------").repeat(9);
        assert_eq!(read(&blank), [(".".repeat(81), 1)]);
        assert_eq!(read(&row("*********").repeat(18)), [(".".repeat(81), 1), (".".repeat(81), 10)]);
        // Blank rows first and last; a grid of dots with dashes between its boxes.
        let dashes = row("---------") + &row("1--------").repeat(7) + "---------";
        let cells = format!("{}{}{}", ".".repeat(9), "1........".repeat(7), ".".repeat(9));
        assert_eq!(read(&format!("{dashes}\n{dashes}")), [(cells.clone(), 1), (cells, 10)]);
        let ruled: Vec<_> = PLAIN.lines().collect();
        let ruled = ruled.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n---------\n");
        assert_eq!(read(&ruled), [(PLAIN.replace('\n', ""), 1)]);
        // A border of 25 dashes around a spaced 9x9 grid is no row of a 25x25 grid.
        let edge = "-".repeat(25);
        let framed = |edge: &str| format!("{edge}\n{}\n{edge}\n", SPACED.replace("------+-------+------", edge));
        assert_eq!(read(&(framed(&edge) + &framed(&edge))).len(), 2);
        assert_eq!(read(&framed(&edge)), [(PLAIN.replace('\n', ""), 2)]);
        assert_eq!(read(&framed(&edge).replace(". ", "- ")).len(), 1);
    }

    #[test]
    fn the_acceptance_inputs_are_read() {
        let text = include_str!("../../tests/acceptance/hexadoku.in");
        let records = split(text);
        assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [1, 18]);
        let mut alphabets = Alphabets::default();
        alphabets.set("A-P".parse().unwrap());
        let cells: String = text.lines().take(16).collect();
        assert_eq!(parse_in(alphabets, &records[0].0), Ok(cells.replace('-', ".")));
        let text = include_bytes!("../../tests/acceptance/counted_grids.in");
        let mut splitter = GridSplitter::new(Preamble::new(&text[..2]));
        let records = testing::split_bytes(&mut splitter, text, &[7]);
        assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [2, 11]);
        assert!(records[1].0.ends_with(b"040508070"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_row() {
        let lines: Vec<_> = PLAIN.lines().collect();
        let good = PLAIN.replace('\n', "");
        for (text, reasons) in [
            (lines[..5].join("\n") + "\n\n" + PLAIN, vec!["5 rows; a grid of 9 columns has 9", &format!("/{good}")]),
            (PLAIN.replace(".98....6.", ".98....6"), vec!["row 3: 8 cells; a row of this grid has 9"]),
            (PLAIN.replace("53..7....", "53..7..."), vec!["row 1: 8 cells; a row of this grid has 9"]),
            (PLAIN.replace(".98....6.", ".98..q.6."), vec!["row 3, column 6: 'q' is no digit"]),
            (
                PLAIN.replace(".98....6.", ".98..0.6."),
                vec!["row 3, column 6: blank '0' after blank '.'; one puzzle has one blank symbol"],
            ),
            (
                "hello\nworld\n\nhello\n".to_owned(),
                vec!["row 1: 5 cells; a row has 4, 9, 16 or 25", "/row 1: 5 cells; a row has 4, 9, 16 or 25"],
            ),
            ("a\n".repeat(30), vec!["row 1: 1 cell; a row has 4, 9, 16 or 25"; 2]),
            ("---------\n".repeat(5), vec!["5 rows; a grid of 9 columns has 9"]),
        ] {
            let read: Vec<_> = read(&text).into_iter().map(|(read, _)| read).collect();
            assert_eq!(read, reasons, "{text}");
        }
    }

    #[test]
    fn text_without_end_is_one_record() {
        let comments = "# a\n".repeat(MAX_RECORD / 4 + 10);
        let long = "1".repeat(2 * MAX_RECORD);
        for (text, lengths) in [
            (format!("{PLAIN}\n{long}\n{PLAIN}"), vec![89, MAX_RECORD, 89]),
            (format!("{PLAIN}\n\n{comments}{PLAIN}"), vec![89, 89]),
            (format!("{PLAIN}\n\n#{long}\n{PLAIN}"), vec![89, 89]),
            (format!("12..\n{comments}\n{PLAIN}"), vec![MAX_RECORD, 90]),
            // The record is cut off between two lines.
            (format!("12.\n{}{PLAIN}", &comments[..MAX_RECORD - 4]), vec![MAX_RECORD, 89]),
        ] {
            for size in [30_000, text.len()] {
                let records =
                    testing::split_bytes(&mut GridSplitter::new(Preamble::default()), text.as_bytes(), &[size]);
                assert_eq!(records.iter().map(|record| record.0.len()).collect::<Vec<_>>(), lengths);
                let result = GridParser::new(Alphabets::default()).parse(&records[1].0, &mut Puzzles::new());
                assert_eq!(result.is_ok(), lengths[1] < MAX_RECORD, "{result:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_pieces(
            text in testing::noise(&[PLAIN, SPACED, SIMPLE, "---------\n", "\n", "\nGrid 1\n", "12..\n"]),
            sizes in testing::pieces(),
        ) {
            let splitter = || Box::new(GridSplitter::new(Preamble::default())) as Box<dyn Splitter>;
            testing::check_pieces(splitter, &mut GridParser::new(Alphabets::default()), &text, &sizes)?;
            // Every line that can be nothing but a row is in a record.
            let rows = |text: &[u8]| -> Vec<Vec<u8>> {
                let rows = text.split(|&byte| byte == b'\n').filter(|line| matches!(ScannedLine::of(line), ScannedLine::Cells { .. }));
                rows.map(|line| line.trim_ascii().to_vec()).collect()
            };
            let records = testing::split_bytes(&mut *splitter(), &text, &[text.len().max(1)]);
            let cut: Vec<_> = records.iter().flat_map(|(record, _)| rows(record)).collect();
            prop_assert_eq!(cut, rows(&text));
        }
    }
}

//! `grids`: one row on each line, with or without borders, one puzzle after another.
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
//! White space, `|` and box drawing characters between cells are ignored. Titles, `#` lines and borders are skipped,
//! and so are the sections of a SadMan Sudoku file that are not the puzzle, such as `[State]`. A blank line ends a
//! grid, and so does its last row, unless it is followed by rows that are too few for another grid. A line that
//! consists of dashes is a border or a row of blanks; the [`GridScanner`] decides.
//!
//! Solutions that are written as grids are separated by blank lines where the input is. So a record includes the line
//! end of a blank line before its grid, unless it is the first of the input. If a title is between the blank line and
//! the grid, it is the line end of the title.

mod lookahead;
mod parser;
mod scanner;
mod style;
pub(in crate::sudoku::format) mod styled;

use memchr::memchr;

use self::lookahead::FirstLines;
use self::parser::GridParser;
use self::scanner::GridScanner;
use super::grid_line::{SadManSection, ScannedLine, size_of_row};
use super::vote::{Vote, vote};
use crate::format::definition::{PlainFormat, with_sizes};
use crate::format::splitter::{FindRecord, NextRecord, TextEnd, window};
use crate::format::{BatchEnd, LongLine, MAX_RECORD, Size};
use crate::options::Counted;

/// The format.
pub(super) const GRIDS: PlainFormat = PlainFormat {
    is_likely: |start| vote(start.text(), start.is_complete) == Some(Vote::Grids),
    preamble: |start| count_line_length(start.text()).map_or(start.mark, |length| start.comments + length),
    splitter: |preamble| Box::new(GridSplitter::default().after(preamble)),
    parser: |alphabets| Box::new(GridParser::new(alphabets)),
    has_symbols: true,
    describe: |sizes| with_sizes("grids", sizes),
};

/// The length of the first line if it is the number of grids and an empty line follows. Directly before rows, such a
/// line is a title; if it is as long as the rows after it, it is one of them.
fn count_line_length(text: &[u8]) -> Option<usize> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let (first, second) = (lines.next()?, lines.next()?);
    let count = first.trim_ascii();
    let width = lines.find_map(|line| size_of_row(line.trim_ascii_end())).map(Size::side);
    let is_count = count.iter().all(u8::is_ascii_digit) && width != Some(count.len());
    (is_count && second.trim_ascii().is_empty()).then_some(first.len())
}

/// Splits a stream into grids.
#[derive(Clone, Debug, Default)]
struct GridSplitter {
    /// Whether there has been a grid.
    after_grid: bool,
    /// Whether the text comes directly after the last row of a grid.
    after_rows: bool,
    /// The number of lines of a section that are still to be skipped.
    play: usize,
    /// The number of grids with too few rows directly after another grid.
    shifted: u64,
}

impl FindRecord for GridSplitter {
    const SKIPS_ROWS: bool = true;

    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        // The lines from `start` to `next` were scanned; the first row is at `first_row`.
        let (mut start, mut first_row, mut next, mut after_border) = (0, 0, 0, false);
        let mut scanner = GridScanner::default();
        // Whether `start` is at the line end that represents the blank line before the record.
        let mut after_blank_line = false;
        // Lines before this are titles.
        let mut titles_end = start;
        loop {
            let window = window(&text[start..]);
            let end = TextEnd::of_window(window, at_end);
            let rest = &window[next - start..];
            let (line, after) = match memchr(b'\n', rest) {
                Some(length) => (&rest[..length], next + length + 1),
                None if window.len() == MAX_RECORD => {
                    let is_one_line = next <= start + 1;
                    if scanner.rows() == 0 && (!is_one_line || rest.starts_with(b"#")) {
                        // There is too much text before the next grid: skip it, with a blank line before it.
                        if is_one_line {
                            return NextRecord::none(next + rest.len(), BatchEnd::LongLine(LongLine::Comment));
                        }
                        (start, first_row, scanner, after_blank_line) = (next, next, GridScanner::default(), false);
                        continue;
                    }
                    self.after_grid = true;
                    return NextRecord::cut_off(text, start, if scanner.rows() == 0 { next } else { first_row });
                }
                None if !at_end => return NextRecord::none(start, BatchEnd::Incomplete),
                None if rest.is_empty() => {
                    self.end(&mut scanner);
                    if scanner.rows() == 0 {
                        return NextRecord::none(text.len(), BatchEnd::EndOfInput);
                    }
                    return self.record(text, start, first_row, next);
                }
                None => (rest, next + rest.len()),
            };

            let text_of_line = line;
            let mut line = ScannedLine::scan(line);
            // A comment, or the second of two borders, may follow a grid that has lost a row.
            let is_comment = text_of_line.starts_with(b"#");
            let is_border = line == ScannedLine::Ignored && !is_comment;
            if is_comment || is_border && after_border {
                match lookahead::is_between_grids(&window[after - start..], end, &scanner) {
                    Some(true) => return self.record(text, start, first_row, next),
                    Some(false) => {}
                    None => return NextRecord::none(start, BatchEnd::Incomplete),
                }
            }

            after_border = is_border;
            let section = if line == ScannedLine::Title { SadManSection::of_title(text_of_line) } else { None };
            let is_play = self.play > 0 && !matches!(line, ScannedLine::Blank | ScannedLine::Ignored);
            if is_play {
                line = ScannedLine::Title;
            } else if scanner.rows() == 0 && matches!(line, ScannedLine::Cells { .. }) {
                if next >= titles_end {
                    match lookahead::first_lines(rest, end, self.after_rows) {
                        Some(FirstLines::Row) => {}
                        Some(FirstLines::Titles(length)) => titles_end = next + length,
                        None => return NextRecord::none(start, BatchEnd::Incomplete),
                    }
                }
                if next < titles_end {
                    line = ScannedLine::Title;
                }
            } else if scanner.size().is_none()
                && size_of_row(text_of_line).is_some_and(|size| scanner.rows() >= size.side())
            {
                // The rows so far are a grid of damaged rows, and this is the first row of the next grid.
                return self.record(text, start, first_row, next);
            }

            let is_gap = matches!(line, ScannedLine::Blank | ScannedLine::Title);
            if is_gap {
                self.end(&mut scanner);
                if scanner.rows() > 0 {
                    return self.record(text, start, first_row, next);
                }
                scanner = GridScanner::default();
                self.play = section.map_or(self.play - usize::from(is_play), SadManSection::lines_of_play);
            }

            let (was_empty, rows) = (scanner.is_empty(), scanner.rows());
            scanner.add(line);
            if was_empty || (rows, scanner.rows()) == (0, 1) {
                first_row = next;
            }
            if is_gap && text[after - 1] == b'\n' && self.after_grid && (line == ScannedLine::Blank || after_blank_line)
            {
                // The record starts with this line end.
                after_blank_line = true;
                start = after - 1;
            } else if is_gap || (start == next && scanner.is_empty()) {
                start = after;
            }

            next = after;
            if scanner.rows() == 1 && scanner.side() > Size::MAX_SIDE {
                // It is a row of no size. Whatever it is, the rows after it should survive.
                return self.record(text, start, first_row, next);
            }

            if scanner.is_complete() {
                let too_many = match scanner.size() {
                    Some(size) => lookahead::rows_too_many(&window[next - start..], end, size),
                    None => Some(0),
                };
                let Some(too_many) = too_many else { return NextRecord::none(start, BatchEnd::Incomplete) };
                self.after_rows = too_many == 0;
                return self.record(text, start, first_row, next + too_many);
            }
        }
    }

    fn remark(&self) -> Option<String> {
        let grids = Counted(self.shifted, "grid");
        let remark = || {
            format!(
                "{grids} directly after another grid with too few rows: if one of its rows is lost, cells of the grids before it are shifted"
            )
        };
        (self.shifted > 0).then(remark)
    }
}

impl GridSplitter {
    /// Ends a grid at a gap. If it has too few rows directly after another grid, those may be shifted.
    fn end(&mut self, scanner: &mut GridScanner) {
        scanner.end();
        let has_few = (1..scanner.side()).contains(&scanner.rows());
        self.shifted += u64::from(std::mem::take(&mut self.after_rows) && has_few);
    }

    /// The record in `text[start..end]`, whose first row is at `first_row`.
    fn record(&mut self, text: &[u8], start: usize, first_row: usize, end: usize) -> NextRecord {
        self.after_grid = true;
        let record = &text[start..end];
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        let record = record.strip_suffix(b"\r").unwrap_or(record);
        NextRecord { record: Some((start..start + record.len(), first_row)), consumed: end, end: None }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::format::alphabet::Alphabets;
    use crate::format::splitter::Preamble;
    use crate::format::{Parser, Puzzles, testing};

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
        testing::split(&mut GridSplitter::default().after(Preamble::default()), text)
    }

    fn parse_in(alphabets: Alphabets, record: &str) -> Result<String, String> {
        testing::parse(&mut GridParser::new(alphabets), &alphabets, record.as_bytes())
    }

    /// The cells or the fault of each grid in a text, with its line. `/` marks a blank line before it.
    fn read(text: &str) -> Vec<(String, u64)> {
        let grids = split(text).into_iter().map(|(record, line)| {
            let mark = if record.starts_with('\n') { "/" } else { "" };
            let read = parse_in(Alphabets::default(), &record).unwrap_or_else(|reason| reason);
            (format!("{mark}{read}"), line)
        });
        grids.collect()
    }

    #[test]
    fn grids_are_read_in_every_style() {
        let cells = PLAIN.replace('\n', "");
        let dashes = PLAIN.replace('.', "-");
        let dashes = format!("{}\n---------{}", &dashes[..79], &dashes[79..]);
        for text in [
            PLAIN,
            SPACED,
            SIMPLE,
            BOXED,
            &BOXED.replace('|', "│").replace("---", "═══").replace('+', "╬"),
            &SPACED.replace('|', "┃").replace('-', "─").replace('+', "┼"),
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
        // The line of dashes is a border or a row.
        assert_eq!(read(&dashes)[0].0, "10 rows; a grid of 9 columns has 9", "{dashes}");
    }

    #[test]
    fn titles_and_comments_are_skipped() {
        let cells = PLAIN.replace('\n', "");
        let text = format!("\n# a\nGrid 01\n{PLAIN}\nGrid 02\n{PLAIN}\n\n#A b\n#C c\n{PLAIN}\n");
        assert_eq!(read(&text), [(cells.clone(), 4), (cells.clone(), 14), (format!("/{cells}"), 26)]);
        for title in
            ["easy", "No 5", "Level: hard", "(3)", "2", "2024", "one\ntwo", "difficult", "[Puzzle]", "2006-08-03"]
        {
            let lines = title.lines().count() as u64;
            let text = format!("{title}\n{PLAIN}\n{title}\n{PLAIN}\n\n{title}\n{PLAIN}\n\nThe end.\n");
            let records =
                [(cells.clone(), lines + 1), (cells.clone(), 2 * lines + 10), (format!("/{cells}"), 3 * lines + 20)];
            assert_eq!(read(&text), records, "{title}");
        }
        let (start, end) = PLAIN.split_at(40);
        assert_eq!(read(&format!("{start}# a\n{end}")), [(cells.clone(), 1)]);
    }

    /// Each line may be the first of a grid, so the lines after it are examined.
    #[test]
    fn long_prose_takes_linear_time() {
        let text = "prose, and no end of it\nmore\n".repeat(40_000) + PLAIN;
        assert!(read(&text) == [(PLAIN.replace('\n', ""), 80_001)]);
    }

    #[test]
    fn the_state_of_a_player_is_not_the_puzzle() {
        let cells = PLAIN.replace('\n', "");
        let state = PLAIN.replacen('.', "4", 1);
        let candidates = ["12,,3,,,,,,45"; 9].join("\n");
        for play in [
            format!("[State]\n{state}"),
            format!("\n[state]\n# a\n{}\n", SPACED.replacen('.', "4", 1)),
            format!("[State]\n{state}\n[PencilMarks]\n{candidates}\n[Colours]\n{}", ["000000000"; 9].join("\n")),
            format!("[PencilMarks]\n{}\n\n[Colors]\n", &candidates[..20]),
        ] {
            for between in ["", "\n", "Level: hard\n", "#AA. B.\n#C\n", "2006\n"] {
                let text = format!("{between}[Puzzle]\n{PLAIN}\n{play}\n").repeat(3);
                let texts: Vec<_> = read(&text).into_iter().map(|(read, _)| read.replace('/', "")).collect();
                assert_eq!(texts, [&*cells; 3], "{text}");
            }
        }
        // A damaged puzzle, extra rows in the state, and another grid.
        let short = &PLAIN[10..];
        let text = format!("[Puzzle]\n{short}\n[State]\n{state}\n{}\n\n{PLAIN}\n", &PLAIN[..9]);
        let texts: Vec<_> = read(&text).into_iter().map(|(read, _)| read).collect();
        let reason = |rows| format!("{rows} row{}; a grid of 9 columns has 9", if rows == 1 { "" } else { "s" });
        assert_eq!(texts, [reason(8), reason(1), format!("/{cells}")]);
        for name in ["[Other]", "State", "[State"] {
            assert_eq!(read(&format!("{PLAIN}\n\n{name}\n{state}\n")).len(), 2, "{name}");
        }
    }

    #[test]
    fn rows_of_dashes_are_rows_and_borders_are_not() {
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
        // A border of 25 dashes around a spaced 9x9 grid is not a row of a 25x25 grid.
        let edge = "-".repeat(25);
        let framed = |edge: &str| format!("{edge}\n{}\n{edge}\n", SPACED.replace("------+-------+------", edge));
        assert_eq!(read(&(framed(&edge) + &framed(&edge))).len(), 2);
        assert_eq!(read(&framed(&edge)), [(PLAIN.replace('\n', ""), 2)]);
        assert_eq!(read(&framed(&edge).replace(". ", "- ")).len(), 1);
    }

    #[test]
    fn the_acceptance_inputs_are_read() {
        let text = include_str!("../../../../../tests/acceptance/hexadoku.in");
        let records = split(text);
        assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [1, 18]);
        let mut alphabets = Alphabets::default();
        alphabets.set("A-P".parse().unwrap());
        let cells: String = text.lines().take(16).collect();
        assert_eq!(parse_in(alphabets, &records[0].0), Ok(cells.replace('-', ".")));
        let text = include_bytes!("../../../../../tests/acceptance/counted_grids.in");
        let mut splitter = GridSplitter::default().after(Preamble::new(&text[..2]));
        let records = testing::split_bytes(&mut splitter, text, &[7]);
        assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [2, 11]);
        assert!(records[1].0.ends_with(b"040508070"));
    }

    #[test]
    fn errors_name_the_row() {
        let lines: Vec<_> = PLAIN.lines().collect();
        let good = PLAIN.replace('\n', "");
        for (text, reasons) in [
            (lines[..5].join("\n") + "\n\n" + PLAIN, vec!["5 rows; a grid of 9 columns has 9", &format!("/{good}")]),
            (PLAIN.replace(".98....6.", ".98....6"), vec!["row 3: 8 cells; a row of this grid has 9"]),
            (PLAIN.replace("53..7....", "53..7..."), vec!["row 1: 8 cells; a row of this grid has 9"]),
            (PLAIN.replace(".98....6.", ".98..q.6."), vec!["row 3, column 6: 'q' is not a digit"]),
            (
                PLAIN.replace(".98....6.", ".98..0.6."),
                vec!["row 3, column 6: blank '0' after blank '.'; one puzzle has one blank symbol"],
            ),
            (
                "12345\n67890\n\n12345\n".to_owned(),
                vec![
                    "row 1: 5 cells; a row has 4, 6, 8, 9, 10, 12, 16 or 25",
                    "/row 1: 5 cells; a row has 4, 6, 8, 9, 10, 12, 16 or 25",
                ],
            ),
            ("q........\n".repeat(9), vec!["row 1, column 1: 'q' is not a digit"]),
            // A row is doubled, or missing in one of two grids.
            (
                format!("{PLAIN}\n{}\n\n{PLAIN}", lines[8]),
                vec!["10 rows; a grid of 9 columns has 9", &format!("/{good}")],
            ),
            (
                lines[..8].join("\n") + "\n" + PLAIN + "\neasy\n" + PLAIN,
                vec!["17 rows; a grid of 9 columns has 9", &good],
            ),
            ("1234567\n".repeat(30), vec!["row 1: 7 cells; a row has 4, 6, 8, 9, 10, 12, 16 or 25"; 2]),
            ("---------\n".repeat(5), vec!["5 rows; a grid of 9 columns has 9"]),
        ] {
            let read: Vec<_> = read(&text).into_iter().map(|(read, _)| read).collect();
            assert_eq!(read, reasons, "{text}");
        }
    }

    #[test]
    fn a_lost_row_shifts_nothing_beyond_a_comment_or_two_borders() {
        let lost = PLAIN.replacen("6..195...\n", "", 1);
        let ruled = |grid: &str| format!("+---+\n{grid}\n+---+\n");
        let count = |text: &str| read(text).into_iter().map(|(record, _)| record.len()).collect::<Vec<_>>();
        for between in ["# 1\n", "#\n# 2\n"] {
            let text = [PLAIN, &lost, PLAIN, PLAIN].map(|grid| format!("{between}{grid}\n")).concat();
            assert_eq!(count(&text)[1], "8 rows; a grid of 9 columns has 9".len(), "{text}");
            assert_eq!(count(&text).len(), 4, "{text}");
        }
        let text = [PLAIN, &lost, PLAIN, &lost].map(ruled).concat();
        assert_eq!(count(&text).iter().filter(|&&length| length == 81).count(), 2, "{text}");
        assert_eq!(count(&text).len(), 4, "{text}");
        // They may be within a grid.
        let rows: Vec<_> = PLAIN.lines().collect();
        let text = format!("{}\n# a\n{}\n{PLAIN}\n", rows[..4].join("\n"), rows[4..].join("\n"));
        assert_eq!(count(&text), [81, 81], "{text}");
    }

    #[test]
    fn a_long_text_is_one_record() {
        let comments = "# a\n".repeat(MAX_RECORD / 4 + 10);
        let long = "1".repeat(2 * MAX_RECORD);
        for (text, lengths) in [
            (format!("{PLAIN}\n{long}\n{PLAIN}"), vec![89, MAX_RECORD, 89]),
            (format!("{PLAIN}\n\n{comments}{PLAIN}"), vec![89, 89]),
            (format!("{PLAIN}\n\n#{long}\n{PLAIN}"), vec![89, 89]),
            (format!("12..\n{comments}\n{PLAIN}"), vec![MAX_RECORD, 90]),
            // The record is too long, and is cut off between two lines.
            (format!("12345..\n{}{PLAIN}", &comments[..MAX_RECORD - 8]), vec![MAX_RECORD, 89]),
        ] {
            for size in [30_000, text.len()] {
                let records = testing::split_bytes(
                    &mut GridSplitter::default().after(Preamble::default()),
                    text.as_bytes(),
                    &[size],
                );
                assert_eq!(records.iter().map(|record| record.0.len()).collect::<Vec<_>>(), lengths);
                let result = GridParser::new(Alphabets::default()).parse(&records[1].0, &mut Puzzles::new());
                assert_eq!(result.is_ok(), lengths[1] < MAX_RECORD, "{result:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn all_rows_are_in_records_apart_from_titles_that_look_like_rows_of_another_size(
            pieces in vec(select(&[PLAIN, SPACED, SIMPLE, "---------", "\n", "\nGrid 1\n", "12..\n", "│", "══╬══\n", "#", "1", ".", "x "]), 0..40),
        ) {
            let text = pieces.concat().into_bytes();
            let rows = |text: &[u8]| -> Vec<Vec<u8>> {
                let rows = text.split(|&byte| byte == b'\n').filter(|line| {
                    matches!(ScannedLine::scan(line), ScannedLine::Cells { .. }) && size_of_row(line).is_some()
                });
                rows.map(|line| line.trim_ascii().to_vec()).collect()
            };
            let mut splitter = GridSplitter::default().after(Preamble::default());
            let records = testing::split_bytes(&mut splitter, &text, &[text.len().max(1)]);
            let mut found = records.iter().flat_map(|(record, _)| rows(record)).peekable();
            let all = rows(&text);
            for (index, row) in all.iter().enumerate() {
                let is_found = found.next_if_eq(row).is_some();
                let next = all.get(index + 1).and_then(|next| size_of_row(next));
                prop_assert!(is_found || next.is_some_and(|next| Some(next) != size_of_row(row)), "{row:?}");
            }
            prop_assert!(found.next().is_none());
        }
    }
}

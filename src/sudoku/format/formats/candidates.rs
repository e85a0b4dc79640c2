//! `candidates`: grids of candidates in the form that programs print and save, nine rows of nine groups of digits.
//!
//! ```text
//! .---------------.---------------.----------------.        2 679 6789 1 46789 u5 469 9 3
//! | 8  123  *1237 | 4  135  2369  | 3579  35-7  39 |        389 u5 4 69 689 68 7 1 29
//! | 13  6    5    | 13 7    39    | 89    4     2  |        ...
//! ...
//! ```
//!
//! Each becomes a pencilmark puzzle. White space, bars and borders between groups are ignored, and so are the marks of
//! a step: `*`, `#`, `@` or a letter before a group, and `-` before a digit that the step deletes. `u` before a group,
//! as in files of SudoCue, marks a digit that a player has placed.
//!
//! [`blocks`](super::blocks) divides the rows into records.

use super::blocks::{BlockLine, BlockSplitter, Rows};
use super::grid_line::{candidates_of, groups, is_number_or_date, is_spacing, looks_like_row};
use super::vote::{Vote, vote};
use crate::format::characters::ascii;
use crate::format::definition::PlainFormat;
use crate::format::malformed::Symbol;
use crate::format::splitter::FindRecord;
use crate::format::{Malformed, ParsedPuzzle, Parser, Puzzles, Size, SymbolPosition};
use crate::puzzle::Pencilmarks;

/// The format.
pub(super) const CANDIDATES: PlainFormat = PlainFormat {
    is_likely: |start| vote(start.text(), start.is_complete) == Some(Vote::Candidates),
    preamble: |start| start.mark,
    splitter: |preamble| Box::new(BlockSplitter(CandidateRows).after(preamble)),
    parser: |_| Box::new(CandidateParser { text: vec![] }),
    has_symbols: false,
    describe: |_| "grids of candidates".to_owned(),
};

/// The rows of a grid, and the groups of a row.
const SIDE: usize = Size::Nine.side();

/// Distinguishes the rows of candidate grids from other lines.
#[derive(Clone, Copy, Debug)]
struct CandidateRows;

impl Rows for CandidateRows {
    fn kind(&self, line: &[u8]) -> BlockLine {
        // A line with `#` before a group is not a comment.
        if line.starts_with(b"#") && groups(line).count() != SIDE {
            return BlockLine::Comment;
        }
        let line = &*ascii(line);
        let is_rule = |byte: &u8| b"-*.:'_".contains(byte) || is_spacing(*byte);
        if line.iter().any(|byte| b"-=|".contains(byte)) && line.iter().all(is_rule) {
            return BlockLine::Border;
        }
        // A short word may be a number or a date; a row of another kind of grid is a damaged row here.
        let has_cells = groups(line).nth(1).is_some() || line.trim_ascii().len() >= SIDE && !is_number_or_date(line);
        if has_cells && looks_like_row(line) { BlockLine::Row } else { BlockLine::Title }
    }

    fn side(&self) -> usize {
        SIDE
    }
}

/// Parses candidate grids.
#[derive(Clone, Debug)]
struct CandidateParser {
    /// The 729 symbols of the last record.
    text: Vec<u8>,
}

impl CandidateParser {
    /// Reads the candidates of a record as the symbols of a pencilmark puzzle.
    fn collect(&mut self, record: &[u8]) -> Result<(), Malformed> {
        self.text.clear();
        let record = &*ascii(record);
        let lines = record.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
        let rows: Vec<_> = lines.filter(|line| CandidateRows.kind(line) == BlockLine::Row).collect();

        for (row, text) in (1..).zip(&rows) {
            let cells = groups(text).count();
            if cells != SIDE {
                return Err(Malformed::RowLength { row, cells, side: SIDE });
            }
            for (column, group) in (1..).zip(groups(text)) {
                let candidates = candidates_of(group).map_err(|index| {
                    let position = SymbolPosition::Cell { row, column };
                    Malformed::NoCandidate { position, symbol: Symbol::first_of(&group[index..]) }
                })?;
                let has = |digit: u8| candidates >> (digit - b'1') & 1 == 1;
                self.text.extend((b'1'..=b'9').map(|digit| if has(digit) { digit } else { b'.' }));
            }
        }
        match rows.len() {
            SIDE => Ok(()),
            0 => Err(Malformed::Outside),
            rows => Err(Malformed::RowCount { rows, columns: SIDE }),
        }
    }
}

impl Parser for CandidateParser {
    fn read(&mut self, record: &[u8], _puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        self.collect(record)?;
        debug_assert_eq!(self.text.len(), Pencilmarks::SYMBOLS);
        // For the caller, this reason means that the record has pencilmarks, which it reads separately.
        Err(Malformed::Pencilmarks)
    }

    fn pencilmarks<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        self.collect(record).expect("the record was parsed");
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::splitter::Preamble;
    use crate::format::{InputFormat, InputOptions, MAX_RECORD, Splitter, detect, testing};
    use crate::puzzle::Grid;

    const GRID: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// The groups of each row of a grid.
    fn rows() -> Vec<Vec<String>> {
        let cells: Vec<u8> = GRID.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
        let puzzle = Pencilmarks::from(&Grid::try_from(cells).unwrap());
        let has = |cell: usize, digit: &usize| puzzle.digits(cell) >> (digit - 1) & 1 == 1;
        let group = |cell| (1..=9).filter(|digit| has(cell, digit)).map(|digit| digit.to_string()).collect();
        let groups: Vec<String> = (0..SIDE * SIDE).map(group).collect();
        groups.chunks(SIDE).map(<[_]>::to_vec).collect()
    }

    fn plain() -> String {
        rows().iter().map(|row| row.join(" ") + "\n").collect()
    }

    /// Adds these rules above, between and below the bands.
    fn framed(rules: [&str; 3], bar: &str) -> String {
        let mut text = String::new();
        for (index, row) in rows().iter().enumerate() {
            if index % 3 == 0 {
                text = text + rules[usize::from(index > 0)] + "\n";
            }
            let boxes: Vec<_> =
                row.chunks(3).map(|cells| format!(" {:<7}{:<8}{:<8}", cells[0], cells[1], cells[2])).collect();
            text = text + bar + &boxes.join(bar) + bar + "\n";
        }
        text + rules[2] + "\n"
    }

    fn hodoku() -> String {
        framed([".-----.-----.-----.", ":-----+-----+-----:", "'-----'-----'-----'"], "|")
    }

    fn splitter() -> impl Splitter {
        BlockSplitter(CandidateRows).after(Preamble::default())
    }

    /// The symbols or the fault of each grid in a text, with its line.
    fn read(text: &str) -> Vec<(String, u64)> {
        let mut parser = CandidateParser { text: vec![] };
        let records = testing::split(&mut splitter(), text);
        let read = records.into_iter().map(|(record, line)| {
            let symbols = match parser.parse(record.as_bytes(), &mut Puzzles::new()) {
                Err(Malformed::Pencilmarks) => {
                    str::from_utf8(parser.pencilmarks(record.as_bytes())).unwrap().to_owned()
                }
                parsed => parsed.unwrap_err().to_string(),
            };
            (symbols, line)
        });
        read.collect()
    }

    fn expected() -> String {
        let cells: Vec<u8> = GRID.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
        Pencilmarks::from(&Grid::try_from(cells).unwrap()).to_string()
    }

    #[test]
    fn grids_are_read_in_every_style() {
        let first = format!("|{}|", plain().lines().next().unwrap());
        for text in [
            plain(),
            plain().replace(' ', "   ").replace('\n', " \r\n"),
            hodoku(),
            framed(["*-----------*", "|-----+-----+-----|", "*-----------*"], "|"),
            framed(["+-----+-----+-----+"; 3], "|"),
            framed(["┌─────┬─────┬─────┐", "├─────┼─────┼─────┤", "└─────┴─────┴─────┘"], "│"),
            // The marks of a step, and a placed digit.
            plain().replacen(" 1", " *1", 2).replacen(" 2", " -2", 1).replacen(" 3", " B3", 1),
            plain().replacen("5 ", "u5 ", 1),
            format!("{first}\n{}", plain().split_once('\n').unwrap().1),
        ] {
            let line = text.lines().position(|line| line.contains('5')).unwrap() as u64 + 1;
            assert_eq!(read(&text), [(expected(), line)], "{text}");
            for between in ["\n", "Naked Single: r5c5=5\n", "# a\n\n", "2006-08-03\n", "[State]\n"] {
                let texts: Vec<_> =
                    read(&format!("{between}{text}{between}{text}")).into_iter().map(|read| read.0).collect();
                assert_eq!(texts, [expected(), expected()], "{text}{between}");
            }
            let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
            assert_eq!(layout.format(), InputFormat::Candidates, "{text}");
        }
        let texts: Vec<_> = read(&hodoku().repeat(3)).into_iter().map(|read| read.0).collect();
        assert_eq!(texts, vec![expected(); 3]);
    }

    #[test]
    fn damaged_grids_are_one_record() {
        let (plain, hodoku) = (plain(), hodoku());
        let without = |text: &str, line: usize| -> String {
            let lines = text.split_inclusive('\n').enumerate();
            lines.filter_map(|(index, text)| (index != line).then_some(text)).collect()
        };
        let second = rows()[1].join(" ");
        for (damaged, reason) in [
            (without(&hodoku, 5), "8 rows; a grid of 9 columns has 9"),
            (without(&plain, 5), "8 rows; a grid of 9 columns has 9"),
            (without(&hodoku, 11), "8 rows; a grid of 9 columns has 9"),
            (format!("{plain}{second}\n"), "10 rows; a grid of 9 columns has 9"),
            (format!("{plain}{}", without(&plain, 5)), "17 rows; a grid of 9 columns has 9"),
            (plain.replacen("5 3", "53", 1), "row 1: 8 cells; a row of this grid has 9"),
            (
                plain.replacen("5 3", "5 .", 1),
                "row 1, column 2: '.' is not a candidate; a cell has digits from 1 to 9, each once, in ascending order",
            ),
            (
                plain.replacen("5 3", "5 31", 1),
                "row 1, column 2: '1' is not a candidate; a cell has digits from 1 to 9, each once, in ascending order",
            ),
            (
                plain.replacen("5 3", "5 q3", 1),
                "row 1, column 2: 'q' is not a candidate; a cell has digits from 1 to 9, each once, in ascending order",
            ),
        ] {
            for between in ["\n", "Level: hard\n"] {
                let read = read(&format!("{plain}{between}{damaged}{between}{plain}"));
                let texts: Vec<_> = read.into_iter().map(|read| read.0).collect();
                assert_eq!(texts, [expected(), reason.to_owned(), expected()], "{damaged}");
            }
        }
        // Only borders separate them.
        let read = read(&format!("{hodoku}{}{hodoku}", without(&hodoku, 11)));
        let texts: Vec<_> = read.into_iter().map(|read| read.0).collect();
        assert_eq!(texts, [expected(), "8 rows; a grid of 9 columns has 9".to_owned(), expected()]);
    }

    #[test]
    fn other_grids_are_not_taken_for_candidates() {
        let spaced: String = GRID.replace('.', "0").chars().flat_map(|cell| [cell, ' ']).collect();
        let rows: Vec<&str> = spaced.as_bytes().chunks(18).map(|row| str::from_utf8(row).unwrap()).collect();
        let solved = ["5 3 4 6 7 8 9 1 2"; 9].join("\n");
        for text in [rows.join("\n"), solved, format!("{}\n\n{}", rows.join("\n"), plain())] {
            let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
            assert_eq!(layout.format(), InputFormat::Grids, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_one_record() {
        let (long, plain) = ("12 ".repeat(MAX_RECORD), plain());
        for (text, lengths) in [
            (format!("{plain}\n{long}\n{plain}"), vec![plain.len() - 1, MAX_RECORD, plain.len() - 1]),
            (format!("{plain}\n#{long}\n{plain}"), vec![plain.len() - 1, plain.len() - 1]),
        ] {
            for size in [30_000, text.len()] {
                let records = testing::split_bytes(&mut splitter(), text.as_bytes(), &[size]);
                assert_eq!(records.iter().map(|record| record.0.len()).collect::<Vec<_>>(), lengths);
            }
        }
    }
}

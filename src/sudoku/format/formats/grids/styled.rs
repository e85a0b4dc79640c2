//! [`grids`](super) whose rows are in a [style](GridStyle).

use super::scanner::check_boxes;
use super::style::GridStyle;
use crate::format::alphabet::Alphabets;
use crate::format::characters::ascii;
use crate::format::definition::{TextLayout, with_sizes};
use crate::format::formats::blocks::{BlockLine, BlockSplitter, Rows};
use crate::format::splitter::{FindRecord, Preamble};
use crate::format::{Malformed, ParsedPuzzle, Parser, Puzzles, Size, Splitter, cells};

/// The layouts of grids in the styles that some lines of a sample fit, simple ones first.
pub(in crate::sudoku::format) fn styled_layouts(text: &[u8]) -> impl Iterator<Item = Box<dyn TextLayout>> {
    GridStyle::candidates(text).into_iter().map(|style| Box::new(StyledGrids(style)) as Box<dyn TextLayout>)
}

/// Grids in a style.
#[derive(Debug)]
struct StyledGrids(GridStyle);

impl TextLayout for StyledGrids {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        Box::new(BlockSplitter(self.0.clone()).after(preamble))
    }

    fn parser(&self, alphabets: Alphabets, _column: usize) -> Box<dyn Parser> {
        Box::new(StyledParser { style: self.0.clone(), alphabets })
    }

    fn describe(&self, sizes: &[Size], _columns: &str) -> String {
        format!("{} with {}", with_sizes("grids", sizes), self.0)
    }
}

/// Parses grids in a style.
#[derive(Debug)]
struct StyledParser {
    style: GridStyle,
    alphabets: Alphabets,
}

impl Parser for StyledParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let (text, side) = (ascii(record), self.style.side());
        let lines = text.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));

        let (mut cells, mut rows, mut first_label) = (vec![], 0, None);
        for line in lines {
            let (BlockLine::Row, row) = self.style.look(line) else { continue };
            let row = row.ok_or(Malformed::RowStyle { row: rows + 1 })?;
            // Labels count up from 0 or 1.
            if let Some(label) = row.label
                && (label > rows + 1 || *first_label.get_or_insert(label) + rows != label)
            {
                return Err(Malformed::RowLabel { row: rows + 1 });
            }
            check_boxes(self.style.size, line, |part| self.style.count(part))?;
            rows += 1;
            if row.cells.len() != side {
                return Err(Malformed::RowLength { row: rows, cells: row.cells.len(), side });
            }
            cells.extend(row.cells);
        }
        if rows != side {
            return Err(Malformed::RowCount { rows, columns: side });
        }
        cells::parse_words(&cells, &self.alphabets, puzzles)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::super::{GridParser, GridSplitter};
    use super::*;
    use crate::format::{InputOptions, detect, testing};

    const ONE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const TWO: &str = ".7...4..88.57.....2.......66.894.2..5..1..4......8......6.........6.5.9.92...36.4";
    /// The rows of a puzzle, each a list of cells, with `blank` for blanks.
    fn rows(puzzle: &str, blank: &str) -> Vec<Vec<String>> {
        let cell = |cell: u8| if cell == b'.' { blank.to_owned() } else { char::from(cell).to_string() };
        let cells: Vec<String> = puzzle.bytes().map(cell).collect();
        cells.chunks(9).map(<[_]>::to_vec).collect()
    }

    /// A line for each row.
    fn lines(puzzle: &str, blank: &str, line: impl Fn(usize, &[String]) -> String) -> String {
        rows(puzzle, blank).iter().enumerate().map(|(index, row)| line(index, row) + "\n").collect()
    }

    /// A row with bars between boxes.
    fn with_bars(row: &[String], between: &str, bar: &str) -> String {
        row.chunks(3).map(|cells| cells.join(between)).collect::<Vec<_>>().join(bar)
    }

    /// Adds a rule above, between and below the bands.
    fn ruled(grid: &str, rule: &str) -> String {
        let lines: Vec<_> = grid.lines().collect();
        let bands: Vec<_> = lines.chunks(3).map(|band| band.join("\n")).collect();
        format!("{rule}\n{}\n{rule}\n", bands.join(&format!("\n{rule}\n")))
    }

    fn banded(grid: &str) -> String {
        let lines: Vec<_> = grid.lines().collect();
        lines.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// A grid in each style, the gap between two grids, and the phrase for the style.
    fn styles(puzzle: &str) -> Vec<(String, &'static str, &'static str)> {
        let letter = |index: usize| char::from(b'A' + index as u8);
        let header = "   C1 C2 C3   C4 C5 C6   C7 C8 C9\n";
        let markdown = "| | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n|---|---|---|---|---|---|---|---|---|---|\n";
        let frame = "+-------+-------+-------+";
        vec![
            (lines(puzzle, "0", |_, row| row.join(",")), "\n", "',' between cells"),
            (lines(puzzle, "0", |_, row| row.join(", ") + ","), "\n", "',' between cells"),
            (
                lines(puzzle, "0", |index, row| {
                    format!(
                        "{}[{}]{}",
                        if index == 0 { "[" } else { " " },
                        row.join(" "),
                        if index == 8 { "]" } else { "" }
                    )
                }),
                "\n",
                "brackets",
            ),
            (
                lines(puzzle, "0", |_, row| format!("    {{{}}},", row.join(", "))),
                "};\nint b[9][9] = {\n",
                "',' between cells and brackets",
            ),
            (
                "     0    1    2    3    4    5    6    7    8\n".to_owned()
                    + &lines(puzzle, "NaN", |index, row| format!("{index}  {}", row.join("  ").replace('5', "5.0"))),
                "\n",
                "numbers and labels",
            ),
            (lines(puzzle, "", |_, row| row.join(",")), "\n", "',' between cells"),
            (lines(puzzle, "", |_, row| row.join(";")), "\r\n", "';' between cells"),
            (lines(puzzle, "", |_, row| row.join("\t")), "\n", "'\\t' between cells"),
            (lines(puzzle, "", |_, row| format!("\"{}\"", row.join("\",\""))), "\n", "',' between cells"),
            (lines(puzzle, " ", |_, row| format!("| {} |", row.join(" | "))), "\n", "'|' between cells"),
            (lines(puzzle, " ", |_, row| format!("│ {} │", row.join(" ║ "))), "════\n", "'|' between cells"),
            (
                markdown.to_owned()
                    + &lines(puzzle, " ", |index, row| format!("| {} | {} |", letter(index), row.join(" | "))),
                "\n",
                "'|' between cells and labels",
            ),
            (
                ",0,1,2,3,4,5,6,7,8\n".to_owned()
                    + &lines(puzzle, "", |index, row| format!("{index},{}", row.join(","))),
                "\n",
                "',' between cells and labels",
            ),
            (
                header.to_owned()
                    + &lines(puzzle, ".", |index, row| format!("R{}  {}", index + 1, with_bars(row, "  ", " |  "))),
                "\n",
                "labels",
            ),
            (
                "   0  1  2  3  4  5  6  7  8\n".to_owned()
                    + &lines(puzzle, "0", |index, row| format!("{index}  {}", row.join("  "))),
                "Difficulty: 0.5\n",
                "labels",
            ),
            (banded(&lines(puzzle, "_", |_, row| with_bars(row, "", " "))), "\n", "empty lines between bands"),
            (
                banded(&lines(puzzle, "", |_, row| row.join(","))),
                "\n\n",
                "',' between cells and empty lines between bands",
            ),
            (
                ruled(&lines(puzzle, " ", |_, row| format!("| {} |", with_bars(row, " ", " | "))), frame),
                "",
                "spaces for blanks",
            ),
            (
                ruled(&lines(puzzle, " ", |_, row| format!("|{}|", with_bars(row, "", "|"))), "+---+---+---+"),
                "Next\n",
                "spaces for blanks",
            ),
            (
                ruled(
                    &lines(puzzle, " ", |_, row| format!("║ {} ║", with_bars(row, " ", " ║ "))),
                    "╠═══════╬═══════╬═══════╣",
                ),
                "\n",
                "spaces for blanks",
            ),
            (lines(puzzle, " ", |_, row| with_bars(row, " ", " | ").trim_end().to_owned()), "\n", "spaces for blanks"),
            (lines(puzzle, " ", |_, row| row.join(" ")), "\n", "spaces for blanks"),
            (
                ruled(
                    &lines(puzzle, " ", |index, row| format!("{} | {} |", letter(index), with_bars(row, " ", " | "))),
                    "  +-------+-------+-------+",
                ),
                "\n",
                "spaces for blanks and labels",
            ),
        ]
    }

    /// The layout of a text, and the cells or the fault of each grid.
    fn read(text: &str) -> (String, Vec<String>) {
        let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
        let records = testing::split(&mut *layout.splitter(), text);
        let parse = |(record, _): &(String, u64)| {
            testing::parse(&mut *layout.parser(), layout.alphabets(), record.as_bytes()).unwrap_or_else(|reason| reason)
        };
        (layout.to_string(), records.iter().map(parse).collect())
    }

    #[test]
    fn grids_are_read_in_each_style() {
        for ((one, gap, style), (two, ..)) in styles(ONE).into_iter().zip(styles(TWO)) {
            let text = format!("{one}{gap}{two}{gap}{one}");
            let (layout, grids) = read(&text);
            assert_eq!(grids, [ONE, TWO, ONE], "{layout}\n{text}");
            assert!(layout.starts_with(&format!("grids of 9x9 with {style}, blank")), "{layout}\n{text}");
            assert_eq!(read(&text.replace('\n', "\r\n")).1, [ONE, TWO, ONE], "{text}");
            let (layout, grids) = read(&one);
            assert_eq!(grids, [ONE], "{layout}\n{one}");
        }
    }

    #[test]
    fn arrays_in_the_notation_of_languages_are_read() {
        let array = |row: &dyn Fn(usize, &str) -> String, blank: &str, between: &str| {
            lines(ONE, blank, |index, cells| row(index, &cells.join(between)))
        };
        let last = |index, end: &'static str, between: &'static str| if index == 8 { end } else { between };
        for grid in [
            format!("start=[|\n{}", array(&|index, row| format!("{row}{}", last(index, "|];", "|")), "0", ", ")),
            array(
                &|index, row| {
                    format!("{} {row}{}", if index == 0 { "int: g = [|" } else { " |" }, last(index, " |];", ""))
                },
                "0",
                ",",
            ),
            array(
                &|index, row| {
                    format!("{}[{row}]{}", if index == 0 { "problem(1, [" } else { "    " }, last(index, "]).", ","))
                },
                "_",
                ",",
            ),
            array(
                &|index, row| format!("{}{row}{}", if index == 0 { "A = [" } else { "     " }, last(index, "];", ";")),
                "0",
                " ",
            ),
            format!("int b100[9][9] = {{\n{}}};\n", array(&|_, row| format!("    {{{row}}},"), "0", ", ")),
            format!("\\begin{{sudoku}}\n{}\\end{{sudoku}}\n", array(&|_, row| format!("|{row}|."), " ", "|")),
        ] {
            let (layout, grids) = read(&format!("{grid}\n{grid}"));
            assert_eq!(grids, [ONE, ONE], "{layout}\n{grid}");
        }
        // Two rows on a line are not read as one.
        let two = array(&|_, row| format!("{{{row}}}, {{{row}}},"), "0", ", ");
        let text = format!("{two}\n{two}");
        let is_refused = detect(text.as_bytes(), true, &InputOptions::default()).is_err();
        assert!(is_refused || !read(&text).1.iter().any(|grid| grid == ONE), "{text}");
    }

    #[test]
    fn sixteen_numbers_a_line_are_rows_if_their_values_say_so() {
        let row = |first: usize| -> Vec<String> {
            let values = (0..16).map(|column| (4 * (first % 4) + first / 4 + column) % 16 + 1);
            values.map(|value| if value % 5 == 0 { "0".to_owned() } else { value.to_string() }).collect()
        };
        let numbers = |between: &str| (0..16).map(|first| row(first).join(between) + "\n").collect::<String>();
        for (text, style) in [
            (numbers(" "), "numbers"),
            (numbers("\t"), "numbers"),
            (numbers(", "), "',' between cells"),
            (numbers(" ").replace(" 0 ", " . ").replace("\n0 ", "\n. ").replace(" 0\n", " .\n"), "numbers"),
        ] {
            let (layout, grids) = read(&format!("{text}\n{text}"));
            assert!(layout.starts_with(&format!("grids of 16x16 with {style}, blank")), "{layout}\n{text}");
            assert!(grids.len() == 2 && grids[0] == grids[1] && grids[0].starts_with("1234.678"), "{grids:?}");
        }
        // Puzzles of 4x4, one of them damaged.
        let four = "1 0 3 0 4 0 0 0 0 0 2 1 0 0 0 0\n".repeat(15);
        let (layout, grids) = read(&format!("{four}{}", four[..32].replacen('3', "7", 1)));
        assert_eq!(
            (&*layout, grids.len(), &*grids[15]),
            ("lines of 4x4, blank '0'", 16, "row 1, column 3: 7 is above 4")
        );
    }

    #[test]
    fn a_damaged_row_is_not_read_in_another_way() {
        for (index, damage, reason) in [
            (0, (",0,0,0,0\n", ",0,0,0 0\n"), "row 1: 8 cells; a row of this grid has 9"),
            (0, (",0,0,0,0\n", ",0,0,0\n"), "row 1: 8 cells; a row of this grid has 9"),
            (0, ("5,3", "q,3"), "row 1, column 1: 'q' is not a digit"),
            (5, ("5,3", "5,."), "row 1, column 3: blank '_' after blank '.'; one puzzle has one blank symbol"),
            (1, ("0,\n", "0\n"), "row 1: not written as the other rows of the input"),
            (11, ("| C |", "| D |"), "row 3: its label does not count on from the rows before"),
            (13, ("R4 ", "R5 "), "row 4: its label does not count on from the rows before"),
            (15, ("\n\n", "\n"), "18 rows; a grid of 9 columns has 9"),
            (17, ("| 5 3", "|  53"), "row 1, column 2: 53 is above 9"),
            (17, ("| 5 3", "|  5 3"), "row 1: not written as the other rows of the input"),
            (17, ("| 5 3", "| 5 ."), "row 1: not written as the other rows of the input"),
        ] {
            let ((one, gap, _), (two, ..)) = (styles(ONE).swap_remove(index), styles(TWO).swap_remove(index));
            let text = format!("{two}{gap}{two}{gap}{}{gap}{two}", one.replacen(damage.0, damage.1, 1));
            let (layout, grids) = read(&text);
            let grids: Vec<_> = grids.iter().map(|grid| &**grid).collect();
            let expected = if index == 15 { vec![TWO, TWO, reason] } else { vec![TWO, TWO, reason, TWO] };
            assert_eq!(grids, expected, "{layout}\n{text}");
        }
    }

    #[test]
    fn a_style_with_mostly_malformed_records_is_none() {
        let cells = (0..81).map(|cell| format!("{},{},{},{}\n", cell / 27, cell / 9, cell % 9, cell % 5));
        let text = format!("id,row,col,value\n{}1,2,3,4\n3,4,1,2\n2,1,4,3\n4,3,2,1\n\n", cells.collect::<String>());
        let refused = detect(text.as_bytes(), true, &InputOptions::default()).map(|layout| layout.to_string());
        assert!(refused.is_err(), "{refused:?}");
    }

    #[test]
    fn two_empty_lines_end_the_damage_of_bands() {
        let (one, two) = (styles(ONE).swap_remove(16).0, styles(TWO).swap_remove(16).0);
        let text = format!("{one}\n\n{}\n\n{two}\n\n{two}", one.replacen("\n\n", "\n", 1));
        assert_eq!(read(&text).1, [ONE, ONE, TWO, TWO], "the rows are all there");
        let text = format!("{one}\n\n{}\n\n{two}", one.split_once("\n\n").unwrap().1);
        assert_eq!(read(&text).1, [ONE, "6 rows; a grid of 9 columns has 9", TWO]);
        let text = format!("{one}\n\n{one}{two}\n\n{two}");
        assert_eq!(read(&text).1, [ONE, "18 rows; a grid of 9 columns has 9", TWO]);
    }

    #[test]
    fn a_space_or_a_line_too_few_or_too_many_shifts_nothing() {
        let (one, two) = (styles(ONE).swap_remove(15).0, styles(TWO).swap_remove(15).0);
        let text = format!("{one}\n{two}\n{one}").replacen("\n\n", "\n\n\n", 1);
        assert_eq!(read(&text).1, [ONE, TWO, ONE]);
        let [one, two] = [ONE, TWO].map(|puzzle| lines(puzzle, " ", |_, row| row.concat()));
        // The row looks like two numbers, so it is read as a title.
        let reason = "8 rows; a grid of 9 columns has 9";
        assert_eq!(read(&format!("{two}\n{}\n{two}", one.replacen("53  7", "53 7", 1))).1, [TWO, reason, TWO]);
    }

    #[test]
    fn boxes_of_the_other_shape_are_not_read() {
        let turned = " . . | . 2 | 4 .\n 1 . | . . | . 3\n 6 4 | . . | . .\n-----+-----+-----\n . . | . . | . .\n . . | 5 . | . .\n 5 . | 3 . | 1 .\n";
        let usual = ". 4 6 | . . 3\n. 5 . | . 1 .\n-----+-----\n. . . | 5 . .\n. . . | 6 . 1\n------+-----\n. 2 . | . . 5\n4 . . | . . .\n";
        let reason = "boxes of 3x2 are drawn; the boxes of 6x6 are 2x3";
        assert_eq!(read(&format!("{usual}\n{turned}")).1, [".46..3.5..1....5.....6.1.2...54.....", reason]);
        let refused = |text: &str| detect(text.as_bytes(), true, &InputOptions::default()).unwrap_err().to_string();
        let refusal = "the 6x6 puzzles have boxes of 3x2, and only 2x3 is read; exchange the rows and columns of each";
        assert_eq!(refused(turned), refusal);
        // The answer shows the turned boxes.
        let table = "puzzle,solution\n100000200000023000160006005005030,123546364251451623532164246315615432\n";
        let table = table.replacen("100000200000023000", "100000000200000023000", 1);
        assert_eq!(refused(&table), refusal);
        // Two puzzles together show them; one could be wrong.
        let (one, two) = ("240100003640000000000005000503010", "020504050000003400000021000600010006");
        assert_eq!(refused(&format!("000{one}\n{two}\n")), refusal);
        assert_eq!(read(&format!("000{one}\n")).0, "lines of 6x6 (boxes of 2x3), blank '0'");
    }

    #[test]
    fn the_nearest_style_says_what_is_wrong_with_a_refused_text() {
        let text = styles(ONE).swap_remove(0).0.replacen("5,3", "5", 1);
        let error = detect(text.as_bytes(), true, &InputOptions::default()).unwrap_err().to_string();
        assert!(error.ends_with("not close to a puzzle, line 1: row 1: 8 cells; a row of this grid has 9"), "{error}");
    }

    /// A text after some damages: deletions, repetitions or exchanges.
    fn damaged(mut text: String, damages: &[(u8, Index)]) -> String {
        for (kind, index) in damages {
            if kind % 2 == 0 {
                let mut characters: Vec<char> = text.chars().collect();
                let at = index.index(characters.len());
                match kind / 2 {
                    0 => _ = characters.remove(at),
                    1 => characters.insert(at, characters[at]),
                    _ => characters.swap(at, 0),
                }
                text = characters.into_iter().collect();
            } else {
                let mut lines: Vec<&str> = text.lines().collect();
                let at = index.index(lines.len());
                match kind / 2 {
                    0 => _ = lines.remove(at),
                    1 => lines.insert(at, lines[at]),
                    _ => lines.insert(at, ""),
                }
                text = lines.join("\n") + "\n";
            }
        }
        text
    }

    fn damages() -> impl Strategy<Value = Vec<(u8, Index)>> {
        vec((0..6_u8, any::<Index>()), 1..6)
    }

    proptest! {
        #[test]
        fn records_in_a_style_do_not_depend_on_pieces(
            which in any::<Index>(),
            damages in damages(),
            sizes in vec(1..150_usize, 1..4),
        ) {
            let (mut one, mut two) = (styles(ONE), styles(TWO));
            let which = which.index(one.len());
            let ((one, gap, _), (two, ..)) = (one.swap_remove(which), two.swap_remove(which));
            let text = format!("{one}{gap}{two}{gap}{one}{gap}{two}{gap}{one}");
            let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
            let text = damaged(text, &damages).into_bytes();
            let at_once = testing::split_bytes(&mut *layout.splitter(), &text, &[text.len().max(1)]);
            prop_assert_eq!(testing::split_bytes(&mut *layout.splitter(), &text, &sizes), at_once);
        }

        /// Even if another style would read more of it.
        #[test]
        fn damaged_plain_grids_lose_nothing(which in 0..6_usize, damages in damages()) {
            let solved = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
            let plain = |puzzle: &str| match which {
                0 => lines(puzzle, ".", |_, row| row.concat()),
                1 => lines(puzzle, "0", |_, row| row.concat()),
                2 => lines(puzzle, "_", |_, row| row.join(" ")),
                3 => ruled(&lines(puzzle, ".", |_, row| format!("| {} |", with_bars(row, " ", " | "))), "+-------+-------+-------+"),
                4 => ruled(&lines(puzzle, "-", |_, row| with_bars(row, "", "|")), "---+---+---"),
                _ => lines(solved, "0", |_, row| row.concat()),
            };
            let text = damaged([ONE, TWO, ONE, TWO].map(plain).join("\n"), &damages);
            let (alphabets, mut puzzles) = (Alphabets::default(), vec![]);
            for (record, _) in testing::split(&mut GridSplitter::default().after(Preamble::default()), &text) {
                puzzles.extend(testing::parse(&mut GridParser::new(alphabets), &alphabets, record.as_bytes()));
            }
            let (layout, found) = read(&text);
            if layout.contains(" with ") {
                for puzzle in puzzles {
                    prop_assert!(found.contains(&puzzle), "{}\n{}", layout, text);
                }
            }
        }
    }
}

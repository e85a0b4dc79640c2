//! Recognises the format of an input from how it begins.
//!
//! In this order: what is not read at all is refused by name; a header with a known name makes a table; an order and
//! the right cells after it make integers; otherwise the lines of the sample vote for `lines` or `grids`. Where a size
//! is written in several alphabets, all puzzles of the sample together have to tell which: a wrong guess would corrupt
//! puzzles without a word, so no guess is made.

use std::cmp::Ordering;

use super::alphabet::{Alphabet, BLANKS};
use super::csv::CsvSplitter;
use super::csv_fields::CsvFields;
use super::csv_header::{CsvHeader, PUZZLE_NAMES};
use super::grid_scanner::{ScannedLine, is_spacing};
use super::layout::{InputFormat, Layout, SampleFacts, TextLayout};
use super::lines;
use super::position::Preamble;
use super::sample::UnclearAlphabet;
use super::splitter::NextRecord;
use super::{Order, ints};

/// What is known of an input before it is looked at.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The format, if it is not to be found out.
    pub format: Option<InputFormat>,
    /// The alphabets of sizes that have several; of two for one size, the later one counts.
    pub alphabets: Vec<Alphabet>,
    /// The name of the column with the puzzles; it makes the format CSV.
    pub puzzle_column: Option<String>,
    /// The column with the answers; only CSV has any.
    pub answer: AnswerColumn,
    /// The names of the columns to pass through; only CSV has any.
    pub keep: Vec<String>,
}

/// Which column of a table holds the answers: what somebody takes for the solutions of its puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AnswerColumn {
    /// None that anybody wants to read.
    #[default]
    Ignored,
    /// The one that has a name which answers are known by (`solution`, `solutions`, `answer`, ...), if there is one.
    ByName,
    /// The one with this name; it makes the format CSV.
    Named(String),
}

/// Why an input is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DetectError {
    /// Something known that is none of the formats.
    #[error("the input is {what}, which is not read; {hint}")]
    Unsupported {
        /// What it is.
        what: &'static str,
        /// What to do about it.
        hint: &'static str,
    },
    /// The sample does not tell in which alphabet a size is written.
    #[error(transparent)]
    Alphabet(#[from] UnclearAlphabet),
    /// There is no header in the sample.
    #[error("no header was found at the start of the input")]
    NoHeader,
    /// The header has no column of that name.
    #[error("no column is called '{name}'; the header has {}", .columns.join(", "))]
    NoColumn {
        /// The name.
        name: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// No column of the header has a name that puzzles are known by.
    #[error("which column holds the puzzles is not clear; give it with --puzzle-column, the header has {}", .columns.join(", "))]
    NoPuzzleColumn {
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// Columns were asked for in a format that has none.
    #[error("{0} have no columns to choose from; only CSV has")]
    NoColumns(InputFormat),
}

/// What is refused, by its first bytes.
const UNSUPPORTED: [(&[u8], &str, &str); 8] = [
    (b"\x04\x22\x4d\x18", "compressed with lz4", "unpack it first, for example with lz4 -dc"),
    (b"\x1f\x9d", "compressed with compress", "unpack it first, for example with gzip -dc"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"PAR1", "a Parquet file", "export it as CSV"),
    (b"\x93NUMPY", "a NumPy array", "write it as CSV or as integers"),
    (b"PK\x03\x04", "a ZIP archive", "unpack it first"),
    (b"\xff\xfe", "text in UTF-16", "convert it to UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "convert it to UTF-8"),
];

/// What stands in the first header of a tar archive, and where.
const TAR: (&[u8], usize) = (b"ustar", 257);

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Recognises an input by its first bytes: some 64 KiB, or a whole input (`whole`) if that is shorter.
///
/// # Errors
///
/// If it is something that is not read, if an alphabet has to be given, or if a column that is wanted is missing.
pub fn detect(sample: &[u8], whole: bool, wanted: &Wanted) -> Result<Layout, DetectError> {
    if let Some(&(_, what, hint)) = UNSUPPORTED.iter().find(|(magic, ..)| sample.starts_with(magic)) {
        return Err(DetectError::Unsupported { what, hint });
    }
    if sample.get(TAR.1..).is_some_and(|header| header.starts_with(TAR.0)) {
        return Err(DetectError::Unsupported {
            what: "a tar archive",
            hint: "unpack it first, for example with tar -xOf",
        });
    }
    let mark = if sample.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
    let start = mark + preamble(&sample[mark..]);
    let text = &sample[start..];
    let (text_layout, head) = match chosen_format(text, whole, wanted)? {
        InputFormat::Lines => (TextLayout::Lines, mark),
        InputFormat::Grids => (TextLayout::Grids, count_line(text).map_or(mark, |length| start + length)),
        InputFormat::Ints => (TextLayout::Ints, start),
        InputFormat::Csv => {
            let (csv, length) = table(text, whole, wanted)?;
            (csv, start + length)
        }
    };
    let alphabets = wanted.alphabets.iter().copied().collect();
    let head = Preamble::new(&sample[..head]);
    let mut layout = Layout { text: text_layout, head, alphabets, seen: SampleFacts::default() };
    layout.learn(sample, whole)?;
    Ok(layout)
}

/// How many bytes empty lines and `#` lines take at the start.
fn preamble(text: &[u8]) -> usize {
    let passed = |line: &&[u8]| line.starts_with(b"#") || line.trim_ascii().is_empty();
    text.split_inclusive(|&byte| byte == b'\n').take_while(passed).map(<[u8]>::len).sum()
}

fn chosen_format(text: &[u8], whole: bool, wanted: &Wanted) -> Result<InputFormat, DetectError> {
    let named = wanted.puzzle_column.is_some() || matches!(wanted.answer, AnswerColumn::Named(_));
    let columns = named || !wanted.keep.is_empty();
    let nothing = whole && text.is_empty();
    let format = match wanted.format {
        Some(format) => format,
        None if named || columns && nothing => InputFormat::Csv,
        None => found_format(text, whole)?,
    };
    if columns && format != InputFormat::Csv { Err(DetectError::NoColumns(format)) } else { Ok(format) }
}

fn found_format(text: &[u8], whole: bool) -> Result<InputFormat, DetectError> {
    let unsupported = match text.trim_ascii_start().first() {
        Some(b'{' | b'[') => Some(("JSON", "write it as CSV or as lines")),
        Some(b'<') => Some(("XML", "write it as CSV or as lines")),
        _ if is_utf16(text) => Some(("text in UTF-16", "convert it to UTF-8")),
        _ if has_lines_of_cr(text) => {
            Some(("text whose lines end in CR alone", r"convert it, for example with tr '\r' '\n'"))
        }
        _ => None,
    };
    if let Some((what, hint)) = unsupported {
        return Err(DetectError::Unsupported { what, hint });
    }
    let header = CsvHeader::read(text, whole, None);
    if header.as_ref().is_some_and(|(header, _)| header.puzzle_column(None).is_some()) {
        return Ok(InputFormat::Csv);
    }
    if looks_like_ints(text) {
        return Ok(InputFormat::Ints);
    }
    if let Some(format) = by_votes(text, whole) {
        return Ok(format);
    }
    match header {
        Some((header, length)) if puzzles_follow(&header, &text[length..], whole) => {
            Err(DetectError::NoPuzzleColumn { columns: header.names })
        }
        _ => Ok(InputFormat::Lines),
    }
}

/// Whether a text without a mark is in UTF-16: one byte of each pair is zero, the same one.
fn is_utf16(text: &[u8]) -> bool {
    const PAIRS: usize = 8;
    let (pairs, _) = text.as_chunks();
    let begins_with = |is_character: fn(&[u8; 2]) -> bool| pairs.iter().take(PAIRS).all(is_character);
    pairs.len() >= PAIRS
        && (begins_with(|&[low, high]| low != 0 && high == 0) || begins_with(|&[high, low]| low != 0 && high == 0))
}

/// Whether lines end as they did on the first Macintosh, and as spreadsheets there can still write them.
fn has_lines_of_cr(text: &[u8]) -> bool {
    text.trim_ascii().contains(&b'\r') && !text.contains(&b'\n')
}

/// Whether there is a puzzle in the record after a header that has none, which makes it one with an unknown name.
fn puzzles_follow(header: &CsvHeader, text: &[u8], whole: bool) -> bool {
    let is_puzzle = |field: &[u8]| Order::from_cells(field.len()).is_some() && field.iter().copied().all(is_cell);
    let mut fields = CsvFields::new(header.delimiter);
    match CsvSplitter::new(Preamble::default(), header.delimiter).next_record(text, whole) {
        NextRecord::Found { text: record, .. } => {
            !header.names.iter().any(|name| is_puzzle(name.as_bytes()))
                && fields.split(&text[record]).iter().any(is_puzzle)
        }
        _ => false,
    }
}

/// The particulars of a table, and how many bytes its header takes.
fn table(text: &[u8], whole: bool, wanted: &Wanted) -> Result<(TextLayout, usize), DetectError> {
    let name = wanted.puzzle_column.as_deref();
    let (header, length) = if whole && text.is_empty() {
        // No header and no record: the columns are what they are wanted to be.
        let puzzle = name.unwrap_or(PUZZLE_NAMES[0]).to_owned();
        let answer = if let AnswerColumn::Named(name) = &wanted.answer { Some(name.clone()) } else { None };
        let names = [puzzle].into_iter().chain(answer).chain(wanted.keep.iter().cloned());
        (CsvHeader { delimiter: b',', names: names.collect() }, 0)
    } else {
        CsvHeader::read(text, whole, name).ok_or(DetectError::NoHeader)?
    };
    let missing = |name: &str| DetectError::NoColumn { name: name.to_owned(), columns: header.names.clone() };
    let puzzle = header.puzzle_column(name).ok_or_else(|| match name {
        Some(name) => missing(name),
        None => DetectError::NoPuzzleColumn { columns: header.names.clone() },
    })?;
    let answer = match &wanted.answer {
        AnswerColumn::Ignored => None,
        AnswerColumn::ByName => header.answer_column(puzzle),
        AnswerColumn::Named(name) => Some(header.column(name).ok_or_else(|| missing(name))?),
    };
    let keep = wanted.keep.iter().map(|name| header.column(name).ok_or_else(|| missing(name)));
    let keep = keep.collect::<Result<_, _>>()?;
    Ok((TextLayout::Csv { header, puzzle, answer, keep }, length))
}

/// The lines with something in them.
fn filled_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether an order stands first, and what comes then can be the cells that belong to it.
///
/// A count of grids that are written with spaces looks nearly the same: there, no order stands after each grid.
fn looks_like_ints(text: &[u8]) -> bool {
    let mut lines = filled_lines(text);
    let Some(first) = lines.next() else { return false };
    let Some(order) = words(first).next().and_then(ints::order) else { return false };
    let is_value = |word: &[u8]| word.len() <= 2 && word.iter().all(u8::is_ascii_digit);
    match words(first).count() {
        1 => {}
        count => return count > order.cells() && words(first).all(is_value),
    }
    let Some(row) = lines.clone().next() else { return false };
    let width = words(row).count();
    let is_row_of_other_size = width != order.side() && Order::from_side(width).is_some();
    let after = lines.nth(order.side());
    let order_follows = width != order.side() || after.is_none_or(|line| words(line).count() == 1);
    words(row).all(is_value) && !is_row_of_other_size && order_follows
}

/// Has every line say whether it is a puzzle or a row of one. `None` if none says anything.
fn by_votes(text: &[u8], whole: bool) -> Option<InputFormat> {
    let (mut for_lines, mut for_grids, mut small) = (0, 0, false);
    // The last line of a sample may be cut off.
    let end = if whole { text.len() } else { text.iter().rposition(|&byte| byte == b'\n').unwrap_or(text.len()) };
    for line in filled_lines(&text[..end]).filter(|line| !line.starts_with(b"#")) {
        let is_small = |byte: &u8| matches!(byte, b'1'..=b'4') || BLANKS.contains(byte);
        let (_, puzzle) = lines::puzzle_in(line);
        let cells = line.iter().filter(|byte| !is_spacing(**byte));
        match (puzzle.len(), ScannedLine::scan(line)) {
            (81 | 256 | 625 | 729, _) if puzzle.iter().copied().all(is_cell) => for_lines += 1,
            // A 4x4 puzzle, or a row of a 16x16 grid that happens to have low values only: others will tell.
            (_, ScannedLine::Cells { count: 16, .. }) if cells.clone().all(is_small) => small = true,
            (_, ScannedLine::Cells { count: 4 | 9 | 16 | 25, .. }) if cells.clone().copied().all(is_cell) => {
                for_grids += 1;
            }
            (_, ScannedLine::Rule { order, .. }) if order != Order::Four => for_grids += 1,
            _ => {}
        }
    }
    match for_grids.cmp(&for_lines) {
        Ordering::Greater => Some(InputFormat::Grids),
        Ordering::Less => Some(InputFormat::Lines),
        // Puzzles and rows of 16 cells alone are 4x4 puzzles.
        Ordering::Equal => (for_lines > 0 || small).then_some(InputFormat::Lines),
    }
}

/// Whether a byte can stand for a cell in some alphabet.
fn is_cell(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || BLANKS.contains(&byte)
}

/// How many bytes a line takes that says how many grids follow: a number that is no row of them.
fn count_line(text: &[u8]) -> Option<usize> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next()?;
    let count = first.trim_ascii();
    let row = lines.find_map(|line| match ScannedLine::scan(line.trim_ascii_end()) {
        ScannedLine::Cells { count, .. } => Some(count),
        ScannedLine::Rule { order, .. } => Some(order.side()),
        _ => None,
    })?;
    (count.iter().all(u8::is_ascii_digit) && count.len() != row).then_some(first.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing;
    use super::*;

    const DOTS: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    fn shown(text: impl AsRef<[u8]>) -> String {
        shown_with(text, &Wanted::default())
    }

    fn shown_with(text: impl AsRef<[u8]>, wanted: &Wanted) -> String {
        match detect(text.as_ref(), true, wanted) {
            Ok(layout) => layout.to_string(),
            Err(error) => format!("! {error}"),
        }
    }

    fn in_rows(cells: &str, side: usize) -> String {
        let rows: Vec<_> = cells.as_bytes().chunks(side).map(|row| str::from_utf8(row).unwrap()).collect();
        rows.join("\n") + "\n"
    }

    #[test]
    fn formats_are_told_apart() {
        let zeros = DOTS.replace('.', "0");
        let grid = in_rows(DOTS, 9);
        let spaced: String = zeros.chars().flat_map(|cell| [cell, ' ']).collect();
        let spaced_grid = in_rows(&spaced, 18);
        for (text, expected) in [
            (String::new(), "lines"),
            ("\n\n# a\n".to_owned(), "lines"),
            ("what is this?\nnothing\n".to_owned(), "lines"),
            (format!("\u{feff}{DOTS}\r\n"), "lines of 9x9, blank '.'"),
            (format!("# a\n\n{zeros} ED=1.2\n{DOTS}\n"), "lines of 9x9, blanks '0' and '.'"),
            (format!("0000183b305c {zeros}  1.2\n"), "lines of 9x9, blank '0'"),
            (format!("34..12.....3....\n{DOTS}"), "lines of 4x4 and 9x9, blank '.'"),
            ("34..12.....3....\n".repeat(16), "lines of 4x4, blank '.'"),
            (format!("{DOTS}\n123456789\n{DOTS}\n"), "lines of 9x9, blank '.'"),
            (format!("{DOTS},{zeros}\n"), "lines of 9x9, blank '.'"),
            (format!("{}\n", ".".repeat(729)), "lines"),
            (grid.clone(), "grids of 9x9, blank '.'"),
            (format!("1\n{grid}"), "grids of 9x9, blank '.'"),
            (format!("Grid 01\n{grid}Grid 02\n{grid}"), "grids of 9x9, blank '.'"),
            (spaced_grid.clone(), "grids of 9x9, blank '0'"),
            (format!("2\n{spaced_grid}{spaced_grid}"), "grids of 9x9, blank '0'"),
            (format!("3\n{spaced_grid}{spaced_grid}{spaced_grid}"), "grids of 9x9, blank '0'"),
            ("---------\n".repeat(9), "grids of 9x9, blank '-'"),
            (in_rows("12..34....21..43", 4), "grids of 4x4, blank '.'"),
            (format!("3\n{spaced_grid}"), "integers, order 3"),
            (format!("3\n{spaced_grid}3\n{spaced_grid}2 1"), "integers, order 3"),
            (format!("3 {spaced}"), "integers, order 3"),
            (format!("3\n{spaced}\n"), "integers, order 3"),
            ("2\n1 0 0 4 0 0 1 0\n0 1 0 0 4 0 0 1\n".to_owned(), "integers, order 2"),
            (
                format!("quizzes,solutions\n{zeros},{zeros}\n"),
                "CSV with a header, puzzle in column 1 'quizzes', blank '0'",
            ),
            (
                format!("# a\r\nsource,question,answer\r\na,{DOTS},b\r\n"),
                "CSV with a header, puzzle in column 2 'question', blank '.'",
            ),
            (
                "Id;Sudoku\n1;34..12.....3....".to_owned(),
                "CSV with a header, puzzle in column 2 'Sudoku', 4x4, blank '.'",
            ),
        ] {
            assert_eq!(shown(&text), expected, "{text}");
        }
    }

    #[test]
    fn the_acceptance_inputs_are_recognised() {
        for (text, expected) in [
            (include_str!("../../tests/acceptance/all_solutions.in"), "integers, order 3"),
            (include_str!("../../tests/acceptance/counted_grids.in"), "grids of 9x9, blank '0'"),
            (include_str!("../../tests/acceptance/hexadoku.in"), "grids of 16x16, A-P, blank '-'"),
            (include_str!("../../tests/acceptance/lines_end.in"), "lines of 9x9, blank '.'"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn what_is_not_read_is_refused_by_name() {
        for (text, what) in [
            (&b"\x04\x22\x4d\x18"[..], "lz4"),
            (b"\x1f\x9d\x90", "compress"),
            (b"7z\xbc\xaf\x27\x1c\0", "7z"),
            (b"PK\x03\x04", "ZIP"),
            (&[b"easy.txt", &[0; 249][..], b"ustar\0"].concat(), "tar"),
            (b"PAR1", "Parquet"),
            (b"\x93NUMPY\x01", "NumPy"),
            (b"\xff\xfe1\0", "UTF-16"),
            (b"\xfe\xff\0\x31", "UTF-16"),
            (b"1\0.\0.\0.\0.\0.\0.\0.\0\n\0", "UTF-16"),
            (b"\0\x31\0.\0.\0.\0.\0.\0.\0.", "UTF-16"),
            (b"1.3..........4.2\r1.3..........4.2", "CR alone"),
            (b"{\"puzzle\":", "JSON"),
            (b"\xef\xbb\xbf \n [[1,", "JSON"),
            (b"<?xml", "XML"),
        ] {
            let shown = shown(text);
            assert!(shown.starts_with("! the input is ") && shown.contains(what), "{shown}");
        }
    }

    #[test]
    fn columns_are_chosen_by_name() {
        let text = format!("id,problem,level\n1,{DOTS},hard\n2,{DOTS}\n");
        let wanted = |puzzle: Option<&str>, keep: &[&str]| Wanted {
            puzzle_column: puzzle.map(str::to_owned),
            keep: keep.iter().map(ToString::to_string).collect(),
            ..Wanted::default()
        };
        let layout = detect(text.as_bytes(), true, &wanted(Some("Problem"), &["Level", "id"])).unwrap();
        assert_eq!(layout.to_string(), "CSV with a header, puzzle in column 2 'problem', blank '.'");
        assert_eq!(layout.kept().collect::<Vec<_>>(), ["level", "id"]);
        let records = testing::split(&mut *layout.splitter(), &text);
        assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [2, 3]);
        let mut keeper = layout.keeper();
        assert_eq!(keeper.keep(records[0].0.as_bytes()).collect::<Vec<_>>(), [&b"hard"[..], b"1"]);
        assert_eq!(keeper.keep(records[1].0.as_bytes()).collect::<Vec<_>>(), [&b""[..], b"2"]);
        let columns = "the header has id, problem, level";
        for (wanted, error) in [
            (wanted(Some("x"), &[]), format!("no column is called 'x'; {columns}")),
            (wanted(Some("id"), &["x"]), format!("no column is called 'x'; {columns}")),
            (
                wanted(None, &["id"]),
                format!("which column holds the puzzles is not clear; give it with --puzzle-column, {columns}"),
            ),
            (
                Wanted { format: Some(InputFormat::Lines), ..wanted(None, &["id"]) },
                "lines have no columns to choose from; only CSV has".to_owned(),
            ),
        ] {
            assert_eq!(shown_with(&text, &wanted), format!("! {error}"));
        }
        let header = b"puzzle,a".repeat(10);
        assert_eq!(detect(&header, false, &wanted(Some("a"), &[])).unwrap_err(), DetectError::NoHeader);
        let columns =
            "which column holds the puzzles is not clear; give it with --puzzle-column, the header has id, problem";
        assert_eq!(shown(format!("id,problem\n1,{DOTS}\n")), format!("! {columns}"));
        assert_eq!(shown(format!("1,{DOTS}\n2,{DOTS}\n")), "lines");
        let empty = detect(b"", true, &wanted(Some("a"), &["b"])).unwrap();
        assert_eq!(empty.kept().collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_count_of_grids_is_no_row_of_one() {
        let rows = "003020600\n900305001\n001806400\n008102900\n700000008\n006708200\n002609500\n800203009\n005010300";
        let spaced: Vec<_> = rows.split("").collect();
        for rows in [rows.to_owned(), rows.replace('\n', "\r\n"), spaced.join(" ")] {
            for (head, line) in [("", 1), ("2\n", 2), ("# a\n12\r\n\n", 4), ("\u{feff}", 1)] {
                let text = format!("{head}{rows}\n\n{rows}\n");
                let layout = detect(text.as_bytes(), true, &Wanted::default()).unwrap();
                assert_eq!(layout.to_string(), "grids of 9x9, blank '0'", "{text}");
                let records = testing::split(&mut *layout.splitter(), &text);
                assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [line, line + 10], "{text}");
            }
        }
    }

    proptest! {
        /// Whatever comes, it is recognised or refused, and all its bytes go through.
        #[test]
        fn any_bytes_have_a_layout(
            text in testing::noise(&[DOTS, "puzzle,a\n", "3\n", "1 0 0 4 ", "\u{feff}", "---------\n", "ABCDEFGHIJKLMNOP\n"]),
            sizes in testing::pieces(),
            whole in any::<bool>(),
        ) {
            for format in [None].into_iter().chain(InputFormat::ALL.map(Some)) {
                let wanted = Wanted { format, ..Wanted::default() };
                if let Ok(layout) = detect(&text, whole, &wanted) {
                    prop_assert!(layout.to_string().len() < 1000);
                    testing::check_pieces(|| layout.splitter(), &mut *layout.parser(), &text, &sizes)?;
                }
            }
        }
    }
}

//! `ints`: an order, then the cells as numbers separated by white space, 0 for a blank; one puzzle after another.
//!
//! ```text
//! 2
//! 1 0 0 4
//! 0 0 1 0
//! 0 1 0 0
//! 4 0 0 1
//! ```
//!
//! The order is the side of the boxes, or their rows and columns where these differ: `2x3` for 6x6. Any white space
//! separates numbers, and `#` lines may precede the first record. A line that does not start with an order is a
//! separate record.

use crate::format::alphabet::{Alphabets, listed};
use crate::format::definition::PlainFormat;
use crate::format::malformed::Symbol;
use crate::format::splitter::{FindRecord, NextRecord, TextEnd, window};
use crate::format::stream::rest_of_line;
use crate::format::{BatchEnd, MAX_RECORD, Malformed, ParsedPuzzle, Parser, Puzzles, Size, SymbolPosition, cells};
use crate::puzzle::BoxShape;

/// The format.
pub(super) const INTS: PlainFormat = PlainFormat {
    is_likely: |start| starts_with_order_and_cells(start.text()),
    preamble: |start| start.comments,
    splitter: |preamble| Box::new(IntsSplitter::default().after(preamble)),
    parser: |alphabets| Box::new(IntsParser(alphabets)),
    has_symbols: false,
    describe: |sizes| match sizes {
        [] => "integers".to_owned(),
        sizes => format!("integers, order {}", listed(sizes.iter().map(|size| BoxShape(*size)), "and")),
    },
};

/// Whether a text starts with an order, and can continue with the cells of a puzzle of this order.
///
/// A count before grids with spaces looks nearly the same, but then no order follows each grid.
fn starts_with_order_and_cells(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return false };
    let Some(size) = words(first).next().and_then(parse_order) else { return false };

    // The order and the cells on one line. The first line may be damaged.
    if words(first).count() > 1 {
        return is_order_and_cells(first) || lines.take(2).filter(|line| is_order_and_cells(line)).count() == 2;
    }

    // The order has its own line: the next line is a row, or all cells.
    let Some(row) = lines.clone().next() else { return false };
    let width = words(row).count();
    let is_row_of_other_size =
        width != size.side() && Size::from_side(width).is_some() && !has_cells_and_order(lines.clone(), size);
    let after = lines.nth(size.side());
    let order_follows = width != size.side() || after.is_none_or(|line| words(line).count() == 1);
    words(row).all(is_value) && !is_row_of_other_size && order_follows
}

/// Whether a line has an order and the cells of a puzzle. A line with the cells of a puzzle is one, whatever its first cell.
fn is_order_and_cells(line: &[u8]) -> bool {
    let (size, count) = (words(line).next().and_then(parse_order), words(line).count());
    size.is_some_and(|size| count > size.cells()) && Size::from_cells(count).is_none() && words(line).all(is_value)
}

/// Whether some lines have exactly the cells of a size, and the text ends or another order follows.
fn has_cells_and_order<'a>(mut lines: impl Iterator<Item = &'a [u8]>, size: Size) -> bool {
    let mut left = size.cells();
    while left > 0 {
        let count = lines.next().map_or(usize::MAX, |line| words(line).count());
        let Some(rest) = left.checked_sub(count) else { return false };
        left = rest;
    }
    lines.next().is_none_or(|line| words(line).count() == 1)
}

/// The words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Splits a stream into orders with their cells.
#[derive(Default)]
struct IntsSplitter {
    /// Whether orders have their own lines, so that the first number of a row is not an order.
    has_lines_of_orders: bool,
}

impl FindRecord for IntsSplitter {
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let start = text.len() - text.trim_ascii_start().len();
        let window = window(&text[start..]);
        let mut line = words(window.split(|&byte| byte == b'\n').next().unwrap_or(&[]));
        let (first, is_alone) = (line.next().unwrap_or(&[]), line.next().is_none());
        let order = parse_order(first).filter(|_| !self.has_lines_of_orders || is_alone);
        let end = match order {
            Some(size) => end_of_record(window, size, TextEnd::of_window(window, at_end) == TextEnd::Input),
            None => rest_of_line(window),
        };
        let end = match end {
            Some(end) => end,
            None if window.len() == MAX_RECORD => return NextRecord::cut_off(text, start, start),
            None if at_end && window.is_empty() => return NextRecord::none(text.len(), BatchEnd::EndOfInput),
            None if at_end => window.len(),
            None => return NextRecord::none(start, BatchEnd::Incomplete),
        };
        self.has_lines_of_orders |= order.is_some() && is_alone;
        NextRecord::found(start..start + window[..end].trim_ascii_end().len(), start + end)
    }
}

/// The length of a record that starts with an order; `None` if the text may end before it does.
///
/// If the line of the order has nothing else and a row follows, perhaps with an extra or missing number, all rows have
/// their own lines. The record then ends with a line, and at the latest before a line with another order: so an extra
/// or missing number makes one record malformed, and does not shift the cells of the next. Further rows belong to the
/// record, too: one of them may be doubled.
fn end_of_record(text: &[u8], size: Size, at_end: bool) -> Option<usize> {
    let needed = 1 + size.cells();
    let count = |line| words(line).count();
    let is_complete = |line: &&[u8]| at_end || line.ends_with(b"\n");
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next()?;
    if count(first) > 1 {
        return end_of_words(text, needed);
    }
    let row = lines.find(|line| !line.trim_ascii().is_empty()).filter(is_complete)?;
    // A row or all cells, perhaps with a number too few or too many. Any other line has some of the cells.
    let is_whole = |count: usize| count.abs_diff(size.side()) <= 1 || count.abs_diff(size.cells()) <= 1;
    if !is_whole(count(row)) {
        return end_of_words(text, needed);
    }

    let (mut found, mut end) = (0, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n').take_while(is_complete) {
        let is_order = count(line) == 1 && parse_order(line.trim_ascii()).is_some();
        let is_row = words(line).all(is_value) && is_whole(count(line));
        if is_order && found > 0 || found >= needed && !is_row {
            return Some(end);
        }
        found += count(line);
        end += line.len();
    }
    (at_end && found >= needed).then_some(end)
}

/// Whether a word can be a cell.
fn is_value(word: &[u8]) -> bool {
    word.len() <= 2 && word.iter().all(u8::is_ascii_digit)
}

/// The length of this many words and the following line end; `None` if the text may end before that. Any other word on
/// the line, up to the next order, belongs to the record.
fn end_of_words(text: &[u8], words: usize) -> Option<usize> {
    let (mut left, mut in_word) = (words, false);
    let end = text.iter().position(|byte| {
        let was_in_word = std::mem::replace(&mut in_word, !byte.is_ascii_whitespace());
        left -= usize::from(was_in_word && !in_word);
        left == 0
    })?;
    let blanks = text[end..].iter().position(|byte| *byte == b'\n' || !byte.is_ascii_whitespace())?;
    let next = end + blanks;
    let after = text[next..].split(u8::is_ascii_whitespace).next().unwrap_or_default();
    match text[next] {
        b'\n' => Some(next + 1),
        _ if parse_order(after).is_some() => Some(next),
        _ => rest_of_line(&text[next..]).map(|rest| next + rest),
    }
}

/// The size for an order: the side of its boxes, or their rows, an `x` and their columns.
fn parse_order(word: &[u8]) -> Option<Size> {
    let mut sides = word.splitn(2, |&byte| byte == b'x').map(cells::parse_number);
    let rows = sides.next()??;
    let columns = sides.next().unwrap_or(Some(rows))?;
    let is_written_so = |size: &Size| size.has_square_boxes() != word.contains(&b'x');
    let has_boxes = |size: &Size| (size.box_rows() as u64, size.box_columns() as u64) == (rows, columns);
    Size::ALL.into_iter().filter(is_written_so).find(has_boxes)
}

/// Parses the order and the cells of a record.
#[derive(Clone, Debug)]
struct IntsParser(Alphabets);

impl Parser for IntsParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let mut words = words(record);
        let size = words.next().and_then(parse_order).ok_or(Malformed::MissingOrder)?;
        let side = size.side();
        let cells = &mut [0; Size::MAX_CELLS][..size.cells()];

        let mut length = 0;
        for (index, word) in words.enumerate() {
            let position = || SymbolPosition::of_cell(index, side);
            let value = match word {
                // Nearly all values. The general case takes longer.
                [digit @ b'0'..=b'9'] => u64::from(digit - b'0'),
                // A digit of another number may have joined the zero.
                [b'0', ..] if side < 10 && word.iter().all(u8::is_ascii_digit) => {
                    return Err(Malformed::NotACell { position: position(), side });
                }
                _ => cells::parse_number(word).ok_or_else(|| {
                    let index = word.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(0);
                    Malformed::NotANumber { position: position(), symbol: Symbol::first_of(&word[index..]), side }
                })?,
            };
            if value > side as u64 {
                return Err(Malformed::ValueTooLarge { position: position(), value, side });
            }
            // Numbers beyond the last cell are only counted, for the message.
            if let Some(cell) = cells.get_mut(index) {
                *cell = value as u8;
            }
            length += 1;
        }

        if length != cells.len() {
            return Err(Malformed::Truncated { cells: length, size });
        }
        puzzles.push(size, cells);
        Ok(cells::puzzle_of_numbers(size, cells, &self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::splitter::Preamble;
    use crate::format::testing;

    const FOUR: &str = "2\n1 0 0 4\n0 0 1 0\n0 1 0 0\n4 0 0 1";
    const FIRST_OF_NINE: &str = "3\n0 6 0 1 0 4 0 5 0\n0 0 8 3 0 5 6 0 0\n2 0 0 0 0 0 0 0 1\n8 0 0 4 0 7 0 0 6\n\
        0 0 6 0 0 0 3 0 0\n7 0 0 9 0 1 0 0 4\n5 0 0 0 0 0 0 0 2\n0 0 7 2 0 6 9 0 0\n0 4 0 5 0 8 0 7 0";

    fn split(text: &str) -> Vec<(String, u64)> {
        testing::split(&mut IntsSplitter::default().after(Preamble::default()), text)
    }

    fn parse(record: &str) -> Result<String, String> {
        let alphabets = Alphabets::default();
        testing::parse(&mut IntsParser(alphabets), &alphabets, record.as_bytes())
    }

    #[test]
    fn a_record_is_an_order_and_its_cells() {
        let one_line = FOUR.replace('\n', "\t");
        let (short, long) = (FOUR.replace("0 0 1 0", "0 0 1"), FOUR.replace("1 0 0 4", "1 0 0 4 0"));
        for (text, records) in [
            (String::new(), vec![]),
            (" \n\r\n".to_owned(), vec![]),
            (format!("{FOUR}\r\n\n{FOUR}\n"), vec![(FOUR, 1), (FOUR, 7)]),
            (format!("\n{one_line} {one_line}"), vec![(&*one_line, 2), (&*one_line, 2)]),
            (format!("7\n1 2 \n{FOUR}"), vec![("7", 1), ("1 2", 2), (FOUR, 3)]),
            (format!("{one_line} 1\nx"), vec![(&*format!("{one_line} 1"), 1), ("x", 2)]),
            (
                format!("2\n{0}\n2\n{0} 4\n", "1 0 0 4 0 0 1 0 0 1 0 0 4 0 0"),
                vec![("2\n1 0 0 4 0 0 1 0 0 1 0 0 4 0 0", 1), ("2\n1 0 0 4 0 0 1 0 0 1 0 0 4 0 0 4", 3)],
            ),
            // A doubled row.
            (format!("{FOUR}\n4 0 0 1\n{FOUR}"), vec![(&*format!("{FOUR}\n4 0 0 1"), 1), (FOUR, 7)]),
            ("2 1 2".to_owned(), vec![("2 1 2", 1)]),
            ("25\n1".to_owned(), vec![("25", 1), ("1", 2)]),
            // A missing cell or row, an extra cell.
            (format!("{short}\n{FOUR}"), vec![(&*short, 1), (FOUR, 6)]),
            (format!("2\n1 0 0 4\n{FOUR}"), vec![("2\n1 0 0 4", 1), (FOUR, 3)]),
            (format!("{long}\n{FOUR}"), vec![(&*long, 1), (FOUR, 6)]),
        ] {
            let expected: Vec<_> = records.into_iter().map(|(text, line)| (text.to_owned(), line)).collect();
            assert_eq!(split(&text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_acceptance_input_is_parsed() {
        let text = include_str!("../../../../tests/acceptance/all_solutions.in");
        let records = split(text);
        assert_eq!(records.iter().map(|record| record.1).collect::<Vec<_>>(), [1, 11]);
        assert_eq!(records[0].0, FIRST_OF_NINE);
        let cells = ".6.1.4.5...83.56..2.......18..4.7..6..6...3..7..9.1..45.......2..72.69...4.5.8.7.";
        assert_eq!(parse(&records[0].0), Ok(cells.to_owned()));
    }

    #[test]
    fn large_numbers_are_values() {
        let mut numbers: Vec<String> = (0..256).map(|cell| (cell % 17).to_string()).collect();
        let record = |numbers: &[String]| format!("4 {}", numbers.join(" "));
        assert!(parse(&record(&numbers)).unwrap().starts_with(".123456789ABCDEFG.1"));
        numbers[20] = "17".to_owned();
        assert_eq!(parse(&record(&numbers)), Err("row 2, column 5: 17 is above 16".to_owned()));
    }

    #[test]
    fn zero_is_the_blank_unless_it_is_printed_for_a_value() {
        let mut alphabets = Alphabets::default();
        let record = format!("4 {}", "0 ".repeat(256));
        let blank = |alphabets| IntsParser(alphabets).parse(record.as_bytes(), &mut Puzzles::new()).unwrap().blank;
        assert_eq!(blank(alphabets), b'0');
        alphabets.set("0-F".parse().unwrap());
        assert_eq!(blank(alphabets), b'.');
    }

    #[test]
    fn errors_name_the_cell() {
        for (record, reason) in [
            ("7", "no order from 2 to 5, such as 3 or 2x3, in front of the cells"),
            ("two", "no order from 2 to 5, such as 3 or 2x3, in front of the cells"),
            ("2 1 2", "2 cells; a puzzle of order 2 has 16"),
            (&format!("{FOUR} 1"), "17 cells; a puzzle of order 2 has 16"),
            (&FOUR.replacen("0 0 1 0", "0 5 1 0", 1), "row 2, column 2: 5 is above 4"),
            (&FOUR.replacen("0 0 1 0", "0 01 1 0", 1), "row 2, column 2: no integer from 0 to 4"),
            (&FOUR.replacen("0 0 1 0", "0 1x 1 0", 1), "row 2, column 2: 'x' in a number from 0 to 4"),
            (&FOUR.replacen("0 0 1 0", "0 0 -1 0", 1), "row 2, column 3: '-' in a number from 0 to 4"),
            (
                &FOUR.replacen("0 0 1 0", "0 99999999999999999999 1 0", 1),
                "row 2, column 2: 18446744073709551615 is above 4",
            ),
        ] {
            assert_eq!(parse(record), Err(reason.to_owned()), "{record}");
        }
    }

    #[test]
    fn a_long_record_is_one_record() {
        for text in [
            format!("2 1{}\n{FOUR}", " ".repeat(2 * MAX_RECORD) + &"1 ".repeat(15)),
            format!("{}\n{FOUR}", "2".repeat(2 * MAX_RECORD)),
            format!("2 {}\n{FOUR}", "1".repeat(2 * MAX_RECORD) + " 1".repeat(15).as_str()),
        ] {
            for size in [30_000, text.len()] {
                let records = testing::split_bytes(
                    &mut IntsSplitter::default().after(Preamble::default()),
                    text.as_bytes(),
                    &[size],
                );
                let shape: Vec<_> = records.iter().map(|(text, line)| (text.len(), *line)).collect();
                assert_eq!(shape, [(MAX_RECORD, 1), (FOUR.len(), 2)]);
                let reason = parse(str::from_utf8(&records[0].0).unwrap()).unwrap_err();
                assert_eq!(reason, Malformed::TooLong.to_string());
            }
        }
    }
}

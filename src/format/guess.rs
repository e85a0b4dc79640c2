//! Guesses the format of a text from its first lines.

use std::cmp::Ordering;

use super::alphabet::{BLANKS, is_digit_or_blank};
use super::csv::CsvSplitter;
use super::csv_fields::CsvFields;
use super::csv_header::CsvHeader;
use super::detect::DetectError;
use super::grid_lookahead::order_of_row;
use super::grid_scanner::{ScannedLine, is_spacing};
use super::input_format::InputFormat;
use super::position::Preamble;
use super::splitter::NextRecord;
use super::{BatchLimits, Order, Splitter, cells, ints, lines, spaced};
use crate::puzzle::Pencilmarks;

/// Guesses the format of a text, which is complete if `is_complete`.
///
/// A header with a usual name makes it CSV. An order with the right cells after it makes it integers. Otherwise its
/// lines vote for `lines` or `grids`; without votes it is `lines`.
pub(super) fn guess_format(text: &[u8], is_complete: bool) -> Result<InputFormat, DetectError> {
    let header = CsvHeader::read(text, is_complete, None);
    if let Some((header, length)) = &header
        && header.puzzle_column(None).is_some()
        // The word may also be the title of a grid.
        && (vote(&text[*length..], is_complete) != Some(InputFormat::Grids)
            || header.names.len() > 1 && has_records_of(header, &text[*length..], is_complete))
    {
        return Ok(InputFormat::Csv);
    }
    if looks_like_ints(text) {
        return Ok(InputFormat::Ints);
    }
    let format = vote(text, is_complete);
    match header {
        Some((header, length))
            if format != Some(InputFormat::Grids) && is_header(&header, &text[length..], is_complete) =>
        {
            Err(DetectError::NoPuzzleColumn { columns: header.names })
        }
        _ => Ok(format.unwrap_or(InputFormat::Lines)),
    }
}

/// Whether one of the first records after a header, fewer than a grid has rows, has as many fields.
fn has_records_of(header: &CsvHeader, text: &[u8], is_complete: bool) -> bool {
    let mut splitter = CsvSplitter::new(Preamble::default(), header.delimiter, None);
    let mut fields = CsvFields::new(header.delimiter);
    let (mut found, limits) = (false, BatchLimits { records: 8, ..BatchLimits::NONE });
    splitter.next_batch(text, is_complete, limits, &mut |record, _| {
        found |= fields.split(&text[record]).len() == header.names.len();
    });
    found
}

/// Whether a line without a puzzle is a header with unusual names: the record after it has as many fields, and a puzzle
/// that is not the first of them.
fn is_header(header: &CsvHeader, text: &[u8], is_complete: bool) -> bool {
    let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || BLANKS.contains(byte);
    let is_puzzle = |field: &[u8]| cells::is_length_of_puzzle(field.len()) && field.iter().all(is_cell);
    let mut fields = CsvFields::new(header.delimiter);
    match CsvSplitter::new(Preamble::default(), header.delimiter, None).next_record(text, is_complete) {
        NextRecord::Found { text: record, .. } => {
            let fields = fields.split(&text[record]);
            !header.names.iter().any(|name| is_puzzle(name.as_bytes()))
                && fields.len() == header.names.len()
                && fields.iter().skip(1).any(is_puzzle)
                && !fields.get(0).is_some_and(is_puzzle)
        }
        _ => false,
    }
}

/// The lines that are not empty, without white space around them.
fn filled_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether the text starts with an order, and what follows can be the cells of a puzzle of this order.
///
/// A count of grids that are written with spaces looks nearly the same, but has no order after each grid.
fn looks_like_ints(text: &[u8]) -> bool {
    let mut lines = filled_lines(text);
    let Some(first) = lines.next() else { return false };
    let Some(order) = words(first).next().and_then(ints::parse_order) else { return false };
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

/// Weighs the lines that are puzzles against those that are rows of grids: a puzzle counts as many as a grid has rows.
/// `None` if there are none.
fn vote(text: &[u8], is_complete: bool) -> Option<InputFormat> {
    let (mut for_lines, mut for_grids, mut has_small) = (0, 0, false);
    // The last line of a sample may be incomplete.
    let end = if is_complete { text.len() } else { text.iter().rposition(|&byte| byte == b'\n').unwrap_or(text.len()) };
    for line in text[..end].split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#")) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match order_of_puzzle(line) {
            // A 4x4 puzzle, or a row of a 16x16 grid that has low values only: other lines will decide.
            Some(Order::Two) => has_small = true,
            Some(order) => for_lines += order.side(),
            None if order_of_row(line).is_some() => for_grids += 1,
            None if is_row_of_blanks(line) => for_grids += 1,
            None => {}
        }
    }
    match for_grids.cmp(&for_lines) {
        Ordering::Greater => Some(InputFormat::Grids),
        Ordering::Less => Some(InputFormat::Lines),
        // Without other lines, 16 cells are a 4x4 puzzle.
        Ordering::Equal => (for_lines > 0 || has_small).then_some(InputFormat::Lines),
    }
}

/// The size of the puzzle in a line. A 9x9 puzzle stands for pencilmarks, which are written the same way.
fn order_of_puzzle(line: &[u8]) -> Option<Order> {
    let (_, puzzle) = lines::puzzle_in(line.trim_ascii());
    let order = if puzzle.len() == Pencilmarks::SYMBOLS { Some(Order::Three) } else { Order::from_cells(puzzle.len()) };
    let is_symbol = |&byte: &u8| match order {
        Some(Order::Two) => matches!(byte, b'1'..=b'4') || BLANKS.contains(&byte),
        Some(Order::Three) => is_digit_or_blank(byte),
        _ => byte.is_ascii_alphanumeric() || BLANKS.contains(&byte),
    };
    let spaced = || {
        let small = line.iter().filter(|byte| !is_spacing(**byte));
        let is_small =
            small.clone().count() == Order::Two.cells() && small.clone().all(|byte| b"01234.".contains(byte));
        let numbers = spaced::count_numbers(line).and_then(Order::from_cells).filter(|order| *order > Order::Two);
        let spaces = spaced::has_spaces_for_blanks(line).then(|| Order::from_cells(line.len())).flatten();
        is_small.then_some(Order::Two).or(numbers).or(spaces)
    };
    order.filter(|_| puzzle.iter().all(is_symbol)).or_else(spaced)
}

fn is_row_of_blanks(line: &[u8]) -> bool {
    matches!(ScannedLine::scan(line), ScannedLine::Rule { order, .. } if order != Order::Four)
}

/// The length of the first line of grids if it is the number of grids and an empty line follows. Directly before rows,
/// such a line is a title; if it is as long as the rows after it, it is one of them.
pub(super) fn count_line_length(text: &[u8]) -> Option<usize> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let (first, second) = (lines.next()?, lines.next()?);
    let count = first.trim_ascii();
    let width = lines.find_map(|line| order_of_row(line.trim_ascii_end())).map(Order::side);
    let is_count = count.iter().all(u8::is_ascii_digit) && width != Some(count.len());
    (is_count && second.trim_ascii().is_empty()).then_some(first.len())
}

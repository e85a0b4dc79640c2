//! Guesses the format of a text from its first lines.

use std::cmp::Ordering;

use super::alphabet::BLANKS;
use super::csv::CsvSplitter;
use super::csv_fields::CsvFields;
use super::csv_header::CsvHeader;
use super::detect::DetectError;
use super::grid_scanner::{ScannedLine, is_spacing};
use super::input_format::InputFormat;
use super::position::Preamble;
use super::splitter::NextRecord;
use super::{Order, ints, lines};

/// Guesses the format of a text, which is complete if `is_complete`.
///
/// A header with a usual name makes it CSV. An order with the right cells after it makes it integers. Otherwise its
/// lines vote for `lines` or `grids`; without votes it is `lines`.
pub(super) fn guess_format(text: &[u8], is_complete: bool) -> Result<InputFormat, DetectError> {
    let header = CsvHeader::read(text, is_complete, None);
    if header.as_ref().is_some_and(|(header, _)| header.puzzle_column(None).is_some()) {
        return Ok(InputFormat::Csv);
    }
    if looks_like_ints(text) {
        return Ok(InputFormat::Ints);
    }
    if let Some(format) = vote(text, is_complete) {
        return Ok(format);
    }
    match header {
        Some((header, length)) if puzzles_follow(&header, &text[length..], is_complete) => {
            Err(DetectError::NoPuzzleColumn { columns: header.names })
        }
        _ => Ok(InputFormat::Lines),
    }
}

/// Whether a puzzle is in the record after a line that has none: then the line is a header with unusual names.
fn puzzles_follow(header: &CsvHeader, text: &[u8], is_complete: bool) -> bool {
    let is_puzzle = |field: &[u8]| Order::from_cells(field.len()).is_some() && field.iter().copied().all(is_cell);
    let mut fields = CsvFields::new(header.delimiter);
    match CsvSplitter::new(Preamble::default(), header.delimiter).next_record(text, is_complete) {
        NextRecord::Found { text: record, .. } => {
            !header.names.iter().any(|name| is_puzzle(name.as_bytes()))
                && fields.split(&text[record]).iter().any(is_puzzle)
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

/// Counts the lines that are puzzles and those that are rows of grids. `None` if there are none.
fn vote(text: &[u8], is_complete: bool) -> Option<InputFormat> {
    let (mut for_lines, mut for_grids, mut has_small) = (0, 0, false);
    // The last line of a sample may be incomplete.
    let end = if is_complete { text.len() } else { text.iter().rposition(|&byte| byte == b'\n').unwrap_or(text.len()) };
    for line in filled_lines(&text[..end]).filter(|line| !line.starts_with(b"#")) {
        let is_small = |byte: &u8| matches!(byte, b'1'..=b'4') || BLANKS.contains(byte);
        let (_, puzzle) = lines::puzzle_in(line);
        let cells = line.iter().filter(|byte| !is_spacing(**byte));
        match (puzzle.len(), ScannedLine::scan(line)) {
            (81 | 256 | 625 | 729, _) if puzzle.iter().copied().all(is_cell) => for_lines += 1,
            // A 4x4 puzzle, or a row of a 16x16 grid that has low values only: other lines will decide.
            (_, ScannedLine::Cells { count: 16, .. }) if cells.clone().all(is_small) => has_small = true,
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
        // Without other lines, 16 cells are a 4x4 puzzle.
        Ordering::Equal => (for_lines > 0 || has_small).then_some(InputFormat::Lines),
    }
}

/// Whether a byte can be a cell in some alphabet.
fn is_cell(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || BLANKS.contains(&byte)
}

/// The length of the first line of grids if it is the number of grids, and not a row of one.
pub(super) fn count_line_length(text: &[u8]) -> Option<usize> {
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

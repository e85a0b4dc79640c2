//! Parses a puzzle that is written as a JSON array: the cells as integers, in one array or with an array for each row.
//!
//! ```text
//! [5, 3, 0, 0, 7, 0, 0, 0, 0, 6, ...]
//! [[5, 3, null, null, 7, -1, -1, -1, -1], [6, ...], ...]
//! ```
//!
//! 0, -1 and `null` are blanks.

use memchr::{memchr, memchr3};

use crate::format::alphabet::Alphabets;
use crate::format::formats::ints::parse_number;
use crate::format::malformed::{Malformed, SymbolPosition};
use crate::format::{ParsedPuzzle, Puzzles, Size, cells};

/// Adds the puzzle of an array, which is valid JSON, to `puzzles`.
pub(super) fn parse(array: &str, alphabets: &Alphabets, puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
    let array = array.as_bytes();
    let mut cells = Cells { values: [0; Size::MAX_CELLS], length: 0 };
    let size = if has_rows(array) {
        cells.push_rows(array)?
    } else {
        cells.push_row(array);
        Size::from_cells(cells.length).ok_or(Malformed::CellCount { cells: cells.length })?
    };
    let values = &cells.values[..size.cells()];
    let side = size.side();
    if let Some(index) = values.iter().position(|&value| usize::from(value) > side) {
        return Err(wrong_cell(array, index, side));
    }
    puzzles.push(size, values);
    Ok(cells::puzzle_of_numbers(size, values, alphabets))
}

/// Cells in the order of the array.
struct Cells {
    /// The values of the first ones; [`NO_VALUE`] for what is none.
    values: [u8; Size::MAX_CELLS],
    /// The number of all cells.
    length: usize,
}

/// Above the values of all sizes.
const NO_VALUE: u8 = u8::MAX;

impl Cells {
    fn push(&mut self, value: u8) {
        if let Some(cell) = self.values.get_mut(self.length) {
            *cell = value;
        }
        self.length += 1;
    }

    /// Adds the cells of an array; returns their number.
    fn push_row(&mut self, array: &[u8]) -> usize {
        let before = self.length;
        for element in elements(array) {
            self.push(match *element {
                [digit @ b'0'..=b'9'] => digit - b'0',
                [ten @ b'0'..=b'9', one @ b'0'..=b'9'] => 10 * (ten - b'0') + one - b'0',
                _ if matches!(element, b"null" | b"-1") => 0,
                _ => NO_VALUE,
            });
        }
        self.length - before
    }

    /// Adds the cells of an array of rows; returns their size.
    fn push_rows(&mut self, array: &[u8]) -> Result<Size, Malformed> {
        let (mut rows, mut side, mut other) = (0, 0, None);
        for row in elements(array) {
            let length = if row.starts_with(b"[") { self.push_row(row) } else { 0 };
            rows += 1;
            if rows == 1 {
                side = length;
            } else if length != side {
                other = other.or(Some(Malformed::RowLength { row: rows, cells: length, side }));
            }
        }
        let size = Size::from_side(side).ok_or(Malformed::GridWidth { cells: side })?;
        match other {
            _ if rows != side => Err(Malformed::RowCount { rows, columns: side }),
            Some(other) => Err(other),
            None => Ok(size),
        }
    }
}

/// What is wrong with the cell of this index.
#[cold]
fn wrong_cell(array: &[u8], index: usize, side: usize) -> Malformed {
    let position = SymbolPosition::of_cell(index, side);
    let row = |row: usize| elements(array).nth(row).unwrap_or_default();
    let cells = if has_rows(array) { (row(index / side), index % side) } else { (array, index) };
    let cell = elements(cells.0).nth(cells.1).unwrap_or_default();
    match parse_number(cell) {
        Some(value) => Malformed::ValueTooLarge { position, value, side },
        None => Malformed::NotACell { position, side },
    }
}

/// The elements of an array, which is valid JSON.
fn elements(array: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = array.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]")).unwrap_or_default().trim_ascii();
    std::iter::from_fn(move || {
        let end = end_of_element(rest)?;
        let element = rest[..end].trim_ascii_end();
        rest = rest.get(end + 1..).unwrap_or_default().trim_ascii_start();
        Some(element)
    })
}

/// Whether the elements of an array are arrays; the first one decides.
fn has_rows(array: &[u8]) -> bool {
    array[1..].trim_ascii_start().starts_with(b"[")
}

/// The index of the comma after the first element of a list, or the length of the list; `None` if the list is empty.
fn end_of_element(list: &[u8]) -> Option<usize> {
    let start = match list.first()? {
        // Nearly all elements are numbers, or rows of numbers, which have no other bracket.
        b'[' => memchr(b']', list).filter(|&end| memchr3(b'[', b'{', b'"', &list[1..end]).is_none()),
        b'{' | b'"' => None,
        _ => Some(0),
    };
    let Some(start) = start else { return Some(end_of_any_element(list)) };
    Some(list[start..].iter().position(|&byte| byte == b',').map_or(list.len(), |length| start + length))
}

/// As [`end_of_element`], also of an array, an object or a string.
fn end_of_any_element(list: &[u8]) -> usize {
    let (mut depth, mut in_string, mut is_escaped) = (0, false, false);
    let end = list.iter().position(|&byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' => return depth == 0,
            _ => {}
        }
        false
    });
    end.unwrap_or(list.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(array: &str) -> Result<String, String> {
        let (alphabets, mut puzzles) = (Alphabets::default(), Puzzles::new());
        let parsed = parse(array, &alphabets, &mut puzzles).map_err(|reason| reason.to_string())?;
        Ok(alphabets.for_printing(parsed.size).text(puzzles.last(parsed.size), parsed.blank))
    }

    #[test]
    fn cells_are_integers_in_one_array_or_in_rows() {
        let four = "0, 1, 2,3,4 ,0,null,-1,0,0,0,0,0,0,0,4";
        let puzzle = "0123400000000004".to_owned();
        let rows = "[0,1,2,3],[4,0,null, -1],[0,0,0,0],[0,0,0,4]";
        for text in [format!("[{four}]"), format!("[ {four} ]"), format!("[{rows}]"), format!("[ {rows}\t]")] {
            assert_eq!(read(&text), Ok(puzzle.clone()), "{text}");
        }
        let full: Vec<String> = (0..256).map(|cell| (cell % 17).to_string()).collect();
        assert!(read(&format!("[{}]", full.join(","))).unwrap().starts_with("0123456789ABCDEFG01"));
        for (from, to, reason) in [
            ("[0,1,2,3]", "[0,1,2,5]", "row 1, column 4: 5 is above 4"),
            ("[0,1,2,3]", "[0,1,2]", "row 1: 3 cells; a row has 4, 6, 8, 9, 10, 12, 16 or 25"),
            ("[0,1,2,3]", "[]", "row 1: 0 cells; a row has 4, 6, 8, 9, 10, 12, 16 or 25"),
            ("[0,0,0,0]", "[0,0,0,0,0]", "row 3: 5 cells; a row of this grid has 4"),
            ("[0,0,0,0]", "[[0],0,0,0]", "row 3, column 1: no integer from 0 to 4"),
            ("[0,0,0,0]", "null", "row 3: 0 cells; a row of this grid has 4"),
            ("[0,1,2,3]", "[0,1,2,255]", "row 1, column 4: 255 is above 4"),
            ("[0,1,2,3]", "[0,1,2,10]", "row 1, column 4: 10 is above 4"),
            ("[0,0,0,0],", "", "3 rows; a grid of 4 columns has 4"),
            ("null", "\"a,]\\\"\"", "row 2, column 3: no integer from 0 to 4"),
            ("null", "1.5", "row 2, column 3: no integer from 0 to 4"),
            ("null", "true", "row 2, column 3: no integer from 0 to 4"),
            ("null", "-2", "row 2, column 3: no integer from 0 to 4"),
            ("null", "1e0", "row 2, column 3: no integer from 0 to 4"),
            ("null", "{\"a\":[1,2]}", "row 2, column 3: no integer from 0 to 4"),
            ("null", "99999999999999999999", "row 2, column 3: 18446744073709551615 is above 4"),
        ] {
            assert_eq!(read(&format!("[{}]", rows.replacen(from, to, 1))), Err(reason.to_owned()), "{to}");
        }
        for (text, reason) in [
            ("[1, 2]", "2 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("[]", "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("[ ]", "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("[1,[2,3],4]", "3 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
    }
}

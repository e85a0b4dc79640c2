//! Parses a puzzle that is written as a JSON array: the cells as integers, in one array or with an array for each row.
//!
//! ```text
//! [5, 3, 0, 0, 7, 0, 0, 0, 0, 6, ...]
//! [[5, 3, null, null, 7, -1, -1, -1, -1], [6, ...], ...]
//! ```
//!
//! 0, -1 and `null` are blanks.

use super::alphabet::Alphabets;
use super::cells;
use super::malformed::{Malformed, SymbolPosition};
use super::{Order, ParsedPuzzle, Puzzles};

/// Adds the puzzle of an array, which is valid JSON, to `puzzles`.
pub(super) fn parse(array: &str, alphabets: &Alphabets, puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
    let cells = &mut [0; Order::MAX_CELLS];
    let order = if elements(array).next().is_some_and(|first| first.starts_with('[')) {
        parse_rows(array, cells)?
    } else {
        let count = elements(array).count();
        let order = Order::from_cells(count).ok_or(Malformed::CellCount { cells: count })?;
        let side = order.side();
        for (index, (cell, element)) in cells.iter_mut().zip(elements(array)).enumerate() {
            *cell = value(element, side, index)?;
        }
        order
    };
    let cells = &cells[..order.cells()];
    puzzles.push(order, cells);
    Ok(cells::puzzle_of_numbers(order, cells, alphabets))
}

/// Writes the cells of an array of rows.
fn parse_rows(array: &str, cells: &mut [u8]) -> Result<Order, Malformed> {
    let side = elements(array).next().map_or(0, |row| elements(row).count());
    let order = Order::from_side(side).ok_or(Malformed::GridWidth { cells: side })?;
    let rows = elements(array).count();
    if rows != side {
        return Err(Malformed::RowCount { rows, columns: side });
    }
    for (index, row) in elements(array).enumerate() {
        if !row.starts_with('[') {
            return Err(Malformed::NotACell { position: SymbolPosition::of_cell(index * side, side), side });
        }
        let mut length = 0;
        for element in elements(row) {
            if let Some(cell) = cells[index * side..][..side].get_mut(length) {
                *cell = value(element, side, index * side + length)?;
            }
            length += 1;
        }
        if length != side {
            return Err(Malformed::RowLength { row: index + 1, cells: length, side });
        }
    }
    Ok(order)
}

/// The value of the cell with this index; 0 for a blank.
fn value(element: &str, side: usize, index: usize) -> Result<u8, Malformed> {
    let position = || SymbolPosition::of_cell(index, side);
    let value = match *element.as_bytes() {
        // Nearly all values; the general case takes longer.
        [digit @ b'0'..=b'9'] => u64::from(digit - b'0'),
        [b'n' | b'-', ..] if matches!(element, "null" | "-1") => 0,
        _ if element.bytes().all(|byte| byte.is_ascii_digit()) => element.parse().unwrap_or(u64::MAX),
        _ => return Err(Malformed::NotACell { position: position(), side }),
    };
    if value > side as u64 {
        return Err(Malformed::ValueTooLarge { position: position(), value, side });
    }
    Ok(value as u8)
}

/// The elements of an array, which is valid JSON.
fn elements(array: &str) -> impl Iterator<Item = &str> {
    let mut rest = array.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or_default().trim_ascii();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = end_of_element(rest.as_bytes());
        let element = rest[..end].trim_ascii();
        rest = rest.get(end + 1..).unwrap_or_default();
        Some(element)
    })
}

/// The index of the comma after the first element of a list, or the length of the list.
fn end_of_element(list: &[u8]) -> usize {
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
        Ok(alphabets.for_printing(parsed.order).text(puzzles.last(parsed.order), parsed.blank))
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
            ("[0,1,2,3]", "[0,1,2]", "row 1: 3 cells; a row has 4, 9, 16 or 25"),
            ("[0,1,2,3]", "[]", "row 1: 0 cells; a row has 4, 9, 16 or 25"),
            ("[0,0,0,0]", "[0,0,0,0,0]", "row 3: 5 cells; a row of this grid has 4"),
            ("[0,0,0,0]", "[[0],0,0,0]", "row 3, column 1: no integer from 0 to 4"),
            ("[0,0,0,0]", "null", "row 3, column 1: no integer from 0 to 4"),
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
            ("[]", "0 cells; a puzzle has 16, 81, 256 or 625"),
            ("[ ]", "0 cells; a puzzle has 16, 81, 256 or 625"),
            ("[1,[2,3],4]", "3 cells; a puzzle has 16, 81, 256 or 625"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
    }
}

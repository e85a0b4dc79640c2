//! Parses a puzzle in the form of a JSON or Python list: all cells in one list, or a list or a text for each row.
//!
//! ```text
//! [5, 3, 0, 0, 7, 0, 0, 0, 0, 6, ...]
//! [[5, 3, null, null, 7, -1, -1, -1, -1], [6, ...], ...]
//! [['5', '3', '.', '', '7', None, ...], ['6', ...], ...]
//! ["53..7....", "6..195...", ...]
//! [{"val": 5, "given": true}, {"val": null, "notes": [1, 2]}, {}, ...]
//! ```
//!
//! A cell is an integer, or a text with an integer, with one symbol or with nothing, or an object with such a value. -1,
//! `null` and `None` are blanks. 0 is a blank too, but not together with these: it may then be a digit, if digits count
//! from 0. A row may also be a tuple.

use memchr::memchr;

use super::alphabet::Alphabets;
use super::cells;
use super::malformed::Malformed;
use super::{ParsedPuzzle, Puzzles, Size};

/// Whether a text is a list. Other texts in brackets, such as printed arrays of `NumPy`, have no commas.
pub(super) fn is_list(text: &[u8]) -> bool {
    text.starts_with(b"[") && text.ends_with(b"]") && memchr(b',', text).is_some()
}

/// Adds the puzzle of a list to `puzzles`.
pub(super) fn parse(list: &[u8], alphabets: &Alphabets, puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
    let mut elements = Elements::default();
    elements.read(list);
    elements.check()?;
    cells::parse_words(&elements.cells, alphabets, puzzles)
}

/// The elements of a list, in order.
#[derive(Default)]
struct Elements<'a> {
    cells: Vec<&'a [u8]>,
    /// Whether an element is a longer text.
    has_texts: bool,
    /// The number of cells of each row.
    rows: Vec<usize>,
}

impl<'a> Elements<'a> {
    /// Reads a list.
    fn read(&mut self, list: &'a [u8]) {
        let (mut tokens, mut depth, mut before) = (tokens(list), 0, 0);
        while let Some(token) = tokens.next() {
            match token {
                b"[" | b"(" if depth < 2 => (depth, before) = (depth + 1, self.cells.len()),
                b"]" | b")" if depth == 2 => {
                    depth = 1;
                    self.rows.push(self.cells.len() - before);
                }
                b"]" | b")" => {}
                b"{" => self.cells.push(cell_of_object(&mut tokens)),
                [b'"' | b'\'', ..] => {
                    let text = cells::without_quotes(token);
                    self.has_texts |= text.len() > 2;
                    // In a list of texts, each text may be a row.
                    if depth == 1 && Size::from_side(text.len()).is_some() {
                        self.cells.extend(text.chunks(1));
                        self.rows.push(text.len());
                    } else {
                        self.cells.push(text);
                    }
                }
                // A bracket in a row is not a cell.
                _ => self.cells.push(token),
            }
        }
    }

    /// Fails if no puzzle has such rows.
    fn check(&self) -> Result<(), Malformed> {
        let rows = self.rows.len();
        if self.has_texts && self.rows.first() != Some(&rows) {
            return Err(Malformed::ListOfTexts);
        }
        let Some(&side) = self.rows.first() else { return Ok(()) };
        Size::from_side(side).ok_or(Malformed::GridWidth { cells: side })?;
        match self.rows.iter().position(|&cells| cells != side) {
            _ if rows != side => Err(Malformed::RowCount { rows, columns: side }),
            Some(row) => Err(Malformed::RowLength { row: row + 1, cells: self.rows[row], side }),
            // There may be cells between the rows.
            None if self.cells.len() != rows * side => Err(Malformed::CellCount { cells: self.cells.len() }),
            None => Ok(()),
        }
    }
}

/// The usual keys of the cell in an object.
const CELL_KEYS: [&[u8]; 5] = [b"value", b"val", b"digit", b"number", b"cell"];

/// The cell of an object whose first bracket was read: the value with a usual key, or the only value that may be a
/// cell; empty without such a value. An object with several values is not a cell, nor is a set.
fn cell_of_object<'a>(tokens: &mut impl Iterator<Item = &'a [u8]>) -> &'a [u8] {
    let (mut depth, mut before, mut fields) = (1, [&b""[..]; 2], vec![]);
    for token in tokens {
        if depth == 1
            && let [key, b":"] = before
        {
            fields.push([key, token].map(cells::without_quotes));
        }
        match token {
            // The second part of an object is a colon.
            _ if before[0].is_empty() && !before[1].is_empty() && token != b":" => return b"{",
            b"[" | b"{" | b"(" => depth += 1,
            b"]" | b"}" | b")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        before = [before[1], token];
    }

    let usual = fields.iter().rfind(|[key, _]| CELL_KEYS.iter().any(|usual| usual.eq_ignore_ascii_case(key)));
    let mut others = fields.iter().filter(|[_, value]| !matches!(*value, b"[" | b"{" | b"(") && cells::is_cell(value));
    // A record with a puzzle is not a cell.
    let has_text = fields.iter().any(|[_, value]| value.len() >= Size::Four.cells());
    match (usual, others.next(), others.next()) {
        _ if has_text => b"{",
        (Some([_, cell]), ..) | (None, Some([_, cell]), None) => cell,
        (None, None, _) => b"",
        _ => b"{",
    }
}

/// The parts of a list: brackets, colons, texts with their quotes, and other words.
fn tokens(mut list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|' | b'/');
    let is_bracket = |byte: &u8| matches!(byte, b'[' | b']' | b'{' | b'}' | b'(' | b')' | b':' | b'"' | b'\'');
    let ends_word = move |byte: &u8| is_between(byte) || is_bracket(byte);
    std::iter::from_fn(move || {
        list = &list[list.iter().position(|byte| !is_between(byte))?..];
        let length = match list[0] {
            // Symbols of puzzles need no escapes, so the next quote ends the text.
            quote @ (b'"' | b'\'') => memchr(quote, &list[1..]).map(|end| end + 2),
            _ => list.iter().position(ends_word).map(|end| end.max(1)),
        };
        list.split_off(..length.unwrap_or(list.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(array: &str) -> Result<String, String> {
        let (alphabets, mut puzzles) = (Alphabets::default(), Puzzles::new());
        let parsed = parse(array.as_bytes(), &alphabets, &mut puzzles).map_err(|reason| reason.to_string())?;
        Ok(alphabets.for_printing(parsed.size).text(puzzles.last(parsed.size), parsed.blank))
    }

    #[test]
    fn cells_may_be_texts() {
        let puzzle = "1234....4321....";
        let json = |cell: &str| format!("\"{cell}\"");
        let python = |cell: &str| if cell == "." { "None".to_owned() } else { format!("'{cell}'") };
        let numbers = |cell: &str| if cell == "." { "''".to_owned() } else { cell.to_owned() };
        let empty = |cell: &str| json(cell).replace('.', "");
        let space = |cell: &str| json(cell).replace('.', " ");
        for write in [&json as &dyn Fn(&str) -> String, &python, &numbers, &empty, &space] {
            let cells: Vec<_> = puzzle.chars().map(|cell| write(&cell.to_string())).collect();
            let rows: Vec<_> = cells.chunks(4).map(|row| format!("[{}]", row.join(", "))).collect();
            let rows = rows.join(",\n");
            for text in [
                format!("[{}]", cells.join(",")),
                format!("[{rows}]"),
                format!("[{}]", rows.replace('[', "(").replace(']', ")")),
            ] {
                assert_eq!(read(&text).map(|text| text.replace('0', ".")), Ok(puzzle.to_owned()), "{text}");
            }
        }
        assert_eq!(read(r#"["1234", "....", "4321", "...."]"#), Ok(puzzle.to_owned()));
        assert_eq!(read(r#"["1234", "    ", "4321", "    "]"#), Ok(puzzle.to_owned()));
        let sixteen = |last: &str| format!("[{}'{last}']", "'.', ".repeat(255));
        assert!(read(&sixteen("10")).unwrap().ends_with("0A"));
        assert_eq!(read(&sixteen("A")), Err(Malformed::UnknownAlphabet { size: Size::Sixteen }.to_string()));
        for (text, reason) in [
            (
                r#"["1234", "....", "4321", "..0."]"#,
                "row 4, column 3: blank '0' after blank '.'; one puzzle has one blank symbol",
            ),
            (r#"["1234", "....", "4321", ".q.."]"#, "row 4, column 2: 'q' is not a digit from 1 to 4"),
            (
                r#"["1234....4321....", "1234....4321...."]"#,
                "a list of texts; a puzzle is one text, or a list of its cells or rows",
            ),
            (
                r#"["No idea.", "1.3..........4.2", "no"]"#,
                "a list of texts; a puzzle is one text, or a list of its cells or rows",
            ),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
    }

    #[test]
    fn cells_may_be_objects() {
        let puzzle = "1234....4321....";
        let value = |cell: char| if cell == '.' { "null".to_owned() } else { cell.to_string() };
        let writes: [&dyn Fn(char) -> String; 7] = [
            &|cell| format!("{{\"val\": {}}}", value(cell)),
            &|cell| format!("{{\"Value\":\"{}\", \"given\": true, \"row\": 1}}", if cell == '.' { ' ' } else { cell }),
            &|cell| if cell == '.' { "{}".to_owned() } else { format!("{{ \"n\" : {cell} }}") },
            &|cell| format!("{{\"c\": {}, \"candidates\": [1, {{\"value\": 2}}, \"}}\"]}}", value(cell)),
            &|cell| format!("{{'digit': {}, 'locked': True}}", value(cell).replace("null", "None")),
            &|cell| if cell == '.' { "{\"given\":true}".to_owned() } else { format!("{{\"number\":{cell}.0}}") },
            &|cell| if cell == '.' { "{\"notes\":[]}".to_owned() } else { cell.to_string() },
        ];
        for write in writes {
            let cells: Vec<_> = puzzle.chars().map(write).collect();
            let rows: Vec<_> = cells.chunks(4).map(|row| format!("[{}]", row.join(", "))).collect();
            for text in [format!("[{}]", cells.join(",")), format!("[{}]", rows.join(",\n"))] {
                assert_eq!(read(&text).map(|text| text.replace('0', ".")), Ok(puzzle.to_owned()), "{text}");
            }
        }
        for cell in [
            "{1,2}",
            "{5}",
            "{\"row\":1,\"v\":2}",
            "{\"value\":[1]}",
            "{\"val\":true}",
            "{\"val\":1",
            "{\"val\":{\"val\":1}}",
        ] {
            let text = format!("[{cell}{}]", ",{\"v\":1}".repeat(15));
            assert!(read(&text).is_err(), "{text}");
        }
        let zero = format!("[{{}}, {{\"val\": 0}}{}]", ", {\"val\": 1}".repeat(14));
        assert!(read(&zero).unwrap_err().contains("0 beside other blanks"), "{zero}");
    }

    #[test]
    fn a_zero_beside_other_blanks_may_be_a_digit() {
        let reason = "row 1, column 2: 0 beside other blanks (null, None, -1 or nothing): its digits may count from 0";
        for blank in ["null", "-1", "None", "''"] {
            let cells = |zero: &str| format!("[1,{zero},{}2,3,4]", format!("{blank},").repeat(11));
            let read_as_zeros = read(&cells(blank)).map(|text| text.replace('.', "0"));
            assert_eq!(read_as_zeros, Ok("1000000000000234".to_owned()), "{blank}");
            assert_eq!(read(&cells("0")), Err(reason.to_owned()), "{blank}");
        }
    }

    #[test]
    fn cells_are_integers_in_one_list_or_in_rows() {
        let four = "0, 1, 2,3,4 ,0,0,0,0,0,0,0,0,0,0,4";
        let puzzle = "0123400000000004".to_owned();
        let rows = "[0,1,2,3],[4,0,00,0],[0,0,0,0],[0,0,0,4]";
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
            ("[0,0,0,0]", "[[0],0,0,0]", "row 3: 2 cells; a row of this grid has 4"),
            ("[0,0,0,0]", "null", "3 rows; a grid of 4 columns has 4"),
            ("[0,1,2,3]", "[0,1,2,255]", "row 1, column 4: 255 is above 4"),
            ("[0,1,2,3]", "[0,1,2,10]", "row 1, column 4: 10 is above 4"),
            ("[0,0,0,0],", "", "3 rows; a grid of 4 columns has 4"),
            ("00", "1.5", "row 2, column 3: no integer from 0 to 4"),
            ("00", "true", "row 2, column 3: no integer from 0 to 4"),
            ("00", "-2", "row 2, column 3: no integer from 0 to 4"),
            ("00", "1e0", "row 2, column 3: no integer from 0 to 4"),
            ("00", "99999999999999999999", "row 2, column 3: 18446744073709551615 is above 4"),
        ] {
            assert_eq!(read(&format!("[{}]", rows.replacen(from, to, 1))), Err(reason.to_owned()), "{to}");
        }
        for other in ["\"a,]\\\"\"", "{\"a\":[1,2]}", "[", "]", "\""] {
            assert!(read(&format!("[{}]", rows.replacen("00", other, 1))).is_err(), "{other}");
        }
        for (text, reason) in [
            ("[1, 2]", "2 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("[]", "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("[ ]", "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            ("[1,[2,3],4]", "row 1: 2 cells; a row has 4, 6, 8, 9, 10, 12, 16 or 25"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
    }
}

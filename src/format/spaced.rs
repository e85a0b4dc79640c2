//! Parses cells that have something between them: numbers, or rows of cells, as lines and CSV fields may have them.
//!
//! ```text
//! 5 3 0 0 7 0 0 0 0 6 ...                        numbers with white space or commas between them; -1 is a blank, too
//! [[5, 3, 0, 0, 7, 0, 0, 0, 0], [6, ...], ...]   a list of lists
//! 53..7.... 6..195... .98....6. ...              rows
//! 53  7    6  195    98    6 8   6   ...         spaces for blanks, and digits
//! ```

use super::alphabet::Alphabets;
use super::cells;
use super::malformed::{Malformed, SymbolPosition};
use super::{ParsedPuzzle, Puzzles, Size};

/// Fewer numbers are no attempt at a puzzle.
const FEWEST_NUMBERS: usize = 9;

/// Adds the puzzle of a text to `puzzles`; `None` if the text is in none of these forms.
pub(super) fn parse(
    text: &[u8],
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Option<Result<ParsedPuzzle, Malformed>> {
    if has_spaces_for_blanks(text) {
        let cells: Vec<u8> = text.iter().map(|&byte| if byte == b' ' { b'.' } else { byte }).collect();
        return Some(cells::parse(&cells, alphabets, puzzles, |index| SymbolPosition::Column(index + 1)));
    }
    if let Some(count) = count_numbers(text) {
        return Some(parse_numbers(text, count, alphabets, puzzles));
    }
    let side = words(text).count();
    if Size::from_side(side).is_none() || words(text).any(|row| row.len() != side) {
        return None;
    }
    let cells: Vec<u8> = words(text).flatten().copied().collect();
    Some(cells::parse(&cells, alphabets, puzzles, |index| SymbolPosition::of_cell(index, side)))
}

/// Adds the puzzle of a field of CSV or a string of JSON to `puzzles`. Its `text` starts at the index `start` of the
/// field, and is a symbol for each cell; or else the complete `field` is in one of the forms that [`parse`] reads.
#[inline]
pub(super) fn parse_field(
    field: &[u8],
    (start, text): (usize, &[u8]),
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Result<ParsedPuzzle, Malformed> {
    let position = |index| SymbolPosition::Column(start + index + 1);
    match cells::parse(text, alphabets, puzzles, position) {
        Err(error) if !cells::is_length_of_puzzle(text.len()) => parse(field, alphabets, puzzles).unwrap_or(Err(error)),
        parsed => parsed,
    }
}

/// The numbers or rows of a text.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",;|[]()\"'".contains(byte);
    text.split(is_between).filter(|word| !word.is_empty())
}

/// How many numbers a text consists of, if it has as many as an attempt at a puzzle and nothing else.
pub(super) fn count_numbers(text: &[u8]) -> Option<usize> {
    let mut count = 0;
    for word in words(text) {
        if word.len() > 2 || !(word == b"-1" || word.iter().all(u8::is_ascii_digit)) {
            return None;
        }
        count += 1;
    }
    (count >= FEWEST_NUMBERS).then_some(count)
}

fn parse_numbers(
    text: &[u8],
    count: usize,
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Result<ParsedPuzzle, Malformed> {
    let size = Size::from_cells(count).ok_or(Malformed::CellCount { cells: count })?;
    let side = size.side();
    let mut cells = Vec::with_capacity(count);
    for (index, word) in words(text).enumerate() {
        let value = match word {
            b"-1" => 0,
            digits => digits.iter().fold(0, |number, digit| 10 * number + (digit - b'0')),
        };
        if usize::from(value) > side {
            let position = SymbolPosition::of_cell(index, side);
            return Err(Malformed::ValueTooLarge { position, value: value.into(), side });
        }
        cells.push(value);
    }
    puzzles.push(size, &cells);
    Ok(cells::puzzle_of_numbers(size, &cells, alphabets))
}

/// Whether a text is digits, and spaces for blanks. Digits with a space after each are numbers.
pub(super) fn has_spaces_for_blanks(text: &[u8]) -> bool {
    let is_cell = |byte: &u8| matches!(byte, b'1'..=b'9' | b' ');
    matches!(Size::from_cells(text.len()), Some(Size::Four | Size::Nine))
        && text.contains(&b' ')
        && text.iter().all(is_cell)
        && !text.iter().skip(1).step_by(2).all(|&byte| byte == b' ')
        && text.iter().any(|&byte| byte != b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn read(text: &str) -> Option<Result<String, String>> {
        let (alphabets, mut puzzles) = (Alphabets::default(), Puzzles::new());
        let puzzle = parse(text.as_bytes(), &alphabets, &mut puzzles)?;
        let text = |shape: ParsedPuzzle| alphabets.for_printing(shape.size).text(puzzles.last(shape.size), b'.');
        Some(puzzle.map(text).map_err(|reason| reason.to_string()))
    }

    /// The cells with `blank` for blanks and `between` after each but the last.
    fn numbers(blank: &str, between: &str) -> String {
        let cells: Vec<_> =
            CELLS.chars().map(|cell| if cell == '.' { blank.into() } else { cell.to_string() }).collect();
        cells.join(between)
    }

    #[test]
    fn cells_are_read_from_numbers_and_rows() {
        let rows: Vec<_> = CELLS.as_bytes().chunks(9).map(|row| str::from_utf8(row).unwrap()).collect();
        let list: Vec<_> = numbers("0", ", ").split(", ").map(str::to_owned).collect();
        let lists: Vec<_> = list.chunks(9).map(|row| format!("[{}]", row.join(", "))).collect();
        for text in [
            numbers("0", " "),
            numbers("-1", ","),
            numbers("0", ", "),
            numbers("0", "\t") + "  ",
            format!("[{}]", lists.join(", ")),
            format!("[{}]", lists.join("\n ")),
            rows.join(" "),
            rows.join("\n"),
            CELLS.replace('.', " "),
        ] {
            assert_eq!(read(&text), Some(Ok(CELLS.to_owned())), "{text}");
        }
        assert_eq!(read("1 0 0 4 0 0 1 0 0 1 0 0 4 0 0 1"), Some(Ok("1..4..1..1..4..1".to_owned())));
    }

    #[test]
    fn other_texts_are_not_taken_for_puzzles() {
        for text in ["", "53..7....", "1 2 3", "what is this", &rows_of_eight(), &" ".repeat(81)] {
            assert_eq!(read(text), None, "{text}");
        }
        let count = "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625";
        assert_eq!(read(&numbers("0", " ")[2..]), Some(Err(count.to_owned())));
        let large = numbers("0", " ").replacen("5 3", "5 10", 1);
        assert_eq!(read(&large), Some(Err("row 1, column 2: 10 is above 9".to_owned())));
        // 41 numbers have 81 bytes.
        let numbers = CELLS.replace('.', "1")[..41].chars().map(String::from).collect::<Vec<_>>().join(" ");
        assert_eq!(numbers.len(), 81);
        assert_eq!(read(&numbers), Some(Err("41 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625".to_owned())));
    }

    fn rows_of_eight() -> String {
        ["53..7..."; 9].join(" ")
    }
}

//! Parses a list of moves in the notations of people and models: `r1c3=4`, `Row 1, column 3: 4`, `[1 3 4]`, `(1, 3,
//! 4)`, `{"row": 1, "col": 3, "value": 4}`.

use crate::format::Alphabet;

/// A digit in a cell; 0 empties the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) cell: usize,
    pub(super) value: u8,
}

const ROW: &[&str] = &["r", "row"];
const COLUMN: &[&str] = &["c", "col", "column"];
const VALUE: &[&str] = &["v", "value", "digit", "num", "number"];

/// Parses moves on a grid with these symbols. Rows and columns count from 1. If a move cannot be parsed, it becomes
/// `None` and ends the list.
pub(super) fn parse(text: &str, alphabet: Alphabet) -> Vec<Option<Move>> {
    let text = text.replace("->", "=");
    let mut moves = vec![];
    for group in text.split([']', ')', '}', ';', '\n']) {
        let words = words(group);
        // Three numbers are a move if they are between brackets or have their own line.
        if let Some([row, column, value]) = words.as_deref()
            && let Some(found) = at(row, column, value, alphabet)
        {
            moves.push(Some(found));
            continue;
        }

        let Some(words) = words else {
            moves.push(None);
            return moves;
        };
        let mut rest = &words[..];
        while !rest.is_empty() {
            let found = named(rest, alphabet);
            moves.push(found.map(|(found, _)| found));
            let Some((_, length)) = found else { return moves };
            rest = &rest[length..];
        }
    }
    moves
}

/// The words, numbers and decimal points of a text; `None` if it has signs other than separators: `r1c3<>4` and `[-1,
/// 3, 4]` are not moves.
fn words(text: &str) -> Option<Vec<&str>> {
    let is_sign = |symbol: char| symbol.is_whitespace() || "[({,:=\"'".contains(symbol);
    let mut words = vec![];
    let mut rest = text.trim_start_matches(is_sign);
    while let Some(first) = rest.chars().next() {
        let length = rest.bytes().take_while(|byte| match first {
            'a'..='z' | 'A'..='Z' => byte.is_ascii_alphabetic(),
            '0'..='9' => byte.is_ascii_digit(),
            _ => false,
        });
        let length = if first == '.' { 1 } else { length.count() };
        let (word, after) = rest.split_at_checked(length).filter(|(word, _)| !word.is_empty())?;
        words.push(word);
        rest = after.trim_start_matches(is_sign);
    }
    Some(words)
}

/// The move that begins with the names of its row and column, in either order, and the number of its words.
fn named(words: &[&str], alphabet: Alphabet) -> Option<(Move, usize)> {
    let is = |name: &str, names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let (&[first, one, second, other], values) = words.split_first_chunk()?;
    let (row, column) = match () {
        () if is(first, ROW) && is(second, COLUMN) => (one, other),
        () if is(first, COLUMN) && is(second, ROW) => (other, one),
        () => return None,
    };
    let (value, length) = match *values {
        [name, value, ..] if is(name, VALUE) => (value, 6),
        [value, ..] => (value, 5),
        [] => return None,
    };
    Some((at(row, column, value, alphabet)?, length))
}

/// A value in a row and a column from 1. The value is a symbol, or a number.
fn at(row: &str, column: &str, value: &str, alphabet: Alphabet) -> Option<Move> {
    let side = alphabet.size().side();
    let value = match *value.as_bytes() {
        [symbol] if alphabet.value(symbol) > 0 => alphabet.value(symbol),
        [symbol] if alphabet.is_blank(symbol) => 0,
        _ => value.parse().ok()?,
    };
    let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
    let is_inside = (1..=side).contains(&row) && (1..=side).contains(&column) && usize::from(value) <= side;
    is_inside.then(|| Move { cell: (row - 1) * side + column - 1, value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Size;

    #[test]
    fn moves_are_read_in_every_form() {
        let moves = [Some(Move { cell: 2, value: 4 }), Some(Move { cell: 80, value: 0 })];
        for text in [
            "r1c3=4 r9c9=.",
            " R1C3=4, r9c9=0;",
            "R1C3 = 4, R9C9 = 0",
            "r1c3: 4\nr9c9: .\n",
            "r1c3 -> 4; r9c9->0",
            "Row 1, Column 3: 4\nRow 9, Column 9: 0",
            "[[1, 3, 4], [9, 9, 0]]",
            "[1 3 4] [9 9 0]",
            "[(1, 3, 4), (9, 9, 0)]",
            "1,3,4;9,9,0",
            "1 3 4\r\n9 9 0\r\n",
            "[{\"row\": 1, \"col\": 3, \"value\": 4}, {\"col\": 9, \"row\": 9, \"value\": 0}]",
            "[{'r': 1, 'c': 3, 'number': 4}, {'r': '9', 'c': '9', 'number': '0'}]",
            "[\"r1c3=4\", \"r9c9=0\"]",
        ] {
            assert_eq!(parse(text, Alphabet::OF_NINE), moves, "{text}");
        }
        for text in ["", "[]", " \n"] {
            assert_eq!(parse(text, Alphabet::OF_NINE), [], "{text}");
        }
        let large = Alphabet::for_size(Size::Sixteen).next().unwrap();
        let symbol = char::from(large.symbol(12));
        for text in ["r1c16=12".to_owned(), "[1, 16, 12]".to_owned(), format!("r1c16={symbol}")] {
            assert_eq!(parse(&text, large), [Some(Move { cell: 15, value: 12 })], "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_moves() {
        for (text, wrong) in [
            ("r1c3=4 r9c9", 1),
            ("r1c3=4 next r1c4=5", 1),
            ("r1c3<>4", 0),
            ("r1c3!=4", 0),
            ("r0c1=1", 0),
            ("r1c10=1", 0),
            ("r1c1=12", 0),
            ("r1c1=a", 0),
            ("[[1,1,1],[1,1,10]]", 1),
            ("[[1,1,1],[\"r1\",1,1]]", 1),
            ("[[1,1]]", 0),
            ("[[-1,1,1]]", 0),
            ("[[1,1,1,1],[2,2,2,2],[3,3,3,3]]", 0),
            ("[1,1,1,2,2,2]", 0),
            ("1 1 1 2 2 2", 0),
            ("{\"row\": 1, \"value\": 3, \"col\": 1}", 0),
            ("r1c1=é", 0),
        ] {
            let found = parse(text, Alphabet::OF_NINE).iter().position(Option::is_none);
            assert_eq!(found, Some(wrong), "{text}");
        }
    }
}

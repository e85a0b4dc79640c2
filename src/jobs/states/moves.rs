//! Reads a list of moves, such as `r1c3=4 r2c5=7` or `[[1, 3, 4], [2, 5, 7]]`.

use serde::Deserialize;
use serde_json::Value;

use crate::format::Alphabet;

/// A digit in a cell; 0 empties the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) cell: usize,
    pub(super) value: u8,
}

/// Reads moves on a grid with these symbols. Rows and columns count from 1. What is no move is `None`.
pub(super) fn parse(text: &str, alphabet: Alphabet) -> Vec<Option<Move>> {
    let text = text.trim();
    if text.starts_with('[') {
        let triples: Result<Vec<Value>, _> = serde_json::from_str(text);
        return triples
            .map_or(vec![None], |triples| triples.iter().map(|triple| of_triple(triple, alphabet)).collect());
    }
    let is_between = |symbol: char| symbol.is_whitespace() || symbol == ',' || symbol == ';';
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(|word| of_word(word, alphabet)).collect()
}

/// `[row, column, value]`
fn of_triple(triple: &Value, alphabet: Alphabet) -> Option<Move> {
    let [row, column, value] = <[usize; 3]>::deserialize(triple).ok()?;
    at(row, column, u8::try_from(value).ok()?, alphabet)
}

/// `r1c3=4`
fn of_word(word: &str, alphabet: Alphabet) -> Option<Move> {
    let (cell, symbol) = word.split_once('=')?;
    let (row, column) = cell.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
    let value = match *symbol.as_bytes() {
        [symbol] if alphabet.value(symbol) > 0 => alphabet.value(symbol),
        [symbol] if alphabet.is_blank(symbol) => 0,
        _ => return None,
    };
    at(row.parse().ok()?, column.parse().ok()?, value, alphabet)
}

/// A value in a row and a column from 1.
fn at(row: usize, column: usize, value: u8, alphabet: Alphabet) -> Option<Move> {
    let side = alphabet.size().side();
    let is_inside = (1..=side).contains(&row) && (1..=side).contains(&column) && usize::from(value) <= side;
    is_inside.then(|| Move { cell: (row - 1) * side + column - 1, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_words_or_triples() {
        let moves = [Some(Move { cell: 2, value: 4 }), Some(Move { cell: 80, value: 0 })];
        for text in ["r1c3=4 r9c9=.", " R1C3=4, r9c9=0;", "[[1, 3, 4], [9, 9, 0]]"] {
            assert_eq!(parse(text, Alphabet::OF_NINE), moves, "{text}");
        }
        assert_eq!(parse("", Alphabet::OF_NINE), []);
        for (text, wrong) in [
            ("r1c3=4 r9c9", 1),
            ("r0c1=1", 0),
            ("r1c10=1", 0),
            ("r1c1=12", 0),
            ("r1c1=a", 0),
            ("[[1,1,1],[1,1,10]]", 1),
            ("[[1,1,1],[\"r1\",1,1]]", 1),
            ("[[1,1]]", 0),
            ("[[-1,1,1]]", 0),
            ("[1,1,1]", 0),
            ("[", 0),
        ] {
            let found = parse(text, Alphabet::OF_NINE).iter().position(Option::is_none);
            assert_eq!(found, Some(wrong), "{text}");
        }
    }
}

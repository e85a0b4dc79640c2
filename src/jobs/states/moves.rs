//! Reads moves as people and models write them: `r1c3=4`, `Row 1, column 3: 4`, `[1 3 4]`, `(1, 3, 4)`, `{"row": 1,
//! "col": 3, "value": 4}`, `Place 4 at row 1, column 3`.
//!
//! Every number must belong to a move, and every other word must be one that changes no meaning: a sentence such as
//! `4 is not in r1c3` cannot be read.

use crate::format::Alphabet;
use crate::scoring::tag;

/// A digit in a cell; 0 empties the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) cell: usize,
    pub(super) value: u8,
}

/// The reason why a list of moves cannot be read, with the number of the move from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MovesError {
    #[error("move {0} cannot be read: write r1c2=3, or [1, 2, 3] in a list")]
    Unreadable(usize),
    #[error("move {0} has a row or column 0: if they count from 0, use --moves-from 0")]
    HasZero(usize),
    #[error("the moves are right if rows and columns count from 0: use --moves-from 0, or --moves-from 1")]
    MayCountFromZero,
}

/// A sign of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign<'a> {
    Row,
    Column,
    Value,
    /// A number, a symbol of a digit, or a point.
    Digit(&'a str),
    Open,
}

const ROW: &[&str] = &["r", "row"];
const COLUMN: &[&str] = &["c", "col", "column"];
const VALUE: &[&str] = &["v", "value", "digit", "num", "number"];

/// Words that say nothing but that a move follows, or that it was made.
const FILLERS: &[&str] = &[
    "a", "add", "an", "and", "answer", "at", "be", "because", "boxed", "cell", "enter", "equals", "fill", "final",
    "fits", "for", "goes", "i", "in", "into", "is", "it", "let", "me", "move", "moves", "my", "next", "of", "on",
    "place", "play", "position", "put", "set", "so", "square", "text", "the", "then", "this", "to", "us", "we", "will",
    "with", "write",
];

/// The moves in a text on a grid with these symbols. Rows and columns count from `first`.
///
/// # Errors
///
/// If any move cannot be read.
pub(super) fn parse(text: &str, alphabet: Alphabet, first: usize) -> Result<Vec<Move>, MovesError> {
    let text = text.replace("->", "=");
    let mut moves = vec![];
    for group in text.split([']', ')', '}', ';', '\n']) {
        let unreadable = |moves: &Vec<Move>| MovesError::Unreadable(moves.len() + 1);
        let (tokens, has_words) = signs(group, alphabet).ok_or_else(|| unreadable(&moves))?;

        // Three numbers are a move if they are between brackets or have their own line.
        let open = tokens.iter().take_while(|&&token| token == Sign::Open).count();
        if let [Sign::Digit(row), Sign::Digit(column), Sign::Digit(value)] = tokens[open..]
            && (open > 0 || !has_words)
        {
            moves.push(at([row, column, value], alphabet, first, moves.len() + 1)?);
            continue;
        }

        let mut parts = [None; 3];
        let mut tokens = tokens.into_iter().filter(|&token| token != Sign::Open);
        while let Some(token) = tokens.next() {
            let part = match token {
                Sign::Row => 0,
                Sign::Column => 1,
                Sign::Value | Sign::Digit(_) | Sign::Open => 2,
            };
            let digit = if let Sign::Digit(_) = token { Some(token) } else { tokens.next() };
            match digit {
                Some(Sign::Digit(digit)) if parts[part].is_none() => parts[part] = Some(digit),
                _ => return Err(unreadable(&moves)),
            }
            if let [Some(row), Some(column), Some(value)] = parts {
                moves.push(at([row, column, value], alphabet, first, moves.len() + 1)?);
                parts = [None; 3];
            }
        }
        if parts != [None; 3] {
            return Err(unreadable(&moves));
        }
    }
    Ok(moves)
}

/// The signs of a text, and whether it has other words; `None` if it has a word or a sign that may change the meaning
/// of a move: `r1c3<>4` and `[-1, 3, 4]` are not moves.
fn signs(text: &str, alphabet: Alphabet) -> Option<(Vec<Sign<'_>>, bool)> {
    let is = |names: &[&str], word: &str| names.iter().any(|name| name.eq_ignore_ascii_case(word));
    let (mut tokens, mut has_words, mut rest) = (vec![], false, text);
    while let Some(first) = rest.chars().next() {
        let length = |is: fn(&u8) -> bool| rest.bytes().take_while(is).count();
        let length = match first {
            'a'..='z' | 'A'..='Z' => length(u8::is_ascii_alphabetic),
            '0'..='9' => length(u8::is_ascii_digit),
            '<' => tag(rest.as_bytes())?.length,
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        let before = &text[..text.len() - rest.len()];
        let is_symbol = matches!(*word.as_bytes(), [symbol] if alphabet.value(symbol) > 0);
        let needs_value = matches!(
            tokens[..],
            [.., Sign::Row, Sign::Digit(_), Sign::Column, Sign::Digit(_)]
                | [.., Sign::Column, Sign::Digit(_), Sign::Row, Sign::Digit(_)]
                | [.., Sign::Value]
        );
        match first {
            '0'..='9' => tokens.push(Sign::Digit(word)),
            // Elsewhere, a point ends a sentence.
            '.' if needs_value && before.trim_end_matches([' ', '"', '\'']).ends_with(['=', ':']) => {
                tokens.push(Sign::Digit(word));
            }
            '[' | '(' | '{' => tokens.push(Sign::Open),
            '-' if after.starts_with(' ') && tokens.is_empty() => {}
            '.' | '<' | ',' | ':' | '=' | '"' | '\'' | '`' | '*' | '\\' => {}
            _ if first.is_whitespace() => {}
            _ if is_symbol && needs_value => tokens.push(Sign::Digit(word)),
            _ if is(ROW, word) => tokens.push(Sign::Row),
            _ if is(COLUMN, word) => tokens.push(Sign::Column),
            _ if is(VALUE, word) => tokens.push(Sign::Value),
            _ if is(FILLERS, word) => has_words = true,
            _ => return None,
        }
        rest = after;
    }
    Some((tokens, has_words))
}

/// The move with this number, of a row, a column and a value. The value is a symbol, or a number.
fn at([row, column, value]: [&str; 3], alphabet: Alphabet, first: usize, number: usize) -> Result<Move, MovesError> {
    let side = alphabet.size().side();
    let unreadable = || MovesError::Unreadable(number);
    let value = match *value.as_bytes() {
        [symbol] if alphabet.value(symbol) > 0 => alphabet.value(symbol),
        [symbol] if alphabet.is_blank(symbol) => 0,
        _ => value.parse().ok().filter(|&value| usize::from(value) <= side).ok_or_else(unreadable)?,
    };

    let index = |text: &str| match text.parse::<usize>() {
        Ok(0) if first > 0 => Err(MovesError::HasZero(number)),
        Ok(index) if (first..first + side).contains(&index) => Ok(index - first),
        _ => Err(unreadable()),
    };
    Ok(Move { cell: index(row)? * side + index(column)?, value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Size;

    #[test]
    fn moves_are_read_in_every_form() {
        let moves = [Move { cell: 2, value: 4 }, Move { cell: 80, value: 0 }];
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
            "[{'value': 4, 'r': 1, 'c': 3}, {'r': '9', 'c': '9', 'number': '0'}]",
            "[\"r1c3=4\", \"r9c9=0\"]",
            "I place [1 3 4]. Then [9 9 0].",
            "Place 4 at row 1, column 3, and 0 at row 9, column 9.",
            "- Put 4 in r1c3.\n- **r9c9** is 0.",
            "\\boxed{[1 3 4]} \\boxed{[9 9 0]}",
            "<answer>r1c3=4 because it fits, r9c9=0</answer>",
        ] {
            assert_eq!(parse(text, Alphabet::OF_NINE, 1).as_deref(), Ok(&moves[..]), "{text}");
        }
        for text in ["", "[]", " \n", "Move:"] {
            assert_eq!(parse(text, Alphabet::OF_NINE, 1), Ok(vec![]), "{text}");
        }
        assert_eq!(parse("[[0,2,4]] r8c8=0", Alphabet::OF_NINE, 0).as_deref(), Ok(&moves[..]));
        let large = Alphabet::for_size(Size::Sixteen).next().unwrap();
        let symbol = char::from(large.symbol(12));
        for text in ["r1c16=12".to_owned(), "[1, 16, 12]".to_owned(), format!("r1c16={symbol}")] {
            assert_eq!(parse(&text, large, 1), Ok(vec![Move { cell: 15, value: 12 }]), "{text}");
        }
        for alphabet in Alphabet::ALL.iter().filter(|alphabet| alphabet.size() > Size::Nine) {
            let moves = |value: u8| format!("r1c2={} c4r3={}", char::from(alphabet.symbol(value)), 1);
            for value in 1..=alphabet.size().side() as u8 {
                let first = Move { cell: 1, value };
                assert_eq!(parse(&moves(value), *alphabet, 1).map(|moves| moves[0]), Ok(first), "{}", moves(value));
            }
        }
    }

    #[test]
    fn other_texts_cannot_be_read() {
        for (text, number) in [
            ("r1c3=4 r9c9", 2),
            ("r1c3=4\nr1c3 or r1c4=5", 2),
            ("5 is not in r1c3", 1),
            ("I rule out 5 in r1c3", 1),
            ("Place 5 at (2, 3)", 1),
            ("Place 5 2 3", 1),
            ("Step 3: [1 3 4]", 1),
            ("[1 6 5] leaves 3 for r1c2", 2),
            ("r1c3<>4", 1),
            ("r1c3!=4", 1),
            ("r1c10=1", 1),
            ("r1c1=12", 1),
            ("r1c1=a", 1),
            ("[[1,1,1],[1,1,10]]", 2),
            ("[[1,1,1],[\"r1\",1,1]]", 2),
            ("[[1,1]]", 1),
            ("[[-1,1,1]]", 1),
            ("[[1,1,1,1],[2,2,2,2],[3,3,3,3]]", 1),
            ("[1,1,1,2,2,2]", 1),
            ("1 1 1 2 2 2", 1),
            ("r1c1=é", 1),
        ] {
            assert_eq!(parse(text, Alphabet::OF_NINE, 1), Err(MovesError::Unreadable(number)), "{text}");
        }
        for text in ["r0c1=1", "[1, 0, 1]", "r1c0=."] {
            assert_eq!(parse(text, Alphabet::OF_NINE, 1), Err(MovesError::HasZero(1)), "{text}");
        }
        assert_eq!(parse("r1c9=1", Alphabet::OF_NINE, 0), Err(MovesError::Unreadable(1)));
    }
}

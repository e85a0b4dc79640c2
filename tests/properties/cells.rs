//! A second reader, which knows no format: it finds what could be a puzzle in any text.
//!
//! A text is words of letters, digits and blanks, with separators between them. Cells are a word of as many symbols as a
//! puzzle has, words of one cell each, or words of a row or a part of a row each.

use std::ops::Range;

/// The numbers of cells of puzzles, but for 4x4, which need to be sound.
const SIZES: [usize; 7] = [36, 64, 81, 100, 144, 256, 625];

/// Words next to each other that have the same form.
struct Run {
    range: Range<usize>,
    form: Form,
    words: usize,
    /// The symbols of its words.
    symbols: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A cell, which may be a number of two digits.
    Cell,
    /// So many cells.
    Cells(usize),
    /// Not only cells.
    Text,
}

/// The first part of a text that could be a puzzle, whole or with some cells too few or too many.
pub(super) fn puzzle_in(text: &[u8]) -> Option<Range<usize>> {
    let mut last: Option<Run> = None;
    for word in ranges(text, is_of_word) {
        let form = form(&text[word.clone()]);
        match &mut last {
            Some(run) if run.form == form && text[run.range.end..word.start].iter().all(is_between_cells) => {
                run.words += 1;
                run.symbols.extend(&text[word.clone()]);
                run.range.end = word.end;
            }
            _ => {
                if let Some(run) = last.filter(is_puzzle) {
                    return Some(run.range);
                }
                let symbols = text[word.clone()].to_vec();
                last = Some(Run { range: word.clone(), form, words: 1, symbols });
            }
        }
        // A word that is a puzzle does not depend on its neighbours.
        if let Some(found) = words_in(&text[word.clone()]).first() {
            return Some(word.start + found.start..word.start + found.end);
        }
    }
    last.filter(is_puzzle).map(|run| run.range)
}

/// The words, and parts of words, that could be puzzles.
pub(super) fn words_in(text: &[u8]) -> Vec<Range<usize>> {
    let is_lone = |range: &Range<usize>| {
        let symbols = text[range.clone()].to_vec();
        is_puzzle(&Run { range: range.clone(), form: form(&symbols), words: 1, symbols })
    };
    let mut found = Vec::new();
    for word in ranges(text, is_of_word) {
        if is_lone(&word) {
            found.push(word);
        } else {
            let parts = ranges(&text[word.clone()], is_cell);
            found.extend(parts.map(|part| word.start + part.start..word.start + part.end).filter(is_lone));
        }
    }
    found
}

/// The longest parts of a text whose bytes are all of a kind.
fn ranges(text: &[u8], is_of_kind: fn(&u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + text[end..].iter().position(is_of_kind)?;
        end = text[start..].iter().position(|byte| !is_of_kind(byte)).map_or(text.len(), |at| start + at);
        Some(start..end)
    })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "iterators of bytes give references")]
fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._*?-".contains(byte)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "iterators of bytes give references")]
fn is_between_cells(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || b",;|\"'[](){}/+=".contains(byte)
}

fn form(word: &[u8]) -> Form {
    let is_number = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit) && digits <= b"25".as_slice();
    match word {
        [_] if is_cell(&word[0]) => Form::Cell,
        b"null" | b"-1" => Form::Cell,
        [b'1' | b'2', _] if is_number(word) => Form::Cell,
        _ if word.iter().all(is_cell) => Form::Cells(word.len()),
        _ if SIZES[3..].contains(&word.len()) && word.iter().any(u8::is_ascii_digit) => Form::Cells(word.len()),
        _ => Form::Text,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "iterators of bytes give references")]
fn is_cell(byte: &u8) -> bool {
    byte.is_ascii_digit() || b"._*?-xX".contains(byte)
}

fn is_puzzle(run: &Run) -> bool {
    let (cells, is_whole) = match run.form {
        Form::Text => return false,
        Form::Cell => (run.words, true),
        Form::Cells(length) if run.words == 1 => (length, true),
        Form::Cells(length) => (length * run.words, matches!(length, 3 | 4 | 6 | 8 | 9 | 12 | 16 | 25)),
    };
    let has_clue = run.symbols.iter().any(|byte| matches!(byte, b'1'..=b'9' | b'A'..=b'W'));
    // Rows of a 9x9 puzzle, or parts of them, may be lost.
    let is_of_nine = !matches!(run.form, Form::Cells(4 | 6 | 8 | 12..=25)) || run.words == 1;
    let has_none_of = |digits: &[u8]| run.form != Form::Cell || !run.symbols.iter().any(|byte| digits.contains(byte));
    let has_size = match cells {
        36 => has_none_of(b"789"),
        64 => has_none_of(b"9"),
        72..=90 => is_of_nine || cells == 81,
        _ => SIZES.contains(&cells) || is_of_nine && cells % 81 == 0,
    };
    is_whole && has_clue && (has_size || (cells == 16 && is_sound(&run.symbols)))
}

/// Whether 16 cells are a 4x4 puzzle without two equal digits in a house.
fn is_sound(cells: &[u8]) -> bool {
    let is_digit = |cell: &u8| matches!(cell, b'1'..=b'4');
    let house = |one: usize, other: usize| {
        let same_box = one / 8 == other / 8 && one % 4 / 2 == other % 4 / 2;
        one / 4 == other / 4 || one % 4 == other % 4 || same_box
    };
    cells.len() == 16
        && cells.iter().all(|cell| is_digit(cell) || !matches!(cell, b'5'..=b'9'))
        && (0..16).all(|one| (0..one).all(|two| !house(one, two) || cells[one] != cells[two] || !is_digit(&cells[one])))
}

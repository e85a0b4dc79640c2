//! Tells whether a value of a document is a puzzle, or close to one.

use memchr::{memchr, memchr_iter};

use super::object::string_text;
use crate::format::alphabet::{Alphabets, is_digit_or_blank};
use crate::format::evidence::NEARLY_NINE_CELLS;
use crate::format::{Malformed, ParsedPuzzle, Puzzles, Size, cells, list, spaced};
use crate::puzzle::rules;

/// The maximum length of a text or list that may be a puzzle.
pub(super) const MAX_LENGTH: usize = 64 << 10;

/// Whether a string or a number is a puzzle, or close to one. Numbers of 16 digits may look like a 4x4 grid, so that one
/// has to be sound and to have blanks, unless `takes_fours` is set.
pub(super) fn is_text(token: &[u8], takes_fours: bool) -> bool {
    if !(Size::Four.cells()..MAX_LENGTH).contains(&token.len()) {
        return false;
    }
    let json = str::from_utf8(token).unwrap_or_default();
    let text = if json.starts_with('"') { string_text(json).unwrap_or_default() } else { json.into() };
    let text = text.trim_ascii().as_bytes();
    let mut puzzles = Puzzles::new();
    match spaced::parse_field(text, (0, text), &Alphabets::default(), &mut puzzles) {
        Ok(puzzle) => is_sound(puzzle, &puzzles, takes_fours),
        Err(Malformed::Pencilmarks) => true,
        Err(Malformed::UnknownAlphabet { size }) => is_in_symbols(size, text),
        Err(_) => is_nearly_nine(text),
    }
}

/// Whether a list is a puzzle, or close to one.
pub(super) fn is_list(text: &[u8], takes_fours: bool) -> bool {
    let mut puzzles = Puzzles::new();
    match list::parse(text, &Alphabets::default(), &mut puzzles) {
        Ok(puzzle) => is_sound(puzzle, &puzzles, takes_fours),
        Err(Malformed::UnknownAlphabet { .. } | Malformed::RowLength { .. }) => true,
        // Its lists may be puzzles.
        Err(Malformed::GridWidth { .. }) => false,
        // A list of objects is not close to a puzzle, nor is a list of short rows.
        Err(reason) => {
            let cells = memchr_iter(b',', text).count() + 1;
            let is_large = cells >= Size::Twelve.cells() && reason.is_close();
            let has_rows = || cells >= 6 * (memchr_iter(b'[', text).count() - 1);
            memchr(b'{', text).is_none() && (is_large || NEARLY_NINE_CELLS.contains(&cells) && has_rows())
        }
    }
}

/// The number of cells of an element of a list: 1, or more for a row of symbols, or 0.
pub(super) fn cells_of(token: &[u8]) -> usize {
    let text = token.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
    match (text, Size::from_side(token.len().saturating_sub(2))) {
        (Some(b""), _) => 1,
        (Some(row), Some(size)) if is_in_symbols(size, row) => row.len(),
        _ => usize::from(cells::is_cell(text.unwrap_or(token))),
    }
}

/// Whether a text has at least as many cells as a 4x4 grid, and nothing else.
pub(super) fn is_part(token: &[u8]) -> bool {
    let cells = token.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or_default();
    cells.len() >= Size::Four.cells() && cells.iter().all(|byte| is_digit_or_blank(*byte))
}

fn is_in_symbols(size: Size, text: &[u8]) -> bool {
    cells::are_symbols(&Alphabets::default(), size, &text.iter().copied())
}

fn is_sound(ParsedPuzzle { size, clues, .. }: ParsedPuzzle, puzzles: &Puzzles, takes_fours: bool) -> bool {
    let cells = puzzles.last(size);
    let breaks_no_rule = || rules::conflict(size, cells).is_none();
    clues > 0
        && match size {
            Size::Four => takes_fours || cells.contains(&0) && breaks_no_rule(),
            // It may be a list of sixteen 4x4 grids.
            Size::Sixteen => breaks_no_rule(),
            _ => true,
        }
}

/// Whether a text has about as many digits and blanks as a 9x9 grid, and hardly anything else.
fn is_nearly_nine(text: &[u8]) -> bool {
    let symbols = || text.iter().filter(|byte| !byte.is_ascii_whitespace() && !b",;|/".contains(byte));
    let cells = symbols().filter(|byte| is_digit_or_blank(**byte)).count();
    let count = symbols().count();
    NEARLY_NINE_CELLS.contains(&count) && 4 * cells >= 3 * count && text.iter().any(u8::is_ascii_digit)
}

//! Compares the number of lines that are puzzles with the number of lines that are rows of grids, to guess the format.

use std::cmp::Ordering;

use super::grid_line::{ScannedLine, has_candidates, is_spacing, size_of_row};
use super::lines;
use crate::format::alphabet::{BLANKS, is_digit_or_blank};
use crate::format::characters::ascii;
use crate::format::{Size, cells, spaced};
use crate::puzzle::Pencilmarks;

/// The format of most lines in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vote {
    Lines,
    Grids,
    Candidates,
}

/// Weighs lines that are puzzles against lines that are rows: a puzzle counts as many times as a grid has rows. `None`
/// if there are neither.
pub(super) fn vote(text: &[u8], is_complete: bool) -> Option<Vote> {
    let (mut for_lines, mut for_grids, mut for_candidates) = (0, 0, 0);
    let (mut has_small, mut small_with_clues) = (false, 0);
    // The last line of a sample may be incomplete.
    let end = if is_complete { text.len() } else { text.iter().rposition(|&byte| byte == b'\n').unwrap_or(text.len()) };

    for line in text[..end].split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#")) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match size_of_puzzle(line) {
            // A 4x4 puzzle, or a row of a 16x16 grid with only low values: other lines will decide.
            Some(Size::Four) => {
                has_small = true;
                small_with_clues += usize::from(line.iter().any(|byte| b"1234".contains(byte)));
            }
            Some(size) => for_lines += size.side(),
            None if has_candidates(line) => for_candidates += 1,
            None if size_of_row(line).is_some() => for_grids += 1,
            None if is_row_of_blanks(line) => for_grids += 1,
            None => {}
        }
    }
    // Most rows of a 16x16 grid have larger values.
    if small_with_clues > for_grids {
        for_lines += Size::Four.side() * small_with_clues;
    }
    if for_candidates > for_lines.max(for_grids) {
        return Some(Vote::Candidates);
    }
    match for_grids.cmp(&for_lines) {
        Ordering::Greater => Some(Vote::Grids),
        Ordering::Less => Some(Vote::Lines),
        // Without other lines, 16 cells are a 4x4 puzzle.
        Ordering::Equal => (for_lines > 0 || has_small).then_some(Vote::Lines),
    }
}

/// The size of the puzzle in a line. Pencilmarks, which are written in the same way, count as a 9x9 puzzle.
fn size_of_puzzle(line: &[u8]) -> Option<Size> {
    let line = &*ascii(line);
    let (_, puzzle) = lines::puzzle_in(line.trim_ascii());
    let size = if puzzle.len() == Pencilmarks::SYMBOLS { Some(Size::Nine) } else { Size::from_cells(puzzle.len()) };
    let is_symbol = |&byte: &u8| match size {
        Some(Size::Nine) => is_digit_or_blank(byte),
        Some(size) if size < Size::Nine => (b'1'..=b'0' + size.side() as u8).contains(&byte) || BLANKS.contains(&byte),
        _ => byte.is_ascii_alphanumeric() || BLANKS.contains(&byte),
    };
    let spaced = || {
        let small = line.iter().filter(|byte| !is_spacing(**byte));
        let is_small =
            small.clone().count() == Size::Four.cells() && small.clone().all(|byte| b"01234.".contains(byte));
        let numbers = cells::count_separate_cells(line).and_then(Size::from_cells).filter(|size| *size > Size::Four);
        let spaces = spaced::has_spaces_for_blanks(line).then(|| Size::from_cells(line.len())).flatten();
        let rows = spaced::side_of_separated_rows(puzzle).and_then(Size::from_side);
        is_small.then_some(Size::Four).or(numbers).or(spaces).or(rows)
    };
    size.filter(|_| puzzle.iter().all(is_symbol)).or_else(spaced)
}

fn is_row_of_blanks(line: &[u8]) -> bool {
    matches!(ScannedLine::scan(line), ScannedLine::Rule { size, .. } if size != Size::Sixteen)
}

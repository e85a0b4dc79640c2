//! Decides which lines of a candidate grid are rows, and reads the candidates of a cell.

use crate::format::Size;
use crate::format::characters::ascii;
use crate::format::formats::blocks::{BlockLine, Rows};
use crate::format::formats::grids::lookahead::{is_number_or_date, looks_like_row};
use crate::format::formats::grids::scanner::is_spacing;

/// The rows of a grid, and the groups of a row.
pub(super) const SIDE: usize = Size::Nine.side();

/// Distinguishes the rows of candidate grids from other lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidateRows;

impl Rows for CandidateRows {
    fn kind(&self, line: &[u8]) -> BlockLine {
        // A line with `#` before a group is not a comment.
        if line.starts_with(b"#") && groups(line).count() != SIDE {
            return BlockLine::Comment;
        }
        let line = &*ascii(line);
        let is_rule = |byte: &u8| b"-*.:'_".contains(byte) || is_spacing(*byte);
        if line.iter().any(|byte| b"-=|".contains(byte)) && line.iter().all(is_rule) {
            return BlockLine::Border;
        }
        // A short word may be a number or a date; a row of another kind of grid is a damaged row here.
        let has_cells = groups(line).nth(1).is_some() || line.trim_ascii().len() >= SIDE && !is_number_or_date(line);
        if has_cells && looks_like_row(line) { BlockLine::Row } else { BlockLine::Title }
    }

    fn side(&self) -> usize {
        SIDE
    }
}

/// The groups of a row.
pub(super) fn groups(row: &[u8]) -> impl Iterator<Item = &[u8]> {
    row.split(|&byte| is_spacing(byte)).filter(|group| !group.is_empty())
}

/// Whether a line is a row of a candidate grid with several candidates in a cell. A row of values could belong to any
/// grid.
pub(in crate::sudoku::format::formats) fn has_candidates(line: &[u8]) -> bool {
    let line = &*ascii(line);
    let sets = groups(line).map(candidates_of);
    let (mut count, mut has_several) = (0, false);
    for set in sets {
        let Ok(set) = set else { return false };
        count += 1;
        has_several |= set.count_ones() > 1;
    }
    count == SIDE && has_several
}

/// The candidates of a group, bit 0 for digit 1. Fails with the index of a byte that is not a candidate.
pub(super) fn candidates_of(group: &[u8]) -> Result<u16, usize> {
    let has_mark = matches!(group[0], b'*' | b'#' | b'@' | b'u' | b'A'..=b'Z');
    let mut candidates = 0_u16;
    for (index, &byte) in group.iter().enumerate().skip(usize::from(has_mark)) {
        let is_deleted = byte == b'-' && group.get(index + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            _ if is_deleted => {}
            // Programs write candidates in ascending order. Few other numbers have ascending digits.
            b'1'..=b'9' if 1 << (byte - b'1') > candidates => candidates |= 1 << (byte - b'1'),
            _ => return Err(index),
        }
    }
    if candidates == 0 { Err(0) } else { Ok(candidates) }
}

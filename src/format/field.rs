//! Parses the puzzle in a field: a field of CSV, or a string of JSON.

use super::alphabet::Alphabets;
use super::cells;
use super::malformed::{Malformed, SymbolPosition};
use super::spaced;
use super::{ParsedPuzzle, Puzzles};

/// Adds the puzzle of `text`, which starts at the index `start` of a field, to `puzzles`: a symbol for each cell, or one of
/// the [`spaced`] forms in the complete `field`.
#[inline]
pub(super) fn parse(
    field: &[u8],
    (start, text): (usize, &[u8]),
    alphabets: &Alphabets,
    puzzles: &mut Puzzles,
) -> Result<ParsedPuzzle, Malformed> {
    let position = |index| SymbolPosition::Column(start + index + 1);
    match cells::parse(text, alphabets, puzzles, position) {
        Err(error) if !cells::is_length_of_puzzle(text.len()) => {
            spaced::parse(field, alphabets, puzzles).unwrap_or(Err(error))
        }
        parsed => parsed,
    }
}

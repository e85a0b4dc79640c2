//! Finds the grid in free text, such as the answer of a language model.
//!
//! ```text
//!   534678912672195348...                 a token of 81 cells: a grid
//!   [[5, 3, 4, ...], [6, 7, 2, ...], ...] nine pieces of nine cells: rows
//!   Row 1: 5 3 4 | 6 7 8 | 9 1 2          a piece of one cell, and a row
//!   | 1 | 5 | 3 | 4 | ...                 a piece of ten cells: a row with its number
//!   53..7.... -> 534678912                two rows a line: two grids side by side
//! ```
//!
//! Cells make tokens, which have nothing between their cells. A token with as many cells as a grid is one, whatever stands
//! beside it. Other tokens make pieces: a piece ends at a bracket, a colon, the end of a line, or a word. Pieces with as
//! many cells as a row, one after another, make a grid, if each line has as many of them, and no line without a row comes
//! between them other than empty ones and borders. So do all cells between two words, if they are as many as a grid has.
//!
//! The last grid without blanks counts; if there is none, the last grid. Only what is within the last `<answer>` or
//! `\boxed{...}` counts, if there is a grid.

mod scan;

use std::ops::Range;

use memchr::{memmem, memrchr_iter};
use strum::VariantNames;

use self::scan::{Memory, Notation, Scan};
use super::symbol_class::{ByteClass, ByteClasses};
use crate::format::Alphabet;
use crate::puzzle::Size;

/// Where in a text its grid was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Place {
    /// Between `<answer>` and `</answer>`.
    Answer,
    /// Within `\boxed{`.
    Boxed,
    /// Anywhere.
    Text,
}

/// A grid in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundGrid<'a> {
    pub(crate) place: Place,
    /// The index of the first byte of its first cell.
    pub(crate) start: usize,
    /// Its cells; 0 is a blank.
    pub(crate) cells: &'a [u8],
}

/// Finds grids. Its memory is used again for the next text.
#[derive(Debug, Default)]
pub(crate) struct GridFinder {
    classes: ClassesBySize,
    memory: Memory,
    /// The best grid so far.
    grid: Vec<u8>,
}

/// The classes of bytes for the last alphabet of each size.
type ClassesBySize = [Option<(Alphabet, ByteClasses)>; Size::ALL.len()];

impl GridFinder {
    /// The grid in a text, whose cells are written in this alphabet, or in numbers.
    pub(crate) fn find(&mut self, alphabet: Alphabet, text: &[u8]) -> Option<FoundGrid<'_>> {
        if self.take_line(alphabet, text) {
            return Some(FoundGrid { place: Place::Text, start: 0, cells: &self.grid });
        }

        let parts = [(Place::Answer, tagged(text)), (Place::Boxed, boxed(text)), (Place::Text, Some(0..text.len()))];
        let parts = parts.into_iter().filter_map(|(place, part)| Some((place, part?)));
        let (place, start) = parts
            .into_iter()
            .find_map(|(place, part)| Some((place, part.start + self.find_in(alphabet, &text[part])?)))?;
        Some(FoundGrid { place, start, cells: &self.grid })
    }

    /// Takes a text that is a grid on one line and nothing else, which needs no search; returns whether it is one.
    fn take_line(&mut self, alphabet: Alphabet, text: &[u8]) -> bool {
        let GridFinder { classes, grid, .. } = self;
        let size = alphabet.size();
        if text.len() != size.cells() || Notation::of(size) != [Notation::Symbols] {
            return false;
        }
        let classes = classes_of(alphabet, classes);
        let mut are_cells = true;
        grid.clear();
        grid.extend(text.iter().map(|&byte| {
            let ByteClass::Cell(value) = classes.of(byte) else {
                are_cells = false;
                return 0;
            };
            value
        }));
        are_cells
    }

    /// Finds the grid in a part of a text, and returns where it starts.
    fn find_in(&mut self, alphabet: Alphabet, text: &[u8]) -> Option<usize> {
        let GridFinder { classes, memory, grid } = self;
        let size = alphabet.size();
        let classes = classes_of(alphabet, classes);

        let mut best = None;
        grid.clear();
        for &notation in Notation::of(size) {
            memory.clear();
            best = Scan::new(size, notation, text, memory, grid, best).run(classes);
        }
        best.map(|best| best.start)
    }
}

/// The classes of bytes for an alphabet, which are made once.
fn classes_of(alphabet: Alphabet, classes: &mut ClassesBySize) -> &ByteClasses {
    let kept = &mut classes[alphabet.size().index()];
    if kept.as_ref().is_some_and(|(made_for, _)| *made_for != alphabet) {
        *kept = None;
    }
    &kept.get_or_insert_with(|| (alphabet, ByteClasses::new(alphabet))).1
}

/// The part of a text between the last `<answer>` that is closed and its `</answer>`; if none is closed, that from the last
/// one to the end.
fn tagged(text: &[u8]) -> Option<Range<usize>> {
    const TAG: &[u8] = b"<answer>";
    const END: &[u8] = b"</answer>";
    let closed = last(END, text).and_then(|end| last(TAG, &text[..end]));
    let start = closed.or_else(|| last(TAG, text))? + TAG.len();
    let length = memmem::find(&text[start..], END).unwrap_or(text.len() - start);
    Some(start..start + length)
}

/// The part of a text between the braces of the last `\boxed{}`, or to the end.
fn boxed(text: &[u8]) -> Option<Range<usize>> {
    const COMMAND: &[u8] = b"\\boxed{";
    let start = last(COMMAND, text)? + COMMAND.len();
    let mut depth = 1;
    let length = text[start..].iter().position(|byte| {
        depth += i32::from(*byte == b'{') - i32::from(*byte == b'}');
        depth == 0
    });
    Some(start..length.map_or(text.len(), |length| start + length))
}

/// Where the last of some words is. Few texts have its first byte, for which all are searched quickly.
fn last(word: &[u8], text: &[u8]) -> Option<usize> {
    memrchr_iter(word[0], text).find(|&start| text[start..].starts_with(word))
}

#[cfg(test)]
mod tests;

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
//! Cells without anything between them make tokens. A token with as many cells as a grid is one, whatever surrounds it.
//! Other tokens make pieces: a piece ends at a bracket, a colon, the end of a line, or a word. Consecutive pieces with
//! as many cells as a row make a grid, if each line has the same number of them, and no line without a row separates
//! them, except empty lines, code fences and borders. All cells between two words also make a grid if there are as many
//! as in a grid. If rows are left over, a grid is a run of rows that all have words between them or none has; if that
//! is not enough, the same with gaps: a check of the digits may follow a grid.
//!
//! Rows that have numbers are taken in the order of their numbers.
//!
//! The last grid that has no blanks and keeps the clues counts; failing that, the last grid without blanks; failing
//! that, the last grid. Grids whose lines are all called columns or boxes have the lowest priority. `answer.rs` tells
//! which part of the text is read.

mod scan;

use std::ops::Range;

use memchr::memmem;
use strum::VariantNames;

use self::scan::{Found, Memory, Notation, Scan};
use super::answer::AnswerRules;
use super::chat::{self, ChatError};
use crate::format::Alphabet;
use crate::format::characters::ascii_of;
use crate::puzzle::Size;

/// The place in a text where its grid was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Place {
    /// Between `<answer>` and `</answer>`, or other tags of an answer.
    Answer,
    /// Within `\boxed{`.
    Boxed,
    /// Anywhere.
    Text,
    /// In the thoughts, where it is not the answer.
    Thoughts,
}

/// The reason why a text has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoGrid {
    /// No part of it has a grid.
    #[error("no grid of this size")]
    Nowhere,
    /// The closed tag of the answer has none, and another part has one.
    #[error("the tag of the answer has no grid; a grid is outside of it")]
    OutsideOfTag,
    /// Only the thoughts have one.
    #[error("only the thoughts have a grid")]
    InThoughts,
    /// It is a chat whose answer is unknown.
    #[error(transparent)]
    Chat(#[from] ChatError),
}

impl NoGrid {
    /// The place that was read, or that has a grid, if it is not the text as a whole.
    pub(crate) fn place(self) -> Option<Place> {
        match self {
            NoGrid::OutsideOfTag => Some(Place::Answer),
            NoGrid::InThoughts => Some(Place::Thoughts),
            NoGrid::Nowhere | NoGrid::Chat(_) => None,
        }
    }
}

/// A grid in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundGrid<'a> {
    pub(crate) place: Place,
    /// The index of the first byte of its first cell; in a chat, within the message.
    pub(crate) start: usize,
    /// Its cells; 0 is a blank.
    pub(crate) cells: &'a [u8],
    /// The number of different grids in this place.
    pub(crate) grids: usize,
    /// Whether another grid of the text is a solution of the puzzle; meaningless if this one is.
    pub(crate) another_solves: bool,
}

/// Finds grids. Its memory is reused for the next text.
#[derive(Debug, Default)]
pub(crate) struct GridFinder {
    rules: AnswerRules,
    classes: ClassesBySize,
    memory: Memory,
    /// The grids of the last text, or of a part of it.
    found: Found,
    /// The cells of the grid that counts.
    grid: Vec<u8>,
}

/// The classes of bytes for the last alphabet of each size.
type ClassesBySize = [Option<(Alphabet, ByteClasses)>; Size::ALL.len()];

impl GridFinder {
    /// A finder of answers by these rules.
    pub(crate) fn with_rules(rules: AnswerRules) -> GridFinder {
        GridFinder { rules, ..GridFinder::default() }
    }

    /// The grid in a text that answers a puzzle. Cells are written in this alphabet, or in numbers.
    pub(crate) fn find(&mut self, alphabet: Alphabet, puzzle: &[u8], text: &[u8]) -> Result<FoundGrid<'_>, NoGrid> {
        let size = alphabet.size();
        if self.take_line(alphabet, text) {
            return Ok(FoundGrid { place: Place::Text, start: 0, cells: &self.grid, grids: 1, another_solves: false });
        }

        let text = &*chat::answer_in(text)?;
        let part = self.rules.after_thoughts(text);
        let answer = &text[part.clone()];

        // A closed tag is the answer, even without a grid. Otherwise, the first part that has one is.
        let tagged = self.rules.tagged(answer);
        let is_closed = tagged.as_ref().is_some_and(|tagged| tagged.is_closed);
        let tag = tagged.map(|tagged| (Place::Answer, tagged.part));
        let others = [boxed(answer).map(|part| (Place::Boxed, part)), Some((Place::Text, 0..answer.len()))];
        let mut parts = tag.into_iter().chain(others.into_iter().flatten().filter(|_| !is_closed));
        let mut find = |text: &[u8]| self.find_in(alphabet, puzzle, text);
        let found = parts.find_map(|(place, tag)| Some((place, part.start + tag.start + find(&answer[tag])?)));
        let Some((place, start)) = found else {
            return Err(match () {
                () if is_closed && find(answer).is_some() => NoGrid::OutsideOfTag,
                () if answer.len() < text.len() && find(text).is_some() => NoGrid::InThoughts,
                () => NoGrid::Nowhere,
            });
        };
        let grids = self.found.count(size);
        std::mem::swap(&mut self.grid, &mut self.found.cells);

        // A correct grid may be anywhere else.
        if !self.found.has_solution && (place != Place::Text || answer.len() < text.len()) {
            self.find_in(alphabet, puzzle, text);
        }
        Ok(FoundGrid { place, start, cells: &self.grid, grids, another_solves: self.found.has_solution })
    }

    /// All grids in a text that have a digit, in order: the index of the first byte of each, and its cells.
    pub(super) fn all(&mut self, alphabet: Alphabet, text: &[u8]) -> Vec<(usize, Vec<u8>)> {
        let size = alphabet.size();
        self.find_in(alphabet, &[0; Size::MAX_CELLS][..size.cells()], text);
        let cells = self.found.all.chunks_exact(size.cells()).map(<[u8]>::to_vec);
        let mut grids: Vec<_> = self.found.starts.iter().copied().zip(cells).collect();
        grids.retain(|(_, cells)| cells.iter().any(|&value| value != 0));
        // A grid may be found as its rows, and as a whole.
        grids.sort_unstable();
        grids.dedup();
        grids
    }

    /// Handles a text that is a full grid on one line and nothing else, without a search; returns whether it is one.
    fn take_line(&mut self, alphabet: Alphabet, text: &[u8]) -> bool {
        let size = alphabet.size();
        if text.len() != size.cells() || Notation::of(size) != [Notation::Symbols] {
            return false;
        }
        self.grid.clear();
        self.grid.extend(text.iter().map(|&byte| alphabet.value(byte)));
        !self.grid.contains(&0)
    }

    /// Finds the grids in a part of a text, and returns the start of the grid that counts.
    fn find_in(&mut self, alphabet: Alphabet, puzzle: &[u8], text: &[u8]) -> Option<usize> {
        let GridFinder { classes, memory, found, .. } = self;
        let classes = classes_of(alphabet, classes);

        found.clear();
        for &notation in Notation::of(alphabet.size()) {
            memory.clear();
            Scan::new(alphabet.size(), puzzle, notation, text, memory, found).run(classes);
        }
        found.best.map(|best| best.start)
    }
}

/// The byte classes for an alphabet, cached by size.
fn classes_of(alphabet: Alphabet, classes: &mut ClassesBySize) -> &ByteClasses {
    let kept = &mut classes[alphabet.size().index()];
    if kept.as_ref().is_some_and(|(made_for, _)| *made_for != alphabet) {
        *kept = None;
    }
    &kept.get_or_insert_with(|| (alphabet, ByteClasses::new(alphabet))).1
}

/// The role of a byte in a free text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteClass {
    /// A cell with this value; 0 is a blank.
    Cell(u8),
    /// It may separate the cells of a row: `|`, a comma, a quote.
    Between,
    /// It ends a row: a bracket, a colon.
    EndOfRow,
    EndOfLine,
    /// Part of a word, which ends the piece before it.
    Word,
    /// `\`: an escape, or a command of LaTeX.
    Backslash,
    /// `<`: perhaps a tag of HTML.
    Less,
    /// The first byte of a character that is not ASCII.
    Multibyte,
}

/// The class of each byte for the symbols of an alphabet.
#[derive(Clone, Debug)]
struct ByteClasses([ByteClass; 1 << u8::BITS]);

impl ByteClasses {
    /// The classes for texts with puzzles in this alphabet.
    fn new(alphabet: Alphabet) -> ByteClasses {
        let class = |byte: u8| match byte {
            _ if alphabet.value(byte) > 0 => ByteClass::Cell(alphabet.value(byte)),
            b'.' | b'0' | b'_' | b'?' => ByteClass::Cell(0),
            b'\n' | b'\r' => ByteClass::EndOfLine,
            b' ' | b'\t' | b'|' | b',' | b'"' | b'\'' | b'`' | b'+' | b'-' | b'=' | b'*' | b'&' => ByteClass::Between,
            b'[' | b']' | b'(' | b')' | b'{' | b'}' | b':' | b';' | b'/' => ByteClass::EndOfRow,
            b'\\' => ByteClass::Backslash,
            b'<' => ByteClass::Less,
            0x80.. => ByteClass::Multibyte,
            _ => ByteClass::Word,
        };
        ByteClasses(std::array::from_fn(|byte| class(byte as u8)))
    }

    fn of(&self, byte: u8) -> ByteClass {
        self.0[usize::from(byte)]
    }

    /// The class of the character at the start of `text`, which is not ASCII, and its length in bytes. An unknown
    /// character is part of a word, and so is a bullet, which begins an item of a list.
    fn of_character(&self, text: &[u8]) -> (ByteClass, usize) {
        match ascii_of(text).filter(|_| !text.starts_with("•".as_bytes())) {
            Some((symbol, length)) => (self.of(symbol), length),
            None => (ByteClass::Word, 1),
        }
    }
}
/// The part of a text between the braces of the last `\boxed{}`, or to the end.
fn boxed(text: &[u8]) -> Option<Range<usize>> {
    const COMMAND: &[u8] = b"\\boxed{";
    let start = memmem::rfind(text, COMMAND)? + COMMAND.len();
    let mut depth = 1;
    let length = text[start..].iter().position(|byte| {
        depth += i32::from(*byte == b'{') - i32::from(*byte == b'}');
        depth == 0
    });
    Some(start..length.map_or(text.len(), |length| start + length))
}

#[cfg(test)]
mod tests;

//! Finds the grid in free text, such as the answer of a language model.
//!
//! ```text
//!   534678912672195348...                 a piece of 81 cells: a grid
//!   [[5, 3, 4, ...], [6, 7, 2, ...], ...] nine pieces of nine cells: rows
//!   Row 1: 5 3 4 | 6 7 8 | 9 1 2          a piece of one cell, and a row
//!   | 1 | 5 | 3 | 4 | ...                 a piece of ten cells: a row with its number
//! ```
//!
//! Cells make pieces: a piece ends at a bracket, a colon, the end of a line, or a word. Pieces with as many cells as a
//! row, one after another, make a grid, if no line without a row comes between them other than empty ones and borders. So
//! do all cells between two words, if they are as many as a grid has.
//!
//! The last grid without blanks counts; if there is none, the last grid. Only what is within the last `<answer>` or
//! `\boxed{...}` counts, if there is a grid.

use std::ops::Range;

use memchr::memmem;

use super::symbol_class::{ByteClass, ByteClasses};
use crate::format::Alphabet;
use crate::puzzle::Order;

/// Where in a text its grid was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Between `<answer>` and `</answer>`.
    Answer,
    /// Within `\boxed{`.
    Boxed,
    /// Anywhere.
    Text,
}

impl Place {
    /// The names of all places, in their order.
    pub(crate) const NAMES: [&str; 3] = ["answer", "boxed", "text"];
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
    classes: [Option<(Alphabet, ByteClasses)>; Order::ALL.len()],
    memory: Memory,
    /// The best grid so far.
    grid: Vec<u8>,
}

/// The cells of a text.
#[derive(Debug, Default)]
struct Memory {
    values: Vec<u8>,
    /// The index of the first byte of each cell.
    starts: Vec<u32>,
    /// The last pieces with as many cells as a row.
    rows: Vec<RowPiece>,
}

/// A piece of a text with as many cells as a row.
#[derive(Clone, Copy, Debug)]
struct RowPiece {
    /// The index of its first cell.
    first: usize,
    /// The number before it, if there is one.
    number: Option<u32>,
}

/// How the values of cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    /// Each as a symbol.
    Symbols,
    /// Each as a number of one or two digits.
    Numbers,
}

impl GridFinder {
    /// The grid in a text, whose cells are written in this alphabet, or in numbers.
    pub(crate) fn find(&mut self, alphabet: Alphabet, text: &[u8]) -> Option<FoundGrid<'_>> {
        let parts = [(Place::Answer, tagged(text)), (Place::Boxed, boxed(text)), (Place::Text, Some(0..text.len()))];
        let parts = parts.into_iter().filter_map(|(place, part)| Some((place, part?)));
        let (place, start) = parts
            .into_iter()
            .find_map(|(place, part)| Some((place, part.start + self.find_in(alphabet, &text[part])?)))?;
        Some(FoundGrid { place, start, cells: &self.grid })
    }

    /// Finds the grid in a part of a text, and returns where it starts.
    fn find_in(&mut self, alphabet: Alphabet, text: &[u8]) -> Option<usize> {
        let GridFinder { classes, memory, grid } = self;
        let order = alphabet.order();
        let kept = &mut classes[order.index()];
        let (_, classes) = match kept {
            Some(kept) if kept.0 == alphabet => kept,
            _ => kept.insert((alphabet, ByteClasses::new(alphabet))),
        };

        let mut best = None;
        grid.clear();
        // Only large sizes have values with two digits.
        let notations = [Notation::Symbols, Notation::Numbers];
        for &notation in &notations[..if order.side() > 9 { 2 } else { 1 }] {
            memory.clear();
            let mut scan = Scan::new(order, notation, text, memory, grid, best);
            scan.run(classes);
            best = scan.best;
        }
        best.map(|best| best.start)
    }
}

/// The part of a text between the last `<answer>` and the next `</answer>`, or the end.
fn tagged(text: &[u8]) -> Option<Range<usize>> {
    const TAG: &[u8] = b"<answer>";
    let start = memmem::rfind(text, TAG)? + TAG.len();
    let length = memmem::find(&text[start..], b"</answer>").unwrap_or(text.len() - start);
    Some(start..start + length)
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

impl Memory {
    fn clear(&mut self) {
        self.values.clear();
        self.starts.clear();
        self.rows.clear();
    }
}

/// How good a grid is: the larger one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_full: bool,
    start: usize,
}

/// Reads a text once.
struct Scan<'a> {
    side: usize,
    cells: usize,
    notation: Notation,
    text: &'a [u8],
    memory: &'a mut Memory,
    /// The first cell after the last word.
    stretch: usize,
    /// The first cell of the piece.
    piece: usize,
    /// The end of the first token of the piece: of cells without anything between them.
    first_token: Option<usize>,
    in_token: bool,
    line_has_row: bool,
    line_has_words: bool,
    grid: &'a mut Vec<u8>,
    best: Option<Rank>,
}

impl<'a> Scan<'a> {
    fn new(
        order: Order,
        notation: Notation,
        text: &'a [u8],
        memory: &'a mut Memory,
        grid: &'a mut Vec<u8>,
        best: Option<Rank>,
    ) -> Scan<'a> {
        Scan {
            side: order.side(),
            cells: order.cells(),
            notation,
            text,
            memory,
            stretch: 0,
            piece: 0,
            first_token: None,
            in_token: false,
            line_has_row: false,
            line_has_words: false,
            grid,
            best,
        }
    }

    fn run(&mut self, classes: &ByteClasses) {
        let mut index = 0;
        while let Some(&byte) = self.text.get(index) {
            let (class, length) = match classes.of(byte) {
                ByteClass::Multibyte => classes.of_character(&self.text[index..]),
                ByteClass::Backslash => escape(&self.text[index..]),
                ByteClass::Less => tag(&self.text[index..]),
                _ if self.notation == Notation::Numbers && byte.is_ascii_digit() => self.number(index),
                class => (class, 1),
            };

            if let ByteClass::Cell(value) = class {
                self.memory.values.push(value);
                self.memory.starts.push(index as u32);
                self.in_token = true;
            } else {
                self.end_token();
                match class {
                    ByteClass::Between => {}
                    ByteClass::EndOfLine => self.end_line(),
                    ByteClass::EndOfRow => self.end_piece(),
                    _ => self.word(),
                }
            }
            index += length;
            // Each number is a token.
            if self.notation == Notation::Numbers {
                self.end_token();
            }
        }

        self.end_token();
        self.end_line();
        self.end_stretch();
        self.end_rows();
    }

    /// The cell that is written as a number at `start`, and its length; a large number is a word.
    fn number(&self, start: usize) -> (ByteClass, usize) {
        let digits = self.text[start..].iter().take_while(|byte| byte.is_ascii_digit());
        let (value, length) = digits.fold((0_usize, 0), |(value, length), digit| {
            (value.saturating_mul(10).saturating_add(usize::from(digit - b'0')), length + 1)
        });
        let is_cell = length <= 2 && value <= self.side;
        (if is_cell { ByteClass::Cell(value as u8) } else { ByteClass::Word }, length)
    }

    fn end_token(&mut self) {
        if self.in_token {
            self.in_token = false;
            self.first_token.get_or_insert(self.memory.values.len());
        }
    }

    fn word(&mut self) {
        self.end_piece();
        self.end_stretch();
        self.line_has_words = true;
    }

    /// Ends a piece: it may be a row, a row with its number, or a grid.
    fn end_piece(&mut self) {
        let end = self.memory.values.len();
        let (first, label) = (self.piece, self.first_token.take());
        if first == end {
            return;
        }
        self.piece = end;

        let length = self.without_full_stop(first..end, self.side).len();
        if length == self.side {
            self.add_row(first, None);
        } else if let Some(label) = label.filter(|&label| label + self.side == end) {
            let number = self.row_number(first..label);
            if number.is_some() {
                self.add_row(label, number);
            }
        }
        self.offer_grids(self.without_full_stop(first..end, self.cells));
    }

    fn add_row(&mut self, first: usize, number: Option<u32>) {
        self.memory.rows.push(RowPiece { first, number });
        self.line_has_row = true;
    }

    /// The number that some cells are: `3` or `3.`.
    fn row_number(&self, cells: Range<usize>) -> Option<u32> {
        let digits = self.memory.values[cells].split(|&value| value == 0).next()?;
        (1..=2).contains(&digits.len()).then(|| digits.iter().fold(0, |number, &digit| 10 * number + u32::from(digit)))
    }

    /// Some cells without the last one, if that is one too many and a full stop.
    fn without_full_stop(&self, cells: Range<usize>, wanted: usize) -> Range<usize> {
        let is_one_too_many = cells.len() % wanted == 1 && cells.len() > wanted;
        let ends_with_dot = is_one_too_many && self.text[self.memory.starts[cells.end - 1] as usize] == b'.';
        cells.start..cells.end - usize::from(ends_with_dot)
    }

    fn end_line(&mut self) {
        let cells_before = self.memory.values.len();
        let has_cells = self.piece < cells_before;
        self.end_piece();
        if !self.line_has_row && (self.line_has_words || has_cells) {
            self.end_rows();
        }
        (self.line_has_row, self.line_has_words) = (false, false);
    }

    /// Ends a stretch of cells without a word: they may be a grid, or several.
    fn end_stretch(&mut self) {
        let end = self.memory.values.len();
        let stretch = std::mem::replace(&mut self.stretch, end)..end;
        if !stretch.is_empty() {
            self.offer_grids(self.without_full_stop(stretch, self.cells));
        }
    }

    /// Takes cells as grids if they are as many as those of some grids.
    fn offer_grids(&mut self, cells: Range<usize>) {
        if !cells.is_empty() && cells.len().is_multiple_of(self.cells) {
            let side = self.side;
            for first in cells.step_by(self.cells) {
                self.offer((0..side).map(|row| first + row * side));
            }
        }
    }

    /// Ends rows that follow each other: if they are as many as those of some grids, they are these; otherwise, the last
    /// of them may be one, below a header.
    fn end_rows(&mut self) {
        let rows = std::mem::take(&mut self.memory.rows);
        let header = if rows.len().is_multiple_of(self.side) { 0 } else { rows.len().saturating_sub(self.side) };
        for rows in rows[header..].chunks_exact(self.side) {
            let are_in_order =
                rows.array_windows().all(|[row, next]| row.number.map(|number| number + 1) == next.number);
            if are_in_order {
                self.offer(rows.iter().map(|row| row.first));
            }
        }
        self.memory.rows = rows;
        self.memory.rows.clear();
    }

    /// Takes a grid, by the first cell of each row, if it counts more than the best so far.
    fn offer(&mut self, rows: impl Iterator<Item = usize> + Clone) {
        let Memory { values, starts, .. } = &*self.memory;
        let row = |first: usize| &values[first..first + self.side];
        let Some(first) = rows.clone().next() else { return };
        let is_full = !rows.clone().any(|first| row(first).contains(&0));
        let rank = Rank { is_full, start: starts[first] as usize };
        if self.best < Some(rank) {
            self.best = Some(rank);
            self.grid.clear();
            rows.for_each(|first| self.grid.extend_from_slice(row(first)));
        }
    }
}

/// What a backslash starts, and its length: the end of a line as `\n`, or a command such as `\hline`.
fn escape(text: &[u8]) -> (ByteClass, usize) {
    let name = text[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if name > 0 && text[1] == b'n' { (ByteClass::EndOfLine, 2) } else { (ByteClass::EndOfRow, 1 + name) }
}

/// The longest tag of HTML that is looked for, in bytes.
const MAX_TAG: usize = 200;

/// What `<` starts, and its length: a tag of HTML, or nothing.
fn tag(text: &[u8]) -> (ByteClass, usize) {
    let name = text[1..].strip_prefix(b"/").unwrap_or(&text[1..]);
    let end = text.iter().take(MAX_TAG).position(|&byte| byte == b'>');
    match end.filter(|_| name.first().is_some_and(u8::is_ascii_alphabetic)) {
        Some(end) if name.starts_with(b"tr") || name.starts_with(b"br") => (ByteClass::EndOfLine, end + 1),
        Some(end) => (ByteClass::Between, end + 1),
        None => (ByteClass::Word, 1),
    }
}

#[cfg(test)]
mod tests;

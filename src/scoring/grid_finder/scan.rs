//! Reads a text once for the grids in it: cells make pieces, and pieces make rows and grids.

use std::ops::Range;

use crate::puzzle::Size;
use crate::scoring::symbol_class::{ByteClass, ByteClasses};

/// The cells of a text.
#[derive(Debug, Default)]
pub(super) struct Memory {
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

impl Memory {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.starts.clear();
        self.rows.clear();
    }
}

/// How the values of cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// Each as a symbol.
    Symbols,
    /// Each as a number of one or two digits.
    Numbers,
}

impl Notation {
    /// How the values of a size may be written: only large sizes have values with two digits.
    pub(super) fn of(size: Size) -> &'static [Notation] {
        if size.side() > 9 { &[Notation::Symbols, Notation::Numbers] } else { &[Notation::Symbols] }
    }
}

/// How good a grid is: the larger one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    is_full: bool,
    /// The index of the first byte of its first cell.
    pub(super) start: usize,
}

/// Reads a text once.
pub(super) struct Scan<'a> {
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
    /// A scan of a text for a grid that is better than `best`, which goes to `grid`.
    pub(super) fn new(
        size: Size,
        notation: Notation,
        text: &'a [u8],
        memory: &'a mut Memory,
        grid: &'a mut Vec<u8>,
        best: Option<Rank>,
    ) -> Scan<'a> {
        Scan {
            side: size.side(),
            cells: size.cells(),
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

    /// How good the best grid is, if there is one.
    pub(super) fn run(mut self, classes: &ByteClasses) -> Option<Rank> {
        let mut index = 0;
        while let Some(&byte) = self.text.get(index) {
            let (class, mut length) = match classes.of(byte) {
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
                    _ => {
                        self.word();
                        length += self.word_after(index + length, classes);
                    }
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
        self.best
    }

    /// How many bytes from `start` on belong to a word.
    fn word_after(&self, start: usize, classes: &ByteClasses) -> usize {
        let is_word = |byte: u8| {
            classes.of(byte) == ByteClass::Word && !(self.notation == Notation::Numbers && byte.is_ascii_digit())
        };
        self.text[start..].iter().take_while(|&&byte| is_word(byte)).count()
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

//! Scans a text once for grids: cells make tokens, tokens make pieces, and pieces make rows and grids.

use std::cmp::Ordering;
use std::ops::Range;

use super::{ByteClass, ByteClasses};
use crate::format::characters::ascii_of;
use crate::puzzle::{Size, rules};
use crate::scoring::tag::tag;

/// The cells of a text.
#[derive(Debug, Default)]
pub(super) struct Memory {
    values: Vec<u8>,
    /// The index of the first byte of each cell.
    starts: Vec<u32>,
    /// The first cell of each token since the last word.
    tokens: Vec<usize>,
    /// The last rows.
    rows: Vec<RowPiece>,
}

/// A piece of a text, or half of a piece, with as many cells as a row.
#[derive(Clone, Copy, Debug)]
struct RowPiece {
    /// The index of its first cell.
    first: usize,
    /// The number at the start of its piece.
    number: Option<u32>,
    /// The number before its piece: 3 in `Row 3: 5 3 4 ...`.
    label: Option<u32>,
    /// Whether its line names a column or a box.
    is_transposed: bool,
    /// Whether there are words on its line.
    has_words: bool,
    /// Whether an empty line, or a code fence, separates it from the row before.
    is_after_gap: bool,
}

/// The line that is being read.
#[derive(Clone, Copy, Debug, Default)]
struct CurrentLine {
    /// The index at which it starts.
    start: usize,
    /// The number before its first row: 3 in `Row 3: 5 3 4 ...`.
    label: Option<u32>,
    has_words: bool,
    /// Whether its first word names a column or a box.
    is_transposed: bool,
}

/// The grids that were found in a text.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The grid that counts, if there is one.
    pub(super) best: Option<Rank>,
    /// Its cells.
    pub(super) cells: Vec<u8>,
    /// The cells of all grids, one grid after another.
    pub(super) all: Vec<u8>,
    /// The index of the first byte of each of them.
    pub(super) starts: Vec<usize>,
    /// Whether a grid is a solution of the puzzle.
    pub(super) has_solution: bool,
}

impl Found {
    pub(super) fn clear(&mut self) {
        self.best = None;
        self.cells.clear();
        self.all.clear();
        self.starts.clear();
        self.has_solution = false;
    }

    /// The number of different grids.
    pub(super) fn count(&self, size: Size) -> usize {
        let mut grids: Vec<&[u8]> = self.all.chunks_exact(size.cells()).collect();
        grids.sort_unstable();
        grids.dedup();
        grids.len()
    }
}

impl Memory {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.starts.clear();
        self.tokens.clear();
        self.rows.clear();
    }
}

/// The notation of cell values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// Each as a symbol.
    Symbols,
    /// Each as a number of one or two digits.
    Numbers,
}

impl Notation {
    /// The notations for values of a size: only large sizes have values with two digits.
    pub(super) fn of(size: Size) -> &'static [Notation] {
        if size.side() > 9 { &[Notation::Symbols, Notation::Numbers] } else { &[Notation::Symbols] }
    }
}

/// The rank of a grid: the highest one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    is_full: bool,
    /// Whether its lines are rows, as far as the text says.
    is_in_rows: bool,
    /// Whether it is full and has all clues. Clues do not matter if it has blanks, since the puzzle itself has all of
    /// them.
    keeps_clues: bool,
    /// The index of the first byte of its first cell.
    pub(super) start: usize,
}

/// The maximum number of full stops after a cell: an ellipsis.
const MAX_STOPS: usize = 3;

/// The maximum number of cells that a row number can look like: `12.`.
const MAX_LABEL: usize = 3;

/// Scans a text once.
pub(super) struct Scan<'a> {
    size: Size,
    side: usize,
    cells: usize,
    /// The cells of the puzzle.
    puzzle: &'a [u8],
    notation: Notation,
    text: &'a [u8],
    memory: &'a mut Memory,
    /// The first cell of the stretch, and the length of its first piece.
    stretch: usize,
    stretch_piece: usize,
    /// The first cell of the piece, and its first token.
    piece: usize,
    piece_token: usize,
    /// The tokens of the piece that are numbers with a point.
    with_point: usize,
    in_token: bool,
    /// The number of rows before this line, and the number of rows on each line among them.
    rows_before: usize,
    rows_per_line: usize,
    line: CurrentLine,
    /// Whether there was a gap since the last row.
    is_after_gap: bool,
    found: &'a mut Found,
}

impl<'a> Scan<'a> {
    /// A scan of a text for the grids of a puzzle, which it adds to `found`.
    pub(super) fn new(
        size: Size,
        puzzle: &'a [u8],
        notation: Notation,
        text: &'a [u8],
        memory: &'a mut Memory,
        found: &'a mut Found,
    ) -> Scan<'a> {
        Scan {
            size,
            side: size.side(),
            cells: size.cells(),
            puzzle,
            notation,
            text,
            memory,
            stretch: 0,
            stretch_piece: 0,
            piece: 0,
            piece_token: 0,
            with_point: 0,
            in_token: false,
            rows_before: 0,
            rows_per_line: 1,
            line: CurrentLine::default(),
            is_after_gap: false,
            found,
        }
    }

    /// Finds the grids.
    pub(super) fn run(mut self, classes: &ByteClasses) {
        let mut index = 0;
        while let Some(&byte) = self.text.get(index) {
            let (class, mut length) = match classes.of(byte) {
                ByteClass::Multibyte => classes.of_character(&self.text[index..]),
                ByteClass::Backslash => escape(&self.text[index..]),
                ByteClass::Less => match tag(&self.text[index..]) {
                    Some(tag) => (self.class_of_tag(tag.name), tag.length),
                    None => (ByteClass::Word, 1),
                },
                ByteClass::EndOfLine if self.text[index..].starts_with(b"\r\n") => (ByteClass::EndOfLine, 2),
                _ if self.notation == Notation::Numbers && byte.is_ascii_digit() => self.number(index),
                class => (class, 1),
            };

            if let ByteClass::Cell(value) = class {
                if !self.in_token {
                    self.in_token = true;
                    self.memory.tokens.push(self.memory.values.len());
                }
                self.memory.values.push(value);
                self.memory.starts.push(index as u32);
            } else {
                self.end_token();
                match class {
                    ByteClass::Between => {}
                    ByteClass::EndOfLine => self.end_line(index, length),
                    ByteClass::EndOfRow => self.end_piece(),
                    _ => {
                        self.word(index);
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
        self.end_line(self.text.len(), 0);
        self.end_stretch();
        self.end_rows(self.memory.rows.len());
    }

    /// The class of a tag. Between two rows it is a gap, unless it encloses the cells of a table.
    fn class_of_tag(&mut self, name: &[u8]) -> ByteClass {
        let is = |names: &[&[u8]]| names.iter().any(|other| other.eq_ignore_ascii_case(name));
        let cells = self.memory.values.len() - self.piece;
        if is(&[b"tr", b"br"]) {
            ByteClass::EndOfLine
        } else if is(&[b"td", b"th"]) || cells == 0 || !cells.is_multiple_of(self.side) {
            ByteClass::Between
        } else {
            self.end_token();
            self.end_piece();
            self.is_after_gap = true;
            ByteClass::Between
        }
    }

    /// The number of bytes from `start` that belong to a word.
    fn word_after(&self, start: usize, classes: &ByteClasses) -> usize {
        let is_word = |byte: u8| {
            classes.of(byte) == ByteClass::Word && !(self.notation == Notation::Numbers && byte.is_ascii_digit())
        };
        self.text[start..].iter().take_while(|&&byte| is_word(byte)).count()
    }

    /// The cell that is written as a number at `start`, `5` or `5.0`, and its length. A large number is a word.
    fn number(&self, start: usize) -> (ByteClass, usize) {
        let digits = self.text[start..].iter().take_while(|byte| byte.is_ascii_digit());
        let (value, mut length) = digits.fold((0_usize, 0), |(value, length), digit| {
            (value.saturating_mul(10).saturating_add(usize::from(digit - b'0')), length + 1)
        });
        let is_cell = length <= 2 && value <= self.side;

        let rest = &self.text[start + length..];
        let point = rest.iter().take_while(|&&byte| byte == b'.' || byte == b'0').count();
        if rest.starts_with(b".") && !rest.get(point).is_some_and(u8::is_ascii_digit) {
            length += point;
        }
        (if is_cell { ByteClass::Cell(value as u8) } else { ByteClass::Word }, length)
    }

    /// Ends a token. It may be a grid, and then belongs to no piece.
    fn end_token(&mut self) {
        if !std::mem::take(&mut self.in_token) {
            return;
        }
        let Some(&first) = self.memory.tokens.last() else { return };
        let end = self.memory.values.len();
        if self.fits(first, self.cells) {
            self.offer_grid(first);
            let Memory { values, starts, tokens, .. } = &mut *self.memory;
            values.truncate(first);
            starts.truncate(first);
            tokens.pop();
            self.end_words();
        } else if self.has_point(first..end) {
            self.with_point += 1;
        }
    }

    /// Whether there are `wanted` cells from `first` on, apart from full stops.
    ///
    /// A full stop looks like a blank. It ends a token that, without it, has as many cells as the token before it: `...
    /// 7 9.` and `... 345286179.` end with a full stop, but `3 34528617.` and `... 7 .` end with a blank. Or it follows
    /// a mark: `**... 7 9**.`
    fn fits(&self, first: usize, wanted: usize) -> bool {
        let Memory { values, starts, tokens, .. } = &*self.memory;
        let Some(stops) = (values.len() - first).checked_sub(wanted) else { return false };
        if stops == 0 || stops > MAX_STOPS {
            return stops == 0;
        }

        let end = values.len() - stops;
        let [before @ .., last] = &tokens[..] else { return false };
        let before = before.last().filter(|&&before| before >= first);
        let follows = match last.cmp(&end) {
            Ordering::Less => before.is_none_or(|before| last - before == end - last),
            Ordering::Equal => matches!(self.text[..starts[end] as usize], [.., b'*' | b'`' | b'"' | b'\'']),
            Ordering::Greater => false,
        };
        follows && starts[end..].iter().all(|&start| self.text[start as usize] == b'.')
    }

    /// Whether a token is a number with a decimal point, followed by nothing but zeros: `5.` or `5.0`.
    fn has_point(&self, token: Range<usize>) -> bool {
        let mut bytes = self.memory.starts[token].iter().map(|&start| self.text[start as usize]);
        bytes.next().is_some_and(|byte| byte.is_ascii_digit())
            && bytes.next() == Some(b'.')
            && bytes.all(|byte| byte == b'.' || byte == b'0')
    }

    /// Handles the word at `start`.
    fn word(&mut self, start: usize) {
        if !self.line.has_words {
            self.line.is_transposed = names_column_or_box(&self.text[start..]);
        }
        self.end_words();
    }

    /// Ends the cells before a word.
    fn end_words(&mut self) {
        self.end_piece();
        self.end_stretch();
        self.line.has_words = true;
    }

    /// Ends a piece. It may be a row, a row with its number, two rows, or a grid.
    fn end_piece(&mut self) {
        let (first, first_token) = (self.piece, self.piece_token);
        if first == self.memory.values.len() {
            return;
        }
        let with_point = std::mem::take(&mut self.with_point);
        if with_point >= self.side && with_point + 1 >= self.memory.tokens.len() - first_token {
            self.drop_points(first_token);
        }
        self.piece = self.memory.values.len();
        self.piece_token = self.memory.tokens.len();

        if !self.add_rows(first, None) {
            let after_number = self.memory.tokens.get(first_token + 1).copied();
            let number = self.row_number(first..after_number.unwrap_or(self.piece));
            match after_number {
                Some(after_number) if number.is_some() => _ = self.add_rows(after_number, number),
                _ => self.line.label = self.line.label.or(number),
            }
        }
        if self.fits(first, self.cells) {
            self.offer_grid(first);
        }

        // The text before a much longer piece is a number or a title.
        let length = self.piece - first;
        if first == self.stretch || length >= 2 * self.stretch_piece {
            (self.stretch, self.stretch_piece) = (first, length);
        }
    }

    /// From a token on, makes each number with a decimal point one cell.
    fn drop_points(&mut self, first_token: usize) {
        let mut end = self.memory.tokens[first_token];
        for token in first_token..self.memory.tokens.len() {
            let next = self.memory.tokens.get(token + 1).copied().unwrap_or(self.memory.values.len());
            let cells = self.memory.tokens[token]..next;
            let kept = if self.has_point(cells.clone()) { cells.start..cells.start + 1 } else { cells };
            let Memory { values, starts, tokens, .. } = &mut *self.memory;
            tokens[token] = end;
            values.copy_within(kept.clone(), end);
            starts.copy_within(kept.clone(), end);
            end += kept.len();
        }
        self.memory.values.truncate(end);
        self.memory.starts.truncate(end);
    }

    /// If the cells from `first` on are a row, or two rows side by side, adds them and returns true.
    fn add_rows(&mut self, first: usize, number: Option<u32>) -> bool {
        let second = first + self.side;
        let rows = if self.fits(first, self.side) {
            1
        } else if self.fits(first, 2 * self.side) && self.memory.tokens.binary_search(&second).is_ok() {
            2
        } else {
            0
        };
        for &first in &[first, second][..rows] {
            let (is_transposed, is_after_gap) = (self.line.is_transposed, std::mem::take(&mut self.is_after_gap));
            let label = self.line.label.take();
            self.memory.rows.push(RowPiece { first, number, label, is_transposed, has_words: false, is_after_gap });
        }
        rows > 0
    }

    /// The row number that a token is: `3` or `3.`.
    fn row_number(&self, token: Range<usize>) -> Option<u32> {
        let Memory { values, starts, .. } = &*self.memory;
        if self.notation == Notation::Numbers {
            return Some(u32::from(values[token.start]));
        }
        if token.len() > MAX_LABEL {
            return None;
        }
        let digit = |&start: &u32| {
            let text = &self.text[start as usize..];
            let symbol = ascii_of(text).map_or(text[0], |(symbol, _)| symbol);
            symbol.is_ascii_digit().then(|| symbol - b'0')
        };
        let digits = starts[token.clone()].iter().map_while(digit);
        let (number, length) =
            digits.fold((0, 0), |(number, length), digit| (10 * number + u32::from(digit), length + 1));
        (length > 0 && token.len() <= length + 1).then_some(number)
    }

    /// Ends a line before `end`; its line end has `length` bytes.
    fn end_line(&mut self, end: usize, length: usize) {
        let has_cells = self.piece < self.memory.values.len();
        self.end_piece();
        let rows = self.memory.rows.len() - self.rows_before;
        self.memory.rows[self.rows_before..].iter_mut().for_each(|row| row.has_words = self.line.has_words);
        if rows == 0 && (self.line.has_words || has_cells) {
            self.end_rows(self.rows_before);
        } else if rows > 0 {
            if rows != self.rows_per_line {
                self.end_rows(self.rows_before);
            }
            self.rows_per_line = rows;
        }
        self.rows_before = self.memory.rows.len();

        let line = self.text[self.line.start..end].trim_ascii();
        self.is_after_gap |= line.iter().all(|&byte| byte == b'`');
        self.line = CurrentLine { start: end + length, ..CurrentLine::default() };
    }

    /// Ends a stretch of cells without a word: together, they may be a grid.
    fn end_stretch(&mut self) {
        let end = self.memory.values.len();
        if self.stretch < end && self.fits(self.stretch, self.cells) {
            self.offer_grid(self.stretch);
        }
        self.stretch = end;
        self.memory.tokens.clear();
        self.piece_token = 0;
    }

    /// Ends the first `count` rows, whose lines all have the same number of rows.
    fn end_rows(&mut self, count: usize) {
        let all = std::mem::take(&mut self.memory.rows);
        let lines = count / self.rows_per_line;
        let is_side_by_side = lines >= self.side && self.rows_per_line < self.side;
        let columns = if is_side_by_side { self.rows_per_line } else { 1 };
        for column in 0..columns {
            let rows: Vec<RowPiece> = all[..count].iter().skip(column).step_by(columns).copied().collect();
            if is_side_by_side || rows.len().is_multiple_of(self.side) {
                self.offer_rows(&rows, &[|row| row.has_words, |row| row.is_after_gap]);
            }
        }
        self.memory.rows = all;
        self.memory.rows.drain(..count);
    }

    /// Adds the grids in some rows, and returns whether there are any.
    ///
    /// Rows may be left over: a header above the grids, or a check such as `Each row has the digits 1 2 3 4 5 6 7 8 9`
    /// below them. Then the grids are runs of similar rows, first by words, then by gaps. Failing that, the first rows
    /// and the last rows are tried.
    fn offer_rows(&mut self, rows: &[RowPiece], likenesses: &[fn(&RowPiece) -> bool]) -> bool {
        let mut found = false;
        if rows.len().is_multiple_of(self.side) {
            for rows in rows.chunks_exact(self.side) {
                found |= self.offer_numbered(rows);
            }
            return found;
        }

        if let Some((is, rest)) = likenesses.split_first() {
            for run in runs(rows, self.side, is) {
                found |= self.offer_rows(run, rest);
            }
        }
        if !found && rows.len() > self.side {
            found |= self.offer_numbered(&rows[..self.side]);
            found |= self.offer_numbered(&rows[rows.len() - self.side..]);
        }
        found
    }

    /// Adds a grid with these rows, unless their pieces have numbers that do not count up; returns whether it did. Rows
    /// with labels are taken in the order of these.
    fn offer_numbered(&mut self, rows: &[RowPiece]) -> bool {
        let count_up = |rows: &[RowPiece], number: fn(&RowPiece) -> Option<u32>| {
            rows.array_windows().all(|[row, next]| number(row).map(|number| number + 1) == number(next))
        };
        if !count_up(rows, |row| row.number) {
            return false;
        }

        let mut by_label = rows.to_vec();
        by_label.sort_by_key(|row| row.label);
        let rows = if count_up(&by_label, |row| row.label) { &by_label } else { rows };
        let is_in_rows = !rows.iter().all(|row| row.is_transposed);
        self.offer(is_in_rows, rows.iter().map(|row| row.first));
        true
    }

    /// Adds the grid whose first cell is `first`.
    fn offer_grid(&mut self, first: usize) {
        let side = self.side;
        self.offer(true, (0..side).map(|row| first + row * side));
    }

    /// Adds a grid, given by the first cell of each row. It becomes the best if its rank is higher.
    fn offer(&mut self, is_in_rows: bool, rows: impl Iterator<Item = usize> + Clone) {
        let Memory { values, starts, .. } = &*self.memory;
        let Some(first) = rows.clone().next() else { return };
        let start = self.found.all.len();
        rows.for_each(|first| self.found.all.extend_from_slice(&values[first..first + self.side]));

        let grid = &self.found.all[start..];
        let is_full = !grid.contains(&0);
        let keeps_clues = is_full && rules::keeps_clues(self.puzzle, grid);
        let rank = Rank { is_full, is_in_rows, keeps_clues, start: starts[first] as usize };
        self.found.starts.push(rank.start);
        self.found.has_solution |= keeps_clues && rules::is_solution(self.size, self.puzzle, grid);
        if self.found.best < Some(rank) {
            self.found.best = Some(rank);
            self.found.cells.clear();
            self.found.cells.extend_from_slice(grid);
        }
    }
}

/// The longest runs of similar rows, where the first row may differ. A row may end one run and begin the next, unless
/// the run consists of complete grids.
fn runs(rows: &[RowPiece], side: usize, is: impl Fn(&RowPiece) -> bool) -> impl Iterator<Item = &[RowPiece]> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rows = &rows[start..];
        let second = is(rows.get(1)?);
        let length = 1 + rows[1..].iter().take_while(|&row| is(row) == second).count();
        start += if length.is_multiple_of(side) { length } else { length - 1 };
        Some(&rows[..length])
    })
}

/// Whether a word names a column or a box.
fn names_column_or_box(text: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 4] = [b"col", b"box", b"block", b"square"];
    BEGINNINGS.iter().any(|word| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
}

/// The class and the length of an escape: the end of a line as `\n`, or a command such as `\hline`.
fn escape(text: &[u8]) -> (ByteClass, usize) {
    let name = text[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if name > 0 && text[1] == b'n' { (ByteClass::EndOfLine, 2) } else { (ByteClass::EndOfRow, 1 + name) }
}

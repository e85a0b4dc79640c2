//! Parses the records of [`grids`](super).

use memchr::memchr;

use super::scanner::{GridScanner, check_boxes};
use crate::format::alphabet::Alphabets;
use crate::format::characters::ascii;
use crate::format::formats::grid_line::{ScannedLine, is_spacing};
use crate::format::{Malformed, ParsedPuzzle, Parser, Puzzles, Size, SymbolPosition, cells};

/// Parses grids.
#[derive(Clone, Debug)]
pub(super) struct GridParser {
    alphabets: Alphabets,
    /// The cells of a grid, concatenated.
    text: Vec<u8>,
}

impl GridParser {
    /// A parser for puzzles in these alphabets.
    pub(super) fn new(alphabets: Alphabets) -> GridParser {
        GridParser { alphabets, text: Vec::new() }
    }

    /// Collects the cells of a grid in `self.text`, without anything around them. Returns the number of cells in a row.
    fn collect(&mut self, grid: &[u8]) -> Result<usize, Malformed> {
        // Finds the size of the grid and its first line; the grid follows the last title.
        let mut scanner = GridScanner::default();
        let mut body = grid;
        let mut rest = grid;
        while !rest.is_empty() {
            let line = ScannedLine::scan(next_line(&mut rest));
            if matches!(line, ScannedLine::Blank | ScannedLine::Title) {
                scanner = GridScanner::default();
                body = rest;
            }
            scanner.add(line);
        }
        scanner.end();
        let side = scanner.side();
        let Some(size) = scanner.size() else {
            return Err(foreign_symbol(1, first_row(body)).unwrap_or(Malformed::GridWidth { cells: side }));
        };
        check_boxes(size, first_row(body), |part| part.iter().filter(|byte| !is_spacing(**byte)).count())?;

        // Collects the cells.
        self.text.clear();
        let mut row = 0;
        while !body.is_empty() {
            let text = next_line(&mut body);
            let cells = match ScannedLine::scan(text) {
                ScannedLine::Cells { count, .. } => count,
                ScannedLine::Rule { symbol, size } if scanner.is_row(symbol, size) => side,
                _ => continue,
            };
            row += 1;
            if cells != side {
                return Err(foreign_symbol(row, text).unwrap_or(Malformed::RowLength { row, cells, side }));
            }
            self.text.extend(text.iter().filter(|byte| !is_spacing(**byte)));
        }
        if row == side { Ok(side) } else { Err(Malformed::RowCount { rows: row, columns: side }) }
    }
}

/// The first row of a grid.
fn first_row(mut grid: &[u8]) -> &[u8] {
    while !grid.is_empty() {
        let line = next_line(&mut grid);
        if matches!(ScannedLine::scan(line), ScannedLine::Cells { .. }) {
            return line;
        }
    }
    grid
}

/// A symbol that no puzzle contains: bytes of its row are not cells.
fn foreign_symbol(row: usize, line: &[u8]) -> Option<Malformed> {
    let (index, symbol) = cells::foreign_symbol(line.trim_ascii_end())?;
    let column = 1 + line[..index].iter().filter(|byte| !is_spacing(**byte)).count();
    Some(Malformed::ForeignSymbol { position: SymbolPosition::Cell { row, column }, symbol })
}

/// Splits the first line off `text`.
fn next_line<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let (line, rest) = match memchr(b'\n', text) {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (*text, &[][..]),
    };
    *text = rest;
    line
}

/// The grid of a record, and whether the line end of a blank line precedes it.
fn without_blank_line(record: &[u8]) -> (&[u8], bool) {
    record.strip_prefix(b"\n").map_or((record, false), |grid| (grid, true))
}

/// The side of a grid that has only cells and line ends.
fn plain_side(grid: &[u8]) -> Option<usize> {
    let side = Size::ALL.into_iter().map(Size::side).find(|side| side * (side + 1) - 1 == grid.len())?;
    (1..side).all(|row| grid[row * (side + 1) - 1] == b'\n').then_some(side)
}

impl Parser for GridParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let (grid, after_blank_line) = without_blank_line(record);
        // Many grids have only cells and line ends. They need no scanner.
        if let Some(side) = plain_side(grid) {
            self.text.clear();
            grid.chunks(side + 1).for_each(|line| self.text.extend_from_slice(&line[..side]));
            let position = |index| SymbolPosition::of_cell(index, side);
            if let Ok(puzzle) = cells::parse(&self.text, &self.alphabets, puzzles, position) {
                return Ok(ParsedPuzzle { after_blank_line, ..puzzle });
            }
        }
        let side = self.collect(&ascii(grid))?;
        let position = |index| SymbolPosition::of_cell(index, side);
        let puzzle = cells::parse(&self.text, &self.alphabets, puzzles, position)?;
        Ok(ParsedPuzzle { after_blank_line, ..puzzle })
    }

    fn field<'a>(&'a mut self, record: &'a [u8]) -> Option<&'a [u8]> {
        Some(without_blank_line(record).0)
    }
}

//! Puzzles as rows of cells, for drawing them as tables.

use gridmill::Size;
use serde::Serialize;

/// A puzzle, or its solution, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Grid {
    /// The numbers of rows and columns of a box.
    box_rows: usize,
    box_columns: usize,
    rows: Vec<Vec<Cell>>,
}

/// The content of a blank.
const NO_BREAK_SPACE: &str = "\u{a0}";

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Cell {
    /// A space for a blank, so that all rows have the same height.
    symbol: String,
    /// Whether the text about the puzzle names it.
    marked: bool,
    /// Whether it is a clue. In a solution, all other cells are drawn lighter.
    clue: bool,
}

impl Grid {
    /// Parses a puzzle on one line, and marks the cells that the text about it names, such as `r1c2`. `None` if it does
    /// not have the length of a puzzle, or a character is not a symbol.
    pub(crate) fn parse(puzzle: &str, words: &str) -> Option<Grid> {
        let symbols: Vec<char> = puzzle.chars().collect();
        let size = Size::from_cells(symbols.len())?;
        let is_symbol = |c: &char| c.is_ascii_alphanumeric() || ".-_*".contains(*c);
        if !symbols.iter().all(is_symbol) {
            return None;
        }
        // In a large grid, 0 may be a value, unless there are no other blanks.
        let zero_is_blank = size <= Size::Nine || !puzzle.contains(['.', '-', '_', '*']);
        let is_blank =
            |c: char| ".-_*".contains(c) || c == '0' && zero_is_blank || "xX".contains(c) && size <= Size::Nine;
        let side = size.side();
        let named = cells_named(words);
        let cell = |index: usize| {
            let symbol = Some(symbols[index]).filter(|&symbol| !is_blank(symbol));
            Cell {
                symbol: symbol.map_or_else(|| NO_BREAK_SPACE.to_owned(), String::from),
                marked: named.contains(&(index / side + 1, index % side + 1)),
                clue: symbol.is_some(),
            }
        };
        let rows = (0..side).map(|row| (row * side..(row + 1) * side).map(cell).collect()).collect();
        Some(Grid { box_rows: size.box_rows(), box_columns: size.box_columns(), rows })
    }
}

/// The rows and columns of the cells that a text names, from 1.
fn cells_named(words: &str) -> Vec<(usize, usize)> {
    let names = words.split(|c: char| !c.is_ascii_alphanumeric());
    let cell = |name: &str| {
        let (row, column) = name.strip_prefix('r')?.split_once('c')?;
        Some((row.parse().ok()?, column.parse().ok()?))
    };
    names.filter_map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_the_words_name_are_marked() {
        let grid = Grid::parse("11..............", "two 1s in row 1: r1c1, r1c2; r9 is nothing").unwrap();
        assert_eq!((grid.box_rows, grid.box_columns, grid.rows.len(), grid.rows[0].len()), (2, 2, 4, 4));
        let marked: Vec<bool> = grid.rows.iter().flatten().map(|cell| cell.marked).collect();
        assert_eq!(marked.iter().position(|&marked| marked), Some(0));
        assert_eq!(marked.iter().filter(|&&marked| marked).count(), 2);
        assert_eq!((&*grid.rows[0][1].symbol, &*grid.rows[0][2].symbol), ("1", NO_BREAK_SPACE));
    }

    #[test]
    fn other_texts_are_no_puzzles() {
        for text in ["", "1.3", "1.3..........4.<", "rubbish"] {
            assert_eq!(Grid::parse(text, ""), None, "{text}");
        }
    }
}

//! Patterns: the cells that have clues.

use std::str::FromStr;

use thiserror::Error;

use crate::puzzle::{ForEachSize, Size};

/// The cells that have clues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    is_clue: Vec<bool>,
}

/// Why a text is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParsePatternError {
    /// It has a character that stands for nothing.
    #[error("the character {0:?} is neither a clue, as x, *, #, digits and letters, nor a blank, as . 0 and _")]
    UnknownCharacter(char),
    /// It has too few or too many cells for any size.
    #[error("it has {0} cells, but a grid has {sizes}", sizes = ForEachSize(Size::cells))]
    NotAGrid(usize),
}

impl Pattern {
    /// The size of the grid.
    pub fn size(&self) -> Size {
        Size::from_cells(self.is_clue.len()).expect("checked when it was made")
    }

    /// Whether a cell has a clue.
    pub fn is_clue(&self, cell: usize) -> bool {
        self.is_clue[cell]
    }

    /// The cells with clues.
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> {
        self.is_clue.iter().enumerate().filter(|&(_, &is_clue)| is_clue).map(|(cell, _)| cell)
    }

    /// Two rows of a band, or two columns of a stack, that have no clues, counted from 1: a solution stays one when
    /// they change places, so no puzzle with the pattern has a single solution.
    pub(super) fn blank_lines(&self) -> Option<(&'static str, [usize; 2])> {
        let (size, side) = (self.size(), self.size().side());
        let kinds = [("rows", side, 1, size.box_rows()), ("columns", 1, side, size.box_columns())];
        kinds.into_iter().find_map(|(kind, line_step, cell_step, lines_of_band)| {
            let is_blank = |&line: &usize| (0..side).all(|i| !self.is_clue[line * line_step + i * cell_step]);
            (0..side).step_by(lines_of_band).find_map(|band| {
                let mut blank = (band..band + lines_of_band).filter(is_blank);
                Some((kind, [blank.next()? + 1, blank.next()? + 1]))
            })
        })
    }
}

/// Reads a grid of `x`, `X`, `*`, `#`, digits or letters for clues and `.`, `0` or `_` for blanks, so a puzzle is a
/// pattern, too. White space and the lines between boxes, `|`, `-` and `+`, do not matter.
impl FromStr for Pattern {
    type Err = ParsePatternError;

    fn from_str(text: &str) -> Result<Pattern, ParsePatternError> {
        let mut is_clue = Vec::new();
        for character in text.chars() {
            match character {
                '.' | '0' | '_' => is_clue.push(false),
                '*' | '#' | '1'..='9' | 'a'..='z' | 'A'..='Z' => is_clue.push(true),
                '|' | '-' | '+' => {}
                other if other.is_whitespace() => {}
                other => return Err(ParsePatternError::UnknownCharacter(other)),
            }
        }
        Size::from_cells(is_clue.len()).ok_or(ParsePatternError::NotAGrid(is_clue.len()))?;
        Ok(Pattern { is_clue })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read() {
        let boxed = "x.|.#\n3_|0A\n--+--\n..|..\nX.|.*\n";
        let pattern: Pattern = boxed.parse().unwrap();
        assert_eq!(pattern.cells().collect::<Vec<_>>(), [0, 3, 4, 7, 12, 15]);
        assert_eq!("x..".parse::<Pattern>(), Err(ParsePatternError::NotAGrid(3)));
        assert_eq!("x?".parse::<Pattern>(), Err(ParsePatternError::UnknownCharacter('?')));
    }
}

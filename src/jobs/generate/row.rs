//! The row of a generated puzzle.

use crate::format::Alphabet;
use crate::jobs::rated::Rated;
use crate::rows::{Column, Field, Kind, OutputFormat, Row, column, push_cells};

/// A puzzle with its solution.
pub(super) struct PuzzleRow<'a> {
    pub(super) puzzle: &'a [u8],
    pub(super) solution: &'a [u8],
    pub(super) clues: usize,
    /// `None` if it is not rated.
    pub(super) rated: Option<&'a Rated>,
    pub(super) alphabet: &'a Alphabet,
}

impl Row for PuzzleRow<'_> {
    const COLUMNS: &'static [Column] = &[
        column!("puzzle", Kind::Text, "the puzzle in one line"),
        column!("solution", Kind::Text, "its solution in one line"),
        column!("clues", Kind::Number, "the number of clues"),
        Rated::COLUMNS[0],
        Rated::COLUMNS[1],
        Rated::COLUMNS[2],
        Rated::COLUMNS[3],
        Rated::COLUMNS[4],
        Rated::COLUMNS[5],
        Rated::COLUMNS[6],
    ];

    #[expect(clippy::inline_always, reason = "as for all rows")]
    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        match column {
            0 => field.symbols(self.alphabet, self.puzzle, b'.'),
            1 => field.symbols(self.alphabet, self.solution, b'.'),
            2 => field.number(self.clues as u64),
            _ => match self.rated {
                Some(rated) => rated.field(column - 3, field),
                None => field.null(),
            },
        }
    }

    /// The puzzle in a line of its own, or in a row of an array.
    fn text(&self, format: OutputFormat, output: &mut Vec<u8>) {
        if format == OutputFormat::Npy {
            return push_cells(self.puzzle, output);
        }
        self.alphabet.write(self.puzzle, b'.', output);
        output.push(b'\n');
    }
}

//! The row of a generated puzzle.

use crate::format::Alphabet;
use crate::rows::{Column, Field, Kind, OutputFormat, Row, column};

/// A puzzle with its solution.
pub(super) struct PuzzleRow<'a> {
    pub(super) puzzle: &'a [u8],
    pub(super) solution: &'a [u8],
    pub(super) clues: usize,
    pub(super) alphabet: &'a Alphabet,
}

impl Row for PuzzleRow<'_> {
    const COLUMNS: &'static [Column] = &[
        column!("puzzle", Kind::Text, "the puzzle in one line"),
        column!("solution", Kind::Text, "its solution in one line"),
        column!("clues", Kind::Number, "the number of clues"),
    ];

    #[expect(clippy::inline_always, reason = "as for all rows")]
    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        match column {
            0 => field.symbols(self.alphabet, self.puzzle, b'.'),
            1 => field.symbols(self.alphabet, self.solution, b'.'),
            _ => field.number(self.clues as u64),
        }
    }

    /// The puzzle in a line of its own.
    fn text(&self, _format: OutputFormat, output: &mut Vec<u8>) {
        self.alphabet.write(self.puzzle, b'.', output);
        output.push(b'\n');
    }
}

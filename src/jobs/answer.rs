//! The answer beside a puzzle, and what it is worth by the rules, without solving the puzzle.

use super::records::CellParser;
use crate::corpus::RecordContent;
use crate::format::{JsonType, Malformed, ParsedPuzzle};
use crate::puzzle::{Puzzles, Size, rules};

/// The answer beside a puzzle, which is parsed if a worker needs it.
pub(crate) struct GivenAnswer<'a> {
    pub(crate) parser: &'a mut CellParser,
    pub(crate) content: RecordContent<'a>,
}

/// What an answer is worth by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerWorth {
    /// There is no answer.
    Missing,
    /// It is no full grid of the puzzle's size.
    NoGrid,
    /// It changes a clue, or breaks a rule.
    Wrong,
    /// It solves the puzzle: it is the solution if there is only one.
    Solves,
}

impl<'a> GivenAnswer<'a> {
    /// Its text; empty if there is no answer.
    pub(crate) fn text(self) -> &'a [u8] {
        self.parser.field(self.content).unwrap_or_default()
    }

    /// Adds the answer to `puzzles`.
    pub(crate) fn parse(self, puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        self.parser.parse(self.content, puzzles)
    }

    /// Judges the answer to a puzzle, and leaves it in `puzzles`, after removing all others.
    pub(crate) fn judge(self, size: Size, puzzle: &[u8], puzzles: &mut Puzzles) -> AnswerWorth {
        puzzles.clear();
        match self.parse(puzzles) {
            Err(reason) if is_missing(reason) => AnswerWorth::Missing,
            Ok(shape) if shape.size == size && usize::from(shape.clues) == size.cells() => {
                if rules::is_solution(size, puzzle, puzzles.last(size)) {
                    AnswerWorth::Solves
                } else {
                    AnswerWorth::Wrong
                }
            }
            Ok(_) | Err(_) => AnswerWorth::NoGrid,
        }
    }
}

/// Whether a text that is no grid is no text at all.
pub(crate) fn is_missing(reason: Malformed) -> bool {
    matches!(
        reason,
        Malformed::MissingField { .. }
            | Malformed::MissingKey
            | Malformed::WrongJsonType { found: JsonType::Null }
            | Malformed::CellCount { cells: 0 }
    )
}

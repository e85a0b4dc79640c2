//! Scores the answers that a corpus gives with its puzzles.

use strum::{VariantArray, VariantNames};

use crate::engine::solver;
use crate::format::{Alphabet, Malformed, ParsedPuzzle};
use crate::puzzle::{Geometry, Size, rules};
use crate::run::records::{ConflictMessage, is_missing};

use super::finding::Finding;

/// The grade of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(super) enum AnswerScore {
    /// The solution.
    Right,
    /// Another full grid that keeps the clues.
    Wrong,
    /// Not a full grid of the puzzle's size, or with a changed clue; or missing.
    Bad,
}

impl AnswerScore {
    /// The names of all scores, in order.
    pub(super) const NAMES: &[&str] = <AnswerScore as VariantNames>::VARIANTS;

    /// The finding on a record whose answer has this score.
    pub(super) const fn finding(self) -> Option<Finding> {
        match self {
            AnswerScore::Right => None,
            AnswerScore::Wrong => Some(Finding::WrongAnswer),
            AnswerScore::Bad => Some(Finding::BadAnswer),
        }
    }
}

/// Scores the answer to a puzzle, and explains its fault. `given` is the result of parsing the answer, with its
/// `cells`.
///
/// If the puzzle does not have exactly one solution, no answer is right: a missing answer, or one that could be a
/// solution, then gets no score.
pub(super) fn score(
    puzzle: &solver::Answer<'_>,
    alphabet: Alphabet,
    given: Result<ParsedPuzzle, Malformed>,
    cells: &[u8],
) -> Option<(AnswerScore, String)> {
    let size = alphabet.size();
    let geometry = Geometry::of(size);
    let symbol = |digit| char::from(alphabet.symbol(digit));
    let differs = |cell: usize, who: &str, digit| {
        format!("answer: {} is {}, the {who} has {}", geometry.name(cell), symbol(cells[cell]), symbol(digit))
    };
    let unique = puzzle.known_solutions() == Some(1);
    match given {
        Err(reason) if is_missing(reason) => unique.then(|| (AnswerScore::Bad, "answer: missing".to_owned())),
        Err(reason) => Some((AnswerScore::Bad, format!("answer: {reason}"))),
        Ok(shape) if shape.size != size => {
            Some((AnswerScore::Bad, format!("answer: {}, the puzzle is {size}", shape.size)))
        }
        Ok(_) => {
            let changed =
                || (0..cells.len()).find(|&cell| puzzle.puzzle[cell] != 0 && puzzle.puzzle[cell] != cells[cell]);
            if unique && puzzle.grids == cells {
                Some((AnswerScore::Right, String::new()))
            } else if counts_from_zero(size, puzzle.puzzle, cells) {
                Some((AnswerScore::Bad, "answer: its digits count from 0".to_owned()))
            } else if let Some(blank) = cells.iter().position(|&digit| digit == 0) {
                Some((AnswerScore::Bad, format!("answer: {} is blank", geometry.name(blank))))
            } else if let Some(cell) = changed() {
                Some((AnswerScore::Bad, differs(cell, "puzzle", puzzle.puzzle[cell])))
            } else if unique {
                let cell = (0..cells.len()).find(|&cell| cells[cell] != puzzle.grids[cell])?;
                Some((AnswerScore::Wrong, differs(cell, "solution", puzzle.grids[cell])))
            } else {
                let conflict = rules::conflict(size, cells)?;
                Some((AnswerScore::Bad, format!("answer: {}", ConflictMessage(conflict, &alphabet))))
            }
        }
    }
}

/// Whether an answer has the digits from 0: nearly as many zeros as rows, never the largest digit, and few of the clues.
fn counts_from_zero(size: Size, puzzle: &[u8], cells: &[u8]) -> bool {
    let count = |digit: usize| cells.iter().filter(|&&cell| usize::from(cell) == digit).count();
    let clues = puzzle.iter().filter(|&&clue| clue != 0).count();
    let kept = puzzle.iter().zip(cells).filter(|&(&clue, &cell)| clue != 0 && clue == cell).count();

    let zeros = count(0);
    zeros > 0 && zeros <= size.side() + 1 && count(size.side()) == 0 && 2 * kept <= clues
}

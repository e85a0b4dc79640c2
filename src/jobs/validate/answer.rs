//! Judges the answer that a corpus has beside a puzzle.

use crate::engine::solver;
use crate::format::{Alphabet, Malformed, ParsedPuzzle};
use crate::jobs::records::ConflictMessage;
use crate::puzzle::Geometry;
use crate::puzzle::rules;

use super::finding::Finding;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Score {
    /// It is the solution.
    Right,
    /// It is a full grid that keeps the clues, and not the solution.
    Wrong,
    /// It is no full grid of the puzzle's size, or changes a clue, or is missing.
    Bad,
}

impl Score {
    /// The word for it in rows.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Score::Right => "right",
            Score::Wrong => "wrong",
            Score::Bad => "bad",
        }
    }

    /// The score that a row has a word for.
    pub(super) fn named(name: &[u8]) -> Option<Score> {
        [Score::Right, Score::Wrong, Score::Bad].into_iter().find(|score| score.name().as_bytes() == name)
    }

    /// What it says of the record.
    pub(super) const fn finding(self) -> Option<Finding> {
        match self {
            Score::Right => None,
            Score::Wrong => Some(Finding::WrongAnswer),
            Score::Bad => Some(Finding::BadAnswer),
        }
    }
}

/// Judges the answer to a puzzle that was read as `given` with these cells, and says what is wrong with it.
///
/// A puzzle without a single solution has nothing to be right about: then an answer that could be one, or none at all,
/// gets no score.
pub(super) fn judge(
    puzzle: &solver::Answer<'_>,
    alphabet: Alphabet,
    given: Result<ParsedPuzzle, Malformed>,
    cells: &[u8],
) -> Option<(Score, String)> {
    let order = alphabet.order();
    let geometry = Geometry::of(order);
    let symbol = |digit| char::from(alphabet.symbol(digit));
    let differs = |cell: usize, who: &str, digit| {
        format!("answer: {} is {}, the {who} has {}", geometry.name(cell), symbol(cells[cell]), symbol(digit))
    };
    let unique = puzzle.solutions == 1;
    match given {
        Err(Malformed::NoField { .. } | Malformed::Length { cells: 0 }) => {
            unique.then(|| (Score::Bad, "answer: missing".to_owned()))
        }
        Err(reason) => Some((Score::Bad, format!("answer: {reason}"))),
        Ok(shape) if shape.order != order => {
            Some((Score::Bad, format!("answer: {}, the puzzle is {order}", shape.order)))
        }
        Ok(_) => {
            let changed =
                || (0..cells.len()).find(|&cell| puzzle.puzzle[cell] != 0 && puzzle.puzzle[cell] != cells[cell]);
            if unique && puzzle.grids == cells {
                Some((Score::Right, String::new()))
            } else if let Some(blank) = cells.iter().position(|&digit| digit == 0) {
                Some((Score::Bad, format!("answer: {} is blank", geometry.name(blank))))
            } else if let Some(cell) = changed() {
                Some((Score::Bad, differs(cell, "puzzle", puzzle.puzzle[cell])))
            } else if unique {
                let cell = (0..cells.len()).find(|&cell| cells[cell] != puzzle.grids[cell])?;
                Some((Score::Wrong, differs(cell, "solution", puzzle.grids[cell])))
            } else {
                let conflict = rules::conflict(order, cells)?;
                Some((Score::Bad, format!("answer: {}", ConflictMessage(conflict, &alphabet))))
            }
        }
    }
}

//! Rates puzzles, or says why they cannot be rated, for all jobs that do so.

use std::fmt::Write;

use super::records::{ConflictMessage, GaveUpMessage};
use crate::engine::solver::Answer;
use crate::format::Alphabet;
use crate::puzzle::{Grid, Pencilmarks, rules};
use crate::rating::{Candidates, Rater, Rating, Step};
use crate::rows::Status;

/// The reason why a puzzle that is too hard for all techniques has no exact rating.
pub(crate) const UNSOLVED: &str = "no technique solves it";

/// The clues or candidates of a 9x9 puzzle.
#[derive(Clone, Copy)]
pub(crate) enum Ratable<'a> {
    Clues(&'a Grid),
    Pencilmarks(&'a Pencilmarks),
}

impl<'a> Ratable<'a> {
    /// Returns the clues or candidates of a puzzle that can be rated: it is 9x9 and has exactly one solution.
    pub(crate) fn to_rate(answer: &Answer<'a>, pencilmarks: Option<&'a Pencilmarks>) -> Option<Ratable<'a>> {
        let given = match pencilmarks {
            Some(puzzle) => Some(Ratable::Pencilmarks(puzzle)),
            // Only 9x9 puzzles have 81 cells.
            None => answer.puzzle.try_into().ok().map(Ratable::Clues),
        };
        given.filter(|_| answer.known_solutions() == Some(1))
    }

    /// Rates the puzzle, and passes each step to `each`, with the candidates before it.
    pub(crate) fn rate(self, rater: &mut Rater, each: impl FnMut(&Candidates, &Step)) -> Rating {
        match self {
            Ratable::Clues(puzzle) => rater.rate(puzzle, each),
            Ratable::Pencilmarks(puzzle) => rater.rate_candidates(Candidates::from(puzzle), each),
        }
    }
}

/// Writes the reason why a puzzle cannot be rated, or `for_unique` if it has a single solution.
pub(crate) fn push_reason(
    answer: &Answer<'_>,
    status: Status,
    alphabet: &Alphabet,
    for_unique: &str,
    detail: &mut String,
) {
    match status {
        Status::Unique => detail.push_str(for_unique),
        Status::Undecided => {
            if let Some(max_branches) = answer.gave_up_after {
                let message = GaveUpMessage { max_branches, found: answer.solutions };
                write!(detail, "{message}").expect("a string takes any text");
            }
        }
        Status::Multiple | Status::None | Status::Malformed => {
            if let Some(conflict) = rules::conflict(alphabet.size(), answer.puzzle) {
                ConflictMessage(conflict, alphabet).push_to(detail);
            }
        }
    }
}

//! What is given of a puzzle that can be rated, and why others cannot, for all jobs that take the steps of a person.

use std::fmt::Write;

use super::records::{ConflictMessage, GaveUpMessage};
use crate::engine::solver::Answer;
use crate::format::Alphabet;
use crate::puzzle::{Grid, Pencilmarks, rules};
use crate::rating::{Candidates, Rater, Rating, Step};
use crate::rows::Status;

/// What is given of a 9x9 puzzle.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    Clues(&'a Grid),
    Pencilmarks(&'a Pencilmarks),
}

impl<'a> Given<'a> {
    /// What is given of a puzzle, if it can be rated: it is 9x9 and has exactly one solution.
    pub(crate) fn to_rate(answer: &Answer<'a>, pencilmarks: Option<&'a Pencilmarks>) -> Option<Given<'a>> {
        let given = match pencilmarks {
            Some(puzzle) => Some(Given::Pencilmarks(puzzle)),
            None => answer.puzzle.try_into().ok().map(Given::Clues),
        };
        given.filter(|_| answer.known_solutions() == Some(1))
    }

    /// Rates the puzzle, and passes each step to `each`, with the candidates before it.
    pub(crate) fn rate(self, rater: &mut Rater, each: impl FnMut(&Candidates, &Step)) -> Rating {
        match self {
            Given::Clues(puzzle) => rater.rate(puzzle, each),
            Given::Pencilmarks(puzzle) => rater.rate_candidates(Candidates::from(puzzle), each),
        }
    }
}

/// Says why a puzzle cannot be rated, or the other reason why there is nothing for one with a single solution.
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

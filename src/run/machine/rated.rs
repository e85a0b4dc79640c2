//! The rating of a puzzle as columns of a row, for all jobs that rate puzzles.

use std::fmt::{Display, Write};

use super::records::{ConflictMessage, GaveUpMessage};
use crate::engine::solver::Answer;
use crate::format::Alphabet;
use crate::puzzle::{Grid, Pencilmarks, rules};
use crate::rating::{Candidates, Difficulty, Level, Rated, Rater, Rating, RatingEnd, Step, StepCounts};
use crate::rows::{Decimal, Field, Kind, NamedCounts, Row, Status, column, row};
use crate::stats::Er;

/// The columns of a rating. They are empty if the puzzle is not rated.
impl Row for Rated {
    row! {
        |self, field|

        column!("er", Kind::Decimal, "the difficulty of the hardest step; >X if it is known to be harder").nullable() =>
            match self.er() {
                Er::Is(er) => field.decimal(decimal(er)),
                Er::Above(bound) => field.above(decimal(bound)),
            };
        column!("ep", Kind::Decimal, "the difficulty of the hardest step up to the first digit").nullable() =>
            push_known(self.rating.ep, field);
        column!("ed", Kind::Decimal, "the difficulty of the first step").nullable() =>
            push_known(self.rating.ed, field);
        column!("level", Kind::Name(Level::NAMES), "easy, medium, hard, very hard, fiendish or extreme").nullable() =>
            push_level(Some(self.er()), field);
        column!("hardest", Kind::Text, "the technique of the first of the hardest steps").nullable() =>
            match self.steps.hardest() {
                Some(technique) => field.text(technique.name()),
                None => field.null(),
            };
        column!("steps", Kind::Number, "the number of steps").nullable() => field.number(self.steps.total());
        column!("techniques", Kind::Counts, "the number of steps by technique").nullable() => field.counts(&self.steps);
    }
}

impl Rated {
    /// The exact ER, or a bound for it.
    pub(crate) fn er(&self) -> Er {
        match self.rating.end {
            RatingEnd::AboveBound => Er::Above(self.rating.er),
            RatingEnd::Solved | RatingEnd::Unsolved | RatingEnd::Interrupted => Er::Is(self.rating.er),
        }
    }
}

/// The reason why a puzzle that is too hard for all techniques has no exact rating.
pub(crate) const UNSOLVED: &str = "no technique solves it";

pub(crate) fn decimal(difficulty: Difficulty) -> Decimal {
    Decimal { units: difficulty.tenths().into(), digits: 1 }
}

/// The level of an ER; an empty field if it is not known.
#[inline(always)]
pub(crate) fn push_level<F: Field>(er: Option<Er>, field: F) {
    field.name_if_known(Level::NAMES, er.and_then(Er::level).map(|level| level as usize));
}

/// A difficulty, or an empty field for 0.
#[inline(always)]
fn push_known<F: Field>(difficulty: Difficulty, field: F) {
    if difficulty == Difficulty::default() { field.null() } else { field.decimal(decimal(difficulty)) }
}

impl NamedCounts for StepCounts {
    fn for_each(&self, each: &mut dyn FnMut(&dyn Display, u64)) {
        for (technique, count) in self.counts() {
            each(technique, *count);
        }
    }
}

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

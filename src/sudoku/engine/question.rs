//! The questions that a [`Solver`](super::solver::Solver) answers, and its answers.

use super::{Cost, Limit};

/// A question about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether there is a solution.
    Any,
    /// The number of solutions, up to a limit of two or more, and the solution if there is only one.
    Count(Limit),
    /// The first solution in lexicographic order, and whether there are more.
    First,
    /// Every solution in lexicographic order, up to a cap.
    All(Limit),
}

impl Question {
    /// The first solution, or their number up to a limit, which is two unless one is given.
    pub fn first_or_count(first: bool, limit: Option<Limit>) -> Question {
        match limit {
            _ if first => Question::First,
            // A count that stops at one solution would call every puzzle unique.
            Some(Limit::FIRST) => Question::First,
            limit => Question::Count(limit.unwrap_or(Limit::UNIQUE)),
        }
    }

    /// The limit for the engine. Solutions are listed only if it counts several.
    pub fn limit(self) -> Limit {
        match self {
            Question::Any => Limit::FIRST,
            Question::Count(limit) => limit.max(Limit::UNIQUE),
            Question::First | Question::All(_) => Limit::UNIQUE,
        }
    }
}

/// The answer to a question about one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The clues of the puzzle. A pencilmark puzzle has no clues.
    pub puzzle: &'a [u8],
    /// The number of solutions that were counted or listed.
    pub solutions: u64,
    /// The maximum number of branches, if a search needed more and gave up: the puzzle is undecided and may have more
    /// solutions.
    pub gave_up_after: Option<u64>,
    /// The cell values of the requested solutions, one solution after another.
    pub grids: &'a [u8],
    /// Whether there are more solutions than were listed.
    pub more: bool,
    /// The cost of the answer.
    pub cost: Cost,
}

impl Answer<'_> {
    /// The number of solutions, unless a search gave up.
    pub fn known_solutions(&self) -> Option<u64> {
        if self.gave_up_after.is_none() { Some(self.solutions) } else { None }
    }
}

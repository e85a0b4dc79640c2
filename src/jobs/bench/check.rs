//! Contenders' answers against each other, before anything is timed.

use std::fmt;

use super::{Contender, ContenderAnswer, ProgramError, PuzzleSet};
use crate::engine::Limit;
use crate::puzzle::Order;
use crate::puzzle::rules;

/// Two contenders that say different things about one puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Disagreement {
    /// The name of the set.
    pub file: String,
    /// The line on which the puzzle starts, from 1.
    pub line: u64,
    /// The puzzle as it was given to them, in one line.
    pub puzzle: String,
    /// The first contender and what it says, then the other.
    pub answers: [(String, String); 2],
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(first, one), (other, two)] = &self.answers;
        writeln!(f, "{first} and {other} disagree on {}:{}", self.file, self.line)?;
        let width = first.chars().count().max(other.chars().count()).max("puzzle".len());
        writeln!(f, "  {:width$}  {}", "puzzle", self.puzzle)?;
        writeln!(f, "  {first:width$}  {one}")?;
        write!(f, "  {other:width$}  {two}")
    }
}

/// Why contenders cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// They disagree.
    #[error(transparent)]
    Disagreement(#[from] Box<Disagreement>),
    /// One of them does not answer.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Sees to it that all contenders agree with the first on every puzzle of a set.
///
/// Counts have to be the same, as far as `limit` goes; of a program that does not count, a solution where there is one
/// will do. Every solution that is given has to be one, and the same one where there is only one.
///
/// # Errors
///
/// At the first disagreement, or if a program does not answer.
pub fn check(set: &PuzzleSet, contenders: &mut [Box<dyn Contender>], limit: Limit) -> Result<(), CheckError> {
    let Some((first, others)) = contenders.split_first_mut() else { return Ok(()) };
    let ours = first.answer(set, limit)?.answers;
    for other in others {
        let theirs = other.answer(set, limit)?.answers;
        for (((order, line, puzzle), one), two) in set.puzzles().zip(&ours).zip(&theirs) {
            if !agree(order, puzzle, one, two, limit) {
                let alphabet = set.alphabet(order);
                return Err(CheckError::Disagreement(Box::new(Disagreement {
                    file: set.name().to_owned(),
                    line,
                    puzzle: alphabet.text(puzzle, b'.'),
                    answers: [(first.label(), one.text(alphabet)), (other.label(), two.text(alphabet))],
                })));
            }
        }
    }
    Ok(())
}

fn agree(order: Order, puzzle: &[u8], one: &ContenderAnswer, two: &ContenderAnswer, limit: Limit) -> bool {
    let counted = |answer: &ContenderAnswer| answer.solutions.map(|count| count.min(limit.get()));
    let counts_agree = match (counted(one), counted(two)) {
        (Some(one), Some(two)) => one == two,
        // Who gives a solution without a count says that there is one at least.
        (Some(count), None) | (None, Some(count)) => count > 0,
        (None, None) => true,
    };
    let is_sound = |answer: &ContenderAnswer| {
        answer.solution.as_ref().is_none_or(|solution| rules::is_solution(order, puzzle, solution))
    };
    let is_unique = limit > Limit::FIRST && [one, two].into_iter().any(|answer| counted(answer) == Some(1));
    let differ = one.solution.as_ref().zip(two.solution.as_ref()).is_some_and(|(one, two)| one != two);
    counts_agree && is_sound(one) && is_sound(two) && !(is_unique && differ)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &[u8] = &[1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2];
    const SOLUTION: &[u8] = &[1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2];

    fn says(solutions: Option<u64>, solution: Option<&[u8]>) -> ContenderAnswer {
        ContenderAnswer { solutions, solution: solution.map(Into::into) }
    }

    #[test]
    fn counts_agree_up_to_the_limit() {
        let agree = |one, two| {
            let [one, two] = [one, two].map(|count| says(count, None));
            agree(Order::Two, PUZZLE, &one, &two, Limit::UNIQUE)
        };
        for (one, two, expected) in [
            (Some(2), Some(288), true),
            (Some(1), Some(2), false),
            (Some(0), Some(0), true),
            (Some(0), Some(1), false),
            (Some(0), None, false),
            (Some(2), None, true),
        ] {
            assert_eq!((agree(one, two), agree(two, one)), (expected, expected), "{one:?} {two:?}");
        }
    }

    #[test]
    fn solutions_have_to_be_solutions() {
        let mut wrong = SOLUTION.to_vec();
        wrong.swap(1, 2);
        let ours = says(Some(1), Some(SOLUTION));
        for (theirs, expected) in [(SOLUTION, true), (&*wrong, false)] {
            assert_eq!(agree(Order::Two, PUZZLE, &ours, &says(None, Some(theirs)), Limit::UNIQUE), expected);
            assert_eq!(agree(Order::Two, PUZZLE, &says(None, Some(theirs)), &ours, Limit::UNIQUE), expected);
        }
        // Also where any of several would do.
        let several = says(Some(2), None);
        assert!(agree(Order::Two, &[0; 16], &several, &says(None, Some(SOLUTION)), Limit::UNIQUE));
        assert!(!agree(Order::Two, &[0; 16], &several, &says(None, Some(&wrong)), Limit::UNIQUE));
    }

    /// Both are solutions of the empty puzzle, so one of several may be either, and a single one may not.
    #[test]
    fn a_unique_solution_is_the_same_for_all() {
        let other: Vec<u8> = SOLUTION.iter().map(|digit| 5 - digit).collect();
        let agree = |count, limit| {
            let (one, two) = (says(Some(count), Some(SOLUTION)), says(Some(count), Some(&other)));
            agree(Order::Two, &[0; 16], &one, &two, limit)
        };
        assert!(agree(2, Limit::UNIQUE) && agree(1, Limit::FIRST));
        assert!(!agree(1, Limit::UNIQUE));
    }
}

//! Checks that all contenders give the same answers.

use std::fmt;

use super::{BenchEvent, Contender, ContenderAnswer, ProgramError, PuzzleSet};
use crate::engine::Limit;
use crate::puzzle::Order;
use crate::puzzle::rules;

/// A puzzle for which two contenders give different answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The name of the set.
    pub file: String,
    /// The line on which the puzzle starts, from 1.
    pub line: u64,
    /// The puzzle, in one line.
    pub puzzle: String,
    /// The first contender and its answer, then the other.
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

/// Contenders disagree with the first one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{total} disagreements on {file}")]
pub struct DisagreementError {
    /// The name of the set.
    pub file: String,
    /// The first disagreements, at most [`DisagreementError::LISTED`].
    pub first: Vec<Disagreement>,
    /// The number of disagreements.
    pub total: usize,
}

impl DisagreementError {
    /// The maximum number that is listed.
    pub const LISTED: usize = 5;
}

/// Why contenders cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Some of them disagree with the first one.
    #[error(transparent)]
    Disagreements(#[from] DisagreementError),
    /// A program failed to answer.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Checks that all contenders agree with the first one on every puzzle of a set.
///
/// Their counts must be the same, up to `limit`. A program that does not count must give a solution if there is one.
/// Every solution must be correct, and the same if the puzzle has only one.
///
/// # Errors
///
/// If there is a disagreement, or if a program fails to answer.
pub(super) fn check(
    set: &PuzzleSet,
    contenders: &mut [Box<dyn Contender>],
    limit: Limit,
    observe: &dyn Fn(BenchEvent<'_>),
) -> Result<(), CheckError> {
    let Some((first, others)) = contenders.split_first_mut() else { return Ok(()) };
    let checking = |contender: &dyn Contender| {
        observe(BenchEvent::Checking { set: set.name(), contender: &contender.label() });
    };
    checking(&**first);
    let ours = first.answer(set, limit)?.answers;

    let mut found = DisagreementError { file: set.name().to_owned(), first: vec![], total: 0 };
    for other in others {
        checking(&**other);
        let theirs = other.answer(set, limit)?.answers;

        for (((order, line, puzzle), one), two) in set.puzzles().zip(&ours).zip(&theirs) {
            if agree(order, puzzle, one, two, limit) {
                continue;
            }

            found.total += 1;
            if found.first.len() < DisagreementError::LISTED {
                let alphabet = set.alphabet(order);
                found.first.push(Disagreement {
                    file: set.name().to_owned(),
                    line,
                    puzzle: alphabet.text(puzzle, b'.'),
                    answers: [(first.label(), one.text(alphabet)), (other.label(), two.text(alphabet))],
                });
            }
        }
    }

    if found.total == 0 { Ok(()) } else { Err(found.into()) }
}

fn agree(order: Order, puzzle: &[u8], one: &ContenderAnswer, two: &ContenderAnswer, limit: Limit) -> bool {
    let counted = |answer: &ContenderAnswer| answer.solutions.map(|count| count.min(limit.get()));
    let found_nothing = |answer: &ContenderAnswer| answer.gave_up && answer.solution.is_none();
    let counts_agree = match (counted(one), counted(two)) {
        (Some(one), Some(two)) => one == two,
        // A solution without a count stands for at least one. A contender that gave up may have none.
        (Some(count), None) => count > 0 || found_nothing(two),
        (None, Some(count)) => count > 0 || found_nothing(one),
        (None, None) => true,
    };

    let is_correct = |answer: &ContenderAnswer| {
        answer.solution.as_ref().is_none_or(|solution| rules::is_solution(order, puzzle, solution))
    };
    let is_unique = limit > Limit::FIRST && [one, two].into_iter().any(|answer| counted(answer) == Some(1));
    let differ = one.solution.as_ref().zip(two.solution.as_ref()).is_some_and(|(one, two)| one != two);
    counts_agree && is_correct(one) && is_correct(two) && !(is_unique && differ)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &[u8] = &[1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2];
    const SOLUTION: &[u8] = &[1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2];

    fn answer(solutions: Option<u64>, solution: Option<&[u8]>) -> ContenderAnswer {
        ContenderAnswer { solutions, gave_up: false, solution: solution.map(Into::into) }
    }

    #[test]
    fn counts_agree_up_to_the_limit() {
        let agree = |one, two| {
            let [one, two] = [one, two].map(|count| answer(count, None));
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
    fn a_contender_that_gave_up_agrees_unless_it_found_a_solution_where_there_is_none() {
        let gave_up = |solution: Option<&[u8]>| ContenderAnswer { gave_up: true, ..answer(None, solution) };
        for (count, found, expected) in
            [(0, None, true), (1, None, true), (0, Some(SOLUTION), false), (2, Some(SOLUTION), true)]
        {
            let (one, two) = (answer(Some(count), None), gave_up(found));
            assert_eq!(agree(Order::Two, PUZZLE, &one, &two, Limit::UNIQUE), expected, "{count}");
            assert_eq!(agree(Order::Two, PUZZLE, &two, &one, Limit::UNIQUE), expected, "{count}");
        }
    }

    #[test]
    fn wrong_solutions_are_disagreements() {
        let mut wrong = SOLUTION.to_vec();
        wrong.swap(1, 2);
        let ours = answer(Some(1), Some(SOLUTION));
        for (theirs, expected) in [(SOLUTION, true), (&*wrong, false)] {
            assert_eq!(agree(Order::Two, PUZZLE, &ours, &answer(None, Some(theirs)), Limit::UNIQUE), expected);
            assert_eq!(agree(Order::Two, PUZZLE, &answer(None, Some(theirs)), &ours, Limit::UNIQUE), expected);
        }
        // A puzzle with several solutions: any of them is correct.
        let several = answer(Some(2), None);
        assert!(agree(Order::Two, &[0; 16], &several, &answer(None, Some(SOLUTION)), Limit::UNIQUE));
        assert!(!agree(Order::Two, &[0; 16], &several, &answer(None, Some(&wrong)), Limit::UNIQUE));
    }

    /// Both grids solve the empty puzzle: they agree if there are several solutions, not if there is only one.
    #[test]
    fn unique_solutions_have_to_be_the_same() {
        let other: Vec<u8> = SOLUTION.iter().map(|digit| 5 - digit).collect();
        let agree = |count, limit| {
            let (one, two) = (answer(Some(count), Some(SOLUTION)), answer(Some(count), Some(&other)));
            agree(Order::Two, &[0; 16], &one, &two, limit)
        };
        assert!(agree(2, Limit::UNIQUE) && agree(1, Limit::FIRST));
        assert!(!agree(1, Limit::UNIQUE));
    }
}

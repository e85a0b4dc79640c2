//! Compares the answer of a solver with the reference's, and says in words how they differ.

use std::fmt;

use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use super::ContenderAnswer;
use crate::engine::Limit;
use crate::format::Alphabet;
use crate::puzzle::Size;
use crate::puzzle::rules;

/// A puzzle for which a solver gives a different answer than the reference, or no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Where the puzzle comes from.
    pub place: Place,
    /// The puzzle, in one line.
    pub puzzle: String,
    /// The reference's answer.
    pub reference: Said,
    /// The solver's answer.
    pub solver: Said,
    /// The difference between the two.
    pub reason: Reason,
    /// The same puzzle with fewer clues, if the two still disagree about it in the same way.
    pub reduced: Option<String>,
}

/// The kind of a puzzle, by its construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum PuzzleKind {
    /// Without clues.
    Empty,
    /// Few clues, which are cells of a grid: many solutions.
    FewClues,
    /// A minimal puzzle without one to three of its clues: several solutions.
    Several,
    /// A minimal puzzle with some more clues: one solution.
    Unique,
    /// One solution, and several without any one of the clues; above 9x9 only as far as short searches can tell.
    Minimal,
    /// A grid without one to five cells.
    NearlyFull,
    /// A grid.
    Full,
    /// A puzzle with one solution after the digit of a clue was changed; no clues clash. Mostly no solution.
    ChangedClue,
    /// Random digits in random cells, without a clash. No solution or several.
    RandomClues,
    /// A puzzle with the same digit twice in a house: no solution.
    Clash,
    /// A grid with the same digit twice in a house.
    FullClash,
}

impl PuzzleKind {
    /// The names of all kinds, in their order.
    pub(super) const NAMES: &[&str] = <PuzzleKind as VariantNames>::VARIANTS;
}

/// Where a puzzle comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file.
    Line {
        /// The name of the file.
        file: String,
        /// The number of the first line of the puzzle.
        line: u64,
    },
    /// It was made from a seed.
    Made {
        /// The seed.
        seed: u64,
        /// The number of the puzzle, from 1.
        number: u64,
        /// Its kind.
        kind: PuzzleKind,
    },
}

/// The answer of a solver, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The name of the solver.
    pub name: String,
    /// The number of solutions, if it gave one.
    pub solutions: Option<u64>,
    /// The solution in one line, if it gave one.
    pub solution: Option<String>,
    /// Whether it gave up.
    pub gave_up: bool,
}

/// The difference between the answer of a solver and the reference's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Their numbers of solutions differ.
    Count,
    /// The solver's solution does not solve the puzzle.
    WrongSolution,
    /// The reference's solution does not solve the puzzle.
    WrongReference,
    /// The solutions differ, though one of the two says that there is only one.
    OtherSolution,
    /// The solver gives no answer; why, in words with its name and the place.
    Failed(String),
}

impl Reason {
    /// Compares the answer of a solver with the reference's; `None` if they agree.
    ///
    /// The counts must be the same, up to `limit`. A solver that does not count must give a solution if there is one.
    /// Every solution must be correct, and the same if the puzzle has only one.
    pub(super) fn to_disagree(
        size: Size,
        puzzle: &[u8],
        reference: &ContenderAnswer,
        answer: &ContenderAnswer,
        limit: Limit,
    ) -> Option<Reason> {
        let counted = |answer: &ContenderAnswer| answer.solutions.map(|count| count.min(limit.get()));
        let found_nothing = |answer: &ContenderAnswer| answer.gave_up && answer.solution.is_none();
        let counts_agree = match (counted(reference), counted(answer)) {
            (Some(one), Some(two)) => one == two,
            // A solution without a count stands for at least one. A contender that gave up may have none.
            (Some(count), None) => count > 0 || found_nothing(answer),
            (None, Some(count)) => count > 0 || found_nothing(reference),
            (None, None) => true,
        };

        let is_wrong = |answer: &ContenderAnswer| {
            answer.solution.as_ref().is_some_and(|solution| !rules::is_solution(size, puzzle, solution))
        };
        let is_unique = limit > Limit::FIRST && [reference, answer].into_iter().any(|one| counted(one) == Some(1));
        let differ = reference.solution.as_ref().zip(answer.solution.as_ref()).is_some_and(|(one, two)| one != two);
        match () {
            () if !counts_agree => Some(Reason::Count),
            () if is_wrong(answer) => Some(Reason::WrongSolution),
            () if is_wrong(reference) => Some(Reason::WrongReference),
            () if is_unique && differ => Some(Reason::OtherSolution),
            () => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Count => "another number of solutions",
            Reason::WrongSolution => "the solution does not solve the puzzle",
            Reason::WrongReference => "the solution of the reference does not solve the puzzle",
            Reason::OtherSolution => "another solution, but there is only one",
            Reason::Failed(why) => why,
        })
    }
}

impl Said {
    /// An answer, with the symbols of an alphabet.
    pub(super) fn new(name: String, answer: &ContenderAnswer, alphabet: Alphabet) -> Said {
        Said {
            name,
            solutions: answer.solutions,
            solution: answer.solution.as_ref().map(|cells| alphabet.text(cells, b'.')),
            gave_up: answer.gave_up,
        }
    }

    /// A solver that gave no answer.
    pub(super) fn nothing(name: String) -> Said {
        Said { name, solutions: None, solution: None, gave_up: false }
    }
}

/// `1 solution: 1234...`
impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.solutions {
            _ if self.gave_up => write!(f, "gave up")?,
            Some(1) => write!(f, "1 solution")?,
            Some(count) => write!(f, "{count} solutions")?,
            None => write!(f, "a solution")?,
        }
        self.solution.as_ref().map_or(Ok(()), |solution| write!(f, ": {solution}"))
    }
}

/// `easy.txt:12`, or `puzzle 12 of seed 7 (empty)`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line { file, line } => write!(f, "{file}:{line}"),
            Place::Made { seed, number, kind } => write!(f, "puzzle {number} of seed {seed} ({kind})"),
        }
    }
}

/// Some lines, without a line end after the last.
impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { place, puzzle, reference, solver, reason, reduced } = self;
        let width = [&reference.name, &solver.name].map(|name| name.chars().count()).into_iter().fold(7, usize::max);
        match reason {
            Reason::Failed(why) => writeln!(f, "{why}")?,
            _ => writeln!(f, "{} and {} disagree on {place}", reference.name, solver.name)?,
        }
        write!(f, "  {:width$}  {puzzle}", "puzzle")?;
        if !matches!(reason, Reason::Failed(_)) {
            write!(f, "\n  {:width$}  {reference}", reference.name)?;
            write!(f, "\n  {:width$}  {solver}", solver.name)?;
        }
        reduced.as_ref().map_or(Ok(()), |reduced| write!(f, "\n  {:width$}  {reduced}", "reduced"))
    }
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
            Reason::to_disagree(Size::Four, PUZZLE, &one, &two, Limit::UNIQUE).is_none()
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
            for (reference, answer) in [(&one, &two), (&two, &one)] {
                let reason = Reason::to_disagree(Size::Four, PUZZLE, reference, answer, Limit::UNIQUE);
                assert_eq!(reason, (!expected).then_some(Reason::Count), "{count}");
            }
        }
    }

    #[test]
    fn wrong_solutions_are_disagreements() {
        let mut wrong = SOLUTION.to_vec();
        wrong.swap(1, 2);
        let ours = answer(Some(1), Some(SOLUTION));
        let reason = |puzzle: &[u8], reference: &ContenderAnswer, answer: &ContenderAnswer| {
            Reason::to_disagree(Size::Four, puzzle, reference, answer, Limit::UNIQUE)
        };
        for (theirs, is_wrong) in [(SOLUTION, false), (&*wrong, true)] {
            let theirs = answer(None, Some(theirs));
            assert_eq!(reason(PUZZLE, &ours, &theirs), is_wrong.then_some(Reason::WrongSolution));
            assert_eq!(reason(PUZZLE, &theirs, &ours), is_wrong.then_some(Reason::WrongReference));
        }
        // A puzzle with several solutions: any of them is correct.
        let several = answer(Some(2), None);
        assert_eq!(reason(&[0; 16], &several, &answer(None, Some(SOLUTION))), None);
        assert_eq!(reason(&[0; 16], &several, &answer(None, Some(&wrong))), Some(Reason::WrongSolution));
    }

    /// Both grids solve the empty puzzle: they agree if there are several solutions, not if there is only one.
    #[test]
    fn unique_solutions_have_to_be_the_same() {
        let other: Vec<u8> = SOLUTION.iter().map(|digit| 5 - digit).collect();
        let reason = |count, limit| {
            let (one, two) = (answer(Some(count), Some(SOLUTION)), answer(Some(count), Some(&other)));
            Reason::to_disagree(Size::Four, &[0; 16], &one, &two, limit)
        };
        assert_eq!((reason(2, Limit::UNIQUE), reason(1, Limit::FIRST)), (None, None));
        assert_eq!(reason(1, Limit::UNIQUE), Some(Reason::OtherSolution));
    }
}

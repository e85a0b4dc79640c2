//! Checks that all solvers give the same answers as the reference, on all of a set or, if a solver would take too long,
//! on a random sample.
//!
//! A set is checked in parts of a random order, each with three times as many puzzles as all before it. So the speed of
//! every solver is known before a part would take it too long.

use std::time::{Duration, Instant};

use super::disagreements::Disagreements;
use super::{BenchEvent, ContenderAnswer, Disagreement, Place, ProgramError, PuzzleSet, Reason, Said, Solvers};
use crate::engine::Limit;
use crate::output::OutputError;

/// Some solvers disagree with the reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{total} disagreements")]
pub struct DisagreementError {
    /// The first disagreements.
    pub first: Vec<Disagreement>,
    /// The number of disagreements.
    pub total: usize,
}

/// The reason why solvers cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Some of them disagree with the reference.
    #[error(transparent)]
    Disagreements(#[from] DisagreementError),
    /// A program failed to answer.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The table of disagreements cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// The seed for the order of samples, fixed so that another run has the same samples.
const SAMPLES: u64 = 1;

/// Compares the answers of all solvers with the reference's. Returns the puzzles for timing each solver: the set, or a
/// random sample if the solver would need more than `budget` for the set. Samples of one set start with the same
/// puzzles.
///
/// # Errors
///
/// If a program fails to answer, or a disagreement cannot be written.
pub(super) fn check(
    set: &PuzzleSet,
    solvers: &mut Solvers,
    limit: Limit,
    budget: Duration,
    found: &mut Disagreements,
    observe: &dyn Fn(BenchEvent<'_>),
) -> Result<Vec<PuzzleSet>, CheckError> {
    let is_limited = !budget.is_zero();
    let order = if is_limited { set.in_random_order(SAMPLES) } else { set.puzzles().collect() };
    let mut paces = vec![Pace::default(); solvers.len()];
    let mut start = 0;
    while paces.iter().any(|pace| pace.puzzles == start && start < set.len()) {
        let size = if is_limited { (3 * start).max(1) } else { set.len() };
        let part = set.with_puzzles(order[start..set.len().min(start + size)].iter().copied());
        let mut answers = Vec::with_capacity(solvers.len());
        for (contender, pace) in solvers.all.iter_mut().zip(&mut paces) {
            let puzzles = if is_limited { pace.next_part(start, part.len(), budget) } else { part.len() };
            if puzzles == 0 {
                answers.push(vec![]);
                continue;
            }

            let (part, label) = (part.part(0..puzzles), contender.label());
            observe(BenchEvent::Checking { set: set.name(), contender: &label, start, end: start + puzzles });
            let start_up = if is_limited { contender.start_up(&part) } else { None };
            let clock = Instant::now();
            answers.push(contender.answer(&part, limit)?.answers);
            pace.time += clock.elapsed().saturating_sub(start_up.map_or(Duration::ZERO, |start| start.wall));
            pace.puzzles += puzzles;
        }

        for disagreement in disagreements(&part, solvers, &answers, limit) {
            found.add(disagreement)?;
        }
        start += part.len();
    }

    let sample = |(label, pace): (String, &Pace)| {
        if pace.puzzles == set.len() {
            return set.clone();
        }
        let (contender, timed) = (&*label, pace.puzzles);
        observe(BenchEvent::Limited { set: set.name(), contender, timed, puzzles: set.len() });
        set.with_puzzles(order[..timed].iter().copied())
    };
    Ok(solvers.labels().into_iter().zip(&paces).map(sample).collect())
}

/// Compares answers with the reference's, puzzle by puzzle. If the reference has no answer, the first solver with an
/// answer takes its place.
fn disagreements(
    set: &PuzzleSet,
    solvers: &Solvers,
    answers: &[Vec<ContenderAnswer>],
    limit: Limit,
) -> Vec<Disagreement> {
    let mut found = vec![];
    for (index, (size, line, puzzle)) in set.puzzles().enumerate() {
        let given = |solver: usize| Some((solver, answers[solver].get(index)?));
        let mut all = std::iter::once(solvers.reference).chain(0..answers.len()).filter_map(given);
        let Some((reference, expected)) = all.next() else { continue };
        for (solver, answer) in all.filter(|&(solver, _)| solver != reference) {
            let Some(reason) = Reason::to_disagree(size, puzzle, expected, answer, limit) else { continue };
            let alphabet = set.alphabet(size);
            found.push(Disagreement {
                place: Place::Line { file: set.name().to_owned(), line },
                puzzle: alphabet.text(puzzle, b'.'),
                reference: Said::new(solvers.all[reference].label(), expected, alphabet),
                solver: Said::new(solvers.all[solver].label(), answer, alphabet),
                reason,
                reduced: None,
            });
        }
    }
    found
}

/// The speed of a solver on the parts so far.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// The number of puzzles answered so far.
    puzzles: usize,
    /// The time for them.
    time: Duration,
}

impl Pace {
    /// The number of puzzles that it should answer in a part of `puzzles` that begins at `start`: all, as many as
    /// before, or none, depending on the rest of the budget. A solver that has left out some puzzles answers no more.
    fn next_part(&self, start: usize, puzzles: usize, budget: Duration) -> usize {
        if start == 0 {
            return puzzles;
        }
        let has_time = |&more: &usize| self.time.mul_f64((self.puzzles + more) as f64 / self.puzzles as f64) <= budget;
        let sizes = [puzzles, self.puzzles.min(puzzles)];
        sizes.into_iter().find(has_time).filter(|_| self.puzzles == start).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_answers_growing_parts_until_it_would_take_too_long() {
        for (budget, puzzles, millis, expected) in
            [(2000, 100, 20, 100), (2000, 100, 21, 64), (2000, 1000, 100, 16), (2000, 1000, 50, 32), (2000, 9, 5000, 1)]
        {
            let (mut pace, mut start) = (Pace::default(), 0);
            while start < puzzles {
                let part = (3 * start).max(1).min(puzzles - start);
                pace.puzzles += pace.next_part(start, part, Duration::from_millis(budget));
                pace.time = Duration::from_millis(millis) * pace.puzzles as u32;
                start += part;
            }
            assert_eq!(pace.puzzles, expected, "{budget} {puzzles} {millis}");
        }
    }
}

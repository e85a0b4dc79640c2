//! Checks that all solvers give the same answers as the reference.

use std::time::{Duration, Instant};

use super::disagreements::Disagreements;
use super::pace::Pace;
use super::{BenchEvent, ContenderAnswer, Disagreement, Place, ProgramError, PuzzleSet, Reason, Said, Solvers};
use crate::engine::Limit;
use crate::resume::OutputError;

/// Solvers disagree with the reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{total} disagreements")]
pub struct DisagreementError {
    /// The first disagreements.
    pub first: Vec<Disagreement>,
    /// The number of disagreements.
    pub total: usize,
}

/// Why solvers cannot be compared.
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

/// Compares the answers of all solvers with those of the reference, on every puzzle of a set. If a solver would take
/// longer than `budget` for all of them, only the first ones are compared, and the part to be timed is returned.
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
) -> Result<Option<PuzzleSet>, CheckError> {
    let mut pace = Pace::new(budget, solvers.len(), set.len());
    while let Some(range) = pace.next_part() {
        let (start, end) = (range.start, range.end);
        let part = set.part(range);
        let mut answers = Vec::with_capacity(solvers.len());
        for (index, contender) in solvers.all.iter_mut().enumerate() {
            observe(BenchEvent::Checking { set: set.name(), contender: &contender.label(), start, end });
            let start_up = if pace.is_limited() { contender.start_up(&part) } else { None };
            let clock = Instant::now();
            answers.push(contender.answer(&part, limit)?.answers);
            pace.record(index, clock.elapsed().saturating_sub(start_up.map_or(Duration::ZERO, |start| start.wall)));
        }

        for disagreement in disagreements(&part, solvers, &answers, limit) {
            found.add(disagreement)?;
        }
        pace.end_part();
    }

    let Some(too_slow) = pace.too_slow() else { return Ok(None) };
    let (contender, timed) = (&*solvers.all[too_slow].label(), pace.timed());
    observe(BenchEvent::Limited { set: set.name(), contender, timed, puzzles: set.len() });
    Ok(Some(set.part(0..timed)))
}

/// Compares answers with those of the reference, puzzle by puzzle.
fn disagreements(
    set: &PuzzleSet,
    solvers: &Solvers,
    answers: &[Vec<ContenderAnswer>],
    limit: Limit,
) -> Vec<Disagreement> {
    let mut found = vec![];
    let reference = solvers.reference;
    for (index, (size, line, puzzle)) in set.puzzles().enumerate() {
        let expected = &answers[reference][index];
        for (number, (solver, answers)) in solvers.all.iter().zip(answers).enumerate() {
            if number == reference {
                continue;
            }
            let Some(reason) = Reason::to_disagree(size, puzzle, expected, &answers[index], limit) else { continue };
            let alphabet = set.alphabet(size);
            found.push(Disagreement {
                place: Place::Line { file: set.name().to_owned(), line },
                puzzle: alphabet.text(puzzle, b'.'),
                reference: Said::new(solvers.all[reference].label(), expected, alphabet),
                solver: Said::new(solver.label(), &answers[index], alphabet),
                reason,
                reduced: None,
            });
        }
    }
    found
}

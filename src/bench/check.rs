//! Checks that all solvers give the same answers as the reference, on as much of a set as the slowest of them has time for:
//! all of it, unless a solver would take too long.
//!
//! A set is checked in parts, each with three times as many puzzles as all before it. So it is known how fast every
//! solver is before it gets a part that would take it too long.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::disagreements::Disagreements;
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

/// Compares the answers of all solvers with the reference's, on every puzzle of a set. If a solver would take
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

/// Compares answers with the reference's, puzzle by puzzle.
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

/// A part that is timed takes the slowest solver at most this share of its time, because it is solved several times.
const RUNS: u32 = 5;

/// The parts of a set that are checked.
#[derive(Debug)]
struct Pace {
    /// How long each solver may take for all parts; zero for as long as it takes.
    budget: Duration,
    /// The number of puzzles in the set.
    puzzles: usize,
    solvers: Vec<SolverPace>,
    /// The ends of the parts so far, with the time that the slowest solver took up to there.
    ends: Vec<(usize, Duration)>,
}

/// The time of a solver so far.
#[derive(Clone, Copy, Debug, Default)]
struct SolverPace {
    total: Duration,
    last_part: Duration,
}

impl Pace {
    fn new(budget: Duration, solvers: usize, puzzles: usize) -> Pace {
        Pace { budget, puzzles, solvers: vec![SolverPace::default(); solvers], ends: vec![] }
    }

    /// Whether solvers may take only so long.
    fn is_limited(&self) -> bool {
        !self.budget.is_zero()
    }

    /// The positions of the puzzles of the next part; `None` at the end of the set, or if a solver would take too long.
    fn next_part(&self) -> Option<Range<usize>> {
        let done = self.done();
        let is_over = done == self.puzzles || self.too_slow().is_some();
        (!is_over).then(|| done..done + self.next_size())
    }

    /// Takes the time of a solver for the part.
    fn record(&mut self, solver: usize, time: Duration) {
        let pace = &mut self.solvers[solver];
        *pace = SolverPace { total: pace.total + time, last_part: time };
    }

    /// Ends the part, once all solvers have answered it.
    fn end_part(&mut self) {
        let slowest = self.solvers.iter().map(|solver| solver.total).max().unwrap_or_default();
        self.ends.push((self.done() + self.next_size(), slowest));
    }

    /// The first solver that would take too long for the next part.
    fn too_slow(&self) -> Option<usize> {
        let [.., (done, _)] = self.ends[..] else { return None };
        let before = self.ends.len().checked_sub(2).map_or(0, |index| self.ends[index].0);
        let growth = self.next_size() as f64 / (done - before) as f64;
        let is_too_slow =
            |solver: &SolverPace| solver.total + solver.last_part.mul_f64(growth) > self.budget && done < self.puzzles;
        self.solvers.iter().position(|solver| self.is_limited() && is_too_slow(solver))
    }

    /// How many puzzles are timed if a solver is too slow for all of them.
    fn timed(&self) -> usize {
        let fits = |&&(_, slowest): &&(usize, Duration)| slowest <= self.budget / RUNS;
        self.ends.iter().rfind(fits).or(self.ends.first()).map_or(0, |&(end, _)| end)
    }

    /// How many puzzles were checked.
    fn done(&self) -> usize {
        self.ends.last().map_or(0, |&(end, _)| end)
    }

    fn next_size(&self) -> usize {
        let size = if self.is_limited() { (3 * self.done()).max(1) } else { self.puzzles };
        size.min(self.puzzles - self.done())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a set for solvers that take so many milliseconds for a puzzle.
    fn paced(budget: u64, puzzles: usize, millis: &[u64]) -> (Vec<usize>, Pace) {
        let mut pace = Pace::new(Duration::from_millis(budget), millis.len(), puzzles);
        let mut ends = vec![];
        while let Some(part) = pace.next_part() {
            for (solver, millis) in millis.iter().enumerate() {
                pace.record(solver, Duration::from_millis(millis * part.len() as u64));
            }
            ends.push(part.end);
            pace.end_part();
        }
        (ends, pace)
    }

    #[test]
    fn a_set_is_checked_in_growing_parts_until_a_solver_would_take_too_long() {
        for (budget, puzzles, millis, ends, too_slow, timed) in [
            (2000, 100, &[1, 20][..], &[1, 4, 16, 64, 100][..], None, 16),
            (2000, 100, &[1, 21], &[1, 4, 16, 64], Some(1), 16),
            (2000, 1000, &[100, 1], &[1, 4, 16], Some(0), 4),
            (2000, 1000, &[5000, 1], &[1], Some(0), 1),
            (0, 1000, &[5000], &[1000], None, 1000),
            (2000, 1, &[5000], &[1], None, 1),
        ] {
            let (parts, pace) = paced(budget, puzzles, millis);
            assert_eq!((&*parts, pace.too_slow(), pace.timed()), (ends, too_slow, timed), "{budget} {puzzles}");
        }
    }
}

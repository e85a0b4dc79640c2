//! Checks that all solvers give the same answers as the reference, on all of a set or, if a solver would take too long,
//! on a random sample.
//!
//! A set is checked in parts of a random order, each with three times as many puzzles as all before it. So the speed of
//! every solver is known before a part would take it too long.

use std::time::Duration;

use super::disagreements::Disagreements;
use super::measure::KNOWN_FROM;
use super::set::BLOCKS;
use super::{
    BenchEvent, ContenderAnswer, Disagreement, Place, ProgramError, PuzzleSet, Reason, Said, SetAnswers, Solvers,
};
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

/// A sample takes its solver no longer than the budget, but up to this number of budgets if the speed would be unknown
/// with fewer puzzles.
const BUDGETS_TO_KNOW: u32 = 10;

/// A machine may stand still for this time without an effect on the number of puzzles.
const STALL: Duration = Duration::from_secs(1);

/// The puzzles that the solvers are to get of a set.
pub(super) struct SetSizes<'a> {
    /// The number for each solver, if it is given.
    pub(super) given: &'a [Option<usize>],
    /// Two solvers that have to get the same puzzles.
    pub(super) same: Option<[usize; 2]>,
    /// The CPU time that a solver may take for its puzzles, unless their number is given; zero is no bound.
    pub(super) budget: Duration,
}

/// Compares the answers of all solvers with the reference's. Returns the puzzles for timing each solver: the set, or a
/// random sample if it would take too long. Samples of one set start with the same puzzles.
///
/// # Errors
///
/// If a program fails to answer, or a disagreement cannot be written.
pub(super) fn check(
    set: &PuzzleSet,
    solvers: &mut Solvers,
    limit: Limit,
    sizes: &SetSizes<'_>,
    found: &mut Disagreements,
    observe: &dyn Fn(BenchEvent<'_>),
) -> Result<Vec<PuzzleSet>, CheckError> {
    let is_limited = !sizes.budget.is_zero() || sizes.given.iter().any(Option::is_some);
    let order = if is_limited { set.in_random_order(SAMPLES) } else { set.puzzles().collect() };
    let mut paces = vec![Pace::default(); solvers.len()];
    let mut start = 0;
    while paces.iter().any(|pace| pace.puzzles == start && start < set.len()) {
        let size = if is_limited { (3 * start).max(1) } else { set.len() };
        let part = set.with_puzzles(order[start..set.len().min(start + size)].iter().copied());
        let mut answers = Vec::with_capacity(solvers.len());
        for (solver, (contender, pace)) in solvers.all.iter_mut().zip(&mut paces).enumerate() {
            let most = sizes.given[solver].unwrap_or_else(|| pace.most(sizes.budget));
            // A solver that has left out some puzzles answers no more.
            let puzzles = if pace.puzzles < start { 0 } else { most.saturating_sub(start).min(part.len()) };
            if puzzles == 0 {
                answers.push(vec![]);
                continue;
            }

            let (part, label) = (part.part(0..puzzles), contender.label());
            observe(BenchEvent::Checking { set: set.name(), contender: &label, start, end: start + puzzles });
            if is_limited {
                // Known from now on, so that it is not part of the time.
                contender.start_up(&part);
            }
            let SetAnswers { answers: given, time, .. } = contender.answer(&part, limit)?;
            answers.push(given);
            pace.puzzles += puzzles;
            pace.time += time.used(STALL);
        }

        for disagreement in disagreements(&part, solvers, &answers, limit) {
            found.add(disagreement)?;
        }
        start += part.len();
    }

    let mut timed: Vec<usize> = paces.iter().map(|pace| whole_blocks(pace.puzzles, set.len())).collect();
    if let Some([one, two]) = sizes.same {
        let both = timed[one].min(timed[two]);
        (timed[one], timed[two]) = (both, both);
    }
    let sample = |(solver, label): (usize, String)| {
        let (timed, pace) = (timed[solver], paces[solver]);
        if timed == set.len() {
            return set.clone();
        }
        let is_too_slow = sizes.given[solver].is_none() && timed == whole_blocks(pace.puzzles, set.len());
        let expected = is_too_slow.then(|| pace.time.mul_f64(set.len() as f64 / pace.puzzles as f64));
        observe(BenchEvent::Limited { set: set.name(), contender: &label, timed, puzzles: set.len(), expected });
        set.with_puzzles(order[..timed].iter().copied())
    };
    Ok(solvers.labels().into_iter().enumerate().map(sample).collect())
}

/// A sample has blocks of the same size, unless it is smaller than the number of blocks.
fn whole_blocks(puzzles: usize, all: usize) -> usize {
    if puzzles == all || puzzles < BLOCKS { puzzles } else { puzzles - puzzles % BLOCKS }
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
    /// The most puzzles that the solver should have; a budget of zero is no bound.
    fn most(&self, budget: Duration) -> usize {
        if budget.is_zero() || self.puzzles == 0 {
            return usize::MAX;
        }
        let within = |budget: Duration| (budget.div_duration_f64(self.time) * self.puzzles as f64) as usize;
        within(budget).max(within(budget * BUDGETS_TO_KNOW).min(KNOWN_FROM))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::contender::tests::{FakeContender, fake};
    use crate::bench::set::tests::read;

    /// The numbers of puzzles that solvers get of a file of 1,000, with these CPU times of a puzzle in microseconds.
    fn timed<const N: usize>(
        micros: [u64; N],
        given: [Option<usize>; N],
        same: Option<[usize; 2]>,
        budget: Duration,
    ) -> [usize; N] {
        let set = read(&"1...............\n".repeat(1000)).unwrap();
        let mut solvers = Solvers::new();
        for micros in micros {
            let stall = Duration::from_millis(900);
            solvers = solvers.with(FakeContender { stall, ..fake("a", 2 * micros, &FakeContender::calls()) });
        }
        let (sizes, mut found) = (SetSizes { given: &given, same, budget }, Disagreements::of_files(None));
        let sets = check(&set, &mut solvers, Limit::UNIQUE, &sizes, &mut found, &|_| ()).unwrap();
        sets.iter().map(PuzzleSet::len).collect::<Vec<_>>().try_into().unwrap()
    }

    #[test]
    fn samples_are_as_large_as_cpu_time_allows_or_as_they_are_given() {
        let budget = Duration::from_millis(200);
        // The first part takes each of them almost a second.
        let micros = [10, 200, 250, 1000, 10_000, 50_000];
        assert_eq!(timed(micros, [None; 6], None, budget), [1000, 1000, 800, 200, 100, 40]);
        assert_eq!(timed(micros, [None; 6], None, Duration::ZERO), [1000; 6]);
        assert_eq!(timed([10, 1000], [Some(300), Some(1000)], None, budget), [300, 1000]);
        assert_eq!(timed([10, 1000, 250], [None; 3], Some([0, 1]), budget), [200, 200, 800]);
    }

    #[test]
    fn a_solver_gets_the_puzzles_that_it_solves_within_the_budget() {
        for (puzzles, micros, most) in [(16, 16_000, 2000), (16, 160_000, 200), (16, 640_000, 100), (16, 6_400_000, 50)]
        {
            let pace = Pace { puzzles, time: Duration::from_micros(micros) };
            assert_eq!(pace.most(Duration::from_secs(2)), most);
            assert_eq!(pace.most(Duration::ZERO), usize::MAX);
        }
        assert_eq!([whole_blocks(207, 1000), whole_blocks(207, 207), whole_blocks(7, 1000)], [200, 207, 7]);
    }
}

//! Times contenders on a set: a warm-up for each, then rounds in which each has one run, until the time is used up.
//!
//! Runs alternate (A B A B ...) because the speed of a machine changes with its temperature and its other work. A
//! change affects all contenders alike, and the runs of a round can be compared.

use std::time::{Duration, Instant};

use strum::{Display, IntoStaticStr};

use super::statistics::{self, Estimate, Quartiles};
use super::{BenchEvent, Contender, ContenderAnswer, ProgramError, PuzzleSet, RunTime, SetAnswers};
use crate::engine::{Cost, Limit};
use crate::stats::Percentiles;

/// The smallest number of rounds: quartiles of fewer runs mean little.
const MIN_ROUNDS: usize = 5;

/// The approximate number of rounds, if a pass is short enough.
const TARGET_ROUNDS: u32 = 20;

/// A run of a program is at least so many times as long as its start, unless that is more than ten times as long as the
/// runs of others.
const STARTS_A_RUN: u32 = 5;

/// The times of a contender on a set.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The number of puzzles in the set.
    pub puzzles: usize,
    /// The number of times that each run solves the complete set.
    pub passes: usize,
    /// The time of each run, for all of its passes, in the order of the rounds.
    pub runs: Vec<RunTime>,
    /// Statistics of single puzzles; `None` for a program, which does not report them.
    pub per_puzzle: Option<PerPuzzleStats>,
    /// The results for each puzzle of the set, in order.
    pub each_puzzle: Vec<PuzzleResult>,
    /// The time that a program takes to start, which is not part of the others.
    pub start_up: Option<RunTime>,
}

/// The answer of a solver to a puzzle, and its cost.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleResult {
    /// The number of solutions; `None` if the solver gave none, or gave up.
    pub solutions: Option<u64>,
    /// The cost of the search; `None` for a program, which does not report it.
    pub cost: Option<Cost>,
}

/// Statistics of single puzzles.
#[derive(Clone, Copy, Debug)]
pub struct PerPuzzleStats {
    /// The mean number of branches, of the puzzles whose search was complete.
    pub branches: Option<f64>,
    /// The share of these puzzles that were solved without a branch, 0 to 1.
    pub without_branch: Option<f64>,
    /// The number of puzzles that the engine gave up on.
    pub undecided: usize,
    /// Percentiles of the times, in nanoseconds.
    pub nanos: Percentiles,
}

/// The clock that a time was taken with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Clock {
    /// CPU time of the thread or of the processes of a program, which other work on the machine hardly affects.
    #[strum(serialize = "CPU")]
    Cpu,
    /// Wall time.
    Wall,
}

impl Measurement {
    /// CPU time if all runs have it, else wall time.
    pub fn clock(&self) -> Clock {
        if self.runs.iter().all(|run| run.cpu.is_some()) { Clock::Cpu } else { Clock::Wall }
    }

    /// The time of one pass in seconds, for each round.
    pub fn seconds(&self, clock: Clock) -> Vec<f64> {
        let seconds = |run: &RunTime| match (clock, run.cpu) {
            (Clock::Cpu, Some(cpu)) => cpu.as_secs_f64(),
            _ => run.wall.as_secs_f64(),
        };
        self.runs.iter().map(|run| seconds(run) / self.passes as f64).collect()
    }

    /// Puzzles per second, by a clock.
    pub fn rate(&self, clock: Clock) -> Quartiles {
        let rates = self.seconds(clock).into_iter().map(|seconds| self.puzzles as f64 / seconds);
        Quartiles::new(&rates.collect::<Vec<_>>())
    }
}

/// How many times as fast as `reference` the contender `other` was in the same rounds, by a clock.
pub fn ratio(reference: &Measurement, other: &Measurement, clock: Clock) -> Estimate {
    statistics::ratio(&reference.seconds(clock), &other.seconds(clock))
}

/// Times contenders on a set, each for about as long as `budget` and in at least five runs.
///
/// # Errors
///
/// If a program fails, or answers wrongly.
pub(super) fn measure(
    set: &PuzzleSet,
    contenders: &mut [Box<dyn Contender>],
    limit: Limit,
    budget: Duration,
    observe: &dyn Fn(BenchEvent<'_>),
) -> Result<Vec<Measurement>, ProgramError> {
    let timing = |contender: &dyn Contender, round| {
        observe(BenchEvent::Running { set: set.name(), contender: &contender.label(), round });
    };
    let mut measurements = Vec::with_capacity(contenders.len());
    for contender in &mut *contenders {
        timing(&**contender, 0);
        measurements.push(warm_up(set, &mut **contender, limit, budget / TARGET_ROUNDS)?);
    }

    // All contenders take turns.
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < MIN_ROUNDS || start.elapsed() < budget * contenders.len() as u32 {
        rounds += 1;
        for (contender, measurement) in contenders.iter_mut().zip(&mut measurements) {
            timing(&**contender, rounds);
            measurement.runs.push(contender.time(set, limit, measurement.passes)?);
        }
    }
    Ok(measurements)
}

/// Solves the set twice for the statistics of single puzzles, and once to find the number of passes that take about
/// `run`. The shorter of a puzzle's two times counts, because the other may include an interruption.
fn warm_up(
    set: &PuzzleSet,
    contender: &mut dyn Contender,
    limit: Limit,
    run: Duration,
) -> Result<Measurement, ProgramError> {
    let SetAnswers { answers, mut costs } = contender.answer(set, limit)?;
    let undecided = answers.iter().filter(|answer| answer.gave_up).count();

    if !costs.is_empty() {
        for (cost, again) in costs.iter_mut().zip(contender.answer(set, limit)?.costs) {
            cost.nanos = cost.nanos.min(again.nanos);
        }
    }

    let pass = contender.time(set, limit, 1)?.wall;
    // A run has to be long beside the start that is subtracted from it.
    let start_up = contender.start_up(set);
    let run = start_up.map_or(run, |start| run.max((start.wall * STARTS_A_RUN).min(run * 10)));
    let passes = (run.as_secs_f64() / pass.as_secs_f64().max(1e-9)).ceil().max(1.0) as usize;
    let per_puzzle = (!costs.is_empty()).then(|| PerPuzzleStats::new(&costs, undecided));

    let costs = costs.into_iter().map(Some).chain(std::iter::repeat(None));
    let result = |(answer, cost): (&ContenderAnswer, _)| PuzzleResult { solutions: answer.solutions, cost };
    let each_puzzle = answers.iter().zip(costs).map(result).collect();
    Ok(Measurement { puzzles: set.len(), passes, runs: vec![], per_puzzle, each_puzzle, start_up })
}

impl PerPuzzleStats {
    fn new(costs: &[Cost], undecided: usize) -> PerPuzzleStats {
        let branches: Vec<u64> = costs.iter().filter_map(|cost| cost.branches).collect();
        let mean = |sum: u64| (!branches.is_empty()).then(|| sum as f64 / branches.len() as f64);
        PerPuzzleStats {
            branches: mean(branches.iter().sum()),
            without_branch: mean(branches.iter().filter(|&&branches| branches == 0).count() as u64),
            undecided,
            nanos: Percentiles::from_values(costs.iter().map(|cost| cost.nanos)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::bench::set::tests::read;

    /// Claims to take the same time for each pass.
    struct FakeContender {
        name: &'static str,
        pass: Duration,
        cpu: bool,
        calls: Rc<RefCell<Vec<(&'static str, usize)>>>,
    }

    impl Contender for FakeContender {
        fn name(&self) -> &str {
            self.name
        }

        fn threads(&self) -> Option<usize> {
            Some(1)
        }

        fn answer(&mut self, set: &PuzzleSet, _: Limit) -> Result<SetAnswers, ProgramError> {
            let answers = vec![ContenderAnswer { solutions: Some(1), gave_up: false, solution: None }; set.len()];
            let costs =
                (0..set.len() as u64).map(|n| Cost { branches: Some(n).filter(|&n| n < 3), nanos: 100 * n }).collect();
            Ok(SetAnswers { answers, costs })
        }

        fn time(&mut self, _: &PuzzleSet, _: Limit, passes: usize) -> Result<RunTime, ProgramError> {
            self.calls.borrow_mut().push((self.name, passes));
            let wall = self.pass * passes as u32;
            Ok(RunTime { wall, cpu: self.cpu.then_some(wall / 2) })
        }
    }

    #[test]
    fn contenders_take_turns() {
        let set = read(&"1...............\n".repeat(4)).unwrap();
        let calls: Rc<RefCell<Vec<(&str, usize)>>> = Rc::default();
        let fake = |name, millis, cpu| -> Box<dyn Contender> {
            Box::new(FakeContender { name, pass: Duration::from_millis(millis), cpu, calls: Rc::clone(&calls) })
        };
        let mut contenders = [fake("a", 2, true), fake("b", 1, true), fake("c", 1, false)];
        // A budget of zero leaves the smallest number of rounds.
        let measurements = measure(&set, &mut contenders, Limit::UNIQUE, Duration::ZERO, &|_| ()).unwrap();
        let round = [("a", 1), ("b", 1), ("c", 1)];
        assert_eq!(*calls.borrow(), round.repeat(1 + MIN_ROUNDS));
        let [a, b, c] = &measurements[..] else { panic!("a measurement each") };
        assert_eq!([a, b, c].map(Measurement::clock), [Clock::Cpu, Clock::Cpu, Clock::Wall]);
        assert_eq!([a, b, c].map(|m| m.rate(Clock::Wall).median.round() as u64), [2000, 4000, 4000]);
        assert_eq!(b.rate(Clock::Cpu).median.round() as u64, 8000);
        let twice = Estimate { value: 2.0, uncertainty: 0.0 };
        assert_eq!((ratio(a, b, Clock::Cpu), ratio(a, c, Clock::Wall)), (twice, twice));
        let stats = a.per_puzzle.unwrap();
        assert_eq!((stats.branches, stats.without_branch, stats.nanos.max), (Some(1.0), Some(1.0 / 3.0), 300));

        let warm = warm_up(&set, &mut *contenders[0], Limit::UNIQUE, Duration::from_millis(5)).unwrap();
        assert_eq!(warm.passes, 3);
    }
}

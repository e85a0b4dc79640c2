//! Times contenders on a set, or on samples of it: a warm-up for each, then rounds with one run of each, until the time
//! is over.
//!
//! Runs alternate (A B A B ...) because the speed of a machine changes with its temperature and its other work. A
//! change affects all contenders alike, and the runs of a round can be compared.

use std::time::{Duration, Instant};

use strum::{Display, IntoStaticStr};

use super::statistics::{self, Estimate, Quartiles};
use super::{BenchEvent, Contender, ContenderAnswer, ProgramError, PuzzleSet, RunTime, SetAnswers, Solvers};
use crate::engine::{Cost, Limit};
use crate::stats::Percentiles;

/// The minimum number of rounds: quartiles of fewer runs mean little.
const MIN_ROUNDS: usize = 5;

/// The maximum number of rounds after the time is over, for speeds that are not known yet.
const MAX_ROUNDS: usize = 1000;

/// The approximate number of rounds, if a pass is short enough.
const TARGET_ROUNDS: u32 = 20;

/// A run of a program takes at least this many times as long as its start, but at most ten times as long as a run of
/// another solver.
const STARTS_A_RUN: u32 = 5;

/// The minimum time of a run, for an exact clock.
const MIN_RUN: Duration = Duration::from_millis(4);

/// How much longer than expected a program may take for a puzzle, on a busy machine.
const PATIENCE: Duration = Duration::from_millis(300);

/// The maximum number of passes of a warm-up.
const MAX_WARM_UP: usize = 1 << 16;

/// The minimum for a known speed: a number of puzzles, and the seconds of all runs.
const KNOWN_FROM: (usize, f64) = (30, 0.01);

/// The times of a contender on a set.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The number of puzzles to time it on: all of the set, or a sample.
    pub puzzles: usize,
    /// The number of puzzles in the file.
    pub file_puzzles: usize,
    /// Its runs.
    pub runs: Runs,
    /// The runs of the reference on the same puzzles, if it has more puzzles.
    reference_runs: Option<Runs>,
    /// Its runs on the puzzles of the reference, if that has fewer puzzles.
    shared_runs: Option<Runs>,
    /// Statistics of single puzzles; `None` for a program that does not answer each at once.
    pub per_puzzle: Option<PerPuzzleStats>,
    /// The results for each puzzle of these, in order.
    pub each_puzzle: Vec<PuzzleResult>,
    /// The time that a program takes to start, which the other times do not include.
    pub start_up: Option<RunTime>,
}

/// The runs of a contender: each solves all puzzles, or a block of a sample.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The sets of puzzles that the runs solve in turn.
    blocks: Vec<PuzzleSet>,
    /// The number of puzzles in a block.
    block_puzzles: usize,
    /// The number of passes of each run over its puzzles.
    pub passes: usize,
    /// The time of each run, for all of its passes, in the order of the rounds.
    pub times: Vec<RunTime>,
}

/// The answer of a solver to a puzzle, and its cost.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleResult {
    /// The number of solutions; `None` if the solver gave none, or gave up.
    pub solutions: Option<u64>,
    /// The cost of the search; `None` for a program that does not answer each puzzle at once.
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
    pub nanos: Option<Percentiles>,
}

/// The clock for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Clock {
    /// CPU time of the thread or of the processes of a program, which other work on the machine hardly affects.
    #[strum(serialize = "CPU")]
    Cpu,
    /// Wall time.
    Wall,
}

impl Runs {
    /// Runs that take about `run`, on a set whose puzzles take `seconds` each.
    fn new(set: &PuzzleSet, seconds: f64, run: Duration) -> Runs {
        let mut blocks = set.blocks();
        let block_puzzles = blocks[0].len();
        let passes = (run.as_secs_f64() / seconds.max(1e-9) / block_puzzles as f64).ceil().max(1.0) as usize;
        let mut runs = Runs { blocks: vec![], block_puzzles, passes, times: vec![] };
        // An engine that solves many puzzles at once would be slower on a small block, so each block is repeated.
        if blocks.len() > 1 {
            blocks = blocks.iter().map(|block| block.repeated(passes)).collect();
            let times = blocks[0].len() / block_puzzles;
            runs.passes = passes.div_ceil(times) * times;
        }
        runs.blocks = blocks;
        runs
    }

    /// Whether each run solves another block of a sample.
    fn is_sample(&self) -> bool {
        self.blocks.len() > 1
    }

    /// Does a run.
    fn run(&mut self, contender: &mut dyn Contender, limit: Limit) -> Result<(), ProgramError> {
        let block = &self.blocks[self.times.len() % self.blocks.len()];
        let passes = self.passes * self.block_puzzles / block.len();
        self.times.push(contender.time(block, limit, passes)?);
        Ok(())
    }

    /// The time of one pass in seconds, for each round.
    pub fn seconds(&self, clock: Clock) -> Vec<f64> {
        let seconds = |run: &RunTime| match (clock, run.cpu) {
            (Clock::Cpu, Some(cpu)) => cpu.as_secs_f64(),
            _ => run.wall.as_secs_f64(),
        };
        self.times.iter().map(|run| seconds(run) / self.passes as f64).collect()
    }

    /// Whether there are enough puzzles and time to know the speed.
    fn is_enough(&self, clock: Clock) -> bool {
        let (puzzles, seconds) = KNOWN_FROM;
        // Each block has different puzzles; without blocks, all runs have the same.
        let blocks = if self.is_sample() { self.times.len() } else { 1 };
        self.block_puzzles * blocks >= puzzles && self.all_seconds(clock) >= seconds
    }

    /// The time of all runs in seconds.
    fn all_seconds(&self, clock: Clock) -> f64 {
        self.seconds(clock).iter().sum::<f64>() * self.passes as f64
    }
}

impl Measurement {
    /// CPU time if all runs have it, else wall time.
    pub fn clock(&self) -> Clock {
        let mut runs =
            [Some(&self.runs), self.reference_runs.as_ref(), self.shared_runs.as_ref()].into_iter().flatten();
        let has_cpu = runs.all(|runs| runs.times.iter().all(|run| run.cpu.is_some()));
        if has_cpu { Clock::Cpu } else { Clock::Wall }
    }

    /// Puzzles per second, by a clock; `None` if there were too few puzzles or too little time to know it.
    pub fn rate(&self, clock: Clock) -> Option<Quartiles> {
        let (puzzles, seconds) = (self.runs.block_puzzles as f64, self.runs.seconds(clock));
        let rate = || {
            if self.runs.is_sample() {
                return statistics::rate_of_sample(puzzles, &seconds);
            }
            Quartiles::new(&seconds.iter().map(|seconds| puzzles / seconds).collect::<Vec<_>>())
        };
        self.runs.is_enough(clock).then(rate)
    }
}

/// The speed of `other` relative to `reference` on the same puzzles in the same rounds, by a clock; `None` if there
/// were too few puzzles or too little time to know it.
pub fn ratio(reference: &Measurement, other: &Measurement, clock: Clock) -> Option<Estimate> {
    let runs =
        [other.reference_runs.as_ref().unwrap_or(&reference.runs), other.shared_runs.as_ref().unwrap_or(&other.runs)];
    let [first, second] = runs.map(|runs| runs.seconds(clock));
    let of_pairs = if runs[0].is_sample() { statistics::ratio_of_samples } else { statistics::ratio };
    runs.iter().all(|runs| runs.is_enough(clock)).then(|| of_pairs(&first, &second))
}

/// Times contenders, each on its own set, for about as long as `budget` and in at least five runs, or on a sample with
/// one run for each block. If a contender or the reference has fewer puzzles, both also run on the same ones.
///
/// # Errors
///
/// If a program fails, or answers wrongly.
pub(super) fn measure(
    sets: &[PuzzleSet],
    solvers: &mut Solvers,
    limit: Limit,
    budget: Duration,
    observe: &dyn Fn(BenchEvent<'_>),
) -> Result<Vec<Measurement>, ProgramError> {
    let timing = |contender: &dyn Contender, round| {
        observe(BenchEvent::Running { set: sets[0].name(), contender: &contender.label(), round });
    };
    let (mut measurements, mut new_runs) = (vec![], vec![]);
    for (set, contender) in sets.iter().zip(&mut solvers.all) {
        timing(&**contender, 0);
        let (measurement, new) = warm_up(set, &mut **contender, limit, (budget / TARGET_ROUNDS).max(MIN_RUN))?;
        measurements.push(measurement);
        new_runs.push(new);
    }
    let reference = solvers.reference;
    for (index, measurement) in measurements.iter_mut().enumerate() {
        let (own, of_reference) = (&sets[index], &sets[reference]);
        measurement.reference_runs = (own.len() < of_reference.len()).then(|| new_runs[reference](own));
        measurement.shared_runs = (own.len() > of_reference.len()).then(|| new_runs[index](of_reference));
    }

    // Contenders take turns, because the speed of a machine changes over time.
    let start = Instant::now();
    for round in 1.. {
        let is_short =
            |Measurement { runs, .. }: &Measurement| !runs.is_sample() && runs.all_seconds(Clock::Cpu) < KNOWN_FROM.1;
        let has_time = round <= MIN_ROUNDS
            || start.elapsed() < budget * sets.len() as u32
            || (round <= MAX_ROUNDS && measurements.iter().any(is_short));
        let mut is_over = true;
        for (index, measurement) in measurements.iter_mut().enumerate() {
            let Measurement { runs, reference_runs, shared_runs, .. } = measurement;
            let all = [(index, Some(runs)), (reference, reference_runs.as_mut()), (index, shared_runs.as_mut())];
            for (contender, runs) in all.into_iter().filter_map(|(contender, runs)| Some((contender, runs?))) {
                // A sample has a run for each block.
                if if runs.is_sample() { round <= runs.blocks.len() } else { has_time } {
                    is_over = false;
                    let contender = &mut *solvers.all[contender];
                    timing(contender, round);
                    runs.run(contender, limit)?;
                }
            }
        }
        if is_over {
            break;
        }
    }
    Ok(measurements)
}

/// Solves the set twice for the statistics of single puzzles, and then to find the number of passes that take about
/// `run`. The shorter of a puzzle's two times counts, because the other may include an interruption. Also returns a
/// function that prepares runs of the contender on another set.
fn warm_up(
    set: &PuzzleSet,
    contender: &mut dyn Contender,
    limit: Limit,
    run: Duration,
) -> Result<(Measurement, impl Fn(&PuzzleSet) -> Runs + use<>), ProgramError> {
    let start = Instant::now();
    let SetAnswers { answers, mut costs } = contender.answer(set, limit)?;
    // No puzzle takes longer than all of them did.
    let longest = 2 * start.elapsed() + PATIENCE;
    let undecided = answers.iter().filter(|answer| answer.gave_up).count();

    let again = if costs.is_empty() {
        costs = contender.costs(set, longest);
        contender.costs(set, longest)
    } else {
        contender.answer(set, limit)?.costs
    };
    for (cost, again) in costs.iter_mut().zip(again) {
        cost.nanos = cost.nanos.min(again.nanos);
    }

    let mut passes = 1;
    let wall = loop {
        let wall = contender.time(set, limit, passes)?.wall;
        if wall >= MIN_RUN || passes > MAX_WARM_UP {
            break wall;
        }
        passes *= 4;
    };
    // The start is subtracted from a run, which has to be much longer for that.
    let start_up = contender.start_up(set);
    let run = start_up.map_or(run, |start| run.max((start.wall * STARTS_A_RUN).min(run * 10)));
    let seconds = wall.as_secs_f64() / (passes * set.len()) as f64;
    let new_runs = move |set: &PuzzleSet| Runs::new(set, seconds, run);

    let per_puzzle = (!costs.is_empty()).then(|| PerPuzzleStats::new(&costs, undecided));
    let costs = costs.into_iter().map(Some).chain(std::iter::repeat(None));
    let result = |(answer, cost): (&ContenderAnswer, _)| PuzzleResult { solutions: answer.solutions, cost };
    let measurement = Measurement {
        puzzles: set.len(),
        file_puzzles: set.file_puzzles(),
        runs: new_runs(set),
        reference_runs: None,
        shared_runs: None,
        per_puzzle,
        each_puzzle: answers.iter().zip(costs).map(result).collect(),
        start_up,
    };
    Ok((measurement, new_runs))
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

    /// Claims to take the same time for each pass of 32 puzzles.
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

        fn time(&mut self, set: &PuzzleSet, _: Limit, passes: usize) -> Result<RunTime, ProgramError> {
            self.calls.borrow_mut().push((self.name, passes));
            let wall = self.pass * (passes * set.len()) as u32 / 32;
            Ok(RunTime { wall, cpu: self.cpu.then_some(wall / 2) })
        }
    }

    #[test]
    fn contenders_take_turns() {
        let set = read(&"1...............\n".repeat(32)).unwrap();
        let calls: Rc<RefCell<Vec<(&str, usize)>>> = Rc::default();
        let fake = |name, millis, cpu| FakeContender {
            name,
            pass: Duration::from_millis(millis),
            cpu,
            calls: Rc::clone(&calls),
        };
        let mut solvers = Solvers::new().with(fake("a", 8, true)).with(fake("b", 4, true)).with(fake("c", 4, false));
        // A budget of zero leaves the smallest number of rounds.
        let sets = [0; 3].map(|_| set.clone());
        let measurements = measure(&sets, &mut solvers, Limit::UNIQUE, Duration::ZERO, &|_| ()).unwrap();
        let round = [("a", 1), ("b", 1), ("c", 1)];
        assert_eq!(*calls.borrow(), round.repeat(1 + MIN_ROUNDS));
        let [a, b, c] = &measurements[..] else { panic!("a measurement each") };
        assert_eq!([a, b, c].map(Measurement::clock), [Clock::Cpu, Clock::Cpu, Clock::Wall]);
        let rate = |measurement: &Measurement, clock| measurement.rate(clock).map(|rate| rate.median.round() as u64);
        assert_eq!([a, b, c].map(|m| rate(m, Clock::Wall)), [4000, 8000, 8000].map(Some));
        // Five runs of 2 ms.
        assert_eq!((rate(a, Clock::Cpu), rate(b, Clock::Cpu)), (Some(8000), Some(16_000)));
        let twice = Some(Estimate { value: 2.0, uncertainty: 0.0 });
        assert_eq!((ratio(a, b, Clock::Cpu), ratio(a, c, Clock::Wall)), (twice, twice));
        let stats = a.per_puzzle.unwrap();
        assert_eq!(
            (stats.branches, stats.without_branch, stats.nanos.unwrap().max),
            (Some(1.0), Some(1.0 / 3.0), 3100)
        );

        let warm = warm_up(&set, &mut *solvers.all[0], Limit::UNIQUE, Duration::from_millis(20)).unwrap().0;
        assert_eq!(warm.runs.passes, 3);
    }

    /// The fast one has runs on the blocks of the slow one, as large as an engine likes, and the slow one only one on each.
    #[test]
    fn a_pair_is_timed_on_the_puzzles_that_both_have() {
        let set = read(&"1...............\n".repeat(100)).unwrap();
        let calls: Rc<RefCell<Vec<(&str, usize)>>> = Rc::default();
        let fake = |name, millis| FakeContender {
            name,
            pass: Duration::from_millis(millis),
            cpu: true,
            calls: Rc::clone(&calls),
        };
        let mut solvers = Solvers::new().with(fake("fast", 1)).with(fake("slow", 3200));
        for reference in ["fast", "slow"] {
            solvers = solvers.reference(reference).unwrap();
            let sets = [set.clone(), set.part(0..32)];
            let measurements = measure(&sets, &mut solvers, Limit::UNIQUE, Duration::ZERO, &|_| ()).unwrap();
            let [fast, slow] = &measurements[..] else { panic!("a measurement each") };
            assert_eq!((fast.puzzles, slow.puzzles, slow.file_puzzles), (100, 32, 100));
            assert_eq!((fast.runs.times.len(), slow.runs.times.len(), slow.runs.passes), (MIN_ROUNDS, 16, 1));
            let shared = [&fast.shared_runs, &slow.reference_runs].into_iter().flatten().collect::<Vec<_>>();
            assert!(shared.len() == 1 && shared[0].times.len() == 16, "{reference}");
            let blocks = &shared[0].blocks;
            assert!(blocks.iter().all(|block| block.len() >= 128 && block.len() == 2 * shared[0].passes), "{blocks:?}");
            let pair = if reference == "fast" { [fast, slow] } else { [slow, fast] };
            assert!(slow.rate(Clock::Cpu).is_some() && ratio(pair[0], pair[1], Clock::Cpu).is_some());
        }
    }

    #[test]
    fn a_speed_is_unknown_if_there_are_few_puzzles_or_little_time() {
        let run = |puzzles: usize, nanos: u64| {
            let set = read(&"1...............\n".repeat(puzzles)).unwrap();
            let mut runs = Runs::new(&set, 1.0, Duration::ZERO);
            runs.times = vec![RunTime { wall: Duration::from_nanos(nanos), cpu: None }; 5];
            runs.is_enough(Clock::Wall)
        };
        let milli = 1_000_000;
        assert_eq!([run(30, 2 * milli), run(29, 2 * milli), run(30, 2 * milli - 1)], [true, false, false]);
    }
}

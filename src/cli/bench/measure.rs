//! Times contenders on a set, or on samples of it: a warm-up for each, then rounds with one run of each, until the time
//! is over.
//!
//! Runs alternate (A B A B ...) because the speed of a machine changes with its temperature and its other work. A
//! change affects all contenders alike, and the runs of a round can be compared. A run is a number of passes over all
//! puzzles, or one pass over a block of a sample: a few puzzles that were solved again and again would be learnt by the
//! branch predictor, and solved up to twice as fast.
//!
//! A [`Speed`] is made of the times of blocks: parts of a sample, or some rounds in a row. Rounds are correlated, because
//! the speed of a machine changes slowly; means of several in a row are nearly independent. [`quotient`] divides speeds,
//! and gives the 95 % confidence interval.

use std::time::Duration;

use strum::{Display, IntoStaticStr};

use super::BenchEvent;
use super::contender::{Contender, ContenderAnswer, ProgramError, RunTime, SetAnswers, Solvers};
use super::set::{BLOCKS, PuzzleSet};
use crate::engine::{Cost, Limit};

/// The minimum number of rounds.
const MIN_ROUNDS: usize = 5;

/// The approximate number of rounds, if a pass is short enough.
const TARGET_ROUNDS: u32 = 20;

/// A run of a program takes at least this many times as long as its start, but at most ten times as long as a run of
/// another solver.
const STARTS_A_RUN: u32 = 5;

/// The maximum number of passes of a run.
const MAX_PASSES: f64 = 65_536.0;

/// The minimum time of a run. On a busy machine, a new process is interrupted less often in its first milliseconds: runs of
/// 10 ms were 5 % faster than runs of 800 ms.
const MIN_RUN: Duration = Duration::from_millis(20);

/// How much longer than expected a program may take for a puzzle, on a busy machine.
const PATIENCE: Duration = Duration::from_millis(300);

/// The number of times of each puzzle: the least of them counts, because the clock of a program goes on while another
/// process runs, and caches are cold at first.
const TIMES_OF_A_PUZZLE: usize = 3;

/// With fewer puzzles, a speed is unknown.
pub(super) const KNOWN_FROM: usize = 100;

/// The times of one contender on one set.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The puzzles: a set, or a sample of it.
    pub(crate) set: PuzzleSet,
    /// The name of the contender.
    pub(crate) contender: String,
    /// The number of its threads; `None` for a program.
    pub(crate) threads: Option<usize>,
    /// The number of passes of each run over its puzzles.
    pub(crate) passes: usize,
    /// The time of each run, for all of its passes, in the order of the rounds; of a sample, of the blocks.
    pub(crate) runs: Vec<RunTime>,
    /// The results for each puzzle of the set, in order.
    pub(crate) each_puzzle: Vec<PuzzleResult>,
    /// The time that a program takes to start, which the other times do not include.
    pub(crate) start_up: Option<RunTime>,
}

/// The answer of a solver to a puzzle, and its cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleResult {
    /// The number of solutions; `None` if the solver gave none, or gave up.
    pub(crate) solutions: Option<u64>,
    /// Whether it gave up.
    pub(crate) gave_up: bool,
    /// The cost of the search; `None` for a program that does not answer each puzzle at once.
    pub(crate) cost: Option<Cost>,
}

/// The clock for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Clock {
    /// CPU time of the thread or of the processes of a program, which other work on the machine hardly affects.
    #[strum(serialize = "CPU")]
    Cpu,
    /// Wall time.
    Wall,
}

/// The one clock that all contenders have: CPU time if all runs have it, else wall time.
pub(crate) fn common_clock(timed: &[Timed]) -> Clock {
    let has_cpu = timed.iter().flat_map(|timed| &timed.runs).all(|run| run.cpu.is_some());
    if has_cpu { Clock::Cpu } else { Clock::Wall }
}

impl Clock {
    /// A time by this clock, in seconds.
    pub(super) fn seconds(self, time: RunTime) -> f64 {
        let time = if self == Clock::Cpu { time.cpu.unwrap_or(time.wall) } else { time.wall };
        time.as_secs_f64()
    }
}

impl Timed {
    /// The time of one pass over the set or a block in seconds, for each run.
    pub(crate) fn seconds(&self, clock: Clock) -> Vec<f64> {
        self.runs.iter().map(|&run| clock.seconds(run) / self.passes as f64).collect()
    }
}

/// Times contenders, each on its own set: in whole passes, for about as long as `budget` and in at least five runs, or on
/// a sample with one run for each block.
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
) -> Result<Vec<Timed>, ProgramError> {
    let timing = |contender: &dyn Contender, round| {
        observe(BenchEvent::Running { set: sets[0].name(), contender: &contender.label(), round });
    };
    let run = (budget / TARGET_ROUNDS).max(MIN_RUN);
    let mut all = Vec::with_capacity(sets.len());
    for (set, contender) in sets.iter().zip(&mut solvers.all) {
        timing(&**contender, 0);
        all.push(warm_up(set, &mut **contender, limit, run)?);
    }

    // Contenders take turns, because the speed of a machine changes over time.
    let blocks: Vec<Vec<PuzzleSet>> = sets.iter().map(PuzzleSet::blocks).collect();
    let budget = budget * sets.iter().filter(|set| !set.is_sample()).count() as u32;
    let mut spent = Duration::ZERO;
    for round in 0.. {
        let has_time = round < MIN_ROUNDS || spent < budget;
        let mut is_over = true;
        for (index, (timed, contender)) in all.iter_mut().zip(&mut solvers.all).enumerate() {
            let (blocks, is_sample) = (&blocks[index], timed.set.is_sample());
            if if is_sample { round == blocks.len() } else { !has_time } {
                continue;
            }
            timing(&**contender, round + 1);
            let time = contender.time(&blocks[round % blocks.len()], limit, timed.passes)?;
            timed.runs.push(time);
            is_over = false;
            if !is_sample {
                spent += time.used(Duration::ZERO);
            }
        }
        if is_over {
            break;
        }
    }
    Ok(all)
}

/// Solves the set some times for the statistics of single puzzles, and finds the number of passes that take about `run`.
fn warm_up(set: &PuzzleSet, contender: &mut dyn Contender, limit: Limit, run: Duration) -> Result<Timed, ProgramError> {
    let mut least = contender.answer(set, limit)?;
    if least.costs.is_empty() {
        // No puzzle takes longer than all puzzles did.
        let longest = 2 * least.time.wall + PATIENCE;
        least.costs = contender.costs(set, TIMES_OF_A_PUZZLE, longest);
    } else {
        for _ in 1..TIMES_OF_A_PUZZLE {
            let SetAnswers { costs, time, .. } = contender.answer(set, limit)?;
            for (cost, again) in least.costs.iter_mut().zip(costs) {
                cost.nanos = cost.nanos.min(again.nanos);
            }
            least.time = RunTime { wall: least.time.wall.min(time.wall), cpu: least.time.cpu.min(time.cpu) };
        }
    }

    // The start is subtracted from a run, which has to be much longer for that.
    let start_up = contender.start_up(set);
    let run = start_up.map_or(run, |start| run.max((start.wall * STARTS_A_RUN).min(run * 10)));
    let passes = run.div_duration_f64(least.time.used(Duration::ZERO)).ceil().clamp(1.0, MAX_PASSES);
    let SetAnswers { answers, costs, .. } = least;
    let costs = costs.into_iter().map(Some).chain(std::iter::repeat(None));
    let result = |(answer, cost): (ContenderAnswer, _)| {
        let ContenderAnswer { solutions, gave_up, .. } = answer;
        PuzzleResult { solutions, gave_up, cost }
    };
    Ok(Timed {
        set: set.clone(),
        contender: contender.name().to_owned(),
        threads: contender.threads(),
        passes: if set.is_sample() { 1 } else { passes as usize },
        runs: vec![],
        each_puzzle: answers.into_iter().zip(costs).map(result).collect(),
        start_up,
    })
}

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The value.
    pub(crate) value: f64,
    /// The lower end of the interval.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
}

/// The speed of a solver, as the times of some blocks.
#[derive(Clone, Debug)]
pub(crate) struct Speed {
    /// The number of puzzles in a block.
    puzzles: f64,
    /// The time of each block.
    seconds: Vec<f64>,
    pairing: Pairing,
}

/// Which times belong together: a disturbance of the machine affects all solvers in a round, and a hard puzzle slows all
/// solvers down, in any run. What they have in common cancels in a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairing {
    /// The rounds of a run.
    Rounds {
        /// The number of the run, if several are compared.
        run: u8,
    },
    /// The blocks of the same sample, whose size is its name.
    Sample {
        /// The number of its puzzles.
        puzzles: usize,
    },
}

impl Speed {
    /// The speed of a solver that takes these times for `puzzles` puzzles each; a sample has a time for each of its
    /// blocks.
    ///
    /// # Panics
    ///
    /// If there are fewer than two times.
    pub(crate) fn new(puzzles: f64, seconds: &[f64], pairing: Pairing) -> Speed {
        assert!(seconds.len() > 1, "an interval needs two times");
        let blocks = seconds.len().min(BLOCKS);
        let start = |block: usize| block * seconds.len() / blocks;
        let block = |block| mean(&seconds[start(block)..start(block + 1)]).max(f64::MIN_POSITIVE);
        Speed { puzzles, seconds: (0..blocks).map(block).collect(), pairing }
    }

    fn logarithm(&self) -> f64 {
        (self.puzzles / mean(&self.seconds)).ln()
    }

    /// How much the mean of the logarithm depends on each block: by a jackknife, from the logarithms without one block each.
    fn influences(&self) -> Vec<f64> {
        let sum: f64 = self.seconds.iter().sum();
        let without: Vec<f64> = self.seconds.iter().map(|seconds| -(sum - seconds).ln()).collect();
        let (mean, rest) = (mean(&without), without.len() as f64 - 1.0);
        without.iter().map(|logarithm| rest * (mean - logarithm)).collect()
    }
}

/// The product of the speeds `over` divided by the product of the speeds `under`.
///
/// A jackknife over the blocks, of all paired speeds at once, gives the error, which covers the choice of a sample's
/// puzzles. The times of puzzles differ by orders of magnitude, and then the logarithm is closer to a normal distribution
/// than the quotient.
pub(crate) fn quotient(over: &[&Speed], under: &[&Speed]) -> Estimate {
    let signed = over.iter().map(|speed| (1.0, speed)).chain(under.iter().map(|speed| (-1.0, speed)));
    let (mut logarithm, mut groups) = (0.0, Vec::<(Pairing, Vec<Vec<f64>>)>::new());
    for (sign, speed) in signed {
        logarithm += sign * speed.logarithm();
        let influences: Vec<f64> = speed.influences().into_iter().map(|influence| sign * influence).collect();
        let is_paired = |(pairing, group): &&mut (Pairing, Vec<Vec<f64>>)| {
            *pairing == speed.pairing && group[0].len() == influences.len()
        };
        match groups.iter_mut().find(is_paired) {
            Some((_, group)) => group.push(influences),
            None => groups.push((speed.pairing, vec![influences])),
        }
    }

    let (mut variance, mut blocks) = (0.0, BLOCKS);
    for (pairing, group) in groups {
        let mut sums: Vec<f64> =
            (0..group[0].len()).map(|block| group.iter().map(|speed| speed[block]).sum()).collect();
        // What is not paired has the drift of the machine, so only longer blocks are nearly independent.
        if group.len() == 1 && matches!(pairing, Pairing::Rounds { .. }) && sums.len() == BLOCKS {
            sums = sums.chunks(2).map(mean).collect();
        }
        let count = sums.len() as f64;
        variance += sums.iter().map(|sum| sum * sum).sum::<f64>() / (count * (count - 1.0));
        blocks = blocks.min(sums.len());
    }
    let (value, factor) = (logarithm.exp(), (STUDENT_95[blocks - 2] * variance.sqrt()).exp());
    Estimate { value, low: value / factor, high: value * factor }
}

/// Half the width of the 95 % interval in standard errors, for two to ten blocks: Student's distribution.
const STUDENT_95: [f64; BLOCKS - 1] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::cli::bench::contender::tests::{FakeContender, fake};
    use crate::cli::bench::row::{BenchResult, BenchRow};
    use crate::cli::bench::set::tests::read;

    fn set(puzzles: usize) -> PuzzleSet {
        read(&"1...............\n".repeat(puzzles)).unwrap()
    }

    #[test]
    fn contenders_take_turns_with_whole_passes() {
        let calls = FakeContender::calls();
        let fake = |name, micros, has_cpu| FakeContender { has_cpu, ..fake(name, micros, &calls) };
        let mut solvers =
            Solvers::new().with(fake("a", 400, true)).with(fake("b", 100, true)).with(fake("c", 100, false));
        // A budget of zero leaves the smallest number of rounds.
        let sets = [0; 3].map(|_| set(100));
        let timed = measure(&sets, &mut solvers, Limit::UNIQUE, Duration::ZERO, &|_| ()).unwrap();
        // The shortest runs, of 20 ms: half of the wall time is CPU time.
        let round = [("a", 100, 1), ("b", 100, 4), ("c", 100, 2)];
        assert_eq!(*calls.borrow(), round.repeat(MIN_ROUNDS));
        assert_eq!((common_clock(&timed[..2]), common_clock(&timed)), (Clock::Cpu, Clock::Wall));

        let row = |index: usize, clock| BenchResult::of_set(&timed, 0, clock, 0).swap_remove(index).row;
        let rounded = |value: Option<f64>| value.map(|value| value.round() as u64);
        let rates = [0, 1, 2].map(|index| rounded(row(index, Clock::Wall).puzzles_per_second));
        assert_eq!(rates, [2500, 10_000, 10_000].map(Some));
        let BenchRow { puzzles_per_second, ratio, ratio_high, .. } = row(1, Clock::Cpu);
        assert_eq!([puzzles_per_second, ratio, ratio_high].map(rounded), [20_000, 4, 4].map(Some));
        let BenchRow { branches_per_puzzle, without_branch, max_nanos, .. } = row(0, Clock::Cpu);
        assert_eq!((branches_per_puzzle, without_branch, max_nanos), (Some(1.0), Some(1.0 / 3.0), Some(9900)));

        // A longer time means longer runs.
        calls.borrow_mut().clear();
        measure(&sets, &mut solvers, Limit::UNIQUE, Duration::from_millis(800), &|_| ()).unwrap();
        let round = [("a", 100, 2), ("b", 100, 8), ("c", 100, 4)];
        assert_eq!(*calls.borrow(), round.repeat(20));
    }

    /// The other one has the whole file at the same time.
    #[test]
    fn each_block_of_a_sample_is_solved_once() {
        let calls = FakeContender::calls();
        let mut solvers = Solvers::new().with(fake("fast", 400, &calls)).with(fake("slow", 40_000, &calls));
        let sets = [set(300), set(300).part(0..205)];
        let timed = measure(&sets, &mut solvers, Limit::UNIQUE, Duration::ZERO, &|_| ()).unwrap();
        let of = |name| calls.borrow().iter().copied().filter(|call| call.0 == name).collect::<Vec<_>>();
        assert_eq!(of("fast"), [("fast", 300, 1)].repeat(5));
        assert_eq!(of("slow"), [("slow", 20, 1), ("slow", 21, 1)].repeat(5));
        let row = BenchResult::of_set(&timed, 0, Clock::Cpu, 0).swap_remove(1).row;
        assert_eq!((row.puzzles, row.file_puzzles, row.rounds, row.passes), (205, 300, 10, 1));
        assert!((row.ratio.unwrap() * 100.0 - 1.0).abs() < 1e-9, "{row:?}");
    }

    #[test]
    fn a_speed_is_unknown_if_there_are_few_puzzles() {
        for (puzzles, is_known) in [(99, false), (100, true)] {
            let mut solvers = Solvers::new().with(fake("a", 1, &FakeContender::calls()));
            let timed = measure(&[set(puzzles)], &mut solvers, Limit::UNIQUE, Duration::ZERO, &|_| ()).unwrap();
            let row = BenchResult::of_set(&timed, 0, Clock::Cpu, 0).swap_remove(0).row;
            assert_eq!((row.puzzles_per_second.is_some(), row.ratio.is_some()), (is_known, is_known));
        }
    }

    const ROUNDS: Pairing = Pairing::Rounds { run: 0 };

    fn random() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(11)
    }

    #[test]
    fn common_disturbances_cancel() {
        let speed = |seconds: &[f64], pairing| Speed::new(6.0, seconds, pairing);
        // The machine was five times as slow in the second round.
        let [first, other] = [speed(&[2.0, 10.0, 2.0], ROUNDS), speed(&[1.0, 5.0, 1.0], ROUNDS)];
        let Estimate { value, low, high } = quotient(&[&other], &[&first]);
        assert!([value, low, high].iter().all(|value| (value - 2.0).abs() < 1e-9), "{value} {low} {high}");
        // Not in another run.
        let of_another_run = speed(&[1.0, 5.0, 1.0], Pairing::Rounds { run: 1 });
        let Estimate { value, low, high } = quotient(&[&of_another_run], &[&first]);
        assert!((value - 2.0).abs() < 1e-9 && low < 0.5 && high > 4.0, "{value} {low} {high}");
        // Three blocks of 2, 3 and 4 s; without one each, 7, 6 and 5 s.
        let Estimate { value, low, high } = quotient(&[&speed(&[2.0, 3.0, 4.0], ROUNDS)], &[]);
        let logarithms = [7.0, 6.0, 5.0_f64].map(f64::ln);
        let mean = logarithms.iter().sum::<f64>() / 3.0;
        let error = (logarithms.map(|value| (value - mean).powi(2)).iter().sum::<f64>() * 2.0 / 3.0).sqrt();
        assert!((value - 2.0).abs() < 1e-9 && ((high / value).ln() / error - 4.303).abs() < 1e-6, "{low} {high}");
    }

    /// How many of 400 intervals hold the truth.
    fn held(truth: f64, mut estimate: impl FnMut() -> Estimate) -> usize {
        (0..400).map(|_| estimate()).filter(|estimate| estimate.low <= truth && truth <= estimate.high).count()
    }

    /// Each round is as disturbed as the one before, apart from a third.
    #[test]
    fn intervals_of_correlated_rounds_hold_the_truth() {
        let mut rng = random();
        let mut disturbance = 0.0;
        let mut round = |seconds: f64| {
            disturbance = disturbance * 2.0 / 3.0 + rng.random::<f64>() - 0.5;
            seconds * (1.0 + 0.02 * disturbance)
        };
        let held = held(3.0, || {
            let seconds: Vec<f64> = (0..40).map(|_| round(2.0)).collect();
            quotient(&[&Speed::new(6.0, &seconds, ROUNDS)], &[])
        });
        assert!((360..400).contains(&held), "{held}");
    }

    /// A slow solver takes e^0 to e^8 for a puzzle, the other one nearly the same for each.
    #[test]
    fn intervals_of_samples_cover_the_choice_of_puzzles() {
        let mut rng = random();
        let puzzles: Vec<[f64; 2]> = (0..20_000)
            .map(|_| [1.0 + rng.random::<f64>(), ((0..4).map(|_| rng.random::<f64>()).sum::<f64>() * 2.0).exp()])
            .collect();
        let sum = |puzzles: &[[f64; 2]], solver: usize| puzzles.iter().map(|times| times[solver]).sum::<f64>();
        let truth = sum(&puzzles, 0) / sum(&puzzles, 1);
        let held = held(truth, || {
            let blocks: Vec<Vec<[f64; 2]>> =
                (0..10).map(|_| (0..12).map(|_| puzzles[rng.random_range(0..puzzles.len())]).collect()).collect();
            let speed = |solver| {
                let seconds: Vec<f64> = blocks.iter().map(|block| sum(block, solver)).collect();
                Speed::new(12.0, &seconds, Pairing::Sample { puzzles: 120 })
            };
            quotient(&[&speed(1)], &[&speed(0)])
        });
        assert!((360..400).contains(&held), "{held}");
    }
}

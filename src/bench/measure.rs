//! Times contenders on a set, or on samples of it: a warm-up for each, then rounds with one run of each, until the time
//! is over.
//!
//! Runs alternate (A B A B ...) because the speed of a machine changes with its temperature and its other work. A
//! change affects all contenders alike, and the runs of a round can be compared. A run is a number of passes over all
//! puzzles, or one pass over a block of a sample: a few puzzles that were solved again and again would be learnt by the
//! branch predictor, and solved up to twice as fast.

use std::time::Duration;

use strum::{Display, IntoStaticStr};

use super::{BenchEvent, Contender, ContenderAnswer, ProgramError, PuzzleSet, RunTime, SetAnswers, Solvers};
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
    pub set: PuzzleSet,
    /// The name of the contender.
    pub contender: String,
    /// The number of its threads; `None` for a program.
    pub threads: Option<usize>,
    /// The number of passes of each run over its puzzles.
    pub passes: usize,
    /// The time of each run, for all of its passes, in the order of the rounds; of a sample, of the blocks.
    pub runs: Vec<RunTime>,
    /// The results for each puzzle of the set, in order.
    pub each_puzzle: Vec<PuzzleResult>,
    /// The time that a program takes to start, which the other times do not include.
    pub start_up: Option<RunTime>,
}

/// The answer of a solver to a puzzle, and its cost.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleResult {
    /// The number of solutions; `None` if the solver gave none, or gave up.
    pub solutions: Option<u64>,
    /// Whether it gave up.
    pub gave_up: bool,
    /// The cost of the search; `None` for a program that does not answer each puzzle at once.
    pub cost: Option<Cost>,
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

/// The one clock that all contenders have: CPU time if all runs have it, else wall time.
pub fn common_clock(timed: &[Timed]) -> Clock {
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
    pub fn seconds(&self, clock: Clock) -> Vec<f64> {
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
        // No puzzle takes longer than all of them did.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::BenchRow;
    use crate::bench::contender::tests::{FakeContender, fake};
    use crate::bench::set::tests::read;

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

        let row = |index: usize, clock| BenchRow::of_set(&timed, 0, clock, 0).swap_remove(index);
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
        let row = BenchRow::of_set(&timed, 0, Clock::Cpu, 0).swap_remove(1);
        assert_eq!((row.puzzles, row.file_puzzles, row.rounds, row.passes), (205, 300, 10, 1));
        assert!((row.ratio.unwrap() * 100.0 - 1.0).abs() < 1e-9, "{row:?}");
    }

    #[test]
    fn a_speed_is_unknown_if_there_are_few_puzzles() {
        for (puzzles, is_known) in [(99, false), (100, true)] {
            let mut solvers = Solvers::new().with(fake("a", 1, &FakeContender::calls()));
            let timed = measure(&[set(puzzles)], &mut solvers, Limit::UNIQUE, Duration::ZERO, &|_| ()).unwrap();
            let row = BenchRow::of_set(&timed, 0, Clock::Cpu, 0).swap_remove(0);
            assert_eq!((row.puzzles_per_second.is_some(), row.ratio.is_some()), (is_known, is_known));
        }
    }
}

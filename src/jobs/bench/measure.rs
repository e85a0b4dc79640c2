//! Timing contenders on a set: each is warmed up, then they take turns until the time is over.
//!
//! Turns (A B A B ...) rather than one contender after the other, because machines change their speed as they get warm
//! and as others use them: what happens to one contender happens to all, and the runs of a round can be compared.

use std::time::{Duration, Instant};

use super::statistics::{self, Estimate, Spread};
use super::{Contender, Lap, ProgramError, PuzzleSet};
use crate::engine::{Cost, Limit};
use crate::stats::Percentiles;

/// The fewest rounds: less than this says nothing about the spread.
const FEWEST_ROUNDS: usize = 5;

/// About how many rounds there are, if a pass is short enough.
const ROUNDS: u32 = 20;

/// How a contender did on a set.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// How many puzzles the set has.
    pub puzzles: usize,
    /// How many times a run goes through the set.
    pub passes: usize,
    /// What each run took, all of its passes together, in the order of the rounds.
    pub laps: Vec<Lap>,
    /// What is known of single puzzles; `None` for a program, which does not tell.
    pub observed: Option<Observed>,
}

/// What a contender tells of single puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Observed {
    /// How often the search guessed, on average.
    pub branches: f64,
    /// The share of puzzles that were solved without a guess, 0 to 1.
    pub without_branch: f64,
    /// Times of single puzzles, in nanoseconds.
    pub nanos: Percentiles,
}

/// Whose time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The thread's time on a CPU: others on the machine hardly matter.
    Cpu,
    /// The clock on the wall.
    Wall,
}

impl Clock {
    /// Its name: `CPU` or `wall`.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Cpu => "CPU",
            Clock::Wall => "wall",
        }
    }
}

impl Measurement {
    /// The clock to go by: the CPU's if all work is done by one thread of ours, else the wall's.
    pub fn clock(&self) -> Clock {
        if self.laps.iter().all(|lap| lap.cpu.is_some()) { Clock::Cpu } else { Clock::Wall }
    }

    /// What one pass took, in seconds, in every round.
    pub fn seconds(&self, clock: Clock) -> Vec<f64> {
        let seconds = |lap: &Lap| match (clock, lap.cpu) {
            (Clock::Cpu, Some(cpu)) => cpu.as_secs_f64(),
            _ => lap.wall.as_secs_f64(),
        };
        self.laps.iter().map(|lap| seconds(lap) / self.passes as f64).collect()
    }

    /// Puzzles a second.
    pub fn rate(&self) -> Spread {
        let rates = self.seconds(self.clock()).into_iter().map(|seconds| self.puzzles as f64 / seconds);
        Spread::of(&rates.collect::<Vec<_>>())
    }
}

/// How many times as fast `other` was as `first` in the same rounds, by the CPU's clock where both have it.
pub fn ratio(first: &Measurement, other: &Measurement) -> Estimate {
    let clock = if first.clock() == other.clock() { first.clock() } else { Clock::Wall };
    statistics::ratio(&first.seconds(clock), &other.seconds(clock))
}

/// Times contenders on a set, each for about as long as `budget`, and at least five times each.
///
/// # Errors
///
/// If one of them is a program that does not do what it should.
pub fn measure(
    set: &PuzzleSet,
    contenders: &mut [Box<dyn Contender>],
    limit: Limit,
    budget: Duration,
) -> Result<Vec<Measurement>, ProgramError> {
    let mut measurements = Vec::with_capacity(contenders.len());
    for contender in &mut *contenders {
        measurements.push(warm_up(set, &mut **contender, limit, budget / ROUNDS)?);
    }
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < FEWEST_ROUNDS || start.elapsed() < budget * contenders.len() as u32 {
        for (contender, measurement) in contenders.iter_mut().zip(&mut measurements) {
            measurement.laps.push(contender.time(set, limit, measurement.passes)?);
        }
        rounds += 1;
    }
    Ok(measurements)
}

/// Goes through the set: twice to look at single puzzles, and once to see how many passes make a run long enough for a
/// clock. Of a puzzle's two times the shorter counts, so that few are those of a thread that had to wait.
fn warm_up(
    set: &PuzzleSet,
    contender: &mut dyn Contender,
    limit: Limit,
    run: Duration,
) -> Result<Measurement, ProgramError> {
    let mut costs = contender.answer(set, limit)?.costs;
    if !costs.is_empty() {
        for (cost, again) in costs.iter_mut().zip(contender.answer(set, limit)?.costs) {
            cost.nanos = cost.nanos.min(again.nanos);
        }
    }
    let pass = contender.time(set, limit, 1)?.wall;
    let passes = (run.as_secs_f64() / pass.as_secs_f64().max(1e-9)).ceil().max(1.0) as usize;
    let observed = (!costs.is_empty()).then(|| Observed::of(&costs));
    Ok(Measurement { puzzles: set.len(), passes, laps: vec![], observed })
}

impl Observed {
    fn of(costs: &[Cost]) -> Observed {
        let per_puzzle = |count: u64| count as f64 / costs.len() as f64;
        Observed {
            branches: per_puzzle(costs.iter().map(|cost| cost.branches).sum()),
            without_branch: per_puzzle(costs.iter().filter(|cost| cost.branches == 0).count() as u64),
            nanos: Percentiles::of_values(costs.iter().map(|cost| cost.nanos)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::jobs::bench::set::tests::read;
    use crate::jobs::bench::{Answers, ContenderAnswer};

    /// Takes the same time for each pass, or says so.
    struct Clockwork {
        name: &'static str,
        pass: Duration,
        cpu: bool,
        calls: Rc<RefCell<Vec<(&'static str, usize)>>>,
    }

    impl Contender for Clockwork {
        fn name(&self) -> &str {
            self.name
        }

        fn threads(&self) -> Option<usize> {
            Some(1)
        }

        fn answer(&mut self, set: &PuzzleSet, _: Limit) -> Result<Answers, ProgramError> {
            let answers = vec![ContenderAnswer { solutions: Some(1), solution: None }; set.len()];
            let costs = (0..set.len() as u64).map(|n| Cost { branches: n, nanos: 100 * n }).collect();
            Ok(Answers { answers, costs })
        }

        fn time(&mut self, _: &PuzzleSet, _: Limit, passes: usize) -> Result<Lap, ProgramError> {
            self.calls.borrow_mut().push((self.name, passes));
            let wall = self.pass * passes as u32;
            Ok(Lap { wall, cpu: self.cpu.then_some(wall / 2) })
        }
    }

    #[test]
    fn contenders_take_turns_with_runs_of_a_like_length() {
        let set = read(&"1...............\n".repeat(4)).unwrap();
        let calls: Rc<RefCell<Vec<(&str, usize)>>> = Rc::default();
        let clockwork = |name, millis, cpu| -> Box<dyn Contender> {
            Box::new(Clockwork { name, pass: Duration::from_millis(millis), cpu, calls: Rc::clone(&calls) })
        };
        let mut contenders = [clockwork("a", 2, true), clockwork("b", 1, true), clockwork("c", 1, false)];
        // The clockwork takes no real time, but then a budget of none is used up at once too.
        let measurements = measure(&set, &mut contenders, Limit::UNIQUE, Duration::ZERO).unwrap();
        let round = [("a", 1), ("b", 1), ("c", 1)];
        assert_eq!(*calls.borrow(), round.repeat(1 + FEWEST_ROUNDS));
        let [a, b, c] = &measurements[..] else { panic!("a measurement each") };
        assert_eq!([a, b, c].map(Measurement::clock), [Clock::Cpu, Clock::Cpu, Clock::Wall]);
        assert_eq!([a, b, c].map(|m| m.rate().median.round() as u64), [4000, 8000, 4000]);
        // Like is compared with like: `a` by the wall's clock with `c`.
        assert_eq!([b, c].map(|other| ratio(a, other)), [Estimate { value: 2.0, uncertainty: 0.0 }; 2]);
        let observed = a.observed.unwrap();
        assert_eq!((observed.branches, observed.without_branch, observed.nanos.max), (1.5, 0.25, 300));

        let warm = warm_up(&set, &mut *contenders[0], Limit::UNIQUE, Duration::from_millis(5)).unwrap();
        assert_eq!(warm.passes, 3);
    }
}

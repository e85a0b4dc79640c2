//! The job `Bench`: contenders on puzzle sets, from a check of all answers to a report of all times.

use std::fmt;
use std::time::Duration;

use super::{BenchEvent, CheckError, Clock, Contender, Measurement, ProgramError, PuzzleSet, check, measure};
use crate::engine::Limit;

/// Compares the speed of solvers on puzzle sets, after checking their answers against each other.
///
/// ```
/// use std::time::Duration;
///
/// use gridmill::corpus::Origin;
/// use gridmill::engine::EngineKind;
/// use gridmill::jobs::bench::{EngineContender, PuzzleSet};
/// use gridmill::jobs::Bench;
///
/// let set = PuzzleSet::read(Origin::File("data/4x4.txt".into()), Default::default(), Box::new(|_| ()))?;
/// let mut job = Bench::new()
///     .contender(EngineContender::new(EngineKind::Bitmask, 1)?)
///     .contender(EngineContender::new(EngineKind::Dlx, 1)?)
///     .budget(Duration::from_millis(1));
/// let report = job.run(&[set], &|_| ())?;
/// assert_eq!((report.len(), report[1].contender.as_str()), (2, "dlx"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Bench {
    contenders: Vec<Box<dyn Contender>>,
    limit: Limit,
    budget: Duration,
}

/// The times of one contender on one set.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The name of the set.
    pub set: String,
    /// The name of the contender.
    pub contender: String,
    /// The name of the contender with its number of threads, if there are several: `bitmask on 2 threads`.
    pub label: String,
    /// The number of its threads; `None` for a program.
    pub threads: Option<usize>,
    /// Its times.
    pub measurement: Measurement,
}

/// The one clock that all contenders have: CPU time if each has it, else wall time.
pub fn common_clock(timed: &[Timed]) -> Clock {
    let has_cpu = |timed: &Timed| timed.measurement.clock() == Clock::Cpu;
    if timed.iter().all(has_cpu) { Clock::Cpu } else { Clock::Wall }
}

impl Bench {
    /// Counts solutions up to two, and times each contender for about two seconds on each set.
    pub fn new() -> Bench {
        Bench { contenders: vec![], limit: Limit::UNIQUE, budget: Duration::from_secs(2) }
    }

    /// Adds a contender; the others are compared with the first one.
    #[must_use]
    pub fn contender(mut self, contender: impl Contender + 'static) -> Bench {
        self.contenders.push(Box::new(contender));
        self
    }

    /// Sets how far solutions are counted.
    #[must_use]
    pub fn limit(self, limit: Limit) -> Bench {
        Bench { limit, ..self }
    }

    /// Sets about how long each contender is timed on each set; it has at least five runs.
    #[must_use]
    pub fn budget(self, budget: Duration) -> Bench {
        Bench { budget, ..self }
    }

    /// The number of contenders.
    pub fn contenders(&self) -> usize {
        self.contenders.len()
    }

    /// Checks all answers, then times all contenders on all sets.
    ///
    /// # Errors
    ///
    /// If two contenders disagree, or a program does not answer.
    pub fn run(&mut self, sets: &[PuzzleSet], observe: &dyn Fn(BenchEvent<'_>)) -> Result<Vec<Timed>, CheckError> {
        self.check(sets, observe)?;
        Ok(self.time(sets, observe)?)
    }

    /// Compares the answers of all contenders on every puzzle; an [`BenchEvent::Checking`] is reported for each contender.
    ///
    /// # Errors
    ///
    /// If two contenders disagree, after the first set on which they do, or if a program does not answer.
    pub fn check(&mut self, sets: &[PuzzleSet], observe: &dyn Fn(BenchEvent<'_>)) -> Result<(), CheckError> {
        sets.iter().try_for_each(|set| check(set, &mut self.contenders, self.limit, observe))
    }

    /// Times all contenders on all sets; an [`BenchEvent::Timed`] reports each set.
    ///
    /// # Errors
    ///
    /// If a program does not answer.
    pub fn time(&mut self, sets: &[PuzzleSet], observe: &dyn Fn(BenchEvent<'_>)) -> Result<Vec<Timed>, ProgramError> {
        let mut report = Vec::with_capacity(sets.len() * self.contenders.len());
        for set in sets {
            observe(BenchEvent::Timing { set: set.name(), puzzles: set.len() });
            let measurements = measure(set, &mut self.contenders, self.limit, self.budget)?;

            let timed = self.contenders.iter().zip(measurements).map(|(contender, measurement)| Timed {
                set: set.name().to_owned(),
                contender: contender.name().to_owned(),
                label: contender.label(),
                threads: contender.threads(),
                measurement,
            });

            let start = report.len();
            report.extend(timed);
            observe(BenchEvent::Timed { contenders: &report[start..] });
        }
        Ok(report)
    }
}

impl Default for Bench {
    fn default() -> Bench {
        Bench::new()
    }
}

impl fmt::Debug for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.contenders.iter().map(|contender| contender.name()).collect();
        f.debug_struct("Bench").field("contenders", &names).field("limit", &self.limit).finish_non_exhaustive()
    }
}

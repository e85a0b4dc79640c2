//! The trait of everything that can be benchmarked.

use std::time::Duration;

use super::{ProgramError, PuzzleSet};
use crate::engine::{Cost, Limit};

/// A solver that can be checked and timed on a set of puzzles.
pub trait Contender {
    /// The name of the engine or the plugin, or the command of the program.
    fn name(&self) -> &str;

    /// The number of threads; `None` for a program, which decides itself.
    fn threads(&self) -> Option<usize>;

    /// The name with the number of threads, if there are several: `bitmask on 2 threads`.
    fn label(&self) -> String {
        label(self.name(), self.threads())
    }

    /// Answers every puzzle of a set, in order; counts solutions up to `limit`. Also returns the time that it took.
    ///
    /// # Errors
    ///
    /// If it is a program that fails or whose output cannot be understood.
    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<SetAnswers, ProgramError>;

    /// Solves the complete set `passes` times and returns the total time.
    ///
    /// # Errors
    ///
    /// As [`Contender::answer`].
    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<RunTime, ProgramError>;

    /// The times of single puzzles, in addition to the costs of [`Contender::answer`]: of a program that answers each puzzle
    /// at once, the least of `passes` times. Empty if it does not answer a puzzle within `longest`.
    fn costs(&mut self, _set: &PuzzleSet, _passes: usize, _longest: Duration) -> Vec<Cost> {
        vec![]
    }

    /// The time that a program takes to start and to end, which is not part of its runs; `None` if it has none or does
    /// not run without puzzles. The first call measures it.
    fn start_up(&mut self, _set: &PuzzleSet) -> Option<RunTime> {
        None
    }
}

/// A name with the number of threads, if there are several.
pub(super) fn label(name: &str, threads: Option<usize>) -> String {
    match threads {
        Some(threads) if threads > 1 => format!("{name} on {threads} threads"),
        _ => name.to_owned(),
    }
}

/// The answers of a contender for the puzzles of a set, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetAnswers {
    /// One for each puzzle.
    pub answers: Vec<ContenderAnswer>,
    /// The cost of each puzzle; empty for a program.
    pub costs: Vec<Cost>,
    /// The time for all of them.
    pub time: RunTime,
}

/// The answer of a contender for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContenderAnswer {
    /// The number of solutions; `None` if it only gave one, or gave up.
    pub solutions: Option<u64>,
    /// Whether it gave up, so that there is nothing to compare but the solution.
    pub gave_up: bool,
    /// A solution, if it gave one.
    pub solution: Option<Box<[u8]>>,
}

/// The time of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunTime {
    /// Wall time.
    pub wall: Duration,
    /// CPU time: of the calling thread, if it did all of the work, or of the processes of a program. `None` if several
    /// threads share the work.
    pub cpu: Option<Duration>,
}

impl RunTime {
    /// The time that decides how many puzzles and runs a solver gets: CPU time, so that a stall of the machine decides
    /// nothing. A program that mostly waits, such as for a server, would run for hours; of its wall time, a tenth counts,
    /// without a stall.
    pub(super) fn used(self, stall: Duration) -> Duration {
        self.cpu.map_or(self.wall, |cpu| cpu.max(self.wall.saturating_sub(stall) / 10))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// The name, the number of puzzles and the passes of each timed run, in order.
    type Calls = Rc<RefCell<Vec<(&'static str, usize, usize)>>>;

    /// Claims to take the same time for each puzzle.
    pub(crate) struct FakeContender {
        pub(crate) name: &'static str,
        /// The wall time of a puzzle; half of it is CPU time.
        pub(crate) puzzle: Duration,
        pub(crate) has_cpu: bool,
        /// The additional wall time of the next answers.
        pub(crate) stall: Duration,
        pub(crate) calls: Calls,
    }

    /// One with a CPU clock.
    pub(crate) fn fake(name: &'static str, micros: u64, calls: &Calls) -> FakeContender {
        let (puzzle, stall) = (Duration::from_micros(micros), Duration::ZERO);
        FakeContender { name, puzzle, has_cpu: true, stall, calls: Rc::clone(calls) }
    }

    impl FakeContender {
        pub(crate) fn calls() -> Calls {
            Rc::default()
        }

        fn run(&self, puzzles: usize) -> RunTime {
            let wall = self.puzzle * puzzles as u32;
            RunTime { wall, cpu: self.has_cpu.then_some(wall / 2) }
        }
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
            let mut time = self.run(set.len());
            time.wall += std::mem::take(&mut self.stall);
            Ok(SetAnswers { answers, costs, time })
        }

        fn time(&mut self, set: &PuzzleSet, _: Limit, passes: usize) -> Result<RunTime, ProgramError> {
            self.calls.borrow_mut().push((self.name, set.len(), passes));
            Ok(self.run(set.len() * passes))
        }
    }
}

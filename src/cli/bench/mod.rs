//! Compares solvers: their speed on puzzle sets, after checking their answers against each other; and their answers on
//! puzzles of all kinds, which are made from a seed. `gridmill bench`, `gridmill fuzz` and the Python package use it.
//!
//! ```text
//!   mod.rs         the job `Bench`: contenders on puzzle sets, from a check of all answers to a report of all times
//!   fuzz.rs        the job `Fuzz`: their answers on puzzles that are made from a seed
//!   set.rs         the puzzles of a file; shuffled, or as isomorphs
//!   contender.rs   the trait of all solvers: answer a set, be timed on a set; their list; the engines of this crate
//!   program.rs       any other program, and a function of a shared library
//!   process.rs       runs a process of one of these two
//!   check.rs       finds disagreements with the reference, in a sample of a set if a solver is slow
//!   measure.rs     warm-up, then rounds with a run of each contender; speeds with their uncertainty
//!   row.rs         the results of solvers as rows, and the times of single puzzles
//!   table_file.rs    a file with such rows
//! ```
//!
//! Nothing here prints: the caller reports what was `Timed`.

#![cfg_attr(not(unix), allow(dead_code, unused_imports, reason = "solvers in shared libraries need Unix"))]

use std::time::Duration;

use serde::{Deserialize, Serialize};

mod check;
mod contender;
mod fuzz;
mod measure;
mod process;
mod program;
mod row;
mod set;
mod table_file;

pub use self::check::CheckError;
pub(crate) use self::check::{Disagreement, Place, PuzzleKind};
use self::check::{DisagreementError, Disagreements, SetSizes, check};
pub use self::contender::{ProgramError, Solvers};
pub(crate) use self::fuzz::{Fuzz, FuzzEvent, FuzzReport};
pub(crate) use self::measure::{Estimate, common_clock, quotient};
use self::measure::{Timed, measure};
pub(crate) use self::process::Process;
pub(crate) use self::program::{Plugin, PluginAnswer, PluginTimes, Program};
pub(crate) use self::row::BenchRow;
pub use self::row::{BenchResult, write_puzzle_times};
pub use self::set::{PuzzleSet, SetError};
use crate::engine::Limit;
use crate::output::ReservedFile;

/// Compares the speed of solvers on puzzle sets, after checking their answers against each other.
#[derive(Debug)]
pub struct Bench {
    solvers: Solvers,
    limit: Limit,
    budget: Duration,
    sizes: Vec<Option<usize>>,
    same: Option<[usize; 2]>,
    disagreements: Option<ReservedFile>,
}

/// The options that the results of a bench depend on, as the reports in JSON have them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchOptions {
    /// About how long each solver is timed on each set.
    pub(crate) seconds: f64,
    /// The number at which counting solutions stops.
    pub(crate) limit: u64,
    /// The solver that all other solvers are compared with.
    pub(crate) reference: String,
    /// The seed of the random order of the puzzles.
    pub(crate) shuffle: Option<u64>,
    /// The seed of the random isomorphs.
    pub(crate) isomorphs: Option<u64>,
}

impl Bench {
    /// Counts solutions up to two, and times each solver for about two seconds on each set.
    pub fn new(solvers: Solvers) -> Bench {
        let (limit, budget) = (Limit::UNIQUE, Duration::from_secs(2));
        Bench { solvers, limit, budget, sizes: vec![], same: None, disagreements: None }
    }

    /// The solvers.
    pub fn solvers(&self) -> &Solvers {
        &self.solvers
    }

    /// The options, with the seeds of the changes to the sets.
    pub fn options(&self, shuffle: Option<u64>, isomorphs: Option<u64>) -> BenchOptions {
        BenchOptions {
            seconds: self.budget.as_secs_f64(),
            limit: self.limit.get(),
            reference: self.solvers.labels().swap_remove(self.solvers.reference),
            shuffle,
            isomorphs,
        }
    }

    /// Compares the answers of all solvers on every puzzle. Returns the sets to be timed, for each solver on the first set,
    /// then on the next one: the set that was given, or a random sample if it takes the solver too long.
    ///
    /// # Errors
    ///
    /// If solvers disagree with the reference, if a program does not answer, or if the table cannot be written.
    pub fn check(
        &mut self,
        sets: &[PuzzleSet],
        observe: &dyn Fn(BenchEvent<'_>),
    ) -> Result<Vec<PuzzleSet>, CheckError> {
        let mut found = Disagreements::of_files(self.disagreements.take());
        self.sizes.resize(sets.len() * self.solvers.len(), None);
        let given = self.sizes.chunks(self.solvers.len());
        let mut check = |(set, given): (&PuzzleSet, _)| {
            let sizes = SetSizes { given, same: self.same, budget: self.budget };
            check(set, &mut self.solvers, self.limit, &sizes, &mut found, observe)
        };
        let checked = sets.iter().zip(given).map(&mut check).collect::<Result<Vec<_>, _>>();
        let (first, total) = found.finish_after(checked.is_ok())?;
        let checked = checked?;
        if total == 0 { Ok(checked.concat()) } else { Err(DisagreementError { first, total }.into()) }
    }

    /// Times all solvers on the sets that [`Bench::check`] returned; a [`BenchEvent::Timed`] reports each set.
    ///
    /// # Errors
    ///
    /// If a program does not answer.
    pub fn time(&mut self, sets: &[PuzzleSet], observe: &dyn Fn(BenchEvent<'_>)) -> Result<Vec<Timed>, ProgramError> {
        let mut report = Vec::with_capacity(sets.len());
        for samples in sets.chunks(self.solvers.len()) {
            let set = &samples[0];
            observe(BenchEvent::Timing { set: set.name(), puzzles: set.file_puzzles() });
            let timed = measure(samples, &mut self.solvers, self.limit, self.budget, observe)?;
            let start = report.len();
            report.extend(timed);
            observe(BenchEvent::Timed { contenders: &report[start..] });
        }
        Ok(report)
    }
}

setters!(Bench {
    /// Sets how far solutions are counted.
    limit(limit: Limit) => limit = limit;

    /// Sets about how long each solver is timed on each set, in CPU time; it has at least five runs. If a solver takes
    /// longer for the set, it gets a random sample of it; with a time of zero, it always gets all of it.
    budget(budget: Duration) => budget = budget;

    /// Sets the numbers of puzzles that solvers get, for each solver on the first set, then on the next one. `None` is a
    /// number that depends on the time that they take.
    sizes(sizes: Vec<Option<usize>>) => sizes = sizes;

    /// Sets the positions of two solvers that get the same puzzles, the fewer of the two.
    same(solvers: Option<[usize; 2]>) => same = solvers;

    /// Sets a table for all disagreements.
    disagreements(table: Option<ReservedFile>) => disagreements = table;
});

/// Something that happened in a bench.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BenchEvent<'a> {
    /// A contender is about to answer some puzzles of a set.
    Checking {
        /// The name of the set.
        set: &'a str,
        /// The name of the contender.
        contender: &'a str,
        /// The number of puzzles answered so far.
        start: usize,
        /// The number of puzzles answered afterwards.
        end: usize,
    },
    /// A contender gets only a random sample of a set.
    Limited {
        /// The name of the set.
        set: &'a str,
        /// The name of the contender.
        contender: &'a str,
        /// The number of puzzles in the sample.
        timed: usize,
        /// The number of puzzles in the set.
        puzzles: usize,
        /// The time that all puzzles would take it, which is too long; `None` if the sample is as large as another one.
        expected: Option<Duration>,
    },
    /// Contenders are about to be timed on a set of puzzles.
    Timing {
        /// Its name.
        set: &'a str,
        /// The number of its puzzles.
        puzzles: usize,
    },
    /// A contender is about to start a run.
    Running {
        /// The name of the set.
        set: &'a str,
        /// The name of the contender.
        contender: &'a str,
        /// The number of the round, from 1; 0 is the warm-up.
        round: usize,
    },
    /// All contenders were timed on a set.
    Timed {
        /// Their times, in order.
        contenders: &'a [Timed],
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineKind, MaxBranches};
    use crate::stop::Stop;

    #[test]
    fn engines_are_checked_and_timed() {
        let set = set::tests::read("1.3..........4.2\n").unwrap();
        let engines = [EngineKind::Bitmask, EngineKind::Dlx];
        let solvers = Solvers::of_engines(&engines, &[1], MaxBranches::default(), &Stop::new()).unwrap();
        let mut job = Bench::new(solvers).budget(Duration::from_millis(100));

        let sets = job.check(&[set], &|_| ()).unwrap();
        let times = job.time(&sets, &|_| ()).unwrap();
        assert_eq!(times.iter().map(|timed| &*timed.contender).collect::<Vec<_>>(), ["bitmask", "dlx"]);
    }
}
